"""Whether time grows in proportion to the input: what is quadratic is an attack, not a slow day."""

import time
from collections.abc import Callable

TRIES = 3


def assert_linear(work_of: Callable[[int], Callable[[], object]], n: int) -> None:
    """Four times the input must take less than eight times as long; what is quadratic takes sixteen.

    work_of: makes the work on an input of a size; only the work is timed, in CPU seconds. A machine
    that is busy may disturb a measurement: the small input has the shortest of three, the large one
    up to three tries.
    """
    work_of(n // 20)()  # imports what is needed
    small, large = work_of(n), work_of(4 * n)
    of_small, of_large = min(_seconds(small) for _ in range(TRIES)), float("inf")
    for _ in range(TRIES):
        of_large = min(of_large, _seconds(large))
        if of_large < 8 * of_small:
            return
    raise AssertionError(f"{n} take {of_small:.3g} s, four times as many {of_large:.3g} s")


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
