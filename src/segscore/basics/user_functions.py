"""What others wrote: functions that users give, vectors that encoders return, and plug-ins.

Metrics, readers and segmenters of other packages are found by their entry points. A package offers
them in its `pyproject.toml`:

    [project.entry-points."segscore.metrics"]
    my-metric = "my_package:MyMetric"

and likewise under `segscore.readers` and `segscore.segmenters`. They are looked for when a name or
a file is not one of ours, so they cost nothing otherwise. Our own names cannot be taken. A plug-in
that cannot be used is left out, with a warning that names it and its package.
"""

import importlib
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import numpy as np

from segscore.basics.arguments import Floats, shown
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


MOST_CELLS = 10**8  # of a sparse table that is filled in: 0.8 GB


def checked_vectors(vectors: Any, n_units: int) -> Floats:
    """What an encoder returned, if it is a finite vector per unit, in double precision.

    >>> checked_vectors([[1, 0], [0.5, 2]], 2)
    array([[1. , 0. ],
           [0.5, 2. ]])
    """
    plain = _plain(vectors)
    try:
        table = np.asarray(plain)
        if table.dtype.kind not in "biuf":
            raise TypeError
        table = table.astype(np.float64)
    except (TypeError, ValueError):  # rows of different lengths, texts, objects
        raise SegmentationError(
            f"the encoder returned {_described(vectors)}: expected an array of numbers, a vector "
            "per unit, all of one length"
        ) from None
    if table.ndim != 2 or len(table) != n_units:
        raise SegmentationError(
            f"the encoder returned an array of shape {table.shape}: expected ({n_units}, d), a "
            "vector per unit"
        )
    if not np.isfinite(table).all():
        row = int(np.flatnonzero(~np.isfinite(table).all(axis=1))[0])
        raise SegmentationError(
            f"the encoder returned NaN or infinity for units[{row}]: expected finite numbers"
        )
    return table


def _plain(vectors: Any) -> Any:
    """The vectors without what NumPy cannot read: gradients, bfloat16, other devices, sparse
    tables."""
    if hasattr(vectors, "detach"):  # torch
        kept = vectors.detach().cpu()
        return kept.to_dense().float().numpy() if kept.is_floating_point() else kept.numpy()
    if hasattr(vectors, "toarray"):  # SciPy
        rows, columns = vectors.shape
        if rows * columns > MOST_CELLS:
            raise SegmentationError(
                f"the encoder returned a sparse table of {rows} × {columns} numbers: expected at "
                f"most {MOST_CELLS:.0e} in all; reduce the dimensions first (TruncatedSVD)"
            )
        return vectors.toarray()
    if isinstance(vectors, list | tuple) and any(hasattr(vector, "detach") for vector in vectors):
        return [_plain(vector) for vector in vectors]
    return vectors


def _described(vectors: Any) -> str:
    if isinstance(vectors, list | tuple):
        lengths = {len(vector) for vector in vectors if hasattr(vector, "__len__")}
        if len(lengths) > 1:
            return f"vectors of {min(lengths)} to {max(lengths)} numbers"
    return shown(vectors)


def unit_length(vectors: Floats) -> Floats:
    """Each row scaled to length 1; a row of zeros stays unchanged."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return scaled


Group = Literal["segscore.metrics", "segscore.readers", "segscore.segmenters"]

_NAME = r"[\w-]+"  # as it can be written on the command line
_PACKAGES: set[str] = set()  # of plug-ins that were looked at


class PluginWarning(UserWarning):
    """A plug-in that is left out, and why."""


def load_plugins(
    group: Group, taken: Collection[str], check: Callable[[str, Any], None]
) -> dict[str, tuple[str, Any]]:
    """The plug-ins of a group by name: the package that has it, and the object behind it; `check`
    raises an exception for what cannot be used."""
    from importlib.metadata import entry_points

    found: dict[str, tuple[str, Any]] = {}
    ours, theirs = {name.casefold() for name in taken}, dict[str, str]()  # in any case
    for entry in sorted(entry_points(group=group), key=lambda point: point.name):
        package = entry.dist.name if entry.dist is not None else entry.module
        _PACKAGES.add(entry.module.partition(".")[0])
        try:
            if not re.fullmatch(_NAME, entry.name):
                raise ValueError("its name has other signs than letters, digits, - and _")
            if entry.name.casefold() in ours:
                raise ValueError("segscore itself has that name")
            if entry.name.casefold() in theirs:
                other = theirs[entry.name.casefold()]
                raise ValueError(f"package {other!r} has that name, too")
            value = entry.load()
            check(entry.name, value)
        except Exception as error:  # a plug-in may fail in any way
            warn_left_out(group, entry.name, package, error)
            continue
        found[entry.name] = package, value
        theirs[entry.name.casefold()] = package
    return found


def warn_left_out(group: str, name: str, package: str, error: Exception) -> None:
    """Say which plug-in is not used, and why."""
    kind = group.partition(".")[2].removesuffix("s")
    reason = str(error) if type(error) is ValueError else f"{type(error).__name__}: {error}"
    warnings.warn(
        f"{kind} {name!r} of package {package!r} is left out: {reason}", PluginWarning, stacklevel=2
    )


def culprit(error: BaseException) -> str | None:
    """The package of a plug-in through which an exception came; None if through none."""
    at, found = error.__traceback__, None
    while at is not None:
        module = str(at.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        found = module if module in _PACKAGES else found
        at = at.tb_next
    return found
