"""What `segscore score` of two files imports: nothing that it does not use.

Starting is most of what a small command costs, so modules that are slow to import, and rooms that
scoring has no use for, must stay away.
"""

import subprocess
import sys
from pathlib import Path

import pytest

LINES = '{"document": "a", "n_units": 9, "boundaries": [3, 5]}\n'
NOT_NEEDED = (
    # other people's
    "pydantic", "rich", "scipy", "snowballstemmer", "numpy.ma", "pyarrow",
    # of the standard library: a second of networks, mail, XML and plug-ins
    "ssl", "socket", "http.client", "urllib.request", "email", "importlib.metadata", "logging",
    "concurrent.futures", "xml.sax", "xml.parsers.expat", "csv",
    # our own
    "segscore.io.formats.elan", "segscore.io.formats.csv_long", "segscore.io.table_files",
    "segscore.io.writing", "segscore.metrics.hierarchy",
    "segscore.metrics.label_agreement", "segscore.metrics.titles", "segscore.comparison",
    "segscore.significance", "segscore.coders", "segscore.engines", "segscore.segmenters",
    "segscore.plot", "segscore.pages", "segscore.text.sentences", "segscore.scoring.accumulator",
)  # fmt: skip
SCRIPT = """
import sys
from segscore.cli import run
sys.exit(run(sys.argv[1:]) or print(*sys.modules, sep="\\n", file=sys.stderr))
"""


def loaded(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.splitlines())


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    both = (tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl")
    for path in both:
        path.write_text(LINES.replace("{", f'{{"coder": "{path.stem}", ', 1), "utf-8")
    return str(both[0]), str(both[1])


def test_score_imports_only_what_it_uses(files: tuple[str, str]) -> None:
    found = loaded("score", *files, "--no-check")
    assert {"segscore.metrics.window", "segscore.io.formats.jsonl"} <= found
    assert sorted(found.intersection(NOT_NEEDED)) == []
    assert sorted(loaded("score", *files).intersection(NOT_NEEDED)) == []  # checks need no more


def test_what_is_asked_for_is_imported(files: tuple[str, str]) -> None:
    """The names above are right: each way to need one of them finds it."""
    asked = loaded("score", *files, "-m", "e-pk", "--digits", "3")
    assert {"segscore.metrics.hierarchy", "pydantic"} <= asked
    assert "rich" in loaded("score", *files, "--caption", "日本語")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--digits", "wide"], "--digits"),
        (["--average", "none"], "'both'"),
        (["--digits", "2.5"], "--digits"),
    ],
)
def test_wrong_values_are_still_told(
    files: tuple[str, str], arguments: list[str], words: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "segscore", "score", *files, *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
