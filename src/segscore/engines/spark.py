"""Statistics of documents on Spark (3.5 or 4), by `mapInArrow`.

    from segscore.engines import spark

    rows = spark.statistics(df, ["windowdiff"], Layout("ref", "hyp", "n", "doc"), keep=["genre"])
    sums = spark.sums(rows, keep=["genre"])            # Spark's own GROUP BY and SUM
    ss.Accumulator.from_arrow(sums.toArrow(), …)       # or .toPandas() in Spark 3.5

Workers need segscore, pyarrow and pandas installed. Errors arrive as Spark's PythonException with
our message inside.
"""

import pickle
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from segscore.engines.arrow import BUCKET_COLUMNS, fields_of
from segscore.engines.arrow import statistics as arrow_statistics
from segscore.errors import SegmentationError
from segscore.metrics import Metric, addable_metrics
from segscore.pairing.arrow_reading import Layout
from segscore.pairing.list_columns import OnError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def statistics(
    df: "DataFrame",
    metrics: Any,
    layout: Layout,
    *,
    keep: Sequence[str] = (),
    buckets: int | None = None,
    seed: int = 0,
    cluster: str | None = None,
    on_error: OnError = "raise",
) -> "DataFrame":
    """A row per document, with the columns of `engines.arrow.statistics`."""
    chosen = addable_metrics(metrics)
    try:
        pickle.dumps(chosen)
    except Exception as error:
        raise SegmentationError(
            "a metric holds a function that cannot be sent to workers: define it with `def` at the "
            f"top of a module, no lambda ({error})"
        ) from error
    asked = list(chosen)
    columns = dict.fromkeys([*layout.columns, *keep, *([] if cluster is None else [cluster])])

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            yield from arrow_statistics(
                pa.Table.from_batches([batch]),
                asked,
                layout,
                keep=keep,
                buckets=buckets,
                seed=seed,
                cluster=cluster,
                on_error=on_error,
            )

    return df.select(*columns).mapInArrow(run, _schema(chosen, keep, buckets))


def _schema(chosen: dict[str | Metric, Metric], keep: Sequence[str], buckets: int | None) -> str:
    """The columns, in Spark's notation."""
    columns = [f"`{name}` string" for name in keep]
    columns += [f"{name} bigint" for name in BUCKET_COLUMNS] if buckets is not None else []
    columns.append("documents bigint")
    for key, metric in chosen.items():
        fields = ", ".join(f"`{name}`: double" for name in fields_of(metric))
        columns.append(f"`{key}` struct<{fields}>")
    return ", ".join([*columns, "error string"])


def sums(rows: "DataFrame", keep: Sequence[str] = ()) -> "DataFrame":
    """The rows of `statistics` added up by group and bucket, for `Accumulator.from_arrow`."""
    from pyspark.sql import functions as sql

    by = [*keep, *(["bucket"] if "bucket" in rows.columns else [])]
    added = [
        sql.sum(sql.col(f"`{name}`")).alias(name)
        for name in ("checksum_high", "checksum_low", "documents")
        if name in rows.columns
    ]
    metrics = [field for field in rows.schema.fields if field.dataType.typeName() == "struct"]
    for field in metrics:
        inner = [
            sql.sum(sql.col(f"`{field.name}`.`{name}`")).alias(name)
            for name in field.dataType.fieldNames()
        ]
        added.append(sql.struct(*inner).alias(field.name))
    return rows.where("error is null").groupBy(*[f"`{name}`" for name in by]).agg(*added)
