"""Edits drawn as text."""

from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.metrics.edit_views import WIDTH
from strategies import Point, typed_points, with_types

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
