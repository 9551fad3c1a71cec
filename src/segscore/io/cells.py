"""Cells of CSV and TSV files: rows with their line numbers, numbers, and quoting."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from segscore._integers import LARGEST, shown
from segscore.errors import SegmentationError
from segscore.io.files import Source

_WHOLE = re.compile(r"0|[1-9][0-9]{0,15}")  # what int() also takes (1_0, ٣, " 7") is no number here
_LONGEST_CELL = csv.field_size_limit()


def header_of(lines: list[str], delimiter: str = ",") -> list[str]:
    """The cells of the first line, plainly cut, in lower case: enough to recognise a format."""
    first = lines[0] if lines else ""
    return [name.strip().strip('"').lower() for name in first.split(delimiter)]


def rows(source: Source, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """(line number, cells) of each row that is not blank."""
    text = source.read_text()
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise source.fail(f"{error}: expected cells apart by {delimiter!r}, with quotes in "
                              "pairs", reader.line_num) from None  # fmt: skip
        if cells and cells != [""]:
            yield reader.line_num, cells


def whole(source: Source, line: int, text: str, what: str, expected: str) -> int:
    """A whole number in plain digits."""
    if not _WHOLE.fullmatch(text) or int(text) > LARGEST:
        raise source.fail(f"{what} is {shown(text)}: expected {expected}", line)
    return int(text)


def check_numbered(source: Source, line: int, text: str, index: int, what: str) -> None:
    """The first column counts the units: 1, 2, 3 … without a gap."""
    if text.strip() != str(index):
        raise source.fail(
            f"{what} is {shown(text)}: expected {index}, for units count from 1", line
        )


def next_segment(source: Source, line: int, where: str, before: int, text: str) -> int:
    """The number of a unit's segment: that of the unit before, or one more; the first is 1."""
    expected = f"{before} or {before + 1}" if before else "1, the first segment"
    number = whole(source, line, text, f"{where}: segment", expected)
    if number not in (before or 1, before + 1):
        raise source.fail(f"{where}: segment is {number}: expected {expected}", line)
    return number


def names_of_columns(source: Source, line: int, cells: list[str]) -> list[str]:
    """The header after its first cell: names, each once."""
    names = cells[1:]
    for index, name in enumerate(names):
        if not name.strip():
            raise source.fail(f"column {index + 2} has no name: expected one", line)
        if name in names[:index]:
            raise source.fail(f"two columns are called {name!r}: expected each once", line)
    return names


def json_list(source: Source, line: int, text: str, what: str) -> list[Any]:
    """A cell that holds a list, written as JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, list):
        raise source.fail(f'{what} is {shown(text)}: expected a list, as in ["a", "b"]', line)
    return value


def row_text(cells: Iterable[object], delimiter: str = ",") -> str:
    """A row as it is written, line end included."""
    return delimiter.join(cell(str(one), delimiter) for one in cells) + "\n"


def cell(text: str, delimiter: str = ",") -> str:
    """A cell as it is written: quoted where it has to be."""
    if len(text) >= _LONGEST_CELL or "\0" in text:
        raise SegmentationError(
            f"{shown(text)} cannot be a cell: expected less than {_LONGEST_CELL} characters, "
            "and no NUL"
        )
    if set(text) & {delimiter, '"', "\r", "\n", "\ufeff"} or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text
