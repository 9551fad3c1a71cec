"""Praat TextGrid (written by praatio) and ELAN (written by ElementTree)."""

import re
from pathlib import Path

import pytest

from io_reading_tools import fields, message
from needs import needs

CODING = {
    "document": "x", "coder": "topics", "masses": [2, 3, 5],
    "segment_labels": ['the "intro"', "middle", "end"],
}  # fmt: skip
THREE = [(0, 12, 'the "intro"'), (12, 30, "middle"), (30, 60, "end")]
WORDS = [(0, 12, "one"), (12, 20, "two"), (20, 30, "three"), (30, 60, "four")]
ON_WORDS = {**CODING, "masses": [1, 2, 1], "units": ["one", "two", "three", "four"]}


def by_praatio(path: Path, form: str) -> None:
    textgrid = pytest.importorskip("praatio.textgrid")
    made = textgrid.Textgrid()
    made.addTier(textgrid.IntervalTier("topics", THREE, 0, 60))
    made.addTier(textgrid.IntervalTier("words", WORDS, 0, 60))
    made.addTier(textgrid.PointTier("points", [(12, "a"), (30, "b")], 0, 60))
    made.save(str(path), form, includeBlankSpaces=True)


@pytest.mark.parametrize("form", ["long_textgrid", "short_textgrid"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_textgrid(form: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "x.TextGrid"
    by_praatio(path, form)
    for end in ("\n", "\r\n", "\r"):
        text = path.read_text().replace("\n", end)
        other = tmp_path / "copy" / "x.TextGrid"
        other.parent.mkdir(exist_ok=True)
        other.write_bytes(text.encode(encoding))
        topics, words, points = fields(other, units="seconds:2")
        assert topics == {**CODING, "masses": [6, 9, 15]}
        assert (words["coder"], words["masses"]) == ("words", [6, 4, 5, 15])
        assert (points["masses"], points["segment_labels"]) == ([6, 9, 15], [None, "a", "b"])
        assert fields(other, layer="topics", units="seconds:6") == [CODING]
        assert fields(other, layer="topics", units="tier:words") == [ON_WORDS]
        (named,) = fields(other, layer="topics", units="tier:words", coder="ann")
        assert named["coder"] == "ann"


# ---- ELAN ----


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1 or str()};" * 10}">' for i in range(1, 9))
    + "]><ANNOTATION_DOCUMENT>&a8;</ANNOTATION_DOCUMENT>"
)


@needs("readers")
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (BOMB.encode(), "DTD.*entity"),
        (b'<!DOCTYPE b SYSTEM "file:///etc/passwd"><ANNOTATION_DOCUMENT/>',
         "DTD.*entity"),
        (b"<ANNOTATION_DOCUMENT>", "XML.*line 1.*column 21"),
        (b"<ANNOTATION_DOCUMENT>\0</ANNOTATION_DOCUMENT>", "XML.*line 1.*column 21"),
    ],
)  # fmt: skip
def test_hostile_xml(content: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.eaf"
    path.write_bytes(content)
    assert re.search(expected, message(path, "elan", units="seconds:6"))


def test_xml_nested_without_end(tmp_path: Path) -> None:
    path = tmp_path / "x.eaf"
    depth = 200_000
    path.write_text(
        "<ANNOTATION_DOCUMENT>" + "<a>" * depth + "</a>" * depth + "</ANNOTATION_DOCUMENT>"
    )
    assert "x.eaf: " in message(path, "elan", units="seconds:6")
