"""Distances, in units, between the boundaries of reference and hypothesis.

The start and the end of the document are not boundaries and do not count. A distance over several
documents is the mean over those documents; the statistics are its sum and their number.

Sources: Turnbull et al. (2007) and mir_eval, boundary deviation; Hausdorff distance as change-point
detection uses it (Truong et al. 2020, ruptures); Bookstein, Kulyukin & Raita (2002), GHD.

The number of segments: by how much the two sides differ, wherever the boundaries are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from segscore._kernels import distance
from segscore.basics.arguments import Floats
from segscore.metrics.base import Metric
from segscore.metrics.ratios import check_weight, plain_numbers, ratio
from segscore.pairing.pairs import Pairs


@dataclass(frozen=True)
class CountMAE(Metric):
    """Mean absolute error of the number of segments: |segments of hyp - segments of ref|.

    It ignores where boundaries are. Beside F1, which a split at every unit can improve, it shows
    whether the number of segments is right. Statistics: `difference`, the sum over documents, and
    `documents`. Lower is better.

    >>> from segscore import Segmentation
    >>> CountMAE()(Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([11]))
    2.0
    """

    name = "count-mae"
    reading = "the mean difference in the number of segments, wherever they are"
    higher_is_better = False
    symmetric = True
    statistic_names = ("difference", "documents")

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """The difference in each pair."""
        del threads
        difference = np.abs(np.diff(pairs.hyp_offsets) - np.diff(pairs.ref_offsets))
        return np.column_stack([difference, np.ones(len(pairs))]).astype(np.float64)


class _Nearest(Metric):
    """What metrics of distances to the nearest boundary share: both sides need a boundary."""

    higher_is_better = False
    symmetric = True
    columns: ClassVar[list[int]]  # of the kernel's rows: both medians, the largest, and documents

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        rows = pairs.rows(distance.nearest_boundaries, 4, threads=threads)
        return np.ascontiguousarray(rows[:, self.columns])

    def why_no_value(self, pairs: Pairs, row: int) -> str:
        """The reason: a side has no boundaries."""
        empty = pairs.ref_offsets[row] == pairs.ref_offsets[row + 1]
        side = "reference" if empty else "hypothesis"
        return f"the {side} has no boundary to measure a distance to"


@dataclass(frozen=True)
class BoundaryDeviation(_Nearest):
    """Distance from boundaries to the nearest boundary of the other side: the median, both ways.

    `ref_to_hyp` is the median distance from a reference boundary to the nearest hypothesis
    boundary, `hyp_to_ref` the reverse (Turnbull et al. 2007; mir_eval's `deviation` with
    trim=True); the value is their mean. Undefined if a side has no boundary. Lower is better.

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([4, 7])
    >>> score = BoundaryDeviation()(ref, hyp)
    >>> score, score.ref_to_hyp, score.hyp_to_ref
    (1.25, 1.5, 1.0)
    """

    name = "deviation"
    reading = "the median distance in units, both ways"
    papers = ("turnbull2007",)
    columns: ClassVar[list[int]] = [0, 1, 3]
    # Both medians, summed over documents, and documents.
    statistic_names = ("ref_to_hyp_sum", "hyp_to_ref_sum", "documents")
    quotients: ClassVar[Mapping[str, tuple[int, int]]] = {
        "ref_to_hyp": (0, 2),
        "hyp_to_ref": (1, 2),
    }

    def values(self, rows: Floats) -> Floats:
        """The mean of both medians."""
        return ratio((rows[:, 0] + rows[:, 1]) / 2, rows[:, 2])


@dataclass(frozen=True)
class Hausdorff(_Nearest):
    """The largest distance from any boundary to the nearest boundary of the other side.

    It equals `hausdorff` of ruptures. Undefined if a side has no boundary. Lower is better.

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([4, 7])
    >>> Hausdorff()(ref, hyp)
    2.0
    """

    name = "hausdorff"
    reading = "the largest distance from a boundary to the nearest one of the other side"
    papers = ("truong2020",)
    columns: ClassVar[list[int]] = [2, 3]
    # Distance, summed over documents, and documents.
    statistic_names = ("distance", "documents")


@dataclass(frozen=True)
class GHD(Metric):
    """Generalised Hamming distance: the least cost of turning the hypothesis into the reference.

    Bookstein, Kulyukin & Raita (2002); the defaults are those of NLTK's `ghd`. Time grows with the
    number of boundaries (NLTK: with the product of both numbers). Lower is better; there is no
    upper bound.

    Parameters
    ----------
    insertion: cost of a boundary that only the reference has.
    deletion: cost of a boundary that only the hypothesis has.
    shift: cost of moving a boundary by one position.

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([3, 8])
    >>> GHD()(ref, hyp)  # one shift by 1, one insertion
    3.0
    """

    name = "ghd"
    latex = "GHD"
    reading = "the least cost of turning the hypothesis into the reference"
    papers = ("bookstein2002",)
    higher_is_better = False
    symmetric = False  # insertion and deletion may cost differently
    # Cost, and documents.
    statistic_names = ("cost", "documents")

    insertion: float = 2
    deletion: float = 2
    shift: float = 1

    def __post_init__(self) -> None:
        plain_numbers(self)
        check_weight(self.insertion, "insertion")
        check_weight(self.deletion, "deletion")
        check_weight(self.shift, "shift")

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        costs = (self.insertion, self.deletion, self.shift)
        return pairs.rows(distance.ghd, 2, *costs, threads=threads)
