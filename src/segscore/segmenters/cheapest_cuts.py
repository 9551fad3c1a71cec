"""Cut a sequence into segments at least total cost: dynamic programming over unit ends.

A cost is given as a function that, for each end 1 … N in turn, returns the costs of all segments
start … end (start 0 … end-1). Only one row exists at a time, so that memory grows with N times the
number of segments, not with N².
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats
from segscore.errors import SegmentationError

BYTES_PER_PLAN = 20  # the best and its origin by units and segments, and the sums of one step
MOST_PLANS = 10**8  # units × segments: 2 GB


def cheapest(costs: Iterable[Floats], n_units: int, n_segments: int | None = None) -> list[int]:
    """The boundaries of the cheapest segmentation into `n_segments` segments, or into any number.

    >>> cheapest(iter([np.array([1.0]), np.array([5.0, 1.0])]), 2)
    [1]
    """
    if n_segments is not None:
        return Plans(costs, n_units, n_segments).boundaries(n_segments)
    best = np.zeros(n_units + 1)
    origin = np.zeros(n_units + 1, np.int64)
    for end, row in enumerate(costs, 1):
        sums = best[:end] + row
        origin[end] = np.argmin(sums)
        best[end] = sums[origin[end]]
    boundaries: list[int] = []
    at = int(origin[n_units])
    while at > 0:
        boundaries.append(at)
        at = int(origin[at])
    return boundaries[::-1]


class Plans:
    """The cheapest segmentations into 1 … `n_segments` segments.

    >>> plans = Plans(iter([np.array([0.0]), np.array([5.0, 1.0])]), 2, 2)
    >>> plans.totals, plans.boundaries(2)
    (array([5., 1.]), [1])
    """

    def __init__(self, costs: Iterable[Floats], n_units: int, n_segments: int) -> None:
        if n_units * n_segments > MOST_PLANS:
            need = n_units * n_segments * BYTES_PER_PLAN / 1e9
            raise SegmentationError(
                f"{n_segments} segments of {n_units} units need about {need:.1f} GB: expected "
                f"units × segments up to {MOST_PLANS:.0e}; use larger units (paragraphs instead "
                "of sentences), or cut the text into parts first"
            )
        best = np.full((n_segments + 1, n_units + 1), np.inf)
        best[0, 0] = 0
        self._origin: NDArray[np.int32] = np.zeros((n_segments + 1, n_units + 1), np.int32)
        self._n_units = n_units
        for end, row in enumerate(costs, 1):
            most = min(n_segments, end)
            sums = best[:most, :end] + row
            origin = np.argmin(sums, axis=1)
            self._origin[1 : most + 1, end] = origin
            best[1 : most + 1, end] = sums[np.arange(most), origin]
        self.totals: Floats = best[1:, n_units]

    def boundaries(self, n_segments: int) -> list[int]:
        """The boundaries of the cheapest segmentation into `n_segments` segments."""
        boundaries: list[int] = []
        at = self._n_units
        for left in range(n_segments, 1, -1):
            at = int(self._origin[left, at])
            boundaries.append(at)
        return boundaries[::-1]
