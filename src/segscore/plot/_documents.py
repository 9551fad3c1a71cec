"""Documents.

The lengths of segments (after Carroll 2010, fig. 4).

Hierarchical segmentations as nested bars (after Carroll 2010, fig. 1).

A curve over the units of a document (after Fournier 2013, poetry, fig. 1c).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from segscore.basics.arguments import Floats
from segscore.coders.gold import Support, support
from segscore.coders.nominal import LabelSimilarity, label_similarity
from segscore.coding.levels import dense_ranks
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.metrics.ratios import ratio
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLACK, BLUE, GREY


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
    >>> ax = per_unit(ss.coders.support([cut([2, 3, 6]), cut([5, 6])]))
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
        what = "label similarity, support, a document, or a number per unit"
        raise canvas.refused("result", result, what)
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
        raise canvas.refused("document", document, "a document")
    canvas.drawable(len(given), "a document with one coding or more")
    lengths = {coding.n_units for coding in given.values()}
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
            look: Any = {"facecolor": shade, "edgecolor": BLACK, "linewidth": line}
            ax.broken_barh(bars[i::2], (row - 0.42, 0.84), **look)


Measurable = Corpus | Document | Iterable[Segmentation]
STEP, LONGEST = 0.25, 7.0  # of the axis, in mean segments


def lengths(corpus: Measurable | Mapping[str, Measurable], *, ax: Axes | None = None) -> Axes:
    """Draw a histogram of segment lengths, each relative to the mean segment of its own coding.

    So documents with long and with short segments fit in one picture: segments of equal length are
    all at 1. The last bar also holds all longer segments. A mapping from names to corpora (or to
    lists of segmentations) has a histogram for each, with shares instead of numbers.

    >>> import segscore as ss
    >>> ax = lengths([ss.Segmentation.from_masses([2, 3, 6])])
    >>> ax.get_xlabel()
    'segment length over the mean of its coding'
    """
    several = isinstance(corpus, Mapping) and not isinstance(corpus, Corpus | Document)
    given: Any = corpus if several else {"": corpus}
    found = {name: _relative(sizes) for name, sizes in given.items()}
    canvas.drawable(sum(map(len, found.values())), "one segmentation or more")
    longest = max(float(sizes.max(initial=0)) for sizes in found.values())
    end = min(LONGEST, max(2.0, np.ceil(longest / STEP + 1e-9) * STEP))
    edges = np.arange(0, end + STEP / 2, STEP)
    ax = canvas.axes(ax, 3.0)
    for i, (name, sizes) in enumerate(found.items()):
        # a hair below a bar's edge is on it: lengths are quotients
        counts, _ = np.histogram(np.minimum(sizes + 1e-9, end - STEP / 2), edges)
        if several:
            label = f"{canvas.label(name, 28)} ({len(sizes)} segments)"
            shares = counts / max(1, len(sizes))
            ax.stairs(shares, edges, linewidth=1.6, label=label, **canvas.line_look(i))
        else:
            ax.stairs(counts, edges, fill=True, facecolor="#9CC5E0")
            ax.stairs(counts, edges, color="black", linewidth=0.8)
            ax.yaxis.set_major_locator(MaxNLocator("auto", integer=True))
    if several:
        canvas.legend_above(ax, 2)
    ax.set_ylabel("share of segments" if several else "segments")
    more = f" (last bar: {end - STEP:g} and more)" if longest > end else ""
    ax.set_xlabel(f"segment length over the mean of its coding{more}")
    ax.set_xlim(0, end)
    ax.set_ylim(bottom=0)
    canvas.grid_behind(ax, "y")
    return ax


def _relative(codings: Measurable) -> Floats:
    """Lengths of all segments over the mean segment of their coding."""
    if isinstance(codings, Corpus):
        listed = [coding for document in codings.values() for coding in document.values()]
    else:
        listed = list(codings.values() if isinstance(codings, Document) else codings)
    if not all(isinstance(coding, Segmentation) for coding in listed):
        raise canvas.refused("corpus", codings, "a Corpus, or Segmentations")
    return np.concatenate(
        [np.empty(0), *(coding.masses * coding.n_segments / coding.n_units for coding in listed)]
    )
