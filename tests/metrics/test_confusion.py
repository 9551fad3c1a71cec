"""The confusion matrix: cells, counts, ratios by type, pooled and averaged."""

import math

import numpy as np
import pytest

import segscore as ss

MATRIX = ss.metrics.ConfusionMatrix(["x", "y"], [[3, 1, 0], [0, 1.5, 1], [2, 0, 0]], 20)


def test_one_type_against_the_rest() -> None:
    assert MATRIX.counts("x") == (3, 2, 1, 14)
    assert MATRIX.counts("y") == (1.5, 1, 1, 16.5)
    assert MATRIX.precision("x") == 3 / 5
    assert MATRIX.recall("y") == 1.5 / 2.5
    assert MATRIX.f("x", beta=2) == pytest.approx(5 * 3 / (5 * 3 + 4 * 1 + 2))


def test_pooled() -> None:
    assert MATRIX.counts() == (4.5, 3, 2, 2 * 20 - 4.5 - 3 - 2)
    assert MATRIX.precision() == 4.5 / 7.5
    assert MATRIX.recall() == 4.5 / 6.5
    assert MATRIX.f() == pytest.approx(2 * 4.5 / (2 * 4.5 + 2 + 3))


def test_averaged_over_types() -> None:
    assert MATRIX.precision(average="macro") == pytest.approx((3 / 5 + 1.5 / 2.5) / 2)
    unused = ss.metrics.ConfusionMatrix(["x", "y"], [[3, 0, 0], [0, 0, 0], [1, 0, 0]], 20)
    assert unused.precision(average="macro") == 3 / 4  # y has no precision to average
    assert math.isnan(unused.precision("y"))
    empty = ss.metrics.ConfusionMatrix(["x"], [[0, 0], [0, 0]], 20)
    assert math.isnan(empty.f(average="macro"))


def test_equality_and_text() -> None:
    same = ss.metrics.ConfusionMatrix(["x", "y"], MATRIX.cells, 20)
    assert same == MATRIX != ss.metrics.ConfusionMatrix(["x", "z"], MATRIX.cells, 20)
    assert MATRIX != "matrix"
    with pytest.raises(ValueError, match="read-only"):
        MATRIX.cells[0, 0] = 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(MATRIX)


def test_what_it_refuses() -> None:
    with pytest.raises(KeyError, match="'z' .*is not among x, y"):
        MATRIX["x", "z"]
    with pytest.raises(ss.SegmentationError, match="average is 'mean'"):
        MATRIX.precision(average="mean")  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="beta is 0"):
        MATRIX.f(beta=0)
    with pytest.raises(ss.SegmentationError, match="expected 3 rows and columns"):
        ss.metrics.ConfusionMatrix(["x", "y"], np.zeros((2, 2)), 9)
