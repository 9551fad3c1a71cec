"""Each format that has labels gives them to the segments, and metrics of labels take them."""

import json
from pathlib import Path

import pytest

import segscore as ss
from needs import where_needed

TEXT = "One. Two. Three. Four."
TEXTGRID = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 60
tiers? <exists>
size = 1
item []:
    item [1]:
        class = "IntervalTier"
        name = "topics"
        xmin = 0
        xmax = 60
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 30
            text = "A"
        intervals [2]:
            xmin = 30
            xmax = 60
            text = "B"
"""
EAF = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2024-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0">
<HEADER TIME_UNITS="milliseconds"/><TIME_ORDER>
<TIME_SLOT TIME_SLOT_ID="ts0" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="30000"/>
<TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="60000"/></TIME_ORDER>
<TIER LINGUISTIC_TYPE_REF="t" TIER_ID="topics">
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a0" TIME_SLOT_REF1="ts0" TIME_SLOT_REF2="ts1">
<ANNOTATION_VALUE>A</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">
<ANNOTATION_VALUE>B</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="t" TIME_ALIGNABLE="true"/></ANNOTATION_DOCUMENT>
"""
SPANS = [(0, 9, "A"), (10, 22, "B")]
STUDIO = [
    {
        "id": 1,
        "data": {"text": TEXT},
        "annotations": [
            {
                "completed_by": 7,
                "result": [
                    {"id": str(i), "type": "labels", "from_name": "label", "to_name": "text",
                     "value": {"start": start, "end": end, "text": TEXT[start:end], "labels": [name]}}
                    for i, (start, end, name) in enumerate(SPANS)
                ],
            }
        ],
    }
]  # fmt: skip
CHAPTERS = {
    "id": "y",
    "duration": 60,
    "chapters": [
        {"start_time": 0, "end_time": 30, "title": "A"},
        {"start_time": 30, "end_time": 60, "title": "B"},
    ],
}
FILES: dict[str, tuple[dict[str, str], str]] = {
    "x.json": ({"x.json": json.dumps(STUDIO)}, "sentences"),
    "x.ann": (
        {"x.txt": TEXT, "x.ann": "".join(
            f"T{i}\t{name} {start} {end}\t{TEXT[start:end]}\n"
            for i, (start, end, name) in enumerate(SPANS, 1))},
        "sentences",
    ),
    "x.eaf": ({"x.eaf": EAF}, "seconds:10"),
    "x.TextGrid": ({"x.TextGrid": TEXTGRID}, "seconds:10"),
    "x.lab": ({"x.lab": "0.0\t30.0\tA\n30.0\t60.0\tB\n"}, "seconds:10"),
    "y.json": ({"y.json": json.dumps(CHAPTERS)}, "seconds:10"),
    "x.vtt": (
        {"x.vtt": "WEBVTT\n\n00:00.000 --> 00:30.000\nA\n\n00:30.000 --> 01:00.000\nB\n"},
        "seconds:10",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", where_needed(FILES, {"x.eaf": "readers"}))
def test_readers_give_labels_to_segments(name: str, tmp_path: Path) -> None:
    contents, units = FILES[name]
    for other, content in contents.items():
        (tmp_path / other).write_text(content)
    corpus = ss.read(tmp_path / name, units=units)
    (document,) = corpus.values()
    (coding,) = document.values()
    assert coding.segment_labels == ("A", "B")
    assert coding.masses.tolist() == ([2, 2] if units == "sentences" else [3, 3])
    other = coding.with_segment_labels(["A", "C"])
    assert ss.SegmentMatch()(coding, other) == ss.metrics.LabelEdit()(coding, other) == 0.5
    assert ss.LabelAgreement("accuracy")(coding, other) == 0.5


@pytest.mark.parametrize("suffix", ["txt", "tsv", "csv"])
@pytest.mark.parametrize(
    ("text", "masses"),  # by marks start, end, gaps and ids
    [
        ("0\n1\n0\n0\n1\n", {"x": ([1, 3, 1], [2, 3], [2, 3, 1], [1, 1, 2, 1])}),
        ("0100\n001\n", {"1": ([1, 3], [2, 2], [2, 3], [1, 1, 2]), "2": ([2, 1], [3], [3, 1], [2, 1])}),
        ("0 1 0 0\n", {"1": ([1, 3], [2, 2], [2, 3], [1, 1, 2])}),
        ("0,1,0,0\n", {"1": ([1, 3], [2, 2], [2, 3], [1, 1, 2])}),
        ("d\t0100\n", {"d": ([1, 3], [2, 2], [2, 3], [1, 1, 2])}),
        ("d\t0\nd\t1\ne\t0\ne\t0\n", {"d": ([1, 1], [2], [2, 1], [1, 1]), "e": ([2], [2], [3], [2])}),
    ],
)  # fmt: skip
def test_zeros_and_ones_are_what_marks_says(
    tmp_path: Path, suffix: str, text: str, masses: dict[str, tuple[list[int], ...]]
) -> None:
    path = tmp_path / f"x.{suffix}"
    path.write_text(text)
    with pytest.raises(ss.SegmentationError, match=r"marks.*start.*end.*gaps") as error:
        ss.read(path)
    first = next(iter(masses.values()))
    for marks, reading in zip(("start", "end", "gaps"), first, strict=False):
        assert f"{marks} gives masses {', '.join(map(str, reading))}" in str(error.value)
    for at, marks in enumerate(("start", "end", "gaps", "ids")):
        corpus = ss.read(path, marks=marks)  # type: ignore[arg-type]
        assert {name: corpus[name]["x"].masses.tolist() for name in corpus} == {
            name: readings[at] for name, readings in masses.items()
        }
    if " " not in text and "," not in text and "d\t0\n" not in text:
        assert ss.read(path, "gaps")  # who names the format needs no marks


def test_cells_of_zeros_and_ones_need_names(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("0\t1\t0\n1\t0\t0\n")
    for marks in (None, "start"):
        with pytest.raises(ss.SegmentationError, match="names the columns"):
            ss.read(tmp_path / "x.tsv", marks=marks)  # type: ignore[arg-type]
