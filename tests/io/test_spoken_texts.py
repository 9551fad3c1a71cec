"""Who speaks, and when: subtitles, transcripts and dialogues as texts to be shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from segscore.io.read_options import ReadOptions
from segscore.io.texts import SpokenUnits, units_by_document

VTT = """WEBVTT

00:01.000 --> 00:02.000
<v Ann>Hello &amp; bye.

00:03.500 --> 00:04.000
<v.loud Bob B>Yes.</v>

00:05.000 --> 00:06.000
"""
SRT = "1\n00:00:01,500 --> 00:00:02,000\nHello.\n\n2\n01:00:00,000 --> 01:00:02,000\nBye.\n"
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
        ("a.vtt", VTT, ["Hello & bye.", "Yes."], ["Ann", "Bob B"], [1.0, 3.5]),
        ("a.srt", SRT, ["Hello.", "Bye."], None, [1.5, 3600.0]),
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
