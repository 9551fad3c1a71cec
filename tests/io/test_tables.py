"""People's own tables and lists: CSV of any names, Excel, Parquet, Arrow, labels in JSON, frames."""

import bz2
import gzip
import json
import lzma
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from io_reading_tools import masses, workbook
from needs import needs, where_needed
from segscore.io import convert, read_columns

LABELS = {"ch1": {"ann": [0, 1, 0, 0, 1], "bob": [1, 0, 0, 1, 0]}, "ch2": {"ann": [0, 0, 1]}}
ENDS = {"ch1": {"ann": [2, 3], "bob": [1, 3, 1]}, "ch2": {"ann": [3]}}
STARTS = {"ch1": {"ann": [1, 3, 1], "bob": [3, 2]}, "ch2": {"ann": [2, 1]}}
GAPS = {"ch1": {"ann": [2, 3, 1], "bob": [1, 3, 2]}, "ch2": {"ann": [3, 1]}}
BY_MARKS = [("end", ENDS), ("start", STARTS), ("gaps", GAPS)]
LONG = [
    (document, coder, unit, label)
    for document, by_coder in LABELS.items()
    for coder, labels in by_coder.items()
    for unit, label in enumerate(labels, start=1)
]


def table(separator: str = ",", header: str = "doc_id,annotator,sentence_id,boundary") -> str:
    rows = [header.split(","), *([str(cell) for cell in row] for row in LONG)]
    return "".join(separator.join(row) + "\n" for row in rows)


@pytest.mark.parametrize(("marks", "expected"), BY_MARKS)
def test_labels_in_json(marks: Any, expected: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(LABELS))
    assert masses(ss.read(path, marks=marks)) == expected
    ann = {name: by_coder["ann"] for name, by_coder in LABELS.items()}
    wanted = [{"x": by_coder["ann"]} for by_coder in expected.values()]
    texts = {name: "".join(map(str, labels)) for name, labels in ann.items()}
    for written in (ann, texts, [*ann.values()]):
        path.write_text(json.dumps(written, indent=1))
        assert [*masses(ss.read(path, marks=marks)).values()] == wanted


def test_labels_in_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    for names in (("doc_id", "annotator", "labels"), ("n", "who", "y")):
        rows = [
            dict(zip(names, (document, coder, labels), strict=True))
            for document, by_coder in LABELS.items()
            for coder, labels in by_coder.items()
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        columns = dict(zip(("document", "coder", "labels"), names, strict=True))
        for marks, expected in BY_MARKS:
            assert masses(ss.read(path, marks=marks, columns=columns)) == expected  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="format is not clear"):
        ss.read(path)


def test_what_hugging_face_datasets_write(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"sentences": ["a", "b", "c"], "labels": [0, 1, 0]}\n')
    corpus = ss.read(path, marks="end")
    assert corpus["1"].units == ("a", "b", "c")
    assert masses(corpus) == {"1": {"x": [2, 1]}}


# ---- Excel, Parquet, Arrow ----


@needs("excel")
def test_excel(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    rows = [["doc_id", "annotator", "sentence_id", "boundary"], *map(list, LONG)]
    workbook(path, {"data": rows, "notes": []})
    assert masses(ss.read(path, marks="end")) == ENDS
    assert masses(ss.read(tmp_path, marks="end")) == ENDS
    floats = [rows[0], *([*row[:3], row[3] == 1] for row in rows[1:])]
    workbook(path, {"data": floats, "other": [["x"]]})
    with pytest.raises(ss.SegmentationError, match="2 sheets hold something, 'data', 'other'"):
        ss.read(path, marks="end")
    assert masses(ss.read(path, marks="end", layer="data")) == ENDS
    workbook(path, {"data": [["document", "text"], ["x", "A b."]], "other": [["x"]]})
    (tmp_path / "x.txt").write_text("A b.")
    options: Any = {"layer": "data", "text": tmp_path / "x.txt", "remark": str}
    assert ss.read(path, "chunks", **options).coders == ("x",)
    workbook(tmp_path / "ch1.xlsx", {"s": [["par", "an1", "an2"], [1, 1, 1], [2, 1, 2]]})
    assert masses(ss.read(tmp_path / "ch1.xlsx")) == {"ch1": {"an1": [2], "an2": [1, 1]}}
    workbook(path, {"s": [["document", "coder", "mass"], ["a", "b", 2], ["a", "b", 3.0]]})
    assert masses(ss.read(path)) == {"a": {"b": [2, 3]}}


@needs("arrow", "polars")
def test_parquet_and_arrow(tmp_path: Path) -> None:
    pa = import_module("pyarrow")
    from pyarrow import feather, ipc, parquet

    names = ("doc_id", "annotator", "sentence_id", "boundary")
    long = pa.table({name: [row[i] for row in LONG] for i, name in enumerate(names)})
    lists = pa.table({"document": ["a", "b"], "coder": ["x", "x"], "masses": [[1, 2], [3]]})
    for kind, write in (
        (".parquet", parquet.write_table), (".feather", feather.write_feather),
    ):  # fmt: skip
        path = tmp_path / f"x{kind}"
        write(long, path)
        assert masses(ss.read(path, marks="end")) == ENDS
        write(lists, path)
        assert masses(ss.read(path)) == {"a": {"x": [1, 2]}, "b": {"x": [3]}}
    path = tmp_path / "x.arrow"
    with ipc.new_stream(path, lists.schema) as stream:
        stream.write_table(lists)
    assert masses(ss.read(path)) == {"a": {"x": [1, 2]}, "b": {"x": [3]}}
    polars = import_module("polars")
    polars.from_arrow(long).write_parquet(tmp_path / "p.parquet")
    assert masses(ss.read(tmp_path / "p.parquet", marks="end")) == ENDS
    parquet.write_table(long.slice(0, 0), tmp_path / "p.parquet")
    with pytest.raises(ss.SegmentationError, match="rows below the header"):
        ss.read(tmp_path / "p.parquet", marks="end")


# ---- compression ----


def packed(kind: str, data: bytes) -> bytes:
    if kind == "zst":
        zstandard = import_module("zstandard")
        return bytes(zstandard.compress(data))
    return {"gz": gzip, "bz2": bz2, "xz": lzma}[kind].compress(data)  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("kind", where_needed(["gz", "bz2", "xz", "zst"], {"zst": "zstd"}))
def test_compressed_files(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.csv.{kind}"
    path.write_bytes(packed(kind, table().encode()))
    assert masses(ss.read(path, marks="end")) == ENDS
    assert masses(ss.read(tmp_path, marks="end")) == ENDS
    line = b'{"document": "a", "masses": [1, 2]}\n'
    lines = tmp_path / f"y.jsonl.{kind}"
    lines.write_bytes(packed(kind, line))
    assert masses(ss.read(lines)) == {"a": {"y": [1, 2]}}
    assert read_columns(lines).documents == ["a"]
    target = tmp_path / f"z.jsonl.{kind}"
    convert(lines, target)
    assert ss.read(target) == ss.read(lines)
    assert target.read_bytes()[:2] == packed(kind, b"")[:2]
    for cut in range(1, len(packed(kind, line)), 3):
        lines.write_bytes(packed(kind, line)[:cut])
        with pytest.raises(ss.SegmentationError, match=f"jsonl.{kind}"):
            ss.read(lines)


# ---- frames ----


def frames(columns: dict[str, list[Any]]) -> list[Any]:
    pandas, polars = import_module("pandas"), import_module("polars")
    pa, duckdb = import_module("pyarrow"), import_module("duckdb")
    table = pa.table(columns)
    return [pandas.DataFrame(columns), polars.DataFrame(columns), polars.LazyFrame(columns), table,
            duckdb.from_arrow(table), columns]  # fmt: skip


@needs("dataframes", "duckdb")
def test_frames_with_a_row_per_unit() -> None:
    names = ("doc_id", "annotator", "sentence_id", "boundary")
    columns = {name: [row[i] for row in LONG] for i, name in enumerate(names)}
    for frame in frames(columns):
        assert masses(ss.Corpus.from_frame(frame, encoding="labels-end")) == ENDS
        assert masses(ss.Corpus.from_frame(frame, encoding="labels-start")) == STARTS
        assert masses(ss.Corpus.from_frame(frame, encoding="gaps")) == GAPS
        with pytest.raises(ss.SegmentationError, match="such as 0.*marks="):
            ss.Corpus.from_frame(frame)
    other = {f"my_{name}": values for name, values in columns.items()}
    for frame in frames(other):
        found = ss.Corpus.from_frame(
            frame, document="my_doc_id", coder="my_annotator", unit="my_sentence_id",
            boundary="my_boundary", encoding="labels-end",
        )  # fmt: skip
        assert masses(found) == ENDS


def test_frames_with_people_as_columns() -> None:
    frame = {
        "doc": ["a"] * 3,
        "unit": [1, 2, 3],
        "x": [0, 1, 0],
        "y": [1, 0, 1],
        "note": ["", "!", ""],
    }
    found = ss.Corpus.from_frame(frame, coding=["x", "y"], encoding="labels-end")
    assert masses(found) == {"a": {"x": [2, 1], "y": [1, 2]}}
    with pytest.raises(ss.SegmentationError, match="encoding="):
        ss.Corpus.from_frame(frame)


@needs("dataframes", "duckdb")
def test_frames_with_a_row_per_coding_or_document() -> None:
    columns = {"document": ["a", "a"], "coder": ["x", "y"], "masses": [[1, 2], [3]]}
    for frame in frames(columns):
        assert masses(ss.Corpus.from_frame(frame)) == {"a": {"x": [1, 2], "y": [3]}}
        assert masses(ss.Corpus.from_frame(frame, coding="masses"))["a"]["y"] == [3]
    columns = {"doc": ["a", "b"], "ref": [[0, 1, 0], [0]], "hyp": [[1, 0, 0], [1]]}
    for frame in frames(columns):
        found = ss.Corpus.from_frame(frame, coding=["ref", "hyp"], encoding="labels-end")
        assert masses(found) == {"a": {"ref": [2, 1], "hyp": [1, 2]}, "b": {"ref": [1], "hyp": [1]}}
        with pytest.raises(ss.SegmentationError, match="encoding is missing"):
            ss.Corpus.from_frame(frame, coding=["ref", "hyp"])
    columns = {"doc": ["a"], "ref": [[2]], "n_units": [5]}
    for frame in frames(columns):
        found = ss.Corpus.from_frame(frame, coding=["ref"], encoding="boundaries")
        assert masses(found) == {"a": {"ref": [2, 3]}}


@needs("dataframes")
def test_the_index_of_a_frame_is_not_read() -> None:
    pandas = import_module("pandas")
    frame = pandas.DataFrame({"document": ["a"], "coder": ["x"], "masses": [[1, 2]]})
    with pytest.raises(ss.SegmentationError, match="document=NAME.*index"):
        ss.Corpus.from_frame(frame.set_index("document"))
    assert masses(ss.Corpus.from_frame(frame.set_index("document").reset_index())) == {
        "a": {"x": [1, 2]}
    }
    with pytest.raises(ss.SegmentationError, match="for the coder"):
        ss.Corpus.from_frame(frame.drop(columns="coder"))
    with pytest.raises(ss.SegmentationError, match="for the document"):
        ss.Corpus.from_frame(frame.drop(columns="document"))
    with pytest.raises(ss.SegmentationError, match="frame.*Polars, pandas"):
        ss.Corpus.from_frame(3)
    with pytest.raises(ss.SegmentationError, match="encoding is 'x'"):
        ss.Corpus.from_frame(frame, encoding="x")  # type: ignore[arg-type]
    frame.loc[1] = [pandas.NA, "y", [3]]
    with pytest.raises(ss.SegmentationError, match="row 1: document is None"):
        ss.Corpus.from_frame(frame)
