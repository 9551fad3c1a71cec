"""The recipes of docs/architecture.md for a metric and for a reader, followed in a copy of the
package: few files change, and everything else works by itself."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"

pytestmark = pytest.mark.usefixtures("unmeasured")

JACCARD = '''"""Boundaries as sets: the share of those that both sides have."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from segscore.basics.arguments import Floats
from segscore.metrics.base import Metric
from segscore.pairing.pairs import Pairs, Step


@dataclass(frozen=True)
class ToyJaccard(Metric):
    """Boundaries of both sides over boundaries of either side."""

    name: ClassVar[str] = "toy-jaccard"
    reading: ClassVar[str] = "the share of boundaries of either side that both have"
    higher_is_better: ClassVar[bool] = True
    perfect: ClassVar[float | None] = 1
    symmetric: ClassVar[bool] = True
    statistic_names: ClassVar[tuple[str, ...]] = ("both", "either")

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        both, hyp_only, ref_only = pairs.rows_of_steps([Step("match", 3)], threads)[0].T
        return np.column_stack([both, both + hyp_only + ref_only])
'''
METRIC = {  # what stands in a file, and what is put after it
    "metrics/names.py": (
        '"rand": ("overlap:RandIndex", "Rand index"),\n',
        '    "toy-jaccard": ("jaccard:ToyJaccard", "Jaccard index of boundaries"),\n',
    ),
    "metrics/__init__.py": (
        "    from segscore.metrics.overlap import *\n",
        "    from segscore.metrics.jaccard import *\n",
    ),
}
USE_METRIC = """
import segscore as ss
ref, hyp = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
score = ss.metric("toy-jaccard")(ref, hyp)
print(score, score.signature, ss.metrics.ToyJaccard().how_to_read())
found = ss.compare([ref] * 3, systems={"a": [hyp] * 3, "b": [ref] * 3}, metrics="toy-jaccard")
print([entry.value for entry in found.entries][:2])
from segscore.cli import run
run(["metrics", "Toy-Jaccard"])
"""

STARS = '''"""Stars: a line per unit, and a line `***` between segments."""

from collections.abc import Iterator

from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.io.files import Source


def matches_stars(lines: list[str]) -> bool:
    """Whether there is a line of three stars."""
    return "***" in lines


def read_stars(source: Source) -> Iterator[Record]:
    """The only document of a file."""
    parts = "\\n".join(source.read_lines()).split("***")
    segments = [part.strip().splitlines() for part in parts]
    coding = Segmentation.from_masses([len(part) for part in segments])
    yield Record(source.document, source.coder, coding, place=source.at())
'''
READER = {"io/format.py": ('_LINES = """\n', "stars stars .stars - - - stars between segments\n")}
USE_READER = """
import segscore as ss
open("a.stars", "w").write("one\\ntwo\\n***\\nthree\\n")
print(ss.read("a.stars")["a"])
from segscore.cli import run
run(["score", "a.stars", "a.stars", "-m", "b"])
"""


def followed(folder: Path, new: str, text: str, changes: dict[str, tuple[str, str]]) -> int:
    """A copy of the package in which a recipe was followed; how many of its files changed."""
    package = folder / "segscore"
    shutil.copytree(SOURCE / "segscore", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / new).write_text(text, "utf-8")
    for name, (before, added) in changes.items():
        old = (package / name).read_text("utf-8")
        assert old.count(before) == 1, (
            f"{name}: docs/architecture.md, and this test, are out of date"
        )
        (package / name).write_text(old.replace(before, before + added), "utf-8")
    return 1 + len(changes)


def run_in(folder: Path, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_metric(tmp_path: Path) -> None:
    assert followed(tmp_path, "metrics/jaccard.py", JACCARD, METRIC) <= 5
    out = run_in(tmp_path, USE_METRIC)
    assert "0.5 toy-jaccard|v:" in out
    assert "[0.5, 1.0]" in out
    assert out.count("the share of boundaries of either side that both have") == 2


def test_a_reader(tmp_path: Path) -> None:
    assert followed(tmp_path, "io/formats/stars.py", STARS, READER) <= 4
    out = run_in(tmp_path, USE_READER)
    assert "3 units" in out
    assert "1.0000" in out
