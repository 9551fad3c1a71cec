"""Confidence intervals and tests on statistics that add up.

Everything here uses *rows* and a *value*: rows are additive statistics, one row per document (or
per other thing that is resampled), and the value is a function of summed rows. A resample is then a
matrix product, counts @ rows, and no metric is computed again. `additive` gives rows and value of
scored documents; any other function of summed rows works as well.

Shapes: rows are (documents, …, statistics). The axes between the first and the last (systems, runs,
trials) are kept, and all of them have the same resampled documents, so that differences between
systems are paired.

- Percentile bootstrap and jackknife: Efron & Tibshirani 1993, *An Introduction to the Bootstrap*,
  ch. 11 and 13. Centred paired bootstrap test: ibid. §16.4; Berg-Kirkpatrick et al. 2012.
- Approximate randomisation: Noreen 1989; Riezler & Maxwell 2005. With few documents all swaps are
  tried, and the test is exact (Fisher's).
- n-1 draws from n for small groups, so that the variance is unbiased: McCarthy & Snowden 1985.
- Holm 1979, the step-down correction for several tests.
Monte-Carlo p-values count the observed sample as one of the draws (Davison & Hinkley 1997, §4.2):
no p is ever 0.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from segscore.basics.arguments import Floats, shown, whole_number
from segscore.errors import SegmentationError
from segscore.metrics.ratios import ratio
from segscore.metrics.statistics import Average
from segscore.scoring.results import Scores
from segscore.significance.drawing import all_swaps, resamples, sums_of_draws, swaps

Value = Callable[[Floats], Floats]
"""Turns summed rows, one per line, into numbers; NaN if undefined."""

N_RESAMPLES = 10_000
FEW_DOCUMENTS = 20  # with fewer, percentile intervals are clearly too narrow
_EXACTLY = 1e-10  # smaller differences come from the rounding of sums


class Interval(NamedTuple):
    """A confidence interval, and its method in words; NaN if there is none."""

    low: float
    high: float
    level: float
    method: str


def additive(scores: Scores, average: Average = "micro") -> tuple[Floats, Value]:
    """Rows and value whose sum over documents is the micro- or the macro-average.

    >>> import segscore as ss
    >>> refs = [ss.Segmentation.from_masses(m) for m in ([2, 3, 6], [4, 4])]
    >>> hyps = [ss.Segmentation.from_masses(m) for m in ([5, 6], [4, 4])]
    >>> scores = ss.score(refs, hyps, "windowdiff")["windowdiff"]
    >>> rows, value = additive(scores, "macro")
    >>> bool(value(rows.sum(axis=0, keepdims=True))[0] == scores.macro)
    True
    """
    if average == "micro":
        return scores.statistics.rows, scores.metric.values
    if average == "macro":
        return macro_rows(scores.values), mean_of_defined
    raise SegmentationError(f"average is {shown(average)}: expected 'micro' or 'macro'")


def macro_rows(values: Floats) -> Floats:
    """Values as rows that add up: (value, 1), or (0, 0) if the value is undefined."""
    defined = ~np.isnan(values)
    return np.stack([np.where(defined, values, 0.0), defined.astype(np.float64)], axis=-1)


def mean_of_defined(rows: Floats) -> Floats:
    """The value that goes with `macro_rows`."""
    return ratio(rows[:, 0], rows[:, 1])


def value_of(value: Value, sums: Floats) -> Floats:
    """Apply a value to sums of any shape (…, statistics)."""
    flat = np.ascontiguousarray(sums).reshape(-1, sums.shape[-1])
    return value(flat).reshape(sums.shape[:-1])


# ---- the bootstrap ----


@dataclass(frozen=True)
class Bootstrap:
    """The value of all rows, and its values for resampled rows.

    `estimate` has the middle shape of the rows; `resampled` has one more axis, the resamples, in
    front.
    """

    estimate: Floats
    resampled: Floats

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Lower and upper end of the percentile interval; undefined resamples are left out."""
        tail = (1 - checked_level(level)) / 2
        missing = np.isnan(self.resampled)
        if not missing.any():
            low, high = np.quantile(self.resampled, [tail, 1 - tail], axis=0)
            return low, high
        never = missing.all(axis=0)
        some = np.where(never, 0.0, self.resampled)
        low, high = np.nanquantile(some, [tail, 1 - tail], axis=0)
        return np.where(never, np.nan, low), np.where(never, np.nan, high)

    def p_value(self) -> Floats:
        """Two-sided p of "the estimate is 0": how often a resample is as far from it as 0 is."""
        far = np.abs(self.resampled - self.estimate) >= np.abs(self.estimate) - _EXACTLY
        return monte_carlo_p(far | np.isnan(self.resampled), self.estimate)


def bootstrap(
    rows: ArrayLike, value: Value, *, n_resamples: int = N_RESAMPLES, seed: int = 0
) -> Bootstrap:
    """Draw as many rows as there are, with replacement, `n_resamples` times.

    >>> rows = np.array([[1.0, 10], [4, 12], [0, 9], [3, 10], [2, 11]])
    >>> resampled = bootstrap(rows, lambda sums: sums[:, 0] / sums[:, 1])
    >>> low, high = resampled.interval()
    >>> bool(low < resampled.estimate < high)
    True
    """
    return bootstraps([(rows, value)], n_resamples=n_resamples, seed=seed)[0]


def bootstraps(
    samples: Sequence[tuple[ArrayLike, Value]],
    *,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    threads: int | None = None,
) -> list[Bootstrap]:
    """Several values for the same resamples, for instance several metrics of the same documents.

    The resamples are those of `bootstrap`, drawn once. threads: None is as many as the work is
    worth; they change no number.
    """
    tables = _checked_tables(samples)
    values = [value for _, value in samples]
    n_resamples = whole_number(n_resamples, "n_resamples", 1)
    again = [np.empty((n_resamples, *table.shape[1:-1])) for table in tables]
    for block, drawn in sums_of_draws(tables, resamples, n_resamples, seed, threads):
        for sums, value, out in zip(drawn, values, again, strict=True):
            out[block] = value_of(value, sums)
    return [
        Bootstrap(value_of(value, table.sum(axis=0)), out)
        for table, value, out in zip(tables, values, again, strict=True)
    ]


def drawn_documents(n_rows: int, n_resamples: int, seed: int) -> Iterator[tuple[slice, Floats]]:
    """How often each row is drawn in each resample of `bootstraps`, some resamples at a time: for
    values that are no function of summed rows."""
    for block, counts in resamples(n_rows, n_resamples, seed):
        yield block, counts.astype(np.float64)


def bootstrap_interval(
    rows: ArrayLike,
    value: Value,
    *,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    unit: str = "documents",
) -> Interval:
    """The percentile bootstrap interval of one value; NaN with the reason for a single row."""
    return bootstrap_intervals(
        [(rows, value)], level=level, n_resamples=n_resamples, seed=seed, unit=unit
    )[0]


def bootstrap_intervals(
    samples: Sequence[tuple[ArrayLike, Value]],
    *,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    unit: str = "documents",
) -> list[Interval]:
    """The intervals of several values of the same documents, each as `bootstrap_interval` gives it.

    Documents are drawn once for all of them. Rows may have different numbers of statistics.

    >>> rows = np.array([[1.0, 10], [4, 12], [0, 9], [3, 10], [2, 11]])
    >>> share = (rows, lambda sums: sums[:, 0] / sums[:, 1])
    >>> errors = (rows, lambda sums: sums[:, 0])
    >>> bootstrap_intervals([share, errors])[1] == bootstrap_interval(*errors)
    True
    """
    if not samples:
        return []
    tables = _checked_tables(samples)
    n_rows = len(tables[0])
    if n_rows < 2:
        why = f"no interval: at least 2 {unit} are needed, but there is {n_rows}"
        return [Interval(float("nan"), float("nan"), checked_level(level), why)] * len(tables)
    method = f"bootstrap over {n_rows} {unit}, {n_resamples} resamples, seed {seed}"
    if n_rows < FEW_DOCUMENTS:
        method += f"; fewer than {FEW_DOCUMENTS}, so it is too narrow"
    drawn = bootstraps(
        [(table, value) for table, (_, value) in zip(tables, samples, strict=True)],
        n_resamples=n_resamples,
        seed=seed,
    )
    ends = [one.interval(level) for one in drawn]
    return [Interval(float(low), float(high), level, method) for low, high in ends]


def credible(interval: Interval, lowest: float = -np.inf, highest: float = np.inf) -> Interval:
    """The interval, or "too few" if it says nothing: outside the range of its value, or wider
    than 1.

    >>> credible(Interval(-1.594, 1.0, 0.95, "jackknife over 4 coders"), -0.1, 1).method
    'too few: [-1.594, 1.000] says nothing (jackknife over 4 coders)'
    """
    low, high, level, method = interval
    inside = lowest - _EXACTLY <= low and high <= highest + _EXACTLY
    if np.isnan(low) or (inside and high - low <= 1):
        return interval
    why = f"too few: [{low:.3f}, {high:.3f}] says nothing ({method})"
    return Interval(float("nan"), float("nan"), level, why)


def paired_bootstrap(
    a: ArrayLike, b: ArrayLike, value: Value, *, n_resamples: int = N_RESAMPLES, seed: int = 0
) -> Bootstrap:
    """The difference value(a) - value(b), both for the same resamples; see `.p_value()`.

    >>> a = np.array([[3.0, 10], [4, 12], [2, 9], [3, 10], [5, 11], [4, 10]])
    >>> difference = paired_bootstrap(a, a - [[2, 0]], lambda sums: sums[:, 0] / sums[:, 1])
    >>> float(difference.p_value()) < 0.001
    True
    """
    both = bootstrap(
        np.stack(checked_pair(a, b), axis=1), value, n_resamples=n_resamples, seed=seed
    )
    return Bootstrap(
        both.estimate[0] - both.estimate[1], both.resampled[:, 0] - both.resampled[:, 1]
    )


def draw_runs(resampled: Floats, seed: int, stream: int) -> Floats:
    """Average the last axis, the runs of a system, over resampled runs: n-1 out of n.

    With n draws out of n the variance between few runs would be too small by (n-1)/n; with n-1
    draws it is unbiased. Each system has its own `stream` of random numbers.
    """
    n_draws, n_runs = len(resampled), resampled.shape[-1]
    if n_runs == 1:
        return resampled[..., 0]
    rng = np.random.default_rng([seed, stream + 1])  # documents are drawn from `seed` alone
    counts = rng.multinomial(n_runs - 1, np.full(n_runs, 1 / n_runs), size=n_draws)
    weights = counts.reshape(n_draws, *(1,) * (resampled.ndim - 2), n_runs) / (n_runs - 1)
    # a run that is not drawn must not make the mean NaN
    terms = np.where(weights > 0, weights * resampled, 0.0)
    return np.asarray(terms.sum(axis=-1))


# ---- the jackknife ----


def jackknife(rows: ArrayLike, value: Value) -> tuple[Floats, Floats]:
    """The value of all rows, and the values with each row left out in turn."""
    table = checked_rows(rows)
    total = table.sum(axis=0)
    return value_of(value, total), value_of(value, total - table)


def jackknife_interval(
    estimate: float, left_out: ArrayLike, *, level: float = 0.95, unit: str = "documents"
) -> Interval:
    """An interval from leave-one-out values: estimate ± t · s.e., t with n-1 degrees of freedom.

    The leave-one-out values come from `jackknife`, or from another computation (each coder left
    out).

    >>> jackknife_interval(0.5, [0.4, 0.5, 0.6], unit="coders").method
    'jackknife over 3 coders'
    """
    values = np.asarray(left_out, np.float64)
    n = len(values)
    error = float(np.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum())) if n else np.nan
    return jackknife_interval_of_error(estimate, error, n, level=level, unit=unit)


def jackknife_interval_of_error(
    estimate: float, error: float, n: int, *, level: float = 0.95, unit: str = "documents"
) -> Interval:
    """The same from the standard error of `n` leave-one-out values; NaN: one of them has none."""
    if n < 3 or np.isnan(error):
        why = f"no interval: a jackknife needs at least 3 {unit} with a value when one is left out"
        return Interval(float("nan"), float("nan"), checked_level(level), why)
    half = _t_quantile(n - 1, (1 + checked_level(level)) / 2) * error
    return Interval(estimate - half, estimate + half, level, f"jackknife over {n} {unit}")


@lru_cache(maxsize=100)
def _t_quantile(degrees: int, share: float) -> float:
    """Of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, share))


# ---- approximate randomisation ----


def randomisation(
    a: ArrayLike, b: ArrayLike, value: Value, *, n_resamples: int = N_RESAMPLES, seed: int = 0
) -> Floats:
    """Two-sided p of "the two systems are exchangeable for each document".

    Each document's rows are swapped between the systems, or not; p is the share of swaps with a
    difference at least as large as the observed one. All swaps are tried if there are at most
    `n_resamples`; else they are drawn at random.

    >>> a = np.array([[3.0, 10], [4, 12], [2, 9]])
    >>> float(randomisation(a, a - [[2, 0]], lambda sums: sums[:, 0] / sums[:, 1]))  # 2 of 2³
    0.25
    """
    left, right = checked_pair(a, b)
    n, shape, width = len(left), left.shape[1:-1], left.shape[-1]
    sides = np.concatenate([one.reshape(n, -1, width) for one in (left, right)], axis=1)
    half = sides.shape[1] // 2
    pairs = [(i, half + i) for i in range(half)]
    (p,) = randomisations([(sides, value)], pairs, n_resamples=n_resamples, seed=seed)
    return p.reshape(shape)


def randomisations(
    samples: Sequence[tuple[ArrayLike, Value]],
    pairs: Sequence[tuple[int, int]],
    *,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    threads: int | None = None,
) -> list[Floats]:
    """The p of `randomisation` for each pair of systems, under each of several metrics.

    Rows are (documents, systems, statistics); a pair are two systems, by number. All of them have
    the same swaps, drawn once: the swapped rows of a system are added up once for all its pairs.
    """
    tables = _checked_tables(samples)
    n_resamples = whole_number(n_resamples, "n_resamples", 1)
    n = len(tables[0])
    exact = randomisation_is_exact(n, n_resamples)
    left, right = np.array(pairs, np.intp).reshape(-1, 2).T
    tests = [_Swapped(table.sum(axis=0), value, left, right)
             for table, (_, value) in zip(tables, samples, strict=True)]  # fmt: skip
    far = np.empty((len(tests), 2**n if exact else n_resamples, len(left)), np.bool_)
    draw = all_swaps if exact else swaps
    for block, moved in sums_of_draws(tables, draw, far.shape[1], seed, threads):
        for out, test, one in zip(far, tests, moved, strict=True):
            out[block] = test.is_far(one)
    if exact:
        return [
            np.where(np.isnan(test.seen), np.nan, out.mean(axis=0))
            for test, out in zip(tests, far, strict=True)
        ]
    return [monte_carlo_p(out, test.seen) for test, out in zip(tests, far, strict=True)]


class _Swapped:
    """The differences of pairs of systems after swaps, against those that were seen."""

    def __init__(
        self, total: Floats, value: Value, left: NDArray[np.intp], right: NDArray[np.intp]
    ) -> None:
        self.value, self.left, self.right = value, left, right
        self.total_left, self.total_right = total[left], total[right]
        self.seen = self._difference(self.total_left, self.total_right)

    def is_far(self, swapped: Floats) -> NDArray[np.bool_]:
        """Whether each pair differs as much as it was seen to; `swapped`: sums by system of the
        rows that are swapped, (draws, systems, statistics)."""
        moved = swapped[:, self.left] - swapped[:, self.right]
        there = self._difference(self.total_left - moved, self.total_right + moved)
        return np.asarray(~(np.abs(there) < np.abs(self.seen) - _EXACTLY))  # NaN counts as far

    def _difference(self, left: Floats, right: Floats) -> Floats:
        return value_of(self.value, left) - value_of(self.value, right)


def randomisation_is_exact(n_rows: int, n_resamples: int) -> bool:
    """Whether all swaps of so many documents are tried."""
    return n_rows < 63 and 2**n_rows <= n_resamples


# ---- several tests at once ----


def holm(p_values: ArrayLike) -> Floats:
    """Holm's step-down adjustment of one family of tests; NaN is not a test and stays NaN.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, np.float64)
    adjusted = given.copy()
    tests = np.flatnonzero(~np.isnan(given))
    order = tests[np.argsort(given[tests], kind="stable")]
    steps = given[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def monte_carlo_p(far: NDArray[np.bool_], seen: Floats) -> Floats:
    """(1 + draws as far as the sample) / (1 + draws); NaN if the sample has no value."""
    p = (1.0 + far.sum(axis=0)) / (1.0 + len(far))
    return np.where(np.isnan(seen), np.nan, p)


# ---- checks ----


def checked_level(level: Any) -> float:
    """A confidence level between 0 and 1."""
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise SegmentationError(f"level is {shown(level)}: expected a number between 0 and 1")
    return float(level)


def checked_rows(rows: ArrayLike) -> Floats:
    """Rows as an array (documents, …, statistics), at least one document."""
    table = np.asarray(rows, np.float64)
    if table.ndim < 2 or not len(table):
        raise SegmentationError(
            f"rows have shape {table.shape}: expected (documents, …, statistics), one row or more"
        )
    return table


def _checked_tables(samples: Sequence[tuple[ArrayLike, Value]]) -> list[Floats]:
    """The rows of samples that are drawn together."""
    tables = [checked_rows(rows) for rows, _ in samples]
    if len({len(table) for table in tables}) != 1:
        counts = ", ".join(str(len(table)) for table in tables) or "none"
        raise SegmentationError(
            f"samples have different numbers of rows ({counts}): expected the same in each"
        )
    return tables


def checked_pair(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    """Rows of two systems on the same documents."""
    left, right = checked_rows(a), checked_rows(b)
    if left.shape != right.shape:
        raise SegmentationError(
            f"rows have shapes {left.shape} and {right.shape}: expected the same documents and "
            "statistics for both systems"
        )
    return left, right
