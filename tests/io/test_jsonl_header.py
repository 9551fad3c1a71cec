"""The first line of JSON Lines that says how units were formed: kept, checked, never mixed."""

import json
from pathlib import Path

import jsonschema
import pytest

import segscore as ss
from segscore.cli import streams
from segscore.io import ReadOptions, convert, read_columns, read_records
from segscore.provenance import Provenance
from segscore.records import Record

SCHEMA = jsonschema.Draft202012Validator(
    json.loads((Path(__file__).parents[2] / "docs" / "jsonl.schema.json").read_text())
)
ALL_OF_IT = Provenance(
    ("seconds:1:1200",), ("snap",), ("tier ä",), (("mask", "2 parts 35 units"), ("align", "words"))
)


def test_how_units_were_formed_is_kept(tmp_path: Path) -> None:
    records = [Record("d", "a", ss.Segmentation.from_masses([2, 3]), ("v", "w", "x", "y", "z"))]
    corpus = ss.Corpus.from_rows(records, provenance=ALL_OF_IT)
    path = tmp_path / "x.jsonl"
    ss.write(corpus, path)
    again = ss.read(path)
    assert again == corpus
    assert again.provenance == again["d"].provenance == ALL_OF_IT
    assert read_columns(path).provenance == ALL_OF_IT
    assert list(read_records(path)) == records
    SCHEMA.validate(json.loads(path.read_text().splitlines()[0]))
    expected = ss.score(corpus, corpus, "b")["b"].micro.signature
    assert "units:seconds:1:1200|policy:snap|" in expected
    assert ss.score(path, path, "b")["b"].micro.signature == expected
    convert(path, tmp_path / "y.jsonl")
    assert (tmp_path / "y.jsonl").read_bytes() == path.read_bytes()
    ss.write(ss.Corpus.from_rows(records), path)
    assert path.read_text().count("\n") == 1  # nothing to say, no line


def test_a_converted_file_gives_the_same_signature(tmp_path: Path) -> None:
    for name, middle in (("ref", 40), ("hyp", 45)):
        (tmp_path / f"{name}.lab").write_text(f"0 {middle} a\n{middle} 100 b\n")
        choices = ReadOptions(units="seconds:1")
        convert(tmp_path / f"{name}.lab", tmp_path / f"{name}.jsonl", choices=choices)
        direct = ss.read(tmp_path / f"{name}.lab", units="seconds:1")
        assert ss.read(tmp_path / f"{name}.jsonl").provenance == direct.provenance
        assert direct.provenance.fields == {"units": "seconds:1"}


def test_files_with_other_units_are_not_mixed(tmp_path: Path) -> None:
    line = '{"document":"%s","coder":"a","masses":[2,3]}\n'
    (tmp_path / "a.jsonl").write_text('{"provenance":{"units":["seconds:1"]}}\n' + line % "d")
    (tmp_path / "b.jsonl").write_text('{"provenance":{"units":["seconds:6"]}}\n' + line % "e")
    (tmp_path / "c.jsonl").write_text(
        '\n {"provenance" : {"units":["seconds:1"]}}\r\n' + line % "e"
    )
    with pytest.raises(ss.SegmentationError, match="b.jsonl together .* units of the same size"):
        ss.read([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    both = ss.read([tmp_path / "a.jsonl", tmp_path / "c.jsonl"])
    assert both.provenance.fields == {"units": "seconds:1"}
    (tmp_path / "b.jsonl").write_text('{"provenance":{"units":["seconds:6"]}}\n' + line % "d")
    with pytest.raises(ss.SegmentationError, match="cannot pair .* units of the same size"):
        ss.score(tmp_path / "a.jsonl", tmp_path / "b.jsonl", "b")


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ('{"provenance":{"units":"seconds:1"}}', "units is 'seconds:1' .str.: expected a list"),
        ('{"provenance":{"units":[1]}}', "units is .1. .list.: expected a list of texts"),
        ('{"provenance":{"unit":["x"]}}', "expected {.provenance.: {.units"),
        ('{"provenance":7}', "provenance is 7: expected"),
        ('{"provenance":{},"document":"d"}', "expected {.provenance"),
        ('{"provenance":{"choices":[["x","y"]]}}', "choices is .*: expected pairs"),
        ('{"provenance":{"choices":["mask"]}}', "choices is 'mask' .str.: expected pairs"),
        ('{"provenance":{"choices":7}}', "choices is 7: expected pairs"),
        ('{"provenance":{', "not JSON"),
    ],
)
def test_bad_first_lines(tmp_path: Path, header: str, message: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(header + '\n{"document":"d","coder":"a","masses":[2,3]}\n')
    for read in (ss.read, read_columns, lambda one: list(read_records(one))):
        with pytest.raises(ss.SegmentationError, match=f"x.jsonl, line 1: .*{message}"):
            read(path)


@pytest.mark.parametrize("at", [1, 2])
def test_how_units_were_formed_stands_first(tmp_path: Path, at: int) -> None:
    lines = ['{"provenance":{"units":["words"]}}', '{"document":"d","coder":"a","masses":[2,3]}']
    lines.insert(at, lines[0])
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(lines))
    for read in (ss.read, read_columns, lambda one: list(read_records(one))):
        with pytest.raises(ss.SegmentationError, match=f"line {at + 1}: .* the first line only"):
            read(path)


def test_large_files_with_a_first_line_are_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "LARGE", 1)
    path = tmp_path / "x.jsonl"
    path.write_text('{"document":"d","coder":"a","masses":[2,3]}\n')
    assert streams.is_large(path, [path])
    path.write_text('{"provenance":{"units":["words"]}}\n' + path.read_text())
    assert not streams.is_large(path, [path])
