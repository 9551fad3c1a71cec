"""The numbers of a comparison: an entry per contestant and metric, a test per pair of systems."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np

from segscore.basics.arguments import Floats, shown
from segscore.comparison.advice import Test
from segscore.comparison.cases import Contestant
from segscore.comparison.estimates import Standings, pair_p_values
from segscore.comparison.power import evidence
from segscore.errors import SegmentationError
from segscore.metrics.statistics import Average
from segscore.pairing.rules import Failures
from segscore.significance import classical
from segscore.significance import resampling as sig

if TYPE_CHECKING:
    from segscore.comparison.own_chance import ChanceEntry

Correction = Literal["holm", "none"]
_TESTS = {
    "randomisation": "approximate randomisation",
    "bootstrap": "paired bootstrap",
    "t": "paired t-test",
    "friedman": "Friedman with Wilcoxon-Nemenyi-McDonald-Thompson",
    "kruskal": "Kruskal-Wallis with Dunn's comparisons",
}
_ALPHABET = "abcdefghijklmnoprstuvwxyz"  # no q: Unicode has no superscript of it
_AT_ONCE = 50_000  # documents


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

    def check_drawn(self, drawn: str) -> None:
        """Raise if the test needs single documents and clusters or buckets are drawn."""
        if self.test not in ("randomisation", "bootstrap"):
            raise SegmentationError(
                f"test is {self.test!r}, which takes documents one by one, and there are {drawn}: "
                "use 'randomisation' or 'bootstrap'"
            )

    @property
    def corrects(self) -> bool:
        """Whether p-values are Holm-corrected; Wilcoxon-Nemenyi-McDonald-Thompson already corrects
        for all pairs."""
        return self.correction == "holm" and self.test != "friedman"

    def describe_test(self, n_systems: int, n_drawn: int) -> str:
        """The test and the level, in words, with the correction if there are several pairs.

        n_drawn: the number of documents or clusters. If they are few, all swaps are tried.
        """
        test = _TESTS[self.test]
        if self.test == "randomisation" and sig.randomisation_is_exact(n_drawn, self.n_resamples):
            test = f"exact randomisation (all {2**n_drawn} swaps)"
        holm = ", Holm-corrected" if self.corrects and n_systems > 2 else ""
        return f"p: {test}{holm}, two-sided, α = {self.alpha:g}"

    def checked(self, n_systems: int) -> Self:
        """Check the settings and return them."""
        choices = {
            "average": ("micro", "macro"),
            "test": get_args(Test),
            "correction": ("holm", "none"),
        }
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                more = " or auto" if name == "test" else ""
                raise SegmentationError(
                    f"{name} is {shown(getattr(self, name))}: expected one of "
                    f"{', '.join(allowed)}{more}"
                )
        sig.checked_level(self.level)
        if self.test == "friedman" and n_systems < 3:
            raise SegmentationError(
                f"Friedman's test ranks at least 3 systems, and there are {n_systems}: use "
                "test='randomisation'"
            )
        return self


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


def pair_tests(
    found: Mapping[str, Standings],
    systems: Sequence[str],
    settings: ComparisonSettings,
    threads: int | None = None,
) -> list[PairTest]:
    """The tests of all pairs of systems under each metric; swaps are drawn once for all of them."""
    p_values = pair_p_values(
        list(found.values()), pairs_of(systems), len(systems), settings.test,
        settings.n_resamples, settings.seed, threads,
    )  # fmt: skip
    return [
        test
        for (metric, standing), p in zip(found.items(), p_values, strict=True)
        for test in _pair_tests(metric, standing, p, systems, settings)
    ]


def _pair_tests(
    metric: str,
    standing: Standings,
    p: Floats,
    systems: Sequence[str],
    settings: ComparisonSettings,
) -> list[PairTest]:
    """The tests of all pairs of systems under one metric."""
    indices = pairs_of(systems)
    corrected = sig.holm(p) if settings.corrects else p
    gaps = standing.differences(indices)
    low, high = gaps.interval(settings.level)
    evident = evidence(standing, indices, settings)
    return [
        PairTest(
            metric=metric,
            a=systems[i],
            b=systems[j],
            difference=float(gaps.estimate[k]),
            low=float(low[k]),
            high=float(high[k]),
            p=float(p[k]),
            p_corrected=float(corrected[k]),
            significant=bool(corrected[k] <= settings.alpha),
            effect=standing.effect(i, j),
            **_counts(standing, i, [j]),
            detectable=evident[k].detectable(),
        )
        for k, (i, j) in enumerate(indices)
    ]


def pairs_of(systems: Sequence[str]) -> list[tuple[int, int]]:
    """All pairs of systems, by index."""
    return list(combinations(range(len(systems)), 2))


def entries(
    metric: str,
    standing: Standings,
    contestants: Sequence[Contestant],
    tests: Sequence[PairTest],
    level: float,
    by_chance: "Sequence[ChanceEntry | None]" = (),
    failures: Mapping[str, Failures] = MappingProxyType({}),
) -> list[Entry]:
    """All rows of the table under one metric; `tests` are the pairs under this metric, `by_chance`
    holds the chance of systems, if requested, and `failures` the documents without a hypothesis."""
    drawn = sig.Bootstrap(standing.estimates, standing.drawn, standing.n_drawn)
    low, high = drawn.interval(level)
    tested = _tested(
        standing,
        [contestant.name for contestant in contestants if contestant.kind == "system"],
        tests,
    )
    listed = []
    for i, contestant in enumerate(contestants):
        done = contestant.n_done if standing.tally is None else standing.tally.n_documents[i]
        sd = float(standing.spread[i])
        chance = by_chance[i] if i < len(by_chance) else None
        listed.append(
            Entry(
                system=contestant.name,
                kind=contestant.kind,
                metric=metric,
                value=float(standing.estimates[i]),
                low=float(low[i]),
                high=float(high[i]),
                sd=None if np.isnan(sd) else sd,
                n_runs=len(contestant.runs),
                n_documents=done,
                n_undefined=standing.n_undefined(i, done),
                **(chance._asdict() if chance else {}),
                **tested.get(contestant.name, {}),
                n_failed=len(failures.get(contestant.name, ())),
            )
        )
    return listed


def _tested(
    standing: Standings, systems: Sequence[str], tests: Sequence[PairTest]
) -> Mapping[str, dict[str, Any]]:
    """The fields that only systems have: ranks, wins and letters."""
    everyone = range(len(systems))
    higher_is_better = standing.metric.higher_is_better
    ranks, order = _ranks(standing.estimates[: len(systems)], higher_is_better)
    mean_ranks = _mean_ranks(standing.values[:, : len(systems)], higher_is_better)
    index = {name: i for i, name in enumerate(systems)}
    shared: dict[int, str] = {}
    if any(not np.isnan(pair.p) for pair in tests):
        shared = letters(order, [(index[t.a], index[t.b]) for t in tests if t.significant])
    return {
        name: {
            "rank": ranks[i],
            "mean_rank": float(mean_ranks[i]),
            **_counts(standing, i, [j for j in everyone if j != i]),
            "letters": shared.get(i),
        }
        for name, i in index.items()
    }


def _counts(standing: Standings, i: int, others: Sequence[int]) -> dict[str, Any]:
    """The wins, ties and losses of a system, added up over the other systems."""
    met = [standing.counts(i, j) for j in others]
    known = [counts for counts in met if counts is not None]
    if len(known) < len(met):
        return dict.fromkeys(("wins", "ties", "losses"))
    total = np.sum([(0, 0, 0), *known], axis=0).tolist()
    return dict(zip(("wins", "ties", "losses"), total, strict=True))


def _ranks(estimates: Floats, higher_is_better: bool) -> tuple[list[int | None], list[int]]:
    """The rank of each system (1 is best, ties share a rank), and the systems from best to
    worst."""
    costs = -estimates if higher_is_better else estimates
    order = np.argsort(np.where(np.isnan(costs), np.inf, costs), kind="stable").tolist()
    ranks = [
        None if np.isnan(cost) else 1 + int((costs < cost - classical.SAME).sum()) for cost in costs
    ]
    return ranks, order


def _mean_ranks(values: Floats, higher_is_better: bool) -> Floats:
    """The mean over documents of each system's rank there; ties share the mean of their ranks."""
    total, n = np.zeros(values.shape[1]), 0
    for first in range(0, len(values), _AT_ONCE):
        some = values[first : first + _AT_ONCE]
        cost = classical.complete(-some if higher_is_better else some, systems=1)
        better = (cost[:, np.newaxis] < cost[:, :, np.newaxis]).sum(axis=2)
        alike = (cost[:, np.newaxis] == cost[:, :, np.newaxis]).sum(axis=2)  # itself among them
        total, n = total + (better + (alike + 1) / 2).sum(axis=0), n + len(cost)
    return total / n if n else np.full(values.shape[1], np.nan)


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
