"""Distances between boundaries: against literal oracles, properties, undefined documents."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles import distance as oracle
from strategies import pairs, places

masses = ss.Segmentation.from_masses
costs = st.sampled_from([0, 0.5, 1, 2, 3.25, 10])


@given(pairs(min_units=2))
def test_deviation_and_hausdorff(pair: Any) -> None:
    ref, hyp = map(places, pair)
    if not ref or not hyp:
        side = "reference" if not ref else "hypothesis"
        for metric in (ss.metrics.BoundaryDeviation(), ss.Hausdorff()):
            with pytest.raises(ss.SegmentationError, match=f"the {side} has no boundary"):
                metric(*pair)
        return
    score = ss.metrics.BoundaryDeviation()(*pair)
    there, back = oracle.deviation(ref, hyp)
    assert (score.ref_to_hyp, score.hyp_to_ref) == (there, back)
    assert score == (there + back) / 2
    farthest = max(oracle.nearest(ref, hyp) + oracle.nearest(hyp, ref))
    assert ss.Hausdorff()(*pair) == farthest


@given(pairs(min_units=2), costs, costs, costs)
def test_ghd_is_the_least_cost(pair: Any, insertion: float, deletion: float, shift: float) -> None:
    expected = oracle.ghd(*map(places, pair), insertion, deletion, shift)
    assert ss.GHD(insertion, deletion, shift)(*pair) == pytest.approx(expected)


@given(st.lists(st.integers(0, 60), unique=True), st.lists(st.integers(0, 60), unique=True))
def test_ghd_far_apart_clusters(left: list[int], right: list[int]) -> None:
    """Positions in a vast document, with costs so high that shifts pay over long ways."""
    n = 10**12
    ref = ss.Segmentation.from_boundaries([n // 2 + p for p in left], n)
    hyp = ss.Segmentation.from_boundaries([n // 2 + p for p in right], n)
    expected = oracle.ghd(places(ref), places(hyp), 30, 20, 1)
    assert ss.GHD(30, 20)(ref, hyp) == expected


@pytest.mark.parametrize(
    "metric", [ss.GHD(), ss.Hausdorff(), ss.metrics.BoundaryDeviation()], ids=str
)
def test_over_documents_it_is_the_mean(metric: ss.Metric) -> None:
    refs = [masses([2, 3, 6]), masses([10, 10]), masses([7]), masses([1])]
    hyps = [masses([4, 7]), masses([9, 1, 10]), masses([7]), masses([1])]
    scores = ss.score(refs, hyps, metrics=metric, on_undefined="nan")[metric]
    defined = scores.values[~np.isnan(scores.values)]
    assert scores.n_undefined == (1 if metric.name == "ghd" else 2)
    assert scores.micro == scores.macro == defined.mean()
    pairs = ss.Pairs.from_segmentations(refs, hyps)
    assert np.array_equal(metric.rows(pairs, 1), metric.rows(pairs, 4))
