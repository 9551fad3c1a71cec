"""Measures on overlaps: against sets of units, properties, undefined and vast documents."""

import math
from fractions import Fraction
from itertools import accumulate, pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles import overlap as oracle
from oracles import window
from segscore.metrics.window import EDGES
from strategies import pairs, places, short_pairs

masses = ss.Segmentation.from_masses

short = short_pairs()


def literal(pair: Any) -> tuple[set[int], set[int], int]:
    """The arguments of oracles: both sets of positions, and N."""
    return places(pair[0]), places(pair[1]), pair[0].n_units


@given(short, st.sampled_from([0.5, 1, 2]))
def test_purity_and_coverage(pair: Any, beta: float) -> None:
    ref, hyp, n = literal(pair)
    score = ss.PurityCoverage(beta)(*pair)
    purity, coverage = oracle.purity(ref, hyp, n), oracle.purity(hyp, ref, n)
    assert (score.purity, score.coverage) == pytest.approx((float(purity), float(coverage)))
    weight = Fraction(beta) ** 2
    f = (1 + weight) * purity * coverage / (weight * purity + coverage)
    assert score == score.f == pytest.approx(float(f))


@given(short)
def test_covering(pair: Any) -> None:
    assert ss.Covering()(*pair) == pytest.approx(float(oracle.covering(*literal(pair))))


@given(short)
def test_alignment_index(pair: Any) -> None:
    similarity, n_pairs = oracle.alignment(*literal(pair))
    score = ss.metrics.AlignmentIndex()(*pair)
    assert tuple(score.statistics.rows) == pytest.approx((float(similarity), n_pairs))  # type: ignore[union-attr]
    mirrored = [masses(side.masses[::-1]) for side in pair]
    assert ss.metrics.AlignmentIndex()(*mirrored) == pytest.approx(score)


@given(short)
def test_misplaced_units(pair: Any) -> None:
    ref, hyp, n = literal(pair)
    expected = [*oracle.misplaced(ref, hyp, n), *oracle.misplaced(hyp, ref, n)]
    score = ss.metrics.MisplacedUnits()(*pair)
    found = [score.r_fn, score.r_fn_relative, score.r_fp, score.r_fp_relative]
    assert found == pytest.approx([float(rate) for rate in expected])
    for side in ("fn", "fp"):
        for relative in (False, True):
            part = f"r_{side}" + "_relative" * relative
            value = ss.metrics.MisplacedUnits(side=side, relative=relative)(*pair)  # type: ignore[arg-type]
            assert value == score.parts[part]


@given(short)
def test_rand_counts_pairs_of_units(pair: Any) -> None:
    score = ss.RandIndex()(*pair)
    together, ref_only, hyp_only, total = oracle.pairs_of_units(*literal(pair))
    assert tuple(score.statistics.rows) == (together, ref_only, hyp_only, total)  # type: ignore[union-attr]
    assert score == pytest.approx(1 - (ref_only + hyp_only) / total)


@given(short)
def test_adjusted_rand_is_hubert_and_arabie(pair: Any) -> None:
    """(index − expected) / (maximum − expected) over pairs of units, in fractions."""
    together, ref_only, hyp_only, total = oracle.pairs_of_units(*literal(pair))
    in_ref, in_hyp = together + ref_only, together + hyp_only
    expected = Fraction(in_ref * in_hyp, total)
    most = Fraction(in_ref + in_hyp, 2)
    value = (together - expected) / (most - expected) if most != expected else Fraction(1)
    apart = total - together - ref_only - hyp_only
    assert ss.RandIndex(adjusted=True)(*pair).apart == apart
    assert ss.RandIndex(adjusted=True)(*pair) == pytest.approx(float(value), abs=1e-12)


def whole_ari(ref: list[int], hyp: list[int]) -> Fraction:
    """The adjusted Rand index of masses, in whole numbers."""
    ends = [list(accumulate(side)) for side in (ref, hyp)]
    cuts = sorted({0, *ends[0], *ends[1]})
    pairs = [
        sum(mass * (mass - 1) // 2 for mass in side)
        for side in ([b - a for a, b in pairwise(cuts)], ref, hyp, [sum(ref)])
    ]
    together, in_ref, in_hyp, total = pairs
    expected = Fraction(in_ref * in_hyp, total)
    return (together - expected) / (Fraction(in_ref + in_hyp, 2) - expected)


@pytest.mark.parametrize("n", [2**31 - 1, 2**31, 2**40, 2**53])
def test_adjusted_rand_of_vast_documents_is_that_of_whole_numbers(n: int) -> None:
    """Few pairs of units are apart: a difference of shares of all pairs would lose them."""
    cases = [
        ([1, n - 1], [2, n - 2]),
        ([5, n - 5], [n]),
        ([1, 1, n - 2], [2, n - 2]),
        ([3, n // 2, n - 3 - n // 2], [4, n // 2, n - 4 - n // 2]),
        ([n // 2, n - n // 2], [n // 2 + 1, n - 1 - n // 2]),
    ]
    for ref, hyp in cases:
        exact = float(whole_ari(ref, hyp))
        found = ss.RandIndex(adjusted=True)(masses(ref), masses(hyp))
        assert found == pytest.approx(exact, rel=1e-14, abs=1e-15), (ref, hyp)


def test_never_one_unless_perfect() -> None:
    """One pair of units out of 2¹⁰⁵: less than the rounding of a float near 1."""
    ref, hyp = masses([1, 1, 2**53 - 2]), masses([2, 2**53 - 2])
    half = 2**52
    near = masses([half, half]), masses([half + 1, half - 1])
    for adjusted, pair in product((False, True), ((ref, hyp), near)):
        metric = ss.RandIndex(adjusted=adjusted)
        assert metric(*pair) < 1
        assert metric(pair[0], pair[0]) == 1
        assert ss.score([pair[0]], [pair[1]], metric)[metric].micro < 1


# ---- distances between boundaries ----


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


# ---- P_D and C_seg ----


@given(short_pairs(), st.sampled_from([None, 1, 1.5, 20, 1e4, 1e12]))
def test_pd_is_the_literal_sum(pair: Any, mu: float | None) -> None:
    ref, hyp = pair
    mean = Fraction(ref.n_units, ref.n_segments) if mu is None else Fraction(mu)
    expected = oracle.pd(places(ref), places(hyp), ref.n_units, mean)
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
