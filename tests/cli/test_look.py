"""How tables look on screens of 80, 100 and 140 columns, in files, in LaTeX and in HTML."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

import segscore as ss
from command_line import segscore
from segscore.cli import run

WIDTHS = (80, 100, 140)
FAST = ("--resamples", "100")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty documents: a reference and three systems, and their coders in one file."""
    folder = tmp_path_factory.mktemp("look")
    refs = ss.simulate.references(ss.simulate.UniformSizes(5, 15), 8, n=30, rng=1)
    names = [f"document-{i:02}" for i in range(30)]
    kinds = {
        "ref": ss.simulate.Errors(),
        "near": ss.simulate.Errors(near_misses=0.6),
        "misses": ss.simulate.Errors(misses=0.4),
        "a-system-with-a-long-name": ss.simulate.Errors(false_positives=0.4),
    }
    everyone: dict[str, dict[str, ss.Segmentation]] = {name: {} for name in names}
    for coder, errors in kinds.items():
        made = ss.simulate.coders(refs, errors, 1, rng=2)
        rows = {
            name: {coder: document["1"]}
            for name, document in zip(names, made.values(), strict=True)
        }
        ss.write(ss.Corpus.from_dict(rows), folder / f"{coder}.jsonl")
        for name, row in rows.items():
            everyone[name] |= row
    ss.write(ss.Corpus.from_dict(everyone), folder / "codings.jsonl")
    return folder


def compared(folder: Path, *options: object, columns: int | None = None) -> str:
    names = ("ref", "near", "misses", "a-system-with-a-long-name")
    files = [folder / f"{name}.jsonl" for name in names]
    done = segscore("compare", *files, *FAST, *options, columns=columns)
    assert done.returncode == 0, done.stderr
    return done.stdout


def is_table(text: str, first: str, n_columns: int) -> bool:
    """Whether the line that starts with a word has so many cells, two blanks between them."""
    line = next(line for line in text.splitlines() if line.startswith(f"{first}  "))
    return len(re.split(r" {2,}", line.strip())) >= n_columns


@pytest.mark.parametrize("width", WIDTHS)
def test_compare_is_a_table_on_every_screen(folder: Path, width: int) -> None:
    text = compared(folder, columns=width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert is_table(text, "near", 4)
    assert "system:" not in text
    assert text.split("\n\n")[1].splitlines()[0].split().count("micro") == 3
    assert re.search(r"\[0\.\d{3,4}, 0\.\d{3,4}\]", text)


def test_without_a_terminal_the_width_is_100_and_files_get_all(
    folder: Path, tmp_path: Path
) -> None:
    assert 80 < max(map(cell_len, compared(folder).splitlines())) <= 100
    compared(folder, "-o", tmp_path / "table.txt")
    text = (tmp_path / "table.txt").read_text()
    assert max(map(cell_len, text.splitlines())) > 100
    assert "0.0000" in text  # four decimals


def test_digits_percent_columns_and_intervals(folder: Path) -> None:
    text = compared(folder, "--digits", 1, "--percent", "--no-intervals")
    assert "[" not in text.split("─\n")[0] + text.split("─\n")[1]
    assert re.search(r"^none +\d\d\.\d ", text, re.M)
    assert "(%)" in text
    records = json.loads(compared(folder, "-f", "json", "--columns", "system,b,b_rank"))
    added = ["b_sd", "b_low", "b_high", "b_marks"]
    assert list(records[0]) == ["system", "b", *added, "b_rank"]
    assert records[0]["b"] < 1  # machines get shares
    shown = compared(folder, "--columns", "b_rank,system,pk")
    assert shown.split("\n\n")[1].splitlines()[0].split()[:2] == ["rank", "system"]
    bare = json.loads(compared(folder, "-f", "json", "--no-intervals"))
    assert not [key for key in bare[0] if key.endswith(("_low", "_high"))]


# ---- LaTeX ----


def test_latex_compiles(folder: Path, tmp_path: Path) -> None:
    pdflatex, kpsewhich = shutil.which("pdflatex"), shutil.which("kpsewhich")
    wanted = ["lmodern.sty", "booktabs.sty", "lmr10.pfb"]
    if not (
        pdflatex and kpsewhich and subprocess.run([kpsewhich, *wanted], check=False).returncode == 0
    ):
        pytest.skip("LaTeX is not installed (Debian: texlive-latex-recommended, lmodern)")
    hostile = {r"a\b_c & {x}% $ # ~ ^ <y> |z|": "near", "[1em] *": "misses"}
    systems = [f"{name}={folder / f'{file}.jsonl'}" for name, file in hostile.items()]
    done = segscore("compare", folder / "ref.jsonl", *systems, *FAST, "-f", "latex", "--digits", 3)
    maps = segscore(
        "agree", folder / "codings.jsonl", "--draws", 20, "-f", "latex",
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
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    same = ["score", str(folder / "ref.jsonl"), str(folder / "ref.jsonl")]
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
def test_a_suffix_that_promises_another_format_is_refused(folder: Path, suffix: str) -> None:
    """A table as plain text was written under such names."""
    command = ("score", "ref.jsonl", "near.jsonl", "-o", f"out{suffix}")
    done = segscore(*command, cwd=folder)
    assert done.returncode == 2
    assert re.search(f"table is written.*{suffix}", done.stderr)
    assert not (folder / f"out{suffix}").exists()
    assert segscore(*command, "-f", "csv", cwd=folder).returncode == 0
    assert (folder / f"out{suffix}").read_text().startswith("system,")
