"""Boundary precision, recall and F: exact positions, or within a tolerance.

With a tolerance each boundary of one side may be paired with one boundary of the other that is at
most so many positions away; the largest possible number of pairs counts as true positives (as
mir_eval does; matching greedily loses some).
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from segscore._kernels import matching
from segscore.arguments import Floats
from segscore.metrics.base import Metric, Row, units_or_time
from segscore.metrics.ratios import check_beta, precision_recall_f
from segscore.pairs import Pairs
from segscore.provenance import PLAIN
from segscore.segmentation import Segmentation


@dataclass(frozen=True)
class BoundaryMatch(Metric):
    """F_β of boundaries, matched one to one: at the same position, or within a tolerance.

    Parts: `precision`, `recall`, `f`, `tp`, `fp`, `fn`. Precision is NaN if the hypothesis has no
    boundary, recall if the reference has none, F if neither has. Higher is better.

    Parameters
    ----------
    tolerance: how far apart two boundaries may be to match: a number of positions (0: the same
        position), or a time such as "30s" if units have a duration.
    beta: weight of recall in F_β: 1 weighs recall and precision the same, 2 recall more.

    >>> a, b = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([2, 2, 7])
    >>> BoundaryMatch()(a, b), BoundaryMatch(tolerance=1)(a, b)
    (0.5, 1.0)
    """

    name: ClassVar[str] = "f1"
    latex: ClassVar[str | None] = "$F_1$"
    higher_is_better: ClassVar[bool] = True
    perfect: ClassVar[float | None] = 1
    symmetric: ClassVar[bool] = False  # with β other than 1, recall and precision weigh differently

    in_time: ClassVar[tuple[str, ...]] = ("tolerance",)

    tolerance: int | str = 0
    beta: float = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "tolerance", units_or_time(self.tolerance, "tolerance", 0))
        check_beta(self.beta)

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """Matched boundaries, those of hyp left over, those of ref left over."""
        return "tp", "fp", "fn"

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        tolerance = self.in_units(pairs.provenance).tolerance
        return pairs.rows(matching.boundary_match, 3, tolerance, threads=threads)

    def values(self, rows: Floats) -> Floats:
        """F_β; NaN if neither side has a boundary."""
        return precision_recall_f(rows[:, 0], rows[:, 1], rows[:, 2], self.beta)[2]

    def undefined(self, pairs: Pairs, values: Floats) -> Any:
        """Documents of one unit. A document without a boundary on either side is no error if it is
        one of several: it is counted in `n_undefined`."""
        del values
        return pairs.n_units < 2

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """One unit, or no boundary."""
        if pairs.n_units[row] < 2:
            return super().why_undefined(pairs, row)
        return "neither side has a boundary"

    def score_pair(self, ref: Segmentation, hyp: Segmentation) -> tuple[Row, float]:
        """One pair, without arrays."""
        tolerance = self.tolerance
        if isinstance(tolerance, str):  # the duration of a unit is not known here: an error
            tolerance = self.units_of("tolerance", tolerance, PLAIN)
        row = matching.boundary_match_of_pair(ref.packed, hyp.packed, tolerance)
        tp, fp, fn = row
        weight = self.beta * self.beta
        below = (1 + weight) * tp + weight * fn + fp
        return row, (1 + weight) * tp / below if below else float("nan")

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Precision, recall, F and the counts."""
        rates = precision_recall_f(rows[:, 0], rows[:, 1], rows[:, 2], self.beta)
        named = dict(zip(("precision", "recall", "f"), rates, strict=True))
        return {**named, **super().part_values(rows)}
