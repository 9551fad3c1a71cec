"""The contract of every segmenter, and what several of them share: checks, and cheapest cuts.

A segmenter is any callable `segmenter(units, n_segments=None) -> Segmentation`: units are the texts
of a document's units (sentences, paragraphs, lines …), `n_segments` is the number of segments to
make, or None if the segmenter decides. Ours are frozen dataclasses whose fields are their
parameters. A method that splits in an order, or rates some boundaries as stronger, gives the result
ranks (1 = strongest).

`cheapest` and `Plans` cut a sequence into segments at least total cost, by dynamic programming. A
cost is given as rows: for each end 1 … N in turn, the costs of all segments start … end (start 0 …
end-1). Only one row exists at a time, so that memory grows with N times the number of segments, not
with N².

Position b of a boundary lies between unit b and unit b+1 counted from 1, as everywhere here.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, number, shown, truth, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError

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
        words: Any = getattr(self, "preprocessing", None)  # most have this field
        if hasattr(self, "preprocessing") and not hasattr(words, "all_words"):
            raise SegmentationError(f"preprocessing is {shown(words)}: expected a Preprocessing")
        texts = checked_units(units)
        wanted = self._wanted(n_segments, len(texts))
        if len(texts) == 1 or wanted == 1:
            return Segmentation.from_boundaries([], len(texts))
        return self._segment(texts, wanted)

    def _wanted(self, n_segments: int | None, n_units: int) -> int | None:
        """The number of segments, checked: whether this segmenter can make that many of N units."""
        wanted = checked_segments(n_segments, n_units)
        always = self._always(n_units)
        if always is not None and wanted not in (None, always):
            raise SegmentationError(
                f"n_segments is {wanted}, but {self.name} always makes {always} of {n_units} "
                f"units: expected {always}, or no number"
            )
        return wanted

    def takes_number(self) -> bool:
        """Whether it accepts the number of segments."""
        return self.takes_n_segments

    def needs_number(self) -> bool:
        """Whether the number of segments must be given."""
        return self.needs_n_segments

    def _always(self, _n_units: int) -> int | None:
        """The number of segments for N units, if it is always the same."""
        return None

    @abstractmethod
    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        """Segment two or more units, into `n_segments` (2 … N) if given."""


def checked_units(units: Any) -> list[str]:
    """The units as a list; raise if they are not texts."""
    if isinstance(units, str | bytes) or not isinstance(units, Iterable):
        raise SegmentationError(
            f"units is {shown(units)}: expected a list of texts, one per sentence or paragraph"
        )
    if isinstance(units, Mapping):  # its keys would be names
        raise SegmentationError(
            f"units is a {type(units).__name__}: expected a list of texts; for a document give its "
            ".units"
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
    if n_segments is None:
        return None
    wanted = whole_number(n_segments, "n_segments", 1)
    if wanted > n_units:
        raise SegmentationError(
            f"n_segments is {wanted}, but the document has {n_units} units: expected 1 … {n_units}"
        )
    return wanted


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
    elif get_origin(kind) is Literal:
        if not isinstance(value, str) or value not in get_args(kind):
            choices = " or ".join(get_args(kind))
            raise SegmentationError(f"{what} is {shown(value)}: expected {choices}")
    elif get_origin(kind) is Annotated:
        number_type, *limits = get_args(kind)
        check = whole_number if number_type is int else finite_number
        check(value, what, *limits)


def finite_number(value: Any, what: str, least: float = -math.inf, most: float = math.inf) -> float:
    """The parameter, checked: a number between these two."""
    finite = number(value, what, "a number")
    if not least <= finite <= most:
        limit = f"at least {least:g}" if most == math.inf else f"{least:g} … {most:g}"
        raise SegmentationError(f"{what} is {value}: expected {limit}")
    return finite


def ranked_by_order(boundaries: Sequence[int], n_units: int) -> Segmentation:
    """The segmentation with boundaries from the strongest to the weakest, ranked 1, 2, 3 …"""
    ranks = range(1, len(boundaries) + 1) if boundaries else None
    return Segmentation.from_boundaries(boundaries, n_units, ranks=ranks)


def check_memory(n_units: int, bytes_per_pair: int, max_units: int, method: str) -> None:
    """Raise if the N × N tables of a document would need too much memory."""
    if n_units > max_units:
        need = n_units**2 * bytes_per_pair / 1e9
        raise SegmentationError(
            f"{method} on {n_units} units needs about {need:.1f} GB ({bytes_per_pair} bytes per "
            f"pair of units): expected at most max_units={max_units}; raise max_units if you have "
            "the memory, or use larger units (paragraphs instead of sentences)"
        )


# ---- cheapest cuts ----

BYTES_PER_PLAN = 20  # the best and its origin by units and segments, and the sums of one step
MOST_PLANS = 10**8  # units × segments: 2 GB


def cheapest(costs: Iterable[Floats], n_units: int, n_segments: int | None = None) -> list[int]:
    """The boundaries of the cheapest segmentation into `n_segments` segments, or into any number.

    >>> cheapest(iter([np.array([1.0]), np.array([5.0, 1.0])]), 2)
    [1]
    """
    if n_segments is not None:
        return Plans(costs, n_units, n_segments).boundaries(n_segments)
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


class Plans:
    """The cheapest segmentations into 1 … `n_segments` segments.

    >>> plans = Plans(iter([np.array([0.0]), np.array([5.0, 1.0])]), 2, 2)
    >>> plans.totals, plans.boundaries(2)
    (array([5., 1.]), [1])
    """

    def __init__(self, costs: Iterable[Floats], n_units: int, n_segments: int) -> None:
        if n_units * n_segments > MOST_PLANS:
            need = n_units * n_segments * BYTES_PER_PLAN / 1e9
            raise SegmentationError(
                f"{n_segments} segments of {n_units} units need about {need:.1f} GB: expected "
                f"units × segments up to {MOST_PLANS:.0e}; use larger units (paragraphs instead "
                "of sentences), or cut the text into parts first"
            )
        best = np.full((n_segments + 1, n_units + 1), np.inf)
        best[0, 0] = 0
        self._origin: NDArray[np.int32] = np.zeros((n_segments + 1, n_units + 1), np.int32)
        self._n_units = n_units
        for end, row in enumerate(costs, 1):
            most = min(n_segments, end)
            sums = best[:most, :end] + row
            origin = np.argmin(sums, axis=1)
            self._origin[1 : most + 1, end] = origin
            best[1 : most + 1, end] = sums[np.arange(most), origin]
        self.totals: Floats = best[1:, n_units]

    def boundaries(self, n_segments: int) -> list[int]:
        """The boundaries of the cheapest segmentation into `n_segments` segments."""
        boundaries: list[int] = []
        at = self._n_units
        for left in range(n_segments, 1, -1):
            at = int(self._origin[left, at])
            boundaries.append(at)
        return boundaries[::-1]
