"""The matching of segments of two segmentations of a document, by their overlap.

Pairs of segments that overlap have an order: the next pair has the next segment of one side, or of
both. A matching never crosses, and two pairs that exclude each other are neighbours in that order.
So a single pass finds the best matching: as many pairs as possible, then the largest sum of IoU,
then the pairs that are worth the most.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple


class OverlappingPair(NamedTuple):
    """Segment `ref` of the reference and `hyp` of the hypothesis, and their IoU."""

    ref: int
    hyp: int
    iou: float


def matched_segments(
    ref_edges: Sequence[int],
    hyp_edges: Sequence[int],
    iou: Fraction,
    worth: Callable[[int, int], float] = lambda *_: 0.0,
) -> list[OverlappingPair]:
    """Match segments whose IoU reaches the threshold; edges include 0 and N.

    worth: the worth of a pair of segments, given by their numbers.

    >>> matched_segments([0, 10, 14], [0, 3, 14], Fraction(1, 4))
    [OverlappingPair(ref=0, hyp=0, iou=0.3), OverlappingPair(ref=1, hyp=1, iou=0.36363636363636365)]
    """
    pairs = _reaching(ref_edges, hyp_edges, iou)
    # best[i]: number, sum of IoU and worth of the best matching among the first i pairs
    best: list[tuple[int, float, float]] = [(0, 0.0, 0.0)]
    taken: list[bool] = []
    before = _compatible(pairs)
    for place, pair in enumerate(pairs):
        count, total, value = best[before[place]]
        # rounded, so that sums in another order are the same
        with_it = count + 1, round(total + pair.iou, 9), value + worth(pair.ref, pair.hyp)
        taken.append(with_it > best[place])
        best.append(max(with_it, best[place]))
    chosen: list[OverlappingPair] = []
    place = len(pairs)
    while place:
        if taken[place - 1]:
            chosen.append(pairs[place - 1])
            place = before[place - 1]
        else:
            place -= 1
    return chosen[::-1]


def _reaching(
    ref_edges: Sequence[int], hyp_edges: Sequence[int], iou: Fraction
) -> list[OverlappingPair]:
    """The pairs that overlap enough, in order; compared in whole numbers."""
    found: list[OverlappingPair] = []
    ref = hyp = 0
    while ref < len(ref_edges) - 1 and hyp < len(hyp_edges) - 1:
        start, end = ref_edges[ref], ref_edges[ref + 1]
        first, last = hyp_edges[hyp], hyp_edges[hyp + 1]
        shared, both = min(end, last) - max(start, first), max(end, last) - min(start, first)
        if shared * iou.denominator >= both * iou.numerator:
            found.append(OverlappingPair(ref, hyp, shared / both))
        ref, hyp = ref + (end <= last), hyp + (last <= end)
    return found


def _compatible(pairs: Sequence[OverlappingPair]) -> list[int]:
    """For each pair, the number of pairs before the first that shares a segment with it."""
    first_of_ref: dict[int, int] = {}
    first_of_hyp: dict[int, int] = {}
    return [
        min(first_of_ref.setdefault(pair.ref, place), first_of_hyp.setdefault(pair.hyp, place))
        for place, pair in enumerate(pairs)
    ]
