"""Threads: how many cores this process may use, and work on several of them.

The environment variable SEGSCORE_THREADS decides, if it is set. Otherwise it is the number of cores
that the process may run on (taskset, Slurm), which may be fewer than the computer has.
"""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from segscore._kernels.batch import Stop
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from concurrent.futures import Future

Result = TypeVar("Result")

VARIABLE = "SEGSCORE_THREADS"
_MOST = 1024
_GLANCE = 0.1  # seconds between looks for Ctrl-C


def run_in_threads(threads: int, tasks: Iterable[Callable[[Stop], Result]]) -> Iterator[Result]:
    """The result of each task, in the order of the tasks, while the next ones run.

    Tasks are taken from the iterable as threads need them, never more than one beyond the number
    of threads. Each gets a `Stop`, which is set if a task fails, if Ctrl-C ends the waiting, or if
    no more results are wanted.
    """
    from concurrent.futures import ThreadPoolExecutor

    halt = Stop()
    with ThreadPoolExecutor(threads) as pool:
        try:
            ahead: deque[Future[Result]] = deque()
            for task in tasks:
                ahead.append(pool.submit(task, halt))
                if len(ahead) > threads:
                    yield _waited_for(ahead.popleft())
            while ahead:
                yield _waited_for(ahead.popleft())
        except BaseException:
            halt.set()
            raise


def _waited_for(task: "Future[Result]") -> Result:
    """The result of a task; on every system Ctrl-C ends the waiting."""
    while True:
        try:
            return task.result(_GLANCE)
        except TimeoutError:
            if task.done():  # in the meantime, or by an error of its own
                return task.result()


def cores() -> int:
    """Cores this process may use."""
    wanted = os.environ.get(VARIABLE, "").strip()
    if wanted:
        if not wanted.isdecimal() or not 1 <= int(wanted) <= _MOST:
            raise SegmentationError(
                f"the environment variable {VARIABLE} is {wanted!r}: expected 1 … {_MOST}"
            )
        return int(wanted)
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
