"""Questions and retrievals as people have them, and what is wrong with those that do not fit."""

import json
from importlib import import_module

import pytest

import segscore as ss
from needs import needs
from segscore.chunks.questions import as_questions, place_evidence

TEXT = "Cats purr. Dogs bark. It rains. Dogs bark."
TEXTS = {"d": TEXT}
CHUNKS = [(0, 21), (21, 42)]
RAIN = {"question": "Weather?", "document": "d", "evidence": [{"start": 22, "end": 31}]}


def places(questions, texts=TEXTS):
    found = place_evidence(as_questions(questions), texts)
    return list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))


@pytest.mark.parametrize(
    "span",
    [
        {"start": 22, "end": 31},
        {"start": 22, "end": 31, "text": "It rains."},
        {"start_index": 22, "end_index": 31, "content": "It rains."},
        {"text": "It rains."},
        "It rains.",
        [22, 31],
        (22, 31),
        {"start": 22, "end": 31, "text": "It  rains."},  # white space may differ, as in chunks
        "It\nrains.",
    ],
)
def test_forms_of_a_span(span):
    assert places([{**RAIN, "evidence": [span]}]) == [(22, 31)]


def test_spans_of_a_question_are_in_order_of_the_text():
    asked = {**RAIN, "evidence": [[22, 31], [0, 10], "It rains."]}
    assert places([asked]) == [(0, 10), (22, 31), (22, 31)]


def files(tmp_path):
    lines, table, tabs = (tmp_path / name for name in ("q.jsonl", "q.csv", "q.tsv"))
    lines.write_text(json.dumps(RAIN) + "\n\n")
    references = json.dumps([{"content": "It rains.", "start_index": 22, "end_index": 31}])
    quoted = references.replace('"', '""')
    table.write_text(f'question,references,corpus_id\nWeather?,"{quoted}",d\n')
    tabs.write_text(f'question\tdocument\tevidence\nWeather?\td\t"{quoted}"\n')
    return lines, table, tabs


def test_files_hold_the_same_questions(tmp_path):
    for file in files(tmp_path):
        (found,) = as_questions(file)
        assert (found.question, found.document, found.id) == ("Weather?", "d", "1")
        assert places(file) == [(22, 31)]


@needs("arrow", "dataframes")
def test_frames_and_json(tmp_path):
    pandas = import_module("pandas")
    polars = import_module("polars")
    _, table, _ = files(tmp_path)
    listed = tmp_path / "q.json"
    listed.write_text(json.dumps([RAIN], indent=1))
    parquet = tmp_path / "q.parquet"
    polars.DataFrame([RAIN]).write_parquet(parquet)
    frames = [pandas.read_csv(table), pandas.DataFrame([RAIN]), polars.read_csv(table)]
    for given in [listed, parquet, *frames]:
        assert places(given) == [(22, 31)]
    with pytest.raises(ss.SegmentationError, match="evidence is 'nothing'"):
        as_questions(pandas.DataFrame([{**RAIN, "evidence": "nothing"}]))


def test_the_one_text_need_not_be_named():
    asked = [{"question": "Weather?", "evidence": ["It rains."]}]
    assert ss.chunks.evidence(CHUNKS, asked, TEXT).values["whole"].pooled == 1
    with pytest.raises(ss.SegmentationError, match=r"questions\[0\].*no document"):
        ss.chunks.evidence({"d": CHUNKS, "e": [(0, 1)]}, asked, {"d": TEXT, "e": "x y"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"evidence": []}, r"question 'Weather\?'.*no evidence.*expected at least one"),
        ({"evidence": None}, "no evidence.*evidence or references"),
        ({"evidence": "It rains."}, "list of spans"),
        ({"evidence": [[22, 99]]}, r"evidence\[0\].*22.*99.*0"),
        ({"evidence": [[-1, 3]]}, "goes from -1 to 3"),
        ({"evidence": [[5, 5]]}, "goes.*5.*5.*start before the end"),
        ({"evidence": [{"start": 22}]}, "end is None"),
        ({"evidence": [{"start": "22", "end": 31}]}, "start is '22'.*whole number"),
        ({"evidence": [{}]}, "start is None"),
        ({"evidence": [7]}, "evidence\\[0\\] is 7: expected a span"),
        (
            {"evidence": [{"start": 0, "end": 9, "text": "It rains."}]},
            "'It rains.'.*document 'd'.*'Cats purr'.*0.*9",
        ),
        ({"evidence": ["It snows."]}, "'It snows.'.*document 'd'"),
        ({"evidence": [" "]}, "evidence\\[0\\]: ' ' .*: expected text"),
        (
            {"evidence": ["Dogs bark."]},
            "stands.*document 'd'.*11.*21.*32.*42",
        ),
        ({"document": "e"}, "no text of document 'e'.*expected 'd'"),
        ({"question": ""}, "question is ''"),
        ({"id": 1.5}, "id is 1.5"),
    ],
)
def test_what_does_not_fit_is_named(change, message):
    with pytest.raises(ss.SegmentationError, match=message):
        ss.chunks.evidence({"d": CHUNKS}, [RAIN, {**RAIN, "id": "2nd", **change}], TEXTS)


def test_questions_that_are_none():
    for given, message in [
        ([], "there is no question"),
        ({"question": "?"}, "questions is"),
        (7, "questions is 7"),
        ([7], r"questions\[0\] is 7"),
        ([{**RAIN, "id": "a"}, {**RAIN, "id": "a"}], r"questions\[1\].* has the id 'a', which"),
    ]:
        with pytest.raises(ss.SegmentationError, match=message):
            ss.chunks.evidence({"d": CHUNKS}, given, TEXTS)


def test_messages_name_the_line_of_the_file(tmp_path):
    file = tmp_path / "q.jsonl"
    file.write_text(json.dumps(RAIN) + "\n" + json.dumps({**RAIN, "evidence": []}) + "\n")
    with pytest.raises(
        ss.SegmentationError, match=r"q\.jsonl, line 2, question 'Weather\?' has no"
    ):
        as_questions(file)
    file.write_text("{")
    with pytest.raises(ss.SegmentationError, match=r"q\.jsonl, line 1: not JSON"):
        as_questions(file)
    file.write_bytes(b'{"question": "\xff"}')
    with pytest.raises(ss.SegmentationError, match=r"q\.jsonl, line 1: not UTF-8"):
        as_questions(file)
    table = tmp_path / "q.csv"
    table.write_text("question,document\nWho?,d\n")
    with pytest.raises(ss.SegmentationError, match=r"q\.csv, line 2.*has no evidence"):
        as_questions(table)
    table.write_text("question,document,evidence\nWho?,d,nothing\n")
    with pytest.raises(ss.SegmentationError, match=r"q\.csv, line 2.*evidence is 'nothing'"):
        as_questions(table)
    with pytest.raises(ss.SegmentationError, match=r"absent\.jsonl: No such file"):
        as_questions(tmp_path / "absent.jsonl")


# ---- what was fetched ----

BOTH = [RAIN, {"question": "Noise?", "document": "d", "evidence": [[11, 21]]}]
NAMED = [{"id": "x", "text": TEXT[:21]}, {"id": "y", "text": TEXT[21:]}]


@pytest.mark.parametrize(
    "given",
    [
        [["y"], ["x", "y"]],
        [[1], [0, 1]],
        [[("d", 1)], [["d", 0], ["d", 1]]],
        {"1": ["y"], "2": ["x", "y"]},
        {"Weather?": ["y"], "Noise?": ["x", "y"]},
        lambda question: ["y"] if question == "Weather?" else ["x", "y"],
    ],
)
def test_forms_of_retrievals(given):
    scores = ss.chunks.evidence({"d": NAMED}, BOTH, TEXTS, given)
    assert scores.of_questions("recall").tolist() == [1, 1]
    assert scores.of_questions("precision").tolist() == [9 / 21, 10 / 42]


def test_retrievals_of_a_file(tmp_path):
    file = tmp_path / "fetched.jsonl"
    lines = [{"question": "Noise?", "retrieved": ["x"]}, {"question": "Weather?", "retrieved": []}]
    file.write_text("\n".join(map(json.dumps, lines)))
    scores = ss.chunks.evidence({"d": NAMED}, BOTH, TEXTS, file)
    assert scores.of_questions("hit").tolist() == [0, 1]
    file.write_text(json.dumps(lines[0]) + "\n" + json.dumps(lines[0]))
    with pytest.raises(ss.SegmentationError, match=r"line 2.*question 'Noise\?'.*there twice"):
        ss.chunks.evidence({"d": NAMED}, BOTH, TEXTS, file)
    file.write_text(json.dumps({"question": "Noise?"}))
    with pytest.raises(ss.SegmentationError, match="line 1: .*expected an object as"):
        ss.chunks.evidence({"d": NAMED}, BOTH, TEXTS, file)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([["y"]], "retrieved has 1.*there are 2"),
        (
            [["z"], []],
            r"question '1'.*'Weather\?'.*retrieved\[0\] is 'z'",
        ),
        ([[2], []], "retrieved\\[0\\] is 2, and no chunk"),
        ([[-1], []], "retrieved\\[0\\] is -1, and no chunk"),
        ([[1.5], []], "retrieved\\[0\\] is 1.5"),
        ([["y", "y"], []], "is 'y' .* fetched twice"),
        (["y", []], "what was fetched.*'y'"),
        ({"1": ["y"]}, r"nothing says.*question '2'.*'Noise\?'"),
        ({"1": [], "2": [], "3": []}, "retrieved names '3'"),
        (7, "retrieved is 7"),
    ],
)
def test_retrievals_that_do_not_fit(given, message):
    with pytest.raises(ss.SegmentationError, match=message):
        ss.chunks.evidence({"d": NAMED}, BOTH, TEXTS, given)


def test_positions_of_several_documents_need_the_document():
    texts = {"d": TEXT, "e": "x y"}
    chunks = {"d": CHUNKS, "e": [(0, 3)]}
    scores = ss.chunks.evidence(chunks, [RAIN], texts, [[("d", 1), ("e", 0)]])
    assert scores.values["precision"].pooled == 9 / (21 + 3)
    with pytest.raises(ss.SegmentationError, match="chunk.*document.*pos"):
        ss.chunks.evidence(chunks, [RAIN], texts, [[1]])


def test_settings_that_do_not_fit():
    for settings, message in [
        ({"k": 3}, "without retrieved"),
        ({"retrieved": [[0]], "k": 0}, "k is 0"),
        ({"retrieved": [[0]], "k": "all"}, "k is 'all'"),
        ({"retrieved": [[0]], "k": True}, "k is True"),
        ({"convention": "theirs"}, "convention is 'theirs'"),
        ({"tokens": 7}, "tokens is 7"),
        ({"tokens": len}, "tokens gave 42 for document 'd'"),
        ({"tokens": lambda _: [(0, 99)]}, r"tokens gave \(0, 99\)"),
        ({"tokens": lambda _: ["Birds"]}, "not have the token 'Birds'"),
    ]:
        with pytest.raises(ss.SegmentationError, match=message):
            ss.chunks.evidence({"d": CHUNKS}, [RAIN], TEXTS, **settings).values  # noqa: B018


def test_a_chunker_without_chunks():
    with pytest.raises(ss.SegmentationError, match="chunk in any document"):
        ss.chunks.evidence({"d": []}, [RAIN], TEXTS)


def test_several_chunkers_are_for_compare():
    with pytest.raises(ss.SegmentationError, match="2 chunkers, 'a', 'b': .*chunks.compare"):
        ss.chunks.evidence({"a": {"d": CHUNKS}, "b": {"d": CHUNKS}}, [RAIN], TEXTS)
