"""Krippendorff's α for nominal data by the coincidence matrix, value by value."""

import math
from collections import Counter, defaultdict
from itertools import permutations


def alpha(items: list[list[str]]) -> float:
    """α of items, each a list of the values that coders gave it."""
    coincidences: dict[tuple[str, str], float] = defaultdict(float)
    for item in items:
        for coder, other in permutations(range(len(item)), 2):
            coincidences[item[coder], item[other]] += 1 / (len(item) - 1)
    totals: Counter[str] = Counter()
    for (label, _), number in coincidences.items():
        totals[label] += number  # type: ignore[assignment]
    n = sum(totals.values())
    observed = sum(number for (label, other), number in coincidences.items() if label != other)
    expected = sum(totals[a] * totals[b] for a, b in permutations(totals, 2))
    return 1 - (n - 1) * observed / expected if expected else math.nan


def agreed(codings: dict[str, list[tuple[int, int, str | None]]]) -> list[list[str]]:
    """The labels of each segment (start, end) that two coders or more labelled."""
    segments = {(start, end) for coding in codings.values() for start, end, _ in coding}
    items = [
        [label for coding in codings.values() for start, end, label in coding
         if (start, end) == segment and label is not None]
        for segment in sorted(segments)
    ]  # fmt: skip
    return [item for item in items if len(item) > 1]
