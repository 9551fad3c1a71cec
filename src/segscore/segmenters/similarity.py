"""From a table of similarities to an order of splits: the steps of C99 (Choi 2000).

1. Each similarity is replaced by its rank among its neighbours: the share of the other cells of a
   small square around it that are strictly lower. For short texts these ranks say more than the
   similarities themselves.
2. Divisive clustering: a segmentation's inside density is the sum of ranks within its segments over
   their area. Each open segment remembers its best split by the density of the two parts; the
   segment to split next is the one whose split gives the whole text the highest density.
3. The number of boundaries is where the density stops rising steeply: smoothed rises above
   mean + c · sd, counted from the start.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from segscore.arguments import Floats

BYTES_PER_PAIR = 16  # similarities, ranks and their sums: what N × N tables of this file need

_SMOOTHING = np.array([1, 2, 4, 8, 4, 2, 1], np.float64)


def cosines(vectors: Any) -> NDArray[np.float32]:
    """Cosine of every pair of rows (dense or sparse); 0 where a row is empty.

    In single precision, so that values that differ only by rounding are equal.
    """
    products = vectors @ vectors.T
    table = np.asarray(products.toarray() if hasattr(products, "toarray") else products, np.float64)
    squares = table.diagonal().copy()
    norms = np.sqrt(np.outer(squares, squares))
    np.divide(table, norms, out=table, where=norms > 0)
    return table.astype(np.float32)


def local_ranks(similarities: NDArray[np.float32], radius: int = 5) -> Floats:
    """Share of the cells within `radius` (in both directions, inside the table) that are lower.

    >>> local_ranks(np.array([[1, 0], [0, 1]], np.float32), radius=1)
    array([[0.66666667, 0.        ],
           [0.        , 0.66666667]])
    """
    n = len(similarities)
    radius = min(radius, n - 1)  # further off there are no cells
    lower = np.zeros((n, n), np.int32)
    for down in range(-radius, radius + 1):
        for right in range(-radius, radius + 1):
            rows, other_rows = _overlap(n, down)
            columns, other_columns = _overlap(n, right)
            lower[rows, columns] += (
                similarities[other_rows, other_columns] < similarities[rows, columns]
            )
    places = np.arange(n)
    width = np.minimum(places + radius, n - 1) - np.maximum(places - radius, 0) + 1
    others = np.outer(width, width) - 1
    ranks: Floats = lower / np.maximum(others, 1)
    return ranks


def _overlap(n: int, shift: int) -> tuple[slice, slice]:
    """The cells that have a neighbour `shift` further, and these neighbours."""
    if shift >= 0:
        return slice(0, n - shift), slice(shift, n)
    return slice(-shift, n), slice(0, n + shift)


class Squares:
    """Sums of a table over the squares of segments on its diagonal."""

    def __init__(self, table: Floats) -> None:
        n = len(table)
        self._sums = np.zeros((n + 1, n + 1))
        np.cumsum(np.cumsum(table, axis=0), axis=1, out=self._sums[1:, 1:])
        self._diagonal = self._sums.diagonal().copy()

    def between(self, start: int, ends: NDArray[np.int64]) -> Floats:
        """Sums over the squares start … end."""
        sums: Floats = (
            self._diagonal[ends]
            - self._sums[start, ends]
            - self._sums[ends, start]
            + self._diagonal[start]
        )
        return sums

    def until(self, starts: NDArray[np.int64], end: int) -> Floats:
        """Sums over the squares of segments that start … end."""
        sums: Floats = (
            self._diagonal[end]
            - self._sums[starts, end]
            - self._sums[end, starts]
            + self._diagonal[starts]
        )
        return sums


def best_split(squares: Squares, start: int, end: int) -> tuple[int, float, float]:
    """Where a segment splits best, and what both parts then hold: sum and area.

    Of several best places the last one counts.
    """
    places = np.arange(end - 1, start, -1)
    sums = squares.between(start, places) + squares.until(places, end)
    areas = ((places - start) ** 2 + (end - places) ** 2).astype(np.float64)
    best = int(np.argmax(sums / areas))  # the first of the maxima, seen from the right
    return int(places[best]), float(sums[best]), float(areas[best])


def divide(ranks: Floats, n_splits: int) -> tuple[list[int], Floats]:
    """Split so many times; the boundaries in order of splits, and the density after each.

    The first density is that of the undivided text.
    """
    n = len(ranks)
    squares = Squares(ranks)
    starts = np.zeros(n, np.int64)  # open segments, from left to right
    ends = np.zeros(n, np.int64)
    places = np.zeros(n, np.int64)
    gains = np.zeros((n, 2))  # what a segment's best split adds to sum and area of the whole
    total = np.array([float(squares.between(0, np.array([n]))[0]), float(n * n)])

    def open_segment(at: int, start: int, end: int) -> None:
        starts[at], ends[at] = start, end
        if end - start > 1:
            whole = float(squares.between(start, np.array([end]))[0])
            places[at], parts, area = best_split(squares, start, end)
            gains[at] = parts - whole, area - (end - start) ** 2
        else:  # nothing left to split
            places[at], gains[at] = 0, 0

    open_segment(0, 0, n)
    boundaries: list[int] = []
    densities = [total[0] / total[1]]
    for n_open in range(1, n_splits + 1):
        after = total + gains[:n_open]
        density = np.where(places[:n_open] > 0, after[:, 0] / after[:, 1], -1.0)
        chosen = n_open - 1 - int(np.argmax(density[::-1]))  # the rightmost of the best
        place, start, end = int(places[chosen]), int(starts[chosen]), int(ends[chosen])
        total = after[chosen]
        for column in (starts, ends, places, gains):
            column[chosen + 1 : n_open + 1] = column[chosen:n_open].copy()
        open_segment(chosen, start, place)
        open_segment(chosen + 1, place, end)
        boundaries.append(place)
        densities.append(total[0] / total[1])
    return boundaries, np.array(densities)


def steep_start(rises: Floats, c: float = 1.2) -> int:
    """How many rises from the start on lie above mean + c · sd of all, after smoothing."""
    half = len(_SMOOTHING) // 2
    mass = np.convolve(np.ones(len(rises)), _SMOOTHING)[half : half + len(rises)]
    smooth = np.convolve(rises, _SMOOTHING)[half : half + len(rises)] / mass
    steep = smooth > smooth.mean() + c * smooth.std()
    return len(steep) if steep.all() else int(np.argmin(steep))


def divide_automatically(ranks: Floats, c: float = 1.2) -> list[int]:
    """The boundaries, in order of splits, up to where the density stops rising steeply."""
    boundaries, densities = divide(ranks, len(ranks) - 1)
    return boundaries[: steep_start(np.diff(densities), c)]
