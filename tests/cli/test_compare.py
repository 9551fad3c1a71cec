"""`segscore compare`: files in, table out; wrong input is one line."""

import json
from pathlib import Path

import numpy as np
import pytest

import segscore as ss
from segscore.cli import run

FAST = ["--resamples", "200"]


def codings(errors: float, seed: int, n: int = 12) -> dict[str, ss.Segmentation]:
    """Documents cut after every fifth unit, with a share of the gaps turned over."""
    rng = np.random.default_rng(seed)
    made = {}
    for i in range(n):
        gaps = np.arange(1, 40) % 5 == 0
        gaps ^= rng.random(39) < errors
        made[f"d{i}"] = ss.Segmentation.from_boundaries(np.flatnonzero(gaps) + 1, 40)
    return made


def write(path: Path, **by_coder: dict[str, ss.Segmentation]) -> str:
    documents = dict.fromkeys(doc for by in by_coder.values() for doc in by)
    corpus = {
        doc: {coder: by[doc] for coder, by in by_coder.items() if doc in by} for doc in documents
    }
    ss.write(ss.Corpus.from_dict(corpus), path)
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    return {
        "ref": write(tmp_path / "ref.jsonl", gold=codings(0, 0)),
        "good": write(tmp_path / "good.jsonl", good=codings(0.02, 1)),
        "poor": write(tmp_path / "poor.jsonl", poor=codings(0.3, 2)),
        "other": write(tmp_path / "other.jsonl", poor=codings(0.25, 3)),
    }


def test_table_of_systems(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", files["ref"], files["good"], files["poor"], *FAST]) == 0
    out, err = capsys.readouterr()
    verdict, table = out.split("\n\n")
    assert verdict.startswith("good is significantly better than poor in pk (by 0.")
    assert [line.split()[0] for line in table.splitlines()[2:7]] == [
        "good", "poor", "none", "random", "uniform",
    ]  # fmt: skip
    assert "seed 0" in out
    assert err == ""
    assert "\nnone: no boundary at all.\n" in out
    assert "\nuniform: as many segments as the references have on average, all of the" in out


def test_same_numbers_as_the_library(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["-m", "windowdiff", "-m", "f1", "-f", "json", "--average", "macro", "--test", "t"]
    assert run(["compare", files["ref"], files["good"], files["poor"], *options, *FAST]) == 0
    out, err = capsys.readouterr()
    made = ss.compare(
        codings(0, 0), systems={"good": codings(0.02, 1), "poor": codings(0.3, 2)},
        metrics=["windowdiff", "f1"], average="macro", test="t", n_resamples=200,
    )  # fmt: skip
    records = json.loads(out)
    for record in records:
        entry = made[record["system"], "f1"]
        assert record["f1"] == entry.value
        assert record["f1_low"] == entry.low
        assert record["f1_rank"] == entry.rank
    assert err.splitlines() == made.warnings  # what the footnotes would have said


def test_runs_by_name(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    runs = [f"s={files[name]}" for name in ("good", "poor", "other")]
    assert run(["compare", files["ref"], *runs, "-f", "json", "-m", "pk", *FAST]) == 0
    first = json.loads(capsys.readouterr().out)[0]
    assert first["system"] == "s"
    assert first["pk_sd"] > 0


def test_files_with_the_same_coder_stay_apart(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", files["ref"], files["poor"], files["other"], "-f", "json", *FAST]) == 0
    names = [row["system"] for row in json.loads(capsys.readouterr().out)]
    assert names[:2] == ["poor", f"poor ({files['other']})"]


def test_one_file_with_people_and_systems(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(
        tmp_path / "all.jsonl", ann=codings(0.02, 1), bob=codings(0.02, 2), c99=codings(0.2, 3)
    )
    assert run(["compare", path, "--system", "c99", "-f", "json", *FAST]) == 0
    by_system = capsys.readouterr().out
    assert [row["system"] for row in json.loads(by_system)] == [
        "c99", "none", "random", "uniform", "human",
    ]  # fmt: skip
    assert (
        run(["compare", path, "--reference", "ann", "--reference", "bob", "-f", "json", *FAST]) == 0
    )
    assert capsys.readouterr().out == by_system
    assert run(["compare", path, "--system", "c99", "--no-scale", "-f", "json", *FAST]) == 0
    assert [row["system"] for row in json.loads(capsys.readouterr().out)] == ["c99"]


def test_wrong_calls_are_one_line(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, good = files["ref"], files["good"]
    for call, message in (
        ([ref], "neither reference nor systems"),
        ([ref, good, "--system", "x"], "both given"),
        ([ref, str(tmp_path / "none.jsonl")], "none.jsonl"),
        ([ref, good, "--test", "friedman"], "at least 3 systems"),
        ([ref, good, "--level", "95"], "level is 95"),
        ([ref, good, "-m", "nonsense"], "no metric is called 'nonsense'"),
    ):
        assert run(["compare", *call]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert message in err
