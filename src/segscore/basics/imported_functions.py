"""Functions of the user that an option names: MODULE:FUNCTION, also from the current folder."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError


def imported(spec: str, what: str, else_expected: str = "") -> Callable[..., Any]:
    """The function that MODULE:FUNCTION names; a dotted FUNCTION is looked up step by step.

    what: its purpose, for messages. else_expected: what could be given instead.

    >>> imported("math:fsum", "encoder")([1, 2])
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
