"""Draws of documents, and the sums of their statistics for each draw.

A draw gives each document a weight, a small whole number: how often it is drawn, or whether it is
swapped. The sums of a draw are weights @ statistics, a product of matrices by our own kernel, in
blocks of draws on our own threads (`_kernels/drawing.pyx`): all tables side by side, each different
column once. Draws depend on the seed only, not on blocks, tables or threads. `Lots` says what is
drawn: rows in the order of their names, so that results do not depend on the order of files;
clusters of them; or, of very many, buckets.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import drawing, sums
from segscore._kernels.batch import Stop
from segscore.basics.arguments import Floats, Int64Array, whole_number
from segscore.basics.threads import cores, run_in_threads
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.pairing.list_columns import Texts

Weights = NDArray[np.uint8]
"""A row per draw, a column per document."""
Draw = Callable[[int, int, int], Iterator[tuple[slice, Weights]]]
"""Makes the draws, in blocks, from (documents, draws, seed)."""

_BLOCK = 16_000_000  # drawn cells at a time: 16 MB, independent of the number of documents
_MOST_DRAWS = 1000  # at a time, because what is computed of them may be far wider than documents
_IN_CACHE = 100_000  # random words that are counted at a time
_FEW_SUMS = 500_000_000  # products that are not worth a thread: a few hundredths of a second
_MOST_FED = 8  # threads that one which draws for all can feed


# ---- what is drawn ----

# Intervals and tests over very many cases draw buckets of them instead. The hash of its name is the
# bucket of a document: the same for every system, in any order, process and engine. Sums of many
# random documents vary as single documents do, at a cost that does not grow.
MANY = 20_000  # cases: above it, buckets are drawn
BUCKETS = 10_000
_AT_ONCE = 50_000  # names that are hashed


def hashes_of(names: "Texts | Sequence[str]") -> NDArray[np.uint64]:
    """The 64-bit hash of each name, as UTF-8.

    >>> hashes_of(["a", "b"]).tolist() == hashes_of(["a", "b", "c"])[:2].tolist()
    True
    """
    from segscore.pairing.list_columns import Texts

    out = np.empty(len(names), np.uint64)
    step = max(1, len(names)) if isinstance(names, Texts) else _AT_ONCE
    for first in range(0, len(names), step):
        texts = names if isinstance(names, Texts) else Texts.of(names[first : first + step])
        sums.hash_texts(texts.offsets, texts.data, 0, out[first : first + step])
    return out


def buckets_of(names: "Texts | Sequence[str]", n_buckets: int = BUCKETS) -> Int64Array:
    """The bucket of each name, from 0: its 64-bit hash modulo the number of buckets.

    >>> buckets_of(["d1", "d2"]).tolist() == buckets_of(["d2", "d1"])[::-1].tolist()
    True
    """
    return (hashes_of(names) % np.uint64(n_buckets)).astype(np.int64)


def by_name(*names: Iterable[Any]) -> Int64Array:
    """The order in which named rows are drawn: by name, shorter names first, so that the order of
    files does not matter, and numbered names keep theirs. Further names decide between equal ones.

    >>> by_name(["d10", "d9", "c9"]).tolist()
    [2, 1, 0]
    """
    columns = ([(len(name), name) for name in map(str, column)] for column in names)
    rows = list(zip(*columns, strict=True))
    return np.array(sorted(range(len(rows)), key=rows.__getitem__), np.int64)


@dataclass(frozen=True, eq=False)
class Lots:
    """What is drawn: rows, or sums of several rows; `owner` is then the number of each row's lot.

    words: what a lot is, in the plural; order: the lots in the order in which they are drawn.
    """

    words: str
    order: Int64Array
    owner: Int64Array | None = None
    in_buckets: bool = False

    @classmethod
    def of(
        cls,
        names: Sequence[Any],
        words: str = "documents",
        *,
        clusters: Sequence[Any] | None = None,
        order: Int64Array | None = None,
    ) -> "Lots":
        """The rows with these names, or clusters of them, which are drawn as a whole; more than
        20,000 of either are drawn in buckets.

        order: the rows in the order in which they are drawn, if it is not that of their names.
        """
        named, numbers = names, dict[Any, int]()
        if clusters is not None:
            named = clusters
            numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
        if (len(names) if clusters is None else len(numbers)) > MANY:
            used, owner = np.unique(buckets_of(list(map(str, named))), return_inverse=True)
            owner = owner.astype(np.int64)
            return cls(f"buckets of {words}", np.arange(len(used)), owner, in_buckets=True)
        order = by_name(names) if order is None else order
        if clusters is None:
            return cls(words, order)
        owner = np.fromiter(map(numbers.__getitem__, clusters), np.int64, len(clusters))
        first = np.unique(owner[order], return_index=True)[1]  # the row that places each cluster
        return cls(words, np.argsort(first), owner)

    def __len__(self) -> int:
        return len(self.order)

    def sums(self, rows: Any, first: int = 0) -> Floats:
        """The rows of each lot (rows, …) added up, in the order in which lots are drawn; first: the
        number of the first row, if these are some of many."""
        if self.owner is None:
            return np.asarray(rows[self.order])
        table = np.ascontiguousarray(rows, np.float64).reshape(len(rows), -1)
        high, low = np.zeros((2, len(self), table.shape[1]))
        sums.add_rows(table, self.owner[first : first + len(rows)], high, low)
        return np.asarray((high + low).reshape(len(self), *rows.shape[1:])[self.order])

    def of_rows(self, weights: Any) -> Floats:
        """The weight of each row, from those of lots (draws, lots)."""
        place = np.empty(len(self), np.int64)
        place[self.order] = np.arange(len(self))
        return np.asarray(weights[:, place if self.owner is None else place[self.owner]])


# ---- draws ----


def resamples(n_rows: int, n_draws: int, seed: int) -> Iterator[tuple[slice, Weights]]:
    """The number of times each row is drawn: as many draws as rows, with replacement.

    The counts are those of NumPy's `default_rng(seed).integers(0, n_rows, (n_draws, n_rows))`.
    """
    rng = np.random.default_rng(whole_number(seed, "seed", 0))
    unused, step = np.empty(0, np.uint32), max(1, _IN_CACHE // n_rows)
    for block in _blocks(n_rows, n_draws):
        counts = np.zeros((block.stop - block.start, n_rows), np.uint8)
        for first in range(0, len(counts), step):  # counted while they are in the cache
            part, done = counts[first : first + step], 0
            while done < part.size:  # a few halves of random words give no draw
                n_words = max(0, part.size - done - len(unused) + 1) // 2
                words = rng.integers(0, 2**64, n_words, dtype=np.uint64)
                halves = words.astype("<u8", copy=False).view("<u4")
                unused = np.concatenate([unused, halves.astype(np.uint32, copy=False)])
                done, used = drawing.count_draws(unused, done, part)
                unused = unused[used:]
        yield block, counts


def swaps(n_rows: int, n_draws: int, seed: int) -> Iterator[tuple[slice, Weights]]:
    """For each draw and row, 1 to swap or 0 not to, from one random bit."""
    rng = np.random.default_rng(whole_number(seed, "seed", 0))
    for block in _blocks(n_rows, n_draws):
        shape = block.stop - block.start, -(-n_rows // 64)
        words = rng.integers(0, 2**64, shape, dtype=np.uint64)
        yield block, np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, count=n_rows)


def all_swaps(n_rows: int, n_draws: int, seed: int) -> Iterator[tuple[slice, Weights]]:
    """All swaps, in the order of binary numbers, without randomness."""
    del seed
    for block in _blocks(n_rows, n_draws):
        numbers = np.arange(block.start, block.stop)[:, np.newaxis]
        yield block, (numbers >> np.arange(n_rows) & 1).astype(np.uint8)


def _blocks(n_rows: int, n_draws: int) -> Iterator[slice]:
    """The draws in blocks that fit in memory."""
    step = max(1, min(_BLOCK // n_rows, _MOST_DRAWS))
    for start in range(0, n_draws, step):
        yield slice(start, min(start + step, n_draws))


# ---- sums ----


def sums_of_draws(
    tables: Sequence[Floats],
    draw: Draw,
    n_draws: int,
    seed: int,
    threads: int | None = None,
) -> Iterator[tuple[slice, list[Floats]]]:
    """The sums of each table (documents, …, statistics) for some draws at a time, in their order.

    threads: the number of threads; None: as many as the work is worth.
    """
    n_rows = len(tables[0])
    if not n_rows or any(len(table) != n_rows for table in tables):
        counts = ", ".join(str(len(table)) for table in tables)
        raise SegmentationError(
            f"samples have {counts} rows: expected the same number in each, one row or more"
        )
    columns = distinct_columns(tables)
    if threads is None:
        work = n_draws * n_rows * len(columns[0]) * drawing.PANEL_COLUMNS
        threads = min(cores(), 1 + work // _FEW_SUMS) if work >= _FEW_SUMS else 1
    drawn = (partial(added_up, columns, *each) for each in draw(n_rows, n_draws, seed))
    if threads == 1:
        yield from (add() for add in drawn)
    else:  # drawn in this thread, while others multiply
        yield from run_in_threads(min(threads, _MOST_FED), drawn)


_Columns = tuple[Floats, list[NDArray[np.intp]], list[tuple[int, ...]]]
"""The distinct columns of some tables, in the panels that the kernel needs; where the columns of
each table are; and the shape of its rows."""


def distinct_columns(tables: Sequence[Floats]) -> _Columns:
    """The columns of some tables, each different one once."""
    n_rows, places = len(tables[0]), []
    known: dict[bytes, int] = {}
    kept: list[Floats] = []
    for table in tables:
        flat = table.reshape(n_rows, -1)
        places.append(np.empty(flat.shape[1], np.intp))
        for number in range(flat.shape[1]):
            column = np.ascontiguousarray(flat[:, number])
            place = known.setdefault(blake2b(column.data, digest_size=16).digest(), len(kept))
            if place == len(kept):
                kept.append(column)
            places[-1][number] = place
    wide = drawing.PANEL_COLUMNS
    panels = np.zeros((-(-len(kept) // wide), n_rows, wide))
    while kept:  # from the last one on, so that memory is given back
        column = kept.pop()
        panels[len(kept) // wide, :, len(kept) % wide] = column
    return panels, places, [table.shape[1:] for table in tables]


def added_up(
    columns: _Columns,
    block: slice,
    weights: Weights,
    halt: Stop | None = None,
) -> tuple[slice, list[Floats]]:
    """A block of draws, and the sums of each table for each of them."""
    panels, places, shapes = columns
    n, tile = len(weights), drawing.TILE_RESAMPLES
    out = np.zeros((-(-n // tile) * tile, len(panels) * drawing.PANEL_COLUMNS))
    drawing.add_weighted(weights, panels, out, halt)
    both = zip(places, shapes, strict=True)
    return block, [out[:n, place].reshape(n, *shape) for place, shape in both]
