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


def test_size_trades_whole_against_precision(tool: ModuleType) -> None:
    """What the page says about its table."""
    rows = [line.strip("| ").split(" | ") for line in _table(tool)]
    values = {
        row[0]: (float(row[2]), float(row[3])) for row in rows if row[0][:3] in ("fix", "rec")
    }
    for splitter in ("fixed", "recursive"):
        column = [values[f"{splitter} {size}"] for size in tool.SIZES]
        assert [whole for whole, _ in column] == sorted(whole for whole, _ in column)
        assert [precision for _, precision in column] == sorted(
            (precision for _, precision in column), reverse=True
        )
    for size in tool.SIZES:
        assert values[f"fixed {size}"] < values[f"recursive {size}"]
        assert values[f"fixed {size}"][1] < values[f"recursive {size}"][1]
    plain, overlapping = values["recursive 400"], values["recursive 400, overlap 200"]
    assert overlapping[0] > plain[0]
    assert overlapping[1] < plain[1]
