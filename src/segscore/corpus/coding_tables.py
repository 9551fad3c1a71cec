"""Codings from people's own tables: a row per unit, a row per coding, or a column per coder.

A table is a header and rows; files (CSV, Excel, Parquet) and frames (pandas, Polars, Arrow, DuckDB)
come here in the same way. What a column holds is in `table_columns`, what marks mean in
`marked_lists`; tables with a row per unit are read by `unit_rows`.

Lists in a cell: in JSON, as people type them into a form, or as frames hold them.

`[5, 8]`, `5, 8`, `5; 8`, `5 8` and the text `0100` are lists. `starts` are the units, from 1, at
which segments start; the first may be listed or not.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from segscore.basics.arguments import shown
from segscore.basics.series import first_twice
from segscore.corpus.marked_lists import ASK_FOR_MARKS, NONE_WORDS, coding_of, word_of
from segscore.corpus.record import Record, record_from_fields, whereabouts
from segscore.corpus.table_columns import (
    CODED,
    LISTS,
    MARKS,
    NAMES,
    PARTS,
    RECORDINGS,
    AtPlace,
    Marks,
    Row,
    TableCells,
    TableChoices,
    check_columns,
    check_marks,
    find_columns,
    plain,
)
from segscore.corpus.unit_rows import unit_records, wide_records
from segscore.errors import SegmentationError, about, named

_SYMBOLS = re.compile("[01]+")
_NUMBERS = re.compile(r"[0-9]{1,16}(?:(?:\s*[,;]\s*|\s+)[0-9]{1,16})*\s*[,;]?")
_BETWEEN = re.compile(r"[\s,;]+")
_TAKEN_FOR = "a spreadsheet took the list for {}: expected it as a text, as in '5; 8'"


def listed(value: Any, what: str, symbols: bool) -> list[Any]:
    """The list in a cell: a list, an array, JSON, or numbers separated by commas, semicolons or
    spaces; for `symbols` also a text such as 0100."""
    value = _without_guess(value, what)
    if isinstance(value, int) and not isinstance(value, bool):  # a spreadsheet's only number
        value = str(value)
    if isinstance(value, str):
        value = _list_in_text(value.strip(), what, symbols)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise SegmentationError(f"{what} is {shown(value)}: expected a list")
    return [plain(entry) if not isinstance(entry, str | list | tuple) else entry for entry in value]


def _without_guess(value: Any, what: str) -> Any:
    """Raise for what spreadsheets make of 5,8 and 5.8: a decimal number or a date."""
    if isinstance(value, float):
        value = plain(value)
        if isinstance(value, float):
            message = _TAKEN_FOR.format("a decimal number")
            raise SegmentationError(f"{what} is {value!r}: {message}")
    if hasattr(value, "isoformat"):
        raise SegmentationError(f"{what} is {value.isoformat()}: {_TAKEN_FOR.format('a date')}")
    return value


def _list_in_text(text: str, what: str, symbols: bool) -> list[Any]:
    """The list in a text: symbols, JSON, or numbers separated by commas, semicolons or spaces."""
    if symbols and _SYMBOLS.fullmatch(text):
        return [int(symbol) for symbol in text]
    if _NUMBERS.fullmatch(text):
        return [int(part) for part in _BETWEEN.split(text) if part]
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise SegmentationError(
            f"{what} is {shown(text)}: expected a list, as in [2, 3, 6] or 2, 3"
        )
    return found


def is_no_answer(value: Any) -> bool:
    """Whether a cell means that there is no boundary: blank, a dash, or no; 0 is a number."""
    if hasattr(value, "tolist") or isinstance(value, list | tuple | Mapping):
        return False
    word = word_of(value)
    return word in NONE_WORDS and word != "0"


def boundaries_of_starts(starts: list[Any], n_units: Any, what: str) -> list[int]:
    """The positions of the boundaries before the units that start segments.

    >>> boundaries_of_starts([4, 7], 10, "starts"), boundaries_of_starts([1, 4], 10, "starts")
    ([3, 6], [3])
    """
    most = n_units if isinstance(n_units, int) else None
    for start in starts:
        if (
            isinstance(start, bool)
            or not isinstance(start, int)
            or start < 1
            or start > (most or start)
        ):
            upto = "on" if most is None else f"to {most}"
            raise SegmentationError(
                f"{what} has {shown(start)}: expected numbers of units, from 1 {upto}"
            )
    if len(set(starts)) != len(starts):
        raise SegmentationError(
            f"{what} lists {first_twice(starts)} twice: expected each unit once"
        )
    return sorted(start - 1 for start in starts if start > 1)


__all__ = [
    "ASK_FOR_MARKS",
    "CODED",
    "MARKS",
    "NAMES",
    "PARTS",
    "RECORDINGS",
    "Marks",
    "Row",
    "TableChoices",
    "check_columns",
    "check_marks",
    "coding_of",
    "find_columns",
    "how_lists_are_read",
    "list_coding",
    "table_records",
]

_WITHOUT_END = ("boundaries", "starts")  # lists that do not say how many units there are
_ASK_FOR_LENGTH = (
    "n_units is missing: expected the number of units, in a column, or by the "
    "documents themselves in text=, or by another coding of this "
    "document in a file that is read earlier"
)
_COUNTED = {
    "start": "read as the units at which segments start, counted from 1 (marks start)",
    "end": "read as the number of units before each boundary (marks end)",
}


def table_records(
    header: Sequence[str], rows: Iterable[Row], choices: TableChoices
) -> Iterator[Record]:
    """The records of a table."""
    found = choices.find(header)
    if "document" not in found and choices.document is None:
        raise SegmentationError(
            f"no column holds the document: there is {named(header)}: expected document=NAME in "
            "columns="
        )
    cells = TableCells(found, choices.document, choices.coder)
    lists = [name for name in LISTS if name in found]
    per_unit = [name for name in ("boundary", "segment") if name in found]
    if len(lists) + len(per_unit) > 1:
        raise SegmentationError(
            f"the columns {named(header[found[name]] for name in (*lists, *per_unit))} each hold a "
            "coding: expected one, named in columns="
        )
    if lists:
        return _list_records(cells, rows, lists[0], choices, header[found[lists[0]]])
    if per_unit:
        return unit_records(cells, rows, per_unit[0], choices)
    return wide_records(cells, header, rows, choices)


# ---- a row per coding ----


def _list_records(
    cells: TableCells, rows: Iterable[Row], part: str, choices: TableChoices, column: str
) -> Iterator[Record]:
    """The records of a table with a row per coding, which is in a single cell."""
    reading = how_lists_are_read(part, choices.marks)
    if reading:
        choices.notes.said[f"column {column!r} is {reading}"] = None
    rows = list(rows)
    known = {**choices.lengths, **_told_lengths(cells, rows)} if part in _WITHOUT_END else {}
    for place, row in rows:
        with AtPlace(place):
            document, coder = cells.names(row)
            fields: dict[str, Any] = {"document": document, "coder": coder}
            where = whereabouts(document, coder)
            n_units = cells.get(row, "n_units")
            if n_units is None:
                n_units = known.get(document)
            if n_units is not None:
                fields["n_units"] = plain(n_units)
            elif part in _WITHOUT_END:
                empty = f"{part} is empty, and " if is_no_answer(cells.get(row, part)) else ""
                raise SegmentationError(f"{where}: {empty}{_ASK_FOR_LENGTH}")
            for name in ("group", "kind"):
                if cells.get(row, name) is not None:
                    fields[name] = str(cells.get(row, name))
            labels = cells.get(row, "segment_labels")
            if labels is not None:
                fields["segment_labels"] = listed(labels, f"{where}: segment_labels", False)
            values = _answer(cells.get(row, part), part, fields, choices)
            record = _coded(fields, part, values, choices.marks, place)
        yield record


def _told_lengths(cells: TableCells, rows: Sequence[Row]) -> dict[str, Any]:
    """The number of units of each document for which a row gives it."""
    found: dict[str, Any] = {}
    for place, row in rows:
        n_units = cells.get(row, "n_units")
        if n_units is not None:
            with AtPlace(place):
                found.setdefault(cells.names(row)[0], n_units)
    return found


def how_lists_are_read(part: str, marks: Marks | None) -> str:
    """A remark on how a column of lists is read, if `marks` is given."""
    if marks is None or part in ("labels", "segment_ids"):
        return ""
    if part == "boundaries" and marks in _COUNTED:
        return _COUNTED[marks]
    if part == "boundaries":
        raise SegmentationError(
            f"marks is {marks!r}, and a column holds boundaries: expected start (the units at "
            "which segments start, counted from 1), end (units before each boundary), or none"
        )
    return "" if marks == _SAID_BY.get(part) else f"read as {part}: marks={marks!r} is not used"


_SAID_BY = {"masses": "masses", "gaps": "gaps", "starts": "start"}


def _answer(value: Any, part: str, fields: dict[str, Any], choices: TableChoices) -> list[Any]:
    """The list in a cell; where boundaries are listed, an empty cell means no boundary."""
    where = whereabouts(fields["document"], fields["coder"])
    if part in ("boundaries", "starts") and is_no_answer(value):
        choices.notes.emptied.append((fields["document"], fields["coder"] or ""))
        return []
    if value is None:
        raise SegmentationError(f"{where}: {part} is empty: expected a list")
    return listed(value, f"{where}: {part}", part in ("labels", "gaps"))


def _coded(
    fields: dict[str, Any], part: str, values: list[Any], marks: Marks | None, place: str
) -> Record:
    """The record of a row."""
    if part == "labels" or (part == "segment_ids" and marks is not None):
        return _marked(fields, values, marks, place)
    part, values = list_coding(
        part, values, fields.get("n_units"), marks, whereabouts(fields["document"], fields["coder"])
    )
    return record_from_fields({**fields, part: values}, place)


def list_coding(
    part: str, values: list[Any], n_units: Any, marks: Marks | None, where: str
) -> tuple[str, list[Any]]:
    """The field of a record, and its list; starts of segments become positions."""
    how_lists_are_read(part, marks)
    if part == "starts" or (part == "boundaries" and marks == "start"):
        prefix = f"{where}: " if where else ""
        return "boundaries", boundaries_of_starts(values, n_units, f"{prefix}{part}")
    return part, values


def _marked(fields: dict[str, Any], values: Any, marks: Marks | None, place: str) -> Record:
    where = whereabouts(fields["document"], fields["coder"])
    with about(where):
        coding = coding_of(values, marks)
    if "segment_labels" in fields:
        with about(where):
            coding = coding.with_segment_labels(fields["segment_labels"])
    if fields.get("n_units") not in (None, coding.n_units):
        raise SegmentationError(
            f"{where}: n_units is {fields['n_units']}: expected {coding.n_units}, as the labels say"
        )
    return Record(
        fields["document"], fields["coder"], coding, kind=fields.get("kind"),
        group=fields.get("group"), place=place,
    )  # fmt: skip
