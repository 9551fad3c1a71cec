"""How many cores a process may use, and work on several of them."""

import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore._kernels import drawing
from segscore._kernels.batch import Stop
from segscore.basics import threads
from segscore.basics.arguments import cached_property


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="os.process_cpu_count does it")
def test_the_cores_that_a_process_may_run_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEGSCORE_THREADS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert threads.cores() == 8


def test_the_environment_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGSCORE_THREADS", "5")
    assert threads.cores() == 5
    monkeypatch.setenv("SEGSCORE_THREADS", " ")
    assert 1 <= threads.cores() <= (os.cpu_count() or 1)
    for wrong in ("0", "-1", "many", "1.5", "2000"):
        monkeypatch.setenv("SEGSCORE_THREADS", wrong)
        with pytest.raises(ss.SegmentationError, match="SEGSCORE_THREADS is .*: expected 1 … 1024"):
            threads.cores()


def test_scoring_asks_for_no_more_threads_than_that(monkeypatch: pytest.MonkeyPatch) -> None:
    from segscore.pairing import pairs

    cut = ss.Segmentation.from_masses
    asked: list[int] = []
    executor = futures.ThreadPoolExecutor

    def counted(n: int) -> object:
        asked.append(n)
        return executor(n)

    monkeypatch.setattr(futures, "ThreadPoolExecutor", counted)
    monkeypatch.setattr(pairs, "_WORTH_A_THREAD", 10)
    refs, hyps = [cut([2, 3])] * 200, [cut([3, 2])] * 200
    for wanted in ("3", "1"):
        monkeypatch.setenv("SEGSCORE_THREADS", wanted)
        ss.score(refs, hyps, "windowdiff")
    assert asked == [3]


def test_modules_that_another_thread_is_importing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy.ma", type(sys)("numpy.ma"))
    assert ss.Segmentation.from_boundaries([2], 5).n_units == 5


def test_two_readings_at_once_have_notes_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("document,coder,n_units,boundaries\nd,a,9,3\n")
    (tmp_path / "b.csv").write_text("document,coder,boundaries\nd,b,4\n")
    records = ss.io.read_records(tmp_path, "table")
    found = [next(records), *ss.io.read_records(tmp_path, "table"), *records]
    assert {record.n_units for record in found} == {9}


def test_a_task_that_ends_while_one_looks_at_it() -> None:
    """The waiting may end just before the task does: its result counts."""

    class Late(Future[list[Any]]):
        def result(self, timeout: float | None = None) -> list[Any]:
            try:
                return super().result(timeout)
            except TimeoutError:
                if not self.done():
                    self.set_result(["sums"])
                raise

    assert threads._waited_for(Late()) == ["sums"]


def test_tasks_run_ahead_and_their_results_keep_the_order() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[Callable[[Stop], int]]:
        for number in range(9):
            taken.append(number)
            yield lambda _, number=number: number * number  # type: ignore[misc]

    found = threads.run_in_threads(2, tasks())
    assert next(found) == 0
    assert taken == [0, 1, 2]
    assert list(found) == [number * number for number in range(1, 9)]


def test_a_task_that_fails_stops_the_others() -> None:
    stopped: list[Stop] = []

    def fails(halt: Stop) -> None:
        stopped.append(halt)
        raise ValueError("a task")

    with pytest.raises(ValueError, match="a task"):
        list(threads.run_in_threads(2, [fails, stopped.append]))
    weights, panels = np.ones((600, 5000), np.uint8), np.ones((20, 5000, 8))
    with pytest.raises(KeyboardInterrupt):
        drawing.add_weighted(weights, panels, np.zeros((600, 160)), stopped[0])


# ---- properties that are computed once ----


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")


class Slow:
    """Computes its property in as many threads as ask, once all of them are in there."""

    def __init__(self, threads: int) -> None:
        self.together = threading.Barrier(threads, timeout=10)
        self.made: list[object] = []

    @cached_property
    def value(self) -> object:
        """Something new each time."""
        self.together.wait()
        self.made.append(object())
        return self.made[-1]


def test_it_is_computed_once_and_kept_in_the_object() -> None:
    slow = Slow(1)
    assert slow.value is slow.value
    assert vars(slow)["value"] is slow.made[0]
    assert len(slow.made) == 1
    del slow.value
    assert slow.value is not slow.made[0]


def test_threads_that_ask_together_do_not_wait_for_each_other_and_get_one_value() -> None:
    slow, seen = Slow(2), []  # of two that wait for each other, the barrier would break
    asking = [threading.Thread(target=lambda: seen.append(slow.value)) for _ in range(2)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert len(slow.made) == 2
    assert seen[0] is seen[1]


FORKING = """
    import os, signal, sys, threading, time, warnings
    import segscore as ss

    warnings.simplefilter("ignore")  # Python 3.12 says that forking with threads is a risk
    reference, hypothesis = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
    pairs = [reference] * 3, [hypothesis] * 3

    def scored():  # each time with new metrics, whose properties are not there yet
        result = ss.score(*pairs, [ss.WindowDiff(k=3), ss.Pk(k=3), ss.WindowDiff(edges="wrap")])
        return [float(one.micro) for one in result.values()]

    expected = scored()
    def keep_scoring():
        while True:
            scored()

    sys.setswitchinterval(1e-6)
    for _ in range(3):
        threading.Thread(target=keep_scoring, daemon=True).start()
    children = []
    for _ in range(15):
        time.sleep(0.002)
        child = os.fork()
        if not child:
            signal.alarm(20)  # ends a child that hangs
            os._exit(0 if scored() == expected else 1)
        children.append(child)
    print([os.waitpid(child, 0)[1] for child in children])
    sys.stdout.flush()
    os._exit(0)
"""


@needs_fork
@pytest.mark.usefixtures("unmeasured")
def test_a_child_that_is_forked_while_threads_score_can_score() -> None:
    done = subprocess.run(  # noqa: PLW1510  # its output says more
        [sys.executable, "-c", textwrap.dedent(FORKING)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == (f"{[0] * 15}\n", "")
