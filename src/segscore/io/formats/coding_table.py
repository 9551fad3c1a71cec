"""People's own tables: CSV, Excel, Parquet and Arrow in which columns have any names.

    doc_id;annotator;sentence_id;boundary
    ch1;ann;1;0
    ch1;ann;2;1

A row per unit (`boundary` 0 or 1, or `segment`), a row per coding (`masses`, `labels` … a list in a
cell), a row per stretch of time (`start`, `end` in seconds, `label`), or a row per unit and a
column per coder, in which x or 1 marks a boundary. `columns` says which column is what,
where its name is not a known one, and `marks` what a mark means. Without such a column
the document has the name of the file, and so has the coder. Where rows are stretches of time, a
single column called `video`, `recording`, `episode` or alike is the document, too; columns that are
not read are named in a remark.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from segscore.corpus.coding_tables import CODED, RECORDINGS, find_columns, table_records
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, named
from segscore.io.compressed import is_table
from segscore.io.files import Source
from segscore.io.format import Format
from segscore.io.formats.csv_long import is_by_unit
from segscore.io.placing import Stretch, TimedRow, refuse_merged, stretch_record
from segscore.io.read_options import microseconds
from segscore.io.table_files import (
    DELIMITERS,
    check_width,
    header_of,
    placed_rows,
    rows,
    table_rows,
)


def matches(lines: list[str]) -> bool:
    """Whether the header has a column of codings, or of times, of some document."""
    header = header_of(lines)
    try:
        found = find_columns(header, {})
    except SegmentationError:
        return False
    ours = is_by_unit(set(header))  # format csv
    if "mass" in header or ours or header[:2] == ["coder", "masses"] or len(header) < 2:
        return False
    timed = {"start", "end"} <= found.keys() and bool({"document", "coder"} & found.keys())
    wide = "unit" in found and bool({"document", "text"} & found.keys()) and "coder" not in found
    return timed or wide or any(part in found for part in CODED)


def read(source: Source) -> Iterator[Record]:
    """The records of a file."""
    table: Iterator[tuple[int, list[Any]]]
    table = table_rows(source) if is_table(source.suffix) else rows(source)
    line, first = next(table)
    header = ["" if name is None else str(name).strip() for name in first]
    choices = source.choices.for_table(
        source.document, source.coder, lengths=_lengths(source), sheet=source.sheet
    )
    with source.locating(line):
        found = choices.find(header)
        _tell_unused_text(source, found)
        marked = source.choices.marks in ("start", "end") and {"unit", "text"} & found.keys()
        if "start" in found and not marked and not any(part in found for part in CODED):
            yield from _timed(source, header, found, table)
            return
        yield from table_records(header, placed_rows(source, header, table), choices)


def _lengths(source: Source) -> dict[str, int]:
    """The number of units of documents: from their texts, or else from files that were read
    before."""
    texts = source.choices.text
    from_texts = (
        {name: text.units.n for name, text in texts.items()} if isinstance(texts, Mapping) else {}
    )
    return {**source.choices.notes.read_before, **from_texts}


def _tell_unused_text(source: Source, found: dict[str, int]) -> None:
    if isinstance(source.choices.text, Mapping) and not {"starts", "boundaries"} & found.keys():
        source.choices.remark(
            f"{source.at()}: text is not used for it: text says how many units documents have, "
            "for columns of starts or boundaries"
        )


def _timed(
    source: Source, header: list[str], found: dict[str, int], table: Iterator[Any]
) -> Iterator[Record]:
    """The records of a table with a row per stretch of time; without an end it lasts until the next
    start."""
    found = _with_recording(source, header, found)
    unread = _unread(source, header, found)
    codings: dict[tuple[str, str], list[tuple[TimedRow, str]]] = {}
    for line, cells in table:
        with source.locating(line):
            check_width(cells, header)

            def cell(part: str, default: str = "", cells: list[Any] = cells) -> str:
                value = cells[found[part]] if part in found else None
                return default if value is None else str(value).strip() or default

            names = cell("document", source.document), cell("coder", source.coder)
            start, end = _seconds(cell("start"), "start"), None
            if cell("end"):
                end = _seconds(cell("end"), "end")
                if end < start:
                    raise SegmentationError(f"end is {cell('end')}: expected it after the start")
            rest = {header[column]: str(cells[column] or "").strip() for column in unread}
            codings.setdefault(names, []).append((TimedRow(line, start, end, rest), cell("label")))
    for (document, coder), rows_of_coding in codings.items():
        if "document" not in found:
            merged = [row for row, _ in rows_of_coding]
            refuse_merged(source, merged, "column", "document={name} in columns")
        rule = source.choices.seconds
        total = source.choices.duration(document) or (rule[1] if rule else None)
        stretches: list[Stretch] = [(row.start, row.end, label) for row, label in rows_of_coding]
        yield stretch_record(source, document, coder, stretches, total)


def _with_recording(source: Source, header: list[str], found: dict[str, int]) -> dict[str, int]:
    """The columns, with that of the document if a single one is named like a recording."""
    free = set(range(len(header))) - set(found.values())
    ignored = source.choices.ignore_columns
    called = [i for i in free if header[i].lower() in RECORDINGS and header[i] not in ignored]
    if "document" in found or len(called) != 1:
        return found
    return {**found, "document": called[0]}


def _unread(source: Source, header: list[str], found: dict[str, int]) -> list[int]:
    """The columns that are not read, which a remark names unless the caller ignores them."""
    ignored = source.choices.ignore_columns
    taken = set(found.values())
    left = [i for i, name in enumerate(header) if i not in taken and name and name not in ignored]
    if left:
        columns = "a column that is" if len(left) == 1 else "columns that are"
        remark = f"{columns} not read: {named(header[column] for column in left)}"
        source.choices.notes.said[remark] = None
    return left


def _seconds(text: str, what: str) -> int:
    """A time in seconds, with a decimal point or a decimal comma."""
    try:
        return microseconds(text.replace(",", ".", 1) if text.count(",") == 1 else text)
    except SegmentationError:
        raise SegmentationError(f"{what} is {text!r}: expected a time in seconds, from 0") from None


FORMAT = Format(
    "table", "a table with columns of any names", (".csv", ".tsv"),
    frozenset({"units", "labels", "group", "kind"}),
    matches, read, chooses=True, tabular=True, signs=tuple(DELIMITERS),
    keys="columns durations layer marks policy word-times",
)  # fmt: skip
