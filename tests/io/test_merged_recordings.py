"""Several recordings in one table: read apart, or refused, and never merged in silence."""

import json
import re
from pathlib import Path

import pytest

import segscore as ss
from io_reading_tools import message, remarks
from remarks import each_matches

ROWS = [("a", 0, "x"), ("a", 60, "y"), ("a", 120, "x"), ("b", 0, "x"), ("b", 30, "y")]
LENGTHS = {"a": 180.0, "b": 90.0}
MASSES = {"a": [60, 60, 60], "b": [30, 60]}


def table(name: str) -> str:
    return f"{name},start,title\n" + "".join(f"{a},{b},{c}\n" for a, b, c in ROWS)


def masses(path: Path, **options: object) -> dict[str, list[int]]:
    corpus = ss.read(path, units="seconds:1", durations=LENGTHS, **options)  # type: ignore[arg-type]
    return {
        name: next(iter(document.values())).masses.tolist() for name, document in corpus.items()
    }


@pytest.mark.parametrize("name", ["video", "Recording", "episode_id"])
def test_a_column_named_like_a_recording_is_the_document(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(table(name))
    assert masses(path) == MASSES


def test_a_row_of_json_may_name_its_recording(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    rows = [{"video": a, "start": b, "title": c} for a, b, c in ROWS]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert masses(path) == MASSES


def test_starts_that_go_back_with_another_value_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(table("clip"))
    assert re.search(
        r"x\.csv.*column 'clip'.*0.*line 5.*'clip'.*document\?",
        message(path, units="seconds:1:180", policy="keep-start"),
    )
    assert masses(path, columns={"document": "clip"}) == MASSES
    ignoring = ss.read(
        path, units="seconds:1:180", policy="keep-start", ignore_columns=["clip"],
        remark=lambda _: None,
    )  # fmt: skip
    assert list(ignoring) == ["x"]


def test_rows_of_json_that_go_back_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(json.dumps({"clip": a, "start": b, "title": c}) for a, b, c in ROWS))
    error = message(path, units="seconds:1:180", policy="keep-start")
    assert re.search(r"x\.jsonl.*'clip'.*start goes back.*0.*line 4", error)
    assert re.search("name in the key 'document'", error)


@pytest.mark.parametrize(
    "rows",
    [
        ["ann,60,120", "ann,120,180", "bob,0,60"],  # sorted by speaker; all fit into one recording
        ["1,60,", "2,120,", "3,0,"],  # each value once: a number of the row
        ["u,60,", "u,0,", "v,120,"],  # the starts of 'u' go back, too: rows in any order
    ],
)
def test_rows_of_one_recording_in_any_order(rows: list[str], tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("\n".join(["other,start,end", *rows]))
    found, messages = remarks(path, "table", units="seconds:60:180")
    assert found[0]["masses"] == [1, 1, 1]
    assert each_matches(messages, r"x\.csv.*not read.*'other'")
