"""The help of every command, and what a command imports."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import segscore
from segscore.cli import commands
from segscore.metrics import DEFAULT_METRICS, METRICS
from segscore.segmenters.by_name import SEGMENTERS

SUMMARIES = {name: text for group in commands.GROUPS.values() for name, text in group.items()}


@pytest.mark.parametrize("name", commands.COMMANDS)
def test_the_help_fits_and_every_option_has_a_panel(name: str) -> None:
    lines = segscore(name, "--help", columns=80).stdout.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 80
    command: Any = commands.make_command(name)
    assert command.help.startswith(SUMMARIES[name])
    for parameter in command.params:
        assert parameter.help, parameter.name
        if parameter.param_type_name == "option":
            assert parameter.rich_help_panel in commands.SECTIONS, parameter.name


def test_the_list_has_every_command_and_imports_none() -> None:
    script = (
        "import sys; from segscore.cli import run; run({}); "
        "print(*(name for name in sys.modules if name.startswith('segscore.cli.')), file=sys.stderr)"
    )
    for arguments, expected in (([], set()), (["score", "--help"], {"score"})):
        done = subprocess.run(
            [sys.executable, "-c", script.format(arguments)],
            capture_output=True,
            text=True,
            check=True,
        )
        loaded = {name.rpartition(".")[2] for name in done.stderr.split()}
        assert loaded & set(commands.COMMANDS) == expected
        if not arguments:
            assert all(f" {name} " in done.stdout for name in commands.COMMANDS)


def test_metrics_lists_and_explains() -> None:
    names = re.findall(r"^  (\S+)", segscore("metrics").stdout, re.MULTILINE)
    assert names == [*METRICS, *SEGMENTERS]
    for name in DEFAULT_METRICS:
        assert f"Signature: {name}|" in segscore("metrics", name.upper()).stdout
    assert "Choi" in segscore("metrics", "c99").stdout
    done = segscore("metrics", "windowdif")
    assert (done.returncode, "'windowdiff'" in done.stderr) == (2, True)


def test_one_line_for_words_that_no_command_has() -> None:
    for words, hint in ((["scor"], "'score'"), (["score", "a", "b", "--metrik", "b"], "--metric")):
        done = segscore(*words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert hint in done.stderr


# ---- what `segscore score` of two files imports ----


EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
FILES = [str(EXAMPLES / "reference.jsonl"), str(EXAMPLES / "ours.jsonl")]
NOT_NEEDED = (
    # other people's
    "pydantic", "rich", "scipy", "snowballstemmer", "jinja2", "numpy.ma", "pyarrow",
    # of the standard library: a second of networks, mail, XML and plug-ins
    "ssl", "socket", "http.client", "urllib.request", "email", "importlib.metadata", "logging",
    "concurrent.futures", "xml.sax", "xml.parsers.expat", "csv", "_hashlib", "importlib.resources",
    # our own
    "segscore.io.formats.recordings", "segscore.io.formats.table_formats", "segscore.io.table_files",
    "segscore.io.writing", "segscore.metrics.hierarchy",
    "segscore.metrics.label_agreement", "segscore.metrics.segment_matching", "segscore.comparison",
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


@pytest.mark.usefixtures("unmeasured")
def test_score_imports_only_what_it_uses() -> None:
    found = loaded("score", *FILES, "--no-check")
    assert {"segscore.metrics.window", "segscore.io.formats.jsonl"} <= found
    assert sorted(found.intersection(NOT_NEEDED)) == []
    assert sorted(loaded("score", *FILES).intersection(NOT_NEEDED)) == []  # checks need no more
