"""The help of every command: words in place of Python types, and options that mean one thing."""

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from needs import where_needed
from segscore.cli import app, command_list, run
from segscore.io import compressed, files


def commands(group: Any, *before: str) -> Iterator[str]:
    """The words of every command, those of commands in groups included."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *before, name)
        else:
            yield " ".join([*before, name])


COMMANDS = sorted([*commands(get_command(app)), "data"])


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert run([*command.split(), "--help"]) == 0
    return capsys.readouterr().out


def test_there_are_commands() -> None:
    expected = {"score", "agree", "compare", "audit", "segment", "benchmark", "tune", "data fetch"}
    assert expected <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_python_types(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of(command, capsys)
    assert not re.search(
        r"<|\blist\[|\bPath\b|\bstr\b|\bint\b|\brange\b|\bfloat\b|\.\.\.|[{}]", text
    )
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_m_is_a_metric_and_coders_one_thing(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = help_of(command, capsys)
    assert re.findall(r"-m, --\w+", text) in ([], ["-m, --metric"])
    assert re.findall(r"--coders \S+", text) in ([], ["--coders global|local"])
    assert re.findall(r"--methods? [A-Z]\S+", text) in ([], ["--method METHOD"])


def test_what_an_option_expects(capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of("score", capsys)
    assert "score [OPTIONS] REF [HYP…]\n" in text
    assert re.search(r"^  HYP… +Files or folders", text, re.MULTILINE)
    for option in (
        "-m, --metric METRIC",
        "--on-undefined raise|nan",
        "--average both|micro|macro",
        "--threads NUMBER",
        "-o, --output FILE",
    ):
        assert re.search(rf"^  {re.escape(option)}(  |$)", text, re.MULTILINE)


# ---- what messages name is there ----


NAMING_LARGE = {  # how each command is given a file
    "adjudicate": ["{text}", "-o", "{out}"],
    "agree": ["{text}"],
    "annotate": ["{text}", "-o", "{out}"],
    "audit": ["{text}", "{text}"],
    "benchmark": ["{text}"],
    "check": ["{text}", "{text}"],
    "chunks": ["{text}", "{text}"],
    "compare": ["{text}", "{text}"],
    "consensus": ["{text}"],
    "feedback": ["{text}", "{text}"],
    "convert": ["{text}", "{out}"],
    "evidence": ["{text}", "{text}", "{text}"],
    "plot": ["lengths", "{text}", "-o", "{out}"],
    "report": ["{text}", "-o", "{out}"],
    "score": ["{text}", "{text}"],
    "segment": ["{text}"],
    "sheet": ["{text}", "--names", "a", "-o", "{out}.csv"],
    "simulate": ["--sizes", "like:{text}"],
    "tune": ["--method", "c99", "{text}"],
    "curve": ["{text}", "{text}", "-m", "pk"],
    "sweep": ["{text}", "{text}", "-m", "pk", "--parameter", "k=2,3"],
}  # fmt: skip


@pytest.mark.parametrize("command", where_needed(NAMING_LARGE, {"plot": "plot"}))
def test_what_a_refusal_of_large_files_names_is_an_option(
    command: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compressed, "MOST_FREE", 2**21)  # more than is looked at to tell formats
    monkeypatch.setattr(compressed, "MOST_GROWTH", 2)
    text, arrow = tmp_path / "x.jsonl.gz", tmp_path / "x.arrow"
    line = json.dumps({"document": "d", "masses": [2, 3], "note": "a" * 2**22})
    text.write_bytes(gzip.compress(line.encode()))
    monkeypatch.setattr(files, "MOST_BYTES", 10)
    arrow.write_bytes(b"ARROW1" * 10)
    words = [
        word.format(text=text, arrow=arrow, out=tmp_path / "out.jsonl")
        for word in NAMING_LARGE[command]
    ]
    assert run([*command.split(), *words]) == 2
    assert re.search(r"or --large\b", capsys.readouterr().err)
    assert "--large " in help_of(command, capsys)
    run([*command.split(), *words, "--large"])  # something else may be wrong
    assert "--large" not in capsys.readouterr().err


def test_no_other_command_reads_files_of_the_user() -> None:
    """A new command stands in NAMING_LARGE, or here if it reads nothing, or only our own data."""
    others = {"data", "data fetch", "data list", "demo", "help"}
    assert set(COMMANDS) == others | set(NAMING_LARGE)


def test_large_is_refused_where_nothing_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "--large"]) == 2
    assert re.search("--large.*no effect", capsys.readouterr().err)
    assert run(["benchmark", "--corpus", "choi", "--large"]) == 2
    assert re.search("--large.*no effect", capsys.readouterr().err)


def test_a_command_imports_no_other_command() -> None:
    script = (
        "import sys; from segscore.cli import run; run(['score', '--help']); "
        "print(*(name for name in sys.modules if name.startswith('segscore.cli.')), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = {name.rpartition(".")[2] for name in done.stderr.split()}
    assert loaded & set(command_list.COMMANDS) == {"score"}
