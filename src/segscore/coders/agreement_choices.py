"""The choices behind agreement: the available coefficients, the metrics that fit, the number of
draws of random coders, and what these keep of the coders they replace.

Agreement has no reference. E_M of Carroll (2010) asks which levels the *reference* has, so E(a, b)
and E(b, a) differ; their statistics are added, as those of two documents are (`BothWays`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.random_codings import Null, checked_draws
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics import BoundarySimilarity, Hierarchical, Metric
from segscore.metrics import metric as as_metric
from segscore.pairing.pairs import Pairs

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


# ---- both directions ----


@dataclass(frozen=True)
class BothWays(Metric):
    """A metric with each side as reference once; the value is that of the added statistics."""

    name: ClassVar[str] = "both ways"  # of an object: that of its metric
    higher_is_better: ClassVar[bool] = True
    symmetric: ClassVar[bool] = True

    metric: Metric

    def __post_init__(self) -> None:
        inner = self.metric
        for name in ("name", "higher_is_better", "perfect", "uses_labels"):
            object.__setattr__(self, name, getattr(inner, name))

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The names of the metric's statistics."""
        return self.metric.statistic_names

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """The metric's rows for both directions, added."""
        return self.metric.rows(pairs, threads) + self.metric.rows(exchanged(pairs), threads)

    def values(self, rows: Floats) -> Floats:
        """The metric's values of these statistics."""
        return self.metric.values(rows)

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """The metric's parts of these statistics."""
        return self.metric.part_values(rows)

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """The pairs without a value in either direction."""
        return self.metric.undefined(pairs, values) & np.isnan(values)

    def why_no_value(self, pairs: Pairs, row: int) -> str:
        """The metric's reason for a value that is missing."""
        return self.metric.why_no_value(pairs, row)

    def in_units(self, provenance: Provenance) -> Self:
        """The metric whose parameters are in units."""
        return replace(self, metric=self.metric.in_units(provenance))

    def signature_fields(self) -> dict[str, Any]:
        """The metric's signature fields."""
        return self.metric.signature_fields()

    def signature(self, average: str | None = None, provenance: Provenance = PLAIN) -> str:
        """The metric's signature, with a field for both directions."""
        return f"{self.metric.signature(average, provenance)}|directions:both"

    def plain(self) -> Metric:
        """The metric that the name without parameters means."""
        return self.metric.plain()

    def __str__(self) -> str:
        return str(self.metric)


def exchanged(pairs: Pairs) -> Pairs:
    """The hypotheses as references, and the references as hypotheses."""
    return Pairs(
        pairs.n_units,
        pairs.hyp_offsets,
        pairs.hyp_positions,
        pairs.ref_offsets,
        pairs.ref_positions,
        ref_ranks=pairs.hyp_ranks,
        hyp_ranks=pairs.ref_ranks,
        ref_candidates=pairs.hyp_candidates,
        hyp_candidates=pairs.ref_candidates,
        provenance=pairs.provenance,
    )
