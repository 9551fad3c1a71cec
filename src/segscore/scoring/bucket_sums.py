"""Sums of statistics by document, or by bucket of documents, that can be drawn again.

A document falls into the bucket that the last bits of its name's hash say, so the same documents
share a bucket in every batch, process and engine, and for every system. A bootstrap over buckets
then does what one over documents does, in memory that does not grow. Up to `FEW` documents are kept
one by one; with `keep` all are, and they need no names.
"""

from typing import Any

import numpy as np

from segscore._kernels import sums
from segscore.basics.arguments import Floats, Int64Array
from segscore.basics.exact_sums import ExactSum, exact_sum
from segscore.errors import SegmentationError
from segscore.pairing.list_columns import Hashes

FEW = 2_000  # documents: below it they are kept one by one


class BucketSums:
    """The sums of one group and system.

    width: the number of columns; buckets: a power of two, or None for a single sum; keep: whether
    each document stays as it is, in no bucket.
    `n_documents` counts the rows, `checksum` adds up their names' hashes modulo 2**64.
    """

    def __init__(self, width: int, buckets: int | None, keep: bool = False) -> None:
        self.width, self.buckets, self.keep = width, buckets, keep
        self.n_documents, self.checksum = 0, 0
        self.clustered = False
        self.nameless = False  # whether some documents had no names
        self._rows: list[tuple[Hashes, Floats]] | None = [] if buckets or keep else None
        self._high = self._low = np.zeros((0, width))
        if self._rows is None:
            self._start(1)

    def _start(self, size: int) -> None:
        self._high, self._low = np.zeros((size, self.width)), np.zeros((size, self.width))

    @property
    def n_bytes(self) -> int:
        """Memory of the buckets."""
        return self._high.nbytes + self._low.nbytes

    def add(self, rows: Floats, hashes: Hashes | None, keys: Hashes | None = None) -> None:
        """Add rows; `keys` pick the bucket where it is not the document's name that does."""
        self.n_documents += len(rows)
        if hashes is not None:
            self.checksum = (self.checksum + int(hashes.sum(dtype=np.uint64))) % 2**64
        if keys is not None:
            self.clustered = True
        picked = hashes if keys is None else keys
        if self._rows is None:
            self._add(rows, picked)
            return
        if picked is None:
            if not self.keep:
                raise SegmentationError("documents have no names, by which buckets are chosen")
            self.nameless = True
            picked = np.zeros(len(rows), np.uint64)
        self._rows.append((picked, rows))
        if self.n_documents > FEW:
            self.fold()

    def add_kept(
        self, keys: Hashes, rows: Floats, checksum: int, *, nameless: bool, clustered: bool
    ) -> None:
        """Add documents as `kept` gives them, from elsewhere."""
        self.n_documents += len(rows)
        self.checksum = (self.checksum + checksum) % 2**64
        self.nameless |= nameless
        self.clustered |= clustered
        self._rows = [*(self._rows or []), (keys, rows)]

    def _add(self, rows: Floats, keys: Hashes | None) -> None:
        index = np.zeros(len(rows), np.int64)
        if self.buckets is not None and keys is not None:
            index = (keys & np.uint64(self.buckets - 1)).astype(np.int64)
        sums.add_rows(np.ascontiguousarray(rows), index, self._high, self._low)

    def add_buckets(
        self, index: Int64Array, high: Floats, low: Floats, n_documents: int, checksum: int
    ) -> None:
        """Add sums of the same buckets, from elsewhere."""
        self.fold()
        self.n_documents += n_documents
        self.checksum = (self.checksum + checksum) % 2**64
        for part in (high, low):
            sums.add_rows(np.ascontiguousarray(part), index, self._high, self._low)

    def fold(self, buckets: int | None = None) -> None:
        """Put rows into buckets, and buckets into fewer ones if so many are given."""
        if self.keep:
            return
        if self._rows is not None and self.buckets is not None:
            rows, self._rows = self._rows, None
            self._start(self.buckets)
            for keys, values in rows:
                self._add(values, keys)
        while buckets is not None and self.buckets is not None and self.buckets > buckets:
            half = self.buckets // 2
            high, low, self.buckets = self._high, self._low, half
            self._start(half)
            index = np.arange(2 * half) % half
            for part in (high, low):
                sums.add_rows(part, index, self._high, self._low)

    def merge(self, other: "BucketSums") -> None:
        """Add all that another one of the same kind has."""
        self.clustered |= other.clustered
        self.nameless |= other.nameless
        if other._rows is not None and self._rows is not None:
            self._rows += other._rows
            self.n_documents += other.n_documents
            self.checksum = (self.checksum + other.checksum) % 2**64
            if self.n_documents > FEW:
                self.fold()
            return
        index, high, low = other.folded(self.buckets)
        self.add_buckets(index, high, low, other.n_documents, other.checksum)

    def folded(self, buckets: int | None = None) -> tuple[Int64Array, Floats, Floats]:
        """(number of each bucket, its sums in two parts); what is in here stays as it is."""
        copy = BucketSums(self.width, self.buckets)
        copy._rows = None if self._rows is None else list(self._rows)
        copy._high, copy._low = self._high, self._low
        copy.fold(buckets)
        return np.arange(len(copy._high)), copy._high, copy._low

    def total(self) -> ExactSum:
        """The sum of everything."""
        if self._rows is not None:
            return exact_sum(
                np.concatenate([np.zeros((1, self.width)), *(r for _, r in self._rows)])
            )
        return exact_sum(np.concatenate([self._high, self._low]))

    @property
    def is_folded(self) -> bool:
        """Whether documents are in buckets; otherwise there are few, and each is known."""
        return self._rows is None

    def units(self) -> tuple[Hashes, Floats]:
        """What a bootstrap draws from: (key, sums) of each document, cluster or bucket in use."""
        if self._rows is None:
            used = np.flatnonzero(self._high[:, -1] > 0)  # the last column counts documents
            return used.astype(np.uint64), (self._high + self._low)[used]
        keys, rows = self.kept()
        if self.nameless:
            return np.arange(len(rows), dtype=np.uint64), rows
        found, index = np.unique(keys, return_inverse=True)
        if len(found) < len(keys) and not self.clustered:
            raise SegmentationError(
                f"{len(keys) - len(found)} documents are listed twice: expected each name once"
            )
        high, low = np.zeros((len(found), self.width)), np.zeros((len(found), self.width))
        sums.add_rows(rows, index.reshape(-1).astype(np.int64), high, low)
        return found, high + low

    def kept(self) -> tuple[Hashes, Floats]:
        """(key, statistics) of each document, where they are kept."""
        kept = self._rows or []
        keys = np.concatenate([np.empty(0, np.uint64), *(key for key, _ in kept)])
        return keys, np.concatenate([np.zeros((0, self.width)), *(row for _, row in kept)])

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if self._rows is not None and len(self._rows) > 1:  # one block instead of many small ones
            keys, rows = zip(*self._rows, strict=True)
            state["_rows"] = [(np.concatenate(keys), np.concatenate(rows))]
        return state
