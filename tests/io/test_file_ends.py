"""Line ends, encodings and sizes of files."""

import json
import re
from pathlib import Path

import pytest

import segscore as ss
from segscore.errors import SegmentationError
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


# ---- unfinished and practice documents of annotation pages are left out, counted and told ----


def line(document, coder, masses=(2, 3), *, units=None, **annotation):
    text = {} if units is None else {"units": units}
    details = {"finished": True, **annotation}
    return {"document": document, "coder": coder, "masses": list(masses), **text,
            "annotation": details}  # fmt: skip


def written(path, *lines):
    path.write_text("".join(json.dumps(row) + "\n" for row in lines), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path):
    ann = written(
        tmp_path / "ann.jsonl",
        line("d1", "ann"),
        line("d2", "ann", (1, 4)),
        line("d3", "ann", finished=False),
        line("p", "ann", practice=True),
    )
    bob = written(tmp_path / "bob.jsonl", line("d1", "bob"), line("d2", "bob", finished=False))
    return [ann, bob]


def heard(path, **options):
    remarks = []
    return ss.read(path, remark=remarks.append, **options), remarks


def test_they_are_left_out_and_counted(files):
    corpus, remarks = heard(files)
    assert {name: list(document) for name, document in corpus.items()} == {
        "d1": ["ann", "bob"],
        "d2": ["ann"],
    }
    (remark,) = remarks
    assert re.search("3 codings.*2 unfinished.*1 practice.*2.*unfinished=True", remark)


def test_they_are_read_if_asked_for(files):
    corpus, remarks = heard(files, unfinished=True)
    assert remarks == []
    assert {name: list(document) for name, document in corpus.items()} == {
        "d1": ["ann", "bob"], "d2": ["ann", "bob"], "d3": ["ann"], "p": ["ann"]
    }  # fmt: skip
    assert corpus["p"].annotations["ann"].practice
    assert corpus.without_unfinished() == heard(files)[0]


def test_a_finished_coding_beside_an_unfinished_one_is_no_duplicate(tmp_path):
    path = written(
        tmp_path / "a.jsonl", line("d", "ann", (1, 4), finished=False), line("d", "ann", (2, 3))
    )
    corpus, _ = heard(path)
    assert corpus["d"]["ann"].masses.tolist() == [2, 3]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_if_nothing_is_left_it_is_an_error(tmp_path, name):
    rows = [line("d", "ann", finished=False), line("p", "ann", practice=True)]
    path = tmp_path / name
    path.write_text("\n".join(map(json.dumps, rows)) if name[-1] == "l" else json.dumps(rows))
    with pytest.raises(SegmentationError) as error:
        heard(path)
    assert f"{path}: nothing is left" in str(error.value)
    assert "(1 unfinished and 1 practice)" in str(error.value)


@pytest.mark.parametrize("first", [True, False])
def test_the_text_beside_an_unfinished_coding_is_that_of_the_others(tmp_path, first):
    plain = {"document": "d", "coder": "bob", "masses": [1, 1]}
    rows = [line("d", "ann", (1, 1), units=["x", "y"], finished=False), plain]
    path = written(tmp_path / "a.jsonl", *(rows if first else rows[::-1]), line("e", "bob"))
    corpus, _ = heard(path)
    assert corpus["d"].units == ("x", "y")
    assert list(corpus["d"]) == ["bob"]


def test_a_wrong_hash_names_the_line(tmp_path):
    hashes = ["sha256:" + digit * 64 for digit in "ab"]
    a = written(
        tmp_path / "a.jsonl", line("d", "ann", units=None) | {"annotation": {"units": hashes[0]}}
    )
    b = written(
        tmp_path / "b.jsonl",
        {"document": "d", "coder": "bob", "masses": [2, 3], "annotation": {"units": hashes[1]}},
    )
    with pytest.raises(SegmentationError) as error:
        ss.read([a, b])
    assert re.search(f"{b}.*line 1.*document 'd'.*coder 'bob'.*marked another", str(error.value))
    assert "coder 'ann'" in str(error.value)
    corpus, remarks = heard([a, b], ignore_text=True)
    assert [annotation.units for annotation in corpus["d"].annotations.values()] == [
        hashes[0],
        None,
    ]
    assert len(remarks) == 1
    assert corpus.with_details(kinds={"ann": "person"}).n_codings == 2  # and it stays a corpus


# ---- commands ----
