"""Segments within segments: how long they are at each level, how many, and their ranks.

Levels are counted from the finest (0) to the coarsest, as lengths are given. In a result the rank
of a boundary is the level that it comes from, 1 for the coarsest.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from segscore.basics.arguments import shown, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.segmenters.bayesseg import positive
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing
from segscore.segmenters.segmenter import Segmenter, truth

Lengths = Sequence[float] | str
MOST_LEVELS = 10  # if each segment has two parts, ten levels give 1024 segments


@dataclass(frozen=True)
class Levels(Segmenter):
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
        """The expected lengths in a document of so many units, finest level first."""
        return self._given_lengths() or lengths_for(n_units, self.levels)

    def numbers(self, n_segments: int) -> tuple[int, ...]:
        """How many segments the levels have, finest first, if the finest has this number."""
        return numbers_for(n_segments, self._given_lengths(), self.levels)


def checked_lengths(lengths: Any, levels: int) -> tuple[float, ...] | None:
    """Expected lengths of segments, finest level first, if there is one for each level.

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
    """A rule of thumb: each segment is cut into as many parts as the whole text is.

    >>> lengths_for(81, 3)
    (3.0, 9.0, 27.0)
    """
    ratio = n_units ** (1 / (levels + 1))
    return tuple(round(ratio ** (level + 1), 9) for level in range(levels))


def numbers_for(n_segments: int, lengths: Sequence[float] | None, levels: int) -> tuple[int, ...]:
    """How many segments each level has, finest first.

    Above the finest level there are fewer: by the expected lengths, or in one ratio if these are
    not given.

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
