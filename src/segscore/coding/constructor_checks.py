"""Checks of what the constructors of `Segmentation` are given; errors name the position.

A plain list of masses does not pass through here: a kernel checks it while reading it. Segments may
have labels: an entry per segment, a label (a non-empty text), several (a set), or None. A set with
a single label becomes that label, and an empty set becomes None, so that equal labels are equal
however they were given.
"""

import warnings
from collections.abc import Iterable, Set
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

import numpy as np

from segscore.basics import arguments
from segscore.basics.arguments import (
    LARGEST,
    Int64Array,
    check_choice,
    is_whole,
    shown,
    whole_number,
)
from segscore.errors import SegmentationError

BoundaryType = str | int
Types = tuple[frozenset[BoundaryType], ...]


def in_rows(values: Any, what: str, expected: str) -> Any:
    """Values in order, or the array behind them; raise for what has no order of items: texts, sets,
    arrays without a dimension."""
    given, values = values, arguments.array_inside(values, what, expected)
    unordered = (str, bytes, Set, dict, type)
    if isinstance(values, unordered) or getattr(values, "shape", None) == ():
        values = None
    try:
        iter(values)
    except TypeError:
        raise SegmentationError(f"{what} is {shown(given)}: expected {expected}") from None
    return values


_BY_CONSTRUCTOR = (
    "; Segmentation.from_masses makes one from segment lengths, from_boundaries from positions, "
    "from_labels from a 0 or 1 per unit; score, compare and audit also take such lists with "
    "encoding= (and n_units=)"
)


def not_segmentation(given: Any, expected: str = "a Segmentation") -> str:
    """The end of a message about a value that is not a segmentation: what it is, and how to make
    one.

    >>> not_segmentation("a")
    "'a' (str): expected a Segmentation"
    """
    items = given if isinstance(given, list | tuple) else [given]
    numbers = bool(items) and all(is_whole(arguments.scalar_inside(item)) for item in items)
    digits = isinstance(given, str) and bool(given) and set(given) <= {"0", "1"}
    known = numbers or digits or hasattr(given, "__array__")
    inside = hasattr(type(given), "segmentation")  # a Placement, for instance
    hint = _BY_CONSTRUCTOR * known + "; its .segmentation is one" * inside
    return f"{shown(given)}: expected {expected}{hint}"


def refuse_unordered(values: Any, what: str) -> Any:
    """Raise for a set, and for values whose index is in another order."""
    arguments.check_ascending(values, what)
    if isinstance(values, Set):
        raise SegmentationError(f"{what} is a set, which has no order: give a list")
    return values


def checked_marks(marks: Any) -> Literal["end", "start"]:
    """What a 1 marks, `end` or `start`; it is never guessed."""
    if marks is None:
        raise SegmentationError(
            'marks is missing: expected marks="end" (1 is the last unit of a segment) or '
            'marks="start" (1 is the first); it is never guessed'
        )
    check_choice(marks, "marks", ("end", "start"))
    return "end" if marks == "end" else "start"


def one_per_unit(values: Any, what: str, ignore_index: int | None = None) -> list[Any]:
    """An entry per unit, in order, without padding at the end; padding elsewhere is an error."""
    expected = f"one {what[:-1]} per unit, in order"
    arguments.check_ascending(values, what)
    values = in_rows(values, what, expected)
    listed = (
        values.tolist()
        if isinstance(values, np.ndarray)
        else [*map(arguments.scalar_inside, values)]
    )
    if ignore_index is None:
        return listed
    padding = whole_number(ignore_index, "ignore_index", -LARGEST)
    end = len(listed)
    while end and listed[end - 1] == padding:
        end -= 1
    if listed and padding in (listed[:end] or [padding]):
        raise SegmentationError(
            f"{what}[{listed.index(padding)}] is {padding}, the ignore_index: expected units, and "
            "padding after them only"
        )
    return listed[:end]


def positions_in_order(
    positions: Any, what: str, singular: str, n_units: int
) -> tuple[Int64Array, Int64Array]:
    """Positions, ascending, and the order in which they were; raise if one is outside the document,
    or occurs twice."""
    given = arguments.as_integers(arguments.packed(positions, what, f"positions 1 … {n_units - 1}"))
    order = np.argsort(given, kind="stable")
    ascending = given[order]
    for position in ascending[[0, -1]] if ascending.size else ():
        if not 1 <= position < n_units:
            raise SegmentationError(
                f"{singular} {position} is outside the document: with {n_units} units expected "
                + (f"1 … {n_units - 1}" if n_units > 1 else "none at all")
            )
    twice = ascending[1:][ascending[1:] == ascending[:-1]]
    if twice.size:
        raise SegmentationError(f"{singular} {twice[0]} is listed twice: expected each once")
    return ascending, order


def is_name(value: object) -> bool:
    """Whether a value can name a type or a segment: a str or an int."""
    return isinstance(value, str) or is_whole(value)


def types_in_order(types: Any, order: Int64Array) -> Types:
    """The types of each boundary, in the order of their positions."""
    expected = f"a list of {len(order)}, one entry per boundary"
    types = list(in_rows(types, "types", expected))
    if len(types) != len(order):
        raise SegmentationError(f"types has {len(types)}: expected {expected}")
    sets: list[frozenset[BoundaryType]] = []
    for index, entry in enumerate(types):
        names = [entry] if is_name(entry) else entry
        several = isinstance(names, Iterable) and not isinstance(names, bytes | dict)
        listed = list(names) if several and getattr(names, "shape", None) != () else []
        if not listed or not all(map(is_name, listed)):
            raise SegmentationError(
                f"types[{index}] is {shown(entry)}: expected a str, an int or a set of them"
            )
        sets.append(frozenset(int(n) if isinstance(n, np.integer) else n for n in listed))
    return tuple(sets[i] for i in order)


def whole_numbers(values: Any, what: str, expected: str, least: int) -> Int64Array:
    """Whole numbers of at least `least`, in their order."""
    numbers = arguments.as_integers(
        arguments.packed(refuse_unordered(values, what), what, expected)
    )
    refuse_first(numbers < least, numbers, what, expected)
    return numbers


def refuse_first(wrong: Any, values: Any, what: str, expected: str) -> None:
    """Raise for the first value that is wrong."""
    places = np.flatnonzero(wrong)
    if places.size:
        value = values[places[0]]
        value = value if isinstance(value, str) else value.item()
        raise SegmentationError(f"{what}[{places[0]}] is {shown(value)}: expected {expected}")


def zeros_and_ones(
    values: Any, what: str, padding: str = ""
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Zeros and ones, given as a string or as a sequence of integers or of truth values.

    padding: the name of the parameter for a number that pads the end.
    """
    expected = "symbols 0 or 1"
    if isinstance(values, str):
        # one byte per symbol: what is not ASCII becomes "?", and is refused all the same
        symbols = np.frombuffer(values.encode("ascii", "replace"), np.uint8) - ord("0")
        refuse_first(symbols > 1, values, what, expected)
        return np.asarray(symbols == 1)
    arguments.check_ascending(values, what)
    values = arguments.array_inside(values, what, expected)
    if isinstance(values, np.ndarray) and values.dtype.kind == "b" and values.ndim == 1:
        return values.copy()
    numbers = whole_numbers(values, what, expected, -LARGEST)
    if padding and numbers.min(initial=0) < 0:
        expected += f"; if it is padding at the end, give {padding}={numbers.min()}"
    refuse_first((numbers != 0) & (numbers != 1), numbers, what, expected)
    return numbers.astype(np.bool_)


SegmentLabel = str | frozenset[str] | None
SegmentLabels = tuple[SegmentLabel, ...]
LabelSets = tuple[frozenset[str], ...]

_NONE: frozenset[str] = frozenset()


def checked_labels(given: Any, n_segments: int, what: str = "segment_labels") -> SegmentLabels:
    """The labels, checked: an entry per segment; `what` is the name of the values in messages.

    >>> checked_labels(["intro", None, {"love"}], 3)
    ('intro', None, 'love')
    """
    expected = f"a list of {n_segments}, one entry per segment"
    arguments.check_ascending(given, what)
    entries = in_rows(given, what, expected)
    labels = tuple(_entry(entry, index, what) for index, entry in enumerate(entries))
    if len(labels) != n_segments:
        raise SegmentationError(f"{what} has {len(labels)}: expected {expected}")
    return labels


def _entry(entry: Any, index: int, what: str) -> SegmentLabel:
    """A label, several labels, or no label (None, or an empty list)."""
    if type(entry) is str and entry:
        return entry
    if entry is None:
        return None
    names = list(entry) if isinstance(entry, (list, tuple, Set)) else [entry]
    texts = frozenset(str(name) for name in names if isinstance(name, str) and name)
    if len(texts) < len(names):
        raise SegmentationError(
            f"{what}[{index}] is {shown(entry)}: expected a text, or a list of distinct texts"
        )
    return texts if len(texts) > 1 else next(iter(texts), None)


def label_sets(labels: SegmentLabels) -> LabelSets:
    """The labels as a set per segment, empty where there is none.

    >>> label_sets(("intro", None))
    (frozenset({'intro'}), frozenset())
    """
    return tuple(
        _NONE if label is None else frozenset((label,)) if isinstance(label, str) else label
        for label in labels
    )


# ---- times ----

_MICRO = 10**6  # times are whole microseconds, so that quotients of decimals are exact


def time_positions(starts: Any, duration: Any, resolution: Any) -> tuple[list[int], int, int]:
    """The starts of segments in units of `resolution` seconds, the number of units, and the length
    of a unit in microseconds.

    >>> time_positions([0, 62.5, 130], 300, 0.5)
    ([125, 260], 600, 500000)
    """
    step = _microseconds(resolution, "resolution", 1)
    total = _microseconds(duration, "duration", 1)
    n_units = _rounded(total, step)
    if not 1 <= n_units <= LARGEST:
        raise SegmentationError(
            f"duration is {duration} s, in units of {resolution} s: expected at least one unit, "
            "and at most 2**53"
        )
    positions: list[int] = []
    expected = "times in seconds at which segments start"
    listed = list(in_rows(starts, "starts", expected))
    for index, start in enumerate(listed):
        at = _microseconds(start, f"starts[{index}]")
        if at == 0:
            continue  # where the first segment starts anyway
        position = _rounded(at, step)
        previous = positions[-1] if positions else 0
        if at >= total or not previous < position < n_units:
            raise SegmentationError(
                f"starts[{index}] is {start} s: expected times in ascending order, at least a unit "
                f"({resolution} s) apart, inside the recording of {duration} s and at least half "
                "a unit from its ends"
            )
        positions.append(position)
    if positions and _microseconds(listed[0], "starts[0]"):
        warnings.warn(
            f"starts[0] is {listed[0]} s: a segment from 0 to there is added before it; expected 0 "
            "first, where the first segment starts",
            UserWarning,
            stacklevel=3,
        )
    return positions, n_units, step


def _rounded(time: int, step: int) -> int:
    """The nearest number of units; a half goes up."""
    return (2 * time + step) // (2 * step)


def _microseconds(given: Any, what: str, least: int = 0) -> int:
    value = arguments.scalar_inside(given)
    try:
        number = Decimal(repr(float(value)) if isinstance(value, float) else str(int(value)))
        whole = isinstance(value, float) or int(value) == value
    except (InvalidOperation, TypeError, ValueError, OverflowError):
        number, whole = Decimal("NaN"), False
    good = whole and number.is_finite() and not isinstance(value, bool | str | bytes)
    if not good or not 0 <= number < 10**9 or round(number * _MICRO) < least:
        above = "more than a microsecond" if least else "from 0"
        raise SegmentationError(f"{what} is {shown(value)}: expected seconds, {above}")
    return round(number * _MICRO)
