"""Distances between boundaries by the letter."""

from statistics import median


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
