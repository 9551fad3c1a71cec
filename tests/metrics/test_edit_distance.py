"""Boundary edits: against brute force and an assignment solver, symmetric, leftmost, at scale."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segscore as ss
from oracles import edits as oracle
from segscore.metrics.edit_views import WIDTH
from strategies import Point, typed_points, with_types, without_types

Side = frozenset[Point]


def pairs_of(edits: ss.metrics.BoundaryEdits) -> list[oracle.Pair]:
    """Transpositions and substitutions as the oracle writes them."""
    near = [((edit.a, edit.type or 0), (edit.b, edit.type or 0)) for edit in edits.transpositions]
    swapped = [((edit.position, edit.a), (edit.position, edit.b)) for edit in edits.substitutions]
    return sorted((min(pair), max(pair)) for pair in [*near, *swapped])  # type: ignore[type-var]


def untyped(points: Side) -> Side:
    """All points of one type, 0."""
    return frozenset((position, 0) for position, _ in points)


def width_of(ref: Side, hyp: Side, substitution: str) -> int | None:
    """The width of the scale, for the oracle."""
    kinds = {kind for _, kind in ref | hyp}
    if substitution == "unit" or len(kinds) < 2:
        return None
    return max(kinds) - min(kinds)


# ---- the optimum ----


@given(typed_points(16, 1, most_alone=6), st.integers(1, 9))
def test_one_type_equals_brute_force(case: Any, n_t: int) -> None:
    n, ref, hyp = case
    edits = ss.boundary_edits(without_types(n, ref), without_types(n, hyp), n_t)
    assert pairs_of(edits) == oracle.optimal(untyped(ref), untyped(hyp), n_t)
    assert len(edits.matches) == len(ref & hyp)
    assert len(edits.additions) == len(ref ^ hyp) - 2 * len(edits.transpositions)
    assert not edits.substitutions


@given(typed_points(10, 4, most_alone=6), st.integers(1, 8), st.sampled_from(["ordinal", "unit"]))
@settings(max_examples=5 * settings.default.max_examples)
def test_several_types_equal_brute_force(case: Any, n_t: int, substitution: Any) -> None:
    n, ref, hyp = case
    edits = ss.boundary_edits(
        with_types(n, ref), with_types(n, hyp), n_t, substitution=substitution
    )
    width = width_of(ref, hyp, substitution)
    assert pairs_of(edits) == oracle.optimal(ref, hyp, n_t, width)
    assert {(match.position, match.type) for match in edits.matches} == ref & hyp
    alone = {(addition.position, addition.type, addition.side) for addition in edits.additions}
    paired = {point for pair in pairs_of(edits) for point in pair}
    assert alone == {(*point, "a") for point in ref - hyp - paired} | {
        (*point, "b") for point in hyp - ref - paired
    }


@given(typed_points(40, 5), st.integers(2, 8), st.sampled_from(["ordinal", "unit"]))
def test_several_types_equal_assignment(case: Any, n_t: int, substitution: Any) -> None:
    n, ref, hyp = case
    edits = ss.boundary_edits(
        with_types(n, ref), with_types(n, hyp), n_t, substitution=substitution
    )
    width = width_of(ref, hyp, substitution)
    pairs, cost, squares, *_ = oracle.rank(pairs_of(edits), n_t, width)
    assert (-pairs, cost, squares) == oracle.optimal_rank_by_assignment(ref, hyp, n_t, width)


@pytest.mark.parametrize("n_t", [3, 4, 6, 10])
def test_dense_documents_equal_assignment(n_t: int) -> None:
    """Many boundaries in reach of each other: long alternating chains, many ties."""
    rng = np.random.default_rng(n_t)
    for density in (0.3, 0.5, 0.8):
        for n_types in (1, 3):
            marks = rng.random((2, 70, n_types)) < density / n_types
            ref, hyp = (
                frozenset((int(p) + 1, int(t) + 1) for p, t in np.argwhere(side)) for side in marks
            )
            edits = ss.boundary_edits(with_types(80, ref), with_types(80, hyp), n_t)
            width = width_of(ref, hyp, "ordinal")
            pairs, cost, squares, *_ = oracle.rank(pairs_of(edits), n_t, width)
            best = oracle.optimal_rank_by_assignment(ref, hyp, n_t, width)
            assert (-pairs, cost, squares) == best


def test_squared_distances_settle_equal_spans() -> None:
    """{6,7}·{3,8,9}: 2+2 and 3+1 have the same span; the even distances are taken."""
    a, b = (ss.Segmentation.from_boundaries(places, 12) for places in ({6, 7}, {3, 8, 9}))
    edits = ss.boundary_edits(a, b, n_t=4)
    assert [(edit.a, edit.b) for edit in edits.transpositions] == [(6, 8), (7, 9)]


def test_leftmost_settles_what_is_left() -> None:
    a, b = (ss.Segmentation.from_boundaries(places, 9) for places in ({5}, {4, 6}))
    assert ss.boundary_edits(a, b).transpositions == ((5, 4, None),)
    assert ss.boundary_edits(a, b).additions == ((6, None, "b"),)


@given(typed_points(16, 1, most_alone=6), st.integers(2, 9))
def test_distances_beyond_64_bits_when_squared(case: Any, n_t: int) -> None:
    """Positions and reach times 2^45 give the same pairs."""
    n, ref, hyp = case
    unit = 2**45
    far = [
        ss.Segmentation.from_boundaries([p * unit for p, _ in sorted(side)], n * unit)
        for side in (ref, hyp)
    ]
    near = ss.boundary_edits(without_types(n, ref), without_types(n, hyp), n_t)
    edits = ss.boundary_edits(far[0], far[1], (n_t - 1) * unit + 1)
    assert [(edit.a // unit, edit.b // unit) for edit in edits.transpositions] == [
        (edit.a, edit.b) for edit in near.transpositions
    ]


# ---- symmetry ----


@given(typed_points(30, 3), st.integers(1, 9), st.sampled_from(["optimal", "greedy"]))
def test_the_other_way_round(case: Any, n_t: int, method: Any) -> None:
    n, ref, hyp = case
    a, b = with_types(n, ref), with_types(n, hyp)
    there, back = (ss.boundary_edits(*two, n_t, method) for two in ((a, b), (b, a)))
    assert there.matches == back.matches
    assert there.transpositions == tuple((q, p, kind) for p, q, kind in back.transpositions)
    assert there.substitutions == tuple((p, y, x) for p, x, y in back.substitutions)
    other = {"a": "b", "b": "a"}
    assert there.additions == tuple((p, kind, other[side]) for p, kind, side in back.additions)


@given(typed_points(14, 4, most_alone=8), st.integers(1, 8))
def test_greedy_equals_its_transcription(case: Any, n_t: int) -> None:
    n, ref, hyp = case
    edits = ss.boundary_edits(with_types(n, ref), with_types(n, hyp), n_t, "greedy")
    assert pairs_of(edits) == oracle.greedy(ref, hyp, n_t)


def test_greedy_depends_on_the_direction_of_reading() -> None:
    """As segeval chooses: {1,3}·{2,5} has two transpositions; read backwards only one is found."""
    a, b = (ss.Segmentation.from_boundaries(places, 6) for places in ({1, 3}, {2, 5}))
    forwards, backwards = (a, b), (a.mirror(), b.mirror())
    assert ss.boundary_edits(*forwards, 3, "greedy").n_edits == 2
    assert ss.boundary_edits(*backwards, 3, "greedy").n_edits == 3
    assert ss.boundary_edits(*forwards, 3).n_edits == ss.boundary_edits(*backwards, 3).n_edits == 2


# ---- scale ----


def test_a_million_units_of_alternating_boundaries() -> None:
    """One side at odd, one at even positions, a tenth dropped: one chain without a gap."""
    rng = np.random.default_rng(5)
    sides = [np.arange(start, 10**6, 2) for start in (1, 2)]
    a, b = (
        ss.Segmentation.from_boundaries(side[rng.random(side.size) > 0.1], 10**6) for side in sides
    )
    for n_t in (8, 1000):
        score = ss.BoundarySimilarity(n_t)(a, b)
        assert score == pytest.approx(ss.BoundarySimilarity(n_t)(b, a))
        assert score == pytest.approx(ss.BoundarySimilarity(n_t)(a.mirror(), b.mirror()))
        assert 0.6 < score < 1


def test_what_64_bits_cannot_hold_is_refused() -> None:
    far = 2**52
    a, b = (
        ss.Segmentation.from_boundaries([1, far], 2**53, types=kinds) for kinds in ([1, 2], [2, 1])
    )
    with pytest.raises(ss.SegmentationError, match="compared exactly.*64 bits"):
        ss.boundary_edits(a, b, 2**53)
    with pytest.raises(ss.SegmentationError, match="document 0: with n_t=9007199254740992"):
        ss.score([a], [b], ss.BoundarySimilarity(2**53))
    with pytest.raises(ss.SegmentationError, match="this pair: with n_t="):
        ss.BoundarySimilarity(2**53)(a, b)


# ---- costs, kinds, input ----


def test_kinds_and_costs() -> None:
    a = ss.Segmentation.from_boundaries([2, 5, 9], 12, types=["verse", "verse", "stanza"])
    b = ss.Segmentation.from_boundaries([2, 4, 9], 12, types=["verse", "verse", "canto"])
    edits = ss.boundary_edits(a, b, types=("verse", "stanza", "canto"))
    assert edits.matches == ((2, "verse"),)
    assert edits.transpositions == ((5, 4, "verse"),)
    assert edits.substitutions == ((9, "stanza", "canto"),)
    assert edits.additions == ()
    assert edits.n_edits == 2
    assert edits.types == ("verse", "stanza", "canto")
    assert edits.cost() == edits.cost("span") == 0.5 + 0.5
    assert edits.cost("unit", w_sub=0.5, w_s=0.25) == 1 + 0.5 * 0.5 + 0.25
    assert edits.cost("unit", w_trp=0, w_t=0.125) == 0.125 + 0.5
    assert edits.cost(lambda d: d / 4) == 0.25 + 0.5
    unit = ss.boundary_edits(a, b, substitution="unit")
    assert unit.cost("unit") == 2
    assert unit.types == ("canto", "stanza", "verse")


def test_cost_refuses_what_it_does_not_know() -> None:
    edits = ss.boundary_edits(*[ss.Segmentation.from_masses([2, 3])] * 2)
    with pytest.raises(ss.SegmentationError, match="cost is 'cheap'"):
        edits.cost("cheap")  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="w_t is -1"):
        edits.cost(w_t=-1)
    with pytest.raises(ss.SegmentationError, match="w_s is nan"):
        edits.cost(w_s=float("nan"))


# ---- edits drawn as text ----


masses = ss.Segmentation.from_masses


def drawn(edits: ss.metrics.BoundaryEdits) -> list[str]:
    return str(edits).splitlines()


def test_short_documents_are_drawn_whole() -> None:
    edits = ss.boundary_edits(masses([2, 3, 6]), masses([1, 1, 3, 1, 5]))
    assert drawn(edits) == [
        "a  · ·|···|· ·····",
        "b  ·|·|···|·|·····",
        "    A M   M A",
        "2 matches, 0 transpositions, 0 substitutions, 2 additions",
    ]


def test_types_stand_in_brackets() -> None:
    a = ss.Segmentation.from_boundaries([2, 4], 6, types=[{"x", "y"}, "x"])
    b = ss.Segmentation.from_boundaries([2, 5], 6, types=["x", "x"])
    assert drawn(ss.boundary_edits(a, b, substitution="unit")) == [
        "a  ··[x+y]··[x]·   ·",
        "b  ··[x]  ··   ·[x]·",
        "     MA     T   T",
        "1 match, 1 transposition, 0 substitutions, 1 addition",
    ]


def test_long_documents_are_folded_to_what_differs() -> None:
    a = ss.Segmentation.from_boundaries([10, 20, 500, 90_000], 10**5)
    b = ss.Segmentation.from_boundaries([10, 20, 501, 90_000], 10**5)
    assert drawn(ss.boundary_edits(a, b)) == [
        "        500  501",
        "a  ·500·|   ·    ·99499·",
        "b  ·500·    ·|   ·99499·",
        "   2M   T    T   1M",
        "3 matches, 1 transposition, 0 substitutions, 0 additions",
    ]


@given(typed_points(400, 2), st.integers(1, 5))
def test_every_edit_shows_and_no_line_is_too_wide(
    case: tuple[int, frozenset[Point], frozenset[Point]], n_t: int
) -> None:
    n, ref, hyp = case
    edits = ss.boundary_edits(with_types(n, ref), with_types(n, hyp), n_t)
    *lines, _ = drawn(edits)
    assert all(len(line) <= WIDTH + 3 for line in lines)
    letters = "".join(line for line in lines if not line.startswith(("a", "b")))
    for letter, positions in (
        ("T", {p for edit in edits.transpositions for p in (edit.a, edit.b)}),
        ("S", {edit.position for edit in edits.substitutions}),
        ("A", {edit.position for edit in edits.additions}),
    ):
        assert letters.count(letter) == len(positions)
