"""Tables as CSV and JSON: every number in full, nothing for NaN."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from segscore.errors import SegmentationError
from segscore.tables.view import FOR_MACHINES, Cell, Column

_QUOTE = '"'
_CSV_SPECIAL = re.compile(r'[",\r\n]')


Fields = dict[str, tuple[int, str]]  # name: the column, and the attribute of its cells


def named_fields(columns: Sequence[Column], cells: list[list[Any]]) -> Fields:
    """The fields in CSV and JSON: the column of each field, and the attribute of the cell."""
    listed = []
    for i, (column, given) in enumerate(zip(columns, cells, strict=True)):
        if column.audience not in FOR_MACHINES:
            continue
        listed.append((column.field, (i, "value")))
        rich = [cell for cell in given if isinstance(cell, Cell)]
        for attribute in ("error", "low", "high", "marks", "note"):
            if any(getattr(cell, attribute) not in (None, "") for cell in rich):
                suffix = column.error if attribute == "error" else attribute
                listed.append((f"{column.field}_{suffix}", (i, attribute)))
    names = [name for name, _ in listed]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise SegmentationError(
            f"two columns of a table are called {min(twice)!r}: give one of them another key"
        )
    return dict(listed)


def _values(fields: Fields, cells: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    """The rows, a value per field."""
    return zip(
        *(
            [_machine(_part(cell, attribute)) for cell in cells[i]]
            for i, attribute in fields.values()
        ),
        strict=True,
    )


def records(fields: Fields, cells: list[list[Any]]) -> list[dict[str, Any]]:
    """One dict per row; None for NaN."""
    return [dict(zip(fields, row, strict=True)) for row in _values(fields, cells)]


def csv_text(fields: Fields, cells: list[list[Any]]) -> str:
    """A line of names, then a line per row."""
    return "".join(_csv_line(row) for row in (fields, *_values(fields, cells)))


def json_text(rows: list[dict[str, Any]]) -> str:
    """An array with one object per row."""
    lines = ",\n".join(f"  {_json_object(row)}" for row in rows)
    return f"[\n{lines}\n]\n" if rows else "[]\n"


def _part(cell: Any, attribute: str) -> Any:
    """The value, or another attribute, of a cell that may be a plain value."""
    if isinstance(cell, Cell):
        return getattr(cell, attribute)
    return cell if attribute == "value" else None


def _machine(value: Any) -> Any:
    """A value for CSV and JSON: plain Python, None if it is not finite."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        number = float(value)
        return number if math.isfinite(number) else None
    return str(value)


def _csv_line(row: Iterable[Any]) -> str:
    """A line of CSV. Fields are quoted where needed, also at a carriage return, which the csv
    module forgets; no text is a formula."""
    fields = [
        "" if value is None else cell_of_text(value) if isinstance(value, str) else str(value)
        for value in row
    ]
    quoted = [f'"{f.replace(_QUOTE, _QUOTE * 2)}"' if _CSV_SPECIAL.search(f) else f for f in fields]
    return (",".join(quoted) or '""') + "\n"


def _json_object(row: dict[str, Any]) -> str:
    import json

    text = json.dumps(row, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, as odd file names have
        return json.dumps(row)
    return text


_FORMULA = re.compile(r"'*[=+\-@\t\r]")  # an apostrophe of the text itself is doubled
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def cell_of_text(text: str) -> str:
    """A text as written in CSV.

    >>> cell_of_text("=1+1"), cell_of_text("'=1+1"), cell_of_text("-0.5"), cell_of_text("c99")
    ("'=1+1", "''=1+1", '-0.5', 'c99')
    """
    formula = _FORMULA.match(text) and not _NUMBER.fullmatch(text)
    return f"'{text}" if formula else text


def text_of_cell(cell: str) -> str:
    """The text that `cell_of_text` wrote.

    >>> text_of_cell("'=1+1"), text_of_cell("''=1+1"), text_of_cell("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if _ESCAPED.match(cell) else cell
