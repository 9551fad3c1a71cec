"""Chapters as JSON: lists, Podcasting 2.0, rows of JSON Lines; recognised, read, or refused."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from io_reading_tools import fields, message, remarks
from remarks import each_matches
from segscore.io.format import recognise

TITLES = ["Intro", "The problem", "Questions"]
LIST: list[dict[str, Any]] = [
    {"start": 0, "end": 70, "title": "Intro"},
    {"start": 70, "end": 245.5, "title": "The problem"},
    {"start": 245.5, "end": 300, "title": "Questions"},
]
PODCAST: dict[str, Any] = {
    "version": "1.2.0",
    "chapters": [
        {"startTime": 0, "title": "Intro"},
        {"startTime": 70, "title": "The problem", "img": "https://example.org/a.jpg", "toc": True},
        {"startTime": 245.5, "title": "Questions", "url": "https://example.org"},
    ],
}
FORMS: dict[str, tuple[str, str]] = {
    "list": ("talk.json", json.dumps(LIST)),
    "list over lines": ("talk.json", json.dumps(LIST, indent=2)),
    "other order of keys": ("talk.json", json.dumps([dict(sorted(chapter.items(), reverse=True)) for chapter in LIST])),
    "without titles first": ("talk.json", json.dumps([{"end": 70, "start": 0}, *LIST[1:]])),
    "podcast": ("talk.json", json.dumps(PODCAST, indent=1)),
    "chapters before the version": ("talk.json", json.dumps(dict(reversed(PODCAST.items())))),
    "object with starts and ends": ("talk.json", json.dumps({"title": "A talk", "chapters": LIST})),
    "rows": ("x.jsonl", "".join(json.dumps({"document": "talk", **chapter}) + "\n" for chapter in LIST)),
    "rows, document last": ("x.jsonl", "\n".join(json.dumps({**chapter, "doc_id": "talk"}) for chapter in LIST)),
    "rows of a file": ("talk.ndjson", "".join(json.dumps(chapter) + "\n\n" for chapter in reversed(LIST))),
    "a recording per row": ("x.jsonl", json.dumps({"document": "talk", "chapters": LIST}) + "\n"),
    "clock": ("talk.json", json.dumps([{"start": "0:00", "end": "1:10", "label": "Intro"},
                                       {"start": "0:01:10", "end": "4:05.5", "label": "The problem"},
                                       {"start": "245,5", "end": "0:05:00", "label": "Questions"}])),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_the_forms(form: str, tmp_path: Path) -> None:
    name, content = FORMS[form]
    path = tmp_path / name
    path.write_text(content)
    assert recognise(path).name == "chapters"
    (found,) = fields(path, units="seconds:0.5:300")
    assert (found["document"], found["masses"]) == ("talk", [140, 351, 109])
    assert found["segment_labels"] == (TITLES if "without" not in form else [None, *TITLES[1:]])


def test_several_documents_and_coders(tmp_path: Path) -> None:
    rows = [
        {"document": "b", "coder": "ann", "start": 0, "end": 6},
        {"document": 7, "coder": "ann", "start": 0, "end": 12},
        {"document": "b", "coder": "bob", "start": 6, "end": 18},
        {"document": "b", "coder": "ann", "start": 6, "end": 18},
        {"document": "b", "coder": "bob", "start": 0, "end": 6},
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    found = ss.read(path, units="seconds:6")
    assert {(d, c): coding.masses.tolist() for d, of in found.items() for c, coding in of.items()} == {
        ("b", "ann"): [1, 2], ("b", "bob"): [1, 2], ("7", "ann"): [2],
    }  # fmt: skip


def test_silent_chapters_are_no_boundaries(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    silent = {"startTime": 30, "img": "https://example.org/b.jpg", "toc": False}
    path.write_text(json.dumps({**PODCAST, "chapters": [*PODCAST["chapters"], silent]}))
    found, messages = remarks(path, units="seconds:0.5:300")
    assert found[0]["masses"] == [140, 351, 109]
    assert each_matches(messages, r"talk\.json.*1 chapter.*table of contents")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("x.json", "[]", r"x\.json.*no chapter.*expected chapters"),
        ("x.json", "3", r'x\.json: 3: expected chapters, as in \[\{"start": 0, "end": 70, "title": "Intro"\}, …\]'),
        ("x.json", '[{"start": 0, "end": 1}', r"x\.json.*line 1.*JSON.*Expecting ','.*column 24"),
        ("x.json", '[{"end": 1}]', r"x\.json.*\[0\].*start is None.*NoneType"),
        ("x.json", '[{"start": -1, "end": 1}]', r"x\.json.*\[0\].*start is -1.*text such"),
        ("x.json", '[{"start": "1:75", "end": 100}]', r"x\.json.*\[0\].*start is '1:75'.*text such"),
        ("x.json", '[{"start": 0, "end": 5}, {"start": 5, "end": 5}]', r"x\.json.*\[1\].*end is 5 s.*after"),
        ("x.json", '[{"start": 0, "end": 5, "title": 3}]', r"x\.json.*\[0\].*title is 3.*text"),
        ("x.json", '{"chapters": [3]}', r"x\.json.*chapters\[0\].*3"),
        ("x.json", '{"chapters": [{"start": 0}], "duration": "x"}', r"x\.json.*duration is 'x'"),
        ("x.jsonl", '{"start": 0, "end": 1}\n\n{"start": 1, "end": "x"}\n', r"x\.jsonl.*line 3.*end is 'x'.*text such"),
        ("x.jsonl", '{"start": 0, "end": 1}\n[]\n', r'x\.jsonl.*line 2.*"start".*"end"'),
        ("x.json", '[{"start": 0, "end": 90}]', r"x\.json.*document 'x'.*coder 'x'.*0 s.*90 s ends.*end.*60 s"),
    ],
)  # fmt: skip
def test_damaged_files(name: str, content: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert re.search(expected, message(path, "chapters", units="seconds:1:60"))


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("x.json", '[{"start": 0, "end": 1, "word": "Hi"}]', "transcript"),
        ("x.json", '[{"text": "Hi", "start": 0, "end": 1}]', "transcript"),
        ("x.json", '{"id": "a", "chapters": [{"start_time": 0, "end_time": 6.0}]}', "yt-dlp"),
        ("x.json", '{"id": "a", "chapters": [], "duration": 9}', "yt-dlp"),
        ("x.jsonl", '{"document": "a", "coder": "b", "masses": [1]}', "jsonl"),
        ("x.jsonl", '{"document": "a", "units": ["start", "end"]}', "jsonl"),
        ("x.jsonl", '{"id": 1, "text": "a", "label": [[0, 1, "start"]]}', "doccano"),
    ],
)
def test_others_are_what_they_were(name: str, content: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert recognise(path).name == kind


def test_the_schema_takes_what_is_read() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(__file__).parents[2] / "docs" / "chapters.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    for name, content in FORMS.values():
        texts = (
            [content] if name.endswith(".json") else [line for line in content.split("\n") if line]
        )
        for text in texts:
            validator.validate(json.loads(text))
    for wrong in (3, [], [1], [{"end": 1}], [{"start": -1}], [{"start": True}], {"chapters": 3}):
        assert not validator.is_valid(wrong), wrong
