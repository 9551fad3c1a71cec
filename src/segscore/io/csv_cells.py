"""Cells of CSV and TSV files: rows with their line numbers, what a cell may hold, and quoting.

The checks word their error without the place; readers add it (`Source.locating`).
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from segscore.basics.arguments import LARGEST, shown
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.stream_checks import first_repeated
from segscore.io.table_files import cell_text, is_table, table_rows

_WHOLE = re.compile(r"0|[1-9][0-9]{0,15}")  # int() would take 1_0, ٣ and a million digits, too
_LONGEST_CELL = csv.field_size_limit()


DELIMITERS = ",;\t"


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


def check_names(names: list[str]) -> None:
    """Names of columns: none empty, each once."""
    for index, name in enumerate(names):
        if not name.strip():
            raise SegmentationError(f"column {index + 1} has no name: expected one")
    twice = first_repeated(names)
    if twice is not None:
        raise SegmentationError(f"two columns are called {twice!r}: expected each once")


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
    """A row as it is written, line end included."""
    return delimiter.join(_cell(str(one), delimiter) for one in cells) + "\n"


def _cell(text: str, delimiter: str) -> str:
    """A cell as it is written: quoted where it has to be."""
    if len(text) >= _LONGEST_CELL or "\0" in text:
        raise SegmentationError(
            f"{shown(text)} cannot be a cell: expected less than {_LONGEST_CELL} characters, "
            "and no NUL"
        )
    if set(text) & {delimiter, '"', "\r", "\n"}:
        return '"' + text.replace('"', '""') + '"'
    return text
