"""Measures on segments as sets of units, and on pairs of units, by the letter."""

from fractions import Fraction
from itertools import combinations, pairwise
from statistics import median


def segments(boundaries: set[int], n_units: int) -> list[set[int]]:
    """Each segment as the set of its units 1 … N."""
    ends = [0, *sorted(boundaries), n_units]
    return [set(range(a + 1, b + 1)) for a, b in pairwise(ends)]


def owners(parts: list[set[int]]) -> dict[int, set[int]]:
    """The segment that each unit lies in."""
    return {unit: part for part in parts for unit in part}


def purity(ref: set[int], hyp: set[int], n_units: int) -> Fraction:
    """Units of the reference segment that fills most of each hypothesis segment (Bredin 2017)."""
    theirs = segments(ref, n_units)
    best = sum(max(len(h & r) for r in theirs) for h in segments(hyp, n_units))
    return Fraction(best, n_units)


def covering(ref: set[int], hyp: set[int], n_units: int) -> Fraction:
    """Best Jaccard similarity of each reference segment, weighted by its size."""
    found = segments(hyp, n_units)
    return sum(
        Fraction(len(r), n_units) * max(Fraction(len(r & h), len(r | h)) for h in found)
        for r in segments(ref, n_units)
    )  # type: ignore[return-value]


def alignment(ref: set[int], hyp: set[int], n_units: int) -> tuple[Fraction, int]:
    """Jaccard similarities of aligned pairs, added up, and their number (Ocampo Diaz & Ouyang)."""
    sides = segments(ref, n_units), segments(hyp, n_units)
    aligned = set()
    for ours, theirs, swapped in ((*sides, False), (*sides[::-1], True)):
        for i, a in enumerate(ours):
            ranks = [
                (Fraction(len(a & b), len(a)), Fraction(len(a & b), len(a | b))) for b in theirs
            ]
            best = [j for j, rank in enumerate(ranks) if rank == max(ranks)]
            aligned |= {(j, i) if swapped else (i, j) for j in best}
    pairs = [(sides[0][i], sides[1][j]) for i, j in aligned]
    return sum(Fraction(len(a & b), len(a | b)) for a, b in pairs), len(pairs)  # type: ignore[return-value]


def misplaced(ref: set[int], hyp: set[int], n_units: int) -> tuple[Fraction, Fraction]:
    """Mean over units of those missing from the unit's segment, absolute and relative."""
    in_ref, in_hyp = owners(segments(ref, n_units)), owners(segments(hyp, n_units))
    missing = [(len(in_ref[w] - in_hyp[w]), len(in_ref[w])) for w in range(1, n_units + 1)]
    absolute = Fraction(sum(m for m, _ in missing), n_units)
    return absolute, sum(Fraction(m, size) for m, size in missing) / n_units


def pairs_of_units(ref: set[int], hyp: set[int], n_units: int) -> tuple[int, int, int, int]:
    """Pairs in one segment on both sides, in ref only, in hyp only, and all."""
    in_ref, in_hyp = owners(segments(ref, n_units)), owners(segments(hyp, n_units))
    counts = [0, 0, 0, 0]
    for i, j in combinations(range(1, n_units + 1), 2):
        together = (j in in_ref[i], j in in_hyp[i])
        cell = {(True, True): 0, (True, False): 1, (False, True): 2}.get(together)
        if cell is not None:
            counts[cell] += 1
        counts[3] += 1
    return tuple(counts)  # type: ignore[return-value]


def pd(ref: set[int], hyp: set[int], n_units: int, mu: Fraction) -> Fraction:
    """Σ over i<j of D(j−i)·[both sides disagree] over Σ D(j−i), in exact fractions."""
    in_ref, in_hyp = owners(segments(ref, n_units)), owners(segments(hyp, n_units))
    weights = [(1 - 1 / mu) ** d for d in range(n_units)]
    above = below = Fraction(0)
    for i, j in combinations(range(1, n_units + 1), 2):
        below += weights[j - i - 1]
        if (j in in_ref[i]) != (j in in_hyp[i]):
            above += weights[j - i - 1]
    return above / below


# ---- distances between boundaries by the letter ----


def nearest(boundaries: set[int], others: set[int]) -> list[int]:
    """Each boundary's distance to the nearest on the other side."""
    return [min(abs(a - b) for b in others) for a in boundaries]


def deviation(ref: set[int], hyp: set[int]) -> tuple[float, float]:
    """Median distances, ref to hyp and hyp to ref."""
    return median(nearest(ref, hyp)), median(nearest(hyp, ref))


def ghd(ref: set[int], hyp: set[int], insertion: float, deletion: float, shift: float) -> float:
    """Least cost of turning hyp into ref: the last of each is inserted, deleted or shifted."""
    refs, hyps = sorted(ref), sorted(hyp)
    cost = [[0.0] * (len(refs) + 1) for _ in range(len(hyps) + 1)]
    for i in range(len(hyps) + 1):
        for j in range(len(refs) + 1):
            ways = []
            if i:
                ways.append(cost[i - 1][j] + deletion)
            if j:
                ways.append(cost[i][j - 1] + insertion)
            if i and j:
                ways.append(cost[i - 1][j - 1] + shift * abs(hyps[i - 1] - refs[j - 1]))
            cost[i][j] = min(ways, default=0.0)
    return cost[-1][-1]
