"""Small pieces of HTML. Everything that comes from data goes through `text` or `name`."""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from segscore.errors import visible
from segscore.tables.wording import Wording

NOTHING = "–"
LONGEST_NAME = 80


def text(value: object) -> str:
    """Text with nothing in it that a browser would act on."""
    return escape(visible(str(value)))


def name(value: object, most: int = LONGEST_NAME) -> str:
    """A name that cannot change the text direction around it; long names lose their middle.

    >>> name("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    """
    whole = str(value)
    if len(whole) > most:
        whole = f"{whole[: most - most // 3 - 1]}…{whole[-(most // 3) :]}"
    return f"<bdi>{text(whole)}</bdi>"


def strong(value: object) -> str:
    """A name in bold."""
    return f"<b>{name(value)}</b>"


def names(given: Iterable[object]) -> str:
    """Names in a sentence: a, b and c."""
    listed = [name(value) for value in given]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"


def number(value: float | None, digits: int = 3) -> str:
    """A number as people read it; a dash where there is none.

    >>> number(0.12345), number(float("nan")), number(-0.0001)
    ('0.123', '–', '0.000')
    """
    if value is None or math.isnan(value):
        return NOTHING
    shown = f"{value:.{digits}f}"
    return shown.removeprefix("-") if float(shown) == 0 else shown.replace("-", "−")


def interval(low: float, high: float, digits: int = 3) -> str:
    """The ends of an interval, or nothing."""
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"[{number(low, digits)}, {number(high, digits)}]"


IN_HTML = Wording(text, name, strong, number, interval)  # for sentences that others make


def link(document: str, label: str, **more: object) -> str:
    """A link to a document of this page, or to a place in it."""
    where = urlencode({"document": document, **more}, quote_via=quote)
    return f'<a href="#{escape(where)}">{label}</a>'


def scale_over(numbers: Iterable[float]) -> tuple[float, float]:
    """The ends of a scale that holds all these numbers."""
    known = [value for value in numbers if not math.isnan(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    room = (high - low or 1.0) * 0.04
    return low - room, high + room


def bar(scale: tuple[float, float], value: float, low: float, high: float, kind: str) -> str:
    """A point with its interval as a small picture; the numbers are beside it."""
    if math.isnan(value):
        return ""
    start, end = scale
    at, left, right = (100 * ((point - start) / (end - start)) for point in (value, low, high))
    line = ""
    if not math.isnan(left + right):
        line = f'<line x1="{left:.1f}" x2="{right:.1f}" y1="6" y2="6"/>'
    return (
        f'<svg class="bar {kind}" viewBox="0 0 100 12" aria-hidden="true" focusable="false">'
        f'{line}<circle cx="{at:.1f}" cy="6" r="3"/></svg>'
    )


class HeadCell(NamedTuple):
    """The heading of a column: its text as HTML, whether it holds numbers, which values come first;
    and which row of the documents the column is about (`Subject.about`)."""

    label: str
    numeric: bool = False
    first: str = "ascending"  # what the first click sorts by: the worst on top
    about: str = ""


class BodyCell(NamedTuple):
    """A cell: HTML, the value to sort by, a class, and which rows of the documents it is about
    (`Subject.about`). The first cell says it for the whole row of the table."""

    html: str
    value: float | str | None = None
    look: str = ""
    about: str = ""


def cell_with_interval(value: float, low: float, high: float) -> BodyCell:
    """A number with the ends of its interval."""
    ends = f'<span class="interval">{interval(low, high)}</span>'
    return BodyCell(f"{number(value)} {ends}", value)


def _about(rows: str) -> str:
    return f' data-rows="{rows}"' if rows else ""


def table(
    caption: str,
    headings: Sequence[HeadCell],
    rows: Iterable[Sequence[BodyCell]],
    look: str = "",
    sortable: bool = True,
) -> str:
    """A table that the script makes sortable; the first cell of each row is its heading."""
    head = "".join(
        f'<th scope="col"{_look("num" if heading.numeric else "")}{_about(heading.about)}'
        f'{f""" data-first="{heading.first}" """.rstrip() if sortable else ""}>{heading.label}</th>'
        for heading in headings
    )
    body = "".join(
        f"<tr{_about(row[0].about)}>"
        + "".join(_cell(cell, headings[i].numeric, i == 0) for i, cell in enumerate(row))
        + "</tr>\n"
        for row in rows
    )
    mark = " data-sortable" if sortable else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">'
        f"<table{_look(look)}{mark}><caption>{caption}</caption>"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n"
    )


def _cell(entry: BodyCell, numeric: bool, first: bool) -> str:
    value = "" if entry.value is None else f' data-value="{_sorted_by(entry.value)}"'
    look = _look(" ".join(filter(None, ("num" if numeric else "", entry.look))))
    tag, scope = ("th", ' scope="row"') if first else ("td", "")
    about = "" if first else _about(entry.about)
    return f"<{tag}{scope}{look}{value}{about}>{entry.html}</{tag}>"


def _sorted_by(value: float | str) -> str:
    if isinstance(value, str):
        return text(value)
    return "" if math.isnan(value) else f"{value:.10g}"


def _look(names_: str) -> str:
    return f' class="{names_}"' if names_ else ""


def notes(sentences: Iterable[str], look: str = "notes") -> str:
    """A list of remarks, which are text, not HTML; empty if there are none."""
    items = "".join(f"<li>{text(sentence)}</li>" for sentence in sentences)
    return f'<ul class="{look}">{items}</ul>\n' if items else ""


def more(summary: str, inside: str) -> str:
    """Details that a reader can open; the script opens them for printing."""
    return f"<details><summary>{summary}</summary>\n{inside}</details>\n"


UNTICKED = '<p class="small hidden-note" role="status" hidden></p>\n'  # the script says what


def plain(value: Any) -> Any:
    """A number for JSON, rounded to the digits that a reader needs; None for NaN.

    >>> plain(1 / 3), plain(float("nan"))
    (0.333333, None)
    """
    known = float(value)
    return None if math.isnan(known) else float(f"{known:.6g}")
