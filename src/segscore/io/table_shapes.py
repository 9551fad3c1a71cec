"""The one reader of tables: columns are parts, and each shape has a function.

A table is a header and rows; files (CSV, Excel, Parquet) and frames (pandas, Polars, Arrow, DuckDB,
whatever exports Arrow) come here in the same way. Its shapes are a row per unit (`unit_rows`,
perhaps with people as columns), per coding (`per_coding`) or per stretch of time (`per_stretch`);
those of our own with levels as columns or a row per segment are in
`segscore.io.formats.table_formats`. The index of a pandas frame is not a column, and is never read.

What cannot be decided is refused: the error shows the first rows, and the names that decide it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Literal

from segscore.basics import arrow_validation
from segscore.basics.arguments import check_choice, shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record, fields_from_record, record_from_fields, whereabouts
from segscore.errors import SegmentationError, about, named
from segscore.io import table_columns as cells
from segscore.io.files import Source, expect
from segscore.io.placing import TimedRow, time_of, timed_records
from segscore.io.read_options import ReadOptions

Row = tuple[str, Sequence[Any]]  # where it stands, cells
_SIDES = ("start", "end")
_NUMBERS = "numbers"  # besides marks: the numbers of segments, from 1
_MOST_SHOWN = 8  # columns
_UNNAMED = re.compile(r"Unnamed: [0-9]+")  # what pandas calls a column without a name


@dataclass
class CodingTable:
    """A table: its header, its rows below, and the column of each part.

    source: the file, which names the document and the coder if no column does; of frames only the
    choices. ours: whether we wrote it, so that cells are texts, and names stand there as they are.
    sheet: whether it is one of our sheets, in which documents may have no coding.
    """

    header: Sequence[str]
    rows: list[Row]
    source: Source
    found: dict[str, int]
    ours: bool = False
    sheet: bool = False

    @property
    def choices(self) -> ReadOptions:
        """How the caller wants it to be read."""
        return self.source.choices

    def cell(self, row: Sequence[Any], part: str) -> Any:
        """The cell of a row in the column of a part; None if it is empty."""
        value = row[self.found[part]] if part in self.found else None
        empty = not value if isinstance(value, str) else cells.is_blank(value)
        return None if empty else value

    def name(self, row: Sequence[Any], part: str) -> str:
        """The name of the document or the coder of a row; numbers are names, too."""
        if part not in self.found:
            return self.source.document if part == "document" else self.source.coder
        value = self.cell(row, part)
        if isinstance(value, str) and (value.strip() or self.ours):
            return value if self.ours and not self.sheet else value.strip()
        if cells.is_blank(value) or isinstance(value, bool | list | dict):
            raise SegmentationError(f"{part} is {shown(value)}: expected a name in each row")
        return str(cells.python_value(value))

    def names(self, row: Row) -> tuple[str, str]:
        """The document and the coder of a row."""
        with about(row[0]):
            return self.name(row[1], "document"), self.name(row[1], "coder")

    def undecided(self, expected: str) -> SegmentationError:
        """An error that shows the first rows."""
        lines = [self.header, *(values for _, values in self.rows[:2])]
        values = [["" if cell is None else str(cell)[:30] for cell in line] for line in lines]
        rows = " / ".join(", ".join(line[:_MOST_SHOWN]) for line in values)
        return SegmentationError(f"the table begins {rows!r}: expected {expected}")


def table_records(table: CodingTable) -> Iterator[Record]:
    """The records of a table whose shape its columns say."""
    found = table.found
    coded = [part for part in cells.CODED if part in found]
    columns = f"the columns {named(table.header[found[part]] for part in coded)} each hold a coding"
    expect(len(coded) < 2, f"{columns}: expected one, named in columns")
    for part in ("document", "coder") if coded else ("document",):
        if part not in found and not getattr(table.source, part):
            raise table.undecided(f"a column for the {part}: {part}=NAME; an index is no column")
    sides = table.choices.marks in _SIDES and {"unit", "text"} & found.keys()
    if "start" in found and not (coded or sides):
        return per_stretch(table)
    if coded and coded[0] in cells.LISTS:
        return per_coding(table, coded[0])
    return unit_rows(table, coded[0] if coded else "")


# ---- a row per unit ----


def unit_rows(table: CodingTable, part: str = "", *, counted: bool = False) -> Iterator[Record]:
    """The records of a table with a row per unit, and coder, if a column names them; else every
    column without another meaning is a coder. If a column numbers the units, rows may be in any
    order.

    part: what the column of codings holds; without it, people are columns.
    counted: whether the cells hold the numbers of segments, from 1, whatever `marks` says.
    """
    marks: str | None = _NUMBERS if counted else table.choices.marks
    if part == "segment" and marks is None:
        marks = "ids"
    if part and (marks == "masses" or (part == "segment" and marks not in ("ids", _NUMBERS))):
        raise SegmentationError(
            f"marks is {marks!r}, and column {table.header[table.found[part]]!r} holds a {part}: "
            "expected ids for segments, and end, start or gaps for boundaries"
        )
    documents = _grouped(table, by_coder=bool(part))
    columns = {table.found[part]: ""} if part else _coders(table)
    if not (part or counted):
        _check_people(table, columns, documents)
    coded: set[str] = set()
    uncoded: list[Record] = []
    for (document, coder), group in documents.items():
        rows, texts, more = units_of_rows(table, group, whereabouts(document, coder or None))
        for index, person in columns.items():
            names = document, person or coder
            values = [row[index] for _, row in rows]
            if counted and not all(map(cells.is_blank, values)):
                _check_numbers(rows, values, whereabouts(*names))
            with about(f"{rows[0][0]}: {whereabouts(*names)}"):
                filled = [value for value in values if not cells.is_blank(value)]
                only_marks = marks in _SIDES and all(map(cells.mark_in, filled))
                complete = not part or only_marks or len(filled) == len(values)
                expect(complete, f"{part} is empty: expected a value in each row")
                coding = _coding(table, names, values, marks)
            if coding is None:
                continue
            coded.add(document)
            with about(rows[0][0]):  # a text per gap is none per unit
                units = None if marks == "gaps" else texts
                record = Record(*names, coding, units, place=rows[0][0], **more)  # type: ignore[arg-type]
            yield _of_page(table, rows, record) if "unsure" in table.found else record
        if table.sheet and document not in coded and any(texts or ()):
            uncoded.append(Record(document, units=texts, place=group[0][0]))
    yield from uncoded
    if not (coded or counted or table.sheet):
        raise SegmentationError(
            f"no cell of {named(table.header[index] for index in columns)} holds anything: "
            "expected marks (empty='none' takes empty columns for codings without a boundary)"
        )


def _grouped(table: CodingTable, *, by_coder: bool) -> dict[tuple[str, str], list[Row]]:
    """The rows of each document, or of each document and coder. Only its first row may name a
    document; blank rows between documents are left out."""
    numbered = "unit" in table.found or "text" in table.found
    found: dict[tuple[str, str], list[Row]] = {}
    document = None
    for place, row in table.rows:
        if numbered and all(map(cells.is_blank, row)):
            continue
        with about(place):
            if document is None or not cells.is_blank(table.cell(row, "document")):
                document = table.name(row, "document")
            coder = table.name(row, "coder") if by_coder else ""
        found.setdefault((document, coder), []).append((place, row))
    expect(found, "no rows below the header: expected one per unit")
    return found


def units_of_rows(
    table: CodingTable, rows: list[Row], where: str
) -> tuple[list[Row], tuple[str, ...] | None, dict[str, str | None]]:
    """The rows of a document or coding in the order of its units, their texts, and what the rows
    say besides: group and kind."""
    rows = rows_in_order(table, rows, where)
    more: dict[str, str | None] = {}
    for name in {"group", "kind"} & table.found.keys():
        for place, row in rows:
            value = table.cell(row, name)
            value = None if value is None else str(value)
            if more.setdefault(name, value) != value:
                what = f"{place}: {where}: {name} is {value!r}"
                raise SegmentationError(f"{what}: expected {more[name]!r}, as above")
    texts = [table.cell(row, "text") for _, row in rows]
    if table.ours and any(texts):
        texts = [text or "" for text in texts]
    return rows, tuple(texts) if all(isinstance(text, str) for text in texts) else None, more


def rows_in_order(table: CodingTable, rows: list[Row], where: str) -> list[Row]:
    """The rows by the numbers of their units, from 0 or 1 without a gap; units with names keep the
    order of the table."""
    if "unit" not in table.found:
        return rows
    found: dict[int | str, Row] = {}
    for place, row in rows:
        unit = cells.python_value(table.cell(row, "unit"))
        unit = unit if isinstance(unit, int) else str(unit or "")
        if unit == "" or unit in found:
            wrong = "a unit has no number" if unit == "" else f"unit {unit} is listed twice"
            raise SegmentationError(
                f"{place}: {where}: {wrong}: expected each unit once, and where another document "
                "begins its name (document=NAME in columns)"
            )
        found[unit] = (place, row)
    names = [unit for unit in found if isinstance(unit, str)]
    if names and not table.ours:
        return rows
    units: list[int | str] = [*sorted(unit for unit in found if isinstance(unit, int)), *names]
    for expected, unit in enumerate(units, start=0 if 0 in found else 1):
        if unit != expected:
            raise SegmentationError(
                f"{found[unit][0]}: {where}: unit is {unit}: expected {expected}, as units count "
                "from 0 or 1"
            )
    return [found[unit] for unit in units]


def _coding(
    table: CodingTable, names: tuple[str, str], values: list[Any], marks: Any
) -> Segmentation | None:
    notes = table.choices.notes
    words = [cells.word_of(value) for value in values]
    if cells.UNANSWERABLE in words[1:]:
        raise SegmentationError(
            f"{cells.UNANSWERABLE} is beside unit {words.index(cells.UNANSWERABLE, 1) + 1}: "
            "expected it beside unit 1 alone; has the column slipped?"
        )
    if not {*words} - {"", cells.UNANSWERABLE}:
        if table.choices.empty == "none":
            notes.emptied.append(names)
            return Segmentation.from_masses([len(values)])
        if marks != _NUMBERS:
            notes.not_coded.append(names)
        return None
    flags = [word != cells.UNANSWERABLE and cells.mark_in(word) for word in words]
    if marks not in _SIDES or None in flags:  # which says what is wrong
        if marks in ("gaps", "masses"):  # of which there may be fewer than units
            values = [value for value in values if not cells.is_blank(value)]
        return cells.coding_of(values, "ids" if marks == _NUMBERS else marks)
    if not table.sheet:
        end, index = ("first", 0) if marks == "start" else ("last", -1)
        notes.at_ends[end] += bool(flags[index])
    told = {"x", "", "0", cells.UNANSWERABLE} if table.sheet else {cells.UNANSWERABLE}
    pairs = zip(map(bool, flags), words, strict=True)
    notes.taken.update((flag, word) for flag, word in pairs if word not in told)
    return cells.coding_of(flags, marks)


def _of_page(table: CodingTable, rows: list[Row], record: Record) -> Record:
    """The record of a table of an annotation page, whose further columns are about the place before
    each unit."""
    fields = fields_from_record(record)
    starts = [0, *accumulate(fields["masses"])][:-1]
    labels = [table.cell(rows[at][1], "label") for at in starts]
    fields |= {"segment_labels": labels} if any(labels) else {}
    if any(table.cell(row, "level") for _, row in rows):
        fields["ranks"] = []
        for at in starts[1:]:
            with about(f"{rows[at][0]}: {record.where}: level"):
                fields["ranks"].append(whole_cell(table.cell(rows[at][1], "level")))
    comments = {at: table.cell(row, "comment") for at, (_, row) in enumerate(rows) if at}
    fields["annotation"] = {
        "finished": True,
        "unsure": [at for at, (_, row) in enumerate(rows) if at and table.cell(row, "unsure")],
        "comments": [{"after": at, "text": text} for at, text in comments.items() if text],
    }
    return record_from_fields(fields, record.place)


# ---- people as columns ----


def _coders(table: CodingTable) -> dict[int, str]:
    """The columns of the coders to read. A column without a name may hold nothing, or be ignored by
    its letter."""
    choices = table.choices
    columns: dict[int, str] = {}
    for index, name in enumerate(table.header):
        if index in table.found.values():
            continue
        nameless = not name.strip() or _UNNAMED.fullmatch(name)
        called = letters_of(index) if nameless else name
        filled = (place for place, row in table.rows if not cells.is_blank(row[index]))
        if called in choices.ignore_columns:
            choices.notes.met.add(("column", called))
        elif nameless and (place := next(filled, None)):
            raise SegmentationError(
                f"{place}: column {called} has no name: expected one, or ignore_columns={called}"
            )
        elif not nameless:
            columns[index] = name
    return columns


def letters_of(index: int) -> str:
    """The name of a column in spreadsheets.

    >>> letters_of(0), letters_of(25), letters_of(26)
    ('A', 'Z', 'AA')
    """
    before, last = divmod(index, 26)
    return (letters_of(before - 1) if before else "") + chr(65 + last)


def _check_people(
    table: CodingTable, columns: Mapping[int, str], documents: Mapping[Any, list[Row]]
) -> None:
    """Raise for a table with people as columns that may be of another shape, or whose marks nobody
    explains."""
    choices, found = table.choices, table.found
    if not table.sheet:
        choices.notes.sheets = True
        values = (row[index] for _, row in table.rows for index in columns)
        names = (
            isinstance(cells.python_value(cell), str) and cells.mark_in(cell) is None
            for cell in values
        )
        known = {"unit", "document", "text"} & found.keys()
        if "coder" in found or not (
            choices.marks in _SIDES or (known and (choices.marks or (columns and all(names))))
        ):
            ask = cells.ASK_FOR_MARKS if table.source.document else "encoding=, what 0 and 1 mean"
            raise table.undecided(
                "boundary=NAME or segment=NAME in columns (a row per unit), masses=, starts= or "
                "labels=NAME (a row per coding), or, if each other column than document, unit and "
                f"text is a coder, {ask}"
            )
        texts = [table.cell(row, "text") for _, row in table.rows]
        named_so = "document" in found or "text" in choices.columns
        if None in texts and any(texts) and not named_so:
            column = table.header[found["text"]]
            raise table.undecided(
                f"a text in each row of {column!r}, or text={column} in columns, or "
                f"document={column} if it names documents"
            )
    if choices.marks in _SIDES:
        _check_marks(table, columns)
    elif choices.marks == "ids":
        _check_ids(columns, documents)


def _check_marks(table: CodingTable, columns: Mapping[int, str]) -> None:
    """Raise for columns with anything but marks: a comment would change agreement."""
    wrong: dict[str, str] = {}
    for index, name in columns.items():
        for place, row in table.rows:
            if cells.word_of(row[index]) not in cells.ANSWERS:
                value = str(cells.python_value(row[index]))[:40]
                wrong[name] = f"{place}: column {name!r} has {value!r}"
                break
    if wrong:
        raise SegmentationError(
            f"{'; '.join([*wrong.values()][:_MOST_SHOWN])}: expected a mark (x, ✓, 1, yes, ja, "
            "oui, true) or none (blank, 0, no, nein, non, false, -); document=, unit= or text=NAME "
            "in columns says what else a column holds, marks='ids' that all hold segments, and "
            f"ignore_columns={','.join(wrong)} leaves out those of no coder"
        )


def _check_ids(columns: Mapping[int, str], documents: Mapping[Any, list[Row]]) -> None:
    """Raise if columns of 0 and 1 stand beside columns of segments: read as segments, each mark
    would be two boundaries."""
    marked = []
    for index, name in columns.items():
        flags = [[cells.mark_in(row[index]) for _, row in rows] for rows in documents.values()]
        falls = any(before and not flag for each in flags for before, flag in pairwise(each))
        if falls and not any(None in each for each in flags):
            marked.append(name)
    others = [name for name in columns.values() if name not in marked]
    if marked and others:
        raise SegmentationError(
            f"columns {named(marked)} hold marks alone, and {named(others)} segments: expected one "
            f"kind: ignore_columns={','.join(marked)} with marks='ids' reads the segments"
        )


def _check_numbers(rows: list[Row], values: list[Any], where: str) -> None:
    """Raise unless the cells are the numbers of segments, from 1."""
    before = 0
    for (place, _), value in zip(rows, values, strict=True):
        number = cells.python_value(value)
        if not isinstance(number, int) or number not in (before or 1, before + 1):
            raise SegmentationError(
                f"{place}: {where}: segment is {shown(number)}: expected {before or 1}"
                f"{f' or {before + 1}' * (before > 0)}, as segments count; or {cells.ASK_FOR_MARKS}"
            )
        before = number


def whole_cell(cell: Any) -> int:
    number: int = cells.python_value(cell)
    expect(isinstance(number, int), "%s: expected a whole number", cell)
    return number


# ---- a row per coding ----

_KINDS = {"boundary": "labels", "segment": "segment_ids"}  # as keys of JSON, which hold lists


def per_coding(table: CodingTable, part: str) -> Iterator[Record]:
    """The records of a table, or of JSON objects, with a coding in a single cell."""
    marks, notes = table.choices.marks, table.choices.notes
    column, kind = table.header[table.found[part]], _KINDS.get(part, part)
    if kind == "boundaries" and marks == "start":
        kind = "starts"
    elif kind == "boundaries" and marks not in (None, "end"):
        raise SegmentationError(
            f"marks is {marks!r}, and column {column!r} holds boundaries: expected start (the "
            "units at which segments start, from 1), end (units before each boundary), or none"
        )
    if marks and kind not in ("labels", "segment_ids", marks):
        notes.said[f"column {column!r} is read as {kind}, with marks={marks!r}"] = None
    open_ended = kind in ("boundaries", "starts")
    known = _lengths(table) if open_ended else {}
    for place, row in table.rows:
        with about(place):
            document, coder = table.name(row, "document"), table.name(row, "coder")
            where = whereabouts(document, coder)
            fields: dict[str, Any] = {"document": document, "coder": coder}
            for name in {"group", "kind"} & table.found.keys():
                fields[name] = table.cell(row, name) and str(table.cell(row, name))
            fields["n_units"] = cells.python_value(
                table.cell(row, "n_units") or known.get(document)
            )
            texts, labels = table.cell(row, "text"), table.cell(row, "segment_labels")
            fields |= {"units": texts} if isinstance(texts, list) else {}
            with about(f"{where}: segment_labels"):
                fields["segment_labels"] = None if labels is None else cells.listed(labels)
            value = table.cell(row, part)
            if open_ended and fields["n_units"] is None:
                raise SegmentationError(
                    f"{where}: {kind}, and n_units is missing: expected the number of units, in a "
                    "column, or by the documents themselves in text=, or by another coding of this "
                    "document in a file that is read earlier"
                )
            if open_ended and cells.word_of(value) in cells.NONE_WORDS - {"0"}:
                notes.emptied.append((document, coder))  # no answer is no boundary
                value = []
            with about(f"{where}: {part}"):
                values = cells.listed(value, symbols=kind in ("labels", "gaps"))
                if kind == "starts":
                    fields["boundaries"] = cells.positions_of_starts(values, fields["n_units"])
                elif kind in ("labels", "segment_ids"):
                    coding = cells.coding_of(values, marks if kind == "labels" else "ids")
                    fields["masses"] = coding.masses.tolist()
                else:
                    fields[kind] = values
            record = record_from_fields(fields, place)
        yield record


def _lengths(table: CodingTable) -> dict[str, Any]:
    """The number of units of each document: from a row, its text, or a file read before."""
    texts = table.choices.text if isinstance(table.choices.text, Mapping) else {}
    found: dict[str, Any] = {}
    for place, row in table.rows:
        if table.cell(row, "n_units") is not None:
            with about(place):
                found.setdefault(table.name(row, "document"), table.cell(row, "n_units"))
    of_texts = {name: text.units.n for name, text in texts.items()}
    return table.choices.notes.read_before | of_texts | found


# ---- a row per stretch of time ----


def per_stretch(table: CodingTable) -> Iterator[Record]:
    """The records of a table with a row per stretch of time; without an end it lasts until the next
    start."""
    source, choices = table.source, table.choices
    free = _columns_not_read(table)
    codings: dict[tuple[str, str], list[TimedRow]] = {}
    for place, row in table.rows:
        with about(place):
            names = (
                default if cells.is_blank(table.cell(row, part)) else table.name(row, part)
                for part, default in (("document", source.document), ("coder", source.coder))
            )
            document, coder = names
            start = time_of(table.cell(row, "start"), "start")
            last = table.cell(row, "end")
            end = None if cells.is_blank(last) else time_of(last, "end")
            expect(end is None or end >= start, f"end is {last}: expected it after the start")
        rest = {table.header[index]: str(row[index] or "").strip() for index in free}
        label = str(table.cell(row, "label") or "").strip()
        timed = TimedRow(int(place.rpartition(" ")[2]), start, end, label, rest)
        codings.setdefault((document, coder), []).append(timed)
    named_by = None if "document" in table.found else ("column", "document={name} in columns")
    yield from timed_records(source, codings, choices.duration, named_by)


def _columns_not_read(table: CodingTable) -> list[int]:
    """The columns of no part; a column of recordings names the documents, if no other does."""
    found, header = table.found, table.header
    taken = {"", *table.choices.ignore_columns, *(header[index] for index in found.values())}
    free = [index for index, name in enumerate(header) if name not in taken]
    recordings = [index for index in free if header[index].lower() in cells.RECORDINGS]
    if "document" not in found and len(recordings) == 1:
        found["document"] = recordings[0]
        free.remove(recordings[0])
    if free:
        said = f"columns not read: {named(header[index] for index in free)}"
        table.choices.notes.said[said] = None
    return free


# ---- frames ----

Encoding = Literal["boundaries", "masses", "labels-end", "labels-start", "gaps", "segment-ids"]
_ENCODED: dict[str, tuple[str, cells.Marks | None]] = {  # the part of a table, and how it is marked
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
        check_choice(encoding, "encoding", tuple(_ENCODED))
    header, values = _names_and_rows(frame)
    for name in header:
        expect(isinstance(name, str), "a column is called %s: expected texts as names", name)
    rows: list[Row] = [(f"row {index}", row) for index, row in enumerate(values)]
    chosen = {part: name for part, name in columns.items() if name is not None}
    part, marks = _ENCODED[encoding] if encoding is not None else ("", None)
    if isinstance(coding, str):
        part = part or (coding if coding in {*cells.LISTS} - {"labels", "starts", "spans"} else "")
        chosen[part] = coding
    what = f"how {coding!r} is written, one of {', '.join(_ENCODED)}"
    expect(coding is None or part, f"encoding is missing: expected {what}")
    found = cells.find_columns(header, chosen)
    several = [] if coding is None or isinstance(coding, str) else [*coding]
    for name in several:
        check_choice(name, "coding: a column", (*header,))
    ignored = [name for name in header if several and name not in several]
    if several and "unit" not in found:  # a row per document becomes several
        places = {name: index for index, name in enumerate(header)}
        kept = [name for name in ("document", "n_units", "group") if name in found]
        rows = [
            (place, [*(row[found[each]] for each in kept), name, row[places[name]]])
            for place, row in rows
            for name in several
            if row[places[name]] is not None
        ]
        header, chosen = [*kept, "coder", part], {}
        found = cells.find_columns(header, chosen)
    choices = ReadOptions(columns=chosen, marks=marks, ignore_columns=ignored)
    return table_records(CodingTable(header, rows, Source(Path(), "", "", choices=choices), found))


def _names_and_rows(frame: Any) -> tuple[list[str], Iterable[Sequence[Any]]]:
    if isinstance(frame, Mapping):
        return list(frame), zip(*map(list, frame.values()), strict=True)
    if any(arrow_validation.is_made_by(name, frame) for name in ("duckdb", "_duckdb")):
        return list(frame.columns), frame.fetchall()
    if arrow_validation.is_made_by("polars", frame):
        frame = frame.collect() if hasattr(frame, "collect") else frame
    elif not arrow_validation.is_made_by("pandas", frame):
        frame = arrow_validation.arrow_stream(frame)
        with arrow_validation.refusing(SegmentationError):
            frame = frame.read_all() if hasattr(frame, "read_all") else frame
        arrow_validation.validate_columns(frame)
    names = list(
        frame.column_names if arrow_validation.is_made_by("pyarrow", frame) else frame.columns
    )
    return names, zip(*(arrow_validation.cells_of(frame, str(name)) for name in names), strict=True)
