"""`segscore check`, and the warnings of `score` and `compare`."""

import json
from pathlib import Path

import numpy as np
import pytest

import segscore as ss
from command_line import segscore
from segscore.cli import run

N = 40


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """References, a good system, and one whose boundaries all stand one place late."""
    rng = np.random.default_rng(1)
    refs = [np.sort(rng.choice(np.arange(1, N - 1), 5, replace=False)) for _ in range(30)]
    good = [np.union1d(one[rng.random(5) < 0.7], rng.integers(1, N, 1)) for one in refs]
    sides = {"gold": refs, "good": good, "late": [one + 1 for one in refs]}
    made = {}
    for name, places in sides.items():
        path = tmp_path / f"{name}.jsonl"
        codings = {
            f"d{i}": {name: ss.Segmentation.from_boundaries(one, N)} for i, one in enumerate(places)
        }
        ss.write(ss.Corpus.from_dict(codings), path)
        made[name] = str(path)
    return made


def test_nothing_found(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", files["gold"], files["good"], "--strict"]) == 0
    assert capsys.readouterr().out == "nothing found that looks wrong\n"
    assert run(["check", files["gold"], files["good"], "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_findings_as_a_table(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", files["gold"], files["late"]]) == 0
    text = capsys.readouterr().out
    assert "shifted" in text
    assert "Moved one place back" in text
    assert run(["check", files["gold"], files["late"], "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["kind"], row["severity"], row["n_documents"]) == ("shifted", "warning", 30)
    assert row["evidence_f1_shifted"] == 1
    assert run(["check", files["gold"], files["late"], "--strict", "-f", "csv"]) == 1


def test_coders_of_one_file(files: dict[str, str], tmp_path: Path,
                            capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    everyone = ss.read(files["gold"]).merged(ss.read(files["good"]), ss.read(files["late"]))
    path = str(tmp_path / "everyone.jsonl")
    ss.write(everyone, path)
    assert run(["check", path, "--reference", "gold"]) == 0
    out = capsys.readouterr().out
    assert "late" in out
    assert "good" not in out
    assert run(["check", path]) == 2
    assert "HYP is missing" in capsys.readouterr().err
    assert run(["check", files["gold"], "--reference", "gold"]) == 2
    assert "no other coder" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["score", "compare"])
def test_score_and_compare_warn(
    files: dict[str, str], command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = ["--resamples", "100"] if command == "compare" else []
    assert run([command, files["gold"], files["good"], files["late"], *quick]) == 0
    shown = capsys.readouterr()
    warnings = [line for line in shown.err.splitlines() if line.startswith("warning:")]
    (line,) = warnings
    assert line.startswith("warning: late: Moved one place back")
    assert line.endswith("(--no-check silences this)")
    assert "Moved" not in shown.out
    assert run([command, files["gold"], files["late"], "--no-check", *quick]) == 0
    assert "warning" not in capsys.readouterr().err
    assert run([command, files["late"], files["gold"], *quick]) == 0


def test_swapped_sides_by_their_names(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system = tmp_path / "c99.jsonl"
    Path(files["good"]).rename(system)
    assert run(["score", str(system), files["gold"]]) == 0
    assert "The sides are probably swapped" in capsys.readouterr().err
    assert run(["score", files["gold"], str(system)]) == 0
    assert capsys.readouterr().err == ""


def test_one_file_for_both_sides_is_told(files: dict[str, str]) -> None:
    told = segscore("check", files["gold"], files["gold"], "--format", "json")
    assert [one["kind"] for one in json.loads(told.stdout)] == ["same-file"]
    scored = segscore("score", files["gold"], files["gold"])
    assert scored.returncode == 0
    assert "REF and HYP are the same file" in scored.stderr
    assert segscore("score", files["gold"], files["gold"], "--no-check").stderr == ""
