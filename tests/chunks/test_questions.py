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
    _, starts, ends, _ = place_evidence(as_questions(questions), texts)
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


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


def test_the_one_text_need_not_be_named():
    asked = [{"question": "Weather?", "evidence": ["It rains."]}]
    assert ss.chunks.evidence(CHUNKS, asked, TEXT).values["whole"].pooled == 1
    with pytest.raises(ss.SegmentationError, match=r"questions\[0\].*no document"):
        ss.chunks.evidence({"d": CHUNKS, "e": [(0, 1)]}, asked, {"d": TEXT, "e": "x y"})


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


def test_positions_of_several_documents_need_the_document():
    texts = {"d": TEXT, "e": "x y"}
    chunks = {"d": CHUNKS, "e": [(0, 3)]}
    scores = ss.chunks.evidence(chunks, [RAIN], texts, [[("d", 1), ("e", 0)]])
    assert scores.values["precision"].pooled == 9 / (21 + 3)
    with pytest.raises(ss.SegmentationError, match="chunk.*document.*pos"):
        ss.chunks.evidence(chunks, [RAIN], texts, [[1]])


def test_several_chunkers_are_for_compare():
    with pytest.raises(ss.SegmentationError, match="2 chunkers, 'a', 'b': .*chunks.compare"):
        ss.chunks.evidence({"a": {"d": CHUNKS}, "b": {"d": CHUNKS}}, [RAIN], TEXTS)


@needs("arrow", "dataframes")
def test_frames_and_parquet(tmp_path):
    polars, pandas = import_module("polars"), import_module("pandas")
    path = tmp_path / "q.parquet"
    for evidence in ([{"start": 22, "end": 31}], [[22, 31]], ["It rains."]):
        polars.DataFrame([{**RAIN, "evidence": evidence}]).write_parquet(path)
        for given in (path, pandas.read_parquet(path), polars.read_parquet(path)):
            assert places(given) == [(22, 31)]


WRONG = [  # what a second question has, and what a message about it names
    ({"evidence": []}, r"questions\[1\], question 'Weather\?'.*no evidence"),
    ({"evidence": [[22, 99]]}, r"evidence\[0\].*22.*99.*0"),
    ({"evidence": [7]}, r"evidence\[0\] is 7"),
    ({"evidence": [[0, 10**5000]]}, "an integer of 16610 bits"),
    ({"evidence": [{"start": 0, "end": 9, "text": "It rains."}]}, "'It rains.'.*'d'.*'Cats purr'"),
    ({"evidence": ["It snows."]}, "'It snows.'.*document 'd'"),
    ({"evidence": [[10, 11]]}, r"white space \(10 … 11\)"),
    ({"evidence": ["Dogs bark."]}, "document 'd'.*11.*21.*32.*42"),
    ({"question": ""}, "question is ''"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_questions_that_do_not_fit(change, message):
    with pytest.raises(ss.SegmentationError, match=message):
        ss.chunks.evidence({"d": CHUNKS}, [RAIN, {**RAIN, "id": "2nd", **change}], TEXTS)


def test_messages_name_the_line_of_the_file(tmp_path):
    for name, text in (
        ("q.jsonl", json.dumps(RAIN) + "\n{"),
        ("q.csv", "question,evidence\nWho?,x"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(ss.SegmentationError, match=f"{name}, line 2"):
            as_questions(tmp_path / name, "d")


FETCHED = [
    ([["y"]], "retrieved has 1.*there are 2"),
    ([["z"], []], r"question '1'.*retrieved\[0\] is 'z'"),
    ([["y", "y"], []], "'y' .* twice"),
    ({"1": ["y"]}, r"question '2'.*'Noise\?'"),
    (7, "retrieved is 7"),
]


@pytest.mark.parametrize(("fetched", "message"), FETCHED)
def test_retrievals_that_do_not_fit(fetched, message):
    with pytest.raises(ss.SegmentationError, match=message):
        ss.chunks.evidence({"d": NAMED}, BOTH, TEXTS, fetched)


SETTINGS = [
    ({"k": 3}, "without retrieved"),
    ({"retrieved": [[0]], "k": "all"}, "k is 'all'"),
    ({"tokens": lambda _: [(0, 99)]}, r"tokens gave \(0, 99\)"),
    ({"tokens": lambda _: ["Birds"]}, "'Birds'"),
]


@pytest.mark.parametrize(("settings", "message"), SETTINGS)
def test_settings_that_do_not_fit(settings, message):
    with pytest.raises(ss.SegmentationError, match=message):
        ss.chunks.evidence({"d": CHUNKS}, [RAIN], TEXTS, **settings).values  # noqa: B018


def test_a_curve_ends_where_no_more_was_fetched():
    scores = ss.chunks.evidence({"d": NAMED}, BOTH, TEXTS, [[1, 0], [0]], k=10**12)
    assert list(scores.curve) == [1, 2]
    assert scores.values["recall"].pooled == scores.curve[2]["recall"].pooled == 1
    assert "|k:1000000000000|" in scores.values["recall"].pooled.signature


def test_what_a_retriever_raises_is_told():
    def fails(words):
        raise RuntimeError("no index")

    with pytest.raises(ss.SegmentationError, match=r"question '1' .*fails.* Runt") as found:
        ss.chunks.evidence({"d": NAMED}, BOTH, TEXTS, fails)
    assert isinstance(found.value.__cause__, RuntimeError)
