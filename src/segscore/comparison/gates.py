"""Limits on scores, and whether a new system is no worse than an old one.

An undecidable check fails: an undefined value, or a test with too few documents to ever find the
new system worse.
"""

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

from segscore.comparison.estimates import smallest_p
from segscore.comparison.words import counted
from segscore.errors import SegmentationError, number_of
from segscore.metrics import Metric, ScorePart

if TYPE_CHECKING:
    from segscore.comparison.comparison_result import Comparison


Side = Literal["at least", "at most"]


class Check(NamedTuple):
    """A limit: what it is about, whether it is kept, and why."""

    name: str
    passed: bool
    why: str


class Limit(NamedTuple):
    """A limit on a metric's average."""

    metric: str
    number: float
    side: Side

    def __str__(self) -> str:
        return f"{self.metric} {self.side} {self.number:g}"


def check_limit(limit: Limit, metric: Metric) -> None:
    """Raise for a limit that every score, or no score, would keep: on the wrong side, or outside
    the metric's range. A part may be good in either direction."""
    right = "at least" if metric.higher_is_better else "at most"
    if not isinstance(metric, ScorePart) and limit.side != right:
        better = "higher" if metric.higher_is_better else "lower"
        raise SegmentationError(
            f"the limit is {limit}, but {better} values of {metric.name} are better: expected "
            f"{right} {limit.number:g}"
        )
    low, high, number = *metric.value_range, limit.number
    if not low <= number <= high:  # often the user means percent
        possible = f"{low:g} or more" if high == math.inf else f"a number {low:g} … {high:g}"
        percent = 1 < number <= 100 and low <= number / 100 <= high
        hint = f" ({number / 100:g} for {number:g} %)" if percent else ""
        raise SegmentationError(
            f"the limit is {limit}, which {metric.name} can never be: expected {possible}{hint}"
        )


def check_margin(margin: float, metric: Metric, setting: str) -> None:
    """Raise for a margin that no loss can exceed."""
    low, high = metric.value_range
    if not 0 <= margin <= high - low:
        hint = f" ({margin / 100:g} for {margin:g} %)" if 1 < margin <= 100 else ""
        upper = "0 or more" if high == math.inf else f"0 … {high - low:g}"
        raise SegmentationError(f"{setting}: expected {upper}{hint}")


def kept(limit: Limit, name: str, value: float, average: str) -> Check:
    """Whether a value keeps its limit."""
    if math.isnan(value):
        return Check(name, passed=False, why=f"{name} ({average}) is undefined")
    bad = value < limit.number if limit.side == "at least" else value > limit.number
    relation = {"at least": "below", "at most": "above"}[limit.side] if bad else limit.side
    return Check(name, not bad, f"{name} ({average}) is {value:.4f}, {relation} {limit.number:g}")


def no_worse(
    comparison: "Comparison",
    metric: str,
    old: str,
    new: str,
    *,
    alpha: float = 0.05,
    margin: float | None = None,
    allow_small: bool = False,
) -> Check:
    """Whether a system is no worse than another: by more than `margin`, or without one,
    significantly at `alpha`. `allow_small` passes samples too small to show a difference."""
    settings, better = comparison.settings, comparison.metric(metric).higher_is_better
    pair = comparison.pair(comparison[old, metric].metric, old, new)
    before, after = comparison[old, metric].value, comparison[new, metric].value
    loss = before - after if better else after - before
    p = pair.p / 2 if loss > 0 else 1 - pair.p / 2  # one-sided, uncorrected
    least = smallest_p(settings.test, comparison.n_drawn, settings.n_resamples) / 2
    name = f"{new}: {metric}"
    values = f"{name} is {after:.4f}, {old} has {before:.4f}"
    if math.isnan(loss):
        return Check(name, passed=False, why=f"{name} or that of {old} is undefined")
    if margin is not None:
        over = loss > margin
        why = f"worse by {loss:.4f}, over {margin:g}" if over else f"within {margin:g}"
        return Check(name, not over, f"{values}: {why}")
    corrected = len(comparison.systems) > 2 and settings.correction != "none"
    sides = f"one-sided{' and not corrected' * corrected}, unlike the table"
    test = f"p = {p:.4g}, {sides}; α = {alpha:g}"
    if p <= alpha and loss > 0:
        return Check(name, passed=False, why=f"{values}: significantly worse ({test})")
    if math.isnan(p) or least > alpha:
        count = counted(comparison.n_drawn, comparison.drawn)
        why = (
            f"{values}: {count} cannot show a difference at α = {alpha:g} (the smallest possible "
            f"one-sided p is {float('nan') if math.isnan(p) else least:.4g})"
        )
        hint = "" if allow_small else "; a margin, as in b=0.02, decides instead"
        return Check(name, allow_small, why + hint)
    few, n = "", (pair.wins or 0) + (pair.losses or 0)
    unknown = settings.test != "randomisation" or pair.wins is None
    if not unknown and loss > 0 and 2.0**-n > alpha:
        few = (
            f", and could not be found worse: the two differ in {number_of(n, 'document')} only, "
            f"for which the smallest possible p is {2.0**-n:.4g}"
        )
    return Check(name, passed=True, why=f"{values}: not significantly worse ({test}){few}")
