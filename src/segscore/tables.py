"""One place that turns rows into text, Markdown, LaTeX, CSV, JSON and HTML.

A `Table` has columns and rows of plain values (numbers, text, None) or `Cell`s, which add an error
(±), an interval, superscript letters or a footnote to a value. Two audiences:

- people (text, Markdown, LaTeX, HTML) see rounded numbers, the best of a column marked, footnotes
  and a title; names are escaped, so that none can break the page;
- machines (CSV, JSON) get every number in full, errors and interval ends in fields of their own
  (`NAME_sd`, `NAME_low`, `NAME_high`), nothing for NaN (CSV: an empty field, JSON: null), and no
  title or footnotes.

The best value is the largest or the smallest, as the column's `better` says; values that print
alike are alike, so ties are all marked; NaN is never best, and where there is nothing to compare
with nothing is marked.

>>> table = Table(
...     columns=[Column("system"), Column("WindowDiff", better="lower", digits=3)],
...     rows=[["C99", Cell(0.1234, error=0.01)], ["none", 0.438]],
... )
>>> print(table.render("text"))
system      WindowDiff
──────────────────────
C99     0.123 ± 0.010*
none    0.438
──────────────────────
* best in its column
>>> table.render("csv").splitlines()
['system,WindowDiff,WindowDiff_error', 'C99,0.1234,0.01', 'none,0.438,']
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from segscore._integers import shown
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

Format = Literal["text", "markdown", "latex", "csv", "json", "html"]
FORMATS: tuple[Format, ...] = ("text", "markdown", "latex", "csv", "json", "html")

_DIGITS = 4  # decimals of a float whose column does not say
_QUOTE = '"'
_CSV_SPECIAL = re.compile(r'[",\r\n]')
_UNDEFINED = "–"  # how people see NaN


@dataclass(frozen=True)
class Cell:
    """A value with what belongs to it.

    `error` stands after ±, `low` and `high` are an interval, `marks` are superscript letters (say,
    of the systems that this one beats), `note` becomes a numbered footnote. A value that is not
    `ranked` (a baseline beside systems) is never marked as the best.
    """

    value: Any
    error: float | None = None
    low: float | None = None
    high: float | None = None
    marks: str = ""
    note: str | None = None
    ranked: bool = True


@dataclass(frozen=True)
class Column:
    """How the values of a column are shown, and which of them is best.

    `digits` are decimals (by default four for floats, none for integers); `form`, a function from
    a number to text, replaces them. `key` is the field's name in CSV and JSON (default: `name`),
    `error` says what stands after ± there ("sd", "se"). `note` becomes a numbered footnote.
    `audience` keeps a column from the machines' or from the people's formats.
    """

    name: str
    better: Literal["higher", "lower"] | None = None
    digits: int | None = None
    key: str | None = None
    error: str = "error"
    note: str | None = None
    form: Callable[[Any], str] | None = None
    audience: Literal["all", "people", "machines"] = "all"

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
        return f"{round(float(value), digits) + 0.0:.{digits}f}"  # + 0.0: no "-0.000"


class Shown(NamedTuple):
    """A cell as people see it, not yet escaped: its value, then its error and interval."""

    text: str
    extra: str = ""
    best: bool = False
    marks: str = ""
    notes: str = ""


class View(NamedTuple):
    """A table as people see it, not yet escaped: what each of their formats starts from."""

    title: str | None
    header: list[Shown]
    rows: list[list[Shown]]
    numeric: list[bool]
    notes: list[tuple[str, str]]  # number (or "") and text
    any_best: bool


@dataclass(frozen=True)
class Table:
    """Columns and rows, to be shown in any format.

    Rows are sequences in the order of the columns, or mappings by the columns' keys.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any] | Mapping[str, Any]]
    footnotes: Sequence[str] = ()
    title: str | None = None
    _columns: list[list[Any]] = field(init=False, repr=False, compare=False)
    _fields: dict[str, tuple[int, str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rows = [self._row(row, index) for index, row in enumerate(self.rows)]
        columns = [[row[i] for row in rows] for i in range(len(self.columns))]
        object.__setattr__(self, "_columns", columns)
        object.__setattr__(self, "_fields", self._named_fields())

    def _row(self, row: Any, index: int) -> Sequence[Any]:
        if isinstance(row, Mapping):
            row = [row.get(column.field) for column in self.columns]
        if isinstance(row, str) or len(row) != len(self.columns):
            raise SegmentationError(
                f"row {index} of a table is {shown(row)}: expected {len(self.columns)} values"
            )
        return row  # type: ignore[no-any-return]

    def render(self, form: Format = "text", width: int | None = None) -> str:
        """The table in a format; text that is to be at most `width` wide wraps or stacks."""
        from segscore import _table_markup, _table_text

        if form == "text":
            return _table_text.plain(self, width)
        writers: dict[str, Callable[[], str]] = {
            "markdown": lambda: _table_markup.markdown(self.view),
            "latex": lambda: _table_markup.latex(self.view),
            "html": lambda: _table_markup.html(self.view),
            "csv": self._csv,
            "json": self._json,
        }
        if form not in writers:
            raise SegmentationError(
                f"format is {shown(form)}: expected one of {', '.join(FORMATS)}"
            )
        return writers[form]()

    def __str__(self) -> str:
        return self.render("text")

    def _repr_html_(self) -> str:
        return self.render("html")

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        del console
        from segscore import _table_text

        return _table_text.rich_lines(self, options.max_width)

    # ---- for people ----

    @cached_property
    def view(self) -> View:
        """What people see of the table."""
        numbers = _Footnotes()
        header, body, numeric = [], [], []
        for column, given in zip(self.columns, self._columns, strict=True):
            if column.audience == "machines":
                continue
            values = [cell.value if isinstance(cell, Cell) else cell for cell in given]
            header.append(Shown(column.name, notes=numbers.of(column.note)))
            body.append(_shown(column, given, _best(column, given), numbers))
            numeric.append(_all_numbers(values))
        rows = [list(row) for row in zip(*body, strict=True)]
        notes = [*numbers.listed(), *(("", note) for note in self.footnotes)]
        any_best = any(cell.best for column in body for cell in column)
        return View(self.title, header, rows, numeric, notes, any_best)

    # ---- for machines ----

    def _named_fields(self) -> dict[str, tuple[int, str]]:
        """The fields in CSV and JSON: each one's column, and the attribute of the cell."""
        made = []
        for i, (column, given) in enumerate(zip(self.columns, self._columns, strict=True)):
            if column.audience == "people":
                continue
            made.append((column.field, (i, "value")))
            cells = [cell for cell in given if isinstance(cell, Cell)]
            for attribute in ("error", "low", "high", "marks", "note"):
                if any(getattr(cell, attribute) not in (None, "") for cell in cells):
                    suffix = column.error if attribute == "error" else attribute
                    made.append((f"{column.field}_{suffix}", (i, attribute)))
        names = [name for name, _ in made]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise SegmentationError(
                f"two columns of a table are called {min(twice)!r}: give one of them another key"
            )
        return dict(made)

    def _values(self) -> Iterator[tuple[Any, ...]]:
        """The rows as machines get them, a value per field."""
        return zip(
            *(
                [_machine(_part(cell, attribute)) for cell in self._columns[i]]
                for i, attribute in self._fields.values()
            ),
            strict=True,
        )

    def records(self) -> list[dict[str, Any]]:
        """One dict per row with every field that machines get; None for NaN."""
        return [dict(zip(self._fields, row, strict=True)) for row in self._values()]

    def _csv(self) -> str:
        return "".join(_csv_line(row) for row in (self._fields, *self._values()))

    def _json(self) -> str:
        rows = self.records()
        lines = ",\n".join(f"  {_json_text(row)}" for row in rows)
        return f"[\n{lines}\n]\n" if rows else "[]\n"


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


def _part(cell: Any, attribute: str) -> Any:
    """The value, or another attribute, of a cell that may be a plain value."""
    if isinstance(cell, Cell):
        return getattr(cell, attribute)
    return cell if attribute == "value" else None


def _shown(column: Column, given: list[Any], best: list[bool], numbers: _Footnotes) -> list[Shown]:
    """A column of cells as people see them."""
    return [
        Shown(
            column.number(cell.value), _extra(column, cell), mark, cell.marks, numbers.of(cell.note)
        )
        if isinstance(cell, Cell)
        else Shown(column.number(cell), best=mark)
        for cell, mark in zip(given, best, strict=True)
    ]


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


def _extra(column: Column, cell: Cell) -> str:
    """Error and interval, as people see them."""
    text = "" if cell.error is None else f" ± {column.number(cell.error)}"
    if cell.low is not None or cell.high is not None:
        text += f" [{column.number(cell.low)}, {column.number(cell.high)}]"
    return text


def _machine(value: Any) -> Any:
    """A value as CSV and JSON have it: plain Python, None for what is not finite."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        number = float(value)
        return number if math.isfinite(number) else None
    return str(value)


def _csv_line(row: Iterable[Any]) -> str:
    """Quoted where needed, and at a carriage return, too, which the csv module forgets."""
    fields = ["" if value is None else str(value) for value in row]
    quoted = [f'"{f.replace(_QUOTE, _QUOTE * 2)}"' if _CSV_SPECIAL.search(f) else f for f in fields]
    return (",".join(quoted) or '""') + "\n"


def _json_text(row: dict[str, Any]) -> str:
    text = json.dumps(row, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, as odd file names have
        return json.dumps(row)
    return text
