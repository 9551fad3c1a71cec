"""`ss.score_frame` for Spark (3.5 or 4), by `mapInArrow`.

Workers need segscore, pyarrow and pandas installed. Errors arrive as Spark's PythonException with
our message inside.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from segscore.engines.row_scores import RowScores, with_columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def with_scores(df: "DataFrame", rows: RowScores) -> "DataFrame":
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
