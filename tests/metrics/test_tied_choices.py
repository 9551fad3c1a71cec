"""Any metric over tied choices: all of them, or a seeded draw with its standard error."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import segscore as ss
from oracles.hierarchy import tied_choice
from segscore.metrics.hierarchy import (
    _at_most,
    _chosen,
    candidates,
    choice_values,
    ranked,
)

boundaries = ss.Segmentation.from_boundaries

INNER: list[ss.Metric] = [
    ss.BoundarySimilarity(),
    ss.BoundarySimilarity(n_t=4),
    ss.SegmentationSimilarity(),
    ss.BoundaryMatch(tolerance=1),
    ss.WinPR(),
]


def literal(ref: ss.Segmentation, hyp: ss.Segmentation, metric: ss.Metric) -> float:
    """Level by level, choice by choice, through the metric's public call."""
    n = ref.n_units
    assert ref.ranks is not None
    assert hyp.ranks is not None
    listed = None if hyp.candidates is None else set(hyp.candidates.tolist())
    marked = dict(zip(hyp.boundaries.tolist(), hyp.ranks.tolist(), strict=True))
    total = 0.0
    for rank in sorted(set(ref.ranks.tolist())):
        level = boundaries(ref.boundaries[ref.ranks <= rank], n)
        chosen, tied, wanted = tied_choice(n, marked, listed, level.n_segments - 1)
        values = [
            metric(level, boundaries(sorted(chosen | set(more)), n))
            for more in combinations(tied, wanted)
        ]
        total += int((ref.ranks == rank).sum()) * float(np.mean(values))
    return total / len(ref.ranks)


@st.composite
def cases(draw: st.DrawFn) -> tuple[ss.Segmentation, ss.Segmentation]:
    """A ranked pair with few choices, with and without candidates."""
    n = draw(st.integers(2, 9))
    listed = draw(st.none() | st.sets(st.integers(1, n - 1), min_size=1))
    places = sorted(listed or range(1, n))
    sides = [
        draw(st.dictionaries(st.sampled_from(places), st.integers(1, 3), min_size=least))
        for least in (1, 0)
    ]
    ref, hyp = (
        boundaries(list(side), n, ranks=list(side.values()), candidates=listed) for side in sides
    )
    return ref, hyp


@given(cases(), st.sampled_from(INNER))
def test_few_choices_are_all_taken(case: Any, metric: ss.Metric) -> None:
    ref, hyp = case
    score = ss.Hierarchical(metric)(ref, hyp)
    assert score == pytest.approx(literal(ref, hyp, metric), abs=1e-12)
    assert score.standard_error == 0
    assert sum(level.boundaries for level in score.levels) == len(ref.ranks)


@given(cases(), st.sampled_from([ss.Pk(), ss.WindowDiff(edges="wrap")]))
def test_all_choices_of_a_window_metric_are_its_closed_form(case: Any, metric: Any) -> None:
    """Two ways to the same number that share no line of code."""
    ref, hyp = case
    pairs = ss.Pairs.from_segmentations([ref], [hyp])
    levels = (
        ranked(pairs.ref_offsets, pairs.ref_ranks),
        ranked(pairs.hyp_offsets, pairs.hyp_ranks),
    )
    means, _ = choice_values(metric, pairs, levels, candidates(pairs), 10_000, 0, 1)
    exact = [level.error for level in ss.Hierarchical(metric)(ref, hyp).levels]
    assert means == pytest.approx(exact, abs=1e-12)


def long_pair() -> tuple[ss.Segmentation, ss.Segmentation]:
    """More choices than anybody would try."""
    ref = boundaries([10, 30, 45, 70, 90], 120, ranks=[2, 1, 2, 1, 3])
    return ref, boundaries([31, 70], 120)


@pytest.mark.parametrize("inner", [ss.BoundarySimilarity(n_t=4), ss.SegmentationSimilarity()])
def test_many_choices_are_drawn_with_a_seed(inner: ss.Metric) -> None:
    ref, hyp = long_pair()
    metric = ss.Hierarchical(inner, samples=400)
    score = metric(ref, hyp)
    assert metric(ref, hyp) == score
    assert metric(ref, hyp).levels == score.levels
    other = ss.Hierarchical(inner, samples=400, seed=1)(ref, hyp)
    assert other != score
    assert abs(other - score) < 4 * np.hypot(other.standard_error, score.standard_error)
    assert 0 < score.standard_error < 0.01
    assert score.levels[0].standard_error == 0  # two of two marked ones: nothing to choose
    assert score.levels[1].standard_error > 0


def test_the_standard_error_is_that_of_the_draw() -> None:
    """The spread of 60 draws with other seeds, against what each of them reports."""
    ref, hyp = long_pair()
    scores = [
        ss.Hierarchical(ss.BoundaryMatch(tolerance=3), samples=50, seed=seed)(ref, hyp)
        for seed in range(60)
    ]
    reported = np.sqrt(np.mean([score.standard_error**2 for score in scores]))
    assert np.std(scores, ddof=1) == pytest.approx(reported, rel=0.3)


def test_a_sum_carries_its_standard_error() -> None:
    ref, hyp = long_pair()
    scores = ss.score([ref, ref.mirror()], [hyp, hyp.mirror()], "e-f1(tolerance=2)")
    micro = scores["e-f1(tolerance=2)"].micro
    each = [score.standard_error for score in scores["e-f1(tolerance=2)"]]
    assert micro.standard_error == pytest.approx(np.hypot(*each) / 2)


def _choose(draw: np.random.Generator, n: int, wanted: int, samples: int) -> tuple[Any, bool]:
    """All rows of choices, and whether they are a draw."""
    drawn = not _at_most(n, wanted, samples)
    return np.concatenate(list(_chosen(draw if drawn else None, n, wanted, samples))), drawn


def test_a_draw_is_uniform_over_sets() -> None:
    chosen, drawn = _choose(np.random.default_rng(2), 7, 3, 34)
    assert drawn
    assert chosen.shape == (34, 3)
    chosen, _ = _choose(np.random.default_rng(2), 200, 2, 19_000)
    assert (chosen[:, 0] != chosen[:, 1]).all()
    chosen, drawn = _choose(np.random.default_rng(2), 300, 299, 299)
    assert drawn
    assert all(len(set(row)) == 299 for row in chosen.tolist())
    small = [_choose(np.random.default_rng(seed), 5, 3, 9)[0] for seed in range(400)]
    sets = [tuple(sorted(row)) for rows in small for row in rows.tolist()]
    _, counts = np.unique(sets, axis=0, return_counts=True)
    assert len(counts) == 10
    assert chisquare(counts).pvalue > 0.001
