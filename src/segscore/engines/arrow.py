"""Tables that export Arrow, as Pairs, batch by batch, and as statistics that add up.

    for batch in pair_batches(frame, Layout("ref", "hyp", "n")):
        rows = metric.rows(batch.pairs)

`statistics` gives such rows as an Arrow stream, for engines that add up by themselves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.basics.cached import cached_property
from segscore.errors import SegmentationError, needing
from segscore.metrics import Metric, addable_metrics
from segscore.metrics.base import OnUndefined, rows_of_metrics
from segscore.pairing.arrow_reading import Layout, ReadBatch, checked, list_batches
from segscore.pairing.list_columns import Codes, OnError, Texts, called, hashes_of, reason
from segscore.pairing.pairs import Pairs
from segscore.scoring.accumulator import Accumulator, Groups

if TYPE_CHECKING:
    import pyarrow

    from segscore.comparison.scale_sums import ScaleSums

BUCKET_COLUMNS = ("bucket", "checksum_high", "checksum_low")


@dataclass(frozen=True)
class PairBatch:
    """A batch of rows as Pairs.

    pairs: the good rows; keep: their numbers in the batch, None if all rows are good; codes: a byte
    per row, 0 if it is good; names: the names of all rows, if there is a column of names; columns:
    other requested columns. `first` is the number of the first row in the whole stream.
    """

    pairs: Pairs
    keep: Int64Array | None
    codes: Codes
    names: Texts | None = None
    columns: Mapping[str, Texts] = field(default_factory=dict)
    first: int = 0

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def errors(self) -> list[str | None]:
        """Why each row is left out; None for good rows."""
        return [reason(code) if code else None for code in self.codes.tolist()]

    def name(self, row: int) -> str:
        """The name of a row of this batch in messages."""
        return called(row, self.first, self.names)

    def good_name(self, row: int) -> str:
        """The name of a row of the Pairs, which are the good rows, in messages."""
        return self.name(row if self.keep is None else int(self.keep[row]))

    def spread(self, values: Floats) -> Floats:
        """The values (or rows of values) of good rows, spread over all rows; NaN for bad rows."""
        if self.keep is None:
            return values
        everywhere = np.full((len(self), *values.shape[1:]), np.nan)
        everywhere[self.keep] = values
        return everywhere


def pair_batches(
    data: Any, layout: Layout, on_error: OnError = "raise", *, keep: Sequence[str] = ()
) -> Iterator[PairBatch]:
    """The rows of a table as Pairs, a batch at a time; only the batch is held in memory.

    A bad row raises, or with `on_error="null"` it is left out and `.errors` says why. `keep` are
    other columns to read (groups, clusters), as texts. Names are read on access: the Pairs of a
    batch have none.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"doc": ["a", "b"], "ref": [[2, 5], [2]], "hyp": [[5], []], "n": [11, 4]})
    >>> for batch in pair_batches(frame, Layout("ref", "hyp", "n", document="doc")):
    ...     print(batch.pairs, batch.names[1])
    Pairs(2 documents) b
    """  # noqa: E501
    for read in list_batches(data, [layout], keep):
        yield _batch(read, 0, layout, on_error)


def _batch(read: ReadBatch, which: int, layout: Layout, on_error: OnError) -> PairBatch:
    lists = read.lists[which]
    rows = checked(lists, layout, on_error, read.first)
    pairs = Pairs(**rows.columns)
    return PairBatch(pairs, rows.keep, rows.codes, lists.names, read.texts, read.first)


# ---- accumulators ----


def accumulate(
    accumulator: Accumulator,
    data: Any,
    layout: Layout,
    *,
    systems: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    cluster: str | None = None,
    on_error: OnError = "raise",
    threads: int | None = 1,
    scale: "ScaleSums | None" = None,
    on_undefined: OnUndefined = "nan",
) -> int:
    """Add all rows of a table to an accumulator; return the number of bad rows that were left out.

    systems: the column of hypotheses of each system; None: the column of the layout, without a
    name. labels: the column of labels of each of these systems; None: the column of the layout.
    cluster: the column with the cluster of each document. Groups are the columns that the
    accumulator's `by` names. scale: receives the references, for baselines. on_undefined: what to
    do about documents that cannot be scored.
    """
    columns = {"": layout.hypothesis} if systems is None else dict(systems)
    layouts = [
        replace(
            layout,
            hypothesis=column,
            hyp_labels=layout.hyp_labels if labels is None else labels.get(system),
        )
        for system, column in columns.items()
    ]
    keep = [*accumulator.by, *([] if cluster is None else [cluster])]
    n_bad = 0
    for read in list_batches(data, layouts, keep):
        batches = {
            system: _batch(read, which, own_layout, on_error)
            for which, (system, own_layout) in enumerate(zip(columns, layouts, strict=True))
        }
        n_bad += sum(int(np.count_nonzero(batch.codes)) for batch in batches.values())
        together = all(batch.keep is None for batch in batches.values())
        for several in [batches] if together else [{key: batch} for key, batch in batches.items()]:
            _add(accumulator, several, cluster, threads, on_undefined)
        if scale is not None:
            _add_to_scale(scale, next(iter(batches.values())), cluster, threads)
    return n_bad


def _add_to_scale(
    scale: "ScaleSums", batch: PairBatch, cluster: str | None, threads: int | None
) -> None:
    """Add the references of the good rows."""
    if batch.names is None:
        raise SegmentationError("documents have no names: expected a column of them (document)")
    if len(batch.pairs):
        clusters = None if cluster is None else _clusters(batch, cluster)
        scale.add_pairs(batch.pairs, batch.names.rows(batch.keep), clusters, threads)


def _add(
    accumulator: Accumulator,
    batches: Mapping[str, PairBatch],
    cluster: str | None,
    threads: int | None,
    on_undefined: OnUndefined,
) -> None:
    """Add the good rows of systems; if there are several, all their rows are good."""
    first = next(iter(batches.values()))
    if not len(first.pairs):
        return
    names = None if first.names is None else first.names.rows(first.keep)
    clusters = None if cluster is None else _clusters(first, cluster)
    groups = row_groups([first.columns[name].rows(first.keep) for name in accumulator.by], first)
    by_system = {system: batch.pairs for system, batch in batches.items()}
    accumulator.add_pairs(
        by_system, names, groups, clusters, threads, on_undefined, first.good_name
    )


def _clusters(batch: PairBatch, cluster: str) -> Texts:
    """The cluster of each good row."""
    clusters = batch.columns[cluster]
    if clusters.null is not None:
        row = batch.first + int(np.argmax(clusters.null))
        raise SegmentationError(f"row {row}: column {cluster!r}, the cluster, is null")
    return clusters.rows(batch.keep)


def row_groups(columns: Sequence[Texts], batch: PairBatch) -> Groups:
    """The groups of the good rows of a batch; a null is a group of its own, `(null)`."""
    n_rows = len(batch.pairs)
    if not columns:
        return [()], np.zeros(n_rows, np.int64)
    index = np.zeros(n_rows, np.int64)
    for column in columns:
        hashes = hashes_of(column)
        if column.null is not None:
            hashes[column.null] = 0
        _, number = np.unique(hashes, return_inverse=True)
        index = np.unique(index * (n_rows + 1) + number.reshape(-1), return_inverse=True)[1]
        index = index.reshape(-1)
    _, first = np.unique(index, return_index=True)
    found = [[column.known(row) for column in columns] for row in first.tolist()]
    names = [tuple("(null)" if name is None else name for name in group) for group in found]
    return names, index


# ---- statistics as an Arrow stream ----


def statistics(
    data: Any,
    metrics: str | Metric | Iterable[str | Metric],
    layout: Layout,
    *,
    keep: Sequence[str] = (),
    buckets: int | None = None,
    seed: int = 0,
    cluster: str | None = None,
    on_error: OnError = "raise",
    threads: int | None = 1,
) -> "pyarrow.RecordBatchReader":
    """A row per document with its statistics, for engines that add up by themselves.

    Columns: those to keep, as texts; `bucket`, if `buckets` is given, with `checksum_high` and
    `checksum_low` (the halves of the name's hash); `documents`, 1; a struct per metric, named after
    the metric as given, with its statistics, `value` and `defined`; `error`. GROUP BY the columns
    to keep and `bucket`, SUM everything else, and `Accumulator.from_arrow` takes the result. An
    undefined document has a null value and statistics of zero; a bad row is null all through, with
    its `error`. Needs pyarrow.
    """
    with needing("arrow", "a stream of statistics"):
        import pyarrow  # noqa: F401  # whether it is there
    writer = StatisticsWriter(addable_metrics(metrics), tuple(keep), buckets, seed, cluster)
    columns = [*keep, *([] if cluster is None else [cluster])]
    batches = pair_batches(data, layout, on_error, keep=columns)
    return writer.reader(batches, threads)


def fields_of(metric: Metric) -> tuple[str, ...]:
    """The fields of a metric's struct: its statistics, the value, and 1 if it is defined."""
    return (*metric.statistic_names, "value", "defined")


def statistics_of(batch: PairBatch, metric: Metric, rows: Floats) -> Floats:
    """The contents of a metric's struct, a row for each of the batch; NaN if it is null."""
    values = metric.values(rows)
    return batch.spread(np.column_stack([rows, values, ~np.isnan(values)]))


def bucket_columns(
    names: Texts, buckets: int, seed: int, clusters: Texts | None = None
) -> list[Int64Array]:
    """The BUCKET_COLUMNS: the bucket of each document, and the halves of its name's hash.

    clusters: the cluster of each document, which then chooses the bucket.
    """
    hashes = hashes_of(names, seed)
    keys = hashes if clusters is None else hashes_of(clusters, seed)
    parts = (keys % np.uint64(buckets), hashes >> np.uint64(32), hashes % np.uint64(2**32))
    return [part.astype(np.int64) for part in parts]


class StatisticsWriter:
    """Turns batches of pairs into batches of statistics."""

    def __init__(
        self,
        metrics: Mapping[str | Metric, Metric],
        keep: Sequence[str],
        buckets: int | None,
        seed: int,
        cluster: str | None = None,
    ) -> None:
        self.metrics: Mapping[str | Metric, Metric] = metrics
        self.keep: Sequence[str] = keep
        self.buckets: int | None = buckets
        self.seed: int = seed
        self.cluster: str | None = cluster

    def schema(self) -> "pyarrow.Schema":
        """The columns of the statistics."""
        import pyarrow as pa

        columns = [(name, pa.string()) for name in self.keep]
        if self.buckets is not None:
            columns += [(name, pa.int64()) for name in BUCKET_COLUMNS]
        columns.append(("documents", pa.int64()))
        columns += [
            (str(key), pa.struct([(name, pa.float64()) for name in fields_of(metric)]))
            for key, metric in self.metrics.items()
        ]
        return pa.schema([*columns, ("error", pa.string())])

    def reader(
        self, batches: Iterator[PairBatch], threads: int | None
    ) -> "pyarrow.RecordBatchReader":
        """The statistics of all batches, as a stream."""
        import pyarrow as pa

        written = (self.write(batch, threads) for batch in batches)
        return pa.RecordBatchReader.from_batches(self.schema(), written)

    def write(self, batch: PairBatch, threads: int | None = 1) -> "pyarrow.RecordBatch":
        """The statistics of a batch."""
        import pyarrow as pa

        bad = batch.codes != 0
        columns: list[Any] = [
            pa.array(list(map(batch.columns[name].known, range(len(batch)))), pa.string())
            for name in self.keep
        ]
        if self.buckets is not None:
            columns += [
                pa.array(column, pa.int64(), mask=bad) for column in self._bucket_columns(batch)
            ]
        columns.append(pa.array(np.ones(len(batch), np.int64), pa.int64(), mask=bad))
        metrics = list(self.metrics.values())
        tables = rows_of_metrics(metrics, batch.pairs, threads)
        columns += [
            self._struct(batch, metric, rows, bad)
            for metric, rows in zip(metrics, tables, strict=True)
        ]
        columns.append(pa.array(batch.errors, pa.string()))
        return pa.RecordBatch.from_arrays(columns, schema=self.schema())

    def _bucket_columns(self, batch: PairBatch) -> list[Int64Array]:
        if batch.names is None or self.buckets is None:
            raise SegmentationError(
                "documents have no names, which buckets need to tell them apart: name a column "
                "(document=…)"
            )
        clusters = None if self.cluster is None else batch.columns[self.cluster]
        return bucket_columns(batch.names, self.buckets, self.seed, clusters)

    def _struct(
        self, batch: PairBatch, metric: Metric, rows: Floats, bad: Any
    ) -> "pyarrow.StructArray":
        import pyarrow as pa

        spread = statistics_of(batch, metric, rows)
        null = np.isnan(spread)
        arrays = [
            pa.array(np.ascontiguousarray(spread[:, i]), mask=null[:, i])
            for i in range(spread.shape[1])
        ]
        return pa.StructArray.from_arrays(arrays, names=list(fields_of(metric)), mask=pa.array(bad))


__all__ = ["Layout", "PairBatch", "accumulate", "pair_batches", "statistics"]
