"""`ss.score_frame` as a function of DuckDB, in SQL (needs pyarrow).

from segscore.engines import duckdb as segscore_duckdb

segscore_duckdb.register(con, ["windowdiff", "b"])
con.sql('SELECT avg(s."windowdiff.value") FROM (SELECT segscore(ref, hyp, n, doc) AS s FROM t)')
"""

from dataclasses import replace
from typing import Any

from segscore.engines.score_frame import RowScores, check_written, with_columns
from segscore.errors import needing
from segscore.metrics import DEFAULT_METRICS, addable_metrics
from segscore.pairing.arrow_reading import Layout
from segscore.pairing.list_columns import OnError
from segscore.pairing.rules import Encoding

with needing("duckdb", "a function of DuckDB"):
    import duckdb
    import pyarrow as pa

TYPES = {int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}


def register(
    con: duckdb.DuckDBPyConnection,
    metrics: Any = DEFAULT_METRICS,
    name: str = "segscore",
    *,
    encoding: Encoding = "boundaries",
    on_error: OnError = "raise",
    labels: bool = False,
) -> None:
    """Register `name(ref, hyp, n_units, document)` with a connection; with `labels`
    `name(ref, hyp, n_units, document, ref_labels, hyp_labels)`.

    It gives a struct with the columns of `score_frame(…, statistics=True)`: `bucket`, `documents`,
    and for each metric its statistics, `value` and `defined`. A bad row raises (DuckDB's
    InvalidInputException, with our message); with `on_error="null"` its fields are null and `error`
    says why.
    """
    layout = Layout("ref", "hyp", "n", "doc", encoding)
    types = ["BIGINT[]", "BIGINT[]", "BIGINT", "VARCHAR"]
    if labels:
        layout = replace(layout, ref_labels="ref_labels", hyp_labels="hyp_labels")
        types += ["VARCHAR[]"] * 2
    chosen = addable_metrics(metrics)
    check_written(chosen)
    rows = RowScores(layout, chosen, statistics=True, on_error=on_error)

    def score(*columns: Any) -> Any:
        table = pa.table(list(columns), names=layout.columns)
        return with_columns(table, rows).select(list(rows.kinds)).to_struct_array()

    def unlabelled(ref: Any, hyp: Any, n: Any, doc: Any) -> Any:
        return score(ref, hyp, n, doc)

    def labelled(ref: Any, hyp: Any, n: Any, doc: Any, ref_labels: Any, hyp_labels: Any) -> Any:
        return score(ref, hyp, n, doc, ref_labels, hyp_labels)

    fields = ", ".join(f'"{field}" {TYPES[kind]}' for field, kind in rows.kinds.items())
    functions: Any = con  # types are given as texts, which its stubs do not allow
    how = {"type": "arrow", "null_handling": "special"}  # nulls come to us, beside good rows
    function = labelled if labels else unlabelled
    functions.create_function(name, function, types, f"STRUCT({fields})", **how)
