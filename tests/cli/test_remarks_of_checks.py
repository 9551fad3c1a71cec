"""What commands remark on their input: the three gravest findings, by every command that can tell."""

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from command_line import segscore
from honest_corpora import corpus, made, system
from needs import needs

SILENCES = "(--no-check silences this)"


def written(folder: Path, name: str, places: Any, units: Any, coder: str = "") -> str:
    """The path of a file of codings."""
    path = folder / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    codings = {
        f"d{i}": {coder or path.stem: coding} for i, coding in enumerate(made(places, units))
    }
    ss.write(ss.Corpus.from_dict(codings), path)
    return str(path)


@pytest.fixture
def sides(tmp_path: Path) -> tuple[str, Any, Any]:
    refs, units = corpus(1, 30)
    return written(tmp_path, "gold", refs, units), refs, units


def moved(places: Any, units: Any) -> list[Any]:
    """All boundaries one place later."""
    return [
        np.unique(np.minimum(boundaries + 1, n - 1))
        for boundaries, n in zip(places, units, strict=True)
    ]


def remarks(*arguments: Any) -> list[str]:
    done = segscore(*arguments)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if SILENCES in line]


@pytest.mark.parametrize("command", ["score", "compare"])
def test_at_most_three_are_shown_the_gravest_first(
    sides: tuple[str, Any, Any], tmp_path: Path, command: str
) -> None:
    gold, refs, units = sides
    files = []
    for number in range(5):
        late = moved(system(refs, units, seed=number), units)
        files.append(written(tmp_path, f"late{number}", late, units))
    more = ["-m", "f1(tolerance=9)", "-m", "b"]
    more += ["--resamples", 50] if command == "compare" else []
    lines = remarks(command, gold, *files, *more)
    assert len(lines) == 4
    assert all(line.startswith("warning: late") for line in lines[:3])
    assert lines[3] == f"and 7 more: segscore check shows all {SILENCES}"  # 2 shifts, 5 tolerances
    assert remarks(command, gold, *files, *more, "--no-check") == []


def test_a_tolerance_is_told_by_check_score_and_compare(
    sides: tuple[str, Any, Any], tmp_path: Path
) -> None:
    gold, refs, units = sides
    good = written(tmp_path, "good", system(refs, units), units)
    wide = ["-m", "f1(tolerance=30)"]
    for command in (["score"], ["compare", "--resamples", 50]):
        (line,) = remarks(*command, gold, good, *wide)
        assert line.startswith("note: good: The tolerance of f1(tolerance=30) is 30 units")
    found = json.loads(segscore("check", gold, good, *wide, "-f", "json").stdout)
    assert [finding["kind"] for finding in found] == ["wide-tolerance"]
    assert remarks("score", gold, good) == []


@pytest.mark.parametrize("command", ["score", "compare"])
def test_files_of_one_name_are_told_apart(
    sides: tuple[str, Any, Any], tmp_path: Path, command: str
) -> None:
    _, refs, units = sides
    late = moved(refs, units)
    for folder, places in (("a", system(refs, units)), ("b", late)):
        written(tmp_path, f"{folder}/out", places, units)
    quick = ["--resamples", 50, "--no-scale"] if command == "compare" else []
    done = segscore(command, "gold.jsonl", "a/out.jsonl", "b/out.jsonl", *quick, "-f", "json",
                    cwd=tmp_path)  # fmt: skip
    assert '"out (a/out.jsonl)"' in done.stdout
    assert '"out (b/out.jsonl)"' in done.stdout
    assert re.search(r"b/out\.jsonl.*Moved one position back", done.stderr)
    done = segscore(command, "gold.jsonl", "a/out.jsonl", *quick, "-f", "json", cwd=tmp_path)
    assert '"out"' in done.stdout


def test_agree_tells_of_coders(sides: tuple[str, Any, Any], tmp_path: Path) -> None:
    _, refs, units = sides
    people = [system(refs, units, seed=seed) for seed in (1, 2)]
    names = {"ann": people[0], "bob": people[1], "ann2": people[0], "c99": refs}
    codings = {
        f"d{i}": {name: made([places[i]], [n])[0] for name, places in names.items()}
        for i, n in enumerate(units)
    }
    path = tmp_path / "codings.jsonl"
    ss.write(ss.Corpus.from_dict(codings), path)
    lines = remarks("agree", path, "--show", "agreement")
    assert lines[0].startswith("warning: 'ann' and 'ann2' have the same")
    assert lines[1].startswith("note: ")
    assert "c99" in lines[1]
    (left,) = remarks("agree", path, "--show", "system", "--system", "c99")
    assert "'ann2'" in left
    assert remarks("agree", path, "--show", "agreement", "--no-check") == []
    found = json.loads(segscore("check", path, "-f", "json").stdout)
    assert [finding["kind"] for finding in found] == ["one-coder-twice", "no-people"]


def test_curve_tells_of_scores(sides: tuple[str, Any, Any], tmp_path: Path) -> None:
    gold, refs, units = sides
    rng = np.random.default_rng(1)
    for name, sign in (("right", 1), ("wrong", -1)):
        rows = []
        for i, (ref, n) in enumerate(zip(refs, units, strict=True)):
            values = rng.normal(size=n - 1)
            values[ref - 1] += 1.5
            rows.append(json.dumps({"document": f"d{i}", "scores": (sign * values).tolist()}))
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows))
    command = ["curve", gold, "--resamples", 9, "-m", "f1"]
    assert remarks(*command, tmp_path / "right.jsonl") == []
    (line,) = remarks(*command, tmp_path / "wrong.jsonl")
    assert line.startswith("note: Average precision is 0.")
    assert "give their negative" in line
    assert remarks(*command, tmp_path / "wrong.jsonl", "--no-check") == []


@needs("arrow")
def test_accumulate_names_the_file_that_is_merged_twice(tmp_path: Path) -> None:
    import_module("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    paths = []
    for number in range(2):
        refs, units = corpus(number, 20)
        columns = {
            "doc": [f"{number}-{i}" for i in range(20)],
            "ref": [boundaries.tolist() for boundaries in refs],
            "hyp": [boundaries.tolist() for boundaries in system(refs, units)],
            "n": units,
        }
        pq.write_table(pa.table(columns), tmp_path / f"{number}.parquet")
        paths.append(tmp_path / f"{number}.arrow")
        done = segscore(
            "score", tmp_path / f"{number}.parquet", "--reference-column", "ref",
            "--hypothesis-column", "hyp", "--n-units", "n", "--document-column", "doc",
            "-m", "pk", "--sums", paths[-1],
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert segscore("accumulate", "merge", *paths).stderr == ""
    done = segscore("accumulate", "merge", *paths, paths[0])
    assert done.returncode == 0
    assert re.search("sums are merged twice", done.stderr)
    segscore("accumulate", "merge", *paths, "--sums", tmp_path / "both.arrow")
    done = segscore("accumulate", "merge", tmp_path / "both.arrow", paths[1])
    assert "merged twice (1 of 1 parts" in done.stderr
