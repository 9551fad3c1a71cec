"""Tables: rows with names, shown as text, Markdown, LaTeX, CSV, JSON or HTML.

`Tabular`, which results inherit from, comes with the import; the rest when a table is drawn, so
that `import segscore` does not pay for it.
"""

from typing import TYPE_CHECKING, Any

from segscore.tables.tabular import Tabular

if TYPE_CHECKING:
    from segscore.tables.table import FORMATS, Format, Table
    from segscore.tables.view import Cell, Column

_HOME = {"FORMATS": "table", "Format": "table", "Table": "table", "Cell": "view", "Column": "view"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'segscore.tables' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"segscore.tables.{_HOME[name]}"), name)
    globals()[name] = value  # the next look-up finds it at once
    return value


__all__ = ["FORMATS", "Cell", "Column", "Format", "Table", "Tabular"]
