"""`--parameter NAME=VALUES`, as `sweep` and `plot sweep` take it."""

from typing import Any

from segscore.basics.specs import is_integer, value_of
from segscore.errors import SegmentationError

_MOST_VALUES = 1000
_EXPECTED = "expected NAME=FIRST:LAST (inclusive), NAME=FIRST:LAST:STEP or NAME=VALUE,VALUE…"


def parameter_values(text: str) -> tuple[str, list[Any]]:
    """A parameter and its values, as written.

    >>> parameter_values("n_t=1:10:3"), parameter_values("k=2,auto,60s")
    (('n_t', [1, 4, 7, 10]), ('k', [2, None, '60s']))
    """
    name, equals, written = (part.strip() for part in text.partition("="))
    if not (name.isidentifier() and equals and written):
        raise SegmentationError(f"--parameter is {text!r}: {_EXPECTED}")
    if ":" not in written:
        return name, [value_of(part.strip()) for part in written.split(",")]
    ends = written.split(":")
    if len(ends) > 3 or not all(is_integer(end) for end in ends):
        raise SegmentationError(f"--parameter is {text!r}: {_EXPECTED}, in whole numbers")
    first, last, step = *map(int, ends), *([1] if len(ends) == 2 else [])
    if step < 1 or last < first or (last - first) // step >= _MOST_VALUES:
        raise SegmentationError(
            f"--parameter is {text!r}: expected FIRST up to LAST by a STEP of 1 or more, at most "
            f"{_MOST_VALUES} values"
        )
    return name, list(range(first, last + 1, step))
