"""Frames as tables: pandas, Polars, Arrow, DuckDB, and anything else that exports Arrow.

A frame becomes a header and rows of plain values; `segscore.io.table_shapes` reads them as codings.
The index of a pandas frame is not a column, and is never read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from segscore.basics.arguments import check_choice, shown
from segscore.basics.arrow_validation import (
    arrow_stream,
    cells_of,
    is_made_by,
    refusing,
    validate_columns,
)
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, named
from segscore.io.files import Source
from segscore.io.read_options import ReadOptions
from segscore.io.table_columns import Marks, find_columns
from segscore.io.table_shapes import CodingTable, Row, table_records

Encoding = Literal["boundaries", "masses", "labels-end", "labels-start", "gaps", "segment-ids"]
ENCODINGS: tuple[str, ...] = get_args(Encoding)

_PARTS: dict[str, tuple[str, Marks | None]] = {  # the part of a table, and how it is marked
    "boundaries": ("boundaries", None),
    "masses": ("masses", None),
    "labels-end": ("labels", "end"),
    "labels-start": ("labels", "start"),
    "gaps": ("gaps", "gaps"),
    "segment-ids": ("segment_ids", "ids"),
}


def frame_records(
    frame: Any,
    *,
    coding: str | Sequence[str] | None,
    encoding: Encoding | None,
    columns: Mapping[str, str | None],
) -> Iterator[Record]:
    """The records of a frame; `Corpus.from_frame` explains the parameters."""
    if encoding is not None:
        check_choice(encoding, "encoding", ENCODINGS)
    header, rows = table_of(frame)
    chosen = {part: name for part, name in columns.items() if name is not None}
    part, marks = _PARTS[encoding] if encoding is not None else ("", None)
    if isinstance(coding, str):
        part = part or (coding if coding in ("boundaries", "masses", "gaps", "segment_ids") else "")
        chosen[part] = coding
    if coding is not None and not part:
        raise SegmentationError(
            f"encoding is missing: expected how {coding!r} is written, one of "
            f"{', '.join(ENCODINGS)}"
        )
    if coding is not None and not isinstance(coding, str):
        header, rows = _one_coder_per_column(header, rows, coding, part, chosen)
        chosen = {}
    found = find_columns(header, chosen)
    choices = ReadOptions(columns=chosen, marks=marks)
    nowhere = Source(Path(), "", "", choices=choices)
    return table_records(CodingTable(header, list(rows), nowhere, found))


def _one_coder_per_column(
    header: list[str],
    rows: Iterator[Row],
    coders: Sequence[str],
    part: str,
    chosen: Mapping[str, str],
) -> tuple[list[str], Iterator[Row]]:
    """A table with a row per document and coder, from a row per document and a column per coder."""
    places = {name: index for index, name in enumerate(header)}
    found = find_columns(header, chosen)
    lost = next((name for name in coders if name not in places), None)
    if lost is not None:
        raise SegmentationError(f"no column is called {lost!r}: there is {named(header)}")
    kept = [name for name in ("document", "n_units", "group") if name in found]

    def melted() -> Iterator[Row]:
        for place, row in rows:
            for name in coders:
                if row[places[name]] is not None:
                    yield place, [*(row[found[each]] for each in kept), name, row[places[name]]]

    return [*kept, "coder", part], melted()


def table_of(frame: Any) -> tuple[list[str], Iterator[Row]]:
    """The header and the rows of a frame."""
    names, rows = _names_and_rows(frame)
    for name in names:
        if not isinstance(name, str):
            raise SegmentationError(f"a column is called {shown(name)}: expected texts as names")
    return names, ((f"row {index}", row) for index, row in enumerate(rows))


def _names_and_rows(frame: Any) -> tuple[list[str], Iterable[Sequence[Any]]]:
    if isinstance(frame, Mapping):
        return list(frame), zip(*map(list, frame.values()), strict=True)
    if is_made_by("duckdb", frame) or is_made_by("_duckdb", frame):
        return list(frame.columns), frame.fetchall()
    if is_made_by("polars", frame):
        frame = frame.collect() if hasattr(frame, "collect") else frame
    elif not is_made_by("pandas", frame):
        frame = arrow_stream(frame)
        with refusing(SegmentationError):
            frame = frame.read_all() if hasattr(frame, "read_all") else frame
        validate_columns(frame)
    names = list(frame.column_names if is_made_by("pyarrow", frame) else frame.columns)
    return names, zip(*(cells_of(frame, str(name)) for name in names), strict=True)
