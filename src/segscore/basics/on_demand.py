"""A mapping whose values are made on first access, each once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
