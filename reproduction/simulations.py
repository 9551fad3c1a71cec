"""What simulated tables share: trials, their means, and how close two simulations have to come.

A trial is a random reference and some hypotheses of it; its value is their mean. A paper's table is
one draw of a few trials: its numbers may be off by half of the last digit printed and by two
standard errors of that number of trials. Ours are more trials, so that their own error is small
beside it; how much trials differ is seen from them.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from reproduction.published import PrintTolerance, of_draws
from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.metrics import Metric
from segscore.pairing.pairs import Pairs
from segscore.scoring.scoring import score
from segscore.simulate import Errors, SegmentSizes, hypotheses, references

AT_ONCE = 20  # trials, to keep the pairs in memory few
MakeHypotheses: TypeAlias = Callable[
    [Sequence[Segmentation], Errors, int, np.random.Generator], Pairs
]


def standard_hypotheses(
    refs: Sequence[Segmentation], errors: Errors, n: int, chance: np.random.Generator
) -> Pairs:
    """The hypotheses that `segscore.simulate` draws."""
    return hypotheses(refs, errors, n, seed=chance)


def simulated_values(
    metrics: Sequence[Metric],
    sizes: SegmentSizes,
    n_segments: int,
    errors: Errors,
    trials: int,
    hypotheses_each: int,
    seed: int,
    make: MakeHypotheses = standard_hypotheses,
) -> dict[Metric, Floats]:
    """The value of each hypothesis under each metric, a row per trial; all from one random seed."""
    chance = np.random.default_rng(seed)
    found: dict[Metric, list[Floats]] = {metric: [] for metric in metrics}
    for first in range(0, trials, AT_ONCE):
        refs = references(sizes, n_segments, min(AT_ONCE, trials - first), seed=chance)
        scored = score(make(refs, errors, hypotheses_each, chance), metrics=metrics)
        for metric in metrics:
            found[metric].append(scored[metric].values.reshape(len(refs), -1))
    return {metric: np.concatenate(values) for metric, values in found.items()}


def of_trials(decimals: int, trials: Floats, their_trials: int) -> PrintTolerance:
    """How far the mean of our trials may be from a mean of theirs, printed with some decimals.

    >>> found = of_trials(3, np.array([0.2445, 0.245, 0.2455]), 25)
    >>> round(found.value, 6), found.reason
    (0.0007, 'half of the last of 3 decimals printed, and two standard errors of their 25 trials')
    """
    error = float(np.std(trials, ddof=1)) / their_trials**0.5
    return of_draws(decimals, error, f"their {their_trials} trials")
