"""Apply every known convention to the same data: why does my number differ?

`audit` applies all conventions of the catalogues: those of Pk and WindowDiff with four ways of
averaging (EvalHDS with its own), those of F1 with three. Every number comes in two forms: the
`value` of the convention, undefined where it cannot be computed, and what the implementation
`prints` there, which may be a perfect score.

An expected number is looked up in all rows; if none is a likely explanation, also under common
changes of documents (`convention.READINGS`), failures, and fixed windows. The cost of an
explanation is a sum over the convention, the average, the form of the number, and what was done to
documents before. Frequent choices cost nothing, so the most likely explanation comes first. Costs
are judgements, based on how often scripts do it.
"""

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from segscore.basics.arguments import check_choice, shown
from segscore.coding.segmentation import Segmentation
from segscore.conventions import convention
from segscore.conventions.convention import ERRORS, AuditMeasure, AuditRow, Reach
from segscore.conventions.convention_list import CATALOGUE, CONVENTIONS, RARE
from segscore.conventions.document_scores import WindowConvention
from segscore.corpus import PLAIN, Corpus, Provenance
from segscore.errors import SegmentationError
from segscore.pairing import rules as pairing_rules
from segscore.pairing.inputs import PATHS, Reader
from segscore.pairing.pairs import Pairs, pairs_of
from segscore.pairing.rules import Encoding, Failures
from segscore.scoring.scoring import Side, Units
from segscore.tables import Cell, Column, Table, Tabular

if TYPE_CHECKING:
    from segscore.scoring.scoring import Options

# ---- the result ----

NAMES = {
    "pk": "Pk",
    "windowdiff": "WindowDiff",
    "f1": "F1",
    "segment-f1": "segment F1",
    "macro-f1": "macro F1",
    "total": "total score",
    "b": "B",
    "s": "S",
    "b-f1": "F1 of B's confusion matrix",
    "count-mae": "MAE of counts",
}
CITED = "paper"  # the convention that follows the definitions as published
DEFAULTS = (CITED, "segscore")  # what segscore itself computes
_MOST_ROWS = 10  # of those that differ from them
_MOST_NAMED = 6  # explanations in the verdict
_RARE = 1.0  # the cost from which something done to documents is a far-fetched explanation


class ExpectedMatch(NamedTuple):
    """A row that explains an expected number, the form in which it does, and how far-fetched that
    is: less is likelier."""

    row: AuditRow
    form: str
    cost: float = 0.0


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
        if self.expect is None:
            return self._differences()
        explaining = {match.row for match in self.matches}
        return self._table([row for row in self.rows if row in explaining])

    def _table(self, rows: Sequence[AuditRow]) -> Table:
        """A line per number; the convention's sentence and its problems become footnotes. People do
        not see empty columns, nor `prints` where every row prints its value."""
        forms: dict[AuditRow, list[str]] = {}
        for match in self.matches:
            forms.setdefault(match.row, []).append(match.form)
        lines = [
            {
                **row._asdict(),
                "shown": Cell(row.convention, note=CATALOGUE[row[:2]].words),
                "measured": NAMES[row.measure],
                "averaged": Cell(row.average, note=convention.AVERAGES[row.average][0]),
                "printed": Cell(row.prints, note=row.note),
                "read": Cell(row.reading, note=row.reading and convention.source_of(row.reading)),
                "expected": "; ".join(forms.get(row, [])) or None,
            }
            for row in rows
        ]
        empty = {
            name: "!" * all(getattr(row, name) is None for row in rows)
            for name in ("k", "windows", "at")
        }
        all_defined = not any(row.undefined for row in rows)
        averaged = any(row.average != "document" for row in rows)
        printed = any(row.note or row.prints != row.value for row in rows)
        people = partial(Column, audience="people")
        shown: list[str | Column] = [
            "convention! measure! average!",
            *(people("convention", key="shown"), people("measure", key="measured")),
            *[people("average", key="averaged")] * averaged,
            "k{k} windows{windows} at{at} reading!".format(**empty),
            *[people("reading", key="read")] * any(row.reading for row in rows),
            "value prints!",
            *[people("prints", key="printed")] * printed,
            f"documents! undefined{'!' * all_defined} precision! recall! note!",
            *[Column(f"is {self.expect}?", key="expected")] * (self.expect is not None),
        ]
        return Table.of(lines, shown, self._notes(), self._verdict())

    def _differences(self) -> Table:
        """A line for each of the ten conventions that print what differs most from segscore's own
        number for the same measure and average, beside that; measures without one are left out."""
        ours: dict[tuple[str, str], AuditRow] = {}
        gaps: dict[tuple[str, str], tuple[float, AuditRow, AuditRow]] = {}
        for row in self.rows:
            own = ours.setdefault((row.measure, row.average), row)
            gap = abs(row.prints - own.value)
            if own.convention in DEFAULTS and gap > gaps.get(row[:2], (0.0,))[0]:
                gaps[row[:2]] = gap, row, own
        largest = sorted(gaps.values(), key=lambda gap: -gap[0])[:_MOST_ROWS]
        lines = [
            {
                **row._asdict(),
                "convention": Cell(row.convention, note=CATALOGUE[row[:2]].sentence),
                "measure": NAMES[row.measure],
                "segscore": own.value,
                "difference": row.prints - own.value,
            }
            for _, row, own in largest
        ]
        several = any(row.average != "document" for row in self.rows)
        present = [name for name in ("k", "at") if any(line[name] is not None for line in lines)]
        names = ["convention", "measure", *["average"] * several, *present, "prints"]
        shown = " ".join((*names, "segscore", "difference")) if lines else ""
        return Table.of(lines, shown, self._notes(), self._verdict())

    def _notes(self) -> list[str]:
        notes = [f"{self.provenance}"] if self.provenance else []
        left_out, warnings = pairing_rules.missing_notes(self.skipped, self.failures)
        return notes + left_out + warnings

    def _verdict(self) -> str:
        """Which convention prints the expected number, and which number to cite and why."""
        measure = self.matches[0].row.measure if self.matches else None
        return " ".join([*_explanation(self.expect, self.matches), _advice(self.rows, measure)])


# ---- the verdict ----

_NOTHING_TO_CITE = "The published definitions give no value here: report none."
_ADVICE = {
    "macro-f1": "Positions without a boundary are many and easy: cite F1 of boundaries (f1).",
    "total": "Cite Pk, WindowDiff and F1 apart: a total score hides which of them changed.",
    "count-mae": "It says nothing about positions: cite it beside Pk, WindowDiff or B.",
    "b-f1": "segeval credits farther near misses with more: cite B.",
}


def _explanation(expect: str | None, matches: Sequence[ExpectedMatch]) -> list[str]:
    """What the expected number is: the explanations, the likeliest first."""
    if expect is None:
        return []
    if not matches:
        return [f"No known convention prints {expect}."]
    names = list(dict.fromkeys(map(_named, matches)))
    more = len(names) - _MOST_NAMED
    rest = [f"{more} less likely explanations fit as well: give more digits."] if more > 0 else []
    rare = matches[0].row.reading is not None and matches[0].cost >= _RARE
    perhaps = "perhaps " if rare else ""
    return [f"{expect} is {perhaps}what these print: {'; '.join(names[:_MOST_NAMED])}.", *rest]


def _named(match: ExpectedMatch) -> str:
    row = match.row
    average = row.average if row.average != "document" else None
    k = f"k = {row.k}" if row.k is not None else None
    parts = filter(None, (match.form, average, k, row.at, row.reading))
    return f"{row.convention} ({', '.join(parts)})"


def _advice(rows: Sequence[AuditRow], measure: str | None) -> str:
    """Which number to cite: of the recognised measure, or of all measures."""
    known = dict.fromkeys(row.measure for row in rows)
    about = measure or next((error for error in ERRORS if error in known), next(iter(known), None))
    if about in ERRORS:
        return _windows_to_cite(rows)
    if about in ("b", "s"):
        return _edits_to_cite(next(row for row in rows if row[:2] == ("segscore", about)))
    return _ADVICE.get(str(about)) or _f_to_cite(rows)


def _windows_to_cite(rows: Sequence[AuditRow]) -> str:
    windows = [row for row in rows if row.measure in ERRORS]
    values = [
        f"{NAMES[row.measure]} = {row.value:.4f}{' (micro)' if row.average == 'windows' else ''}"
        for row in windows
        if row.convention == CITED and row.reading is None and not math.isnan(row.value)
        if row.average in ("document", "windows")
    ]
    if not values:
        return _NOTHING_TO_CITE
    if len({round(row.prints, 4) for row in windows if not math.isnan(row.prints)}) <= 1:
        return f"All conventions print the same; cite {', '.join(values)}."
    why = "it follows the published definitions, and segscore's signature says so"
    return f"Cite {CITED}: {', '.join(values)}; {why}."


def _edits_to_cite(row: AuditRow) -> str:
    if math.isnan(row.value):
        return _NOTHING_TO_CITE
    average = "" if row.average == "document" else f" ({row.average})"
    return (
        f"Cite segscore: {NAMES[row.measure]} = {row.value:.4f}{average}, {row.at}; it finds the "
        "fewest edits, and its signature says so."
    )


def _f_to_cite(rows: Sequence[AuditRow]) -> str:
    """Advice about F1, which has no single definition."""
    of_f = [row.prints for row in rows if row.measure in ("f1", "segment-f1")]
    prints = [value for value in of_f if not math.isnan(value)]
    if not prints:
        return "No convention prints a number here: report none."
    return (
        f"They print {min(prints):.4f} … {max(prints):.4f}: say which of them a number is, and "
        "its tolerance or IoU, as segscore's signature does."
    )


# ---- the numbers of conventions ----

_PARTS_OF_TOTAL = (*ERRORS, "f1", "macro-f1")


def audited_rows(
    pairs: Pairs,
    measures: Sequence[str],
    reach: Reach,
    conventions: Iterable[convention.Convention] = CONVENTIONS,
    most_averages: int | None = None,
) -> list[AuditRow]:
    """The numbers of conventions; total scores use other measures, requested or not."""
    documents = convention.Documents(pairs, reach)
    alone = len(pairs) == 1
    needed = {*measures, *(_PARTS_OF_TOTAL if "total" in measures else ())}
    rows = []
    for each in conventions:
        left_out = each.exact and reach.within > 0
        for measure in each.measures:
            if measure not in needed:
                continue
            for row in islice(each.rows(documents, measure), 1 if alone else most_averages):
                own = row._replace(average="document") if alone else row
                documents.rows[own[:3]] = own
                if measure in measures and not left_out:
                    rows.append(own)
    usual = [CATALOGUE[row[:2]].variant_of for row in rows]
    return [  # variants that print what the convention prints that they vary are left out
        row
        for row, name in zip(rows, usual, strict=True)
        if name is None or not row.same_numbers(documents.rows[name, *row[1:3]])
    ]


def cost_of(row: AuditRow) -> float:
    """How far-fetched a row is, before any change of documents."""
    program = CATALOGUE[row[:2]]
    own = row.average == program.average == "mean-rates"
    return program.cost + (0.0 if own else convention.AVERAGES[row.average][1])


# ---- a number to explain ----

Forms = Callable[[AuditRow], list[tuple[str, float]]]  # names and costs


def expected_number(expect: Any) -> tuple[str, Forms]:
    """The number as text, and a function that lists the forms in which a row equals it.

    Numbers are equal if they agree when rounded to the decimals given.
    """
    try:
        if isinstance(expect, bool) or not isinstance(expect, str | int | float):
            raise InvalidOperation
        text = str(expect).strip()  # Python refuses to write out integers of thousands of digits
        number = Decimal(text.removesuffix("%").strip())
        half = Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)
    except (InvalidOperation, TypeError, ValueError):  # NaN and infinity have no exponent
        raise SegmentationError(
            f"expect is {shown(expect)}: expected a number, such as 0.3667 or 36.67"
        ) from None
    in_percent = text.endswith("%") or number > 1
    # A little tolerance: values are binary, and ties round either way.
    wanted, apart = float(number), float(half) * (1 + 1e-6) + 1e-12

    def forms(row: AuditRow) -> list[tuple[str, float]]:
        percent = in_percent and row.measure != "count-mae"
        factor, unit = (100, ", in percent") if percent else (1, "")
        rates = (
            ("precision, or recall with sides swapped", row.precision, 0.75),
            ("recall, or precision with sides swapped", row.recall, 0.75),
        )
        for candidates in (_forms(row), rates):
            equal = [
                (f"{words}{unit}", cost)
                for words, value, cost in candidates
                if abs(value * factor - wanted) <= apart
            ]
            if equal:
                return equal
        return []

    return text, forms


def _forms(row: AuditRow) -> Iterator[tuple[str, float, float]]:
    """The numbers of a row, with their names and how far-fetched each is."""
    name = NAMES[row.measure]
    numbers = [(name, row.prints, 0.0)]
    if row.value != row.prints:
        numbers.append((f"{name} without undefined documents", row.value, 0.5))
    for words, value, cost in numbers:
        yield words, value, cost
        if row.measure in ERRORS:
            yield f"1 − {words}", 1 - value, cost + 0.75


Costed = Iterable[tuple[AuditRow, float]]  # rows, and how far-fetched they are

_FIRST_READING = 0.5  # what is cheaper is so frequent that nothing else is tried
_CLASSIC = ("paper", "nltk", "segeval", "nltk-labels", "superdialseg", "mug")
CLASSIC = [
    each for each in CONVENTIONS if isinstance(each, WindowConvention) and each.name in _CLASSIC
]


def explained(
    pairs: Pairs,
    rows: Sequence[AuditRow],
    measures: Sequence[str],
    reach: Reach,
    forms: Forms,
    texts: Any,
) -> list[ExpectedMatch]:
    """The rows, and what else explains the number, the likeliest first."""
    matches = list(_matches(((row, cost_of(row)) for row in rows), forms))
    matches += _matches(_failed(pairs, rows, measures, reach), forms)
    enough = matches and (len(pairs) == 1 or min(match.cost for match in matches) < _FIRST_READING)
    if not enough:
        known = {row[:3]: row for row in rows}
        others = _changed(pairs, measures, reach, texts)
        new = (  # F1 is the same for swapped sides
            (row, cost)
            for row, cost in others
            if row[:3] not in known or not row.same_numbers(known[row[:3]])
        )
        matches += _matches(new, forms)
    return sorted(matches, key=lambda match: match.cost)


def _matches(rows: Costed, forms: Forms) -> Iterator[ExpectedMatch]:
    for row, cost in rows:
        for words, more in forms(row):
            yield ExpectedMatch(row, words, cost + more)


def _changed(pairs: Pairs, measures: Sequence[str], reach: Reach, texts: Any) -> Costed:
    """What conventions print for documents that were changed before, and with a fixed k."""
    errors = [measure for measure in measures if measure in ERRORS]

    def changed(reading: convention.Reading, seen: Pairs | None) -> Costed:
        if seen is None:
            return
        if reading.of_all:
            rows = audited_rows(seen, measures, reach)
        else:
            rows = audited_rows(seen, errors, reach, CLASSIC, most_averages=2)
        for row in rows:
            yield row._replace(reading=reading.words_for(row.measure)), cost_of(row) + reading.cost

    for reading in convention.READINGS:
        yield from changed(reading, reading.change(pairs))
    for row in audited_rows(pairs, measures, reach, RARE):
        yield row, cost_of(row)
    lengths = word_counts(texts, pairs) if errors else None  # texts are read only here
    if lengths is not None:
        yield from changed(convention.OVER_WORDS, convention.over_words(pairs, lengths))


def _failed(
    pairs: Pairs, rows: Sequence[AuditRow], measures: Sequence[str], reach: Reach
) -> Costed:
    """The rows with documents without a hypothesis left out, or counted as 0 or 1 in the mean."""
    failures = pairs.failures
    if failures is None or len(failures.rows) == len(pairs):  # or nothing is left
        return
    n = len(failures)
    documents = f"{n} document{'s' if n > 1 else ''} without a hypothesis"
    if failures.rows:  # they count as one segment; of those that are left out there are rows
        rows = audited_rows(convention.without_documents(pairs, failures.rows), measures, reach)
        for row in rows:
            yield row._replace(reading=f"{documents} left out"), cost_of(row) + 0.25
    for row in rows:
        if row.average in ("mean", "document"):
            worst = 1 if row.measure in ERRORS else 0
            for counted, cost in ((worst, 0.25), (1 - worst, 0.75)):
                words = f"{documents} counted as {counted}"
                yield _counted(row, n, counted)._replace(reading=words), cost_of(row) + cost


def _counted(row: AuditRow, n: int, counted: int) -> AuditRow:
    """The mean with additional documents."""
    every = row.documents + n
    value, prints = (
        (number * row.documents + counted * n) / every for number in (row.value, row.prints)
    )
    return row._replace(value=value, prints=prints, average="mean", documents=every)


Texts = Mapping[str, Sequence[str]]
TextSource = Texts | Corpus | str | os.PathLike[str] | Callable[[], Texts]


def word_counts(source: Any, pairs: Pairs) -> list[list[int]] | None:
    """The number of words in each unit of each document; None if some texts are unknown, have other
    units, or units without a word."""
    texts = _texts(source)
    if not texts:
        return None
    counts = []
    for name, n_units in zip(pairs.documents, pairs.n_units.tolist(), strict=True):
        words = [len(unit.split()) for unit in texts.get(name, ())]
        if len(words) != n_units or 0 in words:
            return None
        counts.append(words)
    return counts


def _texts(source: Any) -> Texts:
    """The units of documents, where they are known."""
    if callable(source):
        source = source()
    if isinstance(source, Corpus):
        return source.columns.texts
    if isinstance(source, Mapping) and all(
        isinstance(text, Sequence) and all(isinstance(unit, str) for unit in text)
        for text in source.values()
    ):
        return source
    return {}


# ---- the audit ----


def audit(
    refs: Segmentation | Side | Pairs,
    hyps: Segmentation | Side | None = None,
    expect: float | str | None = None,
    *,
    reference: str | None = None,
    hypothesis: str | None = None,
    tolerance: int | str = 0,
    measures: Iterable[AuditMeasure] | None = None,
    texts: TextSource | None = None,
    encoding: Encoding | None = None,
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
    rules, reading = pairing_rules.split_options(
        audit, options, reference, hypothesis, pairing_rules.PAIRING
    )
    pairs = pairs_of(refs, hyps, rules, encoding, n_units, reading)
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
    source: Any = refs if texts is None else texts
    if isinstance(source, PATHS):  # it has been read already: nothing more is said
        silent = {**reading, "remark": lambda _: None, "skipped": []}
        reader = Reader.of(silent, source, [], rules.ignore_text)
        texts = lambda: reader.codings(source, "reference").texts  # noqa: E731
    matches = explained(pairs, rows, wanted, reach, forms, source if texts is None else texts)
    known = set(rows)
    others = dict.fromkeys(match.row for match in matches if match.row not in known)
    return Audit(
        (*rows, *others), text, tuple(matches), pairs.provenance, pairs.skipped, pairs.failures
    )


def _chosen(measures: Any) -> tuple[str, ...]:
    if measures is None:
        return convention.MEASURES
    listed = (measures,) if isinstance(measures, str) else tuple(measures)
    wanted = tuple("windowdiff" if measure == "wd" else measure for measure in listed)
    for measure in wanted:
        check_choice(measure, "measures", convention.MEASURES)
    return (*wanted, "b-f1") if "b" in wanted and "b-f1" not in wanted else wanted
