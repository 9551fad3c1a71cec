"""Values with their confidence intervals (after Fournier 2013, fig. 10)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from segscore.basics.arguments import check_choice, shown
from segscore.coders.agreement_choices import COEFFICIENTS, SYMBOLS, Coefficient
from segscore.coders.coefficients import Agreement
from segscore.comparison import Comparison
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLUE, GREY


class IntervalRow(NamedTuple):
    """A value with its interval; `solid` rows are the subject of the picture."""

    name: str
    value: float
    low: float
    high: float
    solid: bool
    beside: str = ""


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
        if coefficient is not None:
            raise SegmentationError("coefficient goes with an agreement: a comparison has metrics")
        rows, what = _of_comparison(result, metric)
    elif isinstance(result, Agreement):
        if metric is not None:
            raise SegmentationError("metric goes with a comparison: agreement has its own already")
        rows, what = _of_agreement(result, coefficient)
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
    """Draw some rows in the same style; a row without an interval has only its value."""
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
    entries = [entry for entry in made.entries if entry.metric == key]
    rows = [
        IntervalRow(
            entry.system,
            entry.value,
            entry.low,
            entry.high,
            entry.kind == "system",
            entry.letters or "",
        )
        for entry in entries
    ]
    better = "higher" if made.higher_is_better[key] else "lower"
    level = f", {100 * made.settings.level:.4g} % intervals" if len(made.documents) > 1 else ""
    return rows, f"{canvas.label(key, 60)}{level} ({better} is better)"


def _of_agreement(
    made: Agreement, coefficient: Coefficient | None
) -> tuple[list[IntervalRow], str]:
    which: Coefficient = coefficient or ("corrected" if made.draws else "pi")
    check_choice(which, "coefficient", COEFFICIENTS)
    if which == "corrected" and not made.draws:
        raise SegmentationError(
            "no random coders were drawn, so that there is no corrected agreement: expected "
            "coefficient='pi', or agreement(…) without draws=0"
        )

    def row(agreement: Agreement, prefix: str = "", solid: bool = True) -> IntervalRow:
        value, (low, high, *_) = agreement.valued(which)
        return IntervalRow(f"{prefix}{agreement.name}", value, low, high, solid)

    documents = list(made.documents.values()) if len(made.documents) > 1 else []
    rows = [
        *(row(document, solid=False) for document in documents),
        *(row(group, "group ") for group in made.groups.values()),
        row(made),
    ]
    what = canvas.label(f"{SYMBOLS[which]} by {made.metric}", 60)
    return rows, f"{what}, {100 * made.ci.level:.4g} % intervals"
