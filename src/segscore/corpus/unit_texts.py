"""Texts of documents, unit by unit, which stay in JSON until they are used.

Few uses of a large corpus need every text, and a tuple with a string per unit takes several times
the memory of its JSON.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from segscore.text.located_units import LocatedUnits

Units = tuple[str, ...]


class _Text(NamedTuple):
    n_units: int
    kept: bytes | Units  # a JSON list of strings that was checked, or the units themselves

    @property
    def units(self) -> Units:
        if isinstance(self.kept, tuple):
            return self.kept
        import json

        return tuple(json.loads(self.kept))


class UnitTexts(Mapping[str, Units]):
    """The units of documents by name. Each access makes a new tuple if the text is kept as JSON.

    >>> texts = UnitTexts()
    >>> texts.add("ch1", 2, b'["Hello.", "Bye."]'), texts.add("ch1", 2, ("Hello.", "Bye."))
    (None, None)
    >>> texts["ch1"]
    ('Hello.', 'Bye.')
    """

    __slots__ = ("_texts",)

    def __init__(self) -> None:
        self._texts: dict[str, _Text] = {}

    def add(self, document: str, n_units: int, text: bytes | Units) -> int | None:
        """Add a text: units, or a checked JSON list of them. If the document already has a text,
        keep that and return the index of the first unit that differs, or None if they are the
        same."""
        new = _Text(n_units, text)
        old = self._texts.setdefault(document, new)
        return None if old.kept == text else first_difference(old.units, new.units)

    def take(self, document: str, other: "UnitTexts") -> int | None:
        """Add the text of a document from another `UnitTexts`."""
        return self.add(document, *other._texts[document])

    def same(self, document: str, other: "UnitTexts") -> bool:
        """Whether both have the text of a document in exactly the same form."""
        own, theirs = self._texts.get(document), other._texts.get(document)
        return own is not None and theirs is not None and own.kept == theirs.kept

    def n_units(self, document: str) -> int:
        """The number of units of a text."""
        return self._texts[document].n_units

    def __getitem__(self, document: str) -> Units:
        return self._texts[document].units

    def __contains__(self, document: object) -> bool:
        return document in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def as_units(given: Iterable[str]) -> Units:
    """Texts as units; texts that know what they were cut from stay unchanged."""
    return given if isinstance(given, LocatedUnits) else tuple(given)


def first_difference(texts: Sequence[str], other: Sequence[str]) -> int | None:
    """The index of the first unit that differs; None if the texts are the same.

    >>> first_difference(["so", "hello", "world"], ["so", "hell", "o world"])
    1
    """
    if texts == other:
        return None
    pairs = enumerate(zip(texts, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(texts), len(other)))
