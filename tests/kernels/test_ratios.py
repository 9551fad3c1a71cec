"""Columns divided by each other: the numbers of NumPy, bit for bit, with and without vectors."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from segscore._kernels import ratios
from segscore.metrics.base import f_measure, ratio


@pytest.fixture(params=[False, True], ids=["portable", "vectors"], autouse=True)
def vectors(request: pytest.FixtureRequest) -> Iterator[None]:
    """With and without vectors; a machine that has none runs portable code twice."""
    before = ratios.vectors_in_use()
    ratios.vectors_in_use(request.param)
    yield
    ratios.vectors_in_use(before)


def columns(n: int, width: int) -> list[Any]:
    """Columns of a table with zeros, large and small numbers, and some that are not finite."""
    rng = np.random.default_rng(n + width)
    rows = rng.choice([0.0, 0.0, 1.0, 2.0, 1 / 3, 1e-300, 1e300, np.inf, -0.0], (n, width))
    rows += rng.integers(0, 2, (n, width)) * rng.random((n, width))
    return [rows[:, 0], rows[:, width // 2], rows[:, -1]]


@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 8, 1001])
@pytest.mark.parametrize("width", [1, 2, 3, 8])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_numbers_of_numpy(n: int, width: int) -> None:
    tp, fp, fn = columns(n, width)
    expected = np.full(n, np.nan)
    np.divide(tp, fn, out=expected, where=fn != 0)
    assert np.array_equal(ratio(tp, fn), expected, equal_nan=True)
    for beta in (1, 0.5, 3):
        above = (1 + beta**2) * tp
        below = above + beta**2 * fn + fp
        expected = np.full(n, np.nan)
        np.divide(above, below, out=expected, where=below != 0)
        assert np.array_equal(f_measure(tp, fp, fn, beta), expected, equal_nan=True)


def test_columns_that_are_too_short() -> None:
    long, short = np.ones(5), np.ones(4)
    for given in [(short, long), (long, short)]:
        with pytest.raises(IndexError):
            ratios.quotients(*given, np.empty(5))
    for given in [(short, long, long), (long, short, long), (long, long, short)]:
        with pytest.raises(IndexError):
            ratios.f_measures(*given, 1.0, np.empty(5))
