"""The gate: exit code 1 and one line why; GitHub's annotations; what is undecided fails."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from command_line import Done, segscore
from noisy_codings import codings, write
from segscore.comparison.gates import no_worse

FAST = ("--resamples", "500", "--no-check")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for n in (3, 12):
        write(tmp_path / f"ref{n}.jsonl", gold=codings(0, 0, n))
        write(tmp_path / f"good{n}.jsonl", good=codings(0.03, 1, n))
        write(tmp_path / f"poor{n}.jsonl", poor=codings(0.3, 2, n))
    return tmp_path


def scored(folder: Path, *options: object, name: str = "good") -> Done:
    return segscore("score", folder / "ref12.jsonl", folder / f"{name}12.jsonl", *options)


def compared(folder: Path, old: str, new: str, *options: object, n: int = 12) -> Done:
    files = [folder / f"{name}{n}.jsonl" for name in ("ref", old, new)]
    return segscore("compare", *files, *FAST, *options)


# ---- limits ----


def test_a_limit_that_is_not_kept_is_one_line(folder: Path) -> None:
    value = ss.score(folder / "ref12.jsonl", folder / "poor12.jsonl", "b")["b"].micro
    done = scored(folder, "--fail-under", "b=0.9", "--fail-over", "wd(k=3)=1", name="poor")
    assert done.returncode == 1
    failed, passed = done.stderr.splitlines()
    assert failed == f"segscore: poor: b (micro) is {value:.4f}, below 0.9"
    assert passed.startswith("gate: poor: wd(k=3) (micro) is 0.")
    assert "wd(k=3)" in done.stdout  # a metric that only a limit names is shown, too


@pytest.mark.parametrize(("limit", "metric"), [("--fail-under", "b"), ("--fail-over", "pk")])
def test_a_limit_that_is_met_exactly_is_kept(folder: Path, limit: str, metric: str) -> None:
    value = ss.score(folder / "ref12.jsonl", folder / "good12.jsonl", metric)[metric].macro
    assert scored(folder, limit, f"{metric}={float(value)!r}", "--average", "macro").returncode == 0
    worse = float(np.nextafter(value, 2 if limit == "--fail-under" else -1))
    assert scored(folder, limit, f"{metric}={worse!r}", "--average", "macro").returncode == 1


@pytest.mark.parametrize(("limit", "right"), [("under pk=0.1", "most"), ("over b=0.1", "least")])
def test_a_limit_on_the_wrong_side_is_refused(folder: Path, limit: str, right: str) -> None:
    option, text = limit.split()
    done = scored(folder, f"--fail-{option}", text)
    assert done.returncode == 2
    assert f"expected at {right} 0.1" in done.stderr


def test_what_is_undefined_fails(tmp_path: Path) -> None:
    whole = {"d": ss.Segmentation.from_masses([5])}
    files = [write(tmp_path / f"{n}.jsonl", **{n: whole}) for n in "ab"]
    options = ("-m", "f1", "--on-undefined", "nan", "--no-check")
    for limit in ("--fail-under f1=0.5", "--fail-over f1.recall=0.5"):
        done = segscore("score", *files, *options, *limit.split())
        assert done.returncode == 1
        assert "is undefined" in done.stderr


@pytest.mark.parametrize("text", ["b", "b=", "=3", "b=x", "b=nan"])
def test_limits_that_cannot_be_read(folder: Path, text: str) -> None:
    done = scored(folder, "--fail-under", text)
    assert done.returncode == 2
    assert "expected a metric and a number" in done.stderr


# ---- no worse than before ----


def test_a_worse_system_fails_and_a_better_one_passes(folder: Path) -> None:
    worse = compared(folder, "good", "poor", "--fail-if-worse", "b", "--test", "randomisation")
    assert worse.returncode == 1
    assert re.search(r"segscore: poor: b is 0\.\d+, good has 0\.\d+: significantly", worse.stderr)
    better = compared(folder, "poor", "good", "--fail-if-worse", "b")
    assert better.returncode == 0
    assert re.search(
        r"^gate: good: b is .*: not significantly worse \(p = .*: passed$", better.stderr
    )
    assert compared(folder, "good", "good", "--fail-if-worse", "b").returncode == 0  # the same


def test_the_p_is_one_sided(folder: Path) -> None:
    made = ss.compare(
        codings(0, 0, 12), systems={"old": codings(0.1, 3, 12), "new": codings(0.12, 4, 12)},
        metrics=["b", "windowdiff"], n_resamples=500,
    )  # fmt: skip
    for metric, sign in (("b", 1), ("windowdiff", -1)):
        pair = next(pair for pair in made.pairs if pair.metric == metric)
        loss = sign * pair.difference
        for lost, sides in ((loss, ("old", "new")), (-loss, ("new", "old"))):
            p = pair.p / 2 if lost > 0 else 1 - pair.p / 2
            assert f"p = {p:.4g}, one-sided" in no_worse(made, metric, *sides).why
            limit = abs(lost) / 2
            assert no_worse(made, metric, *sides, margin=limit).passed == (lost < 0)


def test_margin(folder: Path) -> None:
    write(folder / "near12.jsonl", near=codings(0.05, 5))
    made = ss.compare(
        codings(0, 0, 12), systems={"good": codings(0.03, 1, 12), "near": codings(0.05, 5, 12)},
        metrics="b", n_resamples=500,
    )  # fmt: skip
    loss = made["good", "b"].value - made["near", "b"].value
    assert loss > 0
    for margin, code in ((loss / 2, 1), (loss * 2, 0)):
        options = ("--fail-if-worse", f"b={margin}", "--level", "0.9975")
        assert compared(folder, "good", "near", *options).returncode == code


def test_too_few_documents_fail_unless_allowed(folder: Path) -> None:
    options = ("--fail-if-worse", "b")
    done = compared(folder, "poor", "good", *options, n=3)
    assert done.returncode == 1
    assert "3 documents cannot show a difference at α = 0.05 (the smallest possible" in done.stderr
    assert "possible one-sided p is 0.125); a margin" in done.stderr
    allowed = compared(folder, "poor", "good", "--fail-if-worse", "b(n_t=2)=0.5", n=3)
    assert allowed.returncode == 0
    assert "within 0.5: passed" in allowed.stderr


@pytest.mark.parametrize(
    ("worse", "message"),
    [("b=-1", "--fail-if-worse is b=-1"), ("b=x", "--fail-if-worse is 'b=x'")],
)
def test_refused(folder: Path, worse: str, message: str) -> None:
    done = compared(folder, "good", "poor", "--fail-if-worse", worse)
    assert done.returncode == 2
    assert message in done.stderr


# ---- for machines ----


def test_github(folder: Path) -> None:
    done = scored(folder, "--fail-under", "b=0.99", "--github", "-f", "json")
    assert done.returncode == 1
    assert done.stderr.startswith("::error title=segscore::good: b (micro) is ")
    json.loads(done.stdout)


# ---- `segscore compare` ----


RESAMPLED = ("--resamples", "200")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {
        "ref": write(tmp_path / "ref.jsonl", gold=codings(0, 0)),
        "good": write(tmp_path / "good.jsonl", good=codings(0.02, 1)),
        "poor": write(tmp_path / "poor.jsonl", poor=codings(0.3, 2)),
        "other": write(tmp_path / "other.jsonl", poor=codings(0.25, 3)),
    }


def rows(*arguments: object) -> list[dict[str, Any]]:
    done = segscore("compare", *arguments, "-f", "json", *RESAMPLED)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_table_of_systems(files: dict[str, Path]) -> None:
    done = segscore("compare", files["ref"], files["good"], files["poor"], *RESAMPLED)
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
