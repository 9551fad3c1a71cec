"""Threads: how many cores this process may use, and work on several of them.

The cores may be fewer than the computer has. The environment variable SEGSCORE_THREADS decides, if
it is set. Otherwise their number is the smaller of the cores that the process may run on (taskset,
Slurm) and its share of their time (the CPU quota of a container's control group, rounded up).
"""

import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from segscore._kernels.batch import Stop
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from concurrent.futures import Future

Result = TypeVar("Result")

VARIABLE = "SEGSCORE_THREADS"
_MOST = 1024
_GLANCE = 0.1  # seconds between looks for Ctrl-C
_PROCESS = Path("/proc/self/cgroup")
_MOUNTED = Path("/sys/fs/cgroup")


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


def cores_up_to(most: int) -> int:
    """The smaller of `most` and the cores that this process may use."""
    return 1 if most == 1 else min(cores(), most)


def cores() -> int:
    """Cores this process may use."""
    wanted = os.environ.get(VARIABLE, "").strip()
    if wanted:
        if not wanted.isdecimal() or not 1 <= int(wanted) <= _MOST:
            raise SegmentationError(
                f"the environment variable {VARIABLE} is {wanted!r}: expected 1 … {_MOST}"
            )
        return int(wanted)
    quota = _quota()
    return _allowed() if quota is None else min(_allowed(), quota)


def _allowed() -> int:
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _quota() -> int | None:
    """The share of this process; read once, because it hardly ever changes."""
    return quota_of(_PROCESS, _MOUNTED)


def quota_of(process: Path, mounted: Path) -> int | None:
    """The cores that control groups leave to a process; None if they set no limit.

    process: the file that lists its groups; mounted: where control groups are mounted.
    """
    try:
        groups = [line.split(":", 2) for line in process.read_text("utf-8").splitlines()]
    except (OSError, ValueError):
        return None
    shares = []
    for _, controllers, path in (group for group in groups if len(group) == 3):
        if not controllers:  # version 2
            shares += [_share_2(folder) for folder in _upwards(mounted, path)]
        elif "cpu" in controllers.split(","):
            shares += [_share_1(folder) for folder in _upwards(mounted / controllers, path)]
            shares += [_share_1(folder) for folder in _upwards(mounted / "cpu", path)]
    found = [share for share in shares if share is not None and share > 0]
    return max(1, math.ceil(min(found))) if found else None


def _upwards(top: Path, path: str) -> Iterator[Path]:
    """The folder of a group and of those that it is in; a container may see the top only."""
    parts = [part for part in path.split("/") if part not in ("", "..")]
    return (top.joinpath(*parts[:n]) for n in range(len(parts), -1, -1))


def _share_2(folder: Path) -> float | None:
    words = _words(folder / "cpu.max")
    return _ratio(*words[:2]) if len(words) >= 2 else None


def _share_1(folder: Path) -> float | None:
    quota, period = (_words(folder / f"cpu.cfs_{name}_us") for name in ("quota", "period"))
    return _ratio(quota[0], period[0]) if quota and period else None


def _words(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8").split()
    except (OSError, ValueError):
        return []


def _ratio(quota: str, period: str) -> float | None:
    """Quota by period; None without a limit ("max", or -1 in version 1)."""
    if not quota.isdecimal() or not period.isdecimal() or not int(period):
        return None
    return int(quota) / int(period)
