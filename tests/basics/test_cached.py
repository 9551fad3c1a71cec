"""Properties that are computed once: no lock, so that a process may fork at any moment."""

import os
import subprocess
import sys
import textwrap
import threading
from functools import cached_property as locking

import pytest

from segscore.basics.on_demand import cached_property

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


def test_tools_know_what_it_is() -> None:
    assert isinstance(Slow.value, locking)
    assert Slow.value.__doc__ == "Something new each time."


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
    for _ in range(40):
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
def test_a_child_that_is_forked_while_threads_score_can_score() -> None:
    done = subprocess.run(  # noqa: PLW1510  # its output says more
        [sys.executable, "-c", textwrap.dedent(FORKING)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == (f"{[0] * 40}\n", "")
