"""Statistics of runs, held against loops over their trials."""

from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore.comparison.measuring import (
    BASELINE_RULES,
    RANDOM,
    RANDOM_RUNS,
    baseline,
    measure,
    scale,
)
from segscore.comparison.most_different import trials
from segscore.comparison.systems import find_compared
from segscore.significance.drawing import Lots
from segscore.simulate import baselines

cut = ss.Segmentation.from_masses


def codings(n: int, seed: int, **more: Any) -> list[ss.Segmentation]:
    rng = np.random.default_rng(seed)
    made = []
    for i in range(n):
        places = (np.flatnonzero(rng.random(8 + i) < 0.3) + 1).tolist()
        extra = {
            name: [make(rng) for _ in (places if name != "segment_labels" else [0, *places])]
            for name, make in more.items()
        }
        made.append(ss.Segmentation.from_boundaries(places, 9 + i, **extra))
    return made


def references(n: int, several: int, **more: Any) -> dict[str, list[ss.Segmentation]]:
    sides = [codings(n, seed, **more) for seed in range(several)]
    return {f"d{i}": [side[i] for side in sides] for i in range(n)}


def run_of(refs: Any, seed: int, kept: slice = slice(None), **more: Any) -> dict[str, Any]:
    return dict(list(zip(refs, codings(len(refs), seed, **more), strict=True))[kept])


CASES: dict[str, tuple[Any, Any, Any]] = {
    "one reference": (1, {}, ["pk", "windowdiff", "b", "f1"]),
    "several references": (3, {}, ["pk", "multwindowdiff", "b"]),
    "types": (1, {"types": lambda rng: {int(rng.integers(1, 3))}}, ["b", "f1"]),
    "ranks": (1, {"ranks": lambda rng: int(rng.integers(1, 3))}, ["e-pk"]),
    "labels of the whole batch": (
        1,
        {"segment_labels": lambda rng: "xyz"[int(rng.integers(0, 3))]},
        ["mapped-mof", "pk"],
    ),
}


def statistics(metric: ss.Metric, trial: tuple[list[ss.Segmentation], ss.Segmentation]) -> Any:
    """The sum over references, or what many references give at once."""
    refs, hyp = trial
    groups = [refs] if metric.many_references else refs
    pairs = [ss.Pairs.from_segmentations([group], [hyp]) for group in groups]
    return sum(metric.rows(pair)[0] for pair in pairs)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("unit", ["document", "coding"])
def test_statistics_are_sums_over_trials(case: str, unit: Any) -> None:
    several, more, names = CASES[case]
    refs = references(12, several, **more)
    systems = {
        "all": run_of(refs, 10, **more),
        "folds": [run_of(refs, 11, slice(5), **more), run_of(refs, 12, slice(5, None), **more)],
    }
    compared = find_compared(refs, systems, unit=unit)
    cases, contestants = compared.cases, list(compared.systems)
    beside, _ = scale(cases, () if more else list(BASELINE_RULES), None, 3, labels=False)
    people = [row for row in beside if row.kind == "human"]
    assert bool(people) == (several > 1 and unit == "document")
    contestants += beside
    runs = [(contestant.kind, run) for contestant in contestants for run in contestant.runs]
    metrics, lots = [ss.metric(name) for name in names], Lots("cases", np.arange(len(cases.names)))
    for measured in measure(metrics, cases, contestants, lots, on_undefined="nan"):
        assert measured.covered.sum() < measured.covered.size  # the folds
        if measured.metric.batch_bound:
            continue  # its statistics are of the whole batch; held against scores below
        for column, (kind, run) in enumerate(runs):
            for number in range(len(cases.names)):
                made = trials(run, number, cases)
                assert measured.covered[number, column] == bool(made)
                expected = sum(statistics(measured.metric, trial) for trial in made)
                share = (
                    several - 1 if kind == "human" and not measured.metric.many_references else 1
                )
                if kind == "human" and measured.metric.many_references:
                    share = len(made) * (several - 1) / several
                assert measured.rows[number, column] == pytest.approx(expected / share)


def test_metrics_of_the_whole_batch_are_those_of_scores() -> None:
    more = {"segment_labels": lambda rng: "xyz"[int(rng.integers(0, 3))]}
    refs = {name: several[0] for name, several in references(12, 1, **more).items()}
    systems = {"a": run_of(refs, 4, **more), "b": run_of(refs, 5, **more)}
    made = ss.compare(refs, systems=systems, metrics="mapped-mof", n_resamples=9)
    for name, system in systems.items():
        alone = ss.score(refs, system, "mapped-mof")["mapped-mof"].micro
        assert made[name, "mapped-mof"].value == pytest.approx(alone)


@pytest.mark.parametrize("name", RANDOM)
def test_random_baselines_are_those_of_single_documents(name: str) -> None:
    refs = references(9, 1)
    cases = find_compared(refs, {"it": run_of(refs, 1)}).cases
    made = baseline(name, cases, seed=4)
    assert len(made.runs) == RANDOM_RUNS
    more = name == "random-ks12"
    for seed, run in enumerate(made.runs, start=4):
        chance = np.random.default_rng(seed)
        for number, (reference,) in enumerate(refs.values()):
            n, k = reference.n_units, reference.n_segments
            k = min(k, n - 1) + 1 if more else k
            expected = baselines.random(n, n_segments=k, rng=chance)
            assert trials(run, number, cases) == [([reference], expected)]
