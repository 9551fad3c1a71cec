"""Other people's readings of F1: of boundaries within a tolerance, and of segments that overlap.

Each convention counts, in all documents at once, how many boundaries or segments of either side are
found. Programs differ in whether the ends of the text count, whether "within" includes the
tolerance itself, how boundaries are matched, and what is averaged.

Those that can be installed (ruptures, mir_eval, pyannote.metrics) are compared in
tests/peers/test_f_conventions.py, crashes included; the others follow the rule that their code
states.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import matching
from segscore.basics.arguments import Floats, Int64Array
from segscore.conventions.convention_list import Places, sides
from segscore.corpus.lists import starts_of
from segscore.corpus.provenance import Provenance
from segscore.metrics.matching import BoundaryMatch
from segscore.metrics.segment_matching import SegmentMatch
from segscore.pairing.pairs import Pairs

FMeasure = Literal["f1", "segment-f1"]
FAverage = Literal["mean", "pooled", "mean-rates"]

BACKGROUND, OUTSIDE = "background", "O"
_MOST_PAIRS = 2**20  # of boundaries that are near, at once


class Counts(NamedTuple):
    """What was found of one side, and of the other, in each document."""

    hyp_found: Floats
    n_hyp: Floats
    ref_found: Floats
    n_ref: Floats

    @classmethod
    def of(cls, *columns: Floats | Int64Array) -> "Counts":
        """From counts of any kind."""
        return cls(*(np.asarray(one, np.float64) for one in columns))

    @property
    def rates(self) -> tuple[Floats, Floats]:
        """Precision and recall; NaN of nothing."""
        return _share(self.hyp_found, self.n_hyp), _share(self.ref_found, self.n_ref)

    @property
    def f(self) -> Floats:
        """Their harmonic mean; NaN only if there is nothing on either side."""
        return f_of(*self.rates)

    def without(self, documents: NDArray[np.bool_]) -> "Counts":
        """Nothing in some documents."""
        return Counts(*(np.where(documents, 0.0, one) for one in self))

    def added_up(self) -> "Counts":
        """All documents as one."""
        return Counts(*(np.array([sum(one.tolist())], np.float64) for one in self))


def f_of(precision: Floats, recall: Floats) -> Floats:
    """The harmonic mean; 0 if one of both does not exist, NaN if neither does."""
    nowhere = np.isnan(precision) & np.isnan(recall)
    none = ~((precision > 0) & (recall > 0))
    with np.errstate(invalid="ignore", divide="ignore"):
        both = 2 * precision * recall / (precision + recall)
    return np.where(nowhere, np.nan, np.where(none, 0.0, both))


def _share(found: Floats, n: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(n > 0, found / n, np.nan)


class Reach(NamedTuple):
    """The largest distances at which boundaries match: at most the tolerance, or less than it."""

    within: int
    below: int
    text: str

    @classmethod
    def of(cls, tolerance: int | str, provenance: Provenance) -> "Reach":
        """From a number of units, or a time."""
        checked = BoundaryMatch(tolerance)
        within = checked.reach(provenance)
        below = -1
        if checked.tolerance != 0:
            below = BoundaryMatch(tolerance, strict=True).reach(provenance)
        return cls(within, below, f"tolerance {checked.tolerance}")


Count = Callable[[Pairs, Reach], tuple[Counts, ...]]


# ---- boundaries ----


def _from_start(side: Places) -> Places:
    """The same boundaries, and position 0 of each document."""
    offsets = side.offsets + np.arange(len(side.offsets))
    return Places(offsets, np.insert(side.positions, side.offsets[:-1], 0))


def _near(ours: Places, theirs: Places, reach: int) -> tuple[Int64Array, Int64Array]:
    """For each boundary where those of the other side begin and end that are near."""
    first, last = (np.empty(len(ours.positions), np.int64) for _ in range(2))
    matching.near_ranges(*ours, *theirs, reach, first, last)
    return first, last


def _totals(side: Places, flags: NDArray[np.bool_]) -> Int64Array:
    """How many boundaries of each document have a flag."""
    return np.diff(starts_of(flags)[side.offsets])


def _optimal(ends: int) -> Count:
    """As many pairs as possible, at most the tolerance apart; and ends of the text, which match."""

    def count(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
        ref, hyp = sides(pairs)
        found = pairs.rows(matching.boundary_match, 3, reach.within)[:, 0] + ends
        return (Counts.of(found, hyp.counts + ends, found, ref.counts + ends),)

    return count


def _any_below(start: bool) -> Count:
    """Found is what has any boundary of the other side nearer than the tolerance."""

    def found(ours: Places, theirs: Places, reach: int) -> Int64Array:
        first, last = _near(ours, theirs, reach)
        return _totals(ours, first < last)

    def count(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
        ref, hyp = (_from_start(one) if start else one for one in sides(pairs))
        return (
            Counts.of(
                found(hyp, ref, reach.below),
                hyp.counts,
                found(ref, hyp, reach.below),
                ref.counts,
            ),
        )

    return count


def _ruptures(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
    """Each reference boundary in turn takes every free hypothesis boundary that is near: a
    hypothesis boundary goes to the first that is near it."""
    ref, hyp = sides(pairs)
    first, last = _near(hyp, ref, reach.below)
    takes = np.zeros(len(ref.positions), np.bool_)
    takes[first[first < last]] = True
    taken_by = _totals(ref, takes)
    return (Counts.of(taken_by, hyp.counts, taken_by, ref.counts),)


def _nearest_first(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
    """The nearest two boundaries of all are paired, then the nearest of the others, and so on."""
    return _greedy(*sides(pairs), reach.within, lambda i, j, apart: (j, i, apart))


def _nearest_in_turn(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
    """Each reference boundary in turn takes the nearest free one; 0 is a boundary of both."""
    ref, hyp = map(_from_start, sides(pairs))
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
        for one, other in zip(i[sorted_by].tolist(), j[sorted_by].tolist(), strict=True):
            if free[other] and one not in done:
                free[other] = False
                done.add(one)
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


def _matched(metrics: Sequence[SegmentMatch], runs: bool = False) -> Count:
    """Segments by overlap, for each threshold; `runs`: neighbours with one label are one."""

    def count(pairs: Pairs, reach: Reach) -> tuple[Counts, ...]:
        del reach
        seen = _runs(pairs) if runs else pairs
        return tuple(_counts(metric, seen) for metric in metrics)

    return count


def _counts(metric: SegmentMatch, pairs: Pairs) -> Counts:
    rows = metric.rows(pairs, threads=None)
    hyp_found = rows[:, 1] if metric.matching == "any" else rows[:, 0]
    return Counts.of(hyp_found, rows[:, -1], rows[:, 0], rows[:, -2])


def _runs(pairs: Pairs) -> Pairs:
    """Programs that see a label per frame cannot tell neighbours with the same label apart."""
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
    """The label of each segment of a side, a number; -1 where there is none. None has several."""
    lists = getattr(pairs, f"{side}_labels")
    codes = np.full(len(lists.offsets) - 1, -1, np.int64)
    codes[np.diff(lists.offsets) == 1] = lists.values
    return codes


# ---- what is printed where there is nothing to find ----


class Printed(NamedTuple):
    """What is printed for each document; of some there is something to say: `notes`, by row."""

    values: Floats
    notes: dict[int, str]


def _noted(values: Floats, where: NDArray[np.bool_], words: str) -> Printed:
    return Printed(values, dict.fromkeys(np.flatnonzero(where).tolist(), words))


def _as_computed(counts: Counts) -> Printed:
    """No claim about code that was not run."""
    f = counts.f
    return _noted(f, np.isnan(f), "undefined: nothing to find on either side")


def _zero(counts: Counts) -> Printed:
    none = (counts.n_hyp == 0) | (counts.n_ref == 0)
    return _noted(np.where(none, 0.0, counts.f), none, "prints 0 if a side has no boundary")


def _one(counts: Counts) -> Printed:
    """A rate of nothing is 1, so that nothing against nothing is perfect."""
    rates = [np.where(np.isnan(rate), 1.0, rate) for rate in counts.rates]
    none = (counts.n_hyp == 0) | (counts.n_ref == 0)
    return _noted(f_of(*rates), none, "a side without a boundary: its precision or recall is 1")


def _ruptures_prints(counts: Counts) -> Printed:
    no_hyp, no_ref = counts.n_hyp == 0, counts.n_ref == 0
    values = np.where(no_hyp, 0.0, np.where(no_ref, np.nan, counts.f))
    fails = "fails: division by the number of reference boundaries, 0"
    notes = _noted(values, no_ref, fails).notes
    return Printed(
        values, notes | _noted(values, no_hyp, "prints 0 if the hypothesis has no boundary").notes
    )


@dataclass(frozen=True)
class FConvention:
    """One program's F1: how it counts, at which thresholds, what it prints of nothing.

    `average` is how the program itself averages documents. `at` names thresholds; None: the
    tolerance that was given. `labels` are needed on both sides; `only_with` is a label that must
    occur. `positive`: with a tolerance of 0 nothing would match, or it fails.
    """

    name: str
    sentence: str
    measure: FMeasure
    count: Count
    average: FAverage
    prints: Callable[[Counts], Printed] = _as_computed
    at: str | None = None
    labels: bool = False
    only_with: str | None = None
    positive: bool = False


VIDCHAPTERS = tuple(
    SegmentMatch(iou, strict=True, labels=False, matching="any") for iou in (0.3, 0.5, 0.7, 0.9)
)
CHAPTER_LLAMA = tuple(
    SegmentMatch(percent / 100, labels=False, matching="any") for percent in range(50, 100, 5)
)


def _action(percent: int, ignore: tuple[str, ...]) -> FConvention:
    without = f", without segments labelled {BACKGROUND!r}" if ignore else ""
    return FConvention(
        f"f1@{percent}" + ("-no-background" if ignore else ""),
        "Action segmentation (MS-TCN and its successors): runs of one label; each hypothesis "
        f"segment takes the reference segment of the largest IoU{without}; counts pooled.",
        "segment-f1",
        _matched(
            [SegmentMatch(percent / 100, labels=True, ignore=ignore, matching="argmax")], runs=True
        ),
        "pooled",
        at=f"IoU ≥ {percent / 100:g}",
        labels=True,
        only_with=BACKGROUND if ignore else None,
    )


F_CONVENTIONS: tuple[FConvention, ...] = (
    FConvention(
        "segscore",
        "segscore's f1: as many pairs as possible, at most the tolerance apart; the ends of the "
        "text do not count.",
        "f1",
        _optimal(ends=0),
        "pooled",
    ),
    FConvention(
        "mir_eval-trimmed",
        "mir_eval.segment.detection with trim=True: the same; 0 if a side has no boundary.",
        "f1",
        _optimal(ends=0),
        "mean",
        _zero,
    ),
    FConvention(
        "mir_eval",
        "mir_eval.segment.detection as it comes: both ends of the text count, and are found.",
        "f1",
        _optimal(ends=2),
        "mean",
    ),
    FConvention(
        "pyannote",
        "pyannote.metrics.segmentation: the nearest two first, which can lose a pair; a side "
        "without a boundary has 1.",
        "f1",
        _nearest_first,
        "pooled",
        _one,
    ),
    FConvention(
        "ruptures",
        "ruptures.metrics.precision_recall: nearer than the margin, not at it; a reference "
        "boundary takes all hypothesis boundaries that are near.",
        "f1",
        _ruptures,
        "mean",
        _ruptures_prints,
        positive=True,
    ),
    FConvention(
        "tcpdbench",
        "TCPDBench: the start of the text counts, and is found; each reference boundary in turn "
        "takes the nearest that is free.",
        "f1",
        _nearest_in_turn,
        "mean",
    ),
    FConvention(
        "vidchapters",
        "VidChapters: starts of chapters, the first one included, nearer than the tolerance; one "
        "may match many; F of the mean precision and the mean recall.",
        "f1",
        _any_below(start=True),
        "mean-rates",
        positive=True,
    ),
    FConvention(
        "chapter-llama",
        "Chapter-Llama: starts of chapters without the first, nearer than the tolerance; one may "
        "match many.",
        "f1",
        _any_below(start=False),
        "mean",
        positive=True,
    ),
    FConvention(
        "vidchapters-iou",
        "VidChapters: chapters that reach an IoU with any chapter of the other side, mean over "
        "thresholds; F of the mean precision and the mean recall.",
        "segment-f1",
        _matched(VIDCHAPTERS),
        "mean-rates",
        at="IoU > 0.3, 0.5, 0.7, 0.9",
    ),
    FConvention(
        "chapter-llama-iou",
        "Chapter-Llama: the same with ≥ and ten thresholds, mean of the videos' F1.",
        "segment-f1",
        _matched(CHAPTER_LLAMA),
        "mean",
        at="IoU ≥ 0.5, 0.55 … 0.95",
    ),
    FConvention(
        "soda",
        "SODA without captions: the sum of IoU of the best matching that keeps the order, over "
        "segments.",
        "segment-f1",
        _matched([SegmentMatch(labels=False, matching="soda")]),
        "mean",
    ),
    *(_action(percent, ignore) for ignore in ((), (BACKGROUND,)) for percent in (10, 25, 50)),
    FConvention(
        "seqeval",
        "seqeval: entities whose label and both ends are right; segments labelled 'O' are none.",
        "segment-f1",
        _matched([SegmentMatch(1, labels=True, ignore=(OUTSIDE,))]),
        "pooled",
        at="IoU = 1",
        labels=True,
    ),
)
