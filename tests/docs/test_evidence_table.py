"""docs/guides/chunkers.md: its table of chunk sizes, computed again from the texts at hand."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "guides" / "chunkers.md").read_text("utf-8")


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    pytest.importorskip("langchain_text_splitters")
    path = ROOT / "tools" / "evidence_table.py"
    spec = importlib.util.spec_from_file_location("evidence_table", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def _table(tool: ModuleType) -> list[str]:
    return PAGE.split(tool.START)[1].split(tool.END)[0].strip().splitlines()


def test_the_table_is_computed_again(tool: ModuleType, data: Path) -> None:
    folder = data / "evidence"
    if not (folder / "questions_df.csv").is_file():
        pytest.skip("the data has no questions with evidence")
    printed = _table(tool)
    texts = tool.texts_here(folder)
    if not all(name in printed[-1].split("(")[0] for name in texts):
        pytest.skip("the table is about other texts than those at hand")
    assert printed == tool.lines(folder)
