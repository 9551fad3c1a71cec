"""UIMA CAS (written by dkpro-cassis) and WebAnno TSV 3."""

import re
from pathlib import Path
from typing import Any

import pytest

from io_reading_tools import fields, message
from needs import needs

TEXT = "Hi 😀. First topic.\nSecond topic."
SENTENCES = [(0, 5), (6, 18), (19, 32)]
CODING = {
    "document": "x", "coder": "x", "masses": [2, 1], "segment_labels": ["A", "B"],
    "units": ["Hi 😀.", "First topic.", "Second topic."],
}  # fmt: skip
WORDS = ["Hi", "😀.", "First", "topic.", "Second", "topic."]
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
        made.add_all(sentence(begin=start, end=end) for start, end in SENTENCES)
        at = 0
        for word in WORDS:
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
    assert fields(path) == fields(path, units="sentences") == [CODING]
    assert fields(path, layer="Segment") == fields(path, layer="custom.Segment") == [CODING]
    (words,) = fields(path, units="words")
    assert (words["masses"], words["units"]) == ([4, 2], WORDS)
    assert fields(path, units="characters", policy="keep-start")[0]["masses"] == [19, 13]
    path = put(tmp_path, cas(units=False), form)
    assert fields(path, units="sentences") == [CODING]
    where = f"x.{form}: document 'x', coder 'x': "
    assert re.search(f"{where}the file does", message(path))
    assert re.search(rf"x\.{form}.*layer is 'Topic'", message(path, layer="Topic"))
    path = put(tmp_path, cas(spans=((0, 9, "A"), (19, 32, "B"))), form)
    assert re.search(f"{where}.*0 … 9.*'A'.*cuts unit 2.*'snap'", message(path))


XMI = '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:c="http:///c.ecore" xmlns:cas="http:///uima/cas.ecore">{}</xmi:XMI>'
SOFA = '<cas:Sofa xmi:id="1" sofaString="abc"/>'


@needs("readers")
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (XMI.format(SOFA), "layer is None"),
        (XMI.format(SOFA + '<c:S sofa="2" begin="0" end="3"/>'), r"c\.S.*text '2'.*there is '1'"),
        (XMI.format(SOFA + '<c:S sofa="1" begin="0" end="x"/>'), r"c\.S.*end is 'x'.*whole number"),
        (XMI.format(SOFA + '<c:S sofa="1" begin="0" end="4"/>'), "4.*outside the text"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]>" + XMI.format("&b;"), "DTD.*entity"),
    ],
)  # fmt: skip
def test_xmi_malformed(content: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.xmi"
    path.write_text(content)
    assert re.search(expected, message(path, "uima-xmi", units="words"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"%FEATURE_STRUCTURES": [3]}', ": 3: expected an object with %TYPE"),
        ('{"%FEATURE_STRUCTURES": [{"%TYPE": "c.S", "begin": true, "end": 3, "@sofa": 1}, '
         '{"%TYPE": "uima.cas.Sofa", "%ID": 1, "sofaString": "abc"}]}',
         r"c\.S.*begin is True"),
        ('{"%FEATURE_STRUCTURES": ', "line 1.*JSON.*Expecting.*column 25"),
    ],
)  # fmt: skip
def test_uima_json_malformed(content: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    assert re.search(expected, message(path, "uima-json", units="words"))


# ---- WebAnno TSV ----

HEAD = "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Segment|label\n#T_SP=custom.Name|value|wiki\n\n\n"
ROWS = """\
#Text=Hi 😀.
1-1\t0-2\tHi\tA[1]\t_\t_\t
1-2\t3-6\t😀.\tA[1]\tPER\t*\t

#Text=First topic.
2-1\t7-12\tFirst\tA[1]\tX[3]|Y[4]\t*[3]|*[4]\t
2-2\t13-19\ttopic.\tA[1]\tX[3]\t*[3]\t
2-2.1\t13-15\tto\t_\tX\t*\t

#Text=Second topic.
3-1\t20-26\tSecond\tB\\|b[2]\t_\t_\t
3-2\t27-33\ttopic.\tB\\|b[2]\t_\t_\t
"""


def webanno(tmp_path: Path, text: str, end: str = "\n") -> Path:
    path = tmp_path / "x.tsv"
    path.write_bytes(text.replace("\n", end).encode())
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_webanno(end: str, tmp_path: Path) -> None:
    path = webanno(tmp_path, HEAD + ROWS, end)
    expected = {**CODING, "segment_labels": ["A", "B|b"]}
    assert fields(path, layer="custom.Segment") == [expected]
    assert fields(path, layer="custom.Segment", units="sentences") == [expected]
    (words,) = fields(path, layer="custom.Segment", units="words")
    assert (words["masses"], words["units"]) == ([4, 2], WORDS)
    (lines,) = fields(path, layer="custom.Segment", units="lines")
    assert lines["units"] == ["Hi 😀.", "First topic.", "Second topic."]
    (names,) = fields(path, layer="custom.Name", units="words", policy="snap", remark=str)  # type: ignore[arg-type]
    assert names["segment_labels"] == [None, "PER", ["X", "Y"], None]


def test_webanno_with_one_layer_and_a_relation(tmp_path: Path) -> None:
    head = "#FORMAT=WebAnno TSV 3.2\n#T_SP=c.S|label\n#T_RL=c.R|kind|BT_c.S\n\n"
    rows = "#Text=a b\n1-1\t0-1\ta\t*[1]\tx\t1-2\t\n1-2\t2-3\tb\t*[1]\t_\t_\t\n"
    (found,) = fields(webanno(tmp_path, head + rows))
    assert fields(webanno(tmp_path, head + rows.replace("\t\n", "\n"))) == [found]
    assert (found["masses"], "segment_labels" in found) == ([1], False)


ROW = "1-1\t0-2\tHi\tA\t_\t_\t\n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("#FORMAT=WebAnno TSV 2\n", r", line 1: '#FORMAT=WebAnno TSV 2': expected #FORMAT=WebAnno TSV 3\.3"),
        (HEAD + "hello\n", r", line 6: 'hello' \(str\): expected 1-1<TAB>0-5<TAB>FORM<TAB>…"),
        (HEAD + "1-1\t0-2\tHi\tA\n", "line 6.*1 cells.*layers"),
        (HEAD + ROW + "1-2\t999999999998-999999999999\tx\tA\t_\t_\n", "line 7.*token 'x' at 999999999998-999999999999.*text"),
        (HEAD + ROW + ROW, "line 7.*token 'Hi' at 0-2.*tokens in order"),
        (HEAD + ROW, "layer is None"),
    ],
)  # fmt: skip
def test_webanno_malformed(content: str, expected: str, tmp_path: Path) -> None:
    assert re.search(expected, message(webanno(tmp_path, content), "webanno-tsv"))
