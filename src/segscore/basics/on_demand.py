"""What is made on first use: the values of a mapping, and names whose modules are imported then, so
that unused modules cost nothing."""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeVar

Value = TypeVar("Value")


class MadeOnDemand(Mapping[str, Value]):
    """Names in a fixed order; `make(i)` makes the value of the i-th. Copies are plain dicts.

    >>> squares = MadeOnDemand(["one", "two", "three"], lambda i: (i + 1) ** 2)
    >>> squares["three"], list(squares), squares == {"one": 1, "two": 4, "three": 9}
    (9, ['one', 'two', 'three'], True)
    """

    __slots__ = ("_made", "_make", "_numbers")

    def __init__(self, names: Sequence[str], make: Callable[[int], Value]) -> None:
        self._numbers = {name: index for index, name in enumerate(names)}
        self._make = make
        self._made: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        if name not in self._made:
            self._made[name] = self._make(self._numbers[name])
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


# ---- imports ----


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


def names_on_demand(
    package: str, homes: Mapping[str, str], rooms: Collection[str] = ()
) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names are imported on first use.

    homes: each name with the module that defines it, relative to the package, or with its whole
    place, as in `segscore.coding.chunks_on_units:place_chunks`; rooms: its modules that are names,
    too.
    """

    def look_up(name: str) -> Any:
        if name in rooms:
            return import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        value = imported(home if ":" in home else f"{package}.{home}:{name}")
        setattr(sys.modules[package], name, value)  # the next look-up finds it at once
        return value

    return look_up


def tell_name(self: object, name: str) -> Any:
    """The `__getattr__` of classes whose attributes people guess: an error that shows the name."""
    from segscore.basics.other_names import meant_by

    kind = type(self).__name__
    meant = meant_by(name, kind)
    if meant is None and hasattr(type(self), "to_table"):
        meant = meant_by(name, "results")
    told = f": it is {meant}" if meant else ""
    raise AttributeError(f"{kind!r} object has no attribute {name!r}{told}", name=name, obj=self)
