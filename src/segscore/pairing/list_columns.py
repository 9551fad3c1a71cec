"""Columns of lists as Pairs: a row per document, in one of five encodings; bad rows are known.

Encodings of a segmentation as a list:
- `boundaries`: ascending positions 1 … N-1; the number of units N has a column of its own;
- `masses`: the lengths of the segments, each at least 1; N is their sum;
- `labels-end`, `labels-start`: 0 or 1 per unit, 1 at the last (first) unit of each segment; the
  label of the last (first) unit of the document may be 0 or 1;
- `gaps`: 0 or 1 between units, N-1 of them; 1 is a boundary. Labels and gaps may be texts, too:
`"0100100000"`. A column of N beside masses, labels or gaps serves as a check. Levels are lists of
such lists, coarse to fine, of which each row becomes an object, at about 0.1 ms.

There may also be labels: lists of texts, one per segment. A null in a list is a segment without a
label, and a row that is null is a document without labels, as in JSON Lines.

A bad row has a code: what is wrong (NULL … LEVELS), plus HYPOTHESIS if it is wrong with that side.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import encodings, integers
from segscore.basics.arguments import (
    LARGEST,
    Int64Array,
    array_inside,
    as_integers,
    check_choice,
    packed,
)
from segscore.coding.levels import Levels
from segscore.coding.segmentation import Segmentation
from segscore.corpus.lists import NO_LABEL, LabelColumn, pair_columns, picked_places, starts_of
from segscore.errors import SegmentationError, about
from segscore.pairing.pair_columns import both_sides, integer_column
from segscore.pairing.rules import Encoding

OnError = Literal["raise", "null"]
Codes = NDArray[np.uint8]
Items = NDArray[np.int32] | NDArray[np.int64]
Mask = NDArray[np.bool_]

NULL, HOLE, UNITS, OUTSIDE, ORDER, MASS, EMPTY = range(1, 8)
SYMBOL, DIFFERENT, NAMELESS, RANKS, LABELS, NO_TEXT, LEVELS = range(8, 15)
REFERENCE, HYPOTHESIS = 0, 16  # added to a code: which side it is about
REASONS = {
    NULL: "is null",
    HOLE: "has a null inside its list",
    UNITS: "has a number of units outside 1 … 2**53",
    OUTSIDE: "has a boundary outside 1 … N-1",
    ORDER: "has boundaries that do not ascend: sort them, each once",
    MASS: "has a mass below 1",
    EMPTY: "is an empty list: expected at least one unit",
    SYMBOL: "has a label or gap that is neither 0 nor 1 (padding is left out by ignore_index= of "
    "segscore.adapters.labels.pairs_from_labels)",
    DIFFERENT: "has another number of units than the reference or the column of units says",
    RANKS: "has ranks that do not fit its boundaries: expected one per boundary, each at least 1",
    LABELS: "has labels that do not fit its segments: expected one per segment",
    NO_TEXT: "has a label that is an empty text: expected null for a segment without a label",
    LEVELS: "has levels that are not what was expected",
}
_NO_UNITS = "n_units is missing: boundaries do not say how many units a document has"
_SYMBOLS = {"labels-end": (1, 0), "labels-start": (0, 0), "gaps": (1, 1)}  # (ahead, more)


class ListColumn(NamedTuple):
    """Row i is `values[offsets[i]:offsets[i+1]]`; masks say which rows are null, or hold a null."""

    offsets: Int64Array
    values: Items
    null: Mask | None = None
    hole: Mask | None = None


Labels = tuple[ListColumn, Sequence[str]]  # one of the names (or none) per segment


class Texts(Sequence[str]):
    """A column of texts, each decoded on access."""

    def __init__(self, offsets: Int64Array, data: bytes, null: Mask | None = None) -> None:
        self.offsets: Int64Array = offsets
        self.data: bytes = data
        self.null: Mask | None = null

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        row = range(len(self))[row]
        return self.data[self.offsets[row] : self.offsets[row + 1]].decode("utf-8", "replace")

    def known(self, row: int) -> str | None:
        """The text of a row; None if it is null."""
        return None if self.null is not None and self.null[row] else str(self[row])

    def rows(self, keep: Int64Array | None) -> "Texts":
        """The texts of these rows; None: of all rows."""
        if keep is None:
            return self
        found = Texts.of([self[row] for row in keep.tolist()])
        found.null = None if self.null is None else self.null[keep]
        return found

    @classmethod
    def of(cls, names: Sequence[str]) -> "Texts":
        """A column of these names."""
        encoded = [name.encode("utf-8", "surrogatepass") for name in names]
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        return cls(starts_of(lengths), b"".join(encoded))


class PairedLists(NamedTuple):
    """The columns of a batch of rows, as read."""

    length: int
    reference: ListColumn
    hypothesis: ListColumn
    n_units: Int64Array | None = None
    null: Mask | None = None  # rows with a null elsewhere (n_units, the whole row)
    names: Texts | None = None
    ref_ranks: ListColumn | None = None
    hyp_ranks: ListColumn | None = None
    ref_labels: Labels | None = None
    hyp_labels: Labels | None = None


class LevelLists(NamedTuple):
    """The columns of a batch of rows, whose sides and labels are lists of lists."""

    length: int
    sides: Sequence[Sequence[Any]]
    labels: Sequence[Sequence[Any] | None]
    n_units: Int64Array | None = None
    null: Mask | None = None
    names: Texts | None = None


# The rows of a batch that can be scored: the columns of Pairs, and whether they are those of
# segmentations; the numbers of the good rows, None if all are; a code per row, 0 if it is good.
CheckedRows = tuple[dict[str, Any], bool, Int64Array | None, Codes]


def reason(code: int) -> str:
    """What is wrong with a row."""
    if code == NAMELESS:
        return "the document's name is null"
    return f"the {'hypothesis' if code > HYPOTHESIS else 'reference'} {REASONS[code % HYPOTHESIS]}"


def called(row: int, first: int, names: Texts | None) -> str:
    """The name of a row in messages: its document, or its number in the whole stream."""
    name = None if names is None else names.known(row)
    return f"row {first + row}" if name is None else f"document {name!r}"


def good_rows(
    lists: PairedLists | LevelLists,
    encoding: Encoding = "boundaries",
    on_error: OnError = "raise",
    first: int = 0,
) -> CheckedRows:
    """The good rows; a bad row raises, or is left out.

    `first` is the number of the first row, for messages.
    """
    check_choice(encoding, "encoding", get_args(Encoding))
    check_choice(on_error, "on_error", get_args(OnError))
    if encoding == "boundaries" and lists.n_units is None:
        raise SegmentationError(_NO_UNITS)
    if isinstance(lists, LevelLists):
        return _checked_levels(lists, encoding, on_error, first)
    codes = _first_codes(lists)
    both = [
        _boundaries_of(column, side, encoding, lists.n_units, codes)
        for column, side in ((lists.reference, REFERENCE), (lists.hypothesis, HYPOTHESIS))
    ]
    n_units, sides = both[0][0], [column for _, column in both]
    _set_code(codes, n_units != both[1][0], DIFFERENT + HYPOTHESIS)
    ranks = [lists.ref_ranks, lists.hyp_ranks]
    labels = [lists.ref_labels, lists.hyp_labels]
    for check, details in ((_check_ranks, ranks), (_check_labels, labels)):
        for detail, column, side in zip(details, sides, (REFERENCE, HYPOTHESIS), strict=True):
            if detail is not None:
                check(detail, column, codes, side)
    keep = None
    if codes.any():
        if on_error == "raise":
            raise SegmentationError(_message(lists, codes, n_units, sides, first))
        keep = np.flatnonzero(codes == 0)
        n_units = n_units[keep]
        sides = [_taken(side, keep) for side in sides]
        ranks = [None if rank is None else _taken(rank, keep) for rank in ranks]
    columns: dict[str, Any] = {"n_units": n_units}
    for name, column, rank in zip(("ref", "hyp"), sides, ranks, strict=True):
        columns |= {f"{name}_offsets": column.offsets, f"{name}_positions": column.values}
        columns[f"{name}_ranks"] = None if rank is None else rank.values
    if any(labels):
        columns |= pair_columns(
            *(_label_column(*label) for label in zip(labels, sides, [keep] * 2, strict=True))
        )
    return columns, False, keep, codes


def _first_codes(lists: PairedLists) -> Codes:
    """The code of each row: that of a null anywhere in it, or 0."""
    codes = np.zeros(lists.length, np.uint8)
    ref, hyp = lists.reference, lists.hypothesis
    masks = (  # the last one counts: a row that is null may cover a range with nulls inside
        (hyp.hole, HOLE + HYPOTHESIS),
        (ref.hole, HOLE),
        (hyp.null, NULL + HYPOTHESIS),
        (ref.null, NULL),
        (lists.null, NULL),
        (None if lists.names is None else lists.names.null, NAMELESS),
    )
    for mask, code in masks:
        if mask is not None:
            codes[mask] = code
    return codes


def _set_code(codes: Codes, bad: Mask, code: int) -> None:
    """Give a code to bad rows that have none yet."""
    codes[bad & (codes == 0)] = code


def _boundaries_of(
    column: ListColumn, side: int, encoding: Encoding, n_units: Int64Array | None, codes: Codes
) -> tuple[Int64Array, ListColumn]:
    """The number of units and the boundaries of one side; codes of bad rows are set."""
    if encoding == "boundaries" and n_units is not None:
        _set_code(codes, (n_units < 1) | (n_units > LARGEST), UNITS)
        encodings.check_positions(n_units, column.offsets, column.values, side, codes)
        return n_units, column
    if encoding == "masses":
        parts = encodings.from_masses(column.offsets, column.values, side, codes)
    else:
        symbols = _SYMBOLS[encoding]
        parts = encodings.from_symbols(column.offsets, column.values, *symbols, side, codes)
    count, offsets, values = (np.frombuffer(part, np.int64) for part in parts)
    if n_units is not None:
        _set_code(codes, count != n_units, DIFFERENT + side)
    return count, ListColumn(offsets, values)


def _check_ranks(ranks: Any, column: ListColumn, codes: Codes, side: int) -> None:
    """Check that each boundary has a rank of at least 1; a null or a hole is no rank."""
    bad = np.diff(ranks.offsets) != np.diff(column.offsets)
    for mask in (ranks.null, ranks.hole, _rows_with(ranks, ranks.values < 1)):
        if mask is not None:
            bad |= mask
    _set_code(codes, bad, RANKS + side)


def _check_labels(labels: Any, column: ListColumn, codes: Codes, side: int) -> None:
    """Check that each segment has one label, and that no label is an empty text."""
    lists, names = labels
    there: Any = True if lists.null is None else ~lists.null
    misfits = np.diff(lists.offsets) != np.diff(column.offsets) + 1
    _set_code(codes, misfits & there, LABELS + side)
    if "" in names:
        _set_code(codes, _rows_with(lists, lists.values == names.index("")), NO_TEXT + side)


def _rows_with(lists: ListColumn, wrong: Mask) -> Mask:
    """The rows that have a value of this kind."""
    return np.asarray(np.diff(starts_of(wrong)[lists.offsets]) > 0)


def _taken(column: ListColumn, keep: Int64Array) -> ListColumn:
    """The rows to keep, as a new column."""
    values = column.values[picked_places(column.offsets, keep)]
    return ListColumn(starts_of(np.diff(column.offsets)[keep]), values)


def _message(
    lists: PairedLists, codes: Codes, n_units: Int64Array, sides: Sequence[ListColumn], first: int
) -> str:
    """The message about the first bad row: what is wrong with it, and the value if there is one."""
    bad = np.flatnonzero(codes)
    row = int(bad[0])
    code = int(codes[row])
    what, found = code % HYPOTHESIS, ""
    if what in (OUTSIDE, ORDER):
        column = sides[code > HYPOTHESIS]
        values = column.values[column.offsets[row] : column.offsets[row + 1]]
        wrong = (values < 1) | (values >= n_units[row])
        if what == ORDER:
            wrong[1:] |= np.diff(values) <= 0
        at = int(np.argmax(wrong))
        found = f" ({values[at]} at index {at}, N is {n_units[row]})"
    elif what == UNITS and lists.n_units is not None:
        found = f" ({lists.n_units[row]})"
    more = f"; {len(bad) - 1} more rows of this batch are bad" if len(bad) > 1 else ""
    return f"{called(row, first, lists.names)}: {reason(code)}{found}{more}"


def _label_column(
    labels: Labels | None, side: ListColumn, keep: Int64Array | None
) -> LabelColumn | None:
    """A code per segment of the good rows; None if no row has labels."""
    if labels is None:
        return None
    (offsets, codes, null, _), names = labels
    rows = np.arange(len(offsets) - 1) if keep is None else keep
    there = np.ones(len(rows), np.bool_) if null is None else ~null[rows]
    if len(rows) and not there.any():
        return None
    segments = side.offsets + np.arange(len(side.offsets))  # their offsets
    found = np.full(int(segments[-1]), NO_LABEL, np.int32)
    found[picked_places(segments, np.flatnonzero(there))] = codes[
        picked_places(offsets, rows[there])
    ]
    used = np.unique(found[found >= 0])
    found = np.where(found < 0, found, np.searchsorted(used, found)).astype(np.int32)
    return LabelColumn([names[code] for code in used.tolist()], found)


# ---- levels ----


_MAKE: dict[str, Callable[[list[int]], Segmentation]] = {
    "masses": Segmentation.from_masses,
    # no gap at all means one unit
    "gaps": lambda gaps: Segmentation.from_gaps(gaps) if gaps else Segmentation.from_masses([1]),
    "labels-end": partial(Segmentation.from_labels, marks="end"),
    "labels-start": partial(Segmentation.from_labels, marks="start"),
}


def _checked_levels(
    given: LevelLists, encoding: Encoding, on_error: OnError, first: int
) -> CheckedRows:
    """The good rows."""
    codes = np.zeros(given.length, np.uint8)
    sides: tuple[list[Segmentation], list[Segmentation]] = [], []
    for row in range(given.length):
        is_nameless = given.names is not None and given.names.known(row) is None
        try:
            if is_nameless:
                raise SegmentationError(reason(NAMELESS))
            both = _both_sides(given, row, encoding)
        except SegmentationError as error:
            if on_error == "raise":
                raise SegmentationError(f"{called(row, first, given.names)}: {error}") from None
            codes[row] = NAMELESS if is_nameless else LEVELS
            continue
        for side, levels in zip(sides, both, strict=True):
            side.append(levels)
    keep = np.flatnonzero(codes == 0) if codes.any() else None
    return both_sides(*sides), True, keep, codes


def _both_sides(given: LevelLists, row: int, encoding: Encoding) -> list[Levels]:
    """The levels of a row, with the same number of units on both sides."""
    if given.null is not None and given.null[row]:
        raise SegmentationError("the row or its number of units is null")
    n_units = None if given.n_units is None else int(given.n_units[row])
    found = []
    for name, side, labels in zip(
        ("reference", "hypothesis"), given.sides, given.labels, strict=True
    ):
        with about(f"the {name}"):
            found.append(_levels(side[row], labels and labels[row], n_units, encoding))
    units = [levels.n_units for levels in found]
    if len({*units, n_units or units[0]}) > 1:
        raise SegmentationError(
            f"the reference has {units[0]} units, the hypothesis {units[1]}: expected the same "
            "number" + ("" if n_units is None else f", {n_units}")
        )
    return found


def _levels(given: Any, labels: Any, n_units: int | None, encoding: Encoding) -> Levels:
    """The levels of one side; the labels of all of them, or of one, may be None."""
    if given is None:
        raise SegmentationError("it is null")
    if labels is not None and len(labels) != len(given):
        raise SegmentationError(f"there are {len(given)} levels, and labels of {len(labels)}")
    levels = []
    for number, values in enumerate(given):
        with about(f"level {number + 1}"):
            if values is None or None in values:
                raise SegmentationError("it is null, or holds a null: expected integers")
            if encoding != "boundaries" or n_units is None:
                level = _MAKE[encoding](values)
            elif any(second <= first for first, second in pairwise(values)):
                raise SegmentationError("its boundaries do not ascend: sort them, each once")
            else:
                level = Segmentation.from_boundaries(values, n_units)
            own = labels and labels[number]
            if own is not None:
                own = [None if label is None else str(label) for label in own]
                level = level.with_segment_labels(own)
            levels.append(level)
    return Levels(levels)


# ---- Python sequences ----


def lists_of(values: Sequence[Any], what: str) -> ListColumn:
    """A column from a Python sequence of lists, texts of 0 and 1, or arrays."""
    plain = packed_lists(values)
    if plain is not None:
        return plain
    rows = [_integers(value, f"{what}[{row}]") for row, value in enumerate(values)]
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    joined = np.concatenate(rows) if rows else np.empty(0, np.int64)
    null = np.fromiter((value is None for value in values), np.bool_, len(rows))
    return ListColumn(starts_of(lengths), joined, null if null.any() else None)


def packed_lists(values: Sequence[Any]) -> ListColumn | None:
    """A column from a list of lists of plain integers; None if it holds anything else."""
    plain = integers.pack_rows(values) if type(values) is list else None
    return None if plain is None else ListColumn(as_integers(plain[0]), as_integers(plain[1]))


def coding_columns(
    column: ListColumn, encoding: Encoding, n_units: Any, documents: Sequence[str] | None, side: str
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """(n_units, offsets, positions) of the lists of one side, named in messages."""
    units = None if n_units is None else integer_column(n_units, "n_units", np.int64)
    n_rows = len(column.offsets) - 1
    codes, whose = np.zeros(n_rows, np.uint8), HYPOTHESIS if side == "hypothesis" else REFERENCE
    if encoding == "boundaries" and units is None:
        raise SegmentationError(_NO_UNITS)
    check_choice(encoding, "encoding", get_args(Encoding))
    n_units, found = _boundaries_of(column, whose, encoding, units, codes)
    if codes.any():
        names = None if documents is None else Texts.of(documents)
        given = PairedLists(n_rows, column, column, units, None, names)
        raise SegmentationError(_message(given, codes, n_units, [found, found], 0))
    return n_units, found.offsets, np.asarray(found.values, np.int64)


def _integers(given: Any, what: str) -> Int64Array:
    if given is None:
        return np.empty(0, np.int64)
    if isinstance(given, str):
        return symbols(given.encode("utf-8", "surrogatepass"))
    expected = "a list of integers, or a text of 0 and 1"
    given = array_inside(given, what, expected)
    if isinstance(given, np.ndarray) and given.dtype == np.bool_:
        given = given.astype(np.int64)
    elif isinstance(given, list | tuple) and any(isinstance(item, bool) for item in given):
        given = [int(item) if isinstance(item, bool) else item for item in given]
    return np.frombuffer(packed(given, what, expected), np.int64)


def symbols(data: bytes) -> Int64Array:
    """Characters 0 and 1 as numbers; any other character becomes a number that is neither."""
    return np.frombuffer(data, np.uint8).astype(np.int64) - ord("0")
