"""Columns of `Pairs`: given arrays become our own, or an error says why not; segmentations become
columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import integers
from segscore.basics.arguments import LARGEST, Int64Array, array_inside, shown
from segscore.coding.constructor_checks import label_sets
from segscore.coding.levels import has_levels, level_columns, level_labels
from segscore.coding.segmentation import Segmentation, columns_of, type_order
from segscore.corpus.lists import Lists, starts_of
from segscore.errors import SegmentationError

Positions = NDArray[np.int32] | NDArray[np.int64]
LEVEL_COLUMNS = ("levels", "level_labels")
SIDE = ("offsets", "positions", "types", "ranks", "candidates", "labels", *LEVEL_COLUMNS)
"""The columns of one side; those after the second are None where nothing is known."""


# ---- from arrays ----


def integer_column(values: Any, what: str, dtype: Any = np.int64) -> Any:
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


def checked_offsets(values: Any, what: str, n_rows: int, end: int | None = None) -> Int64Array:
    """Offsets of lists, one list per row; `end` is the number of values, if it is known."""
    offsets: Int64Array = integer_column(values, what)
    if len(offsets) != n_rows + 1:
        raise SegmentationError(
            f"{what} has {len(offsets)} entries: expected {n_rows + 1}, one more than rows"
        )
    bad = integers.first_bad_offset(offsets, int(offsets[-1]) if end is None else end)
    if bad >= 0:
        raise SegmentationError(
            f"{what}[{bad}] is {offsets[bad]}: expected offsets that start at 0, never fall"
            + ("" if end is None else f", and end at {end}, the number of values")
        )
    return offsets


def checked_side(
    side: str,
    units: Int64Array,
    boundaries: tuple[Any, Any, Any],
    details: tuple[Any, Any, Any, Any, Any],
    n_names: tuple[int, int],
    called: Callable[[int], str],
) -> dict[str, Any]:
    """The columns of one side by name, validated in full.

    boundaries: offsets, positions, and the type of these; details: types, ranks, candidates, labels
    and levels, or None; n_names: the numbers of names of types and of labels; called: makes the
    name of a row in messages.
    """
    places = integer_column(boundaries[1], f"{side}_positions", boundaries[2])
    starts = checked_offsets(boundaries[0], f"{side}_offsets", len(units), len(places))
    row, index = integers.first_bad_position(units, starts, places)
    if row >= 0:
        raise SegmentationError(
            f"{called(row)}: {side}_positions[{index}] is {places[index]}: expected ascending "
            f"positions 1 … {units[row] - 1} in a document of {units[row]} units"
        )
    types, ranks, candidates, labels, levels = details
    found: dict[str, Any] = {"offsets": starts, "positions": places}
    if types is not None:
        found["types"] = _codes(f"{side}_types", types, len(places), "type_names", n_names[0])
    if ranks is not None:
        found["ranks"] = _ranks(f"{side}_ranks", ranks, len(places))
    if candidates is not None:
        found["candidates"] = _candidates(f"{side}_candidates", candidates, units)
    if labels is not None:
        n_segments = len(places) + len(units)  # one more than boundaries in each row
        found["labels"] = _codes(f"{side}_labels", labels, n_segments, "label_names", n_names[1])
    if levels is not None:
        both = _levels(f"{side}_levels", levels, starts, n_names[1])
        found |= dict(zip(LEVEL_COLUMNS, both, strict=True))
    return {f"{side}_{name}": found.get(name) for name in SIDE}


def _codes(what: str, given: Any, n_lists: int, names: str, n_names: int) -> Lists:
    """A list of codes per boundary, or per segment; each code is an index into `names`."""
    values = integer_column(given[1], what)
    offsets = checked_offsets(given[0], f"{what} offsets", n_lists, len(values))
    if values.size and not 0 <= values.min() <= values.max() < n_names:
        raise SegmentationError(
            f"{what} holds codes {values.min()} … {values.max()}: expected "
            f"0 … {n_names - 1}, the indices of {names}"
        )
    return Lists(offsets, values)


def _ranks(what: str, given: Any, n_boundaries: int) -> Int64Array:
    ranks: Int64Array = integer_column(given, what)
    if len(ranks) != n_boundaries or (ranks.size and ranks.min() < 1):
        raise SegmentationError(
            f"{what} has {len(ranks)} entries: expected {n_boundaries}, one per boundary, "
            "each at least 1"
        )
    return ranks


def _candidates(what: str, given: Any, units: Int64Array) -> Lists:
    """A list of positions per row."""
    values = integer_column(given[1], what)
    offsets = checked_offsets(given[0], f"{what} offsets", len(units), len(values))
    row, index = integers.first_bad_position(units, offsets, values)
    if row >= 0:
        raise SegmentationError(
            f"{what}, row {row}: {values[index]} at index {index}: expected ascending positions "
            f"1 … {units[row] - 1}"
        )
    return Lists(offsets, values)


def _levels(what: str, given: Any, boundaries: Int64Array, n_names: int) -> tuple[Lists, Lists]:
    """The codes of segments and of labels, as many per region in each row; label -1 means no
    label."""
    offsets, segments, labels = given
    values, names = integer_column(segments, what), integer_column(labels, f"{what} labels")
    starts = checked_offsets(offsets, f"{what} offsets", len(boundaries) - 1, len(values))
    sizes, regions = np.diff(starts), np.diff(boundaries) + 1
    if ((sizes < 1) | (sizes % regions != 0)).any() or len(names) != len(values):
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


# ---- from segmentations ----


def both_sides(refs: Sequence[Segmentation], hyps: Sequence[Segmentation]) -> dict[str, Any]:
    """References and hypotheses as columns of `Pairs`, by the names of its slots."""
    sides = {"ref": refs, "hyp": hyps}
    columns: dict[str, Any] = {}
    for side, codings in sides.items():
        found = columns_of(codings)
        columns |= dict(
            zip(("n_units", f"{side}_offsets", f"{side}_positions"), found, strict=True)
        )
    if all(coding.is_plain for coding in chain(refs, hyps)):
        return columns
    every = [*refs, *hyps]
    types = {name for coding in every for kinds in coding.types or () for name in kinds}
    labels = {
        name
        for coding in every
        for names in label_sets(coding.segment_labels or ())
        for name in names
    }
    columns["type_names"] = tuple(sorted(types, key=type_order))
    columns["label_names"] = tuple(sorted(labels | level_labels(every)))
    type_code, label_code = (
        {name: code for code, name in enumerate(columns[names])}
        for names in ("type_names", "label_names")
    )
    for side, codings in sides.items():
        details = _details(codings, type_code, label_code)
        columns |= {f"{side}_{name}": column for name, column in details.items()}
    return columns


def _details(
    codings: Sequence[Segmentation],
    type_code: Mapping[str | int, int],
    label_code: Mapping[str, int],
) -> dict[str, Any]:
    """What the segmentations of one side have besides boundaries, in columns."""
    found: dict[str, Any] = {}
    if type_code:
        found["types"] = _lists(
            type_code,
            (kinds for each in codings for kinds in each.types or [()] * (each.n_segments - 1)),
        )
    if any(each.ranks is not None for each in codings):
        ones = (np.ones(each.n_segments - 1, np.int64) for each in codings)
        ranks = zip((each.ranks for each in codings), ones, strict=True)
        found["ranks"] = np.concatenate([one if own is None else own for own, one in ranks])
    if any(each.candidates is not None for each in codings):
        none = np.empty(0, np.int64)
        places = [none if each.candidates is None else each.candidates for each in codings]
        found["candidates"] = Lists(starts_of([*map(len, places)]), np.concatenate(places))
    if any(each.segment_labels is not None for each in codings):
        given = (label_sets(each.segment_labels or (None,) * each.n_segments) for each in codings)
        found["labels"] = _lists(label_code, chain.from_iterable(given))
    if has_levels(codings):
        offsets, segments, labels = level_columns(codings, label_code)
        found["levels"], found["level_labels"] = Lists(offsets, segments), Lists(offsets, labels)
    return found


def _lists(code: Mapping[Any, int], names: Iterable[Iterable[Any]]) -> Lists:
    """A list of ascending codes per boundary, or per segment."""
    lists = [sorted(code[name] for name in each) for each in names]
    values = [value for codes in lists for value in codes]
    return Lists(starts_of([*map(len, lists)]), np.array(values, np.int64))
