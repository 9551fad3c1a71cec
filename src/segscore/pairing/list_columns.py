"""Columns of lists as Pairs: a row per document, in one of five encodings; bad rows are known.

Encodings of a segmentation as a list:
- `boundaries`: ascending positions 1 … N-1; the number of units N has a column of its own;
- `masses`: the lengths of the segments, each at least 1; N is their sum;
- `labels-end`, `labels-start`: 0 or 1 per unit, 1 at the last (first) unit of each segment; the
  label of the last (first) unit of the document may be 0 or 1;
- `gaps`: 0 or 1 between units, N-1 of them; 1 is a boundary. Labels and gaps may be texts, too:
`"0100100000"`. A column of N beside masses, labels or gaps serves as a check. Levels are lists of
such lists (`level_lists`).

There may also be labels: lists of texts, one per segment. A null in a list is a segment without a
label, and a row that is null is a document without labels, as in JSON Lines.

A bad row has a code: what is wrong (NULL … LEVELS), plus HYPOTHESIS if it is wrong with that side.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import encodings, integers, sums
from segscore.basics.arguments import (
    LARGEST,
    Int64Array,
    array_inside,
    check_choice,
    packed,
    unpacked,
)
from segscore.corpus.lists import picked_places, starts_of
from segscore.errors import SegmentationError

Encoding = Literal["boundaries", "masses", "labels-end", "labels-start", "gaps"]
OnError = Literal["raise", "null"]
Codes = NDArray[np.uint8]
Items = NDArray[np.int32] | NDArray[np.int64]
Mask = NDArray[np.bool_]
Hashes = NDArray[np.uint64]
LabelCodes = tuple[Sequence[str], NDArray[np.int32]]  # names, and one of them (or none) per segment

(
    NULL, HOLE, UNITS, OUTSIDE, ORDER, MASS, EMPTY, SYMBOL, DIFFERENT, NAMELESS, RANKS, LABELS,
    NO_TEXT, LEVELS,
) = range(1, 15)  # fmt: skip
REFERENCE, HYPOTHESIS = 0, 16  # added to a code: which side it is about
NO_LABEL = -1  # of a segment
_AT_ONCE = 50_000  # names that are hashed
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
_SYMBOLS = {"labels-end": (1, 0), "labels-start": (0, 0), "gaps": (1, 1)}  # (ahead, more)


class ListColumn(NamedTuple):
    """Row i is `values[offsets[i]:offsets[i+1]]`; masks say which rows are null, or hold a null."""

    offsets: Int64Array
    values: Items
    null: Mask | None = None
    hole: Mask | None = None


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


def hashes_of(names: Texts | Sequence[str]) -> Hashes:
    """The 64-bit hash of each name, as UTF-8.

    >>> hashes_of(["a", "b"]).tolist() == hashes_of(["a", "b", "c"])[:2].tolist()
    True
    """
    out = np.empty(len(names), np.uint64)
    step = max(1, len(names)) if isinstance(names, Texts) else _AT_ONCE
    for first in range(0, len(names), step):
        texts = names if isinstance(names, Texts) else Texts.of(names[first : first + step])
        sums.hash_texts(texts.offsets, texts.data, 0, out[first : first + step])
    return out


class LabelLists(NamedTuple):
    """Row i has `codes[offsets[i]:offsets[i+1]]`, indices of `names` or NO_LABEL; a mask says which
    rows are null."""

    offsets: Int64Array
    codes: NDArray[np.int32]
    names: Sequence[str]
    null: Mask | None = None

    def misfits(self, boundaries: Int64Array) -> Mask:
        """The rows whose number of labels differs from that of segments; `boundaries` are their
        offsets."""
        wrong: Mask = np.diff(self.offsets) != np.diff(boundaries) + 1
        return wrong if self.null is None else wrong & ~self.null

    def empty_texts(self) -> Mask:
        """The rows with a label that is an empty text."""
        if "" not in self.names:
            return np.zeros(len(self.offsets) - 1, np.bool_)
        sums = np.concatenate(([0], np.cumsum(self.codes == list(self.names).index(""))))
        found: Mask = np.diff(sums[self.offsets]) > 0
        return found if self.null is None else found & ~self.null

    def of_row(self, row: int) -> list[str | None] | None:
        """The labels of a row; None if it is null."""
        if self.null is not None and self.null[row]:
            return None
        codes = self.codes[self.offsets[row] : self.offsets[row + 1]].tolist()
        return [None if code < 0 else self.names[code] for code in codes]

    def per_segment(self, boundaries: Int64Array, keep: Int64Array | None) -> LabelCodes | None:
        """A code per segment of the rows to keep, whose boundaries have these offsets; None if no
        row has labels."""
        if keep is None and self.null is None:
            return self.names, self.codes
        rows = np.arange(len(self.offsets) - 1) if keep is None else keep
        there = np.ones(len(rows), np.bool_) if self.null is None else ~self.null[rows]
        if len(rows) and not there.any():
            return None
        segments = boundaries + np.arange(len(boundaries))  # the offsets of segments
        codes = np.full(int(segments[-1]), NO_LABEL, np.int32)
        targets = picked_places(segments, np.flatnonzero(there))
        codes[targets] = self.codes[picked_places(self.offsets, rows[there])]
        return self.names, codes


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
    ref_labels: LabelLists | None = None
    hyp_labels: LabelLists | None = None


class CheckedRows(NamedTuple):
    """The rows of a batch that can be scored.

    columns: the columns of Pairs, by the names of its parameters; keep: the numbers of the good
    rows, None if all rows are good; codes: a byte per row, 0 if it is good.
    """

    columns: dict[str, Any]
    keep: Int64Array | None
    codes: Codes


def what_and_whose(code: int) -> tuple[int, int]:
    """What the code of a row says is wrong, and on which side."""
    return code % HYPOTHESIS, HYPOTHESIS if code > HYPOTHESIS else REFERENCE


def reason(code: int) -> str:
    """What is wrong with a row."""
    if code == NAMELESS:
        return "the document's name is null"
    what, side = what_and_whose(code)
    return f"the {'hypothesis' if side == HYPOTHESIS else 'reference'} {REASONS[what]}"


def called(row: int, first: int, names: Texts | None) -> str:
    """The name of a row in messages: its document, or its number in the whole stream."""
    name = None if names is None else names.known(row)
    return f"row {first + row}" if name is None else f"document {name!r}"


def checked_rows(
    lists: PairedLists,
    encoding: Encoding = "boundaries",
    on_error: OnError = "raise",
    first: int = 0,
) -> CheckedRows:
    """The good rows; a bad row raises, or is left out.

    `first` is the number of the first row, for messages.
    """
    check_choice(encoding, "encoding", get_args(Encoding))
    check_choice(on_error, "on_error", get_args(OnError))
    codes = _first_codes(lists)
    n_units, sides = _boundaries(lists, encoding, codes)
    ranks = [lists.ref_ranks, lists.hyp_ranks]
    labels = [lists.ref_labels, lists.hyp_labels]
    for place, side in enumerate((REFERENCE, HYPOTHESIS)):
        _check_ranks(ranks[place], sides[place], codes, side)
    for place, side in enumerate((REFERENCE, HYPOTHESIS)):
        _check_labels(labels[place], sides[place], codes, side)
    keep = None
    if codes.any():
        if on_error == "raise":
            raise SegmentationError(_message(lists, codes, n_units, sides, first))
        keep = np.flatnonzero(codes == 0)
        n_units = n_units[keep]
        sides = [_taken(side, keep) for side in sides]
        ranks = [None if rank is None else _taken(rank, keep) for rank in ranks]
    columns = {
        "n_units": n_units,
        "ref_offsets": sides[0].offsets,
        "ref_positions": sides[0].values,
        "hyp_offsets": sides[1].offsets,
        "hyp_positions": sides[1].values,
        "ref_ranks": None if ranks[0] is None else ranks[0].values,
        "hyp_ranks": None if ranks[1] is None else ranks[1].values,
    }
    if any(labels):
        per_segment = [
            None if label is None else label.per_segment(side.offsets, keep)
            for label, side in zip(labels, sides, strict=True)
        ]
        columns |= _label_columns(per_segment)
    return CheckedRows(columns, keep, codes)


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


def _boundaries(
    lists: PairedLists, encoding: Encoding, codes: Codes
) -> tuple[Int64Array, list[ListColumn]]:
    """The number of units and the boundaries of each side; codes of bad rows are set."""
    both = ((lists.reference, REFERENCE), (lists.hypothesis, HYPOTHESIS))
    if encoding == "boundaries":
        if lists.n_units is None:
            raise SegmentationError(
                "n_units is missing: boundaries do not say how many units a document has"
            )
        _set_code(codes, (lists.n_units < 1) | (lists.n_units > LARGEST), UNITS)
        for column, side in both:
            encodings.check_positions(lists.n_units, column.offsets, column.values, side, codes)
        return lists.n_units, [lists.reference, lists.hypothesis]
    units, sides = [], []
    for column, side in both:
        if encoding == "masses":
            parts = encodings.from_masses(column.offsets, column.values, side, codes)
        else:
            parts = encodings.from_symbols(
                column.offsets, column.values, *_SYMBOLS[encoding], side, codes
            )
        count, offsets, values = (np.frombuffer(part, np.int64) for part in parts)
        units.append(count)
        sides.append(ListColumn(offsets, values))
    _set_code(codes, units[0] != units[1], DIFFERENT + HYPOTHESIS)
    if lists.n_units is not None:
        _set_code(codes, units[0] != lists.n_units, DIFFERENT)
    return units[0], sides


def _check_ranks(ranks: ListColumn | None, column: ListColumn, codes: Codes, side: int) -> None:
    """Check that each boundary has a rank of at least 1; a null or a hole is no rank."""
    if ranks is None:
        return
    bad = np.diff(ranks.offsets) != np.diff(column.offsets)
    for mask in (ranks.null, ranks.hole):
        if mask is not None:
            bad |= mask
    low = np.concatenate(([0], np.cumsum(ranks.values < 1)))
    bad |= np.diff(low[ranks.offsets]) > 0
    _set_code(codes, bad, RANKS + side)


def _check_labels(labels: LabelLists | None, column: ListColumn, codes: Codes, side: int) -> None:
    """Check that each segment has one label, and that no label is an empty text."""
    if labels is not None:
        _set_code(codes, labels.misfits(column.offsets), LABELS + side)
        _set_code(codes, labels.empty_texts(), NO_TEXT + side)


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
    what, side = what_and_whose(code)
    found = ""
    if what in (OUTSIDE, ORDER):
        column = sides[1 if side == HYPOTHESIS else 0]
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


# ---- labels ----


def _label_columns(sides: Sequence[LabelCodes | None]) -> dict[str, Any]:
    """The columns of `Pairs`: the labels of both sides, and the shared names in use."""
    used: set[str] = set()
    for names, codes in filter(None, sides):
        used.update(names[code] for code in np.flatnonzero(np.bincount(codes + 1)[1:]).tolist())
    every = sorted(used)
    place = {name: index for index, name in enumerate(every)}
    columns: dict[str, Any] = {"label_names": every}
    for key, side in zip(("ref_labels", "hyp_labels"), sides, strict=True):
        columns[key] = None
        if side is not None:
            names, codes = side
            there = codes != NO_LABEL
            new_codes = np.array([place.get(name, NO_LABEL) for name in names], np.int64)
            columns[key] = starts_of(there), new_codes[codes[there]]
    return columns


# ---- Python sequences ----


def lists_of(values: Sequence[Any], what: str) -> ListColumn:
    """A column from a Python sequence of lists, texts of 0 and 1, or arrays."""
    plain = integers.pack_rows(values) if type(values) is list else None
    if plain is not None:
        return ListColumn(unpacked(plain[0]), unpacked(plain[1]))
    rows = [_integers(value, f"{what}[{row}]") for row, value in enumerate(values)]
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    joined = np.concatenate(rows) if rows else np.empty(0, np.int64)
    null = np.fromiter((value is None for value in values), np.bool_, len(rows))
    return ListColumn(starts_of(lengths), joined, null if null.any() else None)


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


# ---- buckets: intervals and tests over very many cases draw buckets of them instead ----

# The hash of its name chooses the bucket, so a document has the same bucket for every system, in
# any order, in every process and engine. Sums of many random documents vary as single documents do,
# at a cost that does not grow.
MANY = 20_000  # cases: above it, buckets are drawn
BUCKETS = 10_000


def buckets_of(names: Texts | Sequence[str], n_buckets: int = BUCKETS) -> Int64Array:
    """The bucket of each name, from 0: its 64-bit hash modulo the number of buckets.

    >>> buckets_of(["d1", "d2"]).tolist() == buckets_of(["d2", "d1"])[::-1].tolist()
    True
    """
    return (hashes_of(names) % np.uint64(n_buckets)).astype(np.int64)
