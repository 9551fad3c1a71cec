"""Columns of lists: values row after row, and where each row begins; and columns of labels.

A row has one segment more than boundaries, so that the segments of row i start at `offsets[i] + i`,
where `offsets` are those of its boundaries.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array

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


def joined_labels(parts: Sequence[tuple[LabelColumn | None, int]]) -> LabelColumn | None:
    """The columns one after the other, given their numbers of segments; None if none has labels."""
    if all(column is None for column, _ in parts):
        return None
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
