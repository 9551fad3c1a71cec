"""Labels of segments: what a coder calls each segment (a topic, a chapter's title, an action).

A segmentation has an entry per segment: a label, several labels (a set), or None. Labels are
non-empty texts. A set with a single label becomes that label, and an empty set becomes None, so
that equal labels are equal however they were given.
"""

from collections.abc import Iterable, Mapping, Set
from typing import Any

from segscore.basics.arguments import array_inside, shown
from segscore.basics.series import check_ascending
from segscore.errors import SegmentationError

SegmentLabel = str | frozenset[str] | None
SegmentLabels = tuple[SegmentLabel, ...]
LabelSets = tuple[frozenset[str], ...]

_NONE: frozenset[str] = frozenset()


def checked_labels(given: Any, n_segments: int, what: str = "segment_labels") -> SegmentLabels:
    """The labels, checked: an entry per segment; `what` is the name of the values in messages.

    >>> checked_labels(["intro", None, {"love"}], 3)
    ('intro', None, 'love')
    """
    expected = f"a list of {n_segments}, one entry per segment"
    check_ascending(given, what)
    entries = array_inside(given, what, expected)
    unordered = isinstance(entries, (str, bytes, Set, Mapping)) or not isinstance(entries, Iterable)
    if unordered or getattr(entries, "shape", None) == ():
        raise SegmentationError(f"{what} is {shown(given)}: expected {expected}")
    labels = tuple(_entry(entry, index, what) for index, entry in enumerate(entries))
    if len(labels) != n_segments:
        raise SegmentationError(f"{what} has {len(labels)}: expected {expected}")
    return labels


def _entry(entry: Any, index: int, what: str) -> SegmentLabel:
    """A label, several labels, or no label (None, or an empty list)."""
    if type(entry) is str and entry:
        return entry
    if entry is None:
        return None
    names = [entry] if isinstance(entry, str) else entry
    several = isinstance(names, (list, tuple, Set))
    if not several or not all(isinstance(name, str) and name for name in names):
        _refuse(entry, index, what)
    found = frozenset(map(str, names))
    if len(found) < len(names):
        _refuse(entry, index, what)
    if len(found) > 1:
        return found
    return next(iter(found), None)


def _refuse(entry: Any, index: int, what: str) -> None:
    raise SegmentationError(
        f"{what}[{index}] is {shown(entry)}: expected a text, or a list of distinct texts"
    )


def label_sets(labels: SegmentLabels) -> LabelSets:
    """The labels as a set per segment, empty where there is none.

    >>> label_sets(("intro", None))
    (frozenset({'intro'}), frozenset())
    """
    return tuple(
        _NONE if label is None else frozenset((label,)) if isinstance(label, str) else label
        for label in labels
    )
