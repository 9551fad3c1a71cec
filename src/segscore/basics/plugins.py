"""Metrics, readers and segmenters of other packages, found by their entry points.

A package offers them in its `pyproject.toml`:

    [project.entry-points."segscore.metrics"]
    my-metric = "my_package:MyMetric"

and likewise under `segscore.readers` and `segscore.segmenters`. They are looked for when a name or
a file is not one of ours, so they cost nothing otherwise. Our own names cannot be taken. A plug-in
that cannot be used is left out, with a warning that names it and its package.
"""

import re
import warnings
from collections.abc import Callable, Collection
from typing import Any, Literal, NamedTuple

Group = Literal["segscore.metrics", "segscore.readers", "segscore.segmenters"]

_NAME = r"[\w-]+"  # as it can be written on the command line
_PACKAGES: set[str] = set()  # of plug-ins that were looked at


class Plugin(NamedTuple):
    """An entry point: its name, the package that has it, and the object behind it."""

    name: str
    package: str
    value: Any


class PluginWarning(UserWarning):
    """A plug-in that is left out, and why."""


def load_plugins(
    group: Group, taken: Collection[str], check: Callable[[str, Any], None]
) -> dict[str, Plugin]:
    """The plug-ins of a group by name; `check` raises an exception for what cannot be used."""
    from importlib.metadata import entry_points

    found: dict[str, Plugin] = {}
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
        found[entry.name] = Plugin(entry.name, package, value)
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
