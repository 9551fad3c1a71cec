"""Where commands write: not over their input, into pipes, and quietly where nobody reads."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import segscore
from segscore.cli import run

LINES = [
    {"document": "a", "coder": "gold", "masses": [2, 3, 6]},
    {"document": "b", "coder": "gold", "masses": [4, 4]},
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    ref, hyp = tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl"
    ref.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    hyp.write_text("".join(json.dumps({**line, "coder": "sys"}) + "\n" for line in LINES))
    return ref, hyp


def shell(command: str) -> "subprocess.CompletedProcess[str]":
    """Run a pipeline in bash; `segscore` is ours, and any part that fails fails it."""
    function = f'segscore() {{ "{sys.executable}" -m segscore "$@"; }}; set -o pipefail; '
    return subprocess.run(
        ["bash", "-c", function + command], capture_output=True, text=True, check=False
    )


def test_an_output_that_is_an_input_is_refused(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp = map(str, files)
    link = tmp_path / "link.jsonl"
    link.symlink_to(ref)
    text = tmp_path / "text.txt"
    text.write_text("One. Two.")
    before = files[0].read_bytes(), files[1].read_bytes()
    for words in (
        ["score", ref, hyp, "-o", ref],
        ["score", ref, hyp, "-o", str(link)],
        ["compare", ref, f"mine={hyp}", "-o", hyp],
        ["audit", ref, hyp, "-o", hyp],
        ["agree", ref, "-o", ref],
        ["segment", "--from", "jsonl", ref, "-o", ref],
        ["benchmark", ref, "-o", ref],
        ["simulate", "--sizes", f"like:{ref}", "-o", ref],
        ["convert", ref, ref],
        ["convert", str(tmp_path), ref],
    ):
        assert run(words) == 2, words
        stderr = capsys.readouterr().err
        assert re.search("read as input", stderr), words
        assert (files[0].read_bytes(), files[1].read_bytes()) == before


@pytest.mark.parametrize(
    "command",
    [
        "segscore score {ref} {hyp} -f json -o /dev/stdout | cat",
        "segscore score {ref} {hyp} -f json -o >(cat) | cat",
        "segscore score {ref} {hyp} -f json -o /dev/stdout > {out}; cat {out}",
        "echo -n > {out}; segscore score {ref} {hyp} -f json -o /dev/stdout >> {out}; cat {out}",
    ],
)
def test_tables_go_into_pipes(command: str, files: tuple[Path, Path], tmp_path: Path) -> None:
    ref, hyp = files
    done = shell(command.format(ref=ref, hyp=hyp, out=tmp_path / "out"))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)[0]["system"] == "sys"


@pytest.mark.parametrize(
    "command",
    [
        "segscore convert {ref} /dev/stdout | cat",
        "segscore convert {ref} /dev/stdout --to jsonl | cat",
        "segscore convert {ref} >(cat) | cat",
        "mkfifo {out}; cat {out} & segscore convert {ref} {out}; wait",
        "segscore convert {ref} /dev/stdout --to csv | segscore convert --from csv /dev/stdin /dev/stdout",
    ],
)
def test_conversions_go_into_pipes(command: str, files: tuple[Path, Path], tmp_path: Path) -> None:
    done = shell(command.format(ref=files[0], out=tmp_path / "out"))
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line) for line in done.stdout.splitlines()] == LINES


@pytest.mark.parametrize(
    "command",
    [
        "segscore simulate -n 2000 --hypotheses 300",
        "segscore convert {big} /dev/stdout",
        "segscore score {big} {big} --no-check --per-document",
        "segscore score {big} {big} --no-check --per-document -o /dev/stdout",
        "segscore segment --from jsonl {texts} --method none",
        "segscore demo",
        "segscore --help",
        "segscore score --help",
    ],
)
def test_a_reader_who_had_enough_ends_every_command_alike(command: str, tmp_path: Path) -> None:
    big, texts = tmp_path / "big.jsonl", tmp_path / "texts.jsonl"
    line = '{{"document":"d{}","coder":"a","masses":[2,3,6]}}\n'
    big.write_text("".join(line.format(i) for i in range(9000)))
    unit = ["some words"] * 2000
    texts.write_text(
        "".join(json.dumps({"document": f"d{i}", "units": unit}) + "\n" for i in range(9))
    )
    done = shell(command.format(big=big, texts=texts) + " | head -1 | wc -l")
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "1", "")


def test_names_are_spelt_out_on_a_terminal(tmp_path: Path) -> None:
    """In headers, cells, remarks and errors: no escape sequence of a file reaches the terminal."""
    red = "\x1b[31mred"
    ref, hyp = tmp_path / f"ref{red}.jsonl", tmp_path / f"hyp{red}.jsonl"
    ref.write_text(
        "".join(json.dumps({**line, "document": line["document"] + red}) + "\n" for line in LINES)
    )
    hyp.write_text(json.dumps({**LINES[0], "document": "a" + red, "coder": red}) + "\n")
    for words, code in (
        (["score", str(ref), str(hyp), "--missing", "skip", "--per-document"], 0),
        (["score", str(ref), str(hyp)], 2),
        (["score", str(ref), str(tmp_path / f"none{red}")], 2),
        (["compare", str(ref), str(hyp), "--missing", "skip", "--resamples", "10"], 0),
        (["score", str(ref), str(hyp), "-m", red], 2),
        ([red], 2),
    ):
        done = segscore(*words)
        assert done.returncode == code
        assert red not in done.stdout + done.stderr
        assert "\\x1b[31mred" in done.stdout + done.stderr
    main, terminal = pty.openpty()
    command = [sys.executable, "-m", "segscore", "score", str(ref), str(hyp), "--missing", "skip"]
    subprocess.run(command, stdout=terminal, stderr=terminal, check=True)
    output = os.read(main, 2**16)
    assert red.encode() not in output
    assert b"\\x1b[31mred" in output


# ---- exit codes where nobody reads ----

_GATE = "segscore score {ref} {poor} --no-check --fail-under b=0.99"


_ENDINGS = ("| true", "2>&- | true", "2>&1 | true", ">&-", "2>&-", ">&- 2>&-")
_CODES = (
    (_GATE + " -o /dev/stdout", 1),
    ("segscore score {ref} {poor} --no-check --fail-under b=0.01", 0),
    ("segscore compare {ref} {ref} {poor} --no-check --resamples 50 --fail-if-worse b=0", 1),
    ("segscore check {ref} {longer} --strict", 1),
    ("segscore score {ref} {ref}x", 2),
    ("segscore nonsense", 2),
    ("segscore convert {both} --read on-error=skip /dev/stdout --to jsonl", 3),
    ("segscore segment {texts} --read on-error=skip --method none", 3),
)  # fmt: skip


@pytest.mark.parametrize(
    ("command", "code", "ending"),
    [
        *((_GATE, 1, ending) for ending in _ENDINGS),
        *((command, code, "2>&1 | true") for command, code in _CODES),
        ("segscore score {ref} {ref}x", 2, "2>&-"),
    ],
)
def test_exit_codes_survive_a_closed_pipe(
    command: str, code: int, ending: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    poor, texts, both = tmp_path / "poor.jsonl", tmp_path / "texts", tmp_path / "both"
    poor.write_text("".join(json.dumps({**line, "coder": "p", "masses": [1, sum(line["masses"]) - 1]}) + "\n" for line in LINES))  # type: ignore[call-overload]  # fmt: skip
    longer = tmp_path / "longer.jsonl"
    longer.write_text(files[1].read_text().replace('"masses": [', '"masses": [1, '))
    texts.mkdir()
    both.mkdir()
    (texts / "a.txt").write_text("One. Two.")
    (texts / "b.txt").write_bytes(b"\xff\xfe\xff")
    (both / "a.jsonl").write_text(files[0].read_text())
    (both / "b.jsonl").write_text("{")
    filled = command.format(ref=files[0], poor=poor, longer=longer, texts=texts, both=both)
    done = shell(f"{filled} {ending}; echo ${{PIPESTATUS[0]}} >{tmp_path}/code")
    assert int((tmp_path / "code").read_text()) == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_full_disk_is_an_error(files: tuple[Path, Path]) -> None:
    done = shell(f"segscore score {files[0]} {files[1]} --no-check --fail-under b=0.1 > /dev/full")
    assert (done.returncode, done.stderr) == (2, "segscore: [Errno 28] No space left on device\n")
