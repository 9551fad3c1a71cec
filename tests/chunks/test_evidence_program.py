"""The numbers of the published program (Smith & Troynikov 2024) on its own texts and questions.

Its formulas are transcribed in `tests/oracles/evidence.py`. Chunks come from three splitters; what is
fetched is drawn.
"""

import csv
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.oracles import evidence as oracle

import segscore as ss
from segscore.datasets.catalogue import folders

DATA = next(
    (folder / "evidence" for folder in folders() if (folder / "evidence").is_dir()), Path("absent")
)
DOCUMENTS = ("state_of_the_union", "chatlogs", "wikitexts")
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="needs the data set evidence")


@cache
def texts():
    return {name: (DATA / f"{name}.md").read_text(encoding="utf-8") for name in DOCUMENTS}


@cache
def questions():
    with (DATA / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["corpus_id"] in DOCUMENTS]
    return [{**row, "references": json.loads(row["references"])} for row in rows]


def fixed(text):
    return [(start, min(start + 400, len(text))) for start in range(0, len(text), 400)]


def recursive(text):
    splitters = pytest.importorskip("langchain_text_splitters")
    splitter = splitters.RecursiveCharacterTextSplitter(
        chunk_size=400, chunk_overlap=80, add_start_index=True
    )
    starts = [(chunk.metadata["start_index"], chunk.page_content) for chunk in
              splitter.create_documents([text])]  # fmt: skip
    return [(start, start + len(content)) for start, content in starts]


def sentences(text):
    """Sentences without the white space between them."""
    return [
        (match.start(), match.end())
        for match in re.finditer(r"[^.!?\s][^.!?]*[.!?]*[\"”’)]*", text)
    ]


SPLITTERS = {"fixed": fixed, "recursive": recursive, "sentences": sentences}


@cache
def chunks(splitter):
    return {name: SPLITTERS[splitter](text) for name, text in texts().items()}


def spans(question):
    return [
        (reference["start_index"], reference["end_index"]) for reference in question["references"]
    ]


@cache
def fetched(splitter):
    """For each question eight chunks of any document, of which some hold a part of the evidence."""
    rng = np.random.default_rng(0)
    named = [(name, i) for name, own in chunks(splitter).items() for i in range(len(own))]
    found = []
    for question in questions():
        name = question["corpus_id"]
        near = [(name, i) for i, (start, end) in enumerate(chunks(splitter)[name])
                if any(start < last and first < end for first, last in spans(question))]  # fmt: skip
        rest = (named[i] for i in rng.permutation(len(named)))
        drawn = [place for place in rest if place not in near][: 8 - min(len(near), 3)]
        listed = near[:3] + drawn
        found.append([listed[i] for i in rng.permutation(len(listed))])
    return found


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_omega_of_every_question(splitter):
    scores = ss.chunks.evidence(chunks(splitter), questions(), texts(), convention="program")
    expected = [
        oracle.program_omega(spans(question), chunks(splitter)[question["corpus_id"]])[0]
        for question in questions()
    ]
    np.testing.assert_allclose(scores.of_questions("precision-omega"), expected, atol=1e-12)
    assert scores.values["precision-omega"].mean == pytest.approx(np.mean(expected), abs=1e-12)


@pytest.mark.parametrize("k", [1, 5, "touched"])
@pytest.mark.parametrize("splitter", SPLITTERS)
def test_retrieval_of_every_question(splitter, k):
    own = chunks(splitter)
    scores = ss.chunks.evidence(
        own, questions(), texts(), fetched(splitter), k, convention="program"
    )
    found = {name: scores.of_questions(name) for name in ("recall", "precision", "iou")}
    assert scores.values["recall"].mean > 0.05  # the retriever finds something
    for row, (question, listed) in enumerate(zip(questions(), fetched(splitter), strict=True)):
        name = question["corpus_id"]
        depth = oracle.program_omega(spans(question), own[name])[1] if k == "touched" else k
        taken = listed[:depth]
        local = [own[name][i] for document, i in taken if document == name]
        foreign = [own[d][i][1] - own[d][i][0] for d, i in taken if d != name]
        expected = oracle.program_retrieval(spans(question), local, foreign)
        for measure, value in expected.items():
            assert found[measure][row] == pytest.approx(value, abs=1e-12)


def state_of_the_union(splitter, convention):
    name = "state_of_the_union"
    asked = [question for question in questions() if question["corpus_id"] == name]
    text = texts()[name]
    scores = ss.chunks.evidence(
        {name: SPLITTERS[splitter](text)}, asked, {name: text}, convention=convention
    )
    return round(float(scores.values["precision-omega"].mean), 4)


def test_numbers_of_the_state_of_the_union():
    assert state_of_the_union("sentences", "program") == 0.9549
    assert state_of_the_union("sentences", "segscore") == 0.9583  # nothing added to what is read
    assert state_of_the_union("fixed", "program") == 0.2933
