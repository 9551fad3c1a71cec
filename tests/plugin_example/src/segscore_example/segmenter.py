"""A segmenter: a boundary after every few units."""

from dataclasses import dataclass
from typing import ClassVar

from segscore import Segmentation
from segscore.segmenters import Segmenter


@dataclass(frozen=True)
class Every(Segmenter):
    """A boundary after every `n` units.

    Parameters
    ----------
    n: the length of a segment.
    """

    name: ClassVar[str] = "every"
    n: int = 3

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        step = self.n if n_segments is None else max(1, len(units) // n_segments)
        return Segmentation.from_boundaries(range(step, len(units), step), len(units))
