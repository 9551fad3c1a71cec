"""Files of corpora that are wrong, format by format, with the whole message (the folder cut off)."""

import json
from pathlib import Path

import pytest

import segscore as ss

WHERE = "document 'd', coder 'x'"
TURN = {"utterance": "a", "segmentation_label": 0}
SECTION = {"begin": 0, "length": 4, "sectionHeading": "H", "sectionLabel": "l"}
LINES = 'samples, as in {"hypothesis": [24.2], "reference": [11, 23.5], "duration": 50}'


def super_of(turns: object) -> dict:
    return {"dial_data": {"s": [{"dial_id": "d", "turns": turns}]}}


def meeting(topics: object, turns: object = ({"speaker": "p", "content": "a"},)) -> dict:
    return {"topic_list": topics, "meeting_transcripts": turns, "id": "d"}


def article(*sections: object, text: object = "One.") -> list:
    return [{"id": "d", "text": text, "annotations": list(sections)}]


CASES: list[tuple[str, str, object, str]] = [
    # ---- a list of dialogues ----
    ("x.json", "dialogues", [], "x.json: the file is empty: expected a list of dialogues, as in "
     '[{"dial_id": 0, "utterances": […], "segments": [2, 1]}, …]'),
    ("x.json", "dialogues", [3], "x.json: [0]: 3: expected a list of dialogues, as in "
     '[{"dial_id": 0, "utterances": […], "segments": [2, 1]}, …]'),
    ("x.json", "dialogues", [{"dial_id": "d", "utterances": ["a"], "segments": [2]}],
     f"x.json: [0]: {WHERE}: segments add up to 2: expected 1, as many as utterances"),
    ("x.json", "dialogues", [{"dial_id": "d", "utterances": ["a", 3], "segments": [2]}],
     f"x.json: [0]: {WHERE}: utterances[1] is 3: expected a text"),
    ("x.json", "dialogues", [{"dial_id": "d", "utterances": [], "segments": [2]}],
     f"x.json: [0]: {WHERE}: utterances is [] (list): expected a list of texts, one per unit"),
    ("x.json", "dialogues", [{"dial_id": "d", "utterances": ["a"], "segments": [0, 1]}],
     f"x.json: [0]: {WHERE}: masses[0] is 0: expected segment lengths, whole numbers of at least 1, 2**53 in all"),
    ("x.json", "dialogues", [{"dial_id": True, "utterances": ["a"], "segments": [1]}],
     "x.json: [0]: dial_id is True: expected a name"),
    ("x.json", "dialogues", '[{"dial_id": "d", "utterances": ["a"', "x.json, line 1: not JSON (Expecting ',' delimiter at "
     'column 37): expected a list of dialogues, as in [{"dial_id": 0, "utterances": […], "segments": [2, 1]}, …]'),
    # ---- SuperDialseg ----
    ("x.json", "superdialseg", {"dial_data": []}, "x.json: the file: dial_data is [] (list): expected an object {…}"),
    ("x.json", "superdialseg", {"dial_data": {"s": []}}, "x.json: s is empty: expected dialogues, as in "
     '{"dial_data": {"superseg": [{"dial_id": "a", "turns": […]}]}}'),
    ("x.json", "superdialseg", super_of([]), f"x.json: {WHERE}: turns is [] (list): expected a list of texts, one per unit"),
    ("x.json", "superdialseg", super_of([TURN, {"utterance": "b"}]), f"x.json: {WHERE}: a turn is {{'utterance': 'b'}} "
     "(dict): expected an object with 'segmentation_label'"),
    ("x.json", "superdialseg", super_of([TURN, {**TURN, "segmentation_label": 2}]), f"x.json: {WHERE}: turns[1]: "
     "segmentation_label is 2: expected 0, or 1 for the last turn of a segment"),
    # ---- TIAGE ----
    ("x.json", "tiage", {}, "x.json: {} (dict): expected dialogues, as in "
     '{"1": [["hello", "-1"], ["bye", "1"]]}'),
    ("x.json", "tiage", {"d": []}, f"x.json: {WHERE}: [] (list): expected a list of [utterance, label]"),
    ("x.json", "tiage", {"d": [["a", "-1"], ["b", "-1"]]}, f"x.json: {WHERE}: [1] is ['b', '-1'] (list): expected "
     "[utterance, label], the label 1 where a topic starts, 0 where none does, and -1 for the first utterance only"),
    ("x.json", "tiage", {"d": [["a", "-1"], ["b"]]}, f"x.json: {WHERE}: [1] is ['b'] (list): expected [utterance, label], "
     "the label 1 where a topic starts, 0 where none does, and -1 for the first utterance only"),
    # ---- TADAM ----
    ("x.txt", "tadam", "", "x.txt: the file is empty: expected a line call_id_0, and utterances below it"),
    ("x.txt", "tadam", "0 a\ncall_id_0\n", "x.txt, line 1: '0 a' (str): expected a line call_id_0 first, and then a "
     "topic's number and an utterance on each line, as in '0 hello'"),
    ("x.txt", "tadam", "call_id_0\n0 a\nb\n", "x.txt, line 3: 'b' (str): expected a line call_id_0 first, and then a "
     "topic's number and an utterance on each line, as in '0 hello'"),
    ("x.txt", "tadam", "call_id_0\ncall_id_1\n0 a\n", "x.txt, line 1: document 'call_id_0' has no utterance: expected some below it"),
    ("x.txt", "tadam", "call_id_0\n0 a\ncall_id_0\n0 b\n", "x.txt, line 3: document 'call_id_0', coder 'x': the text differs "
     "from that given before, at unit 1: expected the same units; ignore_text=True keeps the first text"),
    # ---- lines of = ----
    ("x.txt", "separated-text", "", "x.txt: document 'x': the file is empty: expected a unit per line"),
    ("x.txt", "separated-text", "========\na\n", "x.txt, line 1: document 'x': a separator without a unit before it: expected "
     "them between segments only; for ten '=' at both ends, too, format='choi'"),
    ("x.txt", "separated-text", "a\n========\n", "x.txt, line 2: document 'x': the last line is a separator: expected them "
     "between segments only, so the file may be cut off"),
    ("x.txt", "separated-text", "a\n\nb\n", "x.txt, line 2: document 'x': a blank line: expected a unit, or eight '='"),
    # ---- QMSum ----
    ("x.json", "qmsum", [], 'x.json: the file is empty: expected a meeting of QMSum, {"topic_list": […], "meeting_transcripts": […]}'),
    ("x.json", "qmsum", meeting([], []), f"x.json: {WHERE}: meeting_transcripts is [] (list): expected turns"),
    ("x.json", "qmsum", meeting([]), f"x.json: {WHERE}: topic_list is [] (list): expected topics with their spans"),
    ("x.json", "qmsum", meeting([{"topic": "A", "relevant_text_span": [["0", "1"]]}]), f"x.json: {WHERE}: topic_list[0]: a span is "
     "['0', '1'] (list): expected the first and the last turn, in order, of 0 … 0"),
    ("x.json", "qmsum", meeting([{"topic": "A", "relevant_text_span": [["0"]]}]), f"x.json: {WHERE}: topic_list[0]: a span is "
     "['0'] (list): expected the first and the last turn, in order, of 0 … 0"),
    ("x.json", "qmsum", meeting([{"topic": "A", "relevant_text_span": [["a", "0"]]}]), f"x.json: {WHERE}: topic_list[0]: a span is "
     "['a', '0'] (list): expected the first and the last turn, in order, of 0 … 0"),
    ("x.json", "qmsum", meeting([{"relevant_text_span": []}]), f"x.json: {WHERE}: topic_list[0]: {{'relevant_text_span': []}} (dict): "
     "expected an object with a 'topic'"),
    ("x.json", "qmsum", meeting([{"topic": "A"}], [{"speaker": "p"}]), f"x.json: {WHERE}: a turn is {{'speaker': 'p'}} (dict): "
     "expected an object with 'content'"),
    # ---- WikiSection ----
    ("x.json", "wikisection", article(), f"x.json: [0]: {WHERE}: annotations is [] (list): expected a list of sections"),
    ("x.json", "wikisection", article(SECTION, text=" "), f"x.json: [0]: {WHERE}: text is ' ' (str): expected the article's text"),
    ("x.json", "wikisection", article({**SECTION, "length": 5}), f"x.json: [0]: {WHERE}: a section ends at 5: expected at most 4, "
     "the length of the text"),
    ("x.json", "wikisection", article({**SECTION, "begin": -1}), f"x.json: [0]: {WHERE}: annotations[0]: begin is -1: expected a "
     "whole number, from 0"),
    ("x.json", "wikisection", article({**SECTION, "sectionLabel": 3}), f"x.json: [0]: {WHERE}: annotations[0]: sectionLabel is 3: "
     "expected a text"),
    ("x.json", "wikisection", article(SECTION, SECTION, text="One. Two."), f"x.json: {WHERE}: unit 2 is in no span: expected spans "
     "that fit the units, or policy='snap' or 'keep-start'"),
    # ---- sentences with labels ----
    ("x.jsonl", "sentence-labels", {"id": "d", "sentences": ["a", "b"], "labels": [1]}, f"x.jsonl, line 1: {WHERE}: labels has 1: "
     "expected a list of 2, one per sentence"),
    ("x.jsonl", "sentence-labels", {"id": "d", "sentences": ["a"], "labels": [2]}, f"x.jsonl, line 1: {WHERE}: labels[0] is 2: "
     "expected -100, 0, 1"),
    ("x.jsonl", "sentence-labels", {"id": "d", "sentences": ["a"], "labels": [1], "levels": [-1]}, f"x.jsonl, line 1: {WHERE}: "
     "levels[0] is -1: expected a whole number, from 0"),
    ("x.jsonl", "sentence-labels", {"id": "d", "sentences": ["a"], "labels": [1], "section_topic_labels": []},
     f"x.jsonl, line 1: {WHERE}: section_topic_labels has 0: expected a list of 1, one per segment"),
    ("x.json", "ytseg", [{"video_id": "d", "text": ["a", "b"], "targets": "0"}], f"x.json: [0]: {WHERE}: targets has 1: expected a "
     "list of 2, one per sentence"),
    ("x.json", "ytseg", [{"video_id": "d", "text": ["a", "b"], "targets": "0x"}], f"x.json: [0]: {WHERE}: targets[1] is 'x' (str): "
     "expected 0, 1"),
    ("x.json", "ytseg", [{"video_id": "d", "text": ["a", "b"], "targets": "01", "chapters": ["A"]}], f"x.json: [0]: {WHERE}: chapters "
     "has 1: expected 2, one per segment of targets"),
    # ---- chapters of videos ----
    ("x.json", "vidchapters", {"d": 3}, f"x.json: {WHERE}: 3: expected videos, as in "
     '{"id": {"duration": 300, "timestamps": [[0, 70]], "sentences": ["Intro"]}}'),
    ("x.json", "vidchapters", {"d": {"duration": 9, "timestamps": [[0, 9]], "sentences": []}}, f"x.json: {WHERE}: sentences has 0: "
     "expected a list of 1, as timestamps"),
    ("x.json", "vidchapters", {"d": {"duration": 9, "timestamps": [[5, 2]], "sentences": ["A"]}}, f"x.json: {WHERE}: timestamps[0]: "
     "end is 2 s: expected it after 5 s"),
    ("x.json", "vidchapters", {"d": {"duration": "x", "timestamps": [[0, 2]], "sentences": ["A"]}}, f"x.json: {WHERE}: duration is 'x' "
     "(str): expected seconds from 0, or a text such as '1:02:45'"),
    ("x.json", "vidchapters", {"d": {"duration": 9, "timestamps": [[0, 12]], "sentences": ["A"]}}, f"x.json: {WHERE}: a chapter ends at "
     "12 s: expected it at the end at most, 9 s"),
    ("x.json", "chapter-llama", {"d": {"duration": 9, "chapters": {}}}, f"x.json: {WHERE}: chapters is {{}} (dict): expected "
     '{"0:00:00": …}'),
    ("x.json", "chapter-llama", {"d": {"duration": 9, "chapters": {"0:00:00": "A", "0:00:12": "B"}}}, f"x.json: {WHERE}: a chapter "
     "starts at 12 s: expected it before the end, 9 s"),
    ("x.json", "chapter-llama", {"d": {"duration": 9, "chapters": {"0:00": "A", "0:00:00": "B"}}}, f"x.json: {WHERE}: two chapters "
     "start at one time: expected one"),
    ("x.json", "chapter-llama", {"d": {"duration": 9, "chapters": {"soon": "A"}}}, f"x.json: {WHERE}: a chapter's start is 'soon' "
     "(str): expected seconds from 0, or a text such as '1:02:45'"),
    # ---- chunkseg ----
    ("x.jsonl", "chunkseg", "", f"x.jsonl: the file is empty: expected {LINES}"),
    ("x.jsonl", "chunkseg", {"id": "d", "hypothesis": [3], "reference": 3, "duration": 9}, "x.jsonl, line 1: document 'd', coder "
     "'reference': reference is 3: expected a list of times in seconds"),
    ("x.jsonl", "chunkseg", {"id": "d", "hypothesis": [3], "reference": [12], "duration": 9}, "x.jsonl, line 1: document 'd', coder "
     "'reference': reference has 12 s: expected times before the end, 9 s"),
    ("x.jsonl", "chunkseg", {"id": "d", "hypothesis": [], "reference": [3, 3], "duration": 9}, "x.jsonl, line 1: document 'd', coder "
     "'reference': reference has a time twice: expected each once"),
    ("x.jsonl", "chunkseg", {"id": "d", "hypothesis": "[CSTART] A", "reference": [], "duration": 9}, "x.jsonl, line 1: document 'd', coder "
     "'hypothesis': hypothesis is a transcript, '[CSTART] A' (str): expected times in seconds; let chunkseg find them, or read "
     "the text's own chapters"),
    ("x.jsonl", "chunkseg", {"id": "d", "hypothesis": [], "reference": [3], "duration": 9, "reference_titles": [["A", 5]]},
     "x.jsonl, line 1: document 'd', coder 'reference': reference_titles[0]: ['A', 5] (list): expected the start of a segment, one "
     "title for each"),
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
    assert str(error.value) == f"{tmp_path}/{message}"


@pytest.mark.parametrize("kind", ["superdialseg", "qmsum"])
def test_dialogues_have_units_and_two_layers(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    topics = [{"topic": "A", "relevant_text_span": [[0, 0]]}]
    content = super_of([TURN]) if kind == "superdialseg" else meeting(topics)
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(ss.SegmentationError, match="the turns of a dialogue are its units"):
        ss.read(path, units="words")
    with pytest.raises(ss.SegmentationError, match="layer is 'x': expected 'topics' or 'speakers'"):
        ss.read(path, layer="x")
    assert ss.read(path, layer="topics").n_codings == 1
