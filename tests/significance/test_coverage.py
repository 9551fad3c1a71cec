"""Whether intervals hold the truth as often as they say, tests err as seldom, and plans suffice.

Documents are drawn from a large population, whose value is the truth; all samples of a size are
resampled at once. `alike`: systems err everywhere alike; `skewed`: some documents are far harder and
shorter than others. Samples have fixed seeds.
"""

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import segscore as ss
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.estimators import chance_sums
from segscore.metrics import BoundarySimilarity
from segscore.significance import resampling as sig

Floats = NDArray[np.float64]
METRICS = ("pk", "windowdiff", "b")
N_SYSTEMS = 3
SIZE = 1500  # of a population
ALPHA = 0.05


class Sample(NamedTuple):
    """Rows of documents (documents, systems, statistics), and what makes a number of their sum."""

    rows: Floats
    value: sig.Value


def noisy(rng: np.random.Generator, places: NDArray[np.intp], n_units: int, hard: float) -> Floats:
    """Boundaries with some left out, some moved, and some added."""
    kept = places[rng.random(len(places)) >= hard]
    moved = kept + rng.choice([-2, -1, 1, 2], len(kept)) * (rng.random(len(kept)) < 0.3)
    added = rng.integers(1, n_units, rng.poisson(hard * max(1, len(places))))
    return np.unique(np.concatenate([np.clip(moved, 1, n_units - 1), added]))


def codings(kind: str, n_coders: int) -> list[list[ss.Segmentation]]:
    """A list per document: what is true, and what each coder or system makes of it."""
    rng = np.random.default_rng(len(kind))
    made = []
    for _ in range(SIZE):
        n_units = int(rng.integers(40 if kind == "alike" else 20, 120))
        hard = 0.2 if kind == "alike" else float(rng.beta(2, 4)) * 0.7
        mean = 8 if kind == "alike" else rng.uniform(5, 15)
        truth = np.flatnonzero(rng.random(n_units - 1) < 1 / mean) + 1
        sides = [truth, *(noisy(rng, truth, n_units, hard) for _ in range(n_coders))]
        made.append([ss.Segmentation.from_boundaries(side, n_units) for side in sides])
    return made


@cache
def scored(kind: str) -> dict[tuple[str, str], Sample]:
    """The population's rows by metric and average."""
    refs, *systems = (list(side) for side in zip(*codings(kind, N_SYSTEMS), strict=True))
    found = {}
    for metric in METRICS:
        scores = [ss.score(refs, hyps, metric)[metric] for hyps in systems]
        rows = np.stack([score.statistics.rows for score in scores], axis=1)
        values = np.stack([score.values for score in scores], axis=1)
        found[metric, "micro"] = Sample(rows, scores[0].metric.values)
        found[metric, "macro"] = Sample(sig.macro_rows(values), sig.mean_of_defined)
    return found


@cache
def agreed(kind: str) -> Sample:
    """The population's rows behind the corrected agreement of three coders."""
    documents = {
        f"d{i}": dict(zip("abc", people, strict=True))
        for i, (_, *people) in enumerate(codings(kind, 3))
    }
    pairs = CoderPairs.of(ss.Corpus.from_dict(documents))
    estimated = chance_sums(pairs, BoundarySimilarity(), "positions", 20, 0)[0]
    return Sample(estimated.rows[:, np.newaxis], estimated.value)


def bootstraps(sample: Sample, n: int, trials: int, n_resamples: int) -> sig.Bootstrap:
    """Many samples of n documents, resampled: (trials, systems). Systems of a document are put into
    a random order, so that none is better than another."""
    rng = np.random.default_rng(n)
    drawn = sample.rows[rng.integers(0, len(sample.rows), (n, trials))]
    order = rng.permuted(np.broadcast_to(np.arange(drawn.shape[2]), drawn.shape[:3]), axis=2)
    shuffled = np.take_along_axis(drawn, order[..., np.newaxis], axis=2)
    (found,) = sig.bootstraps(
        [(shuffled, sample.value)], n_resamples=n_resamples, seed=n, threads=1
    )
    return found


def coverage(sample: Sample, n: int, trials: int, n_resamples: int) -> float:
    """How often the interval of the first system has the truth, the average over all documents and
    systems."""
    first = Sample(sample.rows.reshape(-1, 1, sample.rows.shape[-1]), sample.value)
    truth = float(sig.value_of(sample.value, first.rows.sum(axis=0))[0])
    low, high = bootstraps(first, n, trials, n_resamples).interval()
    return float(((low <= truth) & (truth <= high)).mean())


LEAST = {("alike", 5): 0.91, ("alike", 10): 0.92, ("skewed", 5): 0.885, ("skewed", 10): 0.925}
"""What 1500 samples must reach: plain percentiles reach 0.80 to 0.84, and 0.88 to 0.91."""


@pytest.mark.parametrize(("kind", "n"), LEAST)
def test_intervals_cover(kind: str, n: int) -> None:
    found = {key: coverage(sample, n, 1500, 1000) for key, sample in scored(kind).items()}
    assert min(found.values()) >= LEAST[kind, n], found
    assert max(found.values()) <= 0.97, found


@pytest.mark.parametrize(("n", "least"), [(5, 0.90), (10, 0.925)])
def test_intervals_of_corrected_agreement_cover(n: int, least: float) -> None:
    assert least <= coverage(agreed("alike"), n, 800, 800) <= 0.97


# ---- the bootstrap test ----


def wrongly(sample: Sample, n: int, trials: int, n_resamples: int) -> tuple[float, float]:
    """How often systems that are alike differ significantly: a pair, and any of a family of three
    pairs after Holm's correction."""
    drawn = bootstraps(sample, n, trials, n_resamples)
    p = np.stack([
        sig.Bootstrap(
            drawn.estimate[:, i] - drawn.estimate[:, j],
            drawn.resampled[..., i] - drawn.resampled[..., j], n,
        ).p_value()
        for i, j in combinations(range(N_SYSTEMS), 2)
    ])  # fmt: skip
    return float((p <= ALPHA).mean()), float((3 * p.min(axis=0) <= ALPHA).mean())


@pytest.mark.parametrize("n", [5, 10, 20])
@pytest.mark.parametrize("key", [("windowdiff", "micro"), ("b", "macro")])
def test_the_bootstrap_test_holds_its_level(key: tuple[str, str], n: int) -> None:
    """Not expanded, it errs in 0.13 to 0.15 (families 0.20 to 0.24) with 5 documents, 0.09 (0.12)
    with 10, and 0.07 (0.08) with 20."""
    single, family = wrongly(scored("skewed")[key], n, 700, 4000)
    assert 0.02 <= single <= 0.06
    assert family <= 0.06
