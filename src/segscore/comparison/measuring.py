"""The cases of a comparison, who is compared on them, and the statistics of all of them.

A case is a document with its references, or a single reference of a document. A run has a
hypothesis in each of its cases, which is scored against all references of the case; of the human
row, each coder is scored against the others. Everything is rows of tables of codings
(`segscore.corpus.codings`), and all runs together are one `Pairs` (`trials_of`), or one for each
part of very many cases.

Metrics that take a single reference are computed against each reference of the case, and the
statistics of a case are the sum over them. The human row has h·(h-1) such pairs where a system has
h, so its sum is divided by h-1: every case has the same weight for all contestants.

Baselines have as many segments as the references of a case have on average. `none` has no boundary;
`random` is the mean of 10 seeded draws, or a single one of very many cases, whose average further
draws would hardly change; `random-ks12` has one boundary more. Each draw takes the cases in the
order in which they are drawn, which follows names, from one stream of random numbers.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array, cached_property, check_choice
from segscore.coding.segmentation import Segmentation
from segscore.corpus import Codings, Provenance
from segscore.corpus.lists import NO_LABELS, picked_places, starts_of
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric, OnUndefined, rows_of_metrics
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Failures
from segscore.significance.drawing import MANY, Lots, by_name, hashes_of
from segscore.significance.resampling import value_of
from segscore.simulate.baselines import random, random_columns, uniform, uniform_columns

ContestantKind = Literal["system", "baseline", "human"]
_AT_ONCE = 50_000  # cases of a run


# ---- cases and contestants ----


class Run(NamedTuple):
    """A run of a row of the table: in case `cases[i]` (they ascend) its hypothesis is row `rows[i]`
    of its codings; documents that it did not segment are missing.

    name, kind: of the row; given: the codings, or what draws them, anew each time;
    among: whether hypotheses are themselves references of their cases, and face the others.
    """

    name: str
    kind: ContestantKind
    given: Codings | Callable[[], Codings]
    cases: Int64Array
    rows: Int64Array
    among: bool = False

    @property
    def codings(self) -> Codings:
        """Its codings."""
        return self.given() if callable(self.given) else self.given


@dataclass(frozen=True, eq=False)
class Cases:
    """What is compared: the references of case i are rows `starts[i]:starts[i+1]` of `codings`;
    `documents` holds the name of each case's document; `systems` has the runs of each system.

    skipped: the documents that are left out; provenance: how units were formed; given: all codings
    of the corpus; tables: those of the systems, which may have texts that the corpus has not;
    failures: the documents without a hypothesis, by system.
    """

    names: Sequence[str]
    codings: Codings
    starts: Int64Array
    documents: Sequence[str]
    systems: Sequence[Sequence[Run]]
    skipped: tuple[str, ...]
    provenance: Provenance
    given: Codings
    tables: Sequence[Codings]
    failures: Mapping[str, Failures]

    @cached_property
    def order(self) -> Int64Array:
        """The cases in the order in which they are drawn: by document, then by the coder; of very
        many, by hashes of these."""
        coders, codes = self.codings.coders, self.codings.codes[self.starts[:-1]]
        if len(self.names) > MANY:  # to sort names would take longer than to score
            return np.lexsort((hashes_of(coders)[codes], hashes_of(self.documents)))
        return by_name(self.documents, map(coders.__getitem__, codes.tolist()))

    def faced(self, run: Run, trials: Any = slice(None)) -> tuple[Int64Array, Int64Array]:
        """(starts, rows) of the references that hypotheses of a run are scored against."""
        numbers = run.cases[trials]
        counts, rows = np.diff(self.starts)[numbers], picked_places(self.starts, numbers)
        if run.among:
            rows = rows[rows != np.repeat(run.rows[trials], counts)]
            counts = counts - 1
        return starts_of(counts), rows


# ---- all runs as one table of pairs ----


class Trials(NamedTuple):
    """The hypotheses of some runs as one `Pairs`: each with all its references at once, or with one
    reference after another.

    Trial i is row `rows[i]` of `codings`, in case `cases[i]` and run `columns[i]`. A pair belongs
    to trial `trial`, is weighted by `scale`, and is added to the case and run in `place`; `alone`
    says that no other pair is added there.
    """

    pairs: Pairs
    codings: Codings
    cases: Int64Array
    rows: Int64Array
    columns: Int64Array
    trial: Int64Array
    scale: Floats
    place: tuple[Int64Array, Int64Array]
    alone: bool


def trials_of(
    many: bool,
    cases: Cases,
    runs: Sequence[Run],
    first: int = 0,
    last: int | None = None,
    *,
    named: bool = False,
) -> Trials:
    """The trials of some runs in cases from `first` up to `last`, each against all references at
    once (`many`) or one after another.

    named: give pairs the names used in messages, document and system, numbered from the second
    trial on; they would cost more than the statistics.
    """
    n_cases = (len(cases.names) if last is None else last) - first
    distinct: dict[int, tuple[int, Codings]] = {}
    parts: list[tuple[Int64Array, Int64Array, Int64Array, Int64Array, NDArray[np.bool_]]] = []
    n_rows = 0
    for run in runs:
        codings = run.codings
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
    codings = tables[0] if len(tables) == 1 else Codings.concat(tables)
    case, rows, met, faced, worst = map(np.concatenate, zip(*parts, strict=True))
    columns = np.repeat(np.arange(len(runs)), [len(part[0]) for part in parts])
    held = (case - first) * len(runs) + columns
    times = np.bincount(held, minlength=n_cases * len(runs))[held]
    # h references: a system has 1 trial against h, people have h trials against h-1
    share = np.diff(cases.starts)[case] / (times * faced)
    trial = np.arange(len(case)) if many else np.repeat(np.arange(len(case)), faced)
    labels: list[str] | None = None
    if named:
        seen: Counter[str] = Counter()
        labels = []
        for i in trial.tolist():
            name = f"{cases.names[int(case[i])]} ({runs[int(columns[i])].name})"
            seen[name] += 1
            labels.append(name if seen[name] == 1 else f"{name}, pair {seen[name]}")
    lost = tuple(np.flatnonzero(worst[trial]).tolist())
    pairs = Pairs.of_codings(
        cases.codings,
        codings,
        met,
        rows[trial],
        groups=starts_of(faced) if many else None,
        documents=labels,
        provenance=cases.provenance,
        failures=Failures("worst", {}, len(cases.names), lost) if lost else None,
    )
    alone = bool((times == 1).all() and (many or (faced == 1).all()))
    place = case[trial] - first, columns[trial]  # for NumPy
    return Trials(pairs, codings, case, rows, columns, trial, share[trial], place, alone)


# ---- statistics ----


Measured = tuple[Metric, Floats, Floats, Floats | None]
"""The statistics of a metric: rows of what is drawn (lots, runs, statistics); the values of cases
(cases, runs), NaN if a run has not the case; and rows whose sums give their mean, where the cases
of a lot were already added up."""


def measure(
    metrics: Sequence[Metric],
    cases: Cases,
    runs: Sequence[Run],
    lots: Lots,
    *,
    threads: int | None = None,
    on_undefined: OnUndefined = "raise",
) -> tuple[list[Measured], NDArray[np.bool_]]:
    """Score all runs of all rows, and say which cases each run has. Of many cases some runs,
    or parts of one, are scored at a time, so that only the statistics of lots and the values of
    cases stay in memory; metrics that need all labels together have everything at once."""
    n_cases, whole = len(cases.names), any(metric.batch_bound for metric in metrics)
    covered = np.zeros((n_cases, len(runs)), np.bool_)
    for column, run in enumerate(runs):
        covered[run.cases, column] = True
    step = n_cases if whole or lots.owner is None else _AT_ONCE
    n_runs = len(runs) if whole else max(1, _AT_ONCE // n_cases)
    rows: dict[Metric, Floats] = {}
    values = {metric: np.full(covered.shape, np.nan) for metric in metrics}
    for many in sorted({metric.many_references for metric in metrics}):
        alike = [metric for metric in metrics if metric.many_references == many]
        for column in range(0, len(runs), n_runs):
            some = slice(column, column + n_runs)
            given = alike, cases, runs[some], step
            for first, metric, table in _add_up(*given, threads, on_undefined):
                values[metric][first : first + step, some] = value_of(metric.values, table)
                if metric not in rows:
                    rows[metric] = np.zeros((len(lots.order), len(runs), table.shape[-1]))
                rows[metric][:, some] += lots.sums(table, first)
    made: list[Measured] = []
    for metric in metrics:
        values[metric][~covered] = np.nan
        made.append((metric, rows[metric], values[metric], None))
        averages = metric.values(rows[metric].sum(axis=0)).tolist()
        for run, value in zip(runs, averages, strict=True):
            if on_undefined == "raise" and run.kind == "system" and math.isnan(value):
                many = metric.many_references
                pairs = trials_of(many, cases, [run], named=True).pairs
                metric.check_answer(pairs, value, f"system {run.name!r}, ")
    return made, covered


def _add_up(
    metrics: Sequence[Metric],
    cases: Cases,
    runs: Sequence[Run],
    step: int,
    threads: int | None,
    on_undefined: OnUndefined,
) -> Iterator[tuple[int, Metric, Floats]]:
    """For each part of the cases its first case, and the statistics of each case and run under each
    metric (cases, runs, statistics). What runs draw is given back at the end."""
    many, n_cases = metrics[0].many_references, len(cases.names)
    runs = [run._replace(given=run.codings) for run in runs]
    systems = np.array([run.kind == "system" for run in runs])
    for first in range(0, n_cases, step):
        last = min(first + step, n_cases)
        given = many, cases, runs, first, last
        trials = trials_of(*given)
        try:
            tables = rows_of_metrics(metrics, trials.pairs, threads)
        except SegmentationError:  # of a document that the metrics refuse, before they compute
            tables = rows_of_metrics(metrics, trials_of(*given, named=True).pairs, threads)
        for metric, rows in zip(metrics, tables, strict=True):
            if on_undefined == "raise":  # baselines and people may have none: chance has no labels
                values, columns = metric.values(rows), trials.place[1]
                bad = np.flatnonzero(metric.unscored(trials.pairs, values) & systems[columns])
                if bad.size:
                    column = int(columns[bad[0]])
                    given = many, cases, [runs[column]], first, last
                    pairs = trials_of(*given, named=True).pairs
                    metric.check_defined(pairs, values[columns == column])
            sums = np.zeros((last - first, len(runs), rows.shape[1]))
            scaled = rows * trials.scale[:, np.newaxis]
            if trials.alone:
                sums[trials.place] += scaled
            else:
                np.add.at(sums, trials.place, scaled)
            yield first, metric, sums


# ---- the rows that give the scale: baselines, and people against each other ----

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


def scale(
    cases: Cases, baselines: bool | Sequence[str], people: bool | None, seed: int, labels: bool
) -> tuple[list[list[Run]], list[str]]:
    """The runs of the rows that give the scale, and notes about them.

    people: whether to add a row of each coder against the others (None: if a case has several);
    labels: whether a metric uses labels of segments.
    """
    rows: list[list[Run]] = []
    notes: list[str] = []
    names = list(BASELINES) if baselines is True else checked_baselines(baselines)
    details, column = cases.codings.details.values(), cases.codings.labels
    labelled = column is not None and bool((column.codes != NO_LABELS).any())
    if any(detail.types is not None for detail in details):
        notes += [no_baselines("boundary types")] if names else []
    elif labels and (labelled or any(detail.segment_labels is not None for detail in details)):
        notes += [no_baselines("segment labels")] if names else []
    else:
        few, every = len(cases.names) <= MANY, np.arange(len(cases.names))
        for name in names:
            n_draws = RANDOM_RUNS if name in RANDOM and few else 1
            draws = [partial(_drawn, name, cases, seed + number) for number in range(n_draws)]
            places = np.argsort(cases.order) if name in RANDOM else every
            # very many take as much memory as those of systems: they are drawn when measured
            drawn = [(draw() if few else draw) for draw in draws]
            rows.append([Run(name, "baseline", each, every, places) for each in drawn])
    counts = np.diff(cases.starts)
    if people is not False and (counts > 1).any():
        several = np.repeat(counts > 1, counts)
        owners = np.repeat(np.arange(len(counts)), counts)[several]
        places = np.flatnonzero(several)
        rows.append([Run("human", "human", cases.codings, owners, places, among=True)])
        alone = int((counts == 1).sum())
        if alone:
            notes.append(f"The human row leaves out {alone} documents with a single coder.")
    elif people:
        raise SegmentationError("human is True, but no document has more than one reference")
    called = [runs[0].name for runs in (*cases.systems, *rows)]
    twice = [name for name in called if called.count(name) > 1]
    if twice:
        raise SegmentationError(
            f"two rows would be called {twice[0]!r}: give the system another name, or leave the "
            "baseline or human row out"
        )
    return rows, notes


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


def n_segments(name: str, cases: Cases) -> Int64Array:
    """The number of segments of a baseline in each case."""
    if name == "none":
        return np.ones(len(cases.names), np.int64)
    total = np.add.reduceat(np.diff(cases.codings.offsets) + 1, cases.starts[:-1])
    wanted = np.rint(total / np.diff(cases.starts)).astype(np.int64)
    if name == "random-ks12":
        places = cases.codings.n_units[cases.starts[:-1]] - 1
        for case, candidates in _candidates(cases).items():
            places[case] = len(candidates)
        wanted = np.minimum(wanted, places) + 1
    return wanted


def _candidates(cases: Cases) -> dict[int, Int64Array]:
    """The candidates of cases whose first reference has candidates."""
    details = cases.codings.details
    owners = enumerate(cases.starts[:-1].tolist())
    known = ((case, details[row].candidates) for case, row in owners if row in details)
    return {case: candidates for case, candidates in known if candidates is not None}


def _drawn(name: str, cases: Cases, seed: int) -> Codings:
    """The codings of a baseline, in the order in which cases are drawn if chance places them."""
    order = cases.order if name in RANDOM else np.arange(len(cases.names))
    n_units = cases.codings.n_units[cases.starts[:-1]][order]
    wanted = n_segments(name, cases)[order]
    names = np.array(cases.names, object)[order].tolist()
    candidates = _candidates(cases) if cases.codings.details else {}
    if not candidates:
        columns = (
            random_columns(n_units, wanted, seed)
            if name in RANDOM
            else uniform_columns(n_units, wanted)
        )
        if columns is not None:
            return Codings.plain(names, name, (n_units, *columns))
    rng = np.random.default_rng(seed)
    drawn: list[Segmentation] = []
    for case, n, k in zip(order.tolist(), n_units.tolist(), wanted.tolist(), strict=True):
        among = candidates.get(case)
        drawn.append(
            random(n, n_segments=k, rng=rng, candidates=among)
            if name in RANDOM
            else uniform(n, k, candidates=among)
        )
    return Codings.of_segmentations(names, name, drawn)
