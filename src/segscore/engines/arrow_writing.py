"""Statistics of documents as Arrow batches (with pyarrow): what engines add up."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Floats
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.metrics.base import rows_of_metrics
from segscore.pairing.list_columns import hashes_of

if TYPE_CHECKING:
    import pyarrow

    from segscore.engines.arrow import PairBatch


def fields_of(metric: Metric) -> tuple[str, ...]:
    """What the struct of a metric holds: its statistics, the value, and 1 if it is defined."""
    return (*metric.statistic_names, "value", "defined")


class Writer:
    """Turns batches of pairs into batches of statistics."""

    def __init__(
        self,
        metrics: Mapping[str | Metric, Metric],
        keep: Sequence[str],
        buckets: int | None,
        seed: int,
        cluster: str | None = None,
    ) -> None:
        self.metrics, self.keep = metrics, keep
        self.buckets, self.seed, self.cluster = buckets, seed, cluster

    def schema(self) -> "pyarrow.Schema":
        """The columns of the statistics."""
        import pyarrow as pa

        columns = [(name, pa.string()) for name in self.keep]
        if self.buckets is not None:
            columns += [(name, pa.int64()) for name in ("bucket", "checksum_high", "checksum_low")]
        columns.append(("documents", pa.int64()))
        columns += [
            (str(key), pa.struct([(name, pa.float64()) for name in fields_of(metric)]))
            for key, metric in self.metrics.items()
        ]
        return pa.schema([*columns, ("error", pa.string())])

    def reader(
        self, batches: "Iterator[PairBatch]", threads: int | None
    ) -> "pyarrow.RecordBatchReader":
        """All batches as one stream."""
        import pyarrow as pa

        written = (self.write(batch, threads) for batch in batches)
        return pa.RecordBatchReader.from_batches(self.schema(), written)

    def write(self, batch: "PairBatch", threads: int | None = 1) -> "pyarrow.RecordBatch":
        """One batch."""
        import pyarrow as pa

        bad = batch.codes != 0
        columns: list[Any] = [
            pa.array(
                [None if _is_null(texts.null, row) else texts[row] for row in range(len(batch))],
                pa.string(),
            )
            for texts in (batch.columns[name] for name in self.keep)
        ]
        if self.buckets is not None:
            columns += [pa.array(one, pa.int64(), mask=bad) for one in self._hashes(batch)]
        columns.append(pa.array(np.ones(len(batch), np.int64), pa.int64(), mask=bad))
        metrics = list(self.metrics.values())
        tables = rows_of_metrics(metrics, batch.pairs, threads)
        columns += [
            self._struct(batch, metric, rows, bad)
            for metric, rows in zip(metrics, tables, strict=True)
        ]
        columns.append(pa.array(batch.errors, pa.string()))
        return pa.RecordBatch.from_arrays(columns, schema=self.schema())

    def _hashes(self, batch: "PairBatch") -> list[Any]:
        if batch.names is None or self.buckets is None:
            raise SegmentationError(
                "documents have no names, which buckets need to tell them apart: name a column "
                "(document=…)"
            )
        hashes = hashes_of(batch.names, self.seed)
        keys = hashes
        if self.cluster is not None:
            keys = hashes_of(batch.columns[self.cluster], self.seed)
        parts = (keys & np.uint64(self.buckets - 1), hashes >> np.uint64(32), hashes % 2**32)
        return [part.astype(np.int64) for part in parts]

    def _struct(
        self, batch: "PairBatch", metric: Metric, rows: Floats, bad: Any
    ) -> "pyarrow.StructArray":
        import pyarrow as pa

        values = metric.values(rows)
        defined = ~np.isnan(values)
        table: Floats = np.column_stack([rows, values, defined])
        spread = batch.spread(table)
        null = np.isnan(spread)
        arrays = [
            pa.array(np.ascontiguousarray(spread[:, i]), mask=null[:, i])
            for i in range(spread.shape[1])
        ]
        return pa.StructArray.from_arrays(arrays, names=list(fields_of(metric)), mask=pa.array(bad))


def _is_null(mask: Any, row: int) -> bool:
    return mask is not None and bool(mask[row])
