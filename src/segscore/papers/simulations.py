"""What simulated tables share: trials, their means, and how close two simulations have to come.

A trial is a random reference and some hypotheses of it; its value is their mean. Two runs of the
same simulation differ at random: at most four standard errors of their difference are accepted (the
paper's number of trials, ours, and the rounding of what is printed), and never more than 2 % of the
printed number, nor .01; but always half of the last digit printed, because more is not known.
"""

from collections.abc import Sequence

import numpy as np

from segscore.basics.arguments import Floats
from segscore.metrics import Metric
from segscore.papers.published import PrintTolerance, widest
from segscore.scoring.scoring import score
from segscore.simulate import Errors, SegmentSizes, hypotheses, references

STANDARD_ERRORS = 4


def simulated_values(
    metrics: Sequence[Metric],
    sizes: SegmentSizes,
    n_segments: int,
    errors: Errors,
    trials: int,
    hypotheses_each: int,
    seed: int,
) -> dict[Metric, Floats]:
    """The value of each hypothesis under each metric, a row per trial; all from one random seed."""
    chance = np.random.default_rng(seed)
    refs = references(sizes, n_segments, trials, seed=chance)
    pairs = hypotheses(refs, errors, hypotheses_each, seed=chance)
    scored = score(pairs, metrics=metrics)
    return {one: scored[one].values.reshape(trials, -1) for one in metrics}


def between_runs(
    published: float,
    decimals: int,
    trials: Floats,
    their_trials: int,
    their_variance: float | None = None,
) -> PrintTolerance:
    """How far the mean of our trials may be from a mean of theirs, printed with some decimals.

    `their_variance` is that of one of their trials, if it is not that of ours.

    >>> between_runs(0.245, 3, np.array([0.2445, 0.245, 0.2455]), 10).reason
    '4 standard errors: 3 trials of ours, 10 of theirs, and the rounding of the print'
    >>> between_runs(0.245, 3, np.array([0.22, 0.24, 0.26]), 10)
    PrintTolerance(value=0.0049, reason='2 % and .01, because 4 standard errors would be more')
    >>> between_runs(0.013, 3, np.array([0.012, 0.013, 0.014]), 10).value
    0.0005
    """
    variance = float(np.var(trials, ddof=1))
    theirs = variance if their_variance is None else their_variance
    random = variance / len(trials) + theirs / their_trials
    rounding = (10.0**-decimals) ** 2 / 12
    whose = f"{len(trials)} trials of ours, {their_trials} of theirs, and the rounding of the print"
    wanted = PrintTolerance(
        STANDARD_ERRORS * (random + rounding) ** 0.5, f"4 standard errors: {whose}"
    )
    within = capped(wanted, published, "4 standard errors would be more")
    half_a_digit = 0.5 * 10.0**-decimals
    if within.value >= half_a_digit:
        return within
    return PrintTolerance(half_a_digit, f"half of the last of {decimals} decimals, more than 2 %")


def capped(wanted: PrintTolerance, published: float, why: str) -> PrintTolerance:
    """A tolerance, but never above 2 % of the printed number, nor above .01."""
    most = widest(published)
    if wanted.value <= most:
        return wanted
    return PrintTolerance(most, f"2 % and .01, because {why}")
