"""Precision against recall (after Fournier 2013, fig. 12)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from segscore.basics.arguments import shown
from segscore.comparison import Comparison
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.metrics.statistics import Score
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import CYCLE, GREY, LIGHT, MARKERS
from segscore.scoring.results import Result

ISO_F = (0.2, 0.4, 0.6, 0.8)
MOST_NAMES = 20  # in a column of the legend


def precision_recall(
    result: Comparison | Result[Any] | Mapping[str, Score],
    metric: str | Metric | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw precision and recall of each row of a comparison, with curves of equal F.

    For a comparison, `metric` must have precision and recall (b, f1, winpr …; default: the first
    such metric); for a result, each such metric is a point. Baselines and people are hollow.

    result: the result of `compare` or `score`; or a mapping from names to scores.

    >>> import segscore as ss
    >>> ref, hyp = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
    >>> ax = precision_recall({"mine": ss.BoundarySimilarity()(ref, hyp)})
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('recall', 'precision')
    """
    scores, hollow, what = _scores(result, metric)
    points = {
        name: (score.parts["recall"], score.parts["precision"])
        for name, score in scores.items()
        if {"precision", "recall"} <= score.parts.keys()
    }
    canvas.drawable(len(points), "scores with precision and recall, as b, f1 and winpr have")
    columns = -(-len(points) // MOST_NAMES)
    ax = canvas.axes(
        ax, max(4.2, canvas.height_of(-(-len(points) // columns))), 4.2 + 2.8 * columns
    )
    _draw_iso_f(ax)
    for i, (name, (recall, precision)) in enumerate(points.items()):
        colour = CYCLE[i % len(CYCLE)]
        undefined = " (undefined)" if np.isnan(recall) or np.isnan(precision) else ""
        ax.plot(
            recall, precision, MARKERS[i % len(MARKERS)], color=colour, markersize=7, zorder=3,
            markerfacecolor="white" if name in hollow else colour, linestyle="none",
            label=canvas.label(name, 28) + undefined, clip_on=False,
        )  # fmt: skip
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="recall", ylabel="precision", aspect="equal")
    ax.legend(
        loc="upper left", bbox_to_anchor=(1.2, 1.0), frameon=False, borderaxespad=0,
        ncols=columns, fontsize="small",
    )  # fmt: skip
    if what:
        ax.set_title(what, loc="left", fontsize="medium")
    return ax


def _draw_iso_f(ax: Axes) -> None:
    """Draw curves of equal F, from precision 1 to recall 1, each named beside its lower end."""
    for f in ISO_F:
        recall = np.linspace(f / (2 - f), 1, 100)
        ax.plot(recall, f * recall / (2 * recall - f), color=LIGHT, linewidth=1, zorder=1)
        ax.annotate(
            f"F = {f:g}", (1, f / (2 - f)), (6, 0), textcoords="offset points", va="center",
            fontsize="small", color=GREY, annotation_clip=False,
        )  # fmt: skip


def _scores(
    result: Comparison | Result[Any] | Mapping[str, Score], metric: str | Metric | None
) -> tuple[Mapping[str, Score], set[str], str]:
    """The scores by name, those to draw hollow, and the title."""
    if isinstance(result, Comparison):
        key = _first_with_precision(result) if metric is None else str(metric)
        hollow = set(result.rows) - set(result.systems)
        return result.totals(key), hollow, canvas.label(key, 60)
    if metric is not None:
        raise SegmentationError("metric goes with a comparison: it chooses which to draw")
    if isinstance(result, Result):
        return {str(key): scores.micro for key, scores in result.items()}, set(), ""
    given: Any = result if isinstance(result, Mapping) else {"": result}
    for score in given.values():
        if not isinstance(score, Score):
            raise SegmentationError(
                f"precision_recall got {shown(score)}: expected a Comparison, a Result, or a "
                "mapping from names to Scores"
            )
    return given, set(), ""


def _first_with_precision(made: Comparison) -> str:
    for key in made.metrics:
        if any("precision" in score.parts for score in made.totals(key).values()):
            return key
    raise SegmentationError(
        f"none of {made.metrics} has precision and recall: expected one that has, such as b, f1 or "
        "winpr"
    )
