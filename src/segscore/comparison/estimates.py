"""From the statistics of all runs to estimates, their resamples, and what the documents can detect.

The estimate of a contestant is the mean over its runs of the run's average. Documents are
resampled, the same for all contestants. Runs that each segmented all documents (seeds) are
resampled, too; runs that divide the documents among them (folds) are not, because their documents
are already resampled.

A difference is `detectable` if the test in use finds it with 80 % power, at the level of the first
step of its correction (Holm: α over the number of pairs). The contribution of each document to a
difference is its jackknife pseudo-value; the spread of these is scaled to that of the bootstrap,
which includes the spread between runs, and corrected for the number of documents (n-1).

- From 20 documents on: (z(1-α/2) + z(0.8)) standard errors; with fewer, the same by Student's t
  with n-1 degrees of freedom, which the t-test and the bootstrap follow closely.
- Approximate randomisation of fewer than 20 documents has few levels and less power. Samples are
  drawn from the documents' contributions around 0, and each gives the least shift at which it is
  significant: a sign flip s of a sample e counts as far up to the shift max((s·e - Σe) / (n - Σs),
  (-s·e - Σe) / (n + Σs)). For 80 % of the samples the printed shift is enough.
- NaN where the test cannot reach the level at all, and for rank tests with fewer than 20 documents.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, get_args
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array, check_choice, shown
from segscore.comparison.measuring import Measured
from segscore.errors import SegmentationError, named
from segscore.metrics.base import Average, Metric, ratio
from segscore.significance import resampling as sig
from segscore.significance.drawing import Lots
from segscore.significance.resampling import FEW_DOCUMENTS

Clusters = Mapping[str, Any] | Callable[[str], Any]  # what each document belongs to
Test = Literal["randomisation", "bootstrap", "t", "friedman", "kruskal"]
Correction = Literal["holm", "none"]
_AT_ONCE = 50_000  # documents
_ALPHABET = "abcdefghijklmnoprstuvwxyz"  # no q: Unicode has no superscript of it


@dataclass(frozen=True)
class ComparisonSettings:
    """The settings of a comparison: all that is needed to repeat it."""

    average: Average
    test: Test
    correction: Correction
    level: float
    n_resamples: int
    seed: int

    @property
    def alpha(self) -> float:
        """The significance level that belongs to the confidence level."""
        return round(1 - self.level, 12)

    def check(self, n_systems: int, lots: str = "") -> None:
        """Raise for settings that do not fit; `lots` is what is drawn, if not single documents."""
        check_choice(self.average, "average", ("micro", "macro"))
        check_choice(self.test, "test", (*get_args(Test), "auto"))
        check_choice(self.correction, "correction", get_args(Correction))
        sig.checked_level(self.level)
        if self.test == "friedman" and n_systems < 3:
            raise SegmentationError(
                f"Friedman's test ranks at least 3 systems, and there are {n_systems}: use "
                "test='randomisation'"
            )
        if lots and self.test not in ("randomisation", "bootstrap"):
            raise SegmentationError(
                f"test is {self.test!r}, which takes documents one by one, and there are {lots}: "
                "use 'randomisation' or 'bootstrap'"
            )


@dataclass(frozen=True)
class Entry:
    """A row of the table under one metric.

    `sd` is the standard deviation over runs, None for a single run. `chance` is what the system
    would reach with boundaries at random positions, `share` its share of the way from there to
    perfect; both are None if chance was not requested or has no value. Wins, ties and losses count
    documents against each other system. Rows that are not tested (baselines, people) have None from
    `rank` on; `letters` are also None where nothing could be tested. `n_failed` counts documents
    without a hypothesis.
    """

    system: str
    kind: str
    metric: str
    value: float
    low: float
    high: float
    sd: float | None
    n_runs: int
    n_documents: int
    n_undefined: int
    chance: float | None = None
    share: float | None = None
    share_low: float | None = None
    share_high: float | None = None
    rank: int | None = None
    mean_rank: float | None = None
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    letters: str | None = None
    n_failed: int = 0


@dataclass(frozen=True)
class PairTest:
    """Two systems under one metric: the difference a - b with its interval, and how sure it is.

    `effect` is Cohen's d of the documents' differences; `detectable` is the difference that these
    documents could detect with 80 % power at the corrected level, NaN where they can detect none.
    """

    metric: str
    a: str
    b: str
    difference: float
    low: float
    high: float
    p: float
    p_corrected: float
    significant: bool
    effect: float
    wins: int | None
    ties: int | None
    losses: int | None
    detectable: float


@dataclass(frozen=True)
class Standings:
    """The numbers of one metric, with a column per contestant.

    estimates: the averages; drawn: the averages of resampled documents and runs (resamples in
    front); spread: standard deviation over runs, NaN for a single run; values: those of documents,
    as the mean over runs; rows, value: the statistics of what is drawn (documents, clusters or
    buckets), averaged over runs, and the function that turns their sum into a number;
    n_documents, n_undefined: the documents of each contestant, and those without a value; order: of
    documents, if these are drawn; one_by_one: whether the values of documents are known.
    """

    metric: Metric
    estimates: Floats
    drawn: Floats
    spread: Floats
    values: Floats
    rows: Floats
    value: sig.Value
    n_documents: Sequence[int]
    n_undefined: Sequence[int]
    order: Int64Array | None = None
    one_by_one: bool = True

    def counts(self, i: int, others: Sequence[int]) -> dict[str, Any]:
        """The wins, ties and losses of contestant i over documents, added up over others; None if
        unknown."""
        better, names = self.metric.higher_is_better, ("wins", "ties", "losses")
        if not self.one_by_one and others:
            return dict.fromkeys(names)
        ahead = (self.values[:, [i]] - self.values[:, others]) * (1 if better else -1)
        even = np.abs(ahead) <= sig.SAME  # of NaN all three are False
        met = (ahead > sig.SAME, even, ahead < -sig.SAME)
        return {name: int(each.sum()) for name, each in zip(names, met, strict=True)}

    def differences(self, pairs: Sequence[tuple[int, int]]) -> sig.Bootstrap:
        """The differences between pairs of contestants."""
        left, right = [i for i, _ in pairs], [j for _, j in pairs]
        return sig.Bootstrap(
            self.estimates[left] - self.estimates[right],
            self.drawn[:, left] - self.drawn[:, right],
            len(self.rows),
        )

    def ranks(self, n_systems: int) -> tuple[list[int | None], list[int], list[float]]:
        """The rank of each system (1 is best, ties share a rank); the systems from best to worst;
        and the mean over documents of each one's rank there (ties share the mean of theirs)."""
        sign = -1 if self.metric.higher_is_better else 1
        costs = sign * self.estimates[:n_systems]
        order = np.argsort(np.where(np.isnan(costs), np.inf, costs), kind="stable").tolist()
        better = (costs < costs[:, np.newaxis] - sig.SAME).sum(axis=1).tolist()
        known = zip(np.isnan(costs).tolist(), better, strict=True)
        ranks = [None if lost else 1 + count for lost, count in known]
        total, n = np.zeros(n_systems), 0
        for first in range(0, len(self.values), _AT_ONCE):
            some = sign * self.values[first : first + _AT_ONCE, :n_systems]
            some = some[~np.isnan(some).any(axis=1)]
            cost = np.round(some / sig.SAME)  # what differs by rounding only is tied
            better = (cost[:, np.newaxis] < cost[:, :, np.newaxis]).sum(axis=2)
            alike = (cost[:, np.newaxis] == cost[:, :, np.newaxis]).sum(axis=2)  # itself among them
            total, n = total + (better + (alike + 1) / 2).sum(axis=0), n + len(cost)
        return ranks, order, (total / n if n else np.full(n_systems, np.nan)).tolist()


def standings(
    measured: Sequence[Measured],
    covered: NDArray[np.bool_],
    runs: Mapping[str, int],
    settings: ComparisonSettings,
    lots: Lots,
    threads: int | None = None,
) -> list[Standings]:
    """The standings of each metric. covered: whether a run has a case; runs: the number of runs of
    each contestant, in order."""
    seed, samples = settings.seed, [(rows, metric.values) for metric, rows, _, _ in measured]
    if settings.average == "macro":
        samples = [
            (lots.sums(sig.macro_rows(values)) if macro is None else macro, sig.mean_of_defined)
            for _, _, values, macro in measured
        ]
    drawn = sig.bootstraps(samples, n_resamples=settings.n_resamples, seed=seed, threads=threads)
    ends = np.cumsum(list(runs.values())).tolist()
    spans = {name: slice(end - n, end) for end, (name, n) in zip(ends, runs.items(), strict=True)}
    # whether each run of a contestant has all documents, and how many runs have a lot; in buckets,
    # how many on average have a document of it that any of them has
    times: dict[str, tuple[bool, Floats]] = {}
    n_documents = []
    done = covered if lots.in_buckets else lots.sums(covered) > 0
    for name, span in spans.items():
        by_any = covered[:, span].any(axis=1, keepdims=True)
        n_documents.append(int(by_any.sum()))
        n_runs = done[:, span].sum(axis=1, keepdims=True)
        if lots.in_buckets:
            n_runs = lots.sums(n_runs) / np.maximum(lots.sums(by_any), 1)
        times[name] = bool(done[:, span].all()), np.maximum(n_runs, 1)
    found = []
    for (metric, _, values, _), (rows, value), again in zip(measured, samples, drawn, strict=True):
        estimate, resampled = again.estimate, again.resampled
        columns, spread = [], []
        for name, span in spans.items():
            defined = estimate[span][~np.isnan(estimate[span])]
            spread.append(defined.std(ddof=1) if len(defined) > 1 else np.nan)
            # runs have no names: they are drawn in the order of their values
            if times[name][0] and runs[name] > 1:
                stream = crc32(name.encode("utf-8", "surrogatepass"))
                some = resampled[:, span][:, np.argsort(estimate[span])]
                columns.append(sig.draw_runs(some, seed, stream))
            else:
                columns.append(_mean(resampled[:, span]))
        means = values
        if len(spans) < values.shape[1]:
            means = np.stack([_mean(values[:, span]) for span in spans.values()], axis=1)
        shared = [rows[:, span].sum(axis=1) / times[name][1] for name, span in spans.items()]
        undefined = np.isnan(means).sum(axis=0) - len(means) + n_documents
        found.append(
            Standings(
                metric,
                estimates=np.array([_mean(estimate[span]) for span in spans.values()]),
                drawn=np.stack(columns, axis=1),
                spread=np.array(spread),
                values=means,
                rows=np.stack(shared, axis=1),
                value=value,
                n_documents=n_documents,
                n_undefined=undefined.tolist(),
                order=None if lots.owner is not None else lots.order,
            )
        )
    return found


def cluster_names(documents: Sequence[str], cluster: Clusters) -> list[Any]:
    """The cluster of each document."""
    if isinstance(cluster, Mapping):
        absent = [document for document in documents if document not in cluster]
        if absent:
            raise SegmentationError(f"cluster does not name what {named(absent)} belong to")
        return [cluster[document] for document in documents]
    if callable(cluster):
        return [cluster(document) for document in documents]
    raise SegmentationError(
        f"cluster is {shown(cluster)}: expected a mapping from document to its cluster, or a "
        "function of the document's name"
    )


def _mean(values: Floats) -> Floats:
    """The mean of the defined values along the last axis."""
    defined = ~np.isnan(values)
    return ratio(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1))


# ---- what the documents can detect ----

POWER = 0.8
_SAMPLES = 400
_FLIPS = 4096  # sign flips of each sample


def smallest_p(test: Test, n_documents: int, n_resamples: int) -> float:
    """The smallest p that a test can give, whatever the difference.

    >>> smallest_p("randomisation", 5, 10_000)
    0.0625
    """
    if test == "randomisation":
        return max(2.0 ** (1 - n_documents), 1 / (n_resamples + 1))
    if test == "bootstrap":
        return float(sig.expanded_p(np.array(1 / (n_resamples + 1)), n_documents))
    return 0.0


Evidence = tuple[Floats, float]
"""What the documents say about the difference between two systems: the contribution of each, and
the standard deviation of these, estimated for all documents of the kind."""


def detectable(
    known: Evidence,
    settings: ComparisonSettings,
    alpha: float,
    n: int | None = None,
    times: float = 1.0,
) -> float:
    """The difference that `n` documents (default: these) detect with 80 % power at a level, if they
    are `times` as widely spread."""
    parts, spread = known
    n, spread, test = len(parts) if n is None else n, times * spread, settings.test
    if min(n, len(parts)) < 2 or smallest_p(test, n, settings.n_resamples) > alpha:
        return float("nan")
    if n >= FEW_DOCUMENTS or test in ("t", "bootstrap"):
        return n_errors(n, alpha) * spread / float(np.sqrt(n))
    if test != "randomisation":  # ranks of all systems: no statement about a difference of two
        return float("nan")
    # the shift at which 80 % of samples are significant by approximate randomisation
    rng = np.random.default_rng([settings.seed, n])
    centred = parts - parts.mean()
    sd = float(centred.std())
    sample = rng.choice(centred * (spread / sd) if sd else centred, (_SAMPLES, n))
    if 2 ** (n - 1) <= _FLIPS:  # flips of all signs count twice: the first stays as it is
        signs = 1.0 - 2 * (np.arange(2 ** (n - 1))[:, np.newaxis] >> np.arange(n) & 1)
    else:
        signs = 1.0 - 2 * rng.integers(0, 2, (_FLIPS, n))
        signs[0] = 1  # the sample itself is one of them
    flipped, sums, total = sample @ signs.T, signs.sum(axis=1), sample.sum(axis=1)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.maximum((flipped - total) / (n - sums), (-flipped - total) / (n + sums))
    far = np.where(np.abs(sums) == n, np.inf, far)  # as far as the sample, whatever the shift
    needed = np.sort(far, axis=1)[:, -1 - int(alpha * len(signs) + 1e-9)]
    return max(float(np.quantile(needed, POWER, method="higher")), 0.0)


def n_errors(n: int, alpha: float) -> float:
    """How many standard errors a difference must be."""
    from scipy.special import ndtri, stdtrit  # quantiles of the normal law and Student's t

    chances = np.array([1 - alpha / 2, POWER])
    return float((ndtri(chances) if n >= FEW_DOCUMENTS else stdtrit(n - 1, chances)).sum())


def gather_evidence(
    standing: Standings, pairs: Sequence[tuple[int, int]], test: Test, gaps: sig.Bootstrap
) -> list[Evidence]:
    """What the documents say about each pair of systems; `gaps` are their differences."""
    n = len(standing.rows)
    if n < 2:
        return [(np.empty(0), np.nan) for _ in pairs]
    errors = np.where(np.isnan(gaps.resampled), gaps.estimate, gaps.resampled).std(axis=0)
    total, left_out = sig.jackknife(standing.rows, standing.value)
    pseudo = n * total - (n - 1) * left_out  # (documents, contestants)
    by_documents = test == "t" and len(standing.values) == n
    if by_documents:
        pseudo = standing.values if standing.order is None else standing.values[standing.order]
    found = []
    for (i, j), error in zip(pairs, errors, strict=True):
        parts = pseudo[:, i] - pseudo[:, j]
        parts = parts[~np.isnan(parts)]
        spread = float(error) * n / float(np.sqrt(n - 1))
        if by_documents and len(parts) > 1:
            spread = float(parts.std(ddof=1))
        found.append((parts, spread))
    return found


# ---- letters: systems that share one do not differ significantly ----


def letters(best_first: Sequence[int], different: Iterable[tuple[int, int]]) -> dict[int, str]:
    """The letters of each system: systems that do not differ share a letter; `a` includes the best.

    The insert-and-absorb method: start with one group of all; where two members of a group differ,
    split it into the group without the one and the group without the other; drop groups inside
    others (Piepho 2004, "An algorithm for a letter-based representation of all-pairwise
    comparisons").

    >>> letters([2, 0, 1], [(2, 1)])  # 2 and 1 differ, 0 differs from neither
    {2: 'a', 0: 'ab', 1: 'b'}
    """
    groups = [frozenset(best_first)]
    for system, other in different:
        split = [
            part
            for group in groups
            for part in (
                [group - {system}, group - {other}] if {system, other} <= group else [group]
            )
        ]
        groups = [group for group in dict.fromkeys(split) if not any(group < o for o in split)]
    place = {system: rank for rank, system in enumerate(best_first)}
    groups.sort(key=lambda group: sorted(place[system] for system in group))
    names = list(_ALPHABET)
    while len(names) < len(groups):  # a, b … z, aa, ab …
        names += ["".join(pair) for pair in product(names, _ALPHABET)]
    return {
        system: "".join(name for name, group in zip(names, groups, strict=False) if system in group)
        for system in best_first
    }
