"""What every room may use to check its arguments: integers, numbers, probabilities, choices, seeds.

Sequences of integers become packed 64-bit columns. Accepted: lists, tuples, ranges and other
iterables of int, NumPy integer arrays and scalars, and any column with a `to_numpy` method (pandas,
Polars). Refused, with the index of the offender: bool, float, str, None and whatever else is not a
whole number.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import integers
from segscore.errors import SegmentationError

Int64Array = NDArray[np.int64]
Floats = NDArray[np.float64]
Seed: TypeAlias = "int | np.random.Generator"  # as text: NumPy loads `random` when it is used

LARGEST = 2**53  # beyond it statistics, which are floats, would no longer be exact


def packed(values: Iterable[Any], what: str, expected: str) -> bytes:
    """Pack the values as native int64; `what` and `expected` word the error."""
    if isinstance(values, (str, bytes, dict)) or not isinstance(values, Iterable):
        raise SegmentationError(f"{what} is {shown(values)}: expected {expected}")
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise SegmentationError(
                f"{what} has {values.ndim} dimensions: expected {expected}, in one dimension"
            )
        if values.dtype.kind == "i" or (
            values.dtype.kind == "u" and (not values.size or values.max() <= LARGEST)
        ):
            return values.astype(np.int64).tobytes()
        if values.dtype.kind == "f" and np.isnan(values).any():
            hole = int(np.argmax(np.isnan(values)))  # a column with holes arrives as floats
            raise SegmentationError(f"{what}[{hole}] is missing (NaN): expected {expected}")
        values = values.tolist()
    listed = values if type(values) is list else list(values)
    result = integers.pack(listed)
    if isinstance(result, int):  # not a plain int: perhaps a NumPy scalar
        listed = [int(item) if isinstance(item, np.integer) else item for item in listed]
        result = integers.pack(listed)
    if isinstance(result, int):
        raise SegmentationError(f"{what}[{result}] is {shown(listed[result])}: expected {expected}")
    return result


def whole_number(value: Any, what: str, least: int) -> int:
    """One integer, at least `least`; a bool or a float is none."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise SegmentationError(f"{what} is {shown(value)}: expected a whole number")
    if not least <= value <= LARGEST:
        raise SegmentationError(f"{what} is {shown(value)}: expected {least} … 2**53")
    return int(value)


def unpacked(data: bytes) -> Int64Array:
    """Read-only view of packed integers."""
    return np.frombuffer(data, np.int64)


def shown(value: Any, most: int = 40) -> str:
    """A value for an error message: its repr, cut short, with its type where that is the point."""
    try:
        text = repr(value)
    except ValueError:  # thousands of digits, which Python does not print
        text = "a number of thousands of digits"
    text = text if len(text) <= most else text[: most - 1] + "…"
    return f"{text} ({type(value).__name__})" if not isinstance(value, int) else text


def generator(seed: Any) -> "np.random.Generator":
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


def check_choice(value: Any, what: str, choices: tuple[str, ...]) -> None:
    """Refuse what is not among the choices."""
    if value not in choices:
        raise SegmentationError(f"{what} is {shown(value)}: expected one of {', '.join(choices)}")
