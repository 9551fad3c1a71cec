"""Formats that are tables, in CSV or Excel: `table`, which people make, and four of our own.

`table`: columns with any names (`segscore.io.table_columns`), in any shape
(`segscore.io.table_shapes`); where a table does not name the document or the coder, the file does.

`csv`, the long form: a row per segment. `types` (a JSON list) and `rank` are those of the boundary
that ends the segment; the last segment ends with the document, and has `[]` and `0`. `labels` is a
JSON list; a column `label` holds one label as it is. Empty cells are not known. A row per unit
(`document,coder,unit,segment`) is read, too: annotation pages write it with `level`, `label`,
`unsure` and `comment` of the place before each unit.

    document,coder,mass,labels,types,rank
    ch1,ann,2,"[""intro""]","[""minor""]",2
    ch1,ann,3,[],[],0

`wide`, as the Moonstone codings: one document per file, which names it; a row per unit, a column
per coder, in each cell the number of the segment, from 1. A column that is empty from top to bottom
is a coder who did not code this document. With `marks` the cells hold what it says.

    paragraph,an1,an2
    1,1,1
    2,1,2

`levels`, as the hierarchical codings: one coding per file, a column per level, where 1 marks a
boundary after that unit. Levels do not repeat one another: the segmentation at depth i is the union
of levels 1 … i. The last unit has 1 throughout. The name of the file is DOCUMENT-CODER.csv (the
last hyphen counts), by custom in a folder DOCUMENT.

`sheet`, for people to fill in: `segscore:start` in the first cell, a row per unit with document,
number and text, and a column per coder, in which x marks the first unit of a segment
(`segscore.io.writing`). A column `speaker` before the text is for people, and is not read.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, TextIO

import numpy as np

from segscore.coding.segmentation import Segmentation
from segscore.corpus import KINDS, Corpus, Document, Record
from segscore.corpus.record import fields_from_record, record_from_fields, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io import table_files, table_shapes
from segscore.io.files import TABLES, Source, expect
from segscore.io.format import spelled_out
from segscore.io.read_options import ReadOptions
from segscore.io.table_columns import CODED, NAMES, find_columns, listed, python_value
from segscore.io.table_files import OWN_SHEET, header_of, row_text
from segscore.io.writing import WITH_KIND, SheetDocument, check_sheet_names, save_sheet_documents
from segscore.tables.table import text_of_cell

MOST_LEVELS = 100
BY_SEGMENT = {"document", "coder", "mass", "labels", "label", "types", "rank", "group", "kind"}
BY_UNIT = {"document", "coder", "unit", "segment", "text", "group", "kind"}
PLACES = {"level", "label", "unsure", "comment"}  # what annotation pages say of each, all of them
_LEVEL = re.compile(r"level[0-9]+", re.IGNORECASE)
_ONE = re.compile(r"1(?:[.,]0+)?")
_SHEET = "a sheet of segscore's"


# ---- which format a table has ----


def matches_csv(lines: list[str]) -> bool:
    """Whether the header has `document` and `coder`, and no codings of another form."""
    names = set(header_of(lines))
    return {"document", "coder"} <= names and ("mass" in names or _is_by_unit(names))


def _is_by_unit(names: set[str]) -> bool:
    """Whether columns are those of our form with a row per unit, as it is or as pages write it."""
    without = names - PLACES
    needed = {"document", "coder", "unit", "segment"}
    return needed <= without <= BY_UNIT and (names == without or names >= PLACES)


def matches_wide(lines: list[str]) -> bool:
    """Whether there is a header of names, and a first row that begins with 1."""
    header, first = header_of(lines), header_of(lines[1:])
    named = len(header) > 1 and not all(map(_LEVEL.fullmatch, header[1:]))
    counts = named and len(first) == len(header) and _ONE.fullmatch(first[0].strip())
    return bool(counts) and not header[0].isdigit()


def matches_levels(lines: list[str]) -> bool:
    """Whether the header is `…,level1,level2…`."""
    header = header_of(lines)
    return len(header) > 1 and all(map(_LEVEL.fullmatch, header[1:]))


def matches_sheet(lines: list[str]) -> bool:
    """Whether the first cell is that of our sheets."""
    return header_of(lines)[:1] == [OWN_SHEET]


def matches_table(lines: list[str]) -> bool:
    """Whether the header has a column of codings, or of times, of some document."""
    header = header_of(lines)
    try:
        found = find_columns(header, {})
    except SegmentationError:
        return False
    others = _is_by_unit(set(header)) or "mass" in header or header[:2] == ["coder", "masses"]
    if others or len(header) < 2:
        return False
    timed = {"start", "end"} <= found.keys() and bool({"document", "coder"} & found.keys())
    wide = "unit" in found and bool({"document", "text"} & found.keys()) and "coder" not in found
    return timed or wide or any(part in found for part in CODED)


# ---- reading ----


def _table(source: Source, *, ours: bool = True) -> tuple[table_shapes.CodingTable, int]:
    """The table of a file, without the columns of its parts, and the line of its header. Cells of
    ours are texts, as we write them."""
    lines = table_files.rows(source, typed=not ours)
    text = text_of_cell if ours and source.suffix not in TABLES else None
    line, first = next(lines)
    below: list[table_shapes.Row] = []
    for number, cells in lines:
        with source.locating(number):
            table_files.check_width(cells, first)
        below.append((source.at(number), [*map(text, cells)] if text else cells))
    header = [text(cell) if text else table_files.cell_text(cell) for cell in first]
    header = header if ours else [name.strip() for name in header]
    return table_shapes.CodingTable(header, below, source, {}, ours), line


def found_columns(
    header: Sequence[str], choices: ReadOptions, columns: Mapping[str, str]
) -> dict[str, int]:
    """The column of each part, without columns that the caller ignores."""
    ignored = choices.ignore_columns
    choices.notes.met |= {("column", name) for name in header if name.strip() in ignored}
    return find_columns(header, columns, {*ignored} - {*columns.values()})


def read_table(source: Source) -> Iterator[Record]:
    """The records of a table of people's own."""
    table, line = _table(source, ours=False)
    with source.locating(line):
        table.found = found_columns(table.header, source.choices, source.choices.columns)
        yield from table_shapes.table_records(table)


def read_csv(source: Source) -> Iterator[Record]:
    """The records of a file in the long form."""
    table, line = _table(source)
    names = [name.strip().lower() for name in table.header]
    by_unit = "segment" in names
    known = BY_UNIT | PLACES if by_unit else BY_SEGMENT
    needed = {"document", "coder", *(("unit", "segment") if by_unit else ("mass",))}
    table.found = {name: index for index, name in enumerate(names)}
    with source.locating(line):
        fitting = needed <= {*names} <= known and len(table.found) == len(names)
        forms = "document,coder,mass and some of labels (or label),types,rank,group,kind"
        forms += "; or document,coder,unit,segment and some of text,group,kind; each once"
        fitting = fitting and not {"label", "labels"} <= {*names}
        expect(fitting, f"the header is {','.join(names)!r}: expected {forms}")
        if by_unit:
            yield from table_shapes.unit_rows(table, "segment", counted=True)
        else:
            yield from _per_segment(table)


_OF_SEGMENTS: dict[str, tuple[str, Callable[[Any], Any]]] = {  # part: the field, its value
    "mass": ("masses", table_shapes.whole_cell),
    "label": ("segment_labels", lambda cell: cell),
    "labels": ("segment_labels", lambda cell: listed(cell or "[]")),
    "types": ("types", listed),
    "rank": ("ranks", table_shapes.whole_cell),
}


def _per_segment(table: table_shapes.CodingTable) -> Iterator[Record]:
    """The records of our own tables with a row per segment. Its type and rank are those of the
    boundary at its end, and the end of a document is none."""
    for (document, coder), group in groupby(table.rows, table.names):
        rows = list(group)
        where = whereabouts(document, coder)
        fields: dict[str, Any] = {"document": document, "coder": coder}
        for part, (field, value_in) in _OF_SEGMENTS.items():
            if any(table.cell(row, part) is not None for _, row in rows):
                fields[field] = []
                for place, row in rows:
                    with about(f"{place}: {where}: {part}"):
                        fields[field].append(value_in(table.cell(row, part)))
        for field, end in (("types", []), ("ranks", 0)):
            what = f"{rows[-1][0]}: {where}: {field} at the end of the document: expected {end}"
            expect(field not in fields or fields[field].pop() == end, what)
        fields |= table_shapes.units_of_rows(table, rows, where)[2]
        with about(rows[0][0]):
            record = record_from_fields(fields, rows[0][0])
        yield record


def read_wide(source: Source) -> Iterator[Record]:
    """The records of a file with a column per coder."""
    table, line = _table(source)
    with source.locating(line):
        expect(len(table.header) > 1, "no coders: expected a header 'unit,coder,coder…'")
        table.found = found_columns(table.header, source.choices, {"unit": table.header[0]})
        if source.choices.marks is not None:
            yield from table_shapes.table_records(table)
            return
        table.found = {"unit": 0}
        yield from table_shapes.unit_rows(table, counted=True)


def read_levels(source: Source) -> Iterator[Record]:
    """The record of a file with a column per level."""
    table, line = _table(source)
    names = [name.strip().lower() for name in table.header[1:]]
    with source.locating(line):
        fits = names and names == [f"level{level}" for level in range(1, len(names) + 1)]
        expect(fits, f"the header is {','.join(table.header)!r}: expected unit,level1,level2…")
        table.found = {"unit": 0}
        folder, _, stem = source.document.rpartition("/")
        document, _, coder = stem.rpartition("-")
        if not (document and coder):
            document, coder = stem, source.coder
        if folder:  # one with the name of the document is not repeated
            document = f"{folder}/{document}" if folder.rpartition("/")[2] != document else folder
        yield _levels_record(table, document, coder)


def _levels_record(table: table_shapes.CodingTable, document: str, coder: str) -> Record:
    """The coding of a table with a column per level, where 1 marks a boundary after its unit: its
    rank is the first level that marks it, and the last unit has 1 throughout."""
    where = whereabouts(document, coder)
    rows = table_shapes.rows_in_order(table, table.rows, where)
    ranks: dict[int, int] = {}
    flags: list[Any] = [0]
    for unit, (place, row) in enumerate(rows, start=1):
        flags = [python_value(cell) for cell in row[1:]]
        what = f"{place}: {where}: the levels are %s: expected 0 or 1 in each"
        expect({*flags} <= {0, 1}, what, flags)
        if 1 in flags and unit < len(rows):
            ranks[unit] = flags.index(1) + 1
    what = f"{where}: the last unit has no 1 at every level: expected the end of the document"
    expect(0 not in flags, f"{what}, so the file may be cut off")
    coding = Segmentation.from_boundaries([*ranks], len(rows), ranks=[*ranks.values()])
    return Record(document, coder, coding, place=rows[0][0])


def read_sheet(source: Source) -> Iterator[Record]:
    """The records of a sheet; a document without a coding has a record with its text."""
    table, line = _table(source)
    header = [name.strip() for name in table.header]
    found = {"document": 0}
    for index, name in enumerate(header[1:4], start=1):
        part = name.partition(" (")[0]
        if part not in ("unit", "speaker", "text") or "text" in found:
            break
        found[part] = index
    kinds: dict[str, Any] = {}
    names = list(header)
    for index, match in enumerate(map(WITH_KIND.fullmatch, header)):
        if match and match[2] in KINDS:
            names[index] = match[1]
            kinds[match[1]] = match[2]
    choices = source.choices
    if choices.marks not in (None, "start"):
        reason = f"{OWN_SHEET} in the first cell says that marks are starts"
        choices.notes.said[f"marks={choices.marks!r} is not used: {reason}"] = None
    with source.locating(line):
        fits = header[:1] == [OWN_SHEET]
        expect(fits, f"the first cell is {header[:1]}: expected {OWN_SHEET}")
        table.header, table.found, table.sheet = names, found, True
        table.source = replace(source, choices=replace(choices, marks="start"))
        for record in table_shapes.unit_rows(table):
            yield replace(record, kind=kinds.get(record.coder or ""))


# ---- writing ----


def write_csv(records: Iterable[Record], stream: TextIO) -> None:
    """Write a row per segment; columns without any value are left out."""
    everything = [fields_from_record(record) for record in Corpus.from_rows(records).records()]
    called = ("segment_labels", "types", "ranks", "group", "kind")
    parts = dict(zip(("labels", "types", "rank", "group", "kind"), called, strict=True))
    used = {part: name for part, name in parts.items() if any(name in each for each in everything)}
    stream.write(row_text(("document", "coder", "mass", *used)))
    for fields in everything:
        masses = fields["masses"]
        columns = [_column(part, fields.get(field), len(masses)) for part, field in used.items()]
        for cells in zip(masses, *columns, strict=True):
            stream.write(row_text((fields["document"], fields["coder"], *cells)))


def _column(part: str, values: Any, n_segments: int) -> list[object]:
    """The cells of a coding, one per segment; the end of the document is no boundary."""
    if values is None or isinstance(values, str):
        return [values or ""] * n_segments
    if part == "rank":
        return [*values, 0]
    listed = [[] if each is None else each if isinstance(each, list) else [each] for each in values]
    listed += [[]] * (part == "types")
    return [json.dumps(names, ensure_ascii=False) for names in listed]


def files_wide(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """A file per document."""
    del lossy
    others = {"", *NAMES["boundary"], *NAMES["segment"]}  # what columns of another kind are called
    for document in corpus.values():
        levels = all(map(_LEVEL.fullmatch, document))
        for coder in document:
            what = "a column of that name would not be taken for a coder's: expected another name"
            fits = not levels and coder.strip().lower() not in others
            expect(fits, f"{whereabouts(document.name, coder)}: {what}")
        yield document.name, _wide_lines(document)


def _wide_lines(document: Document) -> Iterator[str]:
    columns = []
    for record in document.records():
        coding = spelled_out(record, "wide CSV")
        columns.append(np.repeat(np.arange(1, coding.n_segments + 1), coding.masses).tolist())
    yield row_text(("unit", *document))
    for index, cells in enumerate(zip(*columns, strict=True), start=1):
        yield row_text((index, *cells))


def files_levels(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """A file per coding, in a folder per document."""
    for record in corpus.records():
        coder, name = record.coder or "", record.document.rpartition("/")[2]
        what = "the file name ends in -CODER: expected a coder without hyphen or slash"
        expect(not set(coder) & {"-", "/"}, f"{record.where}: {what}")
        coding = record.segmentation
        fits = lossy or coding is None or coding.ranks is not None
        what = "boundaries have no ranks: expected some, or lossy=True for rank 1"
        expect(fits, f"{record.where}: {what}")
        yield f"{record.document}/{name}-{coder}", _levels_lines(record)


def _levels_lines(record: Record) -> Iterator[str]:
    coding = spelled_out(record, "CSV with a column per level")
    ranks = np.ones(coding.n_segments - 1, np.int64) if coding.ranks is None else coding.ranks
    depth = int(ranks.max(initial=1))
    expect(depth <= MOST_LEVELS, f"{record.where}: rank {depth}: expected {MOST_LEVELS} at most")
    rank_at = dict(zip(coding.boundaries.tolist(), ranks.tolist(), strict=True))
    yield row_text(("unit", *(f"level{level}" for level in range(1, depth + 1))))
    for unit in range(1, coding.n_units):
        marks = ["0"] * depth
        if unit in rank_at:
            marks[rank_at[unit] - 1] = "1"
        yield row_text((unit, *marks))
    yield row_text((coding.n_units, *["1"] * depth))


def save_sheet(corpus: Corpus, path: str | os.PathLike[str]) -> None:
    """Write all codings, with the known texts."""
    kinds: dict[str, str] = {}
    for record in corpus.records():
        if record.coder is None or record.kind is None:
            continue
        kind = kinds.setdefault(record.coder, record.kind)
        what = f"{record.where}: {record.kind}, and {kind} before: expected one kind in a sheet"
        expect(kind == record.kind, what)
    header = [f"{coder} [{kinds[coder]}]" if coder in kinds else coder for coder in corpus.coders]
    check_sheet_names(corpus.coders, {name: document.units for name, document in corpus.items()})
    called = dict(zip(corpus.coders, header, strict=True))
    documents = []
    for name, document in corpus.items():
        coded = (record for record in document.records() if record.coder is not None)
        codings = {called[record.coder]: spelled_out(record, _SHEET) for record in coded}  # type: ignore[index]
        units = document.n_units if document.units is None else list(document.units)
        documents.append(SheetDocument(name, units, codings))
    save_sheet_documents(documents, header, path)
