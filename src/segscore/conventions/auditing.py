"""One set of data under every known convention of Pk, WindowDiff and F1: why does my number differ?

`audit` applies all conventions of the catalogues: those of Pk and WindowDiff with four ways of
averaging, those of F1 with three. Every number comes in two forms: the `value` of the convention,
undefined where it cannot be computed, and what the implementation `prints` there, which may be a
perfect score.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.coding.word_alignment import MAX_ERROR
from segscore.conventions.audit_table import (
    AVERAGES,
    MEASURES,
    AuditMeasure,
    AuditRow,
    Average,
    ExpectedMatch,
    audit_table,
    expected_number,
    first_of,
)
from segscore.conventions.convention_list import CONVENTIONS, Convention, ConventionScore, Measure
from segscore.conventions.f_auditing import f_rows
from segscore.conventions.f_catalogue import F_CONVENTIONS, Reach
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.pairing.documents import Missing, skipped_note
from segscore.pairing.inputs import as_pairs
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Align, Mask, PairingRules
from segscore.scoring.scoring import Side
from segscore.tables import Table, Tabular


@dataclass(frozen=True, repr=False)
class Audit(Tabular):
    """The numbers of every convention, and those that explain the one that was expected.

    `rows` holds all numbers, `matches` those that come out as `expect`; `to_table()` and printing
    show them, with a sentence per convention.
    """

    rows: tuple[AuditRow, ...]
    expect: str | None
    matches: tuple[ExpectedMatch, ...]
    provenance: Provenance = PLAIN
    skipped: tuple[str, ...] = ()

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
        """All numbers, to be shown in any format."""
        sentences: dict[tuple[str, str], str] = {
            (one.name, name): one.sentence for one in CONVENTIONS for name in one.measures
        }
        sentences |= {(one.name, one.measure): one.sentence for one in F_CONVENTIONS}
        notes = [f"{self.provenance}"] if self.provenance else []
        notes += skipped_note(self.skipped)
        return audit_table(self.rows, sentences, AVERAGES, self.expect, self.matches, notes)


def audit(
    refs: Segmentation | Side | Pairs,
    hyps: Segmentation | Side | None = None,
    expect: float | str | None = None,
    *,
    reference: str | None = None,
    hypothesis: str | None = None,
    missing: Missing = "error",
    ignore_text: bool = False,
    align: Align | None = None,
    max_error: float = MAX_ERROR,
    mask: Mask | Mapping[str, Mask] | None = None,
    tolerance: int | str = 0,
    measures: Iterable[AuditMeasure] | None = None,
) -> Audit:
    """Pk, WindowDiff and F1 under every known convention, for one pair or for a corpus.

    A corpus is averaged in four ways, F1 in three. With `expect`, a number from elsewhere (as text,
    if its trailing zeros count), the result says which conventions print it, also as 1 − value or
    in percent. `tolerance` is that of boundary F1: a number of units, or a time such as "10s".
    `measures` chooses among pk, windowdiff, f1 (boundaries) and segment-f1 (segments that overlap;
    with labels, if both sides have them). Files, corpora and the other options (`reference`, which
    may be "consensus:0.5", `missing`, `ignore_text`, `align`, `max_error`, `mask`) are as in
    `score`.

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
    rules = PairingRules(reference, hypothesis, missing, ignore_text, align, max_error, mask)
    pairs = as_pairs(refs, hyps, rules)
    wanted = _chosen(measures)
    documents = _documents(pairs)
    window_rows = (
        row
        for convention in CONVENTIONS
        for measure in convention.measures
        if measure in wanted
        for row in _audited(convention, measure, documents)
    )
    reach = Reach.of(tolerance, pairs.provenance)
    rows = (*window_rows, *(row for row in f_rows(documents, reach) if row.measure in wanted))
    if expect is None:
        return Audit(rows, None, (), pairs.provenance, pairs.skipped)
    text, forms = expected_number(expect)
    matches = (ExpectedMatch(row, form) for row in rows for form in forms(row))
    return Audit(rows, text, tuple(matches), pairs.provenance, pairs.skipped)


def _chosen(measures: Any) -> tuple[str, ...]:
    if measures is None:
        return MEASURES
    wanted = (measures,) if isinstance(measures, str) else tuple(measures)
    for one in wanted:
        if one not in MEASURES:
            raise SegmentationError(
                f"measures holds {shown(one)}: expected some of {', '.join(MEASURES)}"
            )
    return wanted


def _documents(pairs: Pairs) -> list[tuple[Segmentation, Segmentation]]:
    if pairs.groups is not None:
        raise SegmentationError("audit takes one reference per document, and lists were given")
    return [(pairs.reference(row), pairs.hypothesis(row)) for row in range(len(pairs))]


def _audited(
    convention: Convention, measure: Measure, documents: list[tuple[Segmentation, Segmentation]]
) -> Iterator[AuditRow]:
    """One convention's numbers: a single one for a document, four for a corpus."""
    seen = [convention.symbols(*pair) for pair in documents]

    def row(average: Average, outcomes: Iterable[ConventionScore]) -> AuditRow:
        return _averaged(convention, measure, average, list(outcomes))

    own = [convention.score(measure, one, convention.k(*one[:3])) for one in seen]
    if len(documents) == 1:
        yield row("document", own)
        return
    yield row("mean", own)
    yield row("windows", own)
    length, ones, segments = (sum(column) for column in list(zip(*seen, strict=True))[:3])
    k = convention.k(length, ones, segments)
    yield row("global-k", (convention.score(measure, one, k) for one in seen))
    joined = convention.symbols(*(_concatenated(side) for side in zip(*documents, strict=True)))
    yield row("concatenated", [convention.score(measure, joined, convention.k(*joined[:3]))])


def _averaged(
    convention: Convention, measure: Measure, average: Average, outcomes: list[ConventionScore]
) -> AuditRow:
    sizes = {outcome.k for outcome in outcomes}
    defined = [outcome for outcome in outcomes if outcome.divisor]
    divisor = sum(outcome.divisor for outcome in defined)
    if average == "windows":
        value = _quotient(sum(outcome.errors for outcome in defined), divisor)
        printed_divisor = sum(outcome.printed_divisor for outcome in outcomes)
        prints = _quotient(
            sum(outcome.prints * outcome.printed_divisor for outcome in outcomes), printed_divisor
        )
    else:
        value = _quotient(sum(outcome.value for outcome in defined), len(defined))
        prints = _quotient(sum(outcome.prints for outcome in outcomes), len(outcomes))
    note = first_of([outcome.trouble for outcome in outcomes if outcome.trouble])
    k = sizes.pop() if len(sizes) == 1 else None
    windows = divisor - len(defined) if convention.padded else divisor
    undefined = len(outcomes) - len(defined)
    return AuditRow(
        convention.name, measure, average, k, windows, value, prints, len(outcomes), undefined, note
    )


def _quotient(above: float, below: int) -> float:
    return above / below if below else math.nan


def _concatenated(side: Iterable[Segmentation]) -> Segmentation:
    """All documents in one; where one ends, a boundary stands."""
    return Segmentation.from_masses(np.concatenate([one.masses for one in side]))
