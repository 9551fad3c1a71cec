"""Segmentation by sentence embeddings: any encoder, three ways to cut.

- `dp`: the segmentation whose units lie closest to the mean direction of their segments. With unit
  vectors, cost(segment) = length − |Σ vectors|² / length; the best K segments come from dynamic
  programming. Without K, the number of segments is where the gain of one more segment stops being
  large, by the same rule as in C99 (`similarity.py`).
- `c99`: local ranks and divisive clustering of the cosines, as in C99.
- `tiling`: similarity of the blocks left and right of each gap and its depth, as in TextTiling.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from segscore.basics.arguments import Floats, check_choice, shown, truth, whole_number
from segscore.basics.vectors import checked_vectors, unit_length
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.segmenters.c99 import (
    MOST_UNITS,
    Stop,
    check_pairs,
    check_stop,
    ranked_splits,
    steep_rises,
)
from segscore.segmenters.contract import Plans, Segmenter, finite_number
from segscore.segmenters.texttiling import tiles

Method = Literal["dp", "c99", "tiling"]
METHODS = ("dp", "c99", "tiling")


def dispersion_costs(vectors: Floats) -> Iterator[Floats]:
    """For each end 1 … N, length − |Σ vectors|² / length of the segments start … end."""
    sums = np.concatenate((np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0)))
    for end in range(1, len(sums)):
        inside = sums[end] - sums[:end]
        lengths = np.arange(end, 0, -1)
        yield lengths - np.einsum("ij,ij->i", inside, inside) / lengths


@dataclass(frozen=True)
class EmbeddingSegmenter(Segmenter):
    """Cut by the vectors of sentence embeddings.

    Parameters
    ----------
    encode: a function from a list of texts to an array, a vector per text.
    method: "dp" minimises the distance of units from the mean direction of their segment, "c99"
        uses ranks and splits as C99, "tiling" compares neighbouring blocks as TextTiling.
    c: where dp and c99 stop, if no number of segments is given: the higher, the fewer segments.
    k: units per block, for tiling.
    max_segments: the most segments that dp tries if no number is given.
    smoothing: whether tiling averages the similarity of each gap with those of its neighbours,
        which hides segments of few units.
    stop: the rule of dp and c99 for it: "excess" stops where the gain of all boundaries, less a
        price for each, is highest; "start" counts large gains from the start, as Choi's C99 does.
    max_units: the most units of a document for c99, because memory grows with their square.

    >>> encode = lambda texts: [[text.count("a"), text.count("b")] for text in texts]
    >>> EmbeddingSegmenter(encode)(["a", "aa", "a", "b", "bb"], n_segments=2)
    Segmentation(masses=[3, 2])
    """

    name: ClassVar[str] = "embedding"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "method": METHODS,
        "c": (0.6, 0.9, 1.2, 1.5),
        "k": (2, 3, 5),
    }

    encode: Callable[[list[str]], Any]
    method: Method = "dp"
    c: float = 1.3
    k: int = 3
    max_segments: int = 200
    smoothing: bool = False
    stop: Stop = "excess"
    max_units: int = MOST_UNITS

    def __post_init__(self) -> None:
        if not callable(self.encode):
            raise SegmentationError(f"encode is {shown(self.encode)}: expected a function")
        check_choice(self.method, "method", METHODS)
        whole_number(self.k, "k", 1)
        whole_number(self.max_segments, "max_segments", 2)
        whole_number(self.max_units, "max_units", 1)
        finite_number(self.c, "c")
        truth(self.smoothing, "smoothing")
        check_stop(self.stop)

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        if self.method == "c99":  # before the encoder works for minutes
            check_pairs(len(units), self.max_units, f"{self.name}(method=c99)")
        vectors = unit_length(checked_vectors(self.encode(units), len(units)))
        if self.method == "c99":
            return ranked_splits(vectors, n_segments, 5, self.c, self.stop)
        if self.method == "tiling":
            return tiles(vectors, self.k, n_segments, "HC", self.smoothing)
        most = n_segments or min(len(units), self.max_segments)
        plans = Plans(dispersion_costs(vectors), len(units), most)
        wanted = n_segments or 1 + steep_rises(-np.diff(plans.totals), self.c, self.stop)
        return Segmentation.from_boundaries(plans.boundaries(wanted), len(units))
