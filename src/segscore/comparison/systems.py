"""Who is compared with what: systems, baselines and people, and their statistics per document.

A contestant has one run or more. A run says for each document which hypotheses meet which
references; for a system that is one hypothesis, for the human row each coder against the others.
Metrics of one reference are computed against each reference of the document, and the statistics of
a document are the sum over them. The human row has h·(h-1) such pairs where a system has h, so its
sum is divided by h-1: every document weighs the same for all contestants.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore import baselines
from segscore.arguments import Floats, shown
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric, OnUndefined
from segscore.pairs import Pairs
from segscore.provenance import PLAIN, Provenance
from segscore.segmentation import Segmentation

Kind = Literal["system", "baseline", "human"]
References = dict[str, list[Segmentation]]

BASELINES = ("none", "random", "uniform")
_RANDOM_RUNS = 10  # one draw of the random baseline would be a matter of luck


class JudgedOutput(NamedTuple):
    """One hypothesis and the references that it is scored against."""

    references: Sequence[Segmentation]
    hypothesis: Segmentation


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
    """Each coder against the others of the same document; None where nobody has company."""
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

    `none` has no boundary; `random` is the mean of ten seeded draws.
    """
    if name not in BASELINES:
        raise SegmentationError(
            f"baseline is {shown(name)}: expected one of {', '.join(BASELINES)}"
        )
    seeds = range(seed, seed + _RANDOM_RUNS) if name == "random" else [seed]
    runs = []
    for one in seeds:
        rng = np.random.default_rng(one)
        runs.append(
            {doc: [JudgedOutput(coders, _place(name, coders, rng))] for doc, coders in refs.items()}
        )
    return Contestant(name, "baseline", runs)


def _place(name: str, coders: Sequence[Segmentation], rng: np.random.Generator) -> Segmentation:
    n_units, candidates = coders[0].n_units, coders[0].candidates
    n_segments = round(sum(coder.n_segments for coder in coders) / len(coders))
    if name == "none":
        return baselines.none(n_units, candidates=candidates)
    if name == "uniform":
        return baselines.uniform(n_units, n_segments, candidates=candidates)
    return baselines.random(n_units, n_segments=n_segments, seed=rng, candidates=candidates)


# ---- statistics ----


@dataclass(frozen=True)
class Measured:
    """One metric over all documents and runs.

    rows: (documents, runs, statistics); covered: whether a run did a document.
    """

    metric: Metric
    rows: Floats
    covered: NDArray[np.bool_]


def measure(
    metrics: Sequence[Metric],
    refs: References,
    contestants: Sequence[Contestant],
    threads: int | None,
    on_undefined: OnUndefined,
    provenance: Provenance = PLAIN,
) -> list[Measured]:
    """Score every run of every contestant, all in one batch per metric."""
    runs = [(contestant, run) for contestant in contestants for run in contestant.runs]
    entries = [
        (row, column, contestant, trial)
        for column, (contestant, run) in enumerate(runs)
        for row, document in enumerate(refs)
        for trial in run.get(document, ())
    ]
    names, covered = list(refs), np.zeros((len(refs), len(runs)), np.bool_)
    batches: dict[bool, tuple[Pairs, Any, Floats]] = {}
    for many in {metric.many_references for metric in metrics}:
        batches[many] = _batch(many, names, refs, entries, provenance)
        covered[batches[many][1]] = True
    made = []
    for metric in metrics:
        pairs, place, scale = batches[metric.many_references]
        found = metric.rows(pairs, threads)
        if on_undefined == "raise":
            metric.check_defined(pairs, metric.values(found))
        rows = np.zeros((len(refs), len(runs), found.shape[1]))
        np.add.at(rows, place, found * scale[:, np.newaxis])
        if on_undefined == "raise":
            _check_averages(metric, pairs, rows, [contestant for contestant, _ in runs])
        made.append(Measured(metric, rows, covered))
    return made


def _check_averages(
    metric: Metric, pairs: Pairs, rows: Floats, contestants: Sequence[Contestant]
) -> None:
    """Raise for a run of a system that has no average; baselines and people may have none."""
    for contestant, value in zip(contestants, metric.values(rows.sum(axis=0)), strict=True):
        if contestant.kind == "system":
            metric.check_answer(pairs, float(value), f"system {contestant.name!r}, ")


def _batch(
    many: bool,
    names: list[str],
    refs: References,
    entries: Sequence[tuple[int, int, Contestant, JudgedOutput]],
    provenance: Provenance,
) -> tuple[Pairs, Any, Floats]:
    """The pairs to score, the document and run of each, and how much each counts."""
    left: list[Any] = []
    right, labels, places, scale = [], [], [], []
    times: Counter[str] = Counter()
    trials = np.zeros((len(names), 1 + max(column for _, column, _, _ in entries)))
    for row, column, _, _ in entries:
        trials[row, column] += 1
    for row, column, contestant, trial in entries:
        sides = [list(trial.references)] if many else list(trial.references)
        left += sides
        right += [trial.hypothesis] * len(sides)
        labels += [_label(f"{names[row]} ({contestant.name})", times) for _ in sides]
        places += [(row, column)] * len(sides)
        # h references: a system has 1 trial against h, people have h trials against h-1
        share = len(refs[names[row]]) / (trials[row, column] * len(trial.references))
        scale += [share] * len(sides)
    index = np.array(places, np.intp).T
    pairs = Pairs.from_segmentations(left, right, labels, provenance=provenance)
    return pairs, tuple(index), np.array(scale)


def _label(name: str, times: Counter[str]) -> str:
    """How messages call a pair: by its document and system, numbered from the second on."""
    times[name] += 1
    return name if times[name] == 1 else f"{name}, pair {times[name]}"
