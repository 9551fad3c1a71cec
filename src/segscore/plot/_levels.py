"""Hierarchical segmentations as nested bars (after Carroll 2010, fig. 1)."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from segscore.basics.arguments import shown
from segscore.coding.ranks import dense_ranks
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLACK

SHADES = ("#4A90C2", "#B9D6EA")  # neighbours differ, in grey print, too


def levels(document: Segmentation | Mapping[str, Segmentation], *, ax: Axes | None = None) -> Axes:
    """Draw each coding of a document, or a single segmentation, as a block of rows: a row per
    level.

    The first row has the segments between the most prominent boundaries, each row below also cuts
    at the next rank. Segments have two shades in turn. A coding without ranks has one level.

    >>> import segscore as ss
    >>> ax = levels(ss.ranked.from_nested_masses([[2, 3], 6, [1, [1, 2]]]))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['level 1', 'level 2', 'level 3']
    """
    codings = _codings(document)
    n_units = next(iter(codings.values())).n_units
    depths = [int(dense_ranks(coding).max(initial=1)) for coding in codings.values()]
    ax = canvas.axes(ax, canvas.height_of(sum(depths) + len(depths) - 1, 0.28))
    bins = canvas.Bins.of(n_units - 1)
    rows: list[float] = []
    names: list[str] = []
    top = 0.0
    for (name, coding), depth in zip(codings.items(), depths, strict=True):
        ranks = dense_ranks(coding)
        for level in range(1, depth + 1):
            _draw_level(ax, coding.boundaries[ranks <= level], n_units, bins, top)
            rows.append(top)
            names.append(f"{name} level {level}".strip() if depth > 1 or not name else name)
            top += 1
        top += 0.5
    step = max(1, len(rows) // 100)
    ax.set_yticks(rows[::step], [canvas.label(name) for name in names[::step]])
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(top - 1.0, -0.5)
    canvas.positions_axis(ax, n_units, bins, "a cut is one boundary or more")
    canvas.without_frame(ax, "top", "right", "left")
    return ax


def _codings(document: Segmentation | Mapping[str, Segmentation]) -> Mapping[str, Segmentation]:
    given = {"": document} if isinstance(document, Segmentation) else document
    if not isinstance(given, Mapping):
        raise SegmentationError(f"levels got {shown(document)}: expected a document")
    canvas.drawable(len(given), "a document with one coding or more")
    lengths = set()
    for name, coding in given.items():
        if not isinstance(coding, Segmentation):
            raise SegmentationError(f"coder {name!r} has {shown(coding)}: expected a Segmentation")
        lengths.add(coding.n_units)
    if len(lengths) > 1:
        raise SegmentationError(
            f"codings have {', '.join(map(str, sorted(lengths)))} units: expected the same number"
        )
    return given


def _draw_level(ax: Axes, cuts: np.ndarray, n_units: int, bins: canvas.Bins, row: float) -> None:
    """Draw the segments of a level, in two shades in turn."""
    edges = np.concatenate(([0.0], np.unique(bins.marks(cuts)), [n_units]))
    bars = list(zip(edges[:-1].tolist(), np.diff(edges).tolist(), strict=True))
    line = 0.8 if len(bars) < 150 else 0.0
    for i, shade in enumerate(SHADES):
        if bars[i::2]:
            ax.broken_barh(
                bars[i::2], (row - 0.42, 0.84), facecolor=shade, edgecolor=BLACK, linewidth=line
            )
