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
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from functools import reduce
from pathlib import PurePosixPath
from typing import Any
from xml.parsers import expat

from segscore.io.files import Source, naming_damage, rows_size

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
_INDEX, _ROW = re.compile("[0-9]{1,9}"), re.compile("[0-9]{1,7}")
Attributes = dict[str, str]
_Event = tuple[str, Attributes | None, str]  # element, attributes at its start, text at its end


# the non-empty rows of a sheet: the number of each, from 1, and its non-empty cells by column
Sheet = list[tuple[int, dict[int, Any]]]


def read_workbook(
    source: Source, most_rows: int | None = None, wanted: str | None = None
) -> dict[str, Sheet]:
    """The sheets of a workbook by name, in their order, each with at most `most_rows` rows. If a
    sheet is wanted, the others have no rows."""
    data = source.read_bytes()
    source.afford(_MEMBER * data.count(b"PK\1\2"))
    damage = naming_damage(source.at(), "an Excel workbook, .xlsx")
    with damage, zipfile.ZipFile(io.BytesIO(data)) as archive:
        return _Workbook(source, archive).sheets(most_rows, wanted)


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

    def sheets(self, most_rows: int | None, wanted: str | None) -> dict[str, Sheet]:
        """All worksheets, or their first rows; if a single sheet is wanted, only its rows."""
        listed: list[tuple[str, str]] = []  # the name of each sheet, and the number of its relation
        for tag, given, _ in self._events("xl/workbook.xml"):
            if tag == "sheet" and given is not None:
                number = next((value for name, value in given.items() if name.endswith(":id")), "")
                listed.append((given.get("name", ""), number))
                self._spend(2, 0)
            elif tag == "workbookPr" and given and given.get("date1904") in ("1", "true"):
                self._first_day = datetime(1904, 1, 1)
        related: dict[str, tuple[str, str]] = {}  # members, and their kinds, by number
        for tag, given, _ in self._events("xl/_rels/workbook.xml.rels"):
            if tag == "Relationship" and given and given.get("TargetMode") != "External":
                place = PurePosixPath("/xl", given.get("Target", ""))
                kind = given.get("Type", "").rpartition("/")[2]
                related[given.get("Id", "")] = str(place)[1:], kind
                self._spend(4, 0)
        for member, kind in related.values():
            if kind == "sharedStrings":
                self._take_texts(member)
            elif kind == "styles":
                self._take_styles(member)
        found: dict[str, Sheet] = {}
        for name, number in listed:
            member, kind = related.get(number, ("", ""))
            if kind == "worksheet":
                other = wanted not in (None, name)
                found[name] = [] if other else self._sheet(member, most_rows)
        return found

    # ---- XML ----

    def _events(self, member: str) -> Iterator[_Event]:
        """The start of each element with its attributes, and its end with its text; their names
        have no prefixes. Members are parsed in pieces."""
        events: list[_Event] = []
        texts: list[list[str]] = [[]]
        aloud = 0  # inside how many phonetic forms (rPh), which are left out

        def start(tag: str, given: Attributes) -> None:
            nonlocal aloud
            tag = tag.rpartition(":")[2]
            aloud += tag == "rPh"
            texts.append([])
            if not aloud:
                events.append((tag, given, ""))

        def end(tag: str) -> None:
            nonlocal aloud
            tag, text = tag.rpartition(":")[2], "".join(texts.pop())
            if not aloud:
                events.append((tag, None, text))
            aloud -= tag == "rPh"

        def letters(text: str) -> None:
            texts[-1].append(text)

        def refuse(*_: Any) -> None:
            raise self._source.fail("a DTD: expected an Excel workbook, .xlsx, which has none")

        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = letters
        parser.StartDoctypeDeclHandler = refuse
        with self._archive.open(member) as stream:
            while block := stream.read(_BLOCK):
                self._left -= len(block)
                what = f"more than {MOST_BYTES >> 20} MiB unpacked"
                self._source.expect(self._left >= 0, f"{what}: expected less, or large=True")
                parser.Parse(block, False)
                yield from events
                events.clear()
        parser.Parse(b"", True)
        yield from events

    def _spend(self, cells: int, letters: int) -> None:
        """Count the memory that is kept."""
        self._spent += rows_size(cells, letters)
        self._source.afford(self._spent)

    # ---- what sheets share ----

    def _take_texts(self, member: str) -> None:
        """Read the shared texts."""
        parts: list[str] = []
        for tag, given, text in self._events(member):
            if given is None and tag == "t":
                parts.append(text)
            elif given is None and tag == "si":
                self._texts.append(_unescaped("".join(parts)))
                self._spend(1, len(self._texts[-1]))
                parts.clear()

    def _take_styles(self, member: str) -> None:
        """Read what the numbers of each style mean."""
        codes: dict[str, str] = {}
        of_cells = False  # other styles are those of names, borders …
        for tag, given, _ in self._events(member):
            if tag == "cellXfs":
                of_cells = given is not None
            elif given is not None and tag == "numFmt":
                codes[given.get("numFmtId", "")] = given.get("formatCode", "")
                self._spend(2, 0)
            elif given is not None and tag == "xf" and of_cells:
                number = given.get("numFmtId", "0")
                self._formats.append(_kind_of_format(number, codes.get(number)))

    # ---- rows and cells ----

    def _sheet(self, member: str, most_rows: int | None) -> Sheet:
        """The non-empty rows: rows and cells each at the place that it names, or after the one
        before."""
        rows: Sheet = []
        row, column, width = 0, -1, 0
        n_cells = n_letters = 0
        cell: Attributes = {}
        values: list[str] = []
        texts: list[str] = []
        for tag, given, text in self._events(member):
            if tag == "row" and given is not None:
                if len(rows) == most_rows:
                    break
                before, own = row, given.get("r", str(row + 1))
                row, column = int(own) if _ROW.fullmatch(own) else 0, -1
                what = "row %s after row %s: expected rows in their order, up to %s"
                self._source.expect(before < row <= LONGEST, what, own, before, LONGEST)
            elif tag == "c" and given is not None:
                column = self._column(given.get("r"), row, column)
                cell, values, texts = given, [], []
            elif given is None and tag in ("v", "t"):
                (values if tag == "v" else texts).append(text)
            elif given is None and tag == "c":
                found = self._value(cell, "".join(values), "".join(texts))
                if found is None or found == "":
                    continue
                if not rows or rows[-1][0] != row:
                    rows.append((row, {}))
                rows[-1][1][column] = found
                width = max(width, column + 1)
                n_cells += 1
                n_letters += len(found) if isinstance(found, str) else 0
                if n_cells >= _STEP or n_letters >= _BLOCK:
                    self._spend(n_cells, n_letters)
                    n_cells = n_letters = 0
        # rows become as wide as the widest: that much will be taken when they are read
        self._spend(n_cells + len(rows) * width // 20, n_letters)
        return rows

    def _column(self, given: str | None, row: int, before: int) -> int:
        """The column of a cell, from 0."""
        column = before + 1
        if given is not None:
            place = _PLACE.fullmatch(given)
            own = place[1] if place and int(place[2]) == row else ""
            column = reduce(lambda before, letter: 26 * before + ord(letter) - 64, own, 0) - 1
        what = "a cell of row %s is called %s: expected as in B%s, in their order, up to %s"
        self._source.expect(before < column < WIDEST, what, row, given or "", row, WIDEST)
        return column

    def _value(self, cell: Attributes, value: str, text: str) -> Any:
        """The value of a cell; None if it is empty."""
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return _unescaped(text)
        if not value:
            return None
        if kind == "s":
            index = value.strip()
            fits = _INDEX.fullmatch(index) and int(index) < len(self._texts)
            what = "a cell refers to text %s: there are %s"
            self._source.expect(fits, what, index, len(self._texts))
            return self._texts[int(index)]
        if kind == "b":
            return value.strip() in ("1", "true")
        if kind == "n":
            return self._number(value.strip(), cell.get("s", ""))
        return value  # a text (str), an error (e), a date in words (d)

    def _number(self, text: str, style: str) -> Any:
        """A number, or the date or duration that its style makes of it."""
        value = float(text) if _NUMBER.fullmatch(text) else math.nan
        self._source.expect(math.isfinite(value), "a cell holds %s: expected a number", text)
        kind = ""
        if _INDEX.fullmatch(style) and int(style) < len(self._formats):
            kind = self._formats[int(style)]
        if not kind or not -1e6 < value < 3e6:
            return value
        since = timedelta(seconds=round(value * _SECONDS_A_DAY, 3))
        if kind == "duration":
            return since
        moment = self._first_day + since
        if 0 <= value < 1:
            return moment.time()
        return moment.date() if moment.time() == time() else moment


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _kind_of_format(number: str, code: str | None) -> str:
    if code is None:
        if number == "46":
            return "duration"
        return "date" if number.isdecimal() and int(number[:4]) in _DATES else ""
    plain = _NOT_PARTS.sub("", code.partition(";")[0])
    if _DURATION.search(plain):
        return "duration"
    return "date" if set(plain.lower()) & set("dmyhs") and "general" not in plain.lower() else ""


def rows_of(sheet: Sheet) -> Iterator[tuple[int, list[Any]]]:
    """The (number, cells) of each row, all as wide as the widest."""
    width = 1 + max((max(cells) for _, cells in sheet), default=-1)
    for number, cells in sheet:
        yield number, [cells.get(column) for column in range(width)]
