"""Units that know the text that they were cut from, and their offsets in it.

Readers of text return such units, so that programs that cut a text, such as splitters for
retrieval, get the original text instead of its units put together, and their chunks are located in
its own units.
"""

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError
from segscore.text.folding import Folded
from segscore.text.unit_splitting import Stretches


class LocatedUnits(tuple[str, ...]):
    """The texts of units, in a text.

    text: the complete text, including what is between units. stretches: the (start, end) of each
        unit in it.

    >>> from segscore.text.unit_splitting import text_units
    >>> text = "It rains.  It pours."
    >>> units = LocatedUnits.of(text_units(text, "sentences"), text)
    >>> units, units.stretches.edges(1), units.text
    (('It rains.', 'It pours.'), (11, 20), 'It rains.  It pours.')
    """

    text: str
    _starts: "array[int]"
    _ends: "array[int]"
    _inner: frozenset[int]

    @classmethod
    def of(cls, units: Stretches, text: str) -> "LocatedUnits":
        """Units with their texts, and the text that they belong to."""
        located = cls(units.texts or ())
        located.text = text
        located._starts, located._ends = array("q", units.starts), array("q", units.ends)
        located._inner = units.inner
        return located

    @property
    def stretches(self) -> Stretches:
        """The (start, end) of each unit."""
        return Stretches(self._starts.tolist(), self._ends.tolist(), tuple(self), self._inner)

    def __repr__(self) -> str:
        return tuple.__repr__(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).of, (self.stretches, self.text)


class SourceText(NamedTuple):
    """A text and its units; `exact` if it is the text itself, and not put together from its units,
    so that offsets mean something in it."""

    text: str
    units: Stretches
    exact: bool


def source_text(units: Sequence[str], separator: str = " ") -> SourceText:
    r"""The text of units: that which they were cut from, or the units with something between them.

    >>> source_text(["One.", "Two."], "\n").text
    'One.\nTwo.'
    """
    if isinstance(units, LocatedUnits):
        return SourceText(units.text, units.stretches, exact=True)
    edges: list[tuple[int, int]] = []
    at = reached = 0
    for unit in units:
        words = unit.strip()
        start = at + unit.index(words) if words else reached
        edges.append((start, start + len(words)))
        reached, at = edges[-1][1], at + len(unit) + len(separator)
    return SourceText(separator.join(units), _stretches(edges, units), exact=False)


def find_units(units: Sequence[str], text: str) -> Stretches:
    r"""The offsets of units in a text: as they were cut from it, or else in their order, ignoring
    white space and marks. A unit without text comes after the unit before it.

    >>> find_units(["It rains.", "It pours."], "Now it is:\nIt  rains. It pours.").starts
    [11, 22]
    """
    if isinstance(units, LocatedUnits) and units.text == text:
        return units.stretches
    whole = Folded(text)
    edges: list[tuple[int, int]] = []
    reached = end = 0
    for index, unit in enumerate(units):
        words = Folded(unit).text
        at = whole.text.find(words, reached)
        if at < 0:
            raise SegmentationError(
                f"units[{index}] is {shown(unit)}, which is not in the text after the units before "
                "it: expected the text that the units were cut from"
            )
        if words:
            reached = at + len(words)
            start, end = int(whole.at[at]), int(whole.at[reached - 1]) + 1
        edges.append((start if words else end, end))
    return _stretches(edges, units)


def _stretches(edges: Sequence[tuple[int, int]], units: Sequence[str]) -> Stretches:
    """The units between these edges; units may be empty."""
    return Stretches([start for start, _ in edges], [end for _, end in edges], tuple(units))
