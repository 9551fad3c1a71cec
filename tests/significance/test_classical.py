"""The papers' tests: the same numbers as SciPy and scikit-posthocs, and sense at the edges."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats as scipy_stats

import segscore as ss
from needs import needs
from segscore.significance import classical

Floats = NDArray[np.float64]
stats: Any = scipy_stats  # has no types


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


@needs("stats")
def test_wilcoxon_nemenyi_mcdonald_thompson_by_its_formula() -> None:
    """Rank sums apart by q·√(nk(k+1)/12): Hollander & Wolfe 1999, §7.3, large samples."""
    values = table(7, n=20, digits=6)
    n, k = values.shape
    sums = stats.rankdata(values, axis=1).sum(axis=0)
    q = np.abs(sums[:, None] - sums[None]) / np.sqrt(n * k * (k + 1) / 12)
    expected = stats.studentized_range.sf(q, k, np.inf)
    assert classical.friedman_pairs(values) == pytest.approx(expected, abs=1e-3)


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
    assert classical.wins_ties_losses(a, b, True) == (0, 3, 0)
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
    assert np.isnan(classical.cohens_d([0.1]))


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
