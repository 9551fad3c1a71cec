"""A property that is computed once and kept, without a lock.

`functools.cached_property` of Python 3.11 holds a lock of the whole class while a value is
computed. A process that forks while another thread holds the lock copies it as held, and the child
waits for ever. Here, as in Python 3.12, two threads that read the property at the same moment may
both compute it, and the first value is kept.
"""

import functools
from typing import TypeVar, overload

Value = TypeVar("Value")


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
