"""Distributions of segment sizes, for simulated references.

Each is a frozen dataclass whose fields are its parameters. Sizes are whole numbers of units, at
least 1, drawn independently of each other.

Sources: Pevzner & Hearst (2002) §4 draw sizes uniformly; their tables are reproduced only if the
upper end of the range is not included (half-open), table 1 of Fournier & Inkpen (2012) only if it
is (closed). Sizes are geometric if there is a boundary at each place with the same probability
(Hearst 1997); empirical sizes are those of real codings (Fournier 2013).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from segscore.basics.arguments import Int64Array, number, packed, shown, unpacked, whole_number
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError

LONGEST = 2**40  # units of a segment: a thousand of them still count exactly


class SegmentSizes(ABC):
    """A distribution of segment sizes."""

    @abstractmethod
    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """So many sizes."""


@dataclass(frozen=True)
class UniformSizes(SegmentSizes):
    """Sizes in a range, each equally likely.

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
        low, high = _size(self.low, "low"), _size(self.high, "high")
        if high < low + (not self.closed):
            least = low if self.closed else low + 1
            raise SegmentationError(
                f"high is {high} and low is {low}: expected high of at least {least}, because high "
                + ("is included" if self.closed else "is not included")
            )

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """So many sizes."""
        return chance.integers(self.low, self.high, count, np.int64, endpoint=self.closed)


@dataclass(frozen=True)
class GeometricSizes(SegmentSizes):
    """P(size) = q·(1-q)^(size-1) with q = 1/mean: a boundary at each place with probability q.

    Parameters
    ----------
    mean: the mean size, at least 1.

    >>> int(GeometricSizes(1).draw(5, np.random.default_rng(0)).sum())
    5
    """

    mean: float

    def __post_init__(self) -> None:
        expected = f"a number 1 … {LONGEST}"
        if not 1 <= number(self.mean, "mean", expected) <= LONGEST:
            raise SegmentationError(f"mean is {self.mean}: expected {expected}")

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """So many sizes, at most `LONGEST` each."""
        return np.minimum(chance.geometric(1 / self.mean, count), LONGEST).astype(np.int64)


@dataclass(frozen=True)
class EmpiricalSizes(SegmentSizes):
    """The sizes of a list, each entry equally likely.

    Parameters
    ----------
    sizes: the list; a size that is listed twice is twice as likely.

    >>> sorted(set(EmpiricalSizes([2, 2, 5]).draw(99, np.random.default_rng(0)).tolist()))
    [2, 5]
    """

    sizes: Sequence[int]

    def __post_init__(self) -> None:
        expected = f"segment sizes, whole numbers 1 … {LONGEST}"
        pool = unpacked(packed(self.sizes, "sizes", expected))
        if not pool.size:
            raise SegmentationError(f"sizes is empty: expected {expected}")
        bad = (pool < 1) | (pool > LONGEST)
        if bad.any():
            first = int(np.argmax(bad))
            raise SegmentationError(f"sizes[{first}] is {pool[first]}: expected {expected}")
        object.__setattr__(self, "sizes", tuple(pool.tolist()))

    @classmethod
    def of(cls, corpus: Corpus) -> "EmpiricalSizes":
        """The sizes of all segments of all coders of a corpus."""
        if not isinstance(corpus, Corpus):
            raise SegmentationError(
                f"corpus is {shown(corpus)}: expected a Corpus, as segscore.read gives it; for a "
                "list of sizes use EmpiricalSizes([2, 3, 6])"
            )
        found: Iterable[int] = (
            size for document in corpus.values() for one in document.values() for size in one.masses
        )
        return cls(tuple(map(int, found)))

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """So many sizes, with replacement."""
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
        _size(self.size, "size")

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:  # noqa: ARG002
        """So many times the size."""
        return np.full(count, self.size, np.int64)


def _size(value: Any, what: str) -> int:
    size = whole_number(value, what, 1)
    if size > LONGEST:
        raise SegmentationError(f"{what} is {size}: expected 1 … {LONGEST}")
    return size
