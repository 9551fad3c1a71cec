"""Segmenters over many documents, on all cores.

Documents go to worker processes, because most of the work holds the interpreter's lock; a segmenter
that cannot be sent there (for instance a lambda, or a class that a script or notebook defines) runs
in this process instead, with the same result.

Workers end with their parent. Each has the reading end of a pipe to which nothing is written. When
the parent closes the other end, or is killed, reading fails and the workers stop at once.
"""

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any, NamedTuple

from segscore.basics.arguments import whole_number
from segscore.basics.threads import cores
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, about

MOST_WORKERS = 1024
_WORTH_A_PROCESS = 40  # documents that make up for starting one


class Task(NamedTuple):
    """One document to be segmented."""

    document: str
    units: Sequence[str]
    n_segments: int | None


class Done(NamedTuple):
    """One document segmented, and how long it took."""

    document: str
    segmentation: Segmentation
    seconds: float


def _do(segmenter: Callable[..., Segmentation], task: Task) -> Done:
    start = time.perf_counter()
    with about(f"document {task.document!r}"):
        segmentation = segmenter(task.units, task.n_segments)
    return Done(task.document, segmentation, time.perf_counter() - start)


def segment_here(segmenter: Callable[..., Segmentation], tasks: Sequence[Task]) -> list[Done]:
    return [_do(segmenter, task) for task in tasks]


def segment_all(
    segmenter: Callable[..., Segmentation], tasks: Iterable[Task], workers: int | None = None
) -> Generator[Done, None, None]:
    """Segment documents, in their order; `workers=None` uses all cores if that saves time."""
    listed = list(tasks)
    if workers is None:
        workers = min(cores(), len(listed) // _WORTH_A_PROCESS)
    else:
        workers = min(checked_workers(workers), len(listed))
    if workers < 2 or not can_travel(segmenter):
        yield from (_do(segmenter, task) for task in listed)
        return
    share = max(1, min(25, len(listed) // (4 * workers)))
    parts = [listed[at : at + share] for at in range(0, len(listed), share)]
    with worker_processes(workers) as pool:
        with starting():  # all processes start here, and none later
            done = pool.map(segment_here, [segmenter] * len(parts), parts)
        for part in done:
            yield from part


def checked_workers(workers: int) -> int:
    """The number of processes, checked."""
    if whole_number(workers, "workers", 1) > MOST_WORKERS:
        raise SegmentationError(f"workers is {workers}: expected 1 … {MOST_WORKERS}")
    return int(workers)


@contextmanager
def worker_processes(
    workers: int, prepare: Callable[..., None] | None = None, *arguments: Any
) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with the block, whether it ends well or not, and with this process.

    `prepare(*arguments)` is called in each of them first. Work is handed over in `starting()`.
    """
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    with closing(theirs), closing(ours):
        pool = ProcessPoolExecutor(
            workers,
            mp_context=context,
            initializer=_start_worker,
            initargs=(theirs, prepare, arguments),
        )
        try:
            with pool:
                try:
                    yield pool
                except BaseException:
                    ours.close()  # do not wait until all work is done
                    raise
        except BrokenProcessPool:
            raise SegmentationError(
                "a worker process ended before its work was done, probably because memory ran "
                "out: use fewer workers (--workers)"
            ) from None


def _start_worker(
    pipe: Connection, prepare: Callable[..., None] | None, arguments: tuple[Any, ...]
) -> None:
    """What a worker process does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    threading.Thread(target=_end_with_parent, args=(pipe,), daemon=True).start()
    if prepare is not None:
        prepare(*arguments)


def _end_with_parent(pipe: Connection) -> None:
    try:
        pipe.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


@contextmanager
def starting() -> Iterator[None]:
    """Processes that start inside this block do not see Ctrl-C, and do not run the user's script.

    The signal waits until all have started; otherwise it could reach them before they ignore it,
    and each would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        with _main_left_alone():
            yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _main_left_alone():
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def can_travel(segmenter: object) -> bool:
    """Whether it can be sent, and is not defined in the user's script, which workers do not run."""
    try:
        return b"__main__" not in pickle.dumps(segmenter)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False


@contextmanager
def _main_left_alone() -> Iterator[None]:
    """Processes that start inside this block do not run the user's script.

    By default each of them would run it; a script without `if __name__ == "__main__"`, or one read
    from stdin, would fail there.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
