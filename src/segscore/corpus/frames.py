"""Frames as tables: pandas, Polars, Arrow, DuckDB, and anything else that exports Arrow.

A frame becomes a header and rows of plain values; `segscore.corpus.coding_tables` reads them as
codings. The index of a pandas frame is not a column, and is never read.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from segscore.basics.arguments import check_choice, shown
from segscore.basics.arrow_validation import python_values, refusing, validate_columns
from segscore.corpus.coding_tables import (
    NAMES,
    Marks,
    Row,
    TableChoices,
    find_columns,
    table_records,
)
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, named, needing

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
        check_choice(encoding, "encoding", tuple(ENCODINGS))
    header, rows = table_of(frame)
    chosen = {part: name for part, name in columns.items() if name is not None}
    part, marks = _PARTS[encoding] if encoding is not None else ("", None)
    if isinstance(coding, str):
        part = part or _part_named(coding)
        chosen[part] = coding
    elif coding is not None:
        header, rows = _one_coder_per_column(header, rows, list(coding), part, chosen)
        chosen = {}
    _check_names(frame, header, chosen)
    return table_records(header, rows, TableChoices(chosen, marks))


def _part_named(coding: str) -> str:
    """The encoding that the name of a column implies."""
    if coding not in ("boundaries", "masses", "gaps", "segment_ids"):
        raise SegmentationError(
            f"encoding is missing: expected how {coding!r} is written, one of "
            f"{', '.join(ENCODINGS)}"
        )
    return coding


def _one_coder_per_column(
    header: list[str], rows: Iterator[Row], coders: list[str], part: str, chosen: Mapping[str, str]
) -> tuple[list[str], Iterator[Row]]:
    """A table with a row per document and coder, from a row per document and a column per coder."""
    if not part:
        raise SegmentationError(
            f"encoding is missing: expected how {named(coders)} are written, one of "
            f"{', '.join(ENCODINGS)}"
        )
    found = find_columns(header, {**chosen})
    places = {name: index for index, name in enumerate(header)}
    for name in coders:
        if name not in places:
            raise SegmentationError(f"no column is called {name!r}: there is {named(header)}")
    if "document" not in found:
        raise SegmentationError(
            f"no column holds the document: there is {named(header)}: expected document=NAME"
        )
    kept = [name for name in ("document", "n_units", "group") if name in found]

    def melted() -> Iterator[Row]:
        for place, row in rows:
            for name in coders:
                value = row[places[name]]
                if value is not None:
                    yield place, [*(row[found[column]] for column in kept), name, value]

    return [*kept, "coder", part], melted()


def _check_names(frame: Any, header: list[str], chosen: Mapping[str, str]) -> None:
    """Raise if a name is that of the index, or if the coder is missing."""
    index = getattr(getattr(frame, "index", None), "names", None) or ()
    for part in ("document", "coder", "unit"):
        wanted = [chosen[part]] if part in chosen else NAMES[part]
        inside = next((name for name in wanted if name in index and name not in header), None)
        if inside is not None:
            raise SegmentationError(
                f"{inside!r} ({part}) is the index of the frame, which is not read: expected a "
                "column: frame.reset_index()"
            )
    found = find_columns(header, chosen)
    wide = "unit" in found and not {"boundary", "segment"} & found.keys()
    if "coder" not in found and not wide:
        raise SegmentationError(
            f"no column holds the coder: there is {named(header)}: expected coder=NAME, or "
            "coding=[…], a column for each coder"
        )


def table_of(frame: Any) -> tuple[list[str], Iterator[Row]]:
    """The header and the rows of a frame."""
    kind = type(frame).__module__.partition(".")[0].lstrip("_")
    if kind == "pandas":
        names, values = list(frame.columns), _pandas(frame)
    elif kind == "polars":
        frame = frame.collect() if hasattr(frame, "collect") else frame
        names, values = list(frame.columns), frame.iter_rows()
    elif kind == "duckdb":
        names, values = list(frame.columns), iter(frame.fetchall())
    elif isinstance(frame, Mapping):
        names = list(frame)
        values = zip(*map(list, frame.values()), strict=True)
    elif hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "to_pydict"):
        names, values = _arrow(frame)
    else:
        raise SegmentationError(
            f"frame is {shown(frame)}: expected a frame of pandas, Polars, pyarrow or DuckDB"
        )
    for name in names:
        if not isinstance(name, str):
            raise SegmentationError(f"a column is called {shown(name)}: expected texts as names")
    return names, ((f"row {index}", row) for index, row in enumerate(values))


def _pandas(frame: Any) -> Iterator[Sequence[Any]]:
    if not hasattr(frame, "columns") or not frame.columns.is_unique:
        raise SegmentationError("two columns have the same name: expected each name once")
    columns = [frame.iloc[:, index].tolist() for index in range(len(frame.columns))]
    missing = {"NAType", "NaTType"}
    for row in zip(*columns, strict=True):
        yield [None if type(cell).__name__ in missing else cell for cell in row]


def _arrow(frame: Any) -> tuple[list[str], Iterator[Sequence[Any]]]:
    with needing("arrow", "a frame other than of pandas, Polars or DuckDB"):
        import pyarrow

    table = frame if hasattr(frame, "to_pydict") else pyarrow.table(frame)
    with refusing(SegmentationError):
        names = list(table.schema.names)
    validate_columns(table)
    columns = [python_values(table.column(index)) for index in range(len(names))]
    return names, zip(*columns, strict=True)
