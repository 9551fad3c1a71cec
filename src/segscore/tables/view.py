"""Cells and columns, and what people see of them: rounded numbers, the best marked, footnotes."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from segscore.tables.table import Table

_DIGITS = 4  # decimals of a float whose column does not say
_UNDEFINED = "–"  # how people see NaN


@dataclass(frozen=True)
class Cell:
    """A value with what belongs to it.

    `low` and `high` are an interval (None or NaN: there is none), `error` is the number after ±,
    `marks` are superscript letters (for instance of the systems that this system beats), `note`
    becomes a numbered footnote. A value that is not `ranked` (a baseline beside systems) is never
    marked as the best. `latex` replaces the text of the value in LaTeX; it is code and is not
    escaped. The value of a `drawing` is a picture of characters (a map of boundaries, a tree),
    whose blanks count; a function makes the same picture as HTML. A table with drawings has another
    table `for_machines`, which holds the numbers.
    """

    value: Any
    low: float | None = None
    high: float | None = None
    error: float | None = None
    marks: str = ""
    note: str | None = None
    ranked: bool = True
    latex: str | Callable[[], str] | None = None
    drawing: "bool | Callable[[], str]" = False


@dataclass(frozen=True)
class Column:
    """How the values of a column are shown, and which of them is best.

    `digits` are decimals (by default four for floats, none for integers); `form`, a function from a
    number to text, replaces them. `key` is the field's name in CSV and JSON (default: `name`),
    `error` says what follows ± there ("sd", "se"). `note` becomes a numbered footnote. `audience`
    keeps a column from the machines' or from the people's formats, or from all that do not ask for
    it by name. `latex` is the heading in LaTeX, as code, or makes it. A `share` lies between 0 and
    1 and may be shown in percent, a `difference` of shares in points. On a screen that is too
    narrow columns with a `drop_order` are left out, the lowest first. Values that print like the
    best value are marked, too; with `exactly`, only those that equal it are. `of` finds the cell in
    a row that is an object or a mapping: a function of the row, or the name of an attribute
    (`ci.low`); by default it is what is called as the field, or `n_` and the field.
    """

    name: str
    better: Literal["higher", "lower"] | None = None
    digits: int | None = None
    key: str | None = None
    error: str = "error"
    note: str | None = None
    form: Callable[[Any], str] | None = None
    audience: Literal["all", "people", "machines", "asked"] = "all"
    latex: str | Callable[[], str] | None = None
    share: bool = False
    difference: bool = False
    drop_order: int | None = None
    percent: bool = False
    exactly: bool = False
    of: str | Callable[[Any], Any] | None = None

    def with_digits(self, digits: int, cells: list[Any]) -> "Column":
        """The column with this number of decimals, if its cells have any and no form of their
        own."""
        fractions = any(
            isinstance(value, Real) and not isinstance(value, Integral)
            for cell in cells
            for value in ((cell.value, cell.error, cell.low) if isinstance(cell, Cell) else (cell,))
        )
        return replace(self, digits=digits) if fractions and self.form is None else self

    @property
    def field(self) -> str:
        """The name of the field in CSV and JSON."""
        return self.name if self.key is None else self.key

    def number(self, value: Any) -> str:
        """One value as people see it."""
        if type(value) is not float:  # most are
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


def columns(names: str, **same: Any) -> list[Column]:
    """Columns that share what is in `same`: words, `_` for a blank; `heading=key` if the field has
    another name than the column; `:3` for its decimals, `%` behind them for a share; last `!` if
    only machines see it, or `<2` for its `drop_order`.

    >>> [(column.name, column.field) for column in columns("near_misses per_place=density")]
    [('near misses', 'near_misses'), ('per place', 'density')]
    >>> columns("kept=share:3%") == [Column("kept", key="share", digits=3, share=True)]
    True
    >>> [(column.audience, column.drop_order) for column in columns("signature! pairs<2")]
    [('machines', None), ('all', 2)]
    """
    found = []
    for word in names.split():
        parts = _WORD.fullmatch(word).groups()  # type: ignore[union-attr]
        heading, key, digits, percent, hidden, drop = parts
        known: dict[str, Any] = {"key": key or heading}
        known |= {"digits": int(digits)} if digits else {}
        known |= {"share": True} if percent else {}
        known |= {"audience": "machines"} if hidden else {}
        known |= {"drop_order": int(drop)} if drop else {}
        found.append(Column(heading.replace("_", " "), **known | same))
    return found


_WORD = re.compile(r"([^=]+?)(?:=(.+?))?(?::(\d*)(%?))?(!)?(?:<(\d+))?")


FOR_PEOPLE, FOR_MACHINES = ("all", "people"), ("all", "machines")  # audiences


class ShownCell(NamedTuple):
    """A cell as people see it, not yet escaped: its value, then its error and interval."""

    text: str
    error: str = ""
    interval: str = ""
    best: bool = False
    marks: str = ""
    notes: str = ""
    latex: str | Callable[[], str] | None = None
    drawing: bool | Callable[[], str] = False


ShownColumn = tuple[ShownCell, list[ShownCell], bool]
"""A column as people see it: its heading, its cells, and whether they are numbers. Notes are texts,
not yet numbers."""


class View(NamedTuple):
    """A table as people see it, not yet escaped: what each of their formats starts from."""

    title: str | None
    header: list[ShownCell]
    rows: list[list[ShownCell]]
    numeric: list[bool]  # of each column
    notes: list[tuple[str, str]]  # number (or "") and text
    warnings: Sequence[str]
    label: str | None
    lead: Sequence[str]


def shown_column(column: Column, cells: list[Any]) -> ShownColumn:
    """What people see of a column with these cells: one is marked as best if it prints as the best
    value does, or, with `exactly`, equals it."""
    name, latex = column.name, column.latex
    if column.percent:
        unit = "points" if column.difference else "%"
        name, latex = f"{name} ({unit})", latex() if callable(latex) else latex
        latex = latex and rf"{latex} ({unit.replace('%', chr(92) + '%')})"
    rich = [cell if isinstance(cell, Cell) else Cell(cell) for cell in cells]
    numbers = [isinstance(c.value, Real) and not isinstance(c.value, bool) for c in rich]
    ranked = [
        cell.value for cell, known in zip(rich, numbers, strict=True) if known and cell.ranked
    ]
    ranked = [value for value in ranked if not math.isnan(value)]
    winner: Any = None  # the best value, or what is printed for it
    if column.better is not None and len(ranked) > 1:
        winner = (max if column.better == "higher" else min)(ranked)
        winner = winner if column.exactly else column.number(winner)
    shown = []
    for cell, known in zip(rich, numbers, strict=True):
        text = column.number(cell.value)
        error = "" if cell.error is None else f" ± {column.number(cell.error)}"
        ends = f" [{column.number(cell.low)}, {column.number(cell.high)}]"
        if all(end is None or math.isnan(end) for end in (cell.low, cell.high)):
            ends = ""
        wins = cell.value == winner if column.exactly else text == winner
        best = winner is not None and cell.ranked and known and wins
        about = best, cell.marks, cell.note or "", cell.latex, cell.drawing
        shown.append(ShownCell(text, error, ends, *about))
    numeric = bool(rich) and all(
        known or cell.value is None for cell, known in zip(rich, numbers, strict=True)
    )
    return ShownCell(name, notes=column.note or "", latex=latex), shown, numeric


def view_of(table: "Table", columns: Sequence[ShownColumn], footnotes: Sequence[str]) -> View:
    """What people see of a table: its notes are numbered in the order in which people read, and
    equal ones share a number; notes of the whole table follow."""
    numbers: dict[str, str] = {}
    rows = [[heading for heading, _, _ in columns]]
    rows += map(list, zip(*(cells for _, cells, _ in columns), strict=True))
    for row in rows:
        for i, cell in enumerate(row):
            if cell.notes:
                number = numbers.setdefault(cell.notes, str(len(numbers) + 1))
                row[i] = cell._replace(notes=number)
    notes = [(number, note) for note, number in numbers.items()]
    notes += [("", note) for note in footnotes]
    numeric = [numeric for _, _, numeric in columns]
    around = table.warnings, table.label, table.lead
    return View(table.title, rows[0], rows[1:], numeric, notes, *around)
