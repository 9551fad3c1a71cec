"""Columns of lists: values row after row, and where each row begins; columns of labels; and texts
of documents, unit by unit, which stay in JSON until they are used.

A row has one segment more than boundaries, so that the segments of row i start at `offsets[i] + i`,
where `offsets` are those of its boundaries. Few uses of a large corpus need every text, and a tuple
with a string per unit takes several times the memory of its JSON.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array
from segscore.text.located_units import LocatedUnits

_SPREAD_RUN = 10  # neighbours that are looked at together

NO_LABEL = -1
NO_LABELS = -2  # of each segment of a row without labels


class Lists(NamedTuple):
    """A column of lists of integers: row i is `values[offsets[i]:offsets[i+1]]`."""

    offsets: Int64Array
    values: Int64Array

    def at(self, row: int) -> Int64Array:
        """The list of a row."""
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    def picked(self, rows: Int64Array) -> "Lists":
        """The lists of these rows, in their order."""
        return Lists(*picked_lists(self.offsets, self.values, rows))


def starts_of(counts: Any) -> Int64Array:
    """Where each list begins, and the end of the last list, given their lengths."""
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int64))).astype(np.int64, copy=False)


def is_all(rows: Int64Array, n_rows: int) -> bool:
    """Whether these rows are all rows, in order."""
    return len(rows) == n_rows and np.array_equal(rows, np.arange(n_rows))


def picked_places(offsets: Int64Array, rows: Int64Array) -> Int64Array:
    """The indices of the values of these lists, list after list."""
    lengths = offsets[rows + 1] - offsets[rows]
    ends = starts_of(lengths)
    return np.asarray(np.arange(ends[-1]) + np.repeat(offsets[rows] - ends[:-1], lengths))


def picked_lists(
    offsets: Int64Array, values: Int64Array, rows: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """(offsets, values) of these rows of a column of lists, in their order."""
    if is_all(rows, len(offsets) - 1):
        return offsets, values
    return starts_of(np.diff(offsets)[rows]), values[picked_places(offsets, rows)]


class LabelColumn(NamedTuple):
    """`codes` are indices of `names`, or NO_LABEL, or NO_LABELS."""

    names: Sequence[str]
    codes: NDArray[np.int32]

    def of_row(self, offsets: Int64Array, row: int) -> list[str | None] | None:
        """The labels of a row; None if it has no labels."""
        codes = self.codes[offsets[row] + row : offsets[row + 1] + row + 1].tolist()
        if codes[0] == NO_LABELS:
            return None
        return [None if code < 0 else self.names[code] for code in codes]

    def of_rows(self, offsets: Int64Array, rows: Int64Array) -> "LabelColumn":
        """The labels of these rows, in their order."""
        if is_all(rows, len(offsets) - 1):
            return self
        starts, ends = offsets[rows] + rows, offsets[rows + 1] + rows + 1
        new = np.cumsum(ends - starts) - (ends - starts)
        index = np.arange((ends - starts).sum()) + np.repeat(starts - new, ends - starts)
        return LabelColumn(self.names, self.codes[index])

    def lists(self, names: Sequence[str]) -> Lists:
        """A list of codes of `names` per segment, as Pairs have them."""
        place = {name: index for index, name in enumerate(names)}
        code = np.array([place[name] for name in self.names], np.int64)
        given = self.codes >= 0
        return Lists(starts_of(given), code[self.codes[given]])


def joined_labels(parts: Sequence[tuple[LabelColumn | None, int]]) -> LabelColumn:
    """The columns one after the other, given their numbers of segments."""
    names: dict[str, int] = {}
    codes = [np.empty(0, np.int32)]
    for column, n_segments in parts:
        if column is None:
            codes.append(np.full(n_segments, NO_LABELS, np.int32))
            continue
        known = [names.setdefault(name, len(names)) for name in column.names]
        # codes below zero count from the end, where they find themselves
        codes.append(np.array([*known, NO_LABELS, NO_LABEL], np.int32)[column.codes])
    return LabelColumn(list(names), np.concatenate(codes))


def pair_columns(reference: LabelColumn | None, hypothesis: LabelColumn | None) -> dict[str, Any]:
    """The columns of `Pairs`: the labels of both sides, and their shared names."""
    sides = {"ref_labels": reference, "hyp_labels": hypothesis}
    names = sorted({name for side in sides.values() if side is not None for name in side.names})
    columns: dict[str, Any] = {
        key: None if side is None else side.lists(names) for key, side in sides.items()
    }
    return columns | {"label_names": tuple(names)}


def spread_rows(count: int, most: int) -> Int64Array:
    """At most `most` of the indices below `count`: runs of ten, evenly spread.

    Neighbours stay together, so that documents that are rotated by a few places still show.
    """
    if count <= most:
        return np.arange(count)
    run = min(_SPREAD_RUN, most)
    n_runs = most // run
    starts = np.arange(n_runs) * (count - run) // max(1, n_runs - 1)
    return (starts[:, np.newaxis] + np.arange(run)).reshape(-1)


Units = tuple[str, ...]


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
        # the number of units; and a JSON list of texts that was checked, or the units themselves
        self._texts: dict[str, tuple[int, bytes | Units]] = {}

    def add(self, document: str, n_units: int, text: bytes | Units) -> int | None:
        """Add a text: units, or a checked JSON list of them. If the document already has a text,
        keep that and return the index of the first unit that differs, or None if they are the
        same."""
        _, old = self._texts.setdefault(document, (n_units, text))
        return None if old == text else first_difference(_units(old), _units(text))

    def take(self, document: str, other: "UnitTexts") -> int | None:
        """Add the text of a document from another `UnitTexts`."""
        return self.add(document, *other._texts[document])

    def same(self, document: str, other: "UnitTexts") -> bool:
        """Whether both have the text of a document in exactly the same form."""
        return document in self and self._texts[document] == other._texts.get(document)

    def n_units(self, document: str) -> int:
        """The number of units of a text."""
        return self._texts[document][0]

    def __getitem__(self, document: str) -> Units:
        return _units(self._texts[document][1])

    def __contains__(self, document: object) -> bool:
        return document in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def _units(text: bytes | Units) -> Units:
    if isinstance(text, tuple):
        return text
    import json

    return tuple(json.loads(text))


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
