"""F1 in other programs: how they count in all documents at once, what they print if there is
nothing to count, and how they average documents.

They differ in whether the ends of the text count, whether "within" includes the tolerance itself,
and how boundaries or segments are matched.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import matching
from segscore.basics.arguments import Floats, Int64Array
from segscore.conventions import convention
from segscore.conventions.convention import AuditRow, Convention, Places, Reach, sides
from segscore.corpus.lists import starts_of
from segscore.metrics import BoundaryMatch, SegmentMatch, ratio
from segscore.pairing.pairs import Pairs

_MOST_PAIRS = 2**20  # of boundaries that are near, at once


class Counts(NamedTuple):
    """What was found of one side, and of the other, in each document."""

    hyp_found: Floats
    n_hyp: Floats
    ref_found: Floats
    n_ref: Floats

    @classmethod
    def of(cls, *columns: Floats | Int64Array) -> "Counts":
        """Counts from counts of any kind."""
        return cls(*(np.asarray(column, np.float64) for column in columns))

    @property
    def rates(self) -> tuple[Floats, Floats]:
        """Precision and recall; NaN if there is nothing to count."""
        return ratio(self.hyp_found, self.n_hyp), ratio(self.ref_found, self.n_ref)

    @property
    def f(self) -> Floats:
        """The harmonic mean of both; NaN only if there is nothing on either side."""
        return _f_of(*self.rates)

    def without_any(self) -> Iterator[NDArray[np.bool_]]:
        """The documents with nothing to count: on neither side, in the hypothesis only, in the
        reference only."""
        no_hyp, no_ref = self.n_hyp == 0, self.n_ref == 0
        yield from (no_hyp & no_ref, no_hyp & ~no_ref, no_ref & ~no_hyp)

    def without(self, documents: NDArray[np.bool_]) -> "Counts":
        """A copy with nothing to count in some documents."""
        return Counts(*(np.where(documents, 0.0, column) for column in self))

    def added_up(self) -> "Counts":
        """The counts of all documents added up."""
        return Counts(*(np.array([column.sum()]) for column in self))


def _f_of(precision: Floats, recall: Floats) -> Floats:
    """The harmonic mean; 0 if only one rate exists, NaN if neither does."""
    both_positive = (precision > 0) & (recall > 0)
    f = ratio(2 * precision * recall, precision + recall)
    return np.where(both_positive, f, np.where(np.isnan(precision) & np.isnan(recall), np.nan, 0.0))


Count = Callable[[Pairs, Reach], tuple[Counts, ...]]


# ---- boundaries ----


def _totals(side: Places, flags: NDArray[np.bool_]) -> Int64Array:
    """The number of flagged boundaries of each document."""
    return np.diff(starts_of(flags)[side.offsets])


def optimal(ends: int) -> Count:
    """As many pairs as possible, at most the tolerance apart; and ends of the text, which match."""

    def count(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
        ref, hyp = sides(pairs)
        found = (
            pairs.rows(matching.boundary_match, 3, np.full(len(pairs), reach.within))[:, 0] + ends
        )
        return (Counts.of(found, hyp.counts + ends, found, ref.counts + ends),)

    return count


def exact(ends: int) -> Count:
    """Boundaries at the same position, whatever the tolerance; and ends of the text, which
    match."""
    found = optimal(ends)
    return lambda pairs, reach: found(pairs, reach._replace(within=0))


def chunks(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
    """Count like chunkseg: chunks of time with a boundary inside."""
    del reach
    n, ref, hyp = convention.chunk_labels(pairs)
    rows = np.zeros((len(n), 3))
    matching.boundary_match(0, len(n), n, *ref, *hyp, np.zeros(len(n), np.int64), rows)
    found = rows[:, 0]
    return (Counts.of(found, hyp.counts, found, ref.counts),)


def any_near(start: bool = False, within: int | None = None) -> Count:
    """Count a boundary as found if any boundary of the other side is nearer than the tolerance, or
    at most `within` units away."""

    def found(ours: Places, theirs: Places, reach: int) -> Int64Array:
        first, last = convention.near(ours, theirs, reach)
        return _totals(ours, first < last)

    def count(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
        ref, hyp = (side.with_first(0) if start else side for side in sides(pairs))
        most = reach.below if within is None else within
        both = found(hyp, ref, most), found(ref, hyp, most)
        return (Counts.of(both[0], hyp.counts, both[1], ref.counts),)

    return count


def within_shares(*percents: int) -> Count:
    """As many pairs as possible, at most these shares of the text apart."""

    def count(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
        del reach
        ref, hyp = (side.counts for side in sides(pairs))
        metrics = [BoundaryMatch(f"{percent}%") for percent in percents]
        found = [metric.rows(pairs, threads=None)[:, 0] for metric in metrics]
        return tuple(Counts.of(each, hyp, each, ref) for each in found)

    return count


def ruptures(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
    """Each reference boundary in turn takes every free hypothesis boundary that is near: a
    hypothesis boundary goes to the first that is near it."""
    ref, hyp = sides(pairs)
    first, last = convention.near(hyp, ref, reach.below)
    takes = np.zeros(len(ref.positions), np.bool_)
    takes[first[first < last]] = True
    taken_by = _totals(ref, takes)
    return (Counts.of(taken_by, hyp.counts, taken_by, ref.counts),)


def nearest_first(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
    """The nearest two boundaries of all are paired, then the nearest of the others, and so on."""
    return _greedy(*sides(pairs), reach.within, lambda i, j, apart: (j, i, apart))


def nearest_in_turn(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
    """Each reference boundary in turn takes the nearest free boundary; 0 is a boundary of both
    sides."""
    ref, hyp = (side.with_first(0) for side in sides(pairs))
    return _greedy(ref, hyp, reach.within, lambda i, j, apart: (j, apart, i))


Order = Callable[[Int64Array, Int64Array, Int64Array], tuple[Int64Array, ...]]


def _greedy(ref: Places, hyp: Places, reach: int, order: Order) -> tuple[Counts, ...]:
    """Boundaries that are near are paired one after the other, as long as both are free. `order`
    sorts them (the last key first): by number in the reference, in the hypothesis, and distance."""
    first, last = convention.near(ref, hyp, reach)
    paired = np.zeros(len(ref.positions), np.bool_)
    free = [True] * len(hyp.positions)
    for start, end in _stretches(ref.offsets, np.maximum(last - first, 0)):
        counts = np.maximum(last - first, 0)[start:end]
        i = np.repeat(np.arange(start, end), counts)
        j = np.arange(len(i)) + np.repeat(first[start:end] - starts_of(counts)[:-1], counts)
        sorted_by = np.lexsort(order(i, j, np.abs(ref.positions[i] - hyp.positions[j])))
        done: set[int] = set()
        for in_ref, in_hyp in zip(i[sorted_by].tolist(), j[sorted_by].tolist(), strict=True):
            if free[in_hyp] and in_ref not in done:
                free[in_hyp] = False
                done.add(in_ref)
        paired[list(done)] = True
    found = _totals(ref, paired)
    return (Counts.of(found, hyp.counts, found, ref.counts),)


def _stretches(offsets: Int64Array, counts: Int64Array) -> Iterator[tuple[int, int]]:
    """Cut boundaries into stretches of whole documents with not too many pairs each."""
    pairs = starts_of(counts)[offsets]
    row, n_rows = 0, len(offsets) - 1
    while row < n_rows:
        until = int(np.searchsorted(pairs, pairs[row] + _MOST_PAIRS, side="right")) - 1
        until = min(max(until, row + 1), n_rows)
        yield int(offsets[row]), int(offsets[until])
        row = until


# ---- segments ----


def whole_segments(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
    """Count the segments of the reference that the hypothesis has, too, or that are one unit."""
    del reach
    n_segments = sides(pairs)[0].counts + 1

    def segments(side: Places) -> list[list[int]]:
        document = np.repeat(np.arange(len(pairs)), side.counts + 1)
        first, last = side.with_first(0).positions, side.with_last(pairs.n_units).positions
        return np.stack([document, first, last], axis=1).tolist()  # type: ignore[no-any-return]

    ref, hyp = map(segments, sides(pairs))
    there = set(map(tuple, hyp))
    right = [row for row, first, last in ref if last - first == 1 or (row, first, last) in there]
    found = np.bincount(right, minlength=len(pairs))
    return (Counts.of(found, n_segments, found, n_segments),)


def matched(metrics: Sequence[SegmentMatch], runs: bool = False) -> Count:
    """Match segments by overlap, for each threshold; `runs`: neighbours with the same label are
    joined."""

    def count(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
        del reach
        seen, counts = convention.runs_of_labels(pairs) if runs else pairs, []
        for metric in metrics:
            rows = metric.rows(seen, threads=None).T
            hyp_found = rows[1] if metric.matching == "any" else rows[0]
            counts.append(Counts.of(hyp_found, rows[-1], rows[0], rows[-2]))
        return tuple(counts)

    return count


# ---- what is printed where there is nothing to find ----

# On neither side, in the hypothesis only, in the reference only: the number and its explanation.
Prints = tuple[tuple[float, str] | None, tuple[float, str] | None, tuple[float, str] | None]


def _perfect_of_nothing(words: str) -> Prints:
    return (1.0, words), (0.0, words), (0.0, words)


_ZERO = 0.0, "prints 0 if a side has no boundary"
_NO_HYP = 0.0, "prints 0 if the hypothesis has no boundary"
_FAILS = math.nan, "fails: division by the number of reference boundaries, 0"

AS_COMPUTED: Prints = (math.nan, "undefined: nothing to find on either side"), None, None
ZERO: Prints = _ZERO, _ZERO, _ZERO
COLLAR = _perfect_of_nothing("prints 1 if no side has a boundary, 0 if one has none")
ONE_OF_NOTHING = _perfect_of_nothing("a side without a boundary: its precision or recall is 1")
RUPTURES: Prints = _NO_HYP, _NO_HYP, _FAILS


# ---- conventions ----


@dataclass(frozen=True)
class FConvention(Convention):
    """F1 in one program: how it counts, at which thresholds, and what it prints if there is nothing
    to count.

    `at` names thresholds; None: the given tolerance. `prints` stands for F where there is
    nothing to find. `labels`: documents need them, and these must occur; None: it has no use for
    labels. `positive`: with a tolerance of 0 nothing would match, or it fails. `nothing`: the
    precision or recall if there is nothing to count, in averages; None: it is left out.
    """

    measures: tuple[str, ...] = field(default=("f1",), kw_only=True)
    count: Count
    prints: Prints = AS_COMPUTED
    labels: tuple[str, ...] | None = None
    positive: bool = False
    nothing: float | None = None

    def rows(self, documents: convention.Documents, measure: str) -> Iterator[AuditRow]:
        """The mean of F, F of the counts of all, and F of the mean precision and recall."""
        if self.labels is not None:
            labels = documents.once(convention.labels_in_use)
            if not labels or not labels.issuperset(self.labels):
                return
        pairs = documents.pairs
        seen = documents.once(self.count, documents.reach)
        of_boundaries = measure == "f1"
        counts = [each.without(pairs.n_units == 1) for each in seen] if of_boundaries else seen
        f = [each.f for each in counts]
        undefined, at = int(np.isnan(f[0]).sum()), self.at
        if at is None and of_boundaries:
            at = documents.reach.text
        row = AuditRow(
            self.name, measure, self.average, documents=len(pairs), undefined=undefined, at=at
        )
        if self.positive and documents.reach.within == 0:
            yield row._replace(note="needs a tolerance above 0 (tolerance=)")
            return
        own, nothing = (None, None) if len(pairs) == 1 else (self.average, self.nothing)
        for average in ("mean", "pooled", "mean-rates"):
            remarks = ["how it averages documents itself"] if average == own else []
            if average == "mean":
                value = _mean_of(_over_thresholds(f))
                prints, troubles = self._printed(seen, pairs)
                remarks += filter(None, [convention.trouble_note(troubles)])
            else:
                value = prints = _together(counts, average, None)
            if average == "mean-rates" and nothing is not None:
                prints = _together(counts, average, nothing)
            precision, recall = _rates(counts, average, nothing)
            row = row._replace(average=average, note="; ".join(remarks) or None)
            yield row._replace(value=value, prints=prints, precision=precision, recall=recall)

    def _printed(self, seen: Sequence[Counts], pairs: Pairs) -> tuple[float, list[str]]:
        """The mean of what the implementation prints, and the problems of documents."""
        columns = []
        notes: dict[int, str] = {}
        for counts in seen:
            values = counts.f
            for where, prints in zip(counts.without_any(), self.prints, strict=True):
                if prints is not None and where.any():
                    values = np.where(where, prints[0], values)
                    notes |= dict.fromkeys(np.flatnonzero(where).tolist(), prints[1])
            columns.append(values)
        if "f1" in self.measures:
            for row in np.flatnonzero(pairs.n_units == 1).tolist():
                notes.setdefault(row, "undefined: one unit has no place for a boundary")
        values = _over_thresholds(columns)
        return float(values.sum()) / len(values), [notes[row] for row in sorted(notes)]


def _together(counts: Sequence[Counts], average: str, nothing: float | None) -> float:
    """F of all documents together, as the mean over thresholds."""
    together = (_rates([count], average, nothing) for count in counts)
    return _mean([float(_f_of(*(np.array([rate]) for rate in both))[0]) for both in together])


def _rates(counts: Sequence[Counts], average: str, nothing: float | None) -> tuple[float, float]:
    """Precision and recall of all documents together, as means over thresholds."""
    columns = [each.added_up().rates if average == "pooled" else each.rates for each in counts]
    precision, recall = zip(*columns, strict=True)
    return _rate(precision, nothing), _rate(recall, nothing)


def _rate(thresholds: Sequence[Floats], nothing: float | None) -> float:
    """The mean over thresholds of means over documents."""
    if nothing is not None:
        thresholds = [np.where(np.isnan(rates), nothing, rates) for rates in thresholds]
    return _mean([_mean_of(rates) for rates in thresholds])


def _mean_of(values: Floats) -> float:
    """The mean of documents, without undefined values."""
    defined = values[~np.isnan(values)]
    return float(defined.sum()) / len(defined) if len(defined) else math.nan


def _over_thresholds(columns: Sequence[Floats]) -> Floats:
    """The mean of each row."""
    return columns[0] if len(columns) == 1 else np.stack(columns).sum(axis=0) / len(columns)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
