"""C99 (Choi 2000, "Advances in domain independent linear text segmentation") and HC99.

1. Each cosine of the word counts of two units is replaced by its rank among its neighbours: the
   share of the other cells of a small square around it that are strictly lower. For short texts
   these ranks say more than the similarities themselves.
2. Divisive clustering: a segmentation's inside density is the sum of ranks within its segments over
   their area. Each open segment remembers its best split by the density of the two parts; the
   segment to split next is the one whose split gives the whole text the highest density.
3. The number of boundaries is where the density stops rising steeply, by one of two rules:
   - `start` (Choi): rises are smoothed, and those above mean + c · sd are counted from the start to
     the first that is not;
   - `excess` (ours): each boundary has the price mean + c · sd, and their number is where density
     less prices is highest. With dense vectors the first rises are often small, so that `start`
     finds no boundary at all.

HC99 (Carroll 2010) uses the order of the splits as ranks of the boundaries. Here boundaries always
have these ranks, and `hierarchical=True` splits until each unit is a segment.

Memory: similarities and ranks exist for a few rows at a time. What stays is one table of N × N sums
of ranks down the columns, in double precision up to `EXACT_UNITS` units and in single precision
beyond. Ranks are symmetric, so that the sum over any square on the diagonal follows from two rows
of this table.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.segmenters.contract import Finite, Natural, Segmenter, check_pairs, ranked_by_order
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing

Stop = Literal["start", "excess"]
STOPS: tuple[str, ...] = get_args(Stop)

EXACT_UNITS = 8000  # up to here sums are in double precision: 0.5 GB
MOST_UNITS = 20000  # of one document, by default: 1.6 GB
_ROWS_AT_ONCE = 128

_SMOOTHING = np.array([1, 2, 4, 8, 4, 2, 1], np.float64)


# ---- similarities and their ranks ----


def cosines(vectors: Any, rows: slice = slice(None)) -> NDArray[np.float32]:
    """Cosine of these rows with every row (dense or sparse); 0 where a row is empty.

    In single precision, so that values that differ only by rounding are equal.
    """
    products = vectors[rows] @ vectors.T
    table = np.asarray(products.toarray() if hasattr(products, "toarray") else products, np.float64)
    if hasattr(vectors, "multiply"):
        squares = np.asarray(vectors.multiply(vectors).sum(axis=1), np.float64).ravel()
    else:
        squares = np.einsum("ij,ij->i", vectors, vectors)
    norms = np.sqrt(np.outer(squares[rows], squares))
    np.divide(table, norms, out=table, where=norms > 0)
    return table.astype(np.float32)


def local_ranks(
    similarities: NDArray[np.float32], radius: int = 5, rows: slice | None = None
) -> Floats:
    """Share of the cells within `radius` (in both directions, inside the table) that are lower.

    `similarities` may be some rows of the table; `rows` then says which of them to rank, and those
    around them are only neighbours.

    >>> local_ranks(np.array([[1, 0], [0, 1]], np.float32), radius=1)
    array([[0.66666667, 0.        ],
           [0.        , 0.66666667]])
    """
    n_rows, n = similarities.shape
    first, last, _ = (rows or slice(None)).indices(n_rows)
    centre = similarities[first:last]
    reach = min(radius, n - 1)  # further off there are no cells
    lower = np.zeros(centre.shape, np.min_scalar_type((2 * reach + 1) ** 2))
    for down in range(-min(reach, last - 1), min(reach, n_rows - 1 - first) + 1):
        there = similarities[max(first + down, 0) : min(last + down, n_rows)]
        skipped = max(-(first + down), 0)  # rows above the first one
        inside = slice(skipped, skipped + len(there))
        for right in range(-reach, reach + 1):
            columns = slice(max(0, -right), min(n, n - right))  # those with a neighbour there
            others = slice(max(0, right), min(n, n + right))
            lower[inside, columns] += there[:, others] < centre[inside, columns]
    height = _cells_around(np.arange(first, last), n_rows, reach)
    width = _cells_around(np.arange(n), n, reach)
    ranks: Floats = lower / np.maximum(np.outer(height, width) - 1, 1)
    return ranks


def _cells_around(places: NDArray[np.int64], n: int, radius: int) -> NDArray[np.int64]:
    """The number of 0 … n-1 within the radius of each place."""
    around: NDArray[np.int64] = (
        np.minimum(places + radius, n - 1) - np.maximum(places - radius, 0) + 1
    )
    return around


def ranked_rows(vectors: Any, radius: int) -> Iterator[Floats]:
    """The ranks of the cosines of all pairs of units, a few rows at a time."""
    n = vectors.shape[0]
    for first in range(0, n, _ROWS_AT_ONCE):
        last = min(first + _ROWS_AT_ONCE, n)
        top, bottom = max(first - radius, 0), min(last + radius, n)
        similarities = cosines(vectors, slice(top, bottom))
        yield local_ranks(similarities, radius, slice(first - top, last - top))


class Squares:
    """Sums of a symmetric table over the squares of segments on its diagonal.

    The table comes as rows from top to bottom. `_above[i]` holds the sums of the rows before i.
    """

    def __init__(self, rows: Iterator[Floats], n: int) -> None:
        kind = np.float64 if n <= EXACT_UNITS else np.float32
        self._above = np.zeros((n + 1, n), kind)
        self._before = np.zeros(n)  # of the cells above the diagonal, in each column
        self._diagonal = np.zeros(n)
        sums = np.zeros(n)
        at = 0
        for block in rows:
            places = np.arange(at, at + len(block))
            heights = sums + np.cumsum(block, axis=0)
            self._above[places + 1] = heights
            self._diagonal[places] = block[places - at, places]
            self._before[places] = heights[places - at, places] - self._diagonal[places]
            sums, at = heights[-1], at + len(block)

    def __len__(self) -> int:
        return len(self._diagonal)

    def growing(self, start: int, end: int) -> Floats:
        """Sums over the squares of start … e, for e = start+1 … end."""
        inside = slice(start, end)
        column = self._before[inside] - self._above[start, inside]
        grown: Floats = np.cumsum(2 * column + self._diagonal[inside])
        return grown

    def shrinking(self, start: int, end: int) -> Floats:
        """Sums over the squares of s … end, for s = start … end-1."""
        inside = slice(start, end)
        below = self._above[end, inside] - self._before[inside] - self._diagonal[inside]
        sums: Floats = np.cumsum((2 * below + self._diagonal[inside])[::-1])[::-1]
        return sums


class SingleSquares:
    """`Squares` in single precision, added up as in the program C99.

    The sum over a square is that of the two squares one unit shorter, less what they share, plus
    the two corners. Rounding then decides between splits that are equally good; with it, the
    results are those of the program.
    """

    def __init__(self, table: Floats) -> None:
        ranks = table.astype(np.float32)
        n = len(ranks)
        self._sums = np.zeros((n, n), np.float32)
        np.fill_diagonal(self._sums, ranks.diagonal())
        for apart in range(1, n):
            start = np.arange(n - apart)
            end = start + apart
            shared = self._sums[start + 1, end - 1] if apart > 1 else np.float32(0)
            corners = 2 * ranks[start, end]
            self._sums[start, end] = (
                corners + self._sums[start, end - 1] + self._sums[start + 1, end] - shared
            )

    def __len__(self) -> int:
        return len(self._sums)

    def growing(self, start: int, end: int) -> NDArray[np.float32]:
        """Sums over the squares of start … e, for e = start+1 … end."""
        return self._sums[start, start:end]

    def shrinking(self, start: int, end: int) -> NDArray[np.float32]:
        """Sums over the squares of s … end, for s = start … end-1."""
        return self._sums[start:end, end - 1]


# ---- splits ----


def best_split(
    squares: Squares | SingleSquares, start: int, end: int
) -> tuple[int, NDArray[Any], NDArray[Any]]:
    """The best place to split a segment, and sum and area before and after.

    Of several equally good places the last counts.
    """
    places = np.arange(end - 1, start, -1)
    left, right = squares.growing(start, end), squares.shrinking(start, end)
    sums: Any = left[-2::-1] + right[:0:-1]
    areas: Any = ((places - start) ** 2 + (end - places) ** 2).astype(sums.dtype)
    best = int(np.argmax(sums / areas))  # the first of the maxima, seen from the right
    before = np.array([left[-1], (end - start) ** 2], sums.dtype)
    return int(places[best]), before, np.array([sums[best], areas[best]])


def divide(squares: Squares | SingleSquares, n_splits: int) -> tuple[list[int], Floats]:
    """Split `n_splits` times; return the boundaries in order of splits, and the density after each.

    The first density is that of the undivided text.
    """
    n = len(squares)
    whole = squares.growing(0, n)[-1:]
    starts = np.zeros(n, np.int64)  # open segments, from left to right
    ends = np.zeros(n, np.int64)
    places = np.zeros(n, np.int64)
    before = np.zeros((n, 2), whole.dtype)  # sum and area of a segment, and of its parts if split
    parts = np.zeros((n, 2), whole.dtype)
    total = np.array([whole[0], n * n], whole.dtype)

    def open_segment(at: int, start: int, end: int) -> None:
        starts[at], ends[at] = start, end
        if end - start > 1:
            places[at], before[at], parts[at] = best_split(squares, start, end)
        else:  # nothing left to split
            places[at], before[at], parts[at] = 0, 0, 0

    open_segment(0, 0, n)
    boundaries: list[int] = []
    densities = [total[0] / total[1]]
    for n_open in range(1, n_splits + 1):
        after: Any = total - before[:n_open] + parts[:n_open]
        density = np.where(places[:n_open] > 0, after[:, 0] / after[:, 1], -1.0)
        chosen = n_open - 1 - int(np.argmax(density[::-1]))  # the rightmost of the best
        place, start, end = int(places[chosen]), int(starts[chosen]), int(ends[chosen])
        total = after[chosen]
        for column in (starts, ends, places, before, parts):
            column[chosen + 1 : n_open + 1] = column[chosen:n_open].copy()
        open_segment(chosen, start, place)
        open_segment(chosen + 1, place, end)
        boundaries.append(place)
        densities.append(total[0] / total[1])
    return boundaries, np.array(densities, np.float64)


def steep_rises(rises: Floats, c: float, stop: Stop) -> int:
    """The number of first rises to use, where a rise above mean + c · sd of all rises is steep.

    >>> rises = np.array([1.0, 1, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1])
    >>> steep_rises(rises, 0.5, "start"), steep_rises(rises, 0.5, "excess")
    (0, 4)
    """
    if stop == "excess":
        excess = np.cumsum(rises - (rises.mean() + c * rises.std()))
        most = int(np.argmax(excess))
        return most + 1 if excess[most] > 0 else 0
    half = len(_SMOOTHING) // 2
    mass = np.convolve(np.ones(len(rises)), _SMOOTHING)[half : half + len(rises)]
    smooth = np.convolve(rises, _SMOOTHING)[half : half + len(rises)] / mass
    steep = smooth > smooth.mean() + c * smooth.std()
    return len(steep) if steep.all() else int(np.argmin(steep))


@dataclass(frozen=True, kw_only=True)
class RankedSplits(Segmenter):
    """C99 for units as vectors; a subclass says how to get them.

    Parameters
    ----------
    radius: the radius of the square around each cell in which similarities are ranked; 5 means
        11 × 11 cells.
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

    radius: Natural = 5
    c: Finite = 1.2
    stop: Stop = "start"
    hierarchical: bool = False
    max_units: Natural = MOST_UNITS

    @abstractmethod
    def _vectors(self, units: list[str]) -> Any:
        """A row per unit, dense or sparse."""

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        check_table(len(units), self.max_units, self.name)
        if n_segments is None and self.hierarchical:
            n_segments = len(units)
        single = getattr(self, "single", False)
        vectors = self._vectors(units)
        return ranked_splits(vectors, n_segments, self.radius, self.c, self.stop, single)


def check_table(n_units: int, max_units: int, method: str) -> None:
    """Raise if the table of all pairs of units would be too large."""
    check_pairs(n_units, 8 if n_units <= EXACT_UNITS else 4, max_units, method)


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
    return ranked_by_order(boundaries, n)


@dataclass(frozen=True)
class C99(RankedSplits):
    """Choi's C99: cosines of word counts, ranked, divided.

    Parameters
    ----------
    radius: the radius of the square around each cell in which similarities are ranked; 5 means
        11 × 11 cells.
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

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        if self.single:  # three tables of pairs instead of one
            check_pairs(len(units), 16, min(self.max_units, EXACT_UNITS), "c99(single=yes)")
        return super()._segment(units, n_segments)

    def _vectors(self, units: list[str]) -> Any:
        return self.preprocessing.counts(units)
