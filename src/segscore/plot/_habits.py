"""Boundaries per coder (after Fournier 2013, fig. 11; Fournier 2013, poetry, fig. 1a)."""

import numpy as np
from matplotlib.axes import Axes

from segscore.coders.coder_pairs import CodedBy
from segscore.coders.habits import CoderHabits, boundaries_per_coder
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLUE, GREY, LIGHT, VERMILION

MOST_COUNTS = 60  # coders whose number of boundaries is written beside their mark


def habits(corpus: CodedBy | CoderHabits, *, ax: Axes | None = None) -> Axes:
    """Draw the boundaries per potential boundary of each coder, with the range that is usual.

    The band of a coder is the range that the habits of the others make usual in the documents that
    they share; a coder who stands out is drawn as a square in another colour. The number beside a
    mark counts the coder's boundaries. `corpus` may be the result of
    `segscore.boundaries_per_coder`, which explains the rule.

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
    low, high = _usual(made)
    known = ~np.isnan(low)
    if known.any():
        ax.barh(rows[known], (high - low)[known], 0.7, low[known], color="#E4E4E4", zorder=0,
                label="usual beside the others")  # fmt: skip
    ax.axvline(mean, color=GREY, linewidth=1.2, linestyle="--", label=f"mean {mean:.3g}")
    far = np.array([entry.stands_out for entry in made.coders], np.bool_)
    ax.hlines(rows, 0, np.nan_to_num(densities), color=LIGHT, linewidth=1, zorder=1)
    ax.plot(densities[~far], rows[~far], "o", color=BLUE, markersize=5)
    if far.any():
        ax.plot(densities[far], rows[far], "s", color=VERMILION, label="stands out", markersize=6)
    if len(densities) <= MOST_COUNTS:
        for row, entry in enumerate(made.coders):
            ax.annotate(
                str(entry.n_boundaries), (float(np.nan_to_num(entry.density)), row), (7, 0),
                textcoords="offset points", va="center", fontsize="small", color=GREY,
            )  # fmt: skip
    canvas.row_names(ax, [entry.coder for entry in made.coders], "coder")
    ax.set_xlim(0, 1.12 * max(np.nanmax(densities), *high[known], 1e-9))
    ax.set_xlabel("boundaries per potential boundary")
    canvas.legend_above(ax, 3)
    canvas.without_frame(ax)
    return ax


def _usual(made: CoderHabits) -> np.ndarray:
    """The lower and upper ends of the usual range of each coder; NaN if there are no others."""
    return np.array([[coder.others * end for end in coder.usual] for coder in made.coders]).T
