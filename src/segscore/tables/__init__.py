"""Tables: rows with names, shown as text, Markdown, LaTeX, CSV, JSON or HTML.

`Tabular`, from which results inherit, comes with the import; the rest is loaded when a table is
drawn, to keep `import segscore` fast.
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand
from segscore.tables.tabular import Tabular

if TYPE_CHECKING:
    from segscore.tables.table import FORMATS, Format, Table
    from segscore.tables.view import Cell, Column, columns

_HOMES = {
    "table": ("FORMATS", "Format", "Table"),
    "view": ("Cell", "Column", "columns"),
}
__getattr__ = names_on_demand(
    __name__, {name: home for home, names in _HOMES.items() for name in names}
)

__all__ = ["FORMATS", "Cell", "Column", "Format", "Table", "Tabular", "columns"]
