"""Ranked text (Carroll 2010): what is a mark, and how the 66 published articles are read."""

import json
import re
from pathlib import Path

import pytest

import segscore as ss
from remarks import each_matches

TEXT = b"""=====0=====
One .
==== 3
==== 1939 was cold .
Two .
== 4 ==
=== 2 ===

  Three \xe9 .
====
Four .
==== 7 ====
"""


def test_marks_units_and_ranks(tmp_path: Path) -> None:
    path = tmp_path / "A.txt.eos.tok"
    path.write_bytes(TEXT)
    remarks: list[str] = []
    (document,) = ss.read(path, lenient=True, remark=remarks.append).values()
    (coding,) = document.values()
    assert document.name == "A"
    assert document.units == ("One .", "Two .", "", "Three é .", "Four .")
    # a number that does not close is none (rank 1); of two marks the last counts; ends do not
    assert coding == ss.Segmentation.from_boundaries([1, 2, 4], 5, ranks=[1, 2, 1])
    assert each_matches(remarks, "line 3.*2 lines.*continue were")
    with pytest.raises(ss.SegmentationError, match="line 3.*'==== 3'.*begins like"):
        ss.read(path)


def literal(path: Path) -> tuple[int, dict[int, int]]:
    """The rule as the author's program has it, on bytes: lines, and rank by place."""
    units, ranks = 0, {}
    for line in path.read_bytes().removesuffix(b"\n").split(b"\n"):
        mark = re.match(rb" *=+ *([0-9]*) *=+ *", line.strip())
        if mark is None:
            units += 1
        else:
            ranks[units] = int(mark[1] or 1)
    return units, {place: rank for place, rank in ranks.items() if 0 < place < units}


def test_the_published_articles(data: Path) -> None:
    corpus = ss.datasets.load("carroll2010")
    assert (len(corpus), corpus.n_codings) == (66, 462)
    assert corpus.coders == ("reference", "HC99", "HCWM", "HBT", "GBEM", "BIN", "NONE")
    assert set(corpus["Aircraft"].kinds.values()) == {"system"}
    for name, document in corpus.items():
        n_units, ranks = literal(data / "carroll2010" / "gold" / f"{name}.txt.eos.tok")
        gold = document["reference"]
        assert gold.n_units == n_units == len(document.units or ())
        assert gold.ranks is not None
        assert dict(zip(gold.boundaries.tolist(), gold.ranks.tolist(), strict=True)) == ranks
    lines = (data / "carroll2010" / "outputs.jsonl").read_text().splitlines()
    for row in map(json.loads, lines):
        coding = corpus[row["document"]][row["coder"]]
        assert coding.boundaries.tolist() == row["boundaries"]
        assert [] if coding.ranks is None else coding.ranks.tolist() == row["ranks"]
