"""Intervals and tests on statistics: against enumeration, SciPy, statsmodels, and known truth."""

from fractions import Fraction
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats as scipy_stats

import segscore as ss
from needs import needs
from oracles import resampling as single
from segscore.metrics.base import ratio
from segscore.scoring.scoring import Scores
from segscore.significance import classical, drawing
from segscore.significance import resampling as sig

Floats = NDArray[np.float64]
stats: Any = scipy_stats  # has no types


def share(sums: Floats) -> Floats:
    """Errors per window, as in Pk and WindowDiff."""
    return ratio(sums[:, 0], sums[:, 1])


def f_value(sums: Floats) -> Floats:
    """F1 from (tp, fp, fn): a value that is no plain share."""
    return ratio(2 * sums[:, 0], 2 * sums[:, 0] + sums[:, 1] + sums[:, 2])


def f_value_of_two(sums: Floats) -> Floats:
    """Another value of the rows of `share`."""
    return ratio(sums[:, 1] - sums[:, 0], sums[:, 1] + sums[:, 0])


def systems(n_documents: int, n_trials: int, seed: int, harm: float = 0.0) -> tuple[Floats, Floats]:
    """Rows (errors, windows) of two systems; each errs with the document's own probability.

    The second errs in a share `harm` more of the windows.
    """
    rng = np.random.default_rng(seed)
    windows = rng.integers(20, 60, (n_documents, n_trials))
    hard = rng.beta(4, 8, (n_documents, n_trials))
    errors_a = rng.binomial(windows, hard)
    errors_b = rng.binomial(windows, np.minimum(hard + harm, 1))
    rows = [np.stack([e, windows], axis=-1).astype(float) for e in (errors_a, errors_b)]
    return rows[0], rows[1]


# ---- sums and values ----


@pytest.fixture(scope="module")
def scores() -> Scores:
    rng = np.random.default_rng(3)
    refs: list[ss.Segmentation] = []
    hyps: list[ss.Segmentation] = []
    for _ in range(30):
        n = int(rng.integers(8, 40))
        for side in (refs, hyps):
            places = np.flatnonzero(rng.random(n - 1) < 0.25) + 1
            side.append(ss.Segmentation.from_boundaries(places, n))
    return ss.score(refs, hyps, "windowdiff")["windowdiff"]


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_bootstrap_of_scores_is_the_loop_that_scores_again(scores: Scores, average: str) -> None:
    rows, value = single.additive(scores, average)  # type: ignore[arg-type]
    bootstrap = single.bootstrap(rows, value, n_resamples=20, seed=5)
    rng = np.random.default_rng(5)
    for drawn, got in zip(rng.integers(0, 30, (20, 30)), bootstrap.resampled, strict=True):
        refs, hyps = zip(*(scores[int(i)].pair for i in drawn), strict=True)
        again = ss.score(refs, hyps, "windowdiff")["windowdiff"]
        assert got == pytest.approx(getattr(again, average), abs=1e-12)
    assert float(bootstrap.estimate) == pytest.approx(getattr(scores, average), abs=1e-12)


# ---- intervals ----


def expanded(level: float, n: int) -> float:
    """Hesterberg's share of resamples below and above: Φ(-√(n/(n-1)) · t), literally."""
    t = stats.t.ppf(1 - (1 - level) / 2, n - 1)
    return float(stats.norm.cdf(-np.sqrt(n / (n - 1)) * t))


@pytest.mark.parametrize("n", [5, 12, 40])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_interval_is_that_of_expanded_percentiles(n: int, level: float) -> None:
    rows, _ = systems(n, 3, seed=n)
    bootstrap = single.bootstrap(rows, share, n_resamples=2000, seed=6)
    tail = expanded(level, n)
    expected = np.quantile(bootstrap.resampled, [tail, 1 - tail], axis=0)
    assert np.array_equal(bootstrap.interval(level), expected)
    assert sig.expanded_tail(level, n) == pytest.approx(tail, rel=1e-12)


def test_intervals_of_several_values_are_those_of_each_alone() -> None:
    a, b = (rows[:, 0] for rows in systems(15, 1, seed=2))
    samples = [(a, share), (np.column_stack([a, b]), f_value), (a, f_value_of_two)]
    settings: Any = {
        "level": 0.9,
        "n_resamples": 300,
        "seed": 3,
        "lots": drawing.Lots("clusters", np.arange(15)),
    }
    alone = [sig.bootstrap_interval(*sample, **settings) for sample in samples]
    assert sig.bootstrap_intervals(samples, **settings) == alone
    assert len({interval.low for interval in alone}) == 3
    assert "15 clusters, 300 resamples, seed 3; fewer than 20" in alone[0].method
    assert sig.bootstrap_intervals([]) == []
    nothing = sig.bootstrap_intervals([(a[:1], share), (b[:1], share)])
    assert [np.isnan(interval.low) for interval in nothing] == [True, True]
    with pytest.raises(ss.SegmentationError, match="samples have 15, 14 rows"):
        sig.bootstraps([(a, share), (b[1:], share)])


def test_jackknife_of_a_mean_is_the_t_interval() -> None:
    values = np.random.default_rng(2).normal(size=12)
    estimate, left_out = sig.jackknife(sig.macro_rows(values), sig.mean_of_defined)
    interval = sig.jackknife_interval(float(estimate), left_out)
    expected = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    assert interval[:2] == pytest.approx(expected)
    assert np.isnan(sig.jackknife_interval(0.0, [0.1, 0.2], unit="coders").low)


# ---- tests of two systems ----


def exact_swaps(a: Floats, b: Floats, value: sig.Value) -> float:
    """Fisher's randomisation test, literally."""
    seen = abs(float(value(a.sum(0)[None])[0] - value(b.sum(0)[None])[0]))
    far = 0
    for swaps in product([False, True], repeat=len(a)):
        swapped = np.array(swaps)[:, None]
        left, right = np.where(swapped, b, a), np.where(swapped, a, b)
        far += abs(float(value(left.sum(0)[None])[0] - value(right.sum(0)[None])[0])) > seen - 1e-9
    return float(far / 2 ** len(a))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("value", [share, f_value])
def test_randomisation_of_few_documents_is_exact(seed: int, value: sig.Value) -> None:
    rng = np.random.default_rng(seed)
    n = 3 + seed
    a, b = rng.integers(1, 9, (2, n, 3)).astype(float)
    assert float(single.randomisation(a, b, value)) == exact_swaps(a, b, value)


def plain_p(p: float, n: int) -> float:
    """The share of resamples behind an expanded p of n documents: the way back."""
    t = stats.t.isf(p / 2, n - 1)
    return float(2 * stats.norm.sf(t * np.sqrt(n / (n - 1))))


def p_values(test: str, a: Floats, b: Floats) -> Floats:
    if test == "bootstrap":
        return single.paired_bootstrap(a, b, share, n_resamples=999).p_value()
    return single.randomisation(a, b, share, n_resamples=999)


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
@pytest.mark.parametrize("n_documents", [1, 5, 40])
def test_identical_systems_have_p_one(test: str, n_documents: int) -> None:
    a, _ = systems(n_documents, 3, seed=2)
    assert p_values(test, a, a).tolist() == [1.0] * 3
    assert p_values(test, a * 0.1 / 3, a * 0.1 / 3).tolist() == [1.0] * 3  # no rounding noise


def test_drawn_runs_have_the_variance_of_their_mean() -> None:
    runs = np.array([0.1, 0.25, 0.3, 0.7])
    drawn = sig.draw_runs(np.tile(runs, (100_000, 1)), seed=0, stream=0)
    assert drawn.mean() == pytest.approx(runs.mean(), abs=0.002)
    assert drawn.var() == pytest.approx(runs.var(ddof=1) / len(runs), rel=0.02)
    other = sig.draw_runs(np.tile(runs, (100_000, 1)), seed=0, stream=1)
    assert np.corrcoef(drawn, other)[0, 1] == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_no_p_is_ever_zero(test: str) -> None:
    a, _ = systems(30, 2, seed=3)
    better = np.stack([a[..., 0] * 0.01, a[..., 1]], axis=-1)
    p = p_values(test, a, better)
    if test == "bootstrap":
        p = np.array([plain_p(p_value, 30) for p_value in p])
    assert p == pytest.approx([1 / 1000] * 2, rel=1e-9)


# ---- rounding, and draws without a value ----


def random_fractions(seed: int, n: int = 7) -> list[Fraction]:
    """Values of documents, errors per windows, which floats mostly cannot hold."""
    rng = np.random.default_rng(seed)
    return [Fraction(int(rng.integers(0, 12)), int(rng.integers(12, 40))) for _ in range(n)]


def macro(values: list[Fraction]) -> Floats:
    return sig.macro_rows(np.array([float(value) for value in values]))


def test_randomisation_is_that_of_exact_arithmetic() -> None:
    """Swaps with the very difference that was seen count, whatever the rounding of sums says."""
    for seed in range(40):
        a, b = random_fractions(seed), random_fractions(1000 + seed)
        gaps = [x - y for x, y in zip(a, b, strict=True)]
        swapped = [sum(s * g for s, g in zip(signs, gaps, strict=True))
                   for signs in product((1, -1), repeat=len(gaps))]  # fmt: skip
        exact = Fraction(sum(abs(total) >= abs(sum(gaps)) for total in swapped), len(swapped))
        found = single.randomisation(macro(a), macro(b), sig.mean_of_defined)
        assert float(found) == float(exact), seed


def test_bootstrap_p_is_that_of_exact_arithmetic() -> None:
    for seed in range(20):
        thirtieths = np.random.default_rng(seed).integers(0, 12, (2, 5)).tolist()
        a, b = (
            [Fraction(numerator, 30) for numerator in side] for side in thirtieths
        )  # often equally far
        gaps = [x - y for x, y in zip(a, b, strict=True)]
        seen = sum(gaps)
        draws = np.random.default_rng(seed).integers(0, 5, (999, 5)).tolist()
        sums = [sum((gaps[i] for i in draw), Fraction()) for draw in draws]
        exact = Fraction(1 + sum(abs(total - seen) >= abs(seen) for total in sums), 1000)
        bootstrap = single.paired_bootstrap(
            macro(a), macro(b), sig.mean_of_defined, n_resamples=999, seed=seed
        )
        assert plain_p(float(bootstrap.p_value()), 5) == pytest.approx(float(exact)), seed


@pytest.mark.parametrize("exact", [True, False])
def test_swaps_without_a_value_count_as_far(exact: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of the four swaps leave one system without any document that has a value."""
    if not exact:
        monkeypatch.setattr(sig, "randomisation_is_exact", lambda *_: False)
    a, b = np.array([[1.0, 2], [0, 0]]), np.array([[0.0, 0], [1, 3]])
    assert float(single.randomisation(a, b, share)) == 1
    undefined = np.array([[1.0, 2], [0, 0]]), np.array([[0.0, 0], [0, 0]])
    assert np.isnan(single.randomisation(*undefined, share))  # the sample itself has no difference


def test_draws_without_a_value_count_as_far() -> None:
    resampled = np.array([[np.nan, 0.5], [np.nan, 0.6], [0.5, 0.4], [0.6, 0.5]])
    bootstrap = sig.Bootstrap(np.array([0.5, 0.5]), resampled, 7)
    plain = [plain_p(p_value, 7) for p_value in bootstrap.p_value()]
    assert plain == pytest.approx([(1 + 2) / (1 + 4), 1 / 5])
    assert np.isnan(sig.Bootstrap(np.array([np.nan]), resampled[:, :1], 7).p_value())


def test_draws_without_a_value_are_no_part_of_the_interval() -> None:
    """Quantiles are those of the draws that have a value; without any there is no interval."""
    rng = np.random.default_rng(5)
    resampled = rng.normal(3, 1, (200, 3))
    resampled[rng.random(200) < 0.3, 0] = np.nan
    resampled[:, 1] = np.nan
    low, high = sig.Bootstrap(resampled[0], resampled, 15).interval(0.9)
    tails = expanded(0.9, 15), 1 - expanded(0.9, 15)
    for column in (0, 2):
        defined = resampled[~np.isnan(resampled[:, column]), column]
        assert [low[column], high[column]] == pytest.approx(np.quantile(defined, tails))
    assert np.isnan([low[1], high[1]]).all()


# ---- Holm ----


def test_holm_is_statsmodels() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    rng = np.random.default_rng(0)
    for size in (1, 2, 5, 20):
        p = np.round(rng.random(size) ** 3, 2)  # rounded: ties
        assert sig.holm(p) == pytest.approx(multitest.multipletests(p, method="holm")[1])
    assert sig.holm([0.02, np.nan, 0.01]) == pytest.approx([0.02, np.nan, 0.02], nan_ok=True)


# ---- bad input ----


def test_bad_input_is_refused() -> None:
    rows = [[1.0, 2.0], [1.0, 3.0]]
    with pytest.raises(ss.SegmentationError, match="level is 95"):
        sig.bootstrap_interval(rows, share, level=95)
    with pytest.raises(ss.SegmentationError, match="seed is -1"):
        single.bootstrap(rows, share, seed=-1)
    with pytest.raises(ss.SegmentationError, match="n_resamples is 0"):
        single.randomisation(rows, rows, share, n_resamples=0)
    with pytest.raises(ss.SegmentationError, match="one row or more"):
        single.bootstrap(np.empty((0, 2)), share)


def test_sums_of_draws_are_the_same_by_any_number_of_threads() -> None:
    table = np.random.default_rng(1).random((50_021, 3))
    found = [
        np.concatenate([sums[0] for _, sums in drawing.sums_of_draws([table], drawing.resamples, 999, 4, threads)])
        for threads in (1, 2, 5)
    ]  # fmt: skip
    for sums in found[1:]:
        assert sums.tobytes() == found[0].tobytes()


# ---- the papers' tests ----


def table(seed: int, n: int = 12, systems: int = 4, digits: int = 1) -> Floats:
    """Values with ties, and systems that differ a little."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 1)) + rng.normal(size=(n, systems)) + 0.3 * np.arange(systems)
    return np.asarray(np.round(values, digits))


@pytest.mark.parametrize("seed", range(5))
def test_same_numbers_as_scipy(seed: int) -> None:
    values = table(seed)
    friedman, kruskal = stats.friedmanchisquare(*values.T), stats.kruskal(*values.T)
    ours = classical.friedman(values)
    assert (ours.statistic, ours.p) == pytest.approx((friedman.statistic, friedman.pvalue))
    ours = classical.kruskal_wallis(values)
    assert (ours.statistic, ours.p) == pytest.approx((kruskal.statistic, kruskal.pvalue))
    a, b = values[:, 0], values[:, 1]
    paired, single = stats.ttest_rel(a, b), stats.ttest_1samp(a, 0.2)
    test = classical.paired_t(a, b)
    assert (test.statistic, test.p) == pytest.approx((paired.statistic, paired.pvalue))
    test = classical.one_sample_t(a, 0.2)
    assert (test.statistic, test.p) == pytest.approx((single.statistic, single.pvalue))
    assert test.effect * np.sqrt(len(a)) == pytest.approx(test.statistic)  # d = t / √n


@needs("stats")
@pytest.mark.parametrize("seed", range(5))
def test_same_numbers_as_scikit_posthocs(seed: int) -> None:
    posthocs = import_module("scikit_posthocs")
    values = table(seed)
    nemenyi = np.asarray(posthocs.posthoc_nemenyi_friedman(values))
    assert classical.friedman_pairs(values) == pytest.approx(nemenyi)
    dunn = np.asarray(posthocs.posthoc_dunn(list(values.T), p_adjust=None))
    assert classical.kruskal_pairs(values) == pytest.approx(dunn)


def test_all_tied_is_no_difference() -> None:
    same = np.tile(np.random.default_rng(0).random((6, 1)), (1, 3))
    assert classical.friedman(same).p == 1
    assert (classical.friedman_pairs(same) == 1).all()
    assert classical.kruskal_wallis(np.ones((6, 3))).p == 1
    assert (classical.kruskal_pairs(np.ones((6, 3))) == 1).all()
    assert classical.paired_t(same[:, 0], same[:, 1]).p == 1
    assert classical.paired_t(same[:, 0], same[:, 1]).effect == 0


def test_differences_without_spread() -> None:
    test = classical.paired_t([0.3, 0.4, 0.5], [0.2, 0.3, 0.4])
    assert test.statistic == np.inf
    assert test.p == 0
    assert np.isnan(test.effect)


def test_rounding_noise_is_a_tie() -> None:
    a = np.array([0.1 + 0.2, 0.5, 0.7])
    b = np.array([0.3, 0.5, 0.7])
    assert a[0] != b[0]
    assert classical.paired_t(a, b).p == 1
    assert classical.friedman(np.stack([a, b, b], axis=1)).p == 1


def test_one_document_cannot_be_tested() -> None:
    values = [[0.1, 0.2, 0.3]]
    for test in (classical.friedman, classical.kruskal_wallis):
        assert np.isnan(test(values).p)
    for pairs in (classical.friedman_pairs, classical.kruskal_pairs):
        assert np.isnan(pairs(values)).all()
    assert np.isnan(classical.paired_t([0.1], [0.2]).p)
    assert np.isnan(classical.one_sample_t([0.1], 0.2).p)
    assert np.isnan(sig.cohens_d([0.1]))


def test_documents_without_a_value_are_left_out_for_all() -> None:
    values = table(3)
    holes = np.vstack([values, [np.nan, 1, 2, 3]])
    assert classical.friedman(holes) == classical.friedman(values)
    assert classical.paired_t(holes[:, 0], holes[:, 1]).n_documents == len(values)


def test_bad_tables_are_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="at least 3"):
        classical.friedman([[1, 2], [2, 1]])
    with pytest.raises(ss.SegmentationError, match="documents, systems"):
        classical.kruskal_wallis([1, 2, 3])
