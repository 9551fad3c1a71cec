"""P_D and C_seg: against pairs of units and windows by the letter."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles import overlap, window
from segscore.metrics.window import EDGES
from strategies import pairs, places, short_pairs

masses = ss.Segmentation.from_masses


@given(short_pairs(), st.sampled_from([None, 1, 1.5, 20, 1e4, 1e12]))
def test_pd_is_the_literal_sum(pair: Any, mu: float | None) -> None:
    ref, hyp = pair
    mean = Fraction(ref.n_units, ref.n_segments) if mu is None else Fraction(mu)
    expected = overlap.pd(places(ref), places(hyp), ref.n_units, mean)
    score = ss.PD(mu)(ref, hyp)
    assert score == pytest.approx(float(expected), rel=1e-9, abs=0)
    assert score.mu == pytest.approx(float(mean))


def test_pd_of_a_vast_document() -> None:
    n = 10**12
    ref = ss.Segmentation.from_boundaries([n // 2], n)
    hyp = ss.Segmentation.from_boundaries([n // 2 + 1], n)
    # The moved unit is apart from n/2 units on each side, all at weights e^(-distance/mu).
    mu = n / 2
    near = mu * (1 - math.exp(-1))
    assert ss.PD()(ref, hyp).disagreement == pytest.approx(2 * near, rel=1e-9)


@given(pairs(min_units=2), st.integers(1, 20), st.sampled_from(EDGES))
def test_cseg_is_the_literal_count(pair: Any, k: int, edges: Any) -> None:
    ref, hyp = pair
    seen = window.counts(places(ref), places(hyp), ref.n_units, k, edges)
    missed = sum(r > 0 and h == 0 for r, h in seen)
    alarms = sum(r == 0 and h > 0 for r, h in seen)
    held = sum(r > 0 for r, _ in seen)
    score = ss.CSeg(k=k, edges=edges, c_fa=0.4, p_seg=0.25)(ref, hyp, on_undefined="nan")
    row: Any = score.statistics
    assert tuple(row.rows) == (missed, held, alarms, len(seen) - held)
    if 0 < held < len(seen):
        p_miss, p_fa = missed / held, alarms / (len(seen) - held)
        assert (score.p_miss, score.p_fa) == (p_miss, p_fa)
        assert score == pytest.approx(p_miss * 0.25 + 0.4 * p_fa * 0.75)
    else:
        assert math.isnan(score)


def test_cseg_takes_k_from_the_reference() -> None:
    ref, hyp = masses([2, 3, 6]), masses([1] * 11)
    assert ss.CSeg()(ref, hyp).k == 2
    assert ss.CSeg(rounding="floor")(ref, hyp).k == 1
    batch = ss.score([ref, hyp.mirror()], [hyp, ref], metrics="cseg", on_undefined="nan")["cseg"]
    assert batch.values[0] == ss.CSeg()(ref, hyp)
    assert np.isnan(batch.values[1])


@pytest.mark.parametrize(
    ("ref", "metric", "why"),
    [
        ([8], ss.CSeg(), "no window holds"),
        ([1] * 8, ss.CSeg(), "every window holds"),
        ([4, 4], ss.CSeg(k=8), "k = 8 needs more than 8 units"),
        ([8], ss.CSeg(k=9, edges="pad"), "no window holds"),
        ([1], ss.CSeg(), "the document has 1 unit"),
        ([1], ss.PD(), "the document has 1 unit"),
    ],
)
def test_undefined(ref: list[int], metric: ss.Metric, why: str) -> None:
    with pytest.raises(ss.SegmentationError, match=f"{metric.name} is undefined: {why}"):
        metric(masses(ref), masses([sum(ref)]))
