"""docs/benchmarks_today.md: cells of its tables, computed again."""

import csv
import importlib.util
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

import segscore as ss
from segscore.cli import app
from segscore.datasets import DATASETS, load, place_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "benchmarks_today.md").read_text("utf-8")


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tool", ROOT / "tools" / "benchmarks_today.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def corpus_of(name: str) -> ss.Corpus:
    if place_of(DATASETS[name]) is None:
        pytest.skip(f"{name} is not on this machine")
    return load(name)


def printed(name: str) -> dict[str, list[str]]:
    """The cells of a table of the page by their row."""
    part = PAGE.split(f"<!-- {name}: written by make benchmarks-today -->")[1]
    rows = part.split(f"<!-- end of {name} -->")[0].strip().splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {row[0].strip("`"): row[1:] for row in cells}


@pytest.mark.parametrize(
    ("name", "method"), [("tiage", "utiyama-isahara"), ("committee", "texttiling")]
)
def test_rows_are_computed_again(tool: ModuleType, name: str, method: str) -> None:
    comparison = tool.compared(corpus_of(name), [method])
    table = printed(name)
    for row in (method, "none", "uniform"):
        assert table[row][:2] == tool.cells(comparison, row)
    for cell, again in zip(table["random"], tool.cells(comparison, "random"), strict=False):
        assert cell.split()[0] == again.split()[0]  # its interval rests on the other draws, too


def test_methods_that_find_the_number_are_computed_again(tool: ModuleType) -> None:
    corpus = corpus_of("committee")
    assert tool.methods_without_number() == ["bayesseg", "utiyama-isahara", "c99", "texttiling"]
    comparison = tool.compared(corpus, ["texttiling"], known=False)
    assert printed("committee")["texttiling"][2:4] == tool.cells(comparison, "texttiling")


def test_baselines_of_dialseg711_are_computed_again() -> None:
    corpus = corpus_of("dialseg711")
    references = {name: document["reference"] for name, document in corpus.items()}
    made = {
        "none": {
            name: ss.baselines.none(reference.n_units) for name, reference in references.items()
        },
        "uniform": {
            name: ss.baselines.uniform(reference.n_units, n_segments=reference.n_segments)
            for name, reference in references.items()
        },
    }
    for row, codings in made.items():
        result = ss.score(references, codings, metrics=["pk", "windowdiff"])
        for cell, metric in zip(printed("dialseg711")[row], ("pk", "windowdiff"), strict=False):
            assert float(cell.split()[0]) == round(result[metric].macro.value, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dialseg711", "tiage", "committee", "qmsum"])
def test_whole_tables(tool: ModuleType, name: str) -> None:
    corpus = corpus_of(name)
    found = tool.compared(corpus, tool.methods_without_number(), known=False)
    lines = tool.table(name, tool.compared(corpus), found)
    assert tool.replaced(PAGE, name, lines) == PAGE


def test_the_command_of_the_page_runs() -> None:
    corpus_of("committee")
    (lines,) = re.findall(r"^\$ (segscore benchmark(?:.*\\\n)+.*)$", PAGE, re.MULTILINE)
    words = shlex.split(lines.replace("\\\n", " "))[1:]
    words[words.index("dialseg711")] = "committee"
    words[words.index("--method") + 1] = "texttiling"
    result = CliRunner().invoke(app, [*words, "--format", "csv"])
    assert result.exit_code == 0, result.stderr
    rows = {row["system"]: row for row in csv.DictReader(result.stdout.splitlines())}
    value = f"{float(rows['texttiling']['pk']):.3f}".removeprefix("0")
    assert printed("committee")["texttiling"][0].startswith(value)


def test_the_example_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = corpus_of("dialseg711")
    (code,) = re.findall(r"```py\n(.*?)```", PAGE, re.DOTALL)
    mine = {
        name: {"mine": ss.baselines.none(document.n_units)} for name, document in corpus.items()
    }
    ss.write(ss.Corpus.from_dict(mine), tmp_path / "mine.jsonl")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEGSCORE_DATA", str(place_of(DATASETS["dialseg711"]).parent))  # type: ignore[union-attr]
    exec(code, {})  # noqa: S102
    assert re.search(r"mine +0\.421", capsys.readouterr().out)


def test_what_papers_print_stands_beside(tool: ModuleType) -> None:
    for (name, row), cells in tool.PRINTED.items():
        assert printed(name)[row][4:] == list(cells)


def test_the_numbers_of_the_text() -> None:
    """How large the corpora are, as the page says."""
    for name, pattern in (
        ("dialseg711", r"(\d+) dialogues.*: ([\d.]+) utterances and\s+([\d.]+) segments"),
        (
            "tiage",
            r"(\d+) chats of two people of(?:.|\n)*?: ([\d.]+) utterances and\s+([\d.]+) segm",
        ),
        (
            "committee",
            r"(\d+) meetings of committees(?:.|\n)*?: ([\d.]+) turns and\s+([\d.]+) segm",
        ),
    ):
        match = re.search(pattern, PAGE)
        assert match is not None, name
        codings = [document["reference"] for document in corpus_of(name).values()]
        n = len(codings)
        for text, value in zip(
            match.groups(),
            (
                n,
                sum(coding.n_units for coding in codings) / n,
                sum(coding.n_segments for coding in codings) / n,
            ),
            strict=True,
        ):
            digits = len(text.partition(".")[2])
            assert float(text) == round(value, digits)
