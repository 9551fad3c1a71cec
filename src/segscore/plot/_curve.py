"""Curves, as of simulations: a metric against P(miss), P(near), n (after Fournier & Inkpen 2012,
fig. 5; Fournier 2013, fig. 9)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from segscore.basics.arguments import Floats, shown
from segscore.curves import Curve
from segscore.errors import SegmentationError
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import CYCLE, DASHES, GREY, MARKERS

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
