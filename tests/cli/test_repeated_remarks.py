"""Remarks that repeat for each file or coding are one line, with a count and the first of them."""

import re
from pathlib import Path

import pytest

from command_line import segscore
from remarks import each_matches
from segscore.cli.repeated_remarks import RepeatedRemarks

TIER = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 10
tiers? <exists>
size = 2
item []:
"""


def grid(*ends: float, people: tuple[str, ...] = ("ann", "bob")) -> str:
    """A TextGrid with a tier per person; the intervals of each tier end at `ends`."""
    text = TIER.replace("size = 2", f"size = {len(people)}")
    for number, name in enumerate(people, 1):
        text += (
            f'    item [{number}]:\n        class = "IntervalTier"\n        name = "{name}"\n'
            f"        xmin = 0\n        xmax = 10\n        intervals: size = {len(ends)}\n"
        )
        for i, (start, end) in enumerate(zip((0.0, *ends), ends, strict=False), 1):
            text += (
                f"        intervals [{i}]:\n            xmin = {start}\n            xmax = {end}\n"
                f'            text = "s{i}"\n'
            )
    return text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "grids").mkdir()
    for number in range(5):
        (tmp_path / "grids" / f"d{number}.TextGrid").write_text(grid(2.3, 5.6, 10))
    return tmp_path


@pytest.mark.parametrize("command", ["agree", "consensus", "convert"])
def test_a_policy_is_told_once(command: str, folder: Path) -> None:
    target = ["out.jsonl"] if command == "convert" else []
    options = ("--units", "seconds:1", "--policy", "snap")
    done = segscore(command, "grids", *target, *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    remarks = [line for line in done.stderr.splitlines() if "snap" in line]
    assert len(remarks) == 1, done.stderr
    assert "d0.TextGrid: document 'd0', coder 'ann': snap: " in remarks[0]
    assert re.search("10 such remarks.*40", remarks[0])


def test_one_coding_has_its_own_line(folder: Path) -> None:
    (folder / "one.TextGrid").write_text(grid(2.3, 5.6, 10, people=("ann",)))
    options = ("--units", "seconds:1", "--policy", "snap")
    done = segscore("convert", "one.TextGrid", "a.jsonl", *options, cwd=folder)
    assert "coder 'ann': snap: 4 × " in done.stderr
    assert "such remarks" not in done.stderr


def test_remarks_are_told_where_an_error_follows(folder: Path) -> None:
    (folder / "grids" / "d9.TextGrid").write_text("nothing of the kind")
    done = segscore("agree", "grids", "--units", "seconds:1", "--policy", "snap", cwd=folder)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("segscore: ")


def test_other_remarks_stay_apart(capsys: pytest.CaptureFixture[str]) -> None:
    remarks = RepeatedRemarks()
    for name in ("a", "b"):
        remarks(f"{name}.csv: 2 columns are empty: '{name}', 'x'")
        remarks(f"{name}.csv: 3 rows are read as text")
    remarks("no file at all")
    remarks.tell()
    remarks.tell()  # forgotten
    assert each_matches(
        capsys.readouterr().err.splitlines(),
        r"a\.csv.*2 columns.*'a'.*'x'.*2 such",
        r"a\.csv.*3 rows.*2 such",
        "no file at all",
    )
