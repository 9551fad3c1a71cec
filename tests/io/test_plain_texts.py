"""Texts to be segmented, from Python; the command line is in tests/segmenters."""

import gzip
import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from remarks import each_matches
from segscore.io import files
from segscore.io.read_options import ReadOptions
from segscore.io.texts import SpokenUnits, units_by_document


def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One. Two.\nThree.", "utf-8")
    (tmp_path / "b.md").write_text("# Title\n\nFour.\n\nFive.", "utf-8")
    texts = units_by_document([tmp_path], ReadOptions())
    assert texts == {"a": ["One.", "Two.", "Three."], "b": ["Four.", "Five."]}
    by_line = units_by_document([tmp_path / "a.txt"], ReadOptions(units="lines"))
    assert by_line == {"a": ["One. Two.", "Three."]}


def test_a_text_that_is_hardly_cut_is_remarked_on(tmp_path: Path) -> None:
    remarks: list[str] = []
    path = tmp_path / "a.txt"
    path.write_text("\n".join(["so many words without an end"] * 50), "utf-8")
    units_by_document([path], ReadOptions(remark=remarks.append))
    assert ["units='lines'" in text for text in remarks] == [True]


VTT = "WEBVTT\n\n00:00.000 --> 00:04.000\nHello there. This\n\nNOTE later\n\n00:08.000 --> 00:12.000\n<b>Stars</b> shine.\n\n00:04.000 --> 00:08.000\nis a talk.\n"
SRT = "1\n00:00:00,000 --> 00:00:04,000\nHello there. This\n\n2\n00:00:04,000 --> 00:00:08,000\nis a talk.\n\n3\n00:00:08,000 --> 00:00:12,000\nStars shine.\n"
CUES = ["Hello there. This", "is a talk.", "Stars shine."]


@pytest.mark.parametrize("name", ["talk.vtt", "talk.srt", "talk.txt", "talk", "talk.vtt.gz"])
def test_cues_of_subtitles_are_units(name: str, tmp_path: Path) -> None:
    for content in (VTT, SRT):
        path = tmp_path / name
        path.write_bytes(
            gzip.compress(content.encode()) if name.endswith("gz") else content.encode()
        )
        assert units_by_document([path], ReadOptions()) == {"talk": CUES}
        sentences = units_by_document([path], ReadOptions(units="sentences"))
        assert sentences == {"talk": ["Hello there.", "This is a talk.", "Stars shine."]}
    named = units_by_document([path], ReadOptions(), format="srt")
    assert named == {"talk": CUES}


def test_subtitles_of_a_folder_are_read_unless_a_text_has_their_name(tmp_path: Path) -> None:
    remarks: list[str] = []
    reading = partial(units_by_document, options=ReadOptions(remark=remarks.append))
    (tmp_path / "talk.vtt").write_text(VTT)
    assert reading([tmp_path]) == {"talk": CUES}
    (tmp_path / "other.txt").write_text("Hello there.")
    assert reading([tmp_path]) == {"other": ["Hello there."], "talk": CUES}
    assert remarks == []
    (tmp_path / "talk.txt").write_text("Hello there.")
    texts = {"other": ["Hello there."], "talk": ["Hello there."]}
    assert reading([tmp_path]) == texts
    assert each_matches(remarks, r"'talk\.vtt'.*same name")


def test_transcripts_of_a_folder_are_read_and_other_files_are_named(tmp_path: Path) -> None:
    remarks: list[str] = []
    segments = [{"start": 0, "end": 1, "text": "Hello."}, {"start": 1, "end": 2, "text": "Bye."}]
    (tmp_path / "a.json").write_text(json.dumps({"segments": segments, "language": "en"}))
    (tmp_path / "b.txt").write_text("One. Two.")
    (tmp_path / "c.json").write_text('{"config": {"a": 1}}')
    (tmp_path / "codings.jsonl").write_text('{"document": "b", "units": ["One.", "Two."]}\n')
    (tmp_path / ".hidden").write_text("x")
    reading = partial(units_by_document, options=ReadOptions(remark=remarks.append), spoken=True)
    assert reading([tmp_path]) == {"a": ["Hello.", "Bye."], "b": ["One.", "Two."]}
    (remark,) = remarks
    assert remark.startswith(f"{tmp_path}: left out 'c.json', 'codings.jsonl': expected texts")


@pytest.mark.parametrize("name", ["x.jsonl", "x.txt"])
def test_a_corpus_gives_the_texts_that_it_holds(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(
        '{"document": "d", "units": ["One.", "Two."]}\n{"document": "e", "units": ["Three."]}\n'
    )
    assert units_by_document([path], ReadOptions()) == {"d": ["One.", "Two."], "e": ["Three."]}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.jsonl", '{"document": "d", "masses": [1, 2]}', r"x\.jsonl.*JSON Lines"),
        ("x.json", '{"chapters": [{"startTime": 0}]}', r"x\.json.*JSON.*without a text"),
        ("x.rttm", "SPEAKER t 1 0.00 6.00 <NA> <NA> a <NA> <NA>\n", r"x\.rttm.*RTTM.*without a text"),
        ("x.json", '{"config": {"a": 1}}', r"x\.json.*format is not clear"),
        ("x.txt", '{"config":\n {"a": 1}}', r"x\.txt.*format is not clear"),
        ("x.vtt", "hello\n", r"x\.vtt, line 1: 'hello'.*expected WEBVTT"),
    ],
)  # fmt: skip
def test_what_holds_no_text_is_refused(
    name: str, content: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ss.SegmentationError) as error:
        units_by_document([path], ReadOptions())
    assert re.search(message, str(error.value))


@pytest.mark.parametrize("first", ["[1]", "{}", "[1, 2]", '{"so": 1}'])
def test_a_first_line_that_happens_to_be_json_is_text(first: str, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(f"{first}\nHello there. Stars shine.\n")
    texts = units_by_document([path], ReadOptions(units="lines"))
    assert texts == {"x": [first, "Hello there. Stars shine."]}


@pytest.mark.parametrize(("rule", "cost"), [("sentences", 0), ("words", 200), ("characters", 400)])
def test_the_budget_of_memory_sees_the_rule(
    rule: str, cost: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A byte of "a a a" costs 2 as text, a blank 200 as the end of a word, a character 200."""
    (tmp_path / "x.txt").write_text("a " * 1000)
    options = ReadOptions(remark=list, units=rule)
    monkeypatch.setattr(files, "SMALL", 0)
    monkeypatch.setattr(files, "MOST_PARSED", (cost + 4) * 1000)
    assert list(units_by_document(tmp_path / "x.txt", options)) == ["x"]
    monkeypatch.setattr(files, "MOST_PARSED", (cost + 4) * 1000 - 1)
    with pytest.raises(ss.SegmentationError, match="memory"):
        units_by_document(tmp_path / "x.txt", options)


# ---- texts that callers give ----


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({}, "texts is empty"),
        ([], "texts.*files"),
        (3, "texts is 3: expected files"),
        ([3], "texts is.*3"),
        ({"a": ""}, "document 'a' is empty"),
        ({"a": []}, "document 'a'.*neither a coding nor"),
        ({"a": ["x", 3]}, r"document 'a': units\[1\] is 3"),
        ({"a": ["\ud800"]}, "document 'a'.*half a surrogate pair"),
        ({"": "x"}, "document is ''"),
        (
            ss.Corpus.from_dict({"d": {"ann": ss.Segmentation.from_masses([1, 1])}}),
            "document 'd' has no text",
        ),
    ],
)
def test_texts_that_are_refused(texts: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        units_by_document(texts)


# ---- who speaks, and when ----


NAMED_VTT = """WEBVTT

00:01.000 --> 00:02.000
<v Ann>Hello &amp; bye.

00:03.500 --> 00:04.000
<v.loud Bob B>Yes.</v>

00:05.000 --> 00:06.000
"""
LATE_SRT = "1\n00:00:01,500 --> 00:00:02,000\nHello.\n\n2\n01:00:00,000 --> 01:00:02,000\nBye.\n"
WHISPER = {
    "segments": [
        {"start": 2, "end": 3, "text": " Later.", "speaker": "SPEAKER_01"},
        {"start": 0.5, "end": 1, "text": "Hi.", "words": [{"word": "Hi.", "start": 0, "end": 1}]},
        {"start": 4, "end": 5, "text": ""},
    ]
}
QMSUM = {
    "topic_list": [{"topic": "A", "relevant_text_span": [["0", "1"]]}],
    "meeting_transcripts": [
        {"speaker": "PM", "content": "One."},
        {"speaker": "PM", "content": "Two."},
        {"speaker": "ID", "content": "Three."},
    ],
}


def read(tmp_path: Path, name: str, content: Any, **options: Any) -> list[str]:
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    ((_, units),) = units_by_document(path, ReadOptions(**options), spoken=True).items()
    return units


@pytest.mark.parametrize(
    ("name", "content", "units", "speakers", "starts"),
    [
        ("a.vtt", NAMED_VTT, ["Hello & bye.", "Yes."], ["Ann", "Bob B"], [1.0, 3.5]),
        ("a.srt", LATE_SRT, ["Hello.", "Bye."], None, [1.5, 3600.0]),
        ("a.json", WHISPER, ["Hi.", "Later."], [None, "SPEAKER_01"], [0.5, 2.0]),
        ("a.json", QMSUM, ["One.", "Two.", "Three."], ["PM", "PM", "ID"], None),
    ],
)
def test_formats(
    tmp_path: Path, name: str, content: Any, units: Any, speakers: Any, starts: Any
) -> None:
    found = read(tmp_path, name, content)
    assert isinstance(found, SpokenUnits)
    assert (found, found.speakers, found.starts) == (units, speakers, starts)
