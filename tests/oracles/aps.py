"""Affinity propagation for segmentation by the letter: sums and maxima written out.

Availabilities twice: from the running quantities of Kazantseva & Szpakowicz (2011), and from what
they mean: the best contiguous segment around a candidate, tried one by one.
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


def availabilities(r: Table) -> Table:
    """By the running sums, each computed from its definition."""
    n = len(r)
    table = [[0.0] * n for _ in range(n)]
    for j in range(n):
        c = [r[k][j] for k in range(n)]
        p = [max(0.0, *(sum(c[k:i]) for k in range(i + 1))) for i in range(n)]
        q = [max(0.0, *(sum(c[i + 1 : k]) for k in range(i + 1, n + 1))) for i in range(n)]
        for i in range(n):
            if i == j:
                table[i][j] = p[j] + q[j]
            elif i < j:
                least = min(0.0, *(sum(c[i + 1 : k]) for k in range(i + 1, j + 1)))
                table[i][j] = min(p[i] + sum(c[i + 1 : j + 1]) + q[j], p[i] + least)
            else:
                least = min(0.0, *(sum(c[k:i]) for k in range(j + 1, i + 1)))
                table[i][j] = min(p[j] + sum(c[j:i]) + q[i], q[i] + least)
    return table


def availability_by_trial(r: Table, i: int, j: int) -> float:
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
        a = damped(a, availabilities(r))
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
