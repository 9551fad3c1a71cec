"""Boundaries as HTML: a strip for each coding, a mark at each boundary, one strip above the other.

All strips are as wide as their column, whatever the number of units, so that marks at the same
position are aligned. A strip has at most `COLUMNS` marks: in a longer document neighbours share a
mark, and its title gives their number. Titles and names are escaped.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from segscore.errors import visible

COLUMNS = 400
MOST_STRIPS = 30  # of a sheet


class StripMark(NamedTuple):
    """A boundary: where, what its title says, how tall (0 … 1), and its colour."""

    position: int
    title: str
    height: float = 1.0
    colour: str = "currentColor"


# One row of a sheet: the cells before the strip (name, number …), and its boundaries.
Strip = tuple[Sequence[str], Iterable[StripMark]]


def sheet(heading: str, header: Sequence[str], strips: Sequence[Strip], n_units: int) -> str:
    """A heading, and a table with a strip in each row; many rows are folded to the first ones."""
    lines = [f'<div class="segscore"><p>{_text(heading)}</p>']
    if strips:
        lines.append('<table class="segscore" style="width:100%">')
        if any(header):
            names = "".join(f'<th style="text-align:left">{_text(name)}</th>' for name in header)
            lines.append(f"<thead><tr>{names}<th></th></tr></thead>")
        lines += [
            "<tbody>",
            *(_row(*strip, n_units) for strip in strips[:MOST_STRIPS]),
            "</tbody></table>",
        ]
    if len(strips) > MOST_STRIPS:
        lines.append(f"<p>… {len(strips) - MOST_STRIPS} more</p>")
    return "\n".join([*lines, "</div>\n"])


def _row(before: Sequence[str], marks: Iterable[StripMark], n_units: int) -> str:
    cells = "".join(
        f'<td style="text-align:left;white-space:nowrap">{_text(cell)}</td>' for cell in before
    )
    drawn = drawn_strip(marks, n_units)
    return f'<tr>{cells}<td style="width:100%;min-width:20em">{drawn}</td></tr>'


def drawn_strip(marks: Iterable[StripMark], n_units: int) -> str:
    """One strip: a bar with an element at each boundary.

    >>> drawn = drawn_strip([StripMark(2, "a"), StripMark(5, "<b>")], 10)
    >>> drawn.count("<i "), 'left:50.00%' in drawn, "&lt;b&gt;" in drawn
    (2, True, True)
    """
    shared: dict[int, list[StripMark]] = {}
    for mark in marks:
        column = mark.position * COLUMNS // n_units if n_units > COLUMNS else mark.position
        shared.setdefault(column, []).append(mark)
    bar = "position:relative;height:1.2em;background:rgba(128,128,128,.15)"
    return f'<div style="{bar}">{"".join(_mark(ones, n_units) for ones in shared.values())}</div>'


def _mark(marks: list[StripMark], n_units: int) -> str:
    """The mark of a boundary, or of neighbours that share a column; the tallest boundary gives the
    title."""
    tallest = max(marks, key=lambda mark: mark.height)
    title = tallest.title
    if len(marks) > 1:
        title = f"{len(marks)} boundaries, {marks[0].position} … {marks[-1].position}"
    style = (
        f"position:absolute;bottom:0;left:{100 * tallest.position / n_units:.2f}%;"
        f"height:{100 * tallest.height:.0f}%;width:2px;margin-left:-1px;background:{tallest.colour}"
    )
    return f'<i title="{_text(title)}" style="{style}"></i>'


def _text(text: str) -> str:
    return escape(visible(text))
