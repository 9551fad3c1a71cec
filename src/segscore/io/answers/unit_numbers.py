"""Numbers of units in an answer, as boundaries; repeated, falling and impossible numbers are
failures.

Whether the first unit is 0 or 1 is never guessed: the caller says it, or a number decides, because
0 is not a unit if the first is 1, and N is not a unit if the first is 0.
"""

from collections.abc import Sequence
from itertools import pairwise

from segscore.io.answers.claims import AnswerError, BaseError


def boundaries_of_starts(starts: Sequence[int], n_units: int, base: int | None) -> list[int]:
    """The boundaries before units that start a segment; the first unit always does.

    >>> boundaries_of_starts([0, 3, 5], 8, None), boundaries_of_starts([3, 8], 8, None)
    ([3, 5], [2, 7])
    """
    _check_ascending(starts)
    first = _base(starts, n_units, base)
    _check_range(starts, n_units, first)
    return [start - first for start in starts if start != first]


def boundaries_of_numbers(numbers: Sequence[int], n_units: int, base: int | None) -> list[int]:
    """The boundaries before numbers that nothing says to be starts: they must be nothing else.

    >>> boundaries_of_numbers([0, 3, 5], 8, None)
    [3, 5]
    """
    _check_ascending(numbers)
    first = numbers[0]
    why = ""
    if first not in ((0, 1) if base is None else (base,)):
        why = f"the first of them, {first}, is not the first unit: they may be ends or boundaries"
    elif numbers == [*range(first, first + len(numbers))] and numbers != [0]:
        why = f"{first}, {first + 1} … may only count segments"
    elif len(numbers) > 1 and numbers[-1] == first + n_units - 1:
        why = f"the last of them, {numbers[-1]}, is the last unit: they may be ends"
    if why:
        raise AnswerError(f'numbers without a name, and {why}; expected {{"starts": […]}}')
    _check_range(numbers, n_units, first)
    if first == 1 and base is None:
        raise BaseError
    return [number - first for number in numbers[1:]]


def boundaries_of_spans(
    spans: Sequence[Sequence[int]], n_units: int, base: int | None
) -> list[int]:
    """The boundaries between spans that cover all units: ends are included, or equal the next
    start.

    >>> boundaries_of_spans([(1, 3), (4, 8)], 8, None), boundaries_of_spans([(0, 3), (3, 8)], 8, 0)
    ([3], [3])
    """
    starts, ends = zip(*spans, strict=True)
    _check_ascending(starts)
    for start, end in zip(starts, ends, strict=True):
        if end < start:
            raise AnswerError(f"a segment goes from {start} to {end}: its end is before its start")
    gaps = {later - end for end, later in zip(ends, starts[1:], strict=False)}
    if gaps - {0} and gaps - {1}:
        raise _broken(starts, ends)
    # a single segment shows by its own end whether ends are included
    included = gaps == {1} if gaps else ends[0] - starts[0] + 1 == n_units
    first = starts[0]
    if first not in (0, 1) or (base is not None and first != base):
        raise AnswerError(
            f"the first segment starts at {first}: expected {'0 or 1' if base is None else base}, "
            "the first unit"
        )
    last = ends[-1] - first + included
    if last != n_units:
        raise AnswerError(
            f"the segments end at {ends[-1]}, so that they have {last} units, and the document has "
            f"{n_units}"
        )
    return [start - first for start in starts[1:]]


def boundaries_of_groups(
    groups: Sequence[Sequence[int]], n_units: int, base: int | None
) -> list[int]:
    """The boundaries between lists of all units of each segment.

    >>> boundaries_of_groups([[0, 1, 2], [3]], 4, None)
    [3]
    """
    for group in groups:
        if not group:
            raise AnswerError("a segment has no unit")
        for unit, later in pairwise(group):
            if later != unit + 1:
                raise AnswerError(f"a segment has the units {unit} and {later}, and none between")
    starts, ends = [group[0] for group in groups], [group[-1] for group in groups]
    _check_ascending(starts)
    for end, later in zip(ends, starts[1:], strict=False):
        if later != end + 1:
            raise _broken(starts, ends)
    return boundaries_of_spans([*zip(starts, ends, strict=True)], n_units, base)


def boundaries_of_ends(ends: Sequence[int], n_units: int, base: int | None) -> list[int]:
    """The boundaries after units that end a segment; the last number decides how they count.

    >>> boundaries_of_ends([3, 8], 8, None), boundaries_of_ends([2, 7], 8, 0)
    ([3], [3])
    """
    _check_ascending(ends)
    if not ends or n_units not in (ends[-1], ends[-1] + 1) or (ends[-1] < n_units and base == 1):
        raise AnswerError(
            f"the last segment ends at {ends[-1] if ends else 'no unit'}, and the document has "
            f"{n_units} units: cut off, or numbers that are not ends"
        )
    # ends that count from 0 and are not included are the same as those that count from 1 and are
    if ends[-1] < n_units and base is None:  # the last of those that count from 1 may be left out
        raise BaseError
    return boundaries_after(ends, n_units, int(ends[-1] == n_units))


def boundaries_after(numbers: Sequence[int], n_units: int, base: int | None) -> list[int]:
    """The boundaries after units; the last unit may be among them.

    >>> boundaries_after([3, 8], 8, None), boundaries_after([0, 3], 8, None)
    ([3], [1, 4])
    """
    _check_ascending(numbers)
    first = _base(numbers, n_units, base) if numbers else 0
    _check_range(numbers, n_units, first)
    return [number - first + 1 for number in numbers if number - first + 1 < n_units]


def boundaries_at(positions: Sequence[int], n_units: int) -> list[int]:
    """The positions of boundaries: 2 is after the second unit; the end of the document may be
    listed.

    >>> boundaries_at([3, 8], 8)
    [3]
    """
    _check_ascending(positions)
    for position in positions:
        if not 1 <= position <= n_units:
            raise AnswerError(
                f"{position} is not a boundary: boundary n is after the n-th unit, n from 1 to "
                f"{n_units}; numbers of units that start a segment are expected as 'starts'"
            )
    return [position for position in positions if position < n_units]


def _broken(starts: Sequence[int], ends: Sequence[int]) -> AnswerError:
    for end, later in zip(ends, starts[1:], strict=False):
        if later != end + 1:
            what = "units between them are in none" if later > end else "they overlap"
            return AnswerError(
                f"one segment ends at {end} and the next starts at {later}: {what}, or ends are "
                "counted in two ways"
            )
    return AnswerError("segments overlap, or units are in none")


def _check_ascending(numbers: Sequence[int]) -> None:
    for number, later in pairwise(numbers):
        if number == later:
            raise AnswerError(f"{number} is given twice: expected each start once")
        if later < number:
            raise AnswerError(f"{later} comes after {number}: expected ascending numbers")


def _base(numbers: Sequence[int], n_units: int, base: int | None) -> int:
    """The number of the first unit."""
    if base is not None:
        return base
    if any(not 0 <= number <= n_units for number in numbers) or {0, n_units} <= set(numbers):
        _check_range(numbers, n_units, 0 if 0 in numbers else 1)
    if 0 in numbers:
        return 0
    if n_units in numbers:
        return 1
    raise BaseError


def _check_range(numbers: Sequence[int], n_units: int, base: int) -> None:
    last = n_units - 1 + base
    for number in numbers:
        if not base <= number <= last:
            raise AnswerError(f"{number} is out of range: expected numbers {base} … {last}")
