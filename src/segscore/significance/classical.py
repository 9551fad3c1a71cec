"""The tests that the papers use, on the values of documents (docs/definitions.md §8).

`values` is a table (documents, systems): one value per document and system. Documents are taken as
independent of each other. Everything is computed by SciPy or, where SciPy has no such test, by
scikit-posthocs (the extra `segscore[stats]`); this file checks the table, handles what those
libraries leave undefined (all documents tied), and adds effect sizes.

- Friedman, then Wilcoxon-Nemenyi-McDonald-Thompson: all pairs of systems by their rank sums within
  documents (Hollander & Wolfe 1999, §7.3; Fournier 2013, §6, for B).
- Kruskal-Wallis, then comparisons of mean ranks (Dunn 1964; Fournier 2013, §6, for S and
  WindowDiff): for systems that were *not* run on the same documents. On the same documents other
  tests have more power.
- Paired and one-sample t-tests (Carroll 2010).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from segscore.basics.arguments import Floats
from segscore.errors import SegmentationError, needing
from segscore.significance.resampling import SAME, cohens_d


@dataclass(frozen=True)
class TestResult:
    """The result of a test: its statistic, two-sided p, effect size, and number of documents."""

    __test__ = False  # pytest: this is no test case

    name: str
    statistic: float
    p: float
    effect: float
    effect_name: str
    n_documents: int


def complete(values: ArrayLike, systems: int = 2) -> Floats:
    """The documents on which every system has a value; values that differ only by rounding are
    equal."""
    table = np.asarray(values, np.float64)
    if table.ndim != 2 or table.shape[1] < systems:
        raise SegmentationError(
            f"values have shape {table.shape}: expected (documents, systems), at least {systems} "
            "systems"
        )
    kept = table[~np.isnan(table).any(axis=1)]
    return np.asarray(np.round(kept / SAME) * SAME)


# ---- all systems at once ----


def friedman(values: ArrayLike) -> TestResult:
    """Friedman's test that all systems are equal; the effect is Kendall's W, 0 … 1.

    >>> friedman([[1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 3, 2]]).effect
    0.5625
    """
    from scipy.stats import friedmanchisquare

    table = complete(values, systems=3)
    n, k = table.shape
    largest = n * (k - 1)
    return _rank_test("friedman", friedmanchisquare, table, _all_tied, "Kendall's W", largest)


def kruskal_wallis(values: ArrayLike) -> TestResult:
    """The Kruskal-Wallis test that all systems are equal; the effect is ε² = H / (n - 1).

    >>> round(kruskal_wallis([[1, 4, 7], [2, 5, 8], [3, 6, 9]]).statistic, 4)
    7.2
    """
    from scipy.stats import kruskal

    table = complete(values)
    return _rank_test("kruskal-wallis", kruskal, table, _all_equal, "ε²", table.size - 1)


def _rank_test(
    name: str,
    test: Callable[..., Any],
    table: Floats,
    tied: Callable[[Floats], bool],
    effect_name: str,
    largest: int,
) -> TestResult:
    """A test that all systems are equal; the effect is its statistic over the largest possible."""
    n = len(table)
    if n < 2:
        return TestResult(name, np.nan, np.nan, np.nan, effect_name, n)
    if tied(table):
        return TestResult(name, 0.0, 1.0, 0.0, effect_name, n)
    found = test(*table.T)
    statistic = float(found.statistic)
    return TestResult(name, statistic, float(found.pvalue), statistic / largest, effect_name, n)


def friedman_pairs(values: ArrayLike) -> Floats:
    """Wilcoxon-Nemenyi-McDonald-Thompson: p for each pair of systems, as a symmetric matrix.

    The p-values are corrected for all pairs together: do not correct them again.
    """
    table = complete(values)
    return _posthocs("posthoc_nemenyi_friedman", table, table, _all_tied)


def kruskal_pairs(values: ArrayLike) -> Floats:
    """Dunn's comparisons of mean ranks: p for each pair, uncorrected, as a symmetric matrix."""
    table = complete(values)
    return _posthocs("posthoc_dunn", list(table.T), table, _all_equal)


def _all_tied(table: Floats) -> bool:
    """Whether all systems are equal on each document."""
    return bool((np.ptp(table, axis=1) == 0).all())


def _all_equal(table: Floats) -> bool:
    return bool(np.ptp(table) == 0)


def _posthocs(name: str, values: Any, table: Floats, tied: Callable[[Floats], bool]) -> Floats:
    """The result of a function of scikit-posthocs; NaN for a single document, 1 for ties."""
    if len(table) < 2 or tied(table):
        return np.full((table.shape[1],) * 2, np.nan if len(table) < 2 else 1.0)
    with needing("stats", "a comparison of rank sums"):
        import scikit_posthocs
    return np.asarray(getattr(scikit_posthocs, name)(values), np.float64)


# ---- two systems, or one and a number ----


def paired_t(a: ArrayLike, b: ArrayLike) -> TestResult:
    """The paired t-test; the effect is Cohen's d_z: mean difference / its standard deviation.

    >>> round(paired_t([1, 2, 3, 4], [0, 2, 1, 3]).statistic, 4)
    2.4495
    """
    table = complete(np.stack([np.asarray(a, np.float64), np.asarray(b, np.float64)], axis=-1))
    return _t_test("paired t", table[:, 0] - table[:, 1])


def one_sample_t(values: ArrayLike, expected: float) -> TestResult:
    """The t-test of the documents' mean against a number, for instance a published mean.

    >>> round(one_sample_t([0.3, 0.4, 0.5], 0.4).p, 6)
    1.0
    """
    table = complete(np.asarray(values, np.float64)[:, np.newaxis], systems=1)
    return _t_test("one-sample t", table[:, 0] - expected)


def _t_test(name: str, differences: Floats) -> TestResult:
    from scipy.stats import ttest_1samp

    n, effect = len(differences), cohens_d(differences)
    if n < 2:
        return TestResult(name, np.nan, np.nan, np.nan, "Cohen's d", n)
    if np.ptp(differences) < SAME:  # all differences are equal: p is 1 if they are 0, else 0
        sign = float(np.sign(differences[0])) if abs(differences[0]) > SAME else 0.0
        far = sign * np.inf if sign else 0.0
        return TestResult(name, far, 0.0 if sign else 1.0, effect, "Cohen's d", n)
    found = ttest_1samp(differences, 0.0)
    return TestResult(name, float(found.statistic), float(found.pvalue), effect, "Cohen's d", n)
