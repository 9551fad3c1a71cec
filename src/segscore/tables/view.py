"""Cells and columns, and what people see of them: rounded numbers, the best marked, footnotes."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, Literal, NamedTuple

import numpy as np

_DIGITS = 4  # decimals of a float whose column does not say
_UNDEFINED = "–"  # how people see NaN


@dataclass(frozen=True)
class Drawing:
    """A picture of characters (a map of boundaries, a tree), whose blanks count.

    `html`, if given, makes the same picture as markup, already escaped. A table with drawings has
    another one `for_machines`, which holds the numbers.
    """

    text: str
    html: Callable[[], str] | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Cell:
    """A value with what belongs to it.

    `error` stands after ±, `low` and `high` are an interval, `marks` are superscript letters (say,
    of the systems that this one beats), `note` becomes a numbered footnote. A value that is not
    `ranked` (a baseline beside systems) is never marked as the best. `latex` replaces the text of
    the value in LaTeX; it is code and is not escaped.
    """

    value: Any
    error: float | None = None
    low: float | None = None
    high: float | None = None
    marks: str = ""
    note: str | None = None
    ranked: bool = True
    latex: str | None = None


@dataclass(frozen=True)
class Column:
    """How the values of a column are shown, and which of them is best.

    `digits` are decimals (by default four for floats, none for integers); `form`, a function from
    a number to text, replaces them. `key` is the field's name in CSV and JSON (default: `name`),
    `error` says what stands after ± there ("sd", "se"). `note` becomes a numbered footnote.
    `audience` keeps a column from the machines' or from the people's formats. `latex` is the
    heading in LaTeX, as code. A `share` lies between 0 and 1 and may be shown in percent. On a
    screen that is too narrow columns with a `drop_order` are left out, the lowest first.
    """

    name: str
    better: Literal["higher", "lower"] | None = None
    digits: int | None = None
    key: str | None = None
    error: str = "error"
    note: str | None = None
    form: Callable[[Any], str] | None = None
    audience: Literal["all", "people", "machines"] = "all"
    latex: str | None = None
    share: bool = False
    drop_order: int | None = None
    percent: bool = False

    def with_digits(self, digits: int) -> "Column":
        """The same with so many decimals; a column with a form of its own keeps it."""
        return self if self.form is not None else replace(self, digits=digits)

    @property
    def field(self) -> str:
        """The name of the field in CSV and JSON."""
        return self.name if self.key is None else self.key

    def number(self, value: Any) -> str:
        """One value as people see it."""
        if value is None:
            return ""
        if isinstance(value, bool | np.bool_):
            return "yes" if value else "no"
        if not isinstance(value, Real):
            return str(value)
        if math.isnan(value):
            return _UNDEFINED
        if self.form is not None:
            return self.form(value)
        if self.digits is None and isinstance(value, Integral):
            return str(int(value))
        digits = _DIGITS if self.digits is None else self.digits
        shown = float(value)
        if self.percent:
            shown, digits = 100 * shown, max(0, digits - 2)
        return f"{round(shown, digits) + 0.0:.{digits}f}"  # + 0.0: no "-0.000"


class ShownCell(NamedTuple):
    """A cell as people see it, not yet escaped: its value, then its error and interval."""

    text: str
    error: str = ""
    interval: str = ""
    best: bool = False
    marks: str = ""
    notes: str = ""
    latex: str | None = None
    drawing: Drawing | None = None

    @property
    def extra(self) -> str:
        """What follows the value in the same line."""
        return self.error + self.interval


class View(NamedTuple):
    """A table as people see it, not yet escaped: what each of their formats starts from."""

    title: str | None
    header: list[ShownCell]
    rows: list[list[ShownCell]]
    numeric: list[bool]
    notes: list[tuple[str, str]]  # number (or "") and text
    any_best: bool
    warnings: list[str] = []  # noqa: RUF012  # never changed
    label: str | None = None


def view_of(
    columns: Sequence[Column], cells: list[list[Any]], footnotes: Sequence[str], title: str | None
) -> View:
    """What people see of columns and the cells of each."""
    numbers = _Footnotes()
    header, body, numeric = [], [], []
    for column, given in zip(columns, cells, strict=True):
        if column.audience == "machines":
            continue
        values = [cell.value if isinstance(cell, Cell) else cell for cell in given]
        name = f"{column.name} (%)" if column.percent else column.name
        header.append(ShownCell(name, notes=numbers.of(column.note), latex=_heading(column)))
        body.append(_shown(column, given, _best(column, given), numbers))
        numeric.append(_all_numbers(values))
    rows = [list(row) for row in zip(*body, strict=True)]
    notes = [*numbers.listed(), *(("", note) for note in footnotes)]
    any_best = any(cell.best for column in body for cell in column)
    return View(title, header, rows, numeric, notes, any_best)


def folded_view(view: View, most: int) -> View:
    """The first and the last rows, `most` in all, with a row of … for those between."""
    left_out = len(view.rows) - most
    if left_out <= 0:
        return view
    first = view.rows[: most - most // 2]
    last = view.rows[len(view.rows) - most // 2 :]
    gap = [ShownCell("…") for _ in view.header]
    said = f"{len(view.rows)} rows: {left_out} of them are not shown; print shows all"
    return view._replace(rows=[*first, gap, *last], notes=[*view.notes, ("", said)])


class _Footnotes:
    """Numbers footnotes in the order in which they are met; equal ones share a number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, note: str | None) -> str:
        if note is None:
            return ""
        return str(self._numbers.setdefault(note, len(self._numbers) + 1))

    def listed(self) -> Iterable[tuple[str, str]]:
        return ((str(number), note) for note, number in self._numbers.items())


def _shown(
    column: Column, given: list[Any], best: list[bool], numbers: _Footnotes
) -> list[ShownCell]:
    """A column of cells as people see them."""
    return [
        _shown_cell(column, cell if isinstance(cell, Cell) else Cell(cell), mark, numbers)
        for cell, mark in zip(given, best, strict=True)
    ]


def _shown_cell(column: Column, cell: Cell, best: bool, numbers: _Footnotes) -> ShownCell:
    return ShownCell(
        column.number(cell.value),
        "" if cell.error is None else f" ± {column.number(cell.error)}",
        _interval(column, cell),
        best,
        cell.marks,
        numbers.of(cell.note),
        cell.latex,
        cell.value if isinstance(cell.value, Drawing) else None,
    )


def _heading(column: Column) -> str | None:
    if column.latex is None or not column.percent:
        return column.latex
    return column.latex + r" (\%)"


def has_fractions(cells: list[Any]) -> bool:
    """Whether a column has numbers that are not whole, so that its decimals matter."""
    values = [
        number
        for cell in cells
        for number in (
            (cell.value, cell.error, cell.low, cell.high) if isinstance(cell, Cell) else (cell,)
        )
    ]
    return any(_is_number(value) and not isinstance(value, Integral) for value in values)


def _all_numbers(values: list[Any]) -> bool:
    return bool(values) and all(_is_number(value) for value in values if value is not None)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _best(column: Column, given: list[Any]) -> list[bool]:
    """Which values of a column are the best; none where there is nothing to compare."""
    values: list[Any] = [
        (cell.value if cell.ranked else None) if isinstance(cell, Cell) else cell for cell in given
    ]
    real = [value for value in values if _is_number(value) and not math.isnan(value)]
    if column.better is None or len(real) < 2:
        return [False] * len(values)
    winner = column.number((max if column.better == "higher" else min)(real))
    return [_is_number(value) and column.number(value) == winner for value in values]


def _interval(column: Column, cell: Cell) -> str:
    if cell.low is None and cell.high is None:
        return ""
    return f" [{column.number(cell.low)}, {column.number(cell.high)}]"
