"""Tables with a row per unit, and either a column that names the coder or a column per coder.

In sheets with a column per coder, which people fill in by hand, only the first row of a document
may name it, and a blank cell is no mark. A column that is empty for a whole document was not coded,
unless the caller says that it is a coding without boundaries (`empty`). A column with anything but
marks is refused, because it may be a comment and would change agreement.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.marked_lists import (
    OWN_WORDS,
    UNANSWERABLE,
    coding_of,
    mark_in,
    word_of,
)
from segscore.corpus.record import Record, whereabouts
from segscore.corpus.sheet_columns import MarkedSheet, is_usually_nobody, letters_of
from segscore.corpus.table_columns import (
    AtPlace,
    Marks,
    Row,
    TableCells,
    TableChoices,
    is_blank,
    plain,
    same_throughout,
    texts_of,
    units_in_order,
)
from segscore.errors import SegmentationError, about, named

_SIDES = ("start", "end")
_UNNAMED = re.compile(r"Unnamed: [0-9]+")  # what pandas calls a column without a name
_NOTHING_HELD = (
    "no cell of {} holds anything: expected marks (empty='none' takes empty columns "
    "for codings without a boundary)"
)


@dataclass
class _Coding:
    """The rows of a coding, collected so far."""

    place: str
    units: list[Any] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    texts: list[Any] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)


# ---- a row per unit and coding ----


def unit_records(
    cells: TableCells, rows: Iterable[Row], part: str, choices: TableChoices
) -> Iterator[Record]:
    """The records of a table with a row per unit; if a column numbers the units, rows may be in any
    order."""
    marks = _marks_of(part, choices.marks)
    codings: dict[tuple[str, str | None], _Coding] = {}
    document = None
    for place, row in rows:
        with AtPlace(place):
            names = cells.names(row, document)
            document = names[0]
            coding = codings.setdefault(names, _Coding(place))
            coding.values.append(cells.get(row, part))
            if "unit" in cells.found:
                coding.units.append(plain(cells.get(row, "unit")))
            if "text" in cells.found:
                coding.texts.append(cells.get(row, "text"))
            same_throughout(cells, row, coding.more, names)
    if not codings:
        raise SegmentationError("no rows below the header: expected one per unit")
    yielded = False
    for names, coding in codings.items():
        with AtPlace(coding.place):
            _refuse_holes(coding.values, marks, f"{whereabouts(*names)}: {part}")
            record = _record(names, coding, marks, choices)
        if record is not None:
            yielded = True
            yield record
    if not yielded:
        raise SegmentationError(_NOTHING_HELD.format(repr(part)))


def _marks_of(part: str, marks: Marks | None) -> Marks | None:
    if part == "segment":
        if marks not in (None, "ids"):
            raise SegmentationError(
                f"marks is {marks!r}: expected ids, because a column holds the segment of each unit"
            )
        return "ids"
    if marks == "masses":
        raise SegmentationError("marks is 'masses': expected end, start, gaps or ids in a column")
    return marks


def _refuse_holes(values: list[Any], marks: Marks | None, what: str) -> None:
    """Raise for blank cells among 0 and 1, or among names; among marks alone, a blank cell is no
    mark."""
    if not any(is_blank(value) for value in values):
        return
    filled = [value for value in values if not is_blank(value)]
    if marks not in _SIDES or not all(mark_in(value) for value in filled):
        raise SegmentationError(f"{what} is empty: expected a value")


# ---- a row per unit, a column per coder ----


@dataclass
class _Sheet:
    """The rows of one document, and what they share."""

    rows: list[Row] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)


def wide_records(
    cells: TableCells, header: Sequence[str], rows: Iterable[Row], choices: TableChoices
) -> Iterator[Record]:
    """The records of a sheet with a column per coder: every column without another meaning. Raise
    if there is no coding."""
    rows = list(rows)
    _check_wide(cells, header, rows, choices)
    MarkedSheet(cells, header, rows, choices).refuse_lost_documents()
    choices.notes.sheets = True
    coded = False
    for record in column_records(cells, header, rows, choices):
        coded = True
        yield record
    if not coded:
        names = [name for i, name in enumerate(header) if i not in cells.found.values()]
        raise SegmentationError(_NOTHING_HELD.format(named(names)))


def column_records(
    cells: TableCells, header: Sequence[str], rows: Iterable[Row], choices: TableChoices
) -> Iterator[Record]:
    """The codings of a sheet, which may have none."""
    documents = _documents(cells, rows, choices)
    columns = _coder_columns(cells, header, documents, choices)
    if choices.marks in _SIDES or choices.marks is None:
        cells = _with_counting(cells, columns, documents)
    _check_columns(MarkedSheet(cells, header, list(_rows(documents)), choices), columns, documents)
    for document, sheet in documents.items():
        units = [plain(unit) for unit in _column(cells, sheet, "unit")]
        _refuse_repeats(document, sheet, units)
        texts = _column(cells, sheet, "text")
        for index, coder in columns.items():
            place = sheet.rows[0][0]
            values = [row[index] for _, row in sheet.rows]
            coding = _Coding(place, units, values, texts, sheet.more)
            with AtPlace(place):
                record = _record((document, coder), coding, choices.marks, choices)
            if record is not None:
                yield record


def _check_columns(
    sheet: MarkedSheet, columns: dict[int, str], documents: dict[str, _Sheet]
) -> None:
    """Raise for columns that do not hold what is declared, and report columns that may belong to no
    coder."""
    marks = sheet.choices.marks
    if marks in _SIDES or marks is None:
        sheet.refuse_others(columns)
    elif marks == "ids":
        sizes = [len(document.rows) for document in documents.values()]
        sheet.refuse_marks_among_ids(columns, list(accumulate(sizes)))
    nobody = [name for name in columns.values() if is_usually_nobody(name)]
    if nobody and not sheet.choices.only:
        many = len(nobody) > 1
        sheet.choices.notes.said[
            f"column{'s' if many else ''} {named(nobody)} {'are' if many else 'is'} read as "
            f"{'coders' if many else 'a coder'}: if that is no coder, ignore_columns="
            f"{','.join(nobody)}"
        ] = None


def _refuse_repeats(document: str, sheet: _Sheet, units: list[Any]) -> None:
    """Raise if a unit number repeats, because the name of the next document may be missing."""
    seen: set[Any] = set()
    for (place, _), unit in zip(sheet.rows, units, strict=False):
        if unit in seen:
            with AtPlace(place):
                raise SegmentationError(
                    f"document {document!r}: unit {shown(unit)} is listed twice: expected each "
                    "unit once; where another document begins, its name (document=NAME in "
                    "columns, if no column is known to hold it)"
                )
        if unit is not None:
            seen.add(unit)


def _column(cells: TableCells, sheet: _Sheet, part: str) -> list[Any]:
    """The cells of a document in the column of a part, if there is such a column."""
    return [cells.get(row, part) for _, row in sheet.rows] if part in cells.found else []


def _check_wide(
    cells: TableCells, header: Sequence[str], rows: Sequence[Row], choices: TableChoices
) -> None:
    """Raise for an unknown kind of table: no column numbers units, and no other column holds marks
    alone."""
    known = {"unit", "document", "text"} & cells.found.keys() or choices.only is not None
    sheet = "unit" in cells.found or (known and choices.marks == "ids")
    others = [i for i, name in enumerate(header) if i not in cells.found.values() and name.strip()]
    if "coder" in cells.found or not (sheet or any(_is_marked(rows, index) for index in others)):
        raise SegmentationError(
            f"no column holds boundaries: there is {named(header)}: expected columns= with "
            "boundary=NAME or segment=NAME (a row per unit), masses=NAME, starts=NAME or "
            "labels=NAME (a row per coding), or unit=NAME (then each other column is a coder)"
            f"{choices.or_no_document}"
        )


def _is_marked(rows: Sequence[Row], index: int) -> bool:
    """Whether a column holds marks and nothing else."""
    found = [mark_in(row[index]) for _, row in rows]
    return None not in found and True in found


def _documents(cells: TableCells, rows: Iterable[Row], choices: TableChoices) -> dict[str, _Sheet]:
    """The rows of each document; blank rows between documents are left out."""
    numbered = "unit" in cells.found or "text" in cells.found
    documents: dict[str, _Sheet] = {}
    document = None
    apart = False  # whether a blank row stands before
    for place, row in rows:
        if numbered and all(map(is_blank, row)):
            apart = True
            continue
        with AtPlace(place):
            before = document
            document, _ = cells.names(row, document)
            if (
                apart
                and before
                and "document" in cells.found
                and cells.get(row, "document") is None
            ):
                choices.notes.said[
                    f"{place.rpartition(', ')[2]} comes after an empty row and names no document: "
                    f"read as part of {document!r}"
                ] = None
            apart = False
            sheet = documents.setdefault(document, _Sheet())
            sheet.rows.append((place, row))
            same_throughout(cells, row, sheet.more, (document, None))
    if not documents:
        raise SegmentationError("no rows below the header: expected one per unit")
    return documents


def _coder_columns(
    cells: TableCells, header: Sequence[str], documents: dict[str, _Sheet], choices: TableChoices
) -> dict[int, str]:
    """The columns of coders: neither known parts nor ignored columns."""
    columns: dict[int, str] = {}
    chosen = {*(choices.only or ()), *choices.without}
    choices.notes.met |= {
        ("coder", column.strip()) for column in header if column.strip() in chosen
    }
    for index, name in enumerate(header):
        if index in cells.found.values():
            continue
        choices.notes.known |= {name.strip(): None} if name.strip() else {}
        if not choices.is_read(name.strip()):
            continue
        if not name.strip() or _UNNAMED.fullmatch(name.strip()):
            _refuse_nameless(index, header, documents, choices)
            continue
        columns[index] = name.strip()
    return columns


def _refuse_nameless(
    index: int, header: Sequence[str], documents: dict[str, _Sheet], choices: TableChoices
) -> None:
    """Raise for a non-empty column without a name, unless it is ignored by its letter or number;
    spreadsheets also write columns that are empty."""
    called = {letters_of(index), str(index + 1)} - {name.strip() for name in header}
    ignored = called.intersection(choices.ignored)
    choices.notes.met |= {("column", name) for name in ignored}
    place = next((at for at, row in _rows(documents) if not is_blank(row[index])), None)
    if place is not None and not ignored:
        with AtPlace(place):
            raise SegmentationError(
                f"column {index + 1} ({letters_of(index)}) has no name, and holds "
                "something: expected one, or ignore_columns="
                f"{letters_of(index)} if it belongs to no coder"
            )


def _rows(documents: dict[str, _Sheet]) -> Iterator[Row]:
    for sheet in documents.values():
        yield from sheet.rows


def _with_counting(
    cells: TableCells, columns: dict[int, str], documents: dict[str, _Sheet]
) -> TableCells:
    """Use a column that counts the rows of each document as unit numbers, whatever its name."""
    if "unit" in cells.found or len(columns) < 2:
        return cells
    first = next(iter(columns))
    if all(len(sheet.rows) > 1 for sheet in documents.values()) and all(
        plain(row[first]) == number
        for sheet in documents.values()
        for number, (_, row) in enumerate(sheet.rows, start=1)
    ):
        del columns[first]
        return TableCells({**cells.found, "unit": first}, cells.document, cells.coder)
    return cells


# ---- one coding ----


def _record(
    names: tuple[str, str | None], coding: _Coding, marks: Marks | None, choices: TableChoices
) -> Record | None:
    """The record of a coding; None if the column is empty."""
    document, coder = names
    with about(whereabouts(document, coder)):
        order = units_in_order(coding.units) if coding.units else range(len(coding.values))
        values = [coding.values[index] for index in order]
        segmentation = _segmentation(values, marks, choices, names)
    if segmentation is None:
        return None
    texts = (
        texts_of(
            "" if text is None and choices.own else text
            for text in map(coding.texts.__getitem__, order)
        )
        if coding.texts
        else None
    )
    if marks == "gaps":  # a text per gap is none per unit
        texts = None
    return Record(document, coder, segmentation, texts, place=coding.place, **coding.more)


def _segmentation(
    values: list[Any], marks: Marks | None, choices: TableChoices, names: tuple[str, str | None]
) -> Segmentation | None:
    notes, called = choices.notes, (names[0], names[1] or "")
    slipped = next((i for i, value in enumerate(values) if i and word_of(value) == UNANSWERABLE), 0)
    if slipped:
        raise SegmentationError(
            f"{UNANSWERABLE} is beside unit {slipped + 1}: expected it beside unit 1 alone; "
            "has the column slipped?"
        )
    if all(is_blank(value) or word_of(value) == UNANSWERABLE for value in values):
        if choices.empty == "not-coded":
            notes.not_coded.append(called)
            return None
        notes.emptied.append(called)
        return Segmentation.from_masses([len(values)])
    if marks not in _SIDES:
        filled = [value for value in values if not is_blank(value)]
        return coding_of(filled if marks in ("gaps", "masses") else values, marks)
    flags = _flags(values, choices)
    if flags is None:
        return coding_of(values, marks)  # which says what is wrong
    if not choices.own:
        notes.at_ends["first"] += marks == "start" and flags[0]
        notes.at_ends["last"] += marks == "end" and flags[-1]
    return coding_of(flags, marks)


def _flags(values: list[Any], choices: TableChoices) -> list[int] | None:
    """Whether each cell is a mark, as 0 or 1; None if a cell says neither."""
    flags = []
    for value in values:
        word = word_of(value)
        if word == UNANSWERABLE:
            flags.append(0)
            continue
        found = mark_in(value)
        if found is None:
            return None
        if not (choices.own and word in OWN_WORDS):
            choices.notes.taken["mark" if found else "none", word] += 1
        flags.append(int(found))
    return flags
