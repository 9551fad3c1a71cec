"""Coder against coder: a heat map."""

import numpy as np
from matplotlib.axes import Axes

from segscore.coders.coder_pairs import CodedBy
from segscore.coders.pairwise import PairwiseMean, pairwise
from segscore.metrics import Metric
from segscore.plot import _canvas as canvas

CHARACTER = 0.085  # inches of a name, about
MOST_NUMBERS = 20  # coders whose values are written into the cells


def matrix(
    corpus: CodedBy | PairwiseMean, metric: str | Metric = "b", *, ax: Axes | None = None
) -> Axes:
    """Draw a metric between each pair of coders, as the mean over the documents that both coded.

    Rows are references and columns hypotheses, which matters for metrics that are not symmetric.
    Coders who share no document have a hatched cell. `corpus` may be the result of
    `segscore.pairwise`.

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
    ax = canvas.axes(
        ax,
        canvas.height_of(n, 0.34, 1.1 + around),
        min(canvas.TALLEST, 2.0 + around + 0.42 * max(n, 4)),
    )
    limits = {"vmin": 0, "vmax": 1} if _in_0_to_1(cells) else {}
    canvas.heat(ax, cells, (-0.5, n - 0.5), canvas.label(str(made.metric), 40), **limits)
    canvas.row_names(ax, made.coders, "coder")
    rows = ax.get_yticks().astype(int).tolist()
    ax.set_xticks(rows, [names[i] for i in rows], rotation=90 if max(map(len, names)) > 2 else 0)
    ax.tick_params(axis="x", length=0)
    if not made.metric.symmetric:
        ax.set(xlabel="hypothesis", ylabel=f"{ax.get_ylabel()} (reference)")
    if n <= MOST_NUMBERS:
        _write_numbers(ax, cells)
    return ax


def _in_0_to_1(cells: np.ndarray) -> bool:
    return bool(np.nanmin(cells) >= 0 and np.nanmax(cells) <= 1)


def _write_numbers(ax: Axes, cells: np.ndarray) -> None:
    """Write the values, in white where the cell is dark."""
    low, high = np.nanmin(cells), np.nanmax(cells)
    low, high = (0.0, 1.0) if _in_0_to_1(cells) else (float(low), float(high))
    for (row, column), value in np.ndenumerate(cells):
        if not np.isnan(value):
            dark = (value - low) > 0.6 * (high - low)
            text = f"{value:.2f}".removeprefix("0") if high <= 1 else f"{value:.3g}"
            ax.text(
                column, row, text, ha="center", va="center", fontsize="small",
                color="white" if dark else "black",
            )  # fmt: skip
