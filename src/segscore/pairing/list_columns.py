"""Columns of lists into Pairs: one row per document, in one of five encodings, bad rows known.

Encodings of a segmentation as a list:
- `boundaries`: ascending positions 1 … N-1; the number of units N stands in a column of its own;
- `masses`: the lengths of the segments, each at least 1; N is their sum;
- `labels-end`, `labels-start`: 0 or 1 per unit, 1 at the last (first) unit of each segment; the
  label of the last (first) unit of the document may be 0 or 1;
- `gaps`: 0 or 1 between units, N-1 of them; 1 is a boundary.
Labels and gaps may be texts, too: `"0100100000"`. A column of N beside masses, labels or gaps is a
check. Beside them may stand labels, lists of texts (`label_lists`). Levels are lists of
such lists (`level_lists`).

A bad row has a code: what is wrong (1 … 15), plus 16 if it is wrong with the hypothesis.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import encodings, integers
from segscore.basics.arguments import LARGEST, Int64Array, check_choice, packed, unpacked
from segscore.errors import SegmentationError
from segscore.pairing.label_lists import LabelLists, label_columns

Encoding = Literal["boundaries", "masses", "labels-end", "labels-start", "gaps"]
OnError = Literal["raise", "null"]
Codes = NDArray[np.uint8]
Items = NDArray[np.int32] | NDArray[np.int64]

(
    NULL, HOLE, UNITS, OUTSIDE, ORDER, MASS, EMPTY, SYMBOL, DIFFERENT, NAMELESS, RANKS, LABELS,
    NO_TEXT, LEVELS,
) = range(1, 15)  # fmt: skip
HYPOTHESIS = 16  # added to a code that is about the hypothesis
REASONS = {
    NULL: "is null",
    HOLE: "has a null inside its list",
    UNITS: "has a number of units outside 1 … 2**53",
    OUTSIDE: "has a boundary outside 1 … N-1",
    ORDER: "has boundaries that do not ascend: sort them, each once",
    MASS: "has a mass below 1",
    EMPTY: "is an empty list: expected at least one unit",
    SYMBOL: "has a label or gap that is neither 0 nor 1",
    DIFFERENT: "has another number of units than the reference or the column of units says",
    RANKS: "has ranks that do not fit its boundaries: expected one per boundary, each at least 1",
    LABELS: "has labels that do not fit its segments: expected one per segment",
    NO_TEXT: "has a label that is an empty text: expected null for a segment without a label",
    LEVELS: "has levels that are not what was expected",
}
_SYMBOLS = {"labels-end": (1, 0), "labels-start": (0, 0), "gaps": (1, 1)}  # (ahead, more)


class ListColumn(NamedTuple):
    """Row i is `values[offsets[i]:offsets[i+1]]`; masks say which rows are null, or hold one."""

    offsets: Int64Array
    values: Items
    null: NDArray[np.bool_] | None = None
    hole: NDArray[np.bool_] | None = None


class Texts(Sequence[str]):
    """A column of texts, decoded one by one as they are asked for."""

    def __init__(
        self, offsets: Int64Array, data: bytes, null: NDArray[np.bool_] | None = None
    ) -> None:
        self.offsets, self.data, self.null = offsets, data, null

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        row = range(len(self))[row]
        return self.data[self.offsets[row] : self.offsets[row + 1]].decode("utf-8", "replace")

    def rows(self, keep: Int64Array | None) -> "Texts":
        """Some rows; None: all."""
        return self if keep is None else Texts.of([self[row] for row in keep.tolist()])

    @classmethod
    def of(cls, names: Sequence[str]) -> "Texts":
        """The column of some names."""
        encoded = [name.encode("utf-8", "surrogatepass") for name in names]
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        return cls(_starts(lengths), b"".join(encoded))


class Lists(NamedTuple):
    """The columns of one batch of rows, as they were read."""

    length: int
    reference: ListColumn
    hypothesis: ListColumn
    n_units: Int64Array | None = None
    null: NDArray[np.bool_] | None = None  # rows with a null elsewhere (n_units, the whole row)
    names: Texts | None = None
    ref_ranks: ListColumn | None = None
    hyp_ranks: ListColumn | None = None
    ref_labels: LabelLists | None = None
    hyp_labels: LabelLists | None = None


class CheckedRows(NamedTuple):
    """The rows of a batch that can be scored.

    columns: what Pairs takes, by the names of its parameters; keep: the numbers of the good rows,
    None if all are; codes: a byte per row, 0 if it is good.
    """

    columns: dict[str, Any]
    keep: Int64Array | None
    codes: Codes


def reason(code: int) -> str:
    """What is wrong with a row."""
    if code == NAMELESS:
        return "the document's name is null"
    side = "the hypothesis" if code & HYPOTHESIS else "the reference"
    return f"{side} {REASONS[code % HYPOTHESIS]}"


def called(row: int, first: int, names: Texts | None) -> str:
    """How messages call a row: by its name, or by its number in the whole stream."""
    known = names is not None and (names.null is None or not names.null[row])
    return f"document {names[row]!r}" if names is not None and known else f"row {first + row}"


def checked_rows(
    lists: Lists, encoding: Encoding = "boundaries", on_error: OnError = "raise", first: int = 0
) -> CheckedRows:
    """The rows that are good; a bad one raises, or is left out.

    `first` is the number of the first row, for messages.
    """
    check_choice(encoding, "encoding", get_args(Encoding))
    check_choice(on_error, "on_error", get_args(OnError))
    codes = _first_codes(lists)
    n_units, sides = _boundaries(lists, encoding, codes)
    ranks = [lists.ref_ranks, lists.hyp_ranks]
    for one, side, mark in zip(ranks, sides, (0, HYPOTHESIS), strict=True):
        if one is not None:
            _check_ranks(one, side, codes, mark)
    labels = [lists.ref_labels, lists.hyp_labels]
    for given, side, mark in zip(labels, sides, (0, HYPOTHESIS), strict=True):
        if given is not None:
            codes[given.misfits(side.offsets) & (codes == 0)] = LABELS | mark
            codes[given.empty_texts() & (codes == 0)] = NO_TEXT | mark
    keep = None
    if codes.any():
        if on_error == "raise":
            raise SegmentationError(_message(lists, codes, n_units, sides, first))
        keep = np.flatnonzero(codes == 0)
        n_units = n_units[keep]
        sides = [_taken(side, keep) for side in sides]
        ranks = [None if one is None else _taken(one, keep) for one in ranks]
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
            None if one is None else one.per_segment(side.offsets, keep)
            for one, side in zip(labels, sides, strict=True)
        ]
        columns |= label_columns(per_segment)
    return CheckedRows(columns, keep, codes)


def _first_codes(lists: Lists) -> Codes:
    """Rows with a null anywhere."""
    codes = np.zeros(lists.length, np.uint8)
    sides = ((lists.reference, 0), (lists.hypothesis, HYPOTHESIS))
    for side, mark in sides:
        if side.hole is not None:
            codes[side.hole & (codes == 0)] = HOLE | mark
    for side, mark in sides:  # a null row may cover a range with nulls: that it is null counts
        if side.null is not None:
            codes[side.null & (codes % HYPOTHESIS != NULL)] = NULL | mark
    if lists.null is not None:
        codes[lists.null] = NULL
    if lists.names is not None and lists.names.null is not None:
        codes[lists.names.null] = NAMELESS
    return codes


def _boundaries(
    lists: Lists, encoding: Encoding, codes: Codes
) -> tuple[Int64Array, list[ListColumn]]:
    """The number of units and the boundaries of each side; codes of bad rows are set."""
    if encoding == "boundaries":
        if lists.n_units is None:
            raise SegmentationError(
                "n_units is missing: boundaries do not say how many units a document has"
            )
        bad = (lists.n_units < 1) | (lists.n_units > LARGEST)
        codes[bad & (codes == 0)] = UNITS
        for side, mark in ((lists.reference, 0), (lists.hypothesis, HYPOTHESIS)):
            encodings.check_positions(lists.n_units, side.offsets, side.values, mark, codes)
        return lists.n_units, [lists.reference, lists.hypothesis]
    units, sides = [], []
    for side, mark in ((lists.reference, 0), (lists.hypothesis, HYPOTHESIS)):
        if encoding == "masses":
            parts = encodings.from_masses(side.offsets, side.values, mark, codes)
        else:
            parts = encodings.from_symbols(
                side.offsets, side.values, *_SYMBOLS[encoding], mark, codes
            )
        count, offsets, values = (np.frombuffer(part, np.int64) for part in parts)
        units.append(count)
        sides.append(ListColumn(offsets, values))
    codes[(units[0] != units[1]) & (codes == 0)] = DIFFERENT | HYPOTHESIS
    if lists.n_units is not None:
        codes[(units[0] != lists.n_units) & (codes == 0)] = DIFFERENT
    return units[0], sides


def _check_ranks(ranks: ListColumn, side: ListColumn, codes: Codes, mark: int) -> None:
    """One rank per boundary, each at least 1; a null or a hole is none."""
    bad = np.diff(ranks.offsets) != np.diff(side.offsets)
    for mask in (ranks.null, ranks.hole):
        if mask is not None:
            bad |= mask
    low = np.concatenate(([0], np.cumsum(ranks.values < 1)))
    bad |= np.diff(low[ranks.offsets]) > 0
    codes[bad & (codes == 0)] = RANKS | mark


def _taken(column: ListColumn, keep: Int64Array) -> ListColumn:
    """Some rows of a column, as a column of its own."""
    lengths = np.diff(column.offsets)[keep]
    offsets = _starts(lengths)
    index = np.arange(offsets[-1]) + np.repeat(column.offsets[:-1][keep] - offsets[:-1], lengths)
    return ListColumn(offsets, column.values[index])


def _starts(lengths: Any) -> Int64Array:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))).astype(np.int64)


def _message(
    lists: Lists, codes: Codes, n_units: Int64Array, sides: Sequence[ListColumn], first: int
) -> str:
    """The first bad row, what is wrong with it, and the value where there is one."""
    bad = np.flatnonzero(codes)
    row = int(bad[0])
    code = int(codes[row])
    found = ""
    if code % HYPOTHESIS in (OUTSIDE, ORDER):
        side = sides[1 if code & HYPOTHESIS else 0]
        values = side.values[side.offsets[row] : side.offsets[row + 1]]
        wrong = (values < 1) | (values >= n_units[row])
        if code % HYPOTHESIS == ORDER:
            wrong[1:] |= np.diff(values) <= 0
        at = int(np.argmax(wrong))
        found = f" ({values[at]} at index {at}, N is {n_units[row]})"
    elif code % HYPOTHESIS == UNITS and lists.n_units is not None:
        found = f" ({lists.n_units[row]})"
    more = f"; {len(bad) - 1} more rows of this batch are bad" if len(bad) > 1 else ""
    return f"{called(row, first, lists.names)}: {reason(code)}{found}{more}"


def lists_of(values: Sequence[Any], what: str) -> ListColumn:
    """A column from a Python sequence of lists (or texts of 0 and 1, or arrays)."""
    plain = integers.pack_rows(values) if type(values) is list else None
    if plain is not None:
        return ListColumn(unpacked(plain[0]), unpacked(plain[1]))
    rows = [_integers(one, f"{what}[{row}]") for row, one in enumerate(values)]
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    joined = np.concatenate(rows) if rows else np.empty(0, np.int64)
    null = np.fromiter((one is None for one in values), np.bool_, len(rows))
    return ListColumn(_starts(lengths), joined, null if null.any() else None)


def _integers(one: Any, what: str) -> Int64Array:
    if one is None:
        return np.empty(0, np.int64)
    if isinstance(one, str):
        return symbols(one.encode("utf-8", "surrogatepass"))
    if isinstance(one, np.ndarray) and one.dtype == np.bool_:
        one = one.astype(np.int64)
    elif isinstance(one, list | tuple) and any(isinstance(item, bool) for item in one):
        one = [int(item) if isinstance(item, bool) else item for item in one]
    return np.frombuffer(packed(one, what, "a list of integers, or a text of 0 and 1"), np.int64)


def symbols(data: bytes) -> Int64Array:
    """Characters 0 and 1 as numbers; every other one becomes a number that is neither."""
    return np.frombuffer(data, np.uint8).astype(np.int64) - ord("0")
