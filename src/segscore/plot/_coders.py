"""Coders.

Who segments like whom: a dendrogram (after Fournier 2013, poetry, fig. 1b).

Boundaries per coder (after Fournier 2013, fig. 11; Fournier 2013, poetry, fig. 1a).

Coder against coder: a heat map.

Where coders mark boundaries, a row per document (after Fournier & Inkpen 2012, fig. 11).
"""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from segscore.coders.coder_pairs import CodedBy, people_of
from segscore.coders.gold import support as support_of
from segscore.coders.habits import CoderHabits, boundaries_per_coder
from segscore.coders.pairwise_values import CoderClusters, PairwiseMean, coder_clusters, pairwise
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLACK, BLUE, GREY, LIGHT, VERMILION

MOST_DOCUMENTS = 5_000


def support(corpus: Corpus | Document, within: int = 0, *, ax: Axes | None = None) -> Axes:
    """Draw a heat map of the share of coders per position, a row per document.

    Beyond the end of shorter documents the map is hatched. In long documents a cell covers several
    positions and shows the highest share among them, and the axis says so. Documents without
    codings, or of one unit, are left out.

    within: how many positions away a boundary still counts.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> people = {"ann": cut([2, 3, 6]), "bob": cut([5, 6])}
    >>> ax = ss.plot.support(ss.Corpus.from_dict({"d": people}))
    >>> [text.get_text() for text in ax.get_yticklabels()], ax.get_xlabel()
    (['d'], 'position')
    """
    if not isinstance(corpus, Corpus | Document):
        raise canvas.refused("corpus", corpus, "a Corpus, or one of its documents")
    documents = [coded for coded in people_of(corpus).values() if coded and coded.n_units > 1]
    canvas.drawable(len(documents), "a document with codings, of two units or more")
    if len(documents) > MOST_DOCUMENTS:
        raise SegmentationError(
            f"{len(documents)} documents are more than a heat map can show: expected at most "
            f"{MOST_DOCUMENTS}; corpus.select(documents=…) chooses some"
        )
    bins = canvas.Bins.of(max(document.n_units for document in documents) - 1)
    cells = np.full((len(documents), bins.n_bins), np.nan)
    for row, document in zip(cells, documents, strict=True):
        found = support_of(document, within)
        row[: -(-(document.n_units - 1) // bins.width)] = 0.0
        np.maximum.at(row, bins.of_positions(found.positions), found.shares)
    ax = canvas.axes(ax, canvas.height_of(len(documents)))
    near = f" within {within}" if within else ""
    extent = (0.5, bins.n_bins * bins.width + 0.5)
    canvas.heat(ax, cells, extent, f"share of coders{near}", vmin=0, vmax=1)
    canvas.row_names(ax, [document.name for document in documents], "document")
    ax.set_xlim(0.5, bins.n + 0.5)
    ax.set_xlabel("position" + bins.note("the highest share in each"))
    return ax


CHARACTER = 0.085  # inches of a name, about
MOST_NUMBERS = 20  # coders whose values are written into the cells


def matrix(
    corpus: CodedBy | PairwiseMean, metric: str | Metric = "b", *, ax: Axes | None = None
) -> Axes:
    """Draw a metric between each pair of coders, as the mean over the documents that both coded.

    Rows are references and columns hypotheses, which matters for metrics that are not symmetric.
    Coders who share no document have a hatched cell. `corpus` may be the result of
    `segscore.coders.pairwise`.

    >>> import segscore as ss
    >>> masses = {"a": [2, 3, 6], "b": [5, 6], "c": [2, 2, 7]}
    >>> codings = {name: ss.Segmentation.from_masses(m) for name, m in masses.items()}
    >>> ax = matrix(ss.Corpus.from_dict({"text": codings}), "windowdiff")
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['a', 'b', 'c']
    """
    made = corpus if isinstance(corpus, PairwiseMean) else pairwise(corpus, metric)
    cells = made.by_coders()
    n = len(made.coders)
    names = [canvas.label(name) for name in made.coders]
    around = CHARACTER * max(map(len, names))  # names stand to the left and below
    width = min(canvas.TALLEST, 2.0 + around + 0.42 * max(n, 4))
    ax = canvas.axes(ax, canvas.height_of(n, 0.34, 1.1 + around), width)
    low, high = float(np.nanmin(cells)), float(np.nanmax(cells))
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    name = canvas.label(str(made.metric), 40)
    canvas.heat(ax, cells, (-0.5, n - 0.5), name, vmin=low, vmax=high)
    canvas.row_names(ax, made.coders, "coder")
    rows = ax.get_yticks().astype(int).tolist()
    ax.set_xticks(rows, [names[i] for i in rows], rotation=90 if max(map(len, names)) > 2 else 0)
    ax.tick_params(axis="x", length=0)
    if not made.metric.symmetric:
        ax.set(xlabel="hypothesis", ylabel=f"{ax.get_ylabel()} (reference)")
    for (row, column), value in np.ndenumerate(cells if n <= MOST_NUMBERS else cells[:0]):
        if not np.isnan(value):
            dark = (value - low) > 0.6 * (high - low)
            text = f"{value:.2f}".removeprefix("0") if high <= 1 else f"{value:.3g}"
            colour = "white" if dark else "black"
            ax.text(column, row, text, ha="center", va="center", fontsize="small", color=colour)
    return ax


MOST_COUNTS = 60  # coders whose number of boundaries is written beside their mark


def habits(corpus: CodedBy | CoderHabits, *, ax: Axes | None = None) -> Axes:
    """Draw the boundaries per potential boundary of each coder, with the range that is usual.

    The band of a coder is the range that the habits of the others make usual in the documents that
    they share; a coder who stands out is drawn as a square in another colour. The number beside a
    mark counts the coder's boundaries. `corpus` may be the result of
    `segscore.coders.boundaries_per_coder`, which explains the rule.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> ax = habits(ss.Corpus.from_dict({"d": {"ann": cut([2, 3, 6]), "bob": cut([5, 6])}}))
    >>> ax.get_xlabel()
    'boundaries per potential boundary'
    """
    made = corpus if isinstance(corpus, CoderHabits) else boundaries_per_coder(corpus)
    canvas.drawable(int((~np.isnan(made.densities)).sum()), "a coder of a document of two units")
    mean, densities = made.mean, made.densities
    ax = canvas.axes(ax, canvas.height_of(len(densities), around=1.3))
    rows = np.arange(len(densities))
    # the ends of what is usual beside the others; NaN if there are no others
    low, high = np.array([[coder.others * end for end in coder.usual] for coder in made.coders]).T
    known = ~np.isnan(low)
    if known.any():
        look: Any = {"color": "#E4E4E4", "zorder": 0, "label": "usual beside the others"}
        ax.barh(rows[known], (high - low)[known], 0.7, low[known], **look)
    ax.axvline(mean, color=GREY, linewidth=1.2, linestyle="--", label=f"mean {mean:.3g}")
    far = np.array([entry.stands_out for entry in made.coders], np.bool_)
    ax.hlines(rows, 0, np.nan_to_num(densities), color=LIGHT, linewidth=1, zorder=1)
    ax.plot(densities[~far], rows[~far], "o", color=BLUE, markersize=5)
    if far.any():
        ax.plot(densities[far], rows[far], "s", color=VERMILION, label="stands out", markersize=6)
    if len(densities) <= MOST_COUNTS:
        for row, entry in enumerate(made.coders):
            at = float(np.nan_to_num(entry.density)), row
            canvas.draw_text(ax, str(entry.n_boundaries), at, 7, color=GREY)
    canvas.row_names(ax, [entry.coder for entry in made.coders], "coder")
    ax.set_xlim(0, 1.12 * max(np.nanmax(densities), *high[known], 1e-9))
    ax.set_xlabel("boundaries per potential boundary")
    canvas.legend_above(ax, 3)
    canvas.without_frame(ax)
    return ax


def clusters(
    corpus: CodedBy | CoderClusters, metric: str | Metric | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw the tree of coders; two branches meet at the distance of the clusters that they join.

    The distance is 1 - similarity, by B unless `metric` says otherwise. `corpus` may be the result
    of `segscore.coders.coder_clusters`.

    >>> import segscore as ss
    >>> masses = {"a": [2, 3, 6], "b": [2, 3, 6], "c": [5, 6], "d": [11]}
    >>> codings = {name: ss.Segmentation.from_masses(m) for name, m in masses.items()}
    >>> ax = clusters(ss.Corpus.from_dict({"text": codings}))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['d', 'c', 'a', 'b']
    """
    made = corpus if isinstance(corpus, CoderClusters) else coder_clusters(corpus, metric, draws=0)
    order, lines = _branches(made.linkage)
    ax = canvas.axes(ax, canvas.height_of(len(order)))
    ax.add_collection(LineCollection(lines, colors=BLACK, linewidths=1.3, capstyle="projecting"))
    highest = max(1.0, float(made.linkage[-1, 2]))
    canvas.row_names(ax, [made.coders[leaf] for leaf in order], "coder")
    ax.set_xlim(-0.01 * highest, 1.02 * highest)
    ax.set_xlabel(f"distance, 1 - {canvas.label(str(made.metric), 50)} ({made.method} linkage)")
    canvas.grid_behind(ax, "x")
    canvas.without_frame(ax, "left")
    return ax


def _branches(linkage: Any) -> tuple[list[int], list[list[tuple[float, float]]]]:
    """The leaves from top to bottom, and each merge as a line of four points."""
    from scipy.cluster.hierarchy import leaves_list

    order: list[int] = leaves_list(linkage).tolist()
    n = len(order)
    tips = {leaf: (0.0, float(row)) for row, leaf in enumerate(order)}
    lines = []
    for step, (first, second, height, _) in enumerate(linkage.tolist()):
        (x1, y1), (x2, y2) = tips.pop(int(first)), tips.pop(int(second))
        lines.append([(x1, y1), (height, y1), (height, y2), (x2, y2)])
        tips[n + step] = (height, (y1 + y2) / 2)
    return order, lines
