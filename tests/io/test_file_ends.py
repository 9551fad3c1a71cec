"""Line ends, encodings and sizes of files."""

from pathlib import Path

import pytest

import segscore as ss
from segscore.io import files as files_module
from segscore.io import read_columns

LINE = b'{"document":"a","coder":"b","masses":[1,2]}\n'
BAR = b"==========\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("x.jsonl", ['{"document":"x","coder":"b","masses":[1,2]}', "",
                     '{"document":"x","coder":"c","masses":[3]}']),
        ("x.json", ['{"segmentation_type":"linear",', '"items":{"x":{"b":[1,2],"c":[3]}}}']),
        ("x.tsv", ["Coder\tMasses", "b\t1\t2", "c\t3"]),
        ("x.csv", ["document,coder,mass", "x,b,1", "x,b,2", "x,c,3"]),
        ("x.csv", ["unit,b,c", "1,1,1", "2,2,1", "3,2,1"]),
        ("x.gaps", ["x\tb\t10", "x\tc\t00"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("last", [True, False])
def test_all_line_ends_and_a_byte_order_mark(
    name: str, lines: list[str], end: str, mark: bytes, last: bool, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(mark + end.join([*lines, ""] if last else lines).encode())
    masses = {"b": ss.Segmentation.from_masses([1, 2]), "c": ss.Segmentation.from_masses([3])}
    assert ss.read(path) == ss.Corpus.from_dict({"x": masses})
    columns = read_columns(path)
    assert [columns.segmentation(row) for row in range(2)] == list(masses.values())


def test_a_line_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(LINE + LINE.strip() + b" " * 2**22)
    monkeypatch.setattr(files_module, "LONGEST_LINE", 2**21)
    for reader in (ss.read, read_columns):
        with pytest.raises(ss.SegmentationError, match="a line of more than"):
            reader(path)


def test_encodings(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes("Coder\tMasses\nÉva\t2\t1\n".encode("cp1252"))
    with pytest.raises(ss.SegmentationError, match="line 2: byte 0xc9 is not utf-8"):
        ss.read(path)
    assert list(ss.read(path, text_encoding="cp1252")["x"]) == ["Éva"]
    path.write_bytes("Coder\tMasses\nÉva\t2\t1\n".encode("utf-16"))
    assert list(ss.read(path, "segeval-tsv", text_encoding="utf-16")["x"]) == ["Éva"]
    with pytest.raises(ss.SegmentationError, match="no encoding is called 'klingon'"):
        ss.read(path, text_encoding="klingon")
    (tmp_path / "y.ref").write_bytes(BAR + "é\n".encode("latin-1") + BAR)
    assert ss.read(tmp_path / "y.ref")["y"].units == ("é",)
    (tmp_path / "y.ref").write_bytes(BAR + "é\n".encode() + BAR)
    assert ss.read(tmp_path / "y.ref")["y"].units == ("é",)
    (tmp_path / "z.jsonl").write_bytes(LINE)
    assert len(ss.read(tmp_path / "z.jsonl", text_encoding="latin-1")) == 1  # always UTF-8
