"""Polars, DuckDB, Spark and files: one map over batches, sums by each engine's own GROUP BY."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import segscore as ss
from arrow_columns import table
from child_processes import python
from needs import needs
from segscore.engines import duckdb as ss_duckdb
from segscore.engines.parquet import summed_files
from segscore.engines.score_frame import RowScores
from segscore.metrics import addable_metrics
from segscore.pairing.arrow_reading import Layout
from segscore.significance.drawing import MANY
from strategies import random_documents

pytestmark = needs("arrow", "duckdb", "polars")

METRICS = ["windowdiff", "b(n_t=5)", "f1(tolerance=1)"]
ASKED: dict[str, Any] = {"metrics": METRICS, "statistics": True}
BAD = pl.DataFrame(
    {"ref": [[1], [7], None, [2]], "hyp": [[2], [1], [1], [2]], "n": [4] * 4, "doc": list("abcd")}
)


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    """Shuffled documents of three genres, more than are compared one by one."""
    refs, hyps = random_documents(2050)
    part = pl.from_arrow(table(refs, hyps)).drop("doc")
    assert isinstance(part, pl.DataFrame)
    whole = pl.concat([part] * 10)
    n = len(whole)
    assert n > MANY
    whole = whole.with_columns(
        doc=pl.int_range(n).cast(pl.String) + " ü",
        genre=pl.int_range(n) % 3,
        near=pl.when(pl.int_range(n) % 4 > 0).then("ref").otherwise("hyp"),
    )
    return whole.sample(fraction=1.0, shuffle=True, seed=1)


def on_polars(frame: pl.DataFrame) -> Any:
    rows = [
        ss.score_frame(frame.lazy(), "ref", side, "n", "doc", **ASKED).select(
            "genre", "bucket", pl.col(pl.Float64), system=pl.lit(side)
        )
        for side in ("hyp", "near")
    ]
    sums = pl.concat(rows).group_by("system", "genre", "bucket").agg(pl.col(pl.Float64).sum())
    return sums.collect(engine="streaming")


def on_duckdb(frame: pl.DataFrame) -> Any:
    with duckdb.connect() as con:
        ss_duckdb.register(con, METRICS)
        con.register("documents", frame.to_arrow())
        rows = " UNION ALL ".join(
            f"SELECT '{side}' AS system, genre, unnest(segscore(ref, {side}, n, doc)) FROM documents"  # noqa: S608
            for side in ("hyp", "near")
        )
        sums = con.sql(
            f"SELECT system, genre, bucket, sum(COLUMNS(* EXCLUDE (system, genre, bucket))) "  # noqa: S608
            f"FROM ({rows}) GROUP BY system, genre, bucket"
        )
        return sums.to_arrow_table()


def on_files(frame: pl.DataFrame, folder: Path) -> Any:
    paths = []
    for number, part in enumerate(frame.iter_slices(9000)):
        paths.append(folder / f"{number}.parquet")
        part.write_parquet(paths[-1])
    scores = {
        side: RowScores(Layout("ref", side, "n", "doc"), addable_metrics(METRICS), statistics=True)
        for side in ("hyp", "near")
    }
    sums, n_bad = summed_files(paths, scores, buckets=True)
    assert set(n_bad.values()) == {0}
    return sums


def in_memory(frame: pl.DataFrame) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    names, units = frame["doc"].to_list(), frame["n"].to_list()

    def side(name: str) -> dict[str, Any]:
        each = zip(names, frame[name].to_list(), units, strict=True)
        return {doc: ss.Segmentation.from_boundaries(cut, n) for doc, cut, n in each}

    return side("ref"), {name: side(name) for name in ("hyp", "near")}


@pytest.fixture(scope="module")
def expected(frame: pl.DataFrame) -> tuple[Any, Any]:
    refs, systems = in_memory(frame)
    scored = {name: ss.score(refs, hyps, METRICS) for name, hyps in systems.items()}
    how: Any = {"metrics": METRICS, "baselines": (), "n_resamples": 300, "rng": 3}
    return scored, ss.compare(refs, systems=systems, **how)


def same_numbers(sums: Any, expected: tuple[Any, Any]) -> None:
    """Counts are equal, the rest to 1e-12: averages, intervals, tests."""
    scored, compared = expected
    result = ss.Result.from_sums(sums)
    for system, scores in scored.items():
        for metric in METRICS:
            found, wanted = result.system(system)[metric], scores[metric]
            assert found.n_documents == wanted.n_documents
            assert found.n_undefined == wanted.n_undefined
            assert found.micro == pytest.approx(wanted.micro, rel=1e-12)
            assert found.macro == pytest.approx(wanted.macro, rel=1e-12)
            assert found.micro.signature == wanted.micro.signature
            if metric != "b(n_t=5)":  # whose statistics are not whole numbers
                assert found.micro.statistics == wanted.micro.statistics
    comparison = ss.compare(sums, n_resamples=300, rng=3)
    assert comparison.describe() == compared.describe()
    for entry, other in zip(comparison.entries, compared.entries, strict=True):
        for field in ("system", "rank", "letters", "n_undefined"):
            assert getattr(entry, field) == getattr(other, field)
        for field in ("value", "low", "high"):
            assert getattr(entry, field) == pytest.approx(getattr(other, field), rel=1e-11)
        assert entry.wins is None
    for pair, other in zip(comparison.pairs, compared.pairs, strict=True):
        assert (pair.p, pair.significant) == (other.p, other.significant)
    with pytest.raises(ss.SegmentationError, match="one by one"):
        ss.compare(sums, test="t")
    name = comparison.systems[0]
    with pytest.raises(ss.SegmentationError, match="listed twice"):
        ss.compare(sums, systems=[name, name])


def test_polars(frame: pl.DataFrame, expected: Any) -> None:
    same_numbers(on_polars(frame), expected)
    by_genre = ss.Result.from_sums(on_polars(frame), by="genre")
    refs, systems = in_memory(frame.filter(genre=1))
    wanted = ss.score(refs, systems["hyp"], METRICS)
    assert by_genre.groups == [("0",), ("1",), ("2",)]
    found = by_genre.group("1").system("hyp")
    for metric in METRICS:
        assert found[metric].micro == pytest.approx(wanted[metric].micro, rel=1e-12)


def test_duckdb(frame: pl.DataFrame, expected: Any) -> None:
    same_numbers(on_duckdb(frame), expected)


def test_files(frame: pl.DataFrame, expected: Any, tmp_path: Path) -> None:
    same_numbers(on_files(frame, tmp_path), expected)


def test_rows_and_parts_are_sums_too(frame: pl.DataFrame) -> None:
    """Whoever adds up how much: rows, sums of two workers, sums; in any frame."""
    few = frame.head(500)
    rows = ss.score_frame(few, "ref", "hyp", "n", "doc", **ASKED)
    workers = [part.group_by("bucket").agg(pl.col(pl.Float64).sum()) for part in
               (rows[:200], rows[200:])]  # fmt: skip
    whole = rows.group_by("bucket").agg(pl.col(pl.Float64).sum())
    expected = ss.Result.from_sums(rows)
    for sums in (pl.concat(workers), whole, whole.to_pandas(), whole.to_arrow(), rows.to_pandas()):
        found = ss.Result.from_sums(sums)
        for metric in METRICS:
            assert found[metric].micro == pytest.approx(expected[metric].micro, rel=1e-14)
        assert ss.compare(sums, n_resamples=50).n_documents == 500


def test_clusters_share_a_bucket(frame: pl.DataFrame) -> None:
    rows = ss.score_frame(frame, "ref", "hyp", "n", "doc", cluster="genre", **ASKED)
    assert rows.group_by("genre").agg(pl.col("bucket").n_unique())["bucket"].to_list() == [1] * 3
    rows = rows.rename({"doc": "document"})
    for n in (len(rows), 100):  # few documents are not torn from their cluster either
        found = ss.compare(rows[:n], n_resamples=50)
        assert (found.drawn, found.n_documents) == ("3 buckets of documents", n)
    with pytest.raises(ss.SegmentationError, match="cluster is null"):
        ss.score_frame(frame.with_columns(c=pl.lit(None, pl.String)), "ref", "hyp", "n",
                       cluster="c", **ASKED)  # fmt: skip


def test_bad_rows_on_polars() -> None:
    lazy = ss.score_frame(BAD.lazy(), "ref", "hyp", "n", "doc", metrics="windowdiff")
    with pytest.raises(ss.SegmentationError, match="document 'b': the reference has a boundary"):
        lazy.collect()
    good = lazy.filter(pl.col("doc") == "d").collect()  # the filter goes first
    assert good["windowdiff"].to_list() == [0.0]
    lenient = ss.score_frame(BAD.lazy(), "ref", "hyp", "n", "doc", on_error="null", **ASKED)
    rows = lenient.collect()
    assert rows["windowdiff.value"].to_list() == [pytest.approx(2 / 3), None, None, 0.0]
    assert rows["error"].is_null().to_list() == [True, False, False, True]
    assert ss.Result.from_sums(rows)["windowdiff"].n_documents == 2
    assert lenient.filter(doc="x").collect().height == 0
    with pytest.raises(ss.SegmentationError, match="'error'"):
        ss.score_frame(rows.lazy(), "ref", "hyp", "n", "doc", on_error="null")


# ---- Spark ----


@pytest.fixture(scope="module")
def spark() -> Any:
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java")
    sql = pytest.importorskip("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # workers are this Python, too
    session = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.memory", "1g")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_spark(spark: Any, frame: pl.DataFrame, expected: Any, tmp_path: Path) -> None:
    from pyspark.sql import functions as sql

    frame.write_parquet(tmp_path / "documents.parquet")
    df = spark.read.parquet(str(tmp_path / "documents.parquet")).repartition(3)
    parts = [
        ss.score_frame(df, "ref", side, "n", "doc", **ASKED)
        .drop("hyp", "near")
        .withColumn("system", sql.lit(side))
        for side in ("hyp", "near")
    ]
    rows = parts[0].unionByName(parts[1])
    sums = [sql.sum(f"`{name}`").alias(name) for name, kind in rows.dtypes if kind == "double"]
    same_numbers(rows.groupBy("system", "bucket").agg(*sums).toArrow(), expected)
    BAD.write_parquet(tmp_path / "bad.parquet")
    bad = spark.read.parquet(str(tmp_path / "bad.parquet"))
    with pytest.raises(Exception, match="the reference"):
        ss.score_frame(bad, "ref", "hyp", "n", "doc").collect()
    lenient = ss.score_frame(bad, "ref", "hyp", "n", "doc", on_error="null", **ASKED).collect()
    assert {row["doc"]: row["error"] for row in lenient}["c"] == "the reference is null"


# ---- without, and very large ----


def test_baselines_of_very_long_documents(tmp_path: Path) -> None:
    """NumPy draws places among more than 10,000 in another way."""
    path = tmp_path / "long.parquet"
    frame = pl.DataFrame({"ref": [[5], [10], []], "n": [50_000, 20, 1], "doc": ["a", "b", "c"]})
    frame.write_parquet(path)
    scores = {"x": RowScores(Layout("ref", "ref", "n", "doc"), addable_metrics("windowdiff"), True)}
    names = ["none", "random", "random-ks12", "uniform"]
    sums, _ = summed_files([path], scores, baselines=names, seed=1, buckets=True)
    found = ss.Result.from_sums(sums)
    assert found.systems == sorted([*names, "x"])
    assert all(np.isfinite(found.system(name)["windowdiff"].micro) for name in names)


COMPARE = """
import sys
columns = ["--read", "reference=ref", "--read", "n-units=n", "--read", "document=doc"]
if sys.argv[2:]:
    from pathlib import Path
    from benchmarks.engines import write_documents
    write_documents(Path(sys.argv[1]), int(sys.argv[2]))
else:
    from segscore.cli import run
    run(["compare", sys.argv[1], *columns, "--read", "systems=hyp,ref", "-m", "pk", "-m", "b"])
"""


@pytest.mark.slow
def test_two_million_rows_are_compared_in_300_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "documents.parquet"
    python(COMPARE, path, 2_000_000)
    ended = python(COMPARE, path)
    assert "2,000,000 documents" in ended.out
    assert ended.peak <= 300
