"""Metrics as Polars expressions, in memory and streaming.

    import segscore.engines.polars  # registers the namespace `seg`

    frame.with_columns(wd=pl.col("hyp").seg.value("windowdiff", ref="ref", n_units="n"))
    frame.lazy().group_by("genre").agg(…)

`value` gives a number per row, `statistics` a struct of all that adds up. Both are elementwise:
streaming calls them batch by batch, and filters are pushed below them, so that a bad row that is
filtered out never raises. An undefined document has a null value, which means and sums skip.
`ref_labels` and `hyp_labels` are columns of lists of texts, a label per segment.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from segscore.engines.arrow import (
    BUCKET_COLUMNS,
    bucket_columns,
    fields_of,
    pair_batches,
    statistics_of,
)
from segscore.errors import needing
from segscore.metrics import Metric, addable_metrics
from segscore.metrics import metric as as_metric
from segscore.metrics.base import rows_of_metrics
from segscore.pairing.arrow_reading import Layout, list_texts
from segscore.pairing.list_columns import Encoding, OnError

with needing("polars", "this namespace"):
    import polars as pl

Column = str | pl.Expr


@pl.api.register_expr_namespace("seg")
class SegNamespace:
    """`pl.col("hyp").seg`: scores of a column of hypotheses."""

    def __init__(self, hypothesis: pl.Expr) -> None:
        self._hypothesis = hypothesis

    def value(
        self,
        metric: str | Metric,
        ref: Column,
        n_units: Column | None = None,
        *,
        document: Column | None = None,
        encoding: Encoding = "boundaries",
        on_error: OnError = "raise",
        ref_labels: Column | None = None,
        hyp_labels: Column | None = None,
    ) -> pl.Expr:
        """The value of each row; null if it is undefined, or bad with `on_error="null"`."""
        chosen = as_metric(metric)

        def of_batch(batch: Any) -> pl.Series:
            values = chosen.values(chosen.rows(batch.pairs))
            return pl.Series(batch.spread(values), nan_to_null=True)

        return self._map(
            of_batch, pl.Float64(), encoding, on_error, ref=ref, n_units=n_units,
            document=document, ref_labels=ref_labels, hyp_labels=hyp_labels,
        )  # fmt: skip

    def statistics(
        self,
        metrics: Any,
        ref: Column,
        n_units: Column | None = None,
        *,
        document: Column | None = None,
        encoding: Encoding = "boundaries",
        on_error: OnError = "raise",
        ref_labels: Column | None = None,
        hyp_labels: Column | None = None,
    ) -> pl.Expr:
        """A struct per row with a struct per metric: its statistics, `value` and `defined`.

        Sum the fields in any order; `Accumulator.from_arrow` takes sums by group.
        """
        chosen = addable_metrics(metrics)
        kinds = {
            str(key): pl.Struct(dict.fromkeys(fields_of(metric), pl.Float64()))
            for key, metric in chosen.items()
        }

        def of_batch(batch: Any) -> pl.Series:
            columns = []
            tables = rows_of_metrics(list(chosen.values()), batch.pairs)
            for (key, metric), rows in zip(chosen.items(), tables, strict=True):
                table = statistics_of(batch, metric, rows)
                fields = [
                    pl.Series(name, np.ascontiguousarray(table[:, i]), nan_to_null=True)
                    for i, name in enumerate(fields_of(metric))
                ]
                columns.append(pl.DataFrame(fields).to_struct(str(key)))
            found = pl.DataFrame(columns).to_struct("")
            if batch.keep is None:
                return found
            good = pl.lit(pl.Series(batch.codes == 0))
            return pl.select(pl.when(good).then(pl.lit(found))).to_series()

        return self._map(
            of_batch, pl.Struct(kinds), encoding, on_error, ref=ref, n_units=n_units,
            document=document, ref_labels=ref_labels, hyp_labels=hyp_labels,
        )  # fmt: skip

    def error(
        self,
        ref: Column,
        n_units: Column | None = None,
        *,
        encoding: Encoding = "boundaries",
        ref_labels: Column | None = None,
        hyp_labels: Column | None = None,
    ) -> pl.Expr:
        """Why a row is bad; null for a good row."""

        def of_batch(batch: Any) -> pl.Series:
            return pl.Series(batch.errors, dtype=pl.String)

        return self._map(
            of_batch, pl.String(), encoding, "null", ref=ref, n_units=n_units,
            ref_labels=ref_labels, hyp_labels=hyp_labels,
        )  # fmt: skip

    def bucket(self, buckets: int, seed: int = 0) -> pl.Expr:
        """The struct of `bucket`, `checksum_high` and `checksum_low` of a column of names."""
        dtype = pl.Struct(dict.fromkeys(BUCKET_COLUMNS, pl.Int64()))

        def run(series: pl.Series) -> pl.Series:
            names = list_texts(series.to_frame("document"), "document")
            parts = bucket_columns(names, buckets, seed)
            columns = list(map(pl.Series, BUCKET_COLUMNS, parts))
            return pl.DataFrame(columns).to_struct("bucket")

        return self._hypothesis.map_batches(run, return_dtype=dtype, is_elementwise=True)

    def _map(
        self,
        of_batch: Callable[[Any], pl.Series],
        dtype: pl.DataType,
        encoding: Encoding,
        on_error: OnError,
        **given: Column | None,
    ) -> pl.Expr:
        """Call `of_batch` with the batches; the columns beside the hypothesis have the names of a
        Layout, None is a missing column."""
        known = {name: column for name, column in given.items() if column is not None}
        layout = Layout(
            "ref", "hyp", encoding=encoding, **{name: name for name in known if name != "ref"}
        )
        columns = {"hyp": self._hypothesis, **known}  # the first one names the result

        def run(series: Any) -> pl.Series:
            frame = pl.DataFrame(
                [column.alias(name) for column, name in zip(series, columns, strict=True)]
            )
            parts = [of_batch(batch) for batch in pair_batches(frame, layout, on_error)]
            if not parts:
                return pl.Series([], dtype=dtype)
            return parts[0] if len(parts) == 1 else pl.concat(parts)

        expressions = [
            pl.col(column) if isinstance(column, str) else column for column in columns.values()
        ]
        return pl.map_batches(expressions, run, return_dtype=dtype, is_elementwise=True)
