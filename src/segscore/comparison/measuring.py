"""The cases of a comparison, who is compared on them, and the statistics of all of them.

A case is a document with its references, or a single reference of a document. A run has a
hypothesis in each of its cases, which is scored against all references of the case; of the human
row, each coder is scored against the others. Everything is rows of tables of codings
(`segscore.corpus.codings`), and all runs together are one `Pairs` (`Trials`), or one for each part
of very many cases.

Metrics that take a single reference are computed against each reference of the case, and the
statistics of a case are the sum over them. The human row has h·(h-1) such pairs where a system has
h, so its sum is divided by h-1: every case has the same weight for all contestants.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array, check_choice
from segscore.basics.on_demand import cached_property
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings, joined_rows
from segscore.corpus.lists import NO_LABELS, picked_places, starts_of
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric, OnUndefined, rows_of_metrics
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Failures
from segscore.significance.drawing import MANY, Lots, by_name, hashes_of
from segscore.significance.resampling import value_of
from segscore.simulate.baselines import random, random_columns, uniform, uniform_columns

ContestantKind = Literal["system", "baseline", "human"]

BASELINES = ("none", "random", "uniform")
RANDOM = {
    "random": "as many segments as the references have on average",
    "random-ks12": "as many boundaries as the references have segments on average, so one "
    "segment more (Kazantseva & Szpakowicz 2012)",
}
"""The baselines that chance places, and what each keeps."""
BASELINE_RULES = {
    "none": "no boundary at all",
    **RANDOM,
    "uniform": "as many segments as the references have on average, all of the same length",
}
"""All baselines, and the rule of each."""
RANDOM_RUNS = 10  # with few cases one draw of a random baseline would be a matter of luck
_AT_ONCE = 50_000  # cases of a run


# ---- cases and contestants ----


class Run(NamedTuple):
    """A run of a contestant: in case `cases[i]` (they ascend) its hypothesis is row `rows[i]` of
    its codings.

    given: the codings, or what draws them, anew each time; None if documents were only added up.
    among: whether hypotheses are themselves references of their cases, and face the others.
    """

    given: Codings | Callable[[], Codings] | None
    cases: Int64Array
    rows: Int64Array
    among: bool = False

    @property
    def codings(self) -> Codings | None:
        """Its codings; None if documents were only added up."""
        return self.given() if callable(self.given) else self.given


@dataclass(frozen=True, eq=False)
class Cases:
    """The cases: the references of case i are rows `starts[i]:starts[i+1]` of `codings`;
    `documents` holds the name of each case's document."""

    names: Sequence[str]
    codings: Codings
    starts: Int64Array
    documents: Sequence[str]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def n_references(self) -> Int64Array:
        """The number of references of each case."""
        return np.diff(self.starts)

    @property
    def n_units(self) -> Int64Array:
        """The number of units of each case."""
        return self.codings.n_units[self.starts[:-1]]

    @cached_property
    def order(self) -> Int64Array:
        """The cases in the order in which they are drawn: by document, then by the coder; of very
        many, by hashes of these."""
        first = self.starts[:-1]
        if len(self) > MANY:  # to sort names would take longer than to score
            coders = hashes_of(self.codings.coders)[self.codings.codes[first]]
            return np.lexsort((coders, hashes_of(self.documents)))
        return by_name(self.documents, map(self.codings.coder, first.tolist()))

    def coders(self, case: int) -> tuple[str, ...]:
        """The coders of the references of a case."""
        return tuple(map(self.codings.coder, range(*self.starts[case : case + 2].tolist())))

    def by_coding(self) -> "Cases":
        """Each reference as a case of its own."""
        owners = np.repeat(np.arange(len(self)), self.n_references).tolist()
        rows = np.arange(self.starts[-1] + 1)
        places = (rows[:-1] - self.starts[owners] + 1).tolist()
        names = [f"{self.names[i]}, reference {at}" for i, at in zip(owners, places, strict=True)]
        return Cases(names, self.codings, rows, [self.documents[owner] for owner in owners])

    def faced(self, run: Run, trials: Any = slice(None)) -> tuple[Int64Array, Int64Array]:
        """(starts, rows) of the references that hypotheses of a run are scored against."""
        numbers = run.cases[trials]
        counts, rows = self.n_references[numbers], picked_places(self.starts, numbers)
        if run.among:
            rows = rows[rows != np.repeat(run.rows[trials], counts)]
            counts = counts - 1
        return starts_of(counts), rows


@dataclass(frozen=True, eq=False)
class Contestant:
    """A row of the table. Documents that a run did not segment are missing from that run."""

    name: str
    kind: ContestantKind
    runs: Sequence[Run]

    def boundary_counts(self, cases: Cases) -> tuple[int, int] | None:
        """The number of boundaries in its hypotheses, and in the references they are scored
        against; None if documents were added up."""
        counts = np.diff(cases.codings.offsets)
        if self.kind == "baseline":  # not drawn again
            drawn = (_n_segments(self.name, cases) - 1) * cases.n_references
            return int(drawn.sum()), int(counts.sum())
        hypotheses = references = 0
        for run in self.runs:
            codings = run.codings
            if codings is None:
                return None
            starts, rows = cases.faced(run)
            hypotheses += int((np.diff(codings.offsets)[run.rows] * np.diff(starts)).sum())
            references += int(counts[rows].sum())
        return hypotheses, references

    @cached_property
    def choices(self) -> set[tuple[str, str]]:
        """The choices made for its runs, such as how overlapping chunks were placed."""
        known = (run.given for run in self.runs if isinstance(run.given, Codings))
        return {choice for codings in known for choice in codings.provenance.choices}


def check_names(names: Sequence[str]) -> None:
    """Raise if two rows have the same name."""
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise SegmentationError(
            f"two rows would be called {twice[0]!r}: give the system another name, or leave the "
            "baseline or human row out"
        )


# ---- what gives the scale ----


def human(cases: Cases) -> Contestant | None:
    """The row of each coder against the others of a case; None if no case has two references."""
    counts = cases.n_references
    several = np.repeat(counts > 1, counts)
    owners = np.repeat(np.arange(len(cases)), counts)[several]
    if not len(owners):
        return None
    run = Run(cases.codings, owners, np.flatnonzero(several), among=True)
    return Contestant("human", "human", [run])


def checked_baselines(given: bool | str | Sequence[str]) -> list[str]:
    """The names of baselines, True for the usual ones; raise for an unknown name."""
    if isinstance(given, bool):
        return list(BASELINES) if given else []
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        check_choice(name, "baseline", tuple(BASELINE_RULES))
    return names


def no_baselines(lacking: str) -> str:
    """Why there are no baselines."""
    return f"No baselines: the references have {lacking}, and chance has none."


def never_by_chance(codings: Codings, labels: bool) -> str | None:
    """What references have that chance cannot place; None if there is nothing.

    labels: whether a metric looks at labels of segments.
    """
    details = codings.details.values()
    if any(detail.types is not None for detail in details):
        return "boundary types"
    column = codings.labels
    labelled = column is not None and bool((column.codes != NO_LABELS).any())
    if labels and (labelled or any(detail.segment_labels is not None for detail in details)):
        return "segment labels"
    return None


def baseline(name: str, cases: Cases, seed: int) -> Contestant:
    """A baseline with as many segments as the references of the case have on average.

    `none` has no boundary; `random` is the mean of 10 seeded draws, or a single one of very many
    cases, whose average further draws would hardly change; `random-ks12` has one boundary more.
    """
    n_draws = RANDOM_RUNS if name in RANDOM and len(cases) <= MANY else 1
    draws = [partial(_drawn, name, cases, seed + number) for number in range(n_draws)]
    # very many take as much memory as those of systems: they are drawn when they are measured
    given = draws if len(cases) > MANY else [draw() for draw in draws]
    every = np.arange(len(cases))
    rows = np.argsort(cases.order) if name in RANDOM else every
    return Contestant(name, "baseline", [Run(each, every, rows) for each in given])


def _n_segments(name: str, cases: Cases) -> Int64Array:
    """The number of segments of a baseline in each case."""
    if name == "none":
        return np.ones(len(cases), np.int64)
    total = np.add.reduceat(np.diff(cases.codings.offsets) + 1, cases.starts[:-1])
    wanted = np.rint(total / cases.n_references).astype(np.int64)
    if name == "random-ks12":
        places = cases.n_units - 1
        for case, candidates in _candidates(cases).items():
            places[case] = len(candidates)
        wanted = np.minimum(wanted, places) + 1
    return wanted


def _candidates(cases: Cases) -> dict[int, Int64Array]:
    """The candidates of cases whose first reference has candidates."""
    details = cases.codings.details
    owners = enumerate(cases.starts[:-1].tolist() if details else ())
    known = ((case, details[row].candidates) for case, row in owners if row in details)
    return {case: candidates for case, candidates in known if candidates is not None}


def _drawn(name: str, cases: Cases, seed: int) -> Codings:
    """The codings of a baseline; if chance places boundaries, in the order in which cases are
    drawn, all from the same stream of random numbers."""
    candidates = _candidates(cases)
    order = cases.order if name in RANDOM else np.arange(len(cases))
    n_units, n_segments = cases.n_units[order], _n_segments(name, cases)[order]
    names = np.array(cases.names, object)[order].tolist()
    columns = None
    if not candidates:
        columns = (
            random_columns(n_units, n_segments, seed)
            if name in RANDOM
            else uniform_columns(n_units, n_segments)
        )
    if columns is not None:
        return Codings.plain(names, name, (n_units, *columns))
    rng = np.random.default_rng(seed)
    drawn: list[Segmentation] = []
    for case, n, k in zip(order.tolist(), n_units.tolist(), n_segments.tolist(), strict=True):
        among = candidates.get(case)
        drawn.append(
            random(n, n_segments=k, rng=rng, candidates=among)
            if name in RANDOM
            else uniform(n, k, candidates=among)
        )
    return Codings.of_segmentations(names, name, drawn)


# ---- statistics ----


class Measured(NamedTuple):
    """The statistics of one metric.

    rows: those of what is drawn (lots, runs, statistics); covered: whether a run has a case;
    values: those of cases (cases, runs), NaN if a run has not the case.
    """

    metric: Metric
    rows: Floats
    covered: NDArray[np.bool_]
    values: Floats


class Trials:
    """The hypotheses of some runs, in cases from `first` up to `last`, as one `Pairs`: each with
    all its references at once (`many`), or with one reference after another.

    Trial i is row `rows[i]` of `codings`, in case `cases[i]` and run `columns[i]`. A pair belongs
    to trial `trial`, is weighted by `scale`, and is added to the case and run in `place`; `alone`
    says that no other pair is added there.
    """

    def __init__(
        self,
        many: bool,
        cases: Cases,
        runs: Sequence[tuple[Contestant, Run]],
        provenance: Provenance,
        first: int = 0,
        last: int | None = None,
    ) -> None:
        n_cases = (len(cases) if last is None else last) - first
        self.many, self.of, self.runs, self.provenance = many, cases, runs, provenance
        self.first, self.last = first, first + n_cases
        distinct: dict[int, tuple[int, Codings]] = {}
        parts: list[tuple[Int64Array, Int64Array, Int64Array, Int64Array, NDArray[np.bool_]]] = []
        n_rows = 0
        for _, run in runs:
            codings = run.codings
            assert codings is not None  # noqa: S101  # sums have no pairs
            if id(codings) not in distinct:
                distinct[id(codings)] = n_rows, codings
                n_rows += len(codings)
            some = slice(*np.searchsorted(run.cases, [first, first + n_cases]).tolist())
            starts, met = cases.faced(run, some)
            rows = run.rows[some]
            worst = np.zeros(len(rows), np.bool_)
            if ("missing", "worst") in codings.provenance.choices:
                worst[:] = [name in codings.failures for name in codings.names_of(rows)]
            before = distinct[id(codings)][0]
            parts.append((run.cases[some], rows + before, met, np.diff(starts), worst))
        tables = [codings for _, codings in distinct.values()]
        self.codings = tables[0] if len(tables) == 1 else joined_rows(tables)
        columns = zip(*parts, strict=True)
        self.cases, self.rows, self.met, faced, worst = map(np.concatenate, columns)
        self.columns = np.repeat(np.arange(len(runs)), [len(part[0]) for part in parts])
        self.starts = starts_of(faced)
        held = (self.cases - first) * len(runs) + self.columns
        trials = np.bincount(held, minlength=n_cases * len(runs))[held]
        # h references: a system has 1 trial against h, people have h trials against h-1
        share = cases.n_references[self.cases] / (trials * faced)
        every = np.arange(len(self.cases))
        self.alone = bool((trials == 1).all() and (many or (faced == 1).all()))
        self.trial = every if many else np.repeat(every, faced)
        self.scale: Floats = share[self.trial]
        self.worst = tuple(np.flatnonzero(worst[self.trial]).tolist())
        self.place = self.cases[self.trial] - first, self.columns[self.trial]  # for NumPy
        self.pairs = self._made(None)  # without names, which would cost more than the statistics

    def of_run(self, column: int) -> "Trials":
        """The trials of one run."""
        runs = self.runs[column : column + 1]
        return Trials(self.many, self.of, runs, self.provenance, self.first, self.last)

    def named(self) -> Pairs:
        """The pairs with the names used in messages: document and system, numbered from the second
        trial on."""
        times: Counter[str] = Counter()
        labels = []
        for trial in self.trial.tolist():
            system = self.runs[int(self.columns[trial])][0].name
            name = f"{self.of.names[int(self.cases[trial])]} ({system})"
            times[name] += 1
            labels.append(name if times[name] == 1 else f"{name}, pair {times[name]}")
        return self._made(labels)

    def _made(self, labels: list[str] | None) -> Pairs:
        worst = Failures("worst", {}, len(self.of), self.worst) if self.worst else None
        return Pairs.of_codings(
            self.of.codings,
            self.codings,
            self.met,
            self.rows[self.trial],
            groups=self.starts if self.many else None,
            documents=labels,
            provenance=self.provenance,
            failures=worst,
        )


def measure(
    metrics: Sequence[Metric],
    cases: Cases,
    contestants: Sequence[Contestant],
    lots: Lots,
    *,
    threads: int | None = None,
    on_undefined: OnUndefined = "raise",
    provenance: Provenance = PLAIN,
) -> list[Measured]:
    """Score all runs of all contestants. Of many cases some runs, or parts of one, are scored at a
    time, so that only the statistics of lots and the values of cases stay in memory; metrics that
    need all labels together have everything at once."""
    runs = [(contestant, run) for contestant in contestants for run in contestant.runs]
    covered = np.zeros((len(cases), len(runs)), np.bool_)
    for column, (_, run) in enumerate(runs):
        covered[run.cases, column] = True
    whole, n_cases = any(metric.batch_bound for metric in metrics), max(1, len(cases))
    step = n_cases if whole or lots.owner is None else _AT_ONCE
    n_runs = len(runs) if whole else max(1, _AT_ONCE // n_cases)
    drawn: dict[Metric, list[Floats]] = {metric: [] for metric in metrics}
    values = {metric: np.full(covered.shape, np.nan) for metric in metrics}

    def of_runs(alike: Sequence[Metric], some: slice) -> dict[Metric, Floats]:
        """The statistics of lots of some runs; what they draw is given back at the end."""
        these = [(contestant, run._replace(given=run.codings)) for contestant, run in runs[some]]
        sums: dict[Metric, Floats] = {}
        for first in range(0, n_cases, step):
            last = min(first + step, len(cases))
            trials = Trials(alike[0].many_references, cases, these, provenance, first, last)
            for metric, table in _add_up(alike, trials, threads, on_undefined):
                values[metric][first:last, some] = value_of(metric.values, table)
                added = lots.sums(table, first)
                sums[metric] = sums[metric] + added if first else added
        return sums

    for many in sorted({metric.many_references for metric in metrics}):
        alike = [metric for metric in metrics if metric.many_references == many]
        for column in range(0, len(runs), n_runs):
            for metric, sums in of_runs(alike, slice(column, column + n_runs)).items():
                drawn[metric].append(sums)
    made = []
    for metric in metrics:
        values[metric][~covered] = np.nan
        rows = np.concatenate(drawn[metric], axis=1)
        made.append(Measured(metric, rows, covered, values[metric]))
        averages = metric.values(rows.sum(axis=0)).tolist()
        for pair, value in zip(runs, averages, strict=True):
            if on_undefined == "raise" and pair[0].kind == "system" and math.isnan(value):
                pairs = Trials(metric.many_references, cases, [pair], provenance).named()
                metric.check_answer(pairs, value, f"system {pair[0].name!r}, ")
    return made


def _add_up(
    metrics: Sequence[Metric],
    trials: Trials,
    threads: int | None,
    on_undefined: OnUndefined,
) -> Iterator[tuple[Metric, Floats]]:
    """The statistics of each case and run under each metric (cases, runs, statistics)."""
    try:
        tables = rows_of_metrics(metrics, trials.pairs, threads)
    except SegmentationError:  # of a document that the metrics refuse, before they compute
        tables = rows_of_metrics(metrics, trials.named(), threads)
    for metric, rows in zip(metrics, tables, strict=True):
        if on_undefined == "raise":  # baselines and people may have none: chance has no labels
            values, columns = metric.values(rows), trials.place[1]
            systems = np.array([contestant.kind == "system" for contestant, _ in trials.runs])
            bad = np.flatnonzero(metric.unscored(trials.pairs, values) & systems[columns])
            if bad.size:
                column = int(columns[bad[0]])
                metric.check_defined(trials.of_run(column).named(), values[columns == column])
        sums = np.zeros((trials.last - trials.first, len(trials.runs), rows.shape[1]))
        scaled = rows * trials.scale[:, np.newaxis]
        if trials.alone:
            sums[trials.place] += scaled
        else:
            np.add.at(sums, trials.place, scaled)
        yield metric, sums
