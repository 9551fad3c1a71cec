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
from numpy.typing import NDArray

from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.segmenters.contract import Segmenter, cheapest
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing

Integers = NDArray[np.int64]


def segment_costs(units: Sequence[Sequence[str]]) -> Iterator[Floats]:
    """For each end 1 … N the costs of the segments start … end, start = 0 … end-1."""
    counts = [Counter(unit) for unit in units]
    tokens_before = np.concatenate(([0], np.cumsum([len(unit) for unit in units])))
    tokens = np.arange(int(tokens_before[-1]) + 1)
    gain = np.asarray(tokens * np.log(tokens + 1), np.float64)  # g(f)
    words = _occurrences(counts)
    length_cost = tokens * np.log(np.maximum(tokens + len(words), 1))
    base = np.log(max(tokens[-1], 1))
    seen: Counter[str] = Counter()  # units before this one that have a word
    gained = np.zeros(len(units))  # Σ g(f_w) of the segment from each start to here
    for end, count in enumerate(counts, 1):
        steps = np.zeros(end)
        # m new occurrences are worth g(f + m) - g(f) where f others are in the segment: seen from
        # the last possible start backwards, this changes where an earlier unit with the word
        # comes in.
        steps[-1] = gain[list(count.values())].sum()
        before = [(*words[word], seen[word], m) for word, m in count.items() if seen[word]]
        if before:
            steps += _changes(before, gain, end)
        gained[:end] += np.cumsum(steps[::-1])[::-1]
        seen.update(count.keys())
        yield base + length_cost[tokens_before[end] - tokens_before[:end]] - gained[:end]


def _occurrences(counts: Sequence[Counter[str]]) -> dict[str, tuple[Integers, Integers]]:
    """The units that have each word, and its occurrences up to each of them, 0 first."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    for unit, count in enumerate(counts):
        for word, m in count.items():
            units, sums = found.setdefault(word, ([], [0]))
            units.append(unit)
            sums.append(sums[-1] + m)
    return {word: (np.array(units), np.array(sums)) for word, (units, sums) in found.items()}


def _changes(
    before: Sequence[tuple[Integers, Integers, int, int]], gain: Floats, end: int
) -> Floats:
    """How much more new occurrences are worth where a segment reaches back to each earlier unit.

    before: for each word its units, the sums of its occurrences, the number of units so far, and m.
    """
    places = np.concatenate([units[:n] for units, _, n, _ in before])
    with_it = np.concatenate([sums[n] - sums[:n] for _, sums, n, _ in before])
    without = np.concatenate([sums[n] - sums[1 : n + 1] for _, sums, n, _ in before])
    new = np.repeat([m for *_, m in before], [n for _, _, n, _ in before])
    worth = gain[with_it + new] - gain[with_it] - gain[without + new] + gain[without]
    return np.bincount(places, worth, end).astype(np.float64, copy=False)


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
        return Segmentation.from_boundaries(cheapest(costs, len(units), n_segments), len(units))
