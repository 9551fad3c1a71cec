"""Sums are those of exact arithmetic, however the kernel adds: integers side by side, others with
what rounding leaves over, and both in one table."""

import math

import numpy as np
import pytest

from segscore.summing import exact_sum

ROWS = [0, 1, 3, 4, 5, 4095, 4096, 4097, 10_001]


def check(rows: np.ndarray) -> None:
    expected = [math.fsum(column) for column in rows.T]
    assert exact_sum(rows).high.tolist() == expected


@pytest.mark.parametrize("n", ROWS)
@pytest.mark.parametrize("width", [1, 3, 32, 33])
def test_integers(n: int, width: int) -> None:
    check(np.random.default_rng(n).integers(-1000, 1000, (n, width)).astype(float))


@pytest.mark.parametrize("n", ROWS)
@pytest.mark.parametrize("where", [0, -1])
@pytest.mark.parametrize("odd", [0.1, -0.5, 2.0**50, -(2.0**60), 1e300])
def test_one_other_number(n: int, where: int, odd: float) -> None:
    """It may stand in the first rows, which decide how to add, or come last."""
    rows = np.random.default_rng(n).integers(0, 50, (n, 3)).astype(float)
    if n:
        rows[where, 1] = odd
    check(rows)


def test_what_is_not_finite_stays_in_its_column() -> None:
    rows = np.ones((5000, 3))
    rows[4500, 0], rows[10, 2] = np.inf, np.nan
    high = exact_sum(rows).high
    assert high[0] == np.inf
    assert high[1] == 5000
    assert math.isnan(high[2])
