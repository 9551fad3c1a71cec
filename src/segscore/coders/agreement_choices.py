"""The choices behind agreement: the available coefficients, the metrics that fit, the number of
draws of random coders, and what these keep of the coders they replace."""

from collections.abc import Mapping
from typing import Literal

from segscore.coders.both_ways import BothWays
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.random_codings import Null, checked_draws
from segscore.errors import SegmentationError
from segscore.metrics import BoundarySimilarity, Hierarchical, Metric
from segscore.metrics import metric as as_metric

Coefficient = Literal["corrected", "pi", "kappa"]
COEFFICIENTS: tuple[Coefficient, ...] = ("corrected", "pi", "kappa")
SYMBOLS: Mapping[Coefficient, str] = {"corrected": "corrected agreement", "pi": "π*", "kappa": "κ*"}


def similarity(given: str | Metric | None) -> Metric:
    """The metric that observed agreement uses (default: B). Raise if it is not a symmetric
    similarity; a similarity over the levels of a reference counts in both directions."""
    found = BoundarySimilarity() if given is None else as_metric(given)
    if not is_similarity(found):
        raise SegmentationError(
            f"{found.name} cannot be the observed agreement: expected a symmetric similarity such "
            "as b or s, or, for ranked codings, t-measure or e-b; segscore.coders.pairwise "
            "averages any metric over pairs of coders"
        )
    return BothWays(found) if isinstance(found, Hierarchical) else found


def is_similarity(metric: Metric) -> bool:
    """Whether a metric is a similarity that agreement can use."""
    fits = metric.symmetric or isinstance(metric, Hierarchical)
    return fits and metric.higher_is_better and not metric.many_references


def draws_for(pairs: CoderPairs, metric: Metric, draws: int | None) -> int:
    """The number of draws of random coders: as given, or by the number of pairs."""
    return checked_draws(draws, len(pairs.left) * _choices(metric))


def _choices(metric: Metric) -> int:
    """How often each pair is scored: a metric over levels draws choices among tied boundaries."""
    return getattr(metric.metric, "samples", 1) if isinstance(metric, BothWays) else 1


def kept_by_chance(null: Null) -> str:
    """What each random coder keeps of the coder it replaces, in words."""
    return {
        "positions": "as many boundaries as each coder has in each document, at random positions",
        "lengths": "each coder's own segments, in random order",
    }[null]
