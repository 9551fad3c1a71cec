"""Sheets in which a column is not what it seems: lost documents, marks among segments, odd cells."""

import re
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from io_reading_tools import message
from remarks import each_matches


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def told(path: Path, **choices: Any) -> tuple[ss.Corpus, list[str]]:
    """What a file holds, and what the reader said, without the folder."""
    remarks: list[str] = []
    corpus = ss.read(path, remark=remarks.append, **choices)
    return corpus, [remark.replace(f"{path.parent}/", "") for remark in remarks]


STORIES = (
    "Text;Nr;Satz;Ann;Bob;Kommentar",
    "s1;1;Es war einmal ein Schaf.;;;",
    ";2;Es ging in den Wald.;x;;zu kurz?",
    ";3;Dort war ein Wolf.;;x;",
    "s2;1;Ein Zug fuhr nach Wien.;;;",
    ";2;Er kam zu spät an.;x;x;",
    ";3;Niemand sagte ein Wort.;;;",
)


def test_names_of_documents_are_no_texts(tmp_path: Path) -> None:
    path = written(tmp_path / "s.csv", *STORIES)
    ignored = ["Nr", "Satz", "Kommentar"]
    error = message(path, marks="start", ignore_columns=ignored)
    assert re.search(r"s\.csv.*line 1.*column 'Text'.*and holds 2.*'s1'.*'s2'", error)
    corpus, _ = told(path, marks="start", ignore_columns=ignored, columns={"document": "Text"})
    assert list(corpus) == ["s1", "s2"]


def test_the_advice_keeps_documents_units_and_texts(tmp_path: Path) -> None:
    path = written(tmp_path / "s.csv", *(line.replace("Text;", "Story;") for line in STORIES))
    error = message(path, marks="start")
    assert "document=Story,text=Satz,unit=Nr in columns" in error
    assert "ignore_columns=Kommentar" in error
    columns = {"document": "Story", "unit": "Nr", "text": "Satz"}
    corpus, _ = told(path, marks="start", columns=columns, ignore_columns=["Kommentar"])
    assert {name: document.n_units for name, document in corpus.items()} == {"s1": 3, "s2": 3}


def test_ignored_columns_that_look_like_documents_are_told(tmp_path: Path) -> None:
    path = written(tmp_path / "s.csv", *STORIES)
    _, remarks = told(path, marks="start", columns={"text": "Satz"},
                      ignore_columns=["Text", "Nr", "Kommentar"])  # fmt: skip
    assert any(re.search("'Text'.*names of documents", remark) for remark in remarks)
    assert any(re.search("'Nr'.*begins to count.*line 5", remark) for remark in remarks)


def test_a_document_without_its_name(tmp_path: Path) -> None:
    lines = [line.replace("s2;", ";") for line in STORIES]
    error = message(
        written(tmp_path / "s.csv", *lines), marks="start", ignore_columns=["Kommentar"],
        columns={"document": "Text", "unit": "Nr", "text": "Satz"},
    )  # fmt: skip
    assert re.search(r"s\.csv.*line 5.*document 's1'.*unit 1.*listed twice", error)
    assert re.search("another document begins", error)
    apart = [*lines[:4], ";;;;;", *lines[4:]]
    _, remarks = told(
        written(tmp_path / "t.csv", *apart), marks="start", ignore_columns=["Kommentar", "Nr"],
        columns={"document": "Text", "text": "Satz"},
    )  # fmt: skip
    assert any(re.search("line 6 comes after.*'s1'", remark) for remark in remarks)


def test_marks_among_numbers_of_segments(tmp_path: Path) -> None:
    lines = ["document,unit,Ann,Bob,Cy", "d,1,0,1,1", "d,2,1,1,1", "d,3,0,2,2", "d,4,0,3,2"]
    path = written(tmp_path / "s.csv", *lines)
    error = message(path, marks="ids")
    assert re.search(r"s\.csv.*line 1.*column 'Ann'.*0.*1", error)
    assert "only_coders=Bob,Cy with marks='ids'" in error
    corpus, remarks = told(path, marks="ids", only_coders=["Bob", "Cy"])
    assert [coding.masses.tolist() for coding in corpus["d"].values()] == [[2, 1, 1], [2, 2]]
    assert remarks == []
    _, remarks = told(path, marks="ids", only_coders=["Ann"])
    assert any(re.search("column holds 0.*1 alone", remark) for remark in remarks)


def test_two_segments_may_be_0_and_1(tmp_path: Path) -> None:
    lines = ["document,unit,Ann,Bob", "d,1,0,1", "d,2,1,2", "d,3,1,3", "e,1,0,1", "e,2,1,1"]
    corpus, remarks = told(written(tmp_path / "s.csv", *lines), marks="ids")
    assert [coding.masses.tolist() for coding in corpus["d"].values()] == [[1, 2], [1, 1, 1]]
    assert remarks == []


@pytest.mark.parametrize("name", ["sure", "Done?", "Minuten", "Vérifié", "Any comments"])
def test_columns_that_are_usually_nobodys(tmp_path: Path, name: str) -> None:
    lines = [f"document,unit,Ann,{name}", "d,1,0,1", "d,2,1,0"]
    path = written(tmp_path / "s.csv", *lines)
    _, remarks = told(path, marks="start")
    assert each_matches(
        remarks, rf"s\.csv.*column {re.escape(repr(name))}.*ignore_columns={re.escape(name)}"
    )
    assert told(path, marks="start", ignore_columns=[name])[1] == []


def _coded(odd: str = "x", last: str = "") -> list[str]:
    rows = [f"d,{i},{'x' if i % 3 == 0 else ''},{'x' if i % 5 == 0 else ''}" for i in range(1, 31)]
    rows[14] = f"d,15,{odd},x"
    return ["document,unit,Ann,Bob", *rows, *([last] if last else [])]


def test_an_odd_cell_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "s.csv", *_coded("x?"))
    error = message(path, marks="start")
    assert re.search(r"s\.csv.*line 16.*column 'Ann'.*line 16.*'x\?'", error)
    assert re.search("edit the cell", error)
    assert "ignore_columns" not in error
    assert "ignore_columns" not in message(path)  # which asks for marks first


@pytest.mark.parametrize("last", ["Summe,,10,6", ",,10.0,6.0", "d,,10,6"])
def test_a_row_of_totals_is_named(tmp_path: Path, last: str) -> None:
    error = message(written(tmp_path / "s.csv", *_coded(last=last)), marks="start")
    assert re.search(r"s\.csv.*line 32.*'Ann' 10.*'Bob' 6", error)


def test_a_column_without_a_name_is_ignored_by_its_letter(tmp_path: Path) -> None:
    lines = ["document,unit,Ann,Bob,", "d,1,0,0,", "d,2,1,0,why?", "d,3,0,1,"]
    path = written(tmp_path / "s.csv", *lines)
    error = message(path, marks="start")
    assert re.search(r"s\.csv.*line 3.*column 5.*E", error)
    for called in ("E", "5"):
        corpus: Any = ss.read(path, marks="start", ignore_columns=[called])
        assert list(corpus["d"]) == ["Ann", "Bob"]
    lines[0] = "document,unit,Ann,E,Unnamed: 4"  # a name stands before a letter
    error = message(written(path, *lines), marks="start", ignore_columns=["E"])
    assert re.search("column 5.*E", error)


def test_columns_that_pandas_named_and_nobody_filled(tmp_path: Path) -> None:
    lines = ["document,unit,Ann,Unnamed: 3", "d,1,0,", "d,2,1,"]
    corpus, remarks = told(written(tmp_path / "s.csv", *lines), marks="start")
    assert (list(corpus["d"]), remarks) == (["Ann"], [])
