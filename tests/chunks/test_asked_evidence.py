"""What is asked of chunkers: white space that is no evidence, and questions that are left out."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.command_line import segscore
from tests.oracles import evidence as oracle

import segscore as ss
from segscore.chunks.evidence_scores import OF_CHUNKS

TEXT = "Cats purr. Dogs bark. It rains. Stars shine."
SENTENCES = [(0, 10), (11, 21), (22, 31), (32, 44)]  # as splitters cut that strip white space


def asked(*spans, document="d"):
    return [
        {"question": f"q{i}", "document": document, "evidence": [s]} for i, s in enumerate(spans)
    ]


# ---- white space at the ends ----


def test_white_space_at_the_ends_of_evidence_decides_nothing():
    loose = asked([10, 22], [22, 32], [31, 44])  # " Dogs bark. ", "It rains. ", " Stars shine."
    tight = asked([11, 21], [22, 31], [32, 44])
    found = ss.chunks.evidence(SENTENCES, loose, {"d": TEXT}, [[1], [2], [3]])
    for name, averages in found.values.items():
        same = ss.chunks.evidence(SENTENCES, tight, {"d": TEXT}, [[1], [2], [3]]).values[name]
        assert averages == same
    assert found.values["whole"].pooled == found.values["all-whole"].pooled == 1
    assert found.values["hit"].pooled == 1
    assert found.values["lost"].pooled == 0
    assert "White space at the ends of 3 of 3 spans is not evidence." in str(found)


def test_the_program_takes_spans_as_they_are_given():
    found = ss.chunks.evidence(SENTENCES, asked([10, 22]), {"d": TEXT}, convention="program")
    assert found.values["whole"].pooled == 0
    assert found.notes == []
    assert (
        found.measures["whole"].signature()
        != ss.chunks.evidence(SENTENCES, asked([10, 22]), {"d": TEXT}).measures["whole"].signature()
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

BOTH = [*asked([11, 21]), {"id": "e1", "question": "e?", "document": "e", "evidence": [[0, 1]]}]


def test_questions_about_absent_texts_are_left_out_if_asked_for():
    with pytest.raises(ss.SegmentationError, match=r"without a text: 1 of 2\); missing=\"skip\""):
        ss.chunks.evidence(SENTENCES, BOTH, {"d": TEXT})
    found = ss.chunks.evidence({"d": SENTENCES, "e": [(0, 9)]}, BOTH, {"d": TEXT}, missing="skip")
    assert len(found) == 1
    assert found.left_out == ("left out: 1 question about 1 document without a text ('e')",)
    assert found.left_out[0] in str(found)


def test_documents_that_a_chunker_lacks_are_left_out_of_all():
    texts = {"d": TEXT, "e": "x y"}
    chunkers = {"a": {"d": SENTENCES, "e": [(0, 3)]}, "b": {"d": SENTENCES}}
    with pytest.raises(ss.SegmentationError, match="document 'e' has no chunks"):
        ss.chunks.compare(chunkers, BOTH, texts)
    found = ss.chunks.compare(chunkers, BOTH, texts, missing="skip")
    assert [len(scores) for scores in found.scores.values()] == [1, 1]
    assert "1 question about 1 document without chunks ('e')" in str(found)
    with pytest.raises(ss.SegmentationError, match="no question is left"):
        ss.chunks.evidence({"d": SENTENCES}, BOTH[1:], texts, missing="skip")


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
    found = ss.chunks.evidence({"d": SENTENCES}, BOTH, {"d": TEXT}, fetched, missing="skip")
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
    texts = {"d": TEXT, "e": "x y"}
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "d.jsonl").write_text(json.dumps({"offsets": SENTENCES}))
    (folder / "e.jsonl").write_text(json.dumps({"document": "e", "chunks": ["x y"]}))
    found = ss.chunks.evidence(folder, BOTH, texts)
    assert (found.chunker, found.values["whole"].pooled) == ("mine", 1)
    (folder / "d.jsonl").write_text(json.dumps({"document": "d", "offsets": SENTENCES}))
    with pytest.raises(ss.SegmentationError, match="folder holds the files"):
        ss.chunks.compare([folder / "d.jsonl", folder / "e.jsonl"], BOTH, texts)


# ---- words ----


def test_no_letters_where_nothing_can_be_significant():
    chunkers = {"a": {"d": SENTENCES, "e": [(0, 3)]}, "b": {"d": [(0, 44)], "e": [(0, 3)]}}
    found = ss.chunks.compare(chunkers, BOTH, {"d": TEXT, "e": "x y"}, n_resamples=100)
    assert not found.can_differ
    assert "ᵃ" not in found.render("text")
    assert "share a letter" not in found.render("text")
    assert "no difference can reach p ≤ 0.05" in " ".join(str(found).split())
    assert "systems" not in str(found)
    many = asked(*[[0, 10]] * 12, document="text")
    more = ss.chunks.compare(
        {"a": SENTENCES, "b": [(0, 5), (5, 44)]}, many, TEXT, cluster="question"
    )
    assert more.can_differ
    assert "share a letter" in str(more)


def test_an_anonymous_page_does_not_name_what_was_left_out(tmp_path: Path):
    texts = {"d": TEXT, "s3cret-name": "x y"}
    questions = [
        *asked([0, 10]),
        {"question": "e?", "document": "s3cret-name", "evidence": [[0, 1]]},
    ]
    found = ss.chunks.evidence({"d": SENTENCES}, questions, texts, [[], []], missing="skip")
    both = ss.chunks.compare({"a": {"d": SENTENCES}}, questions, texts, missing="skip")
    for result in (found, both):
        page = ss.report(result, tmp_path / "page.html", anonymise=True).read_text("utf-8")
        assert "1 question about 1 document without chunks" in page
        assert "s3cret-name" not in page
