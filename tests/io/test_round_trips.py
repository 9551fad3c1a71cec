"""What is written is read back, equal in everything; what a format cannot hold, it refuses."""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import segscore as ss
from corpora import corpora, names, plain_names
from needs import where_needed
from segscore.corpus.record import Record
from segscore.io import FORMATS, read_columns, replacing
from segscore.io.format import FEATURES, features, recognise

pytestmark = pytest.mark.filterwarnings("ignore:.*taken as not coded")

WRITTEN = [name for name, kind in FORMATS.items() if kind.is_written]
file_names = st.text("abcXYZ012_é ", min_size=1, max_size=6).filter(lambda s: s.strip() == s)
# Which names the files and lines of a format can bear; what else is refused, see below.
NAMES: dict[str, tuple[Any, Any]] = {
    "jsonl": (names, names),
    "segeval-json": (names, names),
    "csv": (names.filter(lambda s: "\0" not in s), names.filter(lambda s: "\0" not in s)),
    "gaps": (plain_names, plain_names),
    "segeval-tsv": (file_names, names.filter(lambda s: "\0" not in s)),
    "wide": (file_names, plain_names),
    "sheet": (plain_names, plain_names),
    "levels": (file_names, file_names),
    "choi": (file_names, st.just("reference")),
    "label-studio": (names, names),
}


def there_and_back(corpus: ss.Corpus, name: str) -> ss.Corpus:
    kind = FORMATS[name]
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("out" + (kind.suffixes[0] if kind.write or kind.save else ""))
        ss.write(corpus, path, name)
        again = ss.read(path)  # recognised, too
        assert again == ss.read(path, name)
        return again


@pytest.mark.parametrize("name", where_needed(WRITTEN, {"sheet": "excel"}))
def test_write_then_read_is_identity(name: str) -> None:
    document, coder = NAMES[name]

    @settings(suppress_health_check=[HealthCheck.too_slow])
    @given(corpora(FORMATS[name].holds - {"units"} if name == "choi" else FORMATS[name].holds,
                   document, coder))  # fmt: skip
    def check(corpus: ss.Corpus) -> None:
        assume(name != "sheet" or all(map(fits_a_sheet, corpus.values())))
        assume(name != "csv" or not has_nul(corpus))
        corpus = prepared(corpus, name)
        assert there_and_back(corpus, name) == corpus

    check()


def fits_a_sheet(document: ss.Document) -> bool:
    """Whether a sheet can hold the texts: one at least is not empty, and XML can have them all."""
    texts = "".join(document.units or ["x"])
    return bool(texts) and not set(texts) & set("\0\ufffe\uffff")


def has_nul(corpus: ss.Corpus) -> bool:
    """Whether a type, a label or a group has a character that no cell can hold."""
    texts = [(record.group, record.labels) for record in corpus.records()]
    return "\\x00" in repr((texts, type_names(corpus)))


def type_names(corpus: ss.Corpus) -> set[str]:
    codings = [coding for document in corpus.values() for coding in document.values()]
    return {str(name) for coding in codings for kinds in coding.types or () for name in kinds}


def prepared(corpus: ss.Corpus, name: str) -> ss.Corpus:
    """What a format insists on: text in Choi's and Label Studio's, labels in the latter, ranks in
    levels, more than [] for typed sets."""
    if name == "label-studio":
        rows = []
        for record in corpus.records():
            labels = [
                names or {"Segment"}
                for names in record.labels or [()] * record.segmentation.n_segments
            ]
            units = [f" {i} " for i in range(record.n_units)]
            coding = ss.Segmentation.from_masses(record.segmentation.masses)
            rows.append(Record(record.document, record.coder, coding, units, labels))
        return ss.Corpus.from_rows(rows)
    if name == "choi":
        return corpus.with_details(
            units={
                document.name: [f" {i} " for i in range(document.n_units)]
                for document in corpus.values()
            }
        )
    rows = []
    for record in corpus.records():
        coding = record.segmentation
        assert coding is not None or name in ("jsonl", "sheet")
        if name == "levels" and coding is not None and coding.ranks is None:
            coding = ss.Segmentation.from_boundaries(
                coding.boundaries, coding.n_units, ranks=coding.boundaries % 3 + 1
            )
        if name == "segeval-json" and coding is not None and coding.n_units == 1:
            coding = ss.Segmentation.from_masses([1])
        rows.append(
            Record(record.document, record.coder, coding, record.units, record.labels, record.kind,
                   record.group, record.local)
        )  # fmt: skip
    return ss.Corpus.from_rows(rows)


@pytest.mark.parametrize("name", WRITTEN)
@given(corpus=corpora(frozenset(FEATURES)))
@settings(max_examples=25)
def test_any_corpus_comes_back_or_is_refused(name: str, corpus: ss.Corpus) -> None:
    """Hostile names and all: either the same corpus, or an error, and then no file."""
    kind = FORMATS[name]
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("out" + (kind.suffixes[0] if kind.write or kind.save else ""))
        try:
            ss.write(corpus, path, name)
        except ss.SegmentationError:
            assert list(Path(folder).iterdir()) == []
        else:
            assert name == "label-studio" or ss.read(path, name) == corpus  # which invents labels


@given(corpora(frozenset(FEATURES)))
def test_lossy_leaves_out_what_the_format_cannot_hold(corpus: ss.Corpus) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "out.json"
        try:
            ss.write(corpus, path, lossy=True)
        except ss.SegmentationError as error:
            assert "one unit with types" in str(error)  # noqa: PT017
            return
        again = ss.read(path)
    assert all(features(record) <= {"types"} for record in again.records())
    assert {
        (name, coder): coding.boundaries.tolist()
        for name, document in corpus.items()
        for coder, coding in document.items()
    } == {
        (name, coder): coding.boundaries.tolist()
        for name, document in again.items()
        for coder, coding in document.items()
    }


@pytest.mark.parametrize("name", ["gaps", "wide", "levels", "segeval-json"])
def test_vast_documents_are_not_spelled_out(name: str, tmp_path: Path) -> None:
    row = {"document": "d", "coder": "c", "masses": [10**11, 10**12], "ranks": [1]}
    if name == "segeval-json":
        row["types"] = ["a"]
    corpus = ss.Corpus.from_rows([row])
    with pytest.raises(ss.SegmentationError, match="1100000000000 units: .* at most 10000000"):
        ss.write(corpus, tmp_path / "out.x", name, lossy=True)
    ss.write(corpus, tmp_path / "out.jsonl")
    assert ss.read(tmp_path / "out.jsonl") == corpus


# ---- recognition, folders, files written whole or not at all, and the streams behind `convert` ----


masses = ss.Segmentation.from_masses
CORPUS = ss.Corpus.from_dict({"x": {"b": masses([1, 2]), "c": masses([3])}})

CONTENT = {
    "jsonl": '{"document":"x","coder":"b","masses":[1,2]}\n',
    "segeval-json": '{\n "items": {"x": {"b": [1, 2]}},\n "segmentation_type": "linear"}\n',
    "csv": "coder,document,mass\nb,x,1\nb,x,2\n",
    "segeval-tsv": "Coder\tMasses\nb\t1\t2\n",
    "wide": "paragraph,b\n1,1\n2,2\n3,2\n",
    "levels": "par,level1,level2\n1,0,1\n2,0,0\n3,1,1\n",
    "choi": "==========\nx\n==========\ny\nz\n==========\n",
    "gaps": "x\tb\t10\n",
}


def test_content_wins_over_a_wrong_suffix(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(CONTENT["jsonl"])
    assert recognise(path).name == "jsonl"
    path.write_text('{"segmentation_type": "linear", "items": {"document": {"b": [1, 2]}}}')
    assert recognise(path).name == "segeval-json"
    path.write_text('{"x": 1}')  # nothing that we know
    with pytest.raises(ss.SegmentationError, match="format is not clear"):
        ss.read(path)
    path = tmp_path / "x.csv"
    path.write_text("Coder,Positions\nb,1,2,2\n")
    assert ss.read(path) == ss.Corpus.from_dict({"x": {"b": masses([1, 2])}})


def test_what_is_not_recognised(tmp_path: Path) -> None:
    path = tmp_path / "x.doc"
    path.write_text("hello\n")
    with pytest.raises(ss.SegmentationError) as error:
        ss.read(path)
    names = "jsonl, segeval-json, csv, sheet, segeval-tsv, levels, table, wide, choi, gaps"
    known = ", ".join(FORMATS)
    assert re.search("format is not clear", str(error.value))
    with pytest.raises(ss.SegmentationError, match="format is called 'doc'"):
        ss.read(path, "doc")
    assert known.startswith(f"{names}, ")
    with pytest.raises(ss.SegmentationError, match=r"format=.*csv"):
        ss.write(CORPUS, path)
    with pytest.raises(ss.SegmentationError, match="coder is ''"):
        ss.read(path, "gaps", coder="")
    with pytest.raises(ss.SegmentationError, match=r"none\.jsonl.*such file or directory"):
        ss.read(tmp_path / "none.jsonl")


# ---- folders ----


def test_a_folder_is_read_by_suffix(tmp_path: Path) -> None:
    for name in ("ch10", "ch2", "sub/ch1"):
        path = tmp_path / f"{name}.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(CONTENT["wide"])
    (tmp_path / "README").write_text("not a coding")
    (tmp_path / ".hidden.csv").write_text("not a coding")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.csv").write_text("not a coding")
    corpus = ss.read(tmp_path)
    assert list(corpus) == ["ch2", "ch10", "sub/ch1"]
    assert ss.read(tmp_path, "wide") == corpus
    assert len(read_columns(tmp_path)) == 3
    with pytest.raises(ss.SegmentationError, match=r"file with suffix \.ref"):
        ss.read(tmp_path, "choi")
    (tmp_path / "y.json").write_text(CONTENT["segeval-json"])
    with pytest.raises(
        ss.SegmentationError, match=r"several formats: .*ch2\.csv \(wide\), .*y\.json"
    ):
        ss.read(tmp_path)
    assert ss.read(tmp_path, "wide") == corpus


def test_folders_of_levels_name_document_and_coder(tmp_path: Path) -> None:
    for name in ("ch1/ch1-an1", "ch1/ch1-an2", "deep/ch2/ch2-an1", "deep/ch-3-an1"):
        path = tmp_path / f"{name}.csv"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(CONTENT["levels"])
    corpus = ss.read(tmp_path)
    assert {name: list(document) for name, document in corpus.items()} == {
        "ch1": ["an1", "an2"],
        "deep/ch2": ["an1"],
        "deep/ch-3": ["an1"],
    }
    alone = tmp_path / "plain.csv"
    alone.write_text(CONTENT["levels"])
    assert {name: list(document) for name, document in ss.read(alone).items()} == {
        "plain": ["plain"]
    }


def test_folders_are_written_whole_and_never_over_others(tmp_path: Path) -> None:
    corpus = ss.Corpus.from_dict({"set/1": {"b": masses([2])}, "set/2": {"b": masses([3])}})
    ss.write(corpus, tmp_path / "out", "segeval-tsv")
    assert sorted(path.name for path in (tmp_path / "out" / "set").iterdir()) == ["1.tsv", "2.tsv"]
    assert ss.read(tmp_path / "out") == corpus
    with pytest.raises(ss.SegmentationError, match="exists.*expected a new folder"):
        ss.write(corpus, tmp_path / "out", "segeval-tsv")
    with pytest.raises(ss.SegmentationError, match="holds one document"):
        ss.write(corpus, tmp_path / "one.tsv")
    with pytest.raises(ss.SegmentationError, match="nothing to write"):
        ss.write(ss.Corpus.from_dict({}), tmp_path / "none", "wide")
    (tmp_path / "empty").mkdir()
    ss.write(corpus, tmp_path / "empty", "wide")
    assert ss.read(tmp_path / "empty") == corpus
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "out"]


# ---- writing beside ----


def broken() -> Iterator[Record]:
    yield Record("x", "b", masses([1]))
    raise ss.SegmentationError("boom")


def test_a_file_is_whole_or_as_before(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    with pytest.raises(ss.SegmentationError, match="boom"):
        ss.write(broken(), path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("old")
    path.chmod(0o640)
    with pytest.raises(ss.SegmentationError, match="boom"):
        ss.write(broken(), path)
    assert path.read_text() == "old"
    ss.write(CORPUS, path)
    assert ss.read(path) == CORPUS
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX links and devices")
def test_links_and_devices(tmp_path: Path) -> None:
    (tmp_path / "real.jsonl").write_text("old")
    (tmp_path / "link.jsonl").symlink_to("real.jsonl")
    ss.write(CORPUS, tmp_path / "link.jsonl")
    assert (tmp_path / "link.jsonl").is_symlink()
    assert ss.read(tmp_path / "real.jsonl") == CORPUS
    with replacing(os.devnull) as stream:
        stream.write("gone")
    assert Path(os.devnull).is_char_device()


# ---- conversion ----


def test_segeval_boundary_formats(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for written, coding in (
        ("mass", [1, 2]),
        ("sets", [[1], []]),
        ("position", [1, 2, 2]),
        ("nltk", "10"),
    ):
        data = {"segmentation_type": "linear", "boundary_format": written}
        path.write_text(json.dumps({**data, "items": {"x": {"b": coding}}}))
        read = ss.read(path)["x"]["b"]
        assert read.masses.tolist() == [1, 2]
        assert read.types == ((frozenset({1}),) if written == "sets" else None)
    path.write_text('{"items":{"x":{"b":[[],["a",2],[]],"c":[2,2]}},"segmentation_type":"linear"}')
    document = ss.read(path)["x"]
    assert document["b"] == ss.Segmentation.from_boundaries([2], 4, types=[{"a", 2}])
    assert document["c"] == masses([2, 2])


def test_gap_strings_without_names(tmp_path: Path) -> None:
    path = tmp_path / "c99.gaps"
    path.write_text("010\n1\n")
    assert {name: list(document) for name, document in ss.read(path).items()} == {
        "1": ["c99"],
        "2": ["c99"],
    }
    path.write_text("a\t010\nb\t\n")
    corpus = ss.read(path, coder="me")
    assert corpus["a"]["me"] == masses([2, 2])
    assert corpus["b"]["me"] == masses([1])
