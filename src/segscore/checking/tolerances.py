"""A tolerance so wide that nearly every boundary matches."""

from collections.abc import Iterable, Iterator

from segscore.checking.findings import Finding
from segscore.checking.sides import BothSides
from segscore.metrics import Metric, ScorePart
from segscore.metrics.matching import BoundaryTolerance

_HALF = 0.5  # of a mean segment: then tolerances of neighbours meet


def wide_tolerance(sides: BothSides, metrics: Iterable[Metric]) -> Iterator[Finding]:
    """A metric whose tolerance is at least half a mean segment of the references."""
    segments = len(sides.ref.positions) + len(sides)
    mean = float(sides.ref.n_units.sum()) / max(1, segments)
    inner = [one.metric if isinstance(one, ScorePart) else one for one in metrics]
    for one in dict.fromkeys(inner):
        if not isinstance(one, BoundaryTolerance) or not sides.ref.positions.size:
            continue
        tolerance = one.reach(sides.provenance)
        if tolerance < max(1.0, _HALF * mean):
            continue
        yield Finding(
            "wide-tolerance",
            "note",
            f"The tolerance of {one} is {tolerance} units, and a segment of the references has "
            f"{mean:.1f} units on average.",
            {"tolerance": tolerance, "mean_segment": mean},
            (),
            "From half a segment on, any position is near some boundary, so that chance "
            f"scores high: take a tolerance below {_HALF * mean:.1f} units, and compare with the "
            "random baseline.",
        )
