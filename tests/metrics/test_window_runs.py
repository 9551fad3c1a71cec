"""Penalised windows: window by window as the oracle has them, and summed as the metrics."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import segscore as ss
from oracles import window as oracle
from segscore.metrics.window import EDGES
from segscore.metrics.window_runs import Windows, windows
from strategies import segmentations

cut = ss.Segmentation.from_masses


@st.composite
def pairs(draw: st.DrawFn) -> tuple[ss.Segmentation, ss.Segmentation]:
    n_units = draw(st.integers(3, 30))
    return draw(segmentations(n_units)), draw(segmentations(n_units))


def each_window(found: Windows) -> list[tuple[int, int]]:
    """The boundaries in every window, run after run."""
    return [(run.reference, run.hypothesis) for run in found for _ in range(run.n_windows)]


def places(coding: ss.Segmentation) -> set[int]:
    return set(coding.boundaries.tolist())


@given(pairs(), st.integers(1, 12), st.sampled_from(EDGES))
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


@given(pairs())
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


@given(pairs())
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
