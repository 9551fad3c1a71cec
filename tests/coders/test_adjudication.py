"""Adjudication: what the rule decides, and what gold keeps."""

import csv
import io
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles import places as oracle
from segscore.coders.gold import (
    AdjudicationCase,
    AdjudicationRule,
    adjudication_cases,
    check_gold_name,
    gold_ranks,
    not_adjudicated,
)
from segscore.coders.places import Place, contested, places_by_document

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
    assert cases(reject=0.25)[0].rulings == [None, 6, None]
    assert cases(reject=0.26)[0].rulings == [None, 6, "drop"]


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
            position: sum(position in cuts for cuts in marks.values())
            for position, _ in place.alternatives
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


N_UNITS = 40


def document(marks: oracle.Marks, n_units: int = N_UNITS, **details: object) -> ss.Document:
    codings = {
        coder: ss.Segmentation.from_boundaries(sorted(at), n_units) for coder, at in marks.items()
    }
    return ss.Corpus.from_dict({"d": codings}, **details)["d"]  # type: ignore[arg-type]


def places_of(document: ss.Document, within: int) -> list[Place]:
    return places_by_document(ss.Corpus.from_rows(document.records()), within)["d"]


def plain(place: Place) -> dict[int, list[str]]:
    return {position: list(coders) for position, coders in place.alternatives}


everyone = st.dictionaries(
    st.sampled_from("abcdef"), st.sets(st.integers(1, N_UNITS - 1), max_size=14), min_size=1
)


@given(everyone, st.integers(0, 6))
def test_places_are_what_the_rule_says(marks: oracle.Marks, within: int) -> None:
    found = [plain(place) for place in places_of(document(marks), within)]
    assert found == oracle.places(marks, within)


@given(everyone, st.integers(0, 3))
def test_contested_are_all_but_the_unanimous_in_the_order_told(
    marks: oracle.Marks, within: int
) -> None:
    found = contested(document(marks), 10_000, within)
    everything = places_of(document(marks), within)
    if len(marks) < 2:
        assert not found
        return
    n = len(marks)
    split = [one for one in everything if len(one.alternatives) > 1 or one.n_marks < n]
    assert sorted(found) == sorted(split)
    assert found.n_all == len(split)
    alone = [place for place in split if place.n_marks == 1 and len(marks) > 2]
    assert found.n_alone == len(alone) == sum(found.alone.values())
    last = len(split) - len(alone)
    assert [place.alone for place in found] == [index >= last for index in range(len(split))]
    for first, second in itertools.pairwise(found):
        if first.alone == second.alone:
            assert probability_of_one_answer(first) <= probability_of_one_answer(second) + 1e-12


def probability_of_one_answer(place: Place) -> float:
    """Two coders drawn with replacement: how often they say the same, position or nothing."""
    answers = [str(position) for position, coders in place.alternatives for _ in coders]
    answers += ["none"] * (place.n_coders - len(answers))
    same = sum(a == b for a, b in itertools.product(answers, repeat=2))
    return same / len(answers) ** 2


def test_a_boundary_that_half_see_a_unit_later_is_one_place() -> None:
    marks = {"a": {10}, "b": {10}, "c": {11}, "d": {11}, "e": {11}, "f": {30}}
    place, lonely = contested(document(marks))
    assert (place.where, place.position, place.n_marks) == ("10–11", 11, 5)
    assert place.marks == "10: a, b; 11: c, d, e"
    assert (lonely.marks, lonely.alone, lonely.share) == ("30: f", True, 1 / 6)
    assert [place.where for place in contested(document(marks), within=0)] == ["11", "10", "30"]


def test_a_coder_who_marks_every_unit_of_a_long_text() -> None:
    n = 60_000
    marks = {"dense": set(range(1, n)), "bob": {7, 300}}
    found = places_of(document(marks, n), 1)
    assert len(found) == n - 1  # linear; a cut at a time would look at 1.8 billion gaps


def test_the_table_and_csv_say_who() -> None:
    units = [f"Unit number {i}." for i in range(1, 13)]
    marks = {"ann": {4}, "bob": {5}, "cyd": {4, 9}}
    found = contested(document(marks, 12, units={"d": units}))
    rows = list(csv.DictReader(io.StringIO(found.render("csv"))))
    assert [(row["first"], row["last"], row["marks"]) for row in rows] == [
        ("4", "5", "4: ann, cyd; 5: bob"), ("9", "9", "9: cyd"),
    ]  # fmt: skip
    assert (rows[0]["position"], rows[0]["before"], rows[0]["after"]) == (
        "4", "Unit number 4.", "Unit number 5.",
    )  # fmt: skip


def test_names_that_are_local_are_not_added_up() -> None:
    people = {"a": cut([2, 8]), "b": cut([10]), "c": cut([10])}
    local = ss.Corpus.from_dict({"d": people, "e": people}, coders="local")
    found = ss.coders.contested(local)
    assert (found.n_alone, dict(found.alone)) == (2, {})
    shared = ss.coders.contested(ss.Corpus.from_dict({"d": people, "e": people}))
    assert dict(shared.alone) == {"a": 2}
