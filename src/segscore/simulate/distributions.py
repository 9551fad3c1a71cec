"""Distributions that simulations draw from: sizes of segments, and offsets of near misses.

Each is a frozen dataclass whose fields are its parameters. Sizes are whole numbers of units, at
least 1, drawn independently of each other.

An offset says how far, and to which side, a near miss is from its boundary: a whole number other
than 0, negative to the left. Each boundary has its own range `low` … `high` of allowed offsets; the
draw is exact for that range (the conditional distribution), not repeated until it fits. If no
offset is in the range, the boundary is not moved: offset 0.

Sources: Pevzner & Hearst (2002) §4 draw sizes uniformly; their tables are reproduced only if the
upper end of the range is not included (half-open), table 1 of Fournier & Inkpen (2012) only if it
is (closed). Sizes are geometric if there is a boundary at each position with the same probability
(Hearst 1997); empirical sizes are those of real codings (Fournier 2013).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from segscore.basics.arguments import LARGEST, Int64Array, is_whole, number, shown, whole_number
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.simulate.baselines import checked_sizes


def check_kind(value: Any, what: str, kind: Any, expected: str) -> None:
    """Raise for a value of another kind."""
    if not isinstance(value, kind):
        raise SegmentationError(f"{what} is {shown(value)}: expected {expected}")


# ---- sizes of segments ----

LONGEST = 2**40  # units of a segment: a thousand of them still count exactly


class SegmentSizes(ABC):
    """A distribution of segment sizes."""

    @abstractmethod
    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """Draw `count` sizes."""


@dataclass(frozen=True)
class UniformSizes(SegmentSizes):
    """Sizes in a range, all equally likely.

    Parameters
    ----------
    low: the smallest size.
    high: the end of the range, which is not included unless `closed`.
    closed: True includes `high`.

    >>> chance = np.random.default_rng(0)
    >>> sorted(set(UniformSizes(2, 5).draw(99, chance).tolist()))
    [2, 3, 4]
    >>> sorted(set(UniformSizes(2, 5, closed=True).draw(99, chance).tolist()))
    [2, 3, 4, 5]
    """

    low: int
    high: int
    closed: bool = False

    def __post_init__(self) -> None:
        low = whole_number(self.low, "low", 1, LONGEST)
        whole_number(self.high, "high", low + (not self.closed), LONGEST)

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """Draw `count` sizes."""
        return chance.integers(self.low, self.high, count, np.int64, endpoint=self.closed)


@dataclass(frozen=True)
class GeometricSizes(SegmentSizes):
    """P(size) = q·(1-q)^(size-1) with q = 1/mean: a boundary at each position with probability q.

    Parameters
    ----------
    mean: the mean size, at least 1.

    >>> int(GeometricSizes(1).draw(5, np.random.default_rng(0)).sum())
    5
    """

    mean: float

    def __post_init__(self) -> None:
        number(self.mean, "mean", f"a number 1 … {LONGEST}", 1, LONGEST)

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """Draw `count` sizes, at most `LONGEST` each."""
        return np.minimum(chance.geometric(1 / self.mean, count), LONGEST).astype(np.int64)


@dataclass(frozen=True)
class EmpiricalSizes(SegmentSizes):
    """The sizes in a list, each entry equally likely.

    Parameters
    ----------
    sizes: the list; a size that is listed twice is twice as likely.

    >>> sorted(set(EmpiricalSizes([2, 2, 5]).draw(99, np.random.default_rng(0)).tolist()))
    [2, 5]
    """

    sizes: Sequence[int]

    def __post_init__(self) -> None:
        expected = f"segment sizes, whole numbers 1 … {LONGEST}"
        pool = checked_sizes(self.sizes, expected, LONGEST)
        object.__setattr__(self, "sizes", tuple(pool.tolist()))

    @classmethod
    def of(cls, corpus: Corpus) -> "EmpiricalSizes":
        """The sizes of all segments of all coders of a corpus."""
        check_kind(corpus, "corpus", Corpus, "a Corpus, as segscore.read gives it")
        codings = (coding for document in corpus.values() for coding in document.values())
        return cls(np.concatenate([np.empty(0, np.int64), *(each.masses for each in codings)]))  # type: ignore[arg-type]

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """Draw `count` sizes, with replacement."""
        return chance.choice(np.array(self.sizes, np.int64), count)


@dataclass(frozen=True)
class FixedSizes(SegmentSizes):
    """All segments have the same size.

    Parameters
    ----------
    size: number of units.

    >>> FixedSizes(4).draw(3, np.random.default_rng(0))
    array([4, 4, 4])
    """

    size: int

    def __post_init__(self) -> None:
        whole_number(self.size, "size", 1, LONGEST)

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:  # noqa: ARG002
        """Return the size `count` times."""
        return np.full(count, self.size, np.int64)


# ---- offsets of near misses ----

SMALLEST_SD = 0.1  # with a smaller one, an offset of 1 is more than five standard deviations away


class Offsets(ABC):
    """A distribution of offsets."""

    @abstractmethod
    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """Draw an offset for each range, `low` ≤ 0 ≤ `high`; 0 if the range allows none."""


@dataclass(frozen=True)
class UniformOffsets(Offsets):
    """Offsets of 1 … `most` units to the left or to the right, all equally likely.

    Parameters
    ----------
    most: the largest distance, in units.

    >>> UniformOffsets(1).draw(np.array([0, -9]), np.array([9, 0]), np.random.default_rng(0))
    array([ 1, -1])
    """

    most: int = 1

    def __post_init__(self) -> None:
        whole_number(self.most, "most", 1)

    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """Draw an offset for each range."""
        left, right = np.minimum(-low, self.most), np.minimum(high, self.most)
        there = left + right > 0
        drawn = chance.integers(0, np.where(there, left + right, 1)) - left
        return np.where(there, drawn + (drawn >= 0), 0)  # 0 is left out


@dataclass(frozen=True)
class NormalOffsets(Offsets):
    """Offsets from a normal distribution with mean 0, rounded; 0 is drawn again.

    Parameters
    ----------
    sd: standard deviation, in units.

    >>> NormalOffsets(2.0).draw(np.array([0, -1]), np.array([1, 0]), np.random.default_rng(0))
    array([ 1, -1])
    """

    sd: float

    def __post_init__(self) -> None:
        number(self.sd, "sd", f"a number {SMALLEST_SD} … {LARGEST}", SMALLEST_SD, LARGEST)

    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """Draw an offset for each range: first its side, then its distance."""
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
    """Given offsets, with probabilities in proportion to their weights.

    Parameters
    ----------
    weights: the weight of each offset: {-1: 3, 1: 3, 2: 1}.

    >>> WeightedOffsets({2: 1.0}).draw(np.array([-5, -5]), np.array([5, 1]), np.random.default_rng(0))
    array([2, 0])
    """  # noqa: E501

    weights: Mapping[int, float]

    def __post_init__(self) -> None:
        expected = "{offset: weight}, offsets other than 0 and weights above 0"
        weights = self.weights if isinstance(self.weights, Mapping) else {}
        right = (is_whole(offset) and 0 < abs(int(offset)) <= LARGEST for offset in weights)
        if not weights or not all(right):
            raise SegmentationError(f"weights is {shown(self.weights)}: expected {expected}")
        for offset, weight in weights.items():
            number(weight, f"weights[{offset}]", expected, least=5e-324)
        object.__setattr__(self, "weights", dict(sorted(self.weights.items())))

    def __hash__(self) -> int:
        return hash(tuple(self.weights.items()))

    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """Draw an offset for each range."""
        offsets = np.array([*self.weights, 0], np.int64)
        sums = np.concatenate([[0], np.cumsum(list(self.weights.values()))])
        first = np.searchsorted(offsets[:-1], low, side="left")
        end = np.searchsorted(offsets[:-1], high, side="right")
        there = end > first
        at = sums[first] + chance.random(len(low)) * (sums[end] - sums[first])
        index = np.clip(np.searchsorted(sums, at, side="right") - 1, first, end - 1)
        return offsets[np.where(there, index, -1)]
