"""GreedyBayes (Eisenstein 2009, "Hierarchical text segmentation from multi-scale lexical cohesion";
GBEM in Carroll 2010): BayesSeg from the top down.

The text is cut into long segments, each of these into shorter ones, and so on; lengths are
geometric with a mean for each level. The prior is learned anew at each level, from all segments of
that level together, for a single short segment would tell too little about it.
"""

from dataclasses import dataclass
from typing import ClassVar

from segscore._integers import shown
from segscore.errors import SegmentationError
from segscore.segmentation import Segmentation
from segscore.segmenters.base import Segmenter
from segscore.segmenters.bayes_learning import Text, learn
from segscore.segmenters.bayesseg import positive
from segscore.segmenters.dirichlet import Counts
from segscore.segmenters.durations import Geometric
from segscore.segmenters.levels import Lengths, checked_lengths, lengths_for, numbers_for, ranked
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing


@dataclass(frozen=True)
class GreedyBayes(Segmenter):
    """BayesSeg within the segments of BayesSeg; the rank of a boundary is its level.

    `levels` of segments. `expected_lengths` of segments in units, one per level, finest first (or a
    text: "5/20/80"); None: the text has as many segments as each of them has parts, and so on, all
    levels in one ratio. `prior`: of a word in a segment, where learning starts (see BayesSeg);
    `learn=False` keeps it. With a number of segments given, the finest level has that many, those
    above fewer in one ratio (27 segments: 3, 9, 27).

    >>> cats, dogs, stars = "cat cats", "dog dogs", "star stars"
    >>> units = [cats + " pet"] * 4 + [dogs + " pet"] * 4 + [stars + " sky"] * 8
    >>> GreedyBayes(levels=2, expected_lengths=(4, 8))(units)
    Segmentation(masses=[4, 4, 8], ranks=[2, 1])
    """

    name: ClassVar[str] = "greedy-bayes"

    preprocessing: Preprocessing = CLASSIC
    levels: int = 3
    expected_lengths: Lengths | None = None
    prior: float = 0.2
    learn: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "expected_lengths", checked_lengths(self.expected_lengths, self.levels)
        )
        positive(self.prior, "prior")
        if not isinstance(self.learn, bool):
            raise SegmentationError(f"learn is {shown(self.learn)}: expected True or False")

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        counts = Counts.of(units, self.preprocessing)
        return ranked(self.boundaries(counts, n_segments), len(units))

    def boundaries(self, counts: Counts, n_segments: int | None) -> list[list[int]]:
        """Of each level, finest first; each holds those of the level above it."""
        if n_segments is None and not len(counts.counts):
            return [[] for _ in range(self.levels)]
        lengths = self.expected_lengths or lengths_for(counts.n_units, self.levels)
        numbers = (None,) * self.levels if n_segments is None else numbers_for(n_segments, self.levels)
        found: list[list[int]] = [[]]
        for mean, number in zip(lengths[::-1], numbers[::-1], strict=True):
            text = Text(counts, number, Geometric(float(mean)), tuple(found[-1]))
            if self.learn:
                found.append(learn([text], self.prior).boundaries[0])
            else:
                found.append(text.boundaries(self.prior))
        return found[:0:-1]
