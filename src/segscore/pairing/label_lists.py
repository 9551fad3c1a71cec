"""Columns of lists of labels, one label per segment, into the label columns of `Pairs`.

A null in a list is a segment without a label, and a row that is null is a document without labels,
as in JSON Lines.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array

NO_LABEL = -1


class LabelLists(NamedTuple):
    """Row i has `codes[offsets[i]:offsets[i+1]]`, indices of `names` or NO_LABEL; a mask says which
    rows are null."""

    offsets: Int64Array
    codes: NDArray[np.int32]
    names: Sequence[str]
    null: NDArray[np.bool_] | None = None

    def misfits(self, boundaries: Int64Array) -> NDArray[np.bool_]:
        """Rows with another number of labels than of segments; `boundaries` are their offsets."""
        wrong: NDArray[np.bool_] = np.diff(self.offsets) != np.diff(boundaries) + 1
        return wrong if self.null is None else wrong & ~self.null

    def empty_texts(self) -> NDArray[np.bool_]:
        """Rows with a label that is an empty text."""
        if "" not in self.names:
            return np.zeros(len(self.offsets) - 1, np.bool_)
        sums = np.concatenate(([0], np.cumsum(self.codes == list(self.names).index(""))))
        found: NDArray[np.bool_] = np.diff(sums[self.offsets]) > 0
        return found if self.null is None else found & ~self.null

    def of_row(self, row: int) -> list[str | None] | None:
        """The labels of one row; None if it is null."""
        if self.null is not None and self.null[row]:
            return None
        codes = self.codes[self.offsets[row] : self.offsets[row + 1]].tolist()
        return [None if code < 0 else self.names[code] for code in codes]

    def per_segment(self, boundaries: Int64Array, keep: Int64Array | None) -> "LabelCodes | None":
        """A code per segment of the rows to keep, whose boundaries have these offsets; None if no
        row has labels."""
        if keep is None and self.null is None:
            return LabelCodes(self.names, self.codes)
        rows = np.arange(len(self.offsets) - 1) if keep is None else keep
        there = np.ones(len(rows), np.bool_) if self.null is None else ~self.null[rows]
        if len(rows) and not there.any():
            return None
        codes = np.full(int(boundaries[-1]) + len(rows), NO_LABEL, np.int32)
        sizes = (np.diff(boundaries) + 1)[there]
        targets = (boundaries[:-1] + np.arange(len(rows)))[there]
        sources = self.offsets[:-1][rows[there]]
        before = np.repeat(np.cumsum(sizes) - sizes, sizes)
        step = np.arange(len(before)) - before
        codes[np.repeat(targets, sizes) + step] = self.codes[np.repeat(sources, sizes) + step]
        return LabelCodes(self.names, codes)


class LabelCodes(NamedTuple):
    """A code per segment of all rows, an index of `names` or NO_LABEL."""

    names: Sequence[str]
    codes: NDArray[np.int32]


def label_columns(sides: Sequence[LabelCodes | None]) -> dict[str, Any]:
    """What `Pairs` take: the labels of both sides, and the names that they share and use."""
    used = [
        set()
        if one is None
        else {one.names[code] for code in np.flatnonzero(np.bincount(one.codes + 1)[1:]).tolist()}
        for one in sides
    ]
    names = sorted(set[str]().union(*used))
    place = {name: index for index, name in enumerate(names)}
    columns: dict[str, Any] = {"label_names": names}
    for key, one in zip(("ref_labels", "hyp_labels"), sides, strict=True):
        if one is None:
            columns[key] = None
            continue
        code = np.array([place.get(name, NO_LABEL) for name in one.names], np.int64)
        given = one.codes >= 0
        offsets = np.concatenate(([0], np.cumsum(given))).astype(np.int64)
        columns[key] = offsets, code[one.codes[given]] if len(code) else np.empty(0, np.int64)
    return columns


def joined_labels(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The columns with labels, and those of levels, of several batches in one.

    A batch without labels is so many segments without one.
    """
    every = sorted({name for part in parts for name in part.get("label_names", ())})
    place = {name: index for index, name in enumerate(every)}
    codes = [  # NO_LABEL is the index of the last
        np.array([*(place[name] for name in part.get("label_names", ())), NO_LABEL], np.int64)
        for part in parts
    ]
    columns: dict[str, Any] = {"label_names": every}
    for side in ("ref", "hyp"):
        columns[f"{side}_labels"] = columns[f"{side}_levels"] = None
        labels = [part.get(f"{side}_labels") for part in parts]
        if any(one is not None for one in labels):
            counts = [
                np.zeros(_n_segments(part[f"{side}_offsets"]), np.int64)
                if one is None
                else np.diff(one[0])
                for one, part in zip(labels, parts, strict=True)
            ]
            values = [code[one[1]] for one, code in zip(labels, codes, strict=True) if one]
            columns[f"{side}_labels"] = _starts(counts), np.concatenate(values)
        if parts[0].get(f"{side}_levels") is not None:  # then in all of them
            levels = [part[f"{side}_levels"] for part in parts]
            columns[f"{side}_levels"] = (
                _starts([np.diff(one[0]) for one in levels]),
                np.concatenate([one[1] for one in levels]),
                np.concatenate([code[one[2]] for one, code in zip(levels, codes, strict=True)]),
            )
    return columns


def _n_segments(boundaries: Int64Array) -> int:
    return int(boundaries[-1]) + len(boundaries) - 1


def _starts(counts: Sequence[Int64Array]) -> Int64Array:
    return np.concatenate(([0], np.cumsum(np.concatenate(counts)))).astype(np.int64)
