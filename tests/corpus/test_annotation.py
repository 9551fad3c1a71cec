"""What annotation pages tell of a coding: it is read, kept, written, and refused where it is wrong."""

import pickle
import re

import pytest
from hypothesis import given

import segscore as ss
from corpora import annotations
from segscore.corpus.annotation import Annotation, Comment, annotation_from_plain
from segscore.corpus.record import unit_hash
from segscore.errors import SegmentationError
from segscore.pairing.masks import cut_out

UNITS = ["One.", "Two.", "Three."]
TOLD = {
    "finished": True,
    "seconds": 95,
    "unsure": [1, 2],
    "comments": [{"after": 2, "text": "or before?"}],
    "prefilled": "c99",
    "practice": False,
    "page": "p1",
    "exported": "2026-05-04T12:03:00Z",
    "units": unit_hash(UNITS),
}


def row(document="d", coder="ann", masses=(1, 2), **more):
    return {"document": document, "coder": coder, "masses": list(masses), **more}


def told(**changes):
    return {**TOLD, **changes}


def test_every_field():
    corpus = ss.Corpus.from_rows([row(annotation=TOLD)])
    found = corpus["d"].annotations["ann"]
    assert found == Annotation(
        True, 95, (1, 2), (Comment(2, "or before?"),), "c99", False, "p1", "2026-05-04T12:03:00Z",
        unit_hash(UNITS),
    )  # fmt: skip
    assert found.plain() == {name: value for name, value in TOLD.items() if name != "practice"}


@given(annotations(5, None))
def test_there_and_back(annotation):
    assert annotation_from_plain(annotation.plain(), 5) == annotation


def test_what_nobody_said_has_its_default():
    assert annotation_from_plain({"finished": None, "seconds": None}, 2) == Annotation()
    assert Annotation().counts
    assert not Annotation(finished=False).counts
    assert not Annotation(practice=True).counts


def test_it_stays_with_its_coding():
    corpus = ss.Corpus.from_rows(
        [
            row("e", "bob", (3, 3)),
            row("d", "bob"),
            row("d", "ann", annotation=told(seconds=1)),
            row("e", "ann", (2, 4), annotation=told(seconds=2, units=None)),
        ]
    )
    for variant in (
        corpus,
        corpus.select(coders=["ann"]),
        corpus.merged(ss.Corpus.from_rows([row("f")])),
        corpus.with_details(kinds={"ann": "person"}),
        pickle.loads(pickle.dumps(corpus)),  # noqa: S301
    ):
        assert variant["d"].annotations["ann"].seconds == 1
        assert variant["e"].annotations["ann"].seconds == 2
        assert list(variant["d"].annotations) == ["ann"]
    again = pickle.loads(pickle.dumps(corpus["e"]))  # noqa: S301
    assert again.annotations["ann"].seconds == 2
    assert corpus.select(coders=["bob"])["d"].annotations == {}


def test_it_is_gone_where_units_are_cut_out():
    corpus = ss.Corpus.from_rows([row(annotation=TOLD)])
    assert cut_out(corpus, [(2, 3)])["d"].annotations == {}


def test_written_and_read(tmp_path):
    corpus = ss.Corpus.from_rows([row(annotation=TOLD), row("e", annotation={"finished": True})])
    ss.write(corpus, tmp_path / "a.jsonl")
    again = ss.read(tmp_path / "a.jsonl")
    assert again["d"].annotations == corpus["d"].annotations
    assert again["e"].annotations["ann"] == Annotation()
    with pytest.raises(SegmentationError, match="annotation page recorded"):
        ss.write(corpus, tmp_path / "a.gaps")
    ss.write(corpus, tmp_path / "a.gaps", lossy=True)
    assert ss.read(tmp_path / "a.gaps") == corpus


WRONG = {
    "annotation: 'x' (str): expected an object": "x",
    "annotation: no field is called 'done'": {"done": True},
    "annotation: finished is 'yes' (str): expected True or False": {"finished": "yes"},
    "annotation: seconds is 1.5 (float): expected a whole number": {"seconds": 1.5},
    "annotation: seconds is -1: expected 0 … 2**53": {"seconds": -1},
    "annotation: seconds is nan (float): expected a whole number": {"seconds": float("nan")},
    "annotation: seconds is an integer of 3322 bits": {"seconds": 10**1000},
    "annotation: unsure is 3: expected a list": {"unsure": 3},
    "annotation: unsure[1] is 3: expected 1 … 2": {"unsure": [1, 3]},
    "annotation: unsure[0] is True: expected a whole number": {"unsure": [True]},
    "annotation: unsure names a position twice": {"unsure": [1, 1]},
    "annotation: comments[0] is {'after': 1} (dict): expected": {"comments": [{"after": 1}]},
    "annotation: comments[0].after is 0: expected 1 … 2": {"comments": [{"after": 0, "text": ""}]},
    "annotation: comments[0].text is 5: expected a text": {"comments": [{"after": 1, "text": 5}]},
    "expected a text of at most 100,000 characters": {
        "comments": [{"after": 1, "text": "x" * 100_001}]
    },
    "comments[0].text holds '\\ud800', half a surrogate pair": {
        "comments": [{"after": 1, "text": "\ud800"}]
    },
    "annotation: prefilled is 5: expected a text of 1 … 1,000": {"prefilled": 5},
    "annotation: page is '' (str): expected a text": {"page": ""},
    "annotation: exported is 'today' (str): expected a time": {"exported": "today"},
    "annotation: units is 'md5:0' (str): expected 'sha256:'": {"units": "md5:0"},
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_refused(message):
    with pytest.raises(SegmentationError) as error:
        ss.Corpus.from_rows([row(annotation=WRONG[message])])
    assert "document 'd', coder 'ann': " in str(error.value)
    assert message in str(error.value)


def test_a_document_of_one_unit_has_no_position():
    with pytest.raises(SegmentationError, match="1 unit.*no position"):
        ss.Corpus.from_rows([row(masses=[1], annotation={"unsure": [1]})])


def test_a_text_alone_was_not_annotated():
    with pytest.raises(SegmentationError, match="annotation.*no coding"):
        ss.Corpus.from_rows([{"document": "d", "units": UNITS, "annotation": TOLD}])


# ---- the hash of the units ----

OTHER = unit_hash(["One.", "Two.", "Four."])


def test_codings_of_two_texts_are_refused():
    rows = [row(annotation=TOLD), row(coder="bob", annotation=told(units=OTHER))]
    with pytest.raises(SegmentationError) as error:
        ss.Corpus.from_rows(rows)
    assert re.search(
        "document 'd'.*coder 'bob'.*coder marked another.*coder 'ann'", str(error.value)
    )
    assert ss.Corpus.from_rows([rows[0], {**rows[1], "document": "e"}]).n_codings == 2


@pytest.mark.parametrize("text_first", [True, False])
def test_a_coding_of_another_text_than_the_given_one_is_refused(text_first):
    text = {"document": "d", "units": UNITS}
    assert ss.Corpus.from_rows([text, row(annotation=TOLD)]).n_codings == 1
    rows = [text, row(annotation=told(units=OTHER))]
    with pytest.raises(SegmentationError, match="another text"):
        ss.Corpus.from_rows(rows if text_first else rows[::-1])
    with pytest.raises(SegmentationError, match="another text"):
        ss.Corpus.from_rows(rows[1:]).with_details(units={"d": UNITS})


def test_two_sides_of_different_texts_are_refused():
    gold = ss.Corpus.from_rows([row(annotation=told(units=OTHER))])
    system = ss.Corpus.from_rows([row(coder="c99", units=UNITS, kind="system")])
    with pytest.raises(SegmentationError, match="codings of different texts"):
        ss.score(gold, system)
    with pytest.raises(SegmentationError, match="codings of different texts"):
        ss.compare(gold, systems={"c99": system})
    assert ss.score(gold, system, ignore_text=True)
    same = ss.Corpus.from_rows([row(annotation=TOLD)])
    assert ss.score(same, system)
    assert ss.score(system, same)
    assert ss.compare(same, systems={"c99": system})
    marked = ss.Corpus.from_rows([row(coder="bob", annotation=TOLD)])
    assert ss.score(same, marked)
    with pytest.raises(SegmentationError, match="codings of different texts"):
        ss.score(gold, marked)
