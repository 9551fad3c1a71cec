"""Values with their confidence intervals (after Fournier 2013, fig. 10)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from segscore.basics.arguments import shown
from segscore.coders.coefficients import Agreement
from segscore.comparison import Comparison
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLUE, GREY


class IntervalRow(NamedTuple):
    """A value with its interval; `solid` ones are what the picture is about."""

    name: str
    value: float
    low: float
    high: float
    solid: bool
    beside: str = ""


def intervals(
    result: Comparison | Agreement, metric: str | Metric | None = None, *, ax: Axes | None = None
) -> Axes:
    """A comparison's systems under one metric (default: the first), or agreement by document.

    Each row has its value and confidence interval. Of a comparison: letters beside systems, which
    share one if they do not differ significantly; baselines and people are hollow and grey. Of
    agreement: π* of each document and group, and of the whole.

    result: what `compare` or `agreement` gives.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> refs = {f"d{i}": cut([3, 4, 2 + i]) for i in range(8)}
    >>> near = {f"d{i}": cut([3, 5, 1 + i]) for i in range(8)}
    >>> ax = intervals(ss.compare(refs, systems={"near": near}, metrics="b"))
    >>> ax.get_xlabel()
    'b, 95 % intervals (higher is better)'
    """
    if isinstance(result, Comparison):
        rows, what = _of_comparison(result, metric)
    elif isinstance(result, Agreement):
        if metric is not None:
            raise SegmentationError("metric goes with a comparison: agreement has its own already")
        rows, what = _of_agreement(result)
    else:
        raise SegmentationError(
            f"intervals got {shown(result)}: expected a Comparison or an Agreement"
        )
    ax = canvas.axes(ax, canvas.height_of(len(rows)))
    for solid, colour, face in ((True, BLUE, BLUE), (False, GREY, "white")):
        chosen = [i for i, row in enumerate(rows) if row.solid == solid]
        _draw(ax, rows, chosen, colour, face)
    canvas.row_names(ax, [row.name for row in rows])
    for i, row in enumerate(rows):
        ax.annotate(
            row.beside, (1.0, i), (5, 0), xycoords=ax.get_yaxis_transform(),
            textcoords="offset points", va="center", annotation_clip=False,
        )  # fmt: skip
    ax.set_xlabel(what)
    canvas.grid_behind(ax, "x")
    return ax


def _draw(ax: Axes, rows: Sequence[IntervalRow], chosen: list[int], colour: str, face: str) -> None:
    """Some rows in one look; a row without an interval has its value alone."""
    if not chosen:
        return
    value, low, high = np.array([rows[i][1:4] for i in chosen], np.float64).T
    reach = np.nan_to_num([np.maximum(value - low, 0), np.maximum(high - value, 0)])
    ax.errorbar(
        value, chosen, xerr=reach, fmt="o", color=colour, markerfacecolor=face, capsize=3,
        markersize=5, linewidth=1.4,
    )  # fmt: skip


def _of_comparison(made: Comparison, metric: str | Metric | None) -> tuple[list[IntervalRow], str]:
    key = made.metrics[0] if metric is None else str(metric)
    if key not in made.metrics:
        raise SegmentationError(f"metric {key!r} was not compared: expected one of {made.metrics}")
    entries = [one for one in made.entries if one.metric == key]
    rows = [
        IntervalRow(
            one.system, one.value, one.low, one.high, one.kind == "system", one.letters or ""
        )
        for one in entries
    ]
    better = "higher" if made.higher_is_better[key] else "lower"
    level = f", {100 * made.settings.level:.4g} % intervals" if len(made.documents) > 1 else ""
    return rows, f"{canvas.label(key, 60)}{level} ({better} is better)"


def _of_agreement(made: Agreement) -> tuple[list[IntervalRow], str]:
    documents = list(made.documents.values()) if len(made.documents) > 1 else []
    rows = [
        *(IntervalRow(one.name, one.pi, one.ci.low, one.ci.high, False) for one in documents),
        *(
            IntervalRow(f"group {one.name}", one.pi, one.ci.low, one.ci.high, True)
            for one in made.groups.values()
        ),
        IntervalRow(made.name, made.pi, made.ci.low, made.ci.high, True),
    ]
    what = f"π* by {made.metric}"
    return rows, f"{canvas.label(what, 60)}, {100 * made.ci.level:.4g} % intervals"
