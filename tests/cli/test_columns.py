"""Parquet and Arrow files on the command line."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import segscore as ss
from arrow_columns import table
from command_line import segscore
from needs import needs
from strategies import random_documents

pytestmark = needs("arrow", "polars")

COLUMNS = ["--read", "reference=ref", "--read", "n-units=n"]


@pytest.fixture
def data(tmp_path: Path) -> tuple[Path, Any, Any]:
    refs, hyps = random_documents(300)
    frame = table(refs, hyps).append_column("genre", pa.array(["news", "talk", "talk"] * 100))
    frame = frame.append_column("better", frame["ref"])
    parquet.write_table(frame, tmp_path / "data.parquet", row_group_size=70)
    with pa.ipc.new_file(str(tmp_path / "data.arrow"), frame.schema) as writer:
        writer.write_table(frame, max_chunksize=64)
    return tmp_path, refs, hyps


@pytest.mark.parametrize("name", ["data.parquet", "data.arrow"])
def test_score(data: Any, name: str) -> None:
    folder, refs, hyps = data
    done = segscore(
        "score", folder / name, *COLUMNS, "--read", "hypothesis=hyp", "-m", "windowdiff", "-m",
        "b", "-f", "json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    expected = ss.score(refs, hyps, ["windowdiff", "b"])
    for row in json.loads(done.stdout):
        assert row["micro"] == pytest.approx(expected[row["metric"]].micro, rel=1e-12)
        assert row["macro"] == pytest.approx(expected[row["metric"]].macro, rel=1e-12)
        assert row["documents"] == 300


def test_groups_with_intervals(data: Any) -> None:
    folder, refs, hyps = data
    done = segscore(
        "score", folder / "data.parquet", *COLUMNS, "--read", "hypothesis=hyp", "--read", "by=genre",
        "--read", "document=doc", "-m", "pk", "-f", "json",
    )  # fmt: skip
    news, talk = json.loads(done.stdout)
    assert (news["genre"], talk["genre"]) == ("news", "talk")
    assert news["micro"] == ss.score(refs[::3], hyps[::3], "pk")["pk"].micro
    assert news["low"] < news["micro"] < news["high"]


def test_several_files_are_one(data: Any) -> None:
    folder, *_ = data
    whole, asked = pl.read_parquet(folder / "data.parquet"), [*COMPARED, "-m", "pk", "-f", "json"]
    paths = []
    for number, part in enumerate(np.array_split(np.random.default_rng(0).permutation(300), 3)):
        paths.append(folder / f"part{number}.parquet")
        whole[part.tolist()].write_parquet(paths[-1])
    done = segscore("compare", *paths, *asked, "--no-scale")
    assert done.returncode == 0, done.stderr
    once = segscore("compare", folder / "data.parquet", *asked, "--no-scale")
    assert json.loads(done.stdout) == json.loads(once.stdout)
    twice = segscore("compare", paths[0], paths[0], *asked)
    assert (twice.returncode, "listed 2 times" in twice.stderr) == (2, True)


def test_bad_rows_are_left_out_for_all_systems(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    columns = {"ref": [[2]] * 4, "a": [[2], [9], [3], [2]], "b": [[3], [2], [2], [2]]}
    pl.DataFrame({**columns, "n": [8] * 4, "doc": list("wxyz")}).write_parquet(path)
    keys = [*COLUMNS, "--read", "systems=a,b", "--read", "document=doc"]
    options = [*keys, "-m", "pk", "-f", "json"]
    done = segscore("compare", path, *options, "--read", "on-error=skip", "--no-scale")
    assert done.returncode == 0, done.stderr
    assert "1 rows could not be read" in done.stderr
    assert [row["system"] for row in json.loads(done.stdout)] == ["a", "b"]


def test_bad_input(data: Any) -> None:
    folder, *_ = data
    path = folder / "data.parquet"
    (folder / "no.parquet").write_bytes(b"PAR1 nothing")
    bad = pl.DataFrame({"ref": [[1], [9]], "hyp": [[1], [1]], "n": [4, 4], "doc": ["x", "y"]})
    bad.write_parquet(folder / "bad.parquet")
    pl.DataFrame({"ref": [[]], "hyp": [[]], "n": [7]}).write_parquet(folder / "none_cut.parquet")
    every = [*COLUMNS, "--read", "hypothesis=hyp"]
    for arguments, message in (
        (["score", path], "reference=.* is missing"),
        (["score", path, "--read", "reference=ref"], "hypothesis=.* is missing"),
        (
            ["score", path, *every, "--read", "by=genres"],
            "no column 'genres' .did you mean 'genre'",
        ),
        (["score", path, *every, "--read", "cluster=genre"], "cluster=COLUMN"),
        (["score", path, *every, "--read", "marks=end"], "marks: for files"),
        (["compare", path, *COLUMNS, "--read", "systems=hyp", "--read", "by=genre"], "by=COLUMN"),
        (["score", path, *every, "--per-document"], "--per-document.* not for"),
        (["score", folder / "none.parquet", *every], "there is no file"),
        (["score", folder / "none_cut.parquet", *every, "-m", "f1"], "f1 is undefined"),
        (["score", folder / "no.parquet", *every], "cannot be read"),
        (
            ["score", folder / "bad.parquet", *every, "--read", "document=doc"],
            "document 'y'.*boundary outside",
        ),
        (["compare", path, *COLUMNS], "systems=.* is missing"),
        (["compare", path, *COLUMNS, "--read", "systems=hyp"], "document=.* is missing"),
        (["score", __file__, __file__, "--read", "by=x"], "Parquet.*Arrow"),
    ):
        done = segscore(*arguments)
        assert done.returncode == 2, (arguments, done)
        assert len(done.stderr.strip().splitlines()) == 1
        assert re.search(message, done.stderr), done.stderr


COMPARED = [*COLUMNS, "--read", "systems=hyp,better", "--read", "document=doc", "--resamples", 200]


def test_compare_has_baselines(data: Any) -> None:
    """They are those of the same documents in memory; chance draws other places."""
    folder, refs, hyps = data
    names = [f"d{i}" for i in range(300)]
    expected = ss.compare(
        dict(zip(names, refs, strict=True)),
        systems={"hyp": dict(zip(names, hyps, strict=True))},
        metrics=["pk", "b"],
        n_resamples=50,
    )
    asked = ["-m", "pk", "-m", "b", "-f", "json"]
    done = segscore("compare", folder / "data.parquet", *COMPARED, *asked)
    rows = {row["system"]: row for row in json.loads(done.stdout)}
    assert list(rows) == ["hyp", "better", "none", "random", "uniform"]
    assert rows["uniform"]["kind"] == "baseline"
    for name in ("hyp", "none", "uniform"):
        for metric in ("pk", "b"):
            assert rows[name][metric] == pytest.approx(expected[name, metric].value, rel=1e-15)
    for metric in ("pk", "b"):
        value = expected["random", metric].value
        assert rows["random"][metric] == pytest.approx(value, abs=0.04)
    none = segscore("compare", folder / "data.parquet", *COMPARED, *asked, "--no-scale")
    assert [row["system"] for row in json.loads(none.stdout)] == ["hyp", "better"]


def test_gates_of_scores(data: Any) -> None:
    folder, refs, hyps = data
    given = ["score", folder / "data.parquet", *COLUMNS, "--read", "hypothesis=hyp", "-m", "pk"]
    value = float(ss.score(refs, hyps, "b")["b"].micro)
    passed = segscore(*given, "--fail-under", f"b={value - 0.01}", "--fail-over", "pk=0.9")
    assert passed.returncode == 0, passed.stderr
    assert "b²" in passed.stdout.split()  # a metric that only a limit names is scored
    done = segscore(*given, "--fail-under", f"b={value + 0.01}")
    assert done.returncode == 1
    assert re.search(f"hyp.*micro.*{value:.4f}.*below", done.stderr)
