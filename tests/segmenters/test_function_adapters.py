"""Foreign segmenters, baselines and people behind the one contract."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import segscore as ss
from segscore import segmenters
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
    assert segmenters.segmenter(lambda units: segmentation.masses, "masses")(units) == segmentation
    assert segmenters.segmenter(lambda units: ends, "ends")(units) == segmentation
    assert segmenters.segmenter(lambda units: [0, *ends[:-1]], "starts")(units) == segmentation
    assert segmenters.segmenter(lambda units: ends[:-1], "boundaries")(units) == segmentation
    assert (
        segmenters.segmenter(lambda units: np.cumsum(starts).tolist(), "ids")(units) == segmentation
    )
    groups = [units[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    assert segmenters.segmenter(lambda units: [*groups, []], "groups")(units) == segmentation
    assert segmenters.segmenter(lambda units: flags, "flags", marks="end")(units) == segmentation
    assert segmenters.segmenter(lambda units: starts, "flags", marks="start")(units) == segmentation
    assert segmenters.segmenter(lambda text: chunks, "chunks")(units) == segmentation
    assert segmenters.segmenter(lambda units: segmentation)(units) == segmentation


@pytest.mark.parametrize(
    ("cut", "message"),
    [
        (segmenters.segmenter(lambda units: [2, 2], "masses"), "4 units: expected 5 units"),
        (segmenters.segmenter(lambda units: [0, 1], "flags", marks="end"), "2 units: expected 5"),
        (segmenters.segmenter(lambda units: [1, 3], "starts"), r"starts\[0\] is 1"),
        (segmenters.segmenter(lambda units: [0, 0, -1, 1, 1], "ids"), "-1"),
        (
            segmenters.segmenter(lambda units: [units[:2], units[3:]], "groups"),
            "groups: unit 2 is 'Six seven eight.'",
        ),
        (segmenters.segmenter(lambda text: ["One", "Zero"], "chunks"), "chunks: .*'Zero'"),
        (
            segmenters.segmenter(lambda text: [text[:3], text[3:]], "chunks", inside="error"),
            "starts at 3",
        ),
        (segmenters.segmenter(lambda units: [2, 3]), "Segmentation.*masses"),
    ],
)
def test_results_that_do_not_fit(cut: Any, message: str | None) -> None:
    if message is None:  # ends in any order are still positions
        assert cut(UNITS).masses.tolist() == [2, 1, 2]
        return
    with pytest.raises(ss.SegmentationError, match=message):
        cut(UNITS)


def test_chunks_of_splitters() -> None:
    documents = [
        SimpleNamespace(page_content="One two.\nThree four."),
        SimpleNamespace(text="Five. Six"),
    ]
    split = segmenters.segmenter(lambda text: [*documents, "seven eight.", "Nine."], "chunks")
    with pytest.warns(PlacementWarning, match="1 change"):
        found = split(UNITS)
    assert found.boundaries.tolist() == [2, 3, 4]  # "seven" starts inside unit 4, near its start
    assert segmenters.segmenter(lambda text: [text], "chunks")(UNITS).n_segments == 1
    with pytest.raises(ss.SegmentationError, match="inside is 'left'"):
        segmenters.segmenter(lambda text: [text], "chunks", inside="left")  # type: ignore[arg-type]
    marked = segmenters.segmenter(lambda text: text.split(" // "), "chunks", separator=" // ")
    assert marked(UNITS).n_segments == len(UNITS)


def test_the_number_of_segments_goes_through_or_is_refused() -> None:
    singles = segmenters.segmenter(
        lambda units, n_segments: [len(units) - n_segments + 1] + [1] * (n_segments - 1), "masses"
    )
    assert singles(UNITS, 3).masses.tolist() == [3, 1, 1]
    assert segmenters.segmenter(lambda units: [2, 3], "masses")(UNITS, 2).n_segments == 2
    with pytest.raises(ss.SegmentationError, match="has 2 segments.*expected 3 segments"):
        segmenters.segmenter(lambda units: [2, 3], "masses")(UNITS, 3)


def test_names_are_segmenters_and_forms_are_known() -> None:
    assert segmenters.segmenter("texttiling(k=4)") == segmenters.TextTiling(k=4)
    with pytest.raises(ss.SegmentationError, match="returns is 'mass'.*masses"):
        segmenters.segmenter(len, "mass")  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="marks is None.*start"):
        segmenters.segmenter(len, "flags")
    with pytest.raises(ss.SegmentationError, match="chunks is None"):
        segmenters.segmenter(lambda text: None, "chunks")(UNITS)


# ---- baselines ----


def test_baselines() -> None:
    assert segmenters.Nothing()(UNITS).n_segments == segmenters.Nothing()(UNITS, 1).n_segments == 1
    assert (
        segmenters.Everything()(UNITS).n_segments
        == segmenters.Everything()(UNITS, 5).n_segments
        == 5
    )
    with pytest.raises(ss.SegmentationError, match="expected 3 segments of 5"):
        segmenters.Nothing()(UNITS, 3)
    assert segmenters.Uniform()(UNITS, 2) == ss.baselines.uniform(5, 2)
    assert segmenters.Bisect()(UNITS) == ss.baselines.bisect(5)
    halves = segmenters.Bisect()(UNITS, 3)
    assert (halves.boundaries.tolist(), halves.ranks.tolist()) == ([2, 3], [2, 1])  # type: ignore[union-attr]
    for cut in (segmenters.Uniform(), segmenters.Random()):
        with pytest.raises(ss.SegmentationError, match="cannot find the number"):
            cut(UNITS)
    assert set(segmenters.SEGMENTERS) >= {"c99", "texttiling", "utiyama-isahara", "none", "uniform"}
