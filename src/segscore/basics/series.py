"""Values with names: mappings, and pandas Series, which are paired by their index."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from segscore.errors import SegmentationError


def by_name(given: Any, what: str) -> dict[Any, Any] | None:
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


def in_given_order(given: Any) -> bool:
    """Whether a plain sequence may be paired with it by place: a Series numbered 0, 1, 2 …"""
    return not is_series(given) or list(given.index) == list(range(len(given)))


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
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            break
        seen.add(name)
    return name
