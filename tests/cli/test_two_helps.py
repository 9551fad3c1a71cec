"""Both helps of every command: `-h` fits a screen, `--help` has all options in their sections."""

import csv
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import segscore as ss
from needs import needs
from segscore.cli import app, help_text, run
from segscore.cli.command_list import COMMANDS, GROUPS
from segscore.cli.help_sections import Section, short_help_of

ROOT = Path(__file__).resolve().parents[2]
SCREEN = 40  # lines
DESIGN = {  # the groups of commands, in their order
    "Measure": "score compare agree curve evidence chunks sweep accumulate",
    "Look": "report plot audit check feedback",
    "Make": "annotate adjudicate sheet consensus segment convert simulate",
    "Research": "benchmark tune data demo",
    "Help": "help",
}


def walked(group: Any, *before: str) -> Iterator[tuple[str, Any]]:
    """All commands by what is typed, groups of commands included."""
    for name, command in group.commands.items():
        yield " ".join([*before, name]), command
        if hasattr(command, "commands"):
            yield from walked(command, *before, name)


ALL = dict(walked(get_command(app)))
LEAVES = [name for name, command in ALL.items() if not hasattr(command, "commands")]


def shown(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(words) == 0
    return capsys.readouterr().out


def options(command: Any) -> list[Any]:
    """The options that are not hidden, without those that show help."""
    own = [
        parameter
        for parameter in command.params
        if parameter.param_type_name == "option" and not parameter.hidden
    ]
    return [option for option in own if option.opts != ["-h"]]


def headings(text: str) -> list[str]:
    return re.findall(r"^(\S.*):$", text, re.MULTILINE)


def left_side(option: Any) -> str:
    """How the line of an option begins, as a pattern."""
    long = next((name for name in option.opts if name.startswith("--")), option.opts[0])
    return rf"^  (?:-\w, )?{re.escape(long)}(?:[ ,]|$)"


# ---- the short help ----


@pytest.mark.parametrize("name", ALL)
def test_the_short_help_is_a_screen(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown([*name.split(), "-h"], capsys)
    lines = text.splitlines()
    assert len(lines) <= SCREEN
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("Usage: ")
    assert lines[2].strip() == help_text.summary(ALL[name].help)
    assert lines[-1] == f"All options: segscore {name} --help"
    assert "Examples" in headings(text)
    assert "\x1b" not in text


@pytest.mark.parametrize("name", LEAVES)
def test_the_short_help_has_the_options_that_people_use(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    declared = short_help_of(ALL[name].callback)
    known = {long: option for option in options(ALL[name]) for long in option.opts}
    text = shown([*name.split(), "-h"], capsys)
    assert (name != "help") <= len(declared.options) <= 12  # which has no options of its own
    assert len(set(declared.options)) == len(declared.options)
    for option in declared.options:
        assert len(re.findall(left_side(known[option]), text, re.MULTILINE)) == 1
    assert len(declared.examples) in (1, 2)
    assert all(f"\n  {example}\n" in text for example in declared.examples)


# ---- the long help ----


@pytest.mark.parametrize("name", ALL)
def test_the_long_help_has_each_option_once_in_its_section(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown([*name.split(), "--help"], capsys)
    found = [heading for heading in headings(text) if heading not in ("Arguments", "Commands")]
    order = [section.value for section in Section]
    assert found == sorted(found, key=order.index)
    assert len(set(found)) == len(found)
    texts = re.split(r"^\S.*:$", text, flags=re.MULTILINE)[-len(found) :]
    for option in options(ALL[name]):
        counts = [len(re.findall(left_side(option), part, re.MULTILINE)) for part in texts]
        assert dict(zip(found, counts, strict=True)) == {
            heading: int(heading == option.rich_help_panel) for heading in found
        }


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("which", ["-h", "--help"])
def test_nothing_is_cut_on_a_narrow_terminal(
    name: str,
    which: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    wide = shown([*name.split(), which], capsys)
    monkeypatch.setenv("COLUMNS", "60")
    narrow = shown([*name.split(), which], capsys)
    assert narrow.split() == wide.split()
    long = [line for line in narrow.splitlines() if len(line) > 60]
    examples = short_help_of(ALL[name].callback).examples
    # a command line is not broken, nor the choices of an option
    assert all(
        line.strip() in examples or " " not in line.strip(" -").partition(" ")[2] for line in long
    )


def test_an_option_is_in_one_section_everywhere() -> None:
    sections = defaultdict(set)
    for command in ALL.values():
        for option in options(command):
            sections[option.opts[0]].add(Section(option.rich_help_panel))
    differ = {name: found for name, found in sections.items() if len(found) > 1}
    assert set(differ) <= {
        "--coder",  # who uses a page, who coded a file, or the name of gold
        "--document",  # what is drawn, a table of agreement, or a part of the page
        "--documents",  # of a table, or of a page
        "--encoder",  # of a segmenter, or for the cohesion of chunks
        "--group",  # of documents that people coded, or of sums
        "--segments",  # of a segmenter, or of what is simulated
        "--title",  # of a picture, or of a page
        "--within",  # of people, or of what is simulated
    }


# What an option with one name says may differ where its values do.
OWN_WORDS = {
    "--average", "--chance", "--coder", "--coefficient", "--document", "--documents", "--encoder",
    "--from", "--guidelines", "--keep-headings", "--method", "--metric", "--missing", "--on-error",
    "--output", "--parameter", "--per-document", "--reference", "--report", "--segments", "--show",
    "--system", "--test", "--title", "--units", "--width", "--within",
}  # fmt: skip


def test_one_name_has_the_same_words_in_all_commands() -> None:
    words = defaultdict(set)
    for command in ALL.values():
        for option in options(command):
            words[option.opts[0]].add((option.help, option.metavar))
    assert {name for name, texts in words.items() if len(texts) > 1} <= OWN_WORDS


def test_names_of_old_work_and_are_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    old = {
        "agree": ["--null", "--group"],
        "benchmark": ["--methods"],
        "data fetch": ["--accept"],
        "compare": ["--unit", "--systems", "--cluster", "--encoding"],
        "score": ["--encoding"],
        "segment": ["--encoding"],
    }
    for command, made in ALL.items():
        found = [name for option in options(made) for name in help_text.old_names(option)]
        assert sorted(found) == sorted(old.get(command, []))
        text = shown([*command.split(), "--help"], capsys)
        for name in found:
            assert not re.search(rf"^  \S*.*{name}(?:[ ,]|$)", text, re.MULTILINE)
    assert "--system-columns" in shown(["compare", "--help"], capsys)


# ---- the list of commands ----


@pytest.mark.parametrize("words", [["-h"], ["--help"], []])
def test_commands_stand_in_groups(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    assert [heading for heading in headings(text) if heading in DESIGN] == list(GROUPS)
    for group in GROUPS.values():
        for name, summary in group.items():
            assert len(re.findall(rf"^  {name} +{re.escape(summary)}$", text, re.MULTILINE)) == 1


def test_groups_are_those_of_the_design() -> None:
    design = {name: group.split() for name, group in DESIGN.items()}
    assert list(GROUPS) == [name for name in design if name in GROUPS]
    for name, group in GROUPS.items():
        assert list(group) == [command for command in design[name] if command in group]
    for path in (ROOT / "src/segscore/cli").glob("*.py"):
        is_command = re.search(r"^(?:def run\(|app = typer)", path.read_text("utf-8"), re.MULTILINE)
        assert (path.stem in COMMANDS) == bool(is_command) or path.stem == "__init__"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_summary_is_the_first_sentence_of_the_command(name: str) -> None:
    (summary,) = (group[name] for group in GROUPS.values() if name in group)
    assert summary == help_text.summary(ALL[name].help)
    assert re.fullmatch(r"[A-Z].*[^.]\.", summary)
    assert len(summary) <= 64


def test_the_list_imports_no_command() -> None:
    script = (
        "import sys; from segscore.cli import run; run(['--help']); "
        "print(*(name for name in sys.modules if name.startswith('segscore.cli.')), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = {name.rpartition(".")[2] for name in done.stderr.split()}
    assert not loaded & set(COMMANDS)
    assert all(name in done.stdout for name in COMMANDS)


# ---- examples ----


EXAMPLES = {example: name for name in ALL for example in short_help_of(ALL[name].callback).examples}
NOT_RUN = (  # they fetch from the network, need fetched data, or take long
    "segscore benchmark --corpus", "segscore data fetch", "segscore demo",
)  # fmt: skip
GUIDE = "# Install\n\nGet the wheel. Then run pip.\n\n# Use\n\nOpen a terminal. Type it.\n"
TALK = """WEBVTT

00:00.000 --> 00:02.000
Good morning. Who is there?

00:02.000 --> 00:04.000
It is me.
"""
TEXT = "".join(
    f"{words} number {n}.\n"
    for words in ("The cat sleeps on the warm mat", "Ships leave the old harbour")
    for n in range(12)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of the examples: those of the site, and others that are made."""
    made = tmp_path
    for path in (ROOT / "docs/examples").glob("*.*"):
        shutil.copy(path, made)
    shutil.copy(made / "reference.jsonl", made / "test.jsonl")
    references, people = ss.read(made / "reference.jsonl"), ss.read(made / "people.jsonl")
    for coder in ("ann", "bob"):
        ss.write(people.select(coders=[coder]), made / f"{coder}.jsonl")
    rows = {
        "test-scores.jsonl": [
            {"document": name, "scores": [(7 * p % 10) / 10 for p in range(1, reference.n_units)]}
            for name, reference in references.items()
        ],
        "fixed.jsonl": [{"document": "guide", "offsets": [[0, 30], [30, len(GUIDE)]]}],
        "sections.jsonl": [{"document": "guide", "offsets": [[0, 41], [41, len(GUIDE)]]}],
        "questions.jsonl": [
            {"id": "how", "question": "How do I install it?", "evidence": ["Get the wheel. Then"]},
            {"id": "use", "question": "How do I use it?", "evidence": ["Type it."]},
        ],
        "gold.jsonl": [{"document": "talk", "coder": "gold", "masses": [1, 1]}],
        "corpus.jsonl": [
            {"document": f"d{n}", "coder": "gold", "masses": [12, 12], "units": TEXT.splitlines()}
            for n in range(2)
        ],
    }
    for name, lines in rows.items():
        (made / name).write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    (made / "texts").mkdir()
    texts = {"guide.md": GUIDE, "guidelines.md": GUIDE, "task.md": GUIDE, "talk.vtt": TALK}
    for name in ("chapter.txt", "chapter1.txt", "chapter2.txt", "texts/one.txt", "texts/two.txt"):
        texts[name] = TEXT
    for name, text in texts.items():
        (made / name).write_text(text, "utf-8")
    return made


def decide(path: Path) -> None:
    """Write the sheet of decisions of the people, and drop every place that waits."""
    assert run(["adjudicate", "people.jsonl", "-o", str(path)]) == 0
    rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.DictWriter(file, rows[0])
        sheet.writeheader()
        sheet.writerows({**row, "decision": row["decision"] or "drop"} for row in rows)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_can_be_parsed(example: str) -> None:
    name = EXAMPLES[example]
    assert example == f"segscore {name}" or example.startswith(f"segscore {name} ")
    words = shlex.split(example)[1 + len(name.split()) :]
    context = ALL[name].make_context(name, words, resilient_parsing=False)
    for metric in context.params.get("metrics") or ():
        assert ss.metric(metric)


def _to_run() -> Iterator[Any]:
    for example in EXAMPLES:
        if not example.startswith(NOT_RUN) and ".arrow" not in example:
            writes_page = "report" in example
            marks = [pytest.mark.slow] if writes_page else []
            if example.startswith("segscore plot"):
                marks.append(needs("plot"))
            yield pytest.param(example, marks=marks)


@pytest.mark.parametrize("example", [*_to_run()])
def test_examples_work(
    example: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = shlex.split(example)[1:]
    monkeypatch.chdir(folder)
    if "decisions.csv" in words:
        decide(folder / "decisions.csv")
    names = {name for parameter in ALL[EXAMPLES[example]].params for name in parameter.opts}
    faster = ["--resamples", "20"] if "--resamples" in names else []
    assert run([*words, *faster]) == 0, capsys.readouterr().err
    written = [words[index + 1] for index, word in enumerate(words) if word in ("-o", "--report")]
    assert all((folder / name).exists() for name in written)
