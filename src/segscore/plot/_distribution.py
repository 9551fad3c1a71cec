"""Box plots over documents (after Kazantseva & Szpakowicz 2012, figs. 1 and 3; Carroll 2010,
fig. 2)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from segscore.basics.arguments import Floats, shown
from segscore.comparison import Comparison
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLACK, GREY, VERMILION
from segscore.scoring.results import Result, Scores

Values = Floats | Sequence[float]
MOST_POINTS = 60  # documents that are drawn as points, too


def distribution(
    result: Comparison | Result[Any] | Scores | Mapping[str, Values],
    metric: str | Metric | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw a box per row of a comparison under a metric (default: the first), per metric of a
    result, or per name of a mapping from names to values.

    A box goes from quartile to quartile with the median inside; whiskers reach to the furthest
    value within 1.5 such lengths, and a diamond is the mean. A few documents are also drawn as
    points; of many documents, only those beyond the whiskers. A document without a value is left
    out and counted beside the name.

    result: the result of `compare` or `score`; or a mapping from names to values.

    >>> ax = distribution({"a": [0.1, 0.2, 0.4], "b": [0.3, 0.3, 0.5]})
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['a', 'b']
    """
    values, what = _values(result, metric)
    found = {name: np.asarray(numbers, np.float64) for name, numbers in values.items()}
    canvas.drawable(
        sum(int((~np.isnan(numbers)).sum()) for numbers in found.values()), "one value or more"
    )
    names = [
        f"{name} ({missing} undefined)" if (missing := int(np.isnan(numbers).sum())) else name
        for name, numbers in found.items()
    ]
    defined = [numbers[~np.isnan(numbers)] for numbers in found.values()]
    ax = canvas.axes(ax, canvas.height_of(len(names), 0.34))
    few = max(map(len, defined)) <= MOST_POINTS
    ax.boxplot(
        defined, positions=range(len(defined)), orientation="horizontal", widths=0.55,
        patch_artist=True, showmeans=True, showfliers=not few,
        boxprops={"facecolor": "#DCEBF5", "edgecolor": BLACK},
        medianprops={"color": VERMILION, "linewidth": 1.8},
        meanprops={"marker": "D", "markerfacecolor": BLACK, "markeredgecolor": BLACK,
                   "markersize": 4},
        flierprops={"marker": ".", "markersize": 3, "markeredgecolor": GREY},
    )  # fmt: skip
    if few:
        for row, numbers in enumerate(defined):
            ax.plot(
                numbers, _spread(numbers) + row, ".", color=GREY, markersize=4, alpha=0.8, zorder=3
            )
    canvas.row_names(ax, names)
    ax.set_xlabel(what)
    canvas.grid_behind(ax, "x")
    return ax


def _values(
    result: Comparison | Result[Any] | Scores | Mapping[str, Values],
    metric: str | Metric | None,
) -> tuple[Mapping[str, Values], str]:
    """The values to draw by name, and the text of the axis."""
    if isinstance(result, Comparison):
        key = result.metrics[0] if metric is None else str(metric)
        better = "higher" if result.higher_is_better.get(key) else "lower"
        words = f"{canvas.label(key, 60)} of each document ({better} is better)"
        return result.values(key), words
    if metric is not None:
        raise SegmentationError("metric goes with a comparison: it chooses which to draw")
    if isinstance(result, Scores):
        return {str(result.metric): result.values}, "value of each document"
    if isinstance(result, Result):
        return {str(key): scores.values for key, scores in result.items()}, "value of each document"
    if not isinstance(result, Mapping):
        raise SegmentationError(
            f"distribution got {shown(result)}: expected a Comparison, a Result, or a mapping from "
            "names to values"
        )
    given: Any = result
    return {str(name): values for name, values in given.items()}, "value"


def _spread(values: Floats) -> Floats:
    """Heights that keep points of similar value apart; the same in every run."""
    offsets = np.zeros(len(values))
    offsets[np.argsort(values, kind="stable")] = np.resize([0.0, 0.12, -0.12], len(values))
    return offsets
