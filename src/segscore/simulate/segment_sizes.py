"""Distributions of segment sizes: what a simulated reference is made of.

Each is a frozen dataclass whose fields are its parameters. Sizes are whole numbers of units, at
least 1, drawn independently of each other.

Sources: Pevzner & Hearst (2002) §4 draw sizes uniformly, and their tables come out only if the
upper end of the range is left out (half-open); Fournier & Inkpen (2012) table 1 only if it belongs
to it (closed). A geometric size is what a boundary at every place with the same probability gives
(Hearst 1997); an empirical one repeats what people made (Fournier 2013).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from segscore.arguments import Int64Array, number, packed, shown, unpacked, whole_number
from segscore.corpus import Corpus
from segscore.errors import SegmentationError

LONGEST = 2**40  # units of a segment: a thousand of them still count exactly


class SegmentSizes(ABC):
    """A distribution of segment sizes."""

    @abstractmethod
    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """So many sizes."""


@dataclass(frozen=True)
class UniformSizes(SegmentSizes):
    """Each size from `low` on equally likely; `high` is left out, or is the last if `closed`.

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
                f"high is {high}: expected at least {least}, for low is {low} and high "
                + ("belongs to the range" if self.closed else "does not belong to the range")
            )

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """So many sizes."""
        return chance.integers(self.low, self.high, count, np.int64, endpoint=self.closed)


@dataclass(frozen=True)
class GeometricSizes(SegmentSizes):
    """P(size) = q·(1-q)^(size-1) with q = 1/mean: a boundary at any place with probability q.

    >>> int(GeometricSizes(1).draw(5, np.random.default_rng(0)).sum())
    5
    """

    mean: float

    def __post_init__(self) -> None:
        expected = f"a number 1 … {LONGEST}"
        if not 1 <= number(self.mean, "mean", expected) <= LONGEST:
            raise SegmentationError(f"mean is {self.mean}: expected {expected}")

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """So many sizes; what would be hundreds of times the mean is cut to `LONGEST`."""
        return np.minimum(chance.geometric(1 / self.mean, count), LONGEST).astype(np.int64)


@dataclass(frozen=True)
class EmpiricalSizes(SegmentSizes):
    """One of these sizes, each equally likely: list a size twice, and it is twice as likely.

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
        """The sizes of all segments that the coders of a corpus made."""
        if not isinstance(corpus, Corpus):
            raise SegmentationError(
                f"corpus is {shown(corpus)}: expected a Corpus, as segscore.read gives it; for "
                "sizes by themselves there is EmpiricalSizes([2, 3, 6])"
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
    """All segments alike.

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
    made = whole_number(value, what, 1)
    if made > LONGEST:
        raise SegmentationError(f"{what} is {made}: expected 1 … {LONGEST}")
    return made
