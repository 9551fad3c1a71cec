"""What annotation pages tell of a coding: it is read, kept, written, and refused where it is wrong."""

import copy
import hashlib
import json
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.corpus.annotation import Annotation, annotation_from_plain
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
        True, 95, (1, 2), ((2, "or before?"),), "c99", False, "p1", "2026-05-04T12:03:00Z",
        unit_hash(UNITS),
    )  # fmt: skip
    assert found.plain() == {name: value for name, value in TOLD.items() if name != "practice"}


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


WRONG = [
    ("'x' (str)", "x"),
    ("'done'", {"done": True}),
    ("finished is 'yes'", {"finished": "yes"}),
    ("seconds is -1", {"seconds": -1}),
    ("seconds is nan", {"seconds": float("nan")}),
    ("unsure is 3", {"unsure": 3}),
    ("unsure[1] is 3", {"unsure": [1, 3]}),
    ("unsure is [1, 1]", {"unsure": [1, 1]}),
    ("comments[0] is {'after': 1}", {"comments": [{"after": 1}]}),
    ("comments[0].after is 0", {"comments": [{"after": 0, "text": ""}]}),
    ("comments[0].text is 5", {"comments": [{"after": 1, "text": 5}]}),
    ("100,000 characters", {"comments": [{"after": 1, "text": "x" * 100_001}]}),
    ("comments[0].text holds '\\ud800'", {"comments": [{"after": 1, "text": "\ud800"}]}),
    ("prefilled is 5", {"prefilled": 5}),
    ("page is ''", {"page": ""}),
    ("exported is 'today'", {"exported": "today"}),
    ("units is 'md5:0'", {"units": "md5:0"}),
]


@pytest.mark.parametrize(("token", "annotation"), WRONG)
def test_what_is_refused(token, annotation):
    with pytest.raises(SegmentationError) as error:
        ss.Corpus.from_rows([row(annotation=annotation)])
    assert "document 'd', coder 'ann': annotation: " in str(error.value)
    assert token in str(error.value)


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


# ---- how gold was made ----

DECISIONS = [
    {"place": [1, 2], "decision": 2, "by": "adjudicator"},
    {"place": [3], "decision": "drop", "by": "rule"},
    {"place": [5], "decision": None, "by": None},
]
RULE = {"within": 1, "accept": 1.0, "reject": 0.0, "decisions": DECISIONS, "added": [4]}
COUNTS = {"places": 3, "rule": 1, "adjudicator": 1, "open": 1, "dropped": 1, "added": 1}


def gold(adjudication):
    return row(coder="gold", masses=(2, 2, 2), annotation={"adjudication": adjudication})


@pytest.mark.parametrize("more", [{}, {"levels": [{"after": 4, "level": 2}]}])
def test_decisions_are_read_and_written_with_their_counts(tmp_path, more):
    corpus = ss.Corpus.from_rows([gold(RULE | more)])
    adjudication = corpus["d"].annotations["gold"].adjudication
    assert adjudication == RULE | more | {"counts": COUNTS}
    ss.write(corpus, tmp_path / "gold.jsonl")
    again = ss.read(tmp_path / "gold.jsonl")["d"].annotations["gold"]
    assert again.adjudication == adjudication


@pytest.mark.parametrize(
    ("path", "wrong", "token"),
    [
        (("more",), 1, "within"),
        (("within",), -1, "within is -1"),
        (("accept",), 3, "accept is 3"),
        (("reject",), "x", "reject is 'x'"),
        (("added",), [6], "added[0] is 6"),
        (("added",), [2, 1], "ascending"),
        (("added",), 3, "added is 3"),
        (("counts",), COUNTS | {"open": 2}, "counts is "),
        (("levels",), [{"after": 4, "level": 0}], "level is 0"),
        (("decisions",), {}, "decisions is {}"),
        (("decisions", 0), 7, "decisions[0] is 7"),
        (("decisions", 0, "place"), [0], "place[0] is 0"),
        (("decisions", 0, "decision"), 3, "decisions[0].decision is 3"),
        (("decisions", 0, "decision"), True, "decision is True"),
        (("decisions", 0, "by"), "me", "by is 'me'"),
        (("decisions", 0, "by"), None, "by is None"),
        (("decisions", 2, "by"), "rule", "by is 'rule'"),
    ],
)
def test_wrong_decisions_are_refused(path, wrong, token):
    given = copy.deepcopy(RULE)
    inside = given
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = wrong
    with pytest.raises(SegmentationError) as error:
        ss.Corpus.from_rows([gold(given)])
    assert "document 'd', coder 'gold': annotation: adjudication: " in str(error.value)
    assert token in str(error.value)


# ---- the hash of a document's units ----


_WHOLE = st.text(st.characters(exclude_categories=["Cs"]))


def test_what_javascript_says():
    # await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify([...])))
    # of ["One.", "é \"x\"\n\u0001\u2028\u007f", "😀 <b>&amp;\\/"]
    assert unit_hash(["One.", 'é "x"\n\u0001\u2028\u007f', "😀 <b>&amp;\\/"]) == (
        "sha256:6e665a0e1973682ccbf93d04f3890fd08ccc68afa8e050847d30bb5579b3da62"
    )


@given(st.lists(_WHOLE))
def test_the_hashed_text_is_json(units):
    written = json.dumps(units, ensure_ascii=False, separators=(",", ":"))
    assert json.loads(written) == units
    assert unit_hash(units) == "sha256:" + hashlib.sha256(written.encode("utf-8")).hexdigest()


@pytest.mark.parametrize("half", ["\ud800", "x\udc00y"])
def test_half_a_character_is_refused(half):
    with pytest.raises(SegmentationError, match="unit 2.*surrogate pair"):
        unit_hash(["fine", half])
