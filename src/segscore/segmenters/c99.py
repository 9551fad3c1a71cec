"""C99 (Choi 2000, "Advances in domain independent linear text segmentation") and HC99.

Cosines of the word counts of all pairs of units, their local ranks, divisive clustering: see
`similarity.py`. HC99 (Carroll 2010) uses the order of the splits as ranks of the boundaries. Here
boundaries always have these ranks, and `hierarchical=True` splits until each unit is a segment.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from segscore.basics.arguments import whole_number
from segscore.coding.segmentation import Segmentation
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing
from segscore.segmenters.segmenter import Segmenter, check_memory, finite_number, in_order, truth
from segscore.segmenters.similarity import (
    EXACT_UNITS,
    MOST_UNITS,
    STOPS,
    SingleSquares,
    Squares,
    Stop,
    bytes_per_pair,
    check_stop,
    divide,
    ranked_rows,
    steep_rises,
)


@dataclass(frozen=True, kw_only=True)
class RankedSplits(Segmenter):
    """C99 for units as vectors; a subclass says how to get them.

    Parameters
    ----------
    radius: of the square around each cell in which similarities are ranked; 5 means 11 × 11 cells.
    c: where to stop, if no number of segments is given: the higher, the fewer segments.
    stop: the rule for it: "start" counts steep rises of density from the start, as Choi did;
        "excess" stops where density, less a price for each boundary, is highest.
    hierarchical: if no number of segments is given, split until each unit is a segment, so that
        each boundary has a rank.
    max_units: documents with more units are an error, because memory grows with their square.
    """

    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "radius": (3, 5, 7),
        "c": (0.6, 0.9, 1.2, 1.5),
        "stop": STOPS,
    }

    radius: int = 5
    c: float = 1.2
    stop: Stop = "start"
    hierarchical: bool = False
    max_units: int = MOST_UNITS

    def __post_init__(self) -> None:
        check_stop(self.stop)
        whole_number(self.radius, "radius", 1)
        whole_number(self.max_units, "max_units", 1)
        finite_number(self.c, "c")
        truth(self.hierarchical, "hierarchical")

    @abstractmethod
    def _vectors(self, units: list[str]) -> Any:
        """A row per unit, dense or sparse."""

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        check_pairs(len(units), self.max_units, self.name)
        if n_segments is None and self.hierarchical:
            n_segments = len(units)
        return ranked_splits(
            self._vectors(units), n_segments, self.radius, self.c, self.stop, single=self._single()
        )

    def _single(self) -> bool:
        """Whether to add up in single precision, as the original program does."""
        return False


def check_pairs(n_units: int, max_units: int, method: str) -> None:
    """An error if the table of all pairs of units would be too large."""
    check_memory(n_units, bytes_per_pair(n_units), max_units, method)


def ranked_splits(
    vectors: Any, n_segments: int | None, radius: int, c: float, stop: Stop, single: bool = False
) -> Segmentation:
    """C99 for units as vectors (a row each, dense or sparse)."""
    n = vectors.shape[0]
    rows = ranked_rows(vectors, radius)
    squares = SingleSquares(np.concatenate(list(rows))) if single else Squares(rows, n)
    boundaries, densities = divide(squares, (n_segments or n) - 1)
    if n_segments is None:
        boundaries = boundaries[: steep_rises(np.diff(densities), c, stop)]
    return in_order(boundaries, n)


@dataclass(frozen=True)
class C99(RankedSplits):
    """Choi's C99: cosines of word counts, ranked, divided.

    Parameters
    ----------
    radius: of the square around each cell in which similarities are ranked; 5 means 11 × 11 cells.
    c: where to stop, if no number of segments is given: the higher, the fewer segments.
    stop: the rule for it: "start" counts steep rises of density from the start, as Choi did;
        "excess" stops where density, less a price for each boundary, is highest.
    hierarchical: if no number of segments is given, split until each unit is a segment, so that
        each boundary has a rank.
    max_units: documents with more units are an error, because memory grows with their square.
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.
    single: add up in single precision, as the original program does, so that the same of several
        equally good splits is chosen; for documents of up to 8000 units.

    >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
    >>> C99()([cats] * 4 + [stars] * 5, n_segments=2)
    Segmentation(masses=[4, 5], ranks=[1])
    """

    name: ClassVar[str] = "c99"

    preprocessing: Preprocessing = CLASSIC
    single: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        truth(self.single, "single")

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        if self.single:  # three tables of pairs instead of one
            check_memory(len(units), 16, min(self.max_units, EXACT_UNITS), "c99(single=yes)")
        return super()._segment(units, n_segments)

    def _single(self) -> bool:
        return self.single

    def _vectors(self, units: list[str]) -> Any:
        return self.preprocessing.counts(units)
