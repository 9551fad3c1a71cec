"""What pictures share: axes without pyplot, sizes, colours, names as labels, rows, bins, heat maps.

Nothing here touches matplotlib's global state: figures are made directly, so no window is opened,
no display is needed and nothing has to be closed.
"""

import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from segscore.errors import SegmentationError, needing, visible

with needing("plot", "a picture"):
    import matplotlib as mpl

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from segscore.basics.arguments import Floats, Int64Array, shown
from segscore.tables.markup import latex_text

if TYPE_CHECKING:
    from matplotlib.colorbar import Colorbar

# The colours are those of Okabe & Ito (2008), chosen so that people with any kind of colour vision
# tell them apart. No picture tells things apart by colour alone: marks or lines differ as well.
BLACK = "#000000"
BLUE = "#0072B2"
VERMILION = "#D55E00"
GREEN = "#009E73"
ORANGE = "#E69F00"
SKY = "#56B4E9"
PURPLE = "#CC79A7"
GREY = "#767676"
LIGHT = "#D9D9D9"

CYCLE = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, BLACK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
DASHES = ("-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 2)))

WIDTH = 7.0  # inches: the text width of a page
ROW = 0.26  # inches of a row with a name
TALLEST = 20.0  # inches; more rows than fit share them
LONGEST_NAME = 36  # characters
MOST_BINS = 1000
MOST_CELLS = 20_000  # drawn one by one; larger heat maps are images
READABLE_ROW = 0.13  # inches; where rows are lower, only some are named


class Picture(Axes):
    """Axes that a notebook shows automatically, without pyplot."""

    def _repr_png_(self) -> bytes:
        file = io.BytesIO()
        own_figure(self).savefig(file, format="png")
        return file.getvalue()


# ---- axes and their size ----


def axes(ax: Axes | None, height: float, width: float = WIDTH) -> Axes:
    """The given axes, or those of a new figure of this size."""
    if ax is None:
        return panels(1, height, width)[0]
    if not isinstance(ax, Axes):
        raise refused("ax", ax, "matplotlib Axes")
    return ax


def panels(n: int, height: float, width: float = WIDTH, columns: int | None = None) -> list[Axes]:
    """Make `n` new axes in a figure, in `columns` columns or side by side.

    n: number of axes.
    height, width: the size of the whole figure, in inches.
    columns: number of axes side by side; None: all.
    """
    columns = n if columns is None else columns
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    lines = -(-n // columns)
    return [figure.add_subplot(lines, columns, i + 1, axes_class=Picture) for i in range(n)]


def height_of(n_rows: int, each: float = ROW, around: float = 1.1) -> float:
    """The height for `n_rows` rows; beyond a limit, rows share the height."""
    return min(TALLEST, around + each * max(n_rows, 2))


def own_figure(ax: Axes) -> Figure:
    """The figure of the axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None  # noqa: S101  # only axes that were removed have none
    return figure


# ---- text ----


def label(text: object, most: int = LONGEST_NAME) -> str:
    r"""A name as a label: it is never read as mathematics or TeX, and long names lose their middle.

    >>> label("a$b_1$")
    'a\\$b_1\\$'
    >>> label("a name that is far longer than a label can be", most=20)
    'a name that i…can be'
    """
    plain = visible(str(text))
    if len(plain) > most:
        tail = most // 3
        plain = f"{plain[: most - tail - 1]}…{plain[-tail:]}"
    if plain.startswith("_"):  # Matplotlib leaves such labels out of legends
        plain = f" {plain}"
    # reading the user's setting is fine; changing it would not be
    return latex_text(plain) if mpl.rcParams["text.usetex"] else plain.replace("$", r"\$")


def row_names(ax: Axes, names: Sequence[str], what: str = "") -> None:
    """Name rows 0, 1 … from top to bottom, or only some of them if there is no room for all."""
    n = len(names)
    inches = ax.get_position().height * own_figure(ax).get_figheight()
    step = max(1, math.ceil(READABLE_ROW * n / inches))
    shown_rows = range(0, n, step)
    ax.set_yticks(list(shown_rows), [label(names[i]) for i in shown_rows])
    ax.set_ylim(n - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    if step > 1:
        ax.set_ylabel(f"{n} {what or 'row'}s, one in {step} named")
    elif what:
        ax.set_ylabel(what)


def draw_text(ax: Axes, text: str, at: tuple[float, float], by: int = 4, **options: Any) -> None:
    """Write a small text some points to the right of a place."""
    look = {"textcoords": "offset points", "va": "center", "fontsize": "small", **options}
    ax.annotate(text, at, (by, 0), **look)


def write_beside(ax: Axes, text: str, row: float, by: int = 4, **options: Any) -> None:
    """Write a text to the right of the axes, in a row."""
    options |= {"xycoords": ax.get_yaxis_transform(), "annotation_clip": False}
    draw_text(ax, text, (1.0, row), by, **options)


def legend(ax: Axes, at: tuple[float, float], columns: int, **options: Any) -> None:
    """Put a legend without a frame at a place."""
    look = {"loc": "lower left", "frameon": False, "fontsize": "small", **options}
    ax.legend(bbox_to_anchor=at, ncols=columns, **look)


def legend_above(ax: Axes, columns: int = 4, **options: Any) -> None:
    """Put a legend above the axes, where it hides nothing."""
    options |= {"borderaxespad": 0.3, "handletextpad": 0.5, "columnspacing": 1.2}
    legend(ax, (0, 1.0), columns, **options)


def line_look(i: int, steps: int = 0) -> dict[str, Any]:
    """The colour and the dashes of line i; after all colours, the dashes move on by `steps`."""
    dashes = DASHES[(i + steps * (i // len(CYCLE))) % len(DASHES)]
    return {"color": CYCLE[i % len(CYCLE)], "linestyle": dashes}


def without_frame(ax: Axes, *sides: str) -> None:
    """Remove lines of the frame that carry no information (default: top and right)."""
    ax.spines[list(sides or ("top", "right"))].set_visible(False)


def rows_of_units(
    ax: Axes, n_units: int, names: Sequence[str], shows: str, what: str = ""
) -> "Bins":
    """Axes with a light line and a name for each row over the units of a document; the bins of its
    positions. `shows` says what a mark is in bins."""
    ax.hlines(range(len(names)), 0, n_units, color=LIGHT, linewidth=0.8, zorder=1)
    bins = Bins.of(n_units - 1)
    row_names(ax, names, what)
    positions_axis(ax, n_units, bins, shows)
    without_frame(ax, "top", "right", "left")
    return bins


def grid_behind(ax: Axes, axis: Literal["x", "y", "both"]) -> None:
    """Draw light lines behind the picture, and no frame at the top and on the right."""
    ax.grid(axis=axis, color=LIGHT, linewidth=0.6)
    ax.set_axisbelow(True)
    without_frame(ax)


def in_one_row(given: Any) -> Floats | None:
    """The numbers as a one-dimensional array; None if they are something else."""
    try:
        values = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        return None
    return values if values.ndim == 1 else None


def drawable(given: int, what: str) -> None:
    """Raise if there is nothing to draw."""
    if not given:
        raise SegmentationError(f"there is nothing to draw: expected {what}")


def refused(what: str, given: object, expected: str) -> SegmentationError:
    """What to raise for something that a picture cannot draw."""
    return SegmentationError(f"{what} is {shown(given)}: expected {expected}")


# ---- positions ----


class Bins(NamedTuple):
    """Positions 1 … n in bins of `width`; the width is 1 if there is room for all."""

    n: int
    width: int

    @classmethod
    def of(cls, n_positions: int, most: int = MOST_BINS) -> "Bins":
        """The narrowest bins, of which there are at most `most`."""
        return cls(n_positions, max(1, -(-n_positions // most)))

    @property
    def n_bins(self) -> int:
        """The number of bins."""
        return -(-self.n // self.width)

    def of_positions(self, positions: Int64Array) -> Int64Array:
        """The bin of each position, from 0."""
        return np.asarray((positions - 1) // self.width)

    def marks(self, positions: Int64Array) -> Floats:
        """Where to draw positions: at the position or, in bins, in the middle of each non-empty
        bin."""
        if self.width == 1:
            return positions.astype(np.float64)
        return self.middle(np.unique(self.of_positions(positions)))

    def middle(self, index: Int64Array) -> Floats:
        """The middle of bins."""
        return np.asarray(index * self.width + (self.width + 1) / 2, np.float64)

    def draw(self, ax: Axes, positions: Int64Array, row: float, reach: float, **look: Any) -> None:
        """Draw positions as marks over a row."""
        x = self.marks(positions)
        ax.vlines(x, row - reach, row + reach, linewidth=self.line, **look)

    @property
    def line(self) -> float:
        """The width of marks in points, so that neighbours stay apart."""
        return 2.0 if self.n_bins < 150 else 1.0 if self.n_bins < 400 else 0.5

    def note(self, shows: str) -> str:
        """A note for the axis: nothing, or the width of the bins and what each shows."""
        return "" if self.width == 1 else f" (in bins of {self.width}: {shows})"


def positions_axis(ax: Axes, n_units: int, bins: Bins, shows: str, what: str = "position") -> None:
    """The axis of positions, from the start of a document to its end."""
    ax.set_xlim(0, max(n_units, 1))
    ax.set_xlabel(what + bins.note(shows))
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True))


# ---- heat maps ----


def heat(ax: Axes, cells: Floats, extent: tuple[float, float], name: str, **limits: Any) -> None:
    """Cells as shades from white to dark, columns spread over the extent; NaN is hatched.

    A small map is drawn cell by cell, so that it stays sharp in print; a large map is an image.
    """
    ax.patch.set(facecolor="white", hatch="/////", edgecolor="0.82")
    rows, columns = cells.shape
    masked = np.ma.masked_invalid(cells)
    if cells.size <= MOST_CELLS:
        x = np.linspace(*extent, columns + 1)
        mesh: Any = ax.pcolormesh(
            x, np.arange(rows + 1) - 0.5, masked, cmap="Blues", linewidth=0, **limits
        )
    else:
        limits |= {"aspect": "auto", "interpolation": "none"}
        mesh = ax.imshow(masked, cmap="Blues", extent=(*extent, rows - 0.5, -0.5), **limits)
    figure = own_figure(ax)
    slim = max(20.0, 4 * figure.get_figheight())  # a quarter of an inch wide, however tall
    bar: Colorbar = figure.colorbar(mesh, ax=ax, label=name, pad=0.02, aspect=slim)
    if bar.solids is not None:
        bar.solids.set(rasterized=False, edgecolor="face")  # lines of the map's own colour
