"""Chance: where it comes from, and the numbers that say how likely something is, checked."""

from typing import Any

import numpy as np

from segscore._integers import shown, whole_number
from segscore.errors import SegmentationError

Seed = int | np.random.Generator


def generator(seed: Any) -> np.random.Generator:
    """Chance itself, or chance that starts from a whole number."""
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(whole_number(seed, "seed", 0))


def number(value: Any, what: str, expected: str) -> float:
    """A finite number; a bool is none."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
        raise SegmentationError(f"{what} is {shown(value)}: expected {expected}")
    if not np.isfinite(value):
        raise SegmentationError(f"{what} is {value}: expected {expected}")
    return float(value)


def probability(value: Any, what: str) -> float:
    """A number from 0 to 1."""
    made = number(value, what, "a number 0 … 1")
    if not 0 <= made <= 1:
        raise SegmentationError(f"{what} is {value}: expected a number 0 … 1")
    return made
