"""Published corpora: dialogues, WikiSection, Wiki-727K, ranked text; real ones where they are at hand."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from io_reading_tools import fields, written
from remarks import each_matches
from segscore.io import convert
from segscore.io.format import recognise
from segscore.io.formats.text_files import matches_separated_text

# ---- lines of = ----

LINE = st.text(st.characters(codec="ascii", exclude_categories=["C", "Z"]), min_size=1).filter(
    lambda line: bool(line.strip("="))
)


@given(
    segments=st.lists(st.lists(LINE, min_size=1, max_size=4), min_size=2, max_size=5),
    width=st.integers(8, 40),
)
def test_any_number_of_equals_signs_from_eight(
    segments: list[list[str]], width: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("equals") / "d.txt"
    path.write_text(f"\n{'=' * width}\n".join("\n".join(segment) for segment in segments), "utf-8")
    (record,) = fields(path, "separated-text", coder="a")
    assert record["masses"] == [len(segment) for segment in segments]
    assert record["units"] == [unit for segment in segments for unit in segment]


def test_separated_text_is_recognised_and_headings_are_not(tmp_path: Path) -> None:
    path = written(tmp_path, "d.txt", "hello\nyou\n================\nbye\n")
    assert recognise(path).name == "separated-text"
    (record,) = fields(path)
    assert record["masses"] == [2, 1]
    heading = "A long title\n============\nText.\nMore text.\n"
    for text in (heading, heading.replace("\nMore", "\n\nMore"), "a\n=======\nb\n",
                 "a\n==========\nb\n================\nc\n"):  # fmt: skip
        assert not matches_separated_text(text.split("\n"))
        assert recognise(written(tmp_path, "d.txt", text)).name == "text"
    assert recognise(written(tmp_path, "d", "==========\na\n==========\n")).name == "choi"


# ---- WikiSection ----

TEXT = "It hurts. It itches\nNobody knows why. Rest."


def article(text: str = TEXT) -> dict:
    """An article of two sections, the first of which ends without a full stop."""
    edge = text.index("Nobody")
    sections = [(0, edge, "Signs", "disease.symptom"),
                (edge, len(text) - edge, "Why", "disease.cause")]  # fmt: skip
    return {
        "type": "Article",
        "id": "http://en.wikipedia.org/wiki/X",
        "title": "X",
        "abstract": "",
        "text": text,
        "annotations": [
            {"begin": begin, "length": length, "sectionHeading": title, "sectionLabel": label,
             "class": "Section"}
            for begin, length, title, label in sections
        ],
    }  # fmt: skip


def test_a_long_article_is_recognised(tmp_path: Path) -> None:
    long = article("It hurts. " * 7000 + "Nobody knows.")
    path = written(tmp_path, "w.json", [long, article() | {"id": "Y"}])
    assert recognise(path).name == "wikisection"
    assert [record["masses"] for record in fields(path, units="sentences")] == [[7000, 1], [2, 2]]
    other = {key: long[key] for key in ("id", "title", "text")}
    with pytest.raises(ss.SegmentationError):
        recognise(written(tmp_path, "v.json", [other]))


# ---- Wiki-727K, Markdown and plain text ----


def test_folders_hold_texts_only_if_asked(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\nx\n")
    (tmp_path / "b.wiki").write_text("========,1,preface.\nThe preface.\n")
    assert [record["document"] for record in fields(tmp_path)] == ["b"]
    assert [record["document"] for record in fields(tmp_path, "markdown")] == ["a"]


# ---- ranked text (Carroll 2010) ----


RANKED = b"""=====0=====
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
    path.write_bytes(RANKED)
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


# ---- the real corpora, read and written again ----


def test_moonstone(data: Path, tmp_path: Path) -> None:
    corpus = ss.read(data / "moonstone" / "segmentations", coders="local")
    assert (len(corpus), corpus.n_codings) == (20, 108)
    assert list(corpus)[:3] == ["ch1", "ch2", "ch3"]
    assert corpus["ch1"]["an1"].masses.tolist() == [11, 2]
    assert corpus["ch11"].n_units == 111
    ss.write(corpus, tmp_path / "wide", "wide", lossy=True)  # that names are local
    assert ss.read(tmp_path / "wide", coders="local") == corpus
    ss.write(corpus, tmp_path / "all.jsonl")
    assert ss.read(tmp_path / "all.jsonl") == corpus


def test_hierarchical_moonstone(data: Path, tmp_path: Path) -> None:
    corpus = ss.read(data / "moonstone_hierarchical" / "annots")
    assert (len(corpus), corpus.n_codings) == (9, 45)
    coding = corpus["ch1"]["an2"]
    assert coding.n_units == 13
    assert coding.ranks is not None
    # by hand from the file: 1 at level 1 after paragraphs 3 and 10, at level 2 after 2, 6 and 12
    ranks = dict(zip(coding.boundaries.tolist(), coding.ranks.tolist(), strict=True))
    assert {place for place, rank in ranks.items() if rank == 1} == {3, 10}
    assert {place for place, rank in ranks.items() if rank == 2} == {2, 6, 12}
    assert {place for place, rank in ranks.items() if rank == 3} == {4, 5, 7, 8, 9, 11}
    ss.write(corpus, tmp_path / "levels", "levels")
    assert ss.read(tmp_path / "levels") == corpus
    convert(data / "moonstone_hierarchical" / "annots", tmp_path / "all.csv")
    assert ss.read(tmp_path / "all.csv") == corpus


def test_choi(data: Path, tmp_path: Path) -> None:
    corpus = ss.read(data / "choi")
    assert len(corpus) == 700
    known = json.loads((data / "reference_outputs" / "choi_c99.json").read_text())
    for name, entry in known.items():
        document = corpus[name.removesuffix(".ref")]
        assert document["reference"].masses.tolist() == entry["ref"]
        assert document.units is not None
    part = corpus.select(documents=[name for name in corpus if name.startswith("1/3-5/")])
    ss.write(part, tmp_path / "choi", "choi")
    assert ss.read(tmp_path / "choi") == part
    original = data / "choi" / "1" / "3-5" / "0.ref"
    assert (tmp_path / "choi" / "1" / "3-5" / "0.ref").read_bytes() == original.read_bytes()
