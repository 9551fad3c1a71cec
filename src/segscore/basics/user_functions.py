"""Functions that users give: their names in messages, and how their errors are reported."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from segscore.errors import SegmentationError

_LONGEST = 200  # characters that are told of what a function says


def function_name(function: Any) -> str:
    """The name of a function, or of an object that can be called.

    >>> function_name(str.split)
    'str.split'
    """
    for name in ("__qualname__", "__name__"):
        if isinstance(known := getattr(function, name, None), str):
            return known.rpartition("<locals>.")[2]
    return type(function).__name__


@contextmanager
def calling(function: Any, what: str) -> Iterator[None]:
    """Turn an error in a user's function into an error that names the function, with the original
    as its cause.

    >>> with calling(int, "tokens"):
    ...     int("one")
    Traceback (most recent call last):
    segscore.errors.SegmentationError: tokens: int raised ValueError (invalid literal for int() with
    base 10: 'one'): expected a function that takes what it is given
    """
    try:
        yield
    except SegmentationError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__} ({str(error)[:_LONGEST]})"
        raise SegmentationError(
            f"{what}: {function_name(function)} raised {reason}: expected a function that takes "
            "what it is given"
        ) from error
