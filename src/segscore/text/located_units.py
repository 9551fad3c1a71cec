"""Units that know the text that they were cut from, and where in it they stand.

Readers of text give their units so: programs that cut a text, such as splitters for retrieval, get
the text as it is, and not its units put together; and where chunks of it stand is told in its own
units. The text need not be in memory: its holder may read it again when somebody asks for it.
"""

import hashlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from segscore.errors import SegmentationError
from segscore.text.chunk_finding import Chunk, find_chunks
from segscore.text.folding import is_blank
from segscore.text.unit_splitting import Stretches


class TextHolder(Protocol):
    """Gives a text; `digest` tells it from others."""

    @property
    def text(self) -> str: ...

    @property
    def digest(self) -> bytes: ...


@dataclass(frozen=True)
class KeptText:
    """A text in memory."""

    text: str

    @property
    def digest(self) -> bytes:
        """What tells it from others."""
        return digest_of(self.text)


def digest_of(text: str) -> bytes:
    """What tells a text from others."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class LocatedUnits(tuple[str, ...]):
    """The texts of units, in a text.

    text: all of it, units or not. stretches: where the units stand in it.

    >>> from segscore.text.unit_splitting import text_units
    >>> text = "It rains.  It pours."
    >>> units = LocatedUnits.of(text_units(text, "sentences"), KeptText(text))
    >>> units, units.stretches.edges(1), units.text
    (('It rains.', 'It pours.'), (11, 20), 'It rains.  It pours.')
    """

    holder: TextHolder
    _starts: "array[int]"
    _ends: "array[int]"

    @classmethod
    def of(cls, units: Stretches, holder: TextHolder) -> "LocatedUnits":
        """Units with their texts, and who holds the text that they are of."""
        located = cls(units.texts or ())
        located.holder = holder
        located._starts, located._ends = array("q", units.starts), array("q", units.ends)
        return located

    @property
    def text(self) -> str:
        """The text."""
        return self.holder.text

    @property
    def stretches(self) -> Stretches:
        """Where each unit stands."""
        return Stretches(self._starts.tolist(), self._ends.tolist(), tuple(self))

    def __repr__(self) -> str:
        return tuple.__repr__(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).of, (self.stretches, self.holder)


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
    r"""Where units stand in a text: as they were cut from it, or else in their order, white space
    and marks aside. One without text stands after the one before it.

    >>> find_units(["It rains.", "It pours."], "Now it is:\nIt  rains. It pours.").starts
    [11, 22]
    """
    if isinstance(units, LocatedUnits) and units.holder.digest == digest_of(text):
        return units.stretches
    solid = [index for index, unit in enumerate(units) if not is_blank(unit)]
    try:
        found = find_chunks(text, [Chunk(units[index]) for index in solid]) if solid else None
    except SegmentationError as error:
        raise SegmentationError(f"units: {error}".replace("chunks[", "units[")) from None
    places = dict(zip(solid, found.stretches if found else (), strict=True))
    edges: list[tuple[int, int]] = []
    reached = 0
    for index in range(len(units)):
        start, end = places.get(index, (reached, reached))
        edges.append((max(start, reached), max(end, reached)))
        reached = edges[-1][1]
    return _stretches(edges, units)


def _stretches(edges: Sequence[tuple[int, int]], units: Sequence[str]) -> Stretches:
    """Units that may be empty."""
    return Stretches([start for start, _ in edges], [end for _, end in edges], tuple(units))
