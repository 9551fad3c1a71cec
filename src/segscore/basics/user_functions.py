"""Functions that users give: by MODULE:FUNCTION, their names in messages, and how their errors are
reported."""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from segscore.basics.arguments import shown
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


def imported_function(spec: str, what: str, else_expected: str = "") -> Callable[..., Any]:
    """The function that MODULE:FUNCTION names, also from the current folder; a dotted FUNCTION is
    looked up step by step.

    what: its purpose, for messages. else_expected: what could be given instead.

    >>> imported_function("math:fsum", "encoder")([1, 2])
    3.0
    """
    module, colon, name = spec.partition(":")
    if not module or not colon or not name:
        raise SegmentationError(f"{what} is {shown(spec)}: expected MODULE:FUNCTION{else_expected}")
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does
    try:
        found: Any = importlib.import_module(module)
    except ImportError as error:
        raise SegmentationError(
            f"{what} {spec!r}: cannot import {module!r} ({error}): expected a module that is "
            "installed, or a file of this folder"
        ) from None
    for part in name.split("."):
        if not hasattr(found, part):
            raise SegmentationError(f"{what} {spec!r}: {module} has no {name!r}")
        found = getattr(found, part)
    if not callable(found):
        raise SegmentationError(f"{what} {spec!r} is {shown(found)}: expected a function")
    return found  # type: ignore[no-any-return]
