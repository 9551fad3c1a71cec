"""Labels of people: α against the coincidence matrix and `krippendorff`, use, confusion, spellings."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles import agreement as oracle
from segscore.coders.nominal import folded_label

Coded = dict[str, tuple[list[int], list[str | None]]]  # masses and labels


@st.composite
def labelled(draw: st.DrawFn) -> Coded:
    n = 12
    found: Coded = {}
    for coder in draw(st.lists(st.sampled_from("abcd"), min_size=2, unique=True)):
        marks = sorted(draw(st.sets(st.sampled_from([3, 6, 9]), max_size=3)))
        masses = np.diff([0, *marks, n]).tolist()
        label = st.sampled_from(["x", "y", "z", None])
        found[coder] = masses, draw(st.lists(label, min_size=len(masses), max_size=len(masses)))
    return found


def corpus(*documents: Coded, **options: Any) -> ss.Corpus:
    return ss.Corpus.from_dict(
        {
            f"d{i}": {
                coder: ss.Segmentation.from_masses(masses, segment_labels=labels)
                for coder, (masses, labels) in document.items()
            }
            for i, document in enumerate(documents)
        },
        **options,
    )


def spans(coded: Coded) -> dict[str, list[tuple[int, int, str | None]]]:
    found = {}
    for coder, (masses, labels) in coded.items():
        ends = [0, *np.cumsum(masses).tolist()]
        found[coder] = list(zip(ends, ends[1:], labels, strict=False))
    return found


@given(st.lists(labelled(), min_size=1, max_size=3))
def test_alpha_is_that_of_the_coincidences(documents: list[Coded]) -> None:
    held = corpus(*documents)
    givers = {c for document in documents for c, (_, labels) in document.items() if any(labels)}
    if len(givers) < 2:
        with pytest.raises(ss.SegmentationError, match="expected two or more"):
            ss.coders.label_reliability(held)
        return
    found = ss.coders.label_reliability(held, n_resamples=20)
    items = [item for document in documents for item in oracle.agreed(spans(document))]
    assert found.whole.n_segments == len(items)
    assert found.alpha == pytest.approx(oracle.label_alpha(items), nan_ok=True)
    assert sum(found.confusion.values()) == found.whole.n_pairs
    same = sum(number for (label, other), number in found.confusion.items() if label == other)
    assert same == found.whole.n_same
    total = sum(sum(counts.values()) for counts in found.use.values())
    given_labels = [labels for document in documents for _, labels in document.values()]
    assert total == sum(label is not None for labels in given_labels for label in labels)


def test_alpha_is_what_krippendorff_computes() -> None:
    krippendorff = pytest.importorskip("krippendorff")
    rng = np.random.default_rng(4)
    names = np.array(["a", "b", "c"])
    codes = rng.integers(0, 3, (4, 30))
    codes[:2] = codes[0]
    people = {f"coder {i}": ([1] * 30, names[row].tolist()) for i, row in enumerate(codes)}
    found = ss.coders.label_reliability(corpus(people))
    theirs = krippendorff.alpha(codes, level_of_measurement="nominal")
    assert found.alpha == pytest.approx(theirs, abs=1e-12)


def test_coders_who_share_no_label_are_told_with_what_may_be_meant() -> None:
    usual = ([3, 3, 6], ["dialogue", "narration", "narration"])
    odd = ([3, 3, 6], ["Dialog", "Récit", "Narratión "])
    found = ss.coders.label_reliability(corpus({"ann": usual, "bob": odd, "cyd": usual}))
    assert list(found.shares_none) == ["bob"]
    assert found.suggestions == (
        ("bob", "Dialog", "dialogue", "spelling"),
        ("bob", "Narratión ", "narration", "spelling"),
    )
    words = " ".join(str(found).split())
    assert "coder 'bob' shares no label with the others: Dialog" in words
    assert "Dialog=dialogue (bob)" in words


def test_labels_on_the_same_segments_are_offered_where_nothing_is_shared() -> None:
    usual = ([3, 3, 3, 3], ["narration"] * 3 + ["dialogue"])
    odd = ([3, 3, 3, 3], ["Récit"] * 3 + ["talk"])
    found = ss.coders.label_reliability(corpus({"ann": usual, "bob": odd, "cyd": usual}))
    bob = [suggestion for suggestion in found.suggestions if suggestion[0] == "bob"]
    assert bob == [("bob", "Récit", "narration", "segments")]  # one segment says little of "talk"
    assert "by the segments they label: Récit=narration (bob)" in " ".join(str(found).split())


def test_who_uses_both_labels_tells_them_apart() -> None:
    usual = ([3] * 6, ["narration"] * 6)
    both = ([3] * 6, ["scene"] * 5 + ["narration"])
    found = ss.coders.label_reliability(corpus({"ann": usual, "bob": both, "cyd": usual}))
    assert found.suggestions == ()
    many = ([3] * 21, ["scene"] * 20 + ["narration"])  # a slip in 20
    found = ss.coders.label_reliability(
        corpus({"ann": ([3] * 21, ["narration"] * 21), "bob": many})
    )
    assert found.suggestions == (("bob", "scene", "narration", "segments"),)


def test_of_two_spellings_the_rarer_is_to_be_renamed_and_only_it() -> None:
    ann = ([3, 9], ["dialogue", "dialogue"])
    bob = ([3, 9], ["dialog", "narration"])
    found = ss.coders.label_reliability(corpus({"ann": ann, "bob": bob}))
    assert found.suggestions == (("bob", "dialog", "dialogue", "spelling"),)
    equal = ss.coders.label_reliability(
        corpus({"ann": ([12], ["Dialog"]), "bob": ([12], ["dialog"])})
    )
    assert len(equal.suggestions) == 1


def test_several_labels_of_a_segment_are_one_together() -> None:
    found = ss.coders.label_reliability(
        corpus({"ann": ([3, 9], [{"b", "a"}, "c"]), "bob": ([3, 9], [{"a", "b"}, "a"])})  # type: ignore[list-item]
    )
    assert found.confusion == {("a + b", "a + b"): 1, ("a", "c"): 1}


def test_a_consensus_and_local_names() -> None:
    same = ([3, 9], ["x", "y"])
    people = {"ann": same, "bob": same, "gold": ([3, 9], ["x", "x"])}
    found = ss.coders.label_reliability(corpus(people, kinds={"gold": "consensus"}))
    assert list(found.use) == ["ann", "bob"]
    local = ss.coders.label_reliability(corpus(people, people, coders="local"))
    assert "d0: ann" in local.use


def test_an_interval_needs_five_documents() -> None:
    document = {"ann": ([3, 9], ["x", "y"]), "bob": ([3, 9], ["x", "y"])}
    other = {"ann": ([3, 9], ["x", "y"]), "bob": ([3, 9], ["y", "y"])}
    few = ss.coders.label_reliability(corpus(*[document, other] * 2))
    assert "4 documents" in few.ci.method
    many = ss.coders.label_reliability(corpus(*[document, other] * 4), n_resamples=500)
    assert many.ci.low < many.alpha < many.ci.high


@given(st.text())
def test_folding_twice_changes_nothing(label: str) -> None:
    assert folded_label(folded_label(label)) == folded_label(label)
