"""Other people's readings of F1: of boundaries within a tolerance, and of segments that overlap.

Each convention counts, for one document, how many boundaries or segments of either side are found.
Programs differ in whether the ends of the text count, whether "within" includes the tolerance
itself, how boundaries are matched, and what is averaged.

Those that can be installed (ruptures, mir_eval, pyannote.metrics) are compared in
tests/peers/test_f_conventions.py, crashes included; the others follow the rule that their code
states.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from segscore.coding.segmentation import Segmentation
from segscore.corpus.provenance import Provenance
from segscore.metrics.matching import BoundaryMatch
from segscore.metrics.segment_matching import SegmentMatch

FMeasure = Literal["f1", "segment-f1"]
FAverage = Literal["mean", "pooled", "mean-rates"]

BACKGROUND, OUTSIDE = "background", "O"


class Counts(NamedTuple):
    """What was found of one side, and of the other."""

    hyp_found: float
    n_hyp: float
    ref_found: float
    n_ref: float

    @property
    def rates(self) -> tuple[float, float]:
        """Precision and recall; NaN of nothing."""
        return _share(self.hyp_found, self.n_hyp), _share(self.ref_found, self.n_ref)

    @property
    def f(self) -> float:
        """Their harmonic mean; NaN only if there is nothing on either side."""
        return f_of(*self.rates)


def f_of(precision: float, recall: float) -> float:
    """The harmonic mean; 0 if one of both does not exist, NaN if neither does."""
    if math.isnan(precision) and math.isnan(recall):
        return math.nan
    both = (precision, recall)
    if any(math.isnan(one) or one == 0 for one in both):
        return 0.0
    return 2 * precision * recall / (precision + recall)


def _share(found: float, n: float) -> float:
    return found / n if n else math.nan


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


Count = Callable[[Segmentation, Segmentation, Reach], tuple[Counts, ...]]


# ---- boundaries ----


def _positions(one: Segmentation, *ends: str) -> list[int]:
    return [
        *([0] if "start" in ends else []),
        *one.boundaries.tolist(),
        *([one.n_units] if "end" in ends else []),
    ]


def _optimal(*ends: str) -> Count:
    """As many pairs as possible, at most the tolerance apart."""

    def count(ref: Segmentation, hyp: Segmentation, reach: Reach) -> tuple[Counts, ...]:
        one, other = _positions(ref, *ends), _positions(hyp, *ends)
        i = j = pairs = 0
        while i < len(one) and j < len(other):
            distance = one[i] - other[j]
            near = abs(distance) <= reach.within
            pairs += near
            i += near or distance < 0
            j += near or distance > 0
        return (Counts(pairs, len(other), pairs, len(one)),)

    return count


def _any_below(*ends: str) -> Count:
    """Found is what has any boundary of the other side nearer than the tolerance."""

    def found(ours: list[int], theirs: list[int], reach: int) -> int:
        return sum(
            bisect_left(theirs, place - reach) < bisect_right(theirs, place + reach)
            for place in ours
        )

    def count(ref: Segmentation, hyp: Segmentation, reach: Reach) -> tuple[Counts, ...]:
        one, other = _positions(ref, *ends), _positions(hyp, *ends)
        near = reach.below
        return (Counts(found(other, one, near), len(other), found(one, other, near), len(one)),)

    return count


def _ruptures(ref: Segmentation, hyp: Segmentation, reach: Reach) -> tuple[Counts, ...]:
    """Each reference boundary in turn takes every free hypothesis boundary that is near."""
    free = _positions(hyp)
    n_hyp, taken_by = len(free), 0
    for place in _positions(ref):
        first = bisect_left(free, place - reach.below)
        last = bisect_right(free, place + reach.below)
        if first < last:
            taken_by += 1
            del free[first:last]
    return (Counts(taken_by, n_hyp, taken_by, ref.n_segments - 1),)


def _nearest_first(ref: Segmentation, hyp: Segmentation, reach: Reach) -> tuple[Counts, ...]:
    """The nearest two boundaries of all are paired, then the nearest of the others, and so on."""
    one, other = _positions(ref), _positions(hyp)
    near = [
        (abs(place - other[j]), i, j)
        for i, place in enumerate(one)
        for j in range(
            bisect_left(other, place - reach.within), bisect_right(other, place + reach.within)
        )
    ]
    paired: tuple[set[int], set[int]] = (set(), set())
    for _, i, j in sorted(near):
        if i not in paired[0] and j not in paired[1]:
            paired[0].add(i)
            paired[1].add(j)
    return (Counts(len(paired[0]), len(other), len(paired[0]), len(one)),)


def _nearest_in_turn(ref: Segmentation, hyp: Segmentation, reach: Reach) -> tuple[Counts, ...]:
    """Each reference boundary in turn takes the nearest free one; 0 is a boundary of both."""
    one, free = _positions(ref, "start"), _positions(hyp, "start")
    n_hyp, pairs = len(free), 0
    for place in one:
        near = free[
            bisect_left(free, place - reach.within) : bisect_right(free, place + reach.within)
        ]
        if near:
            free.remove(min(near, key=lambda spot: (abs(spot - place), spot)))
            pairs += 1
    return (Counts(pairs, n_hyp, pairs, len(one)),)


# ---- segments ----


def _matched(metrics: Sequence[SegmentMatch], runs: bool = False) -> Count:
    """Segments by overlap, for each threshold; `runs`: neighbours with one label are one."""

    def count(ref: Segmentation, hyp: Segmentation, reach: Reach) -> tuple[Counts, ...]:
        del reach
        pair = (_runs(ref), _runs(hyp)) if runs else (ref, hyp)
        return tuple(_counts(metric, *pair) for metric in metrics)

    return count


def _counts(metric: SegmentMatch, ref: Segmentation, hyp: Segmentation) -> Counts:
    row, _ = metric.score_pair(ref, hyp)
    ref_found, hyp_found = row[:2] if metric.matching == "any" else (row[0], row[0])
    return Counts(hyp_found, row[-1], ref_found, row[-2])


def _runs(one: Segmentation) -> Segmentation:
    """Programs that see a label per frame cannot tell neighbours with the same label apart."""
    labels = one.segment_labels or ()
    pieces = groupby(zip(labels, one.masses.tolist(), strict=True), key=lambda part: part[0])
    found = [(label, sum(mass for _, mass in members)) for label, members in pieces]
    return Segmentation.from_masses(
        [mass for _, mass in found], segment_labels=[label for label, _ in found]
    )


# ---- what is printed where there is nothing to find ----


def _as_computed(counts: Counts) -> tuple[float, str | None]:
    """No claim about code that was not run."""
    if math.isnan(counts.f):
        return math.nan, "undefined: nothing to find on either side"
    return counts.f, None


def _zero(counts: Counts) -> tuple[float, str | None]:
    if not counts.n_hyp or not counts.n_ref:
        return 0.0, "prints 0 if a side has no boundary"
    return counts.f, None


def _one(counts: Counts) -> tuple[float, str | None]:
    """A rate of nothing is 1, so that nothing against nothing is perfect."""
    rates = [1.0 if math.isnan(rate) else rate for rate in counts.rates]
    note = "a side without a boundary: its precision or recall is 1"
    return f_of(*rates), None if counts.n_hyp and counts.n_ref else note


def _ruptures_prints(counts: Counts) -> tuple[float, str | None]:
    if not counts.n_hyp:
        return 0.0, "prints 0 if the hypothesis has no boundary"
    if not counts.n_ref:
        return math.nan, "fails: division by the number of reference boundaries, 0"
    return counts.f, None


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
    prints: Callable[[Counts], tuple[float, str | None]] = _as_computed
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
        _optimal(),
        "pooled",
    ),
    FConvention(
        "mir_eval-trimmed",
        "mir_eval.segment.detection with trim=True: the same; 0 if a side has no boundary.",
        "f1",
        _optimal(),
        "mean",
        _zero,
    ),
    FConvention(
        "mir_eval",
        "mir_eval.segment.detection as it comes: both ends of the text count, and are found.",
        "f1",
        _optimal("start", "end"),
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
        _any_below("start"),
        "mean-rates",
        positive=True,
    ),
    FConvention(
        "chapter-llama",
        "Chapter-Llama: starts of chapters without the first, nearer than the tolerance; one may "
        "match many.",
        "f1",
        _any_below(),
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
