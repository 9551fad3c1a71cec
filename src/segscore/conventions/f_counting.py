"""How programs count for F1, in all documents at once, and what they print if there is nothing to
count.

They differ in whether the ends of the text count, whether "within" includes the tolerance itself,
and how boundaries or segments are matched.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import matching
from segscore.basics.arguments import Floats, Int64Array
from segscore.conventions.symbols import Places, chunk_labels, sides
from segscore.corpus.lists import starts_of
from segscore.corpus.provenance import Provenance
from segscore.metrics.matching import BoundaryMatch
from segscore.metrics.ratios import ratio
from segscore.metrics.segment_matching import SegmentMatch
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
        return f_of(*self.rates)

    def without(self, documents: NDArray[np.bool_]) -> "Counts":
        """A copy with nothing to count in some documents."""
        return Counts(*(np.where(documents, 0.0, column) for column in self))

    def added_up(self) -> "Counts":
        """The counts of all documents added up."""
        return Counts(*(np.array([column.sum()]) for column in self))


def f_of(precision: Floats, recall: Floats) -> Floats:
    """The harmonic mean; 0 if only one rate exists, NaN if neither does."""
    both_positive = (precision > 0) & (recall > 0)
    f = ratio(2 * precision * recall, precision + recall)
    return np.where(both_positive, f, np.where(np.isnan(precision) & np.isnan(recall), np.nan, 0.0))


class Reach(NamedTuple):
    """The largest distances at which boundaries match: at most the tolerance, or less than it."""

    within: int
    below: int
    text: str

    @classmethod
    def of(cls, tolerance: int | str, provenance: Provenance) -> "Reach":
        """The reach of a number of units, or of a time."""
        checked = BoundaryMatch(tolerance)
        within = checked.reach(provenance)
        below = -1
        if checked.tolerance != 0:
            below = BoundaryMatch(tolerance, strict=True).reach(provenance)
        return cls(within, below, f"tolerance {checked.tolerance}")


Count = Callable[[Pairs, Reach], tuple[Counts, ...]]


# ---- boundaries ----


def _near(ours: Places, theirs: Places, reach: int) -> tuple[Int64Array, Int64Array]:
    """For each boundary, where the near boundaries of the other side begin and end."""
    first, last = (np.empty(len(ours.positions), np.int64) for _ in range(2))
    matching.near_ranges(*ours, *theirs, reach, first, last)
    return first, last


def _totals(side: Places, flags: NDArray[np.bool_]) -> Int64Array:
    """The number of flagged boundaries of each document."""
    return np.diff(starts_of(flags)[side.offsets])


def optimal(ends: int) -> Count:
    """As many pairs as possible, at most the tolerance apart; and ends of the text, which match."""

    def count(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
        ref, hyp = sides(pairs)
        found = pairs.rows(matching.boundary_match, 3, reach.within)[:, 0] + ends
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
    n, ref, hyp = chunk_labels(pairs)
    rows = np.zeros((len(n), 3))
    matching.boundary_match(0, len(n), n, *ref, *hyp, 0, rows)
    found = rows[:, 0]
    return (Counts.of(found, hyp.counts, found, ref.counts),)


def any_below(start: bool) -> Count:
    """Count a boundary as found if any boundary of the other side is nearer than the tolerance."""

    def found(ours: Places, theirs: Places, reach: int) -> Int64Array:
        first, last = _near(ours, theirs, reach)
        return _totals(ours, first < last)

    def count(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
        ref, hyp = (side.with_first(0) if start else side for side in sides(pairs))
        return (
            Counts.of(
                found(hyp, ref, reach.below),
                hyp.counts,
                found(ref, hyp, reach.below),
                ref.counts,
            ),
        )

    return count


def ruptures(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
    """Each reference boundary in turn takes every free hypothesis boundary that is near: a
    hypothesis boundary goes to the first that is near it."""
    ref, hyp = sides(pairs)
    first, last = _near(hyp, ref, reach.below)
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
    first, last = _near(ref, hyp, reach)
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


def matched(metrics: Sequence[SegmentMatch], runs: bool = False) -> Count:
    """Match segments by overlap, for each threshold; `runs`: neighbours with the same label are
    joined."""

    def count(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
        del reach
        seen = runs_of_labels(pairs) if runs else pairs
        return tuple(_counts(metric, seen) for metric in metrics)

    return count


def _counts(metric: SegmentMatch, pairs: Pairs) -> Counts:
    rows = metric.rows(pairs, threads=None)
    hyp_found = rows[:, 1] if metric.matching == "any" else rows[:, 0]
    return Counts.of(hyp_found, rows[:, -1], rows[:, 0], rows[:, -2])


def has_labels(pairs: Pairs) -> bool:
    """Whether each document has labelled segments on both sides, with at most one label each."""
    return all(_side_has_labels(pairs, side) for side in ("ref", "hyp"))


def _side_has_labels(pairs: Pairs, side: str) -> bool:
    labels = getattr(pairs, f"{side}_labels")
    if labels is None or (np.diff(labels.offsets) > 1).any():
        return False
    first = getattr(pairs, f"{side}_offsets") + np.arange(len(pairs) + 1)
    return bool((np.diff(labels.offsets[first]) > 0).all())


def runs_of_labels(pairs: Pairs) -> Pairs:
    """Join neighbours with the same label, which programs with a label per frame cannot
    distinguish."""
    columns: dict[str, Any] = {}
    for side, places in zip(("ref", "hyp"), sides(pairs), strict=True):
        codes = segment_codes(pairs, side)
        lasts = np.zeros(len(codes), np.bool_)  # of documents
        lasts[places.offsets[1:] + np.arange(len(pairs))] = True
        ends_run = lasts | np.append(codes[1:] != codes[:-1], True)
        kept = ends_run[~lasts]  # of the boundaries
        offsets = starts_of(_totals(places, kept))
        labels = codes[ends_run]
        columns[f"{side}_offsets"], columns[f"{side}_positions"] = offsets, places.positions[kept]
        columns[f"{side}_labels"] = starts_of(labels >= 0), labels[labels >= 0]
    return Pairs(n_units=pairs.n_units, label_names=pairs.label_names, **columns)


def segment_codes(pairs: Pairs, side: str) -> Int64Array:
    """The label of each segment of a side as a number; -1 if there is none. No segment has
    several."""
    lists = getattr(pairs, f"{side}_labels")
    codes = np.full(len(lists.offsets) - 1, -1, np.int64)
    codes[np.diff(lists.offsets) == 1] = lists.values
    return codes


# ---- what is printed where there is nothing to find ----


class Printed(NamedTuple):
    """What is printed for each document; `notes` holds remarks on some, by row."""

    values: Floats
    notes: dict[int, str]


def _noted(values: Floats, where: NDArray[np.bool_], words: str) -> Printed:
    return Printed(values, dict.fromkeys(np.flatnonzero(where).tolist(), words))


def as_computed(counts: Counts) -> Printed:
    """Print the computed value; no claim about code that was not run."""
    f = counts.f
    return _noted(f, np.isnan(f), "undefined: nothing to find on either side")


def zero(counts: Counts) -> Printed:
    none = (counts.n_hyp == 0) | (counts.n_ref == 0)
    return _noted(np.where(none, 0.0, counts.f), none, "prints 0 if a side has no boundary")


def one_of_nothing(counts: Counts) -> Printed:
    """Print 1 for a rate of nothing, so that nothing against nothing is perfect."""
    rates = [np.where(np.isnan(rate), 1.0, rate) for rate in counts.rates]
    none = (counts.n_hyp == 0) | (counts.n_ref == 0)
    return _noted(f_of(*rates), none, "a side without a boundary: its precision or recall is 1")


def collar(counts: Counts) -> Printed:
    """Print a perfect score for nothing against nothing, and 0 for something against nothing."""
    no_hyp, no_ref = counts.n_hyp == 0, counts.n_ref == 0
    values = np.where(no_hyp & no_ref, 1.0, np.where(no_hyp | no_ref, 0.0, counts.f))
    return _noted(values, no_hyp | no_ref, "prints 1 if no side has a boundary, 0 if one has none")


def ruptures_prints(counts: Counts) -> Printed:
    no_hyp, no_ref = counts.n_hyp == 0, counts.n_ref == 0
    values = np.where(no_hyp, 0.0, np.where(no_ref, np.nan, counts.f))
    fails = "fails: division by the number of reference boundaries, 0"
    notes = _noted(values, no_ref, fails).notes
    return Printed(
        values, notes | _noted(values, no_hyp, "prints 0 if the hypothesis has no boundary").notes
    )
