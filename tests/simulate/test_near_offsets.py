"""Offsets stay in their room, are never 0 where there is a choice, and keep their distribution."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import segscore as ss
from segscore.simulate import NormalOffsets, Offsets, UniformOffsets, WeightedOffsets

LEVEL = 1e-4
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
        return [one for one in offsets.weights if low <= one <= high]
    most = offsets.most if isinstance(offsets, UniformOffsets) else 2**53
    return [one for one in range(low, high + 1) if one and abs(one) <= most]


def fit(values: np.ndarray, expected: dict[int, float]) -> float:
    """The p-value of these offsets against weights."""
    assert set(values.tolist()) <= expected.keys()
    counts = np.array([(values == offset).sum() for offset in expected])
    share = np.array(list(expected.values()))
    return float(stats.chisquare(counts, share / share.sum() * len(values)).pvalue)


@pytest.mark.parametrize(("low", "high"), [(-9, 9), (-2, 9), (0, 3), (-1, 1)])
def test_distributions_given_their_room(low: int, high: int) -> None:
    room = [one for one in range(low, high + 1) if one]
    assert fit(draw(UniformOffsets(3), low, high), {d: 1 for d in room if abs(d) <= 3}) > LEVEL
    normal = {d: stats.norm.cdf((d + 0.5) / 2) - stats.norm.cdf((d - 0.5) / 2) for d in room}
    assert fit(draw(NormalOffsets(2.0), low, high), normal) > LEVEL
    weights = {-3: 1.0, -1: 2.0, 1: 0.5, 2: 4.0, 9: 1.0}
    left = {d: w for d, w in weights.items() if low <= d <= high}
    assert fit(draw(WeightedOffsets(weights), low, high), left) > LEVEL


def test_a_wrong_distribution_would_be_noticed() -> None:
    assert fit(draw(UniformOffsets(2), -2, 2), {-2: 1, -1: 1.2, 1: 1, 2: 1}) < LEVEL


def test_weights_do_not_depend_on_their_order() -> None:
    one, two = WeightedOffsets({2: 1, -1: 3}), WeightedOffsets({-1: 3, 2: 1})
    assert one == two
    assert hash(one) == hash(two)
    assert np.array_equal(draw(one, -5, 5), draw(two, -5, 5))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: UniformOffsets(0), "most is 0: expected 1"),
        (lambda: UniformOffsets(1.5), r"most is 1\.5 \(float\): expected a whole number"),  # type: ignore[arg-type]
        (lambda: NormalOffsets(0.0), r"sd is 0\.0: expected a number 0\.1 …"),
        (lambda: NormalOffsets(float("inf")), "sd is inf: expected a number"),
        (lambda: NormalOffsets(None), r"sd is None \(NoneType\)"),  # type: ignore[arg-type]
        (lambda: WeightedOffsets({}), r"weights is \{\} \(dict\): expected \{offset: weight\}"),
        (lambda: WeightedOffsets({0: 1}), "holds offset 0: expected .* other than 0"),
        (lambda: WeightedOffsets({1.5: 1}), r"holds offset 1\.5 \(float\)"),  # type: ignore[dict-item]
        (lambda: WeightedOffsets({1: -1}), r"weights\[1\] is -1: expected .* above 0"),
    ],
)
def test_errors(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()
