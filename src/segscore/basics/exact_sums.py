"""Sums that do not depend on the order, the batches or the threads (see `_kernels/sums.pyx`).

A sum is two arrays: `high`, the sum rounded to doubles, and `low`, what the rounding left over.
Sums of whole numbers are exact; others are within one unit in the last place of the true sum.
"""

from typing import NamedTuple

import numpy as np

from segscore._kernels import sums
from segscore.basics.arguments import Floats


class ExactSum(NamedTuple):
    """A sum in two parts; `high` alone is the sum rounded to doubles."""

    high: Floats
    low: Floats

    def plus(self, other: "ExactSum") -> "ExactSum":
        """The sum of both."""
        high, low = np.zeros_like(self.high), np.zeros_like(self.low)
        for part in (self.high, other.high, self.low, other.low):
            sums.column_sums(np.ascontiguousarray(part[np.newaxis]), high, low)
        return _rounded(high, low)


def exact_sum(rows: Floats) -> ExactSum:
    """The sum over the rows of each column.

    >>> rows = np.array([[1.0, 1e16], [2.0, 1.0], [3.0, -1e16]])
    >>> exact_sum(rows).high.tolist()
    [6.0, 1.0]
    """
    table = np.ascontiguousarray(rows, np.float64)
    high, low = np.zeros(table.shape[1]), np.zeros(table.shape[1])
    sums.column_sums(table, high, low)
    return _rounded(high, low)


def exact_mean(values: Floats) -> float:
    """The mean of some numbers; NaN if there are none."""
    if not values.size:
        return float("nan")
    return float(exact_sum(values[:, np.newaxis]).high[0] / values.size)


def _rounded(high: Floats, low: Floats) -> ExactSum:
    """The sum with as much as possible in `high`."""
    if not low.any():
        return ExactSum(high, low)
    total = high + low
    with np.errstate(invalid="ignore"):  # infinite sums leave nothing over
        left = low - (total - high)
    return ExactSum(total, np.where(np.isfinite(left), left, 0.0))
