"""WikiSection, sentences with labels, YTSeg, chapters of videos, chunkseg's samples.

The files are made from the schemas that the authors document; there is no real one here.
"""

import json
import re
from pathlib import Path

import pytest
from tests.io_reading_tools import fields, message, remarks

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


def test_wikisection_is_no_longer_taken_for_label_studio(tmp_path: Path) -> None:
    path = written(tmp_path, "wikisection_en_disease_test.json", [article()])
    assert recognise(path).name == "wikisection"
    (record,) = fields(path, units="sentences", coder="a")
    assert record == {
        "document": "http://en.wikipedia.org/wiki/X", "coder": "a", "masses": [2, 2],
        "units": ["It hurts.", "It itches", "Nobody knows why.", "Rest."],
        "segment_labels": ["disease.symptom", "disease.cause"],
    }  # fmt: skip
    (record,) = fields(path, units="sentences", layer="sectionHeading")
    assert record["segment_labels"] == ["Signs", "Why"]
    assert re.search("does not say", message(path))
    assert re.search(
        "layer is 'x'.*sectionLabel.*sectionHeading", message(path, units="words", layer="x")
    )


@pytest.mark.parametrize("wide", [0, 1])
def test_wikisection_in_code_points_or_utf_16(tmp_path: Path, wide: int) -> None:
    path = written(tmp_path, "w.json", [article("😀 hurts. Nobody knows.", wide=wide)])
    (record,) = fields(path, units="sentences")
    assert record["units"] == ["😀 hurts.", "Nobody knows."]
    assert record["masses"] == [1, 1]


def test_a_long_article_is_recognised(tmp_path: Path) -> None:
    long = article("It hurts. " * 7000 + "Nobody knows.")
    path = written(tmp_path, "w.json", [long, article()])
    assert recognise(path).name == "wikisection"
    assert [record["masses"] for record in fields(path, units="sentences")] == [[7000, 1], [2, 2]]
    other = {key: long[key] for key in ("id", "title", "text")}
    with pytest.raises(ss.SegmentationError):
        recognise(written(tmp_path, "v.json", [other]))


# ---- sentences with labels ----


def test_wiki727k_of_saeedabc_has_levels_and_titles(tmp_path: Path) -> None:
    doc = {
        "id": "12",
        "ids": ["12_0", "12_1", "12_2", "12_3", "12_4", "12_5"],
        "sentences": ["preface.", "One.", "History.", "Two.", "Youth.", "Three."],
        "titles_mask": [1, 0, 1, 0, 1, 0],
        "levels": [1, 1, 2, 2, 3, 3],
        "labels": [0, 1, 0, 1, 0, 1],
    }
    path = written(tmp_path, "test.jsonl", json.dumps(doc) + "\n")
    assert recognise(path).name == "sentence-labels"
    (record,) = fields(path, coder="a")
    assert record == {
        "document": "12", "coder": "a", "masses": [2, 2, 2], "ranks": [1, 2],
        "units": doc["sentences"], "segment_labels": ["preface.", "History.", "Youth."],
    }  # fmt: skip
    listed = written(tmp_path, "test.json", [doc])
    assert fields(listed, coder="a") == [record]
    lines = written(tmp_path, "hf.json", json.dumps(doc) + "\n" + json.dumps({**doc, "id": 7}))
    assert [record["document"] for record in fields(lines)] == ["12", "7"]
    assert fields(path, marks="end", coder="a") == [record]
    assert re.search("marks is 'start'", message(path, marks="start"))


def test_spokennlp_has_candidates_and_topics(tmp_path: Path) -> None:
    doc = {
        "sentences": ["a", "b", "c", "d"],
        "labels": [-100, 0, 1, 1],
        "section_topic_labels": ["disease.cause", "disease.symptom"],
        "sentence_topic_labels": ["disease.cause"] * 3 + ["disease.symptom"],
    }
    path = written(tmp_path, "test.jsonl", json.dumps(doc))
    assert recognise(path).name == "sentence-labels"
    (record,) = fields(path, coder="a")
    assert record == {
        "document": "1", "coder": "a", "masses": [3, 1], "candidates": [2, 3],
        "units": ["a", "b", "c", "d"], "segment_labels": ["disease.cause", "disease.symptom"],
    }  # fmt: skip


# ---- YTSeg ----


def test_ytseg(tmp_path: Path) -> None:
    video = {
        "text": ["a", "b", "c", "d"], "targets": "0010", "channel_id": "c", "video_id": "v",
        "audio_path": "v.mp3", "chapters": ["Intro", "End"],
    }  # fmt: skip
    path = written(
        tmp_path, "yt_seg.test.json", [video, {**video, "video_id": "w", "chapters": None}]
    )
    assert recognise(path).name == "ytseg"
    first, second = fields(path, coder="a")
    assert first == {
        "document": "v", "coder": "a", "masses": [2, 2], "units": ["a", "b", "c", "d"],
        "segment_labels": ["Intro", "End"],
    }  # fmt: skip
    assert (second["document"], "segment_labels" in second) == ("w", False)
    assert re.search("marks is 'end'", message(path, marks="end"))


# ---- chapters of videos ----


def test_vidchapters(tmp_path: Path) -> None:
    videos = {
        "v": {"duration": 300.4, "timestamps": [[0, 72], [72, 300]], "sentences": ["Intro", "End"],
              "title": "A video", "path": "v.mp4"},
        "w": {"duration": 60, "timestamps": [[6, 60]], "sentences": ["All"]},
    }  # fmt: skip
    path = written(tmp_path, "chapters_test.json", videos)
    assert recognise(path).name == "vidchapters"
    assert re.search("unit 1.*no span", message(path, units="seconds:6"))
    (first, second), messages = remarks(path, units="seconds:6", policy="snap", coder="a")
    assert first == {
        "document": "v", "coder": "a", "masses": [12, 38], "segment_labels": ["Intro", "End"],
    }  # fmt: skip
    assert (second["masses"], second["segment_labels"]) == ([1, 9], [None, "All"])
    assert re.search("1.*turned into", messages[0])


def test_chapter_llama(tmp_path: Path) -> None:
    videos = {
        "v": {"duration": 300, "title": "A video",
              "chapters": {"0:00:00": "Intro", "0:01:12": "", "0:02:00": "End"}}
    }  # fmt: skip
    path = written(tmp_path, "chapters.json", videos)
    assert recognise(path).name == "chapter-llama"
    corpus = ss.read(path, units="seconds:6", coder="a")
    assert corpus["v"]["a"].masses.tolist() == [12, 8, 30]
    assert corpus["v"]["a"].segment_labels == ("Intro", None, "End")
    assert corpus.provenance.fields == {"units": "seconds:6"}
    assert re.search("does not say", message(path))


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
