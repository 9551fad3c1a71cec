"""Columns of lists of lists into `Pairs`: the levels of each document, coarse to fine.

Each level is a list in one of the encodings of `list_columns`; its labels are a list of
texts, or null. Each row becomes an object on the way, at about 0.1 ms.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar, get_args

import numpy as np

from segscore.basics.arguments import Int64Array, check_choice
from segscore.coding.levels import Levels, level_columns
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, about
from segscore.pairing.list_columns import (
    LEVELS,
    NAMELESS,
    CheckedRows,
    Encoding,
    LabelLists,
    ListColumn,
    Mask,
    OnError,
    Texts,
    called,
    reason,
)
from segscore.pairing.pair_columns import all_label_names, all_ranks, both_sides


def _from_gaps(values: list[int]) -> Segmentation:
    """The segmentation of gaps; no gap at all means one unit."""
    return Segmentation.from_gaps(values) if values else Segmentation.from_masses([1])


_MAKE: dict[str, Callable[[list[int]], Segmentation]] = {
    "masses": Segmentation.from_masses,
    "gaps": _from_gaps,
    "labels-end": partial(Segmentation.from_labels, marks="end"),
    "labels-start": partial(Segmentation.from_labels, marks="start"),
}


Column = TypeVar("Column", ListColumn, LabelLists)


class LevelColumn(NamedTuple, Generic[Column]):
    """A column of levels: row i has counts[i] levels, those of `lists` from row starts[i] on, as
    boundaries or labels. A mask says which rows are null."""

    starts: Int64Array
    counts: Int64Array
    lists: Column
    null: Mask | None = None


class LevelLists(NamedTuple):
    """The columns of one batch of rows, as they were read."""

    length: int
    sides: tuple[LevelColumn[ListColumn], LevelColumn[ListColumn]]
    labels: tuple[LevelColumn[LabelLists] | None, LevelColumn[LabelLists] | None]
    n_units: Int64Array | None = None
    null: Mask | None = None  # rows with a null elsewhere (n_units, the whole row)
    names: Texts | None = None


def checked_levels(
    given: LevelLists, encoding: Encoding, on_error: OnError, first: int
) -> CheckedRows:
    """The good rows; a bad row raises, or is left out, as in `checked_rows`."""
    check_choice(encoding, "encoding", get_args(Encoding))
    check_choice(on_error, "on_error", get_args(OnError))
    if encoding == "boundaries" and given.n_units is None:
        raise SegmentationError(
            "n_units is missing: boundaries do not say how many units a document has"
        )
    codes = np.zeros(given.length, np.uint8)
    sides: tuple[list[Segmentation], list[Segmentation]] = [], []
    for row in range(given.length):
        try:
            both = _both_sides(given, row, encoding)
        except SegmentationError as error:
            if on_error == "raise":
                raise SegmentationError(f"{called(row, first, given.names)}: {error}") from None
            codes[row] = NAMELESS if _is_nameless(given, row) else LEVELS
            continue
        for side, levels in zip(sides, both, strict=True):
            side.append(levels)
    keep = np.flatnonzero(codes == 0) if codes.any() else None
    return CheckedRows(_columns(*sides), keep, codes)


def _both_sides(given: LevelLists, row: int, encoding: Encoding) -> list[Levels]:
    """The levels of a row, with the same number of units on both sides."""
    if _is_nameless(given, row):
        raise SegmentationError(reason(NAMELESS))
    if given.null is not None and given.null[row]:
        raise SegmentationError("the row or its number of units is null")
    n_units = None if given.n_units is None else int(given.n_units[row])
    found = []
    for side, labels, side_name in zip(
        given.sides, given.labels, ("reference", "hypothesis"), strict=True
    ):
        with about(f"the {side_name}"):
            found.append(_levels(side, labels, row, n_units, encoding))
    units = [levels.n_units for levels in found]
    if len({*units, n_units or units[0]}) > 1:
        raise SegmentationError(
            f"the reference has {units[0]} units, the hypothesis {units[1]}: expected the same "
            "number" + ("" if n_units is None else f", {n_units}")
        )
    return found


def _is_nameless(given: LevelLists, row: int) -> bool:
    return given.names is not None and given.names.known(row) is None


def _levels(
    side: LevelColumn[ListColumn],
    labels: LevelColumn[LabelLists] | None,
    row: int,
    n_units: int | None,
    encoding: Encoding,
) -> Levels:
    if side.null is not None and side.null[row]:
        raise SegmentationError("it is null")
    first, count = int(side.starts[row]), int(side.counts[row])
    named = [None] * count if labels is None else _labels_of(labels, row, count)
    levels = []
    for number in range(count):
        with about(f"level {number + 1}"):
            levels.append(_level(side.lists, first + number, named[number], n_units, encoding))
    return Levels(levels)


def _level(
    lists: ListColumn,
    place: int,
    labels: list[str | None] | None,
    n_units: int | None,
    encoding: Encoding,
) -> Segmentation:
    for mask in (lists.null, lists.hole):
        if mask is not None and mask[place]:
            raise SegmentationError("it is null, or holds a null: expected integers")
    values = lists.values[lists.offsets[place] : lists.offsets[place + 1]]
    if encoding == "boundaries" and n_units is not None:
        if np.diff(values).min(initial=1) < 1:
            raise SegmentationError("its boundaries do not ascend: sort them, each once")
        made = Segmentation.from_boundaries(values, n_units)
    else:
        made = _MAKE[encoding](values.tolist())
    return made if labels is None else made.with_segment_labels(labels)


def _labels_of(
    given: LevelColumn[LabelLists], row: int, count: int
) -> list[list[str | None] | None]:
    """The labels of each level of a row; those of the row or of a level may be null."""
    if given.null is not None and given.null[row]:
        return [None] * count
    first, there = int(given.starts[row]), int(given.counts[row])
    if there != count:
        raise SegmentationError(f"there are {count} levels, and labels of {there}")
    return [given.lists.of_row(place) for place in range(first, first + count)]


def _columns(refs: list[Segmentation], hyps: list[Segmentation]) -> dict[str, Any]:
    """Both sides as columns of `Pairs`, by the names of its parameters: levels and ranks, even if
    no row has a boundary."""
    names = all_label_names(refs, hyps)
    code = {name: index for index, name in enumerate(names)}
    columns = both_sides(refs, hyps) | {"label_names": names}
    kept = (
        "n_units",
        "label_names",
        "ref_offsets",
        "ref_positions",
        "hyp_offsets",
        "hyp_positions",
    )
    found = {name: columns[name] for name in kept}
    for side, codings in (("ref", refs), ("hyp", hyps)):
        ranks = all_ranks(codings)  # None if no row has a boundary
        found[f"{side}_ranks"] = np.empty(0, np.int64) if ranks is None else ranks
        found[f"{side}_levels"] = level_columns(codings, code)
    return found
