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

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self

from segscore.basics.arguments import check_choice, shown
from segscore.basics.on_demand import cached_property
from segscore.errors import SegmentationError
from segscore.tables import machine, markup
from segscore.tables.tabular import Tabular
from segscore.tables.view import (
    FOR_PEOPLE,
    Column,
    ShownColumn,
    View,
    folded_view,
    shown_column,
    view_of,
)
from segscore.tables.view import columns as columns_of

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

Format = Literal["text", "markdown", "latex", "csv", "json", "html"]
FORMATS: tuple[Format, ...] = ("text", "markdown", "latex", "csv", "json", "html")


@dataclass(frozen=True, repr=False)
class Table(Tabular):
    """Columns and rows, to be shown in any format.

    Rows are sequences in the order of the columns, or mappings by the columns' keys. `lead`, above
    the table, says what its numbers show (`lead_in_percent`, if given, where shares are in
    percent); `warnings` are below it (both are comments in LaTeX). `label` is what LaTeX and HTML
    refer to. A table of pictures has another table `for_machines`, with the numbers for CSV and
    JSON.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any] | Mapping[str, Any]]
    footnotes: Sequence[str] = ()
    title: str | None = None
    warnings: Sequence[str] = ()
    label: str | None = None
    for_machines: "Table | None" = None
    for_latex: "Table | None" = None
    lead: Sequence[str] = ()
    lead_in_percent: Sequence[str] = ()
    cells: list[list[Any]] = field(init=False, repr=False, compare=False)  # column by column
    _fields: machine.Fields = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rows = [self._row(row, index) for index, row in enumerate(self.rows)]
        columns = [[row[i] for row in rows] for i in range(len(self.columns))]
        object.__setattr__(self, "cells", columns)
        object.__setattr__(self, "_fields", machine.named_fields(self.columns, columns))

    @classmethod
    def of(
        cls,
        rows: Iterable[Any],
        columns: str | Iterable[Column | str],
        *more: Any,
        **given: Any,
    ) -> Self:
        """The table of rows that are objects (dataclasses, named tuples) or mappings, whose cells
        the columns find (`Column.of`), or lists in their order. A text is as many columns as it has
        words (`tables.columns`).

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
        lists = (list, tuple)
        cells = [
            row if type(row) in lists else [column.cell(row) for column in shown] for row in rows
        ]
        return cls(shown, cells, *more, **given)

    def _row(self, row: Any, index: int) -> Sequence[Any]:
        if isinstance(row, Mapping):
            row = [row.get(column.field) for column in self.columns]
        if isinstance(row, str) or len(row) != len(self.columns):
            raise SegmentationError(
                f"row {index} of a table is {shown(row)}: expected {len(self.columns)} values"
            )
        return row  # type: ignore[no-any-return]

    def to_table(self) -> "Table":
        """The table itself."""
        return self

    def render(self, form: Format = "text", width: int | None = None) -> str:
        """The table in a format; text is made to fit `width` (`segscore.tables.plain_text`)."""
        if form == "text":
            # needs Rich, which `import segscore` does not
            from segscore.tables.plain_text import layout, plain

            return plain(layout(self, width))
        if form in ("csv", "json") and self.for_machines is not None:
            return self.for_machines.render(form)
        writers: dict[str, Callable[[], str]] = {
            "markdown": lambda: markup.markdown(self.view),
            "latex": lambda: markup.latex((self.for_latex or self).view),
            "html": lambda: markup.html(self.view),
            "csv": lambda: machine.csv_text(self._fields, self.cells),
            "json": lambda: machine.json_text(self.records()),
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
        9 rows: 5 of them are not shown; print shows all
        """
        view = folded_view(self.view, most)
        if form == "html":
            return markup.html(view)
        from segscore.tables.plain_text import natural_layout, plain

        return plain(natural_layout(view))

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        del console
        from segscore.tables.plain_text import rich_lines

        return rich_lines(self, options.max_width)

    @cached_property
    def view(self) -> View:
        """What people see of the table."""
        return view_of(self, self.shown, self.footnotes)

    @cached_property
    def shown(self) -> list[ShownColumn]:
        """The columns that people see."""
        return [
            shown_column(column, cells)
            for column, cells in zip(self.columns, self.cells, strict=True)
            if column.audience in FOR_PEOPLE
        ]

    @property
    def fields(self) -> list[str]:
        """The names of the fields that machines get, in order."""
        return list(self._fields) if self.for_machines is None else self.for_machines.fields

    def records(self) -> list[dict[str, Any]]:
        """One dict per row with every field that machines get; None for NaN."""
        if self.for_machines is not None:
            return self.for_machines.records()
        return machine.records(self._fields, self.cells)
