"""Results: values with their confidence intervals (after Fournier 2013, fig. 10); box plots over
documents (after Kazantseva & Szpakowicz 2012, figs. 1 and 3; Carroll 2010, fig. 2); a metric
against P(miss), P(near), n, as of simulations (after Fournier & Inkpen 2012, fig. 5; Fournier 2013,
fig. 9), or against one of its parameters, with the counts beside it (after Fournier & Inkpen 2012,
§3.3); precision against recall (after Fournier 2013, fig. 12).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from segscore.basics.arguments import Floats, check_choice
from segscore.coders.coefficients import Agreement
from segscore.coders.estimators import COEFFICIENTS, SYMBOLS, Coefficient
from segscore.comparison import Comparison
from segscore.curves import Curve, ParameterSweep
from segscore.errors import SegmentationError
from segscore.metrics import Metric, Score
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLACK, BLUE, CYCLE, DASHES, GREY, LIGHT, MARKERS, VERMILION
from segscore.scoring.scoring import Result, Scores

# a name, its value and interval, whether it is what the picture is about, and a text beside it
IntervalRow = tuple[str, float, float, float, bool, str]


def intervals(
    result: Comparison | Agreement,
    metric: str | Metric | None = None,
    *,
    coefficient: Coefficient | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the systems of a comparison under a metric (default: the first), or agreement by
    document.

    Each row has its value and confidence interval. For a comparison there are letters beside
    systems, which share a letter if they do not differ significantly; baselines and people are
    hollow and grey. For agreement the rows are documents, groups and the whole corpus.

    result: the result of `compare` or `agreement`.
    coefficient: the coefficient of agreement: "corrected" for chance (the default, unless no random
        coders were drawn), or as papers print it, "pi" or "kappa".

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> refs = {f"d{i}": cut([3, 4, 2 + i]) for i in range(8)}
    >>> near = {f"d{i}": cut([3, 5, 1 + i]) for i in range(8)}
    >>> ax = intervals(ss.compare(refs, systems={"near": near}, metrics="b"))
    >>> ax.get_xlabel()
    'b, 95 % intervals (higher is better)'
    """
    if isinstance(result, Comparison):
        rows, what = _rows_of_comparison(result, metric)
    elif isinstance(result, Agreement):
        rows, what = _rows_of_agreement(result, coefficient)
    else:
        raise canvas.refused("result", result, "a Comparison or an Agreement")
    ax = canvas.axes(ax, canvas.height_of(len(rows)))
    for is_subject, colour, face in ((True, BLUE, BLUE), (False, GREY, "white")):
        chosen = [i for i, row in enumerate(rows) if row[4] == is_subject]
        if chosen:
            value, low, high = np.array([rows[i][1:4] for i in chosen], np.float64).T
            reach = np.nan_to_num([np.maximum(value - low, 0), np.maximum(high - value, 0)])
            look: Any = {"color": colour, "mfc": face, "capsize": 3, "ms": 5, "lw": 1.4}
            ax.errorbar(value, chosen, xerr=reach, fmt="o", **look)
    canvas.row_names(ax, [name for name, *_ in rows])
    for i, (*_, beside) in enumerate(rows):
        canvas.write_beside(ax, beside, i, 5, fontsize=None)
    ax.set_xlabel(what)
    canvas.grid_behind(ax, "x")
    return ax


def _rows_of_comparison(
    made: Comparison, metric: str | Metric | None
) -> tuple[list[IntervalRow], str]:
    key, what, better = _compared(made, metric)
    rows = [
        (each.system, each.value, each.low, each.high, each.kind == "system", each.letters or "")
        for each in made.entries
        if each.metric == key
    ]
    level = f", {100 * made.settings.level:.4g} % intervals" if len(made.documents) > 1 else ""
    return rows, f"{what}{level} {better}"


def _compared(made: Comparison, metric: str | Metric | None) -> tuple[str, str, str]:
    """A metric of a comparison (default: the first), its label, and which values are better."""
    key = made.metrics[0] if metric is None else str(metric)
    if key not in made.metrics:
        raise SegmentationError(f"metric {key!r} was not compared: expected one of {made.metrics}")
    better = "higher" if made.higher_is_better[key] else "lower"
    return key, canvas.label(key, 60), f"({better} is better)"


def _rows_of_agreement(
    made: Agreement, coefficient: Coefficient | None
) -> tuple[list[IntervalRow], str]:
    which: Coefficient = coefficient or ("corrected" if made.draws else "pi")
    check_choice(which, "coefficient", COEFFICIENTS)
    if which == "corrected" and not made.draws:
        raise SegmentationError("no random coders were drawn: expected coefficient='pi'")

    def row(agreement: Agreement, prefix: str = "", is_subject: bool = True) -> IntervalRow:
        value, (low, high, *_) = agreement.valued(which)
        return f"{prefix}{agreement.name}", value, low, high, is_subject, ""

    documents = list(made.documents.values()) if len(made.documents) > 1 else []
    rows = [
        *(row(document, is_subject=False) for document in documents),
        *(row(group, "group ") for group in made.groups.values()),
        row(made),
    ]
    what = canvas.label(f"{SYMBOLS[which]} by {made.metric}", 60)
    return rows, f"{what}, {100 * made.ci.level:.4g} % intervals"


# ---- values of documents ----

Values = Floats | Sequence[float]
MOST_POINTS = 60  # documents that are drawn as points, too


def distribution(
    result: Comparison | Result | Scores | Mapping[str, Values],
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
    look: Any = {
        "boxprops": {"facecolor": "#DCEBF5", "edgecolor": BLACK},
        "medianprops": {"color": VERMILION, "linewidth": 1.8},
        "meanprops": {"marker": "D", "mfc": BLACK, "mec": BLACK, "ms": 4},
        "flierprops": {"marker": ".", "ms": 3, "mec": GREY},
        "showmeans": True,
        "showfliers": not few,
        "patch_artist": True,
        "orientation": "horizontal",
    }
    ax.boxplot(defined, positions=range(len(defined)), widths=0.55, **look)
    if few:
        for row, numbers in enumerate(defined):
            ax.plot(numbers, _spread(numbers) + row, ".", color=GREY, ms=4, alpha=0.8, zorder=3)
    canvas.row_names(ax, names)
    ax.set_xlabel(what)
    canvas.grid_behind(ax, "x")
    return ax


def _values(
    result: Comparison | Result | Scores | Mapping[str, Values],
    metric: str | Metric | None,
) -> tuple[Mapping[str, Values], str]:
    """The values to draw by name, and the text of the axis."""
    if isinstance(result, Comparison):
        key, what, better = _compared(result, metric)
        return result.values(key), f"{what} of each document {better}"
    given = {str(result.metric): result.values} if isinstance(result, Scores) else result
    found = _listed(given, lambda scores: scores.values)
    return found, "value of each document" if isinstance(result, Result | Scores) else "value"


def _listed(given: Any, part: Callable[[Scores], Any]) -> dict[str, Any]:
    """A part of each of the scores of a result, or what a mapping has, by name."""
    if not isinstance(given, Result | Mapping):
        what = "a Comparison, a Result, or a mapping from names to what is drawn"
        raise canvas.refused("result", given, what)
    of = part if isinstance(given, Result) else lambda value: value
    return {str(name): of(value) for name, value in given.items()}


def _spread(values: Floats) -> Floats:
    """Heights that keep points of similar value apart; the same in every run."""
    offsets = np.zeros(len(values))
    offsets[np.argsort(values, kind="stable")] = np.resize([0.0, 0.12, -0.12], len(values))
    return offsets


# ---- curves ----

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

    >>> import segscore as ss
    >>> values = {"WD": [0, 0.2, 0.4], "Pk": [0, 0.1, 0.3]}
    >>> ax = ss.plot.curve([0, 0.5, 1], values, xlabel="P(miss)")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['WD', 'Pk']
    """
    if isinstance(x, Curve):
        return _thresholds(x, ax)
    if not isinstance(y, Mapping):
        raise canvas.refused("y", y, "a mapping from names to numbers")
    places = _numbers(x, "x", None)
    curves = {name: _numbers(values, f"y[{name!r}]", len(places)) for name, values in y.items()}
    canvas.drawable(len(places) and len(curves), "one point and one curve or more")
    ax = canvas.axes(ax, 3.4 + 0.18 * (len(curves) // 3))
    every = max(1, len(places) // MOST_MARKERS)
    for i, (name, values) in enumerate(curves.items()):
        look = canvas.line_look(i, 1) | {"marker": MARKERS[i % len(MARKERS)], "ms": 4, "lw": 1.5}
        ax.plot(places, values, markevery=every, label=canvas.label(name), **look)
        if bands and name in bands:
            low, high = (_numbers(edge, f"bands[{name!r}]", len(places)) for edge in bands[name])
            ax.fill_between(places, low, high, color=look["color"], alpha=0.15, linewidth=0)
    canvas.legend_above(ax, 3)
    ax.set(xlabel=canvas.label(xlabel, 70), ylabel=canvas.label(ylabel, 50))
    canvas.grid_behind(ax, "both")
    return ax


def _thresholds(made: Curve, ax: Axes | None) -> Axes:
    """Draw metrics against the threshold, at those of `Curve.band`; mark the references'
    density."""
    values, bands = {}, {}
    for key in made.metrics:
        at, low, high = made.band(key)
        finite = np.isfinite(at)
        places = at[finite]
        values[key] = made.values(key)[np.searchsorted(-made.thresholds, -places)]
        bands[key] = (low[finite], high[finite])
    several = made.n_documents > 1
    ax = curve(places, values, bands=bands if several else None, xlabel="threshold", ax=ax)
    if np.isfinite(made.density_threshold):
        ax.axvline(made.density_threshold, color=GREY, linewidth=1, linestyle=":")
        look: Any = {"xycoords": ("data", "axes fraction"), "color": GREY, "va": "baseline"}
        place = made.density_threshold, 0.02
        canvas.draw_text(ax, "reference's density", place, 3, rotation=90, **look)
    return ax


def _numbers(given: Any, what: str, n: int | None) -> Floats:
    """The numbers in a row, as many as there are positions."""
    values = canvas.in_one_row(given)
    if values is None:
        raise canvas.refused(what, given, "a list of numbers")
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
    >>> [text.get_text() for text in ss.plot.sweep(made).get_legend().get_texts()]
    ['b', 'matches', 'near misses', 'full misses']
    """
    numbers = all(type(value) in (int, float) for value in made.values)
    places = list(made.values) if numbers else list(range(len(made.points)))
    name = str(made.metric)
    values = {name: [point.micro for point in made]}
    bands = {name: ([point.ci.low for point in made], [point.ci.high for point in made])}
    ax = curve(places, values, bands=bands, xlabel=made.parameter, ylabel=name, ax=ax)
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
        look: Any = {"ls": DASHES[i % len(DASHES)], "marker": MARKERS[i % len(MARKERS)], "ms": 3}
        counts, label = [point.counts[kind] for point in made], kind.replace("_", " ")
        right.plot(places, counts, color=GREY, lw=1, label=label, **look)
    right.set_ylabel("boundaries")
    right.set_ylim(bottom=0)
    handles = [*ax.get_legend_handles_labels()[0], *right.get_legend_handles_labels()[0]]
    names = [str(handle.get_label()) for handle in handles]
    ax.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1.01), ncols=4, frameon=False)


# ---- precision and recall ----

ISO_F = (0.2, 0.4, 0.6, 0.8)
MOST_NAMES = 20  # in a column of the legend


def precision_recall(
    result: Comparison | Result | Mapping[str, Score],
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
    hollow: set[str] = set()
    title = ""
    if isinstance(result, Comparison):
        having = (
            key
            for key in result.metrics
            if any("precision" in score.parts for score in result.totals(key).values())
        )
        key, title, _ = _compared(result, metric or next(having, None))
        scores: Mapping[str, Score] = result.totals(key)
        hollow = set(result.rows) - set(result.systems)
    else:
        scores = _listed(result, lambda scores: scores.micro)
    points = {
        name: (score.parts["recall"], score.parts["precision"])
        for name, score in scores.items()
        if {"precision", "recall"} <= score.parts.keys()
    }
    canvas.drawable(len(points), "scores with precision and recall, as b, f1 and winpr have")
    columns = -(-len(points) // MOST_NAMES)
    height = max(4.2, canvas.height_of(-(-len(points) // columns)))
    ax = canvas.axes(ax, height, 4.2 + 2.8 * columns)
    for f in ISO_F:  # from precision 1 to recall 1, each named beside its lower end
        recalls = np.linspace(f / (2 - f), 1, 100)
        ax.plot(recalls, f * recalls / (2 * recalls - f), color=LIGHT, linewidth=1, zorder=1)
        canvas.write_beside(ax, f"F = {f:g}", f / (2 - f), 6, color=GREY)
    for i, (name, (recall, precision)) in enumerate(points.items()):
        colour = CYCLE[i % len(CYCLE)]
        undefined = " (undefined)" if np.isnan(recall) or np.isnan(precision) else ""
        face, label = "white" if name in hollow else colour, canvas.label(name, 28) + undefined
        look: Any = {"color": colour, "mfc": face, "ms": 7, "zorder": 3, "clip_on": False}
        ax.plot(recall, precision, MARKERS[i % len(MARKERS)], ls="none", label=label, **look)
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="recall", ylabel="precision", aspect="equal")
    canvas.legend(ax, (1.2, 1.0), columns, loc="upper left", borderaxespad=0)
    if title:
        ax.set_title(title, loc="left", fontsize="medium")
    return ax
