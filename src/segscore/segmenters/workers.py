"""Segmenters over many documents, on all cores.

Documents go to worker processes, because most of the work holds the interpreter's lock; a segmenter
that cannot be sent there (a lambda, say, or what a script or notebook defines itself) works in this
process instead, with the same result.
"""

import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from types import ModuleType
from typing import NamedTuple

from segscore.arguments import whole_number
from segscore.errors import SegmentationError
from segscore.pairs import _cores
from segscore.segmentation import Segmentation

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
    try:
        made = segmenter(task.units, task.n_segments)
    except SegmentationError as error:
        raise SegmentationError(f"document {task.document!r}: {error}") from None
    return Done(task.document, made, time.perf_counter() - start)


def _do_all(segmenter: Callable[..., Segmentation], tasks: Sequence[Task]) -> list[Done]:
    return [_do(segmenter, task) for task in tasks]


def segment_all(
    segmenter: Callable[..., Segmentation], tasks: Iterable[Task], workers: int | None = None
) -> Iterator[Done]:
    """Segment documents, in their order; `workers=None` uses all cores where it pays."""
    listed = list(tasks)
    if workers is None:
        workers = min(_cores(), len(listed) // _WORTH_A_PROCESS)
    elif whole_number(workers, "workers", 1) > len(listed):
        workers = len(listed)
    if workers < 2 or not _can_travel(segmenter):
        yield from (_do(segmenter, task) for task in listed)
        return
    share = max(1, min(25, len(listed) // (4 * workers)))
    parts = [listed[at : at + share] for at in range(0, len(listed), share)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        with _main_left_alone():  # all processes start here, and none later
            done = pool.map(_do_all, [segmenter] * len(parts), parts)
        for part in done:
            yield from part


def _can_travel(segmenter: object) -> bool:
    """Can it be sent, and does it not live in the user's script, which workers do not run?"""
    try:
        return b"__main__" not in pickle.dumps(segmenter)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False


@contextmanager
def _main_left_alone() -> Iterator[None]:
    """Processes that start meanwhile do not run the user's script.

    By default each of them would, from its first line on; a script without a guard, or read from
    stdin, would end there.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
