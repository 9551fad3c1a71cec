"""The edits between two segmentations (after Fournier 2013, fig. 1)."""

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from segscore.basics.arguments import shown
from segscore.coding.segmentation import BoundaryType, Segmentation
from segscore.errors import SegmentationError
from segscore.metrics.edit_distance import BoundaryEdits, EditRow, boundary_edits
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLACK, BLUE, CYCLE, LIGHT, MARKERS, ORANGE, PURPLE, VERMILION

TOP, BOTTOM = 0.0, 1.0  # the rows of reference and hypothesis
REACH = 0.22  # half the height of a boundary


class EditKind(NamedTuple):
    """How a kind of edit is drawn: its colour, its line between the rows, or its mark."""

    name: str
    colour: str
    line: str = ""
    marker: str = ""


MATCH = EditKind("match", BLACK, line="-")
NEAR = EditKind("near miss", ORANGE, line="--")
SWAPPED = EditKind("type differs", PURPLE, line=":")
MISSED = EditKind("missed", VERMILION, marker="x")
EXTRA = EditKind("extra", BLUE, marker="^")
KINDS = (MATCH, NEAR, SWAPPED, MISSED, EXTRA)


# how boundaries of one type look: colour, mark at their end, how far beside their place
TypeLook = tuple[str, str, float]
Looks = dict[BoundaryType, TypeLook]


def edits(
    ref: Segmentation | BoundaryEdits,
    hyp: Segmentation | None = None,
    n_t: int = 2,
    *,
    names: tuple[str, str] = ("reference", "hypothesis"),
    ax: Axes | None = None,
) -> Axes:
    """Draw two rows of boundaries, and between them the edit of each boundary.

    A match is a line from row to row, a near miss a dashed line, a type that differs a dotted line;
    a missed boundary has a cross below it, an extra boundary a triangle above it. Boundaries with
    types have the colour and the mark of their type. `ref` may be the result of
    `segscore.boundary_edits`.

    names: the names of the two rows.

    >>> import segscore as ss
    >>> ax = edits(ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([2, 2, 7]))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['match: 1', 'near miss: 1']
    """
    if isinstance(ref, BoundaryEdits):
        made = ref
    elif isinstance(ref, Segmentation) and isinstance(hyp, Segmentation):
        made = boundary_edits(ref, hyp, n_t)
    else:
        raise SegmentationError(
            f"edits got {shown(ref)} and {shown(hyp)}: expected two Segmentations, or the result "
            "of boundary_edits"
        )
    bins = canvas.Bins.of(made.a.n_units - 1)
    ax = canvas.axes(ax, 2.2)
    ax.hlines([TOP, BOTTOM], 0, made.a.n_units, color=LIGHT, linewidth=0.8, zorder=1)
    looks = _looks(made)
    by_kind = {kind: rows for kind, rows in _by_kind(made).items() if rows}
    for kind, rows in by_kind.items():
        _draw(ax, kind, rows, bins, looks)
    handles = [_handle(kind, len(rows)) for kind, rows in by_kind.items()]
    handles += [
        Line2D(
            [], [], color=colour, marker=marker, linewidth=3,
            label=canvas.label(f"type {kind}", 20),
        )
        for kind, (colour, marker, _) in looks.items()
    ]  # fmt: skip
    if handles:
        canvas.legend_above(ax, 5 if len(handles) < 5 else 3, handles=handles)
    canvas.row_names(ax, names)
    canvas.positions_axis(ax, made.a.n_units, bins, "a mark is one edit or more")
    canvas.without_frame(ax, "top", "right", "left")
    return ax


def _looks(made: BoundaryEdits) -> Looks:
    """A colour for each type; side by side if boundaries have several types."""
    several = any(len(kinds) > 1 for side in (made.a, made.b) for kinds in side.types or ())
    middle = (len(made.types) - 1) / 2
    return {
        kind: (
            CYCLE[i % len(CYCLE)],
            MARKERS[i % len(MARKERS)],
            0.14 * (i - middle) if several else 0.0,
        )
        for i, kind in enumerate(made.types)
    }


def _by_kind(made: BoundaryEdits) -> dict[EditKind, list[EditRow]]:
    """The edits of each kind."""
    found: dict[EditKind, list[EditRow]] = {kind: [] for kind in KINDS}
    names = {"match": MATCH, "transposition": NEAR, "substitution": SWAPPED}
    for row in made.listed():
        alone = EXTRA if row[1] is None else MISSED  # an addition
        found[names.get(row[0], alone)].append(row)
    return found


def _draw(ax: Axes, kind: EditKind, listed: list[EditRow], bins: canvas.Bins, looks: Looks) -> None:
    """Draw the boundaries of a kind of edit, and the lines or marks of that kind."""
    plain = (kind.colour, "none", 0.0)
    by_look: defaultdict[tuple[float, TypeLook], set[float]] = defaultdict(set)
    between: set[tuple[float, ...]] = set()
    for _, ref, hyp, ref_type, hyp_type in listed:
        ends = []
        sides = ((TOP, ref, ref_type), (BOTTOM, hyp, hyp_type))
        for row, position, of in sides:
            if position is not None:
                look = plain if of is None else looks[of]
                place = float(bins.marks(np.array([position]))[0]) + look[2]
                by_look[row, look].add(place)
                ends.append(place)
        between.add(tuple(ends))
    for (row, (colour, marker, _)), places in by_look.items():
        x, outer = sorted(places), row - REACH if row == TOP else row + REACH
        ax.vlines(x, row - REACH, row + REACH, color=colour, linewidth=bins.line, zorder=3)
        if marker != "none":
            ax.plot(x, [outer] * len(x), marker, color=colour, markersize=4, zorder=3)
    if kind.line:
        links = [[(start, TOP + REACH), (end, BOTTOM - REACH)] for start, end in sorted(between)]
        ax.add_collection(
            LineCollection(
                links, colors=kind.colour, linestyles=kind.line, linewidths=min(1.2, bins.line)
            )
        )
    else:
        y = TOP + REACH + 0.13 if kind is MISSED else BOTTOM - REACH - 0.13
        x, size = sorted(place for (place,) in between), 2 + 1.5 * bins.line
        ax.plot(x, [y] * len(x), kind.marker, color=kind.colour, markersize=size)


def _handle(kind: EditKind, count: int) -> Line2D:
    """The legend entry of a kind, with its number of edits."""
    return Line2D(
        [], [], color=kind.colour, ls=kind.line or "none", marker=kind.marker or "none",
        markersize=5, linewidth=1.6, label=f"{kind.name}: {count}",
    )  # fmt: skip
