"""Files of corpora that are wrong, format by format, with what the message names."""

import json
import re
from pathlib import Path

import pytest

import segscore as ss

TURN = {"utterance": "a", "segmentation_label": 0}
SECTION = {"begin": 0, "length": 4, "sectionHeading": "H", "sectionLabel": "l"}


def super_of(turns: object) -> dict:
    return {"dial_data": {"s": [{"dial_id": "d", "turns": turns}]}}


def meeting(topics: object, turns: object = ({"speaker": "p", "content": "a"},)) -> dict:
    return {"topic_list": topics, "meeting_transcripts": turns, "id": "d"}


def article(*sections: object, text: object = "One.") -> list:
    return [{"id": "d", "text": text, "annotations": list(sections)}]


CASES: list[tuple[str, str, object, str]] = [
    # ---- a list of dialogues ----
    ("x.json", "dialogues", [], r"x\.json.*file is empty"),
    ("x.json", "dialogues", [3], r"x\.json.*\[0\].*3.*list of dialogues"),
    ("x.json", "dialogues", [{"dial_id": "d", "utterances": ["a"], "segments": [2]}],
     r"x\.json.*\[0\].*document 'd'.*coder 'x'.*segments add up.*2"),
    ("x.json", "dialogues", [{"dial_id": "d", "utterances": ["a", 3], "segments": [2]}],
     r"x\.json.*\[0\].*document 'd'.*coder 'x'.*utterances\[1\] is 3"),
    ("x.json", "dialogues", [{"dial_id": "d", "utterances": [], "segments": [2]}],
     r"x\.json.*\[0\].*document 'd'.*coder 'x'.*utterances"),
    ("x.json", "dialogues", [{"dial_id": "d", "utterances": ["a"], "segments": [0, 1]}],
     r"x\.json.*\[0\].*document 'd'.*coder 'x'.*masses\[0\] is 0"),
    ("x.json", "dialogues", [{"dial_id": True, "utterances": ["a"], "segments": [1]}],
     r"x\.json.*\[0\].*dial_id is True"),
    ("x.json", "dialogues", '[{"dial_id": "d", "utterances": ["a"', r"x\.json.*line 1.*JSON.*Expecting ','.*column 37"),
    # ---- SuperDialseg ----
    ("x.json", "superdialseg", {"dial_data": []}, r"x\.json.*dial_data"),
    ("x.json", "superdialseg", {"dial_data": {"s": []}}, r"x\.json.*is empty.*dialogues"),
    ("x.json", "superdialseg", super_of([]), r"x\.json.*document 'd'.*coder 'x'.*turns has 0"),
    ("x.json", "superdialseg", super_of([TURN, {"utterance": "b"}]), r"x\.json.*document 'd'.*coder 'x'.*'utterance'.*'b'"),
    ("x.json", "superdialseg", super_of([TURN, {**TURN, "segmentation_label": 2}]), r"x\.json.*document 'd'.*coder 'x'.*turns\[1\].*segmentation_label is 2"),
    # ---- TIAGE ----
    ("x.json", "tiage", {}, r'x\.json.*dialogues.*"1".*"hello"'),
    ("x.json", "tiage", {"d": []}, r"x\.json.*document 'd'.*coder 'x'.*expected a list of"),
    ("x.json", "tiage", {"d": [["a", "-1"], ["b", "-1"]]}, r"x\.json.*document 'd'.*coder 'x'.*\[1\].*'b'.*'-1'.*first utterance"),
    ("x.json", "tiage", {"d": [["a", "-1"], ["b"]]}, r"x\.json.*document 'd'.*coder 'x'.*\[1\].*'b'.*first utterance"),
    # ---- TADAM ----
    ("x.txt", "tadam", "", r"x\.txt.*file is empty"),
    ("x.txt", "tadam", "0 a\ncall_id_0\n", r"x\.txt.*line 1.*'0 a'.*topic's number"),
    ("x.txt", "tadam", "call_id_0\n0 a\nb\n", r"x\.txt.*line 3.*'b'.*topic's number"),
    ("x.txt", "tadam", "call_id_0\ncall_id_1\n0 a\n", r"x\.txt.*line 1.*document 'call_id_0'.*no utterance.*expected some below it"),
    ("x.txt", "tadam", "call_id_0\n0 a\ncall_id_0\n0 b\n", "line 3.*document 'call_id_0'.*coder 'x'.*text differs.*unit 1"),
    # ---- lines of = ----
    ("x.txt", "separated-text", "", r"x\.txt.*document 'x'.*file is empty"),
    ("x.txt", "separated-text", "========\na\n", r"x\.txt.*line 1.*document 'x'.*empty segment"),
    ("x.txt", "separated-text", "a\n========\n", r"x\.txt.*line 2.*document 'x'.*line is a separator"),
    ("x.txt", "separated-text", "a\n\nb\n", r"x\.txt.*line 2.*document 'x'.*''"),
    # ---- QMSum ----
    ("x.json", "qmsum", [], r"x\.json.*file is empty"),
    ("x.json", "qmsum", meeting([], []), r"x\.json.*document 'd'.*coder 'x'.*meeting_transcripts"),
    ("x.json", "qmsum", meeting([]), r"x\.json.*document 'd'.*coder 'x'.*topic_list"),
    ("x.json", "qmsum", meeting([{"topic": "A", "relevant_text_span": [["0", "1"]]}]), r"x\.json.*document 'd'.*coder 'x'.*topic_list\[0\].*'0'.*'1'"),
    ("x.json", "qmsum", meeting([{"topic": "A", "relevant_text_span": [["0"]]}]), r"x\.json.*document 'd'.*coder 'x'.*topic_list\[0\].*'0'"),
    ("x.json", "qmsum", meeting([{"topic": "A", "relevant_text_span": [["a", "0"]]}]), r"x\.json.*document 'd'.*coder 'x'.*topic_list\[0\].*'a'.*'0'"),
    ("x.json", "qmsum", meeting([{"relevant_text_span": []}]), r"x\.json.*document 'd'.*coder 'x'.*topic_list\[0\].*topic is None"),
    ("x.json", "qmsum", meeting([{"topic": "A"}], [{"speaker": "p"}]), r"x\.json.*document 'd'.*coder 'x'.*'speaker'.*'p'"),
    # ---- WikiSection ----
    ("x.json", "wikisection", article(), r"x\.json.*\[0\].*document 'd'.*coder 'x'.*annotations"),
    ("x.json", "wikisection", article(SECTION, text=" "), r"x\.json.*\[0\].*document 'd'.*coder 'x'.*text is ' '.*article's text"),
    ("x.json", "wikisection", article({**SECTION, "length": 5}), r"x\.json.*\[0\].*document 'd'.*coder 'x'.*section ends.*5"),
    ("x.json", "wikisection", article({**SECTION, "begin": -1}), r"x\.json.*\[0\].*document 'd'.*coder 'x'.*annotations\[0\].*begin is -1"),
    ("x.json", "wikisection", article({**SECTION, "sectionLabel": 3}), r"x\.json.*\[0\].*document 'd'.*coder 'x'.*annotations\[0\].*sectionLabel is 3"),
    ("x.json", "wikisection", article(SECTION, SECTION, text="One. Two."), r"x\.json.*document 'd'.*coder 'x'.*unit 2.*no span.*spans that fit"),
    # ---- sentences with labels ----
    ("x.jsonl", "sentence-labels", {"id": "d", "sentences": ["a", "b"], "labels": [1]}, "line 1.*document 'd'.*coder 'x'.*labels has 1"),
    ("x.jsonl", "sentence-labels", {"id": "d", "sentences": ["a"], "labels": [2]}, r"line 1.*document 'd'.*coder 'x'.*labels\[0\] is 2"),
    ("x.jsonl", "sentence-labels", {"id": "d", "sentences": ["a"], "labels": [1], "levels": [-1]}, r"line 1.*document 'd'.*coder 'x'.*levels\[0\] is -1"),
    ("x.jsonl", "sentence-labels", {"id": "d", "sentences": ["a"], "labels": [1], "section_topic_labels": []},
     "line 1.*document 'd'.*coder 'x'.*section_topic_labels has 0"),
    ("x.json", "ytseg", [{"video_id": "d", "text": ["a", "b"], "targets": "0"}], r"x\.json.*\[0\].*document 'd'.*coder 'x'.*targets has 1"),
    ("x.json", "ytseg", [{"video_id": "d", "text": ["a", "b"], "targets": "0x"}], r"x\.json.*\[0\].*document 'd'.*coder 'x'.*targets\[1\] is 'x'"),
    ("x.json", "ytseg", [{"video_id": "d", "text": ["a", "b"], "targets": "01", "chapters": ["A"]}], r"x\.json.*\[0\].*document 'd'.*coder 'x'.*chapters has 1"),
    # ---- chapters of videos ----
    ("x.json", "vidchapters", {"d": 3}, r"x\.json.*document 'd'.*coder 'x'.*3.*videos"),
    ("x.json", "vidchapters", {"d": {"duration": 9, "timestamps": [[0, 9]], "sentences": []}}, r"x\.json.*document 'd'.*coder 'x'.*sentences has 0"),
    ("x.json", "vidchapters", {"d": {"duration": 9, "timestamps": [[5, 2]], "sentences": ["A"]}}, r"x\.json.*document 'd'.*coder 'x'.*timestamps\[0\].*end is 2"),
    ("x.json", "vidchapters", {"d": {"duration": "x", "timestamps": [[0, 2]], "sentences": ["A"]}}, r"x\.json.*document 'd'.*coder 'x'.*duration is 'x'"),
    ("x.json", "vidchapters", {"d": {"duration": 9, "timestamps": [[0, 12]], "sentences": ["A"]}}, r"x\.json.*document 'd'.*coder 'x'.*chapter ends.*12 s"),
    ("x.json", "chapter-llama", {"d": {"duration": 9, "chapters": {}}}, r"x\.json.*document 'd'.*coder 'x'.*chapters.*expected"),
    ("x.json", "chapter-llama", {"d": {"duration": 9, "chapters": {"0:00:00": "A", "0:00:12": "B"}}}, r"x\.json.*document 'd'.*coder 'x'.*chapter starts.*12 s"),
    ("x.json", "chapter-llama", {"d": {"duration": 9, "chapters": {"0:00": "A", "0:00:00": "B"}}}, r"x\.json.*document 'd'.*coder 'x'.*two chapters start"),
    ("x.json", "chapter-llama", {"d": {"duration": 9, "chapters": {"soon": "A"}}}, r"x\.json.*document 'd'.*coder 'x'.*start is 'soon'"),
    # ---- chunkseg ----
    ("x.jsonl", "chunkseg", "", r"x\.jsonl.*file is empty"),
    ("x.jsonl", "chunkseg", {"id": "d", "hypothesis": [3], "reference": 3, "duration": 9}, "line 1.*document 'd'.*coder 'reference'.*reference is 3"),
    ("x.jsonl", "chunkseg", {"id": "d", "hypothesis": [3], "reference": [12], "duration": 9}, "line 1.*document 'd'.*coder 'reference'.*reference has 12"),
    ("x.jsonl", "chunkseg", {"id": "d", "hypothesis": [], "reference": [3, 3], "duration": 9}, "line 1.*document 'd'.*coder 'reference'.*reference has a time"),
    ("x.jsonl", "chunkseg", {"id": "d", "hypothesis": "[CSTART] A", "reference": [], "duration": 9}, r"line 1.*document 'd'.*coder 'hypothesis'.*hypothesis is a transcript.*'\[CSTART\] A'"),
    ("x.jsonl", "chunkseg", {"id": "d", "hypothesis": [], "reference": [3], "duration": 9, "reference_titles": [["A", 5]]},
     r"line 1.*document 'd'.*coder 'reference'.*reference_titles\[0\].*'A'.*5"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind", "content", "message"), CASES)
def test_malformed_files_are_refused_with_the_place(
    name: str, kind: str, content: object, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    timed = kind in ("vidchapters", "chapter-llama", "chunkseg")
    units = "seconds:1" if timed else "words" if kind == "wikisection" else None
    with pytest.raises(ss.SegmentationError) as error:
        ss.read(path, kind, units=units)
    assert re.search(message, str(error.value))


@pytest.mark.parametrize("kind", ["superdialseg", "qmsum"])
def test_dialogues_have_units_and_two_layers(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    topics = [{"topic": "A", "relevant_text_span": [[0, 0]]}]
    content = super_of([TURN]) if kind == "superdialseg" else meeting(topics)
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(ss.SegmentationError, match="turns of a dialogue"):
        ss.read(path, units="words")
    with pytest.raises(ss.SegmentationError, match="layer is 'x': expected 'topics' or 'speakers'"):
        ss.read(path, layer="x")
    assert ss.read(path, layer="topics").n_codings == 1
