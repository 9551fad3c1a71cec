"""The pool of worker processes: answers in order, errors as they were raised, and an end to it."""

import subprocess
import sys
import textwrap
import time
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import segscore as ss
from fuzz.pools import check_pool, draw_pool
from pool_work import work
from segscore.segmenters.workers import WorkerPool


def test_answers_come_in_order() -> None:
    with WorkerPool(2, work) as pool:
        assert list(pool.map([0.3, 1, "x" * 10**6, 2])) == [0.3, 1, "x" * 10**6, 2]
        assert list(pool.map([3])) == [3]
        assert list(pool.map([])) == []


@pytest.mark.parametrize(
    ("item", "kind", "message"),
    [
        ("wrong", ss.SegmentationError, "^wrong item$"),
        ("mistake", KeyError, "nothing"),
        ("untold", RuntimeError, "^Untold: it was so$"),
        ("unsent", (AttributeError, RuntimeError, TypeError), "local object|pickle"),
        ("die", ss.SegmentationError, "worker process ended"),
    ],
)
def test_errors_are_raised_here_and_end_the_pool(
    item: str, kind: type[Exception], message: str
) -> None:
    with WorkerPool(2, work) as pool:
        with pytest.raises(kind, match=message) as caught:
            list(pool.map([1, item, 60.0]))  # nobody waits for the last
        assert list(pool.map([1, 2])) == [1, 2]
    notes = "\n".join(getattr(caught.value, "__notes__", []))
    assert ("in work\n" in notes) == (item == "mistake")


def test_whoever_stops_iterating_does_not_wait() -> None:
    start = time.monotonic()
    with WorkerPool(2, work) as pool:
        results = pool.map([1, 600.0, 2])
        assert list(islice(results, 1)) == [1]
        results.close()
        assert list(pool.map([4, 5])) == [4, 5]  # and nothing of the old work
    assert time.monotonic() - start < 60


def test_an_iterator_that_is_left_alone_does_not_hold_python_back() -> None:
    script = """
        import time
        from segscore.segmenters.workers import WorkerPool
        pool = WorkerPool(2, time.sleep).__enter__()
        results = pool.map([0, 600, 600])
        next(results)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_workers_do_not_get_the_arguments_of_the_command() -> None:
    """They would fill the pipe by which a process is started: one that dies would block us."""
    script = """
        import sys
        from operator import methodcaller
        from segscore.segmenters.workers import WorkerPool
        with WorkerPool(1, eval) as pool:
            print(*pool.map(["__import__('sys').argv[1:]"]), len(sys.argv))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *["x" * 100] * 1000],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("[] 1001\n", "")


@pytest.mark.slow
def test_a_hundred_interrupted_pools(tmp_path: Path) -> None:
    """A few are drawn with each run of the tests, by fuzz/test_corpus.py."""
    random = Random("a hundred")
    for number in range(100):
        folder = tmp_path / str(number)
        folder.mkdir()
        check_pool(draw_pool(random), folder)
