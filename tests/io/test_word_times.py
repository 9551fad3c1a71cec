"""Words with times are the units of files of times."""

import json
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from segscore.cli import run

CTM = "".join(f"talk 1 {start} 0.4 w{start}\n" for start in range(10))  # a word per second
QUIET: dict[str, Any] = {"remark": lambda message: None}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.ctm").write_text(CTM)
    (tmp_path / "talk.lab").write_text("0 2.5 a\n2.5 7.0 b\n7 12 c\n")
    return tmp_path


def test_segments_of_any_format_are_placed_on_words(folder: Path) -> None:
    corpus = ss.read("talk.lab", word_times="words.ctm")
    (coding,) = corpus["talk"].values()
    assert coding.masses.tolist() == [3, 4, 3]
    assert coding.segment_labels == ("a", "b", "c")
    assert list(corpus["talk"].units or ())[:2] == ["w0", "w1"]
    assert str(corpus.provenance) == "units words"
    (folder / "talk.rttm").write_text(
        "SPEAKER talk 1 0 2.5 <NA> <NA> a <NA> <NA>\nSPEAKER talk 1 2.5 9 <NA> <NA> b <NA> <NA>\n"
    )
    (coding,) = ss.read("talk.rttm", word_times="words.ctm")["talk"].values()
    assert coding.masses.tolist() == [3, 7]
    segments = [{"start": 0, "end": 5, "text": "x"}, {"start": 5, "end": 9.9, "text": "y"}]
    (folder / "talk.json").write_text(json.dumps({"segments": segments}))
    (coding,) = ss.read("talk.json", word_times="words.ctm")["talk"].values()
    assert coding.masses.tolist() == [5, 5]


def test_a_transcript_may_hold_the_words(folder: Path) -> None:
    words = [{"word": f"w{i}", "start": i, "end": i + 1.5} for i in range(10)]  # they overlap
    (folder / "times").mkdir()
    (folder / "times" / "talk.json").write_text(json.dumps({"words": words}))
    (coding,) = ss.read("talk.lab", word_times="times/talk.json", policy="snap", **QUIET)[
        "talk"
    ].values()
    assert coding.masses.tolist() == [2, 5, 3]


def test_both_sides_on_the_words_of_the_reference(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for side, cut in (("ref", 2.5), ("hyp", 2.9)):
        (folder / side).mkdir()
        (folder / side / "talk.lab").write_text(f"0 {cut} a\n{cut} 10 b\n")
    assert (
        run(["score", "ref", "hyp", "--read", "word-times=words.ctm", "-m", "b", "-f", "json"]) == 0
    )
    (row,) = json.loads(capsys.readouterr().out)
    assert row["micro"] == 1  # both cuts are in the same silence
    assert "|units:words|" in row["signature"]


def test_what_is_refused(folder: Path) -> None:
    (folder / "cut.lab").write_text("0 2.2 a\n2.2 12 b\n")
    (folder / "other.ctm").write_text("other 1 0 1 w\n")
    (folder / "twice.ctm").write_text("talk 1 0 1 a\ntalk 1 0 1 b\n")
    for path, options, message in (
        ("talk.lab", {"word_times": "other.ctm"}, "document 'talk'.*no words with times"),
        ("talk.lab", {"word_times": "twice.ctm"}, "words with times, one after"),
        ("talk.lab", {"word_times": "talk.lab"}, "words with times.*CTM"),
        ("talk.lab", {"word_times": "words.ctm", "units": "seconds:1"}, "expected one of them"),
    ):
        with pytest.raises(ss.SegmentationError, match=message):
            ss.read(path, **options)  # type: ignore[arg-type]
    (folder / "cut").mkdir()
    (folder / "cut" / "talk.lab").write_text("0 2.2 a\n2.2 12 b\n")
    with pytest.raises(ss.SegmentationError, match="cuts unit 3"):
        ss.read("cut", word_times="words.ctm")
