"""How tables look on screens of 80, 100 and 140 columns, in files, in LaTeX and in HTML."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from command_line import segscore
from segscore.cli import run

WIDTHS = (80, 100, 140)
FAST = ("--resamples", "100")
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
REFERENCE = EXAMPLES / "reference.jsonl"
SYSTEMS = {"near": "ours", "misses": "baseline", "a-system-with-a-long-name": "baseline"}


def compared(*options: object, columns: int | None = None) -> str:
    systems = [f"{name}={EXAMPLES / file}.jsonl" for name, file in SYSTEMS.items()]
    done = segscore("compare", REFERENCE, *systems, *FAST, *options, columns=columns)
    assert done.returncode == 0, done.stderr
    return done.stdout


def is_table(text: str, first: str, n_columns: int) -> bool:
    """Whether the line that starts with a word has so many cells, two blanks between them."""
    line = next(line for line in text.splitlines() if line.startswith(f"{first}  "))
    return len(re.split(r" {2,}", line.strip())) >= n_columns


@pytest.mark.parametrize("width", WIDTHS)
def test_compare_is_a_table_on_every_screen(width: int) -> None:
    text = compared(columns=width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert is_table(text, "near", 4)
    assert "system:" not in text
    assert text.split("\n\n")[1].splitlines()[0].split().count("micro") == 3
    assert re.search(r"\[0\.\d{3,4}, 0\.\d{3,4}\]", text)


def test_without_a_terminal_the_width_is_100_and_files_get_all(tmp_path: Path) -> None:
    assert 80 < max(map(cell_len, compared().splitlines())) <= 100
    compared("-o", tmp_path / "table.txt")
    text = (tmp_path / "table.txt").read_text()
    assert max(map(cell_len, text.splitlines())) > 100
    assert "0.0000" in text  # four decimals


def test_digits_percent_columns_and_intervals() -> None:
    text = compared("--digits", 1, "--percent", "--no-intervals")
    assert "[" not in text.split("─\n")[0] + text.split("─\n")[1]
    assert re.search(r"^none +\d\d\.\d ", text, re.M)
    assert "(%)" in text
    records = json.loads(compared("-f", "json", "--columns", "system,b,b_rank"))
    added = ["b_sd", "b_low", "b_high", "b_marks"]
    assert list(records[0]) == ["system", "b", *added, "b_rank"]
    assert records[0]["b"] < 1  # machines get shares
    shown = compared("--columns", "b_rank,system,pk")
    assert shown.split("\n\n")[1].splitlines()[0].split()[:2] == ["rank", "system"]
    bare = json.loads(compared("-f", "json", "--no-intervals"))
    assert not [key for key in bare[0] if key.endswith(("_low", "_high"))]


# ---- LaTeX ----


def test_latex_compiles(tmp_path: Path) -> None:
    pdflatex, kpsewhich = shutil.which("pdflatex"), shutil.which("kpsewhich")
    wanted = ["lmodern.sty", "booktabs.sty", "lmr10.pfb"]
    if not (
        pdflatex and kpsewhich and subprocess.run([kpsewhich, *wanted], check=False).returncode == 0
    ):
        pytest.skip("LaTeX is not installed (Debian: texlive-latex-recommended, lmodern)")
    hostile = {r"a\b_c & {x}% $ # ~ ^ <y> |z|": "ours", "[1em] *": "baseline"}
    systems = [f"{name}={EXAMPLES / file}.jsonl" for name, file in hostile.items()]
    done = segscore("compare", REFERENCE, *systems, *FAST, "-f", "latex", "--digits", 3)
    maps = segscore(
        "agree", EXAMPLES / "people.jsonl", "--draws", 20, "-f", "latex",
        "--show", "map", "--show", "tree", "--show", "agreement",
    )  # fmt: skip
    page = tmp_path / "page.tex"
    page.write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{lmodern,booktabs}\n"
        "\\usepackage[margin=1cm,paperwidth=35cm]{geometry}\\begin{document}\n"
        f"{done.stdout}\n{maps.stdout}\n\\end{{document}}\n"
    )
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", page.name]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    log = made.stdout.decode(errors="replace")
    assert made.returncode == 0, log[-3000:]
    assert "Missing character" not in log
    assert (tmp_path / "page.pdf").stat().st_size > 10_000


# ---- what goes to stderr, and the commands in groups ----


def test_remarks_fit_the_terminal_and_errors_stay_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    same = ["score", str(REFERENCE), str(REFERENCE)]
    assert run(same) == 0
    (whole,) = capsys.readouterr().err.splitlines()  # in a log a remark is a line
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    assert run(same) == 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= max(60, *map(len, whole.split()))
    assert "".join(whole.split()) == "".join("".join(lines).split())
    assert run(["score", "nowhere" * 20, "b"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("suffix", [".xlsx", ".docx", ".tsv", ".pdf"])
def test_a_suffix_that_promises_another_format_is_refused(tmp_path: Path, suffix: str) -> None:
    """A table as plain text was written under such names."""
    command = ("score", REFERENCE, EXAMPLES / "ours.jsonl", "-o", f"out{suffix}")
    done = segscore(*command, cwd=tmp_path)
    assert done.returncode == 2
    assert re.search(f"table is written.*{suffix}", done.stderr)
    assert not (tmp_path / f"out{suffix}").exists()
    assert segscore(*command, "-f", "csv", cwd=tmp_path).returncode == 0
    assert (tmp_path / f"out{suffix}").read_text().startswith("system,")
