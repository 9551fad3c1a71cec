"""Chance in a comparison: against NumPy's draws, over runs, references and averages; the share."""

from typing import Any

import numpy as np
import pytest

import segscore as ss
from comparison.test_comparing import Codings, copies, drawn
from oracles import chance as oracle
from oracles import resampling as single

FAST = 300


@pytest.fixture(scope="module")
def refs() -> Codings:
    rng = np.random.default_rng(0)
    return {f"d{i}": drawn(int(rng.integers(15, 40)), rng) for i in range(22)}


@pytest.fixture(scope="module")
def hyps(refs: Codings) -> Codings:
    return copies(refs, 0.1, 1)


def by_hand(refs: Codings, hyps: Codings, metric: ss.Metric, average: str, null: str) -> float:
    """The average over documents of the system drawn anew, by NumPy, 300 times."""
    rng = np.random.default_rng(5)
    rows, values = [], []
    for name, ref in refs.items():
        drawn_rows = np.array(
            [metric.score_pair(ref, oracle.drawn(hyps[name], null, rng))[0] for _ in range(300)]
        )
        rows.append(drawn_rows.mean(axis=0))
        values.append(np.nanmean(metric.values(drawn_rows)))
    if average == "macro":
        return float(np.mean(values))
    return float(metric.values(np.sum(rows, axis=0)[np.newaxis])[0])


@pytest.mark.parametrize("null", ["positions", "lengths"])
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_chance_is_what_draws_by_hand_give(
    refs: Codings, hyps: Codings, average: Any, null: Any
) -> None:
    metrics = [ss.WindowDiff(), ss.BoundarySimilarity()]
    made = ss.compare(
        refs, systems={"it": hyps}, metrics=metrics, average=average, chance=null, draws=300,
        n_resamples=FAST, baselines=(),
    )  # fmt: skip
    for metric in metrics:
        entry = made["it", metric]
        assert entry.chance == pytest.approx(by_hand(refs, hyps, metric, average, null), abs=0.008)
        perfect = metric.perfect or 0
        assert entry.share == pytest.approx(
            (entry.value - entry.chance) / (perfect - entry.chance)
        )  # fmt: skip
        assert entry.share_low < entry.share < entry.share_high < 1


def test_the_interval_of_the_share_is_drawn_jointly(refs: Codings, hyps: Codings) -> None:
    made = ss.compare(
        refs, systems={"it": hyps}, metrics="b", chance="positions", draws=50, n_resamples=FAST,
    )  # fmt: skip
    assert made.chance is not None
    observed = made.standings["b"].rows[:, :1]
    expected = made.chance.found["b"].rows[:, :1]
    width = observed.shape[2]
    values = ss.BoundarySimilarity().values

    def share(sums: np.ndarray) -> np.ndarray:
        value, by_chance = values(sums[:, :width]), values(sums[:, width:])
        return (value - by_chance) / (1 - by_chance)

    joined = np.concatenate([observed, expected], axis=2)[:, 0]
    again = single.bootstrap(joined, share, n_resamples=FAST)
    entry = made["it", "b"]
    assert entry.share == pytest.approx(float(again.estimate))
    assert (entry.share_low, entry.share_high) == pytest.approx(
        [float(x) for x in again.interval()]
    )


def test_perfect_and_random_systems_stand_at_the_ends(refs: Codings) -> None:
    rng = np.random.default_rng(3)
    random = {name: oracle.drawn(ref, "positions", rng) for name, ref in refs.items()}
    made = ss.compare(
        refs, systems={"perfect": refs, "random": random, "nothing": {
            name: ss.baselines.none(ref.n_units) for name, ref in refs.items()}},
        metrics=["pk", "wd", "winpr", "f1", "s", "hausdorff"], chance="positions", draws=100,
        n_resamples=FAST, baselines=(), on_undefined="nan",
    )  # fmt: skip
    for metric in ("pk", "wd", "winpr", "f1", "s"):
        assert made["perfect", metric].share == 1
        assert made["random", metric].share == pytest.approx(0, abs=0.12)
        assert made["nothing", metric].share is None  # nothing of it can move
    assert made["perfect", "hausdorff"].chance is None
    assert "None for nothing: none of its boundaries can move." in str(made)


def test_runs_are_averaged(refs: Codings) -> None:
    runs = [copies(refs, 0.1, seed) for seed in (1, 2, 3)]
    options: dict[str, Any] = {
        "metrics": "wd", "chance": "positions", "draws": 400, "n_resamples": FAST, "baselines": (),
    }  # fmt: skip
    together = ss.compare(refs, systems={"it": runs}, **options)["it", "wd"]
    alone = [ss.compare(refs, systems={"it": run}, **options)["it", "wd"] for run in runs]
    assert together.chance == pytest.approx(np.mean([entry.chance for entry in alone]), abs=0.006)


def test_systems_alone_have_chance_and_it_is_said(refs: Codings, hyps: Codings) -> None:
    made = ss.compare(
        refs, systems={"it": hyps}, metrics="wd", chance="lengths", draws=30, n_resamples=FAST
    )
    assert made["random", "wd"].chance is None
    assert "chance (own lengths)" in str(made)
    rows = made.to_table().records()
    assert rows[0]["wd_chance"] == made["it", "wd"].chance
    assert rows[0]["wd_share_low"] == made["it", "wd"].share_low
    assert rows[0]["wd_chance_signature"] == made.chance_signatures["wd"]
    (first, *_) = made.to_dicts()
    assert first["chance_signature"].endswith("|null:lengths|draws:30|seed:0")
    again = ss.compare(
        refs, systems={"it": hyps}, metrics="wd", chance="lengths", draws=30, n_resamples=FAST
    )
    assert again["it", "wd"] == made["it", "wd"]
    plain = ss.compare(refs, systems={"it": hyps}, metrics="wd", n_resamples=FAST)
    assert plain["it", "wd"].chance is None
    assert "chance (" not in str(plain)


@pytest.mark.filterwarnings("ignore:tolerance is:segscore.errors.MetricWarning")
def test_parameters_in_time_hold_for_chance_too(refs: Codings, hyps: Codings) -> None:
    from segscore.corpus.provenance import Provenance
    from segscore.corpus.record import Record

    both = [
        Record(name, coder, by[name])
        for name in refs
        for coder, by in {"gold": refs, "it": hyps}.items()
    ]
    timed = ss.Corpus.from_rows(both, provenance=Provenance.of("seconds:6"))
    options: dict[str, Any] = {
        "reference": "gold", "chance": "positions", "draws": 50, "n_resamples": FAST,
    }  # fmt: skip
    in_time = ss.compare(timed, metrics="f1(tolerance=12s)", **options)
    in_units = ss.compare(timed, metrics="f1(tolerance=2)", **options)
    entry, other = in_time["it", "f1(tolerance=12s)"], in_units["it", "f1(tolerance=2)"]
    assert entry.chance == other.chance
    assert entry.share == other.share
    assert "|units:seconds:6|" in in_time.chance_signatures["f1(tolerance=12s)"]
