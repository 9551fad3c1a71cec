"""Columns and the pairing of references and hypotheses by name."""

import copy
import json
import pickle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import segscore as ss
from corpora import corpora
from segscore.corpus.codings import Codings, CodingsBuilder
from segscore.corpus.record import fields_from_record
from segscore.io.files import Source
from segscore.io.format import FEATURES
from segscore.io.formats.jsonl import read_jsonl
from segscore.pairing.pairing import paired
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import PairingRules

masses = ss.Segmentation.from_masses


def codings(corpus: ss.Corpus, source: str) -> Codings:
    return CodingsBuilder().add_all(corpus.records()).codings(source=source)


@given(corpora(frozenset({"ranks", "types"})), corpora(frozenset({"ranks"})), st.data())
def test_pairing_is_what_a_loop_over_names_gives(
    ref: ss.Corpus, hyp: ss.Corpus, data: st.DataObject
) -> None:
    coder = data.draw(st.sampled_from(ref.coders))
    # the same documents, some of them, in the same lengths
    rows: list[Any] = [
        (name, "h", masses([1] * document.n_units)) for name, document in ref.items()
    ]
    rows = data.draw(st.permutations(rows))[: data.draw(st.integers(0, len(rows)))]
    rows += [record for record in hyp.records() if record.document not in ref]
    side = ss.Corpus.from_rows(rows)
    shared = [name for name in ref if coder in ref[name] and "h" in side.get(name, {})]
    if "h" not in side.coders or not shared:
        return
    theirs, rules = side.select(coders=["h"]), PairingRules(reference=coder, missing="skip")
    made = paired(codings(ref, "r"), codings(theirs, "s"), rules)["h"]
    pairs = Pairs.of_paired(made)
    assert list(pairs.documents) == shared
    for row, name in enumerate(shared):
        assert pairs.hypothesis(row).boundaries.tolist() == side[name]["h"].boundaries.tolist()
        wanted = ref[name][coder]
        assert np.array_equal(pairs.reference(row).boundaries, wanted.boundaries)
        assert pairs.reference(row).types in (wanted.types, None)
    coded = [name for name in ref if coder in ref[name]]
    assert made.without_hypothesis == [name for name in coded if name not in shared]
    assert set(made.without_reference) == {
        name for name in side if "h" in side[name] and name not in coded
    }


# ---- A corpus read in columns is the corpus that records make, and makes objects only when asked ----


def is_in_columns(corpus: ss.Corpus) -> bool:
    """Whether no document has become an object."""
    return not corpus._documents


def from_records(path: Path, **options: Any) -> ss.Corpus:
    """The corpus of a file as records make it."""
    return ss.Corpus.from_rows(read_jsonl(Source(path, path.stem, path.stem)), **options)


def outcome(read: Any) -> Any:
    try:
        return read()
    except ss.SegmentationError as error:
        return str(error)


def described(corpus: ss.Corpus) -> Any:
    """Everything that can be seen of a corpus, in its order."""
    return (
        repr(corpus), corpus.coder_scope, corpus.coders, list(corpus.groups.items()),
        corpus.n_codings, corpus.provenance, list(corpus), list(corpus.records()),
        corpus._repr_html_(),
        [
            (name, document.name, document.n_units, document.units, document.group, list(document.items()),
             list(document.kinds.items()), list(document.labels.items()), document.provenance, repr(document),
             {coder: hash(coding) for coder, coding in document.items()})
            for name, document in corpus.items()
        ],
    )  # fmt: skip


def check_same(corpus: ss.Corpus, expected: ss.Corpus) -> None:
    assert described(corpus) == described(expected)
    assert corpus == expected
    assert expected == corpus


def pickled(corpus: ss.Corpus) -> ss.Corpus:
    return pickle.loads(pickle.dumps(corpus))  # type: ignore[no-any-return]  # noqa: S301


def parts(corpus: ss.Corpus) -> list[Any]:
    """What `select` gives, for each document, coder, group and kind, and for some together."""
    coders, groups = corpus.coders, list(corpus.groups)
    found: list[Any] = [corpus.select(documents=[name]) for name in corpus]
    found += [corpus.select(coders=[name]) for name in coders]
    found += [corpus.select(groups=[name]) for name in groups]
    found += [corpus.select(kind=kind) for kind in ("person", "system")]
    found += [corpus.select(coders=coders[1:], documents=list(corpus)[:2], groups=groups[:1])]
    found += [corpus.select(coders=coders[::-1], documents=list(corpus)[::-1]), corpus.select()]
    return found


def chosen(corpus: ss.Corpus, **wanted: Any) -> list[Any]:
    """What `select` keeps, by a loop over records: document, coder and coding of each."""
    found: list[Any] = []
    for document in corpus.values():
        for record in document.records():
            asked = {
                "documents": record.document, "coders": record.coder, "groups": record.group,
                "kind": [record.kind],
            }  # fmt: skip
            fits = [
                value in wanted[name] if name != "kind" else wanted[name] in value
                for name, value in asked.items()
                if name in wanted
            ]
            if all(fits):
                found.append((record.document, record.coder, record.segmentation))
    return found


@given(corpora(frozenset(FEATURES)), st.data())
def test_select_keeps_what_a_loop_keeps(corpus: ss.Corpus, data: st.DataObject) -> None:
    conditions: dict[str, Any] = {
        "documents": list(corpus), "coders": list(corpus.coders), "groups": list(corpus.groups)
    }  # fmt: skip
    wanted: dict[str, Any] = {
        name: data.draw(st.lists(st.sampled_from(names), unique=True))
        for name, names in conditions.items()
        if names and data.draw(st.booleans())
    }
    if data.draw(st.booleans()):
        wanted["kind"] = data.draw(st.sampled_from(["person", "system"]))
    part = corpus.select(**wanted)
    kept = [(record.document, record.coder, record.segmentation) for record in part.records()]
    assert kept == chosen(corpus, **wanted)
    assert all(part[name].units == corpus[name].units for name in part)


# ---- right files ----


@settings(max_examples=2 * settings.default.max_examples)
@given(corpora(frozenset(FEATURES)), st.data())
def test_a_corpus_in_columns_is_the_one_of_its_records(
    corpus: ss.Corpus, data: st.DataObject
) -> None:
    records = data.draw(st.permutations(list(corpus.records())))
    ascii_only = data.draw(st.booleans())
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.jsonl"
        path.write_text(
            "\n".join(
                json.dumps(fields_from_record(record), ensure_ascii=ascii_only)
                for record in records
            ),
            "utf-8",
        )
        read = ss.read(path, "jsonl")
        expected = from_records(path)
        written = Path(folder) / "y.jsonl"
        ss.io.write(read, written)
        again = ss.read(written, "jsonl")
    assert is_in_columns(read)
    for part, other in zip(parts(read), parts(expected), strict=True):
        check_same(part, other)
    for variant in (copy.deepcopy(read), pickled(read), read):
        check_same(variant, expected)
    check_same(again, expected)
    details: Any = {
        "groups": dict.fromkeys(list(read)[:1], "g"),
        "kinds": dict.fromkeys(read.coders, "person"),
    }
    check_same(read.with_details(**details), expected.with_details(**details))


def test_several_files_and_files_that_name_no_coder(tmp_path: Path) -> None:
    for coder, mass in (("ann", 1), ("bob", 2)):
        (tmp_path / f"{coder}.jsonl").write_text(
            f'{{"document":"a","masses":[{mass},4],"n_units":{mass + 4}}}\n'
            f'{{"document":"b{mass}","masses":[3]}}\n'
            '{"document":"c","masses":[3,1],"coder":"bob"}\n'.replace("bob", f"x{mass}")
        )
    first, second = tmp_path / "ann.jsonl", tmp_path / "bob.jsonl"
    with pytest.raises(
        ss.SegmentationError, match="bob.jsonl, line 1: .* 6 units, where coder 'ann'"
    ):
        ss.read([first, second])
    second.write_text(
        second.read_text().replace('"masses":[2,4],"n_units":6', '"boundaries":[2],"n_units":5')
    )
    corpus = ss.read([first, second])
    assert is_in_columns(corpus)
    assert [(name, list(document)) for name, document in corpus.items()] == [
        ("a", ["ann", "bob"]),
        ("b1", ["ann"]),
        ("c", ["x1", "x2"]),
        ("b2", ["bob"]),
    ]
    assert corpus.coders == ("ann", "bob", "x1", "x2")
    assert corpus["a"]["bob"].masses.tolist() == [2, 3]
    assert ss.read(second, coder="me").coders == ("me", "x2")


# ---- wrong files ----

rows = st.fixed_dictionaries(
    {"document": st.sampled_from(["a", "b", "é"])},
    optional={
        "coder": st.sampled_from(["x", "y", 'q"']),
        "masses": st.sampled_from([[1, 2], [3], [1, 1, 1], [2], [0]]),
        "boundaries": st.sampled_from([[1], [], [2, 1]]),
        "n_units": st.sampled_from([3, 3, 3, 2]),
        "units": st.sampled_from([["s", "t", "é"], ["s", "t", "\\"], ["s"], [], ["s", "t", 1], ["s", "t", "\ud800"]]),
        "segment_labels": st.sampled_from([["l"], ["l", "\n"], ["l", "m", None], [["l", "m"]]]),
        "kind": st.sampled_from(["person", "system", "dog"]),
        "group": st.sampled_from(["g", "h", ""]),
        "coders": st.sampled_from(["global", "local"]),
        "types": st.sampled_from([["t"], []]),
    },
)  # fmt: skip
SAME = {"document": "a", "masses": [1, 2]}


def one_way(*more: dict[str, Any]) -> list[str]:
    return [json.dumps(SAME | row) for row in more]


@settings(max_examples=5 * settings.default.max_examples)
@given(
    st.lists(st.one_of(rows.map(json.dumps), st.just(""), st.just("{"), st.just('{"document":"a"}')),
             max_size=5),
    st.sampled_from([None, "global", "local"]),
)  # fmt: skip
@example(one_way({}, {}), None)
@example(one_way({}, {"coder": "y", "masses": [2]}), None)
@example(one_way({"units": ["a", "b", "c"]}, {"coder": "y", "units": ["a", "b", "d"]}), None)
@example(one_way({"group": "g"}, {"coder": "y", "group": "h"}), None)
@example(one_way({"kind": "person"}, {"document": "b", "kind": "system"}), None)
@example(one_way({"kind": "person"}, {"document": "b", "kind": "system"}), "local")
@example(one_way({"coders": "local"}, {"document": "b"}), None)
@example(one_way({"coders": "local"}, {"document": "b"}), "global")
@example(['{"document":"a","units":["s"]}', '{"document":"a","masses":[2]}'], None)
@example(['{"document":"a","masses":[2]}', '{"document":"a","units":["s"]}'], None)
@example(['{"document":"a","units":["s"]}', '{"document":"a","units":["\\u0073"]}'], None)
@example(['{"document":"a","masses":[1],"units":["\\ud83d\\ude00"]}'], None)
@example(['{"document":"a","masses":[1],"units":["\\ude00\\ud83d"]}'], None)
@example(['{"document":"a","masses":[1],"units":["\\x"]}'], None)
@example(['{"document":"\\u0061","coder":"\\"","masses":[1],"segment_labels":["\\t"]}'], None)
@example(['{"document":"a","masses":[1],"units":["\\ud800\\u0041"]}'], None)
@example(['{"document":"a","masses":[1],"units":["\\u12"]}'], None)
@example(['{"document":"a","masses":[1],"units":["a",]}'], None)
@example(['{"document":"a","masses":[1],"kind":"person "}'], None)
@example(['{"masses":[1]}'], None)
@example(['{"masses":[1]}', "", '{"document":"a","masses":[1]}', "{"], None)
@example(['{"document":"a","masses":[1]}', '{"masses":[1]}'], None)
def test_what_is_wrong_is_said_as_records_say_it(lines: list[str], coders: Any) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.jsonl"
        path.write_text("\n".join(lines), "utf-8")
        read = outcome(lambda: ss.read(path, "jsonl", coders=coders))
        expected = outcome(lambda: from_records(path, coders=coders))
    assert isinstance(read, str) == isinstance(expected, str)
    if isinstance(read, str):
        assert read == expected
    else:
        check_same(read, expected)
