"""Segmenters by the letter: plain loops over the descriptions, nothing shared with the package."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import log, sqrt


def cosine(a: Counter[str], b: Counter[str]) -> float:
    """The cosine of two bags of words; 0 if one is empty."""
    dot = sum(count * b[word] for word, count in a.items())
    norms = sum(c * c for c in a.values()) * sum(c * c for c in b.values())
    return dot / sqrt(norms) if norms else 0.0


def local_ranks(table: Sequence[Sequence[float]], radius: int) -> list[list[Fraction]]:
    """Choi (2000): share of the other cells in the clipped square that are strictly lower."""
    n = len(table)
    ranks = []
    for x in range(n):
        row = []
        for y in range(n):
            cells = [
                table[i][j]
                for i in range(max(0, x - radius), min(n, x + radius + 1))
                for j in range(max(0, y - radius), min(n, y + radius + 1))
            ]
            row.append(Fraction(sum(cell < table[x][y] for cell in cells), max(len(cells) - 1, 1)))
        ranks.append(row)
    return ranks


def divisive(ranks: Sequence[Sequence[Fraction]], n_splits: int) -> list[int]:
    """Choi (2000), exact: boundaries in order of splits; ties go to the right."""
    n = len(ranks)

    def inside(start: int, end: int) -> Fraction:
        return sum((ranks[i][j] for i in range(start, end) for j in range(start, end)), Fraction())

    def best(start: int, end: int) -> int:
        def density(b: int) -> Fraction:
            area = (b - start) ** 2 + (end - b) ** 2
            return (inside(start, b) + inside(b, end)) / area

        return max(range(start + 1, end), key=lambda b: (density(b), b))

    boundaries: list[int] = []
    for _ in range(n_splits):
        ends = [0, *sorted(boundaries), n]
        options = []
        for start, end in pairwise(ends):
            if end - start > 1:
                split = best(start, end)
                cut = sorted([*ends, split])
                segments = list(pairwise(cut))
                total = sum((inside(a, b) for a, b in segments), Fraction())
                options.append((total / sum((b - a) ** 2 for a, b in segments), split))
        boundaries.append(max(options)[1])
    return boundaries


def utiyama_isahara_cost(units: Sequence[Sequence[str]], start: int, end: int) -> float:
    """Utiyama & Isahara (2001): the cost of one segment."""
    everything = [word for unit in units for word in unit]
    words = Counter(word for unit in units[start:end] for word in unit)
    tokens, types = sum(words.values()), len(set(everything))
    cost = log(max(len(everything), 1))
    return cost + sum(f * log((tokens + types) / (f + 1)) for f in words.values())


def cheapest_total(costs: dict[tuple[int, int], float], n: int, n_segments: int | None) -> float:
    """The least total cost over all segmentations (into so many segments), by trying each."""
    numbers = range(1, n + 1) if n_segments is None else [n_segments]
    return min(
        sum(costs[a, b] for a, b in zip((0, *cut), (*cut, n), strict=True))
        for number in numbers
        for cut in combinations(range(1, n), number - 1)
    )


def depth(scores: Sequence[float], gap: int, valleys: bool = True) -> float:
    """TextTiling: climb left and right while the score does not fall."""
    left = gap
    while left > 0 and scores[left - 1] >= scores[left]:
        left -= 1
    right = gap
    while right < len(scores) - 1 and scores[right + 1] >= scores[right]:
        right += 1
    falls = scores[left] - scores[gap], scores[right] - scores[gap]
    return sum(falls) if min(falls) > 0 or not valleys else 0.0


def gap_score(pieces: Sequence[Sequence[str]], gap: int, k: int) -> float:
    """TextTiling: k pseudo-sentences before and after a gap; three where one side has too few."""
    if min(gap, len(pieces) - gap) < k:
        k = min(k, 3)
    before = Counter(word for piece in pieces[max(0, gap - k) : gap] for word in piece)
    return cosine(before, Counter(word for piece in pieces[gap : gap + k] for word in piece))


def tiling_places(
    units: Sequence[Sequence[str]], w: int, k: int, valleys: bool, apart: int
) -> list[tuple[int, float]]:
    """TextTiling: places of boundaries with their depths, deepest first; every word counts."""
    words = [word for unit in units for word in unit]
    pieces = [words[at : at + w] for at in range(0, len(words) - w + 1, w)]
    raw = [gap_score(pieces, gap, k) for gap in range(1, len(pieces))]
    smooth = [
        sum(raw[max(0, i - 1) : i + 2]) / len(raw[max(0, i - 1) : i + 2]) for i in range(len(raw))
    ]
    falls = [depth(smooth, i, valleys) for i in range(len(smooth))]
    ends = [sum(map(len, units[:number])) for number in range(1, len(units))]
    taken: list[tuple[int, int, float]] = []
    for i in sorted(range(len(falls)), key=lambda i: -falls[i]):
        if (valleys and falls[i] == 0) or any(abs(i - gap) < apart for gap, _, _ in taken):
            continue
        position = (i + 1) * w
        near = min(range(len(ends)), key=lambda e: (abs(ends[e] - position), -ends[e], e))
        if abs(ends[near] - position) <= 5 * w and near + 1 not in [place for _, place, _ in taken]:
            taken.append((i, near + 1, falls[i]))
    return [(place, fall) for _, place, fall in taken]
