"""Systems as files: named, unnamed, and in several runs."""

from pathlib import Path

import pytest

import segscore as ss
from segscore.comparison.systems import system_path, system_runs
from segscore.pairing.inputs import Reader

CUT = ss.Segmentation.from_masses


def test_names_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file, coder in (("one.jsonl", "ours"), ("two.jsonl", "ours"), ("a=b.jsonl", "other")):
        ss.write(ss.Corpus.from_dict({"d": {coder: CUT([2, 3])}}), file)
    files = ["one.jsonl", "new=one.jsonl", "new=two.jsonl", "a=b.jsonl", "two.jsonl"]
    runs = system_runs(files, Reader())
    assert {name: len(found) for name, found in runs.items()} == {
        "ours": 1, "new": 2, "other": 1, "ours (two.jsonl)": 1,
    }  # fmt: skip
    assert runs["new"][0].segmentation(0) == CUT([2, 3])
    assert (system_path("new=one.jsonl"), system_path("a=b.jsonl")) == ("one.jsonl", "a=b.jsonl")
