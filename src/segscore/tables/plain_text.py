"""Tables as text, for a terminal of any width.

Numbers are never broken, and every line keeps to the width. If a screen is too narrow, a table
gives up, in this order:

1. Nothing: the table fits, its headings and long texts wrapped if need be.
2. Decimals beyond the third.
3. The least important columns (those with a `drop_order`, equal orders together); a note names them
   and how to see them.
4. The place of intervals: they move below their values.
5. Its width: it is divided into blocks of columns, each with the names in front.

Only if not even two columns fit side by side does each row become a paragraph, and then nothing is
left out. (Rich's own tables neither drop columns nor keep numbers whole, and take five times as
long.)
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from segscore.errors import visible
from segscore.tables.view import FOR_PEOPLE, ShownCell, View, shown_column, view_of

if TYPE_CHECKING:
    from segscore.tables.table import Table

# ---- lines of a given width ----

RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ˒"
_SUPERSCRIPTS = dict(zip("0123456789abcdefghijklmnoprstuvwxyz,", RAISED, strict=True))
_NARROW = re.compile(rf"[\x00-\x7f─±…–—→×≤≥{RAISED}]*")  # most of what tables hold: a column each

# Where a text may be broken: after words (a raised number is no word of its own); in a word that is
# longer than a line after a field of a signature, else after punctuation, else anywhere.
_WORDS = re.compile(rf"(?:[{RAISED}]+ )?[^ ]* ?")
_PUNCTUATION = re.compile(r"[^ ,;:=_/(-]*[,;:=_/(-]+ ?|[^ ,;:=_/(-]+ ?| ")
_PIECES = (_WORDS, re.compile(r"[^|]*\||[^|]+"), _PUNCTUATION, re.compile(rf".[{RAISED} ]*"))


def length(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if _NARROW.fullmatch(text):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text.

    >>> wrapped("¹ pk|k:auto|rounding:half-even|min_k:1", 20)
    ['¹ pk|k:auto|', 'rounding:half-even|', 'min_k:1']
    """
    if length(text) <= width:
        return [text.rstrip(" ")]
    width = max(width, 2)  # a wide letter must fit
    lines = [""]
    for piece in _pieces(text, width):
        if lines[-1] and length(lines[-1] + piece.rstrip(" ")) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip(" ") for line in lines]


def _pieces(text: str, width: int, level: int = 0) -> Iterator[str]:
    if level == len(_PIECES) or length(text.rstrip(" ")) <= width:
        yield text
        return
    for piece in filter(None, _PIECES[level].findall(text)):
        yield from _pieces(piece, width, level + 1)


def _longest(text: str, pieces: re.Pattern[str]) -> int:
    """The width of a column that has room for the longest of these pieces."""
    longest = max((length(piece.rstrip(" ")) for piece in pieces.findall(text)), default=0)
    return longest + len(_GAP)


# ---- a layout that fits ----

_GAP = "  "
_NARROW_TEXT = 12  # columns of text are no narrower
_DIGITS = 3
_UNLIMITED = 1_000_000  # where no width is given

Line = list[tuple[str, bool]]  # pieces of text, and whether they are bold
Word = tuple[str, str, str, bool]
"""A cell as text: its value, what follows it (error, marks), what is below it, and whether it is
bold."""


def as_text(lines: Iterable[Line]) -> str:
    """The lines without colours; each ends where its text ends."""
    return "\n".join("".join(piece for piece, _ in line).rstrip() for line in lines)


def table_lines(attempts: Iterable[tuple[View, bool]], width: int | None = None) -> Iterator[Line]:
    """A table line by line, laid out in the first way that fits (`attempts`)."""
    width = width or _UNLIMITED
    room = width + len(_GAP)  # a gap follows each column, also the last one
    tried = []
    for view, below in attempts:
        rows = [[_word(cell, below) for cell in row] for row in (view.header, *view.rows)]
        rows[0] = [(text + after, "", "", True) for text, after, _, _ in rows[0]]
        tried.append((view, rows))
        natural = list(map(_width, zip(*rows, strict=True)))
        whole, least = natural, natural
        if sum(natural) > room:
            whole, least = _narrower(view, rows)
        for narrow in (whole, least):
            if sum(narrow) <= room:
                for _ in range(sum(natural) - room):  # the widest ones give way
                    free = [full * (full > low) for full, low in zip(natural, narrow, strict=True)]
                    natural[free.index(max(free))] -= 1
                return _framed(view, rows, [[*range(len(natural))]], natural, width)
    blocks: list[list[int]] = []
    for i in range(1, len(least)):
        if not blocks or sum(least[j] for j in (*blocks[-1], i)) > room:
            blocks.append([0])
        blocks[-1].append(i)
    if all(sum(least[j] for j in block) <= room for block in blocks):
        return _framed(view, rows, blocks, least, width)
    return _framed(*tried[0], [], [], width)


def attempts(table: "Table") -> Iterator[tuple[View, bool]]:
    """What is tried, from the whole table to the least of it, and whether intervals are below."""
    yield table.view, False
    rounded = []
    for column, cells in zip(table.columns, table.cells, strict=True):
        if column.audience in FOR_PEOPLE:
            few = column.digits is not None and column.digits <= _DIGITS
            shorter = column if few else column.with_digits(_DIGITS, cells)
            rounded.append((column, shown_column(shorter, cells)))
    orders = {column.drop_order for column, _ in rounded if column.drop_order is not None}
    view = table.view
    for last in (-1, *sorted(orders)):
        kept, hidden = [], []
        for column, shown in rounded:
            if column.drop_order is None or column.drop_order > last:
                kept.append(shown)
            else:
                hidden.append(column.name)
        note = [f"Hidden at this width: {', '.join(dict.fromkeys(hidden))}."] if hidden else []
        view = view_of(table, kept, [*table.footnotes, *note])
        yield view, False
    yield view, True


def _word(cell: ShownCell, below: bool) -> Word:
    """A cell as text, its interval behind the value or below it."""
    marks = ",".join(filter(None, (visible(cell.marks), cell.notes)))
    after = ("*" if cell.best else "") + superscript(marks)
    if below and cell.interval:
        return visible(cell.text), cell.error + after, cell.interval.strip(), cell.best
    return visible(cell.text), cell.error + cell.interval + after, "", cell.best


def superscript(text: str) -> str:
    """A text raised, if Unicode has all its letters that way; else after a ^."""
    if not all(sign in _SUPERSCRIPTS for sign in text):
        return "^" + text
    return "".join(_SUPERSCRIPTS[sign] for sign in text)


def _width(words: Iterable[Word]) -> int:
    """The natural width of a column and the gap after it: numbers are aligned, and what follows
    them after them."""
    (head, *_), *body = words
    text, after, below, _ = zip(*body, strict=True) if body else [[""]] * 4
    body_width = max(map(length, text)) + max(map(length, after))
    return max(length(head), body_width, *map(length, below), 1) + len(_GAP)


def _narrower(view: View, rows: list[list[Word]]) -> tuple[list[int], list[int]]:
    """The widths of each column at which names are broken only after punctuation, and the least
    ones; numbers and drawings are never broken."""
    whole, least = [], []
    for i, ((head, *_), *words) in enumerate(zip(*rows, strict=True)):
        part = narrow = body = _width([("", "", "", True), *words])
        if not (view.numeric[i] or any(row[i].drawing for row in view.rows)):
            pieces = (_longest(text + after, _PUNCTUATION) for text, after, *_ in words)
            part = max(pieces, default=0)
            marks = max((length(after) for _, after, *_ in words), default=0)
            narrow = min(body, _NARROW_TEXT + marks + len(_GAP))
        whole.append(max(_longest(head, _PUNCTUATION), narrow, min(part, body)))
        least.append(max(_longest(head, _WORDS), narrow))
    return whole, least


# ---- lines ----


def _framed(
    view: View, rows: list[list[Word]], blocks: list[list[int]], widths: list[int], width: int
) -> Iterator[Line]:
    """A table with what stands above and below it: columns side by side, or, without blocks, a
    paragraph per row."""
    for sentence, bold in ((view.title or "", True), *((each, False) for each in view.lead)):
        if sentence:
            yield from ([(line, bold)] for line in wrapped(visible(sentence), width))
    if view.lead and view.rows:
        yield []
    total, first = width, True
    for block in blocks if view.header else []:
        if not first:
            yield []
        first, total = False, sum(widths[i] for i in block) - len(_GAP)
        columns = [([r[i] for r in rows], widths[i] - len(_GAP), view.numeric[i]) for i in block]
        yield from _side_by_side(columns, total)
    for row in [] if blocks else rows[1:]:
        if not first:
            yield []
        first = False
        for (heading, *_), (text, after, _, bold) in zip(rows[0], row, strict=True):
            lines = wrapped(f"{heading}: {text}{after}", width)
            yield from ([(line, bold)] for line in lines)
    any_best = any(cell.best for row in view.rows for cell in row)
    numbered = [f"{superscript(number)} {visible(note)}".lstrip() for number, note in view.notes]
    notes = [*["* best in its column"] * any_best, *numbered, *map(visible, view.warnings)]
    if notes:
        yield [("─" * min(total, width), False)]
    for note in notes:
        yield from ([(line, False)] for line in wrapped(note, width))


def _side_by_side(
    columns: Sequence[tuple[Sequence[Word], int, bool]], total: int
) -> Iterator[Line]:
    """The header, a rule, and rows of as many lines as their tallest cells have; numbers are
    aligned at their last digit, with what follows after them."""
    cells = []
    for words, width, right in columns:
        tail = max(length(after) for _, after, _, _ in words)
        column: list[list[tuple[str, bool]]] = []
        for text, after, below, bold in words:
            if right and column and length(text) + tail <= width:
                lines = [text + after + " " * (tail - length(after))]
            else:
                lines = wrapped(text + after, width)
            blanks = [" " * (width - length(line)) for line in lines]
            pairs = zip(blanks, lines, strict=True)
            made = [blank + line if right else line + blank for blank, line in pairs]
            column.append([(line, bold) for line in (*made, *[below.rjust(width)] * bool(below))])
        cells.append(column)
    widths = [width for _, width, _ in columns]
    for number, row in enumerate(zip(*cells, strict=True)):
        for parts in zip_longest(*row):
            line: Line = []
            for part, width in zip(parts, widths, strict=True):
                line += [(" " * width, False) if part is None else part, (_GAP, False)]
            yield line[:-1]
        if not number:
            yield [("─" * total, False)]
