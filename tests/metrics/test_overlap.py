"""Measures on overlaps: against sets of units, properties, undefined and vast documents."""

from fractions import Fraction
from itertools import accumulate, pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles import overlap as oracle
from strategies import places, short_pairs

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
