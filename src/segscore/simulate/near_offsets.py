"""Distributions of offsets: how far, and to which side, a near miss is from its boundary.

An offset is a whole number other than 0, negative to the left. Each boundary has its own range
`low` … `high` of allowed offsets; the draw is exact for that range (the conditional distribution),
not repeated until it fits. If no offset is in the range, the boundary is not moved: offset 0.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from segscore.basics.arguments import Int64Array, number, shown, whole_number
from segscore.errors import SegmentationError

FARTHEST = 2**53  # units, as many as a document may have
SMALLEST_SD = 0.1  # with a smaller one, an offset of 1 is more than five standard deviations away


class Offsets(ABC):
    """A distribution of offsets."""

    @abstractmethod
    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """An offset for each range, `low` ≤ 0 ≤ `high`; 0 if the range has none."""


@dataclass(frozen=True)
class UniformOffsets(Offsets):
    """1 … `most` units to the left or to the right, each equally likely.

    Parameters
    ----------
    most: the largest distance, in units.

    >>> UniformOffsets(1).draw(np.array([0, -9]), np.array([9, 0]), np.random.default_rng(0))
    array([ 1, -1])
    """

    most: int = 1

    def __post_init__(self) -> None:
        if whole_number(self.most, "most", 1) > FARTHEST:
            raise SegmentationError(f"most is {self.most}: expected 1 … {FARTHEST}")

    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """An offset for each range."""
        left, right = np.minimum(-low, self.most), np.minimum(high, self.most)
        there = left + right > 0
        drawn = chance.integers(0, np.where(there, left + right, 1)) - left
        return np.where(there, drawn + (drawn >= 0), 0)  # 0 is left out


@dataclass(frozen=True)
class NormalOffsets(Offsets):
    """A normal number with mean 0, rounded; 0 is drawn again.

    Parameters
    ----------
    sd: standard deviation, in units.

    >>> NormalOffsets(2.0).draw(np.array([0, -1]), np.array([1, 0]), np.random.default_rng(0))
    array([ 1, -1])
    """

    sd: float

    def __post_init__(self) -> None:
        expected = f"a number {SMALLEST_SD} … {FARTHEST}"
        if not SMALLEST_SD <= number(self.sd, "sd", expected) <= FARTHEST:
            raise SegmentationError(f"sd is {self.sd}: expected {expected}")

    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """An offset for each range: first its side, then its distance."""
        # Both sides by the left tail, because small probabilities keep their digits there.
        start = ndtr(-0.5 / self.sd)
        left, right = (start - ndtr((-room - 0.5) / self.sd) for room in (-low, high))
        there = left + right > 0
        to_left = chance.random(len(low)) * (left + right) < left
        room = np.where(to_left, -low, high)
        tail = start - chance.random(len(low)) * np.where(to_left, left, right)
        distance = np.clip(np.rint(-self.sd * ndtri(tail)), 1, np.maximum(room, 1))
        return np.where(there, np.where(to_left, -distance, distance), 0).astype(np.int64)


@dataclass(frozen=True)
class WeightedOffsets(Offsets):
    """These offsets, with probabilities in proportion to their weights.

    Parameters
    ----------
    weights: the weight of each offset: {-1: 3, 1: 3, 2: 1}.

    >>> WeightedOffsets({2: 1.0}).draw(np.array([-5, -5]), np.array([5, 1]), np.random.default_rng(0))
    array([2, 0])
    """  # noqa: E501

    weights: Mapping[int, float]

    def __post_init__(self) -> None:
        expected = "{offset: weight}, offsets other than 0 and weights above 0"
        if not isinstance(self.weights, Mapping) or not self.weights:
            raise SegmentationError(f"weights is {shown(self.weights)}: expected {expected}")
        for offset, weight in self.weights.items():
            _check_offset(offset, expected)
            if number(weight, f"weights[{offset}]", expected) <= 0:
                raise SegmentationError(f"weights[{offset}] is {weight}: expected {expected}")
        object.__setattr__(self, "weights", dict(sorted(self.weights.items())))

    def __hash__(self) -> int:
        return hash(tuple(self.weights.items()))

    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """An offset for each range."""
        offsets = np.array([*self.weights, 0], np.int64)
        sums = np.concatenate([[0], np.cumsum(list(self.weights.values()))])
        first = np.searchsorted(offsets[:-1], low, side="left")
        end = np.searchsorted(offsets[:-1], high, side="right")
        there = end > first
        at = sums[first] + chance.random(len(low)) * (sums[end] - sums[first])
        index = np.clip(np.searchsorted(sums, at, side="right") - 1, first, end - 1)
        return offsets[np.where(there, index, -1)]


def _check_offset(offset: Any, expected: str) -> None:
    if isinstance(offset, bool | np.bool_) or not isinstance(offset, int | np.integer):
        raise SegmentationError(f"weights holds offset {shown(offset)}: expected {expected}")
    if offset == 0 or abs(int(offset)) > FARTHEST:
        raise SegmentationError(f"weights holds offset {offset}: expected {expected}")
