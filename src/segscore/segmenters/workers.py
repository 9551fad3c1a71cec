"""Run segmenters over many documents, on all cores.

Documents go to worker processes, because most of the work holds the interpreter's lock; a segmenter
that cannot be sent there (for instance a lambda, or a class that a script or notebook defines) runs
in this process instead, with the same result.
"""

import pickle
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from segscore.basics.arguments import whole_number
from segscore.basics.threads import cores
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, about
from segscore.segmenters.worker_pool import WorkerPool

MOST_WORKERS = 1024
_WORTH_A_PROCESS = 40  # documents that make up for starting one


class Task(NamedTuple):
    """A document to segment."""

    document: str
    units: Sequence[str]
    n_segments: int | None


class Done(NamedTuple):
    """A segmented document, and the time it took."""

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
    with WorkerPool(workers, partial(segment_here, segmenter)) as pool:
        for part in pool.map(parts):
            yield from part


def checked_workers(workers: int) -> int:
    """The number of processes, checked."""
    if whole_number(workers, "workers", 1) > MOST_WORKERS:
        raise SegmentationError(f"workers is {workers}: expected 1 … {MOST_WORKERS}")
    return int(workers)


def can_travel(segmenter: object) -> bool:
    """Whether it can be sent to workers, which excludes what the user's script defines."""
    try:
        return b"__main__" not in pickle.dumps(segmenter)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
