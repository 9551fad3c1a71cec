"""Utiyama & Isahara (2001), "A statistical model for domain-independent text segmentation".

Each segment has its own word distribution, smoothed by adding one to the count of each type of the
text, and each segment costs ln T: the most probable segmentation is the cheapest path

    cost(segment) = ln T + Σ_w f_w · ln((t + V) / (f_w + 1))

T tokens and V types in the whole text, f_w occurrences of w and t tokens in the segment. The number
of segments is found, or given.

The sum is t·ln(t+V) − Σ_w g(f_w) with g(f) = f·ln(f+1). When a segment grows by a unit, only words
of that unit change, and how much they do depends on the start of the segment by steps at the
earlier units that have the word: so the costs of all segments with one end follow from those with
the end before it in time that does not depend on the size of the vocabulary. How often a word
occurs inside a unit does not matter.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.segmenters.cheapest_cuts import Plans, cheapest
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing
from segscore.segmenters.segmenter import Segmenter


class _Seen:
    """Where a word has occurred so far: units, and how many occurrences there are up to each."""

    __slots__ = ("n", "sums", "units")

    def __init__(self, n_units: int) -> None:
        self.n = 0
        self.units = np.zeros(n_units, np.int64)
        self.sums = np.zeros(n_units + 1, np.int64)  # 0 first

    def add(self, unit: int, count: int) -> None:
        self.units[self.n] = unit
        self.sums[self.n + 1] = self.sums[self.n] + count
        self.n += 1


def segment_costs(units: Sequence[Sequence[str]]) -> Iterator[Floats]:
    """For each end 1 … N the costs of the segments start … end, start = 0 … end-1."""
    counts = [Counter(unit) for unit in units]
    tokens_before = np.concatenate(([0], np.cumsum([len(unit) for unit in units])))
    tokens = np.arange(int(tokens_before[-1]) + 1)
    gain = tokens * np.log(tokens + 1)  # g(f)
    units_with = Counter(word for count in counts for word in count)
    length_cost = tokens * np.log(np.maximum(tokens + len(units_with), 1))
    base = np.log(max(tokens[-1], 1))
    seen = {word: _Seen(n) for word, n in units_with.items()}
    gained = np.zeros(len(units))  # Σ g(f_w) of the segment from each start to here
    for end, count in enumerate(counts, 1):
        steps = np.zeros(end)
        # m new occurrences are worth g(f + m) - g(f) where f others are in the segment: seen from
        # the last possible start backwards, this changes where an earlier unit with the word
        # comes in.
        steps[-1] = gain[list(count.values())].sum()
        before = [(seen[word], m) for word, m in count.items() if seen[word].n]
        if before:
            places = np.concatenate([one.units[: one.n] for one, _ in before])
            with_it = np.concatenate([one.sums[one.n] - one.sums[: one.n] for one, _ in before])
            without = np.concatenate(
                [one.sums[one.n] - one.sums[1 : one.n + 1] for one, _ in before]
            )
            new = np.repeat([m for _, m in before], [one.n for one, _ in before])
            worth = gain[with_it + new] - gain[with_it] - gain[without + new] + gain[without]
            steps += np.bincount(places, worth, end)
        gained[:end] += np.cumsum(steps[::-1])[::-1]
        for word, m in count.items():
            seen[word].add(end - 1, m)
        yield base + length_cost[tokens_before[end] - tokens_before[:end]] - gained[:end]


@dataclass(frozen=True)
class UtiyamaIsahara(Segmenter):
    """The most probable segmentation under a unigram model per segment.

    Parameters
    ----------
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.

    >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
    >>> UtiyamaIsahara()([cats] * 9 + [stars] * 9)
    Segmentation(masses=[9, 9])
    """

    name: ClassVar[str] = "utiyama-isahara"

    preprocessing: Preprocessing = CLASSIC

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        costs = segment_costs(self.preprocessing.all_words(units))
        if n_segments is None:
            boundaries = cheapest(costs, len(units))
        else:
            boundaries = Plans(costs, len(units), n_segments).boundaries(n_segments)
        return Segmentation.from_boundaries(boundaries, len(units))
