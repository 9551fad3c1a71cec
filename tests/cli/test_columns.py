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
from arrow_columns import random_documents, table
from command_line import segscore

COLUMNS = ["--reference-column", "ref", "--n-units", "n"]


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
        "score", folder / name, *COLUMNS, "--hypothesis-column", "hyp", "-m", "windowdiff", "-m",
        "b", "-f", "json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    expected = ss.score(refs, hyps, ["windowdiff", "b"])
    for row in json.loads(done.stdout):
        assert row["micro"] == expected[row["metric"]].micro
        assert row["macro"] == expected[row["metric"]].macro
        assert row["documents"] == 300


def test_groups_with_intervals(data: Any) -> None:
    folder, refs, hyps = data
    done = segscore(
        "score", folder / "data.parquet", *COLUMNS, "--hypothesis-column", "hyp", "--by", "genre",
        "--document-column", "doc", "-m", "pk", "-f", "json",
    )  # fmt: skip
    news, talk = json.loads(done.stdout)
    assert (news["genre"], talk["genre"]) == ("news", "talk")
    assert news["micro"] == ss.score(refs[::3], hyps[::3], "pk")["pk"].micro
    assert news["low"] < news["micro"] < news["high"]


def test_compare_and_merge(data: Any) -> None:
    folder, refs, hyps = data
    whole = pl.read_parquet(folder / "data.parquet")
    paths = []
    for number, part in enumerate(np.array_split(np.random.default_rng(0).permutation(300), 3)):
        whole[part.tolist()].write_parquet(folder / f"part{number}.parquet")
        paths.append(folder / f"part{number}.arrow")
        done = segscore(
            "compare", folder / f"part{number}.parquet", *COLUMNS, "--systems", "hyp,better",
            "--document-column", "doc", "-m", "pk", "--sums", paths[-1], "--resamples", 100,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    done = segscore(
        "compare", folder / "data.parquet", *COLUMNS, "--systems", "hyp,better",
        "--document-column", "doc", "-m", "pk", "-f", "json",
    )  # fmt: skip
    rows = {row["system"]: row for row in json.loads(done.stdout)}
    assert rows["better"]["pk"] == 0
    assert rows["hyp"]["pk"] == ss.score(refs, hyps, "pk")["pk"].micro
    done = segscore(
        "accumulate", "merge", *reversed(paths), "-f", "json", "--sums", folder / "all.arrow"
    )
    assert done.returncode == 0, done.stderr
    merged = {row["system"]: row for row in json.loads(done.stdout)}
    assert merged["hyp"]["micro"] == rows["hyp"]["pk"]
    assert merged["hyp"]["documents"] == 300
    done = segscore("accumulate", "merge", folder / "all.arrow", "--compare", "-f", "json")
    compared = {row["system"]: row for row in json.loads(done.stdout)}
    assert compared["hyp"]["pk"] == rows["hyp"]["pk"]
    done = segscore("accumulate", "merge", paths[0], "--sums", paths[0])
    assert done.returncode == 2


def test_bad_input(data: Any) -> None:
    folder, *_ = data
    path = folder / "data.parquet"
    (folder / "no.parquet").write_bytes(b"PAR1 nothing")
    bad = pl.DataFrame({"ref": [[1], [9]], "hyp": [[1], [1]], "n": [4, 4], "doc": ["x", "y"]})
    bad.write_parquet(folder / "bad.parquet")
    every = [*COLUMNS, "--hypothesis-column", "hyp"]
    for arguments, message in (
        (["score", path], "--reference-column is missing"),
        (["score", path, "--reference-column", "ref"], "--hypothesis-column is missing"),
        (["score", path, *every, "--by", "genres"], "no column 'genres' .did you mean 'genre'"),
        (["score", path, *every, "--per-document"], "--per-document, .* are not for"),
        (["score", folder / "none.parquet", *every], "there is no file"),
        (["score", folder / "no.parquet", *every], "cannot be read"),
        (
            ["score", folder / "bad.parquet", *every, "--document-column", "doc"],
            "document 'y': the reference has a boundary outside",
        ),
        (["compare", path, *COLUMNS], "--systems is missing"),
        (["compare", path, *COLUMNS, "--systems", "hyp"], "--document-column is missing"),
        (["accumulate", "merge", path], "cannot be read"),
        (["accumulate", "merge", folder / "data.arrow"], "does not say what it holds"),
        (["score", __file__, __file__, "--by", "x"], "for Parquet and Arrow files"),
    ):
        done = segscore(*arguments)
        assert done.returncode == 2, (arguments, done)
        assert len(done.stderr.strip().splitlines()) == 1
        assert re.search(message, done.stderr), done.stderr
    done = segscore("score", folder / "bad.parquet", *every, "--on-error", "skip", "-m", "pk")
    assert done.returncode == 0
    assert "1 rows could not be read" in done.stderr
