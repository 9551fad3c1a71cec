"""GreedyBayes (Eisenstein 2009, "Hierarchical text segmentation from multi-scale lexical cohesion";
GBEM in Carroll 2010): BayesSeg from the top down; and what it shares with HierBayes, the levels.

The text is cut into long segments, each of these into shorter ones, and so on; lengths are
geometric with a mean for each level. The prior is learned at each level from all segments of that
level together, because a single short segment would say too little about it.

A geometric distribution hardly restricts lengths: a boundary costs about ln(mean), so that clear
boundaries are all found at the first level. Give a number of segments to distribute them.

Levels are counted from the finest (0) to the coarsest, as lengths are given. In a result the rank
of a boundary is the level that it comes from, 1 for the coarsest.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from segscore.basics.arguments import shown, truth, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.segmenters.bayes_model import Duration, Text, WordCounts, learn
from segscore.segmenters.bayesseg import positive
from segscore.segmenters.contract import Segmenter
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing

Lengths = Sequence[float] | str
MOST_LEVELS = 10  # if each segment has two parts, ten levels give 1024 segments


@dataclass(frozen=True)
class LevelSegmenter(Segmenter):
    """What GreedyBayes and HierBayes share; see there for the parameters."""

    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "levels": (2, 3, 4),
        "prior": (0.05, 0.2, 0.5),
        "learn": (True, False),
    }

    preprocessing: Preprocessing = CLASSIC
    levels: int = 3
    expected_lengths: Lengths | None = None
    prior: float = 0.2
    learn: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "expected_lengths", self._given_lengths())
        positive(self.prior, "prior")
        truth(self.learn, "learn")

    def _given_lengths(self) -> tuple[float, ...] | None:
        return checked_lengths(self.expected_lengths, self.levels)

    def lengths(self, n_units: int) -> tuple[float, ...]:
        """The expected lengths in a document of `n_units` units, finest level first."""
        return self._given_lengths() or lengths_for(n_units, self.levels)

    def numbers(self, n_segments: int) -> tuple[int, ...]:
        """The number of segments of each level, finest first, if the finest has this number."""
        return numbers_for(n_segments, self._given_lengths(), self.levels)


def checked_lengths(lengths: Any, levels: int) -> tuple[float, ...] | None:
    """The expected lengths of segments, finest level first; raise if there is not one for each
    level.

    >>> checked_lengths("5/20", 2)
    (5.0, 20.0)
    """
    if whole_number(levels, "levels", 1) > MOST_LEVELS:
        raise SegmentationError(f"levels is {levels}: expected 1 … {MOST_LEVELS}")
    if lengths is None:
        return None
    listed = list(_parts(lengths))
    if len(listed) != levels:
        raise SegmentationError(
            f"expected_lengths is {shown(lengths)}: expected {levels} numbers, one per level from "
            "the finest to the coarsest"
        )
    checked = tuple(positive(length, "expected_lengths", 1) for length in listed)
    if any(coarse < fine for fine, coarse in pairwise(checked)):
        raise SegmentationError(
            f"expected_lengths is {shown(lengths)}: expected rising numbers, from the finest level "
            "to the coarsest"
        )
    return checked


def _parts(lengths: Any) -> Iterable[Any]:
    if isinstance(lengths, str):  # as the command line has it
        try:
            return [float(part) for part in lengths.split("/")]
        except ValueError:
            raise SegmentationError(
                f"expected_lengths is {lengths!r}: expected numbers with / between, as in 5/20/80"
            ) from None
    return lengths if isinstance(lengths, Iterable) else [lengths]


def lengths_for(n_units: int, levels: int) -> tuple[float, ...]:
    """The lengths by a rule of thumb: each segment is cut into as many parts as the whole text.

    >>> lengths_for(81, 3)
    (3.0, 9.0, 27.0)
    """
    ratio = n_units ** (1 / (levels + 1))
    return tuple(round(ratio ** (level + 1), 9) for level in range(levels))


def numbers_for(n_segments: int, lengths: Sequence[float] | None, levels: int) -> tuple[int, ...]:
    """The number of segments of each level, finest first.

    The levels above the finest have fewer: by the expected lengths, or in a constant ratio if these
    are not given.

    >>> numbers_for(27, None, 3), numbers_for(27, (5, 15, 30), 3)
    ((27, 9, 3), (27, 9, 4))
    """
    if lengths is None:
        return tuple(round(n_segments ** (1 - level / levels)) for level in range(levels))
    return tuple(max(round(n_segments * lengths[0] / length), 1) for length in lengths)


def ranked(levels: Sequence[Sequence[int]], n_units: int) -> Segmentation:
    """The boundaries of all levels, finest first; each has the rank of its coarsest level.

    >>> ranked([[2, 5, 8], [5]], 9)
    Segmentation(masses=[2, 3, 3, 1], ranks=[2, 1, 2])
    """
    rank = {
        place: len(levels) - level
        for level, boundaries in enumerate(levels)
        for place in boundaries
    }
    return Segmentation.from_boundaries(list(rank), n_units, ranks=rank.values() if rank else None)


@dataclass(frozen=True)
class GreedyBayes(LevelSegmenter):
    """BayesSeg within the segments of BayesSeg; the rank of a boundary is its level.

    If a number of segments is given, the finest level has that many, the levels above it have
    fewer: by the expected lengths, or else in a constant ratio (27 segments: 3, 9, 27).

    Parameters
    ----------
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.
    levels: number of levels of segments.
    expected_lengths: mean number of units in a segment, one number per level, finest first, or a
        text: "5/20/80". None: each segment has as many parts as the text has segments at the
        coarsest level.
    prior: the prior of each word in each segment (see BayesSeg).
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
        """The boundaries of each level, finest first; each level includes those of the level above
        it."""
        numbers: Sequence[int | None] = [None] * self.levels
        if n_segments is not None:
            numbers = self.numbers(n_segments)
        elif not len(counts.counts):  # no word to go by
            return [[] for _ in range(self.levels)]
        found: list[list[int]] = [[]]
        for mean, number in zip(self.lengths(counts.n_units)[::-1], numbers[::-1], strict=True):
            text = Text(counts, number, Duration(mean), tuple(found[-1]))
            if self.learn:
                found.append(learn([text], self.prior).boundaries[0])
            else:
                found.append(text.boundaries(self.prior))
        return found[:0:-1]
