"""The Tab key, as shells ask for it: by environment variables."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from segscore.cli import app
from segscore.cli.command_list import COMMANDS
from segscore.cli.help import TOPICS
from segscore.datasets import DATASETS
from segscore.io.registry import FORMATS, WRITTEN
from segscore.metrics.makers import METRICS
from segscore.segmenters.by_name import SEGMENTERS

MAIN = "import sys; sys.argv[0] = 'segscore'; from segscore.cli import main; main()"

Ask = Callable[[str], list[str]]


def asked(shell: str, line: str) -> dict[str, str]:
    """The variables by which a shell asks for what may follow in a line."""
    return {
        "_SEGSCORE_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }


def words(shell: str, answer: str) -> list[str]:
    """The words that a shell would offer."""
    if shell == "zsh":
        inside = answer.strip().removeprefix("_arguments '*: :((").removesuffix("))'")
        return [] if inside == "_files" else [row.split('"')[1] for row in inside.splitlines()]
    return [row.partition("\t")[0] for row in answer.splitlines() if row]


def printed(variables: Mapping[str, str], script: str = MAIN) -> str:
    """What a process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **variables}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


@pytest.fixture(params=["bash", "zsh", "fish"])
def shell(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ask(shell: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Ask as a shell does, in this process, which is quicker."""

    def answered(line: str) -> list[str]:
        for name, value in asked(shell, line).items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit):
            app(prog_name="segscore")
        return words(shell, capsys.readouterr().out)

    return answered


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("segscore ", COMMANDS),
        ("segscore score ref.jsonl hyp.jsonl -m w", METRICS),
        ("segscore segment --method u", SEGMENTERS),
        ("segscore benchmark corpus.jsonl --method c", SEGMENTERS),
        ("segscore agree codings --from web", FORMATS),
        ("segscore convert a.jsonl b --to s", WRITTEN),
        ("segscore data fetch c", DATASETS),
        ("segscore help met", TOPICS),
        ("segscore help co", COMMANDS),
    ],
)
def test_names_are_completed(ask: Ask, line: str, known: list[str]) -> None:
    expected = [name for name in known if name.startswith(line.rpartition(" ")[2])]
    assert expected
    assert ask(line) == expected


def test_options_choices_and_files(ask: Ask) -> None:
    assert ask("segscore compare --system") == ["--system", "--system-columns", "--system-labels"]
    assert ask("segscore compare --unit") == ["--units"]  # not the name of old of --case
    assert ask("segscore score --fail-under b") == ["b="]
    assert ask("segscore evidence --fail-under who") == ["whole="]
    assert ask("segscore score --map doc") == ["document="]
    assert ask("segscore plot bou") == ["boundaries"]
    assert ask("segscore agree --show cont") == ["contested"]
    assert ask("segscore data f") == ["fetch"]
    assert ask("segscore score ref.js") == []  # the shell completes names of files


def test_a_hint_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typer breaks long hints, and fish takes the second line for another word."""
    for name, value in asked("fish", "segscore score --").items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        app(prog_name="segscore")
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) > 50
    assert all(row.startswith("--") and "\t" in row for row in rows)


def test_a_shell_gets_its_script_and_its_answers(shell: str) -> None:
    script = printed({"_SEGSCORE_COMPLETE": f"source_{shell}"})
    assert f"_SEGSCORE_COMPLETE=complete_{shell}" in script
    answer = printed(asked(shell, "segscore score -m wi"))
    assert words(shell, answer) == ["windowdiff", "winpr"]


def test_commands_are_completed_without_importing_them(tmp_path: Path) -> None:
    names = str(tmp_path / "names")
    at_end = f"pathlib.Path({names!r}).write_text(' '.join(sys.modules))"
    script = f"import atexit, pathlib; atexit.register(lambda: {at_end}); {MAIN}"
    assert words("bash", printed(asked("bash", "segscore ch"), script)) == ["chunks", "check"]
    loaded = (tmp_path / "names").read_text("utf-8").split()
    assert "segscore.cli.command_list" in loaded
    assert not {f"segscore.cli.{name}" for name in COMMANDS} & set(loaded)
