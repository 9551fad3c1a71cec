"""Sizes keep to their range and to their distribution."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import segscore as ss
from segscore.simulate import EmpiricalSizes, FixedSizes, GeometricSizes, UniformSizes

LEVEL = 1e-4  # a fit is rejected below it; the draws are seeded


def drawn(sizes: ss.simulate.SegmentSizes, count: int = 20_000) -> np.ndarray:
    return sizes.draw(count, np.random.default_rng(1))


@given(st.integers(1, 50), st.integers(0, 50), st.booleans(), st.integers(0, 99))
@settings(max_examples=50)
def test_uniform_sizes_stay_in_their_range(low: int, width: int, closed: bool, seed: int) -> None:
    high = low + width + (not closed)
    sizes = UniformSizes(low, high, closed).draw(100, np.random.default_rng(seed))
    assert low <= sizes.min() <= sizes.max() <= high - (not closed)


@pytest.mark.parametrize(("closed", "last"), [(False, 29), (True, 30)])
def test_uniform_sizes_are_uniform(closed: bool, last: int) -> None:
    sizes = drawn(UniformSizes(20, 30, closed))
    assert (sizes.min(), sizes.max()) == (20, last)
    assert stats.chisquare(np.bincount(sizes)[20:]).pvalue > LEVEL


def test_geometric_sizes_are_geometric() -> None:
    sizes = drawn(GeometricSizes(4.5))
    counts = np.bincount(np.minimum(sizes, 25), minlength=26)[1:]
    share = np.append(stats.geom.pmf(np.arange(1, 25), 1 / 4.5), stats.geom.sf(24, 1 / 4.5))
    assert stats.chisquare(counts, share * len(sizes)).pvalue > LEVEL


def test_empirical_sizes_are_as_likely_as_they_are_frequent() -> None:
    sizes = drawn(EmpiricalSizes([3, 3, 3, 8, 40]))
    assert set(sizes.tolist()) == {3, 8, 40}
    counts = [(sizes == size).sum() for size in (3, 8, 40)]
    assert stats.chisquare(counts, np.array([0.6, 0.2, 0.2]) * len(sizes)).pvalue > LEVEL


def test_a_wrong_distribution_would_be_noticed() -> None:
    counts = np.bincount(drawn(EmpiricalSizes([2, 2, 2, 3, 3])))[2:]  # not half and half
    assert stats.chisquare(counts).pvalue < LEVEL


def test_empirical_sizes_of_a_corpus() -> None:
    codings = {"a": ss.Segmentation.from_masses([2, 3]), "b": ss.Segmentation.from_masses([5])}
    assert EmpiricalSizes.of(ss.Corpus.from_dict({"d": codings})) == EmpiricalSizes((2, 3, 5))
    with pytest.raises(ss.SegmentationError, match="expected a Corpus, as segscore.read gives it"):
        EmpiricalSizes.of([2, 3])  # type: ignore[arg-type]


def test_fixed_sizes() -> None:
    assert drawn(FixedSizes(7), 3).tolist() == [7, 7, 7]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: UniformSizes(0, 5), "low is 0: expected 1"),
        (lambda: UniformSizes(5, 5), "high is 5 and low is 5: .*at least 6, .* not included"),
        (
            lambda: UniformSizes(5, 4, closed=True),
            "high is 4 and low is 5: .*at least 5, .* is included",
        ),
        (lambda: UniformSizes(2.0, 5), r"low is 2\.0 \(float\): expected a whole number"),  # type: ignore[arg-type]
        (lambda: UniformSizes(1, 2**41), "high is 2199023255552: expected 1 … 1099511627776"),
        (lambda: GeometricSizes(0.5), r"mean is 0\.5: expected a number 1 …"),
        (lambda: GeometricSizes(float("nan")), "mean is nan: expected a number"),
        (lambda: GeometricSizes("4"), r"mean is '4' \(str\): expected a number"),  # type: ignore[arg-type]
        (lambda: EmpiricalSizes([]), "sizes is empty: expected segment sizes"),
        (lambda: EmpiricalSizes([3, 0]), r"sizes\[1\] is 0: expected segment sizes"),
        (lambda: EmpiricalSizes([3, 1.5]), r"sizes\[1\] is 1\.5 \(float\)"),  # type: ignore[list-item]
        (lambda: FixedSizes(True), "size is True: expected a whole number"),
    ],
)
def test_errors(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()
