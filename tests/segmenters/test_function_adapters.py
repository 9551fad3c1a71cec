"""Foreign segmenters, baselines and people behind the one contract."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.segmenters import (
    SEGMENTERS,
    Bisect,
    Everything,
    FromBoundaries,
    FromChunks,
    FromEnds,
    FromFlags,
    FromGroups,
    FromIds,
    FromMasses,
    FromStarts,
    Human,
    Nothing,
    Random,
    Uniform,
    as_segmenter,
)
from segscore.text.chunk_placing import PlacementWarning
from strategies import segmentations

UNITS = ["One two.", "Three four.", "Five.", "Six seven eight.", "Nine."]


@given(segmentations(max_units=30))
def test_every_form_of_one_segmentation(segmentation: ss.Segmentation) -> None:
    units = [f"unit {i} ends here." for i in range(segmentation.n_units)]
    ends = [*segmentation.boundaries.tolist(), segmentation.n_units]
    flags = [int(i in ends) for i in range(1, segmentation.n_units + 1)]
    starts = [1, *flags[:-1]]
    chunks = ["\n".join(units[a:b]) for a, b in zip([0, *ends], ends, strict=False)]
    assert FromMasses(lambda units: segmentation.masses)(units) == segmentation
    assert FromEnds(lambda units: ends)(units) == segmentation
    assert FromStarts(lambda units: [0, *ends[:-1]])(units) == segmentation
    assert FromBoundaries(lambda units: ends[:-1])(units) == segmentation
    assert FromIds(lambda units: np.cumsum(starts).tolist())(units) == segmentation
    groups = [units[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    assert FromGroups(lambda units: [*groups, []])(units) == segmentation
    assert FromFlags(lambda units: flags, marks="end")(units) == segmentation
    assert FromFlags(lambda units: starts, marks="start")(units) == segmentation
    assert FromChunks(lambda text: chunks)(units) == segmentation
    assert as_segmenter(lambda units: segmentation)(units) == segmentation


@pytest.mark.parametrize(
    ("segmenter", "message"),
    [
        (FromMasses(lambda units: [2, 2]), "covers 4 units: expected 5"),
        (FromMasses(lambda units: [5.0]), r"masses\[0\] is 5.0"),
        (FromEnds(lambda units: [2, 4]), "last end is 4"),
        (FromEnds(lambda units: []), "last end is missing"),
        (FromEnds(lambda units: [3, 2, 5]), None),
        (FromFlags(lambda units: [0, 1], marks="end"), "covers 2 units"),
        (FromBoundaries(lambda units: [2, 5]), "5"),
        (FromStarts(lambda units: [1, 3]), "first start is 1"),
        (FromStarts(lambda units: []), "first start is missing"),
        (FromStarts(lambda units: None), "starts is None"),
        (FromIds(lambda units: ["a", "b"]), "covers 2 units"),
        (FromIds(lambda units: [0, 0, -1, 1, 1]), "-1"),
        (FromGroups(lambda units: [units[:2], units[3:]]), "groups: unit 2 is 'Six seven eight.'"),
        (FromGroups(lambda units: [units[:2]]), "covers 2 units: expected 5"),
        (FromGroups(lambda units: units), r"groups\[0\] is 'One two.'"),
        (FromGroups(lambda units: 5), "groups is 5"),
        (FromChunks(lambda text: text), "expected"),
        (FromChunks(lambda text: [1.5]), "chunks"),
        (FromChunks(lambda text: ["One", "Zero"]), "chunks: .*'Zero'"),
        (FromChunks(lambda text: [text[:3], text[3:]], inside="error"), "starts at 3"),
        (as_segmenter(lambda units: [2, 3]), "Segmentation.*masses"),
    ],
)
def test_results_that_do_not_fit(segmenter: Any, message: str | None) -> None:
    if message is None:  # ends in any order are still positions
        assert segmenter(UNITS).masses.tolist() == [2, 1, 2]
        return
    with pytest.raises(ss.SegmentationError, match=message):
        segmenter(UNITS)


def test_chunks_of_splitters() -> None:
    documents = [
        SimpleNamespace(page_content="One two.\nThree four."),
        SimpleNamespace(text="Five. Six"),
    ]
    split = FromChunks(lambda text: [*documents, "seven eight.", "Nine."])
    with pytest.warns(PlacementWarning, match="1 change"):
        found = split(UNITS)
    assert found.boundaries.tolist() == [
        2,
        3,
        4,
    ]  # "seven" starts inside unit 4, near its start
    assert FromChunks(lambda text: [text])(UNITS).n_segments == 1
    with pytest.raises(ss.SegmentationError, match="inside is 'left'"):
        FromChunks(lambda text: [text], inside="left")  # type: ignore[arg-type]
    marked = FromChunks(lambda text: text.split(" // "), separator=" // ")
    assert marked(UNITS).n_segments == len(UNITS)


def test_the_number_of_segments_goes_through_or_is_refused() -> None:
    segmenter = FromMasses(
        lambda units, n_segments: [len(units) - n_segments + 1] + [1] * (n_segments - 1)
    )
    assert segmenter(UNITS, 3).masses.tolist() == [3, 1, 1]
    with pytest.raises(ss.SegmentationError, match="has no parameter n_segments"):
        FromMasses(lambda units: [len(units)])(UNITS, 2)
    with pytest.raises(ss.SegmentationError, match="has 2 segments: expected 3"):
        FromMasses(lambda units, n_segments: [2, 3])(UNITS, 3)


def test_own_segmenters_stay_what_they_are() -> None:
    uniform = Uniform()
    assert as_segmenter(uniform) is uniform
    with pytest.raises(ss.SegmentationError, match="function is 5"):
        as_segmenter(5)  # type: ignore[arg-type]


# ---- baselines ----


def test_baselines() -> None:
    assert Nothing()(UNITS).n_segments == Nothing()(UNITS, 1).n_segments == 1
    assert Everything()(UNITS).n_segments == Everything()(UNITS, 5).n_segments == 5
    for segmenter, number in ((Nothing(), 3), (Everything(), 3), (Everything(), 1)):
        with pytest.raises(ss.SegmentationError, match=f"n_segments is {number}, but .* always"):
            segmenter(UNITS, number)
    assert Uniform()(UNITS, 2) == ss.baselines.uniform(5, 2)
    assert Bisect()(UNITS) == ss.baselines.bisect(5)
    halves = Bisect()(UNITS, 3)
    assert (halves.boundaries.tolist(), halves.ranks.tolist()) == ([2, 3], [2, 1])  # type: ignore[union-attr]
    for segmenter in (Uniform(), Random()):
        with pytest.raises(ss.SegmentationError, match="cannot find the number"):
            segmenter(UNITS)
    assert set(SEGMENTERS) >= {"c99", "texttiling", "utiyama-isahara", "none", "uniform"}


def test_chance_is_repeatable() -> None:
    units = ["text"] * 200
    assert Random()(units, 20) == Random()(units, 20)
    assert Random()(units, 20) != Random(seed=1)(units, 20)
    boundaries = Random(probability=0.3)(units).n_segments - 1
    assert 30 < boundaries < 90


def test_another_person() -> None:
    cut = ss.Segmentation.from_masses
    codings = {"ann": cut([2, 3]), "bob": cut([1, 4]), "eve": cut([4, 1])}
    seen = {tuple(Human(codings, "ann", seed)(UNITS).masses.tolist()) for seed in range(20)}
    assert seen == {(1, 4), (4, 1)}
    with pytest.raises(ss.SegmentationError, match="'ann' is the only coder"):
        Human({"ann": cut([5])}, "ann")(UNITS)
    with pytest.raises(ss.SegmentationError, match="coder 'bob' has 5 units: expected 2"):
        Human({"ann": cut([5]), "bob": cut([5])}, "ann")(["a", "b"])


@given(st.integers(2, 40), st.integers(0, 5))
def test_random_makes_as_many_as_asked(n: int, seed: int) -> None:
    assert Random(seed=seed)(["x"] * n, 2).n_segments == 2
