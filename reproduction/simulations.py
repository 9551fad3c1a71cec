"""What simulated tables share: trials, their means, and how close two simulations have to come.

A trial is a random reference and some hypotheses of it; its value is their mean. A paper's table is
one draw of a few trials: its numbers may be off by half of the last digit printed and by two
standard errors of that number of trials. Ours are more trials, so that their own error is small
beside it; how much trials differ is seen from them.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from reproduction.cells import Estimate
from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.metrics import Metric
from segscore.pairing.pairs import Pairs
from segscore.scoring.scoring import score
from segscore.simulate import Errors, SegmentSizes, hypotheses, references

AT_ONCE = 20  # trials, to keep the pairs in memory few
N_SEGMENTS, HYPOTHESES = 1000, 100  # of a reference
THEIR_TRIALS = 10
KINDS: dict[str, Callable[[float], Errors]] = {
    "FN": lambda p: Errors(misses=p),
    "FP": lambda p: Errors(false_positives=p),
    "FNP": lambda p: Errors(misses=p, false_positives=p),
}
MakeHypotheses: TypeAlias = Callable[[list[Segmentation], Errors, int, np.random.Generator], Pairs]


def standard_hypotheses(
    refs: list[Segmentation], errors: Errors, n: int, chance: np.random.Generator
) -> Pairs:
    """The hypotheses that `segscore.simulate` draws."""
    return hypotheses(refs, errors, n, rng=chance)


def simulated_values(
    measures: Mapping[str, Metric],
    sizes: SegmentSizes,
    errors: Errors,
    trials: int,
    seed: int,
    make: MakeHypotheses = standard_hypotheses,
) -> dict[str, Floats]:
    """The value of each hypothesis under each measure, a row per trial, from one random seed."""
    chance = np.random.default_rng(seed)
    found: dict[str, list[Floats]] = {name: [] for name in measures}
    for first in range(0, trials, AT_ONCE):
        refs = references(sizes, N_SEGMENTS, min(AT_ONCE, trials - first), rng=chance)
        scored = score(make(refs, errors, HYPOTHESES, chance), metrics=list(measures.values()))
        for name, metric in measures.items():
            found[name].append(scored[metric].values.reshape(len(refs), -1))
    return {name: np.concatenate(values) for name, values in found.items()}


def of_trials(trials: Floats) -> Estimate:
    """The mean of our trials, and how far a mean of theirs may be from the truth.

    >>> of_trials(np.array([0.2445, 0.245, 0.2455])).error < 0.0002
    True
    """
    error = float(np.std(trials, ddof=1)) / THEIR_TRIALS**0.5
    return Estimate(float(trials.mean()), error, f"their {THEIR_TRIALS} trials")
