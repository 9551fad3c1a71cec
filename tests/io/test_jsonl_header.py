"""The first line of JSON Lines says how units were formed: kept, checked, never mixed."""

import json
from pathlib import Path

import jsonschema
import pytest

import segscore as ss
from segscore.corpus.provenance import Provenance
from segscore.corpus.record import Record
from segscore.io import convert, read_columns, read_records

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
    (line,) = path.read_text().splitlines()  # each line is a coding
    SCHEMA.validate(json.loads(line))
    assert json.loads(line)["masses"] == [2, 3]
    expected = ss.score(corpus, corpus, "b")["b"].micro.signature
    assert "units:seconds:1:1200|policy:snap|" in expected
    assert ss.score(path, path, "b")["b"].micro.signature == expected
    convert(path, tmp_path / "y.jsonl")
    assert (tmp_path / "y.jsonl").read_bytes() == path.read_bytes()
    ss.write(ss.Corpus.from_rows(records), path)
    assert "provenance" not in path.read_text()  # nothing to say


def test_files_with_other_units_are_not_mixed(tmp_path: Path) -> None:
    line = '{"provenance":{"units":["seconds:%d"]},"document":"%s","coder":"a","masses":[2,3]}\n'
    (tmp_path / "a.jsonl").write_text(line % (1, "d"))
    (tmp_path / "b.jsonl").write_text(line % (6, "e"))
    (tmp_path / "c.jsonl").write_text(
        '\n{"document":"e","coder":"a","masses":[2,3], "provenance" : {"units":["seconds:1"]} }\r\n'
    )
    with pytest.raises(ss.SegmentationError, match="b.jsonl.*same size"):
        ss.read([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    both = ss.read([tmp_path / "a.jsonl", tmp_path / "c.jsonl"])
    assert both.provenance.fields == {"units": "seconds:1"}
    (tmp_path / "b.jsonl").write_text(line % (6, "d"))
    with pytest.raises(ss.SegmentationError, match="cannot pair"):
        ss.score(tmp_path / "a.jsonl", tmp_path / "b.jsonl", "b")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ('{"units":"seconds:1"}', "units is 'seconds:1'"),
        ('{"units":[1]}', "units.*1.*list of texts"),
        ('{"unit":["x"]}', "expected {.units"),
        ("7", "provenance is 7: expected"),
        ('{"choices":[["x","y"]]}', "choices is .*: expected pairs"),
        ('{"choices":["mask"]}', "choices is .*: expected pairs"),
        ('{"choices":7}', "choices is 7: expected pairs"),
        ('{"units":["\\ud800"]}', "half a surrogate pair"),
        ("{", "not JSON"),
        ('{},"provenance":{}', "'provenance' .str. is given twice"),
        ('{},"masses":[9]', "'masses' .str. is given twice"),
    ],
)
def test_bad_first_lines(tmp_path: Path, given: str, message: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"provenance":{given},"document":"d","coder":"a","masses":[2,3]}}\n')
    for read in (ss.read, read_columns, lambda source: list(read_records(source))):
        with pytest.raises(ss.SegmentationError, match=f"x.jsonl, line 1: .*{message}"):
            read(path)


def concatenated(path: Path, *units: str) -> Path:
    """Three files in one; the first line of each names its units, if they have a name."""
    lines = []
    for name, unit in zip("abc", units, strict=True):
        provenance = f'"provenance":{{"units":["{unit}"]}},' if unit else ""
        mark = "\ufeff" if name == "b" else ""
        lines.append(f'{mark}{{{provenance}"document":"{name}","coder":"a","masses":[2,3]}}\n')
        lines.append(f'{{"document":"{name}{name}","coder":"a","masses":[4]}}\n')
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "units", [("", "words", ""), ("words", "words", "words"), ("", "", "words")]
)
def test_concatenated_files_are_read(tmp_path: Path, units: tuple[str, ...]) -> None:
    """They were refused: only the first line could say how units were formed."""
    path = concatenated(tmp_path / "x.jsonl", *units)
    corpus = ss.read(path)
    assert list(corpus) == ["a", "aa", "b", "bb", "c", "cc"]
    assert corpus.provenance.units == ("words",)
    assert read_columns(path).provenance == corpus.provenance
    convert(path, tmp_path / "y.jsonl")
    assert ss.read(tmp_path / "y.jsonl").provenance == corpus.provenance
    assert ss.read(path).rename({"a": "ann"}).provenance == corpus.provenance
