"""`ss.score_frame`: a frame with columns of values, or of statistics that an engine adds up.

The new columns of a lazy frame of Polars are one elementwise expression: streaming calls it batch
by batch, and filters are pushed below it, so that a bad row that is filtered out never raises.
Spark (3.5 or 4) maps batches by `mapInArrow`: its workers need segscore, pyarrow and pandas
installed, and errors arrive as its PythonException with our message inside.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from segscore.basics.arrow_validation import is_made_by
from segscore.engines.row_scores import RowScores, check_written, with_columns
from segscore.metrics import DEFAULT_METRICS, Metric, addable_metrics, distinct_metrics
from segscore.pairing.arrow_reading import Layout
from segscore.pairing.list_columns import OnError
from segscore.pairing.rules import Encoding
from segscore.scoring.sum_tables import readable_frame

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
