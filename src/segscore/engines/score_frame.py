"""`ss.score_frame`: a frame with columns of values, or of statistics that an engine adds up.

The new columns of a lazy frame of Polars are one elementwise expression: streaming calls it batch
by batch, and filters are pushed below it, so that a bad row that is filtered out never raises.
Spark (3.5 or 4) maps batches by `mapInArrow`: its workers need segscore, pyarrow and pandas
installed, and errors arrive as its PythonException with our message inside.

How rows of a table become new columns (`RowScores`) is a map over batches that all engines share.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.basics.arrow_validation import column_names, is_made_by
from segscore.errors import SegmentationError
from segscore.metrics import DEFAULT_METRICS, Metric, OnUndefined, addable_metrics, distinct_metrics
from segscore.metrics import metric as as_metric
from segscore.metrics.base import rows_of_metrics
from segscore.pairing.arrow_reading import Layout, list_batches
from segscore.pairing.list_columns import Codes, OnError, Texts, called, good_rows, reason
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Encoding
from segscore.scoring.sum_tables import document_rows, readable_frame, sum_names
from segscore.significance.drawing import buckets_of


class Batch(NamedTuple):
    """A batch of rows: the good ones as Pairs, their numbers (None: all), a code per row (0: good),
    the names of documents and of clusters, and the number of the first row."""

    pairs: Pairs
    keep: Int64Array | None
    codes: Codes
    names: Texts | None
    clusters: Texts | None
    first: int

    def name(self, row: int) -> str:
        """The name of a good row in messages."""
        return called(row if self.keep is None else int(self.keep[row]), self.first, self.names)


@dataclass(frozen=True)
class RowScores:
    """How a batch of rows becomes new columns. Engines send it to their workers.

    The parameters are those of `score_frame`.
    """

    layout: Layout
    metrics: Mapping[str | Metric, Metric]
    statistics: bool = False
    cluster: str | None = None
    on_error: OnError = "raise"
    on_undefined: OnUndefined = "nan"
    threads: int | None = 1

    @property
    def columns_read(self) -> list[str]:
        """The columns that are needed."""
        return list(dict.fromkeys(filter(None, [*self.layout.columns, self.cluster])))

    @property
    def kinds(self) -> dict[str, type]:
        """The new columns, and what they hold: whole numbers, numbers or texts."""
        found: dict[str, type] = {}
        if self.statistics and (self.layout.document or self.cluster):
            found["bucket"] = int
        names = sum_names(self.metrics) if self.statistics else map(str, self.metrics)
        found |= dict.fromkeys(names, float)
        return found | ({"error": str} if self.on_error == "null" else {})

    @property
    def dropped(self) -> list[str]:
        """The columns of lists, which rows of statistics are without."""
        layout = self.layout
        lists = (layout.reference, layout.hypothesis, layout.ref_labels, layout.hyp_labels)
        return list(dict.fromkeys(filter(None, lists))) if self.statistics else []

    def check(self, names: Sequence[str]) -> None:
        """Raise if a frame with these columns cannot get the new ones."""
        taken = [name for name in self.kinds if name in names]
        if taken:
            raise SegmentationError(f"the frame has a column {taken[0]!r} already: rename it")

    def of(self, data: Any) -> dict[str, Any]:
        """The new columns of a table: arrays, with NaN for null, and a list of errors."""
        parts = [self.of_batch(batch) for batch in self.batches(data)]
        if len(parts) == 1:
            return parts[0]
        return {
            name: [text for part in parts for text in part[name]]
            if kind is str
            else np.concatenate([np.empty(0, kind), *(part[name] for part in parts)])
            for name, kind in self.kinds.items()
        }

    def batches(self, data: Any) -> Iterator[Batch]:
        """The batches of a table; a bad row raises, or is left out."""
        keep = [] if self.cluster is None else [self.cluster]
        for first, lists, texts in list_batches(data, self.layout, keep):
            columns, trusted, good, codes = good_rows(
                lists, self.layout.encoding, self.on_error, first
            )
            clusters = None if self.cluster is None else texts[self.cluster]
            pairs = Pairs.of_rows(columns, trusted)
            yield Batch(pairs, good, codes, lists.names, clusters, first)

    def of_batch(self, batch: Batch, pairs: Pairs | None = None) -> dict[str, Any]:
        """The new columns of a batch; pairs: others for the same documents."""
        pairs = batch.pairs if pairs is None else pairs
        if self.statistics:
            names = sum_names(self.metrics)
            good = document_rows(self.metrics, pairs, self.threads, self.on_undefined, batch.name)
        else:
            names, metrics = list(map(str, self.metrics)), list(self.metrics.values())
            tables = rows_of_metrics(metrics, pairs, self.threads)
            values = [metric.values(rows) for metric, rows in zip(metrics, tables, strict=True)]
            good = np.column_stack(values)
        rows = np.full((len(batch.codes), len(names)), np.nan)
        rows[slice(None) if batch.keep is None else batch.keep] = good
        table: dict[str, Any] = dict(zip(names, rows.T, strict=True))
        for key in self.metrics if self.statistics else ():  # null, which AVG skips
            table[f"{key}.value"][table[f"{key}.defined"] == 0] = np.nan
        table |= {"bucket": _buckets(batch)} if "bucket" in self.kinds else {}
        if self.on_error == "null":
            table["error"] = [reason(code) if code else None for code in batch.codes.tolist()]
        return {name: table[name] for name in self.kinds}


def _buckets(batch: Batch) -> Int64Array:
    if batch.clusters is not None and batch.clusters.null is not None:
        row = int(np.argmax(batch.clusters.null))
        raise SegmentationError(f"{called(row, batch.first, batch.names)}: the cluster is null")
    names = batch.names if batch.clusters is None else batch.clusters
    assert names is not None  # noqa: S101  # there is a bucket because there are names
    return buckets_of(names)


def check_written(metrics: Mapping[str | Metric, Metric]) -> None:
    """Raise for a metric of which the names of its columns do not say all."""
    for key, chosen in metrics.items():
        if as_metric(str(key)) != chosen:
            raise SegmentationError(f"metric {str(key)!r} cannot be written as a text")


def with_columns(frame: Any, rows: RowScores) -> Any:
    """A frame of pandas or pyarrow with the new columns; NaN becomes null."""
    rows.check(column_names(frame))
    found = rows.of(frame)
    if is_made_by("pandas", frame):
        rest = [name for name in frame.columns if name not in rows.dropped]
        return frame.filter(rest).assign(**found)
    frame = frame.drop_columns(rows.dropped)
    for name, column in arrow_columns(found).items():
        frame = frame.append_column(name, column)
    return frame


def arrow_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """New columns as arrays of pyarrow; NaN becomes null."""
    import pyarrow as pa

    return {
        name: pa.array(column, pa.string() if name == "error" else None, from_pandas=True)
        for name, column in columns.items()
    }


_STRUCT = "segscore.score_frame"  # the column that holds the new ones until they are unpacked


def score_frame(
    frame: Any,
    reference: str,
    hypothesis: str,
    n_units: str | None = None,
    document: str | None = None,
    *,
    encoding: Encoding = "boundaries",
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    statistics: bool = False,
    cluster: str | None = None,
    on_error: OnError = "raise",
    ref_labels: str | None = None,
    hyp_labels: str | None = None,
    threads: int | None = None,
) -> Any:
    """Score the rows of a frame: Polars (lazy, too), pandas, pyarrow, Spark, or what exports Arrow.

    Returns the frame with an additional column per metric; for other frames a pyarrow Table. With
    `statistics` the columns are `documents` and all that adds up, `METRIC.STATISTIC`, without the
    columns of lists: `Result.from_sums` and `compare` read the rows, or what an engine made of them
    by GROUP BY and SUM.

    Parameters
    ----------
    frame
        The frame.
    reference, hypothesis
        Its columns of lists.
    encoding
        What the lists hold: `boundaries` (ascending positions, with `n_units`), `masses`,
        `labels-end`, `labels-start` or `gaps`.
    n_units
        The column with the number of units.
    document
        The column of document names, for messages and, with `statistics`, for a column `bucket`:
        the bucket of each document, by which `compare` wants the sums.
    metrics
        Metrics, or their names.
    statistics
        Whether to give statistics instead of values.
    cluster
        The column that says which documents belong together (such as the book of a chapter): it
        chooses the bucket, so they are drawn together.
    on_error
        A bad row raises, or with `"null"` its columns are null and a column `error` says why.
    ref_labels, hyp_labels
        The columns with labels of segments, for metrics that compare them: a list of texts, one
        per segment (null: none). Lists of lists in all these columns are the levels of a document.
    threads
        None uses the cores that the process may use, or $SEGSCORE_THREADS.

    >>> import polars as pl
    >>> import segscore as ss
    >>> df = pl.DataFrame({"ref": [[2, 5], [4]], "hyp": [[5], [4]], "n": [11, 8]})
    >>> ss.score_frame(df, "ref", "hyp", "n", metrics="windowdiff")["windowdiff"].round(4).to_list()
    [0.2222, 0.0]
    """
    labels = {"ref_labels": ref_labels, "hyp_labels": hyp_labels}
    layout = Layout(reference, hypothesis, n_units, document, encoding, **labels)
    in_parts = is_made_by("pyspark", frame) or type(frame).__name__ == "LazyFrame"
    chosen = (addable_metrics if statistics or in_parts else distinct_metrics)(metrics)
    if statistics:
        check_written(chosen)
    rows = RowScores(layout, chosen, statistics, cluster, on_error, threads=threads)
    if is_made_by("pyspark", frame):
        return _on_spark(frame, rows)
    if is_made_by("polars", frame) and hasattr(frame, "collect_schema") and hasattr(frame, "lazy"):
        return _on_polars(frame, rows)
    return with_columns(readable_frame(frame), rows)


def _on_polars(frame: Any, rows: RowScores) -> Any:
    """A frame, eager or lazy, with the new columns; NaN becomes null."""
    import polars as pl

    types: dict[type, Any] = {int: pl.Int64(), float: pl.Float64(), str: pl.String()}
    kinds = {name: types[kind] for name, kind in rows.kinds.items()}

    def series(batch: Any, how: RowScores) -> list[Any]:
        return [
            pl.Series(name, column, kinds[name], nan_to_null=rows.kinds[name] is float)
            for name, column in how.of(batch).items()
        ]

    rows.check(frame.collect_schema().names())
    if not isinstance(frame, pl.LazyFrame):
        return frame.with_columns(series(frame, rows)).drop(rows.dropped)
    alone = replace(rows, threads=1)  # Polars has threads of its own

    def run(columns: Any) -> Any:
        named = zip(columns, rows.columns_read, strict=True)
        batch = pl.DataFrame([column.alias(name) for column, name in named])
        return pl.DataFrame(series(batch, alone)).to_struct(_STRUCT)

    read = [pl.col(name) for name in rows.columns_read]
    made = pl.map_batches(read, run, return_dtype=pl.Struct(kinds), is_elementwise=True)
    return frame.with_columns(made.alias(_STRUCT)).unnest(_STRUCT).drop(rows.dropped)


def _on_spark(df: Any, rows: RowScores) -> Any:
    """A data frame with the new columns, computed by the workers when an action needs them."""
    from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

    rows.check(df.columns)
    alone = replace(rows, threads=1)  # Spark has processes of its own
    types = {int: LongType(), float: DoubleType(), str: StringType()}
    old = [field for field in df.schema.fields if field.name not in rows.dropped]
    new = [StructField(name, types[kind]) for name, kind in rows.kinds.items()]

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            yield from with_columns(pa.Table.from_batches([batch]), alone).to_batches()

    return df.mapInArrow(run, StructType([*old, *new]))
