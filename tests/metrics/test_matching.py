"""BoundaryMatch: against a general bipartite matching, and where it has no answer."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles.matching import matched
from strategies import pairs, places


@given(pairs(min_units=2), st.integers(0, 8))
def test_matches_as_many_as_possible(pair: Any, tolerance: int) -> None:
    ref, hyp = pair
    score = ss.BoundaryMatch(tolerance=tolerance)(ref, hyp, on_undefined="nan")
    tp = matched(places(ref), places(hyp), tolerance)
    fp, fn = len(places(hyp)) - tp, len(places(ref)) - tp
    batch = ss.BoundaryMatch(tolerance).rows(ss.Pairs.from_segmentations([ref], [hyp]))[0]
    assert (score.tp, score.fp, score.fn) == tuple(batch) == (tp, fp, fn)
    if tp + fp + fn:
        assert score == score.f == pytest.approx(2 * tp / (2 * tp + fp + fn))


@given(pairs(min_units=2), st.integers(0, 5))
def test_swapping_the_sides_swaps_precision_and_recall(pair: Any, tolerance: int) -> None:
    one, other = (
        ss.BoundaryMatch(tolerance)(*two, on_undefined="nan") for two in (pair, pair[::-1])
    )
    assert (one.precision, one.recall) == pytest.approx(
        (other.recall, other.precision), nan_ok=True
    )


@given(pairs(min_units=2), st.integers(0, 5))
def test_mirror(pair: Any, tolerance: int) -> None:
    ref, hyp = pair
    metric = ss.BoundaryMatch(tolerance)
    mirrored = metric(ref.mirror(), hyp.mirror(), on_undefined="nan")
    assert mirrored == pytest.approx(metric(ref, hyp, on_undefined="nan"), nan_ok=True)


def test_where_greedy_matching_loses_a_pair() -> None:
    """In tenths: closest-first takes 11.5-11 and leaves 10 and 12.5 alone."""
    ref = ss.Segmentation.from_boundaries([100, 115], 200)
    hyp = ss.Segmentation.from_boundaries([110, 125], 200)
    assert ss.BoundaryMatch(tolerance=11)(ref, hyp) == 1


def test_beta_weighs_recall() -> None:
    ref, hyp = ss.Segmentation.from_masses([1] * 5), ss.Segmentation.from_masses([1, 4])
    score = ss.BoundaryMatch(beta=2)(ref, hyp)
    assert (score.precision, score.recall) == (1, 0.25)
    assert score == pytest.approx(5 * 1 / (5 * 1 + 4 * 3))


def test_without_a_boundary_there_is_no_f() -> None:
    none, some = ss.Segmentation.from_masses([6]), ss.Segmentation.from_masses([3, 3])
    with pytest.raises(ss.SegmentationError, match="f1 is undefined: neither side has a boundary"):
        ss.BoundaryMatch()(none, none)
    assert math.isnan(ss.BoundaryMatch()(none, none, on_undefined="nan"))
    assert ss.BoundaryMatch()(none, some) == ss.BoundaryMatch()(some, none) == 0
    assert math.isnan(ss.BoundaryMatch()(some, none).precision)
    assert math.isnan(ss.BoundaryMatch()(none, some).recall)


def test_one_unit_is_undefined() -> None:
    one = ss.Segmentation.from_masses([1])
    with pytest.raises(ss.SegmentationError, match="f1 is undefined: the document has 1 unit"):
        ss.BoundaryMatch()(one, one)


@pytest.mark.parametrize("tolerance", [-1, 1.5, True, "2"])
def test_wrong_tolerance(tolerance: Any) -> None:
    with pytest.raises(ss.SegmentationError, match="tolerance is"):
        ss.BoundaryMatch(tolerance=tolerance)
