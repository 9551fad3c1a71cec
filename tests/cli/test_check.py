"""`segscore check`, and the warnings of `score` and `compare`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from command_line import segscore
from honest_corpora import corpus, made, system

N = 40


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """References, and a good system."""
    rng = np.random.default_rng(1)
    refs = [np.sort(rng.choice(np.arange(1, N - 1), 5, replace=False)) for _ in range(30)]
    good = [
        np.union1d(boundaries[rng.random(5) < 0.7], rng.integers(1, N, 1)) for boundaries in refs
    ]
    made = {}
    for name, places in {"gold": refs, "good": good}.items():
        path = tmp_path / f"{name}.jsonl"
        codings = {
            f"d{i}": {name: ss.Segmentation.from_boundaries(boundaries, N)}
            for i, boundaries in enumerate(places)
        }
        ss.write(ss.Corpus.from_dict(codings), path)
        made[name] = str(path)
    return made


def test_nothing_found(files: dict[str, str]) -> None:
    done = segscore("check", files["gold"], files["good"], "--strict")
    assert (done.returncode, done.stdout) == (0, "nothing found that looks wrong\n")
    done = segscore("check", files["gold"], files["good"], "--format", "json")
    assert (done.returncode, json.loads(done.stdout)) == (0, [])


def test_a_reference_alone(files: dict[str, str]) -> None:
    """It was refused ("HYP is missing"), although `help formats` says: check FILE."""
    done = segscore("check", files["gold"], "--strict")
    assert (done.returncode, "in this file alone" in done.stdout) == (0, True)
    late = {
        name: {"gold": ss.Segmentation.from_boundaries(document["gold"].boundaries, 20 * N)}
        for name, document in ss.read(files["gold"]).items()
    }
    ss.write(ss.Corpus.from_dict(late), files["gold"])
    done = segscore("check", files["gold"], "--strict")
    assert (done.returncode, "long-ending" in done.stdout) == (1, True)


# ---- labels of one document ----

STARTS, OTHERS = [1, 0, 0, 1, 0, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 0, 0, 1, 0, 0]
ENDS = [*STARTS[1:], 1]


def labelled(folder: Path, *lists: list[int]) -> list[str]:
    """A file for each list of labels, all of one document."""
    paths = []
    for index, labels in enumerate(lists):
        path = folder / f"s{index}.json"
        path.write_text(json.dumps({"d": {f"s{index}": labels}}))
        paths.append(str(path))
    return paths


@pytest.mark.parametrize(
    ("labels", "other", "marks", "right"),
    [
        (STARTS, OTHERS, "end", "start"),
        (ENDS, [*ENDS[1:-1], 0, 1], "start", "end"),
        (ENDS, [0, *ENDS[1:]], "gaps", "end"),
    ],
)
def test_wrong_marks_of_one_document_are_a_note(
    tmp_path: Path, labels: list[int], other: list[int], marks: str, right: str
) -> None:
    files = labelled(tmp_path, labels, other)
    done = segscore("check", *files, "--read", f"marks={marks}", "--format", "json", "--strict")
    assert done.returncode == 0  # a note: one document proves nothing
    (finding,) = json.loads(done.stdout)
    assert (finding["kind"], finding["severity"]) == ("doubtful-marks", "note")
    assert f"marks='{right}'?" in finding["remedy"]
    assert "cannot tell" in finding["remedy"]
    done = segscore("check", *files, "--read", f"marks={right}")
    assert done.stdout == "nothing found that looks wrong\n"


def test_a_consensus_is_a_reference_as_in_score(tmp_path: Path) -> None:
    """All of three coders mark 5, and the system one unit later throughout."""
    people = {name: ss.Segmentation.from_masses([5, 5, 5, 5]) for name in ("a", "b", "c")}
    codings = {f"d{n}": people for n in range(8)}
    ss.write(ss.Corpus.from_dict(codings), tmp_path / "people.jsonl")
    late = {f"d{n}": {"late": ss.Segmentation.from_masses([6, 5, 5, 4])} for n in range(8)}
    ss.write(ss.Corpus.from_dict(late), tmp_path / "late.jsonl")
    files = ("people.jsonl", "late.jsonl", "--reference", "consensus:0.5", "--format", "json")
    found = json.loads(segscore("check", *files, cwd=tmp_path).stdout)
    assert "shifted" in [finding["kind"] for finding in found]


def test_a_list_of_files_is_read_as_agree_reads_it(tmp_path: Path) -> None:
    """Three files or more are the codings of people; --reference names one of them."""
    units = ["A.", "B.", "C.", "D."]  # the same in all documents, which is found
    paths = [tmp_path / f"{coder}.jsonl" for coder in ("ann", "bob", "eve")]
    for path in paths:
        rows = [
            {"document": f"d{i}", "coder": path.stem, "masses": [2, 2], "units": units}
            for i in range(6)
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    whole = tmp_path / "all.jsonl"
    whole.write_text("".join(path.read_text() for path in paths))
    for options in ([], ["--reference", "eve"]):
        one, several = (segscore("check", *given, *options).stdout for given in ([whole], paths))
        assert one == several
        assert "duplicate-texts" in one
    paths[1].write_text(paths[0].read_text())
    for command in ("agree", "check"):
        done = segscore(command, *paths)
        assert done.returncode == 2
        assert "a second coding" in done.stderr


# ---- what commands remark on their input ----


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
