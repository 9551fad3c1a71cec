"""What results share: a table that they print and export as, a picture, names for trackers.

Pictures are in a layer above the results they draw (docs/architecture.md), so a result cannot
import them. Its `.plot()` is a shortcut for `segscore.plot.…(result)`, which only `picture` knows.

Trackers (MLflow, Weights & Biases) log one flat dict of floats. They take letters, digits, `_`,
`-`, `.` and, between levels, `/`. So `f1(tolerance=1)` becomes `f1.tolerance_1`, and its
micro-average `f1.tolerance_1/micro`. A metric that is written the same way has the same name in all
runs.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from segscore.basics.on_demand import tell_name
from segscore.errors import SegmentationError, needing

if TYPE_CHECKING:
    import pandas
    import polars
    from matplotlib.axes import Axes

    from segscore.tables.table import Format, Table

MOST_ROWS = 60  # that `print`, the REPL and notebooks show; `render` gives all


class Tabular:
    """A result with a table: shown by `print`, in the REPL and in notebooks; exported by `to_…`.

    A table of more than 60 rows is shown without its middle; `render` and `to_…` give every row.
    Subclasses give `to_table`; frames may have other rows (`_frame`).
    """

    __slots__ = ()

    if not TYPE_CHECKING:
        __getattr__ = tell_name

    @abstractmethod
    def to_table(self) -> "Table":
        """The result as a table."""

    def render(self, form: "Format" = "text", width: int | None = None) -> str:
        """The table as text, Markdown, LaTeX, CSV, JSON or HTML."""
        return self.to_table().render(form, width)

    def to_markdown(self) -> str:
        """The table in Markdown, as a pipe table."""
        return self.render("markdown")

    def to_latex(self, *, caption: str | None = None, label: str | None = None) -> str:
        """The table in LaTeX, for a paper, with booktabs; `label` is what it is referred to by."""
        return self.to_table().styled(caption=caption, label=label).render("latex")

    def to_csv(self) -> str:
        """The table as CSV, with every number in full."""
        return self.render("csv")

    def records(self) -> list[dict[str, Any]]:
        """One dict per row of the table, numbers in full; None for NaN."""
        return self.to_table().records()

    def to_pandas(self) -> "pandas.DataFrame":
        """A pandas DataFrame with the rows of the table, or of `to_dicts` if the result has it."""
        with needing("dataframes", "a pandas frame"):
            import pandas

        rows, names = self._frame()
        return pandas.DataFrame(rows, columns=names)

    def to_polars(self) -> "polars.DataFrame":
        """A Polars DataFrame with the rows of the table, or of `to_dicts` if the result has it."""
        with needing("dataframes", "a Polars frame"):
            import polars

        rows, names = self._frame()
        return polars.DataFrame(rows, None if rows else names, infer_schema_length=None)

    def _frame(self) -> tuple[Any, list[str] | None]:
        """The contents of a frame, rows or columns, and the names of columns in case there is no
        row."""
        table = self.to_table()
        return table.records(), list(table.fields)

    def _brief(self) -> "Table":
        """The table that is shown where nobody asked for all of it."""
        return self.to_table()

    def __str__(self) -> str:
        return self._brief().folded(MOST_ROWS)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self._brief().folded(MOST_ROWS, "html")


def picture(name: str, *what: Any, ax: "Axes | None", **options: Any) -> "Axes":
    """Draw a picture with the function of `segscore.plot` that has this name."""
    draw = getattr(import_module("segscore.plot"), name)
    return cast("Axes", draw(*what, ax=ax, **options))


_SIGNS = {"(": ".", ",": ".", "=": "_", ")": ""}


def flat_numbers(
    numbers: Iterable[tuple[Sequence[str], float | None]], prefix: str = ""
) -> dict[str, float]:
    """The numbers by their names, levels joined by `/`; None and empty levels are left out."""
    found: dict[str, float] = {}
    for levels, value in numbers:
        if value is None:
            continue
        name = prefix + "/".join(flat_name(level) for level in levels if level)
        if name in found:
            raise SegmentationError(
                f"two numbers would be called {name!r}: give the systems or metrics other names"
            )
        found[name] = float(value)
    return found


def flat_name(text: str) -> str:
    """One level of a name.

    >>> flat_name("windowdiff(k=3, edges=wrap)"), flat_name("winpr(k=3).recall"), flat_name("a/b")
    ('windowdiff.k_3.edges_wrap', 'winpr.k_3.recall', 'a_b')
    """
    spelt = "".join(_SIGNS.get(sign, sign) for sign in re.sub(r"\s*([(),=])\s*", r"\1", text))
    return re.sub(r"[^\w.-]", "_", spelt, flags=re.ASCII).strip(".") or "_"
