"""How support of boundaries looks: by position, by document, and as a map of shaded blocks."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Floats
from segscore.coders.habits import QUARTILES, quartiles
from segscore.tables import Column, Table
from segscore.tables.strips import StripMark, drawn_strip
from segscore.tables.view import Drawing

if TYPE_CHECKING:  # it imports this module, to show itself
    from segscore.coders.support import Support

SHADES = " ░▒▓█"  # share of coders: none, up to a quarter, half, three quarters, all


def support_table(support: "Support") -> Table:
    """The positions that somebody marked, and who agrees."""
    rows = [
        [position, count, share]
        for (position, share), count in zip(support, support.counts.tolist(), strict=True)
    ]
    columns = [Column("position"), Column("coders"), Column("share", digits=3)]
    near = f"a boundary within {support.within} of it" if support.within else "a boundary there"
    words = f"{support.n_units} units, {support.n_coders} coders; coders: how many have {near}"
    return Table(columns, rows, [words], "Support of boundaries")


def support_quartiles_table(documents: "Iterable[tuple[str, Support]]") -> Table:
    """How widely the boundaries of each document are supported."""
    rows = [
        [name, found.n_coders, len(found.positions), *quartiles(found.shares)]
        for name, found in documents
    ]
    columns = [
        Column("document"),
        Column("coders"),
        Column("positions"),
        *(Column(name, key=key, digits=3, share=True) for key, name in QUARTILES.items()),
    ]
    words = "share of coders who mark a position, over the positions that anyone marks"
    return Table(columns, rows, [words], "Support of boundaries by document")


def shares_table(documents: "Iterable[tuple[str, Support]]", width: int = 60) -> Table:
    """Where coders see boundaries: a line of shaded blocks per document.

    A block stands for one potential boundary, or, in longer documents, for several: the most that
    coders agree on any of them.
    """
    rows: list[list[Any]] = []
    numbers: list[list[Any]] = []
    for name, found in documents:
        rows.append([name, found.n_units, found.n_coders, _map(found, width)])
        basis = [name, found.n_units, found.n_coders]
        numbers += [
            [*basis, position, count, share]
            for (position, share), count in zip(found, found.counts.tolist(), strict=True)
        ]
    names = [Column("document"), Column("units"), Column("coders")]
    words = (
        "share of coders with a boundary: ░ up to 1/4, ▒ up to 1/2, ▓ up to 3/4, █ more; in HTML, "
        "the height of a mark"
    )
    return Table(
        [*names, Column("boundaries")],
        rows,
        [words],
        "Where coders see boundaries",
        for_machines=Table([*names, *map(Column, ("position", "count", "share"))], numbers),
    )


def _map(found: "Support", width: int) -> Drawing:
    """One document: blocks of characters, or a strip with a mark as high as the share."""

    def strip() -> str:
        marks = [
            StripMark(position, f"{position}: {count} of {found.n_coders} coders", share)
            for (position, share), count in zip(found, found.counts.tolist(), strict=True)
        ]
        return f'<div style="min-width:20em">{drawn_strip(marks, found.n_units)}</div>'

    return Drawing(f"│{shaded(found.blocks(width), width)}│", strip)


def shaded(shares: Floats, width: int) -> str:
    """Shares as a line of at most `width` blocks.

    >>> shaded(np.array([0, 0.2, 0.5, 0.7, 1]), 60)
    ' ░▒▓█'
    >>> shaded(np.array([0, 0.2, 0.5, 0.7, 1, 0]), 3)
    '░▓█'
    """
    if len(shares) > width:
        starts = np.arange(width) * len(shares) // width
        shares = np.maximum.reduceat(shares, starts)
    return "".join(SHADES[int(np.ceil(share * 4))] for share in shares)
