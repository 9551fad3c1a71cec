"""Against the packages of neighbouring fields, with each of their deviations named.

mir_eval, ruptures and pyannote.metrics are test dependencies.
"""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.segmentation import ghd as nltk_ghd

import segscore as ss
from strategies import pairs, places, short_pairs

masses = ss.Segmentation.from_masses


def gaps(one: ss.Segmentation) -> str:
    """NLTK's form."""
    return "".join("01"[p in places(one)] for p in range(1, one.n_units))


def breakpoints(one: ss.Segmentation) -> list[int]:
    """Ruptures' form: the end of each segment, the last one included."""
    return [*one.boundaries.tolist(), one.n_units]


def intervals(one: ss.Segmentation) -> Any:
    """mir_eval's form: start and end of each segment."""
    ends = [0, *breakpoints(one)]
    return np.array([ends[:-1], ends[1:]], float).T


costs = st.sampled_from([0.5, 1, 2, 7])


@given(pairs(min_units=2), costs, costs, costs)
def test_ghd_equals_nltk(pair: Any, insertion: float, deletion: float, shift: float) -> None:
    theirs = nltk_ghd(*map(gaps, pair), insertion, deletion, shift)
    assert ss.GHD(insertion, deletion, shift)(*pair) == pytest.approx(theirs)


@given(pairs(min_units=2))
def test_hausdorff_equals_ruptures(pair: Any) -> None:
    """Deviation: with no boundary on a side theirs fails inside NumPy."""
    metrics = pytest.importorskip("ruptures.metrics")
    assume(all(map(places, pair)))
    assert ss.Hausdorff()(*pair) == metrics.hausdorff(*map(breakpoints, pair))


@given(pairs(min_units=2))
def test_rand_equals_ruptures(pair: Any) -> None:
    metrics = pytest.importorskip("ruptures.metrics")
    theirs = metrics.randindex(*map(breakpoints, pair))
    assert ss.RandIndex()(*pair) == pytest.approx(theirs, abs=1e-12)


@given(pairs(min_units=3))
def test_deviation_equals_mir_eval(pair: Any) -> None:
    """trim=True: the ends of the document are no boundaries. Where a side has none theirs is NaN,
    ours undefined.
    """
    segment = pytest.importorskip("mir_eval").segment
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they warn about sides without boundaries
        there, back = segment.deviation(*map(intervals, pair), trim=True)
    score = ss.BoundaryDeviation()(*pair, on_undefined="nan")
    assert (score.ref_to_hyp, score.hyp_to_ref) == pytest.approx((there, back), nan_ok=True)


@given(short_pairs())
def test_rand_and_adjusted_rand_equal_mir_eval(pair: Any) -> None:
    """Their frames are our units; each segment has a label of its own."""
    segment = pytest.importorskip("mir_eval").segment
    labels = [[str(i) for i in range(one.n_segments)] for one in pair]
    spans = list(map(intervals, pair))
    given_ = (spans[0], labels[0], spans[1], labels[1])
    assert ss.RandIndex()(*pair) == pytest.approx(segment.rand_index(*given_, frame_size=1))
    theirs = segment.ari(*given_, frame_size=1)
    assert ss.RandIndex(adjusted=True)(*pair) == pytest.approx(theirs, abs=1e-9)


@given(short_pairs(), st.sampled_from([0.5, 1, 2]))
def test_purity_and_coverage_equal_pyannote(pair: Any, beta: float) -> None:
    from pyannote import core  # late: it loads scikit-learn
    from pyannote.metrics import segmentation

    ref, hyp = core.Annotation(), core.Annotation()
    for annotation, one in ((ref, pair[0]), (hyp, pair[1])):
        for label, (start, end) in enumerate(intervals(one)):
            annotation[core.Segment(start, end)] = str(label)
    metric = segmentation.SegmentationPurityCoverageFMeasure(beta=beta)
    detail = metric.compute_components(ref, hyp)
    purity, coverage, f = metric.compute_metrics(detail)
    score = ss.PurityCoverage(beta)(*pair)
    assert (score.purity, score.coverage, score) == pytest.approx((purity, coverage, f))
