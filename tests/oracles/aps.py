"""Affinity propagation for segmentation by the letter: sums and maxima written out.

Availabilities (Kazantseva & Szpakowicz 2011) from what they mean, not from running quantities: the
best contiguous segment around a candidate, tried one by one.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import inf

Table = list[list[float]]


def responsibilities(s: Table, a: Table) -> Table:
    """R_ij = s_ij − max over k ≠ j of s_ik + A_ik."""
    n = len(s)
    return [
        [s[i][j] - max(s[i][k] + a[i][k] for k in range(n) if k != j) for j in range(n)]
        for i in range(n)
    ]


def availability(r: Table, i: int, j: int) -> float:
    """Best segment around j that holds i, minus best that does not, r of i itself not counted."""
    n = len(r)
    best = {True: -inf, False: 0.0}  # without i there is always the empty segment: nobody takes j
    for start in range(j + 1):
        for end in range(j + 1, n + 1):
            total = sum(r[k][j] for k in range(start, end) if k != i)
            inside = start <= i < end
            best[inside] = max(best[inside], total)
    return best[True] - best[False]


def rounds(s: Table, damping: float, n_rounds: int) -> tuple[Table, Table]:
    """Messages after so many rounds, from zero on."""
    n = len(s)
    r, a = [[0.0] * n for _ in range(n)], [[0.0] * n for _ in range(n)]

    def damped(old: Table, new: Table) -> Table:
        return [
            [damping * x + (1 - damping) * y for x, y in zip(*rows, strict=True)]
            for rows in zip(old, new, strict=True)
        ]

    for _ in range(n_rounds):
        r = damped(r, responsibilities(s, a))
        units = range(n)
        a = damped(a, [[availability(r, i, j) for j in units] for i in units])
    return r, a


def net_similarity(s: Table, cuts: Sequence[int]) -> float:
    """Net similarity with the best exemplar in each segment; s_jj is what an exemplar gives."""
    ends = [0, *cuts, len(s)]
    return sum(
        max(sum(s[i][j] for i in range(start, end)) for j in range(start, end))
        for start, end in pairwise(ends)
    )


def best_net_similarity(s: Table, n_segments: int) -> float:
    """The largest of all segmentations into so many segments."""
    return max(net_similarity(s, cuts) for cuts in combinations(range(1, len(s)), n_segments - 1))
