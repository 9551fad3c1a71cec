"""How a user wants a table to look: which columns, how many decimals, percent, intervals, caption.

Decimals and percent are for people; machines always get numbers in full, between 0 and 1.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from segscore.errors import SegmentationError, nearest
from segscore.tables.view import Cell, Column, has_fractions
from segscore.tables.wording import notes_without_intervals, without_intervals

if TYPE_CHECKING:
    from segscore.tables.table import Table

_LABEL = re.compile(r"[\w:.+/-]+")
MOST_DIGITS = 15


@dataclass(frozen=True)
class Look:
    """What to change of a table.

    digits: decimals of numbers that have any. percent: shares are multiplied by 100.
    columns: the columns to show, in this order, by their names or by their keys in JSON.
    intervals: False leaves confidence intervals out. caption: replaces the title.
    label: what LaTeX refers to (`tab:systems`), and the id of the table in HTML.
    """

    digits: int | None = None
    percent: bool = False
    columns: tuple[str, ...] = ()
    intervals: bool = True
    caption: str | None = None
    label: str | None = None

    @property
    def for_one_table(self) -> bool:
        """Whether a setting is given that several tables cannot share."""
        return bool(self.columns) or self.caption is not None or self.label is not None

    def __post_init__(self) -> None:
        if self.digits is not None and not 0 <= self.digits <= MOST_DIGITS:
            raise SegmentationError(f"digits is {self.digits}: expected 0 to {MOST_DIGITS}")
        if self.label is not None and not _LABEL.fullmatch(self.label):
            raise SegmentationError(
                f"label is {self.label!r}: expected letters, digits and : . _ + / -, as in tab:one"
            )

    def of(self, table: "Table") -> "Table":
        """The table with these settings applied."""
        if self == _AS_IT_IS:
            return table
        chosen = _chosen(table, self.columns)
        columns = [
            self._column(table.columns[i], table.cells[i], everyone)
            for i, everyone in chosen.items()
        ]
        cells = [[self._cell(cell) for cell in table.cells[i]] for i in chosen]
        lead = (self.percent and table.lead_in_percent) or table.lead
        machines = table.for_machines
        if machines is not None:  # its columns are others
            machines = replace(self, columns=()).of(machines)
        latex = None if self.columns or table.for_latex is None else self.of(table.for_latex)
        return replace(
            table,
            columns=columns,
            rows=list(zip(*cells, strict=True)) if cells else [()] * len(table.rows),
            title=table.title if self.caption is None else self.caption,
            label=self.label,
            for_machines=machines,
            for_latex=latex,
            lead=lead if self.intervals else [*map(without_intervals, lead)],
            footnotes=self._notes(table.footnotes),
            warnings=self._notes(table.warnings),
        )

    def _notes(self, notes: Sequence[str]) -> Sequence[str]:
        return notes if self.intervals else notes_without_intervals(notes)

    def _column(self, column: Column, cells: list[Any], everyone: bool) -> Column:
        if self.columns:  # whatever the width
            column = replace(column, drop_order=None)
        if everyone:
            column = replace(column, audience="all")
        if self.digits is not None and has_fractions(cells):
            column = column.with_digits(self.digits)
        if self.percent and column.share:
            digits = column.digits
            column = replace(column, percent=True)
            if self.digits is not None and digits is not None:  # 3 decimals of percent, as asked
                column = replace(column, digits=digits + 2)
        return column

    def _cell(self, cell: Any) -> Any:
        if self.intervals or not isinstance(cell, Cell):
            return cell
        return replace(cell, low=None, high=None)


_AS_IT_IS = Look()


def _chosen(table: "Table", wanted: tuple[str, ...]) -> dict[int, bool]:
    """The requested columns, and whether each is now for everyone.

    A name may mean two columns, one for people and one for machines: both stay.
    """
    if not wanted:
        return dict.fromkeys(range(len(table.columns)), False)
    names = [{_bare(column.name), column.field.casefold()} for column in table.columns]
    found: dict[int, bool] = {}
    for name in wanted:
        places = [i for i, known in enumerate(names) if {_bare(name), name.casefold()} & known]
        if not places:
            there = dict.fromkeys(column.field for column in table.columns)
            raise SegmentationError(f"no column is called {name!r}{nearest(name, there)}")
        found |= dict.fromkeys(places, len(places) == 1)
    return found


def _bare(name: str) -> str:
    """A heading as people type it: without average, arrow and capital letters."""
    return re.sub(r"^(micro|macro) |[ ]?[↑↓]$", "", name.casefold())
