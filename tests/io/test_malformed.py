"""Files that are wrong, format by format, with what the message names."""

import re
from pathlib import Path

import pytest

import segscore as ss
from segscore.io import convert, read_columns
from segscore.io import files as files_module

LINE = b'{"document":"a","coder":"b","masses":[1,2]}\n'

JSONL: list[tuple[bytes, str]] = [
    (b'{"document":"a","coder":"b","masses":[1,2', r"x\.jsonl.*line 1.*JSON.*Expecting ','.*column 42"),
    (LINE + b'{"document":"a"', r"x\.jsonl.*line 2.*JSON.*Expecting ','.*column 16"),
    (LINE + b"[1, 2]\n", r"x\.jsonl.*line 2.*1.*2.*object"),
    (b'{"document":"a","coder":"b","masses":[1,"2"]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is '2'"),
    (b'{"document":"a","coder":"b","masses":[1,2.0]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is 2\.0"),
    (b'{"document":"a","coder":"b","masses":[1,true]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is True"),
    (b'{"document":"a","coder":"b","masses":[1,0]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is 0"),
    (b'{"document":"a","coder":"b","masses":[1,-1]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is -1"),
    (b'{"document":"a","coder":"b","masses":[9007199254740992,1]}', r"line 1.*document 'a'.*coder 'b'.*masses\[1\] is 1"),
    (b'{"document":"a","coder":"b","masses":[1' + b"0" * 30 + b"]}", r"line 1.*document 'a'.*coder 'b'.*masses\[0\] is 1000000000000000000000000000000"),
    (b'{"document":"a","coder":"b","masses":[1' + b"0" * 9999 + b"]}",
     r"x\.jsonl.*line 1.*number is too long"),
    (b'{"document":"a","coder":"b","masses":[]}', "line 1.*document 'a'.*coder 'b'.*masses is empty"),
    (b'{"document":"a","coder":"b","masses":5}', "line 1.*document 'a'.*coder 'b'.*masses is 5"),
    (b'{"document":"a","coder":"b","masses":[NaN]}', r"x\.jsonl.*line 1.*NaN.*JSON"),
    (b'{"document":"a","coder":"b","boundaries":[3],"n_units":3}', "line 1.*document 'a'.*coder 'b'.*boundary 3.*outside the document.*3 units"),
    (b'{"document":"a","coder":"b","boundaries":[2,2],"n_units":3}', "line 1.*document 'a'.*coder 'b'.*boundary 2.*listed twice"),
    (b'{"document":"a","coder":"b","boundaries":[2]}', "line 1.*document 'a'.*coder 'b'.*n_units.*missing"),
    (b'{"document":"a","coder":"b","boundaries":[],"n_units":0}', r"line 1.*document 'a'.*coder 'b'.*n_units is 0.*2\*\*53"),
    (b'{"document":"a","coder":"b","masses":[1,2],"n_units":4}', "line 1.*document 'a'.*coder 'b'.*n_units is 4.*coding says"),
    (b'{"document":"a","coder":"b","masses":[3],"boundaries":[1],"n_units":3}', "line 1.*document 'a'.*coder 'b'.*boundaries and masses"),
    (b'{"document":"a","coder":"b"}', "line 1.*document 'a'.*coder 'b'.*coder.*no coding"),
    (b'{"document":"a"}', r"x\.jsonl.*line 1.*document 'a'.*no coding.*expected masses"),
    (b'{"document":"a","coder":"b","masses":[1]}\n{"coder":"b","masses":[1]}\n', r"x\.jsonl.*line 2.*document is missing"),
    (b'{"document":7,"coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*document is 7.*name"),
    (b'{"document":"","coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*document.*name"),
    (b'{"document":"a","coder":"","masses":[1]}', r"x\.jsonl.*line 1.*coder.*name"),
    (b'{"document":"a","document":"a","coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*'document'.*twice.*key once"),
    (b'{"document":"a","coder":"b","mases":[1]}', r"x\.jsonl.*line 1.*field is called 'mases'"),
    (b'{"document":"\\ud800","coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*document holds '\\ud800'.*half a surrogate pair"),
    (b'{"document":"a","coder":"b","masses":[1,1],"types":[["\\ud800"]]}', r"line 1.*document 'a'.*coder 'b'.*types holds '\\ud800'"),
    (b'{"document":"\xe9","coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*byte 0xe9.*UTF-8"),
    (b'{"document":"a\x00","coder":"b","masses":[1]}', r"x\.jsonl.*line 1.*JSON.*Invalid.*column 15"),
    (LINE + b"\x00\x00\x00\n", r"x\.jsonl.*line 2.*JSON.*Expecting.*column 1"),
    (LINE.decode().encode("utf-16"), r"x\.jsonl: the file is UTF-16: expected UTF-8"),
    (b"[" * 100_000, r"x\.jsonl.*line 1.*nested too deeply"),
    (b'{"document":"a","coder":"b","masses":' + b"[" * 100_000, r"x\.jsonl.*line 1.*nested too deeply"),
    (b'{"document":"a","coder":"b","masses":[2],"types":5}', "line 1.*document 'a'.*coder 'b'.*types is 5.*entry per boundary"),
    (b'{"document":"a","coder":"b","masses":[1,1],"types":[[["x"]]]}', r"line 1.*document 'a'.*coder 'b'.*types\[0\].*'x'.*set of them"),
    (b'{"document":"a","coder":"b","masses":[1,1],"ranks":[0]}', r"line 1.*document 'a'.*coder 'b'.*ranks\[0\] is 0.*per boundary"),
    (b'{"document":"a","coder":"b","masses":[1,1],"units":["x"]}', "line 1.*document 'a'.*coder 'b'.*1 units.*text.*coding"),
    (b'{"document":"a","coder":"b","masses":[1,1],"units":["x",3]}', r"line 1.*document 'a'.*coder 'b'.*units\[1\] is 3.*text"),
    (b'{"document":"a","coder":"b","masses":[1,1],"labels":["x"]}', "line 1.*document 'a'.*coder 'b'.*labels has 1"),
    (b'{"document":"a","coder":"b","masses":[1,1],"labels":["x",["y","y"]]}', r"line 1.*document 'a'.*coder 'b'.*labels\[1\].*'y'.*'y'"),
    (b'{"document":"a","coder":"b","masses":[1],"kind":"dog"}', "line 1.*document 'a'.*coder 'b'.*kind is 'dog'"),
    (b'{"document":"a","coder":"b","masses":[1],"coders":"here"}', r"x\.jsonl.*line 1.*coders is 'here'"),
]  # fmt: skip

# What only a whole corpus shows.
CORPUS: list[tuple[bytes, str]] = [
    (LINE + LINE, "line 2.*document 'a'.*coder 'b'.*second coding"),
    (LINE + b'{"document":"a","coder":"c","masses":[1,1]}\n', "document 'a'.*coder 'c'.*2 units.*where coder 'b' has 3"),
    (b'{"document":"a","units":["x"]}\n' + LINE, "line 2.*document 'a'.*coder 'b'.*3 units.*text has 1"),
]  # fmt: skip

SEGEVAL_JSON: list[tuple[bytes, str]] = [
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1,2', r"x\.json.*line 1.*JSON.*Expecting ','.*column 53"),
    (b'{"segmentation_type":"linear",\n"items":{"a":{"b":[1 2]}}}', r"x\.json.*line 2.*JSON.*Expecting ','.*column 22"),
    (b"[]", r'x\.json.*object.*"items"'),
    (b'{"items":{"a":{"b":[1]}}}', r"x\.json.*what its lists hold"),
    (b'{"segmentation_type":"hierarchical","items":{}}', r"x\.json: segmentation_type is 'hierarchical' \(str\): expected 'linear'"),
    (b'{"segmentation_type":"linear"}', r"x\.json.*items is None.*NoneType"),
    (b'{"segmentation_type":"linear","items":{"a":[1]}}', r"x\.json.*document 'a'.*\[1\].*masses"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1,0]}}}', r"x\.json.*document 'a'.*coder 'b'.*masses\[1\] is 0"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1,"2"]}}}', r"x\.json.*document 'a'.*coder 'b'.*masses\[1\] is '2'"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":"12"}}}', r"x\.json.*document 'a'.*coder 'b'.*coding is '12'"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[]}}}', r"x\.json.*document 'a'.*coder 'b'.*masses is empty"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[[],1]}}}', r"x\.json.*document 'a'.*coder 'b'.*\[1\] is 1.*list of types"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1],"b":[1]}}}', r"x\.json.*'b'.*twice.*key once"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1]},"a":{"c":[1]}}}', r"x\.json.*'a'.*twice.*key once"),
    (b'{"segmentation_type":"linear","items":{"a":{"b":[1],"c":[2]}}}', "document 'a'.*coder 'c'.*2 units.*where coder 'b' has 1"),
    (b'{"segmentation_type":"linear","items":{"":{"b":[1]}}}', r"x\.json.*document.*coder 'b'.*name"),
    (b'{"segmentation_type":"linear","boundary_format":"x","items":{"a":{"b":[1]}}}', r"x\.json.*document 'a'.*coder 'b'.*boundary_format is 'x'"),
    (b'{"segmentation_type":"linear","items":{"\xe9":{"b":[1]}}}', r"x\.json.*line 1.*byte 0xe9.*utf-8"),
    (b'{"segmentation_type":\n"linear\x00"}', r"x\.json.*line 2.*NUL byte"),
    (b'\xff\xfe{\x00', r"x\.json.*file is UTF-16"),
    (b'{"items":' + b"[" * 100_000, r"x\.json.*nested too deeply"),
    (b'{"items":' + b"1" * 5000 + b"}", r"x\.json.*number is too long"),
    (b"", r"x\.json.*line 1.*JSON.*Expecting.*column 1"),
]  # fmt: skip

SEGEVAL_TSV: list[tuple[bytes, str]] = [
    (b"", r"x\.tsv.*file is empty"),
    (b"1\t2\t3\n", r"x\.tsv.*line 1.*'1, 2, 3'.*header of this format"),
    (b"Coder\tBoundaries\nb\t2\t3\n", r"x\.tsv.*line 1.*'Coder, Boundaries'"),
    (b"Coder\tMasses\nb\t1\tx\n", "line 2.*document 'x'.*coder 'b'.*cell 3.*'x'.*whole number"),
    (b"Coder\tMasses\nb\t1\t2.0\n", r"line 2.*document 'x'.*coder 'b'.*cell 3.*'2\.0'.*whole number"),
    (b"Coder\tMasses\nb\t1\t" + "٣".encode() + b"\n", "line 2.*document 'x'.*coder 'b'.*cell 3.*'٣'.*whole number"),
    (b"Coder\tMasses\nb\t" + b"9" * 99 + b"\n", "line 2.*document 'x'.*coder 'b'.*cell 2.*'99999999999999999999999999999999999999….*whole number"),
    (b"Coder\tMasses\nb\t1\t0\n", r"line 2.*document 'x'.*coder 'b'.*masses\[1\] is 0"),
    (b"Coder\tMasses\nb\n", "line 2.*document 'x'.*coder 'b'.*masses is empty"),
    (b"Coder\tMasses\nb\t1\nb\t1\n", "line 3.*document 'x'.*coder 'b'.*second coding"),
    (b"Coder\tMasses\nb\t1\nc\t2\n", "document 'x'.*coder 'c'.*2 units.*where coder 'b' has 1"),
    (b"Coder\tMasses\rb\t1\r\x00", r"x\.tsv.*line 3.*NUL byte"),
    (b"Coder\tMasses\nb\xe9\t1\n", r"x\.tsv.*line 2.*byte 0xe9.*utf-8"),
    (b'Coder\tMasses\n"b\t1\n', r"x\.tsv.*line 2.*unexpected end of data"),
]  # fmt: skip

BAR = b"==========\n"
CHOI: list[tuple[bytes, str]] = [
    (b"", r"x\.ref.*line 1.*document 'x'.*'=' before the first segment"),
    (b"a\n" + BAR, r"x\.ref.*line 1.*document 'x'.*'=' before the first segment"),
    (BAR + b"a\nb\n", r"x\.ref.*line 3.*document 'x'.*not a separator"),
    (BAR, r"x\.ref.*document 'x'.*empty"),
    (BAR + b"a\n" + BAR + BAR, r"x\.ref.*line 4.*document 'x'.*empty segment"),
    (BAR + b"a\n========\nb\n" + BAR, r"x\.ref.*line 3.*document 'x'.*'========'.*unit.*'='"),
    (BAR + b"a\n\nb\n" + BAR, r"x\.ref.*line 3.*document 'x'.*'='.*lenient=True"),
    (BAR + b"a\x00\n" + BAR, r"x\.ref.*line 2.*NUL byte"),
]  # fmt: skip

RANKED: list[tuple[bytes, str]] = [
    (b"", r"x\.tok.*document 'x'.*no unit.*lines of text"),
    (b"==== 1 ====\n", r"x\.tok.*document 'x'.*no unit.*lines of text"),
    (b"a\n==== 1939 The first\nb\n", r"x\.tok.*line 2.*'==== 1939.*begins like"),
    (b"a\n== 0 ==\nb\n", r"x\.tok.*document 'x'.*ranks\[0\] is 0.*per boundary"),
    (b"a\n==1234567890==\nb\n", r"x\.tok.*line 2.*rank.*10 digits"),
]  # fmt: skip

GAPS: list[tuple[bytes, str]] = [
    (b"", r"x\.gaps.*file is empty"),
    (b"a\tb\t012\n", r"line 1.*document 'a'.*coder 'b'.*gaps\[2\] is '2'.*symbols"),
    (b"a\tb\t01\na\t01\n", r"x\.gaps.*line 2.*2 cells.*gap string are separated"),
    (b"a\tb\tc\t01\n", r"x\.gaps.*line 1.*4 cells.*gap string are separated"),
    (b"\tb\t01\n", r"x\.gaps.*line 1.*document.*name"),
    (b"01\n\n01\n", "line 2.*document '2'.*coder 'x'.*gaps is empty"),
    (b"a\tb\t01\na\tb\t01\n", "line 2.*document 'a'.*coder 'b'.*second coding"),
    (b"a\tb\t01\na\tc\t0\n", "document 'a'.*coder 'c'.*2 units.*where coder 'b' has 3"),
    (b"a\tb\t0\x001\n", r"x\.gaps.*line 1.*NUL byte"),
    (b"a\xe9\tb\t01\n", r"x\.gaps.*line 1.*byte 0xe9.*utf-8"),
]  # fmt: skip

ALL = [
    (name, kind, content, message)
    for name, kind, cases in (
        ("x.jsonl", "jsonl", JSONL + CORPUS),
        ("x.json", "segeval-json", SEGEVAL_JSON),
        ("x.tsv", "segeval-tsv", SEGEVAL_TSV),
        ("x.ref", "choi", CHOI),
        ("x.tok", "ranked-text", RANKED),
        ("x.gaps", "gaps", GAPS),
    )
    for content, message in cases
]


@pytest.mark.parametrize(("name", "kind", "content", "message"), ALL)
def test_malformed_files_are_refused_with_the_place(
    name: str, kind: str, content: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ss.SegmentationError) as error:
        ss.read(path, kind)
    assert re.search(message, str(error.value))


@pytest.mark.parametrize(("content", "message"), JSONL)
def test_columns_are_read_as_strictly(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(ss.SegmentationError) as error:
        read_columns(path)
    assert re.search(message, str(error.value))


@pytest.mark.parametrize(("content", "message"), CORPUS)
def test_conversion_checks_what_only_the_whole_shows(
    content: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(ss.SegmentationError) as error:
        convert(path, tmp_path / "y.jsonl")
    assert re.search(message, str(error.value))
    assert list(tmp_path.iterdir()) == [path]


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


def test_a_file_too_large_to_be_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'{"items": 1}' + b" " * 2**20)
    monkeypatch.setattr(files_module, "MOST_BYTES", 2**20)
    with pytest.raises(ss.SegmentationError, match="1 MiB.*JSON Lines"):
        ss.read(path)


def test_a_line_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(LINE + LINE.strip() + b" " * 2**22)
    monkeypatch.setattr(files_module, "LONGEST_LINE", 2**21)
    for reader in (ss.read, read_columns):
        with pytest.raises(ss.SegmentationError, match="line.*2 MiB"):
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
