"""Excel workbooks (.xlsx, .xlsm): a zip archive of XML, read with what Python has.

The reader checks its limits itself, so that no file can show a check one thing and the reader
another. Members are unpacked in pieces and counted as they come out, whatever sizes the archive
declares; XML with a DTD is refused; only non-empty cells are kept, so that a cell at XFD1048576
costs no more than a cell at A1. Layout: ECMA-376, part 1, 18.
"""

import io
import math
import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, time, timedelta
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from xml.parsers import expat

from segscore.errors import SegmentationError
from segscore.io.files import Source, rows_size

MOST_BYTES = 2**27  # of a workbook, unpacked
WIDEST, LONGEST = 2**14, 2**20  # columns and rows, as Excel has them
_BLOCK = 2**16
_MEMBER = 1000  # bytes that Python takes for what an archive says of a member
_STEP = 10_000  # cells between two looks at the budget
_PLACE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,4})?")
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))  # built in
_NOT_PARTS = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)
_DURATION = re.compile(r"\[[hms]+\]", re.IGNORECASE)
_SECONDS_A_DAY = 86_400
Attributes = dict[str, str]


class SheetRow(NamedTuple):
    """A row of a sheet: its number from 1, and the non-empty cells, by column from 0."""

    number: int
    cells: dict[int, Any]


class Sheet(NamedTuple):
    """The non-empty rows of a sheet, and its number of columns."""

    rows: list[SheetRow]
    width: int


def read_workbook(
    source: Source, most_rows: int | None = None, wanted: str | None = None
) -> dict[str, Sheet]:
    """The sheets of a workbook by name, in their order, each with at most `most_rows` rows. If a
    sheet is wanted, the others have no rows."""
    data = source.read_bytes()
    source.afford(_MEMBER * data.count(b"PK\1\2"))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _Workbook(source, archive).sheets(most_rows, wanted)
    except (SegmentationError, MemoryError):
        raise
    # What zipfile, expat and the ways of compressing raise depends on the byte that is damaged
    # (see segscore.io.files).
    except Exception as error:
        what = str(error) or type(error).__name__
        raise source.fail(f"{what}: expected an Excel workbook, .xlsx") from None


class _Workbook:
    """A workbook archive, and what its sheets share: texts, formats, the first day of its
    calendar."""

    def __init__(self, source: Source, archive: zipfile.ZipFile) -> None:
        self._source = source
        self._archive = archive
        self._left = sys.maxsize if source.choices.large else MOST_BYTES
        self._spent = 0  # memory for cells and texts
        self._texts: list[str] = []
        self._formats: list[str] = []  # what numbers are, by style: "", "date" or "duration"
        self._first_day = datetime(1899, 12, 30)  # Excel knows no time zones

    # ---- members ----

    def sheets(self, most_rows: int | None, wanted: str | None) -> dict[str, Sheet]:
        """All worksheets, or their first rows; if a single sheet is wanted, only its rows."""
        listed = self._listed()
        related = self._related()
        for kind, take in (("sharedStrings", self._take_texts), ("styles", self._take_styles)):
            for name in [name for name, what in related.values() if what == kind]:
                take(name)
        found: dict[str, Sheet] = {}
        for name, number in listed:
            member, kind = related.get(number, ("", ""))
            if kind == "worksheet" and wanted not in (None, name):
                found[name] = Sheet([], 0)
            elif kind == "worksheet":
                found[name] = _SheetReader(self, most_rows).read(member)
        return found

    def parse(
        self,
        name: str,
        start: Callable[[str, Attributes], None],
        end: Callable[[str], None] | None = None,
        letters: Callable[[str], None] | None = None,
    ) -> None:
        """Parse a member in pieces; element names have no prefixes."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = lambda tag, given: start(_local(tag), given)
        parser.EndElementHandler = None if end is None else lambda tag: end(_local(tag))
        parser.CharacterDataHandler = letters
        parser.StartDoctypeDeclHandler = self._refuse_dtd
        with self._archive.open(name) as stream:
            while block := stream.read(_BLOCK):
                self._left -= len(block)
                if self._left < 0:
                    raise self._source.fail(
                        f"more than {MOST_BYTES >> 20} MiB unpacked: expected less, or large=True; "
                        "CSV may be larger"
                    )
                parser.Parse(block, False)
        parser.Parse(b"", True)

    def _refuse_dtd(self, *_: Any) -> None:
        raise self._source.fail("a DTD: expected an Excel workbook, .xlsx, which has none")

    def spend(self, cells: int, letters: int) -> None:
        """Count the memory that is kept."""
        self._spent += rows_size(cells, letters)
        self._source.afford(self._spent)

    def fail(self, what: str) -> SegmentationError:
        """An error that names the file."""
        return self._source.fail(what)

    def _listed(self) -> list[tuple[str, str]]:
        """The (name, number of the relation) of each sheet."""
        found: list[tuple[str, str]] = []

        def start(tag: str, given: Attributes) -> None:
            if tag == "sheet":
                number = next((value for name, value in given.items() if name.endswith(":id")), "")
                found.append((given.get("name", ""), number))
                self.spend(2, 0)
            elif tag == "workbookPr" and given.get("date1904") in ("1", "true"):
                self._first_day = datetime(1904, 1, 1)

        self.parse("xl/workbook.xml", start)
        return found

    def _related(self) -> dict[str, tuple[str, str]]:
        """The {number: (member, kind)} of what the workbook refers to."""
        found: dict[str, tuple[str, str]] = {}

        def start(tag: str, given: Attributes) -> None:
            if tag == "Relationship" and given.get("TargetMode") != "External":
                place = PurePosixPath("/xl", given.get("Target", ""))
                kind = given.get("Type", "").rpartition("/")[2]
                found[given.get("Id", "")] = str(place)[1:], kind
                self.spend(4, 0)

        self.parse("xl/_rels/workbook.xml.rels", start)
        return found

    # ---- what sheets share ----

    def _take_texts(self, name: str) -> None:
        """Read the shared texts, without their phonetic form (rPh)."""
        reader = _TextReader()

        def end(tag: str) -> None:
            reader.end(tag)
            if tag == "si":
                text = reader.take()
                self._texts.append(text)
                self.spend(1, len(text))

        self.parse(name, lambda tag, _: reader.start(tag), end, reader.letters)

    def _take_styles(self, name: str) -> None:
        """Read what the numbers of each style mean."""
        codes: dict[str, str] = {}
        of_cells = False  # other styles are those of names, borders …

        def start(tag: str, given: Attributes) -> None:
            nonlocal of_cells
            of_cells = of_cells or tag == "cellXfs"
            if tag == "numFmt":
                codes[given.get("numFmtId", "")] = given.get("formatCode", "")
                self.spend(2, 0)
            elif tag == "xf" and of_cells:
                number = given.get("numFmtId", "0")
                self._formats.append(_kind_of_format(number, codes.get(number)))

        def end(tag: str) -> None:
            nonlocal of_cells
            of_cells = of_cells and tag != "cellXfs"

        self.parse(name, start, end)

    def text(self, index: str) -> str:
        """A shared text."""
        if not index.isdecimal() or not index.isascii() or int(index[:9]) >= len(self._texts):
            raise self.fail(f"a cell refers to text {index[:40]!r}: there are {len(self._texts)}")
        return self._texts[int(index)]

    def number(self, text: str, style: str) -> Any:
        """A number, or the date or duration that its style makes of it."""
        value = float(text) if _NUMBER.fullmatch(text) else math.nan
        if not math.isfinite(value):
            raise self.fail(f"a cell holds {text[:40]!r}: expected a number")
        kind = ""
        if style.isdecimal() and style.isascii() and int(style[:9]) < len(self._formats):
            kind = self._formats[int(style)]
        if not kind or not -1e6 < value < 3e6:
            return value
        seconds = timedelta(seconds=round(value * _SECONDS_A_DAY, 3))
        if kind == "duration":
            return seconds
        return _date(self._first_day, seconds, value)


def _date(first: datetime, since: timedelta, value: float) -> Any:
    """A day, a time of day, or both."""
    moment = first + since
    if 0 <= value < 1:
        return time(moment.hour, moment.minute, moment.second, moment.microsecond)
    return moment.date() if moment.time() == time() else moment


def _kind_of_format(number: str, code: str | None) -> str:
    if code is None:
        if number == "46":
            return "duration"
        return "date" if number.isdecimal() and int(number[:4]) in _DATES else ""
    plain = _NOT_PARTS.sub("", code.partition(";")[0])
    if _DURATION.search(plain):
        return "duration"
    return "date" if set(plain.lower()) & set("dmyhs") and "general" not in plain.lower() else ""


def _local(tag: str) -> str:
    return tag.rpartition(":")[2] if ":" in tag else tag


class _TextReader:
    """The text of `t` elements, without those inside `rPh`."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._inside = 0  # 1: in `t`
        self._aloud = 0

    def start(self, tag: str) -> None:
        """Begin an element."""
        self._aloud += tag == "rPh"
        self._inside += tag == "t"

    def end(self, tag: str) -> None:
        """End an element."""
        self._aloud -= tag == "rPh"
        self._inside -= tag == "t"

    def letters(self, text: str) -> None:
        """Add letters to the open element."""
        if self._inside and not self._aloud:
            self._parts.append(text)

    def take(self) -> str:
        """The text so far; the next text begins."""
        text = "".join(self._parts)
        self._parts.clear()
        return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


class _EnoughError(Exception):
    """The requested number of rows is reached."""


class _SheetReader:
    """Reads a sheet: rows and cells, each at the place that it names, or after the previous one."""

    def __init__(self, book: _Workbook, most_rows: int | None) -> None:
        self._book = book
        self._most_rows = most_rows
        self._rows: list[SheetRow] = []
        self._width = 0
        self._row = 0
        self._column = -1
        self._cell: Attributes = {}
        self._value: list[str] = []  # what stands in `v`
        self._open = ""
        self._text = _TextReader()
        self._n_cells = self._n_letters = 0

    def read(self, member: str) -> Sheet:
        """The non-empty rows."""
        with suppress(_EnoughError):
            self._book.parse(member, self._start, self._end, self._letters)
        self._spend()
        # rows become as wide as the widest: that much will be taken when they are read
        self._book.spend(len(self._rows) * self._width // 20, 0)
        return Sheet(self._rows, self._width)

    def _start(self, tag: str, given: Attributes) -> None:
        self._open = tag
        if tag == "c":
            self._begin_cell(given)
        elif tag == "row":
            self._begin_row(given.get("r"))
        elif tag != "v":
            self._text.start(tag)

    def _begin_row(self, given: str | None) -> None:
        if len(self._rows) == self._most_rows:
            raise _EnoughError
        before, self._column = self._row, -1
        self._row = before + 1 if given is None else int(given) if _is_row(given) else 0
        if not before < self._row <= LONGEST:
            raise self._book.fail(
                f"row {(given or str(self._row))[:40]!r} after row {before}: expected rows in "
                f"their order, up to {LONGEST}"
            )

    def _begin_cell(self, given: Attributes) -> None:
        place, before = given.get("r"), self._column
        self._cell = given
        self._column = before + 1 if place is None else self._placed(place)
        if not before < self._column < WIDEST:
            raise self._book.fail(
                f"row {self._row}, cell {(place or '')[:40]!r}: expected cells in their order, up "
                f"to {WIDEST}"
            )

    def _placed(self, place: str) -> int:
        found = _PLACE.fullmatch(place)
        if found is None or int(found[2]) != self._row:
            raise self._book.fail(
                f"a cell of row {self._row} is called {place[:40]!r}: expected as in B{self._row}"
            )
        column = 0
        for letter in found[1]:
            column = 26 * column + ord(letter) - 64
        return column - 1

    def _letters(self, text: str) -> None:
        if self._open == "v":
            self._value.append(text)
        else:
            self._text.letters(text)

    def _end(self, tag: str) -> None:
        self._open = ""
        if tag != "c":
            self._text.end(tag)
            return
        value = self._taken()
        if value is None or value == "":
            return
        if not self._rows or self._rows[-1].number != self._row:
            self._rows.append(SheetRow(self._row, {}))
        self._rows[-1].cells[self._column] = value
        self._width = max(self._width, self._column + 1)
        self._n_cells += 1
        self._n_letters += len(value) if isinstance(value, str) else 0
        if self._n_cells >= _STEP or self._n_letters >= _BLOCK:
            self._spend()

    def _spend(self) -> None:
        self._book.spend(self._n_cells, self._n_letters)
        self._n_cells = self._n_letters = 0

    def _taken(self) -> Any:
        """The value of the cell; None if it is empty."""
        value = "".join(self._value)
        self._value.clear()
        kind = self._cell.get("t", "n")
        if kind == "inlineStr":
            return self._text.take()
        if not value:
            return None
        if kind == "s":
            return self._book.text(value.strip())
        if kind == "b":
            return value.strip() in ("1", "true")
        if kind == "n":
            return self._book.number(value.strip(), self._cell.get("s", ""))
        return value  # a text (str), an error (e), a date in words (d)


def _is_row(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) <= 7


def rows_of(sheet: Sheet) -> Iterator[tuple[int, list[Any]]]:
    """The (number, cells) of each row, all as wide as the widest."""
    for number, cells in sheet.rows:
        yield number, [cells.get(column) for column in range(sheet.width)]
