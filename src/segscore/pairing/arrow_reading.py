"""Read anything that exports Arrow (`__arrow_c_stream__`) as columns of lists, batch by batch.

This includes Polars, DuckDB, pyarrow, nanoarrow, Spark (`toArrow`) and, with pyarrow or Polars
installed, pandas. Reading needs no Arrow library. Names and groups may be texts, integers or
dictionaries of texts; integers become decimals, so that a document has the same name in every
engine. Data from pyarrow may come from a damaged file, so the columns are validated before they are
read.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from segscore._kernels.arrow import Column, Stream
from segscore.basics.arguments import Int64Array, shown
from segscore.basics.arrow_validation import is_made_by, validate_columns
from segscore.corpus.lists import starts_of
from segscore.errors import SegmentationError, nearest, needing
from segscore.pairing.level_lists import LevelColumn, LevelLists, checked_levels
from segscore.pairing.list_columns import (
    NO_LABEL,
    CheckedRows,
    Encoding,
    Items,
    LabelLists,
    ListColumn,
    Mask,
    OnError,
    PairedLists,
    Texts,
    checked_rows,
    symbols,
)


@dataclass(frozen=True)
class Layout:
    """The columns of a table, by what they hold.

    reference, hypothesis: columns of lists (see `list_columns` for encodings).
    n_units: the column with the number of units; needed for boundaries, else a check.
    document: the column with the names of documents, if there is one.
    encoding: `boundaries`, `masses`, `labels-end`, `labels-start` or `gaps`.
    ref_ranks, hyp_ranks: columns with one rank per boundary, for metrics of levels.
    ref_labels, hyp_labels: columns with a list of texts, one label per segment (null: none), for
        metrics of labels.
    """

    reference: str
    hypothesis: str
    n_units: str | None = None
    document: str | None = None
    encoding: Encoding = "boundaries"
    ref_ranks: str | None = None
    hyp_ranks: str | None = None
    ref_labels: str | None = None
    hyp_labels: str | None = None

    @property
    def columns(self) -> list[str]:
        """The columns that are read, each once."""
        wanted = (
            self.reference, self.hypothesis, self.n_units, self.document, self.ref_ranks,
            self.hyp_ranks, self.ref_labels, self.hyp_labels,
        )  # fmt: skip
        return list(dict.fromkeys(column for column in wanted if column is not None))


class ReadBatch(NamedTuple):
    """A batch: the number of its first row, its columns by layout, and other columns as texts."""

    first: int
    lists: list[PairedLists | LevelLists]
    texts: dict[str, Texts]


def list_batches(
    data: Any, layouts: Sequence[Layout], keep: Sequence[str] = ()
) -> Iterator[ReadBatch]:
    """The batches of a table, read once for several layouts."""
    first = 0
    wanted = dict.fromkeys([*(name for layout in layouts for name in layout.columns), *keep])
    for length, null, columns in _sound_batches(data, wanted):
        batch = ArrowBatch(length, null, columns)
        lists = [batch.lists(layout) for layout in layouts]
        yield ReadBatch(first, lists, {name: batch.texts(name) for name in keep})
        first += length


def _sound_batches(
    data: Any, columns: Iterable[str]
) -> Iterator[tuple[int, bytes | None, Sequence[Column]]]:
    """The batches of a table; those of pyarrow are validated first."""
    if is_made_by("pandas", data) and hasattr(data, "columns") and not find_spec("pyarrow"):
        if len(data):  # without rows, types are unknown
            yield from open_stream(_as_polars(data, set(columns)))
        return
    if not is_made_by("pyarrow", data) or not hasattr(data, "schema"):
        yield from open_stream(data)
        return
    if hasattr(data, "to_batches"):  # a table
        batches = data.to_batches()
    else:
        batches = [data] if hasattr(data, "columns") else data
    for batch in _told(batches):
        validate_columns(batch, columns)
        yield from open_stream(batch)


def _told(batches: Iterable[Any]) -> Iterator[Any]:
    """The batches; an error of the producer becomes an error of ours."""
    following = iter(batches)
    while True:
        try:
            batch = next(following)
        except StopIteration:
            return
        except SegmentationError:
            raise
        except Exception as error:  # whatever the producer meets
            raise SegmentationError(f"the Arrow stream failed: {error}") from error
        yield batch


def open_stream(data: Any) -> Stream:
    """The Arrow stream of an object."""
    if isinstance(data, str | os.PathLike):
        raise SegmentationError(f"data is {shown(data)}: expected a frame, not a path")
    method = getattr(data, "__arrow_c_stream__", None)
    if method is None or isinstance(data, type):
        if hasattr(data, "collect_batches"):  # a LazyFrame of Polars has no stream of its own
            raise SegmentationError(
                "data is a LazyFrame: expected a frame in memory, as its collect() gives it"
            )
        raise SegmentationError(
            f"data is {shown(type(data).__name__)}: expected a frame that speaks Arrow "
            "(__arrow_c_stream__): Polars, pyarrow, DuckDB, pandas 2.2 or newer"
        )
    try:
        return Stream(method())
    except (
        TypeError,
        ValueError,
        OverflowError,
    ) as error:  # pyarrow's, about values
        raise _unlike(", ".join(map(str, error.args))) from error


def _as_polars(frame: Any, columns: set[str]) -> Any:
    """A frame of pandas, which exports Arrow with pyarrow alone, as one of Polars; columns that are
    not read hold nothing."""
    with needing("dataframes", "a pandas frame"):
        import polars
    if not frame.columns.is_unique:
        raise SegmentationError("two columns have the same name: expected each name once")
    held: dict[str, Any] = dict.fromkeys(map(str, frame.columns), [None] * len(frame))
    for name in columns & held.keys():
        column = frame[name]
        held[name] = column.astype(object).where(column.notna(), None).tolist()
        kinds = {int if issubclass(kind, np.integer) else kind for kind in _kinds(held[name])}
        if len(kinds) > 1:  # Polars would round 2.5 among integers
            raise _unlike(f"{name!r} has {' and '.join(sorted(kind.__name__ for kind in kinds))}")
    try:
        return polars.DataFrame(held)
    except (TypeError, polars.exceptions.PolarsError) as error:
        raise _unlike(str(error).partition("\n")[0]) from error


def _kinds(cells: Any) -> set[type]:
    """The types of all values in lists of lists, but None."""
    found = {type(cell) for cell in cells}
    inside = [cell for cell in cells if isinstance(cell, list | tuple | np.ndarray)]
    return set().union(found - {type(None), list, tuple, np.ndarray}, *map(_kinds, inside))


def _unlike(what: str) -> SegmentationError:
    return SegmentationError(
        f"data has a column that Arrow cannot hold ({what}): expected values of one type in each "
        "column"
    )


class ArrowBatch:
    """A batch of columns, looked up by name."""

    def __init__(self, length: int, null: bytes | None, columns: Sequence[Column]) -> None:
        self.length = length
        self.null: Mask | None = _mask(null)
        self._columns = columns

    def _column(self, name: str) -> Column:
        found = [column for column in self._columns if column.name == name]
        if len(found) == 1:
            return found[0]
        names = [column.name for column in self._columns]
        if found:
            raise SegmentationError(f"column {name!r} is listed twice: expected each once")
        raise SegmentationError(f"there is no column {name!r}{nearest(name, names)}")

    def lists(self, layout: Layout) -> PairedLists | LevelLists:
        """The columns of a layout."""
        null = self.null
        units = None
        if layout.n_units is not None:
            column = self._column(layout.n_units)
            units = self._integers(column)
            null = _either(null, _mask(column.nulls()))
        names = None if layout.document is None else self.texts(layout.document)
        sides = [self._column(layout.reference), self._column(layout.hypothesis)]
        if any(map(_holds_lists, sides)):
            return self._level_lists(layout, units, null, names)
        ranks = [
            None if name is None else self._lists(self._column(name), "boundaries")
            for name in (layout.ref_ranks, layout.hyp_ranks)
        ]
        labels = [
            None if name is None else self._labels(self._column(name))
            for name in (layout.ref_labels, layout.hyp_labels)
        ]
        return PairedLists(
            self.length,
            self._lists(sides[0], layout.encoding),
            self._lists(sides[1], layout.encoding),
            units,
            null,
            names,
            ranks[0],
            ranks[1],
            labels[0],
            labels[1],
        )

    def _level_lists(
        self, layout: Layout, units: Int64Array | None, null: Any, names: Texts | None
    ) -> LevelLists:
        """The levels of both sides, and their labels."""
        if layout.ref_ranks is not None or layout.hyp_ranks is not None:
            raise SegmentationError("ranks and levels are both given: expected one of them")

        def side(name: str) -> LevelColumn[ListColumn]:
            column = self._column(name)
            starts, counts, items = self._levels(column, "lists of integers, a list per level")
            return LevelColumn(
                starts, counts, self._lists(items, layout.encoding, name), _mask(column.nulls())
            )

        def labels(name: str | None) -> LevelColumn[LabelLists] | None:
            if name is None:
                return None
            column = self._column(name)
            starts, counts, items = self._levels(column, "lists of texts, a list per level")
            return LevelColumn(starts, counts, self._labels(items), _mask(column.nulls()))

        return LevelLists(
            self.length,
            (side(layout.reference), side(layout.hypothesis)),
            (labels(layout.ref_labels), labels(layout.hyp_labels)),
            units,
            null,
            names,
        )

    def _levels(self, column: Column, expected: str) -> tuple[Int64Array, Int64Array, Column]:
        """Where the levels of each row start among the items, their number, and the items."""
        if not _holds_lists(column):
            raise _wrong(column, expected)
        ends, begins, items = column.pieces()
        offsets: Int64Array = np.frombuffer(ends, np.int64)
        return np.frombuffer(begins, np.int64), offsets[1:] - offsets[:-1], items

    def _labels(self, column: Column) -> LabelLists:
        """A list of labels per row."""
        if column.kind != "lists":
            raise _wrong(column, "lists of texts, one label per segment")
        ends, begins, items = column.pieces()
        if items.kind not in ("texts", "integers") and items.format != "n":
            raise _wrong(column, "lists of texts, one label per segment")
        codes, names = items.distinct()
        offsets, starts = np.frombuffer(ends, np.int64), np.frombuffer(begins, np.int64)
        each = np.frombuffer(codes, np.int32)
        moved, sizes = starts - offsets[:-1], np.diff(offsets)
        if moved[sizes > 0].any() or len(each) != offsets[-1]:  # views, which may lie anywhere
            each = each[np.arange(offsets[-1]) + np.repeat(moved, sizes)]
        return LabelLists(offsets, each, names, _mask(column.nulls()))

    def texts(self, name: str) -> Texts:
        """A column of names or groups."""
        column = self._column(name)
        if column.kind not in ("texts", "integers"):
            raise _wrong(column, "texts or integers")
        offsets, data = column.texts()
        return Texts(np.frombuffer(offsets, np.int64), data, _mask(column.nulls()))

    def _integers(self, column: Column) -> Int64Array:
        if column.kind != "integers":
            raise _wrong(column, "integers")
        return np.frombuffer(column.integers(), np.int64)

    def _lists(self, column: Column, encoding: Encoding, name: str | None = None) -> ListColumn:
        null = _mask(column.nulls())
        if column.kind == "texts" and encoding in ("labels-end", "labels-start", "gaps"):
            offsets, data = column.texts()
            return ListColumn(np.frombuffer(offsets, np.int64), symbols(data), null)
        item_type = column.type_name.partition(" of ")[2]
        readable = column.item_kind == "integers" or item_type in ("b", "n")
        if column.kind != "lists" or not readable:
            texts = "; for texts of 0 and 1 give encoding='labels-end', 'labels-start' or 'gaps'"
            raise _wrong(column, "lists of integers" + texts * (column.kind == "texts"), name)
        offsets, values, width, hole = column.lists()
        items: Items
        items = np.frombuffer(values, np.int32) if width == 4 else np.frombuffer(values, np.int64)
        return ListColumn(np.frombuffer(offsets, np.int64), items, null, _mask(hole))


def _holds_lists(column: Column) -> bool:
    """Whether a column holds lists of lists."""
    return column.kind == "lists" and column.item_kind == "lists"


def _mask(given: bytes | None) -> Mask | None:
    return None if given is None else np.frombuffer(given, np.bool_)


def _either(a: Mask | None, b: Mask | None) -> Mask | None:
    if a is None or b is None:
        return b if a is None else a
    return a | b


def _wrong(column: Column, expected: str, name: str | None = None) -> SegmentationError:
    held = in_words(column.type_name)
    return SegmentationError(f"column {name or column.name!r} holds {held}: expected {expected}")


_IN_WORDS = {  # Arrow's codes of types, without their parameters
    "dictionary": "categories", "+l": "lists", "+L": "lists", "+vl": "lists", "+vL": "lists",
    "+w": "lists", "+s": "structs", "+m": "maps", "+u": "unions", "+r": "run-length codes",
    "n": "nothing but nulls", "b": "truth values", "e": "floats", "f": "floats", "g": "floats",
    "d": "decimals", "u": "texts", "U": "texts", "vu": "texts", "z": "bytes", "Z": "bytes",
    "vz": "bytes", "w": "bytes", "td": "dates", "tt": "times of day", "ts": "points in time",
    "tD": "durations", "ti": "intervals of time",
    **dict.fromkeys("csilCSIL", "integers"),
}  # fmt: skip


def in_words(type_name: str) -> str:
    """The type of a column in plain words; an unknown Arrow code is quoted.

    >>> in_words("+l of g"), in_words("tsu:UTC"), in_words("?")
    ('lists of floats', 'points in time', "values of the unknown Arrow type '?'")
    """
    outer, of, inner = type_name.partition(" of ")
    if of:
        return f"{in_words(outer)} of {in_words(inner)}"
    code = type_name.partition(":")[0]
    if code.startswith("t"):
        code = code[:2]  # the rest of it is a unit of time
    return _IN_WORDS.get(code) or f"values of the unknown Arrow type {type_name!r}"


def checked(
    lists: PairedLists | LevelLists, layout: Layout, on_error: OnError, first: int
) -> CheckedRows:
    """The good rows of a batch; a bad row raises, or is left out."""
    if isinstance(lists, LevelLists):
        return checked_levels(lists, layout.encoding, on_error, first)
    return checked_rows(lists, layout.encoding, on_error, first)


def columns_from_arrow(data: Any, layout: Layout) -> dict[str, Any]:
    """All rows of a table as the columns of a Pairs; a bad row raises."""
    parts: list[dict[str, Any]] = []
    names: list[str] = []
    for first, (lists,), _ in list_batches(data, [layout]):
        parts.append(checked(lists, layout, "raise", first).columns)
        names += [] if lists.names is None else lists.names
    return joined_columns(parts) | {"documents": None if layout.document is None else names}


def joined_columns(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Batches of columns joined into one."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        nothing, start = np.empty(0, np.int64), np.zeros(1, np.int64)
        names = ("n_units", "ref_offsets", "ref_positions", "hyp_offsets", "hyp_positions")
        return {name: start if "offsets" in name else nothing for name in names}
    joined: dict[str, Any] = {}
    if "label_names" in parts[0]:
        joined |= _joined_labels(parts)
    for name, first_column in parts[0].items():
        if name in joined:
            continue
        columns = [part[name] for part in parts]
        if first_column is None:
            joined[name] = None  # of all batches: the columns are the same in each
        elif name.endswith("offsets"):
            ends = np.cumsum([0, *(column[-1] for column in columns)])
            moved = [column[:-1] + end for column, end in zip(columns, ends[:-1], strict=True)]
            joined[name] = np.concatenate([*moved, ends[-1:]])
        else:
            joined[name] = np.concatenate(columns)
    return joined


def _joined_labels(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The columns of labels and of levels of several batches joined into one.

    In a batch without labels, segments have no label.
    """
    every = sorted({name for part in parts for name in part.get("label_names", ())})
    place = {name: index for index, name in enumerate(every)}
    codes = [  # NO_LABEL is the index of the last
        np.array([*(place[name] for name in part.get("label_names", ())), NO_LABEL], np.int64)
        for part in parts
    ]
    columns: dict[str, Any] = {"label_names": every}
    for side in ("ref", "hyp"):
        columns[f"{side}_labels"] = _joined_labels_of_side(parts, codes, side)
        columns[f"{side}_levels"] = _joined_levels(parts, codes, side)
    return columns


def _joined_labels_of_side(
    parts: Sequence[Mapping[str, Any]], codes: Sequence[Int64Array], side: str
) -> tuple[Int64Array, Int64Array] | None:
    """The labels of one side; None if no batch has labels."""
    labels = [part.get(f"{side}_labels") for part in parts]
    if all(label is None for label in labels):
        return None
    counts = [
        np.zeros(_n_segments(part[f"{side}_offsets"]), np.int64)
        if label is None
        else np.diff(label[0])
        for label, part in zip(labels, parts, strict=True)
    ]
    values = [
        code[label[1]] for label, code in zip(labels, codes, strict=True) if label is not None
    ]
    return starts_of(np.concatenate(counts)), np.concatenate(values)


def _joined_levels(
    parts: Sequence[Mapping[str, Any]], codes: Sequence[Int64Array], side: str
) -> tuple[Int64Array, Int64Array, Int64Array] | None:
    """The levels of one side; None if the first batch has none, because then no batch has any."""
    if parts[0].get(f"{side}_levels") is None:
        return None
    levels = [part[f"{side}_levels"] for part in parts]
    return (
        starts_of(np.concatenate([np.diff(level[0]) for level in levels])),
        np.concatenate([level[1] for level in levels]),
        np.concatenate([code[level[2]] for level, code in zip(levels, codes, strict=True)]),
    )


def _n_segments(offsets: Int64Array) -> int:
    """The number of segments of all rows: in each row one more than boundaries."""
    return int(offsets[-1]) + len(offsets) - 1
