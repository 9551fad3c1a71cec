"""One place that turns rows into text, Markdown, LaTeX, CSV, JSON and HTML.

A `Table` has columns and rows of plain values (numbers, text, None) or `Cell`s, which add an error
(±), an interval, superscript letters or a footnote to a value. Two audiences:

- people (text, Markdown, LaTeX, HTML) see rounded numbers, the best of a column marked, footnotes
  and a title; names are escaped, so that none can break the page;
- machines (CSV, JSON) get every number in full, errors and interval ends in fields of their own
  (`NAME_sd`, `NAME_low`, `NAME_high`), nothing for NaN (CSV: an empty field, JSON: null), and no
  title or footnotes.

The best value is the largest or the smallest, as the column's `better` says; values that print the
same count as equal, so all ties are marked; NaN is never best, and nothing is marked if there is
nothing to compare.

>>> from segscore.tables import Cell, Column, Table
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
from dataclasses import dataclass, field, replace
from numbers import Real
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from segscore.basics.arguments import cached_property, check_choice, shown
from segscore.errors import SegmentationError, nearest
from segscore.tables.tabular import Tabular
from segscore.tables.view import (
    FOR_MACHINES,
    FOR_PEOPLE,
    Cell,
    Column,
    ShownCell,
    View,
    shown_column,
    view_of,
)
from segscore.tables.view import columns as columns_of
from segscore.tables.wording import in_percent, notes_without_intervals, without_intervals

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

Format = Literal["text", "markdown", "latex", "csv", "json", "html"]
FORMATS: tuple[Format, ...] = ("text", "markdown", "latex", "csv", "json", "html")


@dataclass(frozen=True, repr=False)
class Table(Tabular):
    """Columns and rows, to be shown in any format.

    Rows are lists in the order of the columns; or mappings, or objects (dataclasses, named tuples)
    whose cells the columns find (`Column.of`), and whose `error` follows ±. `lead`, above
    the table, says what its numbers show; `warnings` are below it (both are comments in LaTeX).
    `label` is what LaTeX and HTML refer to. A table of pictures has another table `for_machines`,
    with the numbers for CSV and JSON.
    """

    columns: Sequence[Column]
    rows: Sequence[Any]
    footnotes: Sequence[str] = ()
    title: str | None = None
    warnings: Sequence[str] = ()
    label: str | None = None
    for_machines: "Table | None" = None
    for_latex: "Table | None" = None
    lead: Sequence[str] = ()
    cells: list[list[Any]] = field(init=False, repr=False, compare=False)  # column by column

    def __post_init__(self) -> None:
        columns: list[list[Any]] = []
        listed = [type(row) in (list, tuple) for row in self.rows]
        for index, row in enumerate(self.rows):
            if listed[index] and len(row) != len(self.columns):
                raise SegmentationError(
                    f"row {index} of a table is {shown(row)}: expected {len(self.columns)} values"
                )
        for place, column in enumerate(self.columns):
            columns.append([])
            for row, is_listed in zip(self.rows, listed, strict=True):
                name, cell = column.of or column.field, None
                if is_listed:
                    cell = row[place]
                elif callable(name):
                    cell = name(row)
                elif isinstance(row, Mapping):
                    cell = row.get(name)
                else:
                    name = name if column.of or hasattr(row, name) else f"n_{name}"
                    cell, error = attrgetter(name)(row), getattr(row, column.error, None)
                    cell = cell if error is None else Cell(cell, error=error)
                columns[-1].append(cell)
        object.__setattr__(self, "cells", columns)

    @classmethod
    def of(
        cls,
        rows: Iterable[Any],
        columns: str | Iterable[Column | str],
        *more: Any,
        **given: Any,
    ) -> Self:
        """A table whose columns may be texts: each is as many columns as it has words
        (`tables.columns`).

        >>> from typing import NamedTuple
        >>> Mean = NamedTuple("Mean", [("mean", float), ("sd", float), ("n_pairs", int)])
        >>> print(Table.of([Mean(1.0, 0.5, 3)], [Column("mean", error="sd"), "pairs sd:1"]))
        mean             pairs   sd
        ───────────────────────────
        1.0000 ± 0.5000      3  0.5
        """
        words = [columns] if isinstance(columns, str) else columns
        parts = (columns_of(part) if isinstance(part, str) else [part] for part in words)
        shown = [column for part in parts for column in part]
        return cls(shown, list(rows), *more, **given)

    def to_table(self) -> "Table":
        """The table itself."""
        return self

    def styled(
        self,
        digits: int | None = None,
        percent: bool = False,
        columns: Sequence[str] = (),
        intervals: bool = True,
        caption: str | None = None,
        label: str | None = None,
    ) -> "Table":
        """The table as a user wants it. Decimals and percent are for people; machines always get
        numbers in full, between 0 and 1.

        digits: decimals of numbers that have any. percent: shares are multiplied by 100.
        columns: the columns to show, in this order, by their names or by their keys in JSON.
        intervals: False leaves confidence intervals out. caption: replaces the title.
        label: what LaTeX refers to (`tab:systems`), and the id of the table in HTML.
        """
        if digits is not None and not 0 <= digits <= MOST_DIGITS:
            raise SegmentationError(f"digits is {digits}: expected 0 to {MOST_DIGITS}")
        if label is not None and not _LABEL.fullmatch(label):
            raise SegmentationError(
                f"label is {label!r}: expected letters, digits and : . _ + / -, as in tab:one"
            )
        shown, cells = [], []
        for i, everyone in self._chosen(columns).items():
            changes: dict[str, Any] = {"drop_order": None} if columns else {}  # at any width
            changes |= {"audience": "all"} if everyone else {}
            column = self.columns[i]
            if digits is not None:
                column = column.with_digits(digits, self.cells[i])
            if percent and column.share:
                changes["percent"] = True
                if digits is not None and column.digits is not None:  # decimals of percent
                    changes["digits"] = column.digits + 2
            shown.append(replace(column, **changes))
            cells.append(self.cells[i] if intervals else list(map(_without_ends, self.cells[i])))
        lead, footnotes, warnings = self.lead, self.footnotes, self.warnings
        scored = [column.share for column in self.columns if column.better or column.difference]
        if percent and scored and all(scored):  # the lead is about these
            lead = [*map(in_percent, lead)]
        if not intervals:
            lead = [*map(without_intervals, lead)]
            footnotes, warnings = map(notes_without_intervals, (footnotes, warnings))
        machines, latex, look = self.for_machines, self.for_latex, (intervals, caption, label)
        return replace(
            self,
            columns=shown,
            rows=list(zip(*cells, strict=True)) if cells else [()] * len(self.rows),
            title=self.title if caption is None else caption,
            label=label,
            for_machines=machines and machines.styled(digits, percent, (), *look),  # other columns
            for_latex=None
            if columns or latex is None
            else latex.styled(digits, percent, (), *look),
            lead=lead,
            footnotes=footnotes,
            warnings=warnings,
        )

    def _chosen(self, wanted: Sequence[str]) -> dict[int, bool]:
        """The requested columns, and whether each is now for everyone.

        A name may mean two columns, one for people and one for machines: both stay.
        """
        if not wanted:
            return dict.fromkeys(range(len(self.columns)), False)
        names = [{_bare(column.name), column.field.casefold()} for column in self.columns]
        found: dict[int, bool] = {}
        for name in wanted:
            meant = {_bare(name), name.casefold()}
            places = [i for i, known in enumerate(names) if meant & known]
            if not places:
                there = dict.fromkeys(column.field for column in self.columns)
                raise SegmentationError(f"no column is called {name!r}{nearest(name, there)}")
            found |= dict.fromkeys(places, len(places) == 1)
        return found

    def render(self, form: Format = "text", width: int | None = None) -> str:
        """The table in a format; text is made to fit `width` (`segscore.tables.plain_text`)."""
        if form == "text":
            from segscore.tables.plain_text import as_text, attempts, table_lines

            return as_text(table_lines(attempts(self), width))
        from segscore.tables import markup

        if form in ("csv", "json") and self.for_machines is not None:
            return self.for_machines.render(form)
        writers: dict[str, Callable[[], str]] = {
            "markdown": lambda: markup.markdown(self.view),
            "latex": lambda: markup.latex((self.for_latex or self).view),
            "html": lambda: markup.html(self.view),
            "csv": lambda: "".join(map(_csv_line, (self._fields, *self._values()))),
            "json": lambda: _json_text(self.records()),
        }
        check_choice(form, "format", FORMATS)
        return writers[form]()

    def folded(self, most: int, form: Literal["text", "html"] = "text") -> str:
        """At most `most` rows, the first and the last; a line says how many are not shown.

        >>> column = Column("position")
        >>> print(Table([column], [[number] for number in range(9)]).folded(4))
        position
        ────────
               0
               1
               …
               7
               8
        ────────
        9 rows: 5 of them are not shown; .render() gives all
        """
        view, n_rows = self.view, len(self.rows)
        if n_rows > most:
            first, last = most - most // 2, n_rows - most // 2
            rows = [*view.rows[:first], [ShownCell("…")] * len(view.header), *view.rows[last:]]
            note = f"{n_rows} rows: {n_rows - most} of them are not shown; .render() gives all"
            view = view._replace(rows=rows, notes=[*view.notes, ("", note)])
        if form == "html":
            from segscore.tables.markup import html

            return html(view)
        from segscore.tables.plain_text import as_text, table_lines

        return as_text(table_lines([(view, False)]))

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        """The table in colours: the best values are bold."""
        del console
        from rich.text import Text

        from segscore.tables.plain_text import attempts, table_lines

        for line in table_lines(attempts(self), options.max_width):
            pieces = [(piece, "bold" if bold else "") for piece, bold in line]
            yield Text.assemble(*pieces, no_wrap=True, overflow="ignore")

    @cached_property
    def view(self) -> View:
        """What people see of the table."""
        columns = [
            shown_column(column, cells)
            for column, cells in zip(self.columns, self.cells, strict=True)
            if column.audience in FOR_PEOPLE
        ]
        return view_of(self, columns, self.footnotes)

    @property
    def fields(self) -> list[str]:
        """The names of the fields that machines get, in order."""
        return list(self._fields) if self.for_machines is None else self.for_machines.fields

    def records(self) -> list[dict[str, Any]]:
        """One dict per row with every field that machines get; None for NaN."""
        if self.for_machines is not None:
            return self.for_machines.records()
        return [dict(zip(self._fields, row, strict=True)) for row in self._values()]

    @cached_property
    def _fields(self) -> dict[str, tuple[int, str]]:
        """The fields in CSV and JSON: the column of each, and the attribute of its cells."""
        found: dict[str, tuple[int, str]] = {}
        for i, (column, values) in enumerate(zip(self.columns, self.cells, strict=True)):
            if column.audience not in FOR_MACHINES:
                continue
            rich = [cell for cell in values if isinstance(cell, Cell)]
            for attribute in ("value", "error", "low", "high", "marks", "note"):
                suffix = column.error if attribute == "error" else attribute
                name = column.field if attribute == "value" else f"{column.field}_{suffix}"
                given = [c.error if attribute == "error" else _machine(c, attribute) for c in rich]
                if attribute != "value" and all(each in (None, "") for each in given):
                    continue
                if name in found:
                    raise SegmentationError(
                        f"two columns of a table are called {name!r}: give one of them another key"
                    )
                found[name] = (i, attribute)
        return found

    def _values(self) -> Iterator[tuple[Any, ...]]:
        """The rows for machines, a value per field."""
        fields = (
            [_machine(cell, attribute) for cell in self.cells[i]]
            for i, attribute in self._fields.values()
        )
        return zip(*fields, strict=True)


# ---- for machines ----

_QUOTE = '"'
_CSV_SPECIAL = re.compile(r'[",\r\n]')


def _machine(cell: Any, attribute: str) -> Any:
    """The value, or another attribute, of a cell that may be a plain value: plain Python, None if
    it is not finite."""
    if isinstance(cell, Cell):
        value = getattr(cell, attribute)
    else:
        value = cell if attribute == "value" else None
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Real):
        return float(value) if math.isfinite(value) else None
    return str(value)


def _csv_line(row: Iterable[Any]) -> str:
    """A line of CSV. Fields are quoted where needed, also at a carriage return, which the csv
    module forgets; no text is a formula."""
    fields = [
        "" if value is None else cell_of_text(value) if isinstance(value, str) else str(value)
        for value in row
    ]
    quoted = [f'"{f.replace(_QUOTE, _QUOTE * 2)}"' if _CSV_SPECIAL.search(f) else f for f in fields]
    return (",".join(quoted) or '""') + "\n"


_FORMULA = re.compile(r"'*[=+\-@\t\r]")  # an apostrophe of the text itself is doubled
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def cell_of_text(text: str) -> str:
    """A text as written in CSV.

    >>> cell_of_text("=1+1"), cell_of_text("'=1+1"), cell_of_text("-0.5"), cell_of_text("c99")
    ("'=1+1", "''=1+1", '-0.5', 'c99')
    """
    formula = _FORMULA.match(text) and not _NUMBER.fullmatch(text)
    return f"'{text}" if formula else text


def text_of_cell(cell: str) -> str:
    """The text that `cell_of_text` wrote.

    >>> text_of_cell("'=1+1"), text_of_cell("''=1+1"), text_of_cell("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if _ESCAPED.match(cell) else cell


def _json_text(rows: list[dict[str, Any]]) -> str:
    """An array with one object per row."""
    lines = [f"  {json.dumps(row, ensure_ascii=False)}" for row in rows]
    for i, line in enumerate(lines):
        if not line.isascii() and re.search("[\ud800-\udfff]", line):
            lines[i] = f"  {json.dumps(rows[i])}"  # half a surrogate pair, as odd file names have
    return "[\n" + ",\n".join(lines) + "\n]\n" if rows else "[]\n"


# ---- as a user wants it ----

_LABEL = re.compile(r"[\w:.+/-]+")
MOST_DIGITS = 15


def _without_ends(cell: Any) -> Any:
    return replace(cell, low=None, high=None) if isinstance(cell, Cell) else cell


def _bare(name: str) -> str:
    """A heading as people type it: without average, arrow and capital letters."""
    return re.sub(r"^(micro|macro) |[ ]?[↑↓]$", "", name.casefold())
