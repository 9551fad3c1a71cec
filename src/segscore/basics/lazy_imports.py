"""Names whose modules are imported on first use, so that unused modules cost nothing."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from segscore.basics.on_demand import MadeOnDemand


def imported(place: str) -> Any:
    """The object at a place: `segscore.metrics.window:Pk`."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def imported_on_demand(package: str, places: Mapping[str, str]) -> Mapping[str, Any]:
    """Objects by name, each imported on first use.

    places: the place of each, relative to the package: `window:Pk`.

    >>> found = imported_on_demand("segscore", {"pk": "metrics.window:Pk", "lost": "nowhere:X"})
    >>> list(found), found["pk"]().name
    (['pk', 'lost'], 'pk')
    """
    where = list(places.values())
    return MadeOnDemand(list(places), lambda index: imported(f"{package}.{where[index]}"))


def names_on_demand(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names are imported on first use.

    homes: each name with the module that defines it, relative to the package.
    """

    def look_up(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = imported(f"{package}.{homes[name]}:{name}")
        setattr(sys.modules[package], name, value)  # the next look-up finds it at once
        return value

    return look_up
