"""Who segments like whom: a dendrogram (after Fournier 2013, poetry, fig. 1b)."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from segscore.coders.clusters import CoderClusters, coder_clusters
from segscore.coders.coder_pairs import CodedBy
from segscore.metrics import Metric
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLACK, LIGHT


def clusters(
    corpus: CodedBy | CoderClusters, metric: str | Metric | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw the tree of coders; two branches meet at the distance of the clusters that they join.

    The distance is 1 - similarity, by B unless `metric` says otherwise. `corpus` may be the result
    of `segscore.coder_clusters`.

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
    ax.grid(axis="x", color=LIGHT, linewidth=0.6)
    ax.set_axisbelow(True)
    canvas.without_frame(ax, "top", "right", "left")
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
