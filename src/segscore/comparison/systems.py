"""Who is compared with what: systems, baselines and people, and their statistics per document.

A contestant has one run or more. A run says for each document which hypotheses meet which
references; for a system that is one hypothesis, for the human row each coder against the others.
Metrics of one reference are computed against each reference of the document, and the statistics of
a document are the sum over them. The human row has h·(h-1) such pairs where a system has h, so its
sum is divided by h-1: every document weighs the same for all contestants.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore import baselines
from segscore.arguments import Floats, shown
from segscore.corpus import Document
from segscore.errors import SegmentationError
from segscore.errors import named as listed
from segscore.metrics.base import Metric, OnUndefined
from segscore.pairs import Pairs
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


# ---- from the arguments of `compare` ----


def find_contestants(
    corpus: Any, reference: Any, systems: Any
) -> tuple[References, list[Contestant]]:
    """The references of each document, and the systems."""
    if not isinstance(corpus, Mapping) or not corpus:
        raise SegmentationError(
            f"corpus is {shown(corpus)}: expected a Corpus, or a mapping from document name to "
            "its codings, with at least one document"
        )
    named = {name: _codings(name, given) for name, given in corpus.items()}
    specs = _system_specs(named, reference, systems)
    taken = {coder for spec in specs.values() for coder in spec if isinstance(coder, str)}
    refs = _references(named, reference, taken)
    contestants = []
    for name, spec in specs.items():
        runs = [_run(name, one, named) for one in spec]
        _check_coverage(name, runs, refs)
        trials = [
            {doc: [JudgedOutput(refs[doc], run[doc])] for doc in refs if doc in run} for run in runs
        ]
        contestants.append(Contestant(name, "system", trials))
    return refs, contestants


def _codings(document: str, given: Any) -> Mapping[str, Segmentation]:
    """The codings of one document by coder; a bare reference, or a list of them, gets names."""
    if isinstance(given, Segmentation):
        return {"reference": given}
    if isinstance(given, list | tuple):
        given = {f"reference {i + 1}": one for i, one in enumerate(given)}
    if not isinstance(given, Mapping):
        raise SegmentationError(
            f"document {document!r} is {shown(given)}: expected a mapping from coder to "
            "Segmentation, a reference Segmentation, or a list of references"
        )
    for coder, one in given.items():
        if not isinstance(one, Segmentation):
            raise SegmentationError(
                f"document {document!r}, coder {coder!r}: {shown(one)}: expected a Segmentation"
            )
    return given


def _system_specs(
    named: Mapping[str, Mapping[str, Segmentation]], reference: Any, systems: Any
) -> dict[str, list[Any]]:
    """Each system's runs: names of coders, or mappings from document to segmentation."""
    if systems is None:
        systems = _other_coders(named, reference)
    elif isinstance(systems, str):
        systems = [systems]
    if not isinstance(systems, Mapping):
        systems = {name: name for name in systems}
    if not systems:
        raise SegmentationError("there is no system to compare: expected at least one")
    return {
        str(name): list(spec) if isinstance(spec, list | tuple) else [spec]
        for name, spec in systems.items()
    }


def _other_coders(named: Mapping[str, Mapping[str, Segmentation]], reference: Any) -> list[str]:
    """Who is no reference; without one, those whom a corpus calls systems."""
    coders = list(dict.fromkeys(coder for codings in named.values() for coder in codings))
    if reference is not None:
        refs = [reference] if isinstance(reference, str) else list(reference)
        return [coder for coder in coders if coder not in refs]
    kinds = [codings.kinds for codings in named.values() if isinstance(codings, Document)]
    known = [coder for coder in coders if any(kind.get(coder) == "system" for kind in kinds)]
    if not known:
        raise SegmentationError(
            "neither reference nor systems is given: say which coders are the reference, or which "
            "are the systems"
        )
    return known


def _references(
    named: Mapping[str, Mapping[str, Segmentation]], reference: Any, taken: set[str]
) -> References:
    """The references of each document: those named, or all who are no system."""
    wanted = [reference] if isinstance(reference, str) else reference
    if wanted is not None:
        _check_references(named, list(wanted), taken)
    made: References = {}
    for document, codings in named.items():
        coders = _people(codings, taken) if wanted is None else list(wanted)
        made[document] = [codings[coder] for coder in coders if coder in codings]
        if not made[document]:
            asked = "" if wanted is None else f" by {listed(wanted)}"
            raise SegmentationError(
                f"document {document!r} has no reference{asked}: its coders are {listed(codings)}"
            )
    return made


def _people(codings: Mapping[str, Segmentation], taken: set[str]) -> list[str]:
    """Who is no system: neither among those compared, nor called one by the corpus."""
    kinds = codings.kinds if isinstance(codings, Document) else {}
    return [coder for coder in codings if coder not in taken and kinds.get(coder) != "system"]


def _check_references(
    named: Mapping[str, Mapping[str, Segmentation]], wanted: list[Any], taken: set[str]
) -> None:
    coders = dict.fromkeys(coder for codings in named.values() for coder in codings)
    if not wanted:
        raise SegmentationError("reference is empty: expected a coder, or None for all of them")
    for coder in wanted:
        if coder not in coders:
            raise SegmentationError(
                f"no document has a coding by reference {coder!r}: there are {listed(coders)}"
            )
        if coder in taken:
            raise SegmentationError(
                f"coder {coder!r} is reference and system at once: expected one of them"
            )


def _run(
    system: str, spec: Any, named: Mapping[str, Mapping[str, Segmentation]]
) -> dict[str, Segmentation]:
    """One run of a system as document → segmentation."""
    if isinstance(spec, str):
        found = {doc: codings[spec] for doc, codings in named.items() if spec in codings}
        if not found:
            coders = dict.fromkeys(coder for codings in named.values() for coder in codings)
            raise SegmentationError(
                f"no document has a coding by {spec!r}: there are {listed(coders)}"
            )
        return found
    if not isinstance(spec, Mapping):
        raise SegmentationError(
            f"system {system!r} is {shown(spec)}: expected a coder's name, a mapping from document "
            "to Segmentation, or a list of these, one per run"
        )
    made = {}
    for document, given in spec.items():
        one = given
        if isinstance(given, Mapping) and len(given) == 1:  # a corpus with one coder
            one = next(iter(given.values()))
        if not isinstance(one, Segmentation):
            raise SegmentationError(
                f"system {system!r}, document {document!r}: {shown(given)}: expected a Segmentation"
            )
        if document not in named:
            raise SegmentationError(
                f"system {system!r} has document {document!r}, which the corpus has not: expected "
                f"{listed(named)}"
            )
        made[document] = one
    return made


def _check_coverage(
    system: str, runs: Sequence[Mapping[str, Segmentation]], refs: References
) -> None:
    for index, run in enumerate(runs):
        if not run:
            raise SegmentationError(f"system {system!r}, run {index + 1} has no document")
    for document in refs:
        if not any(document in run for run in runs):
            raise SegmentationError(
                f"system {system!r} has no segmentation of document {document!r}: all systems "
                "must have done the same documents"
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
        batches[many] = _batch(many, names, refs, entries)
        covered[batches[many][1]] = True
    made = []
    for metric in metrics:
        pairs, place, scale = batches[metric.many_references]
        found = metric.rows(pairs, threads)
        if on_undefined == "raise":
            metric.check_defined(pairs, metric.values(found))
        rows = np.zeros((len(refs), len(runs), found.shape[1]))
        np.add.at(rows, place, found * scale[:, np.newaxis])
        made.append(Measured(metric, rows, covered))
    return made


def _batch(
    many: bool,
    names: list[str],
    refs: References,
    entries: Sequence[tuple[int, int, Contestant, JudgedOutput]],
) -> tuple[Pairs, Any, Floats]:
    """The pairs to score, the document and run of each, and how much each counts."""
    left: list[Any] = []
    right, labels, places, scale = [], [], [], []
    trials = np.zeros((len(names), 1 + max(column for _, column, _, _ in entries)))
    for row, column, _, _ in entries:
        trials[row, column] += 1
    for row, column, contestant, trial in entries:
        sides = [list(trial.references)] if many else list(trial.references)
        left += sides
        right += [trial.hypothesis] * len(sides)
        labels += [f"{names[row]} ({contestant.name})"] * len(sides)
        places += [(row, column)] * len(sides)
        # h references: a system has 1 trial against h, people have h trials against h-1
        share = len(refs[names[row]]) / (trials[row, column] * len(trial.references))
        scale += [share] * len(sides)
    index = np.array(places, np.intp).T
    return Pairs.from_segmentations(left, right, labels), tuple(index), np.array(scale)
