"""Sums are those of exact arithmetic, however the kernel adds: integers side by side, others with
what rounding leaves over, and both in one table; with and without the machine's vectors."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from segscore._kernels import ratios, sums
from segscore.metrics.base import f_measure, ratio
from segscore.metrics.statistics import exact_sum

ROWS = [0, 1, 3, 4, 5, 4095, 4096, 4097, 10_001]


@pytest.fixture(params=[False, True], ids=["portable", "vectors"], autouse=True)
def vectors(request: pytest.FixtureRequest) -> Iterator[None]:
    """With and without vectors; a machine that has none runs portable code twice."""
    before = [kernel.vectors_in_use() for kernel in (sums, ratios)]
    for kernel in (sums, ratios):
        kernel.vectors_in_use(request.param)
    yield
    for kernel, used in zip((sums, ratios), before, strict=True):
        kernel.vectors_in_use(used)


def check(rows: np.ndarray) -> None:
    expected = [math.fsum(column) for column in rows.T]
    assert exact_sum(rows).high.tolist() == expected


@pytest.mark.parametrize("n", ROWS)
@pytest.mark.parametrize("width", [1, 3, 7, 8, 9, 32, 33])
def test_integers(n: int, width: int) -> None:
    check(np.random.default_rng(n).integers(-1000, 1000, (n, width)).astype(float))


@pytest.mark.parametrize("width", range(1, 13))
@pytest.mark.parametrize("n", [5, 1023, 1024, 1029, 5000])
@pytest.mark.parametrize("unit", [1, 0.5, 1 / 256, 1 / 512, 1 / 3])
def test_fractions(width: int, n: int, unit: float) -> None:
    """Multiples of 1/256 are added as integers, smaller and other fractions are not."""
    check(np.random.default_rng(width).integers(0, 10**6, (n, width)) * unit)


@pytest.mark.parametrize("size", [2.0**31, 2.0**32 - 1, 2.0**33, 2.0**44, 2.0**53])
def test_large_integers(size: float) -> None:
    """Sums of what is too large for fixed point have what was rounded away."""
    rows = size - np.random.default_rng(0).integers(0, 9, (3000, 4)).astype(float)
    check(rows)
    high, low = exact_sum(rows)
    expected = [sum(map(int, column)) for column in rows.T]
    assert [int(a) + int(b) for a, b in zip(high, low, strict=True)] == expected


@pytest.mark.parametrize("width", [1, 3, 4, 5, 8, 11])
@pytest.mark.parametrize("row", [0, 7, 1030, 1999])
@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan, 1e308, -0.0])
def test_odd_numbers_anywhere(width: int, row: int, odd: float) -> None:
    rows = np.random.default_rng(row).random((2000, width)) + 1
    for column in {0, width - 1, width // 2}:
        copy = rows.copy()
        copy[row, column] = odd
        high = exact_sum(copy).high
        for i in range(width):
            expected = math.fsum(copy[:, i])
            assert high[i] == expected or (math.isnan(expected) and math.isnan(high[i]))


def test_tables_of_other_sizes() -> None:
    for shape in [(0, 3), (3, 0), (0, 0)]:
        assert exact_sum(np.zeros(shape)).high.tolist() == [0.0] * shape[1]
    with pytest.raises(IndexError):
        sums.column_sums(np.zeros((4, 3)), np.zeros(2), np.zeros(3))


def test_sums_of_slices() -> None:
    out = np.empty(3)
    sums.slice_sums(np.array([0, 2, 2, 5]), np.array([0.1, 0.2, 1, 2, 3]), out)
    assert out.tolist() == [0.1 + 0.2, 0, 6]
    for offsets in ([0, 2, 2], [0, 3, 2, 5], [0, 2, 2, 6], [-1, 2, 2, 5]):
        with pytest.raises(IndexError):
            sums.slice_sums(np.array(offsets), np.ones(5), out)


# ---- columns divided by each other ----


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
    for columns_ in [(short, long), (long, short)]:
        with pytest.raises(IndexError):
            ratios.quotients(*columns_, np.empty(5))
    for columns_ in [(short, long, long), (long, short, long), (long, long, short)]:
        with pytest.raises(IndexError):
            ratios.f_measures(*columns_, 1.0, np.empty(5))
