"""Tables in files: CSV and TSV, Excel, Parquet, Feather and Arrow; and what a cell may hold.

A row is (number, cells), the header first, as a spreadsheet counts them. The checks of cells word
their error without the place; readers add it (`Source.locating`). Excel is read with
python-calamine (`segscore[excel]`), the others with pyarrow (`segscore[arrow]`). In Excel the
table is on the only sheet that holds anything, or on the one that `layer` names.

Files are not to be trusted: a sheet may claim to be of any size, so its cells are looked at before
it is opened.
"""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from segscore.basics.arguments import LARGEST, shown
from segscore.basics.series import first_twice
from segscore.basics.spreadsheet_cells import cell_of_text
from segscore.errors import SegmentationError, named
from segscore.io.files import Source

EXCEL = (".xlsx", ".xlsm")
ARROW = (".parquet", ".pq", ".feather", ".arrow", ".ipc")
TABLES = (*EXCEL, *ARROW)

MOST_CELLS = 2 * 10**7  # of a sheet: calamine keeps even empty ones
MOST_SHEET_BYTES = 2**27  # of a workbook, unpacked
MOST_ROWS = 10**8
_PLACE = re.compile(rb"""\sr\s*=\s*["']([^"']*)["']""")
_CELL = re.compile(rb"([A-Z]{0,3})([0-9]{1,7})")  # B2; a row has a number only
_ROW = re.compile(rb"<(?:\w+:)?row\b")
_CELLS = re.compile(rb"<(?:\w+:)?c\b")
_BATCH = 10_000
_WHOLE = re.compile(r"0|[1-9][0-9]{0,15}")  # int() would take 1_0, ٣ and a million digits, too
_LONGEST_CELL = csv.field_size_limit()
DELIMITERS = ",;\t"

Row = tuple[int, list[Any]]


def is_table(suffix: str) -> bool:
    """Whether files with this suffix are tables, and not text."""
    return suffix in TABLES


def table_rows(source: Source) -> Iterator[Row]:
    """The rows of a table, the header first."""
    found = _excel(source) if source.suffix in EXCEL else _arrow(source)
    first = next(found, None)
    if first is None:
        raise source.fail("the table is empty: expected a header and rows")
    yield first
    yield from found


def head(source: Source, n: int = 20) -> list[list[str]]:
    """The first rows, as texts, by which a format is recognised."""
    return [[cell_text(one) for one in cells] for _, cells in islice(table_rows(source), n)]


def cell_text(value: Any) -> str:
    """A cell as a CSV file would have it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


# ---- CSV: rows, the cells of any table, and quoting ----


def header_of(lines: list[str], delimiter: str | None = None) -> list[str]:
    """The cells of the first line in lower case, to recognise a format by them."""
    first = lines[0] if lines else ""
    cells = _split(first, delimiter or delimiter_of(first))
    return [name.strip().lower() for name in cells]


def delimiter_of(first: str) -> str:
    """What stands between the cells of a header: comma, semicolon or tab, whichever gives most."""
    return max(DELIMITERS, key=lambda one: len(_split(first, one)))


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return []


def rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """(line number, cells) of each row that is not blank; there is a first, the header.

    Commas, semicolons or tabs separate cells, as in the header; tables of other kinds
    (Excel, Parquet) are read as if they were CSV.
    """
    if is_table(source.suffix):
        for number, cells in table_rows(source):
            yield number, [cell_text(one) for one in cells]
        return
    text = source.read_text()
    first = re.split("\r|\n", text.lstrip("\r\n"), maxsplit=1)[0]
    delimiter = delimiter_of(first)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    empty = True
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            what = f"{error}: expected cells separated by {delimiter!r}, quotes in pairs"
            raise source.fail(what, reader.line_num) from None
        if cells and cells != [""]:
            empty = False
            yield reader.line_num, cells
    if empty:
        raise source.fail("the file is empty: expected a header and rows")


def check_width(cells: list[str], header: list[str]) -> None:
    """As many cells as the header has."""
    if len(cells) != len(header):
        raise SegmentationError(f"{len(cells)} cells: expected {len(header)}, as the header has")


def placed_rows(
    source: Source, header: list[str], table: Iterable[Row]
) -> Iterator[tuple[str, list[Any]]]:
    """(place, cells) of each row below a header, which all have its width."""
    for line, cells in table:
        with source.locating(line):
            check_width(cells, header)
        yield source.at(line), cells


def check_names(names: list[str]) -> None:
    """Names of columns: none empty, each once."""
    for index, name in enumerate(names):
        if not name.strip():
            raise SegmentationError(f"column {index + 1} has no name: expected one")
    if len(set(names)) != len(names):
        raise SegmentationError(
            f"two columns are called {first_twice(names)!r}: expected each once"
        )


def column_of(header: list[str], known: tuple[str, ...]) -> int | None:
    """Where the first of some known names stands in a header."""
    names = [name.strip().lower() for name in header]
    return next((names.index(one) for one in known if one in names), None)


def check_numbered(text: str, index: int, what: str) -> None:
    """A column that counts the units: 1, 2, 3 … without a gap."""
    if text.strip() != str(index):
        raise SegmentationError(
            f"{what[:200]} is {shown(text)}: expected {index}, units count from 1"
        )


def whole(text: str, what: str, expected: str) -> int:
    """A whole number in plain digits."""
    digits = text.strip()
    if not _WHOLE.fullmatch(digits) or int(digits) > LARGEST:
        raise SegmentationError(f"{what} is {shown(text)}: expected {expected}")
    return int(digits)


def next_segment(text: str, before: int, where: str) -> int:
    """The number of a unit's segment: that of the unit before, or one more; the first is 1."""
    expected = f"{before} or {before + 1}" if before else "1, the first segment"
    number = whole(text, f"{where}: segment", expected)
    if number not in (before or 1, before + 1):
        raise SegmentationError(f"{where}: segment is {number}: expected {expected}")
    return number


def json_list(text: str, what: str) -> list[Any]:
    """A cell that holds a list, written as JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, list):
        raise SegmentationError(f'{what} is {shown(text)}: expected a list, as in ["a", "b"]')
    return value


def row_text(cells: Iterable[object], delimiter: str = ",") -> str:
    """A row as it is written, line end included; no text is a formula."""
    texts = (cell_of_text(one) if isinstance(one, str) else str(one) for one in cells)
    return delimiter.join(_quoted(one, delimiter) for one in texts) + "\n"


def _quoted(text: str, delimiter: str) -> str:
    """A cell as it is written: quoted where it has to be."""
    if len(text) >= _LONGEST_CELL or "\0" in text:
        raise SegmentationError(
            f"{shown(text)} cannot be a cell: expected less than {_LONGEST_CELL} characters, "
            "and no NUL"
        )
    if set(text) & {delimiter, '"', "\r", "\n"}:
        return '"' + text.replace('"', '""') + '"'
    return text


# ---- Excel ----


def _excel(source: Source) -> Iterator[Row]:
    try:
        from python_calamine import CalamineWorkbook
    except ImportError:
        raise source.fail(
            "Excel is read with python-calamine, which is not installed: expected it: pip install "
            "'segscore[excel]'"
        ) from None
    data = source.read_bytes()
    _check_workbook(source, data)
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = {name: book.get_sheet_by_name(name).to_python(skip_empty_area=False)
                  for name in book.sheet_names}  # fmt: skip
    # calamine has an error for each kind of damage, and a panic of Rust is no Exception
    except BaseException as error:
        if isinstance(error, (MemoryError, KeyboardInterrupt, SystemExit)):
            raise
        raise source.fail(f"{error}: expected an Excel workbook, .xlsx") from None
    for number, cells in enumerate(_sheet(source, sheets), start=1):
        plain = [None if one == "" else one for one in cells]
        if any(one is not None for one in plain):
            yield number, plain


def _sheet(source: Source, sheets: dict[str, Any]) -> Any:
    """The one sheet with a table, or the one that was asked for."""
    wanted = source.choices.layer
    if wanted is not None:
        if wanted not in sheets:
            raise source.fail(f"no sheet is called {wanted!r}: there is {named(sheets)}")
        return sheets[wanted]
    filled = [name for name, rows in sheets.items() if any(any(c != "" for c in r) for r in rows)]
    if len(filled) > 1:
        raise source.fail(
            f"{len(filled)} sheets hold something, {named(filled)}: expected layer= (--layer), the "
            "name of one"
        )
    return sheets[filled[0]] if filled else []


def _check_workbook(source: Source, data: bytes) -> None:
    """Refuse workbooks that would need too much memory."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(one.file_size for one in archive.infolist()) > MOST_SHEET_BYTES:
                raise source.fail(
                    f"more than {MOST_SHEET_BYTES >> 20} MiB unpacked: expected less; CSV may be "
                    "larger"
                )
            for member in archive.infolist():  # a sheet may have any name
                with archive.open(member) as stream:
                    _check_sheet(source, stream.read(MOST_SHEET_BYTES))
    except SegmentationError:
        raise
    except Exception as error:  # see segscore.io.zips: it depends on the byte that is damaged
        what = str(error) or type(error).__name__
        raise source.fail(f"{what}: expected an Excel workbook, .xlsx") from None


def _check_sheet(source: Source, sheet: bytes) -> None:
    """Refuse sheets that say they are very large: calamine would ask for all of that memory, and
    the process would end. The numbers are upper bounds, because cells and rows need not say where
    they are."""
    width, height = 0, 0
    for value in _PLACE.findall(sheet):
        place = _CELL.fullmatch(value)
        if place is None:
            raise source.fail(f"a cell is called {value.decode('latin-1')!r}: expected as in B2")
        column = 0
        for letter in place[1]:
            column = 26 * column + letter - 64
        width, height = max(width, column), max(height, int(place[2]))
    rows = _ROW.split(sheet)
    width += max(len(_CELLS.findall(row)) for row in rows)
    height += len(rows)
    if width * height > MOST_CELLS:
        raise source.fail(
            f"a sheet of up to {height} rows and {width} columns: expected at most {MOST_CELLS} "
            "cells"
        )


# ---- Arrow ----


def _arrow(source: Source) -> Iterator[Row]:
    try:
        import pyarrow
    except ImportError:
        raise source.fail(
            "Parquet and Arrow are read with pyarrow, which is not installed: expected it: pip "
            "install 'segscore[arrow]'"
        ) from None
    number = 0
    try:
        for batch in _batches(source):
            if not number:
                number = 1
                yield number, list(batch.schema.names)
            batch.validate(full=True)
            columns = [column.to_pylist() for column in batch.columns]
            for cells in zip(*columns, strict=True):
                number += 1
                yield number, list(cells)
            if number > MOST_ROWS:
                raise source.fail(f"more than {MOST_ROWS} rows: expected less")
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError, OverflowError) as error:
        what = str(error).split("\n", maxsplit=1)[0]
        raise source.fail(f"{what}: expected a Parquet, Feather or Arrow file") from None


def _batches(source: Source) -> Iterator[Any]:
    """The record batches of a file; one without rows gives its names in an empty batch."""
    from pyarrow import RecordBatch, ipc, parquet

    data = io.BytesIO(source.read_bytes())
    if data.getvalue()[:4] == b"PAR1":
        file = parquet.ParquetFile(data)
        schema = file.schema_arrow
        batches = file.iter_batches(batch_size=_BATCH)
    elif data.getvalue()[:6] == b"ARROW1":
        reader = ipc.open_file(data)
        schema = reader.schema
        batches = (reader.get_batch(index) for index in range(reader.num_record_batches))
    else:
        stream = ipc.open_stream(data)
        schema, batches = stream.schema, iter(stream)
    yield RecordBatch.from_pylist([], schema=schema)
    yield from batches
