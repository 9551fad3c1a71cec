"""Sheets for people: a row per unit with its text, a column per coder, x where a segment starts.

    segscore:start | unit | text (x in a row: …) | ann     | bob
    ch1            | 1    | It was a bright day. | (start) | (start)
    ch1            | 2    | Nobody spoke.        |         | x

The first cell says what the marks mean, so that such a sheet is read without an option. The first
unit of each document always starts a segment: its cells hold `(start)`, and need no answer. A
coding without boundaries has 0 in its column, because an empty column was not coded. The kind of a
coder follows the name: `gold [consensus]`. Where the speakers of a text are known, a column
`speaker` stands before the text.

Excel is written with XlsxWriter (`segscore[excel]`), CSV in UTF-8 with a byte order mark, without
which spreadsheets misread it. Texts that begin with =, +, - or @ are texts, not formulas.
"""

import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, needing
from segscore.io.compressed import EXCEL, suffix_of
from segscore.io.files import as_path, replacing
from segscore.io.table_columns import UNANSWERABLE
from segscore.io.table_files import OWN_SHEET, row_text
from segscore.io.workbooks import LONGEST, WIDEST

SPEAKER_HEADER = "speaker"
TEXT_HEADER = "text (x in a row: a new segment starts there)"
MARK, NO_MARK = "x", "0"
_LONGEST_CELL = 32_767  # characters, as Excel has it
_EXPLAINED = (
    "Put an x into your column, in each row where a new segment starts.",
    "The first unit of a document always starts a segment: leave (start) unchanged.",
    "Leave all other cells empty. If a whole document has no boundary, put 0 into its rows.",
    "A column that is empty for a whole document counts as not coded.",
)
_UNWRITABLE = frozenset("\0\ufffe\uffff")
_WRITTEN = datetime(2000, 1, 1)  # so that the same sheet is the same file


class SheetDocument(NamedTuple):
    """A document of a sheet: its name, its units (or their number, if no text is known), its
    existing codings, by coder, and the speaker of each unit, if known."""

    name: str
    units: Sequence[str] | int
    codings: Mapping[str, Segmentation] = {}
    speakers: Sequence[str | None] | None = None

    @property
    def n_units(self) -> int:
        """The number of rows that it takes."""
        return self.units if isinstance(self.units, int) else len(self.units)


def save_sheet(
    documents: Iterable[SheetDocument],
    coders: Sequence[str],
    path: str | os.PathLike[str],
    *,
    guidelines: str | None = None,
) -> None:
    """Write a sheet: Excel if the suffix says so, else CSV.

    coders: the headers of the columns, in their order; `guidelines` go onto a second sheet.
    """
    kept = list(documents)
    spoken = any(document.speakers is not None for document in kept)
    beside = [SPEAKER_HEADER, TEXT_HEADER] if spoken else [TEXT_HEADER]
    header = [OWN_SHEET, "unit", *beside, *coders]
    if suffix_of(as_path(path)) in EXCEL:
        _save_workbook(header, kept, coders, path, guidelines)
        return
    if guidelines is not None:
        raise SegmentationError(
            f"{path}: guidelines are given, and CSV has one sheet: expected a file .xlsx"
        )
    with replacing(path) as stream:
        stream.write("\ufeff" + row_text(header))
        for document in kept:
            stream.writelines(map(row_text, _rows(document, coders, spoken)))


def _rows(document: SheetDocument, coders: Sequence[str], spoken: bool) -> Iterator[list[Any]]:
    """A row per unit; `spoken`: with a cell for the speaker."""
    columns = [_column(document.codings.get(coder), document.n_units) for coder in coders]
    texts = [""] * document.units if isinstance(document.units, int) else document.units
    for index, text in enumerate(texts):
        speaker = (
            [(document.speakers[index] if document.speakers else None) or ""] if spoken else []
        )
        yield [document.name, index + 1, *speaker, text, *(column[index] for column in columns)]


def _column(coding: Segmentation | None, n_units: int) -> list[str]:
    """The cells of a coder's column for a document; empty if the coder did not code it."""
    blank = NO_MARK if coding is not None and coding.n_segments == 1 else ""
    cells = [blank or UNANSWERABLE, *[blank] * (n_units - 1)]
    for position in () if coding is None else coding.boundaries.tolist():
        cells[position] = MARK
    return cells


def _save_workbook(
    header: list[str],
    documents: list[SheetDocument],
    coders: Sequence[str],
    path: str | os.PathLike[str],
    guidelines: str | None,
) -> None:
    with needing("excel", f"{path}: writing Excel (CSV works without it)"):
        import xlsxwriter
    n_rows = sum(document.n_units for document in documents) + 1
    if n_rows > LONGEST or len(header) > WIDEST:
        raise SegmentationError(
            f"{path}: {n_rows:,} rows and {len(header):,} columns: expected at most {LONGEST:,} "
            f"and {WIDEST:,}, as Excel has them; CSV may have more"
        )
    kept = io.BytesIO()
    book = xlsxwriter.Workbook(kept, {"in_memory": True})
    book.set_properties({"created": _WRITTEN})
    sheet = book.add_worksheet("segments")
    _fill(sheet, book, header, documents, coders, path)
    about = book.add_worksheet("guidelines")
    about.set_column(0, 0, 100, book.add_format({"text_wrap": True, "valign": "top"}))
    for number, line in enumerate((*_EXPLAINED, "", *(guidelines or "").splitlines())):
        about.write_string(number, 0, line[:_LONGEST_CELL])
    book.close()
    with replacing(path) as stream:
        stream.buffer.write(kept.getvalue())


def _fill(
    sheet: Any,
    book: Any,
    header: list[str],
    documents: list[SheetDocument],
    coders: Sequence[str],
    path: str | os.PathLike[str],
) -> None:
    """The rows of the sheet; each document begins with a line above it."""
    plain = {"valign": "top", "text_wrap": True}
    looks = {
        "head": book.add_format({**plain, "bold": True, "bottom": 1, "bg_color": "#E8EDF2"}),
        "text": book.add_format(plain),
        "mark": book.add_format({"valign": "top", "align": "center"}),
        "first text": book.add_format({**plain, "top": 2}),
        "first mark": book.add_format(
            {"valign": "top", "align": "center", "top": 2, "font_color": "#808080",
             "bg_color": "#E0E0E0"}
        ),
    }  # fmt: skip
    sheet.freeze_panes(1, 0)
    spoken = header[2] == SPEAKER_HEADER
    text_at = 3 if spoken else 2
    widths = ((0, 0, 16), (1, 1, 6), (2, 2, 16), (text_at, text_at, 80))
    for first, last, width in (*widths, (text_at + 1, len(header), 12)):
        sheet.set_column(first, last, width)
    for column, name in enumerate(header):
        sheet.write_string(0, column, _fitting(name, path), looks["head"])
    number = 0
    for document in documents:
        for index, cells in enumerate(_rows(document, coders, spoken)):
            number += 1
            which = "" if index else "first "
            look = looks[f"{which}text"]
            for place, cell in enumerate(cells):
                if place > text_at:
                    _write_mark(sheet, number, place, cell, looks[f"{which}mark"])
                elif isinstance(cell, int):
                    sheet.write_number(number, place, cell, look)
                else:
                    sheet.write_string(number, place, _fitting(cell, path), look)


def _write_mark(sheet: Any, row: int, column: int, mark: str, look: Any) -> None:
    if mark:
        sheet.write_string(row, column, mark, look)
    else:
        sheet.write_blank(row, column, None, look)


def _fitting(text: str, path: str | os.PathLike[str]) -> str:
    """A text that Excel can hold."""
    if set(text) & _UNWRITABLE:
        raise SegmentationError(
            f"{path}: {text[:40]!r} holds NUL, U+FFFE or U+FFFF: expected text that XML can hold"
        )
    if len(text) > _LONGEST_CELL:
        raise SegmentationError(
            f"{path}: a text of {len(text):,} characters, {text[:40]!r}…: expected at most "
            f"{_LONGEST_CELL:,} in a cell of Excel; CSV may have more"
        )
    return text
