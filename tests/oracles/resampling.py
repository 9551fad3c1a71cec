"""One value and one pair of systems: what `segscore.significance.resampling` computes for many.

Tests compare these with enumeration and with other libraries.
"""

import numpy as np
from numpy.typing import ArrayLike

from segscore.basics.arguments import Floats
from segscore.metrics import Average
from segscore.scoring.scoring import Scores
from segscore.significance.resampling import (
    N_RESAMPLES,
    Bootstrap,
    Value,
    bootstraps,
    macro_rows,
    mean_of_defined,
    randomisations,
)


def additive(scores: Scores, average: Average = "micro") -> tuple[Floats, Value]:
    """Rows and value whose sum over documents is the micro- or the macro-average."""
    if average == "micro":
        return scores.statistics.rows, scores.metric.values
    return macro_rows(scores.values), mean_of_defined


def bootstrap(
    rows: ArrayLike, value: Value, *, n_resamples: int = N_RESAMPLES, seed: int = 0
) -> Bootstrap:
    """Draw as many rows as there are, with replacement, `n_resamples` times."""
    return bootstraps([(rows, value)], n_resamples=n_resamples, seed=seed)[0]


def paired_bootstrap(
    a: ArrayLike, b: ArrayLike, value: Value, *, n_resamples: int = N_RESAMPLES, seed: int = 0
) -> Bootstrap:
    """The difference value(a) - value(b), both for the same resamples; see `.p_value()`."""
    both = bootstrap(
        np.stack([np.asarray(a), np.asarray(b)], axis=1), value, n_resamples=n_resamples, seed=seed
    )
    return Bootstrap(
        both.estimate[0] - both.estimate[1],
        both.resampled[:, 0] - both.resampled[:, 1],
        both.n_drawn,
    )


def randomisation(
    a: ArrayLike, b: ArrayLike, value: Value, *, n_resamples: int = N_RESAMPLES, seed: int = 0
) -> Floats:
    """Two-sided p of "the two systems are exchangeable for each document".

    Each document's rows are swapped between the systems, or not; p is the share of swaps with a
    difference at least as large as the observed one. All swaps are tried if there are at most
    `n_resamples`; else they are drawn at random.
    """
    left, right = np.asarray(a), np.asarray(b)
    n, shape, width = len(left), left.shape[1:-1], left.shape[-1]
    sides = np.concatenate([rows.reshape(n, -1, width) for rows in (left, right)], axis=1)
    half = sides.shape[1] // 2
    pairs = [(i, half + i) for i in range(half)]
    (p,) = randomisations([(sides, value)], pairs, n_resamples=n_resamples, seed=seed)
    return p.reshape(shape)
