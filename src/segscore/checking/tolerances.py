"""Tolerances that do not fit the segments: so wide that nearly every boundary matches, or, in fine
units of time, so narrow that hardly any does."""

from collections.abc import Iterable, Iterator

from segscore.checking.findings import Finding
from segscore.checking.sides import BothSides
from segscore.metrics import Metric, ScorePart
from segscore.metrics.edits import EditMetric
from segscore.metrics.matching import BoundaryTolerance
from segscore.metrics.window import WindowSize

_HALF = 0.5  # of a mean segment: then tolerances of neighbours meet
_TINY = 1000  # such distances fit into a mean segment: nobody marks a boundary so exactly
_MICRO = 10**6  # microseconds in a second


def wide_tolerance(sides: BothSides, metrics: Iterable[Metric]) -> Iterator[Finding]:
    """A metric whose tolerance is at least half a mean segment of the references."""
    mean = _mean_segment(sides)
    for metric in _whole(metrics):
        if not isinstance(metric, BoundaryTolerance) or not sides.ref.positions.size:
            continue
        tolerance = metric.reach(sides.provenance)
        if tolerance < max(1.0, _HALF * mean):
            continue
        yield Finding(
            "wide-tolerance",
            "note",
            f"The tolerance of {metric} is {tolerance} units, and a segment of the references has "
            f"{mean:.1f} units on average.",
            {"tolerance": tolerance, "mean_segment": mean},
            (),
            "From half a segment on, any position is near some boundary, so that chance "
            f"scores high: take a tolerance below {_HALF * mean:.1f} units, and compare with the "
            "random baseline.",
        )


def fine_units(sides: BothSides, metrics: Iterable[Metric]) -> Iterator[Finding]:
    """A metric whose tolerance, window or near misses are counted in units of time that are tiny
    beside the segments of the references, so that it sees hardly any match."""
    unit = sides.provenance.unit_length
    if unit is None or not sides.ref.positions.size:
        return
    mean = _mean_segment(sides)
    for metric in _whole(metrics):
        counted = _counted(metric)
        if counted is None or mean < _TINY * counted[1]:
            continue
        what, reach, remedy = counted
        length = reach * unit / _MICRO
        yield Finding(
            "fine-units",
            "warning",
            f"{metric} {what}, {length:g} s here, and a segment of the references has "
            f"{mean * unit / _MICRO:.4g} s on average.",
            {"reach_seconds": length, "mean_segment_seconds": mean * unit / _MICRO},
            (),
            f"Boundaries are hardly ever so near to each other. {remedy}.",
        )


def _counted(metric: Metric) -> tuple[str, int, str] | None:
    """What a metric counts in units, how many units that is (1 where the same unit is asked for),
    and what to do if they are too fine; None if it counts nothing, or in time."""
    if isinstance(metric, BoundaryTolerance) and isinstance(metric.tolerance, int):
        reach = metric.tolerance - metric.strict
        what = f"matches boundaries within {reach} units" if reach else "matches equal units"
        return what, max(1, reach), "Give the tolerance as a time, as in tolerance=5s"
    if isinstance(metric, WindowSize) and isinstance(metric.k, int):
        return f"has a window of {metric.k} units", metric.k, "Give k as a time, as in k=60s"
    if isinstance(metric, EditMetric) and metric.n_t > 1:
        reach = metric.n_t - 1
        remedy = "n_t is a number of units and cannot be a time: use coarser units, or a larger n_t"
        return f"counts near misses within {reach} unit{'s'[: reach > 1]}", reach, remedy
    return None


def _mean_segment(sides: BothSides) -> float:
    """The mean length of a segment of the references, in units."""
    segments = len(sides.ref.positions) + len(sides)
    return float(sides.ref.n_units.sum()) / max(1, segments)


def _whole(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics, each once; instead of a part of a score, the metric that it is a part of."""
    return list(
        dict.fromkeys(
            metric.metric if isinstance(metric, ScorePart) else metric for metric in metrics
        )
    )
