"""Recordings that last for days: times in milliseconds that were read as seconds."""

from collections.abc import Iterator

import numpy as np

from segscore.checking.findings import Finding
from segscore.checking.sides import BothSides

_LONG = 48  # hours: what lasts longer at the median is no talk, meeting or film
_MICROSECONDS = 10**6  # in a second


def days_long(sides: BothSides) -> Iterator[Finding]:
    """Documents whose units have a duration, and that are too long to be recordings."""
    unit = sides.provenance.unit_length
    if unit is None or not len(sides):
        return
    seconds = np.maximum(sides.ref.n_units, sides.hyp.n_units) * (unit / _MICROSECONDS)
    hours = float(np.median(seconds)) / 3600
    if hours >= _LONG:
        yield Finding(
            "milliseconds",
            "warning",
            f"Half of the {len(sides)} recordings last {hours:.0f} hours or longer.",
            {"median_hours": hours, "documents": len(sides)},
            sides.names(seconds >= _LONG * 3600),
            "Times in milliseconds were probably read as seconds: divide them by 1000.",
        )
