"""What annotation tools write: brat, UIMA CAS (by dkpro-cassis), INCEpTION, Praat (by praatio), ELAN."""

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from io_reading_tools import fields, masses, message, zip_of
from needs import needs

TEXT = "Hi 😀. First topic.\nSecond topic."
SENTENCES = ["Hi 😀.", "First topic.", "Second topic."]
CODING = {"masses": [2, 1], "units": SENTENCES, "segment_labels": ["A", "B"]}


# ---- brat ----


def brat(tmp_path: Path, ann: str, text: str = TEXT) -> Path:
    (tmp_path / "x.txt").write_bytes(text.encode())
    path = tmp_path / "x.ann"
    path.write_bytes(ann.encode())
    return path


def test_brat(tmp_path: Path) -> None:
    ann = (
        "T1\tA 0 5;6 18\tHi 😀. First topic.\nT2\tB 19 32\tSecond topic.\nA1\tLevel T1 2\n"
        "#1\tAnnotatorNotes T1\ta note\nR1\tNext Arg1:T1 Arg2:T2\nE1\tB:T2\n*\tEquiv T1 T2\n"
    )
    path = brat(tmp_path, ann)
    assert fields(path, units="sentences") == [{"document": "x", "coder": "x", **CODING}]
    assert fields(tmp_path, units="sentences")[0]["coder"] == tmp_path.name
    assert fields(path, units="sentences", layer="B", policy="keep-start")[0]["masses"] == [3]
    # each character of a line end counts
    text = TEXT.replace("\n", "\r\n")
    path = brat(tmp_path, "T1\tA 0 18;20 33\tHi 😀. First topic. Second topic.\r\n", text)
    assert fields(path, units="lines")[0]["masses"] == [2]


@pytest.mark.parametrize(
    ("ann", "expected"),
    [
        ("hello\n", "line 1.*'hello'.*annotation"),
        ("T1\tA 0 99\tx\n", "line 1.*T1.*0 99.*offsets in order"),
        ("T1\tA 0 2\tHa\n", "line 1.*T1: 0 2.*text.*'Hi'.*'Ha'"),
        ("T1\tA 0 18\n", "document 'x'.*coder 'x'.*unit 3.*no span.*spans that fit"),
    ],
)  # fmt: skip
def test_brat_malformed(ann: str, expected: str, tmp_path: Path) -> None:
    assert re.search(expected, message(brat(tmp_path, ann), "brat", units="sentences"))


def test_brat_without_its_text(tmp_path: Path) -> None:
    path = brat(tmp_path, "T1\tA 0 2\tHi\n")
    (tmp_path / "x.txt").unlink()
    assert re.search(r"x\.ann.*text is missing", message(path, units="lines"))


# ---- UIMA CAS (written by dkpro-cassis) and WebAnno TSV 3 ----


SPANS = [(0, 5), (6, 18), (19, 32)]
AS_CODED = {
    "document": "x", "coder": "x", "masses": [2, 1], "segment_labels": ["A", "B"],
    "units": ["Hi 😀.", "First topic.", "Second topic."],
}  # fmt: skip
TOKENS = ["Hi", "😀.", "First", "topic.", "Second", "topic."]
DKPRO = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type."


def cas(
    units: bool = True, spans: tuple[tuple[int, int, str], ...] = ((0, 18, "A"), (19, 32, "B"))
) -> Any:
    cassis = pytest.importorskip("cassis")
    system = cassis.TypeSystem()
    segment = system.create_type("custom.Segment", "uima.tcas.Annotation")
    system.create_feature(segment, "label", "uima.cas.String")
    made = cassis.Cas(typesystem=system)
    made.sofa_string = TEXT
    made.sofa_mime = "text/plain"
    if units:
        sentence = system.create_type(f"{DKPRO}Sentence", "uima.tcas.Annotation")
        token = system.create_type(f"{DKPRO}Token", "uima.tcas.Annotation")
        made.add_all(sentence(begin=start, end=end) for start, end in SPANS)
        at = 0
        for word in TOKENS:
            at = TEXT.index(word, at)
            made.add(token(begin=at, end=at + len(word)))
            at += len(word)
    made.add_all(segment(begin=start, end=end, label=label) for start, end, label in spans)
    return made


def put(tmp_path: Path, made: Any, form: str) -> Path:
    path = tmp_path / f"x.{form}"
    made.to_xmi(str(path)) if form == "xmi" else made.to_json(str(path))
    return path


@pytest.mark.parametrize("form", ["xmi", "json"])
def test_uima(form: str, tmp_path: Path) -> None:
    path = put(tmp_path, cas(), form)
    assert fields(path) == fields(path, units="sentences") == [AS_CODED]
    assert fields(path, layer="Segment") == fields(path, layer="custom.Segment") == [AS_CODED]
    (words,) = fields(path, units="words")
    assert (words["masses"], words["units"]) == ([4, 2], TOKENS)
    assert fields(path, units="characters", policy="keep-start")[0]["masses"] == [19, 13]
    path = put(tmp_path, cas(units=False), form)
    assert fields(path, units="sentences") == [AS_CODED]
    where = f"x.{form}: document 'x', coder 'x': "
    assert re.search(f"{where}units is None", message(path))
    assert re.search(rf"x\.{form}.*layer is 'Topic'", message(path, layer="Topic"))
    path = put(tmp_path, cas(spans=((0, 9, "A"), (19, 32, "B"))), form)
    assert re.search(f"{where}.*0 … 9.*'A'.*cuts unit 2.*'snap'", message(path))


# ---- praat TextGrid (written by praatio) and ELAN (written by ElementTree) ----


ON_TIERS = {
    "document": "x", "coder": "topics", "masses": [2, 3, 5],
    "segment_labels": ['the "intro"', "middle", "end"],
}  # fmt: skip
THREE = [(0, 12, 'the "intro"'), (12, 30, "middle"), (30, 60, "end")]
WORDS = [(0, 12, "one"), (12, 20, "two"), (20, 30, "three"), (30, 60, "four")]
ON_WORDS = {**ON_TIERS, "masses": [1, 2, 1], "units": ["one", "two", "three", "four"]}


def by_praatio(path: Path, form: str) -> None:
    textgrid = pytest.importorskip("praatio.textgrid")
    made = textgrid.Textgrid()
    made.addTier(textgrid.IntervalTier("topics", THREE, 0, 60))
    made.addTier(textgrid.IntervalTier("words", WORDS, 0, 60))
    made.addTier(textgrid.PointTier("points", [(12, "a"), (30, "b")], 0, 60))
    made.save(str(path), form, includeBlankSpaces=True)


@pytest.mark.parametrize("form", ["long_textgrid", "short_textgrid"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_textgrid(form: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "x.TextGrid"
    by_praatio(path, form)
    for end in ("\n", "\r\n", "\r"):
        text = path.read_text().replace("\n", end)
        other = tmp_path / "copy" / "x.TextGrid"
        other.parent.mkdir(exist_ok=True)
        other.write_bytes(text.encode(encoding))
        topics, words, points = fields(other, units="seconds:2")
        assert topics == {**ON_TIERS, "masses": [6, 9, 15]}
        assert (words["coder"], words["masses"]) == ("words", [6, 4, 5, 15])
        assert (points["masses"], points["segment_labels"]) == ([6, 9, 15], [None, "a", "b"])
        assert fields(other, layer="topics", units="seconds:6") == [ON_TIERS]
        assert fields(other, layer="topics", units="tier:words") == [ON_WORDS]
        (named,) = fields(other, layer="topics", units="tier:words", coder="ann")
        assert named["coder"] == "ann"


# ---- ELAN ----


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1 or str()};" * 10}">' for i in range(1, 9))
    + "]><ANNOTATION_DOCUMENT>&a8;</ANNOTATION_DOCUMENT>"
)


@needs("readers")
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (BOMB.encode(), "DTD.*entity"),
        (b'<!DOCTYPE b SYSTEM "file:///etc/passwd"><ANNOTATION_DOCUMENT/>',
         "DTD.*entity"),
        (b"<ANNOTATION_DOCUMENT>", "XML.*line 1.*column 21"),
        (b"<ANNOTATION_DOCUMENT>\0</ANNOTATION_DOCUMENT>", "XML.*line 1.*column 21"),
    ],
)  # fmt: skip
def test_hostile_xml(content: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.eaf"
    path.write_bytes(content)
    assert re.search(expected, message(path, "elan", units="seconds:6"))


def test_xml_nested_without_end(tmp_path: Path) -> None:
    path = tmp_path / "x.eaf"
    depth = 200_000
    path.write_text(
        "<ANNOTATION_DOCUMENT>" + "<a>" * depth + "</a>" * depth + "</ANNOTATION_DOCUMENT>"
    )
    assert "x.eaf: " in message(path, "elan", units="seconds:6")


# ---- INCEpTION ----


def project(packed: bool) -> dict[str, bytes]:
    """The members of a project export."""
    coded = {"ann": ((0, 18, "A"), (19, 32, "B")), "bob": ((0, 5, "A"), (6, 32, "B")),
             "INITIAL_CAS": ((0, 32, "A"),)}  # fmt: skip
    members = {"exportedproject.json": b'{"name": "p", "source_documents": []}',
               "source/ch1.txt": TEXT.encode(), "log/x.log": b"x",
               "annotation_ser/ch1.txt/ann.ser": b"\xac\xed"}  # fmt: skip
    for user, spans in coded.items():
        found = cas(spans=spans)
        if packed:
            inner = {"TypeSystem.xml": "<typeSystemDescription/>", f"{user}.xmi": found.to_xmi()}
            members[f"annotation/ch1.txt/{user}.zip"] = zip_of(inner)
        else:
            members[f"annotation/ch1.txt/{user}.json"] = found.to_json().encode()
    members["curation/ch1.txt/CURATION_USER.zip"] = b"not read"
    return members


@pytest.mark.parametrize("packed", [True, False])
def test_project_of_inception(packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    path.write_bytes(zip_of(project(packed)))
    corpus = ss.read(path, layer="Segment")
    assert masses(corpus) == {"ch1.txt": {"ann": [2, 1], "bob": [1, 2]}}
    assert corpus["ch1.txt"].units == tuple(SENTENCES)
    folder = tmp_path / "p"
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    assert ss.read(folder, layer="Segment") == corpus
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p", "p.zip"]


def test_damaged_projects(tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    members = project(True)
    for name, data, expected in (
        ("annotation/ch1.txt/ann.zip", b"x", r"annotation/ch1\.txt/ann\.zip.*not a zip file"),
        ("annotation/ch1.txt/ann.zip", zip_of({"a.xmi": b"", "b.xmi": b""}),
         r"it holds 2 annotated documents.*a\.xmi.*b\.xmi"),
        ("annotation/ch1.txt/ann.zip", zip_of({}), "it holds 0 annotated documents"),
        ("annotation/ch1.txt/ann.zip", zip_of({"../x.xmi": b""}), "lies outside"),
    ):  # fmt: skip
        path.write_bytes(zip_of({**members, name: data}))
        assert re.search(expected, message(path, layer="Segment"))
    only = {"exportedproject.json": b"{}", "annotation/ch1/INITIAL_CAS.json": b"{}"}
    path.write_bytes(zip_of(only))
    assert re.search("holds no annotations", message(path))
