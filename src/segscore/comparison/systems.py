"""Who is compared with what: systems, baselines and people, and their statistics per document.

A contestant has one run or more. A run says for each document which hypotheses meet which
references; for a system that is one hypothesis, for the human row each coder against the others.
Metrics of one reference are computed against each reference of the document, and the statistics of
a document are the sum over them. The human row has h·(h-1) such pairs where a system has h, so its
sum is divided by h-1: every document weighs the same for all contestants.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array, shown
from segscore.coding.segmentation import Segmentation
from segscore.comparison.judged_runs import (
    ColumnHypotheses,
    Columns,
    DocumentRows,
    JudgedOutput,
    JudgedRun,
    References,
)
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric, OnUndefined, rows_of_metrics
from segscore.pairing.pair_packing import plain_columns
from segscore.pairing.pairs import Pairs
from segscore.simulate import baselines

Kind = Literal["system", "baseline", "human"]

BASELINES = ("none", "random", "uniform")
RANDOM = {
    "random": "as many segments as the references have on average",
    "random-ks12": "as many boundaries as the references have segments on average, so one "
    "segment more (Kazantseva & Szpakowicz 2012)",
}
"""The baselines that chance places, and what each keeps."""
ALL_BASELINES = ("none", *RANDOM, "uniform")
RANDOM_RUNS = 10  # one draw of the random baseline would be a matter of luck


@dataclass(frozen=True)
class Contestant:
    """A row of the table. A document that a run did not do is missing from it."""

    name: str
    kind: Kind
    runs: Sequence[Mapping[str, Sequence[JudgedOutput]]]


def sample_pairs(system: Contestant, most: int) -> Pairs:
    """The first run of a system against the first reference, in at most so many documents."""
    names = list(system.runs[0])
    names = names[:: -(-len(names) // most)]
    outputs = [system.runs[0][name][0] for name in names]
    return Pairs.from_segmentations(
        [one.references[0] for one in outputs], [one.hypothesis for one in outputs], names
    )


# ---- what gives the scale ----


def human(refs: References) -> Contestant | None:
    """Each coder against the others of a document; None if no document has two references."""
    run = {
        document: [
            JudgedOutput([*coders[:i], *coders[i + 1 :]], coder) for i, coder in enumerate(coders)
        ]
        for document, coders in refs.items()
        if len(coders) > 1
    }
    return Contestant("human", "human", [run]) if run else None


def baseline(name: str, refs: References, seed: int) -> Contestant:
    """A baseline with as many segments as the document's references have on average.

    `none` has no boundary; `random` is the mean of ten seeded draws; `random-ks12` has one boundary
    more.
    """
    if name not in ALL_BASELINES:
        raise SegmentationError(
            f"baseline is {shown(name)}: expected one of {', '.join(ALL_BASELINES)}"
        )
    seeds = range(seed, seed + RANDOM_RUNS) if name in RANDOM else [seed]
    placed = _Placed(name, refs)
    return Contestant(name, "baseline", [JudgedRun(refs, placed.drawn(one)) for one in seeds])


class _Placed:
    """The segmentations of a baseline, for each document."""

    def __init__(self, name: str, refs: References) -> None:
        self.name, self.rows = name, DocumentRows(list(refs))
        coders = list(refs.values())
        self.n_units = [several[0].n_units for several in coders]
        self.candidates = [several[0].candidates for several in coders]
        self.n_segments = [
            round(sum(one.n_segments for one in several) / len(several)) for several in coders
        ]
        if name == "random-ks12":
            both = zip(self.n_units, self.candidates, strict=True)
            places = [n - 1 if c is None else len(c) for n, c in both]
            segments = zip(self.n_segments, places, strict=True)
            self.n_segments = [min(k, n) + 1 for k, n in segments]

    def drawn(self, seed: int) -> Mapping[str, Segmentation]:
        """All documents from one stream of chance; as columns, if there are places everywhere."""
        if self.name in RANDOM and all(one is None for one in self.candidates):
            columns = baselines.random_columns(self.n_units, self.n_segments, seed)
            if columns is not None:
                return ColumnHypotheses(self.rows, (np.array(self.n_units, np.int64), *columns))
        return dict(zip(self.rows.documents, self._each(seed), strict=True))

    def _each(self, seed: int) -> Iterator[Segmentation]:
        asked = zip(self.n_units, self.n_segments, self.candidates, strict=True)
        if self.name == "none":
            return (baselines.none(n, candidates=c) for n, _, c in asked)
        if self.name == "uniform":
            return (baselines.uniform(n, k, candidates=c) for n, k, c in asked)
        rng = np.random.default_rng(seed)
        return (baselines.random(n, n_segments=k, seed=rng, candidates=c) for n, k, c in asked)


# ---- statistics ----


@dataclass(frozen=True)
class Measured:
    """One metric over all documents and runs.

    rows: (documents, runs, statistics); covered: whether a run did a document; values: those of
    documents (documents, runs), where they are not simply those of the rows.
    """

    metric: Metric
    rows: Floats
    covered: NDArray[np.bool_]
    values: Floats | None = None


def measure(
    metrics: Sequence[Metric],
    refs: References,
    contestants: Sequence[Contestant],
    threads: int | None,
    on_undefined: OnUndefined,
    provenance: Provenance = PLAIN,
) -> list[Measured]:
    """Score every run of every contestant."""
    given = metrics, refs, contestants, threads, on_undefined, provenance
    if not any(metric.batch_bound for metric in metrics):
        try:
            return _measure_runs(*given)
        except SegmentationError:  # the same again, for the message: with names, all in one batch
            pass
    return _measure(*given)


def _measure_runs(
    metrics: Sequence[Metric],
    refs: References,
    contestants: Sequence[Contestant],
    threads: int | None,
    on_undefined: OnUndefined,
    provenance: Provenance,
) -> list[Measured]:
    """Run after run, so that only the statistics of all of them are in memory at once."""
    whose = [contestant for contestant in contestants for _ in contestant.runs]
    runs = [run for contestant in contestants for run in contestant.runs]
    covered = np.zeros((len(refs), len(runs)), np.bool_)
    single = _single_references(refs)
    tables: dict[Metric, Floats] = {}
    for many in sorted({metric.many_references for metric in metrics}):
        these = [metric for metric in metrics if metric.many_references == many]
        for column, (one, run) in enumerate(zip(whose, runs, strict=True)):
            batch = None if many else _batch_of_columns(single, run, provenance)
            if batch is None:
                trials = all_trials(refs, [Contestant(one.name, one.kind, [run])])
                batch = trial_batch(many, refs, trials, provenance, named=False)
            row = batch.place[0]
            covered[row, column] = True
            for metric, found in zip(
                these, rows_of_metrics(these, batch.pairs, threads), strict=True
            ):
                if one.kind == "system" and on_undefined == "raise":
                    metric.check_defined(batch.pairs, metric.values(found))
                if metric not in tables:
                    tables[metric] = np.zeros((len(refs), len(runs), found.shape[1]))
                np.add.at(tables[metric][:, column], row, found * batch.scale[:, np.newaxis])
            if on_undefined == "raise":
                for metric in these:
                    _check_averages(metric, batch.pairs, tables[metric][:, [column]], [one])
    return [Measured(metric, tables[metric], covered) for metric in metrics]


def _single_references(refs: References) -> Columns | None:
    """The references as columns, if each document has one, with boundaries only."""
    if any(len(coders) != 1 for coders in refs.values()):
        return None
    return plain_columns([coders[0] for coders in refs.values()])


def _batch_of_columns(
    references: Columns | None, run: Mapping[str, Sequence[JudgedOutput]], provenance: Provenance
) -> "TrialBatch | None":
    """A run that did all documents, without an object per document; None where it takes more."""
    if references is None or not isinstance(run, JudgedRun) or len(run) < len(references[0]):
        return None
    hypotheses = run.columns()
    if hypotheses is None or not np.array_equal(references[0], hypotheses[0]):
        return None
    pairs = Pairs(*references, *hypotheses[1:], provenance=provenance)
    all_rows = np.arange(len(pairs))
    return TrialBatch(pairs, (all_rows, np.zeros_like(all_rows)), np.ones(len(pairs)), all_rows)


def _measure(
    metrics: Sequence[Metric],
    refs: References,
    contestants: Sequence[Contestant],
    threads: int | None,
    on_undefined: OnUndefined,
    provenance: Provenance,
) -> list[Measured]:
    """All runs in one batch per metric, by names of documents and systems."""
    trials = all_trials(refs, contestants)
    whose = [contestant for contestant in contestants for _ in contestant.runs]
    n_runs = len(whose)
    covered = np.zeros((len(refs), n_runs), np.bool_)
    batches: dict[bool, TrialBatch] = {}
    tables: dict[Metric, Floats] = {}
    for many in {metric.many_references for metric in metrics}:
        batches[many] = trial_batch(many, refs, trials, provenance)
        covered[batches[many].place] = True
        these = [metric for metric in metrics if metric.many_references == many]
        rows_of_each = rows_of_metrics(these, batches[many].pairs, threads)
        tables.update(zip(these, rows_of_each, strict=True))
    measured = []
    for metric in metrics:
        pairs, place, scale, _ = batches[metric.many_references]
        found = tables.pop(metric)
        if on_undefined == "raise":
            systems = np.array([one.kind == "system" for one in whose])
            _check_systems(metric, pairs, found, systems[place[1]])
        rows = np.zeros((len(refs), n_runs, found.shape[1]))
        np.add.at(rows, place, found * scale[:, np.newaxis])
        if on_undefined == "raise":
            _check_averages(metric, pairs, rows, whose)
        measured.append(Measured(metric, rows, covered))
    return measured


def _check_systems(
    metric: Metric, pairs: Pairs, rows: Floats, of_a_system: NDArray[np.bool_]
) -> None:
    """Raise for a document of a system that has no value. Baselines and people may have none:
    boundaries by chance have no labels."""
    values = metric.values(rows)
    if (metric.undefined(pairs, values) & of_a_system).any():
        metric.check_defined(pairs, values)


def _check_averages(
    metric: Metric, pairs: Pairs, rows: Floats, contestants: Sequence[Contestant]
) -> None:
    """Raise for a run of a system that has no average; baselines and people may have none."""
    for contestant, value in zip(contestants, metric.values(rows.sum(axis=0)), strict=True):
        if contestant.kind == "system":
            metric.check_answer(pairs, float(value), f"system {contestant.name!r}, ")


class Trial(NamedTuple):
    """A hypothesis with its references, its place among documents and runs, and its system."""

    row: int
    column: int
    contestant: Contestant
    judged: JudgedOutput


class TrialBatch(NamedTuple):
    """The pairs to score; the document and run of each, how much each counts, and of which trial.

    `place` are two columns of indices, as NumPy takes them.
    """

    pairs: Pairs
    place: Any
    scale: Floats
    trial: Int64Array


def all_trials(refs: References, contestants: Sequence[Contestant]) -> list[Trial]:
    """Every hypothesis of every run, run after run."""
    runs = [(contestant, run) for contestant in contestants for run in contestant.runs]
    return [
        Trial(row, column, contestant, judged)
        for column, (contestant, run) in enumerate(runs)
        for row, document in enumerate(refs)
        for judged in run.get(document, ())
    ]


def trial_batch(
    many: bool,
    refs: References,
    trials: Sequence[Trial],
    provenance: Provenance = PLAIN,
    named: bool = True,
) -> TrialBatch:
    """All trials in one batch: with many references at once, or with one after the other.

    named: whether pairs have names, for messages; those cost more than the statistics.
    """
    n, judged = len(trials), [one.judged for one in trials]
    row = np.fromiter((one.row for one in trials), np.intp, n)
    column = np.fromiter((one.column for one in trials), np.intp, n)
    met = np.zeros((len(refs), 1 + int(column.max())))
    np.add.at(met, (row, column), 1)
    n_refs = np.fromiter(map(len, refs.values()), np.int64, len(refs))
    faced = np.fromiter((len(one.references) for one in judged), np.int64, n)
    # h references: a system has 1 trial against h, people have h trials against h-1
    share = n_refs[row] / (met[row, column] * faced)
    trial = np.arange(n) if many else np.repeat(np.arange(n), faced)
    left: list[Any] = [list(one.references) for one in judged]
    right = [one.hypothesis for one in judged]
    if not many:
        left = [reference for one in left for reference in one]
        right = [right[number] for number in trial.tolist()]
    labels = _labels(list(refs), [trials[number] for number in trial.tolist()]) if named else None
    pairs = Pairs.from_segmentations(left, right, labels, provenance=provenance)
    return TrialBatch(pairs, (row[trial], column[trial]), share[trial], trial)


def _labels(names: Sequence[str], trials: Sequence[Trial]) -> list[str]:
    """How messages call each pair."""
    times: Counter[str] = Counter()
    return [_label(f"{names[one.row]} ({one.contestant.name})", times) for one in trials]


def _label(name: str, times: Counter[str]) -> str:
    """How messages call a pair: by its document and system, numbered from the second on."""
    times[name] += 1
    return name if times[name] == 1 else f"{name}, pair {times[name]}"
