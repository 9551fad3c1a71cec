"""UIMA CAS (written by dkpro-cassis) and WebAnno TSV 3."""

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
FIT = ": expected spans that fit the units, or policy='snap' or 'keep-start'"


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
    assert message(path) == (
        f"{where}the file does not say what a unit of text is: expected units=, one of "
        "lines, paragraphs, sentences, words, characters"
    )
    assert message(path, layer="Topic").startswith(
        f"x.{form}: layer is 'Topic': expected layer=, one type of "
    )
    path = put(tmp_path, cas(spans=((0, 9, "A"), (19, 32, "B"))), form)
    assert message(path) == f"{where}the span 0 … 9 ('A') cuts unit 2{FIT}"


XMI = '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:c="http:///c.ecore" xmlns:cas="http:///uima/cas.ecore">{}</xmi:XMI>'
SOFA = '<cas:Sofa xmi:id="1" sofaString="abc"/>'


@needs("readers")
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<a/>", "the root is <a>: expected a UIMA CAS, <xmi:XMI>"),
        (XMI.format(SOFA), "layer is None: expected layer=, one type of none"),
        (XMI.format(SOFA + '<c:S sofa="2" begin="0" end="3"/>'), "c.S is of text '2': there is '1'"),
        (XMI.format(SOFA + '<c:S sofa="1" begin="0" end="x"/>'), "c.S: end is 'x' (str): expected a "
         "whole number"),
        (XMI.format(SOFA + '<c:S sofa="1" begin="0" end="4"/>'), "offset 4 is outside the text: "
         "expected 0 … 3 (UTF-16)"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]>" + XMI.format("&b;"), "a DTD or an entity: expected a UIMA "
         "CAS, <xmi:XMI>, which has none"),
    ],
)  # fmt: skip
def test_xmi_malformed(content: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.xmi"
    path.write_text(content)
    assert message(path, "uima-xmi", units="words") == f"x.xmi: {expected}"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("[]", ": %FEATURE_STRUCTURES is None (NoneType): expected a UIMA CAS in JSON"),
        ('{"%FEATURE_STRUCTURES": [3]}', ": 3: expected an object with %TYPE"),
        ('{"%FEATURE_STRUCTURES": [{"%TYPE": "c.S", "begin": true, "end": 3, "@sofa": 1}, '
         '{"%TYPE": "uima.cas.Sofa", "%ID": 1, "sofaString": "abc"}]}',
         ": c.S: begin is True: expected a whole number"),
        ('{"%FEATURE_STRUCTURES": ', ", line 1: not JSON (Expecting value at column 25): expected a "
         "UIMA CAS in JSON"),
    ],
)  # fmt: skip
def test_uima_json_malformed(content: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    assert message(path, "uima-json", units="words") == f"x.json{expected}"


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
        ("#FORMAT=WebAnno TSV 2\n", ", line 1: '#FORMAT=WebAnno TSV 2': expected #FORMAT=WebAnno TSV "
         "3.3"),
        (HEAD, ": no token: expected rows, as in 1-1<TAB>0-5<TAB>First<TAB>Topic[1]"),
        (HEAD + "hello\n", ", line 6: 'hello' (str): expected 1-1<TAB>0-5<TAB>FORM<TAB>…"),
        (HEAD + "1-1\t0-2\tHi\tA\n", ", line 6: 1 cells of layers: expected 3, as the header has"),
        (HEAD + ROW.replace("0-2", "0-3"), ", line 6: token 'Hi' (str) at 0-3: expected 3 characters "
         "(UTF-16)"),
        (HEAD + ROW + "1-2\t999999999998-999999999999\tx\tA\t_\t_\n", ", line 7: token "
         "999999999998-999999999999: expected a text of at most 134217728"),
        (HEAD + ROW + ROW, ", line 7: token 0-2: expected tokens in order, none empty"),
        (HEAD + ROW, ": layer is None: expected layer=, one of 'custom.Segment', "
         "'custom.Name'"),
    ],
)  # fmt: skip
def test_webanno_malformed(content: str, expected: str, tmp_path: Path) -> None:
    assert message(webanno(tmp_path, content), "webanno-tsv") == f"x.tsv{expected}"
