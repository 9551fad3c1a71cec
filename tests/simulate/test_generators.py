"""References, hypotheses and coders: valid, reproducible, and distributed as they say."""

from collections.abc import Callable
from itertools import product
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import segscore as ss
from oracles.simulate import expected_marks, rooms
from segscore.simulate import (
    EmpiricalSizes,
    Errors,
    FixedSizes,
    GeometricSizes,
    NormalOffsets,
    Offsets,
    Placement,
    UniformOffsets,
    UniformSizes,
    WeightedOffsets,
    coders,
    hypotheses,
    references,
)
from strategies import segmentations

LEVEL = 1e-4
PLACEMENTS = get_args(Placement)
REF = ss.Segmentation.from_masses([3, 1, 6, 9, 2, 5])
shares = st.sampled_from([0.0, 0.1, 0.5, 1.0])


@st.composite
def errors(draw: st.DrawFn) -> Errors:
    return Errors(
        draw(shares),
        draw(shares),
        draw(shares),
        draw(st.sampled_from(PLACEMENTS)),
        draw(st.sampled_from([UniformOffsets(3), NormalOffsets(2.0)])),
    )


def marks(pairs: ss.Pairs) -> np.ndarray:
    """Hypotheses × places 1 … N-1: where a boundary stands."""
    held = np.zeros((len(pairs), int(pairs.n_units[0])), bool)
    for row in range(len(pairs)):
        held[row, pairs.hypothesis(row).boundaries] = True
    return held[:, 1:]


# ---- what holds for any of them ----


@given(st.lists(segmentations(), min_size=1, max_size=3), errors(), st.integers(1, 4))
@settings(max_examples=2 * settings.default.max_examples)
def test_pairs_are_valid_and_hold_the_references(
    refs: list[ss.Segmentation], kinds: Errors, n: int
) -> None:
    pairs = hypotheses(refs, kinds, n, rng=1)  # Pairs checks that places ascend inside documents
    assert len(pairs) == n * len(refs)
    for row in range(len(pairs)):
        plain = ss.Segmentation.from_masses(refs[row // n].masses)
        assert pairs.reference(row) == plain
        assert pairs.hypothesis(row).n_units == plain.n_units


@given(segmentations(), errors(), st.integers(0, 2**53))
def test_the_seed_decides(ref: ss.Segmentation, kinds: Errors, seed: int) -> None:
    first, second = (hypotheses(ref, kinds, 3, rng=seed) for _ in range(2))
    assert np.array_equal(first.hyp_positions, second.hyp_positions)
    assert np.array_equal(first.hyp_offsets, second.hyp_offsets)
    third = hypotheses(ref, kinds, 3, rng=np.random.default_rng(seed))
    assert np.array_equal(first.hyp_positions, third.hyp_positions)


# ---- references ----


@given(st.integers(1, 30), st.integers(1, 5), st.integers(0, 99))
@settings(max_examples=30)
def test_references_have_so_many_segments(segments: int, n: int, seed: int) -> None:
    refs = references(UniformSizes(2, 6), segments, n, rng=seed)
    assert [ref.n_segments for ref in refs] == [segments] * n
    assert all(2 <= ref.masses.min() <= ref.masses.max() <= 5 for ref in refs)
    assert refs == references(UniformSizes(2, 6), segments, n, rng=seed)


# ---- misses and near misses ----


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_boundaries_are_missed_with_the_probability_and_by_themselves(share: float) -> None:
    ref = ss.Segmentation.from_masses([2] * 6)
    held = marks(hypotheses(ref, Errors(misses=share), 5000, rng=1))[:, 1::2]
    assert stats.binomtest(int((~held).sum()), held.size, share).pvalue > LEVEL
    counts = np.bincount(held.sum(axis=1), minlength=6)
    expected = stats.binom.pmf(np.arange(6), 5, 1 - share) * 5000
    enough = expected > 5
    observed = np.append(counts[enough], counts[~enough].sum())
    wanted = np.append(expected[enough], expected[~enough].sum())
    assert stats.chisquare(observed[wanted > 0], wanted[wanted > 0]).pvalue > LEVEL


@given(segmentations(max_units=40), st.integers(0, 99))
def test_near_misses_stay_nearest_to_their_own_boundary(ref: ss.Segmentation, seed: int) -> None:
    errors = Errors(near_misses=1, offsets=UniformOffsets(50))
    moved = hypotheses(ref, errors, 3, rng=seed)
    for row in range(3):
        places = moved.hypothesis(row).boundaries.tolist()
        assert len(places) == ref.n_segments - 1
        for place, own, room in zip(places, ref.boundaries.tolist(), rooms(ref), strict=True):
            assert place in room
            assert (place == own) == (len(room) == 1)


def test_near_misses_reach_all_of_their_room_evenly() -> None:
    ref = ss.Segmentation.from_masses([4, 7, 5])
    held = marks(hypotheses(ref, Errors(near_misses=1, offsets=UniformOffsets(99)), 8000, rng=1))
    for own, room in zip(ref.boundaries.tolist(), rooms(ref), strict=True):
        places = [place for place in room if place != own]
        assert stats.chisquare(held[:, [p - 1 for p in places]].sum(axis=0)).pvalue > LEVEL
        assert not held[:, own - 1].any()


def test_near_misses_are_a_share_of_what_is_not_missed() -> None:
    ref = ss.Segmentation.from_masses([10] * 20)
    held = marks(hypotheses(ref, Errors(misses=0.4, near_misses=0.25), 1000, rng=1))
    there, stayed = int(held.sum()), int(held[:, ref.boundaries - 1].sum())
    assert stats.binomtest(19_000 - there, 19_000, 0.4).pvalue > LEVEL
    assert stats.binomtest(stayed, there, 0.75).pvalue > LEVEL


# ---- false positives ----


@pytest.mark.parametrize(
    ("placement", "misses", "share"),
    list(product(["segment", "document"], [0, 0.3], [0.1, 0.5, 1])),
)
def test_each_place_is_as_likely_as_the_oracle_says(
    placement: Placement, misses: float, share: float
) -> None:
    errors = Errors(misses=misses, false_positives=share, placement=placement)
    n = 6000
    held = marks(hypotheses(REF, errors, n, rng=3)).sum(axis=0)
    for count, probability in zip(held.tolist(), expected_marks(REF, errors), strict=True):
        assert stats.binomtest(count, n, min(1.0, float(probability))).pvalue > LEVEL / 10


def test_false_positives_around_boundaries_are_normal() -> None:
    ref = ss.Segmentation.from_masses([24, 24])
    n = 20_000
    errors = Errors(misses=1, false_positives=1, placement="boundary")
    places = hypotheses(ref, errors, n, rng=1).hyp_positions
    assert len(places) == n
    offsets = np.clip(places - 24, -12, 12)
    possible = np.array([d for d in range(-12, 13) if d])
    low = np.where(possible == -12, -np.inf, possible - 0.5)
    high = np.where(possible == 12, np.inf, possible + 0.5)
    share = stats.norm.cdf(high / 6) - stats.norm.cdf(low / 6)  # a quarter of 24
    counts = [(offsets == d).sum() for d in possible]
    assert stats.chisquare(counts, share / share.sum() * n).pvalue > LEVEL


def test_false_positives_near_ends_are_normal_in_whole_numbers() -> None:
    ref = ss.Segmentation.from_masses([14])
    n = 20_000
    errors = Errors(false_positives=1, placement="ends")
    places = hypotheses(ref, errors, n, rng=1).hyp_positions
    distance = np.arange(1, 14)
    one_end = stats.norm.cdf((distance + 1) / 3) - stats.norm.cdf(distance / 3)  # 14 // 4 is 3
    share = (one_end + one_end[::-1]) / 2 / one_end.sum()
    counts = np.bincount(places, minlength=15)[1:14]
    assert counts.sum() == n
    assert stats.chisquare(counts, share * n).pvalue > LEVEL


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_documents_of_any_length(placement: Placement) -> None:
    ref = ss.Segmentation.from_boundaries([10, 2**52], 2**53)
    pairs = hypotheses(ref, Errors(0.5, 0.5, 0.5, placement, NormalOffsets(1e6)), 200, rng=1)
    assert pairs.hyp_positions.max() < 2**53
    assert 200 < len(pairs.hyp_positions) < 800
    tiny = hypotheses(ss.Segmentation.from_masses([1]), Errors(0.5, 0.5, 1, placement), rng=1)
    assert tiny.hypothesis(0).n_units == 1


# ---- coders ----


def test_coders_are_hypotheses() -> None:
    refs = references(GeometricSizes(4), 30, 2, rng=1)
    corpus = coders(refs, Errors(0.2, 0.1), 3, rng=5)
    pairs = hypotheses(refs, Errors(0.2, 0.1), 3, rng=5)
    assert list(corpus) == ["1", "2"]
    assert [coding for document in corpus.values() for coding in document.values()] == [
        pairs.hypothesis(row) for row in range(6)
    ]


def test_agreement_of_two_coders_who_miss_is_as_computed_by_hand() -> None:
    ref = references(FixedSizes(2), 4_000, rng=1)  # a boundary at every second place
    p, d = 0.3, 0.5
    agreed = ss.agreement(coders(ref, Errors(misses=p), 2, rng=1), "s", n_resamples=10)
    by_hand = 1 - 2 * p * (1 - p) * d / (1 - ((1 - p) * d) ** 2)
    assert agreed.pi == pytest.approx(by_hand, abs=0.02)


# ---- errors ----


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Errors(placement="here"), "placement is 'here'"),  # type: ignore[arg-type]
        (lambda: references(5, 3, rng=1), "sizes is 5: expected UniformSizes"),  # type: ignore[arg-type]
        (lambda: references(FixedSizes(2), 10**6, 10**6, rng=1), "at most 100000000 segments"),
        (lambda: hypotheses([REF, 3], Errors(), rng=1), r"refs\[1\] is 3: expected a Segm"),  # type: ignore[list-item]
        (lambda: hypotheses(REF, Errors(), 10**9, rng=1), "would take 96 GB"),
    ],
)
def test_errors(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()


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
some_rooms = st.lists(st.tuples(st.integers(-9, 0), st.integers(0, 9)), min_size=1)


def draw(offsets: Offsets, low: int, high: int, count: int = 20_000, seed: int = 1) -> np.ndarray:
    return offsets.draw(np.full(count, low), np.full(count, high), np.random.default_rng(seed))


@pytest.mark.parametrize("offsets", KINDS, ids=str)
@given(given_rooms=some_rooms, seed=st.integers(0, 99))
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
def test_distributions_that_are_none(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()
