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
from nltk.metrics.segmentation import pk as nltk_pk
from nltk.metrics.segmentation import windowdiff as nltk_windowdiff

import segscore as ss
from needs import needs
from strategies import pairs, places, short_pairs

pytestmark = needs("peers")


def gaps(coding: ss.Segmentation) -> str:
    """NLTK's form."""
    return "".join("01"[p in places(coding)] for p in range(1, coding.n_units))


def breakpoints(coding: ss.Segmentation) -> list[int]:
    """Ruptures' form: the end of each segment, the last one included."""
    return [*coding.boundaries.tolist(), coding.n_units]


def intervals(coding: ss.Segmentation) -> Any:
    """mir_eval's form: start and end of each segment."""
    ends = [0, *breakpoints(coding)]
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
    score = ss.metrics.BoundaryDeviation()(*pair, on_undefined="nan")
    assert (score.ref_to_hyp, score.hyp_to_ref) == pytest.approx((there, back), nan_ok=True)


@given(pairs(min_units=3), st.integers(1, 8))
def test_boundary_f_equals_mir_eval(pair: Any, tolerance: int) -> None:
    """Trimmed, and with both ends. Deviation: where a side has no boundary they print 0."""
    segment = pytest.importorskip("mir_eval").segment
    spans = list(map(intervals, pair))
    for trim, ends in ((True, "none"), (False, "both")):
        if trim and not all(map(places, pair)):
            continue
        theirs = segment.detection(*spans, window=tolerance, trim=trim)
        ours = ss.BoundaryMatch(tolerance, ends=ends)(*pair)
        assert (ours.precision, ours.recall, ours) == pytest.approx(theirs)


@given(short_pairs())
def test_rand_and_adjusted_rand_equal_mir_eval(pair: Any) -> None:
    """Their frames are our units; each segment has a label of its own."""
    segment = pytest.importorskip("mir_eval").segment
    labels = [[str(i) for i in range(coding.n_segments)] for coding in pair]
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
    for annotation, coding in ((ref, pair[0]), (hyp, pair[1])):
        for label, (start, end) in enumerate(intervals(coding)):
            annotation[core.Segment(start, end)] = str(label)
    metric = segmentation.SegmentationPurityCoverageFMeasure(beta=beta)
    detail = metric.compute_components(ref, hyp)
    purity, coverage, f = metric.compute_metrics(detail)
    score = ss.PurityCoverage(beta)(*pair)
    assert (score.purity, score.coverage, score) == pytest.approx((purity, coverage, f))


# ---- levels ----


@st.composite
def labelled_levels(draw: Any, n: int) -> ss.Levels:
    """Some levels whose segments all have labels, nested or not."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        level = ss.Segmentation.from_boundaries(draw(st.sets(st.integers(1, n - 1), max_size=5)), n)
        names = st.lists(
            st.sampled_from("abc"), min_size=level.n_segments, max_size=level.n_segments
        )
        found.append(level.with_segment_labels(draw(names)))
    return ss.Levels(found)


two_levels = st.integers(3, 20).flatmap(lambda n: st.tuples(labelled_levels(n), labelled_levels(n)))


def hierarchies(pair: Any) -> list[list[Any]]:
    return [[intervals(level) for level in coding.levels] for coding in pair]


@given(two_levels)
def test_l_measure_equals_mir_eval(pair: Any) -> None:
    """Deviation: a side that orders no pair has 0 there, and no value here."""
    hierarchy = pytest.importorskip("mir_eval").hierarchy
    spans = hierarchies(pair)
    labels = [[list(level.segment_labels) for level in coding.levels] for coding in pair]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they warn about levels that are not nested
        theirs = hierarchy.lmeasure(spans[0], labels[0], spans[1], labels[1], frame_size=1)
    score = ss.LMeasure()(*pair, on_undefined="nan")
    ours = np.nan_to_num([score.precision, score.recall, float(score)])
    assert ours.tolist() == pytest.approx(theirs, abs=1e-12)


@given(two_levels, st.sampled_from([2, 3, 7, None]), st.booleans())
def test_t_measure_equals_mir_eval(pair: Any, window: int | None, reduced: bool) -> None:
    """Deviations: as for L; and a window of one frame is an error inside NumPy there."""
    hierarchy = pytest.importorskip("mir_eval").hierarchy
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = hierarchy.tmeasure(
            *hierarchies(pair), transitive=not reduced, window=window, frame_size=1
        )
    score = ss.metrics.TMeasure(window, reduced)(*pair, on_undefined="nan")
    ours = np.nan_to_num([score.precision, score.recall, float(score)])
    assert ours.tolist() == pytest.approx(theirs, abs=1e-12)


# ---- against NLTK, with each of its deviations named ----


@given(pairs(min_units=2), st.integers(1, 12), st.booleans())
def test_equal_for_gap_strings_and_a_given_k(pair: Any, k: int, weighted: bool) -> None:
    ref, hyp = pair
    assume(k < ref.n_units)
    theirs = nltk_windowdiff(gaps(ref), gaps(hyp), k, weighted=weighted)
    assert ss.WindowDiff(k=k, weighted=weighted)(ref, hyp) == pytest.approx(theirs)
    assert ss.Pk(k=k)(ref, hyp) == pytest.approx(nltk_pk(gaps(ref), gaps(hyp), k))
