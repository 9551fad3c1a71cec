"""Segmentation by sentence embeddings: any encoder, three ways to cut.

- `dp`: the segmentation whose units lie closest to the mean direction of their segments. With unit
  vectors, cost(segment) = length − |Σ vectors|² / length; the best K segments come from dynamic
  programming. Without K, the number of segments is where the gain of one more segment stops being
  large, by the rule of C99: gains above mean + c · sd, from the start.
- `c99`: local ranks and divisive clustering of the cosines, as in C99.
- `tiling`: similarity of the blocks left and right of each gap and its depth, as in TextTiling.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from segscore.arguments import Floats, shown, whole_number
from segscore.errors import SegmentationError
from segscore.segmentation import Segmentation
from segscore.segmenters.base import Segmenter, checked_vectors
from segscore.segmenters.c99 import ranked_splits
from segscore.segmenters.cheapest_cuts import Plans
from segscore.segmenters.similarity import steep_start
from segscore.segmenters.texttiling import tiles

Method = Literal["dp", "c99", "tiling"]
METHODS = ("dp", "c99", "tiling")


def unit_length(vectors: Floats) -> Floats:
    """Each row scaled to length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return scaled


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
    c: the stopping rule of dp and c99, if no number of segments is given: the higher, the fewer
        segments.
    k: units per block, for tiling.
    max_segments: the most segments that dp tries if no number is given.

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
    c: float = 1.2
    k: int = 3
    max_segments: int = 200

    def __post_init__(self) -> None:
        if not callable(self.encode):
            raise SegmentationError(f"encode is {shown(self.encode)}: expected a function")
        if self.method not in METHODS:
            raise SegmentationError(
                f"method is {shown(self.method)}: expected one of {', '.join(METHODS)}"
            )
        whole_number(self.k, "k", 1)
        whole_number(self.max_segments, "max_segments", 2)

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        vectors = unit_length(checked_vectors(self.encode(units), len(units)))
        if self.method == "c99":
            return ranked_splits(vectors, n_segments, c=self.c)
        if self.method == "tiling":
            return tiles(vectors, self.k, n_segments, "HC")
        most = n_segments or min(len(units), self.max_segments)
        plans = Plans(dispersion_costs(vectors), len(units), most)
        wanted = n_segments or 1 + steep_start(-np.diff(plans.totals), self.c)
        return Segmentation.from_boundaries(plans.boundaries(wanted), len(units))
