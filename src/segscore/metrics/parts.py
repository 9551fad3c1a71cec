"""A part of a score as a metric of its own: `b.precision`, `winpr(k=3).recall`, `pk.windows`.

A part is another value of the same statistics. So it has averages, intervals and tests like any
metric, and costs nothing but its name. Where the metric has no value, its parts have none either.
"""

import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError, nearest
from segscore.metrics.base import Metric
from segscore.pairing.pairs import Pairs, Step

_WRITTEN = re.compile(r"([^.|()]+(?:\(.*\))?)\.([a-z_]+)")  # b(n_t=3).precision
_RATES = {"precision", "recall", "f", "purity", "coverage", "over", "under", "matched_similarity"}
_ON_BOTH_SIDES = {"tp", "tn", "overlap", "same", "same_in_both", "correctness"}
_MATCHED = {"ref_matched", "hyp_matched", "matched", "similarity", "tp_exact", "tn_exact", "best"}
_HIGHER = _RATES | _ON_BOTH_SIDES | _MATCHED
_SYMMETRIC = _ON_BOTH_SIDES | {"f", "n_pairs", "pairs", "places", "cost", "windows"}


@dataclass(frozen=True)
class ScorePart(Metric):
    """A part of a metric's score, as a metric.

    The micro-average adds counts over documents.

    Parameters
    ----------
    metric: the metric.
    part: the name of one of its parts (`metric.part_values`), for instance "precision".

    >>> from segscore.metrics import metric
    >>> a, b = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([2, 2, 1, 6])
    >>> metric("b.precision")(a, b), metric("b.recall")(a, b)
    (0.6666666666666666, 1.0)
    """

    name: ClassVar[str] = "part"  # of an object: that of its metric and part
    higher_is_better: ClassVar[bool] = True

    metric: Metric
    part: str

    def __post_init__(self) -> None:
        inner = self.metric
        known = list(inner.part_values(np.zeros((1, len(inner.statistic_names)))))
        if self.part not in known:
            raise SegmentationError(
                f"a score of {inner.name} has no part {self.part!r}{nearest(self.part, known)}"
            )
        rate = self.part in _RATES
        settled = {
            "name": f"{inner.name}.{self.part}",
            "higher_is_better": self.part in _HIGHER,
            "symmetric": inner.symmetric and self.part in _SYMMETRIC,
            "many_references": inner.many_references,
            "uses_labels": inner.uses_labels,
            "papers": inner.papers,
            "perfect": 1.0 if rate else None,
        }
        for name, value in settled.items():
            object.__setattr__(self, name, value)

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The names of the metric's statistics."""
        return self.metric.statistic_names

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """The metric's rows."""
        return self.metric.rows(pairs, threads)

    def step(self, pairs: Pairs) -> Step | None:
        """The metric's step."""
        return self.metric.step(pairs)

    def worst_rows(self, pairs: Pairs, rows: Floats) -> Floats:
        """The metric's worst rows."""
        return self.metric.worst_rows(pairs, rows)

    def values(self, rows: Floats) -> Floats:
        """The part; NaN where the metric has no value."""
        defined = ~np.isnan(self.metric.values(rows))
        return np.where(defined, self.metric.part_values(rows)[self.part], np.nan)

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """The metric's parts."""
        return self.metric.part_values(rows)

    def parts(self, row: Floats, pair: tuple[Any, Segmentation] | None) -> dict[str, Any]:
        """The metric's parts of a single row."""
        return self.metric.parts(row, pair)

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Whether the metric cannot score each pair; among other documents, a rate of nothing is
        not an error."""
        if not np.isnan(values).any():
            return np.zeros(len(values), np.bool_)
        inner = self.metric
        return inner.undefined(pairs, inner.values(inner.rows(pairs)))

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """The metric's reason, or that there is nothing to divide by."""
        inner = self.metric
        if np.isnan(inner.values(inner.rows(pairs))[row]):
            return inner.why_undefined(pairs, row)
        return f"there is no boundary to compute the {self.part} from"

    def in_units(self, provenance: Provenance) -> Self:
        """The part of the metric whose parameters are in units."""
        inner = self.metric.in_units(provenance)
        return self if inner is self.metric else replace(self, metric=inner)

    # ---- texts ----

    @property
    def latex_name(self) -> str | None:
        """The metric's LaTeX name, with the part."""
        from segscore.tables.markup import latex_text

        inner = self.metric.latex_name or latex_text(str(self.metric))
        return f"{inner} {latex_text(self.part)}"

    def signature_fields(self) -> dict[str, Any]:
        """The metric's signature fields."""
        return self.metric.signature_fields()

    def signature(self, average: str | None = None, provenance: Provenance = PLAIN) -> str:
        """The metric's signature, with the part after its name."""
        name, bar, rest = self.metric.signature(average, provenance).partition("|")
        return f"{name}.{self.part}{bar}{rest}"

    def __str__(self) -> str:
        return f"{self.metric}.{self.part}"


def split_part(text: str) -> tuple[str, str | None]:
    """The spec or signature of a metric, and the name of its part, if any.

    >>> split_part("b(n_t=3).precision"), split_part("f1(tolerance=0.5s)")
    (('b(n_t=3)', 'precision'), ('f1(tolerance=0.5s)', None))
    >>> split_part("b.tp|n_t:2|v:0.1.0")
    ('b|n_t:2|v:0.1.0', 'tp')
    """
    name, bar, rest = text.strip().partition("|")
    found = _WRITTEN.fullmatch(name.strip())
    return (found[1] + bar + rest, found[2]) if found else (text, None)
