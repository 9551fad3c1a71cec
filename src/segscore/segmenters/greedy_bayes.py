"""GreedyBayes (Eisenstein 2009, "Hierarchical text segmentation from multi-scale lexical cohesion";
GBEM in Carroll 2010): BayesSeg from the top down.

The text is cut into long segments, each of these into shorter ones, and so on; lengths are
geometric with a mean for each level. The prior is learned at each level from all segments of that
level together, because a single short segment would say too little about it.

A geometric distribution hardly restricts lengths: a boundary costs about ln(mean), so that clear
boundaries are all found at the first level. Give a number of segments to distribute them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from segscore.coding.segmentation import Segmentation
from segscore.segmenters.bayes_learning import Text, learn
from segscore.segmenters.dirichlet import WordCounts
from segscore.segmenters.length_priors import Geometric
from segscore.segmenters.level_lengths import Levels, ranked


@dataclass(frozen=True)
class GreedyBayes(Levels):
    """BayesSeg within the segments of BayesSeg; the rank of a boundary is its level.

    If a number of segments is given, the finest level has that many, the levels above it have
    fewer: by the expected lengths, or else in one ratio (27 segments: 3, 9, 27).

    Parameters
    ----------
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.
    levels: number of levels of segments.
    expected_lengths: mean number of units in a segment, one number per level, finest first, or a
        text: "5/20/80". None: each segment has as many parts as the text has segments at the
        coarsest level.
    prior: of each word in each segment (see BayesSeg).
    learn: True learns the prior from each document, starting from `prior`; False keeps it.

    >>> cats, dogs, stars, moons = "cat pet", "dog pet", "star sky", "moon sky"
    >>> units = [cats] * 4 + [dogs] * 4 + [stars] * 4 + [moons] * 4
    >>> GreedyBayes(levels=2)(units, n_segments=4)
    Segmentation(masses=[4, 4, 4, 4], ranks=[2, 1, 2])
    """

    name: ClassVar[str] = "greedy-bayes"

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        counts = WordCounts.of(units, self.preprocessing)
        return ranked(self.boundaries(counts, n_segments), len(units))

    def boundaries(self, counts: WordCounts, n_segments: int | None) -> list[list[int]]:
        """Of each level, finest first; each holds those of the level above it."""
        numbers: Sequence[int | None] = [None] * self.levels
        if n_segments is not None:
            numbers = self.numbers(n_segments)
        elif not len(counts.counts):  # no word to go by
            return [[] for _ in range(self.levels)]
        found: list[list[int]] = [[]]
        for mean, number in zip(self.lengths(counts.n_units)[::-1], numbers[::-1], strict=True):
            text = Text(counts, number, Geometric(mean), tuple(found[-1]))
            if self.learn:
                found.append(learn([text], self.prior).boundaries[0])
            else:
                found.append(text.boundaries(self.prior))
        return found[:0:-1]
