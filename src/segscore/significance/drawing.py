"""Draws of documents, and the sums of their statistics for each draw.

A draw gives each document a weight, a small whole number: how often it is drawn, or whether it is
swapped. The sums of a draw are weights @ statistics, a product of matrices by our own kernel, in
blocks of draws on our own threads (`_kernels/drawing.pyx`): all tables side by side, each different
column once. Draws depend on the seed only, not on blocks, tables or threads.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import drawing
from segscore._kernels.batch import Stop
from segscore.basics.arguments import Floats, whole_number
from segscore.basics.threads import cores_up_to, run_in_threads

Weights = NDArray[np.uint8]
"""A row per draw, a column per document."""
Draw = Callable[[int, int, int], Iterator[tuple[slice, Weights]]]
"""Of (documents, draws, seed): the draws in blocks."""

_BLOCK = 16_000_000  # drawn cells at a time: 16 MB, independent of the number of documents
_MOST_DRAWS = 1000  # at a time, because what is computed of them may be far wider than documents
_IN_CACHE = 100_000  # random words that are counted at a time
_FEW_SUMS = 500_000_000  # products that are not worth a thread: a few hundredths of a second
_MOST_THREADS = 8  # one thread draws for all: more would only wait, each with a block in memory


# ---- draws ----


def resamples(n_rows: int, n_draws: int, seed: int) -> Iterator[tuple[slice, Weights]]:
    """How often each row is drawn: as many rows as there are, with replacement.

    The same as NumPy's `default_rng(seed).integers(0, n_rows, (n_draws, n_rows))`, counted.
    """
    rng = np.random.default_rng(whole_number(seed, "seed", 0))
    unused = np.empty(0, np.uint32)
    for block in _blocks(n_rows, n_draws):
        counts = np.zeros((block.stop - block.start, n_rows), np.uint8)
        step = max(1, _IN_CACHE // n_rows)
        for first in range(0, len(counts), step):  # counted while they are in the processor's cache
            some, done = counts[first : first + step], 0
            while done < some.size:  # a few words give no draw
                words = rng.integers(
                    0, 2**64, (some.size - done - len(unused) + 1) // 2, dtype=np.uint64
                )
                halves = words.astype("<u8", copy=False).view("<u4").astype(np.uint32, copy=False)
                halves = np.concatenate([unused, halves])
                done, used = drawing.count_draws(halves, done, some)
                unused = halves[used:]
        yield block, counts


def swaps(n_rows: int, n_draws: int, seed: int) -> Iterator[tuple[slice, Weights]]:
    """For each draw and row: 1 swaps, 0 does not; one random bit each."""
    rng = np.random.default_rng(whole_number(seed, "seed", 0))
    for block in _blocks(n_rows, n_draws):
        shape = block.stop - block.start, -(-n_rows // 64)
        words = rng.integers(0, 2**64, shape, dtype=np.uint64)
        yield block, np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, count=n_rows)


def all_swaps(n_rows: int, n_draws: int, seed: int) -> Iterator[tuple[slice, Weights]]:
    """The swaps in the order of binary numbers; nothing is left to chance."""
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

    threads: how many multiply; None: as many as the work is worth.
    """
    columns = _Columns(tables)
    draws = draw(columns.n_rows, n_draws, seed)
    if threads is None:
        work = n_draws * columns.n_rows * columns.panels.shape[0] * drawing.PANEL_COLUMNS
        threads = cores_up_to(1 + work // _FEW_SUMS)
    threads = min(threads, _MOST_THREADS)
    if threads == 1:
        for block, weights in draws:
            yield block, columns.sums(weights)
        return
    # drawn in this thread, while others multiply
    yield from run_in_threads(threads, (partial(columns.block_sums, *one) for one in draws))


class _Columns:
    """The different columns of some tables, in panels as the kernel wants them."""

    def __init__(self, tables: Sequence[Floats]) -> None:
        self.n_rows = len(tables[0])
        self.shapes = [table.shape[1:] for table in tables]
        self.places: list[NDArray[np.intp]] = []  # where each table's columns are
        known: dict[bytes, int] = {}
        kept: list[Floats] = []
        for table in tables:
            flat = table.reshape(self.n_rows, -1)
            places = np.empty(flat.shape[1], np.intp)
            for number in range(flat.shape[1]):
                column = np.ascontiguousarray(flat[:, number])
                place = known.setdefault(blake2b(column.data, digest_size=16).digest(), len(kept))
                if place == len(kept):
                    kept.append(column)
                places[number] = place
            self.places.append(places)
        wide = drawing.PANEL_COLUMNS
        self.panels = np.zeros((-(-len(kept) // wide), self.n_rows, wide))
        while kept:  # from the last one on, so that memory is given back
            column = kept.pop()
            self.panels[len(kept) // wide, :, len(kept) % wide] = column

    def block_sums(self, block: slice, weights: Weights, halt: Stop) -> tuple[slice, list[Floats]]:
        """A block of draws, and its sums."""
        return block, self.sums(weights, halt)

    def sums(self, weights: Weights, halt: Stop | None = None) -> list[Floats]:
        """The sums of each table, for each row of weights."""
        n, tile = len(weights), drawing.TILE_RESAMPLES
        out = np.zeros((-(-n // tile) * tile, self.panels.shape[0] * drawing.PANEL_COLUMNS))
        drawing.add_weighted(weights, self.panels, out, halt)
        return [
            out[:n, places].reshape(n, *shape)
            for places, shape in zip(self.places, self.shapes, strict=True)
        ]
