"""A curve over the units of a document (after Fournier 2013, poetry, fig. 1c)."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from segscore.basics.arguments import Floats, shown
from segscore.coders.differences import LabelSimilarity, label_similarity
from segscore.coders.support import Support, support
from segscore.corpus.corpus import Document
from segscore.errors import SegmentationError
from segscore.metrics.ratios import ratio
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLUE, GREY


def per_unit(
    result: LabelSimilarity | Support | Document | Sequence[float] | Floats,
    *,
    ylabel: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the similarity of labels by unit, the support by position, or any value per unit.

    For a document, the similarity of its labels is drawn if its coders gave labels, else the
    support of its positions. Where there is no value the curve has a gap. In long documents each
    point is the mean of several units (of support: the highest), and the axis says so.

    result: the result of `label_similarity` or `support`; a document; or a value per unit.
    ylabel: text at the vertical axis.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> ax = per_unit(ss.support([cut([2, 3, 6]), cut([5, 6])]))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('position', 'share of coders')
    """
    if isinstance(result, Document):
        result = label_similarity(result) if result.labels else support(result)
    if isinstance(result, Support):
        return _draw_support(result, ylabel, ax)
    mean = None
    values = canvas.in_one_row(result)
    if isinstance(result, LabelSimilarity):
        values, mean = result.per_unit, result.mean
        ylabel = ylabel or "similarity of labels (Jaccard)"
    if values is None:
        raise SegmentationError(
            f"per_unit got {shown(result)}: expected label similarity, support, a document, or a "
            "number per unit"
        )
    canvas.drawable(len(values), "one unit or more")
    bins = canvas.Bins.of(len(values))
    ax = canvas.axes(ax, 2.6)
    x, y = bins.middle(np.arange(bins.n_bins)), _means(values, bins)
    # a point among gaps would be a line of no length: mark it
    alone = ~np.isnan(y) & np.isnan(np.append(np.nan, y[:-1])) & np.isnan(np.append(y[1:], np.nan))
    ax.plot(x, y, color=BLUE, linewidth=1.4, drawstyle="steps-mid")
    if alone.any():
        ax.plot(x[alone], y[alone], ".", color=BLUE)
    if mean is not None:
        ax.axhline(mean, color=GREY, linewidth=1, linestyle="--", label=f"mean {mean:.3g}")
        canvas.legend_above(ax, 1)
    canvas.positions_axis(ax, len(values), bins, "the mean of each", "unit")
    ax.set_xlim(0.5, len(values) + 0.5)
    return _finish(ax, ylabel or "value")


def _draw_support(made: Support, ylabel: str | None, ax: Axes | None) -> Axes:
    """Draw a stem for each position that anyone marked; in bins, the highest."""
    ax = canvas.axes(ax, 2.6)
    bins = canvas.Bins.of(made.n_units - 1)
    found = np.zeros(bins.n_bins)
    np.maximum.at(found, bins.of_positions(made.positions), made.shares)
    marked = np.flatnonzero(found)
    x = bins.middle(marked)
    ax.vlines(x, 0, found[marked], color=BLUE, linewidth=bins.line)
    if bins.n_bins < 150:
        ax.plot(x, found[marked], "o", color=BLUE, markersize=4)
    ax.set_ylim(0, 1.05)
    canvas.positions_axis(ax, made.n_units, bins, "the highest share in each")
    near = f" within {made.within}" if made.within else ""
    return _finish(ax, ylabel or f"share of coders{near}")


def _means(values: Floats, bins: canvas.Bins) -> Floats:
    """The mean of the defined values of each bin; NaN where there are none."""
    starts = np.arange(bins.n_bins) * bins.width
    defined = ~np.isnan(values)
    counts = np.add.reduceat(defined.astype(np.int64), starts)
    sums = np.add.reduceat(np.where(defined, values, 0.0), starts)
    return ratio(sums, counts.astype(np.float64))


def _finish(ax: Axes, ylabel: str) -> Axes:
    ax.set_ylabel(ylabel)
    canvas.grid_behind(ax, "y")
    return ax
