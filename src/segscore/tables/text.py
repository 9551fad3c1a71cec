"""Tables as text, for a terminal of any width.

`segscore.tables.fitting` says what is given up where a screen is too narrow; numbers are never
broken, and every line keeps to the width.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from segscore.errors import visible
from segscore.tables.fitting import GAP, Layout, layout, natural_layout
from segscore.tables.view import View
from segscore.tables.words import Word, superscript, word_of
from segscore.tables.wrapping import length, wrapped

if TYPE_CHECKING:
    from segscore.tables.table import Table

_UNLIMITED = 1_000_000

Line = list[tuple[str, bool]]  # pieces of text, and whether they are bold


def plain(table: "Table", width: int | None) -> str:
    """The table without colours; lines end where their text ends."""
    return _joined(lines(layout(table, width or _UNLIMITED), width or _UNLIMITED))


def plain_view(view: View) -> str:
    """A view at its natural width."""
    return _joined(lines(natural_layout(view), _UNLIMITED))


def _joined(found: Iterator[Line]) -> str:
    return "\n".join("".join(piece for piece, _ in line).rstrip() for line in found)


def rich_lines(table: "Table", width: int) -> Iterator[Text]:
    """The table for a Rich console, with the best values in bold."""
    for line in lines(layout(table, width), width):
        pieces = [(piece, "bold" if bold else "") for piece, bold in line]
        yield Text.assemble(*pieces, no_wrap=True, overflow="ignore")


def lines(how: Layout, width: int) -> Iterator[Line]:
    """The table, line by line."""
    view = how.view
    header = [word_of(cell, how.below) for cell in view.header]
    rows = [[word_of(cell, how.below) for cell in row] for row in view.rows]
    if view.title:
        yield from ([(line, True)] for line in wrapped(visible(view.title), width))
    total = width
    if not how.blocks:
        yield from _stacked(header, rows, width)
    for number, block in enumerate(how.blocks):
        if number:
            yield []
        yield from _columns(header, rows, view.numeric, how.widths, block)
        total = sum(how.widths[i] for i in block) + len(GAP) * (len(block) - 1)
    notes = _notes(view)
    if notes:
        yield [("─" * min(total, width), False)]
    for note in notes:
        yield from ([(line, False)] for line in wrapped(note, width))


def _notes(view: View) -> list[str]:
    best = ["* best in its column"] if view.any_best else []
    numbered = [f"{superscript(number)} {visible(note)}".lstrip() for number, note in view.notes]
    return [*best, *numbered, *map(visible, view.warnings)]


# ---- in columns ----


def _columns(
    header: list[Word],
    rows: list[list[Word]],
    numeric: list[bool],
    widths: list[int],
    block: list[int],
) -> Iterator[Line]:
    """Some of the columns, side by side."""
    tails = [max((length(row[i].after) for row in rows), default=0) for i in block]
    sizes, right = [widths[i] for i in block], [numeric[i] for i in block]
    headings = [Word(header[i].whole, "", "", True) for i in block]
    yield from _side_by_side(headings, sizes, right, [0] * len(block))
    yield [("─" * (sum(sizes) + len(GAP) * (len(sizes) - 1)), False)]
    for row in rows:
        yield from _side_by_side([row[i] for i in block], sizes, right, tails)


def _side_by_side(
    row: list[Word], widths: list[int], numeric: list[bool], tails: list[int]
) -> Iterator[Line]:
    """The lines of one row: as many as its tallest cell has."""
    cells = [_in_column(*cell) for cell in zip(row, widths, numeric, tails, strict=True)]
    for i in range(max(map(len, cells), default=0)):
        line: Line = []
        for cell, word, width in zip(cells, row, widths, strict=True):
            line += [(cell[i] if i < len(cell) else " " * width, word.bold), (GAP, False)]
        yield line[:-1]


def _in_column(word: Word, width: int, right: bool, tail: int) -> list[str]:
    """The lines of one cell; numbers are aligned at their last digit, what follows stands after."""
    below = [word.below.rjust(width)] if word.below else []
    if right and length(word.text) + tail <= width:
        before = " " * (width - tail - length(word.text))
        return [before + word.text + _padded(word.after, tail), *below]
    found = wrapped(word.whole, width)
    if right:
        return [*(" " * (width - length(line)) + line for line in found), *below]
    return [*(_padded(line, width) for line in found), *below]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - length(text))


# ---- a row at a time ----


def _stacked(header: list[Word], rows: list[list[Word]], width: int) -> Iterator[Line]:
    for number, row in enumerate(rows):
        if number:
            yield []
        for heading, word in zip(header, row, strict=True):
            line = f"{heading.whole}: {word.whole}"
            yield from ([(part, word.bold)] for part in wrapped(line, width))
