"""The help of every command: words in place of Python types, and options that mean one thing."""

import re
from collections.abc import Iterator

import pytest
import typer

from segscore.cli import app, run


def commands(one: typer.Typer, *before: str) -> Iterator[str]:
    """The words of every command, those of commands in groups included."""
    for command in one.registered_commands:
        yield " ".join([*before, command.name or ""])
    for group in one.registered_groups:
        assert group.typer_instance is not None
        yield from commands(group.typer_instance, *before, group.name or "")


COMMANDS = sorted([*commands(app), "data"])


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
    assert re.findall(r"--methods?, ?--methods? \S+|--methods? [A-Z]\S+", text) in (
        [], ["--method METHOD"], ["--methods, --method METHODS"],
    )  # fmt: skip


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
        assert f"  {option} " in text
