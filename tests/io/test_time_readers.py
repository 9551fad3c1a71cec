"""WebVTT, SRT, chapters of videos, Audacity's labels, mir_eval's intervals."""

import json
import re
from pathlib import Path

import pytest

from io_reading_tools import fields, message, remarks
from remarks import each_matches

THREE = [(0, 12, "Intro"), (12, 30, "Middle & more"), (30, 60, "End")]
CODING = {
    "document": "x", "coder": "x", "masses": [2, 3, 5],
    "segment_labels": ["Intro", "Middle & more", "End"],
}  # fmt: skip


def test_webvtt_with_all_that_it_may_have(tmp_path: Path) -> None:
    path = tmp_path / "x.vtt"
    lines = [
        "WEBVTT - a title", "Kind: chapters", "", "NOTE", "a note", "", "STYLE",
        "::cue { color: red }", "", "first", "00:00.000 --> 00:12.000 align:start line:0",
        "<v Ann><b>Intro</b>", "", "00:12.000 --> 00:30.000", "Middle &amp;", "more", "", "",
        "3", "00:00:30.000 --> 00:01:00.000", "End",
    ]  # fmt: skip
    for end in ("\n", "\r\n", "\r"):
        path.write_bytes(b"\xef\xbb\xbf" + end.join(lines).encode())
        assert fields(path, units="seconds:6") == [CODING]
    assert fields(path, units="seconds:0.001")[0]["masses"] == [12000, 18000, 30000]
    assert fields(path, units="seconds:6:120", policy="keep-start")[0]["masses"] == [2, 3, 15]


@pytest.mark.parametrize(
    "content",
    [
        "WEBVTT\n\n00:00.000 --> 00:12.000\n \nIntro\n\n00:12.000 --> 00:30.000\nMiddle & more\n \n\n"
        "00:30.000 --> 01:00.000\nEnd\n",
        "1\n00:00:00,000 --> 00:00:12,000\n \nIntro\n\n2\n00:00:12,000 --> 00:00:30,000\nMiddle &\n"
        "\t\nmore\n\n3\n00:00:30,000 --> 00:01:00,000\nEnd\n \n",
        # Lines of spaces before a cue, as careless editors leave them, end the one before.
        "WEBVTT\n \n00:00.000 --> 00:12.000\nIntro\n \n \nb\n00:12.000 --> 00:30.000\nMiddle & more\n"
        " \n00:30.000 --> 01:00.000\nEnd\n",
    ],
)  # fmt: skip
def test_a_line_of_spaces_belongs_to_the_cue(content: str, tmp_path: Path) -> None:
    path = tmp_path / "x.vtt" if content.startswith("WEBVTT") else tmp_path / "x.srt"
    path.write_text(content)
    assert fields(path, units="seconds:6") == [CODING]


def test_policies_for_times(tmp_path: Path) -> None:
    path = tmp_path / "x.srt"
    path.write_text(
        "1\n00:00:00,000 --> 00:00:14,500\nA\n\n2\n00:00:15,000 --> 00:00:40,000\nB\n\n"
        "3\n00:00:38,000 --> 00:01:01,000\nC\n"
    )
    where = "x.srt: document 'x', coder 'x': "
    assert re.search(rf"{where}the.*0 s.*14\.5 s.*'A'", message(path, units="seconds:6"))
    found, messages = remarks(path, units="seconds:6", policy="snap")
    assert found[0]["masses"] == [2, 4, 4]  # the last second is a crumb, and no unit
    assert found[0]["segment_labels"] == ["A", "B", "C"]
    assert each_matches(messages, f"{where}snap.*4.*1")
    found, messages = remarks(path, units="seconds:6", policy="keep-start")
    assert found[0]["masses"] == [2, 4, 4]
    assert each_matches(messages, f"{where}keep-start.*2")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("webvtt", "hello\n", r"x\.txt, line 1: 'hello': expected WEBVTT"),
        ("webvtt", "WEBVTT\n", r"x\.txt.*no cue.*times"),
        ("webvtt", "WEBVTT\n00:00.000 --> 00:01.000\na\n", r"x\.txt.*line 1.*first block"),
        ("webvtt", "WEBVTT\n\n00:61.000 --> 01:01.000\na\n", r"x\.txt.*line 3.*'00:61\.000 --> 01:01\.000'"),
        ("webvtt", "WEBVTT\n\nid\n00:02.000 --> 00:01.000\na\n", r"x\.txt.*line 4.*'00:02\.000 --> 00:01\.000'.*end after"),
        ("srt", "1\n", r"x\.txt.*line 1.*'1'.*times"),
        ("srt", "1\n00:00:00,000 --> 00:00:06,000\n\0", r"x\.txt.*line 3.*NUL byte"),
        ("youtube", "0:00 a\n0:10 b\n", r"x\.txt.*chapters.*2"),
        ("youtube", "0:01 a\n0:10 b\n", r"x\.txt.*line 1.*'0:01 a'.*chapters"),
        ("youtube", "0:00 a\n0:30 b\n0:20 c\n", r"x\.txt.*line 3.*'0:20 c'.*chapters"),
        ("youtube", "0:00 a\n0:30 b\n1:20 c\n", r"x\.txt.*document 'x'.*coder 'x'.*how long the recording"),
        ("yt-dlp", "[" * 100_000, r"x\.txt.*nested too deeply"),
        ("yt-dlp", '{"chapters": []}', r"x\.txt.*document 'x'.*chapters and no duration"),
        ("yt-dlp", '{"chapters": [{"start_time": 0}]}', r"x\.txt.*chapters\[0\].*end_time is None.*NoneType"),
        ("audacity", "0\tx\ta\n", r"x\.txt.*line 1.*'0\\tx\\ta'.*seconds"),
        ("audacity", "0.0\t1.0\ta\n1.0\t1.0\tb\n", r"x\.txt.*some labels are points"),
        ("lab", "0.0 6.0 a\nb\n", r"x\.txt.*line 2.*'b'.*seconds"),
        ("lab", "# nothing\n", r"x\.txt.*file is empty"),
    ],
)  # fmt: skip
def test_malformed(name: str, content: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(content)
    assert re.search(expected, message(path, name, units="seconds:6"))


def test_units_of_time_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "x.lab"
    path.write_text("0 6 a\n")
    wrong = {None: "the file does not say what a unit of time is", "lines": "units is 'lines'"}
    for units, what in wrong.items():
        assert re.search(
            rf"x\.lab.*document 'x'.*coder 'x'.*{what}.*expected units=", message(path, units=units)
        )
    assert re.search(
        r"x\.lab.*document 'x'.*coder 'x'.*0 s.*6 s.*'a'.*ends after the end.*5 s",
        message(path, units="seconds:1:5"),
    )


@pytest.mark.parametrize(
    "lines",
    [
        ["0:00 Intro", "0:12 Middle & more", "0:30 End"],
        ["My video, see 1:00!", "", "00:00 - Intro", "00:12 – Middle & more", "00:30: End", "bye"],
        ["• [0:00] Intro", "* (0:12) Middle & more", "- 0:00:30 | End"],
    ],
)
def test_youtube(lines: list[str], tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("\n".join(lines))
    assert fields(path, units="seconds:6:60") == [CODING]
    assert re.search(
        r"x\.txt.*document 'x'.*coder 'x'.*12 s.*30 s.*'Middle & more'.*20 s",
        message(path, units="seconds:6:20"),
    )


def test_yt_dlp(tmp_path: Path) -> None:
    path = tmp_path / "x.info.json"
    chapters = [{"start_time": float(a), "end_time": b, "title": t} for a, b, t in THREE]
    path.write_text(json.dumps({"id": "abc", "title": "T", "chapters": chapters}))
    assert fields(path, units="seconds:6") == [{**CODING, "document": "abc", "coder": "x.info"}]
    path.write_text(json.dumps({"chapters": chapters, "duration": 66}))
    found, messages = remarks(path, units="seconds:6", policy="snap")
    assert found[0]["masses"] == [2, 3, 5, 1]
    assert each_matches(messages, r"x\.info\.json.*document 'x\.info'.*coder 'x\.info'.*1.*turned into")  # fmt: skip


def test_audacity_and_lab(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    lines = [f"{start:.6f}\t{end:.6f}\t{title}" for start, end, title in THREE]
    path.write_text("\n".join([lines[0], "\\\t100.0\t200.0", *lines[1:], ""]))
    assert fields(path, units="seconds:6") == [CODING]
    path.write_text("".join(f"{start:.6f}\t{start:.6f}\t{title}\n" for start, _, title in THREE))
    assert fields(path, units="seconds:6:60") == [CODING]
    assert re.search("how long the recording", message(path, units="seconds:6"))
    path.write_text("12.0\t12.0\tb\n30.0\t30.0\tc\n")
    assert fields(path, units="seconds:6:60")[0]["segment_labels"] == [None, "b", "c"]
    lab = tmp_path / "x.lab"
    lab.write_text("# made by hand\n" + "".join(f"{a} {b}\t{t}\n" for a, b, t in THREE))
    assert fields(lab, units="seconds:6") == [CODING]
