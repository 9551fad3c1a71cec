"""The contract of every segmenter; what several of them share: checks, and cheapest cuts; and
baselines, and people, as segmenters, with which others are compared.

A segmenter is any callable `segmenter(units, n_segments=None) -> Segmentation`: units are the texts
of a document's units (sentences, paragraphs, lines …), `n_segments` is the number of segments to
make, or None if the segmenter decides. Ours are frozen dataclasses whose fields are their
parameters. A method that splits in an order, or rates some boundaries as stronger, gives the result
ranks (1 = strongest).

`cheapest` and `plans` cut a sequence into segments at least total cost, by dynamic programming. A
cost is given as rows: for each end 1 … N in turn, the costs of all segments start … end (start 0 …
end-1). Only one row exists at a time, so that memory grows with N times the number of segments, not
with N².

Position b of a boundary lies between unit b and unit b+1 counted from 1, as everywhere here.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, check_choice, number, shown, truth, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.segmenters.preprocessing import Preprocessing
from segscore.simulate import baselines

# Types of parameters that are numbers, with the least value and, perhaps, the greatest.
Natural = Annotated[int, 1]
Finite = Annotated[float, -math.inf]
NotNegative = Annotated[float, 0]
MOST = 1e9  # of Positive; above it, and below 1 / MOST, log-gammas would lose all their digits
Positive = Annotated[float, 1 / MOST, MOST]


class Segmenter(ABC):
    """Cuts a document, given as the texts of its units, into segments."""

    name: ClassVar[str]
    needs_n_segments: ClassVar[bool] = False  # True if it cannot find the number of segments
    takes_n_segments: ClassVar[bool] = True  # False if it cannot be told the number
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {}  # values of its parameters worth a try

    def __post_init__(self) -> None:
        """Check each parameter by its type: a truth value, a choice, a number within limits."""
        for field in fields(self):  # type: ignore[arg-type]  # segmenters with fields are dataclasses
            check_parameter(getattr(self, field.name), field.name, field.type)

    def __call__(self, units: Sequence[str], n_segments: int | None = None) -> Segmentation:
        """Segment a document, into `n_segments` segments if that is given."""
        texts = checked_units(units)
        wanted = checked_segments(n_segments, len(texts))
        if len(texts) == 1 or (wanted == 1 and self.takes_n_segments):
            return Segmentation.from_boundaries([], len(texts))
        return self._checked(self._segment(texts, wanted), len(texts), wanted)

    def _checked(self, coding: Segmentation, n_units: int, wanted: int | None) -> Segmentation:
        """The result, if it has these units, and the segments that were asked for."""
        if coding.n_units != n_units or wanted not in (None, coding.n_segments):
            segments = "" if wanted is None else f"{wanted} segments of "
            raise SegmentationError(
                f"{self.name}: the result has {coding.n_segments} segments of {coding.n_units} "
                f"units: expected {segments}{n_units} units"
            )
        return coding

    @abstractmethod
    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        """Segment two or more units, into `n_segments` (2 … N) if given."""


def checked_units(units: Any) -> list[str]:
    """The units as a list; raise if they are not texts."""
    # the items of a mapping would be names
    if isinstance(units, str | bytes | Mapping) or not isinstance(units, Iterable):
        raise SegmentationError(
            f"units is {shown(units)}: expected a list of texts, one per sentence or paragraph, "
            "such as .units of a document"
        )
    texts = list(units)
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise SegmentationError(f"units[{index}] is {shown(text)}: expected a text (str)")
    if not texts:
        raise SegmentationError("units is empty: expected at least one text")
    return texts


def checked_segments(n_segments: Any, n_units: int) -> int | None:
    """The number of segments, checked: at most one per unit."""
    return None if n_segments is None else whole_number(n_segments, "n_segments", 1, n_units)


def needed_segments(n_segments: int | None, method: str) -> int:
    """The number of segments, for a method that needs it."""
    if n_segments is None:
        raise SegmentationError(f"{method} cannot find the number of segments: give n_segments=…")
    return n_segments


def check_parameter(value: Any, what: str, kind: Any) -> None:
    """Raise for a value that its type, such as `Annotated[int, 1]`, does not have."""
    if get_origin(kind) in (Union, UnionType):
        kind = get_args(kind)[0]
        if value is None:
            return
    if kind is bool:
        truth(value, what)
    elif kind is Preprocessing:
        _expect(hasattr(value, "all_words"), value, what, "a Preprocessing")
    elif kind is str:
        _expect(isinstance(value, str) and value, value, what, "a text")
    elif get_origin(kind) is Callable:
        _expect(callable(value), value, what, "a function")
    elif get_origin(kind) is Literal:
        check_choice(value, what, get_args(kind))
    elif get_origin(kind) is Annotated:
        number_type, *limits = get_args(kind)
        check = whole_number if number_type is int else finite_number
        check(value, what, *limits)


def _expect(holds: Any, value: Any, what: str, expected: str) -> None:
    if not holds:
        raise SegmentationError(f"{what} is {shown(value)}: expected {expected}")


def finite_number(value: Any, what: str, least: float = -math.inf, most: float = math.inf) -> float:
    """The parameter, checked: a number between these two."""
    finite = number(value, what, "a number")
    limit = f"at least {least:g}" if most == math.inf else f"{least:g} … {most:g}"
    _expect(least <= finite <= most, value, what, limit)
    return finite


def ranked_by_order(boundaries: Sequence[int], n_units: int) -> Segmentation:
    """The segmentation with boundaries from the strongest to the weakest, ranked 1, 2, 3 …"""
    ranks = range(1, len(boundaries) + 1) if boundaries else None
    return Segmentation.from_boundaries(boundaries, n_units, ranks=ranks)


def check_pairs(n_units: int, bytes_per_pair: int, max_units: int, method: str) -> None:
    """Raise if the N × N tables of a document would need too much memory."""
    needed, most = (n**2 * bytes_per_pair for n in (n_units, max_units))
    check_memory(f"{method} on {n_units} units", needed, most, f"max_units={max_units}")


def check_memory(what: str, needed: float, most: float, limit: str) -> None:
    """Raise for something that needs more memory than it may have, in bytes."""
    if needed > most:
        raise SegmentationError(
            f"{what} needs about {needed / 1e9:.1f} GB: expected at most {limit}; use larger units "
            "(paragraphs instead of sentences), or raise the limit if you have the memory"
        )


# ---- cheapest cuts ----

_BYTES_PER_PLAN = 20  # the best and its origin by units and segments, and the sums of one step
_MOST_PLANS = 10**8  # units × segments: 2 GB


def cheapest(costs: Iterable[Floats], n_units: int, n_segments: int | None = None) -> list[int]:
    """The boundaries of the cheapest segmentation into `n_segments` segments, or into any number.

    >>> cheapest(iter([np.array([1.0]), np.array([5.0, 1.0])]), 2)
    [1]
    """
    if n_segments is not None:
        return plans(costs, n_units, n_segments)[1](n_segments)
    best = np.zeros(n_units + 1)
    origin = np.zeros(n_units + 1, np.int64)
    for end, row in enumerate(costs, 1):
        sums = best[:end] + row
        origin[end] = np.argmin(sums)
        best[end] = sums[origin[end]]
    boundaries: list[int] = []
    at = int(origin[n_units])
    while at > 0:
        boundaries.append(at)
        at = int(origin[at])
    return boundaries[::-1]


def plans(
    costs: Iterable[Floats], n_units: int, n_segments: int
) -> tuple[Floats, Callable[[int], list[int]]]:
    """The costs of the cheapest segmentations into 1 … `n_segments` segments, and a function that
    gives the boundaries of each of them.

    >>> totals, boundaries = plans(iter([np.array([0.0]), np.array([5.0, 1.0])]), 2, 2)
    >>> totals, boundaries(2)
    (array([5., 1.]), [1])
    """
    needed, most = n_units * n_segments * _BYTES_PER_PLAN, _MOST_PLANS * _BYTES_PER_PLAN
    limit = f"{_MOST_PLANS:.0e} units × segments"
    check_memory(f"{n_segments} segments of {n_units} units", needed, most, limit)
    best = np.full((n_segments + 1, n_units + 1), np.inf)
    best[0, 0] = 0
    origin: NDArray[np.int32] = np.zeros((n_segments + 1, n_units + 1), np.int32)
    for end, row in enumerate(costs, 1):
        reached = min(n_segments, end)
        sums = best[:reached, :end] + row
        origin[1 : reached + 1, end] = chosen = np.argmin(sums, axis=1)
        best[1 : reached + 1, end] = sums[np.arange(reached), chosen]

    def boundaries(wanted: int) -> list[int]:
        found = [n_units]
        for left in range(wanted, 1, -1):
            found.append(int(origin[left, found[-1]]))
        return found[:0:-1]

    return best[1:, n_units], boundaries


# ---- baselines: they use only the number of units ----


@dataclass(frozen=True)
class Nothing(Segmenter):
    """No boundary at all (Choi's Bn); any number of segments other than 1 is an error."""

    name: ClassVar[str] = "none"
    takes_n_segments: ClassVar[bool] = False

    def _segment(self, units: list[str], _n_segments: int | None) -> Segmentation:
        return baselines.none(len(units))


@dataclass(frozen=True)
class Everything(Segmenter):
    """A boundary between any two units (Choi's Ba); any other number of segments is an error."""

    name: ClassVar[str] = "all"
    takes_n_segments: ClassVar[bool] = False

    def _segment(self, units: list[str], _n_segments: int | None) -> Segmentation:
        return baselines.all(len(units))


@dataclass(frozen=True)
class Uniform(Segmenter):
    """Segments of equal size; their number must be given (Choi's Be).

    >>> Uniform()(["one", "two", "three", "four"], n_segments=2)
    Segmentation(masses=[2, 2])
    """

    name: ClassVar[str] = "uniform"
    needs_n_segments: ClassVar[bool] = True

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        return baselines.uniform(len(units), needed_segments(n_segments, self.name))


@dataclass(frozen=True)
class Random(Segmenter):
    """Boundaries at random positions: as many as the number of segments needs, or by probability.

    The same document always has the same result.

    Parameters
    ----------
    probability: the probability of a boundary at each position, used if no number of segments is
        given.
    seed: random seed; the result also depends on the lengths of the units.
    """

    name: ClassVar[str] = "random"

    probability: float | None = None
    seed: Annotated[int, 0] = 0

    @property
    def needs_n_segments(self) -> bool:  # type: ignore[override]
        """Whether the number of segments must be given."""
        return self.probability is None

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        seed = np.random.default_rng([self.seed, len(units), *map(len, units)])
        if n_segments is None and self.probability is not None:
            return baselines.random(len(units), probability=self.probability, rng=seed)
        wanted = needed_segments(n_segments, self.name)
        return baselines.random(len(units), n_segments=wanted, rng=seed)


@dataclass(frozen=True)
class Bisect(Segmenter):
    """Cut into halves, and these into halves, and so on; ranked by depth (Carroll's BIN).

    If a number of segments is given, boundaries of equal depth are taken from left to right.

    Parameters
    ----------
    depth: the number of cuts, if no number of segments is given. None: until nothing can be cut.
    """

    name: ClassVar[str] = "bisect"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {"depth": (1, 2, 3, 4)}

    depth: int | None = None

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        halves = baselines.bisect(len(units), None if n_segments else self.depth)
        if n_segments is None or halves.ranks is None:
            return halves
        first = np.argsort(halves.ranks, kind="stable")[: n_segments - 1]
        boundaries, ranks = halves.boundaries[first], halves.ranks[first]
        return Segmentation.from_boundaries(boundaries, len(units), ranks=ranks)


@dataclass(frozen=True)
class Human(Segmenter):
    """The segmentation of another coder of the same document, chosen at random.

    Parameters
    ----------
    codings: the segmentation of each coder, by name.
    reference: the coder who is the reference and is not chosen.
    seed: random seed.

    >>> cut = Segmentation.from_masses
    >>> Human({"ann": cut([2, 1]), "bob": cut([1, 2])}, reference="ann")(["a", "b", "c"])
    Segmentation(masses=[1, 2])
    """

    name: ClassVar[str] = "human"
    takes_n_segments: ClassVar[bool] = False

    codings: Mapping[str, Segmentation]
    reference: str
    seed: Annotated[int, 0] = 0

    def _segment(self, _units: list[str], _n_segments: int | None) -> Segmentation:
        others = [name for name in self.codings if name != self.reference]
        if not others:
            raise SegmentationError(
                f"{self.reference!r} is the only coder: expected another coder beside the reference"
            )
        return self.codings[others[int(np.random.default_rng(self.seed).integers(len(others)))]]
