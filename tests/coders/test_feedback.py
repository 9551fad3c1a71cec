"""Feedback for one person: counts, places, habits, documents of one's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from remarks import each_matches
from segscore.coders.person_feedback import Feedback, feedback_for_each, people_table
from strategies import pairs, places

cut = ss.Segmentation.from_masses


def judged(gold: ss.Segmentation, person: ss.Segmentation, n_t: int = 2) -> Feedback:
    return ss.coders.feedback({"d": gold}, {"d": person}, n_t=n_t)


@given(pairs(), st.integers(1, 4))
def test_counts_are_those_of_the_edits(
    pair: tuple[ss.Segmentation, ss.Segmentation], n_t: int
) -> None:
    gold, person = pair
    found = judged(gold, person, n_t)
    assert found.counts["match"] == len(places(gold) & places(person))
    edits = ss.boundary_edits(gold, person, n_t=n_t)
    assert found.near == len(edits.transpositions)
    assert found.n_reference == len(gold.boundaries)
    assert found.n_marked == len(person.boundaries)
    near = [place.distance for place in found.places if place.verdict in ("earlier", "later")]
    assert all(distance is not None and 0 < abs(distance) < n_t for distance in near)
    assert sum(distance is not None and distance > 0 for distance in near) == found.counts["later"]
    marked = [place.marked for place in found.places if place.marked is not None]
    meant = [place.reference for place in found.places if place.reference is not None]
    assert sorted(marked) == sorted(places(person))
    assert sorted(meant) == sorted(places(gold))


def test_someone_who_marks_one_unit_late() -> None:
    gold = cut([10] * 20)
    late = ss.Segmentation.from_boundaries([p + 1 for p in gold.boundaries.tolist()], 200)
    found = judged(gold, late)
    assert found.counts == {"match": 0, "earlier": 0, "later": 19, "missed": 0, "extra": 0}
    assert found.habit == "one unit late in 100 % of near misses"
    assert "19 are near misses (0 earlier, 19 later)" in found.reading
    assert judged(late, gold).habit == "one unit early in 100 % of near misses"
    assert judged(gold, late, n_t=1).counts["missed"] == 19
    assert judged(gold, late, n_t=1).habit == ""


def test_a_habit_that_may_be_chance_is_called_so() -> None:
    gold = cut([10] * 11)
    positions = [p + (1 if i < 6 else -1) for i, p in enumerate(gold.boundaries.tolist())]
    found = judged(gold, ss.Segmentation.from_boundaries(positions, 110))
    assert found.habit == "one unit late in 60 % of near misses (may be chance)"
    even = [p + (1 if i < 5 else -1) for i, p in enumerate(gold.boundaries.tolist())]
    assert judged(gold, ss.Segmentation.from_boundaries(even, 110)).habit == (
        "5 near misses are early, 5 late"
    )
    for n, says in ((5, False), (6, True)):  # four near misses say nothing
        few = cut([10] * n)
        shifted = ss.Segmentation.from_boundaries(few.boundaries + 1, 10 * n)
        assert bool(judged(few, shifted).habit) is says


def test_someone_who_marks_twice_as_many() -> None:
    gold = cut([10] * 20)
    dense = ss.Segmentation.from_boundaries(
        sorted({*gold.boundaries.tolist(), *range(5, 200, 10)}), 200
    )
    assert judged(gold, dense).habit == "2.1 times as many boundaries as the reference (39 for 19)"
    assert judged(dense, gold).habit == "0.5 times as many boundaries as the reference (19 for 39)"
    missing = ss.Segmentation.from_boundaries(gold.boundaries.tolist()[5:], 200)
    assert judged(gold, missing).habit == ""  # five of nineteen may be chance
    many = cut([10] * 100)
    fewer = ss.Segmentation.from_boundaries(many.boundaries.tolist()[9:], 1000)
    assert judged(many, fewer).habit == ""  # nine are no chance, and a tenth is no habit


PEOPLE = ss.Corpus.from_dict({
    "one": {"ann": cut([4, 6]), "bob": cut([5, 5])},
    "two": {"bob": cut([2, 3])},
    "three": {"cyd": cut([3, 4])},
    "other": {"cyd": cut([1, 1])},
})  # fmt: skip
GOLD = ss.Corpus.from_dict(
    {"one": {"gold": cut([4, 6])}, "two": {"gold": cut([2, 1, 2])}, "three": {"gold": cut([3, 4])}},
    units={"one": [f"Unit {i}." for i in range(1, 11)]},
)


def test_each_person_is_judged_on_their_own_documents() -> None:
    ann, bob, cyd = feedback_for_each(GOLD, PEOPLE)
    assert (ann.coder, len(ann.documents), ann.uncoded) == ("ann", 1, ("two", "three"))
    assert ann.counts["missed"] == 0
    assert bob.counts == {"match": 1, "earlier": 0, "later": 1, "missed": 1, "extra": 0}
    assert cyd.unjudged == ("other",)
    assert any("coded, and without a reference: 1 document, 'other'" in note for note in cyd.notes)
    assert [row["document"] for row in bob.records()] == ["one", "two", "all"]
    assert [row["verdict"] for row in bob.places_table().records()] == ["later", "missed"]
    assert [row["missed"] for row in people_table([ann, bob]).records()] == [0, 1]
    later = next(place for place in bob.places if place.verdict == "later")
    assert (later.reference, later.marked) == (4, 5)
    assert (later.before, later.after) == ("Unit 4.", "Unit 5.")


def test_one_person_is_to_be_chosen_of_several() -> None:
    with pytest.raises(ss.SegmentationError, match="3 people, 'ann', 'bob', 'cyd': expected one"):
        ss.coders.feedback(GOLD, PEOPLE)
    assert ss.coders.feedback(GOLD, PEOPLE, coder="bob").coder == "bob"


def test_one_file_may_hold_both_sides() -> None:
    both = ss.Corpus.from_dict(
        {"one": {"gold": cut([4, 6]), "ann": cut([3, 7]), "bob": cut([4, 6])}}
    )
    found = feedback_for_each(both, reference="gold")
    assert [(person.coder, person.counts["match"]) for person in found] == [("ann", 0), ("bob", 1)]
    by_vote = ss.coders.feedback(both, reference="consensus:0.5", coder="ann")
    assert by_vote.counts["earlier"] == 1


def test_wrong_input_is_named() -> None:
    with pytest.raises(ss.SegmentationError, match="document 'one': 10 units .* 11 units"):
        ss.coders.feedback(GOLD, {"one": cut([5, 6])})
    with pytest.raises(ss.SegmentationError, match="no document in common"):
        ss.coders.feedback(GOLD, {"elsewhere": cut([5, 6])})
    with pytest.raises(ss.SegmentationError, match="n_t"):
        ss.coders.feedback(GOLD, PEOPLE, coder="ann", n_t=0)
    two = ss.Corpus.from_dict({"one": {"a": cut([4, 6]), "b": cut([5, 5])}})
    with pytest.raises(ss.SegmentationError, match="has 2 codings"):
        ss.coders.feedback(two, {"one": cut([5, 5])})


def test_who_has_nothing_in_common_is_left_out_and_told() -> None:
    people = ss.Corpus.from_dict({"one": {"ann": cut([4, 6])}, "else": {"eve": cut([4, 6])}})
    remarks: list[str] = []
    found = feedback_for_each(GOLD, people, remark=remarks.append)
    assert [person.coder for person in found] == ["ann"]
    assert each_matches(remarks, "document in common.*'eve'")


def test_types_of_boundaries_are_not_compared() -> None:
    gold = ss.Segmentation.from_boundaries([3, 6], 10, types=["a", "b"])
    assert judged(gold, ss.Segmentation.from_boundaries([3, 7], 10)).counts["later"] == 1
    other = ss.Segmentation.from_boundaries([3, 6], 10, types=["b", "b"])
    assert judged(gold, other).counts["match"] == 2


def test_gold_is_nobody() -> None:
    codings = {"one": {"ann": cut([4, 6]), "bob": cut([5, 5]), "gold": cut([4, 6])}}
    both = ss.Corpus.from_dict(codings, kinds={"gold": "consensus"})
    assert [person.coder for person in feedback_for_each(GOLD, both)] == ["ann", "bob"]
    alone = both.select(coders=["gold"])
    with pytest.raises(ss.SegmentationError, match="holds nobody to judge"):
        ss.coders.feedback(GOLD, alone)
    assert [person.coder for person in feedback_for_each(both, reference="gold")] == ["ann", "bob"]


@given(
    st.lists(st.lists(st.sets(st.integers(1, 29)), min_size=2, max_size=4), min_size=1, max_size=4)
)
def test_mirrored_texts_give_mirrored_habits(documents: list[list[set[int]]]) -> None:
    """Ties of the consensus, and between two boundaries, have no direction."""

    def habits(mirrored: bool) -> list[list[int]]:
        corpus = ss.Corpus.from_dict({
            f"d{i}": {
                f"c{j}": ss.Segmentation.from_boundaries([30 - p if mirrored else p for p in marks], 30)
                for j, marks in enumerate(codings)
            }
            for i, codings in enumerate(documents)
        })  # fmt: skip
        found = feedback_for_each(corpus, reference="consensus:0.5:1")
        return [
            sorted(p.distance for p in person.places if p.distance and not p.tied)
            for person in found
        ]

    assert habits(True) == [[-d for d in reversed(person)] for person in habits(False)]
