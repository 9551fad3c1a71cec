"""Hierarchical: all tied choices one by one, sampled ones, plain metrics, properties, bad input."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import segscore as ss
from oracles import hierarchy as oracle
from oracles.hierarchy import tied_choice
from oracles.window import window_size
from segscore.metrics.hierarchy import (
    _at_most,
    _chosen,
)
from segscore.metrics.window import EDGES, ROUNDINGS
from strategies import pairs as plain_pairs

boundaries = ss.Segmentation.from_boundaries


@st.composite
def ranked_pairs(draw: st.DrawFn, max_units: int = 10) -> tuple[Any, Any, Any, int]:
    """Ref and hyp as {position: rank}, candidates or None, N; ref has a boundary."""
    n = draw(st.integers(2, max_units))
    everywhere = list(range(1, n))
    listed = draw(st.none() | st.sets(st.sampled_from(everywhere), min_size=1))
    places = sorted(listed or everywhere)
    rank = st.sampled_from([1, 2, 5])
    ref = draw(st.dictionaries(st.sampled_from(places), rank, min_size=1))
    hyp = draw(st.dictionaries(st.sampled_from(places), rank))
    return ref, hyp, listed, n


def segmentation(ranks: dict[int, int], n_units: int, candidates: Any) -> ss.Segmentation:
    """A segmentation with these ranks and candidates."""
    return boundaries(list(ranks), n_units, ranks=list(ranks.values()), candidates=candidates)


@st.composite
def measures(draw: st.DrawFn, n_units: int) -> tuple[ss.Hierarchical, oracle.Measure]:
    """A hierarchical metric that is defined for N units, and its oracle."""
    edges: Any = draw(st.sampled_from(EDGES))
    widest = n_units + 3 if edges == "pad" else n_units - 1
    rule: dict[str, Any] = draw(
        st.one_of(
            st.just({}),
            st.integers(1, widest).map(lambda k: {"k": k}),
            st.fixed_dictionaries(
                {"rounding": st.sampled_from(ROUNDINGS), "k_offset": st.integers(-2, 0)}
            ),
        )
    )
    k_from: Any = draw(st.sampled_from(["level", "reference"]))
    kind = draw(st.sampled_from(["pk", "windowdiff", "weighted"]))
    metric: Any
    weights: dict[str, Any] = {}
    if kind == "pk":
        weights = {name: draw(st.integers(0, 3)) for name in ("fn_weight", "fp_weight")}
        metric = ss.Pk(**rule, **weights, edges=edges)
    else:
        metric = ss.WindowDiff(**rule, edges=edges, weighted=kind == "weighted")

    def k(segments: int) -> int:
        ruled = window_size(
            n_units, segments, rule.get("rounding", "half-even"), 1, rule.get("k_offset", 0)
        )
        return int(rule.get("k", ruled))

    hierarchical = ss.Hierarchical(metric, k_from=k_from)
    return hierarchical, oracle.Measure(kind, edges, k, k_from, **weights)


@given(ranked_pairs(), st.data(), st.sampled_from([np.int32, np.int64]))
def test_every_tied_choice_counts_alike(case: Any, data: Any, dtype: Any) -> None:
    """The closed form = the mean over all choices, one by one, level by level."""
    ref, hyp, listed, n = case
    metric, measure = data.draw(measures(n))
    side = data.draw(st.sampled_from(["ref", "hyp", "both"])) if listed else "none"
    coding = segmentation(ref, n, listed if side in ("ref", "both") else None)
    other = segmentation(hyp, n, listed if side in ("hyp", "both") else None)
    levels = oracle.levels(n, ref, hyp, listed, measure)
    score = metric(coding, other)
    assert [(level.rank, level.boundaries, level.k) for level in score.levels] == [
        (rank, level.boundaries, level.k) for rank, level in enumerate(levels, 1)
    ]
    assert [level.error for level in score.levels] == pytest.approx(
        [float(level.error) for level in levels], abs=1e-13
    )
    assert score == pytest.approx(float(oracle.total(levels)), abs=1e-13)
    assert score.statistics["boundaries"] == len(ref)
    assert metric.rows(narrow(coding, other, dtype))[0].tolist() == list(score._row)


def narrow(ref: ss.Segmentation, hyp: ss.Segmentation, dtype: Any) -> ss.Pairs:
    """The pair in a batch, its positions in so many bits."""
    pairs = ss.Pairs.from_segmentations([ref], [hyp])
    return ss.Pairs(
        pairs.n_units, pairs.ref_offsets, pairs.ref_positions.astype(dtype), pairs.hyp_offsets,
        pairs.hyp_positions.astype(dtype), ref_ranks=pairs.ref_ranks, hyp_ranks=pairs.hyp_ranks,
        ref_candidates=pairs.ref_candidates, hyp_candidates=pairs.hyp_candidates,
    )  # fmt: skip


@given(plain_pairs(min_units=2), st.sampled_from(EDGES), st.sampled_from([ss.Pk, ss.WindowDiff]))
def test_as_many_boundaries_without_ranks_is_the_plain_metric(
    pair: Any, edges: Any, kind: Any
) -> None:
    ref, hyp = pair
    fewer = min(ref.n_segments, hyp.n_segments) - 1
    ref, hyp = (boundaries(coding.boundaries[:fewer], coding.n_units) for coding in pair)
    metric = kind(edges=edges)
    if fewer:
        ranks = np.arange(fewer) % 3 + 1
        ranked = boundaries(ref.boundaries, ref.n_units, ranks=ranks)
        plain = metric(ref, hyp)
        assert ss.Hierarchical(metric)(ref, hyp) == pytest.approx(plain, abs=1e-12)
        linear = ss.Hierarchical(metric, linear_reference=True)
        assert linear(ranked, hyp) == pytest.approx(plain, abs=1e-12)


@given(ranked_pairs(max_units=40), st.sampled_from(EDGES))
def test_properties(case: Any, edges: Any) -> None:
    ref, hyp, listed, n = case
    coding, other = segmentation(ref, n, listed), segmentation(hyp, n, listed)
    for metric in (ss.Pk(edges=edges), ss.WindowDiff(edges=edges)):
        hierarchical = ss.Hierarchical(metric)
        assert float(hierarchical(coding, coding)) == 0
        assert 0 <= hierarchical(coding, other) <= 1
        mirrored = hierarchical(coding.mirror(), other.mirror())
        assert mirrored == pytest.approx(hierarchical(coding, other), abs=1e-12)
        scaled = boundaries(list(hyp), n, ranks=[7 * r for r in hyp.values()], candidates=listed)
        assert hierarchical(coding, scaled) == hierarchical(coding, other)


@given(ranked_pairs(max_units=30))
def test_linear_sides_ignore_their_ranks(case: Any) -> None:
    ref, hyp, listed, n = case
    coding, other = segmentation(ref, n, listed), segmentation(hyp, n, listed)
    flat_coding, flat_other = (
        boundaries(list(ranks), n, candidates=listed) for ranks in (ref, hyp)
    )
    wd = ss.WindowDiff(edges="wrap")
    plain = ss.Hierarchical(wd)
    assert ss.Hierarchical(wd, linear_reference=True)(coding, other) == plain(flat_coding, other)
    assert ss.Hierarchical(wd, linear_hypothesis=True)(coding, other) == plain(coding, flat_other)


def test_a_hundred_thousand_candidates() -> None:
    """NONE against one boundary: a window of k of the C candidates holds it with p = k/C."""
    n = 200_000
    every_second = np.arange(2, n, 2)
    ref = boundaries([n // 2], n, candidates=every_second)
    none = boundaries([], n, candidates=every_second)
    level = ss.Hierarchical(ss.Pk(k=100, edges="wrap"))(ref, none).levels[0]
    share = 50 / len(every_second)  # of the candidates, in all but the windows at the seam
    expected = (100 * (1 - share) + (n - 100) * share) / n
    assert level.error == pytest.approx(expected, abs=1e-6)


def test_a_batch_is_its_pairs_on_any_number_of_threads() -> None:
    rng = np.random.default_rng(5)
    refs, hyps = [], []
    for n in rng.integers(2, 60, 50):
        listed = np.flatnonzero(rng.random(n) < 0.6)[1:] if n % 2 else np.arange(1, n)
        listed = listed if listed.size else np.array([1])
        sides = []
        for least in (1, 0):
            size = int(rng.integers(least, len(listed) + 1))
            chosen = rng.choice(listed, size, replace=False)
            ranks = rng.integers(1, 4, size)
            sides.append(boundaries(chosen, int(n), ranks=ranks, candidates=listed))
        refs.append(sides[0])
        hyps.append(sides[1])
    metrics = ["e-pk", "e-wd", "e-wd(edges=drop,k_from=reference)", "e-f1"]
    serial = ss.score(refs, hyps, metrics=metrics, threads=1)
    parallel = ss.score(refs, hyps, metrics=metrics, threads=2)
    for name in metrics:
        assert serial[name].values.tolist() == parallel[name].values.tolist()
        singly = [float(ss.metric(name)(r, h)) for r, h in zip(refs, hyps, strict=True)]
        assert serial[name].values.tolist() == singly
        total = serial[name].statistics.sum()
        assert serial[name].micro == total["errors"] / total["boundaries"]


# ---- what cannot be scored, and what is wrong ----


def test_undefined() -> None:
    metric = ss.Hierarchical(ss.WindowDiff(edges="wrap"))
    alone = ss.Segmentation.from_masses([1])
    none, halves = ss.Segmentation.from_masses([6]), ss.Segmentation.from_masses([3, 3])
    with pytest.raises(ss.SegmentationError, match="has 1 unit"):
        metric(alone, alone)
    with pytest.raises(ss.SegmentationError, match="reference has no boundary"):
        metric(none, halves)
    assert math.isnan(metric(none, halves, on_undefined="nan"))
    assert metric(none, halves, on_undefined="nan").levels == []
    assert 0 < metric(halves, none) < 1


def test_one_level_too_wide_leaves_the_other_documents_alone() -> None:
    large, small = ss.Segmentation.from_masses([9, 9]), ss.Segmentation.from_masses([3, 3])
    scores = ss.score([large, small, large], [large, small, large], "e-pk(k=7)", on_undefined="nan")
    values = scores["e-pk(k=7)"].values
    assert values[0] == values[2] == 0
    assert math.isnan(values[1])


def test_candidates_that_do_not_fit() -> None:
    metric = ss.Hierarchical(ss.WindowDiff())
    ref, hyp = boundaries([3, 6], 10), boundaries([6], 10)
    with pytest.raises(ss.SegmentationError, match="document 0.*boundary 3.*reference"):
        metric(ref, boundaries([6], 10, candidates=[6, 8]))
    with pytest.raises(ss.SegmentationError, match="boundary 6.*hypothesis"):
        metric(boundaries([3], 10, candidates=[3, 8]), hyp)
    with pytest.raises(ss.SegmentationError, match="list different candidates"):
        metric(boundaries([3], 10, candidates=[3, 8]), boundaries([3], 10, candidates=[3, 7]))
    with pytest.raises(ss.SegmentationError, match="document 'b'.*boundary 3.*reference"):
        ss.score({"a": ref, "b": ref}, {"a": hyp, "b": boundaries([6], 10, candidates=[6])}, "e-wd")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metric": "wd"}, "metric is 'wd'"),
        ({"metric": ss.Hierarchical(ss.Pk())}, "metric for each level"),
        ({"k_from": "reference", "metric": ss.BoundaryMatch()}, "expected k_from='level'"),
    ],
)
def test_bad_parameters(arguments: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.Hierarchical(**{"metric": ss.WindowDiff(), **arguments})


# ---- any metric over tied choices ----


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
