"""Columns of `Pairs`: what is given becomes arrays that are ours, or an error that says why not."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import integers
from segscore.basics.arguments import LARGEST, Int64Array, array_inside, shown
from segscore.corpus.lists import Lists
from segscore.errors import SegmentationError

Positions = NDArray[np.int32] | NDArray[np.int64]


def position_dtype(positions: Any) -> np.dtype[Any]:
    dtype: Any = getattr(positions, "dtype", None)
    return np.dtype(np.int32) if dtype == np.int32 else np.dtype(np.int64)


def integer_column(values: Any, what: str, dtype: Any) -> Any:
    """A one-dimensional array of integers that is ours, and that nobody can write to."""
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
    """The same numbers over `bytes`, which nobody can write to; a copy unless they are so."""
    base = array
    while isinstance(base, np.ndarray):
        base = base.base
    if type(base) is bytes and array.flags.c_contiguous and type(array) is np.ndarray:
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


def n_segments(offsets: Int64Array) -> int:
    """Segments of all rows: one more than boundaries in each."""
    return int(offsets[-1]) + len(offsets) - 1


def checked_codes(what: str, given: Any, n_lists: int, names: str, n_names: int) -> Lists | None:
    """A list of codes per boundary, or per segment; each an index of `names`."""
    if given is None:
        return None
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
) -> tuple[Lists | None, Lists | None]:
    """Codes of segments and of labels, as many per region in each row; label -1 is none."""
    if given is None:
        return None, None
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


def checked_ranks(what: str, given: Any, positions: Positions) -> Int64Array | None:
    if given is None:
        return None
    ranks: Int64Array = integer_column(given, what, np.int64)
    if len(ranks) != len(positions) or (ranks.size and ranks.min() < 1):
        raise SegmentationError(
            f"{what} has {len(ranks)} entries: expected {len(positions)}, one per boundary, "
            "each at least 1"
        )
    return ranks
