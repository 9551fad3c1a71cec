"""Polars, DuckDB and Spark give one table of buckets, and the numbers of `ss.score`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import segscore as ss
import segscore.engines.polars
from arrow_columns import table
from needs import needs
from segscore.engines import duckdb as ss_duckdb
from segscore.engines.arrow import Layout, accumulate
from segscore.scoring.accumulator import Accumulator
from strategies import random_documents

pytestmark = needs("arrow", "duckdb", "polars")

METRICS = ["windowdiff", "b(n_t=5)", "f1(tolerance=1)"]
LAYOUT = Layout("ref", "hyp", "n", "doc")
BUCKETS = 64
SEED = 5
BAD = pl.DataFrame(
    {
        "ref": [[1], [7], None, [2]],
        "hyp": [[2], [1], [1], [2]],
        "n": [4, 4, 4, 4],
        "doc": list("abcd"),
    }
)


def quoted(name: str) -> str:
    return '"' + name + '"'


@pytest.fixture(scope="module")
def frame(request: pytest.FixtureRequest) -> pl.DataFrame:
    """Shuffled documents of three genres; 300,000 with --full, else fewer."""
    n = 300_000 if request.config.getoption("--full") else 6_000
    refs, hyps = random_documents(2000)
    part = pl.from_arrow(table(refs, hyps)).drop("doc")
    assert isinstance(part, pl.DataFrame)
    whole = pl.concat([part] * (n // 2000)).with_columns(
        doc=pl.int_range(n).cast(pl.String) + " ü", genre=pl.int_range(n) % 3
    )
    return whole.sample(fraction=1.0, shuffle=True, seed=1)


@pytest.fixture(scope="module")
def expected(frame: pl.DataFrame) -> Accumulator:
    total = Accumulator(METRICS, by="genre", buckets=BUCKETS, seed=SEED)
    accumulate(total, frame, LAYOUT)
    return total


def same_buckets(found: Any, expected: Accumulator) -> None:
    """One table of buckets: counts and integral sums exactly, others at rounding level."""
    total = Accumulator.from_arrow(found, METRICS, by="genre", buckets=BUCKETS, seed=SEED)
    assert total.groups == expected.groups
    for group in expected.groups:
        cell, other = total.cell(group, ""), expected.cell(group, "")
        assert (cell.n_documents, cell.checksum) == (other.n_documents, other.checksum)
        keys, rows = cell.units()
        other.fold()
        wanted, sums = other.units()
        assert np.array_equal(keys, wanted)
        whole = expected.span("windowdiff")
        assert np.array_equal(
            rows[:, whole.start : whole.stop - 2], sums[:, whole.start : whole.stop - 2]
        )
        assert np.allclose(rows, sums, rtol=1e-12, atol=0)
    for average, other in zip(total.result().averages, expected.result().averages, strict=True):
        assert average.micro == pytest.approx(other.micro, rel=1e-12)
        assert average.macro == pytest.approx(other.macro, rel=1e-12)


# ---- Polars ----


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars(frame: pl.DataFrame, expected: Accumulator, engine: Any) -> None:
    rows = frame.lazy().select(
        "genre",
        pl.col("doc").seg.bucket(BUCKETS, SEED).alias("b"),
        pl.col("hyp").seg.statistics(METRICS, ref="ref", n_units="n").alias("s"),
    )
    fields = {
        metric: [*ss.metric(metric).statistic_names, "value", "defined"] for metric in METRICS
    }
    sums = (
        rows.unnest("b")
        .group_by("genre", "bucket")
        .agg(
            pl.col("checksum_high", "checksum_low").sum(),
            pl.len().alias("documents"),
            *(
                pl.struct(
                    pl.col("s").struct.field(metric).struct.field(name).sum().alias(name)
                    for name in names
                ).alias(metric)
                for metric, names in fields.items()
            ),
        )
    )
    same_buckets(sums.collect(engine=engine), expected)


def test_polars_values_and_bad_rows() -> None:
    value = pl.col("hyp").seg.value("windowdiff", ref="ref", n_units="n", document="doc")
    good = BAD.filter(pl.col("doc").is_in(["a", "d"]))
    assert good.select(value).to_series().to_list() == [pytest.approx(2 / 3), 0.0]
    assert good.select(value).columns == ["hyp"]
    with pytest.raises(ss.SegmentationError, match="document 'b': the reference has a boundary"):
        BAD.select(value)
    lazy = BAD.lazy().with_columns(x=value).filter(pl.col("doc") == "d")
    assert lazy.collect()["x"].to_list() == [0.0]  # the filter goes first: bad rows never raise
    null = pl.col("hyp").seg.value("windowdiff", ref="ref", n_units="n", on_error="null")
    why = pl.col("hyp").seg.error(ref="ref", n_units="n")
    found = BAD.select(null.alias("x"), why.alias("why"))
    assert found["x"].to_list() == [pytest.approx(2 / 3), None, None, 0.0]
    assert found["why"].to_list() == [
        None, "the reference has a boundary outside 1 … N-1", "the reference is null", None,
    ]  # fmt: skip
    struct = pl.col("hyp").seg.statistics("pk", ref="ref", n_units="n", on_error="null")
    assert BAD.select(struct.alias("s"))["s"].is_null().to_list() == [False, True, True, False]
    assert BAD.clear().select(null.alias("x"))["x"].to_list() == []


def test_streaming_calls_batch_by_batch(frame: pl.DataFrame) -> None:
    sizes: list[int] = []
    original = segscore.engines.polars.pair_batches

    def counted(data: Any, *rest: Any) -> Any:
        sizes.append(len(data))
        return original(data, *rest)

    value = pl.col("hyp").seg.value("windowdiff", ref="ref", n_units="n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segscore.engines.polars, "pair_batches", counted)
        many = pl.concat([frame] * (1 + 400_000 // len(frame))).lazy()
        found = many.select(value.mean()).collect(engine="streaming").item()
    assert max(sizes) < 400_000
    assert found == pytest.approx(
        ss.score_frame(frame, "ref", "hyp", "n", metrics="windowdiff")["windowdiff"].mean()
    )


# ---- DuckDB ----


@pytest.fixture
def con() -> Any:
    with duckdb.connect() as connection:
        yield connection


def test_duckdb(con: Any, frame: pl.DataFrame, expected: Accumulator) -> None:
    ss_duckdb.register(con, METRICS)
    ss_duckdb.register_bucket(con, BUCKETS, SEED)
    con.register("documents", frame.to_arrow())
    structs = ", ".join(
        "struct_pack("
        + ", ".join(f"{quoted(name)} := sum(s.{quoted(metric)}.{quoted(name)})" for name in names)
        + f") AS {quoted(metric)}"
        for metric, names in (
            (metric, [*ss.metric(metric).statistic_names, "value", "defined"]) for metric in METRICS
        )
    )
    sums = con.sql(
        f"""SELECT genre, b.bucket, sum(b.checksum_high)::BIGINT AS checksum_high,
        sum(b.checksum_low)::BIGINT AS checksum_low, count(*) AS documents, {structs}
        FROM (SELECT genre, segscore_bucket(doc) AS b, segscore(ref, hyp, n) AS s FROM documents)
        GROUP BY genre, b.bucket"""  # noqa: S608
    )
    same_buckets(sums.to_arrow_table(), expected)


def test_duckdb_bad_rows(con: Any) -> None:
    ss_duckdb.register(con, "windowdiff", "strict")
    ss_duckdb.register(con, "windowdiff", "lenient", on_error="null")
    con.register("documents", BAD.to_arrow())
    with pytest.raises(duckdb.InvalidInputException, match="the reference has a boundary outside"):
        con.sql("SELECT strict(ref, hyp, n) FROM documents").fetchall()
    rows = con.sql(
        "SELECT s.windowdiff.value, s.error FROM (SELECT lenient(ref, hyp, n) AS s FROM documents)"
    ).fetchall()
    assert [value for value, _ in rows] == [pytest.approx(2 / 3), None, None, 0.0]
    assert rows[2][1] == "the reference is null"
    nulls = con.sql("SELECT lenient(NULL, hyp, n).error FROM documents").fetchall()
    assert nulls == [("the reference is null",)] * 4
    undefined = con.sql("SELECT strict([], [], 1).windowdiff.value").fetchall()
    assert undefined == [(None,)]


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
def test_spark(spark: Any, frame: pl.DataFrame, expected: Accumulator, tmp_path: Any) -> None:
    from segscore.engines import spark as ss_spark

    frame.write_parquet(tmp_path / "documents.parquet")
    df = spark.read.parquet(str(tmp_path / "documents.parquet")).repartition(3)
    rows = ss_spark.statistics(df, METRICS, LAYOUT, keep=["genre"], buckets=BUCKETS, seed=SEED)
    sums = ss_spark.sums(rows, keep=["genre"])
    same_buckets(sums.toArrow(), expected)
    BAD.write_parquet(tmp_path / "bad.parquet")
    bad = spark.read.parquet(str(tmp_path / "bad.parquet"))
    with pytest.raises(Exception, match="the reference"):
        ss_spark.statistics(bad, "pk", LAYOUT).collect()
    lenient = ss_spark.statistics(bad, "pk", LAYOUT, keep=["doc"], on_error="null").collect()
    reasons = {row["doc"]: row["error"] for row in lenient}
    assert reasons["a"] is None
    assert reasons["c"] == "the reference is null"
    with pytest.raises(ss.SegmentationError, match="no lambda"):
        ss_spark.statistics(bad, ss.BoundarySimilarity(cost=lambda *_: 1.0), LAYOUT)


# ---- without ----


def test_pyarrow_is_not_needed_to_read(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import polars as pl, segscore as ss\n"
        "import segscore.engines.arrow, segscore.engines.score_frame, segscore.engines.parquet\n"
        "import segscore.engines.spark, segscore.engines.duckdb, segscore.engines.polars\n"
        "df = pl.DataFrame({'r': [[2, 5]], 'h': [[5]], 'n': [11]})\n"
        "print(ss.score_frame(df, 'r', 'h', 'n', metrics='pk')['pk'][0])\n"
        "from segscore.cli import run; import pathlib; pathlib.Path(sys.argv[1]).write_bytes(b'x')\n"
        "sys.exit(run(['score', sys.argv[1], '--reference-column', 'r', '--hypothesis-column', 'h']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "x.parquet")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("0.2"), done.stderr
    assert done.returncode == 2
    assert "pip install 'segscore[arrow]'" in done.stderr


def test_tables_of_sums_name_their_columns(expected: Accumulator) -> None:
    assert set(expected.to_arrow().column_names) >= {"genre", "bucket", "documents", *METRICS}
    assert isinstance(expected.to_arrow(), pa.Table)
