"""The numbers of a comparison: an entry per row and metric, a test per pair of systems.

`Leaderboard` makes them from the `Standings` of each metric: of systems (`ss.compare`), and of
chunkers (`ss.chunks.compare`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np

from segscore.basics.arguments import check_choice
from segscore.basics.on_demand import cached_property
from segscore.comparison.estimates import Standings, Test, gather_evidence, smallest_p
from segscore.errors import SegmentationError, named
from segscore.metrics import Average, Metric, same_metric
from segscore.pairing.rules import Failures
from segscore.significance import classical
from segscore.significance import resampling as sig

if TYPE_CHECKING:
    from segscore.comparison.own_chance import ChanceScale

Correction = Literal["holm", "none"]
_TESTS = {
    "randomisation": "approximate randomisation",
    "bootstrap": "paired bootstrap",
    "t": "paired t-test",
    "friedman": "Friedman with Wilcoxon-Nemenyi-McDonald-Thompson",
    "kruskal": "Kruskal-Wallis with Dunn's comparisons",
}
_NUMBERS = ("value", "sd", "low", "high")  # of each row
_TESTED = ("difference", "low", "high", "p", "p_corrected")  # of each pair
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

    def check_drawn(self, drawn: str) -> None:
        """Raise if the test needs single documents and clusters or buckets are drawn."""
        if self.test not in ("randomisation", "bootstrap"):
            raise SegmentationError(
                f"test is {self.test!r}, which takes documents one by one, and there are {drawn}: "
                "use 'randomisation' or 'bootstrap'"
            )

    def family(self, n_pairs: int) -> int:
        """The number of pairs for which p is corrected, at most 1 without correction;
        Wilcoxon-Nemenyi-McDonald-Thompson already corrects for all pairs."""
        corrects = self.correction == "holm" and self.test != "friedman"
        return n_pairs if corrects else min(n_pairs, 1)

    def checked(self, n_systems: int) -> Self:
        """Check the settings and return them."""
        check_choice(self.average, "average", ("micro", "macro"))
        check_choice(self.test, "test", (*get_args(Test), "auto"))
        check_choice(self.correction, "correction", get_args(Correction))
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


class Leaderboard:
    """Systems, and rows that give the scale, under some metrics.

    rows: the names of all rows, systems first; standings: the numbers of each metric; drawn: what
    the bootstrap draws, in words; n_drawn: how many of them there are; family: the number of pairs
    for which p is corrected.
    """

    chance: "ChanceScale | None" = None
    failures: Mapping[str, Failures] = {}  # never changed

    def __init__(
        self,
        rows: Mapping[str, tuple[str, int]],
        standings: Mapping[str, Standings],
        settings: ComparisonSettings,
        drawn: str,
        threads: int | None = None,
    ) -> None:
        """`rows` are the kind and the number of runs of each row; `threads` are those of the
        tests, which wait until they are asked for."""
        self.rows: list[str] = list(rows)
        self.systems: list[str] = [row for row, (kind, _) in rows.items() if kind == "system"]
        self.metrics: list[str] = list(standings)  # as they were asked for
        self.standings: dict[str, Standings] = dict(standings)
        self.settings = settings
        self.drawn = drawn
        self.n_drawn: int = len(next(iter(standings.values())).rows)
        self._pairs = list(combinations(range(len(self.systems)), 2))
        self.family: int = settings.family(len(self._pairs))
        self._kinds_and_runs, self._threads = list(rows.values()), threads

    @cached_property
    def pairs(self) -> list[PairTest]:
        """The tests of all pairs of systems under all metrics; swaps are drawn once for all."""
        settings, systems, pairs = self.settings, self.systems, self._pairs
        tests = []
        for p, (metric, found) in zip(self._p_values(pairs), self.standings.items(), strict=True):
            corrected = sig.holm(p) if self.family > 1 else p
            gaps = found.differences(pairs)
            low, high = gaps.interval(settings.level)
            columns = np.stack([gaps.estimate, low, high, p, corrected], axis=1).tolist()
            evident = gather_evidence(found, pairs, settings, gaps)
            for (i, j), row, known in zip(pairs, columns, evident, strict=True):
                fields: dict[str, Any] = dict(zip(_TESTED, row, strict=True))
                fields |= found.counts(i, [j])
                test = PairTest(
                    metric=metric,
                    a=systems[i],
                    b=systems[j],
                    significant=fields["p_corrected"] <= settings.alpha,
                    effect=classical.cohens_d(found.values[:, i] - found.values[:, j]),
                    detectable=known.detectable(),
                    **fields,
                )
                tests.append(test)
        return tests

    def _p_values(self, pairs: list[tuple[int, int]]) -> list[Any]:
        """The p of each pair of systems under each metric, uncorrected; NaN if there is a single
        document."""
        found, settings, n = list(self.standings.values()), self.settings, len(self.systems)
        if self.n_drawn < 2 or not pairs:
            return [np.full(len(pairs), np.nan) for _ in found]
        left, right = [i for i, _ in pairs], [j for _, j in pairs]
        if settings.test == "randomisation":
            return sig.randomisations(
                [(each.rows[:, :n], each.value) for each in found],
                pairs,
                n_resamples=settings.n_resamples,
                seed=settings.seed,
                threads=self._threads,
            )
        if settings.test == "bootstrap":
            return [each.differences(pairs).p_value() for each in found]
        if settings.test == "t":
            return [
                np.array([classical.paired_t(v[:, i], v[:, j]).p for i, j in pairs])
                for v in (each.values for each in found)
            ]
        posthoc = {"friedman": classical.friedman_pairs, "kruskal": classical.kruskal_pairs}
        return [posthoc[settings.test](each.values[:, :n])[left, right] for each in found]

    @cached_property
    def entries(self) -> list[Entry]:
        """All rows of the table under all metrics."""
        settings, systems = self.settings, self.systems
        index = {name: i for i, name in enumerate(systems)}
        entries = []
        for metric, found in self.standings.items():
            tests = [pair for pair in self.pairs if pair.metric == metric]
            ranks, order, mean_ranks = found.ranks(len(systems))
            shared: dict[int, str] = {}
            if any(not np.isnan(pair.p) for pair in tests):
                different = [(index[t.a], index[t.b]) for t in tests if t.significant]
                shared = letters(order, different)
            drawn = sig.Bootstrap(found.estimates, found.drawn, self.n_drawn)
            ends = drawn.interval(settings.level)
            numbers = np.stack([found.estimates, found.spread, *ends], axis=1).tolist()
            chance = self.chance.entries(metric, found, settings.level) if self.chance else []
            for i, (name, (kind, n_runs)) in enumerate(
                zip(self.rows, self._kinds_and_runs, strict=True)
            ):
                fields: dict[str, Any] = dict(zip(_NUMBERS, numbers[i], strict=True))
                fields["sd"] = None if np.isnan(fields["sd"]) else fields["sd"]
                if name in index:
                    fields |= chance[i] if chance else {}
                    fields |= found.counts(i, [j for j in index.values() if j != i])
                    fields |= {"rank": ranks[i], "mean_rank": mean_ranks[i]}
                    fields |= {"letters": shared.get(i)}
                entry = Entry(
                    system=name,
                    kind=kind,
                    metric=metric,
                    n_runs=n_runs,
                    n_documents=found.n_documents[i],
                    n_undefined=found.n_undefined[i],
                    n_failed=len(self.failures.get(name, ())),
                    **fields,
                )
                entries.append(entry)
        return entries

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Entry]:
        return {(entry.system, entry.metric): entry for entry in self.entries}

    def __getitem__(self, key: tuple[str, str | Metric]) -> Entry:
        """The entry of a system under a metric: `comparison["C99", "windowdiff"]`."""
        if key not in self._by_name:
            pair = isinstance(key, tuple) and len(key) == 2
            key = (key[0], self._name_of(key[1])) if pair else key
        if key not in self._by_name:
            raise KeyError(
                f"no {key!r}: expected one of {named(self.rows)}, and one of {named(self.metrics)}"
            )
        return self._by_name[key]

    def _name_of(self, metric: str | Metric | None) -> str:
        """The name under which a metric was compared: windowdiff for wd; None is the first."""
        if metric is None or str(metric) in self.standings:
            return self.metrics[0] if metric is None else str(metric)
        same = same_metric(metric)
        found = (name for name, standing in self.standings.items() if standing.metric == same)
        return next(found, str(metric))

    def pair(self, metric: str, a: str, b: str) -> PairTest:
        """The test of two systems under a metric, whichever comes first."""
        for each in self.pairs:
            if each.metric == metric and {each.a, each.b} == {a, b}:
                return each
        raise SegmentationError(f"no pair {a!r}, {b!r}: expected two of {self.systems}")

    def n_runs(self, row: str) -> int:
        """The number of runs of a row."""
        return self[row, self.metrics[0]].n_runs

    @property
    def can_differ(self) -> bool:
        """Whether any difference could be significant, given how many are drawn."""
        settings = self.settings
        least = smallest_p(settings.test, self.n_drawn, settings.n_resamples)
        return self.n_drawn > 1 and least * self.family <= settings.alpha

    def _how(self) -> str:
        """The intervals and the test, in words; nothing for a single document."""
        settings, n = self.settings, self.n_drawn
        if n < 2:
            return ""
        test = _TESTS[settings.test]
        if settings.test == "randomisation" and sig.randomisation_is_exact(n, settings.n_resamples):
            test = f"exact randomisation (all {2**n} swaps)"
        holm = ", Holm-corrected" if self.family > 1 else ""
        test = f"; p: {test}{holm}, two-sided, α = {settings.alpha:g}"
        intervals = f"{100 * settings.level:.4g} % intervals: {sig.METHOD} over {self.drawn}"
        test = test if len(self.systems) > 1 else ""
        return f"; {intervals}{test}; {settings.n_resamples} resamples, seed {settings.seed}"


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
