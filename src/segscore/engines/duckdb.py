"""Metrics as a DuckDB function (needs pyarrow).

    from segscore.engines import duckdb as segscore_duckdb

    segscore_duckdb.register(con, ["windowdiff", "b"])
    con.sql("SELECT avg(s.windowdiff.value) FROM (SELECT segscore(ref, hyp, n) AS s FROM data)")

One function gives all metrics at once, as a struct with a struct per metric (its statistics,
`value`, `defined`) and the `error` of a bad row. An undefined document has a null value, which AVG
skips. Sums by group go into `Accumulator.from_arrow`.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from segscore.engines.arrow import (
    BUCKET_COLUMNS,
    StatisticsWriter,
    bucket_columns,
    fields_of,
    pair_batches,
)
from segscore.errors import needing
from segscore.metrics import DEFAULT_METRICS, addable_metrics
from segscore.pairing.arrow_reading import Layout, list_texts
from segscore.pairing.list_columns import Encoding, OnError

if TYPE_CHECKING:
    import duckdb


def register(
    con: "duckdb.DuckDBPyConnection",
    metrics: Any = DEFAULT_METRICS,
    name: str = "segscore",
    *,
    encoding: Encoding = "boundaries",
    on_error: OnError = "raise",
    labels: bool = False,
) -> None:
    """Register `name(ref, hyp, n_units)` with a connection; the arguments are two lists and a
    number.

    With `labels` the function is `name(ref, hyp, n_units, ref_labels, hyp_labels)`; the last two
    are lists of texts, one label per segment, for metrics that compare them.

    A bad row raises (DuckDB's InvalidInputException, with our message); with `on_error="null"` its
    structs are null and `error` says why. The function also receives nulls, so that good rows
    beside them keep their values.
    """
    with needing("duckdb", "a function of DuckDB"):
        import pyarrow as pa

    chosen = addable_metrics(metrics)
    writer = StatisticsWriter(chosen, (), None, 0)
    layout = Layout("ref", "hyp", "n", None, encoding)
    types = ["BIGINT[]", "BIGINT[]", "BIGINT"]
    if labels:
        layout = replace(layout, ref_labels="ref_labels", hyp_labels="hyp_labels")
        types += ["VARCHAR[]", "VARCHAR[]"]

    def score(*columns: Any) -> Any:
        frame = pa.table(list(columns), names=layout.columns)
        parts = [
            writer.write(batch).drop_columns("documents").to_struct_array()
            for batch in pair_batches(frame, layout, on_error)
        ]
        return pa.concat_arrays(parts)

    def run(ref: Any, hyp: Any, n_units: Any) -> Any:
        return score(ref, hyp, n_units)

    def run_labels(ref: Any, hyp: Any, n_units: Any, ref_labels: Any, hyp_labels: Any) -> Any:
        return score(ref, hyp, n_units, ref_labels, hyp_labels)

    structs = [
        f'"{key}" STRUCT({", ".join(f"{_quoted(field)} DOUBLE" for field in fields_of(metric))})'
        for key, metric in chosen.items()
    ]
    _functions(con).create_function(
        name,
        run_labels if labels else run,
        types,
        f"STRUCT({', '.join([*structs, 'error VARCHAR'])})",
        type="arrow",
        null_handling="special",
    )


def register_bucket(
    con: "duckdb.DuckDBPyConnection",
    buckets: int,
    seed: int = 0,
    name: str = "segscore_bucket",
) -> None:
    """Register `name(document)`, which returns a struct of `bucket`, `checksum_high` and
    `checksum_low`."""
    with needing("duckdb", "a function of DuckDB"):
        import pyarrow as pa

    def run(document: Any) -> Any:
        texts = list_texts(pa.table([document], names=["document"]), "document")
        arrays = [pa.array(column) for column in bucket_columns(texts, buckets, seed)]
        return pa.StructArray.from_arrays(arrays, names=list(BUCKET_COLUMNS))

    _functions(con).create_function(
        name,
        run,
        ["VARCHAR"],
        f"STRUCT({', '.join(f'{column} BIGINT' for column in BUCKET_COLUMNS)})",
        type="arrow",
    )


def _functions(con: "duckdb.DuckDBPyConnection") -> Any:
    """The connection; types are passed to it as texts, which its stubs do not allow."""
    return con


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
