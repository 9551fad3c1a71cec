"""`ss.score_frame` for Polars: eager frames, and lazy ones, which stream.

The new columns of a lazy frame are one elementwise expression: streaming calls it batch by batch,
and filters are pushed below it, so that a bad row that is filtered out never raises.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from segscore.engines.row_scores import RowScores
from segscore.errors import needing

with needing("polars", "a Polars frame"):
    import polars as pl

TYPES: dict[type, Any] = {int: pl.Int64(), float: pl.Float64(), str: pl.String()}
_STRUCT = "segscore.score_frame"  # the column that holds the new ones until they are unpacked


def with_scores(frame: Any, rows: RowScores) -> Any:
    """A frame, eager or lazy, with the new columns; NaN becomes null."""
    rows.check(frame.collect_schema().names())
    if not isinstance(frame, pl.LazyFrame):
        return frame.with_columns(_series(frame, rows)).drop(rows.dropped)
    alone = replace(rows, threads=1)  # Polars has threads of its own

    def run(columns: Sequence[pl.Series]) -> pl.Series:
        named = zip(columns, rows.columns_read, strict=True)
        batch = pl.DataFrame([column.alias(name) for column, name in named])
        return pl.DataFrame(_series(batch, alone)).to_struct(_STRUCT)

    dtype = pl.Struct({name: TYPES[kind] for name, kind in rows.kinds.items()})
    columns = [pl.col(name) for name in rows.columns_read]
    scores = pl.map_batches(columns, run, return_dtype=dtype, is_elementwise=True)
    return frame.with_columns(scores.alias(_STRUCT)).unnest(_STRUCT).drop(rows.dropped)


def _series(frame: pl.DataFrame, rows: RowScores) -> list[pl.Series]:
    return [
        pl.Series(name, column, TYPES[rows.kinds[name]], nan_to_null=rows.kinds[name] is float)
        for name, column in rows.of(frame).items()
    ]
