"""The cases, the runs of systems in them, and the rows that give the scale.

A case is a document with its references, or a single reference of a document. A run says for each
case which hypotheses are scored against which references: a system has one hypothesis against all
references, the human row has each coder against the others. Everything is rows of tables of codings
(`segscore.corpus.codings`); segmentations are made only on access.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array, check_choice
from segscore.basics.on_demand import cached_property
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings
from segscore.corpus.lists import NO_LABELS, picked_lists, spread_rows, starts_of
from segscore.errors import SegmentationError
from segscore.pairing.list_columns import MANY, hashes_of
from segscore.pairing.pairs import Pairs
from segscore.significance.drawing import by_name
from segscore.simulate.baselines import none, random, random_columns, uniform, uniform_columns

ContestantKind = Literal["system", "baseline", "human"]
Given = Codings | Callable[[], Codings]

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
ALL_BASELINES = tuple(BASELINE_RULES)
RANDOM_RUNS = 10  # with few cases one draw of a random baseline would be a matter of luck


@dataclass(frozen=True, eq=False)
class Cases:
    """The cases: the references of case i are rows `rows[starts[i]:starts[i+1]]` of `codings`;
    `documents` holds the name of each case's document."""

    names: Sequence[str]
    codings: Codings
    rows: Int64Array
    starts: Int64Array
    documents: Sequence[str]

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each case."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def n_references(self) -> Int64Array:
        """The number of references of each case."""
        return np.diff(self.starts)

    @cached_property
    def n_units(self) -> Int64Array:
        """The number of units of each case."""
        return self.codings.n_units[self.rows[self.starts[:-1]]]

    @cached_property
    def every(self) -> Int64Array:
        """The numbers of all cases."""
        return np.arange(len(self))

    @cached_property
    def order(self) -> Int64Array:
        """The cases in the order in which they are drawn: by document, then by the coder; of very
        many, by hashes of these."""
        first = self.rows[self.starts[:-1]]
        if len(self) > MANY:  # to sort names would take longer than to score
            coders = hashes_of(self.codings.coders)[self.codings.codes[first]]
            return np.lexsort((coders, hashes_of(self.documents)))
        return by_name(self.documents, map(self.codings.coder, first.tolist()))

    def coders(self, case: int) -> tuple[str, ...]:
        """The coders of the references of a case."""
        rows = self.rows[self.starts[case] : self.starts[case + 1]].tolist()
        return tuple(self.codings.coder(row) for row in rows)

    def part(self, first: int, last: int) -> "Cases":
        """Some successive cases."""
        rows = self.rows[self.starts[first] : self.starts[last]]
        starts = self.starts[first : last + 1] - self.starts[first]
        names, documents = self.names[first:last], self.documents[first:last]
        return Cases(names, self.codings, rows, starts, documents)

    def by_coding(self) -> "Cases":
        """Each reference as a case of its own."""
        owners = np.repeat(np.arange(len(self)), self.n_references)
        places = np.arange(len(self.rows)) - self.starts[:-1][owners]
        both = list(zip(owners.tolist(), places.tolist(), strict=True))
        return Cases(
            [f"{self.names[owner]}, reference {place + 1}" for owner, place in both],
            self.codings,
            self.rows,
            np.arange(len(self.rows) + 1),
            [self.documents[owner] for owner, _ in both],
        )


@dataclass(frozen=True, eq=False)
class SystemRun:
    """A run of a system: its trial i is row `rows[i]` of `codings`, in case `cases[i]` (they
    ascend), scored against the references `met[starts[i]:starts[i+1]]`, which are rows of the
    codings of the cases.

    given: the codings, or what draws them, anew each time; None if documents were only added up.
    """

    given: Given | None
    cases: Int64Array
    rows: Int64Array
    met: Int64Array
    starts: Int64Array

    @classmethod
    def added_up(cls, n_cases: int) -> "SystemRun":
        """A run of a system for which only sums are known."""
        nothing = np.empty(0, np.int64)
        return cls(None, np.arange(n_cases), nothing, nothing, np.zeros(1, np.int64))

    @classmethod
    def of(cls, given: Given, cases: Cases, rows: Int64Array, numbers: Int64Array) -> "SystemRun":
        """A run with one hypothesis in each of its cases, scored against all references."""
        starts, met = picked_lists(cases.starts, cases.rows, numbers)
        return cls(given, numbers, rows, met, starts)

    @property
    def codings(self) -> Codings | None:
        """Its codings; None if documents were only added up."""
        return self.given() if callable(self.given) else self.given

    def part(self, first: int, last: int) -> "SystemRun":
        """Its trials in some successive cases, which are numbered from 0."""
        start, end = np.searchsorted(self.cases, [first, last]).tolist()
        faced = self.starts[start : end + 1]
        met = self.met[faced[0] : faced[-1]]
        return SystemRun(
            self.given, self.cases[start:end] - first, self.rows[start:end], met, faced - faced[0]
        )

    @cached_property
    def worst(self) -> NDArray[np.bool_]:
        """The trials whose hypothesis is missing and counts as wrong throughout."""
        codings = self.codings
        if codings is None or ("missing", "worst") not in codings.provenance.choices:
            return np.zeros(len(self.cases), np.bool_)
        names = codings.names_of(self.rows)
        return np.fromiter((name in codings.failures for name in names), np.bool_, len(names))


@dataclass(frozen=True, eq=False)
class Contestant:
    """A row of the table. Documents that a run did not segment are missing from that run."""

    name: str
    kind: ContestantKind
    runs: Sequence[SystemRun]

    @cached_property
    def n_done(self) -> int:
        """The number of cases that at least one run segmented."""
        return int(np.count_nonzero(np.bincount(np.concatenate([run.cases for run in self.runs]))))

    def boundary_counts(self, cases: Cases) -> tuple[int, int] | None:
        """The number of boundaries in its hypotheses, and in the references they are scored
        against; None if documents were added up."""
        if self.kind == "baseline":  # not drawn again
            drawn = (_n_segments(self.name, cases) - 1) * cases.n_references
            return int(drawn.sum()), int(np.diff(cases.codings.offsets)[cases.rows].sum())
        hypotheses = references = 0
        for run in self.runs:
            codings = run.codings
            if codings is None:
                return None
            met = np.diff(cases.codings.offsets)[run.met]
            done = np.diff(codings.offsets)[run.rows] * np.diff(run.starts)
            hypotheses, references = hypotheses + int(done.sum()), references + int(met.sum())
        return hypotheses, references

    @cached_property
    def choices(self) -> set[tuple[str, str]]:
        """The choices made for its runs, such as how overlapping chunks were placed."""
        known = (run.given for run in self.runs if isinstance(run.given, Codings))
        return {choice for codings in known for choice in codings.provenance.choices}


def sample_pairs(system: Contestant, cases: Cases, most: int) -> Pairs:
    """The first run of a system against the first reference, in at most `most` documents."""
    run = system.runs[0]
    codings = run.codings
    assert codings is not None  # noqa: S101  # the caller has looked
    trials = spread_rows(len(run.cases), most)
    return Pairs.of_codings(
        cases.codings, codings, run.met[run.starts[trials]], run.rows[trials],
        documents=[cases.names[case] for case in run.cases[trials].tolist()],
    )  # fmt: skip


# ---- what gives the scale ----


def human(cases: Cases) -> Contestant | None:
    """The row of each coder against the others of a case; None if no case has two references."""
    several = np.where(cases.n_references > 1, cases.n_references, 0)
    trials = np.repeat(np.arange(len(cases)), several)
    if not len(trials):
        return None
    first = np.flatnonzero(np.diff(trials, prepend=-1))
    own = np.arange(len(trials)) - np.repeat(first, np.diff(np.append(first, len(trials))))
    starts, met = picked_lists(cases.starts, cases.rows, trials)
    places = np.arange(len(met)) - np.repeat(starts[:-1], np.diff(starts))
    others = places != np.repeat(own, np.diff(starts))
    rows = cases.rows[cases.starts[trials] + own]
    run = SystemRun(cases.codings, trials, rows, met[others], starts_of(np.diff(starts) - 1))
    return Contestant("human", "human", [run])


def checked_baselines(given: bool | str | Sequence[str]) -> list[str]:
    """The names of baselines, True for the usual ones; raise for an unknown name."""
    if isinstance(given, bool):
        return list(BASELINES) if given else []
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        check_choice(name, "baseline", tuple(ALL_BASELINES))
    return names


def check_names(contestants: Sequence[Contestant]) -> None:
    """Raise if two rows have the same name."""
    names = [contestant.name for contestant in contestants]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise SegmentationError(
            f"two rows would be called {twice[0]!r}: give the system another name, or leave the "
            "baseline or human row out"
        )


def no_baselines(lacking: str) -> str:
    """Why there are no baselines."""
    return f"No baselines: the references have {lacking}, and chance has none."


def never_by_chance(cases: Cases, labels: bool) -> str | None:
    """What references have that chance cannot place; None if there is nothing.

    labels: whether a metric looks at labels of segments.
    """
    rows = set(cases.rows.tolist()) if cases.codings.details else set()
    details = [detail for row, detail in cases.codings.details.items() if row in rows]
    if any(detail.types is not None for detail in details):
        return "boundary types"
    column = cases.codings.labels_of(cases.rows) if labels else None
    labelled = column is not None and bool((column.codes != NO_LABELS).any())
    if labels and (labelled or any(detail.segment_labels is not None for detail in details)):
        return "segment labels"
    return None


def baseline(name: str, cases: Cases, seed: int) -> Contestant:
    """A baseline with as many segments as the references of the case have on average.

    `none` has no boundary; `random` is the mean of 10 seeded draws, or a single one of very many
    cases, whose average further draws would hardly change; `random-ks12` has one boundary more.
    """
    n_draws = 1 if len(cases) > MANY else RANDOM_RUNS
    seeds = range(seed, seed + n_draws) if name in RANDOM else [seed]
    every = cases.every
    rows = np.argsort(cases.order) if name in RANDOM else every
    draws = [partial(_drawn, name, cases, each) for each in seeds]
    # very many take as much memory as those of systems: they are drawn when they are measured
    given = draws if len(cases) > MANY else [draw() for draw in draws]
    return Contestant(name, "baseline", [SystemRun.of(each, cases, rows, every) for each in given])


def _n_segments(name: str, cases: Cases) -> Int64Array:
    """The number of segments of a baseline in each case."""
    if name == "none":
        return np.ones(len(cases), np.int64)
    segments = np.diff(cases.codings.offsets)[cases.rows] + 1
    total = np.add.reduceat(segments, cases.starts[:-1])
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
    if not details:
        return {}
    found = {}
    for case, row in enumerate(cases.rows[cases.starts[:-1]].tolist()):
        candidates = details[row].candidates if row in details else None
        if candidates is not None:
            found[case] = candidates
    return found


def _drawn(name: str, cases: Cases, seed: int) -> Codings:
    """The codings of a baseline; if chance places boundaries, in the order in which cases are
    drawn, all from the same stream of random numbers."""
    candidates = _candidates(cases)
    order = cases.order if name in RANDOM else cases.every
    n_units, n_segments = cases.n_units[order], _n_segments(name, cases)[order]
    columns = None
    if name in RANDOM and not candidates:
        columns = random_columns(n_units, n_segments, seed)
    elif name == "uniform" and not candidates:
        columns = uniform_columns(n_units, n_segments)
    elif name == "none" and not candidates:
        columns = np.zeros(len(cases) + 1, np.int64), np.empty(0, np.int64)
    names = np.array(cases.names, object)[order].tolist()
    if columns is not None:
        return Codings.plain(names, name, (n_units, *columns))
    rng = np.random.default_rng(seed)
    each = [
        _placed(name, n, k, candidates.get(case), rng)
        for case, n, k in zip(order.tolist(), n_units.tolist(), n_segments.tolist(), strict=True)
    ]
    return Codings.of_segmentations(names, name, each)


def _placed(
    name: str, n: int, k: int, candidates: Int64Array | None, rng: np.random.Generator
) -> Segmentation:
    if name == "none":
        return none(n, candidates=candidates)
    if name == "uniform":
        return uniform(n, k, candidates=candidates)
    return random(n, n_segments=k, rng=rng, candidates=candidates)
