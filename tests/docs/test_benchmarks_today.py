"""docs/benchmarks_today.md: cells of its tables, computed again."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

import segscore as ss
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dialseg711", "tiage", "committee", "qmsum"])
def test_whole_tables(tool: ModuleType, name: str) -> None:
    corpus = corpus_of(name)
    found = tool.compared(corpus, tool.methods_without_number(), known=False)
    lines = tool.table(name, tool.compared(corpus), found)
    assert tool.replaced(PAGE, name, lines) == PAGE


def test_what_papers_print_stands_beside(tool: ModuleType) -> None:
    for (name, row), cells in tool.PRINTED.items():
        assert printed(name)[row][4:] == list(cells)
