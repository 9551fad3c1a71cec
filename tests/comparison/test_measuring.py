"""Statistics of runs, held against loops over their trials."""

from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore.comparison.measuring import (
    RANDOM,
    RANDOM_RUNS,
    baseline,
)
from segscore.comparison.most_different import trials
from segscore.comparison.systems import find_compared
from segscore.simulate import baselines


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
