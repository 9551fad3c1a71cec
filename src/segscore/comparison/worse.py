"""Whether a new system is worse than an old one: one-sided, for gates."""

from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from segscore.comparison.advice import smallest_p
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.comparison.comparison_result import Comparison


class Loss(NamedTuple):
    """What a new system loses against an old one under a metric.

    `loss` is above 0 if the new one is worse, whichever way the metric goes. `p` is one-sided: how
    often chance alone gives such a loss. `smallest_p` is the least that so many documents can give,
    NaN if they can give none.
    """

    old: float
    new: float
    loss: float
    p: float
    smallest_p: float


def loss(comparison: "Comparison", old: str, new: str, metric: str) -> Loss:
    """The loss of one pair of systems; the test is that of the comparison, not corrected."""
    pair = next(
        (one for one in comparison.pairs if one.metric == metric and {one.a, one.b} == {old, new}),
        None,
    )
    if pair is None:
        raise SegmentationError(f"no pair {old!r}, {new!r}: expected two of {comparison.systems}")
    before, after = comparison[old, metric].value, comparison[new, metric].value
    lost = before - after if comparison.higher_is_better[metric] else after - before
    p = pair.p / 2 if lost > 0 else 1 - pair.p / 2
    settings = comparison.settings
    least = smallest_p(settings.test, len(comparison.documents), settings.n_resamples) / 2
    return Loss(before, after, lost, p, float("nan") if isnan(p) else least)
