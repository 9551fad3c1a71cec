"""MinCutSeg by the letter (Malioutov & Barzilay 2006): plain loops over the description."""

from collections import Counter
from collections.abc import Sequence
from math import e, exp, log, sqrt

Bag = dict[str, float]


def weighted(units: Sequence[Sequence[str]], n_chunks: int) -> list[Bag]:
    """Counts times tf · ln(S / df), by chunks of N // S units; a chunk per unit if N < S."""
    n_chunks = min(n_chunks, len(units))
    size = len(units) // n_chunks
    ends = [size * (chunk + 1) for chunk in range(n_chunks - 1)] + [len(units)]
    chunks = [units[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    tf = [Counter(word for unit in chunk for word in unit) for chunk in chunks]
    rows = []
    for chunk, counts in zip(chunks, tf, strict=True):
        for unit in chunk:
            bag = {}
            for word, count in Counter(unit).items():
                df = sum(word in other for other in tf)
                bag[word] = count * counts[word] * log(n_chunks / df)
            rows.append(bag)
    return rows


def smoothed(bags: Sequence[Bag], horizon: int, alpha: float) -> list[Bag]:
    """Each bag plus the bags that follow it, weighted less with distance."""
    rows = []
    for t in range(len(bags)):
        total: Bag = {}
        for d in range(horizon):
            if t + d < len(bags):
                for word, weight in bags[t + d].items():
                    total[word] = total.get(word, 0) + exp(-alpha * d) * weight
        rows.append(total)
    return rows


def dot(a: Bag, b: Bag) -> float:
    return sum(weight * b.get(word, 0) for word, weight in a.items())


def edge(bags: Sequence[Bag], i: int, j: int, cutoff: int) -> float:
    """w(i, j)."""
    if i == j:
        return e
    product = dot(bags[i], bags[j])
    if product <= 1e-6 or abs(i - j) > cutoff:
        return 0
    return exp(product / sqrt(dot(bags[i], bags[i]) * dot(bags[j], bags[j])))


def cut(bags: Sequence[Bag], start: int, end: int, cutoff: int, skip_adjacent: bool) -> float:
    """The normalised cut of one segment."""
    everyone = range(len(bags))
    volume = sum(edge(bags, i, j, cutoff) for i in range(start, end) for j in everyone)
    inside = sum(
        edge(bags, i, j, cutoff)
        for i in range(start, end)
        for j in range(start, end)
        if not (skip_adjacent and abs(i - j) == 1)
    )
    return (volume - inside) / volume
