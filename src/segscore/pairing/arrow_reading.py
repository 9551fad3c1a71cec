"""Read frames as columns of lists, batch by batch.

Whatever exports Arrow (`__arrow_c_stream__`: Polars, DuckDB, pandas, pyarrow, nanoarrow, Spark's
`toArrow`) is imported by pyarrow, and the columns that are read are validated in full before
anything is looked at. Names and groups may be texts, integers or dictionaries of texts; integers
become decimals, so that a document has the same name everywhere.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from segscore.basics import arrow_validation as arrow
from segscore.basics.arguments import Int64Array
from segscore.corpus.lists import NO_LABEL, starts_of
from segscore.errors import SegmentationError
from segscore.pairing import list_columns
from segscore.pairing.rules import Encoding

Column = Any  # a ChunkedArray of pyarrow
Lists = list_columns.PairedLists | list_columns.LevelLists

_UNHELD = 1 << 26  # rows or items of a batch that no buffer need hold
_UNHELD_BYTES = 1 << 31  # of texts that share their letters


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
        named = {name: value for name, value in vars(self).items() if name != "encoding"}
        return list(dict.fromkeys(value for value in named.values() if value is not None))


# ---- batches ----


def list_batches(
    data: Any, layout: Layout, keep: Sequence[str] = ()
) -> Iterator[tuple[int, Lists, dict[str, list_columns.Texts]]]:
    """(number of the first row, columns by layout, other columns as texts) of each batch."""
    first = 0
    for columns in _batches(data, list(dict.fromkeys([*layout.columns, *keep]))):
        lists = _lists_by(layout, columns)
        yield first, lists, {name: _texts(columns[name], name) for name in keep}
        first += lists.length


def rows_from_arrow(data: Any, layout: Layout) -> tuple[list_columns.CheckedRows, list[str] | None]:
    """All rows of a table, and the names of documents; a bad row raises."""
    lists = _lists_by(layout, next(_batches(data, layout.columns, at_once=True)))
    names = None if lists.names is None else list(lists.names)
    return list_columns.good_rows(lists, layout.encoding), names


def _batches(data: Any, names: Sequence[str], at_once: bool = False) -> Iterator[dict[str, Column]]:
    """These columns of each batch of a frame, or of all batches at once."""
    if arrow.is_made_by("pandas", data) and hasattr(data, "columns"):  # others may hold anything
        there = list(map(str, data.columns))
        places = [arrow.column_number(name, there) for name in names]
        data = data.iloc[:, places].set_axis(names, axis=1)
    stream = arrow.arrow_stream(data)
    import pyarrow as pa

    with arrow.refusing(SegmentationError):
        there = stream.schema.names
    batches = _sound(stream, names)
    for part in [batches] if at_once else ([batch] for batch in batches):
        table = pa.Table.from_batches(part, stream.schema)
        yield {name: table.column(arrow.column_number(name, there)) for name in names}


def _sound(stream: Any, names: Sequence[str]) -> Iterator[Any]:
    """The batches of a table or a stream, validated."""
    import pyarrow as pa

    with arrow.streaming():
        if isinstance(stream, pa.Table | pa.RecordBatch):
            stream = stream.to_batches() if isinstance(stream, pa.Table) else [stream]
        for batch in stream:
            arrow.validate_columns(batch, names)
            yield batch


# ---- columns by layout ----


def _lists_by(layout: Layout, columns: Mapping[str, Column]) -> Lists:
    """The columns of a batch, by what they hold."""

    def read(how: Callable[..., Any], name: str | None, *more: Any) -> Any:
        return None if name is None else how(columns[name], name, *more)

    units, null = read(_integers, layout.n_units) or (None, None)
    names = read(_texts, layout.document)
    length = len(columns[layout.reference])
    both, labels = (layout.reference, layout.hypothesis), (layout.ref_labels, layout.hyp_labels)
    if any(_kind(columns[name]).startswith("lists of lists") for name in both):
        if layout.ref_ranks is not None or layout.hyp_ranks is not None:
            raise SegmentationError("ranks and levels are both given: expected one of them")
        sides = [_levels(columns[name], name, "integers") for name in both]
        named = [read(_levels, name, "texts") for name in labels]
        return list_columns.LevelLists(length, sides, named, units, null, names)
    ref, hyp = (_lists(columns[name], name, layout.encoding) for name in both)
    ranks = [read(_lists, name, "boundaries") for name in (layout.ref_ranks, layout.hyp_ranks)]
    more = [*ranks, *(read(_labels, name) for name in labels)]
    return list_columns.PairedLists(length, ref, hyp, units, null, names, *more)


def _lists(column: Column, name: str, encoding: Encoding) -> list_columns.ListColumn:
    """Lists of integers, or texts of 0 and 1."""
    kind, more = _kind(column), ""
    if kind == "texts" and encoding in ("labels-end", "labels-start", "gaps"):
        texts = _texts(column, name)
        return list_columns.ListColumn(texts.offsets, list_columns.symbols(texts.data), texts.null)
    if kind == "texts":
        more = "; for texts of 0 and 1 give encoding='labels-end', 'labels-start' or 'gaps'"
    _expect(column, name, [f"lists of {each}" for each in _NUMBERS], "lists of integers" + more)
    offsets, items, hole = *_parts(column, name), None
    if items.null_count:
        hole = np.zeros(len(column), np.bool_)
        missing = np.flatnonzero(items.is_null())
        hole[np.searchsorted(offsets, missing, side="right") - 1] = True
    return list_columns.ListColumn(offsets, _whole(items), _nulls(column), hole)


def _labels(column: Column, name: str) -> list_columns.Labels:
    """A list of labels per row."""
    expected = "lists of texts, one label per segment"
    _expect(column, name, [f"lists of {each}" for each in _WORDS], expected)
    offsets, items = _parts(column, name)
    texts = _joined_texts(items, name).dictionary_encode()
    codes = np.asarray(texts.indices.fill_null(NO_LABEL), np.int32)
    return list_columns.ListColumn(offsets, codes, _nulls(column)), texts.dictionary.to_pylist()


def _levels(column: Column, name: str, inside: str) -> list[Any]:
    """Levels as Python has them: a list of lists for each row, or None."""
    each = _NUMBERS if inside == "integers" else _WORDS
    kinds = [f"lists of lists of {kind}" for kind in each]
    _expect(column, name, kinds, f"lists of {inside}, a list per level")
    _parts(_parts(column, name, of_levels=True)[1], name)  # how much there is
    return arrow.python_values(column)


def _integers(column: Column, name: str) -> tuple[Int64Array, list_columns.Mask | None]:
    """Integers, and which are null."""
    _expect(column, name, ["integers"], "integers")
    return _whole(column).astype(np.int64, copy=False), _nulls(column)


def _texts(column: Column, name: str) -> list_columns.Texts:
    """Names or groups."""
    _expect(column, name, ["texts", "integers"], "texts or integers")
    whole = _joined_texts(column, name)
    if not len(whole):
        return list_columns.Texts.of([])
    _, ends, letters = whole.buffers()
    offsets = np.frombuffer(ends, np.int64)[whole.offset :][: len(whole) + 1]
    data = b"" if letters is None else letters[offsets[0] : offsets[-1]].to_pybytes()
    return list_columns.Texts(offsets - offsets[0], data, _nulls(whole))


# ---- one column ----

_NOTHING = "nothing but nulls"
_NUMBERS, _WORDS = ("integers", "truth values", _NOTHING), ("texts", "integers", _NOTHING)
_KINDS = {
    r"u?int\d": "integers",
    "(large_)?string": "texts",
    "bool": "truth values",
    "null$": _NOTHING,
    r"dictionary<values=(large_)?string": "texts",
    "halffloat|float|double": "floats",
    "date": "dates",
}


def _kind(column: Column) -> str:
    """What a column holds, in words."""
    kind, lists = column.type, ""
    while re.match("(fixed_size_|large_)?list", str(kind)):
        kind, lists = kind.value_type, lists + "lists of "
    return lists + next((_KINDS[form] for form in _KINDS if re.match(form, str(kind))), str(kind))


def _expect(column: Column, name: str, kinds: Sequence[str], expected: str) -> None:
    """Raise for a column that holds something else."""
    kind = _kind(column)
    if kind not in kinds:
        raise SegmentationError(f"column {name!r} holds {kind}: expected {expected}")


def _nulls(column: Column) -> list_columns.Mask | None:
    """Which values are null; None if none is."""
    return np.asarray(column.is_null()) if column.null_count else None


# ---- Arrow ----


def _parts(column: Any, name: str, of_levels: bool = False) -> tuple[Int64Array, Any]:
    """(offsets, items) of lists; a list that is null has no items."""
    import pyarrow as pa
    from pyarrow import compute

    inside, n_rows = column.type.value_type, len(column)
    held = sum(len(chunk.values) for chunk in column.chunks)
    size = getattr(column.type, "list_size", None)
    if size is not None:  # times a place, it may be beyond 64 bits
        if any((chunk.offset + len(chunk)) * size > len(chunk.values) for chunk in column.chunks):
            raise SegmentationError(f"column {name!r} is damaged: a list is outside of its values")
        _check_held(name, n_rows if size == 0 else 0)
    offsets = starts_of(compute.list_value_length(column).fill_null(0))
    total = int(offsets[-1])
    _check_held(name, total if re.search(r"null$|\[0\]$", str(inside)) else 0)
    # levels are lists again, each of which may be long: none is read twice
    if total > (held if of_levels else max(held, _UNHELD)):
        raise SegmentationError(
            f"column {name!r} has lists of {total} items that share their values: expected at "
            f"most {held}"
        )
    return offsets, pa.chunked_array([chunk.flatten() for chunk in column.chunks], inside)


def _check_held(name: str, length: int) -> None:
    """Refuse very many values that no buffer holds, before memory is taken for them."""
    if length > _UNHELD:
        raise SegmentationError(
            f"column {name!r} says that it has {length} values, which no buffer holds: expected at "
            f"most {_UNHELD} in a batch"
        )


def _whole(column: Any) -> list_columns.Items:
    """Integers, 0 where one is null; those beyond 64 bits are the largest."""
    kind = str(column.type)
    if kind == "null":
        return np.zeros(len(column), np.int32)
    if column.null_count:
        column = column.fill_null(False if kind == "bool" else 0)
    values: Any = column.to_numpy()
    if kind == "uint64":
        values = np.minimum(values, np.uint64(2**63 - 1))
    narrow = np.can_cast(values.dtype, np.int32)
    return np.asarray(values, np.int32) if narrow else np.asarray(values, np.int64)


def _joined_texts(column: Any, name: str) -> Any:
    """Texts, dictionaries of texts, or integers as one array of texts."""
    import pyarrow as pa
    from pyarrow import compute

    size, parts = 0, []
    for chunk in column.chunks:
        words, index = chunk, None
        if pa.types.is_dictionary(chunk.type):
            words, index = _joined_texts(pa.chunked_array([chunk.dictionary]), name), chunk.indices
            size += compute.sum(compute.binary_length(words).take(index)).as_py() or 0
        elif pa.types.is_string_view(chunk.type):
            views = np.frombuffer(chunk.buffers()[1], np.int32)[4 * chunk.offset :: 4]
            size += int(views[: len(chunk)][np.asarray(chunk.is_valid())].sum(dtype=np.int64))
        if size > max(_UNHELD_BYTES, column.get_total_buffer_size()):
            raise SegmentationError(
                f"column {name!r} has texts of {size} bytes that share their letters: expected at "
                f"most {_UNHELD_BYTES} in a batch"
            )
        words = words.cast(pa.large_string())
        parts.append(words if index is None else words.take(index))
    return pa.chunked_array(parts, pa.large_string()).combine_chunks()
