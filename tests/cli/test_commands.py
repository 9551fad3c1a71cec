"""The command line: what it prints, writes and refuses; in this process, and in real ones."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import command_line
import segscore as ss
from command_line import Done

FORMATS = ["text", "markdown", "latex", "csv", "json", "html"]
REFERENCE = [
    {"document": "a", "coder": "gold", "masses": [2, 3, 6]},
    {"document": "b", "coder": "gold", "masses": [4, 4]},
]
HYPOTHESIS = [
    {"document": "b", "coder": "sys", "masses": [3, 5]},
    {"document": "a", "coder": "sys", "masses": [5, 6]},
]


def segscore(*arguments: object, code: int = 0, columns: int | None = None) -> Done:
    """Run the command and see how it ends."""
    done = command_line.segscore(*arguments, columns=columns)
    assert done.returncode == code, done.stderr
    return done


def process(*arguments: object) -> Done:
    """Run the command as users run it."""
    command = [sys.executable, "-X", "utf8", "-m", "segscore", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert "Traceback" not in done.stderr
    return Done(done.returncode, done.stdout, done.stderr)


def complaint(*arguments: object) -> str:
    """The one line that wrong input gets."""
    done = segscore(*arguments, code=2)
    assert done.stdout == ""
    assert re.fullmatch(r"segscore: .*\n", done.stderr)
    return done.stderr


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A reference and a hypothesis."""
    paths = tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl"
    for path, rows in zip(paths, (REFERENCE, HYPOTHESIS), strict=True):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return paths


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["score", "REF", "HYP"], 0),
        (["score", "REF", "HYP", "-m", "bleu"], 2),
        (["score", "REF"], 2),
        (["--version"], 0),
        ([], 0),
    ],
)
def test_a_process_does_the_same(
    files: tuple[Path, Path], arguments: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = {"REF": files[0], "HYP": files[1]}
    call = [names.get(argument, argument) for argument in arguments]
    alone, inside = process(*call), command_line.segscore(*call)
    assert alone.returncode == inside.returncode == code
    program = re.compile(r"Usage: .* (?=\[OPTIONS\]).*")  # how it was started
    assert program.sub("", alone.stdout) == program.sub("", inside.stdout)
    assert program.sub("", alone.stderr) == program.sub("", inside.stderr)
    assert ("Usage: " in alone.stdout) == (not arguments)  # the list of commands


def test_score_gives_what_the_library_gives(files: tuple[Path, Path]) -> None:
    rows = json.loads(segscore("score", *files, "-m", "wd(k=1)", "-m", "f1", "-f", "json").stdout)
    refs, hyps = (
        {row["document"]: ss.Segmentation.from_masses(row["masses"]) for row in side}
        for side in (REFERENCE, HYPOTHESIS)
    )
    result = ss.score(refs, hyps, ["wd(k=1)", "f1"])
    assert [row["metric"] for row in rows] == ["wd(k=1)", "f1"]
    for row in rows:
        assert row["micro"] == result[row["metric"]].micro
        assert row["macro"] == result[row["metric"]].macro
        assert row["documents"] == 2
        assert ss.metric(row["signature"]) == result[row["metric"]].metric


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_to_stdout_and_to_a_file(
    files: tuple[Path, Path], form: str, tmp_path: Path
) -> None:
    printed = segscore("score", *files, "--format", form, columns=140)
    assert printed.stderr == ""
    target = tmp_path / "out"
    assert segscore("score", *files, "--format", form, "-o", target).stdout == ""
    text = target.read_text()
    assert printed.stdout.strip() in text if form == "html" else text == printed.stdout
    assert text.startswith("<!DOCTYPE html>") == (form == "html")
    assert "windowdiff" in printed.stdout
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("out")] == ["out"]


def test_documents_missing_on_one_side(files: tuple[Path, Path]) -> None:
    ref, hyp = files
    hyp.write_text(json.dumps(HYPOTHESIS[0]) + "\n")
    assert "'a'" in complaint("score", ref, hyp)
    done = segscore("score", ref, hyp, "--missing", "skip", "-f", "json")
    assert json.loads(done.stdout)[0]["documents"] == 1
    assert re.search("1.*2 hypotheses", done.stderr)
    text = segscore("score", ref, hyp, "--missing", "skip")
    assert "skipped (missing on one side): a" in text.stdout


def test_documents_that_cannot_be_scored(files: tuple[Path, Path]) -> None:
    assert "document 'b': windowdiff is undefined" in complaint("score", *files, "-m", "wd(k=9)")
    done = segscore("score", *files, "-m", "wd(k=9)", "--on-undefined", "nan", "-f", "json")
    assert json.loads(done.stdout)[0]["undefined"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score"], "Missing argument 'REF'"),
        (["score", "nowhere.jsonl", "x.jsonl"], "nowhere.jsonl"),
        (["score", "REF"], "HYP is missing"),
        (["score", "REF", "HYP", "-m", "bleu"], "no metric is called 'bleu'"),
        (["score", "REF", "HYP", "-m", "wd(k=0)"], "k is 0"),
        (["score", "REF", "HYP", "-f", "xml"], "xml"),
        (["score", "REF", "HYP", "-o", "no/folder/x.csv"], "no/folder/x.csv: No such file"),
        (["score", "REF", "HYP", "--reference", "who"], "who"),
        (["convert", "REF", "x.unknown"], "x.unknown"),
        (["convert", "nowhere.json", "x.jsonl"], "nowhere.json"),
        (["dance"], "No such command 'dance'"),
        (["demo", "--loud"], "No such option"),
    ],
)
def test_wrong_input_gets_one_line(
    files: tuple[Path, Path], arguments: list[str], message: str
) -> None:
    names = {"REF": files[0], "HYP": files[1]}
    assert message in complaint(*(names.get(argument, argument) for argument in arguments))


def test_the_demo_ends_with_commands_that_run(tmp_path: Path) -> None:
    done = segscore("demo", "--folder", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") <= 90
    for page in ("demo-report.html", "demo-annotate.html"):
        assert page in done.stdout
        assert "In Xanadu did Kubla Khan" in (tmp_path / page).read_text("utf-8")
    commands = re.findall(r"^  segscore (.*)$", done.stdout, re.M)
    assert len(commands) == 3
    for command in commands:
        done = command_line.segscore(*shlex.split(command), cwd=tmp_path)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("key", ["marks", "text-encoding"])
def test_a_key_of_read_that_is_given_as_an_option_is_told(key: str) -> None:
    done = segscore("score", "a", "b", f"--{key}", "x", code=2)
    assert done.stderr.count("\n") == 1
    assert f"--read {key}=" in done.stderr
