"""The cases of a comparison, who is compared on them, and the statistics of all of them.

A case is a document with its references, or a single reference of a document. A run has a
hypothesis in each of its cases, which is scored against all references of the case; of the human
row, each coder is scored against the others. Everything is rows of tables of codings
(`segscore.corpus.codings`), and all runs together are one `Pairs` (`trials_of`), or one for each
part of very many cases.

Metrics that take a single reference are computed against each reference of the case, and the
statistics of a case are the sum over them. The human row has h·(h-1) such pairs where a system has
h, so its sum is divided by h-1: every case has the same weight for all contestants.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array
from segscore.basics.on_demand import cached_property
from segscore.corpus.codings import Codings, joined_rows
from segscore.corpus.lists import picked_places, starts_of
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric, OnUndefined, rows_of_metrics
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Failures
from segscore.significance.drawing import MANY, Lots, by_name, hashes_of
from segscore.significance.resampling import value_of

ContestantKind = Literal["system", "baseline", "human"]
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
    def codings(self) -> Codings:
        """Its codings."""
        codings = self.given() if callable(self.given) else self.given
        assert codings is not None  # noqa: S101  # who looks at codings knows the documents
        return codings


@dataclass(frozen=True, eq=False)
class Cases:
    """The cases: the references of case i are rows `starts[i]:starts[i+1]` of `codings`;
    `documents` holds the name of each case's document."""

    names: Sequence[str]
    codings: Codings
    starts: Int64Array
    documents: Sequence[str]

    @cached_property
    def order(self) -> Int64Array:
        """The cases in the order in which they are drawn: by document, then by the coder; of very
        many, by hashes of these."""
        first = self.starts[:-1]
        if len(self.names) > MANY:  # to sort names would take longer than to score
            coders = hashes_of(self.codings.coders)[self.codings.codes[first]]
            return np.lexsort((coders, hashes_of(self.documents)))
        return by_name(self.documents, map(self.codings.coder, first.tolist()))

    def faced(self, run: Run, trials: Any = slice(None)) -> tuple[Int64Array, Int64Array]:
        """(starts, rows) of the references that hypotheses of a run are scored against."""
        numbers = run.cases[trials]
        counts, rows = np.diff(self.starts)[numbers], picked_places(self.starts, numbers)
        if run.among:
            rows = rows[rows != np.repeat(run.rows[trials], counts)]
            counts = counts - 1
        return starts_of(counts), rows


class Contestant(NamedTuple):
    """A row of the table. Documents that a run did not segment are missing from that run."""

    name: str
    kind: ContestantKind
    runs: Sequence[Run]


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
    runs: Sequence[tuple[Contestant, Run]],
    provenance: Provenance,
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
    for _, run in runs:
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
    codings = tables[0] if len(tables) == 1 else joined_rows(tables)
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
            name = f"{cases.names[int(case[i])]} ({runs[int(columns[i])][0].name})"
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
        provenance=provenance,
        failures=Failures("worst", {}, len(cases.names), lost) if lost else None,
    )
    alone = bool((times == 1).all() and (many or (faced == 1).all()))
    place = case[trial] - first, columns[trial]  # for NumPy
    return Trials(pairs, codings, case, rows, columns, trial, share[trial], place, alone)


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
    n_cases, whole = len(cases.names), any(metric.batch_bound for metric in metrics)
    covered = np.zeros((n_cases, len(runs)), np.bool_)
    for column, (_, run) in enumerate(runs):
        covered[run.cases, column] = True
    step = n_cases if whole or lots.owner is None else _AT_ONCE
    n_runs = len(runs) if whole else max(1, _AT_ONCE // n_cases)
    rows: dict[Metric, Floats] = {}
    values = {metric: np.full(covered.shape, np.nan) for metric in metrics}
    for many in sorted({metric.many_references for metric in metrics}):
        alike = [metric for metric in metrics if metric.many_references == many]
        for column in range(0, len(runs), n_runs):
            some = slice(column, column + n_runs)
            given = alike, cases, runs[some], provenance, step
            for first, metric, table in _add_up(*given, threads, on_undefined):
                values[metric][first : first + step, some] = value_of(metric.values, table)
                if metric not in rows:
                    rows[metric] = np.zeros((len(lots), len(runs), table.shape[-1]))
                rows[metric][:, some] += lots.sums(table, first)
    made = []
    for metric in metrics:
        values[metric][~covered] = np.nan
        made.append(Measured(metric, rows[metric], covered, values[metric]))
        averages = metric.values(rows[metric].sum(axis=0)).tolist()
        for pair, value in zip(runs, averages, strict=True):
            if on_undefined == "raise" and pair[0].kind == "system" and math.isnan(value):
                many = metric.many_references
                pairs = trials_of(many, cases, [pair], provenance, named=True).pairs
                metric.check_answer(pairs, value, f"system {pair[0].name!r}, ")
    return made


def _add_up(
    metrics: Sequence[Metric],
    cases: Cases,
    runs: Sequence[tuple[Contestant, Run]],
    provenance: Provenance,
    step: int,
    threads: int | None,
    on_undefined: OnUndefined,
) -> Iterator[tuple[int, Metric, Floats]]:
    """For each part of the cases its first case, and the statistics of each case and run under each
    metric (cases, runs, statistics). What runs draw is given back at the end."""
    many, n_cases = metrics[0].many_references, len(cases.names)
    runs = [(whose, run._replace(given=run.codings)) for whose, run in runs]
    systems = np.array([whose.kind == "system" for whose, _ in runs])
    for first in range(0, n_cases, step):
        last = min(first + step, n_cases)
        given = many, cases, runs, provenance, first, last
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
                    given = many, cases, [runs[column]], provenance, first, last
                    pairs = trials_of(*given, named=True).pairs
                    metric.check_defined(pairs, values[columns == column])
            sums = np.zeros((last - first, len(runs), rows.shape[1]))
            scaled = rows * trials.scale[:, np.newaxis]
            if trials.alone:
                sums[trials.place] += scaled
            else:
                np.add.at(sums, trials.place, scaled)
            yield first, metric, sums
