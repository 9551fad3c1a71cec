"""Sizes keep to their range and to their distribution. Offsets stay in their room, are never 0
where there is a choice, and keep their distribution."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import segscore as ss
from segscore.simulate import (
    EmpiricalSizes,
    GeometricSizes,
    NormalOffsets,
    Offsets,
    UniformOffsets,
    UniformSizes,
    WeightedOffsets,
)

LEVEL = 1e-4  # a fit is rejected below it; the draws are seeded


def drawn(sizes: ss.simulate.SegmentSizes, count: int = 20_000) -> np.ndarray:
    return sizes.draw(count, np.random.default_rng(1))


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


def test_empirical_sizes_of_a_corpus() -> None:
    codings = {"a": ss.Segmentation.from_masses([2, 3]), "b": ss.Segmentation.from_masses([5])}
    assert EmpiricalSizes.of(ss.Corpus.from_dict({"d": codings})) == EmpiricalSizes((2, 3, 5))
    with pytest.raises(ss.SegmentationError, match="Corpus.*segscore.read"):
        EmpiricalSizes.of([2, 3])  # type: ignore[arg-type]


# ---- offsets ----

KINDS: list[Offsets] = [
    UniformOffsets(),
    UniformOffsets(4),
    NormalOffsets(0.1),
    NormalOffsets(2.5),
    NormalOffsets(2.0**50),
    WeightedOffsets({-3: 1, -1: 2, 2: 0.5, 7: 4}),
]
rooms = st.lists(st.tuples(st.integers(-9, 0), st.integers(0, 9)), min_size=1)


def draw(offsets: Offsets, low: int, high: int, count: int = 20_000, seed: int = 1) -> np.ndarray:
    return offsets.draw(np.full(count, low), np.full(count, high), np.random.default_rng(seed))


@pytest.mark.parametrize("offsets", KINDS, ids=str)
@given(given_rooms=rooms, seed=st.integers(0, 99))
def test_offsets_stay_in_their_room(
    offsets: Offsets, given_rooms: list[tuple[int, int]], seed: int
) -> None:
    low, high = np.array(given_rooms).T
    values = offsets.draw(low, high, np.random.default_rng(seed))
    assert np.all((low <= values) & (values <= high))
    for offset, (left, right) in zip(values.tolist(), given_rooms, strict=True):
        assert (offset == 0) == (not any(possible(offsets, left, right)))


def possible(offsets: Offsets, low: int, high: int) -> list[int]:
    """The offsets that a room leaves."""
    if isinstance(offsets, WeightedOffsets):
        return [offset for offset in offsets.weights if low <= offset <= high]
    most = offsets.most if isinstance(offsets, UniformOffsets) else 2**53
    return [offset for offset in range(low, high + 1) if offset and abs(offset) <= most]


def fit(values: np.ndarray, expected: dict[int, float]) -> float:
    """The p-value of these offsets against weights."""
    assert set(values.tolist()) <= expected.keys()
    counts = np.array([(values == offset).sum() for offset in expected])
    share = np.array(list(expected.values()))
    return float(stats.chisquare(counts, share / share.sum() * len(values)).pvalue)


@pytest.mark.parametrize(("low", "high"), [(-9, 9), (-2, 9), (0, 3), (-1, 1)])
def test_distributions_given_their_room(low: int, high: int) -> None:
    room = [offset for offset in range(low, high + 1) if offset]
    assert fit(draw(UniformOffsets(3), low, high), {d: 1 for d in room if abs(d) <= 3}) > LEVEL
    normal = {d: stats.norm.cdf((d + 0.5) / 2) - stats.norm.cdf((d - 0.5) / 2) for d in room}
    assert fit(draw(NormalOffsets(2.0), low, high), normal) > LEVEL
    weights = {-3: 1.0, -1: 2.0, 1: 0.5, 2: 4.0, 9: 1.0}
    left = {d: w for d, w in weights.items() if low <= d <= high}
    assert fit(draw(WeightedOffsets(weights), low, high), left) > LEVEL


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: UniformSizes(5, 5), "high is 5: expected 6"),
        (lambda: UniformSizes(1, 2**41), "high is 2199023255552"),
        (lambda: EmpiricalSizes([3, 0]), r"sizes\[1\] is 0"),
        (lambda: UniformOffsets(0), "most is 0"),
        (lambda: WeightedOffsets({0: 1}), "weights is {0: 1}"),
        (lambda: WeightedOffsets({1: -1}), r"weights\[1\] is -1"),
    ],
)
def test_errors(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()
