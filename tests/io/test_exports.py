"""What annotation tools and speech recognisers export: projects, JSON-MIN, chapters, RTTM, CTM,
transcripts; and folders in which some files are wrong."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from io_reading_tools import fields, message
from segscore.cli import run
from segscore.cli import run as cli_run

# ---- chapters ----


def test_how_long_a_video_is(tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text("0:00 Intro\n0:12 Middle\n0:30 End\n")
    assert re.search("how long the recording", message(path, units="seconds:6"))
    assert fields(path, units="seconds:6", durations={"talk": 60})[0]["masses"] == [2, 3, 5]  # type: ignore[arg-type]
    (tmp_path / "durations.csv").write_text("video;duration\ntalk;1:06\nother;3,5\n")
    assert fields(path, units="seconds:6")[0]["masses"] == [2, 3, 6]
    (tmp_path / "talk.info.json").write_text('{"id": "x", "duration": 48.0}')
    assert fields(path, units="seconds:6")[0]["masses"] == [2, 3, 3]
    assert fields(path, units="seconds:6:42")[0]["masses"] == [2, 3, 2]
    durations = tmp_path / "long.json"
    durations.write_text('{"talk": 72}')
    target = tmp_path / "y.jsonl"
    assert cli_run(["convert", str(path), str(target), "--units", "seconds:6", "--read", f"durations={durations!s}"]) == 0  # fmt: skip
    assert fields(target)[0]["masses"] == [2, 3, 7]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("d.csv", "a,b\n1,2\n", r"d\.csv.*line 1.*header is 'a,b'"),
        ("d.csv", "document,duration\na,x\n",
         r"d\.csv.*line 2.*document 'a'.*duration is 'x'"),
        ("d.csv", "document,duration\na,1\na,2\n",
         r"d\.csv.*line 3.*document 'a'.*listed twice"),
        ("d.json", "[1]", r"d\.json: \[1\] \(list\): expected \{document: seconds\}"),
        ("d.json", '{"a": -1}', r"d\.json.*document 'a'.*duration is '-1'"),
    ],
)  # fmt: skip
def test_wrong_durations(name: str, content: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ss.SegmentationError) as error:
        ss.io.read_durations(path)
    assert re.search(expected, str(error.value))


# ---- folders in which some files are wrong ----


def folder(tmp_path: Path, n: int = 50) -> Path:
    top = tmp_path / "many"
    top.mkdir()
    for index in range(n):
        items = {f"d{index}": {"a": [2, 3], "b": [1, 4]}}
        text = json.dumps({"segmentation_type": "linear", "items": items})
        (top / f"f{index}.json").write_text(text)
    (top / "f7.json").write_text("{")
    (top / "f9.json").write_text('{"segmentation_type": "linear", "items": {"q": {"a": [0]}}}')
    (top / "f11.json").write_text('{"document": "x", "coder": "a", "masses": [1]}')
    return top


def test_wrong_files_are_skipped_and_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    top = folder(tmp_path)
    assert cli_run(["score", str(top), "--reference", "a"]) == 2
    assert "f7.json, line 1: not JSON" in capsys.readouterr().err
    command = ["score", str(top), "--reference", "a", "--read", "on-error=skip"]
    assert cli_run(command) == 3
    shown = capsys.readouterr()
    assert "47" in shown.out
    assert "3 files skipped:" in shown.err
    assert all(f"f{index}.json" in shown.err for index in (7, 9, 11))
    assert re.search(r"looks\s+like\s+jsonl", shown.err)
    skipped: list[ss.io.Skipped] = []
    assert len(ss.read(top, on_error="skip", skipped=skipped)) == 47
    assert [Path(skip.file).name for skip in skipped] == ["f7.json", "f11.json", "f9.json"]
    with pytest.warns(ss.io.ReadingWarning, match="3 files skipped"):
        ss.read(top, on_error="skip")
    assert cli_run(["score", str(top), "--reference", "a", "--read", "on-error=x"]) == 2
    for path in top.iterdir():
        path.write_text("{")
    assert cli_run(command) == 2
    assert re.search("no file that could", capsys.readouterr().err)


# ---- the command line ----


def test_standard_input_and_output(
    tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"doc_id;annotator;sentence_id;boundary\nd;a;1;0\nd;a;2;1\nd;a;3;0\n"
    import gzip

    for data in (text, gzip.compress(text)):
        stdin = io.TextIOWrapper(io.BytesIO(data))
        monkeypatch.setattr("sys.stdin", stdin)
        assert cli_run(["convert", "-", "-", "--read", "marks=end"]) == 0
        assert capfdbinary.readouterr().out == b'{"document":"d","coder":"a","masses":[2,1]}\n'
    assert cli_run(["convert", "-", str(tmp_path / "x.jsonl"), "--read", "marks=end"]) == 2
    assert b"standard input is empty" in capfdbinary.readouterr().err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"hello\n")))
    assert cli_run(["convert", "-", str(tmp_path / "x.jsonl")]) == 2
    assert b"the format is not clear" in capfdbinary.readouterr().err


# ---- words with times are the units of files of times ----


CTM = "".join(f"talk 1 {start} 0.4 w{start}\n" for start in range(10))  # a word per second
QUIET: dict[str, Any] = {"remark": lambda message: None}


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.ctm").write_text(CTM)
    (tmp_path / "talk.lab").write_text("0 2.5 a\n2.5 7.0 b\n7 12 c\n")
    return tmp_path


def test_segments_of_any_format_are_placed_on_words(talk: Path) -> None:
    corpus = ss.read("talk.lab", word_times="words.ctm")
    (coding,) = corpus["talk"].values()
    assert coding.masses.tolist() == [3, 4, 3]
    assert coding.segment_labels == ("a", "b", "c")
    assert list(corpus["talk"].units or ())[:2] == ["w0", "w1"]
    assert str(corpus.provenance) == "units words"
    (talk / "talk.rttm").write_text(
        "SPEAKER talk 1 0 2.5 <NA> <NA> a <NA> <NA>\nSPEAKER talk 1 2.5 9 <NA> <NA> b <NA> <NA>\n"
    )
    (coding,) = ss.read("talk.rttm", word_times="words.ctm")["talk"].values()
    assert coding.masses.tolist() == [3, 7]
    segments = [{"start": 0, "end": 5, "text": "x"}, {"start": 5, "end": 9.9, "text": "y"}]
    (talk / "talk.json").write_text(json.dumps({"segments": segments}))
    (coding,) = ss.read("talk.json", word_times="words.ctm")["talk"].values()
    assert coding.masses.tolist() == [5, 5]


def test_a_transcript_may_hold_the_words(talk: Path) -> None:
    words = [{"word": f"w{i}", "start": i, "end": i + 1.5} for i in range(10)]  # they overlap
    (talk / "times").mkdir()
    (talk / "times" / "talk.json").write_text(json.dumps({"words": words}))
    (coding,) = ss.read("talk.lab", word_times="times/talk.json", policy="snap", **QUIET)[
        "talk"
    ].values()
    assert coding.masses.tolist() == [2, 5, 3]


def test_both_sides_on_the_words_of_the_reference(
    talk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for side, cut in (("ref", 2.5), ("hyp", 2.9)):
        (talk / side).mkdir()
        (talk / side / "talk.lab").write_text(f"0 {cut} a\n{cut} 10 b\n")
    assert (
        run(["score", "ref", "hyp", "--read", "word-times=words.ctm", "-m", "b", "-f", "json"]) == 0
    )
    (row,) = json.loads(capsys.readouterr().out)
    assert row["micro"] == 1  # both cuts are in the same silence
    assert "|units:words|" in row["signature"]


def test_what_is_refused(talk: Path) -> None:
    (talk / "cut.lab").write_text("0 2.2 a\n2.2 12 b\n")
    (talk / "other.ctm").write_text("other 1 0 1 w\n")
    (talk / "twice.ctm").write_text("talk 1 0 1 a\ntalk 1 0 1 b\n")
    for path, options, expected in (
        ("talk.lab", {"word_times": "other.ctm"}, "document 'talk'.*no words with times"),
        ("talk.lab", {"word_times": "twice.ctm"}, "words with times, one after"),
        ("talk.lab", {"word_times": "talk.lab"}, "words with times.*CTM"),
        ("talk.lab", {"word_times": "words.ctm", "units": "seconds:1"}, "expected one of them"),
    ):
        with pytest.raises(ss.SegmentationError, match=expected):
            ss.read(path, **options)  # type: ignore[arg-type]
    (talk / "cut").mkdir()
    (talk / "cut" / "talk.lab").write_text("0 2.2 a\n2.2 12 b\n")
    with pytest.raises(ss.SegmentationError, match="cuts unit 3"):
        ss.read("cut", word_times="words.ctm")
