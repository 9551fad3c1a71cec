"""Recordings that last for days: times in milliseconds that were read as seconds."""

from collections.abc import Iterator

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.checking.findings import Finding
from segscore.checking.sides import BothSides, CheckedSide

_LONG = 48  # hours: what lasts longer at the median is no talk, meeting or film
_MICROSECONDS = 10**6  # in a second


def days_long(sides: BothSides) -> Iterator[Finding]:
    """Documents with units of known duration that are too long for recordings.

    Both sides must be that long, and have boundaries in their second half: if only one side is, it
    has other units, and a long ending has another cause.
    """
    unit = sides.provenance.unit_length
    if unit is None or not len(sides):
        return
    units = np.minimum(_used(sides.ref), _used(sides.hyp))
    seconds = units * (unit / _MICROSECONDS)
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


def _used(side: CheckedSide) -> Int64Array:
    """Twice the units up to the last boundary of each row, and at most all of them."""
    return np.where(side.counts > 0, np.minimum(2 * side.last, side.n_units), side.n_units)
