"""Kernels of the Bayesian segmenters refuse arrays that do not go together."""

from typing import Any

import numpy as np
import pytest

from segscore._kernels import dirichlet, levels

WHOLE, FLOATS = np.int64, np.float64


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
        levels.best_totals(np.zeros(gains, FLOATS), n_starts, np.zeros(best, FLOATS))
