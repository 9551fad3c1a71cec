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
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import TYPE_CHECKING, Any, Unpack

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.conventions.audit_table import NAMES, Audit, ExpectedMatch
from segscore.conventions.convention import (
    AVERAGES,
    ERRORS,
    MEASURES,
    AuditMeasure,
    AuditRow,
    Convention,
    Documents,
    Reach,
)
from segscore.conventions.convention_list import CATALOGUE, CONVENTIONS, FIXED_SIZES
from segscore.conventions.readings import OVER_WORDS, READINGS, Reading, over_words, without_rows
from segscore.conventions.windows import WindowConvention
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.pairing.inputs import Reader, is_path
from segscore.pairing.pairs import Pairs, pairs_of
from segscore.pairing.rules import PAIRING, split_options
from segscore.scoring.scoring import Side, Units

if TYPE_CHECKING:
    from segscore.pairing.list_columns import Encoding
    from segscore.scoring.scoring import Options

# ---- the numbers of conventions ----

_PARTS_OF_TOTAL = (*ERRORS, "f1", "macro-f1")


def audited_rows(
    pairs: Pairs,
    measures: Sequence[str],
    reach: Reach,
    conventions: Iterable[Convention] = CONVENTIONS,
    most_averages: int | None = None,
) -> list[AuditRow]:
    """The numbers of conventions; total scores use other measures, requested or not."""
    documents = Documents(pairs, reach)
    alone = len(pairs) == 1
    needed = {*measures, *(_PARTS_OF_TOTAL if "total" in measures else ())}
    rows = []
    for convention in conventions:
        left_out = convention.exact and reach.within > 0
        for measure in convention.measures:
            if measure not in needed:
                continue
            for row in islice(convention.rows(documents, measure), 1 if alone else most_averages):
                own = row._replace(average="document") if alone else row
                documents.rows[own[:3]] = own
                if measure in measures and not left_out:
                    rows.append(own)
    return [row for row in rows if _differs(row, documents.rows)]


def _differs(row: AuditRow, known: Mapping[tuple[str, ...], AuditRow]) -> bool:
    """Whether a variant prints another number than the convention it varies."""
    usual = CATALOGUE[row[:2]].variant_of
    return usual is None or not row.same_numbers(known[usual, *row[1:3]])


def cost_of(row: AuditRow) -> float:
    """How far-fetched a row is, before any change of documents."""
    convention = CATALOGUE[row[:2]]
    own = row.average == convention.average == "mean-rates"
    return convention.cost + (0.0 if own else AVERAGES[row.average][1])


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
        for candidates in (_forms(row), _rates(row)):
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


def _rates(row: AuditRow) -> Iterator[tuple[str, float, float]]:
    """Precision and recall, exchanged if the sides are swapped."""
    yield "precision, or recall with sides swapped", row.precision, 0.75
    yield "recall, or precision with sides swapped", row.recall, 0.75


Costed = Iterable[tuple[AuditRow, float]]  # rows, and how far-fetched they are

_FIRST_READING = 0.5  # what is cheaper is so frequent that nothing else is tried
_CLASSIC = ("paper", "nltk", "segeval", "nltk-labels", "superdialseg", "mug")
CLASSIC = [
    convention
    for convention in CONVENTIONS
    if isinstance(convention, WindowConvention) and convention.name in _CLASSIC
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
    for reading in READINGS:
        seen = reading.change(pairs)
        if seen is not None:
            yield from _read(reading, seen, measures, reach)
    errors = [measure for measure in measures if measure in ERRORS]
    for row in audited_rows(pairs, errors, reach, FIXED_SIZES):
        yield row, cost_of(row)
    lengths = word_counts(texts, pairs) if errors else None  # texts are read only here
    if lengths is not None:
        yield from _read(OVER_WORDS, over_words(pairs, lengths), errors, reach)


def _read(reading: Reading, seen: Pairs, measures: Sequence[str], reach: Reach) -> Costed:
    """What conventions print for changed documents."""
    if reading.of_all:
        rows = audited_rows(seen, measures, reach)
    else:
        errors = [measure for measure in measures if measure in ERRORS]
        rows = audited_rows(seen, errors, reach, CLASSIC, most_averages=2)
    for row in rows:
        yield row._replace(reading=reading.words_for(row.measure)), cost_of(row) + reading.cost


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
        rows = audited_rows(without_rows(pairs, failures.rows), measures, reach)
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
    if is_path(source):  # it has been read already: nothing more is said
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
        return MEASURES
    listed = (measures,) if isinstance(measures, str) else tuple(measures)
    wanted = tuple("windowdiff" if measure == "wd" else measure for measure in listed)
    for measure in wanted:
        if measure not in MEASURES:
            raise SegmentationError(
                f"measures holds {shown(measure)}: expected some of {', '.join(MEASURES)}"
            )
    return (*wanted, "b-f1") if "b" in wanted and "b-f1" not in wanted else wanted
