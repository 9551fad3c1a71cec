"""Boundary edit distance, S and B against segeval 2.0.11, with each of its deviations named."""

from itertools import permutations
from typing import Any

import pytest
import segeval
from hypothesis import assume, given
from hypothesis import strategies as st
from segeval.similarity.distance.multipleboundary import boundary_edit_distance

import segscore as ss
from needs import needs
from strategies import Point, pairs, typed_points, with_types

pytestmark = needs("peers")

masses = ss.Segmentation.from_masses


def theirs(metric: Any, ref: ss.Segmentation, hyp: ss.Segmentation, **options: Any) -> float:
    """Their metrics take the hypothesis first."""
    return float(metric(tuple(hyp.masses.tolist()), tuple(ref.masses.tolist()), **options))


def as_sets(n_units: int, points: frozenset[Point]) -> list[set[int]]:
    """Their form of boundaries with types: a set for each potential boundary."""
    return [{kind for p, kind in points if p == place} for place in range(1, n_units)]


def has_boundaries(pair: Any) -> bool:
    return any(coding.n_segments > 1 for coding in pair)


@given(pairs(min_units=2))
def test_equal_for_neighbours_of_one_type(pair: Any) -> None:
    assume(has_boundaries(pair))
    assert ss.BoundarySimilarity()(*pair) == pytest.approx(
        theirs(segeval.boundary_similarity, *pair)
    )
    assert ss.SegmentationSimilarity(cost="span")(*pair) == pytest.approx(
        theirs(segeval.segmentation_similarity, *pair)
    )


@given(pairs(min_units=2), st.integers(2, 8))
def test_equal_with_the_greedy_method(pair: Any, n_t: int) -> None:
    assume(has_boundaries(pair))
    greedy = ss.BoundarySimilarity(n_t, method="greedy")
    assert greedy(*pair) == pytest.approx(theirs(segeval.boundary_similarity, *pair, n_t=n_t))


@given(typed_points(14, 4, most_alone=10), st.integers(2, 7))
def test_greedy_edits_are_theirs(case: Any, n_t: int) -> None:
    n, ref, hyp = case
    additions, substitutions, transpositions = boundary_edit_distance(
        as_sets(n, ref), as_sets(n, hyp), n_t=n_t
    )
    ours = ss.boundary_edits(with_types(n, ref), with_types(n, hyp), n_t, "greedy")
    assert sorted((i + 1, j + 1, kind) for i, j, kind in transpositions) == sorted(
        (min(p, q), max(p, q), kind) for p, q, kind in ours.transpositions
    )
    assert sorted(map(tuple, substitutions)) == sorted((x, y) for _, x, y in ours.substitutions)
    assert sorted(map(tuple, additions)) == sorted((kind, side) for _, kind, side in ours.additions)


def test_deviation_near_miss_credit_is_inverted() -> None:
    """Their confusion matrix credits a near miss with its cost: the farther, the more."""
    for distance, credit in ((1, 0.2), (4, 0.8)):
        ref, hyp = (ss.Segmentation.from_boundaries([p], 20) for p in (5, 5 + distance))
        matrix = segeval.boundary_confusion_matrix(
            tuple(hyp.masses.tolist()), tuple(ref.masses.tolist()), n_t=5
        )
        assert float(matrix[1][1]) == pytest.approx(credit)
        ours = ss.BoundarySimilarity(5)(ref, hyp).confusion
        assert ours["boundary", "boundary"] == pytest.approx(1 - credit)


def test_deviation_types_count_twice_in_s() -> None:
    """Their denominator is N·t² where it should be N·t, N being potential boundaries."""
    ref, hyp = frozenset({(2, 1), (4, 2)}), frozenset({(2, 1)})
    value = segeval.segmentation_similarity(
        as_sets(6, hyp), as_sets(6, ref), boundary_format=segeval.BoundaryFormat.sets
    )
    assert float(value) == pytest.approx(1 - 1 / (5 * 2**2))
    ours = ss.SegmentationSimilarity(types=(1, 2), cost="span")
    assert ours(with_types(6, ref), with_types(6, hyp)) == pytest.approx(1 - 1 / (5 * 2))


@given(typed_points(14, 4, most_alone=10), st.integers(2, 7))
def test_deviation_a_substitution_counts_one_in_the_matrix(case: Any, n_t: int) -> None:
    """Fournier (2013), eq. 7, gives it its ordinal weight; `substitution_credit="one"` is theirs."""
    n, ref, hyp = case
    assume(ref or hyp)
    matrix = segeval.boundary_confusion_matrix(
        as_sets(n, hyp), as_sets(n, ref), n_t=n_t, boundary_format=segeval.BoundaryFormat.sets
    )
    metric = ss.BoundarySimilarity(
        n_t, method="greedy", types=(1, 2, 3, 4), substitution_credit="one"
    )
    ours = metric(with_types(n, ref), with_types(n, hyp)).confusion
    for a, b in permutations((1, 2, 3, 4), 2):
        assert ours[a, b] == float(matrix[b][a])


def test_syllables_of_their_manual() -> None:
    """Words cut into syllables; B as their documentation prints it."""
    for manual, automatic, b in (
        ("au-to-ma-tic", "au-tom-a-tic", 0.83),
        ("seg-men-ta-tion", "seg-ment-ation", 0.5),
        ("is", "is", 1),
        ("fun", "f-un", 0),
    ):
        ref, hyp = (masses(map(len, word.split("-"))) for word in (manual, automatic))
        assert ss.BoundarySimilarity()(ref, hyp) == pytest.approx(b, abs=0.005)
