"""`ss.chunks.evidence` against sets of characters, and its properties."""

import csv
import json
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import evidence as oracle

import segscore as ss
from segscore.chunks.chunk_inputs import DocumentOffsets
from segscore.chunks.evidence_scores import OF_CHUNKS, OF_RETRIEVAL

LENGTH = 24
TEXT = "abcdefghijklmnopqrstuvwxyz"[:LENGTH]


@st.composite
def spans(draw, most, least=1):
    pairs = st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH))
    ordered = pairs.filter(lambda pair: pair[0] != pair[1]).map(lambda pair: tuple(sorted(pair)))
    return draw(st.lists(ordered, min_size=least, max_size=most))


documents = st.lists(
    st.tuples(spans(6), st.lists(spans(4), min_size=1, max_size=3)), min_size=1, max_size=3
)


def offsets(by_document):
    return {
        name: DocumentOffsets(*(np.array([chunk[i] for chunk in chunks], np.int64) for i in (0, 1)))
        for name, chunks in by_document.items()
    }


def asked(name, evidence):
    return {"question": "?", "document": name, "evidence": evidence}


def cases(drawn):
    """Texts, chunks, questions, and for each question its document, spans and chunks."""
    names = [f"d{i}" for i in range(len(drawn))]
    texts = dict.fromkeys(names, TEXT)
    chunks = {name: own for name, (own, _) in zip(names, drawn, strict=True)}
    each = [(name, q) for name, (_, own) in zip(names, drawn, strict=True) for q in own]
    return texts, chunks, each


def same(found, expected):
    assert len(found) == len(expected)
    for value, other in zip(found, expected, strict=True):
        assert (np.isnan(value) and other is None) or value == pytest.approx(other, abs=1e-12)


@given(documents)
def test_chunks_alone_are_sets_of_characters(drawn):
    texts, chunks, each = cases(drawn)
    scores = ss.chunks.evidence(offsets(chunks), [asked(name, q) for name, q in each], texts)
    expected = [oracle.without_retrieval(q, chunks[name]) for name, q in each]
    for measure in OF_CHUNKS:
        same(scores.of_questions(measure), [measures[measure] for measures in expected])


@given(documents)
def test_the_programs_omega(drawn):
    texts, chunks, each = cases(drawn)
    scores = ss.chunks.evidence(
        offsets(chunks), [asked(name, q) for name, q in each], texts, convention="program"
    )
    expected = [oracle.program_omega(q, chunks[name]) for name, q in each]
    same(scores.of_questions("precision-omega"), [omega for omega, _ in expected])
    same(scores.rows["size-omega"][:, 1], [float(count > 0) for _, count in expected])


@st.composite
def fetched(draw):
    """Documents, and for each question the chunks fetched, of any document, each once."""
    drawn = draw(documents)
    every = [(f"d{i}", j) for i, (chunks, _) in enumerate(drawn) for j in range(len(chunks))]
    n_questions = sum(len(own) for _, own in drawn)
    lists = st.lists(st.sampled_from(every), unique=True, max_size=8)
    return drawn, draw(st.lists(lists, min_size=n_questions, max_size=n_questions))


def taken(name, chunks, listed):
    """The fetched chunks of the question's document, and the lengths of the others."""
    own = [chunks[name][place] for document, place in listed if document == name]
    others = [chunks[d][place] for d, place in listed if d != name]
    return own, [end - start for start, end in others]


@given(fetched())
def test_retrieval_is_sets_of_characters_at_every_k(both):
    drawn, lists = both
    texts, chunks, each = cases(drawn)
    questions = [asked(name, q) for name, q in each]
    scores = ss.chunks.evidence(offsets(chunks), questions, texts, lists)
    for k in [None, *range(1, 5)]:
        at_k = (
            scores if k is None else ss.chunks.evidence(offsets(chunks), questions, texts, lists, k)
        )
        expected = [
            oracle.with_retrieval(q, *taken(name, chunks, listed[:k]))
            for (name, q), listed in zip(each, lists, strict=True)
        ]
        for measure in OF_RETRIEVAL:
            same(at_k.of_questions(measure), [measures[measure] for measures in expected])
            if k in scores.curve:
                both_averages = scores.curve[k][measure]
                np.testing.assert_equal(both_averages, at_k.values[measure])


@given(fetched())
def test_the_programs_retrieval_of_as_many_chunks_as_are_touched(both):
    drawn, lists = both
    texts, chunks, each = cases(drawn)
    scores = ss.chunks.evidence(
        offsets(chunks), [asked(name, q) for name, q in each], texts, lists, "touched",
        convention="program",
    )  # fmt: skip
    for row, ((name, q), listed) in enumerate(zip(each, lists, strict=True)):
        k = oracle.program_omega(q, chunks[name])[1]
        if not listed[:k]:
            continue  # the program divides by zero
        expected = oracle.program_retrieval(q, *taken(name, chunks, listed[:k]))
        for measure, value in expected.items():
            assert scores.of_questions(measure)[row] == pytest.approx(value, abs=1e-12)


@given(documents)
def test_cuts_and_lost_stretches_are_those_of_the_chunks(drawn):
    texts, chunks, each = cases(drawn)
    scores = ss.chunks.evidence(offsets(chunks), [asked(name, q) for name, q in each], texts)
    n_cut = sum(len(q) - oracle.n_whole(q, chunks[name]) for name, q in each)
    assert len(scores.cut) == n_cut
    for span in scores.cut:
        own = oracle.characters([(span.start, span.end)])
        held = oracle.characters(chunks[span.document])
        assert oracle.characters(span.lost) == own - held
        assert all(span.start < place < span.end for place in span.cuts)
        # between two cuts, what is in chunks is in one of them
        edges = [span.start, *span.cuts, span.end]
        for piece in pairwise(edges):
            there = oracle.characters([piece]) & held
            assert any(there <= oracle.characters([chunk]) for chunk in chunks[span.document])
        assert span.text == TEXT[span.start : span.end]


def test_averages_are_of_spans_and_of_questions():
    text = "one two three four"
    asked_twice = [
        {"question": "a", "evidence": ["one", "two", "three"]},
        {"question": "b", "evidence": ["four"]},
    ]
    scores = ss.chunks.evidence([(0, 5), (5, 18)], asked_twice, text)  # cuts "two"
    assert scores.values["whole"].pooled == 3 / 4
    assert scores.values["whole"].mean == (2 / 3 + 1) / 2
    assert scores.values["all-whole"] == (1 / 2, 1 / 2)
    assert scores.parts["pieces"] == {"chunks": 5.0, "held_spans": 4.0}
    assert scores.values["whole"].pooled.signature == "whole|convention:segscore|avg:micro|v:0.1.0"


def test_no_chunk_touched_is_undefined_and_counted_as_lost():
    text = "one two three four"
    scores = ss.chunks.evidence([(0, 3)], [{"question": "a", "evidence": ["four"]}], text)
    row = scores.to_dicts()[0]
    assert np.isnan(row["precision-omega"])
    assert np.isnan(row["size-omega"])
    assert np.isnan(row["pieces"])
    assert (row["lost"], row["whole"]) == (1.0, 0.0)
    assert row["cut"] == [{"start": 14, "end": 18, "cuts": [], "lost": [[14, 18]]}]
    assert scores.n_undefined["precision-omega"] == 1
    program = ss.chunks.evidence(
        [(0, 3)], [{"question": "a", "evidence": ["four"]}], text, convention="program"
    )
    assert program.values["precision-omega"].pooled == 0


def test_nothing_fetched():
    text = "one two three four"
    scores = ss.chunks.evidence([(0, 18)], [{"question": "a", "evidence": ["four"]}], text, [[]])
    assert scores.values["recall"].pooled == scores.values["hit"].pooled == 0
    assert np.isnan(scores.values["precision"].pooled)
    assert np.isnan(scores.values["iou"].pooled)
    assert scores.curve == {}


def test_tokens_count_where_they_start():
    text = "one two three four"
    scores = ss.chunks.evidence(
        [(0, 9), (9, 18)], [{"question": "a", "evidence": ["three"]}], text, tokens=str.split
    )  # "three" starts in the first chunk, its rest is in the second: no token starts there
    assert scores.parts["precision-omega"] == {"held": 1.0, "needed": 4.0}
    assert scores.parts["size-omega"]["touched"] == 4
    pairs = ss.chunks.evidence(
        [(0, 9), (9, 18)], [{"question": "a", "evidence": ["three"]}], text,
        tokens=lambda _: [(0, 3), (4, 7), (8, 13), (14, 18)],
    )  # fmt: skip
    assert pairs.parts["size-omega"] == scores.parts["size-omega"]
    assert "split" in scores.measures["size-omega"].signature()
    assert scores.parts["lost"] == {"lost": 0.0, "evidence": 5.0}  # characters, as always
    assert "size" not in scores.measures["lost"].signature()


def test_white_space_is_never_lost():
    """A gate of lost=0.01 failed, and no letter was lost."""
    text = "It rains.\n\nIt pours. So."
    asked_ = [{"question": "?", "evidence": [[0, 20]]}]
    stripped = ss.chunks.evidence(["It rains.", "It pours.", "So."], asked_, text)
    assert stripped.parts["lost"] == {"lost": 0.0, "evidence": 16.0}
    assert stripped.remarks == ()
    some = ss.chunks.evidence(["rains.", "It pours.", "So."], asked_, text)
    assert some.parts["lost"] == {"lost": 2.0, "evidence": 16.0}


WRONG = "One two. Three four. Five six."


@pytest.mark.parametrize(
    ("chunks", "token"),
    [  # ends that are inside: with and without white space between chunks
        ([(0, 7), (9, 19), (21, 29)], "'.' at 7"),
        ([(0, 9), (10, 19), (20, 29)], "'T' at 9"),
        ([{"start": 0, "end": 9}, {"start": 10, "end": 29}], "'T' at 9"),
        ([{"text": "One two.", "start": 0, "end": 7}], "text at its offsets 0.*7"),
    ],
)
def test_inclusive_ends_are_refused(chunks, token):
    question = [{"question": "?", "evidence": ["Three four."]}]
    with pytest.raises(ss.SegmentationError, match=token):
        ss.chunks.evidence(chunks, question, WRONG)
    with pytest.raises(ss.SegmentationError, match=token):
        ss.chunks.describe(chunks, WRONG)


def test_memory_follows_the_input_and_not_pairs_of_it():
    import tracemalloc

    n_chunks, n_questions = 20_000, 2_000
    text = "x" * (n_chunks * 10)
    starts = np.arange(n_chunks) * 10
    chunks = DocumentOffsets(starts, np.minimum(starts + 15, len(text)))
    asked = [{"question": "?", "evidence": [[i * 90, i * 90 + 60]]} for i in range(n_questions)]
    tracemalloc.start()
    scores = ss.chunks.evidence(chunks, asked, text)
    assert scores.values["pieces"].pooled > 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < n_chunks * n_questions / 4  # bytes: two bits for each pair


# ---- the published program (Smith & Troynikov 2024) on one of its own texts ----


def test_numbers_of_the_state_of_the_union(data):
    name = "state_of_the_union"
    folder = data / "evidence"
    text = (folder / f"{name}.md").read_text("utf-8")
    with (folder / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["corpus_id"] == name]
    questions = [{**row, "references": json.loads(row["references"])} for row in rows]
    fixed = [(start, min(start + 400, len(text))) for start in range(0, len(text), 400)]
    found = re.finditer(r"[^.!?\s][^.!?]*[.!?]*[\"”’)]*", text)  # without white space between them
    sentences = [match.span() for match in found]
    for chunks, convention, omega in (
        (sentences, "program", 0.9549),
        (sentences, "segscore", 0.9583),  # nothing added to what is read
        (fixed, "program", 0.2933),
    ):
        scores = ss.chunks.evidence({name: chunks}, questions, {name: text}, convention=convention)
        assert scores.values["precision-omega"].mean == pytest.approx(omega, abs=5e-5)
