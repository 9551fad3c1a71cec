"""The rows that give the scale: baselines, and people against each other.

A baseline has as many segments as the references of a case have on average. `none` has no boundary;
`random` is the mean of 10 seeded draws, or a single one of very many cases, whose average further
draws would hardly change; `random-ks12` has one boundary more. Each draw takes the cases in the
order in which they are drawn, which follows names, from one stream of random numbers.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from segscore.basics.arguments import Int64Array, check_choice
from segscore.coding.segmentation import Segmentation
from segscore.comparison.measuring import Cases, Contestant, Run
from segscore.corpus.codings import Codings
from segscore.corpus.lists import NO_LABELS
from segscore.errors import SegmentationError
from segscore.significance.drawing import MANY
from segscore.simulate.baselines import random, random_columns, uniform, uniform_columns

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
) -> tuple[list[Contestant], list[str]]:
    """The rows that give the scale, and notes about them.

    people: whether to add a row of each coder against the others (None: if a case has several);
    labels: whether a metric uses labels of segments.
    """
    rows, notes = [], []
    names = checked_baselines(baselines)
    details, column = cases.codings.details.values(), cases.codings.labels
    labelled = column is not None and bool((column.codes != NO_LABELS).any())
    if any(detail.types is not None for detail in details):
        notes += [no_baselines("boundary types")] if names else []
    elif labels and (labelled or any(detail.segment_labels is not None for detail in details)):
        notes += [no_baselines("segment labels")] if names else []
    else:
        rows += [baseline(name, cases, seed) for name in names]
    counts = np.diff(cases.starts)
    if people is not False and (counts > 1).any():
        several = np.repeat(counts > 1, counts)
        owners = np.repeat(np.arange(len(counts)), counts)[several]
        run = Run(cases.codings, owners, np.flatnonzero(several), among=True)
        rows.append(Contestant("human", "human", [run]))
        alone = int((counts == 1).sum())
        if alone:
            notes.append(f"The human row leaves out {alone} documents with a single coder.")
    elif people:
        raise SegmentationError("human is True, but no document has more than one reference")
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


def baseline(name: str, cases: Cases, seed: int) -> Contestant:
    """A baseline; random ones are drawn several times."""
    every = np.arange(len(cases.names))
    n_draws = RANDOM_RUNS if name in RANDOM and len(every) <= MANY else 1
    draws = [partial(_drawn, name, cases, seed + number) for number in range(n_draws)]
    # very many take as much memory as those of systems: they are drawn when they are measured
    given = draws if len(every) > MANY else [draw() for draw in draws]
    rows = np.argsort(cases.order) if name in RANDOM else every
    return Contestant(name, "baseline", [Run(each, every, rows) for each in given])


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


def check_names(names: Sequence[str]) -> None:
    """Raise if two rows have the same name."""
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise SegmentationError(
            f"two rows would be called {twice[0]!r}: give the system another name, or leave the "
            "baseline or human row out"
        )
