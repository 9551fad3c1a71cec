"""What documents can show: `detectable` and `plan` against the tests themselves."""

import math
import re
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

import segscore as ss
from comparison.test_comparing import Codings, copies, drawn
from needs import needs
from oracles import chance as oracle
from oracles import resampling as single
from segscore.comparison.estimates import POWER, ComparisonSettings, detectable, gather_evidence
from segscore.comparison.planning import CONFIDENCE, n_needed
from segscore.significance import classical
from segscore.significance.resampling import spread_limit

stats: Any = scipy_stats  # has no types


def mean(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


def rejected(sample: np.ndarray, test: str, alpha: float) -> bool:
    """Whether a sample of differences is significant."""
    n = len(sample)
    a, b = (np.column_stack([differences, np.ones(n)]) for differences in (sample, np.zeros(n)))
    if test == "randomisation":
        return bool(single.randomisation(a, b, mean, n_resamples=2000) <= alpha)
    if test == "bootstrap":
        return bool(single.paired_bootstrap(a, b, mean, n_resamples=1000).p_value() <= alpha)
    return bool(classical.paired_t(sample, np.zeros(n)).p <= alpha)


def settings(test: Any, n_resamples: int) -> ComparisonSettings:
    return ComparisonSettings("micro", test, "holm", 0.95, n_resamples, 0)


@pytest.mark.parametrize(
    ("test", "n", "alpha"),
    [
        ("randomisation", 7, 0.05),
        ("randomisation", 12, 0.05 / 3),
        ("randomisation", 18, 0.05),
        ("bootstrap", 12, 0.05),
        ("t", 6, 0.05 / 3),
        ("randomisation", 30, 0.05),
        ("t", 30, 0.05 / 3),
    ],
)
def test_four_times_out_of_five(test: Any, n: int, alpha: float) -> None:
    rng = np.random.default_rng(8)
    parts = rng.normal(size=40)
    parts -= parts.mean()
    known, how = (parts, float(parts.std(ddof=1))), settings(test, 2000)
    difference = detectable(known, how, alpha, n)
    scaled = parts * math.sqrt(40 / 39)
    found = [rejected(rng.choice(scaled, n) + difference, test, alpha) for _ in range(400)]
    assert np.mean(found) == pytest.approx(POWER, abs=0.07)
    needed = n_needed(known, difference * 1.0001, how, alpha)
    assert needed is not None
    assert needed <= n + (n >= 20)


@pytest.fixture(scope="module")
def refs() -> Codings:
    rng = np.random.default_rng(0)
    return {f"d{i}": drawn(int(rng.integers(15, 50)), rng) for i in range(25)}


def some(refs: Codings, n: int, n_systems: int, **options: Any) -> ss.Comparison:
    few = dict(list(refs.items())[:n])
    systems = {f"s{i}": copies(few, 0.05 + 0.05 * i, i) for i in range(n_systems)}
    return ss.compare(few, systems=systems, metrics="wd", baselines=(), **options)


@pytest.mark.parametrize(
    ("n", "n_systems", "shown"),
    [(5, 2, False), (6, 2, True), (6, 3, False), (8, 3, True), (8, 6, False), (25, 2, True)],
)
def test_never_printed_where_the_test_cannot_reach_alpha(
    refs: Codings, n: int, n_systems: int, shown: bool
) -> None:
    """2/2ⁿ times the number of pairs must not exceed α."""
    made = some(refs, n, n_systems)
    assert all(math.isnan(pair.detectable) is not shown for pair in made.pairs)
    cannot = any(re.search("difference can reach", warning) for warning in made.warnings)
    assert cannot is not shown
    if not shown:
        assert not any("could detect a difference" in warning for warning in made.warnings)
    table = made.pairs_table().records()
    assert all((row["detectable"] is None) is not shown for row in table)


def test_correction_counts(refs: Codings) -> None:
    plain, corrected = (some(refs, 25, 4, correction=correction) for correction in ("none", "holm"))
    few = math.sqrt(25 / 24)  # a spread of 25 documents, as estimated of all
    for a, b in zip(plain.pairs, corrected.pairs, strict=True):
        assert a.detectable < b.detectable
        error = np.std(
            plain.standings["wd"].drawn[:, int(a.a[1])]
            - plain.standings["wd"].drawn[:, int(a.b[1])]
        )
        assert a.detectable == pytest.approx((1.959964 + 0.841621) * error * few, rel=1e-5)
        assert b.detectable == pytest.approx((2.638257 + 0.841621) * error * few, rel=1e-5)


@needs("stats")
@pytest.mark.parametrize("test", ["friedman", "kruskal"])
def test_rank_tests_say_nothing_about_few_documents(refs: Codings, test: str) -> None:
    made = some(refs, 10, 3, test=test)
    assert all(math.isnan(pair.detectable) for pair in made.pairs)


# ---- plans ----


def test_plan(refs: Codings) -> None:
    made = some(refs, 25, 3)
    for difference in (0.001, 0.02, 0.3):
        plan = made.plan(difference)
        assert [(planned.a, planned.b) for planned in plan] == [
            (pair.a, pair.b) for pair in made.pairs
        ]
        for planned, pair in zip(plan, made.pairs, strict=True):
            assert planned.n_documents == 25
            assert (planned.n_needed > 25) == (pair.detectable > difference)
    small, large = made.plan(0.01), made.plan(0.02)
    for planned, other in zip(small, large, strict=True):
        if other.n_needed > 20:
            assert planned.n_needed == pytest.approx(4 * other.n_needed, abs=4)
    assert large.to_table().records()[0]["n_needed"] == large.pairs[0].n_needed


def test_plan_says_what_is_safe(refs: Codings) -> None:
    """χ² with fewer degrees of freedom than documents, as their parts have heavy tails."""
    made = some(refs, 25, 2)
    (pair,) = made.plan(0.02)
    standing = made.standings["wd"]
    gaps = standing.differences([(0, 1)])
    ((parts, _),) = gather_evidence(standing, [(0, 1)], made.settings.test, gaps)
    wide = spread_limit(parts, CONFIDENCE, 3.0)
    kurtosis = max(3.0, float(stats.kurtosis(parts, bias=False)))
    freedom = 24 / (1 + kurtosis * 24 / 50)
    assert wide == pytest.approx(math.sqrt(freedom / stats.chi2.ppf(0.2, freedom)))
    assert pair.n_safe == pytest.approx(wide**2 * pair.n_needed, abs=2)
    assert made.plan(0.02).to_table().records()[0]["n_safe"] == pair.n_safe


@pytest.mark.parametrize("difference", [0, -0.1, math.nan, "0.02", True])
def test_plan_of_nothing(refs: Codings, difference: Any) -> None:
    with pytest.raises(ss.SegmentationError, match="difference is"):
        some(refs, 5, 2, n_resamples=10).plan(difference)


def test_plan_needs_systems_and_documents(refs: Codings) -> None:
    with pytest.raises(ss.SegmentationError, match="there is one system"):
        some(refs, 5, 1, n_resamples=10).plan(0.1)
    with pytest.raises(ss.SegmentationError, match="there is one document"):
        some(refs, 1, 2, n_resamples=10).plan(0.1)


# ---- chance in a comparison ----


FAST = 300


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
    options: dict[str, Any] = {"systems": {"it": hyps}, "metrics": "wd", "n_resamples": FAST}
    made, again = (ss.compare(refs, chance="lengths", draws=30, **options) for _ in range(2))
    assert made["random", "wd"].chance is None
    assert "chance (own lengths)" in str(made)
    rows = made.to_table().records()
    assert rows[0]["wd_chance"] == made["it", "wd"].chance
    assert rows[0]["wd_share_low"] == made["it", "wd"].share_low
    assert rows[0]["wd_chance_signature"] == made.chance_signatures["wd"]
    (first, *_) = made.to_dicts()
    assert first["chance_signature"].endswith("|null:lengths|draws:30|seed:0")
    assert again["it", "wd"] == made["it", "wd"]
    plain = ss.compare(refs, **options)
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
