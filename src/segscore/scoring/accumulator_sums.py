"""The contents of an Accumulator: sums of statistics, and wins and ties of systems.

Sums are by document, or by bucket of documents, so that they can be resampled.

The last bits of the hash of its name choose the bucket of a document, so the same documents share a
bucket in every batch, process and engine, and for every system. A bootstrap over buckets then
replaces one over documents, in memory that does not grow. Up to `FEW` documents are kept one by
one; with `keep` all are, and they need no names.

A row to add has for each metric its statistics, the value (0 if it is undefined) and 1 if it is
defined; the last column is 1, which counts documents.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate, combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import sums
from segscore.basics.arguments import Floats, Int64Array
from segscore.basics.exact_sums import ExactSum, exact_sum
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric, OnUndefined, rows_of_metrics
from segscore.pairing.list_columns import Hashes
from segscore.pairing.pairs import Pairs

FEW = 2_000  # documents: below it they are kept one by one
SAME = 1e-12  # values closer than this are a tie, as in `significance.classical`


def spans_of(metrics: Sequence[Metric]) -> tuple[list[slice], int]:
    """The columns of each metric in a row, and the length of the row."""
    widths = [len(metric.statistic_names) + 2 for metric in metrics]
    ends = list(accumulate(widths))
    spans = [slice(end - width, end) for end, width in zip(ends, widths, strict=True)]
    return spans, sum(widths) + 1


def document_rows(
    metrics: Sequence[Metric],
    pairs: Pairs,
    threads: int | None,
    on_undefined: OnUndefined,
    called: Callable[[int], str] | None = None,
) -> tuple[Floats, Floats]:
    """The rows to add up, one per document; and the values, a column per metric."""
    for metric in metrics:
        metric.check_references(pairs)
    table, values = added_rows(metrics, rows_of_metrics(metrics, pairs, threads))
    for column, metric in enumerate(metrics if on_undefined == "raise" else ()):
        metric.check_defined(pairs, np.ascontiguousarray(values[:, column]), called)
    return table, values


def added_rows(
    metrics: Sequence[Metric], tables: Sequence[Floats], done: NDArray[np.bool_] | None = None
) -> tuple[Floats, Floats]:
    """The `document_rows` from the statistics of each metric; done: which documents have any."""
    spans, width = spans_of(metrics)
    table = np.empty((len(tables[0]), width))
    values = np.empty((len(tables[0]), len(metrics)))
    for column, (metric, span, rows) in enumerate(zip(metrics, spans, tables, strict=True)):
        value = metric.values(rows)
        value = value if done is None else np.where(done, value, np.nan)
        defined = ~np.isnan(value)
        table[:, span.start : span.stop - 2] = rows
        table[:, span.stop - 2] = np.where(defined, value, 0.0)
        table[:, span.stop - 1] = defined
        values[:, column] = value
    table[:, -1] = 1.0
    return table, values


class BucketSums:
    """The sums of a group and system.

    width: the number of columns; buckets: a power of two, or None for a single sum; keep: whether
    each document is kept by itself, without buckets. `n_documents` counts the rows, `checksum` adds
    up their names' hashes modulo 2**64.
    """

    def __init__(self, width: int, buckets: int | None, keep: bool = False) -> None:
        self.width: int = width
        self.buckets: int | None = buckets
        self.keep: bool = keep
        self.n_documents: int = 0
        self.checksum: int = 0
        self.clustered: bool = False
        self.nameless: bool = False  # whether some documents had no names
        self._rows: list[tuple[Hashes, Floats]] | None = [] if buckets or keep else None
        self._high = self._low = np.zeros((0, width))
        if self._rows is None:
            self._start(1)

    def _start(self, size: int) -> None:
        self._high, self._low = np.zeros((size, self.width)), np.zeros((size, self.width))

    @property
    def n_bytes(self) -> int:
        """The memory of the buckets, in bytes."""
        return self._high.nbytes + self._low.nbytes

    def add(self, rows: Floats, hashes: Hashes | None, keys: Hashes | None = None) -> None:
        """Add rows; `keys` choose the bucket, where the document's name does not."""
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
        """Add documents from another source, in the form of `kept`."""
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
        """Add sums of the same buckets from another source."""
        self.fold()
        self.n_documents += n_documents
        self.checksum = (self.checksum + checksum) % 2**64
        for part in (high, low):
            sums.add_rows(np.ascontiguousarray(part), index, self._high, self._low)

    def fold(self, buckets: int | None = None) -> None:
        """Put rows into buckets, and reduce these to `buckets` if there are more."""
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
        """Add all that another `BucketSums` of the same kind holds."""
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
        """The number of each bucket, and its sums in two parts; the object itself does not
        change."""
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
        """Whether documents are in buckets; otherwise there are few, and each is kept by itself."""
        return self._rows is None

    def units(self) -> tuple[Hashes, Floats]:
        """What a bootstrap draws from: (key, sums) of each document, cluster or used bucket."""
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


class Tallies(NamedTuple):
    """The wins, ties and losses of each pair of systems that have the same documents in the same
    row of the data, with sums of differences and of their squares.

    counts: (metrics, pairs, 3); differences: (metrics, pairs, 2).
    """

    systems: tuple[str, ...]
    n_documents: int
    counts: Int64Array
    differences: Floats

    @classmethod
    def of(
        cls, systems: tuple[str, ...], values: Sequence[Floats], metrics: Sequence[Metric]
    ) -> "Tallies":
        """Count wins, ties and losses in the values (documents, metrics) of each system."""
        pairs = list(combinations(range(len(systems)), 2))
        counts = np.zeros((len(metrics), len(pairs), 3), np.int64)
        sums = np.zeros((len(metrics), len(pairs), 2))
        for column, metric in enumerate(metrics):
            for place, (a, b) in enumerate(pairs):
                gap = values[a][:, column] - values[b][:, column]
                gap = gap[~np.isnan(gap)]
                better = gap if metric.higher_is_better else -gap
                wins, losses = (better > SAME).sum(), (better < -SAME).sum()
                counts[column, place] = wins, len(gap) - wins - losses, losses
                sums[column, place] = gap.sum(), (gap * gap).sum()
        return cls(systems, len(values[0]), counts, sums)

    @classmethod
    def read(
        cls, systems: Sequence[str], n_documents: Any, counts: Any, differences: Any, n_metrics: int
    ) -> "Tallies":
        """Tallies from lists or flat arrays; ValueError or TypeError if they do not fit."""
        shape = (n_metrics, len(systems) * (len(systems) - 1) // 2, -1)
        return cls(
            tuple(systems),
            int(n_documents),
            np.array(counts, np.int64).reshape(shape),
            np.array(differences, np.float64).reshape(shape),
        )

    def plus(self, other: "Tallies") -> "Tallies":
        """The sum of both; empty if their systems differ."""
        if self.systems != other.systems:
            return Tallies((), 0, self.counts[:, :0], self.differences[:, :0])
        return Tallies(
            self.systems,
            self.n_documents + other.n_documents,
            self.counts + other.counts,
            self.differences + other.differences,
        )
