"""Hypothesis strategies: documents and pairs of segmentations."""

from functools import cache

import numpy as np
from hypothesis import strategies as st

import segscore as ss

# Strategies are made once for each length: to make them takes longer than to draw from them.


@cache
def _of_length(n: int) -> st.SearchStrategy[ss.Segmentation]:
    if n == 1:
        return st.just(ss.Segmentation.from_masses([1]))
    few = st.sets(st.integers(1, n - 1), max_size=12)
    most = few.map(lambda without: set(range(1, n)) - without)
    return st.one_of(few, few, most).map(
        lambda positions: ss.Segmentation.from_boundaries(positions, n)
    )


@cache
def _two_of_length(n: int) -> st.SearchStrategy[tuple[ss.Segmentation, ss.Segmentation]]:
    return st.tuples(_of_length(n), _of_length(n))


def segmentations(
    n_units: int | None = None, max_units: int = 90
) -> st.SearchStrategy[ss.Segmentation]:
    """One segmentation, from empty to full."""
    if n_units is not None:
        return _of_length(n_units)
    return st.integers(1, max_units).flatmap(_of_length)


def pairs(
    min_units: int = 1, max_units: int = 90
) -> st.SearchStrategy[tuple[ss.Segmentation, ss.Segmentation]]:
    """Two segmentations of one document; lengths around a machine word come up often."""
    lengths = st.one_of(
        st.integers(min_units, max_units), st.sampled_from([63, 64, 65]), st.just(min_units)
    )
    return lengths.flatmap(_two_of_length)


def places(segmentation: ss.Segmentation) -> set[int]:
    """Boundaries as a set, for oracles."""
    return set(segmentation.boundaries.tolist())


def short_pairs(
    min_units: int = 2, max_units: int = 18
) -> st.SearchStrategy[tuple[ss.Segmentation, ss.Segmentation]]:
    """Two segmentations of a short document, for oracles that look at every pair of units."""
    return st.integers(min_units, max_units).flatmap(_two_of_length)


Point = tuple[int, int]


@cache
def _points(n: int, kinds: int, most: int | None) -> st.SearchStrategy[frozenset[Point]]:
    points = st.tuples(st.integers(1, n - 1), st.integers(1, kinds))
    return st.frozensets(points, max_size=most)


@st.composite
def typed_points(
    draw: st.DrawFn, max_units: int, max_types: int, most_alone: int | None = None
) -> tuple[int, frozenset[Point], frozenset[Point]]:
    """(N, ref, hyp): two sides as sets of (position, type), types 1 … max_types.

    With `most_alone`, neither side has more points than that which the other lacks.
    """
    n = draw(st.integers(2, max_units))
    kinds = draw(st.integers(1, max_types))
    both = draw(_points(n, kinds, 4))
    ref, hyp = draw(_points(n, kinds, most_alone)), draw(_points(n, kinds, most_alone))
    return n, ref | both, hyp | both


def with_types(n_units: int, points: frozenset[Point]) -> ss.Segmentation:
    """A segmentation with the types of the points."""
    positions = sorted({position for position, _ in points})
    types = [{kind for p, kind in points if p == position} for position in positions]
    return ss.Segmentation.from_boundaries(positions, n_units, types=types)


def without_types(n_units: int, points: frozenset[Point]) -> ss.Segmentation:
    """A segmentation of the positions alone."""
    return ss.Segmentation.from_boundaries({position for position, _ in points}, n_units)


@st.composite
def codings(
    draw: st.DrawFn, max_documents: int = 4, max_coders: int = 5, holes: bool = True
) -> dict[str, dict[str, ss.Segmentation]]:
    """Documents by name, coders by name; with holes, but at least one pair of coders."""
    names = [f"c{i}" for i in range(draw(st.integers(2, max_coders)))]
    documents = {}
    for index in range(draw(st.integers(1, max_documents))):
        n = draw(st.integers(2, 14))
        chosen = set(names) if index == 0 or not holes else draw(st.sets(st.sampled_from(names)))
        documents[f"d{index}"] = {name: draw(segmentations(n)) for name in names if name in chosen}
    return {name: coders for name, coders in documents.items() if coders}


def random_documents(
    n: int, seed: int = 0, longest: int = 60
) -> tuple[list[ss.Segmentation], list[ss.Segmentation]]:
    """Two sides of random documents."""
    rng = np.random.default_rng(seed)
    sides: tuple[list[ss.Segmentation], list[ss.Segmentation]] = ([], [])
    for _ in range(n):
        length = int(rng.integers(8, longest))
        for side in sides:
            cuts = 1 + np.flatnonzero(rng.random(length - 1) < 0.2)
            side.append(ss.Segmentation.from_boundaries(cuts, length))
    return sides
