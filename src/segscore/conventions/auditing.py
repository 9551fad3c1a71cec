"""One set of data under every known convention of Pk, WindowDiff and F1: why does my number differ?

`audit` applies all conventions of the catalogues: those of Pk and WindowDiff with four ways of
averaging (EvalHDS with its own), those of F1 with three. Every number comes in two forms: the
`value` of the convention, undefined where it cannot be computed, and what the implementation
`prints` there, which may be a perfect score.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from segscore.conventions.convention_list import (
    CONVENTIONS,
    Convention,
    ConventionScores,
    Measure,
    sides,
)
from segscore.conventions.evalhds import (
    EVALHDS,
    EVALHDS_MEASURES,
    EVALHDS_SENTENCE,
    evalhds_rows,
)
from segscore.conventions.f_auditing import f_rows
from segscore.conventions.f_catalogue import F_CONVENTIONS, Reach
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.pairing.documents import skipped_note
from segscore.pairing.failures import Failures, Missing, failure_notes, failure_warnings
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
        """All numbers, to be shown in any format."""
        sentences: dict[tuple[str, str], str] = {
            (one.name, name): one.sentence for one in CONVENTIONS for name in one.measures
        }
        sentences |= {(EVALHDS, name): EVALHDS_SENTENCE for name in EVALHDS_MEASURES}
        sentences |= {(one.name, one.measure): one.sentence for one in F_CONVENTIONS}
        notes = [f"{self.provenance}"] if self.provenance else []
        notes += skipped_note(self.skipped) + failure_notes(self.failures)
        notes += failure_warnings(self.failures)
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
    if pairs.groups is not None:
        raise SegmentationError("audit takes one reference per document, and lists were given")
    if missing == "worst" and pairs.failures is not None:
        raise SegmentationError(
            "missing is 'worst', and scripts that audit knows have no worst: missing='none' "
            "(--missing none) counts a missing hypothesis as one segment"
        )
    wanted = _chosen(measures)
    window_rows = (row for one in CONVENTIONS for row in _audited(one, wanted, pairs))
    reach = Reach.of(tolerance, pairs.provenance)
    rows = (*window_rows, *evalhds_rows(pairs, wanted), *f_rows(pairs, reach, wanted))
    if expect is None:
        return Audit(rows, None, (), pairs.provenance, pairs.skipped, pairs.failures)
    text, forms = expected_number(expect)
    matches = (ExpectedMatch(row, form) for row in rows for form in forms(row))
    return Audit(rows, text, tuple(matches), pairs.provenance, pairs.skipped, pairs.failures)


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


def _audited(convention: Convention, wanted: Sequence[str], pairs: Pairs) -> Iterator[AuditRow]:
    """One convention's numbers under each measure: a single one for a document, four for a
    corpus."""
    measures = [one for one in convention.measures if one in wanted]
    seen = convention.symbols(pairs)
    sizes = convention.sizes(seen)
    for measure in measures:
        own = convention.score(measure, seen, sizes)
        if len(pairs) == 1:
            yield _averaged(convention, measure, "document", own)
            continue
        yield _averaged(convention, measure, "mean", own)
        yield _averaged(convention, measure, "windows", own)
        k = convention.k(*(sum(column.tolist()) for column in seen[:3]))
        every = convention.score(measure, seen, [k] * len(pairs))
        yield _averaged(convention, measure, "global-k", every)
        joined = convention.symbols(_concatenated(pairs))
        one = convention.score(measure, joined, convention.sizes(joined))
        yield _averaged(convention, measure, "concatenated", one)


def _averaged(
    convention: Convention, measure: Measure, average: Average, found: ConventionScores
) -> AuditRow:
    sizes = set(found.sizes)
    divisor = sum(found.divisors)
    n_defined = sum(map(bool, found.divisors))
    if average == "windows":
        value = _quotient(sum(found.errors), divisor)
        weighed = zip(found.prints, found.printed_divisors, strict=True)
        above = sum(prints * weight for prints, weight in weighed)
        prints = _quotient(above, sum(found.printed_divisors))
    else:
        both = zip(found.errors, found.divisors, strict=True)
        values = [errors / windows for errors, windows in both if windows]
        value = _quotient(sum(values), n_defined)
        prints = _quotient(sum(found.prints), len(found.prints))
    k = sizes.pop() if len(sizes) == 1 else None
    windows = divisor - convention.surplus * n_defined
    n = len(found.sizes)
    return AuditRow(
        convention.name, measure, average, k, windows, value, prints, n, n - n_defined,
        first_of(found.troubles),
    )  # fmt: skip


def _quotient(above: float, below: int) -> float:
    return above / below if below else math.nan


def _concatenated(pairs: Pairs) -> Pairs:
    """All documents in one; where one ends, a boundary stands."""
    ends = np.cumsum(pairs.n_units)
    joined: list[Any] = []
    for offsets, positions in sides(pairs):
        moved = positions + np.repeat(ends - pairs.n_units, np.diff(offsets))
        every = np.insert(moved, offsets[1:-1], ends[:-1])
        joined += [np.array([0, len(every)]), every]
    return Pairs(ends[-1:], *joined)
