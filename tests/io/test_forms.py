"""A row per answer, as forms give it: lists typed by people, `starts`, `marks` with lists."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from io_reading_tools import message, remarks
from remarks import each_matches
from segscore.io.table_columns import listed

HEADER = "Timestamp,Name,Text,Where?,Sentences"
FORM = {"coder": "Name", "document": "Text", "n_units": "Sentences"}
STARTS: Any = {**FORM, "starts": "Where?"}
BOUNDARIES: Any = {**FORM, "boundaries": "Where?"}


def form(path: Path, *answers: str, n: object = 45) -> Path:
    """Write a form with a row per person, all about the same text."""
    rows = [f'2026/01/01,p{i},t,"{answer}",{n}' for i, answer in enumerate(answers)]
    path.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    return path


def answered(path: Path, columns: Any, **more: Any) -> list[list[int]]:
    corpus = ss.read(path, columns=columns, remark=lambda _: None, **more)
    return [coding.boundaries.tolist() for coding in corpus["t"].values()]


@pytest.mark.parametrize(
    "text",
    ["5, 8, 12, 41", "5;8;12;41", "5 8 12 41", "[5, 8, 12, 41]", "5,8,12,41,", "5 ; 8\n12, 41"],
)
def test_lists_as_people_type_them(tmp_path: Path, text: str) -> None:
    path = form(tmp_path / "f.csv", text)
    assert answered(path, BOUNDARIES) == [[5, 8, 12, 41]]
    assert answered(path, STARTS) == [[4, 7, 11, 40]]


@pytest.mark.parametrize(("text", "masses"), [("4, 7", [3, 3, 4]), ("1, 4, 7", [3, 3, 4]),
                                              ("7;4", [3, 3, 4]), ("1", [10]), ("", [10]),
                                              ("-", [10]), ("10", [9, 1])])  # fmt: skip
def test_starts_count_units_from_1(tmp_path: Path, text: str, masses: list[int]) -> None:
    corpus = ss.read(form(tmp_path / "f.csv", text, n=10), columns=STARTS, remark=lambda _: None)
    assert corpus["t"]["p0"].masses.tolist() == masses


def test_the_number_of_units_from_texts(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "t.txt").write_text("One is one. Two is two.\nThree is three.\nFour is four.\n")
    path = form(tmp_path / "f.csv", "3", "", n="")
    columns = {name: column for name, column in STARTS.items() if name != "n_units"}
    assert re.search("text=", message(path, columns=columns))
    for rule, n in (("sentences", 4), ("lines", 3)):
        corpus = ss.read(path, columns=columns, text=texts, units=rule, remark=lambda _: None)
        assert [coding.masses.tolist() for coding in corpus["t"].values()] == [[2, n - 2], [n]]


def test_the_number_of_units_from_other_codings(tmp_path: Path) -> None:
    others = tmp_path / "others.jsonl"
    others.write_text('{"document": "t", "coder": "x", "masses": [4, 5]}\n')
    path = form(tmp_path / "f.csv", "3", n="")
    corpus = ss.read([others, path], columns=STARTS)
    assert corpus["t"]["p0"].masses.tolist() == [2, 7]
    with pytest.raises(ss.SegmentationError, match="n_units is missing"):
        ss.read([path, others], columns=STARTS)
    rows = f"{HEADER}\n1,ann,t,4,10\n2,bob,t,5,\n"
    path.write_text(rows)
    assert answered(path, STARTS) == [[3], [4]]


def test_two_answers_of_one_person(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text(f'{HEADER}\n1,ann,t,4,10\n2,bob,t,5,10\n3,ann,t,"6, 8",10\n')
    assert re.search("duplicates=", message_of_read(path))
    for duplicates, expected in (("first", [[3], [4]]), ("last", [[5, 7], [4]])):
        assert answered(path, STARTS, duplicates=duplicates) == expected
    _, messages = remarks(path, columns=STARTS, duplicates="last")
    assert "'t' by 'ann', f.csv, line 2 (kept: f.csv, line 4)" in messages[0]


def test_the_last_coding_is_the_one_exported_last(tmp_path: Path) -> None:
    """`ann (1).jsonl` is newer than `ann.jsonl`, and is read before it."""
    for name, boundary, hour in (("ann (1)", 5, 12), ("ann", 3, 9)):
        told = {"finished": True, "exported": f"2026-05-04T{hour:02}:00:00Z"}
        row = {"document": "t", "coder": "ann", "boundaries": [boundary], "n_units": 9}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row | {"annotation": told}))
    for duplicates, boundary, kept in (("first", 3, "ann"), ("last", 5, "ann (1)")):
        _, messages = remarks(tmp_path, duplicates=duplicates)
        corpus = ss.read(tmp_path, duplicates=duplicates, remark=lambda _: None)
        assert corpus["t"]["ann"].boundaries.tolist() == [boundary]
        assert f"{kept}.jsonl, line 1)" in "".join(messages)
        assert {name in "".join(messages) for name in ("ann.jsonl", "ann (1).jsonl")} == {True}


def message_of_read(path: Path) -> str:
    with pytest.raises(ss.SegmentationError) as error:
        ss.read(path, columns=STARTS)
    return str(error.value)


def test_numbers_that_a_spreadsheet_misread() -> None:
    with pytest.raises(ss.SegmentationError, match="5.8.*took the list"):
        listed(5.8)
    assert listed(5.0) == [5]
    from datetime import date

    with pytest.raises(ss.SegmentationError, match="2026-08-05.*took the list"):
        listed(date(2026, 8, 5))


# ---- several recordings in one table ----


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
