"""Window metrics: kernels against literal oracles, properties, published values, edge cases."""

import dataclasses
import inspect
import math
import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import segscore as ss
from oracles import window as oracle
from segscore.metrics.window import EDGES, ROUNDINGS
from segscore.metrics.window_runs import Windows, windows
from strategies import pairs, places

masses = ss.Segmentation.from_masses


def rules() -> st.SearchStrategy[dict[str, Any]]:
    """Ways to settle k: fixed, or by rule."""
    fixed = st.integers(1, 95).map(lambda k: {"k": k})
    ruled = st.fixed_dictionaries(
        {
            "rounding": st.sampled_from(ROUNDINGS),
            "min_k": st.integers(1, 4),
            "k_offset": st.integers(-2, 3),
        }
    )
    return st.one_of(fixed, ruled, st.just({}))


def literal_k(ref: ss.Segmentation, rule: dict[str, Any], k_offset: int = 0) -> int:
    """What the oracle makes of a rule."""
    if "k" in rule:
        return int(rule["k"])
    return oracle.window_size(
        ref.n_units,
        ref.n_segments,
        rule.get("rounding", "half-even"),
        rule.get("min_k", 1),
        rule.get("k_offset", k_offset),
    )


@given(pairs(), rules(), st.sampled_from(EDGES))
def test_pk_is_the_literal_count(pair: Any, rule: dict[str, Any], edges: Any) -> None:
    ref, hyp = pair
    metric = ss.Pk(**rule, edges=edges)
    k = literal_k(ref, rule)
    expected = oracle.pk(places(ref), places(hyp), ref.n_units, k, edges)
    batch = metric.rows(ss.Pairs.from_segmentations([ref], [hyp]))[0]
    score = metric(ref, hyp, on_undefined="nan")
    assert tuple(batch) == expected
    assert tuple(metric.score_pair(ref, hyp)[0]) == expected
    assert score.k == k
    if expected[2]:
        assert score == (expected[0] + expected[1]) / expected[2]
    else:
        assert math.isnan(score)


@given(pairs(), rules(), st.sampled_from(EDGES), st.booleans())
def test_windowdiff_is_the_literal_count(
    pair: Any, rule: dict[str, Any], edges: Any, weighted: bool
) -> None:
    ref, hyp = pair
    metric = ss.WindowDiff(**rule, edges=edges, weighted=weighted)
    k = literal_k(ref, rule)
    expected = oracle.window_diff(places(ref), places(hyp), ref.n_units, k, edges, weighted)
    batch = metric.rows(ss.Pairs.from_segmentations([ref], [hyp]))[0]
    score = metric(ref, hyp, on_undefined="nan")
    assert tuple(batch) == expected
    assert tuple(metric.score_pair(ref, hyp)[0]) == expected
    errors, windows, missed = expected
    if windows:
        assert score == errors / windows
        assert score.missed == missed / windows
        assert score.missed + score.extra == pytest.approx(float(score))
    else:
        assert math.isnan(score)


@given(pairs(min_units=2), rules())
def test_winpr_is_the_literal_count(pair: Any, rule: dict[str, Any]) -> None:
    ref, hyp = pair
    score = ss.WinPR(**rule)(ref, hyp, on_undefined="nan")
    k = literal_k(ref, rule, k_offset=1)
    expected = oracle.winpr(places(ref), places(hyp), ref.n_units, k)
    exact = oracle.winpr(places(ref), places(hyp), ref.n_units, 1)
    assert score.k == k
    assert tuple(score.raw.values()) == expected
    assert np.allclose([score.tp, score.fp, score.fn, score.tn], np.array(expected) / k)
    assert np.allclose(list(score.near_miss.values()), np.array(expected) / k - np.array(exact))


def test_missed_and_extra_are_parts_of_windowdiff() -> None:
    """As attributes, as metrics of their own and in averages: errors add up before they are
    divided. Before, no part told which side has too few."""
    ref, fewer, more = masses([2, 3, 6]), masses([5, 6]), masses([2, 3, 2, 4])
    result = ss.score([ref, ref], [fewer, more], ["wd", "wd.missed", "wd.extra"])
    whole = result["wd"].micro
    assert (whole.missed, whole.extra) == (2 / 18, 2 / 18)
    assert result["wd.missed"].micro == 2 / 18
    assert result["wd.extra"].values.tolist() == [0, 2 / 9]
    assert not ss.metric("wd.missed").higher_is_better


def test_crowded_documents_use_the_sweep() -> None:
    """Windows that hold more events than occupancy counts: every position a boundary."""
    n = 900
    full, empty = masses([1] * n), masses([n])
    half = ss.Segmentation.from_boundaries(range(2, n, 2), n)
    for edges in EDGES:
        assert ss.WindowDiff(k=40, edges=edges)(full, empty) == 1
        for weighted in (True, False):
            errors, windows, _ = oracle.window_diff(
                places(full), places(half), n, 40, edges, weighted
            )
            score = ss.WindowDiff(k=40, edges=edges, weighted=weighted)(full, half)
            assert (score.errors, score.windows) == (errors, windows)


PUBLISHED_1_MINUS_WD = [  # docs/definitions.md §4.2, F13 figs. 5-8, ref (2,3,6), k = 2
    ([5, 6], 7 / 9),
    ([2, 2, 7], 7 / 9),
    ([2, 3, 3, 3], 7 / 9),
    ([1, 1, 3, 1, 5], 6 / 9),
]


@pytest.mark.parametrize(("hyp", "expected"), PUBLISHED_1_MINUS_WD)
def test_f13_figures_5_to_8(hyp: list[int], expected: float) -> None:
    score = ss.WindowDiff()(masses([2, 3, 6]), masses(hyp))
    assert score.k == 2
    assert 1 - score == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ref", "hyp", "k", "expected"),
    [  # FI12 figs. 4, 6, 7, 8, with its own way to find k
        ([1, 2, 2, 3, 3, 1, 2], [1, 2, 1, 2, 6, 2], 1, 8 / 13),
        ([14], [1] * 14, 6, 0.0),
        ([1, 2, 2, 2, 4, 2, 1], [1, 2, 8, 2, 1], 1, 11 / 13),
        ([6, 8], [7, 7], 3, 9 / 11),
    ],
)
def test_fi12_figures(ref: list[int], hyp: list[int], k: int, expected: float) -> None:
    score = ss.WindowDiff(rounding="half-up", k_offset=-1)(masses(ref), masses(hyp))
    assert score.k == k
    assert 1 - score == pytest.approx(expected)


@pytest.mark.parametrize(
    ("hyp", "tp", "tn", "fp", "fn"),
    [  # SI12 table 2, ref {6}, N = 12; row c prints TN 40, but a row must sum to k(N-1) = 44
        ({6}, 4, 40, 0, 0),
        (set(), 0, 40, 0, 4),
        ({5}, 3, 39, 1, 1),
        ({6, 2}, 4, 36, 4, 0),
        ({6, 1, 3}, 4, 32, 8, 0),
    ],
)
def test_si12_table_2(hyp: set[int], tp: int, tn: int, fp: int, fn: int) -> None:
    score = ss.WinPR()(masses([6, 6]), ss.Segmentation.from_boundaries(hyp, 12))
    assert score.k == 4
    assert score.raw == {"tp": tp, "fp": fp, "fn": fn, "tn": tn}


def test_pk_prime_counts_false_positives_twice() -> None:
    ref, hyp = masses([12]), masses([6, 6])
    assert ss.Pk()(ref, hyp) == 1
    assert ss.Pk(fp_weight=2)(ref, hyp) == 2
    assert ss.metric("pk-prime") == ss.Pk(fp_weight=2)


# ---- docs/definitions.md §11 ----


@pytest.mark.parametrize("metric", [ss.Pk, ss.WindowDiff])
def test_k_at_and_beyond_the_edge(metric: Any) -> None:
    ref, hyp = masses([3, 2]), masses([2, 3])
    for edges in ("drop", "wrap", "wrap-seam"):
        assert metric(k=4, edges=edges)(ref, hyp) >= 0
        with pytest.raises(ss.SegmentationError, match="k.*5 needs.*5 units.*5"):
            metric(k=5, edges=edges)(ref, hyp)
        assert math.isnan(metric(k=5, edges=edges)(ref, hyp, on_undefined="nan"))
    assert metric(k=4, edges="drop")(ref, hyp) == 0  # the one window sees one boundary on each side
    assert metric(k=100, edges="pad")(ref, hyp) == pytest.approx(2 / 103)


def test_no_boundary_anywhere() -> None:
    coding = masses([9])
    assert ss.Pk()(coding, coding) == ss.WindowDiff()(coding, coding) == 0
    score = ss.WinPR()(coding, coding, on_undefined="nan")
    assert all(map(math.isnan, (score, score.precision, score.recall)))


def test_different_lengths_are_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="reference has 5.*6"):
        ss.WindowDiff()(masses([5]), masses([6]))


def test_huge_documents_are_exact() -> None:
    n = 10**12
    ref = ss.Segmentation.from_boundaries([10**6, 5 * 10**11], n)
    hyp = ss.Segmentation.from_boundaries([10**6 + 7, 5 * 10**11], n)
    assert ss.WindowDiff(k=10)(ref, hyp).errors == 14
    assert ss.WindowDiff()(ref, hyp).errors == 7  # the rest of both windows lies before the text
    assert ss.Pk()(ref, hyp).windows == n - round(n / 6)
    assert (
        ss.WinPR()(ref, hyp).raw["tn"] == (round(n / 6) + 1) * (n - 1) - 2 * (round(n / 6) + 1) - 7
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ss.WindowDiff(k=3, min_k=2), "k is 3.*min_k is 2.*min_k"),
        (lambda: ss.WindowDiff(k=3, rounding="floor"), "k is 3.*rounding is floor"),
        (lambda: ss.WinPR(k=3, k_offset=0), "k is 3 and k_offset is 0"),
    ],
)
def test_wrong_parameters_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()


@pytest.mark.parametrize("kind", [ss.Pk, ss.WindowDiff, ss.WinPR])
def test_defaults_are_as_if_they_were_given(kind: Any) -> None:
    names = [field.name for field in dataclasses.fields(kind)]
    given = kind(**{name: getattr(kind, name) for name in names})
    found = kind()
    assert (found, hash(found), repr(found)) == (given, hash(given), repr(given))
    assert (found.rule, found.signature()) == (given.rule, given.signature())
    assert pickle.loads(pickle.dumps(found)) == given  # noqa: S301
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.k = 3
    assert kind(k=3).rule[0] == dataclasses.replace(found, k=3).rule[0] == 3
    assert kind(3).k == 3
    assert list(inspect.signature(kind).parameters) == names


# ---- penalised windows ----


cut = ss.Segmentation.from_masses


def each_window(found: Windows) -> list[tuple[int, int]]:
    """The boundaries in every window, run after run."""
    return [(run.reference, run.hypothesis) for run in found for _ in range(run.n_windows)]


@given(pairs(min_units=3, max_units=30), st.integers(1, 12), st.sampled_from(EDGES))
def test_runs_are_the_windows_of_the_oracle(
    pair: tuple[ss.Segmentation, ss.Segmentation], k: int, edges: str
) -> None:
    ref, hyp = pair
    if k >= ref.n_units and edges != "pad":
        k = ref.n_units - 1
    expected = oracle.counts(places(ref), places(hyp), ref.n_units, k, edges)
    for metric in (
        ss.WindowDiff(k=k, edges=edges),
        ss.WindowDiff(k=k, edges=edges, weighted=True),
        ss.Pk(k=k, edges=edges),
        ss.Pk(k=k, edges=edges, fp_weight=2),
    ):
        found = windows(ref, hyp, metric)
        assert each_window(found) == expected
        assert found.n_windows == len(expected)
        assert found.penalty / found.n_windows == pytest.approx(metric(ref, hyp))
        assert len(found) <= 2 * (ref.n_segments + hyp.n_segments) * (1 + ("wrap" in edges)) + 2


@given(pairs(min_units=3, max_units=30))
def test_winpr_adds_up_to_its_errors(pair: tuple[ss.Segmentation, ss.Segmentation]) -> None:
    ref, hyp = pair
    assume(ref.n_segments + hyp.n_segments > 2)  # without any boundary there is no F
    found = windows(ref, hyp, "winpr")
    k = found.k
    assert each_window(found) == oracle.counts(places(ref), places(hyp), ref.n_units, k, "pad")
    raw = ss.WinPR()(ref, hyp).raw
    extra = sum(run.penalty * run.n_windows for run in found if run.why == "extra")
    missed = sum(run.penalty * run.n_windows for run in found if run.why == "missed")
    assert (extra, missed) == (raw["fp"], raw["fn"])


@given(pairs(min_units=3, max_units=30))
def test_neighbouring_runs_differ(pair: tuple[ss.Segmentation, ss.Segmentation]) -> None:
    runs = windows(*pair, "pk(k=2)").runs
    for before, after in pairwise(runs):
        assert after.first == before.last + 1
        assert (before.reference, before.hypothesis) != (after.reference, after.hypothesis)


def test_cost_follows_boundaries() -> None:
    far = ss.Segmentation.from_boundaries([5 * 10**8, 15 * 10**8], 2 * 10**9)
    near = ss.Segmentation.from_boundaries([5 * 10**8 + 5, 15 * 10**8], 2 * 10**9)
    found = ss.metrics.windows(far, near)
    assert len(found) < 12
    assert found.penalty == 10
    assert found.n_windows == 2 * 10**9 - found.k


def test_says_which_and_why() -> None:
    found = ss.metrics.windows(cut([6, 6]), cut([5, 7]), "winpr")
    assert [(run.first, run.why) for run in found.penalised] == [(2, "extra"), (6, "missed")]
    assert "14 windows of k = 4 positions, penalty 2 in total" in str(found)
    assert [row["why"] for row in found.records()] == ["extra", "missed"]


@pytest.mark.parametrize(("metric", "words"), [("b", "no windows to show"), ("nope", "nope")])
def test_refuses_metrics_without_windows(metric: str, words: str) -> None:
    with pytest.raises(ss.SegmentationError, match=words):
        ss.metrics.windows(cut([3]), cut([3]), metric)
