"""Boundary edit distance, literally: every set of operations, an assignment solver, greedy.

A side is a set of points ``(position, type)``; a type is an integer on its scale (0 for all where
there is one type only). Operations of a point of one side with a point of the other:

- match: same position, same type (always taken first),
- transposition: same type, 1 <= d <= n_t - 1 positions apart, scaled cost d / n_t,
- substitution: same position, other type, scaled cost |a - b| / width, or 1 where width is None.

What takes part in no operation is an addition (or deletion). The optimum (docs/definitions.md §4)
has, in this order: the fewest edits; the least scaled cost; the least sum of squared distances; the
least sum of marks, which stand for the distances as if drawn, so that they settle all of them; and
the least
sorted list of pairs, where a pair is (its lesser point, its greater point): leftmost.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import numpy as np
from scipy.optimize import linear_sum_assignment

Point = tuple[int, int]
Pair = tuple[Point, Point]
Points = set[Point] | frozenset[Point]


def scaled_cost(first: Point, second: Point, n_t: int, width: int | None) -> Fraction | None:
    """What pairing the two points costs, or None where no operation pairs them."""
    (p, a), (q, b) = first, second
    if a == b and 1 <= abs(p - q) <= n_t - 1:
        return Fraction(abs(p - q), n_t)
    if a != b and p == q:
        return Fraction(1) if width is None else Fraction(abs(a - b), width)
    return None


def all_pairings(
    ref: list[Point], hyp: frozenset[Point], n_t: int, width: int | None
) -> Iterator[list[tuple[Point, Point]]]:
    """Every one-to-one choice of transpositions and substitutions."""
    if not ref:
        yield []
        return
    point, rest = ref[0], ref[1:]
    yield from all_pairings(rest, hyp, n_t, width)
    for other in hyp:
        if scaled_cost(point, other, n_t, width) is not None:
            for pairing in all_pairings(rest, hyp - {other}, n_t, width):
                yield [(point, other), *pairing]


def mark(distance: int, substitution: bool) -> int:
    """The upper 32 bits of splitmix64 (Steele et al. 2014)."""
    z = (2 * distance + substitution) * 0x9E3779B97F4A7C15 % 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return (z ^ (z >> 31)) >> 32


def mark_of_pair(first: Point, second: Point, width: int | None) -> int:
    """The mark of the distance in positions, or else in types; names are all equally far apart."""
    (p, a), (q, b) = first, second
    if p != q:
        return mark(abs(p - q), False)
    return mark(1 if width is None else abs(a - b), True)


def rank(
    pairing: list[tuple[Point, Point]], n_t: int, width: int | None
) -> tuple[int, Fraction, int, int, list[Pair]]:
    """The order in which pairings are compared; fewest edits = most pairs."""
    costs = [scaled_cost(*pair, n_t, width) for pair in pairing]
    return (
        -len(pairing),
        sum((cost for cost in costs if cost is not None), Fraction(0)),
        sum((p - q) ** 2 for (p, _), (q, _) in pairing),
        sum(mark_of_pair(*pair, width) for pair in pairing),
        sorted((min(pair), max(pair)) for pair in pairing),
    )


def optimal(ref: Points, hyp: Points, n_t: int, width: int | None = None) -> list[Pair]:
    """The pairs of the optimum, sorted, by trying every set of operations."""
    alone = sorted(ref - hyp)
    pairings = all_pairings(alone, frozenset(hyp - ref), n_t, width)
    return min(rank(pairing, n_t, width) for pairing in pairings)[4]


def optimal_rank_by_assignment(
    ref: Points, hyp: Points, n_t: int, width: int | None = None
) -> tuple[int, Fraction, int]:
    """Pairs, scaled cost and squared distances of the optimum, by SciPy's assignment solver.

    One whole number per pair holds all three criteria; it must stay exact in a double.
    """
    rows, columns = sorted(ref - hyp), sorted(hyp - ref)
    size = min(len(rows), len(columns))
    if size == 0:
        return 0, Fraction(0), 0
    unit = n_t * (1 if width is None else width)  # scaled costs are whole numbers of 1 / unit
    square_weight = size * n_t**2 + 1
    pair_weight = square_weight * (size * unit + 1)
    assert pair_weight * (size + 1) < 2**53, "too large to be exact in a double"
    costs = np.zeros((len(rows), len(columns)))
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            cost = scaled_cost(row, column, n_t, width)
            if cost is not None:
                scaled = int(cost * unit)
                costs[i, j] = scaled * square_weight + (row[0] - column[0]) ** 2 - pair_weight
    chosen = [
        (rows[i], columns[j])
        for i, j in zip(*linear_sum_assignment(costs), strict=True)
        if costs[i, j] < 0
    ]
    pairs, scaled, squares, *_ = rank(chosen, n_t, width)
    return -pairs, scaled, squares


def greedy(ref: Points, hyp: Points, n_t: int) -> list[Pair]:
    """The choice of segeval 2.0.11: shortest span first, left to right, then substitutions.

    A transposition is refused where both its positions could still hold a substitution. What is
    left at a position is substituted with the least total |a - b|, the first such choice in the
    order of permutations of the sorted types.
    """
    last = max((p for p, _ in ref | hyp), default=0)
    left = [{t for p, t in ref - hyp if p == position} for position in range(last + 1)]
    right = [{t for p, t in hyp - ref if p == position} for position in range(last + 1)]
    pairs: list[Pair] = []
    for distance in range(1, n_t):
        for p in range(1, last + 1 - distance):
            q = p + distance
            for t in sorted((left[p] & right[q]) | (right[p] & left[q])):
                substitutable = min(len(left[p]), len(right[p])) and min(
                    len(left[q]), len(right[q])
                )
                if not substitutable:
                    pairs.append(((p, t), (q, t)))
                    for side in (left, right):
                        side[p].discard(t)
                        side[q].discard(t)
    for p in range(1, last + 1):
        choices = [
            set(zip(a, b, strict=False))
            for a in permutations(sorted(left[p]))
            for b in permutations(sorted(right[p]))
        ]
        least = min(choices, key=lambda choice: sum(abs(a - b) for a, b in choice))
        pairs += [((p, min(a, b)), (p, max(a, b))) for a, b in least]
    return sorted(pairs)


def correctness(pairs: list[Pair], prices: dict[int, float], width: int | None) -> list[float]:
    """What each pair is worth: 1 less its price, at least 0."""
    worth = []
    for (p, a), (q, b) in pairs:
        price = prices[q - p] if a == b else 1.0 if width is None else abs(a - b) / width
        worth.append(max(0.0, 1 - price))
    return worth


def boundary_similarity(
    ref: Points,
    hyp: Points,
    pairs: list[Pair],
    prices: dict[int, float],
    width: int | None,
    w_ad: float = 1,
) -> float:
    """Mean correctness of matches, pairs and additions (Fournier 2013, eq. 4); an addition, which
    costs `w_ad`, is worth what that leaves of 1."""
    matches = len(ref & hyp)
    alone = len(ref ^ hyp) - 2 * len(pairs)
    total = matches + sum(correctness(pairs, prices, width)) + alone * max(0.0, 1 - w_ad)
    count = matches + len(pairs) + alone
    return total / count if count else 1.0


def confusion(
    ref: Points,
    hyp: Points,
    pairs: list[Pair],
    prices: dict[int, float],
    width: int | None,
    whole_substitutions: bool = False,
) -> dict[tuple[int | None, int | None], float]:
    """The non-zero cells of the confusion matrix (Fournier 2013, eq. 7, with correctness).

    A substitution enters with its ordinal weight |a - b| / width (eq. 6), or with 1.
    """
    cells: dict[tuple[int | None, int | None], float] = {}
    paired = {point for pair in pairs for point in pair}
    entries: list[tuple[int | None, int | None, float]] = [(t, t, 1.0) for _, t in ref & hyp]
    entries += [(t, None, 1.0) for p, t in ref - hyp if (p, t) not in paired]
    entries += [(None, t, 1.0) for p, t in hyp - ref if (p, t) not in paired]
    for pair in pairs:
        (p, a), (q, b) = pair
        if a == b:
            entries.append((a, a, max(0.0, 1 - prices[q - p])))
        else:
            of_ref, of_hyp = (a, b) if (p, a) in ref else (b, a)
            whole = whole_substitutions or width is None
            entries.append((of_ref, of_hyp, 1.0 if whole else abs(a - b) / (width or 1)))
    for of_ref_, of_hyp_, amount in entries:
        cells[of_ref_, of_hyp_] = cells.get((of_ref_, of_hyp_), 0.0) + amount
    return cells
