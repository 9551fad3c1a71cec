"""audit's F1 against the programs themselves: ruptures, mir_eval, pyannote.metrics."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segscore.conventions import audit
from strategies import pairs

tolerances = st.integers(1, 8)


def f(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def printed(pair: Any, tolerance: int, name: str) -> float:
    return audit(*pair, tolerance=tolerance, measures=["f1"])[name, "f1"].prints


def ends(coding: Any) -> list[int]:
    return [*coding.boundaries.tolist(), coding.n_units]


@given(pairs(min_units=2), tolerances)
def test_ruptures(pair: Any, tolerance: int) -> None:
    metrics = pytest.importorskip("ruptures.metrics")
    ours = printed(pair, tolerance, "ruptures")
    try:
        theirs = f(*metrics.precision_recall(*map(ends, pair), margin=tolerance))
    except ZeroDivisionError:
        assert math.isnan(ours)
    else:
        assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.filterwarnings("ignore:.* intervals are empty")
@given(pairs(min_units=2), tolerances, st.booleans())
def test_mir_eval(pair: Any, tolerance: int, trim: bool) -> None:
    segment = pytest.importorskip("mir_eval.segment")
    intervals = []
    for coding in pair:
        edges = [0, *ends(coding)]
        intervals.append(np.array([edges[:-1], edges[1:]], float).T)
    theirs = segment.detection(*intervals, window=tolerance, trim=trim)[2]
    name = "mir_eval-trimmed" if trim else "mir_eval"
    assert printed(pair, tolerance, name) == pytest.approx(theirs, abs=1e-12)


@given(pairs(min_units=2), tolerances)
def test_pyannote(pair: Any, tolerance: int) -> None:
    core = pytest.importorskip("pyannote.core")
    segmentation = pytest.importorskip("pyannote.metrics.segmentation")
    timelines = []
    for coding in pair:
        edges = [0, *ends(coding)]
        timelines.append(core.Timeline(map(core.Segment, edges[:-1], edges[1:])))
    rates = [
        made(tolerance=tolerance)(*timelines)
        for made in (segmentation.SegmentationPrecision, segmentation.SegmentationRecall)
    ]
    assert printed(pair, tolerance, "pyannote") == pytest.approx(f(*rates), abs=1e-12)
