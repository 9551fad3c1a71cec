"""Random codings: every choice equally likely, what is kept is kept, draws depend on nothing else."""

from collections import Counter
from itertools import combinations, permutations
from math import comb, factorial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import segscore as ss
from segscore._kernels import random_places
from segscore.coders import coder_pairs as random
from segscore.coders.coder_pairs import NULLS, Null, RandomCodings, random_pairs
from segscore.corpus.codings import Codings
from strategies import segmentations

seg = ss.Segmentation.from_boundaries
DRAWS = 20_000


def random_codings(codings: list[ss.Segmentation], null: Any, seed: int) -> RandomCodings:
    names = [str(number) for number in range(len(codings))]
    return RandomCodings(Codings.of_segmentations(names, "it", codings), null, seed)


def counted(coding: ss.Segmentation, null: Null, draws: int = DRAWS, seed: int = 0) -> Counter:
    made = random_codings([coding], null, seed).drawn(0, draws)[0]
    return Counter(map(tuple, made.tolist()))


def p_of_equal(counts: Counter, n: int) -> float:
    """χ² of "all n outcomes are equally likely"."""
    assert len(counts) <= n
    return float(chisquare([*counts.values(), *[0] * (n - len(counts))]).pvalue)


# ---- uniform ----


@pytest.mark.parametrize(
    ("n_units", "n_boundaries"), [(9, 1), (9, 3), (9, 4), (9, 5), (9, 7), (6, 5), (40, 2), (30, 27)]
)
def test_each_choice_of_positions_is_equally_likely(n_units: int, n_boundaries: int) -> None:
    counts = counted(seg(range(1, n_boundaries + 1), n_units), "positions")
    assert all(list(positions) == sorted(set(positions)) for positions in counts)
    assert all(positions[0] >= 1 and positions[-1] < n_units for positions in counts)
    places = comb(n_units - 1, n_boundaries)
    assert places == 1 or p_of_equal(counts, places) > 1e-3


@pytest.mark.parametrize("n_units", [100, 10**6, 2**32 - 1, 2**32 + 1, 10**12, 2**53])
def test_positions_are_spread_evenly_over_any_number_of_places(n_units: int) -> None:
    coding = seg(range(1, 6), n_units)
    made = random_codings([coding], "positions", 3).drawn(0, 4000)[0]
    assert (np.diff(made, axis=1) > 0).all()
    assert made.min() >= 1
    assert made.max() <= n_units - 1
    tenth = np.bincount((made.ravel() - 1) * 10 // (n_units - 1), minlength=10)
    expected = np.diff(np.ceil(np.arange(11) * (n_units - 1) / 10)) * made.size / (n_units - 1)
    assert chisquare(tenth, expected).pvalue > 1e-3


@pytest.mark.parametrize("masses", [[1, 2, 3], [1, 1, 2, 3], [1, 2, 3, 4], [5, 1]])
def test_each_order_of_lengths_is_equally_likely(masses: list[int]) -> None:
    counts = counted(ss.Segmentation.from_masses(masses), "lengths")
    orders = {tuple(np.cumsum(order)[:-1].tolist()) for order in permutations(masses)}
    assert set(counts) == orders
    assert p_of_equal(counts, len(orders)) > 1e-3


@pytest.mark.parametrize("null", NULLS)
def test_types_are_shuffled_over_the_boundaries(null: Null) -> None:
    types = [{"a"}, {"b"}, {"a", "c"}]
    typed = seg([2, 5, 6], 11, types=types)
    positions, order = random_codings([typed], null, 1).drawn(0, DRAWS)
    counts = Counter(map(tuple, order.tolist()))
    assert set(counts) == set(permutations(range(3)))
    assert p_of_equal(counts, factorial(3)) > 1e-3
    # where a boundary goes says nothing about whose types it gets
    first = positions[order[:, 0] == 0, 0].mean()
    assert first == pytest.approx(positions[:, 0].mean(), abs=0.15)


# ---- what is kept ----


@pytest.mark.parametrize("null", NULLS)
def test_candidates_are_the_only_places(null: Null) -> None:
    coding = seg([3, 9], 20, candidates=[3, 4, 9, 15, 16])
    counts = counted(coding, null)
    if null == "positions":
        assert set(counts) == set(combinations([3, 4, 9, 15, 16], 2))
        assert p_of_equal(counts, 10) > 1e-3
    else:  # pieces: 1, 2 and 3 long
        ends = {(1, 3), (1, 4), (2, 3), (2, 5), (3, 4), (3, 5)}
        named = {0: 0, 1: 3, 2: 4, 3: 9, 4: 15, 5: 16}
        assert set(counts) == {tuple(named[i] for i in pair) for pair in ends}
        assert p_of_equal(counts, 6) > 1e-3


@given(st.integers(1, 30).flatmap(segmentations), st.sampled_from(NULLS), st.integers(0, 99))
def test_counts_and_lengths_are_kept(one: ss.Segmentation, null: Null, seed: int) -> None:
    codings = random_codings([one], null, seed)
    for row in codings.drawn(0, 5)[0]:
        made = seg(row, one.n_units)  # refuses what is no segmentation
        assert made.n_segments == one.n_segments
        if null == "lengths":
            assert sorted(made.masses) == sorted(one.masses)
    if not codings.can_move[0]:
        assert {tuple(row) for row in codings.drawn(0, 5)[0]} == {tuple(one.boundaries)}


# ---- what draws depend on ----


def test_a_draw_depends_on_seed_coding_and_number_alone() -> None:
    codings = [seg([2, 5, 9], 30), seg([1], 30), seg([4, 8, 12, 16], 30)]
    made = random_codings(codings, "positions", 5)
    ten = made.drawn(0, 10)[0]
    assert (made.drawn(7, 3)[0] == ten[7:]).all()
    assert (random_codings(codings[:2], "positions", 5).drawn(0, 10)[0] == ten[:, :4]).all()
    assert not (random_codings(codings, "positions", 6).drawn(0, 10)[0] == ten).all()
    assert len({tuple(row) for row in ten}) == 10


def test_batches_hold_all_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    left = [seg([2, 5], 9, types=["a", "b"]), seg([], 4), seg([1, 2], 4, types=["a", "a"])]
    right = [seg([3], 9, types=["b"]), seg([2], 4), seg([3], 4, types=["c"])]
    left[1], right[1] = seg([], 4, types=[]), seg([2], 4, types=["a"])
    base = ss.Pairs.from_segmentations(left, right)
    codings = random_codings([*left, *right], "positions", 0)
    sides = np.array([3, 4, 5]), np.array([0, 1, 2])
    ((_, _, whole),) = random_pairs(base, codings, 7, *sides)
    monkeypatch.setattr(random, "_CELLS", 100)
    parts = list(random_pairs(base, codings, 7, *sides))
    assert len(parts) > 1
    assert sum(count for _, count, _ in parts) == 7
    rows = [batch.reference(i) for _, _, batch in parts for i in range(len(batch))]
    assert rows == [whole.reference(i) for i in range(21)]
    for i, coding in enumerate(rows):
        source = left[i % 3]
        assert coding.n_units == source.n_units
        assert sorted(map(sorted, coding.types or ())) == sorted(map(sorted, source.types or ()))


def test_only_hypotheses_move_where_references_are_fixed() -> None:
    refs = [[seg([2, 5], 9, ranks=[2, 1]), seg([3], 9)], [seg([2], 4)]]
    base = ss.Pairs.from_segmentations(refs, [seg([4], 9, ranks=[2]), seg([1], 4)])
    codings = random_codings([base.hypothesis(0), base.hypothesis(1)], "positions", 0)
    ((_, _, made),) = random_pairs(base, codings, 5, np.array([0, 1]))
    assert len(made) == 10
    for i in range(10):
        assert made.references(i) == base.references(i % 2)
        assert made.hypothesis(i).n_segments == 2
        assert made.hypothesis(i).ranks.tolist() == [2 if i % 2 == 0 else 1]


def test_ranks_are_shuffled_over_the_drawn_boundaries() -> None:
    """Ranks were dropped once. Positions are those of the same coding without ranks."""
    coding = seg([2, 5, 9, 11], 14, ranks=[1, 2, 2, 3])
    plain = random_codings([seg([2, 5, 9, 11], 14)], "positions", 3)
    base = ss.Pairs.from_segmentations([coding], [coding])
    codings = random_codings([coding], "positions", 3)
    both = np.array([0])
    ((_, _, made),) = random_pairs(base, codings, 600, both, both)
    assert made.hyp_positions.reshape(600, 4).tolist() == plain.drawn(0, 600)[0].tolist()
    ranks = made.hyp_ranks.reshape(600, 4)
    assert (np.sort(ranks, axis=1) == [1, 2, 2, 3]).all()
    assert made.ref_ranks.tolist() == made.hyp_ranks.tolist()  # one coding is the same in all pairs
    orders = Counter(map(tuple, ranks.tolist()))
    assert len(orders) == 12
    assert p_of_equal(orders, 12) > 1e-3
    full = seg([1, 2], 3, ranks=[1, 2])  # no place is left, and yet ranks can move
    assert random_codings([full], "positions", 0).can_move.tolist() == [True]
    assert random_codings([seg([1, 2], 3, ranks=[1, 1])], "positions", 0).can_move.tolist() == [
        False
    ]


def test_the_kernel_refuses_columns_that_do_not_fit() -> None:
    def call(**other: object) -> None:
        given: dict[str, object] = {
            "n_places": np.array([4]), "offsets": np.array([0, 2]), "places": np.array([1, 3]),
            "candidate_offsets": np.array([0, 0]), "candidates": np.empty(0, np.int64),
            "positions": np.empty((2, 2), np.int64), "order": np.empty((2, 2), np.int64),
            "stop": 1, **other,
        }  # fmt: skip
        random_places.draw(start=0, lengths=False, key=1, first_draw=0, ordered=True, **given)

    call()
    wrong: list[dict[str, object]] = [
        {"stop": 2},
        {"n_places": np.array([1])},
        {"offsets": np.array([0, 3])},
        {"offsets": np.array([0, 1, 2])},
        {"candidate_offsets": np.array([0, 1]), "candidates": np.array([2])},
        {"positions": np.empty((2, 1), np.int64)},
        {"order": np.empty((1, 2), np.int64)},
    ]
    for arguments in wrong:
        with pytest.raises(ValueError, match="coding|offsets|positions|order"):
            call(**arguments)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ss.SegmentationError, match="null is 'places'"):
        random_codings([], "places", 0)  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="seed is -1"):
        random_codings([], "positions", -1)
    with pytest.raises(ss.SegmentationError, match="draws is 1: expected 2"):
        random.checked_draws(1, 10)
    assert random.checked_draws(None, 10**9) == 20
