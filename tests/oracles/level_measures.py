"""L- and T-measure, literally: every unit q, every pair of units (i, j)."""

import math
from collections.abc import Callable

import segscore as ss

Meet = Callable[[int, int], int]


def of_each_unit(level: ss.Segmentation, what: str) -> list[str | int | None]:
    """The label, or the segment, of each unit."""
    found: list[str | int | None] = []
    for i, mass in enumerate(level.masses.tolist()):
        labels = level.segment_labels
        found += [(None if labels is None else labels[i]) if what == "labels" else i] * mass  # type: ignore[list-item]
    return found


def meet(levels: ss.Levels, what: str) -> Meet:
    """The deepest level at which two units share a label, or lie in the same segment."""
    columns = [of_each_unit(level, what) for level in levels.levels]

    def deepest(q: int, i: int) -> int:
        shared = [
            depth
            for depth, column in enumerate(columns, 1)
            if column[q] is not None and column[q] == column[i]
        ]
        return max(shared, default=0)

    return deepest


def recall(n: int, ref: Meet, hyp: Meet, window: int | None = None, reduced: bool = False) -> float:
    """Mean over q of 1 − inversions/pairs; NaN if no q has a pair."""
    shares = []
    for q in range(n):
        low, high = (0, n) if window is None else (max(0, q - window), min(n, q + window))
        others = [i for i in range(low, high) if i != q]
        pairs = inversions = 0
        for i in others:
            for j in others:
                if ref(q, j) == ref(q, i) + 1 if reduced else ref(q, i) < ref(q, j):
                    pairs += 1
                    inversions += hyp(q, i) >= hyp(q, j)
        if pairs:
            shares.append(1 - inversions / pairs)
    return sum(shares) / len(shares) if shares else math.nan
