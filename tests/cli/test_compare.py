"""`segscore compare`: files in, table out; wrong input is one line."""

import json
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from command_line import segscore
from noisy_codings import codings, write

FAST = ("--resamples", "200")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {
        "ref": write(tmp_path / "ref.jsonl", gold=codings(0, 0)),
        "good": write(tmp_path / "good.jsonl", good=codings(0.02, 1)),
        "poor": write(tmp_path / "poor.jsonl", poor=codings(0.3, 2)),
        "other": write(tmp_path / "other.jsonl", poor=codings(0.25, 3)),
    }


def rows(*arguments: object) -> list[dict[str, Any]]:
    done = segscore("compare", *arguments, "-f", "json", *FAST)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_table_of_systems(files: dict[str, Path]) -> None:
    done = segscore("compare", files["ref"], files["good"], files["poor"], *FAST)
    assert (done.returncode, done.stderr) == (0, "")
    verdict, table = done.stdout.split("\n\n")
    assert verdict.startswith("good is significantly better than poor in pk (by 0.")
    assert [line.split()[0] for line in table.splitlines()[2:7]] == [
        "good", "poor", "none", "random", "uniform",
    ]  # fmt: skip
    assert "seed 0" in done.stdout


def test_same_numbers_as_the_library(files: dict[str, Path]) -> None:
    options = ["-m", "windowdiff", "-m", "f1", "--average", "macro", "--test", "t"]
    made = ss.compare(
        codings(0, 0), systems={"good": codings(0.02, 1), "poor": codings(0.3, 2)},
        metrics=["windowdiff", "f1"], average="macro", test="t", n_resamples=200,
    )  # fmt: skip
    for record in rows(files["ref"], files["good"], files["poor"], *options):
        entry = made[record["system"], "f1"]
        found = (record["f1"], record["f1_low"], record["f1_rank"])
        assert found == (entry.value, entry.low, entry.rank)


def test_runs_by_name(files: dict[str, Path]) -> None:
    runs = [f"s={files[name]}" for name in ("good", "poor", "other")]
    first = rows(files["ref"], *runs, "-m", "pk")[0]
    assert first["system"] == "s"
    assert first["pk_sd"] > 0


def test_files_with_the_same_coder_stay_apart(files: dict[str, Path]) -> None:
    names = [row["system"] for row in rows(files["ref"], files["poor"], files["other"])]
    assert names[:2] == ["poor", f"poor ({files['other']})"]


def test_one_file_with_people_and_systems(tmp_path: Path) -> None:
    path = write(
        tmp_path / "all.jsonl", ann=codings(0.02, 1), bob=codings(0.02, 2), c99=codings(0.2, 3)
    )
    by_system = rows(path, "--system", "c99")
    assert [row["system"] for row in by_system] == ["c99", "none", "random", "uniform", "human"]
    assert rows(path, "--reference", "ann", "--reference", "bob") == by_system
    assert [row["system"] for row in rows(path, "--system", "c99", "--no-scale")] == ["c99"]


def test_wrong_calls_are_one_line(files: dict[str, Path], tmp_path: Path) -> None:
    ref, good = files["ref"], files["good"]
    for call, message in (
        ([ref], "neither reference nor systems"),
        ([ref, good, "--system", "x"], "both given"),
        ([ref, tmp_path / "none.jsonl"], "none.jsonl"),
        ([ref, good, "--test", "friedman"], "at least 3 systems"),
        ([ref, good, "--level", "95"], "level is 95"),
        ([ref, good, "-m", "nonsense"], "no metric is called 'nonsense'"),
    ):
        done = segscore("compare", *call)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert message in done.stderr
