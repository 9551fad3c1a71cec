"""How implementations see documents: units, gaps, a label per unit, chunks of time.

Each encoding turns `Pairs` into `Symbols`, columns with a row per document, in which windows are
counted. Encodings differ in the number of symbols, how many of them mark a boundary, and where.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.corpus.lists import starts_of
from segscore.pairing.pairs import Pairs

CHUNK = 6_000_000  # of chunkseg, in microseconds


class Places(NamedTuple):
    """The boundaries of a side, document after document."""

    offsets: Int64Array
    positions: Int64Array

    @property
    def counts(self) -> Int64Array:
        """The number of boundaries of each document."""
        return np.diff(self.offsets)

    @property
    def rows(self) -> Int64Array:
        """The document of each boundary."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.counts)

    def only(self, these: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> "Places":
        """The boundaries to keep."""
        return Places(starts_of(these)[self.offsets], self.positions[these])

    def moved(self, by: int) -> "Places":
        """A copy with each boundary `by` places later."""
        return Places(self.offsets, self.positions + by)

    def with_first(self, position: int) -> "Places":
        """A copy with one more boundary in each document, before the others."""
        offsets = self.offsets + np.arange(len(self.offsets))
        return Places(offsets, np.insert(self.positions, self.offsets[:-1], position))

    def with_last(self, position: Int64Array) -> "Places":
        """A copy with one more boundary in each document, after the others."""
        offsets = self.offsets + np.arange(len(self.offsets))
        return Places(offsets, np.insert(self.positions, self.offsets[1:], position))


class Symbols(NamedTuple):
    """Documents as an implementation sees them, a row each.

    ones: the number of reference symbols that mark a boundary; segments: the number of reference
    segments; units: there are `units` - k windows of k symbols.
    """

    length: Int64Array  # symbols
    ones: Int64Array
    segments: Int64Array
    units: Int64Array
    ref: Places
    hyp: Places


def sides(pairs: Pairs) -> tuple[Places, Places]:
    """The places of reference and hypothesis."""
    return (
        Places(pairs.ref_offsets, np.asarray(pairs.ref_positions, np.int64)),
        Places(pairs.hyp_offsets, np.asarray(pairs.hyp_positions, np.int64)),
    )


def units(pairs: Pairs) -> Symbols:
    """Encode N units with boundaries between them; a window of k has N-k places."""
    ones = np.diff(pairs.ref_offsets)
    return Symbols(pairs.n_units, ones, ones + 1, pairs.n_units, *sides(pairs))


def gaps(pairs: Pairs) -> Symbols:
    """Encode a symbol per gap: N-1."""
    return units(pairs)._replace(length=pairs.n_units - 1)


def ends(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it ends a segment, the last unit 0: one gap too many."""
    return units(pairs)._replace(units=pairs.n_units + 1)


def _changed(seen: Symbols, change: Callable[[Places], Places]) -> Symbols:
    """These symbols with other places on both sides."""
    return seen._replace(ref=change(seen.ref), hyp=change(seen.hyp))


def closed_ends(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it ends a segment, the last unit 1: one more boundary."""
    seen = _changed(ends(pairs), lambda side: side.with_last(pairs.n_units))
    return seen._replace(ones=seen.segments)


def starts(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it starts a segment, the first unit 0."""
    return _changed(ends(pairs), lambda side: side.moved(1))


def closed_starts(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it starts a segment, the first unit 1: one more
    boundary."""
    seen = _changed(starts(pairs), lambda side: side.with_first(1))
    return seen._replace(ones=seen.segments)


def splits(pairs: Pairs) -> Symbols:
    """Encode the indices of units before a split, counted from 0, sought from 0 to N-2: each one
    place late, so that the last position is never seen."""
    return _changed(
        units(pairs), lambda side: side.only(side.positions < pairs.n_units[side.rows] - 1).moved(1)
    )


# ---- labels that are taken for gaps: one unit more ----


def _one_more(seen: Symbols) -> Symbols:
    """Masses of N+1 units, made from N labels."""
    ones = seen.ref.counts
    return seen._replace(length=seen.units, ones=ones, segments=ones + 1)


def ends_as_gaps(pairs: Pairs) -> Symbols:
    """Encode N labels, the last 0, which a program reads as the gaps of N+1 units."""
    return _one_more(ends(pairs))


def closed_ends_as_gaps(pairs: Pairs) -> Symbols:
    """Encode N labels, the last 1, which a program reads as the gaps of N+1 units."""
    return _one_more(closed_ends(pairs))


def closed_starts_as_gaps(pairs: Pairs) -> Symbols:
    """Encode N labels, 1 = start, the first 1, which a program reads as the gaps of N+1 units."""
    return _one_more(closed_starts(pairs))


def chunk_labels(pairs: Pairs) -> tuple[Int64Array, Places, Places]:
    """The labels of chunkseg: their number, and which are 1 (counted from 0).

    Times become chunks of 6 s, rounded down, and so does the duration; units without a known length
    are its chunks. Anything after the last whole chunk is left out.
    """
    n, both = pairs.n_units, sides(pairs)
    length = pairs.provenance.unit_length
    if length is None:
        return n, *both
    common = math.gcd(length, CHUNK)  # so that products stay small
    length, chunk = length // common, CHUNK // common
    n = n * length // chunk
    labels = []
    for side in both:
        whole = side.only((side.positions * length <= n[side.rows] * chunk) & (n[side.rows] > 0))
        chunks = np.minimum(whole.positions * length // chunk, n[whole.rows] - 1)
        first = np.ones(len(chunks), np.bool_)
        first[1:] = (np.diff(chunks) != 0) | (np.diff(whole.rows) != 0)
        labels.append(Places(whole.offsets, chunks).only(first))
    return n, labels[0], labels[1]


def chunks_as_gaps(pairs: Pairs) -> Symbols:
    """The labels of chunkseg, which segeval reads as the gaps of one unit more."""
    n, ref, hyp = chunk_labels(pairs)
    ones = ref.counts
    later = ref.moved(1), hyp.moved(1)
    return Symbols(n + 1, ones, ones + 1, np.where(n > 0, n + 1, 0), *later)


def without_last_unit(pairs: Pairs) -> Symbols:
    """Encode N-1 units: the last unit is dropped, and so is the boundary before it."""
    n = pairs.n_units - 1
    ref, hyp = (side.only(side.positions < n[side.rows]) for side in sides(pairs))
    return Symbols(n, ref.counts, ref.counts + 1, n, ref, hyp)
