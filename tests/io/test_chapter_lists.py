"""Chapters as JSON: lists, Podcasting 2.0, rows of JSON Lines; recognised, read, or refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from io_reading_tools import fields
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
