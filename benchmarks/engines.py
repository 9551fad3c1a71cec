"""Engines: what scoring costs beside reading, of a Parquet file of 1,000,000 documents.

20-200 units, about 9 boundaries a side. The measure is what the engine takes to read the same
columns and to look at every list once; CPU seconds of all threads.
"""

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
from pyarrow import parquet

import segscore as ss
from benchmarks.timing import best_of, print_table, times
from segscore.engines import duckdb as segscore_duckdb
from segscore.engines.parquet import open_batches, summed_files
from segscore.engines.score_frame import RowScores
from segscore.metrics import addable_metrics
from segscore.pairing.arrow_reading import Layout

DOCUMENTS = 1_000_000
COLUMNS = ["ref", "hyp", "n"]


def write_documents(path: Path, n: int, seed: int = 0, step: int = 100_000) -> None:
    """Random documents, in row groups of 100,000."""
    rng = np.random.default_rng(seed)
    writer = None
    for first in range(0, n, step):
        rows = min(step, n - first)
        units = rng.integers(20, 201, rows)
        columns = {"doc": pa.array([f"document {first + i}" for i in range(rows)])}
        for side in ("ref", "hyp"):
            columns[side] = _lists(rng, units)
        columns["n"] = pa.array(units, pa.int32())
        columns["genre"] = pa.array(rng.integers(0, 20, rows), pa.int16())
        table = pa.table(columns)
        writer = writer or parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def _lists(rng: np.random.Generator, units: np.ndarray) -> pa.ListArray:
    """About 9 ascending positions for each document."""
    marks = rng.random(int((units - 1).sum())) < 9 / 109
    starts = np.concatenate(([0], np.cumsum(units - 1)))
    found = np.flatnonzero(marks)
    offsets = np.searchsorted(found, starts)
    owner = np.repeat(np.arange(len(units)), np.diff(offsets))
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.array(1 + found - starts[owner], pa.int32())
    )


def run() -> None:
    """Read, and score."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "documents.parquet"
        write_documents(path, DOCUMENTS)
        rows = [
            _row("Parquet batches", lambda: _read(path), lambda: _scored(path, 1)),
            _row("… 4 metrics", lambda: _read(path), lambda: _scored(path, 4)),
            _row("Polars, streaming", lambda: _polars(path, False), lambda: _polars(path, True)),
            _row("DuckDB", lambda: _duckdb(path, False), lambda: _duckdb(path, True)),
        ]
        title = f"Engines: {DOCUMENTS:,} documents (CPU seconds)"
        print_table(title, ["", "reading", "all", "all / reading"], rows)


def _row(name: str, read: Callable[[], object], whole: Callable[[], object]) -> list[str]:
    before, after = best_of(3, read, whole, clock=time.process_time)
    return [name, f"{before:.2f}", f"{after:.2f}", times(after / before)]


def _read(path: Path) -> None:
    for batch in open_batches(path, COLUMNS):
        batch.validate()


def _scored(path: Path, n_metrics: int) -> None:
    metrics = addable_metrics(["windowdiff", "pk", "f1", "b"][:n_metrics])
    rows = RowScores(Layout("ref", "hyp", "n"), metrics, statistics=True)
    ss.Result.from_sums(summed_files([path], {"": rows})[0])


def _polars(path: Path, score: bool) -> None:
    lazy = pl.scan_parquet(path)
    looked = pl.col("ref").list.sum() + pl.col("hyp").list.sum() + pl.col("n")
    if score:
        lazy = ss.score_frame(lazy, "ref", "hyp", "n", metrics="windowdiff")
        looked = pl.col("windowdiff")
    lazy.group_by("genre").agg(looked.mean()).collect(engine="streaming")


def _duckdb(path: Path, score: bool) -> None:
    with duckdb.connect() as con:
        segscore_duckdb.register(con, "windowdiff")
        looked = "list_sum(ref) + list_sum(hyp) + n"
        value = """segscore(ref, hyp, n, doc)."windowdiff.value" """ if score else looked
        con.sql(f"SELECT genre, avg({value}) FROM '{path}' GROUP BY genre").fetchall()  # noqa: S608


__all__ = ["run", "write_documents"]
