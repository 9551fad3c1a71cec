"""Baselines: what they promise for any document, the distributions they draw from, errors."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import segscore as ss
from segscore.simulate import baselines

sizes = st.integers(1, 60)


@st.composite
def pieces(draw: st.DrawFn) -> tuple[int, list[int] | None]:
    """A number of units, and candidates or None."""
    n = draw(sizes)
    places = st.lists(st.integers(1, n - 1), unique=True) if n > 1 else st.just([])
    return n, draw(st.none() | places)


def count(n: int, candidates: list[int] | None) -> int:
    return n if candidates is None else len(candidates) + 1


MAKERS: dict[str, Callable[..., ss.Segmentation]] = {
    "none": baselines.none,
    "all": baselines.all,
    "uniform": lambda n, candidates: baselines.uniform(n, 1, candidates=candidates),
    "bisect": baselines.bisect,
    "number": lambda n, candidates: baselines.random(n, n_segments=1, rng=1, candidates=candidates),
    "chance": lambda n, candidates: baselines.random(
        n, probability=0.3, rng=1, candidates=candidates
    ),
    "sizes": lambda n, candidates: baselines.random(n, sizes=[2, 3], rng=1, candidates=candidates),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@given(document=pieces())
@settings(max_examples=30, deadline=None)
def test_every_baseline_keeps_to_its_candidates(
    make: Callable[..., ss.Segmentation], document: tuple[int, list[int] | None]
) -> None:
    n, candidates = document
    segmentation = make(n, candidates=candidates)
    assert segmentation.n_units == n
    everywhere = list(range(1, n)) if candidates is None else sorted(candidates)
    kept = segmentation.candidates
    assert (None if kept is None else kept.tolist()) == (candidates and everywhere)
    assert set(segmentation.boundaries.tolist()) <= set(everywhere)
    if make is baselines.all:
        assert segmentation.boundaries.tolist() == everywhere


# ---- uniform ----


@given(pieces(), st.data())
def test_uniform_is_even(document: tuple[int, list[int] | None], data: st.DataObject) -> None:
    n, candidates = document
    total = count(n, candidates)
    k = data.draw(st.integers(1, total))
    segmentation = baselines.uniform(n, k, candidates=candidates)
    expected = [round(Fraction(i * total, k)) for i in range(1, k)]  # Python rounds half to even
    if candidates is not None:
        expected = [sorted(candidates)[i - 1] for i in expected]
    assert segmentation.boundaries.tolist() == expected
    if candidates is None:
        assert set(segmentation.masses.tolist()) <= {total // k - 1, total // k, total // k + 1}


# ---- bisect ----


def bisected(a: int, b: int, depth: int, found: dict[int, int]) -> dict[int, int]:
    """Carroll's BIN, read literally: cut a … b after ceil((a+b)/2), then both halves."""
    middle = -(-(a + b) // 2)
    if a < middle < b:
        found[middle] = depth
        bisected(a, middle, depth + 1, found)
        bisected(middle, b, depth + 1, found)
    return found


@given(pieces(), st.none() | st.integers(0, 8))
def test_bisect_is_the_recursion(document: tuple[int, list[int] | None], depth: int | None) -> None:
    n, candidates = document
    ranks = bisected(0, count(n, candidates), 1, {})
    expected = {p: rank for p, rank in sorted(ranks.items()) if depth is None or rank <= depth}
    if candidates is not None:
        expected = {sorted(candidates)[p - 1]: rank for p, rank in expected.items()}
    segmentation = baselines.bisect(n, depth, candidates=candidates)
    assert segmentation.ranks is not None
    found = zip(segmentation.boundaries.tolist(), segmentation.ranks.tolist(), strict=True)
    assert dict(found) == expected


# ---- random ----


@given(pieces(), st.integers(0, 2**53), st.data())
def test_random_makes_so_many_segments(
    document: tuple[int, list[int] | None], seed: int, data: st.DataObject
) -> None:
    n, candidates = document
    k = data.draw(st.integers(1, count(n, candidates)))
    segmentation = baselines.random(n, n_segments=k, rng=seed, candidates=candidates)
    assert segmentation.n_segments == k
    assert segmentation == baselines.random(n, n_segments=k, rng=seed, candidates=candidates)


@pytest.mark.parametrize(
    "options", [{"n_segments": 10}, {"probability": 0.2}, {"sizes": [3, 7, 11]}], ids=str
)
def test_the_seed_decides(options: dict[str, Any]) -> None:
    segmentations = [baselines.random(200, rng=seed, **options) for seed in (1, 1, 2)]
    assert segmentations[0] == segmentations[1] != segmentations[2]
    chance = np.random.default_rng(1)
    assert baselines.random(200, rng=chance, **options) == segmentations[0]
    assert baselines.random(200, rng=chance, **options) != segmentations[0]  # a generator moves on


def test_each_choice_of_boundaries_is_equally_likely() -> None:
    chance = np.random.default_rng(0)
    drawn = Counter(
        tuple(baselines.random(7, n_segments=3, rng=chance).boundaries.tolist())
        for _ in range(3000)
    )
    choices = list(combinations(range(1, 7), 2))
    assert set(drawn) == set(choices)
    assert len(choices) == comb(6, 2)
    assert stats.chisquare([drawn[choice] for choice in choices]).pvalue > 1e-3


def test_each_gap_holds_a_boundary_with_the_probability_and_by_itself() -> None:
    chance = np.random.default_rng(0)
    trials, p = 4000, 0.3
    held = np.zeros((trials, 4), bool)
    for trial in range(trials):
        held[trial, baselines.random(5, probability=p, rng=chance).boundaries - 1] = True
    assert np.allclose(held.mean(axis=0), p, atol=4 * (p * (1 - p) / trials) ** 0.5)
    assert np.allclose(np.corrcoef(held.T), np.eye(4), atol=4 / trials**0.5)


@given(sizes, st.lists(st.integers(1, 80), min_size=1, max_size=5), st.integers(0, 100))
def test_sizes_fill_the_document(n: int, pool: list[int], seed: int) -> None:
    *masses, last = baselines.random(n, sizes=pool, rng=seed).masses.tolist()
    assert set(masses) <= set(pool)
    assert last <= max(pool)


# ---- errors ----


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: baselines.none(0), r"n_units is 0: expected 1 … 2\*\*53"),
        (lambda: baselines.uniform(5, 6), "n_segments is 6"),
        (lambda: baselines.bisect(5, -1), "depth is -1: expected 0"),
        (lambda: baselines.random(5, rng=1), "got 0 of n_segments, n_boundaries, probability"),
        (lambda: baselines.random(5, sizes=[3, 0], rng=1), r"sizes\[1\] is 0: expected segment"),
    ],
)
def test_errors(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()


def random_of_each(n_units: list[int], n_segments: list[int], seed: int) -> list[ss.Segmentation]:
    """Drawn by `random_columns`, or one by one if it leaves that to the caller."""
    drawn = baselines.random_columns(n_units, n_segments, seed)
    if drawn is None:
        chance = np.random.default_rng(seed)
        both = zip(n_units, n_segments, strict=True)
        return [baselines.random(n, n_segments=k, rng=chance) for n, k in both]
    parts = np.split(drawn[1], drawn[0][1:-1])
    return [
        ss.Segmentation.from_boundaries(part, n) for part, n in zip(parts, n_units, strict=True)
    ]


documents = st.integers(1, 90).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n)))


@given(st.lists(documents), st.integers(0, 5), st.booleans())
def test_many_at_once_are_those_one_after_the_other(
    asked: list[tuple[int, int]], seed: int, long: bool
) -> None:
    asked = [*asked, (10_001 + long, 700)]  # with one place more NumPy chooses in another way
    chance = np.random.default_rng(seed)
    expected = [baselines.random(n, n_segments=k, rng=chance) for n, k in asked]
    found = random_of_each([n for n, _ in asked], [k for _, k in asked], seed)
    assert found == expected


def uniform_of_each(n_units: list[int], n_segments: list[int]) -> list[list[int]] | None:
    found = baselines.uniform_columns(n_units, n_segments)
    return found and [part.tolist() for part in np.split(found[1], found[0][1:-1])]


@given(st.lists(documents, min_size=1))
def test_uniform_of_many_at_once_is_that_of_each(asked: list[tuple[int, int]]) -> None:
    asked = [*asked, (2**31, 7), (2**31, 1000)]
    expected = [baselines.uniform(n, k).boundaries.tolist() for n, k in asked]
    assert uniform_of_each([n for n, _ in asked], [k for _, k in asked]) == expected
