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
from oracles import resampling as single
from segscore.comparison.estimates import POWER, Evidence, gather_evidence
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
    known = Evidence(parts, float(parts.std(ddof=1)), test, alpha, 2000, 0)
    difference = known.detectable(n)
    scaled = parts * math.sqrt(40 / 39)
    found = [rejected(rng.choice(scaled, n) + difference, test, alpha) for _ in range(400)]
    assert np.mean(found) == pytest.approx(POWER, abs=0.07)
    needed = n_needed(known, difference * 1.0001)
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
    (known,) = gather_evidence(standing, [(0, 1)], made.settings, standing.differences([(0, 1)]))
    wide = spread_limit(known.parts, CONFIDENCE, 3.0)
    kurtosis = max(3.0, float(stats.kurtosis(known.parts, bias=False)))
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
