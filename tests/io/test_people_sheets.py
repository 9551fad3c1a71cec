"""Sheets for people: written, filled in, and read without an option."""

import csv
import re

import pytest

import segscore as ss
from command_line import segscore
from io_reading_tools import masses
from segscore.errors import SegmentationError

TEXTS = {
    "a": ["=One", "+Two", "-Three", "@Four"],
    "b": ["Five.", "Six."],
    "c": ["Seven.", "Eight."],
}


@pytest.mark.parametrize(
    ("path", "options", "message"),
    [
        ("s.csv", {"coders": []}, "coders"),
        ("s.csv", {"coders": "ann"}, "coders.*'ann'"),
        ("s.csv", {"coders": ["a", "b", "a"]}, "coders.*each once"),
        ("s.csv", {"coders": [""]}, "name.*name"),
        ("s.csv", {"coders": [5]}, "name is 5.*name"),
        ("s.csv", {"coders": [" a"]}, "' a'.*name without blanks"),
        ("s.csv", {"coders": ["g [system]"]}, r"\[system\]"),
        ("s.csv", {"coders": ["a"], "guidelines": "x"}, "CSV.*sheet"),
        ("s.xlsx", {"coders": ["a"], "guidelines": " "}, "the guidelines are empty"),
        ("s.ods", {"coders": ["a"]}, "s.ods: expected a file .xlsx or .csv"),
        ("s.csv", {"coders": ["a"], "units": "pages"}, "units is 'pages'"),
    ],
)
def test_what_is_refused(tmp_path, path, options, message):
    texts = {"d": "One. Two."}
    with pytest.raises(SegmentationError, match=message):
        ss.pages.sheet(texts, tmp_path / path, **options)
    assert list(tmp_path.iterdir()) == []


# ---- the command ----


def test_the_command(tmp_path):
    (tmp_path / "a.txt").write_text("One. Two.\nThree.", encoding="utf-8")
    done = segscore("annotate", "a.txt", "--names", "ann, bob", "-o", "s.csv", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert re.search(r"s\.csv.*1 document.*3 units.*column each for ann", done.stderr)
    assert (tmp_path / "s.csv").read_text("utf-8-sig").count("\n") == 4
    done = segscore(
        "annotate", "a.txt", "--names", "ann", "--units", "lines", "-o", "l.csv", cwd=tmp_path
    )
    assert (tmp_path / "l.csv").read_text("utf-8-sig").count("\n") == 3
    for wrong in (("--names", "ann,ann", "-o", "t.csv"), ("-o", "t.csv"), ("--names", "ann")):
        assert segscore("annotate", "a.txt", *wrong, cwd=tmp_path).returncode == 2
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "s.csv", "l.csv"}


VTT = (
    "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hello.\n\n00:03.000 --> 00:04.000\n<v Bob B>=Yes.\n"
)


def test_speakers_have_a_column_that_nobody_takes_for_a_coder(tmp_path):
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "talk.vtt").write_text(VTT, "utf-8")
    (texts / "plain.txt").write_text("One. Two.", "utf-8")
    path = tmp_path / "sheet.csv"
    done = segscore("annotate", texts, "--names", "speaker,bob", "-o", path)  # a coder's name, too
    assert (done.returncode, done.stderr) == (
        0,
        f"wrote {path}: 2 documents, 4 units, a column each for speaker and bob\n",
    )
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    path.write_text(path.read_text("utf-8-sig").replace("'=Yes.,,", "'=Yes.,,x"), "utf-8")
    assert rows[0][1:4] == ["unit", "speaker", "text (x in a row: a new segment starts there)"]
    assert [row[2] for row in rows[1:]] == ["", "", "Ann", "Bob B"]
    corpus = ss.read(path, remark=lambda _: None)
    assert masses(corpus) == {"talk": {"bob": [1, 1]}, "plain": {}}
    assert list(corpus["talk"].units) == ["Hello.", "=Yes."]
