"""Tables as text, for a terminal of any width: cells as words, a layout that fits, lines.

Numbers are never broken, and every line keeps to the width. If a screen is too narrow, a table
gives up, in this order:

1. Nothing: the table fits, its headings and long texts wrapped if need be.
2. Decimals beyond the third.
3. The least important columns (those with a `drop_order`, equal orders together); a note names them
   and how to see them.
4. The place of intervals: they move below their values.
5. Its width: it is divided into blocks of columns, each with the names in front.

Only if not even two columns fit side by side does each row become a paragraph, and then nothing is
left out.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from segscore.errors import visible
from segscore.tables.view import (
    FOR_PEOPLE,
    Column,
    ShownCell,
    ShownColumn,
    View,
    has_fractions,
    shown_column,
    view_of,
)
from segscore.tables.wrapping import (
    RAISED,
    length,
    longest_part,
    longest_piece,
    wrapped,
)

if TYPE_CHECKING:
    from rich.text import Text

    from segscore.tables.table import Table

# ---- cells as words ----

_SUPERSCRIPTS = dict(zip("0123456789abcdefghijklmnoprstuvwxyz,", RAISED, strict=True))


class Word(NamedTuple):
    """A cell as text: its value, what follows it (error, marks), what is below it, and weight."""

    text: str
    after: str
    below: str
    bold: bool

    @property
    def whole(self) -> str:
        """Value and what follows it."""
        return self.text + self.after


def word_of(cell: ShownCell, below: bool) -> Word:
    """A cell as text, its interval behind the value or below it."""
    after = "*" if cell.best else ""
    if cell.marks or cell.notes:
        after += superscript(",".join(filter(None, (visible(cell.marks), cell.notes))))
    if below and cell.interval:
        return Word(visible(cell.text), cell.error + after, cell.interval.strip(), cell.best)
    return Word(visible(cell.text), cell.error + cell.interval + after, "", cell.best)


def superscript(text: str) -> str:
    """A text raised, if Unicode has all its letters that way; else after a ^."""
    if not text:
        return ""
    if all(sign in _SUPERSCRIPTS for sign in text):
        return "".join(_SUPERSCRIPTS[sign] for sign in text)
    return "^" + text


# ---- a layout that fits ----

GAP = "  "
_NARROW_TEXT = 12  # text columns do not wrap below this
_DIGITS = 3
_UNLIMITED = 1_000_000  # where no width is given

Measured = dict[tuple[int, bool], tuple[list[ShownCell], int, int]]


class TextLayout(NamedTuple):
    """A view, the blocks of columns it is drawn in, and the widths of all columns.

    Without blocks each row is a paragraph.
    """

    view: View
    blocks: list[list[int]]
    widths: list[int]
    width: int  # of the screen
    below: bool = False  # intervals stand below their values


def layout(table: "Table", width: int | None) -> TextLayout:
    """The first way in which the table fits."""
    view, below, width = table.view, False, width or _UNLIMITED
    measured: Measured = {}
    for view, below in _attempts(table):  # the last one is used below
        sizes = _sizes(view, below, measured)
        widths = _shared(sizes.natural, sizes.whole, width)
        if widths is None:
            widths = _shared(sizes.natural, sizes.least, width)
        if widths is not None:
            block = [list(range(len(widths)))] if widths else []
            return TextLayout(view, block, widths, width, below)
    least = _sizes(view, below, measured).least
    blocks = _blocks(least, width)
    if blocks is None:
        return TextLayout(table.view, [], [], width)
    return TextLayout(view, blocks, least, width, below)


def natural_layout(view: View) -> TextLayout:
    """A view at its natural width."""
    widths = _sizes(view, False, {}).natural
    return TextLayout(view, [list(range(len(widths)))] if widths else [], widths, _UNLIMITED)


def _attempts(table: "Table") -> Iterator[tuple[View, bool]]:
    yield table.view, False
    if not table.view.header:
        return
    known = iter(table.shown)
    kept: list[tuple[str, ShownColumn]] = []
    for column, cells in zip(table.columns, table.cells, strict=True):
        if column.audience in FOR_PEOPLE:
            fewer, full = _rounded(column, cells), next(known)
            displayed = full if fewer is column else shown_column(fewer, cells)
            kept.append((column.field, displayed))
    yield _seen(table, kept, []), False
    fewer_columns = [_seen(table, kept, dropped) for dropped in _dropped(table)]
    for view in fewer_columns:
        yield view, False
    last = fewer_columns[-1] if fewer_columns else _seen(table, kept, [])
    yield last, True


def _dropped(table: "Table") -> Iterator[list[Column]]:
    """The columns that are left out, more and more; those of the same order go together."""
    seen = [one for one in table.columns if one.audience in FOR_PEOPLE]
    orders = {one.drop_order for one in seen if one.drop_order is not None}
    for last in sorted(orders):
        yield [one for one in seen if one.drop_order is not None and one.drop_order <= last]


def _rounded(column: Column, cells: list[Any]) -> Column:
    """The column with at most three decimals."""
    if column.digits is None and not has_fractions(cells):
        return column
    few = column.digits is not None and column.digits <= _DIGITS
    return column if few else column.with_digits(_DIGITS)


def _seen(table: "Table", columns: list[tuple[str, ShownColumn]], dropped: list[Column]) -> View:
    """What people see of the table without some columns; a note names those."""
    gone = {column.field for column in dropped}
    notes = list(table.footnotes)
    if dropped:
        names = ", ".join(column.name for column in table.columns if column.field in gone)
        notes.append(f"Hidden at this width: {names}.")
    return view_of(table, [column for field, column in columns if field not in gone], notes)


class Sizes(NamedTuple):
    """The widths that columns could have: the natural ones, those at which no name is broken inside
    a word and headings may break after a hyphen, and the least ones."""

    natural: list[int]
    whole: list[int]
    least: list[int]


def _sizes(view: View, below: bool, measured: Measured) -> Sizes:
    """The widths of each column; `measured` keeps those of columns that do not change from one
    attempt to the next."""
    sizes = Sizes([], [], [])
    for heading, cells, numeric in zip(view.header, view.columns, view.numeric, strict=True):
        head = word_of(heading, below).whole
        key = (id(cells), below)
        if key not in measured:
            # the cells live on, so their id is theirs
            measured[key] = (cells, *_measured(cells, numeric, below))
        _, body, part = measured[key]
        drawn = any(cell.drawing is not None for cell in cells)
        narrow = body if numeric or drawn else min(body, _NARROW_TEXT)
        sizes.natural.append(max(length(head), body, 1))
        sizes.whole.append(max(longest_part(head), narrow, min(part, body), 1))
        sizes.least.append(max(longest_piece(head), narrow, 1))
    return sizes


def _measured(cells: list[ShownCell], numeric: bool, below: bool) -> tuple[int, int]:
    """The width of a column's cells, and of the longest part of a word in them; 0 if numeric."""
    words = [word_of(cell, below) for cell in cells]
    parts = list(zip(*(word[:3] for word in words), strict=True)) or [()] * 3
    text, after, under = (max(map(length, texts), default=0) for texts in parts)
    part = 0 if numeric else max((longest_part(word.text) for word in words), default=0)
    return max(text + after, under), part


def _shared(natural: list[int], least: list[int], width: int) -> list[int] | None:
    """Give each column its natural width; where room is short, cut the widest ones first."""
    room = width - len(GAP) * (len(least) - 1)
    if sum(least) > room:
        return None

    def cut(most: int) -> list[int]:
        return [max(low, min(full, most)) for full, low in zip(natural, least, strict=True)]

    below, above = 0, max(natural, default=0)  # the largest `most` that fits
    while below < above:
        middle = (below + above + 1) // 2
        below, above = (middle, above) if sum(cut(middle)) <= room else (below, middle - 1)
    return cut(below)


def _blocks(least: list[int], width: int) -> list[list[int]] | None:
    """Columns in blocks that fit, the first column in front of each; None if two do not fit."""
    first = least[0]
    blocks: list[list[int]] = []
    room = -1
    for i, size in enumerate(least[1:], 1):
        if first + len(GAP) + size > width:
            return None
        if room < len(GAP) + size:
            blocks.append([0])
            room = width - first
        blocks[-1].append(i)
        room -= len(GAP) + size
    return blocks or None


# ---- lines ----

Line = list[tuple[str, bool]]  # pieces of text, and whether they are bold


def plain(layout: TextLayout) -> str:
    """The table without colours; lines end where their text ends."""
    return "\n".join("".join(piece for piece, _ in line).rstrip() for line in lines(layout))


def rich_lines(table: "Table", width: int) -> Iterator["Text"]:
    """The table for a Rich console, with the best values in bold."""
    from rich.text import Text

    for line in lines(layout(table, width)):
        pieces = [(piece, "bold" if bold else "") for piece, bold in line]
        yield Text.assemble(*pieces, no_wrap=True, overflow="ignore")


def lines(layout: TextLayout) -> Iterator[Line]:
    """The table, line by line."""
    view, blocks, widths, width, below = layout
    header = [word_of(cell, below) for cell in view.header]
    rows = [[word_of(cell, below) for cell in row] for row in zip(*view.columns, strict=True)]
    if view.title:
        yield from ([(line, True)] for line in wrapped(visible(view.title), width))
    for sentence in view.lead:
        yield from ([(line, False)] for line in wrapped(visible(sentence), width))
    if view.lead and rows:
        yield []
    total = width
    if not blocks:
        yield from _stacked(header, rows, width)
    for number, block in enumerate(blocks):
        if number:
            yield []
        yield from _columns(header, rows, view.numeric, widths, block)
        total = sum(widths[i] for i in block) + len(GAP) * (len(block) - 1)
    best = ["* best in its column"] if view.any_best else []
    numbered = [f"{superscript(number)} {visible(note)}".lstrip() for number, note in view.notes]
    notes = [*best, *numbered, *map(visible, view.warnings)]
    if notes:
        yield [("─" * min(total, width), False)]
    for note in notes:
        yield from ([(line, False)] for line in wrapped(note, width))


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
    """The lines of a row: as many as its tallest cell has."""
    cells = [_in_column(*cell) for cell in zip(row, widths, numeric, tails, strict=True)]
    for i in range(max(map(len, cells), default=0)):
        line: Line = []
        for cell, word, width in zip(cells, row, widths, strict=True):
            line += [(cell[i] if i < len(cell) else " " * width, word.bold), (GAP, False)]
        yield line[:-1]


def _in_column(word: Word, width: int, right: bool, tail: int) -> list[str]:
    """The lines of a cell; numbers are aligned at their last digit, with what follows after
    them."""
    below = [word.below.rjust(width)] if word.below else []
    if right and length(word.text) + tail <= width:
        before = " " * (width - tail - length(word.text))
        return [before + word.whole + " " * (tail - length(word.after)), *below]
    found = [(" " * (width - length(line)), line) for line in wrapped(word.whole, width)]
    return [*(blank + line if right else line + blank for blank, line in found), *below]


# ---- a row at a time ----


def _stacked(header: list[Word], rows: list[list[Word]], width: int) -> Iterator[Line]:
    for number, row in enumerate(rows):
        if number:
            yield []
        for heading, word in zip(header, row, strict=True):
            line = f"{heading.whole}: {word.whole}"
            yield from ([(part, word.bold)] for part in wrapped(line, width))
