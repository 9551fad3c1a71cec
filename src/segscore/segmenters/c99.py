"""C99 (Choi 2000, "Advances in domain independent linear text segmentation") and HC99.

Cosines of the word counts of all pairs of units, their local ranks, divisive clustering: see
`similarity.py`. HC99 (Carroll 2010) takes the order of the splits as ranks of the boundaries; ours
always carry it, and `hierarchical=True` goes on until every unit stands alone.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from segscore.arguments import whole_number
from segscore.segmentation import Segmentation
from segscore.segmenters.base import Segmenter, check_memory, finite_number, in_order, truth
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing
from segscore.segmenters.similarity import (
    BYTES_PER_PAIR,
    cosines,
    divide,
    divide_automatically,
    local_ranks,
)


@dataclass(frozen=True, kw_only=True)
class RankedSplits(Segmenter):
    """C99 without its idea of similarity: whatever gives units as vectors can be put before it.

    `radius` of the ranking mask (5: 11 × 11 cells); `c` of the stopping rule; `hierarchical`: with
    no number of segments given, go on until every unit stands alone, for the sake of the ranks;
    documents of more than `max_units` are refused, for memory grows with their square.
    """

    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "radius": (3, 5, 7),
        "c": (0.6, 0.9, 1.2, 1.5),
    }

    radius: int = 5
    c: float = 1.2
    hierarchical: bool = False
    max_units: int = 8000

    def __post_init__(self) -> None:
        whole_number(self.radius, "radius", 1)
        whole_number(self.max_units, "max_units", 1)
        finite_number(self.c, "c")
        truth(self.hierarchical, "hierarchical")

    @abstractmethod
    def _vectors(self, units: list[str]) -> Any:
        """A row per unit, dense or sparse."""

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        check_memory(len(units), BYTES_PER_PAIR, self.max_units, self.name)
        if n_segments is None and self.hierarchical:
            n_segments = len(units)
        return ranked_splits(self._vectors(units), n_segments, self.radius, self.c)


def ranked_splits(
    vectors: Any, n_segments: int | None, radius: int = 5, c: float = 1.2
) -> Segmentation:
    """C99 on whatever units are as vectors (a row each, dense or sparse)."""
    ranks = local_ranks(cosines(vectors), radius)
    if n_segments is None:
        return in_order(divide_automatically(ranks, c), len(ranks))
    return in_order(divide(ranks, n_segments - 1)[0], len(ranks))


@dataclass(frozen=True)
class C99(RankedSplits):
    """Choi's C99: cosines of word counts, ranked, divided.

    >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
    >>> C99()([cats] * 4 + [stars] * 5, n_segments=2)
    Segmentation(masses=[4, 5], ranks=[1])
    """

    name: ClassVar[str] = "c99"

    preprocessing: Preprocessing = CLASSIC

    def _vectors(self, units: list[str]) -> Any:
        return self.preprocessing.counts(units)
