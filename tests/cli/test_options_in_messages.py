"""An option that a message names exists in the command that says it.

All texts of the source that name options are looked at, help and docstrings aside. Those of `cli`
belong to commands; the rest are messages of rooms that commands share, which are worded for the
command at hand (`given_options.worded_for`) as long as the option stands in brackets.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.main import get_command

import segscore as ss
from command_line import segscore
from segscore.cli import app
from segscore.cli.given_options import _CONVERTS, worded_for

SOURCE = Path(ss.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z](?![\w-])")
OTHER_COMMAND = re.compile(r"segscore ([a-z]+(?: [a-z]+)?)\b")


def _all_commands(group: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    for key in group.list_commands(None):
        command = group.get_command(None, key)
        called = f"{name} {key}".strip()
        if hasattr(command, "list_commands"):
            yield from _all_commands(command, called)
        else:
            yield called, command


OPTIONS = {
    name: frozenset(
        o for p in command.params for o in (*p.opts, *p.secondary_opts) if o[:2] == "--"
    )
    | {"--help", "--version"}
    for name, command in _all_commands(get_command(app))
}
READERS = frozenset(name for name, known in OPTIONS.items() if "--marks" in known)
WITH_SETTINGS = frozenset(name for name, known in OPTIONS.items() if "--config" in known)
TEXTS = frozenset({"segment", "benchmark", "tune"})
PAIRS = frozenset({"score", "compare", "audit", "sweep", "check", "report", "feedback"})

# which commands reach messages that name options without brackets, by file: all of them have the
# options; a file that is not here must name options in brackets alone
REACHED_BY = {
    "checking/label_frames.py": READERS,
    "coders/agreement_tables.py": {"agree"},
    "coders/decision_sheet.py": {"adjudicate", "consensus"},
    "coders/feedback.py": {"feedback"},
    "coders/label_reliability.py": {"agree", "check", "report"},
    "coders/nobody.py": {"feedback"},
    "comparison/given_systems.py": {"compare", "report"},
    "corpus/sheet_columns.py": READERS,
    "io/coder_choice.py": READERS,
    "io/receipts.py": READERS,
    "corpus/record.py": PAIRS - {"sweep"},
    "datasets/fetching.py": {"data fetch"},
    "io/plain_texts.py": {"segment"},
    "io/texts_beside.py": {"report"},
    "io/unknown_json.py": PAIRS,
    "pages/report_page.py": {"report"},
    "pages/people.py": {"report"},
    "segmenters/by_name.py": TEXTS,
}
# names of programs of others, and of formats of arguments
NOT_OURS = {
    ("conventions/convention_list.py", "--k"),
}  # fmt: skip
# files of cli that several commands use; all others belong to the command of their name, or, if
# none has it, to all commands
OF_COMMANDS = {
    "cli/__init__.py": set(), "cli/agreement_options.py": {"agree"},
    "cli/two_rounds.py": {"agree"}, "cli/accumulate.py": {"accumulate merge"},
    "cli/chunk_options.py": {"chunks", "evidence"}, "cli/column_files.py": {"score", "compare"},
    "cli/column_options.py": {"score", "compare"}, "cli/comparison_options.py": {"compare"},
    "cli/data.py": {"data fetch"}, "cli/gate.py": {"score", "compare"},
    "cli/option_groups.py": {name for name, known in OPTIONS.items() if "--force" in known},
    "cli/options.py": {"score", "compare"}, "cli/reading_options.py": READERS,
    "cli/reading_values.py": READERS, "cli/segmenter_options.py": TEXTS,
    "cli/sources.py": {"report"}, "cli/sweep_values.py": {"sweep", "plot"},
    "cli/help_text.py": set(OPTIONS), "cli/command_list.py": set(OPTIONS),
    "cli/output.py": {"score", "compare", "agree", "curve"},
}  # fmt: skip
# options of one of the commands that share a file, with the commands that say them
OF_SOME = {
    ("cli/column_files.py", "--hypothesis-column"): {"score"},
    ("cli/column_files.py", "--per-document"): {"score"},
    ("cli/column_files.py", "--parts"): {"score"},
    ("cli/column_files.py", "--system-columns"): {"compare"},
    ("cli/column_files.py", "--system-labels"): {"compare"},
    ("cli/column_files.py", "--cluster-column"): {"compare"},
    ("cli/column_files.py", "--by"): {"score"},
    ("cli/output.py", "--show"): {"agree", "score", "feedback", "evidence", "chunks"},
    ("cli/gate.py", "--fail-under"): {"score"}, ("cli/gate.py", "--fail-over"): {"score"},
    ("cli/gate.py", "--fail-if-worse"): {"compare"}, ("cli/gate.py", "--alpha"): {"compare"},
    ("cli/gate.py", "--margin"): {"compare"}, ("cli/gate.py", "--allow-small"): {"compare"},
}  # fmt: skip


OF_OTHERS = ("cli/given_options.py", "cli/unknown_options.py")  # names that no command has


class Named(NamedTuple):
    """A text of the source that names options."""

    file: str
    line: int
    text: str


def _looked_at(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Texts of a module, without docstrings and what declares options and help."""
    aside: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            aside.update(map(id, ast.walk(body[0])))
        called = getattr(node, "func", None)
        name = getattr(called, "attr", getattr(called, "id", ""))
        if isinstance(node, ast.Call) and name in ("Option", "Argument", "short_help", "Written"):
            aside.update(map(id, ast.walk(node)))
    for node in ast.walk(tree):
        if id(node) in aside:
            continue
        if isinstance(node, ast.JoinedStr):
            aside.update(map(id, ast.walk(node)))
            parts = (part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _all_named() -> Iterator[Named]:
    for path in sorted(SOURCE.rglob("*.py")):
        file, source = path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8")
        if file in OF_OTHERS or not OPTION.search(source):
            continue
        for line, text in _looked_at(ast.parse(source)):
            if OPTION.search(text):
                yield Named(file, line, text)


NAMED = list(_all_named())
SHARED = [message for message in NAMED if not message.file.startswith("cli/")]
OF_CLI = [message for message in NAMED if message.file.startswith("cli/")]


def bare(text: str) -> str:
    """A message without its brackets: what a command without any option would say."""
    return worded_for(frozenset(), text).partition("; segscore convert has ")[0]


def known_to(commands: set[str] | frozenset[str], named: Named) -> set[str]:
    """Options that a text names and one of these commands does not have; those behind `segscore
    COMMAND` belong to that command."""
    lacking = set()
    for found in OPTION.finditer(named.text):
        before = list(OTHER_COMMAND.finditer(named.text[: found.start()]))
        others = {before[-1][1], before[-1][1].split()[0]} & set(OPTIONS) if before else set()
        said_by = others or OF_SOME.get((named.file, found[0]), commands)
        if any(found[0] not in OPTIONS[command] for command in said_by):
            lacking.add(found[0])
    return lacking


def test_messages_are_found() -> None:
    assert len(SHARED) > 80
    assert len(OF_CLI) > 60
    assert any("--lossy" in message.text for message in SHARED)


@pytest.mark.parametrize("file", dict.fromkeys(message.file for message in SHARED))
def test_options_of_shared_messages_exist_or_stand_in_brackets(file: str) -> None:
    for message in (message for message in SHARED if message.file == file):
        left = set(OPTION.findall(bare(message.text)))
        left -= {option for name, option in NOT_OURS if name == file}
        if not left:
            continue
        place = f"{file}:{message.line}: {message.text}"
        others = OTHER_COMMAND.search(message.text)
        assert file in REACHED_BY or others, f"{place}: which commands say {left}?"
        reached = REACHED_BY.get(file, set())
        assert not known_to(set(reached), message._replace(text=bare(message.text))), place


def test_options_in_brackets_exist_somewhere() -> None:
    """Those that a command lacks are left out of its messages: a wrong name would be in none."""
    everywhere = frozenset().union(*OPTIONS.values())
    ours = [message for message in SHARED if not any(message.file == file for file, _ in NOT_OURS)]
    for message in ours:
        unknown = set(OPTION.findall(message.text)) - everywhere
        assert not unknown, (
            f"{message.file}:{message.line}: {message.text}: no command has {unknown}"
        )


@pytest.mark.parametrize("command", OPTIONS)
def test_options_that_a_help_names_exist_there(command: str) -> None:
    """The help of options that commands share is looked at, too."""
    made = dict(_all_commands(get_command(app)))[command]
    for text in (made.help or "", *(parameter.help or "" for parameter in made.params)):
        lacking = known_to({command}, Named("", 0, " ".join(text.split())))
        lacking -= OPTIONS[command]  # named behind an example with another command
        assert not lacking, f"{command} has no {lacking}: {text}"


@pytest.mark.parametrize("file", dict.fromkeys(message.file for message in OF_CLI))
def test_options_of_messages_of_commands_exist(file: str) -> None:
    own = Path(file).stem
    commands = OF_COMMANDS.get(file, {own} & set(OPTIONS) or WITH_SETTINGS)
    for message in (message for message in OF_CLI if message.file == file):
        lacking = known_to(set(commands), message)
        assert not lacking, (
            f"{file}:{message.line}: {message.text}: not all of {commands} have {lacking}"
        )


@pytest.mark.parametrize("command", OPTIONS)
def test_shared_messages_are_worded_for_each_command(command: str) -> None:
    """Whatever stands in brackets, no command names an option there that it does not have."""
    for message in SHARED:
        text = worded_for(OPTIONS[command], message.text).partition("; segscore convert has ")[0]
        for inside in re.findall(r"\(([^()]*--[a-z][^()]*)\)", text):
            lacking = {
                option for option in OPTION.findall(inside) if option not in OPTIONS[command]
            }
            assert not lacking, f"{command}: {message.file}:{message.line}: {text}"


def test_what_convert_has() -> None:
    assert OPTIONS["convert"] >= _CONVERTS
    named = {option for message in SHARED for option in OPTION.findall(message.text)}
    reading = OPTIONS["convert"] - {"--to", "--force", "--coder", "--coders", "--errors"}
    assert named & reading <= _CONVERTS | {"--help"}


# ---- seen by running them ----


def test_remedies_of_consensus_and_agree_work(tmp_path: Path) -> None:
    for coder, third, masses in (("ann", "c", [2, 3]), ("bob", "X", [1, 4])):
        units = f'["a", "b", "{third}", "d", "e"]'
        line = f'{{"document": "d", "coder": "{coder}", "masses": {masses}, "units": {units}}}\n'
        (tmp_path / f"{coder}.jsonl").write_text(line)
    for command in ("agree", "consensus", "score", "feedback"):
        stderr = segscore(command, "ann.jsonl", "bob.jsonl", cwd=tmp_path).stderr
        assert re.search(r"(; |and )--ignore-text ", stderr), command
        assert "ignore_text" not in stderr
        done = segscore(command, "ann.jsonl", "bob.jsonl", "--ignore-text", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    stderr = segscore("agree", "ann.jsonl", "bob.jsonl", "--ignore-text", cwd=tmp_path).stderr
    assert "the texts of 1 of 1 documents differ, and the first is kept: 'd'" in stderr
    gold = ("consensus", "ann.jsonl", "-o", "gold.csv")
    assert ", or --lossy" in segscore(*gold, cwd=tmp_path).stderr
    assert not (tmp_path / "gold.csv").exists()
    assert segscore(*gold, "--lossy", cwd=tmp_path).returncode == 0
    assert ss.read(tmp_path / "gold.csv")["d"]["consensus"].masses.tolist() == [2, 3]
    feedback = segscore("feedback", "ann.jsonl", "bob.jsonl", cwd=tmp_path).stderr
    assert "--align" not in feedback  # which feedback does not have


def test_lenient_reading_is_an_option_wherever_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.ref").write_text("==========\none\n\ntwo\n==========\nthree\n==========\n")
    refused = segscore("score", "a.ref", "a.ref", cwd=tmp_path)
    assert "or --lenient" in refused.stderr
    done = segscore("score", "a.ref", "a.ref", "--lenient", "--no-check", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_command_without_the_option_says_who_has_it(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("document,unit,ann\nd,1,0\nd,2,1\nd,3,0\nd,4,1\n")
    stderr = segscore("simulate", "--sizes", "like:table.csv", cwd=tmp_path).stderr
    assert "expected marks=: " in stderr
    assert stderr.endswith("; segscore convert has --marks\n")
    assert "expected --marks: " in segscore("agree", "table.csv", cwd=tmp_path).stderr
