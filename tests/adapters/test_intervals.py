"""Intervals of mir_eval and annotations of pyannote, both ways, with the real packages."""

from typing import Any

import mir_eval
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyannote.core import Annotation, Segment, Timeline
from pyannote.metrics.segmentation import SegmentationPurityCoverageFMeasure

import segscore as ss
from needs import needs
from segscore.adapters.intervals import from_intervals, to_intervals
from segscore.adapters.pyannote import from_annotation, to_annotation
from strategies import pairs

pytestmark = needs("peers")

cut = ss.Segmentation.from_masses
masses = st.lists(st.integers(1, 5000), min_size=1, max_size=20)
resolutions = st.sampled_from([0.001, 0.01, 0.04, 1 / 3, 1, 6])


@given(masses, resolutions, st.floats(0, 1000), st.booleans())
def test_intervals_come_back(
    sizes: list[int], resolution: float, start: float, named: bool
) -> None:
    labels = [f"part {i % 3}" for i in range(len(sizes))] if named else None
    segmentation = cut(sizes, segment_labels=labels)
    start = round(start / resolution) * resolution
    spans, found = to_intervals(segmentation, resolution=resolution, start=start)
    assert found == labels
    assert from_intervals(spans, found, resolution=resolution) == segmentation
    made = to_annotation(segmentation, resolution=resolution, start=start, uri="tape")
    assert made.uri == "tape"
    again = from_annotation(made, resolution=resolution)
    assert again.masses.tolist() == sizes
    assert list(again.segment_labels or ()) == (labels or [str(i) for i in range(len(sizes))])


@given(pairs(min_units=3))
def test_mir_eval_finds_what_we_find(pair: Any) -> None:
    sides = [to_intervals(segmentation, resolution=1).intervals for segmentation in pair]
    mir_eval.segment.validate_boundary(*sides, trim=False)
    if all(len(segmentation.boundaries) for segmentation in pair):
        theirs = mir_eval.segment.detection(*sides, window=2, trim=True)[2]
        assert ss.BoundaryMatch(tolerance=2)(*pair) == pytest.approx(theirs)


@given(pairs(min_units=3))
def test_pyannote_finds_what_we_find(pair: Any) -> None:
    theirs = SegmentationPurityCoverageFMeasure()(
        *(to_annotation(segmentation, resolution=1) for segmentation in pair)
    )
    assert ss.PurityCoverage()(*pair) == pytest.approx(theirs)


def test_gaps_are_refused_or_become_segments() -> None:
    made = Annotation()
    made[Segment(0, 2)] = "ann"
    made[Segment(3, 5)] = "bob"
    with pytest.raises(ss.SegmentationError, match=r"intervals\[1\].*3 s.*2 s"):
        from_annotation(made)
    found = from_annotation(made, resolution=1, gaps="segment")
    assert found.masses.tolist() == [2, 1, 2]
    assert found.segment_labels == ("ann", None, "bob")
    with pytest.raises(ss.SegmentationError, match="there is an overlap"):
        from_annotation(Timeline([Segment(0, 2), Segment(1, 3)]), gaps="segment")


WRONG: list[tuple[Any, dict[str, Any], str]] = [
    ([[0, 1], [1.0, 1.0001]], {}, r"intervals\[1\].*1 s.*1.0001 s.*0.001 s"),
    ([[0, float("nan")]], {}, r"intervals\[0\] is 0.0, nan"),
    ([[0, 1, 2]], {}, r"shape \(1, 3\)"),
    ([], {}, "shape"),
    ("x", {}, "intervals is 'x'"),
    ([[0, 1]], {"resolution": 0}, "resolution is 0: expected"),
    ([[0, 1]], {"labels": ["a", "b"]}, "2"),
]


@pytest.mark.parametrize(("given_intervals", "options", "message"), WRONG)
def test_wrong_intervals_are_refused(given_intervals: Any, options: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        from_intervals(given_intervals, **options)


def test_labels_are_texts_and_one_per_segment() -> None:
    made = Annotation()
    made[Segment(0, 2)] = 7
    made[Segment(2, 5)] = ""
    found = from_annotation(made, resolution=1)
    assert found.segment_labels == ("7", None)
    assert to_intervals(found).labels == ["7", ""]
    with pytest.raises(ss.SegmentationError, match="segment 1 has the labels 'a', 'b'"):
        to_intervals(cut([2, 3], segment_labels=[None, {"b", "a"}]))


def test_other_things_are_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="Annotation.*Timeline"):
        from_annotation(np.zeros((1, 2)))
    with pytest.raises(ss.SegmentationError, match="expected a Segmentation"):
        to_intervals([1, 2])  # type: ignore[arg-type]
