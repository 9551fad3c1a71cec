"""Run segmenters over many documents, on all cores.

Documents go to worker processes, because most of the work holds the interpreter's lock; a segmenter
that cannot be sent there (for instance a lambda, or a class that a script or notebook defines) runs
in this process instead, with the same result.

The pool always ends, whichever process dies first. One function is sent to each worker once, then
one item after the other; answers come back over the same pipe. The thread that iterates does all of
it: there is no manager thread, no queue and no lock that a signal could leave behind.

- Ctrl-C, SIGTERM or any other exception in this process: the workers are killed on the way out.
- A worker that dies: its pipe ends, which is an error here.
- This process is killed: the workers see it, each by a thread that watches, and stop at once.
"""

import atexit
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType, ModuleType, TracebackType
from typing import Any, Generic, Self, TypeVar, cast

from segscore.basics.arguments import whole_number
from segscore.basics.threads import cores
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, about

MOST_WORKERS = 1024
_WORTH_A_PROCESS = 40  # documents that make up for starting one


Task = tuple[str, Sequence[str], int | None]  # a document, its units, the number of segments


Done = tuple[str, Segmentation, float]  # a segmented document, and the seconds that it took


def _do(segmenter: Callable[..., Segmentation], task: Task) -> Done:
    start = time.perf_counter()
    document, units, n_segments = task
    with about(f"document {document!r}"):
        segmentation = segmenter(units, n_segments)
    return document, segmentation, time.perf_counter() - start


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
        workers = min(whole_number(workers, "workers", 1, MOST_WORKERS), len(listed))
    if workers < 2 or not can_travel(segmenter):
        yield from (_do(segmenter, task) for task in listed)
        return
    share = max(1, min(25, len(listed) // (4 * workers)))
    parts = [listed[at : at + share] for at in range(0, len(listed), share)]
    with WorkerPool(workers, partial(segment_here, segmenter)) as pool:
        for part in pool.map(parts):
            yield from part


def can_travel(segmenter: object) -> bool:
    """Whether it can be sent to workers, which excludes what the user's script defines."""
    try:
        return b"__main__" not in pickle.dumps(segmenter)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False


# ---- the pool ----

Item = TypeVar("Item")
Answer = TypeVar("Answer")

_SIGNALS = tuple(getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n))
_GOODBYE = 5.0  # seconds that workers without work have to end by themselves
_LAST_WORD = 0.5  # seconds: what kills a worker often means this process, too


class WorkerPool(Generic[Item, Answer]):
    """Up to `workers` processes that call a function; they start when there is work for them.

    It is a context manager: the workers end with its block, or with this process.
    """

    def __init__(self, workers: int, function: Callable[[Item], Answer]) -> None:
        self._most = workers
        self._function = pickle.dumps(function)
        self._processes: dict[Connection, SpawnProcess] = {}
        self._idle: list[Connection] = []

    def __enter__(self) -> Self:
        atexit.register(self._end)  # for a block that nobody leaves: an iterator left as it is
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._let_end()
        finally:
            self._end()
            atexit.unregister(self._end)

    def map(self, items: Sequence[Item]) -> Generator[Answer, None, None]:
        """The answer to each item, in order; the pool ends when iteration stops."""
        waiting = deque(enumerate(items))
        busy: dict[Connection, int] = {}
        done: dict[int, Answer] = {}
        try:
            for index in range(len(items)):
                while index not in done:
                    while waiting and (worker := self._free()) is not None:
                        busy[worker], item = waiting.popleft()
                        self._send(worker, pickle.dumps(item))
                    for worker in cast("list[Connection]", wait(list(busy))):
                        done[busy.pop(worker)] = self._received(worker)
                        self._idle.append(worker)
                yield done.pop(index)
        except BaseException:
            self._end()
            raise

    def _free(self) -> Connection | None:
        """A worker without work, or a new worker if there is room."""
        if not self._idle and len(self._processes) < self._most:
            with _undisturbed():
                ours, process = _started()
                self._processes[ours] = process
            self._send(ours, self._function)
            self._idle.append(ours)
        return self._idle.pop() if self._idle else None

    def _send(self, worker: Connection, message: bytes) -> None:
        try:
            worker.send_bytes(message)
        except OSError:
            raise self._dead(worker) from None

    def _received(self, worker: Connection) -> Answer:
        try:
            message = worker.recv_bytes()
        except (EOFError, OSError):
            raise self._dead(worker) from None
        answer: Answer
        answer, error = _unpickled(message)
        if error is not None:
            raise error
        return answer

    def _dead(self, worker: Connection) -> SegmentationError:
        self._processes[worker].join(_LAST_WORD)
        return SegmentationError(
            "a worker process ended before its work was done, probably because memory ran "
            "out: use fewer workers"
        )

    def _let_end(self) -> None:
        """Let workers whose pipe is closed end by themselves, and clean up."""
        deadline = time.monotonic() + _GOODBYE
        for ours in self._processes:
            ours.close()
        for process in self._processes.values():
            process.join(max(0.0, deadline - time.monotonic()))

    def _end(self) -> None:
        with _undisturbed():
            for process in self._processes.values():
                process.kill()
            for ours, process in self._processes.items():
                process.join()
                process.close()
                ours.close()
            self._processes.clear()
            self._idle.clear()


def _started() -> tuple[Connection, SpawnProcess]:
    """A new worker, and our end of its pipe; signals are blocked, and the caller restores them.

    The worker must not see Ctrl-C before it ignores it: it would print a traceback.
    """
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs,), name="segscore-worker")
    if hasattr(signal, "pthread_sigmask"):
        from multiprocessing.resource_tracker import ensure_running

        ensure_running()  # it unblocks signals, once
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        with _script_left_alone():
            process.start()
    finally:
        theirs.close()
    return ours, process


def _unpickled(message: bytes) -> Any:
    """The content of a message: our own processes wrote it, to a pipe that nobody else has."""
    return pickle.loads(message)  # noqa: S301


# ---- in the worker ----


def _work(connection: Connection) -> None:
    """Answer until there is nothing more to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the parent has all that it wants
        pickled, function = connection.recv_bytes(), None
        while True:
            message = connection.recv_bytes()
            try:
                function = function or _unpickled(pickled)
                answer = pickle.dumps((function(_unpickled(message)), None))
            except Exception as error:
                answer = pickle.dumps((None, _portable(error)))
            connection.send_bytes(answer)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _portable(error: Exception) -> Exception:
    """The error, or its text if it cannot be sent; a programming error says where it was made."""
    if not isinstance(error, SegmentationError):
        error.add_note(f"In a worker process:\n{''.join(traceback.format_exception(error))}")
    try:
        _unpickled(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


# ---- while workers start and end ----


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Handle signals that arrive inside this block right after it.

    Otherwise a process could be half started, or half ended, when Ctrl-C raises its exception.
    """
    if threading.current_thread() is not threading.main_thread():  # which alone handles signals
        with _blocked():
            yield
        return
    arrived: list[int] = []

    def hold(number: int, frame: FrameType | None) -> None:
        del frame
        arrived.append(number)

    before: dict[int, Any] = {}
    with _blocked():
        try:
            for number in _SIGNALS:
                if callable(signal.getsignal(number)):
                    before[number] = signal.getsignal(number)
                    signal.signal(number, hold)
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    for number in arrived:
        signal.raise_signal(number)


@contextmanager
def _blocked() -> Iterator[None]:
    """Keep signals from this thread. Threads that BLAS started may still take them, and Python
    would then run their handlers here, so this alone is not enough."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _script_left_alone() -> Iterator[None]:
    """Keep processes that start inside this block from running the user's script and from its
    arguments.

    By default each of them would run it; a script without `if __name__ == "__main__"`, or one read
    from stdin, would fail there. Many arguments would fill the pipe by which a process is started,
    and a process that dies before it reads them would leave us waiting.
    """
    main, arguments = sys.modules["__main__"], sys.argv
    sys.modules["__main__"], sys.argv = ModuleType("__main__"), sys.argv[:1]
    try:
        yield
    finally:
        sys.modules["__main__"], sys.argv = main, arguments
