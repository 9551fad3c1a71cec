"""The number of segments: by how much the two sides differ, wherever the boundaries are."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from segscore.basics.arguments import Floats
from segscore.metrics.base import Metric
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

    name: ClassVar[str] = "count-mae"
    higher_is_better: ClassVar[bool] = False
    symmetric: ClassVar[bool] = True
    statistic_names: ClassVar[tuple[str, ...]] = ("difference", "documents")

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """The difference in each pair."""
        del threads
        difference = np.abs(np.diff(pairs.hyp_offsets) - np.diff(pairs.ref_offsets))
        return np.column_stack([difference, np.ones(len(pairs))]).astype(np.float64)
