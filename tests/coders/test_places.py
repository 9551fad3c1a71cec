"""Places against the rule taken word by word, and which of them are contested, in which order."""

import csv
import io
import itertools

from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles import places as oracle
from segscore.coders.places import Place, contested, places_by_document

cut = ss.Segmentation.from_masses
UNITS = 40


def document(marks: oracle.Marks, n_units: int = UNITS, **details: object) -> ss.Document:
    codings = {
        coder: ss.Segmentation.from_boundaries(sorted(at), n_units) for coder, at in marks.items()
    }
    return ss.Corpus.from_dict({"d": codings}, **details)["d"]  # type: ignore[arg-type]


def places_of(document: ss.Document, within: int) -> list[Place]:
    return places_by_document(ss.Corpus.from_rows(document.records()), within)["d"]


def plain(place: Place) -> dict[int, list[str]]:
    return {alternative.position: list(alternative.coders) for alternative in place.alternatives}


everyone = st.dictionaries(
    st.sampled_from("abcdef"), st.sets(st.integers(1, UNITS - 1), max_size=14), min_size=1
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
    answers = [
        str(alternative.position) for alternative in place.alternatives for _ in alternative.coders
    ]
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
