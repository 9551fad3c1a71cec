"""Tables as text, for a terminal of any width.

If the table fits, it stands in columns. If not, long text and headings wrap (numbers never do). If
that is not enough, each row becomes a paragraph of its own, a line per column: nothing is cut off.
"""

import io
from collections.abc import Iterator
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from segscore.errors import visible
from segscore.tables.view import ShownCell, View

_GAP = "  "
_NARROW_TEXT = 12  # text columns do not wrap below this; nor do headings below the next
_NARROW_HEADING = 8
_UNLIMITED = 1_000_000
_WRAPPER = Console(file=io.StringIO(), width=_UNLIMITED)  # Rich wants one to break lines

Line = list[tuple[str, bool]]  # pieces of text, and whether they are bold

_SUPERSCRIPTS = dict(
    zip("0123456789abcdefghijklmnoprstuvwxyz,", "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ˒", strict=True)
)


class _Word(NamedTuple):
    """A cell as text: its value, what follows it (error, marks), and whether it is bold."""

    text: str
    after: str
    bold: bool


def plain(view: View, width: int | None) -> str:
    """The table without colours; lines end where their text ends."""
    made = ("".join(piece for piece, _ in line) for line in lines(view, width or _UNLIMITED))
    return "\n".join(line.rstrip() for line in made)


def rich_lines(view: View, width: int) -> Iterator[Text]:
    """The table for a Rich console, with the best values in bold."""
    for line in lines(view, width):
        pieces = [(piece, "bold" if bold else "") for piece, bold in line]
        yield Text.assemble(*pieces, no_wrap=True, overflow="ignore")


def lines(view: View, width: int) -> Iterator[Line]:
    """The table, line by line."""
    header = [_word(cell) for cell in view.header]
    rows = [[_word(cell) for cell in row] for row in view.rows]
    if view.title:
        yield from ([(line, True)] for line in _wrapped(visible(view.title), width))
    widths = _widths(header, rows, view.numeric, width)
    if widths is None:
        yield from _stacked(header, rows, width)
        total = width
    else:
        yield from _columns(header, rows, view.numeric, widths)
        total = sum(widths) + len(_GAP) * (len(widths) - 1)
    if view.any_best or view.notes:
        yield [("─" * total, False)]
    notes = [f"{_superscript(number)} {visible(note)}".lstrip() for number, note in view.notes]
    for note in (["* best in its column"] if view.any_best else []) + notes:
        yield from ([(line, False)] for line in _wrapped(note, width))


def _word(cell: ShownCell) -> _Word:
    above = ",".join(filter(None, (visible(cell.marks), cell.notes)))
    after = cell.extra + "*" * cell.best + _superscript(above)
    return _Word(visible(cell.text), after, cell.best)


def _superscript(text: str) -> str:
    """Raised, as far as Unicode has the letters; else after a ^."""
    if not text:
        return ""
    if all(sign in _SUPERSCRIPTS for sign in text):
        return "".join(_SUPERSCRIPTS[sign] for sign in text)
    return "^" + text


# ---- in columns ----


def _widths(
    header: list[_Word], rows: list[list[_Word]], numeric: list[bool], width: int
) -> list[int] | None:
    """The width of each column, or None if they do not fit side by side."""
    natural, least = [], []
    for i, heading in enumerate(header):
        text = max((_length(row[i].text) for row in rows), default=0)
        after = max((_length(row[i].after) for row in rows), default=0)
        head = _length(heading.text + heading.after)
        body = text + after
        natural.append(max(head, body, 1))
        narrow_head = min(head, _NARROW_HEADING)
        least.append(max(narrow_head, body if numeric[i] else min(body, _NARROW_TEXT), 1))
    room = width - len(_GAP) * (len(header) - 1)
    if sum(least) > room:
        return None
    return _share(natural, least, room)


def _share(natural: list[int], least: list[int], room: int) -> list[int]:
    """Give each column its natural width; where room is short, cut the widest ones first."""

    def cut(most: int) -> list[int]:
        return [max(low, min(full, most)) for full, low in zip(natural, least, strict=True)]

    below, above = 0, max(natural, default=0)  # the largest `most` that fits
    while below < above:
        middle = (below + above + 1) // 2
        below, above = (middle, above) if sum(cut(middle)) <= room else (below, middle - 1)
    return cut(below)


def _columns(
    header: list[_Word], rows: list[list[_Word]], numeric: list[bool], widths: list[int]
) -> Iterator[Line]:
    tails = [max((_length(row[i].after) for row in rows), default=0) for i in range(len(header))]
    headings = [_Word(word.text + word.after, "", True) for word in header]
    yield from _side_by_side(headings, widths, numeric, [0] * len(header))
    yield [("─" * (sum(widths) + len(_GAP) * (len(widths) - 1)), False)]
    for row in rows:
        yield from _side_by_side(row, widths, numeric, tails)


def _side_by_side(
    row: list[_Word], widths: list[int], numeric: list[bool], tails: list[int]
) -> Iterator[Line]:
    """The lines of one row: as many as its tallest cell has."""
    cells = [_in_column(*cell) for cell in zip(row, widths, numeric, tails, strict=True)]
    for i in range(max(map(len, cells), default=0)):
        line: Line = []
        for cell, word, width in zip(cells, row, widths, strict=True):
            line += [(cell[i] if i < len(cell) else " " * width, word.bold), (_GAP, False)]
        yield line[:-1]


def _in_column(word: _Word, width: int, right: bool, tail: int) -> list[str]:
    """The lines of one cell; numbers are aligned at their last digit, what follows stands after."""
    if right and _length(word.text) + tail <= width:
        before = " " * (width - tail - _length(word.text))
        return [before + word.text + _padded(word.after, tail)]
    made = _wrapped(word.text + word.after, width)
    if right:
        return [" " * (width - _length(line)) + line for line in made]
    return [_padded(line, width) for line in made]


def _length(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return len(text) if text.isascii() else cell_len(text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _length(text))


# ---- a row at a time ----


def _stacked(header: list[_Word], rows: list[list[_Word]], width: int) -> Iterator[Line]:
    for number, row in enumerate(rows):
        if number:
            yield []
        for heading, word in zip(header, row, strict=True):
            line = f"{heading.text}{heading.after}: {word.text}{word.after}"
            yield from ([(part, word.bold)] for part in _wrapped(line, width))


def _wrapped(text: str, width: int) -> list[str]:
    """Broken between words, and inside one only if it is longer than a line."""
    if _length(text) <= width:
        return [text]
    narrowest = max(width, 2)  # a wide letter must fit
    made = Text(text).wrap(_WRAPPER, narrowest, overflow="fold")
    return [line.plain.rstrip() for line in made]
