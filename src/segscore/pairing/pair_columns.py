"""Columns of `Pairs`: given arrays become our own, or an error says why not; segmentations become
columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import integers
from segscore.basics.arguments import LARGEST, Int64Array, array_inside, shown
from segscore.coding.levels import has_levels, level_columns, level_labels
from segscore.coding.segmentation import BoundaryType, Segmentation, type_order
from segscore.corpus.lists import Lists, starts_of
from segscore.errors import SegmentationError

Positions = NDArray[np.int32] | NDArray[np.int64]


def position_dtype(positions: Any) -> np.dtype[Any]:
    dtype: Any = getattr(positions, "dtype", None)
    return np.dtype(np.int32) if dtype == np.int32 else np.dtype(np.int64)


def integer_column(values: Any, what: str, dtype: Any) -> Any:
    """A one-dimensional array of integers of our own, which is read-only."""
    given = array_inside(values, what, "a one-dimensional array of integers")
    try:
        array = np.asarray(given)
    except (TypeError, ValueError, OverflowError):
        raise SegmentationError(
            f"{what} is {shown(values)}: expected a one-dimensional array of integers"
        ) from None
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise SegmentationError(
            f"{what} is {array.ndim}-dimensional of {array.dtype}: expected a one-dimensional "
            "array of integers"
        )
    if array.dtype.kind == "u" and array.size and array.max() > LARGEST:
        raise SegmentationError(f"{what} holds {array.max()}: expected at most 2**53")
    return owned_array(np.asarray(array, dtype))


def owned_array(array: Any) -> Any:
    """A read-only array backed by `bytes`; copied unless it already is one.

    An unpickled array is backed by `bytes`, too, but is writable: neither it nor a view of it
    counts.
    """
    base, writeable = array, False
    while isinstance(base, np.ndarray):
        writeable = writeable or base.flags.writeable
        base = base.base
    ours = type(base) is bytes and not writeable
    if ours and array.flags.c_contiguous and type(array) is np.ndarray:
        return array.view()
    return np.frombuffer(array.tobytes(), array.dtype)


def check_row_count(offsets: Int64Array, what: str, n_rows: int) -> None:
    if len(offsets) != n_rows + 1:
        raise SegmentationError(
            f"{what} has {len(offsets)} entries: expected {n_rows + 1}, one more than rows"
        )


def checked_offsets(values: Any, what: str, n_rows: int, end: int | None) -> Int64Array:
    offsets: Int64Array = integer_column(values, what, np.int64)
    check_row_count(offsets, what, n_rows)
    bad = integers.first_bad_offset(offsets, int(offsets[-1]) if end is None else end)
    if bad >= 0:
        raise SegmentationError(
            f"{what}[{bad}] is {offsets[bad]}: expected offsets that start at 0, never fall"
            + ("" if end is None else f", and end at {end}, the number of values")
        )
    return offsets


def checked_codes(what: str, given: Any, n_lists: int, names: str, n_names: int) -> Lists:
    """A list of codes per boundary, or per segment; each code is an index into `names`."""
    values = integer_column(given[1], what, np.int64)
    offsets = checked_offsets(given[0], f"{what} offsets", n_lists, len(values))
    if values.size and not 0 <= values.min() <= values.max() < n_names:
        raise SegmentationError(
            f"{what} holds codes {values.min()} … {values.max()}: expected "
            f"0 … {n_names - 1}, the indices of {names}"
        )
    return Lists(offsets, values)


LEVEL_COLUMNS = ("levels", "level_labels")


def checked_levels(
    what: str, given: Any, boundaries: Int64Array, n_names: int
) -> tuple[Lists, Lists]:
    """The codes of segments and of labels, as many per region in each row; label -1 means no
    label."""
    offsets, segments, labels = given
    values = integer_column(segments, what, np.int64)
    names = integer_column(labels, f"{what} labels", np.int64)
    starts = checked_offsets(offsets, f"{what} offsets", len(boundaries) - 1, len(values))
    sizes, regions = np.diff(starts), np.diff(boundaries) + 1
    bad = np.flatnonzero((sizes < 1) | (sizes % regions != 0))
    if bad.size or len(names) != len(values):
        raise SegmentationError(
            f"{what} has {len(values)} segments and {len(names)} labels: expected as many of both, "
            "and in each row as many for each region"
        )
    if values.size and (values.min() < 0 or not -1 <= names.min() <= names.max() < n_names):
        raise SegmentationError(
            f"{what} holds a code out of range: expected segments of at least 0, and labels -1 or "
            f"0 … {n_names - 1}, the indices of label_names"
        )
    return Lists(starts, values), Lists(starts, names)


def checked_ranks(what: str, given: Any, positions: Positions) -> Int64Array:
    ranks: Int64Array = integer_column(given, what, np.int64)
    if len(ranks) != len(positions) or (ranks.size and ranks.min() < 1):
        raise SegmentationError(
            f"{what} has {len(ranks)} entries: expected {len(positions)}, one per boundary, "
            "each at least 1"
        )
    return ranks


def checked_candidates(what: str, given: Any, units: Int64Array) -> Lists:
    """A list of positions per row."""
    values = integer_column(given[1], what, np.int64)
    offsets = checked_offsets(given[0], f"{what} offsets", len(units), len(values))
    row, index = integers.first_bad_position(units, offsets, values)
    if row >= 0:
        raise SegmentationError(
            f"{what}, row {row}: {values[index]} at index {index}: expected ascending positions "
            f"1 … {units[row] - 1}"
        )
    return Lists(offsets, values)


def checked_details(
    side: str,
    given: tuple[Any, Any, Any, Any, Any],
    units: Int64Array,
    offsets: Int64Array,
    positions: Positions,
    n_types: int,
    n_labels: int,
) -> dict[str, Any]:
    """The optional columns of one side by name, None if not given: types, ranks, candidates, labels
    and levels."""
    types, ranks, candidates, labels, levels = given
    found: dict[str, Any] = dict.fromkeys(
        ("types", "ranks", "candidates", "labels", *LEVEL_COLUMNS)
    )
    if types is not None:
        found["types"] = checked_codes(
            f"{side}_types", types, len(positions), "type_names", n_types
        )
    if labels is not None:
        segments = len(positions) + len(offsets) - 1  # one more than boundaries in each row
        found["labels"] = checked_codes(f"{side}_labels", labels, segments, "label_names", n_labels)
    if levels is not None:
        codes = checked_levels(f"{side}_levels", levels, offsets, n_labels)
        found |= dict(zip(LEVEL_COLUMNS, codes, strict=True))
    if ranks is not None:
        found["ranks"] = checked_ranks(f"{side}_ranks", ranks, positions)
    if candidates is not None:
        found["candidates"] = checked_candidates(f"{side}_candidates", candidates, units)
    return {f"{side}_{name}": column for name, column in found.items()}


# ---- from segmentations ----


def all_type_names(*sides: Sequence[Segmentation]) -> tuple[BoundaryType, ...]:
    names = {
        name
        for side in sides
        for coding in side
        if coding.types
        for kinds in coding.types
        for name in kinds
    }
    return tuple(sorted(names, key=type_order))


def type_lists(side: Sequence[Segmentation], code: dict[BoundaryType, int]) -> Lists | None:
    if not code:
        return None
    lists = [
        sorted(code[name] for name in kinds)
        for coding in side
        for kinds in (coding.types or [()] * (coding.n_segments - 1))
    ]
    values = [value for entries in lists for value in entries]
    return Lists(starts_of([len(entries) for entries in lists]), np.array(values, np.int64))


def all_ranks(side: Sequence[Segmentation]) -> Int64Array | None:
    if all(coding.ranks is None for coding in side):
        return None
    columns = [
        np.ones(coding.n_segments - 1, np.int64) if coding.ranks is None else coding.ranks
        for coding in side
    ]
    return np.concatenate(columns)


def all_candidates(side: Sequence[Segmentation]) -> Lists | None:
    if all(coding.candidates is None for coding in side):
        return None
    none = np.empty(0, np.int64)
    columns = [none if coding.candidates is None else coding.candidates for coding in side]
    return Lists(starts_of([len(column) for column in columns]), np.concatenate(columns))


def all_label_names(*sides: Sequence[Segmentation]) -> tuple[str, ...]:
    names: set[str] = set()
    for side in sides:
        for coding in side:
            for label in coding.segment_labels or ():
                if isinstance(label, str):
                    names.add(label)
                elif label is not None:
                    names |= label
        names |= level_labels(side)
    return tuple(sorted(names))


def label_lists(side: Sequence[Segmentation], code: dict[str, int]) -> Lists | None:
    """A list of codes per segment; None if this side has no labels."""
    if all(coding.segment_labels is None for coding in side):
        return None
    lengths: list[int] = []
    values: list[int] = []
    for coding in side:
        for label in coding.segment_labels or (None,) * coding.n_segments:
            before = len(values)
            if isinstance(label, str):
                values.append(code[label])
            elif label is not None:
                values += sorted(code[name] for name in label)
            lengths.append(len(values) - before)
    return Lists(starts_of(lengths), np.array(values, np.int64))


def both_sides(refs: Sequence[Segmentation], hyps: Sequence[Segmentation]) -> dict[str, Any]:
    """References and hypotheses as columns of `Pairs`, by the names of its slots."""
    sides = {"ref": refs, "hyp": hyps}
    columns: dict[str, Any] = {"n_units": np.array([hyp.n_units for hyp in hyps], np.int64)}
    for side, codings in sides.items():
        packed = [coding.packed for coding in codings]
        columns[f"{side}_offsets"] = starts_of([len(boundaries) // 8 for boundaries in packed])
        columns[f"{side}_positions"] = np.frombuffer(b"".join(packed), np.int64)
    if all(ref.is_plain for ref in refs) and all(hyp.is_plain for hyp in hyps):
        return columns
    types, labels = all_type_names(refs, hyps), all_label_names(refs, hyps)
    columns |= {"type_names": types, "label_names": labels}
    type_code = {name: index for index, name in enumerate(types)}
    label_code = {name: index for index, name in enumerate(labels)}
    for side, codings in sides.items():
        levels = level_columns(codings, label_code) if has_levels(codings) else None
        columns |= {
            f"{side}_types": type_lists(codings, type_code),
            f"{side}_ranks": all_ranks(codings),
            f"{side}_candidates": all_candidates(codings),
            f"{side}_labels": label_lists(codings, label_code),
            f"{side}_levels": None if levels is None else Lists(levels[0], levels[1]),
            f"{side}_level_labels": None if levels is None else Lists(levels[0], levels[2]),
        }
    return columns
