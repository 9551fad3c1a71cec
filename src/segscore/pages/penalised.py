"""Why a window metric is what it is: k, the windows, and how many of them are penalised."""

import math
from typing import Any

from segscore.comparison import Comparison
from segscore.metrics.window import Pk, WindowDiff
from segscore.metrics.window_runs import windows
from segscore.pages.subject import ShownDocument, Subject

MOST_PAIRS = 20_000  # about a second; more would be felt


def penalised_windows(subject: Subject) -> dict[str, list[Any]]:
    """By document, for each metric: [k, windows, penalised windows of each system], or None.

    None stands where a value is not the share of windows of one pair: other metrics, several
    references, several runs. Nothing at all where there are too many pairs.
    """
    comparison = subject.comparison
    if comparison is None:
        return {}
    window = [isinstance(comparison.metric(one), Pk | WindowDiff) for one in comparison.metrics]
    pairs = sum(window) * len(comparison.systems) * len(subject.documents)
    if not 0 < pairs <= MOST_PAIRS:
        return {}
    places = {name: i for i, name in enumerate(comparison.documents)}
    tables = [comparison.values(metric) for metric in comparison.metrics]
    return {
        one.name: [
            _of_metric(comparison, metric, one, [table[s][place] for s in comparison.systems])
            if window[m]
            else None
            for m, (metric, table) in enumerate(zip(comparison.metrics, tables, strict=True))
        ]
        for one in subject.documents
        if (place := places.get(one.name)) is not None
    }


def _of_metric(
    comparison: Comparison, metric: str, document: ShownDocument, values: list[float]
) -> list[Any] | None:
    rows = {one.coder: one.segmentation for one in document.codings}
    ref = rows.get(document.reference or "")
    if ref is None or len(comparison.background[document.name].coders) != 1:
        return None  # a mean over references
    found: list[int | None] = []
    size = None
    for system, value in zip(comparison.systems, values, strict=True):
        several = comparison.n_runs(system) > 1
        if several or system not in rows or math.isnan(value):
            found.append(None)
            continue
        seen = windows(ref, rows[system], comparison.metric(metric))
        if not math.isclose(seen.penalty / seen.n_windows, value, rel_tol=1e-9, abs_tol=1e-12):
            found.append(None)  # a value that is no share of windows
            continue
        size = [seen.k, seen.n_windows]
        found.append(sum(run.n_windows for run in seen.penalised))
    return None if size is None else [*size, found]
