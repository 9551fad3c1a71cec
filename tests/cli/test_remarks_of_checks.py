"""What commands remark on their input: the three gravest findings, by every command that can tell."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from command_line import segscore
from honest_corpora import corpus, made, system

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
