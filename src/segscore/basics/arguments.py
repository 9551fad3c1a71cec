"""What every room may use to check its arguments: integers, numbers, probabilities, choices, seeds.

Sequences of integers become packed 64-bit columns. Accepted: lists, tuples, ranges and other
iterables of int, NumPy integer arrays and scalars, any column with a `to_numpy` method (pandas,
Polars), and anything with `__array__` (tensors of PyTorch, JAX). Refused, with the index of the
offender: bool, float, str, None and whatever else is not a whole number.
"""

import functools
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NoReturn, Protocol, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import integers
from segscore.errors import SegmentationError

Int64Array = NDArray[np.int64]
Floats = NDArray[np.float64]
Seed: TypeAlias = "int | np.random.Generator"  # as text: NumPy loads `random` when it is used


class SupportsArray(Protocol):
    """Whatever NumPy can read as an array: tensors of PyTorch, JAX and others."""

    def __array__(self) -> NDArray[Any]:
        """The values as an array."""
        ...


Value = TypeVar("Value")

LARGEST = 2**53  # beyond it statistics, which are floats, would no longer be exact
LARGEST_FLOAT = 1e100  # of weights and the like: squares of it, times 2**53, are still numbers


def packed(values: Iterable[Any], what: str, expected: str) -> bytes:
    """Pack the values as native int64; `what` and `expected` word the error."""
    values = array_inside(values, what, expected)
    if isinstance(values, np.ndarray):
        if _holds_integers(values, what, expected):
            return values.astype(np.int64).tobytes()
        values = values.tolist()
    try:
        is_other = isinstance(values, str | bytes | dict | type)
        listed = None if is_other else values if type(values) is list else list(values)
    except TypeError:  # it cannot be gone through
        listed = None
    if listed is None:
        raise SegmentationError(f"{what} is {shown(values)}: expected {expected}")
    result = integers.pack(listed)
    if isinstance(result, int):  # perhaps a NumPy scalar, or a tensor of one number
        listed = [scalar_inside(item) for item in listed]
        listed = [int(item) if is_whole(item) else item for item in listed]
        result = integers.pack(listed)
    if isinstance(result, int):
        raise SegmentationError(f"{what}[{result}] is {shown(listed[result])}: expected {expected}")
    return result


def _holds_integers(values: NDArray[Any], what: str, expected: str) -> bool:
    """Whether an array can be packed directly; an array with other dimensions or with holes is
    refused."""
    if values.ndim != 1:
        raise SegmentationError(
            f"{what} has {values.ndim} dimensions: expected {expected}, in one dimension"
        )
    if values.dtype.kind == "f" and np.isnan(values).any():
        hole = int(np.argmax(np.isnan(values)))  # a column with holes arrives as floats
        raise SegmentationError(f"{what}[{hole}] is missing (NaN): expected {expected}")
    return values.dtype.kind == "i" or (
        values.dtype.kind == "u" and (not values.size or bool(values.max() <= LARGEST))
    )


def array_inside(values: Any, what: str, expected: str) -> Any:
    """The array behind a column or a tensor, or the value itself; arrays that hide their contents
    are refused.

    A masked array would show what is under its mask, and times would look like numbers.
    """
    if _has_array(values):
        values = _array_of(values, what, expected)
    if _is_masked(values):
        raise SegmentationError(
            f"{what} is a masked array: expected {expected}; give its compressed() values"
        )
    if isinstance(values, np.ndarray) and values.dtype.kind in "mM":
        raise SegmentationError(f"{what} is an array of {values.dtype}: expected {expected}")
    return values


def _is_masked(value: Any) -> bool:
    """Whether a value is a masked array; there are none before `numpy.ma` is imported."""
    masked = sys.modules.get("numpy.ma")  # which another thread may be importing just now
    return isinstance(value, getattr(masked, "MaskedArray", ()))


def scalar_inside(value: Any) -> Any:
    """The number in an array or a tensor without dimension, or the value itself."""
    if _is_masked(value):
        return value
    if isinstance(value, np.ndarray) or _has_array(value):
        array = _array_of(value, "a number", "one that can be read")
        return array[()] if array.ndim == 0 else value
    return value


def _has_array(value: Any) -> bool:
    """Whether a value is not a NumPy array, but can be read as an array."""
    found = hasattr(value, "__array__") or hasattr(value, "to_numpy")
    return found and not isinstance(value, np.ndarray | np.generic | type)


def _array_of(value: Any, what: str, expected: str) -> NDArray[Any]:
    """A column or a tensor as an array, without its gradients, from whatever device it is on."""
    try:
        if hasattr(value, "detach") and hasattr(value, "cpu"):
            value = value.detach().cpu()
        return np.asarray(value.to_numpy() if hasattr(value, "to_numpy") else value)
    except (TypeError, ValueError, RuntimeError) as error:
        raise SegmentationError(
            f"{what} is a {type(value).__name__} that cannot be read as an array ({error}): "
            f"expected {expected}; give a NumPy array (of a tensor: .detach().cpu().numpy(), after "
            ".float() if it is bfloat16)"
        ) from None


def is_whole(value: Any) -> bool:
    """Whether a value is an integer; a bool or a span of time is not."""
    return isinstance(value, int | np.integer) and not isinstance(
        value, bool | np.bool_ | np.timedelta64
    )


def whole_number(value: Any, what: str, least: int, most: int = LARGEST) -> int:
    """An integer from `least` to `most`; raise for a bool or a float."""
    if type(value) is not int and not is_whole(value := scalar_inside(value)):
        raise SegmentationError(f"{what} is {shown(value)}: expected a whole number")
    if not least <= value <= most:
        limits = [str(n) if abs(n) < LARGEST else f"{'-' * (n < 0)}2**53" for n in (least, most)]
        raise SegmentationError(f"{what} is {shown(int(value))}: expected {' … '.join(limits)}")
    return int(value)


def as_integers(data: bytes) -> Int64Array:
    """Read-only view of packed integers."""
    return np.frombuffer(data, np.int64)


def shown(value: Any, most: int = 40) -> str:
    """A value for an error message: its repr, cut short, with its type where that is the point."""
    text = _repr(value, most)
    text = re.sub(r"[\s─]+", " ", text).strip() if "\n" in text else text  # a table
    text = text if len(text) <= most else text[: most - 1] + "…"
    return f"{text} ({type(value).__name__})" if not isinstance(value, int) else text


def _repr(value: Any, most: int) -> str:
    """The repr of a value; Python does not write out integers of thousands of digits."""
    if isinstance(value, int) and abs(value) >= 10**most:
        return f"an integer of {value.bit_length()} bits"
    try:
        return repr(value.item() if isinstance(value, np.number | np.bool_) else value)
    except (ValueError, RecursionError):  # one of them is inside, or it is nested too deeply
        return f"{type(value).__name__} that Python does not write out"


def generator(rng: Any) -> "np.random.Generator":
    """A random generator, or a new generator seeded by a whole number."""
    if isinstance(rng, np.random.Generator):
        return rng
    return np.random.default_rng(whole_number(rng, "rng", 0))


def seed_of(rng: Any) -> int:
    """The seed of all that a function draws: a whole number, or one that a generator draws.

    >>> seed_of(3)
    3
    """
    if not isinstance(rng, int) and isinstance(rng, np.random.Generator):
        return int(rng.integers(LARGEST))
    return whole_number(rng, "rng", 0)


def number(
    value: Any, what: str, expected: str, least: float = -LARGEST_FLOAT, most: float = LARGEST_FLOAT
) -> float:
    """A finite number from `least` to `most`, by default of at most 1e100; raise for a bool."""
    value = scalar_inside(value)
    is_other = isinstance(value, bool | np.bool_ | np.timedelta64 | np.complexfloating)
    is_number = isinstance(value, int | float | np.number) and not is_other
    if not is_number or not least <= value <= most:  # NaN is not, either
        limit = ", at most 1e100" if is_number and most == LARGEST_FLOAT else ""
        text = value if is_number and not isinstance(value, int) else shown(value)
        raise SegmentationError(f"{what} is {text}: expected {expected}{limit}")
    return float(value)


def probability(value: Any, what: str) -> float:
    """A number from 0 to 1."""
    return number(value, what, "a number 0 … 1", 0, 1)


def truth(value: Any, what: str) -> bool:
    """Return a parameter that is True or False; raise for any other value."""
    if not isinstance(value, bool):
        raise SegmentationError(f"{what} is {shown(value)}: expected True or False")
    return value


def check_choice(value: Any, what: str, choices: tuple[str, ...]) -> None:
    """Raise for a value that is not among the choices."""
    if not isinstance(value, str) or value not in choices:
        raise SegmentationError(f"{what} is {shown(value)}: expected one of {', '.join(choices)}")


def values_by_name(given: Any, what: str) -> dict[Any, Any] | None:
    """Values by document name, from a mapping or a pandas Series; None for a plain sequence.

    A Series is paired by its index, as a mapping is by its keys.
    """
    if isinstance(given, Mapping):
        return dict(given)
    if not is_series(given):
        return None
    labels = list(given.index)
    by_label = dict(zip(labels, given, strict=True))
    if len(by_label) < len(labels):
        twice = first_twice(labels)
        raise SegmentationError(
            f"{what} is a Series whose index holds {twice!r} twice: expected each document once"
        )
    return by_label


def is_series(given: Any) -> bool:
    """Whether it is a pandas Series, or whatever else has an index and values."""
    return hasattr(given, "iloc") and hasattr(given, "index") and getattr(given, "ndim", 0) == 1


def check_ascending(values: Any, what: str) -> None:
    """Raise for a Series whose numbered index is out of order, because its values would be, too."""
    if not is_series(values):
        return
    labels = list(values.index)
    numbered = all(isinstance(label, int) and not isinstance(label, bool) for label in labels)
    if numbered and any(later <= before for before, later in pairwise(labels)):
        raise SegmentationError(
            f"{what} is a Series whose index is not in ascending order: expected its values in the "
            "order of the units; use .sort_index(), or .to_numpy() if the order is right as it is"
        )


def first_twice(names: Sequence[Any]) -> Any:
    """The first name that occurs twice."""
    return next(name for name, count in Counter(names).items() if count > 1)


def check_name(name: Any, what: str) -> None:
    """Raise if a name is not a non-empty text."""
    if not isinstance(name, str) or not name:
        raise SegmentationError(f"{what} is {shown(name)}: expected a name, a text")
    check_unicode(name, what)


def check_unicode(text: str, what: str) -> None:
    """Raise for halves of surrogate pairs, which JSON can spell but no file can hold."""
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = text[error.start]
        raise SegmentationError(
            f"{what} holds {half!r}, half a surrogate pair: expected Unicode text"
        ) from None


class cached_property(functools.cached_property[Value]):  # noqa: N801  # a decorator
    """Like `functools.cached_property`, which tools know; only reading differs.

    >>> class Circle:
    ...     radius = 2
    ...
    ...     @cached_property
    ...     def area(self) -> int:
    ...         print("computing")
    ...         return 3 * self.radius**2
    >>> circle = Circle()
    >>> circle.area, circle.area
    computing
    (12, 12)
    """

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> "cached_property[Value]": ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Value: ...
    def __get__(
        self, instance: object | None, owner: type | None = None
    ) -> "cached_property[Value] | Value":
        if instance is None:
            return self
        kept = vars(instance)
        name = self.attrname or self.func.__name__
        if name not in kept:
            kept.setdefault(name, self.func(instance))  # another thread may have been faster
        return kept[name]  # type: ignore[no-any-return]


class Unchanging:
    """A class whose attributes are set once, by `_put`."""

    __slots__ = ()

    def _put(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} does not change: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} does not change: cannot delete {name!r}")
