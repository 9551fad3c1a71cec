"""Tables: rows with names, shown as text, Markdown, LaTeX, CSV, JSON or HTML."""

from segscore.tables.table import FORMATS, Format, Table
from segscore.tables.tabular import Tabular
from segscore.tables.view import Cell, Column

__all__ = ["FORMATS", "Cell", "Column", "Format", "Table", "Tabular"]
