"""Sheets that people fill in: x where a boundary is, a column per coder, comments beside them."""

import csv
import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from command_line import segscore
from io_reading_tools import masses, message, remarks, workbook
from needs import needs
from remarks import each_matches
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.formats import table_formats
from segscore.io.table_columns import mark_in
from segscore.io.workbooks import read_workbook
from segscore.io.writing import SheetDocument, save_sheet_documents


def written(path: Path, rows: list[list[Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_words_that_mark() -> None:
    words = ["x", "X", "✓", "1", "yes", "Yes", "ja", "JA", "oui", "true", "TRUE", 1, 1.0, True]
    assert {mark_in(word) for word in words} == {True}
    assert {mark_in(word) for word in ("", "-", "no", "Nein", "0", 0.0, False)} == {False}
    assert {mark_in(word) for word in ("2", "p. 3", 0.5)} == {None}


@pytest.mark.parametrize("marks", ["start", "end"])
@given(st.lists(st.lists(st.booleans(), min_size=2, max_size=8), min_size=1, max_size=3))
def test_sheets_hold_what_was_marked(
    tmp_path_factory: pytest.TempPathFactory, marks: str, documents: list[list[bool]]
) -> None:
    """X and blank are 1 and 0: the same as `from_labels` makes of them."""
    rows: list[list[Any]] = [["document", "unit", "ann"]]
    for number, flags in enumerate(documents):
        for unit, flag in enumerate(flags):
            rows.append([f"d{number}" if not unit else "", unit + 1, "x" if flag else ""])
    path = written(tmp_path_factory.mktemp("s") / "s.csv", rows)
    corpus = ss.read(path, marks=marks, empty="none", remark=lambda _: None)  # type: ignore[arg-type]
    for number, flags in enumerate(documents):
        expected = ss.Segmentation.from_labels(list(map(int, flags)), marks)  # type: ignore[arg-type]
        assert corpus[f"d{number}"]["ann"] == expected


# ---- one sheet per document ----


def test_marks_at_the_ends_of_documents_are_no_boundaries(tmp_path: Path) -> None:
    """142 marks were read and 126 boundaries made, and nothing told why."""
    rows = [["document", "unit", "ann", "bob"], ["a", 1, "x", "x"], ["", 2, "x", ""], ["", 3, "", "x"],
            ["b", 1, "", "x"], ["", 2, "x", "x"]]  # fmt: skip
    path = written(tmp_path / "sheet.csv", rows)
    for marks, where in (("start", "first unit"), ("end", "last unit")):
        found, messages = remarks(path, marks=marks)
        assert re.search(rf"'x' \(7\).*blank \(3\).*; 3 marks at the {where}", messages[0])
        assert sum(len(record["masses"]) - 1 for record in found) == 7 - 3


@needs("excel")
def test_a_sheet_per_document(tmp_path: Path) -> None:
    first = [["unit", "ann", "bob"], [1, "", ""], [2, "x", ""], [3, "", 1]]
    second = [["unit", "ann", "bob"], [1, "", ""], [2, "x", "x"]]
    path = workbook(tmp_path / "all.xlsx", {"ch1": first, "ch2": second, "empty": []})
    assert re.search("all_sheets=True", message(path, marks="start"))
    messages: list[str] = []
    corpus = ss.read(path, marks="start", all_sheets=True, remark=messages.append)
    assert masses(corpus) == {
        "ch1": {"ann": [1, 2], "bob": [2, 1]}, "ch2": {"ann": [1, 1], "bob": [1, 1]}
    }  # fmt: skip
    assert each_matches(messages, "'x'.*3.*'1'.*1.*no mark")
    assert not corpus.provenance
    wrong = workbook(tmp_path / "wrong.xlsx", {"ch1": first, "notes": [["thanks", "to", "all"]]})
    with pytest.raises(ss.SegmentationError, match=r"wrong.xlsx, sheet 'notes'"):
        ss.read(wrong, marks="start", all_sheets=True)
    ways: Any = ({"on_error": "skip", "skipped": []}, {"ignore_sheets": ["notes"]})
    for way in ways:
        corpus = ss.read(wrong, marks="start", all_sheets=True, remark=lambda _: None, **way)
        assert list(corpus) == ["ch1"]
    wrong_options: Any = (
        {"all_sheets": True, "ignore_sheets": ["note"]}, {"ignore_sheets": ["notes"]},
        {"all_sheets": True, "layer": "ch1"},
    )  # fmt: skip
    for options in wrong_options:
        with pytest.raises(ss.SegmentationError, match="'note'|all_sheets"):
            ss.read(path, marks="start", remark=messages.append, **options)


# ---- our own sheets ----


HOSTILE = [
    "=1+1",
    "+3",
    "-x",
    "@SUM(A1)",
    "'=2",
    "\t=3",
    "_x0041_",
    "a\nb\r\nc",
    "  b ",
    '"q",;',
    "﷽",
]


@pytest.mark.parametrize("name", ["gold.csv", pytest.param("gold.xlsx", marks=needs("excel"))])
def test_codings_go_to_a_sheet_and_back(tmp_path: Path, name: str) -> None:
    gold = ss.Corpus.from_dict(
        {
            "=d1": {"ann": ss.Segmentation.from_masses([2, 9]),
                    "none": ss.Segmentation.from_masses([11]),
                    "c99": ss.Segmentation.from_masses([1, 10])},
            "d2": {"ann": ss.Segmentation.from_masses([1])},
        },
        units={"=d1": HOSTILE, "d2": ["one"]},
        kinds={"c99": "system"},
    )  # fmt: skip
    path = tmp_path / name
    ss.write(gold, path, "sheet")
    messages: list[str] = []
    again = ss.read(path, remark=messages.append)
    assert again == gold
    assert each_matches(messages, "2 columns.*empty='none'.*d2")


@needs("excel")
def test_our_sheets_in_excel(tmp_path: Path) -> None:
    """Texts are texts, the header is frozen, the first unit is not to be answered, and guidelines
    stand on a second sheet."""
    path = tmp_path / "s.xlsx"
    save_sheet_documents(
        [SheetDocument("d", ["=A1", "b"])], ["ann", "bob"], path, guidelines="Be kind."
    )
    with ZipFile(path) as archive:
        page = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in page
    assert 'state="frozen"' in page
    sheets = read_workbook(Source(path, "s", ""))
    rows = [cells for _, cells in sheets["segments"]]
    assert (rows[0][0], rows[0][4], rows[1][4], len(rows[2])) == (
        "segscore:start", "bob", "(start)", 3,
    )  # fmt: skip
    assert sheets["guidelines"][-1][1][0] == "Be kind."
    empty = ss.read(path, remark=lambda _: None)
    assert list(empty["d"].units or ()) == ["=A1", "b"]
    assert not empty.n_codings


def test_our_sheets_come_back_filled_in(tmp_path: Path) -> None:
    """They need no option: the first cell says what x means."""
    path = tmp_path / "s.csv"
    save_sheet_documents(
        [SheetDocument("d", ["a", "b", "c"]), SheetDocument("e", 2)], ["ann", "bob"], path
    )
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    assert lines[1] == "d,1,a,(start),(start)"
    lines[2], lines[3], lines[5] = "d,2,b,x,", "d,3,c,,JA", "e,2,,x,x"
    lines.append(",,,,")
    path.write_text("\n".join(lines), encoding="utf-8")
    messages: list[str] = []
    corpus = ss.read(path, remark=messages.append)
    assert masses(corpus) == {
        "d": {"ann": [1, 2], "bob": [2, 1]}, "e": {"ann": [1, 1], "bob": [1, 1]}
    }  # fmt: skip
    assert corpus["d"].units == ("a", "b", "c")
    assert corpus["e"].units is None
    assert each_matches(messages, "'ja'.*1.*nothing as no mark")
    assert "segscore:start" in lines[0]
    assert table_formats.matches_sheet(lines)


@needs("excel")
def test_what_a_sheet_cannot_hold(tmp_path: Path) -> None:
    coding = ss.Segmentation.from_masses([1, 1], segment_labels=["a", "b"])
    corpus = ss.Corpus.from_dict({"d": {"ann": coding}})
    with pytest.raises(ss.SegmentationError, match="hold labels of segments"):
        ss.write(corpus, tmp_path / "s.xlsx")
    ss.write(corpus, tmp_path / "s.xlsx", lossy=True)
    long = ss.Corpus.from_dict(
        {"d": {"ann": ss.Segmentation.from_masses([1])}}, units={"d": ["x" * 40_000]}
    )
    with pytest.raises(ss.SegmentationError, match="40000 characters"):
        ss.write(long, tmp_path / "long.xlsx")
    ss.write(long, tmp_path / "long.csv", "sheet")
    assert ss.read(tmp_path / "long.csv") == long
    with pytest.raises(ss.SegmentationError, match="CSV has one sheet"):
        save_sheet_documents([], [], tmp_path / "g.csv", guidelines="x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["long.csv", "s.xlsx"]


# ---- the table that annotation pages write for spreadsheets is read without an option ----


HEADER = "document,coder,unit,segment,text,level,label,unsure,comment\n"
ROWS = """d,ann,1,1,One.,,intro,,
d,ann,2,2,'-Two.,2,,unsure,'=why?
d,ann,3,2,"Three,
too.",,,,or here
d,ann,4,3,Four.,1,main,,
"""


def read(tmp_path: Path, text: str) -> ss.Corpus:
    (tmp_path / "a.csv").write_text(text, "utf-8-sig")
    return ss.read(tmp_path / "a.csv")


def test_all_that_it_says(tmp_path: Path) -> None:
    corpus = read(tmp_path, HEADER + ROWS)
    assert corpus["d"]["ann"] == ss.Segmentation.from_boundaries(
        [1, 3], 4, ranks=[2, 1], segment_labels=["intro", None, "main"]
    )
    assert list(corpus["d"].units or ()) == ["One.", "-Two.", "Three,\ntoo.", "Four."]
    annotation = corpus["d"].annotations["ann"]
    assert annotation.finished
    assert annotation.unsure == (1,)
    assert annotation.comments == ((1, "=why?"), (2, "or here"))


def test_a_level_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(ss.SegmentationError, match=r"line 6.*level.*whole number"):
        read(tmp_path, HEADER + ROWS.replace("Four.,1,", "Four.,,"))


# ---- sheets for people ----


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
