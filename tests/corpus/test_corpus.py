"""Corpus and Document: what they hold, refuse, select; records and their field form."""

import copy
import pickle
import re
from typing import Any

import pytest
from hypothesis import given

import segscore as ss
from corpora import corpora
from segscore.corpus.record import Record, fields_from_record, record_from_fields
from segscore.io.format import FEATURES

masses = ss.Segmentation.from_masses
A, B, C = masses([2, 3]), masses([4, 1]), masses([7])
EVERYTHING = frozenset(FEATURES)


@pytest.fixture
def corpus() -> ss.Corpus:
    """Two documents, ragged, with all that can be known."""
    return ss.Corpus.from_dict(
        {"ch1": {"ann": A, "c99": B}, "ch2": {"ann": C}},
        units={"ch1": ["a", "b", "c", "d", "e"]},
        labels={"ch1": {"ann": ["intro", ["x", "y"]]}},
        kinds={"ann": "person", "c99": "system"},
        groups={"ch1": "1", "ch2": "2"},
    )


def test_what_a_corpus_holds(corpus: ss.Corpus) -> None:
    assert list(corpus) == ["ch1", "ch2"]
    labelled = A.with_segment_labels(["intro", {"x", "y"}])
    assert dict(corpus["ch1"]) == {"ann": labelled, "c99": B}
    assert "bob" not in corpus["ch1"]
    assert corpus["ch1"].n_units == 5
    assert corpus["ch1"].units == ("a", "b", "c", "d", "e")
    assert corpus["ch2"].units is None
    assert corpus["ch1"].labels == {"ann": (frozenset({"intro"}), frozenset({"x", "y"}))}
    assert corpus["ch1"].kinds == {"ann": "person", "c99": "system"}
    assert corpus.groups == {"1": ("ch1",), "2": ("ch2",)}
    assert corpus.coders == ("ann", "c99")
    assert corpus.coder_scope == "global"
    assert corpus.n_codings == 3
    assert repr(corpus) == "Corpus(2 documents, 3 codings, coders: 'ann', 'c99')"
    assert repr(corpus["ch2"]) == "Document('ch2', 7 units, coders: 'ann')"


def test_what_is_not_there_is_named(corpus: ss.Corpus) -> None:
    with pytest.raises(KeyError, match="no document 'ch3': there is 'ch1', 'ch2'"):
        corpus["ch3"]
    with pytest.raises(KeyError, match="document 'ch2'.*no coding.*'c99'.*there is 'ann'"):
        corpus["ch2"]["c99"]
    assert corpus.get("ch3") is None


def test_nothing_changes(corpus: ss.Corpus) -> None:
    with pytest.raises(AttributeError, match="Corpus.*'coder_scope'"):
        corpus.coder_scope = "local"
    with pytest.raises(AttributeError, match="Document.*'units'"):
        corpus["ch1"].units = ()
    with pytest.raises(AttributeError, match="Document.*'name'"):
        del corpus["ch1"].name
    with pytest.raises(TypeError):
        corpus["ch1"].labels["ann"] = ()  # type: ignore[index]
    with pytest.raises(TypeError, match="from_dict or from_rows"):
        ss.Corpus({})
    with pytest.raises(AttributeError):
        Record("a", "b", A).document = "c"  # type: ignore[misc]


@given(corpora(EVERYTHING))
def test_copies_pickles_and_records_are_equal(corpus: ss.Corpus) -> None:
    assert pickle.loads(pickle.dumps(corpus)) == corpus  # noqa: S301
    assert copy.deepcopy(corpus) == corpus
    assert ss.Corpus.from_rows(corpus.records()) == corpus
    assert ss.Corpus.from_rows(map(fields_from_record, corpus.records())) == corpus
    assert ss.Corpus.from_rows(reversed(list(corpus.records()))) == corpus
    for record in corpus.records():
        assert record_from_fields(fields_from_record(record)) == record


def test_equality_covers_everything(corpus: ss.Corpus) -> None:
    for change in (
        {"units": {"ch1": ["a", "b", "c", "d", "f"]}},
        {"labels": {"ch1": {"ann": ["intro", "x"]}}},
        {"kinds": {"ann": "system"}},
        {"groups": {"ch1": "2"}},
    ):
        assert corpus.with_details(**change) != corpus  # type: ignore[arg-type]
    assert corpus.with_details() == corpus
    assert corpus.select(documents=["ch1"]) != corpus
    local = ss.Corpus.from_dict({"ch1": {"ann": A}}, coders="local")
    assert local != ss.Corpus.from_dict({"ch1": {"ann": A}})
    assert repr(local) == "Corpus(1 document, 1 coding, local coders: 'ann')"
    assert corpus != {"ch1": 1}
    assert corpus["ch1"] != {"ann": A, "c99": B}


def test_select(corpus: ss.Corpus) -> None:
    assert list(corpus.select(documents=["ch2"])) == ["ch2"]
    assert list(corpus.select(groups=["1"])) == ["ch1"]
    assert corpus.select(coders=["c99"]).coders == ("c99",)
    assert corpus.select(coders=["c99"])["ch1"].units == ("a", "b", "c", "d", "e")
    assert corpus.select(kind="person").coders == ("ann",)
    assert corpus.select(kind="system", documents=["ch2"]) == corpus.select(documents=[])
    assert corpus.select() == corpus
    for wrong, message in (
        ({"documents": ["x"]}, "document 'x'.*there is 'ch1'.*'ch2'"),
        ({"documents": "ch1"}, "documents is 'ch1'"),
        ({"coders": ["x"]}, "coder 'x'.*there is 'ann'.*'c99'"),
        ({"groups": ["x"]}, "group 'x'.*there is '1'.*'2'"),
        ({"kind": "dog"}, "kind is 'dog'.*person, system, consensus"),
    ):
        with pytest.raises(ss.SegmentationError, match=message):
            corpus.select(**wrong)  # type: ignore[arg-type]


def test_local_names(corpus: ss.Corpus) -> None:
    local = ss.Corpus.from_dict(
        {"a": {"x": A}, "b": {"x": B}}, coders="local", kinds={"x": "person"}
    )
    assert local.coder_scope == "local"
    assert local.select(documents=["a"]).coder_scope == "local"
    rows = [
        Record("a", "x", A, kind="person", local=True),
        Record("b", "x", B, kind="system", local=True),
    ]
    assert ss.Corpus.from_rows(rows).coder_scope == "local"
    with pytest.raises(
        ss.SegmentationError,
        match="document 'b', coder 'x'.*system.*person.*document 'a'",
    ):
        ss.Corpus.from_rows(rows, coders="global")
    with pytest.raises(ss.SegmentationError, match="here and global before"):
        corpus.merged(local)


REFUSED: list[tuple[Any, str]] = [
    ([("a", "x", A), ("a", "x", A)], "row 1.*document 'a'.*coder 'x'.*second coding"),
    ([("a", "x", A), ("a", "y", C)], "document 'a'.*coder 'y'.*7 units.*where coder 'x' has 5"),
    ([("a", "x", [2, 3])], "document 'a'.*coder 'x'.*coding.*2.*3"),
    ([("a", None, A)], "coder is None.*NoneType"),
    ([(1, "x", A)], "document is 1.*name"),
    ([("a", "\udc00", A)], r"coder holds '\\udc00'"),
    ([("a", "x")], "row 0.*'a'.*'x'.*document.*Record"),
    ("rows", "rows is 'rows'"),
    ([{"document": "a", "coder": "x", "masses": [1], "units": "a"}], "document 'a'.*coder 'x'.*units is 'a'.*list of texts"),
    ([{"document": "a", "coder": "x", "masses": [1], "labels": "a"}], "document 'a'.*coder 'x'.*labels is 'a'"),
    ([{"document": "a", "units": []}], "document 'a'.*neither a coding nor"),
    ([{"document": "a", "coder": "x", "masses": [1], "group": ""}], "document 'a'.*coder 'x'.*group.*name"),
    ([{"document": "a", "units": ["x"], "labels": ["l"]}], "document 'a'.*labels.*no coding"),
    ([Record("a", "x", A, group="1"), Record("a", "y", A, group="2", place="here")], "document 'a'.*coder 'y'.*groups '1'.*'2'"),
    ([Record("a", "x", masses([1]), ("t",)), Record("a", "y", masses([1]), ("u",))], "document 'a'.*coder 'y'.*text differs.*unit 1"),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "message"), REFUSED)
def test_rows_that_make_no_corpus(rows: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError) as error:
        ss.Corpus.from_rows(rows)
    assert re.search(message, str(error.value))


@pytest.mark.parametrize(
    ("codings", "message"),
    [
        ([], r"codings is \[\] \(list\): expected {document: {coder: segmentation}}"),
        ({"a": [A]}, "document 'a'.*expected {document: {coder"),
        ({"a": {"x": A, "y": C}}, "document 'a'.*coder 'y'.*7 units.*where coder 'x' has 5"),
        ({"a": {}}, "document 'a'.*no coding"),
    ],
)
def test_dicts_that_make_no_corpus(codings: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.Corpus.from_dict(codings)


def test_details_must_fit(corpus: ss.Corpus) -> None:
    for wrong, message in (
        ({"units": {"ch3": []}}, "there is no document 'ch3'"),
        ({"units": {"ch2": ["a"]}}, "document 'ch2'.*coder 'ann'.*1 units.*text"),
        ({"labels": {"ch2": {"c99": []}}}, "no coding.*document 'ch2'.*'c99'"),
        ({"labels": {"ch2": {"ann": []}}}, "document 'ch2'.*coder 'ann'.*labels has 0"),
        ({"kinds": {"x": "person"}}, "there is no coder 'x'"),
        ({"groups": {"ch3": "1"}}, "there is no document 'ch3'"),
    ):
        with pytest.raises(ss.SegmentationError, match=message):
            corpus.with_details(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="coders is 'both'"):
        ss.Corpus.from_rows([], coders="both")  # type: ignore[arg-type]


def test_text_alone() -> None:
    corpus = ss.Corpus.from_dict({"a": {}}, units={"a": ["x", "y"]})
    assert corpus["a"].n_units == 2
    assert len(corpus["a"]) == 0
    coded = corpus.merged(ss.Corpus.from_dict({"a": {"c": masses([1, 1])}}))
    assert coded["a"].units == ("x", "y")
    assert coded["a"]["c"] == masses([1, 1])
    assert len(ss.Corpus.from_dict({})) == 0
    assert repr(ss.Corpus.from_dict({})) == "Corpus(0 documents, 0 codings, coders: none)"


def test_labels_are_those_of_the_segmentation() -> None:
    named = A.with_segment_labels(["a", None])
    corpus = ss.Corpus.from_dict({"d": {"ann": named, "bob": A}})
    assert corpus["d"].labels == {"ann": (frozenset("a"), frozenset())}
    assert [record.labels for record in corpus.records()] == [(frozenset("a"), frozenset()), None]
    again = corpus.with_details(labels={"d": {"ann": ["b", "c"]}})
    assert again["d"]["ann"].segment_labels == ("b", "c")
    with pytest.raises(ss.SegmentationError, match="the segmentation has other segment_labels"):
        Record("d", "ann", named, labels=["a", "b"])  # type: ignore[arg-type]
