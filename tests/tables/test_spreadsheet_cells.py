"""No text of a CSV file is a formula, numbers stay, and names come back as they were."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.tables.table import cell_of_text, text_of_cell

HOSTILE = ("=HYPERLINK(0)", "+1+1", "-2+3", "@SUM(1)", "'=x", "''@x")


@given(st.text("='+-@\t\r01.eE a"))
def test_texts_come_back(text: str) -> None:
    cell = cell_of_text(text)
    assert text_of_cell(cell) == text
    if cell[:1] in ("=", "@", "\t", "\r"):
        raise AssertionError(cell)
    if cell[:1] in ("+", "-"):
        float(cell)  # or it would be a formula


@pytest.mark.parametrize("form", ["csv", "wide", "segeval-tsv"])
def test_files_of_codings(form: str, tmp_path: Path) -> None:
    codings = {name: ss.Segmentation.from_masses([2, 3]) for name in (*HOSTILE, "-0.5")}
    corpus = ss.Corpus.from_dict({"d": codings})
    path = tmp_path / ("x.tsv" if form == "segeval-tsv" else "x.csv")
    ss.write(corpus, tmp_path, form) if form != "csv" else ss.write(corpus, path, form)
    (path,) = [file for file in tmp_path.iterdir() if file.is_file()]
    cells = [cell for line in path.read_text().splitlines() for cell in line.replace("\t", ",").split(",")]  # fmt: skip
    assert "'=HYPERLINK(0)" in cells
    assert "-0.5" in cells
    assert not [cell for cell in cells if cell[:1] in ("=", "@", "+")]
    assert list(ss.read(path, form).coders) == list(corpus.coders)
