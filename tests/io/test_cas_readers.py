"""UIMA CAS (written by dkpro-cassis) and WebAnno TSV 3."""

import re
from pathlib import Path
from typing import Any

import pytest

from io_reading_tools import fields, message

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
    assert re.search(f"{where}units is None", message(path))
    assert re.search(rf"x\.{form}.*layer is 'Topic'", message(path, layer="Topic"))
    path = put(tmp_path, cas(spans=((0, 9, "A"), (19, 32, "B"))), form)
    assert re.search(f"{where}.*0 … 9.*'A'.*cuts unit 2.*'snap'", message(path))
