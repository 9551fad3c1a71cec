"""The state of accumulators as an array, and documents that are kept one by one."""

import pickle
from typing import Any

import numpy as np
import pytest

import segscore as ss
from needs import needs
from segscore.scoring.accumulator_sums import FEW
from segscore.scoring.merged_parts import MergeWarning
from strategies import random_documents

METRICS = ["windowdiff", "b(n_t=5)", "f1"]


def documents(n: int = 40, start: int = 0) -> tuple[dict[str, Any], dict[str, Any]]:
    refs, hyps = random_documents(n)
    names = [f"d{start + i}" for i in range(n)]
    return dict(zip(names, refs, strict=True)), dict(zip(names, hyps, strict=True))


def part(both: tuple[dict[str, Any], dict[str, Any]], places: slice) -> list[dict[str, Any]]:
    return [dict(list(side.items())[places]) for side in both]


def filled(both: Any, **settings: Any) -> ss.Accumulator:
    made = ss.Accumulator(METRICS, **settings)
    made.update(*both)
    return made


@pytest.mark.parametrize("settings", [{}, {"buckets": 64}, {"keep": "statistics"}])
def test_states_of_two_processes_give_what_one_gives(settings: dict[str, Any]) -> None:
    both = documents()
    first, second = (
        filled(part(both, places), **settings) for places in (slice(25), slice(25, None))
    )
    whole = filled(both, **settings)
    merged = ss.Accumulator(METRICS, **settings)
    kept = settings.get("keep") == "statistics"
    merged.load_state(
        np.concatenate([first.state(), second.state()]) if kept else first.state() + second.state()
    )
    assert merged.n_documents == 40
    for metric in METRICS:
        found, expected = merged.result()[metric], whole.result()[metric]
        assert found.micro == pytest.approx(expected.micro, rel=1e-14)
        assert found.macro == pytest.approx(expected.macro, rel=1e-14)
        assert found.n_documents == expected.n_documents
    scored = ss.score(*both, METRICS, on_undefined="nan")
    assert merged.result()["windowdiff"].micro == scored["windowdiff"].micro  # whole numbers
    assert merged.cell((), "").checksum == whole.cell((), "").checksum


@pytest.mark.parametrize("settings", [{}, {"buckets": 16}, {"keep": "statistics"}])
def test_a_state_is_floats_and_comes_back_unchanged(settings: dict[str, Any]) -> None:
    acc = filled(documents(), **settings)
    state = acc.state()
    assert state.dtype == np.float64
    assert state.ndim == 1
    again = ss.Accumulator(METRICS, **settings)
    again.load_state(state)
    again.load_state(again.state().tolist())  # a second one takes the place of the first
    assert again.state().tolist() == state.tolist()
    empty = ss.Accumulator(METRICS, **settings)
    empty.load_state(empty.state())
    assert empty.n_documents == 0


@pytest.mark.parametrize("settings", [{"buckets": 64}, {"keep": "statistics"}])
def test_comparisons_go_through_states(settings: dict[str, Any]) -> None:
    refs, far = documents(60)
    near = {name: ref if i % 3 else far[name] for i, (name, ref) in enumerate(refs.items())}

    def made(places: slice) -> ss.Accumulator:
        acc = ss.Accumulator(METRICS, systems=["near", "far"], **settings)
        sides = [dict(list(side.items())[places]) for side in (refs, near, far)]
        acc.update_systems(sides[0], {"far": sides[2], "near": sides[1]})  # in another order
        return acc

    states = [made(slice(20)).state(), made(slice(20, None)).state()]
    merged = ss.Accumulator(METRICS, systems=["near", "far"], **settings)
    merged.load_state(np.concatenate(states) if "keep" in settings else states[0] + states[1])
    tallies, expected = merged.tallies(()), made(slice(None)).tallies(())
    assert tallies is not None
    assert expected is not None
    assert tallies.counts.tolist() == expected.counts.tolist()
    assert tallies.systems == ("near", "far")
    found = ss.compare(merged, n_resamples=500)
    assert found["near", "windowdiff"].rank == 1
    assert [pair.significant for pair in found.pairs] == [True] * 3


def test_kept_statistics_compare_as_documents_do() -> None:
    refs, hyps = documents(30)
    asked: dict[str, Any] = {"n_resamples": 300, "metrics": METRICS, "baselines": ()}
    plain = ss.compare(refs, systems={"a": hyps}, **asked, on_undefined="nan")
    acc = filled((refs, hyps), keep="statistics")
    found = ss.compare(acc, n_resamples=300)
    for metric in METRICS:
        entry, other = found["", metric], plain["a", metric]
        assert (entry.value, entry.n_documents) == (pytest.approx(other.value), other.n_documents)
        assert entry.low == pytest.approx(other.low, abs=0.03)  # drawn in another order
        assert entry.high == pytest.approx(other.high, abs=0.03)
    assert found.drawn == "documents"


def test_kept_statistics_are_never_put_into_buckets() -> None:
    cut = ss.Segmentation.from_masses
    n = FEW + 5
    acc = ss.Accumulator("windowdiff", keep="statistics")
    acc.update([cut([2, 3])] * n, [cut([3, 2])] * n)
    assert not acc.cell((), "").is_folded
    again: ss.Accumulator = pickle.loads(pickle.dumps(acc))  # noqa: S301
    with pytest.warns(MergeWarning, match="merged twice"):
        again += acc
    assert again.n_documents == len(again.cell((), "").units()[1]) == 2 * n
    assert again.result()["windowdiff"].micro == acc.result()["windowdiff"].micro


def test_documents_without_names_are_compared_only_row_by_row() -> None:
    refs, hyps = random_documents(30)
    acc = ss.Accumulator("windowdiff", keep="statistics")
    acc.update_systems(refs, {"perfect": refs, "other": hyps})
    found = ss.compare(acc, n_resamples=300)
    assert found["perfect", "windowdiff"].value == 0
    assert found.pairs[0].wins == sum(
        ss.WindowDiff()(r, h) > 0 for r, h in zip(refs, hyps, strict=True)
    )
    apart = ss.Accumulator("windowdiff", keep="statistics")
    apart.update(refs, refs, system="perfect")
    apart.update(refs, hyps, system="other")
    with pytest.raises(ss.SegmentationError, match="documents have no names by which.*update_sys"):
        ss.compare(apart)
    with pytest.raises(ss.SegmentationError, match="no buckets.*keep='statistics'"):
        ss.compare(filled(documents()))


def test_clusters_are_kept_through_a_state() -> None:
    refs, hyps = documents(30)
    acc = ss.Accumulator("windowdiff", keep="statistics")
    acc.update(refs, hyps, clusters=[f"book {i % 6}" for i in range(30)])
    again = ss.Accumulator("windowdiff", keep="statistics")
    again.load_state(acc.state())
    for accumulator in (acc, again):
        assert len(accumulator.cell((), "").units()[0]) == 6
        assert ss.compare(accumulator, n_resamples=100).drawn == "clusters"
    assert again.cell((), "").checksum == acc.cell((), "").checksum


def test_reset_forgets_documents_and_keeps_settings() -> None:
    acc = filled(documents(), buckets=64)
    acc.reset()
    assert acc.n_documents == 0
    assert acc.buckets == 64
    assert not acc.state().any()
    with pytest.raises(ss.SegmentationError, match="no document to score"):
        acc.result()
    acc.update(*documents(5))
    assert acc.n_documents == 5


BAD: list[tuple[Any, Any, str]] = [
    ({}, [1.0, 2.0], "state has 2 numbers: expected 45, as an accumulator of the same metrics"),
    ({}, [[1.0]], "state has 2 dimensions"),
    ({}, "x", "expected an array of numbers"),
    ({}, [float("nan")] * 45, "NaN or infinity"),
    ({}, [0.5] * 45, "where a count should be"),
    ({"keep": "statistics"}, [1.0], "expected a multiple of"),
    ({"keep": "statistics"}, [3.5] * 28, "no rows of documents"),
    ({"by": ["genre"]}, [], "groups .by=….*pickle"),
]


@pytest.mark.parametrize(("settings", "state", "message"), BAD)
def test_wrong_states_are_refused(settings: Any, state: Any, message: str) -> None:
    acc = ss.Accumulator(METRICS, **settings)
    with pytest.raises(ss.SegmentationError, match=message):
        acc.load_state(state)


@needs("arrow")
def test_settings_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="buckets is given, but keep='statistics'"):
        ss.Accumulator(METRICS, keep="statistics", buckets=64)
    with pytest.raises(ss.SegmentationError, match="keep is 'all'.*: expected one of sums, stat"):
        ss.Accumulator(METRICS, keep="all")  # type: ignore[arg-type]
    kept = filled(documents(), keep="statistics")
    with pytest.raises(ss.SegmentationError, match="keep is statistics here and sums there"):
        kept.merge(filled(documents()))
    with pytest.raises(ss.SegmentationError, match="keeps each document: send it by pickle"):
        kept.to_arrow()
    unnamed = ss.Accumulator(METRICS)
    unnamed.update(*documents(), system="a")
    with pytest.raises(ss.SegmentationError, match="not named at the start.*systems="):
        unnamed.state()


@needs("arrow")
def test_a_table_of_nothing_is_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="no document"):
        ss.Accumulator().to_arrow()
