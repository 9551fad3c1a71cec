"""Every format: small files, and the corpus that each is read as.

Each sample of tests/fuzz is read as `sample_corpora.json` says, and each file of `read_files.json`,
which have what a format may hold (options, policies, several layers), as it says itself.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from fuzz.samples import SAMPLES, UNITS_OF_ANSWERS
from io_reading_tools import remarks, written
from needs import needs, where_needed
from segscore.corpus.record import fields_from_record
from segscore.io import FORMATS
from segscore.io.format import recognise

GOLDEN = json.loads(Path(__file__).with_name("sample_corpora.json").read_text("utf-8"))
_EXTRAS = {"elan": "readers", "uima-xmi": "readers"}
BY_SUFFIX = {"markdown", "text", "lab", "ctm"}  # whatever is in them
ASKED = {"llm"}  # which nobody recognises


HERE = Path(__file__).parent
READ = [
    pytest.param(case, marks=needs("readers")) if case["format"] in _EXTRAS else case
    for case in json.loads((HERE / "read_files.json").read_text("utf-8"))
]


@pytest.mark.parametrize("case", READ, ids=lambda case: f"{case['format']} {case['file']}")
def test_read(case: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path, case["file"], case["content"].encode())
    records, told = remarks(path, case["format"], **case["options"])
    assert (records, told) == (case["corpus"], case["remarks"])
    if case["recognised"]:
        assert recognise(path).name == case["format"]


@pytest.mark.parametrize("name", where_needed(FORMATS, _EXTRAS))
def test_samples(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    path = written(tmp_path, sample.name, sample.content)
    if name == "brat":
        path.with_suffix(".txt").write_text("a b")
    more: dict[str, Any] = {"policy": "snap"} if "policy" in FORMATS[name].used_keys else {}
    if name == "llm":
        units = written(tmp_path, "units.jsonl", UNITS_OF_ANSWERS)
        more = {"text": units, "base": 0, "shape": "starts"}
    corpus = ss.read(
        path, name, units=sample.units, marks=sample.marks, remark=lambda _: None, **more
    )
    assert [fields_from_record(record) for record in corpus.records()] == GOLDEN[name]
    ss.write(corpus, tmp_path / "again.jsonl")
    assert ss.read(tmp_path / "again.jsonl") == corpus


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - ASKED))
def test_recognised(name: str, tmp_path: Path) -> None:
    path = tmp_path / SAMPLES[name].name
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_text(SAMPLES[name].content, encoding)
        assert recognise(path).name == name
    lines = SAMPLES[name].content.split("\n")
    likely = {kind.name for kind in FORMATS.values() if kind.matches(lines)}
    others = {"doccano"} if name == "prodigy" else set()  # which has its keys, and more
    assert likely == (set() if name in BY_SUFFIX else {name} | others)
