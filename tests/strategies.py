"""Hypothesis strategies: documents and pairs of segmentations."""

from hypothesis import strategies as st

import segscore as ss


@st.composite
def segmentations(
    draw: st.DrawFn, n_units: int | None = None, max_units: int = 90
) -> ss.Segmentation:
    """One segmentation, from empty to full."""
    n = draw(st.integers(1, max_units)) if n_units is None else n_units
    if n == 1:
        return ss.Segmentation.from_masses([1])
    some = st.sets(st.integers(1, n - 1), max_size=12)
    most = some.map(lambda without: set(range(1, n)) - without)
    return ss.Segmentation.from_boundaries(draw(st.one_of(some, some, most)), n)


@st.composite
def pairs(
    draw: st.DrawFn, min_units: int = 1, max_units: int = 90
) -> tuple[ss.Segmentation, ss.Segmentation]:
    """Two segmentations of one document; lengths around a machine word come up often."""
    n = draw(
        st.one_of(
            st.integers(min_units, max_units), st.sampled_from([63, 64, 65]), st.just(min_units)
        )
    )
    return draw(segmentations(n)), draw(segmentations(n))


def places(segmentation: ss.Segmentation) -> set[int]:
    """Boundaries as a set, for oracles."""
    return set(segmentation.boundaries.tolist())


def short_pairs(
    min_units: int = 2, max_units: int = 18
) -> st.SearchStrategy[tuple[ss.Segmentation, ss.Segmentation]]:
    """Two segmentations of a short document, for oracles that look at every pair of units."""
    lengths = st.integers(min_units, max_units)
    return lengths.flatmap(lambda n: st.tuples(segmentations(n), segmentations(n)))


Point = tuple[int, int]


@st.composite
def typed_points(
    draw: st.DrawFn, max_units: int, max_types: int, most_alone: int | None = None
) -> tuple[int, frozenset[Point], frozenset[Point]]:
    """(N, ref, hyp): two sides as sets of (position, type), types 1 … max_types.

    With `most_alone`, neither side has more points than that which the other lacks.
    """
    n = draw(st.integers(2, max_units))
    points = st.tuples(st.integers(1, n - 1), st.integers(1, draw(st.integers(1, max_types))))
    both = draw(st.frozensets(points, max_size=4))
    ref, hyp = (
        draw(st.frozensets(points, max_size=most_alone)),
        draw(st.frozensets(points, max_size=most_alone)),
    )
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
    made = {}
    for index in range(draw(st.integers(1, max_documents))):
        n = draw(st.integers(2, 14))
        who = set(names) if index == 0 or not holes else draw(st.sets(st.sampled_from(names)))
        made[f"d{index}"] = {name: draw(segmentations(n)) for name in names if name in who}
    return {name: coders for name, coders in made.items() if coders}
