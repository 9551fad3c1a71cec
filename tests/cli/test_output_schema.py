"""The JSON of every table against docs/output.schema.json."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from command_line import segscore
from command_tables import TABLES, folder_of_tables

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "output.schema.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of_tables(tmp_path_factory.mktemp("schema"))


def table(folder: Path, *arguments: str) -> Any:
    done = segscore(*arguments, "-f", "json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def keeps_to_schema(rows: Any, name: str) -> None:
    """Check rows by the schema of their table; `test_the_schema_is_one` checks the schema itself,
    which `jsonschema.validate` would do in each call."""
    schema = {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}
    jsonschema.Draft202012Validator(schema).validate(rows)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"].endswith(":1")
    assert set(SCHEMA["$defs"]) == set(TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_every_table_keeps_to_its_schema(folder: Path, name: str) -> None:
    rows = table(folder, *TABLES[name])
    keeps_to_schema(rows, name)
    assert rows
    known = SCHEMA["$defs"][name]["items"]
    named_by_data = (
        "documents",
        "systems",
        "benchmark",
        "document",
        "between",
        "curve",
        "thresholds",
        "sweep",
        "label-use",
        "findings",
    )
    if name not in named_by_data:
        written = {key for row in rows for key in row}
        parts = {
            f"{key}_{end}" for key in known["properties"] for end in ("low", "high", "note", "sd")
        }
        assert written <= set(known["properties"]) | parts
