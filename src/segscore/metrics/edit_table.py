"""Edits as a table, and as HTML: both segmentations as strips, the operations in colours."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from segscore.metrics.edit_drawing import counts
from segscore.tables import Column, Table
from segscore.tables.strips import Strip, StripMark, sheet
from segscore.tables.tabular import MOST_ROWS

if TYPE_CHECKING:  # edit_distance imports this module to show itself
    from segscore.metrics.edit_distance import BoundaryEdits

_COLOURS = {
    "match": "rgba(128,128,128,.7)",
    "transposition": "#e69f00",
    "substitution": "#0072b2",
    "addition": "#d55e00",
}


def edits_table(edits: "BoundaryEdits") -> Table:
    """A row per match and edit; a side that has no boundary there is empty."""
    rows = sorted(_listed(edits), key=lambda row: min(p for p in row[1:3] if p is not None))
    audience: Any = "all" if edits.types else "machines"
    columns = [
        Column("operation"),
        Column("a"),
        Column("b"),
        Column("type of a", key="type_a", audience=audience),
        Column("type of b", key="type_b", audience=audience),
    ]
    return Table(columns, rows, [counts(edits)])


def _listed(edits: "BoundaryEdits") -> Iterator[tuple[str, Any, Any, Any, Any]]:
    """Operation, position in a, position in b, and the types of both."""

    def name(kind: Any) -> str | None:
        return None if kind is None else str(kind)

    for match in edits.matches:
        kind = name(match.type)
        yield "match", match.position, match.position, kind, kind
    for near in edits.transpositions:
        yield "transposition", near.a, near.b, name(near.type), name(near.type)
    for swapped in edits.substitutions:
        place = swapped.position
        yield "substitution", place, place, name(swapped.a), name(swapped.b)
    for added in edits.additions:
        if added.side == "a":
            yield "addition", added.position, None, name(added.type), None
        else:
            yield "addition", None, added.position, None, name(added.type)


def edits_html(edits: "BoundaryEdits") -> str:
    """Two strips, and the list of edits to be opened."""
    rows = list(_listed(edits))
    strips = [Strip((name,), _marks(rows, side)) for side, name in enumerate("ab")]
    drawn = sheet(counts(edits), (), strips, edits.a.n_units)
    table = edits_table(edits).folded(MOST_ROWS, "html")
    return f"{drawn}<details><summary>all edits</summary>\n{table}</details>\n"


def _marks(rows: list[tuple[str, Any, Any, Any, Any]], side: int) -> Iterator[StripMark]:
    """The boundaries of a side; edits are drawn taller than matches."""
    for operation, *both in sorted(rows, key=lambda row: row[1 + side] or 0):
        position, kind = both[side], both[2 + side]
        if position is not None:
            title = f"{operation} {position}" + (f", {kind}" if kind is not None else "")
            height = 0.6 if operation == "match" else 1.0
            yield StripMark(position, title, height, _COLOURS[operation])
