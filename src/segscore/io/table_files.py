"""Tables in files: CSV and TSV, Excel, Parquet, Feather and Arrow; and what a cell may hold.

A row is (number, cells), the header first, as a spreadsheet counts them. The checks of cells raise
errors without the place; readers add it (`Source.locating`). Excel is read by
`segscore.io.workbooks`, the others with pyarrow (`segscore[arrow]`). In Excel the table is on the
only non-empty sheet, or on the sheet that `layer` names.

pyarrow takes the memory of an Arrow file at once. The messages of a file name the buffers of its
columns, and a compressed buffer begins with its unpacked length: the lengths are added up first. A
file is read as the stream that it holds, and its footer only has to agree. Layout:
https://arrow.apache.org/docs/format/Columnar.html and Message.fbs (FlatBuffers).
"""

import csv
import io
import json
import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import LARGEST, first_twice, shown
from segscore.basics.arrow_validation import python_values, refusing
from segscore.errors import SegmentationError, named, needing
from segscore.io.files import EXCEL, TABLES, Source, expect, rows_size
from segscore.io.workbooks import Sheet, read_workbook, rows_of
from segscore.tables.table import cell_of_text

if TYPE_CHECKING:
    import pyarrow


_HOLLOW = 10**6  # rows of nothing but nulls
_BATCH = 10_000
_WHOLE = re.compile(r"0|[1-9][0-9]{0,15}")  # int() would take 1_0, ٣ and a million digits, too
_LONGEST_CELL = csv.field_size_limit()
DELIMITERS = ",;\t"
OWN_SHEET = "segscore:start"  # the first cell of sheets that we write

Row = tuple[int, list[Any]]


def table_rows(source: Source, most: int | None = None) -> Iterator[Row]:
    """The rows of a table, the header first; rows after `most` may be left out."""
    if source.suffix in EXCEL:
        wanted = source.sheet or source.choices.layer
        found = iter(rows_of(_sheet(source, read_workbook(source, most, wanted), wanted)))
    else:
        found = _arrow(source)
    first = next(found, None)
    if first is None:
        raise source.fail("the table is empty: expected a header and rows")
    yield first
    yield from found


def head(source: Source) -> list[str]:
    """The first rows in CSV form, by which a format is recognised."""
    rows = (row_text(map(cell_text, cells)) for _, cells in islice(table_rows(source, 20), 20))
    return [row.rstrip("\n") for row in rows]


def cell_text(value: Any) -> str:
    """A cell as in a CSV file."""
    if value is None:
        return ""
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        return str(int(value))
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


# ---- CSV: rows, the cells of any table, and quoting ----


def header_of(lines: list[str]) -> list[str]:
    """The cells of the first line in lower case, by which a format is recognised."""
    first = lines[0] if lines else ""
    cells = _split(first, delimiter_of(first))
    return [name.strip().lower() for name in cells]


def delimiter_of(first: str) -> str:
    """The delimiter of the cells of a header: comma, semicolon or tab, whichever gives most
    cells."""
    return max(DELIMITERS, key=lambda delimiter: len(_split(first, delimiter)))


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return []


def rows(source: Source, *, typed: bool = False) -> Iterator[tuple[int, list[Any]]]:
    """The (line number, cells) of each non-blank row; the first is the header.

    Commas, semicolons or tabs separate cells, as in the header; tables of other kinds
    (Excel, Parquet) are read as if they were CSV, unless `typed`, which keeps numbers and dates.
    """
    if source.suffix in TABLES:
        for number, cells in table_rows(source):
            yield number, cells if typed else [cell_text(cell) for cell in cells]
        return
    text = source.read_text()
    first = re.split("\r|\n", text.lstrip("\r\n"), maxsplit=1)[0]
    delimiter = delimiter_of(first)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    empty = True
    try:
        for cells in reader:
            if cells and cells != [""]:
                empty = False
                yield reader.line_num, cells
    except csv.Error as error:
        what = f"{error}: expected cells separated by {delimiter!r}, quotes in pairs"
        raise source.fail(what, reader.line_num) from None
    if empty:
        raise source.fail("the file is empty: expected a header and rows")


def check_width(cells: list[str], header: list[str]) -> None:
    """Raise if a row has more or fewer cells than the header."""
    if len(cells) != len(header):
        raise SegmentationError(f"{len(cells)} cells: expected {len(header)}, as the header has")


def check_names(names: list[str]) -> None:
    """Raise for names of columns that are empty or repeated."""
    filled = all(map(str.strip, names))
    expect(filled, f"the header is {','.join(names)!r}: expected a name in each cell")
    if len(set(names)) != len(names):
        raise SegmentationError(f"two columns are called {first_twice(names)!r}: expected one")


def column_of(header: list[str], known: tuple[str, ...]) -> int | None:
    """The index of the column with the first of the known names that the header has; None if it
    has none."""
    names = [name.strip().lower() for name in header]
    return next((names.index(name) for name in known if name in names), None)


def whole(text: str, what: str, expected: str) -> int:
    """A whole number in plain digits."""
    digits = text.strip()
    if not _WHOLE.fullmatch(digits) or int(digits) > LARGEST:
        raise SegmentationError(f"{what} is {shown(text)}: expected {expected}")
    return int(digits)


def row_text(cells: Iterable[object], delimiter: str = ",") -> str:
    """A row as text, including the line end; no text is a formula."""
    texts = [cell_of_text(cell) if isinstance(cell, str) else str(cell) for cell in cells]
    for index, text in enumerate(texts):
        if len(text) >= _LONGEST_CELL or "\0" in text:
            most = f"less than {_LONGEST_CELL} characters, and no NUL"
            raise SegmentationError(f"{shown(text)} cannot be a cell: expected {most}")
        if set(text) & {delimiter, '"', "\r", "\n"}:
            texts[index] = '"' + text.replace('"', '""') + '"'
    return delimiter.join(texts) + "\n"


# ---- Excel ----


def each_sheet(source: Source) -> list[Source]:
    """A source for each non-empty sheet of a workbook, which names its document; other files, and
    our own sheets, are read as usual."""
    if source.suffix not in EXCEL:
        return [source]
    sheets = read_workbook(source, 1)
    ignored = source.choices.ignore_sheets
    source.choices.notes.met |= {("sheet", name) for name in sheets if name in ignored}
    names = [name for name, sheet in sheets.items() if sheet and name not in ignored]
    if any(map(is_own, sheets.values())) or not names:
        return [source]
    return [
        replace(source, document=name, sheet=name, called=f"{source.at()}, sheet {name!r}")
        for name in names
    ]


def is_own(sheet: Sheet) -> bool:
    """Whether we wrote a sheet, by its first cell."""
    return bool(sheet) and sheet[0][1].get(0) == OWN_SHEET


def _sheet(source: Source, sheets: dict[str, Sheet], wanted: str | None) -> Sheet:
    """The only sheet with a table, or the requested sheet."""
    if wanted is not None:
        source.expect(wanted in sheets, f"no sheet is called {wanted!r}: there is {named(sheets)}")
        return sheets[wanted]
    own = [sheet for sheet in sheets.values() if is_own(sheet)]
    if len(own) == 1:
        return own[0]
    filled = [name for name, sheet in sheets.items() if sheet]
    what = f"{len(filled)} sheets hold something, {named(filled)}: expected layer=, the name of one"
    source.expect(len(filled) < 2, f"{what}, or all_sheets=True if each is a document")
    return sheets[filled[0]] if filled else []


# ---- Arrow ----


def _arrow(source: Source) -> Iterator[Row]:
    with needing("arrow", f"{source.at()}: a file of columns"):
        import pyarrow  # noqa: F401  # whether it is there
    number = spent = 0
    with refusing(
        lambda reason: source.fail(f"{reason}: expected a Parquet, Feather or Arrow file")
    ):
        for batch in _batches(source):
            if not number:
                number = 1
                yield number, list(batch.schema.names)
            _check_batch(source, batch)
            for start in range(0, batch.num_rows, _BATCH):
                part = batch.slice(start, _BATCH)
                spent += sum(map(_cells_size, part.columns))  # whoever reads them keeps them
                source.afford(spent)
                with source.locating():
                    columns = [python_values(column) for column in part.columns]
                for cells in zip(*columns, strict=True):
                    number += 1
                    yield number, list(cells)


def _check_batch(source: Source, batch: Any) -> None:
    """Raise for damaged columns, types that repeat their contents without end, and rows that no
    buffer holds."""
    import pyarrow

    for field in batch.schema:
        what = f"column {field.name!r} has type {field.type}"
        source.expect(not _repeats(field.type), f"{what}: expected texts, numbers, or lists")
    try:
        batch.validate(full=True)
    except pyarrow.ArrowInvalid as error:
        raise source.fail(f"the table is damaged: {str(error).splitlines()[0]}") from None
    what = f"a table of {batch.num_rows} rows that no column holds"
    fits = batch.num_rows <= _HOLLOW + 8 * batch.nbytes
    source.expect(fits, f"{what}: expected at most {_HOLLOW} rows of nothing")


def _repeats(kind: Any) -> bool:
    """Whether values of a type may stand for more than their buffers hold."""
    from pyarrow import types

    views = types.is_list_view(kind) or types.is_large_list_view(kind)
    if views or types.is_run_end_encoded(kind) or types.is_union(kind):
        return True
    if types.is_dictionary(kind):
        return bool(types.is_nested(kind.value_type))
    return any(_repeats(kind.field(index).type) for index in range(kind.num_fields))


def _cells_size(column: Any) -> int:
    """An upper estimate of the memory that the cells of a pyarrow column take as Python objects."""
    from pyarrow import types

    kind = column.type
    if types.is_dictionary(kind):
        words = [word for word in python_values(column.dictionary) if isinstance(word, str | bytes)]
        return rows_size(len(column), len(column) * max(map(len, words), default=0))
    if types.is_string_view(kind) or types.is_binary_view(kind):
        last = column.offset + len(column)
        views = np.frombuffer(column.buffers()[1] or b"", np.int32, 4 * last).reshape(-1, 4)
        lengths = views[column.offset :, 0]  # of null ones: anything
        return rows_size(len(column), int(lengths[lengths > 0].sum(dtype=np.int64)))
    inside = []
    if types.is_map(kind):
        inside = [column.keys, column.items]
    elif types.is_struct(kind):
        inside = column.flatten()
    elif kind.num_fields:
        inside = [column.values if types.is_fixed_size_list(kind) else column.flatten()]
    letters = 0 if inside or types.is_null(kind) else column.nbytes
    return rows_size(len(column), letters) + sum(map(_cells_size, inside))


def _batches(source: Source) -> Iterator[Any]:
    """The record batches of a file; a file without rows gives its names in an empty batch."""
    from pyarrow import RecordBatch, parquet, py_buffer

    data = source.read_bytes()
    if data[:4] == b"PAR1":
        file = parquet.ParquetFile(io.BytesIO(data))
        source.afford(parquet_size(file.metadata))
        schema, batches = file.schema_arrow, file.iter_batches(batch_size=_BATCH)
    else:
        stream = open_stream(source, py_buffer(data))
        schema, batches = stream.schema, iter(stream)
    yield RecordBatch.from_pylist([], schema=schema)
    yield from batches


# ---- sizes of Arrow files ----

_MAGIC = b"ARROW1"
_START = 8  # bytes of the magic and what fills them up
_RECORDS, _DICTIONARY = 3, 2  # kinds of messages
_BUFFER = 16  # bytes of a place and a length


def open_stream(source: Source, data: "pyarrow.Buffer") -> "pyarrow.RecordBatchReader":
    """The batches of a file or stream that is in memory, or mapped there."""
    from pyarrow import ipc

    inside = data
    if data[: len(_MAGIC)].to_pybytes() == _MAGIC:
        n_batches = ipc.open_file(data).num_record_batches
        inside = data.slice(_START)
    found = 0
    for message in ipc.MessageReader.open_stream(inside):
        kind, size = _unpacked_size(message)
        source.afford(size)
        found += kind == _RECORDS
    if inside is not data and found != n_batches:
        raise source.fail(
            f"its end says that it has {n_batches} batches, and there are {found}: expected a "
            "whole Arrow file"
        )
    return ipc.open_stream(inside)


def _unpacked_size(message: Any) -> tuple[int, int]:
    """The kind of a message, and the bytes of its buffers when they are unpacked."""
    data, body = message.metadata.to_pybytes(), message.body
    try:
        top = struct.unpack_from("<I", data)[0]
        at = _field(data, top, 1)
        kind = data[at] if at else 0
        if kind not in (_RECORDS, _DICTIONARY) or body is None:
            return kind, 0
        records = _inside(data, top, 2)
        if kind == _DICTIONARY:
            records = _inside(data, records, 1)
        if not _field(data, records, 3):  # nothing is packed
            return kind, 0
        start = _inside(data, records, 2)
        count: int = struct.unpack_from("<I", data, start)[0]
        if count > len(data) // _BUFFER:
            raise IndexError("a list beyond the end")
        places = (struct.unpack_from("<qq", data, start + 4 + _BUFFER * i) for i in range(count))
        return kind, sum(_length(body, place, length) for place, length in places)
    except (struct.error, IndexError):  # pyarrow will say what is wrong with it
        return -1, 0


def _field(data: bytes, table: int, field: int) -> int:
    """The offset of a field in a table of FlatBuffers, which may be damaged; 0 if it is missing."""
    fields = table - struct.unpack_from("<i", data, table)[0]
    if fields < 0:
        raise IndexError("a table before the start")
    entry = 4 + 2 * field
    if entry + 2 > struct.unpack_from("<H", data, fields)[0]:
        return 0
    moved: int = struct.unpack_from("<H", data, fields + entry)[0]
    return table + moved if moved else 0


def _inside(data: bytes, table: int, field: int) -> int:
    """The offset of the table or list that a field points to."""
    at = _field(data, table, field)
    if not at:
        raise IndexError("a field is missing")
    return at + int(struct.unpack_from("<I", data, at)[0])


def _length(body: Any, place: int, length: int) -> int:
    """The length of a packed buffer when it is unpacked; 0 if it says none."""
    if length < 8 or not 0 <= place <= body.size - 8:
        return 0
    declared: int = struct.unpack("<q", body[place : place + 8].to_pybytes())[0]
    return max(0, declared)


def parquet_size(metadata: Any) -> int:
    """The unpacked bytes of the largest row group of a Parquet file, according to the file.

    The sizes of single columns are not read: pyarrow aborts the process if the data beside them are
    damaged.
    """
    groups = map(metadata.row_group, range(metadata.num_row_groups))
    return max((group.total_byte_size for group in groups), default=0)
