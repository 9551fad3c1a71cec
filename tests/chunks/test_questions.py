"""Questions and retrievals as people have them, and what is wrong with those that do not fit."""

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.command_line import segscore
from tests.oracles import evidence as oracle

import segscore as ss
from needs import needs
from segscore.chunks.evidence_scores import OF_CHUNKS
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
        for asking in (path, pandas.read_parquet(path), polars.read_parquet(path)):
            assert places(asking) == [(22, 31)]


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
    ({"1": [], "2": [], "3": []}, "retrieved names '3'"),
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


# ---- what is asked of chunkers ----


PAGE = "Cats purr. Dogs bark. It rains. Stars shine."
SENTENCES = [(0, 10), (11, 21), (22, 31), (32, 44)]  # as splitters cut that strip white space


def asked(*spans, document="d"):
    return [
        {"question": f"q{i}", "document": document, "evidence": [s]} for i, s in enumerate(spans)
    ]


# ---- white space at the ends ----


def test_white_space_at_the_ends_of_evidence_decides_nothing():
    loose = asked([10, 22], [22, 32], [31, 44])  # " Dogs bark. ", "It rains. ", " Stars shine."
    tight = asked([11, 21], [22, 31], [32, 44])
    found = ss.chunks.evidence(SENTENCES, loose, {"d": PAGE}, [[1], [2], [3]])
    for name, averages in found.values.items():
        same = ss.chunks.evidence(SENTENCES, tight, {"d": PAGE}, [[1], [2], [3]]).values[name]
        assert averages == same
    assert found.values["whole"].pooled == found.values["all-whole"].pooled == 1
    assert found.values["hit"].pooled == 1
    assert found.values["lost"].pooled == 0
    assert "White space at the ends of 3 of 3 spans is not evidence." in str(found)


def test_the_program_takes_spans_as_they_are_given():
    found = ss.chunks.evidence(SENTENCES, asked([10, 22]), {"d": PAGE}, convention="program")
    assert found.values["whole"].pooled == 0
    assert found.notes == []
    assert (
        found.measures["whole"].signature()
        != ss.chunks.evidence(SENTENCES, asked([10, 22]), {"d": PAGE}).measures["whole"].signature()
    )


@given(st.text("ab \n", min_size=4, max_size=12).filter(str.strip), st.data())
def test_trimmed_spans_are_sets_of_characters(text, data):
    edges = st.tuples(*[st.integers(0, len(text))] * 2).map(sorted)
    spans = data.draw(
        st.lists(edges.filter(lambda span: text[slice(*span)].strip()), min_size=1, max_size=3)
    )
    chunks = data.draw(
        st.lists(edges.filter(lambda chunk: chunk[0] < chunk[1]), min_size=1, max_size=3)
    )
    assume(len(chunks) == 1 or chunks[-1][1] != len(text.rstrip()) - 1)  # ends look inclusive
    found = ss.chunks.evidence(
        [tuple(chunk) for chunk in chunks], [{"question": "?", "evidence": spans}], text
    )
    solid = oracle.trimmed([tuple(span) for span in spans], text)
    expected = oracle.without_retrieval(solid, [tuple(chunk) for chunk in chunks], text)
    for name in OF_CHUNKS:
        value = found.of_questions(name)[0]
        assert (np.isnan(value) and expected[name] is None) or value == pytest.approx(
            expected[name]
        )


# ---- documents without a text or chunks ----

ABOUT_TWO = [
    *asked([11, 21]),
    {"id": "e1", "question": "e?", "document": "e", "evidence": [[0, 1]]},
]


def test_questions_about_absent_texts_are_left_out_if_asked_for():
    with pytest.raises(ss.SegmentationError, match=r"without a text: 1 of 2\); missing=\"skip\""):
        ss.chunks.evidence(SENTENCES, ABOUT_TWO, {"d": PAGE})
    found = ss.chunks.evidence(
        {"d": SENTENCES, "e": [(0, 9)]}, ABOUT_TWO, {"d": PAGE}, missing="skip"
    )
    assert len(found) == 1
    assert found.left_out == ("left out: 1 question about 1 document without a text ('e')",)
    assert found.left_out[0] in str(found)


def test_documents_that_a_chunker_lacks_are_left_out_of_all():
    texts = {"d": PAGE, "e": "x y"}
    chunkers = {"a": {"d": SENTENCES, "e": [(0, 3)]}, "b": {"d": SENTENCES}}
    with pytest.raises(ss.SegmentationError, match="document 'e' has no chunks"):
        ss.chunks.compare(chunkers, ABOUT_TWO, texts)
    found = ss.chunks.compare(chunkers, ABOUT_TWO, texts, missing="skip")
    assert [len(scores) for scores in found.scores.values()] == [1, 1]
    assert "1 question about 1 document without chunks ('e')" in str(found)
    with pytest.raises(ss.SegmentationError, match="no question is left"):
        ss.chunks.evidence({"d": SENTENCES}, ABOUT_TWO[1:], texts, missing="skip")


@pytest.mark.parametrize(
    "fetched",
    [
        [[["d", 1]], [["e", 0]]],
        {"1": [["d", 1]], "e1": []},
        {"q0": [["d", 1]], "e?": []},
        [{"question": "1", "retrieved": [["d", 1]]}, {"question": "e1", "retrieved": []}],
    ],
)
def test_what_was_fetched_for_questions_that_are_left_out(fetched):
    found = ss.chunks.evidence({"d": SENTENCES}, ABOUT_TWO, {"d": PAGE}, fetched, missing="skip")
    assert found.values["recall"].pooled == 1


# ---- files ----


def test_texts_in_another_encoding(tmp_path: Path):
    text = tmp_path / "d.txt"
    text.write_bytes("Café. Thé.".encode("cp1252"))
    questions = tmp_path / "q.csv"
    rows = 'question,evidence\nÀ boire?,"[{""text"": ""Thé.""}]"\n'
    with pytest.raises(ss.SegmentationError, match="encoding="):
        ss.chunks.evidence([(0, 5), (6, 10)], [{"question": "?", "evidence": ["Thé."]}], text)
    for encoding in ("utf-8", "cp1252"):
        questions.write_bytes(rows.encode(encoding))
        found = ss.chunks.evidence([(0, 5), (6, 10)], questions, text, text_encoding="cp1252")
        assert found.questions[0].question == "À boire?"
        assert found.values["whole"].pooled == 1
    chunks = tmp_path / "c.jsonl"
    chunks.write_text('{"document": "d", "offsets": [[0, 5], [6, 10]]}')
    given = [str(text), str(chunks), "--read", "text-encoding=cp1252"]
    assert segscore("chunks", *given, "--questions", questions).returncode == 0
    assert segscore("chunks", *given).returncode == 0


def test_a_folder_of_chunks_is_one_chunker(tmp_path: Path):
    texts = {"d": PAGE, "e": "x y"}
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "d.jsonl").write_text(json.dumps({"offsets": SENTENCES}))
    (folder / "e.jsonl").write_text(json.dumps({"document": "e", "chunks": ["x y"]}))
    found = ss.chunks.evidence(folder, ABOUT_TWO, texts)
    assert (found.chunker, found.values["whole"].pooled) == ("mine", 1)
    (folder / "d.jsonl").write_text(json.dumps({"document": "d", "offsets": SENTENCES}))
    with pytest.raises(ss.SegmentationError, match="folder holds the files"):
        ss.chunks.compare([folder / "d.jsonl", folder / "e.jsonl"], ABOUT_TWO, texts)


# ---- words ----


def test_no_letters_where_nothing_can_be_significant():
    chunkers = {"a": {"d": SENTENCES, "e": [(0, 3)]}, "b": {"d": [(0, 44)], "e": [(0, 3)]}}
    found = ss.chunks.compare(chunkers, ABOUT_TWO, {"d": PAGE, "e": "x y"}, n_resamples=100)
    assert not found.can_differ
    assert "ᵃ" not in found.render("text")
    assert "share a letter" not in found.render("text")
    assert "no difference can reach p ≤ 0.05" in " ".join(str(found).split())
    assert "systems" not in str(found)
    many = asked(*[[0, 10]] * 12, document="text")
    more = ss.chunks.compare(
        {"a": SENTENCES, "b": [(0, 5), (5, 44)]}, many, PAGE, cluster="question"
    )
    assert more.can_differ
    assert "share a letter" in str(more)
