"""WikiSection, sentences with labels, YTSeg, chapters of videos, chunkseg's samples.

The files are made from the schemas that the authors document; there is no real one here.
"""

import json
from pathlib import Path

import pytest
from tests.io_reading_tools import fields

import segscore as ss
from segscore.io.format import recognise


def written(tmp_path: Path, name: str, content: object) -> Path:
    path = tmp_path / name
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


# ---- WikiSection ----

TEXT = "It hurts. It itches\nNobody knows why. Rest."


def article(text: str = TEXT, *, wide: int = 0) -> dict:
    """An article of two sections, the first of which ends without a full stop."""
    edge = text.index("Nobody") + wide
    sections = [(0, edge, "Signs", "disease.symptom"),
                (edge, len(text) + wide - edge, "Why", "disease.cause")]  # fmt: skip
    return {
        "type": "Article",
        "id": "http://en.wikipedia.org/wiki/X",
        "title": "X",
        "abstract": "",
        "text": text,
        "annotations": [
            {"begin": begin, "length": length, "sectionHeading": title, "sectionLabel": label,
             "class": "Section"}
            for begin, length, title, label in sections
        ],
    }  # fmt: skip


def test_a_long_article_is_recognised(tmp_path: Path) -> None:
    long = article("It hurts. " * 7000 + "Nobody knows.")
    path = written(tmp_path, "w.json", [long, article()])
    assert recognise(path).name == "wikisection"
    assert [record["masses"] for record in fields(path, units="sentences")] == [[7000, 1], [2, 2]]
    other = {key: long[key] for key in ("id", "title", "text")}
    with pytest.raises(ss.SegmentationError):
        recognise(written(tmp_path, "v.json", [other]))
