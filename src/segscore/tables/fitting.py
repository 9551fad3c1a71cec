"""How a table is made to fit a screen: what is given up, in which order.

1. Nothing: the table fits, its headings and long texts wrapped if need be.
2. Decimals beyond the third.
3. Columns that say least (those with a `drop_order`); a note names them and how to see them.
4. Intervals stand below their values.
5. Names are cut in the middle.
6. The table is cut into blocks of columns, each with the names in front.

Only if not even two columns fit side by side is each row a paragraph, and then nothing is left out.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from segscore.tables.view import Column, ShownCell, ShownColumn, View, has_fractions, shown_column
from segscore.tables.words import word_of
from segscore.tables.wrapping import cut_in_the_middle, length, longest_piece

if TYPE_CHECKING:
    from segscore.tables.table import Table

GAP = "  "
_NARROW_TEXT = 12  # text columns do not wrap below this
_DIGITS = 3
_CUTS = (20, 12, 8)

Measured = dict[tuple[int, bool], tuple[list[ShownCell], int]]


class Layout(NamedTuple):
    """A view, the blocks of columns it is drawn in, and the widths of all columns.

    Without blocks each row is a paragraph.
    """

    view: View
    blocks: list[list[int]]
    widths: list[int]
    below: bool  # intervals stand below their values


class _Sizes(NamedTuple):
    natural: list[int]
    least: list[int]


def layout(table: "Table", width: int) -> Layout:
    """The first way in which the table fits."""
    view, below = table.view, False
    measured: Measured = {}
    for view, below in _attempts(table):  # the last one is used below
        widths = _shared(_sizes(view, below, measured), width)
        if widths is not None:
            return Layout(view, [list(range(len(widths)))] if widths else [], widths, below)
    sizes = _sizes(view, below, measured)
    blocks = _blocks(sizes.least, width)
    if blocks is None:
        return Layout(table.view, [], [], below=False)
    return Layout(view, blocks, sizes.least, below)


def natural_layout(view: View) -> Layout:
    """A view at its natural width."""
    widths = _sizes(view, False, {}).natural
    return Layout(view, [list(range(len(widths)))] if widths else [], widths, below=False)


def _attempts(table: "Table") -> Iterator[tuple[View, bool]]:
    yield table.view, False
    if not table.view.header:
        return
    known = iter(table.shown)
    kept: list[tuple[str, ShownColumn]] = []
    for column, cells in zip(table.columns, table.cells, strict=True):
        if column.audience != "machines":
            fewer, full = _rounded(column, cells), next(known)
            one = full if fewer is column else shown_column(fewer, cells)
            kept.append((column.field, one))
    yield _seen(table, kept, []), False
    order = sorted(
        (one for one in table.columns if one.drop_order is not None and one.audience != "machines"),
        key=lambda one: one.drop_order or 0,
    )
    dropped: list[Column] = []
    for column in order:
        dropped.append(column)
        yield _seen(table, kept, dropped), False
    last = _seen(table, kept, dropped)
    yield last, True
    for most in _CUTS:
        yield _cut(last, most), True


def _rounded(column: Column, cells: list[Any]) -> Column:
    """At most three decimals, where there are more."""
    if column.digits is None and not has_fractions(cells):
        return column
    few = column.digits is not None and column.digits <= _DIGITS
    return column if few else column.with_digits(_DIGITS)


def _seen(table: "Table", columns: list[tuple[str, ShownColumn]], dropped: list[Column]) -> View:
    """What people see of the table without some columns; a note names those."""
    gone = {one.field for one in dropped}
    notes = list(table.footnotes)
    if dropped:
        names = ", ".join(one.name for one in table.columns if one.field in gone)
        notes.append(f"Not shown on this width: {names} (see --width and --show-columns).")
    return table.view_of([one for field, one in columns if field not in gone], notes)


def _cut(view: View, most: int) -> View:
    """The view with long names cut in the middle."""
    columns = [
        cells if right else [_cut_cell(cell, most) for cell in cells]
        for cells, right in zip(view.columns, view.numeric, strict=True)
    ]
    return view._replace(columns=columns)


def _cut_cell(cell: ShownCell, most: int) -> ShownCell:
    if cell.drawing is not None:
        return cell
    return cell._replace(text=cut_in_the_middle(cell.text, most))


def _sizes(view: View, below: bool, measured: Measured) -> _Sizes:
    """The natural and the least width of each column; `measured` keeps those of columns that
    stay as they are from one attempt to the next."""
    natural, least = [], []
    for heading, cells, numeric in zip(view.header, view.columns, view.numeric, strict=True):
        head = word_of(heading, below).whole
        key = (id(cells), below)
        if key not in measured:
            measured[key] = (cells, _body(cells, below))  # the cells live on, so their id is theirs
        body = measured[key][1]
        natural.append(max(length(head), body, 1))
        drawn = any(cell.drawing is not None for cell in cells)
        narrow = body if numeric or drawn else min(body, _NARROW_TEXT)
        least.append(max(longest_piece(head), narrow, 1))
    return _Sizes(natural, least)


def _body(cells: list[ShownCell], below: bool) -> int:
    """The width that cells take in one column."""
    words = [word_of(cell, below) for cell in cells]
    text = max((length(word.text) for word in words), default=0)
    after = max((length(word.after) for word in words), default=0)
    under = max((length(word.below) for word in words), default=0)
    return max(text + after, under)


def _shared(sizes: _Sizes, width: int) -> list[int] | None:
    """Give each column its natural width; where room is short, cut the widest ones first."""
    natural, least = sizes
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
