"""What every result that has a table shares: it prints, displays and exports as that table."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars

    from segscore.tables.table import Format, Table

MOST_ROWS = 60  # that the REPL and notebooks show; `print` and `render` show all


class Tabular:
    """A result with a table: shown by `print`, in the REPL and in notebooks; exported by `to_…`.

    `print` and `render` show every row; the REPL and notebooks fold the middle of a long table.
    Subclasses give `to_table`, and nothing else.
    """

    __slots__ = ()

    @abstractmethod
    def to_table(self) -> "Table":
        """The result as a table."""

    def render(self, form: "Format" = "text", width: int | None = None) -> str:
        """The table as text, Markdown, LaTeX, CSV, JSON or HTML."""
        return self.to_table().render(form, width)

    def records(self) -> list[dict[str, Any]]:
        """One dict per row of the table, numbers in full; None for NaN."""
        return self.to_table().records()

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows of the table as a pandas DataFrame."""
        import pandas

        table = self.to_table()
        return pandas.DataFrame(table.records(), columns=table.fields)

    def to_polars(self) -> "polars.DataFrame":
        """The rows of the table as a Polars DataFrame."""
        import polars

        table = self.to_table()
        rows = table.records()
        return polars.DataFrame(rows, None if rows else table.fields, infer_schema_length=None)

    def __str__(self) -> str:
        return self.render("text")

    def __repr__(self) -> str:
        return self.to_table().folded(MOST_ROWS, "text")

    def _repr_html_(self) -> str:
        return self.to_table().folded(MOST_ROWS, "html")
