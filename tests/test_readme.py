"""The README tells the truth: its example prints what it says, its commands run."""

import ast
import re
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from command_line import segscore

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
SHOWN = "".join(block for language, block in BLOCKS if not language)
LINES = re.findall(r"^segscore .*$", SHOWN, re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A clone, as far as the examples look at it."""
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    return tmp_path


def test_the_examples_print_what_the_readme_says(folder: Path) -> None:
    """What follows an example is what it prints; LaTeX is part of what the first one gives."""
    codes = [block for language, block in BLOCKS if language == "python"]
    outputs = [
        following[1] for (language, _), following in pairwise(BLOCKS) if language == "python"
    ]
    (latex,) = (block for language, block in BLOCKS if language == "latex")
    code = "\n".join([*codes, "print(comparison.to_latex())"])
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.startswith("".join(outputs))
    assert latex in done.stdout


@pytest.mark.parametrize("line", LINES)
def test_the_commands_run(line: str, folder: Path) -> None:
    program, *arguments = shlex.split(line)
    assert program == "segscore"
    done = segscore(*arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "segscore: " not in done.stderr


def test_no_page_installs_from_pypi() -> None:
    """README says that segscore is not there yet; 'segscore[plot]' adds to what is installed."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if "pip install segscore" in page.read_text("utf-8")] == []


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


# ---- SECURITY.md ----


PROJECT = Path(__file__).parents[1]
PAGE = (PROJECT / "SECURITY.md").read_text("utf-8")
NAMED = re.compile(r"`(tests/[a-z_/]+\.py)::(test_\w+)`")


def test_each_promise_has_a_test() -> None:
    promised = PAGE.partition("## What we promise")[2].partition("\n## ")[0]
    promises = [
        promise for promise in re.split(r"^- ", promised, flags=re.MULTILINE) if "**" in promise
    ]
    assert len(promises) >= 10
    assert [promise[:60] for promise in promises if not NAMED.search(promise)] == []


def test_each_test_is_there() -> None:
    for file, name in NAMED.findall(PAGE):
        tree = ast.parse((PROJECT / file).read_text("utf-8"))
        assert name in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)], name
