"""The README tells the truth: its example prints what it says, its commands run."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import segscore, skip_without_packages
from page_examples import run_examples
from segscore.cli.demo import COMMANDS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
LINES = [
    line.strip()
    for text in (COMMANDS, *(block for language, block in BLOCKS if not language))
    for line in text.splitlines()
    if line.strip().startswith("segscore ")
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that the commands name."""
    masses = {"reference.jsonl": [2, 3, 6], "system.jsonl": [5, 6]}
    for name, sizes in masses.items():
        row = {"document": "a", "coder": name.partition(".")[0], "masses": sizes}
        (tmp_path / name).write_text(json.dumps(row) + "\n")
    items = {"doc": {"ann": [2, 3, 6], "bob": [5, 6]}}
    codings = {"segmentation_type": "linear", "items": items}
    (tmp_path / "codings.json").write_text(json.dumps(codings))
    units = [
        "Cats chase mice.",
        "A cat purrs.",
        "Mice fear cats.",
        "Stars shine.",
        "A star is far.",
    ]
    (tmp_path / "chapter.txt").write_text(" ".join(units))
    records = [
        {"document": str(number), "masses": [3, 2], "units": units, "coder": "ann"}
        for number in range(3)
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, records)))
    return tmp_path


def test_the_example_prints_what_the_readme_says() -> None:
    at = next(i for i, (language, _) in enumerate(BLOCKS) if language == "python")
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", BLOCKS[at][1]],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == BLOCKS[at + 1][1]


def test_the_other_examples_run(folder: Path, request: pytest.FixtureRequest) -> None:
    later = [block for language, block in BLOCKS if language == "python"][1:]
    assert later
    done = run_examples("README.md", later, folder)
    skip_without_packages(request.config, done.stderr)
    assert done.returncode == 0, done.stderr


def test_there_are_commands_to_run() -> None:
    assert len(LINES) >= 5
    assert "segscore reproduce" in LINES  # tests/papers/test_published.py runs it


@pytest.mark.parametrize("line", [line for line in LINES if line != "segscore reproduce"])
def test_the_commands_run(line: str, folder: Path) -> None:
    program, *arguments = shlex.split(line)
    assert program == "segscore"
    done = segscore(*arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "segscore: " not in done.stderr


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
