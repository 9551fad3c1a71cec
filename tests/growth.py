"""Whether time grows in proportion to the input: what is quadratic is an attack, not a slow day."""

import time
from collections.abc import Callable

TRIES = 3


def assert_linear(work_of: Callable[[int], Callable[[], object]], n: int) -> None:
    """Four times the input must take less than eight times as long; what is quadratic takes sixteen.

    work_of: makes the work on an input of a size; only the work is timed, in CPU seconds. A machine
    that is busy may disturb a measurement, so the shortest of up to three decide.
    """
    work_of(n // 20)()  # imports what is needed
    small, large = work_of(n), work_of(4 * n)
    shortest = [float("inf")] * 2
    for _ in range(TRIES):
        shortest = [
            min(best, _seconds(work)) for best, work in zip(shortest, (small, large), strict=True)
        ]
        if shortest[1] < 8 * shortest[0]:
            return
    raise AssertionError(f"{n} take {shortest[0]:.3g} s, four times as many {shortest[1]:.3g} s")


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
