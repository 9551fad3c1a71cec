"""Adjudication: what the rule decides, and what gold keeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.coders.gold import (
    AdjudicationCase,
    AdjudicationRule,
    adjudication_cases,
    check_gold_name,
    gold_ranks,
    not_adjudicated,
)

cut = ss.Segmentation.from_masses
mark = ss.Segmentation.from_boundaries
UNITS = [f"Sentence {i}." for i in range(1, 11)]
PEOPLE = {
    "ann": cut([2, 4, 2, 2]), "bob": cut([3, 3, 4]), "cyd": cut([6, 4]), "dee": cut([2, 4, 4]),
}  # fmt: skip


def corpus() -> ss.Corpus:
    codings = {"d": {**PEOPLE, "c99": cut([1, 9]), "old": cut([5, 5])}, "e": {"ann": cut([2, 1])}}
    return ss.Corpus.from_dict(
        codings, kinds={"c99": "system", "old": "consensus"}, groups={"d": "news"}
    ).with_details(units={"d": UNITS})


def cases(**rule: float) -> list[AdjudicationCase]:
    return adjudication_cases(corpus(), AdjudicationRule(**rule))  # type: ignore[arg-type]


def test_places_are_decided_by_the_rule_or_wait() -> None:
    found, other = cases()
    assert [place.marks for place in found.places] == [
        "2: ann, dee; 3: bob", "6: ann, bob, cyd, dee", "8: ann",
    ]  # fmt: skip
    assert list(found.document) == ["ann", "bob", "cyd", "dee"]  # no system, no consensus
    assert found.rulings == [None, 6, None]
    assert other.rulings == [2]  # one coder is unanimous


@given(
    st.dictionaries(st.sampled_from("abcde"), st.sets(st.integers(1, 14)), min_size=1, max_size=5),
    st.sampled_from([0.2, 0.34, 0.5, 0.67, 0.8, 1.0]),
    st.sampled_from([0.0, 0.2, 0.34, 0.5, 0.67, 1.0]),
    st.integers(0, 3),
)
def test_rulings_by_the_letter(
    marks: dict[str, set[int]], accept: float, reject: float, within: int
) -> None:
    """The rule accepts a position that enough coders mark, more than mark any other of its place;
    it drops a place that too few mark."""
    if reject > accept:
        return
    people = {name: mark(sorted(positions), 15) for name, positions in marks.items()}
    rule = AdjudicationRule(within, accept, reject)
    (found,) = adjudication_cases(ss.Corpus.from_dict({"d": people}), rule)
    for place, ruling in zip(found.places, found.rulings, strict=True):
        votes = {
            alternative.position: sum(alternative.position in cuts for cuts in marks.values())
            for alternative in place.alternatives
        }
        most = max(votes.values())
        top = [position for position, n in votes.items() if n == most]
        if len(top) == 1 and most / len(people) >= accept - 1e-9:
            assert ruling == top[0]
        elif sum(votes.values()) / len(people) < reject - 1e-9:
            assert ruling == "drop"
        else:
            assert ruling is None


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"accept": 0}, "accept is 0"),
        ({"accept": 1.5}, "accept is 1.5"),
        ({"reject": -1}, "reject is -1"),
        ({"accept": 0.5, "reject": 0.6}, "accept is 0.5 and reject 0.6"),
        ({"within": -1}, "within is -1"),
    ],
)
def test_wrong_rules(wrong: dict[str, float], words: str) -> None:
    with pytest.raises(ss.SegmentationError, match=words):
        AdjudicationRule(**wrong)  # type: ignore[arg-type]


# ---- gold ----


def test_ranks_are_the_median_of_those_who_mark() -> None:
    people = {
        "a": mark([2, 6], 9, ranks=[1, 2]), "b": mark([2, 6], 9, ranks=[3, 2]),
        "c": mark([2], 9, ranks=[4]), "d": mark([3], 9, ranks=[1]),
    }  # fmt: skip
    assert gold_ranks(ss.Corpus.from_dict({"x": people})["x"]) == ({2: 3, 3: 1, 6: 2}, 4)


def test_what_gold_does_not_keep() -> None:
    plain, typed = mark([2], 5), mark([2], 5, types=["a"])
    ranked, labelled = mark([2], 5, ranks=[1]), cut([2, 3], segment_labels=["A", "B"])
    found = adjudication_cases(
        ss.Corpus.from_dict(
            {"x": {"a": typed, "b": plain}, "y": {"a": ranked, "b": labelled}, "z": {"a": plain}}
        ),
        AdjudicationRule(),
    )
    assert not_adjudicated(found) == [
        "gold has no types of boundaries, which are not adjudicated; people gave some in 'x'",
        "gold has no labels of segments, which are not adjudicated; people gave some in 'y'",
        "gold has no ranks in 'y': not everyone who coded it gave ranks",
    ]


def test_gold_has_a_name_of_its_own() -> None:
    with pytest.raises(ss.SegmentationError, match="coder is 'ann'.*document 'd'"):
        check_gold_name("ann", cases())
