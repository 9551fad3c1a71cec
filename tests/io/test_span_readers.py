"""Label Studio, doccano and brat."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from io_reading_tools import fields, message, remarks
from remarks import each_matches

TEXT = "Hi 😀. First topic.\nSecond topic."
SENTENCES = ["Hi 😀.", "First topic.", "Second topic."]
CODING = {"masses": [2, 1], "units": SENTENCES, "segment_labels": ["A", "B"]}


def utf16(index: int) -> int:
    return len(TEXT[:index].encode("utf-16-le")) // 2


def result(
    start: Any, end: Any, *labels: str, text: str | None = None, name: str = "label"
) -> dict:
    value = {"start": start, "end": end, "labels": list(labels)}
    return {"type": "labels", "from_name": name, "to_name": "text",
            "value": value if text is None else {**value, "text": text}}  # fmt: skip


def task(*results: dict, coder: Any = 7, data: Any = None, **more: Any) -> list[dict]:
    annotation = {"completed_by": coder, "was_cancelled": False, "result": list(results), **more}
    return [
        {"id": 1, "data": {"text": TEXT} if data is None else data, "annotations": [annotation]}
    ]


def put(tmp_path: Path, data: Any) -> Path:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(data))
    return path


# ---- Label Studio ----


def test_label_studio(tmp_path: Path) -> None:
    first, second = result(0, utf16(18), "A"), result(utf16(19), utf16(32), "B")
    data = task(first, second, {"type": "choices", "value": {"choices": ["x"]}})
    other = {
        "completed_by": {"id": 8, "email": "bob@example.org"},
        "result": [result("0", "33", "C")],
    }
    gone = {"completed_by": 9, "was_cancelled": True, "result": []}
    data[0]["annotations"] += [other, gone]
    path = put(tmp_path, data)
    first_record, second_record = fields(path, units="sentences")
    assert first_record == {"document": "1", "coder": "7", **CODING}
    assert second_record["coder"] == "bob@example.org"
    assert (second_record["masses"], second_record["segment_labels"]) == ([3], ["C"])
    assert fields(path, units="characters", policy="keep-start")[0]["masses"] == [19, 13]


def test_label_studio_offsets_by_their_text(tmp_path: Path) -> None:
    a, b = TEXT[:18], TEXT[19:].replace("\n", "\\n")
    new = task(result(0, 18, "A", text=a), result(19, 32, "B", text=b))
    old = task(result(0, 19, "A", text=a), result(20, 33, "B", text=b))
    for data in (new, old):
        assert fields(put(tmp_path, data), units="sentences")[0] == {
            "document": "1", "coder": "7", **CODING,
        }  # fmt: skip
    wrong = task(result(0, 18, "A", text="other"))
    assert re.search(
        r"x\.json.*document '1'.*coder '7'.*text.*0.*18.*'other'",
        message(put(tmp_path, wrong), units="sentences"),
    )


def test_label_studio_layers_and_policies(tmp_path: Path) -> None:
    path = put(
        tmp_path, task(result(0, 19, "A"), result(20, 33, "B"), result(0, 5, "x", name="ner"))
    )
    where = "x.json: document '1', coder '7': "
    assert re.search(f"{where}.*0 … 4.*'x'.*cuts unit 1", message(path, units="sentences"))
    assert fields(path, units="sentences", layer="label")[0]["segment_labels"] == ["A", "B"]
    path = put(tmp_path, task(result(10, 19, "A"), result(20, 33, "B")))
    found, messages = remarks(path, units="sentences", policy="snap")
    assert found[0]["masses"] == [1, 1, 1]
    assert each_matches(messages, f"{where}snap.*1.*1")  # fmt: skip
    assert fields(put(tmp_path, task()), units="lines", policy="keep-start")[0]["masses"] == [2]


def test_label_studio_dialogue(tmp_path: Path) -> None:
    turns = [{"author": "a", "text": f"turn {index}"} for index in range(4)]

    def labelled(start: Any, end: Any, label: str, first: int = 0, last: int = 6) -> dict:
        return {"type": "paragraphlabels", "value": {"start": start, "end": end, "startOffset": first,
                "endOffset": last, "paragraphlabels": [label]}}  # fmt: skip

    path = put(
        tmp_path, task(labelled("0", "1", "A"), labelled(2, 3, "B"), data={"dialogue": turns})
    )
    assert fields(path) == [{
        "document": "1", "coder": "7", "masses": [2, 2],
        "units": ["turn 0", "turn 1", "turn 2", "turn 3"],
        "segment_labels": ["A", "B"],
    }]  # fmt: skip
    path = put(tmp_path, task(labelled("0", "1", "A", last=3), labelled(1, 3, "B", first=3),
                              data={"d": turns}))  # fmt: skip
    assert "cuts unit 2" in message(path)
    assert fields(path, policy="keep-start", remark=str)[0]["masses"] == [1, 3]  # type: ignore[arg-type]
    assert re.search(
        r"x\.json.*document '1'.*coder '7'.*units is 'words'.*turns of a dialogue",
        message(path, units="words"),
    )
    path = put(tmp_path, task(labelled("0", "4", "A"), data={"d": turns}))
    assert re.search(r"x\.json.*document '1'.*coder '7'.*paragraphs 0.*4", message(path))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"a": 1}, "'a'.*1.*list of tasks"),
        ([1], "task 1.*1.*'id'"),
        (task(coder=None), "document '1'.*completed_by is None.*NoneType"),
        (task(data={"a": "x", "b": "y"}), "document '1'.*coder '7'.*data.*'a'.*'x'.*'b'.*'y'.*called"),
        (task(result(0, "x", "A")), "document '1'.*coder '7'.*end is 'x'.*whole number"),
        (task(result(0, 99, "A")), "document '1'.*coder '7'.*99.*outside the text"),
        (task(result(0, 4, "A")), "document '1'.*coder '7'.*4.*inside a character"),
    ],
)  # fmt: skip
def test_label_studio_malformed(data: Any, expected: str, tmp_path: Path) -> None:
    assert re.search(expected, message(put(tmp_path, data), "label-studio", units="sentences"))


def test_units_of_text_are_needed(tmp_path: Path) -> None:
    path = put(tmp_path, task(result(0, 33, "A")))
    rules = r"units=.*paragraphs"
    where = "x.json: document '1', coder '7': "
    assert re.search(f"{where}the file does.*{rules}", message(path))
    assert re.search(f"{where}units is 'seconds:6'.*{rules}", message(path, units="seconds:6"))


# ---- doccano ----

NEW = {"id": 5, "text": TEXT, "Comments": [], "relations": [], "entities": [
    {"id": 1, "label": "A", "start_offset": 0, "end_offset": 19},
    {"id": 2, "label": "B", "start_offset": 20, "end_offset": 33}]}  # fmt: skip
OLD = {"id": 5, "text": TEXT, "label": [[20, 33, "B"], [0, 19, "A"]]}


@pytest.mark.parametrize("line", [NEW, OLD, {**OLD, "label": None} | {"labels": OLD["label"]}])
def test_doccano(line: dict, tmp_path: Path) -> None:
    line = {key: value for key, value in line.items() if value is not None}
    path = tmp_path / "ann.jsonl"
    path.write_text(json.dumps(line) + "\n\n")
    assert fields(path, units="sentences") == [{"document": "5", "coder": "ann", **CODING}]
    assert fields(path, units="sentences", coder="me")[0]["coder"] == "me"
    path.write_text(json.dumps(line, ensure_ascii=False))
    assert fields(path, units="sentences", layer="A", policy="keep-start")[0]["masses"] == [3]


def test_doccano_writes_a_file_per_annotator(tmp_path: Path) -> None:
    for coder in ("ann", "bob"):
        (tmp_path / f"{coder}.jsonl").write_text(json.dumps(NEW))
    found = fields(tmp_path, units="sentences")
    assert [(record["document"], record["coder"]) for record in found] == [
        ("5", "ann"),
        ("5", "bob"),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "line 1.*JSON.*Expecting.*column 2"),
        ("", "file is empty"),
        ('{"id": 5, "label": []}', "line 1.*data is None.*NoneType"),
        ('{"id": 5, "text": "a"}', "line 1.*document '5'.*coder 'x'.*entities is None.*NoneType"),
        ('{"id": 5, "text": "a", "label": [[0, 1.5, "A"]]}', r"line 1.*document '5'.*coder 'x'.*label\[0\].*0.*1\.5.*'A'.*end and label"),
        ('{"id": 5, "text": "a", "label": [[0, 2, "A"]]}', r"line 1.*document '5'.*coder 'x'.*label\[0\].*2.*outside the text"),
    ],
)  # fmt: skip
def test_doccano_malformed(line: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(line)
    assert re.search(expected, message(path, "doccano", units="words"))


# ---- brat ----


def brat(tmp_path: Path, ann: str, text: str = TEXT) -> Path:
    (tmp_path / "x.txt").write_bytes(text.encode())
    path = tmp_path / "x.ann"
    path.write_bytes(ann.encode())
    return path


def test_brat(tmp_path: Path) -> None:
    ann = (
        "T1\tA 0 5;6 18\tHi 😀. First topic.\nT2\tB 19 32\tSecond topic.\nA1\tLevel T1 2\n"
        "#1\tAnnotatorNotes T1\ta note\nR1\tNext Arg1:T1 Arg2:T2\nE1\tB:T2\n*\tEquiv T1 T2\n"
    )
    path = brat(tmp_path, ann)
    assert fields(path, units="sentences") == [{"document": "x", "coder": "x", **CODING}]
    assert fields(tmp_path, units="sentences")[0]["coder"] == tmp_path.name
    assert fields(path, units="sentences", layer="B", policy="keep-start")[0]["masses"] == [3]
    # each character of a line end counts
    text = TEXT.replace("\n", "\r\n")
    path = brat(tmp_path, "T1\tA 0 18;20 33\tHi 😀. First topic. Second topic.\r\n", text)
    assert fields(path, units="lines")[0]["masses"] == [2]


@pytest.mark.parametrize(
    ("ann", "expected"),
    [
        ("hello\n", "line 1.*'hello'.*annotation"),
        ("T1\tA 0 99\tx\n", "line 1.*T1.*0 99.*offsets in order"),
        ("T1\tA 0 2\tHa\n", "line 1.*T1: 0 2.*text.*'Hi'.*'Ha'"),
        ("T1\tA 0 18\n", "document 'x'.*coder 'x'.*unit 3.*no span.*spans that fit"),
    ],
)  # fmt: skip
def test_brat_malformed(ann: str, expected: str, tmp_path: Path) -> None:
    assert re.search(expected, message(brat(tmp_path, ann), "brat", units="sentences"))


def test_brat_without_its_text(tmp_path: Path) -> None:
    path = brat(tmp_path, "T1\tA 0 2\tHi\n")
    (tmp_path / "x.txt").unlink()
    assert re.search(r"x\.ann.*text is missing", message(path, units="lines"))
