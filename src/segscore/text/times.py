"""Times in seconds as positions among units of one length."""

from collections.abc import Iterable, Mapping, Set
from decimal import Decimal, InvalidOperation
from typing import Any

from segscore.basics.arguments import LARGEST, array_inside, shown
from segscore.errors import SegmentationError

_MICRO = 10**6  # times are whole microseconds, so that quotients of decimals are exact


def time_positions(starts: Any, duration: Any, resolution: Any) -> tuple[list[int], int]:
    """Where segments start, in units of `resolution` seconds, and how many units there are.

    >>> time_positions([0, 62.5, 130], 300, 0.5)
    ([125, 260], 600)
    """
    step = _microseconds(resolution, "resolution")
    total = _microseconds(duration, "duration")
    if not step or not total:
        which = "resolution" if not step else "duration"
        raise SegmentationError(f"{which} is 0: expected seconds, more than a microsecond")
    n_units = _rounded(total, step)
    if not 1 <= n_units <= LARGEST:
        raise SegmentationError(
            f"duration is {duration} s, in units of {resolution} s: expected at least one unit, "
            "and at most 2**53"
        )
    positions: list[int] = []
    for index, start in enumerate(_listed(starts)):
        at = _microseconds(start, f"starts[{index}]")
        if at == 0:
            continue  # where the first segment starts anyway
        position = _rounded(at, step)
        if at >= total or not 0 < position < n_units:
            raise SegmentationError(
                f"starts[{index}] is {start} s: expected a time inside the recording of "
                f"{duration} s, at least half a unit ({resolution} s) from its ends"
            )
        if positions and position <= positions[-1]:
            raise SegmentationError(
                f"starts[{index}] is {start} s: expected times in ascending order, at least a unit "
                f"({resolution} s) apart"
            )
        positions.append(position)
    return positions, n_units


def _listed(starts: Any) -> list[Any]:
    expected = "times in seconds at which segments start"
    if isinstance(starts, str | bytes | Mapping | Set) or not isinstance(starts, Iterable):
        raise SegmentationError(f"starts is {shown(starts)}: expected {expected}")
    values = array_inside(starts, "starts", expected)
    return list(values.tolist() if hasattr(values, "tolist") else values)


def _rounded(time: int, step: int) -> int:
    """The nearest number of units; a half goes up."""
    return (2 * time + step) // (2 * step)


def _microseconds(value: Any, what: str) -> int:
    try:
        number = Decimal(repr(float(value)) if isinstance(value, float) else str(int(value)))
        whole = isinstance(value, float) or int(value) == value
    except (InvalidOperation, TypeError, ValueError, OverflowError):
        number, whole = Decimal("NaN"), False
    bad = isinstance(value, bool | str | bytes) or not whole or not number.is_finite()
    if bad or not 0 <= number < 10**9:
        raise SegmentationError(f"{what} is {shown(value)}: expected seconds, from 0")
    return round(number * _MICRO)
