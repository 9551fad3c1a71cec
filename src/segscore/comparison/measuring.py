"""The statistics of all runs of all contestants, case by case.

Metrics that take a single reference are computed against each reference of the case, and the
statistics of a case are the sum over them. The human row has h·(h-1) such pairs where a system has
h, so its sum is divided by h-1: every case has the same weight for all contestants.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats
from segscore.comparison.cases import Cases, Contestant, SystemRun
from segscore.corpus.codings import Codings, joined_rows
from segscore.corpus.lists import starts_of
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric, OnUndefined, rows_of_metrics
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Failures
from segscore.significance.drawing import Lots
from segscore.significance.resampling import value_of

_AT_ONCE = 50_000  # cases


@dataclass(frozen=True)
class Measured:
    """The statistics of one metric.

    rows: those of what is drawn (lots, runs, statistics); covered: whether a run has a case;
    values: those of cases (cases, runs), NaN if a run has not the case.
    """

    metric: Metric
    rows: Floats
    covered: NDArray[np.bool_]
    values: Floats


class Trials:
    """The trials of some runs in one batch: with all references at once, or one reference after
    another.

    Trial i is row `rows[i]` of `codings`, in case `cases[i]` and run `columns[i]`. A pair belongs
    to trial `trial`, is weighted by `scale`, and is added to the case and run in `place`; `alone`
    says that no other pair is added there.
    """

    def __init__(
        self,
        many: bool,
        cases: Cases,
        runs: Sequence[tuple[Contestant, SystemRun]],
        provenance: Provenance,
    ) -> None:
        self.many, self.of, self.provenance = many, cases, provenance
        self.contestants = [contestant for contestant, _ in runs]
        used = [run.codings for _, run in runs if run.codings is not None]
        distinct = list({id(codings): codings for codings in used}.values())
        self.codings: Codings = distinct[0] if len(distinct) == 1 else joined_rows(distinct)
        first = dict(zip(map(id, distinct), np.cumsum([0, *map(len, distinct)]), strict=False))
        self.rows = np.concatenate([run.rows + first[id(run.codings)] for _, run in runs])
        self.cases = np.concatenate([run.cases for _, run in runs])
        self.columns = np.repeat(np.arange(len(runs)), [len(run.cases) for _, run in runs])
        self.met = np.concatenate([run.met for _, run in runs])
        faced = np.concatenate([np.diff(run.starts) for _, run in runs])
        self.starts = starts_of(faced)
        held = self.cases * len(runs) + self.columns
        trials = np.bincount(held, minlength=len(cases) * len(runs))[held]
        # h references: a system has 1 trial against h, people have h trials against h-1
        share = cases.n_references[self.cases] / (trials * faced)
        every = np.arange(len(self.cases))
        self.alone = bool((trials == 1).all() and (many or (faced == 1).all()))
        self.trial = every if many else np.repeat(every, faced)
        self.scale: Floats = share[self.trial]
        worst = np.concatenate([run.worst for _, run in runs])[self.trial]
        self.failures = Failures("worst", {}, len(cases), tuple(np.flatnonzero(worst).tolist()))
        self.place = self.cases[self.trial], self.columns[self.trial]  # of each pair, for NumPy
        self.pairs = self._made(None)  # without names, which would cost more than the statistics

    def named(self) -> Pairs:
        """The pairs with the names used in messages: document and system, numbered from the second
        trial on."""
        times: Counter[str] = Counter()
        labels = []
        for trial in self.trial.tolist():
            name = self._label(trial)
            times[name] += 1
            labels.append(name if times[name] == 1 else f"{name}, pair {times[name]}")
        return self._made(labels)

    def _label(self, trial: int) -> str:
        system = self.contestants[int(self.columns[trial])].name
        return f"{self.of.names[int(self.cases[trial])]} ({system})"

    def _made(self, labels: list[str] | None) -> Pairs:
        return Pairs.of_codings(
            self.of.codings, self.codings, self.met, self.rows[self.trial],
            groups=self.starts if self.many else None, documents=labels, provenance=self.provenance,
            failures=self.failures if self.failures.rows else None,
        )  # fmt: skip


def measure(
    metrics: Sequence[Metric],
    cases: Cases,
    contestants: Sequence[Contestant],
    threads: int | None,
    on_undefined: OnUndefined,
    provenance: Provenance = PLAIN,
    lots: Lots | None = None,
) -> list[Measured]:
    """Score all runs of all contestants, one after the other and some cases at a time, so that only
    the statistics of lots and the values of cases stay in memory; metrics that need all labels
    together have everything at once.

    lots: what is drawn; by default the cases as they are.
    """
    if lots is None:
        lots = Lots("cases", np.arange(len(cases)))
    runs = [(contestant, run) for contestant in contestants for run in contestant.runs]
    covered = np.zeros((len(cases), len(runs)), np.bool_)
    for column, (_, run) in enumerate(runs):
        covered[run.cases, column] = True
    spans, step = [(column, column + 1) for column in range(len(runs))], _AT_ONCE
    if lots.owner is None:
        step = max(1, len(cases))
    if any(metric.batch_bound for metric in metrics):
        spans, step = [(0, len(runs))], max(1, len(cases))
    drawn: dict[Metric, list[Floats]] = {metric: [] for metric in metrics}
    values = {metric: np.full(covered.shape, np.nan) for metric in metrics}
    for many in sorted({metric.many_references for metric in metrics}):
        these = {metric: values[metric] for metric in drawn if metric.many_references == many}
        for first, last in spans:
            inside = {metric: each[:, first:last] for metric, each in these.items()}
            found = _add_up(
                inside, cases, runs[first:last], lots, step, threads, on_undefined, provenance
            )
            for metric, rows in found.items():
                drawn[metric].append(rows)
    made = []
    for metric in metrics:
        values[metric][~covered] = np.nan
        made.append(
            Measured(metric, np.concatenate(drawn[metric], axis=1), covered, values[metric])
        )
        averages = metric.values(made[-1].rows.sum(axis=0)).tolist()
        for pair, value in zip(runs, averages, strict=True):
            if on_undefined == "raise" and pair[0].kind == "system" and math.isnan(value):
                pairs = Trials(metric.many_references, cases, [pair], provenance).named()
                metric.check_answer(pairs, value, f"system {pair[0].name!r}, ")
    return made


def _add_up(
    values: Mapping[Metric, Floats],
    cases: Cases,
    runs: Sequence[tuple[Contestant, SystemRun]],
    lots: Lots,
    step: int,
    threads: int | None,
    on_undefined: OnUndefined,
    provenance: Provenance,
) -> dict[Metric, Floats]:
    """The statistics of lots under each metric (lots, runs, statistics); `values` takes those of
    cases. No more than `step` cases are in memory at once."""
    drawn: dict[Metric, Floats] = {}
    many = next(iter(values)).many_references
    runs = [(who, replace(run, given=run.codings)) for who, run in runs]  # drawn once
    for first in range(0, max(1, len(cases)), step):
        part, did = cases, runs
        if len(cases) > step:
            last = min(first + step, len(cases))
            part, did = cases.part(first, last), [(who, run.part(first, last)) for who, run in runs]
        trials = Trials(many, part, did, provenance)
        try:
            tables = rows_of_metrics(list(values), trials.pairs, threads)
        except SegmentationError:  # of a document that the metrics refuse, before they compute
            tables = rows_of_metrics(list(values), trials.named(), threads)
        for metric, rows in zip(values, tables, strict=True):
            if on_undefined == "raise":
                _check_systems(metric, trials, rows)
            sums = np.zeros((len(part), len(runs), rows.shape[1]))
            scaled = rows * trials.scale[:, np.newaxis]
            if trials.alone:
                sums[trials.place] += scaled
            else:
                np.add.at(sums, trials.place, scaled)
            values[metric][first : first + step] = value_of(metric.values, sums)
            added = lots.sums(sums, first)
            drawn[metric] = added if first == 0 else drawn[metric] + added
    return drawn


def _check_systems(metric: Metric, trials: Trials, rows: Floats) -> None:
    """Raise for a document of a system without a value. Baselines and people may have none: random
    boundaries have no labels."""
    systems = np.array([contestant.kind == "system" for contestant in trials.contestants])
    values = metric.values(rows)
    if (metric.unscored(trials.pairs, values) & systems[trials.place[1]]).any():
        metric.check_defined(trials.named(), values)
