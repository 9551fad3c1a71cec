"""Kernels look at the length of their arrays before they touch them, even without Pairs."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from segscore._kernels import (
    dirichlet,
    distance,
    edits,
    hierarchy,
    levels,
    matching,
    multiple,
    nested_ranking,
    one_pass,
    overlap,
    random_places,
    ranking,
    segment_labels,
    segment_matching,
    typed_edits,
    window,
)

WHOLE = np.int64
RULE = (0, 0, 1, 0, 0)
PRICES = (np.array([0.0, 0.5]), 0.0, 0.5, 1.0)
TYPES = tuple(np.array(column, WHOLE) for column in ([0, 1, 2, 3], [0, 1, 0]) * 2)
OPTIONS = (2, False, True, False, 1.0, 0.0, True, 0.0, 0.5, 1.0)
NONE = (np.zeros(3, WHOLE), np.zeros(0, WHOLE))
ONE_EACH = np.arange(3)
CODES = np.array([0, 1, 0, 2, 1], np.int32)


def columns() -> dict[str, Any]:
    return {
        "start": 0,
        "stop": 2,
        "n_units": np.array([11, 4], WHOLE),
        "ref_offsets": np.array([0, 2, 3], WHOLE),
        "ref_positions": np.array([2, 5, 2], WHOLE),
        "hyp_offsets": np.array([0, 2, 3], WHOLE),
        "hyp_positions": np.array([2, 6, 1], WHOLE),
    }


LEVELS = (
    np.ones(3, np.int32), np.ones(3, np.int32), *NONE, *NONE,
    np.array([0, 1, 2], WHOLE), np.array([2, 1], WHOLE), np.array([2, 1], WHOLE),
    (0, 0, 1.0, 1.0), np.zeros(2),
)  # fmt: skip


def one_step(*arguments: Any) -> None:
    """The pass that metrics share, with a single step."""
    *columns_, step, out = arguments
    one_pass.rows(*columns_, (step,), (out,))


KERNELS: dict[str, tuple[Any, int, tuple[Any, ...]]] = {
    "pk": (one_step, 3, (("pk", RULE),)),
    "window_diff": (one_step, 3, (("window_diff", RULE, False),)),
    "winpr": (one_step, 8, (("winpr", RULE),)),
    "exact match": (one_step, 3, (("match",),)),
    "b of neighbours": (one_step, 7, (("boundary_similarity", True, 0.5, 1.0),)),
    "match": (matching.boundary_match, 3, (np.array([1, 1], WHOLE),)),
    "near": (matching.boundaries_near, 4, (np.array([1, 1], WHOLE), True, False)),
    "sizes, pk": (window.rows_of_sizes, 2, (np.array([2, 1], WHOLE), False, False)),
    "sizes, wd": (window.rows_of_sizes, 2, (np.array([2, 1], WHOLE), True, True)),
    "overlap": (overlap.overlap, 10, ()),
    "pd": (overlap.pd, 2, (0.0,)),
    "nearest": (distance.nearest_boundaries, 4, ()),
    "ghd": (distance.ghd, 2, (2.0, 2.0, 1.0)),
    "s": (edits.segmentation_similarity, 2, (2, *PRICES)),
    "b": (edits.boundary_similarity, 7, (3, *PRICES)),
    "typed s": (typed_edits.segmentation_similarity, 2, (*TYPES, OPTIONS, np.arange(2), PRICES[0])),
    "typed b": (typed_edits.boundary_similarity, 7, (*TYPES, OPTIONS, np.arange(2), PRICES[0])),
    "multiple": (multiple.multiple_window_diff, 5, (ONE_EACH, np.array([2, 1], WHOLE), 0)),
    "hierarchy": (hierarchy.expected_errors, 2, LEVELS),
    "segments": (segment_matching.segment_match, 4, (CODES, CODES, 2, 1, 2, False, 2)),
    "pieces": (segment_labels.label_pieces, 1, (CODES, CODES, np.zeros((8, 3), WHOLE))),
    "label edits": (segment_labels.label_edit, 3, (CODES, CODES)),
    "label pairs": (segment_labels.label_pairs, 3, (CODES, CODES)),
    "label units": (segment_labels.label_units, 2, (CODES, CODES)),
    "label shares": (
        segment_labels.label_shares, 2, (CODES, CODES, np.ones(8), np.ones(5), np.ones(5))
    ),
}  # fmt: skip

WRONG = [
    {"start": -1},
    {"start": 2, "stop": 1},
    {"stop": 3},
    {"n_units": np.array([11], WHOLE)},
    {"ref_offsets": np.array([0, 2], WHOLE)},
    {"ref_offsets": np.array([0, 10**7, 3], WHOLE)},
    {"ref_offsets": np.array([0, 2, 10**7], WHOLE)},
    {"ref_offsets": np.array([-5, 2, 3], WHOLE)},
    {"ref_positions": np.array([2, 5], WHOLE)},
    {"hyp_offsets": np.array([0, 2], WHOLE)},
    {"hyp_offsets": np.array([0, 10**7, 3], WHOLE)},
    {"hyp_offsets": np.array([0, 2, 4], WHOLE)},
    {"hyp_positions": np.zeros(0, WHOLE)},
]


@pytest.mark.parametrize("name", KERNELS)
def test_arrays_that_are_too_short(name: str) -> None:
    kernel, width, more = KERNELS[name]
    out = np.zeros((2, width))
    kernel(*columns().values(), *more, out)
    assert out.any()
    for change in WRONG:
        with pytest.raises(IndexError):
            kernel(*{**columns(), **change}.values(), *more, np.zeros((2, width)))
    for shape in ((1, width), (2, width - 1)):
        with pytest.raises(IndexError):
            kernel(*columns().values(), *more, np.zeros(shape))


LABELLED = ("segments", "pieces", "label edits", "label pairs", "label units", "label shares")


def replaced(values: tuple[Any, ...], index: int, other: Any) -> tuple[Any, ...]:
    return (*values[:index], other, *values[index + 1 :])


@pytest.mark.parametrize(
    ("name", "index", "other"),
    [
        ("sizes, pk", 0, np.array([2], WHOLE)),
        *product(LABELLED, (0, 1), (CODES[:4],)),
        ("pieces", 2, np.zeros((7, 3), WHOLE)),
        ("pieces", 2, np.zeros((8, 4), WHOLE)),
        ("label shares", 2, np.ones(7)),
        ("label shares", 3, np.ones(4)),
        ("label shares", 4, np.ones(4)),
        ("multiple", 0, np.array([0, 1, 3])),
        ("multiple", 0, np.array([0, 1])),
        ("multiple", 1, np.array([2])),
        ("typed b", 0, np.array([0, 1, 2])),
        ("typed b", 0, np.array([0, 1, 2, 9])),
        ("typed b", 1, np.array([0, 1])),
        ("typed b", 1, np.array([0, 1, 2])),
        ("typed b", 3, np.array([0, -1, 1])),
        ("hierarchy", 0, np.ones(2, np.int32)),
        ("hierarchy", 1, np.zeros(3, np.int32)),
        ("hierarchy", 2, np.zeros(2, WHOLE)),
        ("hierarchy", 2, np.array([0, 4, 4])),
        ("hierarchy", 6, np.array([0, 1, 3])),
        ("hierarchy", 8, np.array([2])),
        ("hierarchy", 10, np.zeros(1)),
        ("b", 1, np.zeros(1)),
    ],
)
def test_further_arrays_that_are_too_short(name: str, index: int, other: Any) -> None:
    kernel, width, more = KERNELS[name]
    with pytest.raises(IndexError):
        kernel(*columns().values(), *replaced(more, index, other), np.zeros((2, width)))


def test_sizes_and_candidates() -> None:
    with pytest.raises(IndexError):
        window.sizes(np.array([5]), np.array([1, 1]), RULE, np.zeros(2, WHOLE))
    sides = list(columns().values())[3:]
    assert hierarchy.first_misfit(*sides, *NONE, *NONE) == (-1, 0, 0)
    with pytest.raises(IndexError):
        hierarchy.first_misfit(*sides, np.array([0, 5, 5]), np.zeros(1, WHOLE), *NONE)


@pytest.mark.parametrize("name", ["pieces", "label edits", "label pairs", "label units"])
def test_labels_of_offsets_that_fall(name: str) -> None:
    """Labels are as many as the last offset says; one before it must not lead further."""
    kernel, width, more = KERNELS[name]
    offsets, positions = np.array([0, 400, 3], WHOLE), np.arange(1, 401)
    for side in ("ref", "hyp"):
        given = {**columns(), f"{side}_offsets": offsets, f"{side}_positions": positions}
        with pytest.raises(IndexError, match="fall"):
            kernel(*given.values(), *more, np.zeros((2, width)))


def whole(*numbers: int) -> Any:
    return np.array(numbers, WHOLE)


MORE: dict[str, tuple[Any, tuple[Any, ...], list[tuple[int, Any]]]] = {
    # a kernel, its arguments, and which are refused
    "near": (
        matching.near_ranges,
        (whole(0, 2, 3), whole(2, 5, 2), whole(0, 2, 3), whole(2, 6, 1), 1, whole(0, 0, 0),
         whole(0, 0, 0)),
        [(0, whole(0, 2, 4)), (0, whole(0, 3, 2)), (1, whole(2, 5)), (2, whole(0, 2)),
         (2, whole(0, 2, 4)), (3, whole(2, 6)), (5, whole(0, 0)), (6, whole(0, 0))],
    ),
    "average precision": (
        ranking.average_precisions,
        (whole(0, 0), np.ones(2), np.ones(2), np.ones(2, np.uint8), np.ones(1), np.ones((1, 1)),
         np.zeros(1)),
        [(0, whole(0, 1)), (0, whole(-1, 0)), (1, np.ones(1)), (2, np.ones(1)),
         (3, np.ones(1, np.uint8)), (5, np.ones((1, 0))), (6, np.zeros(0))],
    ),
    "random places": (
        random_places.draw,
        (0, 1, whole(4), whole(0, 2), whole(1, 3), whole(0, 0), whole(), False, 1, 0, True,
         np.zeros((2, 2), WHOLE), np.zeros((2, 2), WHOLE)),
        [(1, 2), (2, whole(1)), (3, whole(0, 3)), (3, whole(0, 1, 2)), (5, whole(0, 1)),
         (11, np.zeros((2, 1), WHOLE)), (12, np.zeros((1, 2), WHOLE))],
    ),
    "levels": (
        nested_ranking.ordered_pairs,
        (0, 1, whole(5), whole(0, 1), whole(2), whole(0, 1), whole(3), whole(0, 2), whole(0, 1),
         whole(0, 2), whole(0, 1), -1, False, np.zeros((1, 4))),
        [(1, 2), (7, whole(0, 3)), (7, whole(0, 1)), (7, whole(0)), (8, whole(0)),
         (9, whole(0, 0)), (10, whole())],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MORE)
def test_arrays_of_other_kernels(name: str) -> None:
    kernel, fine, changes = MORE[name]
    for index, other in changes:
        with pytest.raises((IndexError, ValueError)):
            kernel(*replaced(fine, index, other))
    kernel(*fine)
    assert fine[-1].any()


# ---- kernels of the Bayesian segmenters refuse arrays that do not go together ----


def of_unit(**other: Any) -> dict[str, Any]:
    """Two units that hold the same single word."""
    return {
        "unit": 1,
        "prior": 0.5,
        "offsets": np.array([0, 1, 2], WHOLE),
        "entries": np.array([0, 1], WHOLE),
        "units": np.array([0, 1], WHOLE),
        "counts": np.ones(2),
        "firsts": np.zeros(2, WHOLE),
        "steps": np.zeros(2),
        "gained": np.zeros(2),
        **other,
    }


def of_sweep(**other: Any) -> dict[str, Any]:
    """Three tokens, two entries, two levels of one segment each."""
    return {
        "entries": np.array([0, 0, 1], WHOLE),
        "pairs": np.array([[0, 1], [2, 3]], WHOLE),
        "segments": np.array([[0, 0], [1, 1]], WHOLE),
        "priors": np.ones(2),
        "n_words": 2.0,
        "beta": 1.0,
        "shares": np.full((3, 2), 0.5),
        "pair_counts": np.array([1.0, 0.5, 1.0, 0.5]),
        "segment_counts": np.array([1.5, 1.5]),
        "level_counts": np.array([1.5, 1.5]),
        **other,
    }


def test_what_goes_together_is_taken() -> None:
    given = of_unit()
    dirichlet.add_unit(**given)
    assert given["gained"] == pytest.approx(
        [np.log(1.5), np.log(0.5)]
    )  # Γ(2.5)/Γ(1.5), Γ(1.5)/Γ(.5)
    assert not given["steps"].any()
    given = of_sweep()
    levels.sweep(**given)
    assert given["shares"] == pytest.approx(np.full((3, 2), 0.5))  # levels alike
    levels.best_totals(np.zeros((3, 3)), 3, np.zeros((3, 3)))


@pytest.mark.parametrize(
    "other",
    [
        {"unit": 2},
        {"unit": -1},
        {"steps": np.zeros(1)},
        {"gained": np.zeros(1)},
        {"offsets": np.array([0, 1], WHOLE)},
        {"counts": np.ones(1)},
        {"firsts": np.zeros(3, WHOLE)},
        {name: np.zeros(0, WHOLE) for name in ("entries", "units", "firsts")}
        | {"counts": np.zeros(0)},
    ],
    ids=str,
)
def test_units_outside_of_arrays(other: dict[str, Any]) -> None:
    with pytest.raises(IndexError):
        dirichlet.add_unit(**of_unit(**other))


@pytest.mark.parametrize(
    "other",
    [
        {"pairs": np.zeros((1, 2), WHOLE)},
        {"segments": np.zeros((1, 2), WHOLE)},
        {"segments": np.zeros((2, 1), WHOLE)},
        {"priors": np.ones(1)},
        {"level_counts": np.ones(1)},
        {"shares": np.ones((2, 2))},
        {"shares": np.ones((3, 3))},
    ],
    ids=str,
)
def test_levels_that_do_not_go_together(other: dict[str, Any]) -> None:
    with pytest.raises(IndexError):
        levels.sweep(**of_sweep(**other))


@pytest.mark.parametrize(
    ("gains", "n_starts", "best"),
    [((3, 2), 1, (1, 3)), ((3, 3), 1, (1, 2)), ((3, 3), 2, (1, 3)), ((3, 3), -1, (1, 3))],
)
def test_totals_without_room(gains: tuple[int, int], n_starts: int, best: tuple[int, int]) -> None:
    with pytest.raises(IndexError):
        levels.best_totals(np.zeros(gains, np.float64), n_starts, np.zeros(best, np.float64))
