"""A metric: how far the number of segments is off."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from segscore import Metric, Pairs


@dataclass(frozen=True)
class CountError(Metric):
    """|segments of the hypothesis - segments of the reference| by segments of the reference.

    Parameters
    ----------
    power: to which the difference is raised.
    """

    name: ClassVar[str] = "count-error"
    higher_is_better: ClassVar[bool] = False
    symmetric: ClassVar[bool] = False

    power: float = 1

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """What is added up over documents."""
        return ("difference", "segments")

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Any:
        """A row per document."""
        del threads  # it is fast enough on one
        ref = np.diff(pairs.ref_offsets) + 1.0
        hyp = np.diff(pairs.hyp_offsets) + 1.0
        return np.column_stack([np.abs(hyp - ref) ** self.power, ref])

    def values(self, rows: Any) -> Any:
        """The value of each row, or of a sum of rows."""
        return rows[:, 0] / rows[:, 1]


class NotAMetric:
    """Something else."""
