"""Curves: a metric against P(miss), P(near), n, as of simulations (after Fournier & Inkpen 2012,
fig. 5; Fournier 2013, fig. 9); against one of its parameters, with the counts beside it (after
Fournier & Inkpen 2012, §3.3); precision against recall (after Fournier 2013, fig. 12).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from segscore.basics.arguments import Floats, shown
from segscore.comparison import Comparison
from segscore.curves import Curve, ParameterSweep
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.metrics.statistics import Score
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import CYCLE, DASHES, GREY, LIGHT, MARKERS
from segscore.scoring.results import Result

Numbers = Sequence[float] | Floats
MOST_MARKERS = 25  # points of a curve that are marked each


def curve(
    x: Numbers | Curve,
    y: Mapping[str, Numbers] | None = None,
    *,
    bands: Mapping[str, tuple[Numbers, Numbers]] | None = None,
    xlabel: str = "",
    ylabel: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw a curve per name against the same x; `bands` are lower and upper limits, by name.

    Curves differ in colour, dashes and markers. NaN is a gap. Instead of numbers, `x` may be the
    result of `ss.curve`: each metric is drawn against the threshold, with its intervals.

    x: the positions of the values.
    y: the values of each curve, by name.
    xlabel, ylabel: texts at the axes.

    >>> ax = curve([0, 0.5, 1], {"WD": [0, 0.2, 0.4], "Pk": [0, 0.1, 0.3]}, xlabel="P(miss)")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['WD', 'Pk']
    """
    if isinstance(x, Curve):
        return _thresholds(x, ax)
    if not isinstance(y, Mapping):
        raise SegmentationError(f"y is {shown(y)}: expected a mapping from names to numbers")
    places = _numbers(x, "x", None)
    curves = {name: _numbers(values, f"y[{name!r}]", len(places)) for name, values in y.items()}
    canvas.drawable(len(places) and len(curves), "one point and one curve or more")
    ax = canvas.axes(ax, 3.4 + 0.18 * (len(curves) // 3))
    every = max(1, len(places) // MOST_MARKERS)
    for i, (name, values) in enumerate(curves.items()):
        colour = CYCLE[i % len(CYCLE)]
        ax.plot(
            places, values, color=colour, linestyle=DASHES[(i // len(CYCLE) + i) % len(DASHES)],
            marker=MARKERS[i % len(MARKERS)], markevery=every, markersize=4, linewidth=1.5,
            label=canvas.label(name),
        )  # fmt: skip
        if bands and name in bands:
            low, high = (_numbers(edge, f"bands[{name!r}]", len(places)) for edge in bands[name])
            ax.fill_between(places, low, high, color=colour, alpha=0.15, linewidth=0)
    canvas.legend_above(ax, 3)
    ax.set(xlabel=canvas.label(xlabel, 70), ylabel=canvas.label(ylabel, 50))
    canvas.grid_behind(ax, "both")
    return ax


def _thresholds(made: Curve, ax: Axes | None) -> Axes:
    """Draw metrics against the threshold, at those of `Curve.band`; mark the references'
    density."""
    finite = {}
    bands = {}
    places = made.band(made.metrics[0])[0]
    shown_places = np.isfinite(places)
    for key in made.metrics:
        at, low, high = made.band(key)
        values = made.values(key)[np.searchsorted(-made.thresholds, -at)]
        finite[key] = values[shown_places]
        bands[key] = (low[shown_places], high[shown_places])
    several = made.n_documents > 1
    ax = curve(
        places[shown_places], finite, bands=bands if several else None, xlabel="threshold", ax=ax
    )
    if np.isfinite(made.density_threshold):
        ax.axvline(made.density_threshold, color=GREY, linewidth=1, linestyle=":")
        ax.annotate(
            "reference's density", (made.density_threshold, 0.02), (3, 0),
            xycoords=("data", "axes fraction"), textcoords="offset points", fontsize="small",
            color=GREY, rotation=90,
        )  # fmt: skip
    return ax


def _numbers(given: Any, what: str, n: int | None) -> Floats:
    """The numbers in a row, as many as there are positions."""
    values = canvas.in_one_row(given)
    if values is None:
        raise SegmentationError(f"{what} is {shown(given)}: expected a list of numbers")
    if n is not None and len(values) != n:
        raise SegmentationError(f"{what} has {len(values)} numbers: expected {n}, as many as x")
    return values


_OPERATIONS = ("matches", "near_misses", "full_misses", "substitutions")


def sweep(made: ParameterSweep, *, ax: Axes | None = None) -> Axes:
    """Draw the metric at each value, with its intervals; operations are grey, counted on the right.

    made: the result of `segscore.curves.sweep`. Operations are those of S and B; other metrics are
        drawn alone. Values that are not numbers are drawn side by side.
    ax: the axes to draw on; None makes new axes.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> made = ss.curves.sweep([cut([4, 4, 4])], [cut([5, 4, 3])], "b", n_t=range(1, 4))
    >>> [text.get_text() for text in sweep(made).get_legend().get_texts()]
    ['b', 'matches', 'near misses', 'full misses']
    """
    if not isinstance(made, ParameterSweep):
        raise SegmentationError("expected what ss.curves.sweep gives")
    numbers = all(type(value) in (int, float) for value in made.values)
    places = list(made.values) if numbers else list(range(len(made.points)))
    name = str(made.metric)
    intervals = [point.ci for point in made]
    ax = curve(
        places, {name: [point.micro for point in made]},
        bands={name: ([ci.low for ci in intervals], [ci.high for ci in intervals])},
        xlabel=made.parameter, ylabel=name, ax=ax,
    )  # fmt: skip
    if not numbers:
        texts = ["auto" if value is None else canvas.label(str(value)) for value in made.values]
        ax.set_xticks(places, texts)
    elif all(type(value) is int for value in made.values):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    counted = [kind for kind in _OPERATIONS if kind in made.points[0].counts]
    if counted:
        _operations(made, places, counted, ax)
    return ax


def _operations(made: ParameterSweep, places: list[float], counted: list[str], ax: Axes) -> None:
    """Draw counts on an axis of their own, named in the legend of the first axis."""
    right = ax.twinx()
    for i, kind in enumerate(counted, 1):
        right.plot(
            places, [point.counts[kind] for point in made], color=GREY, linewidth=1,
            linestyle=DASHES[i % len(DASHES)], marker=MARKERS[i % len(MARKERS)], markersize=3,
            label=kind.replace("_", " "),
        )  # fmt: skip
    right.set_ylabel("boundaries")
    right.set_ylim(bottom=0)
    handles = [*ax.get_legend_handles_labels()[0], *right.get_legend_handles_labels()[0]]
    names = [str(handle.get_label()) for handle in handles]
    ax.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1.01), ncols=4, frameon=False)


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
