"""Segmentation: every constructor, what it refuses and how it says so."""

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from needs import needs
from strategies import segmentations

Seg = ss.Segmentation


@given(st.lists(st.one_of(st.integers(1, 9), st.integers(0, 2**64), st.booleans())))
def test_lists_of_masses_as_any_other_column(lengths: list[Any]) -> None:
    def outcome(given: Any) -> Any:
        try:
            made = Seg.from_masses(given)
        except ss.SegmentationError as error:
            return str(error)
        return made, hash(made), repr(made), pickle.dumps(made)

    assert outcome(lengths) == outcome(iter(lengths))  # plain lists have a way of their own


@given(segmentations())
def test_all_ways_of_writing_it_down_agree(one: ss.Segmentation) -> None:
    n, places, lengths = one.n_units, one.boundaries.tolist(), one.masses.tolist()
    flags = [int(p in places) for p in range(1, n)]
    ends = np.cumsum(lengths).tolist()
    assert Seg.from_masses(lengths) == one
    assert Seg.from_boundaries(reversed(places), n) == one
    assert Seg.from_boundaries(set(places), n) == one
    if n > 1:
        assert Seg.from_gaps(flags) == Seg.from_gaps("".join(map(str, flags))) == one
    for free in (0, 1):
        assert Seg.from_labels([*flags, free], marks="end") == one
        assert Seg.from_labels([free, *flags], marks="start") == one
    ids = [i % 2 for i, length in enumerate(lengths) for _ in range(length)]
    assert Seg.from_segment_ids(ids) == Seg.from_segment_ids([f"s{i}" for i in ids]) == one
    assert Seg.from_spans(zip([0, *ends], ends, strict=False)) == one


@pytest.mark.parametrize(
    "column",
    [
        [2, 3, 6],
        (2, 3, 6),
        np.array([2, 3, 6]),
        np.array([2, 3, 6], np.uint8),
        [np.int32(2), 3, np.int64(6)],
        iter([2, 3, 6]),
    ],
)
def test_columns_of_all_kinds(column: Any) -> None:
    assert Seg.from_masses(column).boundaries.tolist() == [2, 5]


@needs("dataframes")
def test_series() -> None:
    import pandas as pd
    import polars as pl

    for column in (pd.Series([2, 3, 6]), pd.Series([2, 3, 6], dtype="Int64"), pl.Series([2, 3, 6])):
        assert Seg.from_masses(column).boundaries.tolist() == [2, 5]
    assert Seg.from_labels(pl.Series([False, True, False]), "end") == Seg.from_masses([2, 1])
    with pytest.raises(ss.SegmentationError, match=r"masses\[1\] is missing"):
        Seg.from_masses(pd.Series([1, None], dtype="Int64"))
    ids = pd.Series([0, 0, 1, 1, -100, -100])
    assert Seg.from_segment_ids(ids, ignore_index=-100) == Seg.from_masses([2, 2])
    labels = pd.Series([0, 1, 0, 1, -100, -100])
    assert Seg.from_labels(labels, "end", ignore_index=-100) == Seg.from_masses([2, 2])


REFUSED = [
    (lambda: Seg.from_masses([]), "masses is empty"),
    (lambda: Seg.from_masses([2, 0, 3]), r"masses\[1\] is 0: expected segment lengths"),
    (lambda: Seg.from_masses([2, True]), r"masses\[1\] is True: expected"),
    (lambda: Seg.from_masses([2**53, 1]), r"masses\[1\] is 1: .* 2\*\*53 in all"),
    (lambda: Seg.from_masses(np.array([[1, 2]])), "masses has 2 dimensions"),
    (lambda: Seg.from_masses(np.array([2**63], np.uint64)), r"masses\[0\] is 9223372036854775808"),
    (lambda: Seg.from_masses("236"), r"masses is '236' \(str\)"),
    (lambda: Seg.from_masses({2, 3}), "masses is a set"),
    (lambda: Seg.from_boundaries([0], 5), "boundary 0.*outside.*5 units"),
    (lambda: Seg.from_boundaries([2, 3, 2], 5), "boundary 2 is listed twice"),
    (lambda: Seg.from_boundaries([2.0], 5), r"boundaries\[0\] is 2.0 \(float\)"),
    (lambda: Seg.from_boundaries([], 0), "n_units is 0"),
    (lambda: Seg.from_boundaries([], 2**53 + 1), "n_units is 9007199254740993"),
    (lambda: Seg.from_boundaries([2], 5, types=[]), "types.*list"),
    (lambda: Seg.from_boundaries([2], 5, types=[set()]), r"types\[0\] is set\(\)"),
    (lambda: Seg.from_boundaries([2], 5, types=[True]), r"types\[0\] is True"),
    (lambda: Seg.from_boundaries({2, 3}, 5, types=["a", "b"]), "boundaries is a set"),
    (lambda: Seg.from_boundaries([2, 3], 5, ranks=[1]), "ranks has 1: expected 2"),
    (lambda: Seg.from_boundaries([2, 3], 5, ranks=[1, 0]), r"ranks\[1\] is 0"),
    (lambda: Seg.from_boundaries([2], 5, candidates=[3]), "boundary 2.*not among"),
    (lambda: Seg.from_gaps("0120"), r"gaps\[2\] is '2'"),
    (lambda: Seg.from_gaps([0, 2]), r"gaps\[1\] is 2: expected symbols 0 or 1"),
    (lambda: Seg.from_labels([0, 1], "both"), "marks is 'both'"),
    (lambda: Seg.from_segment_ids([1, math.nan]), r"ids\[1\] is nan"),
    (lambda: Seg.from_segment_ids("aab"), "ids is 'aab'"),
    (lambda: Seg.from_spans([(1, 3)]), r"spans\[0\] is \(1, 3\)"),
    (lambda: Seg.from_spans([(0, 3), (4, 5)]), r"spans\[1\] is \(4, 5\).*\(3, end\)"),
    (lambda: Seg.from_spans([(0, 0)]), r"spans\[0\] is \(0, 0\)"),
    (lambda: Seg.from_masses([2, 3]).expand([1, 2]), "unit_lengths has 2: expected 5 lengths"),
    (lambda: Seg.from_masses([2]).expand([1, 0]), r"unit_lengths\[1\] is 0"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED)
def test_what_is_refused_and_how(make: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()


def test_types_and_ranks_follow_their_boundary() -> None:
    coding = Seg.from_boundaries(
        [8, 2, 5], 11, types=["b", {"a", "b"}, 3], ranks=[1, 3, 2], candidates=[9, 8, 5, 2]
    )
    assert coding.boundaries.tolist() == [2, 5, 8]
    assert coding.types == (frozenset({"a", "b"}), frozenset({3}), frozenset({"b"}))
    assert coding.ranks is not None
    assert coding.ranks.tolist() == [3, 2, 1]
    assert coding.candidates is not None
    assert coding.candidates.tolist() == [2, 5, 8, 9]
    back = coding.mirror()
    assert back.boundaries.tolist() == [3, 6, 9]
    assert back.types == coding.types[::-1]
    assert back.mirror() == coding


def test_equality_and_hash_cover_everything() -> None:
    plain = Seg.from_boundaries([2], 5)
    others = [
        Seg.from_boundaries([2], 6),
        Seg.from_boundaries([3], 5),
        Seg.from_boundaries([2], 5, types=["a"]),
        Seg.from_boundaries([2], 5, ranks=[1]),
        Seg.from_boundaries([2], 5, candidates=[2]),
    ]
    assert len({plain, *others, Seg.from_masses([2, 3])}) == 6
    assert plain != "a segmentation"


@given(segmentations())
def test_mirror_twice_is_identity(one: ss.Segmentation) -> None:
    assert one.mirror().mirror() == one
    assert one.mirror().masses.tolist() == one.masses.tolist()[::-1]


@given(segmentations(max_units=20), st.data())
def test_expand_keeps_the_segments(one: ss.Segmentation, data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.integers(1, 9), min_size=one.n_units, max_size=one.n_units))
    fine = one.expand(lengths)
    starts = np.concatenate(([0], np.cumsum(one.masses)))[:-1]
    assert fine.masses.tolist() == np.add.reduceat(lengths, starts).tolist()
    assert fine.candidates is not None
    assert fine.candidates.tolist() == np.cumsum(lengths)[:-1].tolist()
    assert one.expand(lengths, candidates=False).candidates is None


def test_expand_maps_candidates_ranks_and_types() -> None:
    coding = Seg.from_boundaries([2], 4, types=["a"], ranks=[2], candidates=[2, 3])
    fine = coding.expand([10, 1, 5, 2])
    assert fine == Seg.from_boundaries([11], 18, types=["a"], ranks=[2], candidates=[11, 16])


def test_nothing_can_be_changed() -> None:
    coding = Seg.from_boundaries([2], 5, ranks=[1], candidates=[2])
    for column in (coding.boundaries, coding.masses, coding.ranks, coding.candidates):
        assert column is not None
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 3
    with pytest.raises(AttributeError, match="does not change"):
        coding._n_units = 9
    with pytest.raises(AttributeError):
        coding.n_units = 9  # type: ignore[misc]
    with pytest.raises(AttributeError, match="does not change"):
        del coding._packed


def test_what_a_call_lacks_is_named_with_the_right_form() -> None:
    with pytest.raises(ss.SegmentationError, match=r"from_masses\(\[.*from_boundaries\(\["):
        Seg([2, 3])
    with pytest.raises(ss.SegmentationError, match=r"n_units is missing.*n_units=11"):
        Seg.from_boundaries([5])


def test_repr_shows_masses_shortened_when_long() -> None:
    assert repr(Seg.from_masses([2, 3, 6])) == "Segmentation(masses=[2, 3, 6])"
    assert len(repr(Seg.from_masses(range(1, 101)))) < 100


# ---- padding (issue 16, item 4) ----


@pytest.mark.parametrize("form", [list, np.array])
def test_padding_at_the_end_is_left_out_where_it_is_named(form: Any) -> None:
    ids, labels = form([0, 0, 1, 1, -100, -100]), form([0, 1, 0, 1, -100, -100])
    for make in (lambda **pad: Seg.from_segment_ids(ids, **pad),
                 lambda **pad: Seg.from_labels(labels, "end", **pad)):  # fmt: skip
        assert make(ignore_index=-100) == Seg.from_masses([2, 2])
        with pytest.raises(ss.SegmentationError, match=r"\[4\] is -100: .*ignore_index=-100"):
            make()
    assert Seg.from_segment_ids([5, 5, 0, 0], ignore_index=0).masses.tolist() == [2]
    assert Seg.from_labels("0101", "end", ignore_index=-100).n_units == 4


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([-100, 0, 1], r"\[0\] is -100.*ignore_index"),
        ([0, -100, 1, -100], r"\[1\] is -100.*ignore_index"),
        ([-100, -100], r"\[0\] is -100"),
        ([], "is empty"),
        ([0, -7], r"\[1\] is -7"),
    ],
)
def test_padding_stands_at_the_end_only(values: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match="ids.*" + message):
        ss.Segmentation.from_segment_ids(values, ignore_index=-100)
    with pytest.raises(ss.SegmentationError, match="labels.*" + message):
        ss.Segmentation.from_labels(values, "start", ignore_index=-100)
    for wrong in (1.5, "x", True):
        with pytest.raises(ss.SegmentationError, match="ignore_index is"):
            ss.Segmentation.from_segment_ids([1, 2], ignore_index=wrong)  # type: ignore[arg-type]


# ---- what is no column ----

NO_COLUMNS = [
    np.ma.array([2, 999999, 6], mask=[False, True, False]),
    np.array(5),
    np.array([2, 3, 6], "m8[ns]"),
    5,
    None,
    list,
    type("Odd", (), {"__iter__": lambda self: 5})(),
]
CONSTRUCTORS: dict[str, Any] = {
    "masses": Seg.from_masses,
    "boundaries": lambda value: Seg.from_boundaries(value, n_units=10**7),
    "candidates": lambda value: Seg.from_boundaries(
        [2], n_units=10**7, candidates=0 if value is None else value
    ),
    "ranks": lambda value: Seg.from_boundaries(
        [2, 3, 6], n_units=10, ranks=5 if value is None else value
    ),
    "types": lambda value: Seg.from_boundaries(
        [2, 3, 6], n_units=10, types=5 if value is None else value
    ),
    "gaps": Seg.from_gaps,
    "labels": lambda value: Seg.from_labels(value, marks="end"),
    "ids": Seg.from_segment_ids,
    "spans": Seg.from_spans,
    "unit_lengths": Seg.from_masses([3]).expand,
    "n_units": lambda value: Seg.from_boundaries([1], n_units=value),
}


@pytest.mark.parametrize("what", CONSTRUCTORS)
@pytest.mark.parametrize("value", NO_COLUMNS, ids=lambda value: type(value).__name__)
def test_what_is_no_list_of_numbers(what: str, value: Any) -> None:
    """A masked array showed what is under its mask; spans of time passed for numbers."""
    one_number = type(value) is int or (type(value) is np.ndarray and value.dtype.kind == "i")
    if what == "n_units" and one_number:
        return  # a number is what it should be
    with pytest.raises(ss.SegmentationError, match=what):
        CONSTRUCTORS[what](value)


def test_a_segmentation_keeps_its_own_memory() -> None:
    given = np.array([2, 5])
    flags = np.array([False, True, False])
    coding, other = Seg.from_boundaries(given, n_units=11), Seg.from_gaps(flags)
    given[:] = 9
    flags[:] = True
    assert coding.boundaries.tolist() == [2, 5]
    assert other.boundaries.tolist() == [2]


# ---- labels of segments ----

LABELLED = Seg.from_masses([2, 3, 6], segment_labels=["intro", None, {"x", "y"}])


def test_each_constructor_takes_labels_of_segments() -> None:
    labels = ["intro", None, ["y", "x"]]
    assert LABELLED.segment_labels == ("intro", None, frozenset("xy"))
    for made in (
        Seg.from_boundaries([5, 2], n_units=11, segment_labels=labels),
        Seg.from_gaps("0100100000", segment_labels=labels),
        Seg.from_labels("01001000000", marks="end", segment_labels=labels),
        Seg.from_segment_ids([1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1], segment_labels=labels),
        Seg.from_spans([(0, 2), (2, 5), (5, 11)], segment_labels=labels),
        Seg.from_masses([2, 3, 6]).with_segment_labels(labels),
    ):
        assert made == LABELLED
        assert hash(made) == hash(LABELLED)


def test_labels_are_part_of_what_a_segmentation_is() -> None:
    plain = Seg.from_masses([2, 3, 6])
    assert plain.segment_labels is None
    assert plain != LABELLED
    assert LABELLED.with_segment_labels(None) == plain
    assert LABELLED.with_segment_labels(["intro", None, "x"]) != LABELLED
    assert LABELLED.mirror().segment_labels == (frozenset("xy"), None, "intro")
    assert LABELLED.expand([2] * 11).segment_labels == LABELLED.segment_labels
    assert copy.deepcopy(LABELLED) == LABELLED
    assert repr(LABELLED) == (
        "Segmentation(masses=[2, 3, 6], segment_labels=['intro', None, ['x', 'y']])"
    )


def test_one_label_is_one_label_however_it_is_given() -> None:
    coding = Seg.from_masses([1, 1], segment_labels=["a", None])
    assert Seg.from_masses([1, 1], segment_labels=[{"a"}, []]) == coding
    assert Seg.from_masses([1, 1], segment_labels=np.array(["a", None], object)) == coding


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("ab", "segment_labels is 'ab'"),
        ({"a", "b"}, "2.*per segment"),
        (["a"], "segment_labels has 1"),
        (["a", ""], r"segment_labels\[1\]"),
        (["a", ["b", "b"]], "list of distinct texts"),
        (["a", float("nan")], "expected a text"),
    ],
)
def test_wrong_labels_are_refused(labels: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        Seg.from_masses([1, 1], segment_labels=labels)
