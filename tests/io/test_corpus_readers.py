"""WikiSection, sentences with labels, YTSeg, chapters of videos, chunkseg's samples.

The files are made from the schemas that the authors document; there is no real one here.
"""

import json
from pathlib import Path

import pytest
from tests.io_reading_tools import fields

import segscore as ss
from segscore.io.format import recognise


def written(tmp_path: Path, name: str, content: object) -> Path:
    path = tmp_path / name
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


# ---- WikiSection ----

TEXT = "It hurts. It itches\nNobody knows why. Rest."


def article(text: str = TEXT, *, wide: int = 0) -> dict:
    """An article of two sections, the first of which ends without a full stop."""
    edge = text.index("Nobody") + wide
    sections = [(0, edge, "Signs", "disease.symptom"),
                (edge, len(text) + wide - edge, "Why", "disease.cause")]  # fmt: skip
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
    path = written(tmp_path, "w.json", [long, article()])
    assert recognise(path).name == "wikisection"
    assert [record["masses"] for record in fields(path, units="sentences")] == [[7000, 1], [2, 2]]
    other = {key: long[key] for key in ("id", "title", "text")}
    with pytest.raises(ss.SegmentationError):
        recognise(written(tmp_path, "v.json", [other]))


# ---- chunkseg ----


def test_chunkseg_has_both_sides(tmp_path: Path) -> None:
    sample = {
        "hypothesis": [24, 0, 36.0], "reference": [12, 24, 36], "duration": 50.0,
        "reference_titles": [["Intro", 0], ["Middle", 12.0]], "hyp_titles": [["A", 24]],
    }  # fmt: skip
    path = written(
        tmp_path, "samples.jsonl", json.dumps(sample) + "\n" + json.dumps({**sample, "id": "t"})
    )
    assert recognise(path).name == "chunkseg"
    corpus = ss.read(path, units="seconds:6")
    assert list(corpus) == ["1", "t"]
    first = corpus["1"]
    assert first["reference"].masses.tolist() == [2, 2, 2, 2]
    assert first["reference"].segment_labels == ("Intro", "Middle", None, None)
    assert first["hypothesis"].masses.tolist() == [4, 2, 2]
    assert first["hypothesis"].segment_labels == (None, "A", None)
    result = ss.score(corpus, reference="reference", hypothesis="hypothesis", metrics=["f1"])
    assert result["f1"].macro == pytest.approx(0.8)
    comparison = ss.compare(corpus, metrics=["f1"], n_resamples=10, baselines=[])
    assert list(comparison.rows) == ["hypothesis"]
