"""Utiyama & Isahara (2001), "A statistical model for domain-independent text segmentation".

Each segment has its own word distribution, smoothed by adding one to the count of each type of the
text, and each segment costs ln T: the most probable segmentation is the cheapest path

    cost(segment) = ln T + Σ_w f_w · ln((t + V) / (f_w + 1))

T tokens and V types in the whole text, f_w occurrences of w and t tokens in the segment. The number
of segments is found, or given.

The sum is t·ln(t+V) − Σ_w g(f_w) with g(f) = f·ln(f+1). When a segment grows by a unit, only words
of that unit change, and how much they do depends on the start of the segment by steps at the
word's earlier occurrences: so the costs of all segments with one end follow from those with the end
before it in time that does not depend on the size of the vocabulary.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from segscore.arguments import Floats
from segscore.segmentation import Segmentation
from segscore.segmenters.base import Segmenter
from segscore.segmenters.cheapest_cuts import Plans, cheapest
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing


def segment_costs(units: Sequence[Sequence[str]]) -> Iterator[Floats]:
    """For each end 1 … N the costs of the segments start … end, start = 0 … end-1."""
    lengths = np.array([len(unit) for unit in units], np.int64)
    tokens_before = np.concatenate(([0], np.cumsum(lengths)))
    n_tokens = int(tokens_before[-1])
    n_types = len({word for unit in units for word in unit})
    gain = np.arange(n_tokens + 1) * np.log(np.arange(1, n_tokens + 2))  # g(f)
    bend: Floats = np.diff(gain, n=2, prepend=(0, 0))  # g(f) - 2·g(f-1) + g(f-2)
    base = np.log(max(n_tokens, 1))
    seen_at: dict[str, list[int]] = {}  # the units of a word's occurrences, first to last
    gained = np.zeros(len(units))  # Σ g(f_w) of the segment from each start to here
    for end, unit in enumerate(units, 1):
        # A new occurrence is worth g(f) - g(f-1) where f are in the segment: seen from the last
        # possible start backwards, each earlier occurrence that comes in adds a bend of g.
        places: list[int] = []
        bends = [np.empty(0)]
        for word in unit:
            seen = seen_at.setdefault(word, [])
            seen.append(end - 1)
            places += seen
            bends.append(bend[len(seen) : 0 : -1])
        steps = np.zeros(end)
        if places:
            steps += np.bincount(places, np.concatenate(bends), end)
        gained[:end] += np.cumsum(steps[::-1])[::-1]
        tokens = tokens_before[end] - tokens_before[:end]
        yield base + tokens * np.log(np.maximum(tokens + n_types, 1)) - gained[:end]


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
