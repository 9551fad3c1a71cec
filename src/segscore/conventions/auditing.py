"""Apply every known convention to the same data: why does my number differ?

`audit` applies all conventions of the catalogues: those of Pk and WindowDiff with four ways of
averaging (EvalHDS with its own), those of F1 with three. Every number comes in two forms: the
`value` of the convention, undefined where it cannot be computed, and what the implementation
`prints` there, which may be a perfect score.

An expected number is looked up in all rows; if none is a likely explanation, also under common
changes of documents (`readings.py`), failures, and fixed windows. The cost of an explanation is a
sum over the convention, the average, the form of the number, and what was done to documents before.
Frequent choices cost nothing, so the most likely explanation comes first. Costs are judgements,
based on how often scripts do it.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.conventions.audit_table import (
    MEASURES,
    AuditMeasure,
    AuditRow,
    ExpectedForm,
    ExpectedMatch,
    audit_table,
    differences_table,
    expected_number,
    same_numbers,
    verdict,
)
from segscore.conventions.class_auditing import (
    CLASS_CONVENTIONS,
    COUNT_MAE,
    COUNT_SENTENCE,
    COUNT_SOURCE,
    MACRO_F1,
    TOTAL,
    TOTALS,
    class_rows,
    count_rows,
    total_rows,
)
from segscore.conventions.convention_list import CONVENTIONS, FIXED_SIZES
from segscore.conventions.edit_auditing import EDIT_CONVENTIONS, EDIT_MEASURES, edit_rows
from segscore.conventions.evalhds import EVALHDS, EVALHDS_MEASURES, EVALHDS_SENTENCE, evalhds_rows
from segscore.conventions.f_catalogue import F_CONVENTIONS, f_rows
from segscore.conventions.f_counting import Reach
from segscore.conventions.readings import (
    OVER_WORDS,
    READINGS,
    Reading,
    over_words,
    source_of,
    without_rows,
)
from segscore.conventions.window_auditing import (
    PLAIN_AVERAGES,
    WINDOW_AVERAGES,
    SeenDocuments,
    window_rows,
)
from segscore.corpus.corpus import Corpus
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.pairing.documents import skipped_note
from segscore.pairing.failures import Failures, failure_notes, failure_warnings
from segscore.pairing.inputs import as_pairs
from segscore.pairing.pairing import as_codings
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import DEFAULT_RULES, NOTHING, PAIRING, is_path, read_how, split_options
from segscore.scoring.scoring import Side, Units
from segscore.tables import Table, Tabular

if TYPE_CHECKING:
    from segscore.pairing.list_columns import Encoding
    from segscore.scoring.options import Options

AVERAGE_COSTS = {
    "document": 0.0,
    "mean": 0.0,
    "windows": 0.75,
    "pooled": 0.25,
    "mean-rates": 0.75,
    "global-k": 2.25,
    "concatenated": 2.25,
}
_OWN_AVERAGES: dict[tuple[str, str], str] = {
    (convention.name, convention.measure): convention.average
    for convention in F_CONVENTIONS
    if convention.average == "mean-rates"
}


class CatalogueEntry(NamedTuple):
    """What is known about a convention of a measure."""

    sentence: str
    source: str | None
    cost: float

    @property
    def words(self) -> str:
        """The text of a footnote."""
        return f"{self.sentence} [{self.source}]" if self.source else self.sentence


_F_AND_EDITS: list[Any] = [*F_CONVENTIONS, *EDIT_CONVENTIONS]
_LISTED: list[tuple[Any, Sequence[str]]] = [  # conventions, and their measures
    *((convention, convention.measures) for convention in (*CONVENTIONS, *FIXED_SIZES)),
    *((convention, [convention.measure]) for convention in _F_AND_EDITS),
    *((convention, [MACRO_F1]) for convention in CLASS_CONVENTIONS),
    *((total, [TOTAL]) for total in TOTALS),
]
CATALOGUE: dict[tuple[str, str], CatalogueEntry] = {
    (listed.name, measure): CatalogueEntry(listed.sentence, listed.source, listed.cost)
    for listed, measures in _LISTED
    for measure in measures
}
for _measure in EVALHDS_MEASURES:
    CATALOGUE[EVALHDS, _measure] = CatalogueEntry(
        EVALHDS_SENTENCE, "EvalHDS eval/Beeferman.py", 1.5
    )
CATALOGUE[COUNT_MAE, COUNT_MAE] = CatalogueEntry(COUNT_SENTENCE, COUNT_SOURCE, 0.0)


def cost_of(row: AuditRow) -> float:
    """How far-fetched a row is, before any change of documents."""
    key = row.convention, row.measure
    average = 0.0 if _OWN_AVERAGES.get(key) == row.average else AVERAGE_COSTS[row.average]
    return CATALOGUE[key].cost + average


Texts = Mapping[str, Sequence[str]]
GivenTexts = Texts | Corpus | str | os.PathLike[str] | Callable[[], Texts]


def word_counts(
    texts: Any, pairs: Pairs, reading: Mapping[str, Any] = NOTHING
) -> list[list[int]] | None:
    """The number of words in each unit of each document; None if some texts are unknown, have other
    units, or units without a word. reading: how files are read."""
    found = _texts(texts, reading)
    if not found:
        return None
    counts = []
    for name, n_units in zip(pairs.documents, pairs.n_units.tolist(), strict=True):
        words = [len(unit.split()) for unit in found.get(name, ())]
        if len(words) != n_units or 0 in words:
            return None
        counts.append(words)
    return counts


def _texts(given: Any, reading: Mapping[str, Any]) -> Texts:
    """The units of documents, where they are known."""
    if callable(given):
        given = given()
    if is_path(given):
        choices, formats = read_how(reading, DEFAULT_RULES)
        return as_codings(given, "reference", choices, formats[0]).texts
    if isinstance(given, Corpus):
        return given.columns.texts
    if isinstance(given, Mapping) and all(_is_text(text) for text in given.values()):
        return given
    return {}


def _is_text(given: Any) -> bool:
    return isinstance(given, Sequence) and all(isinstance(unit, str) for unit in given)


_EXACT = {convention.name for convention in F_CONVENTIONS if convention.exact}
_VARIANTS = {
    convention.name: convention.variant_of for convention in CONVENTIONS if convention.variant_of
}
_PARTS_OF_TOTAL = ("pk", "windowdiff", "f1", MACRO_F1)


def audited_rows(pairs: Pairs, measures: Sequence[str], reach: Reach) -> list[AuditRow]:
    """The numbers of all conventions; total scores use other measures, requested or not."""
    needed = {*measures, *(_PARTS_OF_TOTAL if TOTAL in measures else ())}
    rows = [
        *window_rows(SeenDocuments(pairs), tuple(needed), CONVENTIONS),
        *evalhds_rows(pairs, measures),
        *f_rows(pairs, reach, tuple(needed)),
        *(class_rows(pairs) if MACRO_F1 in needed else ()),
    ]
    rows += total_rows(rows) if TOTAL in measures else ()
    rows += edit_rows(pairs, tuple(measure for measure in EDIT_MEASURES if measure in measures))
    rows += count_rows(pairs) if COUNT_MAE in measures else ()
    known = {row[:3]: row for row in rows}
    within = reach.within > 0
    return [
        row
        for row in rows
        if row.measure in measures and not (within and _is_exact(row)) and _differs(row, known)
    ]


def _is_exact(row: AuditRow) -> bool:
    """Whether a row is an F1 without a tolerance."""
    return row.measure == "f1" and row.convention in _EXACT


def _differs(row: AuditRow, known: Mapping[tuple[str, ...], AuditRow]) -> bool:
    """Whether a variant prints another number than the convention it varies."""
    usual = _VARIANTS.get(row.convention)
    return usual is None or not same_numbers(row, known[usual, row.measure, row.average])


Forms = Callable[[AuditRow], list[ExpectedForm]]
WordCounts = Callable[[], list[list[int]] | None]  # of each unit of each document

_FIRST_READING = 0.5  # what is cheaper is so frequent that nothing else is tried
_ERRORS = ("pk", "windowdiff")


def explained(
    pairs: Pairs,
    rows: Sequence[AuditRow],
    measures: Sequence[str],
    reach: Reach,
    forms: Forms,
    words: WordCounts,
) -> list[ExpectedMatch]:
    """The rows, and what else explains the number, the likeliest first."""
    found = list(_matches(((row, cost_of(row)) for row in rows), forms))
    found += _matches(_failed(pairs, rows, measures, reach), forms)
    enough = found and (len(pairs) == 1 or min(match.cost for match in found) < _FIRST_READING)
    if not enough:
        known: dict[tuple[str, ...], AuditRow] = {row[:3]: row for row in rows}
        others = (
            *_readings(pairs, measures, reach),
            *_fixed(pairs, measures),
            *_over_words(pairs, measures, words),
        )
        new = ((row, cost) for row, cost in others if not _unchanged(row, known))
        found += _matches(new, forms)
    return sorted(found, key=lambda match: match.cost)


def _matches(rows: Iterable[tuple[AuditRow, float]], forms: Forms) -> Iterator[ExpectedMatch]:
    for row, cost in rows:
        for form in forms(row):
            yield ExpectedMatch(row, form.words, cost + form.cost)


def _unchanged(row: AuditRow, known: Mapping[tuple[str, ...], AuditRow]) -> bool:
    """Whether a reading changes nothing: F1 is the same for swapped sides."""
    usual = known.get(row[:3])
    return usual is not None and same_numbers(row, usual)


def _readings(
    pairs: Pairs, measures: Sequence[str], reach: Reach
) -> Iterator[tuple[AuditRow, float]]:
    for reading in READINGS:
        seen = reading.change(pairs)
        if seen is not None:
            yield from _read(reading, seen, measures, reach)


def _read(
    reading: Reading, seen: Pairs, measures: Sequence[str], reach: Reach
) -> Iterator[tuple[AuditRow, float]]:
    """What conventions print for changed documents."""
    if reading.conventions is None:
        rows: Iterable[AuditRow] = audited_rows(seen, measures, reach)
    else:
        conventions = [
            convention for convention in CONVENTIONS if convention.name in reading.conventions
        ]
        rows = window_rows(SeenDocuments(seen), measures, conventions, PLAIN_AVERAGES)
    for row in rows:
        yield row._replace(reading=reading.words_for(row.measure)), cost_of(row) + reading.cost


def _fixed(pairs: Pairs, measures: Sequence[str]) -> Iterator[tuple[AuditRow, float]]:
    averages = [average for average in WINDOW_AVERAGES if average != "global-k"]
    for row in window_rows(SeenDocuments(pairs), measures, FIXED_SIZES, averages):
        yield row, cost_of(row)


def _over_words(
    pairs: Pairs, measures: Sequence[str], words: WordCounts
) -> Iterator[tuple[AuditRow, float]]:
    """What conventions print over words; texts are read only here."""
    if not any(error in measures for error in _ERRORS):
        return
    lengths = words()
    if lengths is not None:
        yield from _read(OVER_WORDS, over_words(pairs, lengths), measures, Reach(0, -1, ""))


def _failed(
    pairs: Pairs, rows: Sequence[AuditRow], measures: Sequence[str], reach: Reach
) -> Iterator[tuple[AuditRow, float]]:
    """The rows with documents without a hypothesis left out, or counted as 0 or 1 in the mean."""
    failures = pairs.failures
    if failures is None:
        return
    n = len(failures)
    documents = f"{n} document{'s' if n > 1 else ''} without a hypothesis"
    others = rows
    if len(failures.rows) == len(pairs):  # nothing is left
        return
    if failures.rows:  # they count as one segment; of those that are left out there are rows
        others = audited_rows(without_rows(pairs, failures.rows), measures, reach)
        for row in others:
            yield row._replace(reading=f"{documents} left out"), cost_of(row) + 0.25
    for row in others:
        if row.average not in ("mean", "document"):
            continue
        worst = 1 if row.measure in _ERRORS else 0
        for counted in (worst, 1 - worst):
            yield (
                _counted(row, n, counted)._replace(reading=f"{documents} counted as {counted}"),
                cost_of(row) + (0.25 if counted == worst else 0.75),
            )


def _counted(row: AuditRow, n: int, counted: int) -> AuditRow:
    """The mean with additional documents."""
    every = row.documents + n
    value, prints = (
        (number * row.documents + counted * n) / every for number in (row.value, row.prints)
    )
    return row._replace(value=value, prints=prints, average="mean", documents=every)


@dataclass(frozen=True, repr=False)
class Audit(Tabular):
    """The numbers of every convention, and those that explain the expected number.

    `rows` holds all numbers, `matches` those that equal `expect`; `to_table()` and printing show
    them, with a sentence per convention.
    """

    rows: tuple[AuditRow, ...]
    expect: str | None
    matches: tuple[ExpectedMatch, ...]
    provenance: Provenance = PLAIN
    skipped: tuple[str, ...] = ()
    failures: Failures | None = None

    def __getitem__(self, key: tuple[str, ...]) -> AuditRow:
        """The row of (convention, measure), or of (convention, measure, average) for a corpus."""
        for row in self.rows:
            if row[: len(key)] == key:
                return row
        raise KeyError(f"no row {key!r}")

    def to_dicts(self) -> list[dict[str, Any]]:
        """A mapping per row."""
        return [row._asdict() for row in self.rows]

    def to_table(self) -> Table:
        """A table of all numbers."""
        return self._table(self.rows)

    def short_table(self) -> Table:
        """A table of the numbers that explain the expected one, or, if none is expected, of the ten
        conventions that differ most from segscore's own numbers; the verdict is about all."""
        explaining = {match.row for match in self.matches}
        return self._table(tuple(row for row in self.rows if row in explaining), short=True)

    def _table(self, shown: tuple[AuditRow, ...], short: bool = False) -> Table:
        sentences = {key: entry.words for key, entry in CATALOGUE.items()}
        sources = {row.reading: source_of(row.reading) for row in self.rows if row.reading}
        notes = [f"{self.provenance}"] if self.provenance else []
        notes += skipped_note(self.skipped) + failure_notes(self.failures)
        notes += failure_warnings(self.failures)
        title = verdict(self.rows, self.expect, self.matches)
        if short and self.expect is None:
            sentences = {key: entry.sentence for key, entry in CATALOGUE.items()}
            return differences_table(self.rows, sentences, title, notes)
        return audit_table(shown, sentences, sources, self.expect, self.matches, title, notes)


def audit(
    refs: Segmentation | Side | Pairs,
    hyps: Segmentation | Side | None = None,
    expect: float | str | None = None,
    *,
    reference: str | None = None,
    hypothesis: str | None = None,
    tolerance: int | str = 0,
    measures: Iterable[AuditMeasure] | None = None,
    texts: GivenTexts | None = None,
    encoding: "Encoding | None" = None,
    n_units: Units | None = None,
    **options: "Unpack[Options]",
) -> Audit:
    """Compute Pk, WindowDiff, F1, B and S under every known convention, for a pair or for a corpus.

    A corpus is averaged in four ways, F1 in three. With `expect`, a number from elsewhere (as text,
    if its trailing zeros count), the result lists the conventions that print it, also as 1 − value
    or in percent, the likeliest first. It then also tries common changes that scripts make to
    documents: sides swapped, documents without a hypothesis (`missing="skip"` or `"none"`) left out
    or counted as 0 or 1, a fixed k, the last unit lost, labels mistaken for gaps or for numbers of
    segments, words as units. `tolerance` applies to boundary F1: a number of units, or a time such
    as "10s". `measures` chooses among pk, windowdiff, f1 (boundaries), segment-f1 (segments that
    overlap; with labels, if both sides have them), macro-f1 (over places with and without a
    boundary), total (½ F1 + ¼ (1 - Pk) + ¼ (1 - WindowDiff)), b, s and count-mae (error of the
    number of boundaries). `texts` has the units of each document, for conventions that count words:
    a mapping, a corpus, a file, or a function that reads them; by default `refs`. Files, corpora
    and the other options (`reference`, which may be "consensus:0.5", `missing`, `ignore_text`,
    `align`, `max_error`, `mask`, `encoding`, `n_units`, `format` and the keywords of
    `segscore.read`) are as in `score`.

    >>> ref, hyp = Segmentation.from_masses([6, 3, 4]), Segmentation.from_masses([4, 4, 5])
    >>> found = audit(ref, hyp, expect=0.3636, measures=["pk", "windowdiff"])
    >>> round(found["paper", "pk"].value, 4), round(found["nltk", "pk"].value, 4)
    (0.5455, 0.4)
    >>> [(match.row.convention, match.row.measure, match.row.k) for match in found.matches]
    [('solbiati', 'pk', 3), ('solbiati', 'windowdiff', 3)]
    >>> found = audit(ref, hyp, tolerance=2, measures=["f1"])
    >>> [(name, found[name, "f1"].value) for name in ("segscore", "mir_eval", "ruptures")]
    [('segscore', 1.0), ('mir_eval', 1.0), ('ruptures', 0.5)]
    """
    if isinstance(refs, Segmentation) and isinstance(hyps, Segmentation):
        refs, hyps = [refs], [hyps]
    rules, reading = split_options(audit, options, reference, hypothesis, PAIRING)
    pairs = as_pairs(refs, hyps, rules, encoding, n_units, reading)
    if pairs.groups is not None:
        raise SegmentationError("audit takes one reference per document, and lists were given")
    if rules.missing == "worst" and pairs.failures is not None:
        raise SegmentationError(
            "missing is 'worst', and scripts that audit knows have no worst: missing='none' "
            "counts a missing hypothesis as one segment"
        )
    wanted = _chosen(measures)
    reach = Reach.of(tolerance, pairs.provenance)
    rows = audited_rows(pairs, wanted, reach)
    if expect is None:
        return Audit(tuple(rows), None, (), pairs.provenance, pairs.skipped, pairs.failures)
    text, forms = expected_number(expect)
    silent = {**reading, "remark": lambda _: None, "skipped": []}  # it has been read already
    words = partial(word_counts, refs if texts is None else texts, pairs, silent)
    matches = tuple(explained(pairs, rows, wanted, reach, forms, words))
    known = set(rows)
    others = dict.fromkeys(match.row for match in matches if match.row not in known)
    every = (*rows, *others)
    return Audit(every, text, matches, pairs.provenance, pairs.skipped, pairs.failures)


def _chosen(measures: Any) -> tuple[str, ...]:
    if measures is None:
        return MEASURES
    wanted = (measures,) if isinstance(measures, str) else tuple(measures)
    for measure in wanted:
        if measure not in MEASURES:
            raise SegmentationError(
                f"measures holds {shown(measure)}: expected some of {', '.join(MEASURES)}"
            )
    return (*wanted, "b-f1") if "b" in wanted and "b-f1" not in wanted else wanted
