"""Ctrl-C reaches a kernel, in its caller's thread and in the threads of a pool, within half a
second of work.

What is measured is the time that this process computes, not the time that passes: on a busy machine
the one stays, and the other grows.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import segscore as ss

LIMIT = 0.5  # seconds of computing, in one thread
PATIENCE = 3 * LIMIT  # two threads, and a slow machine
AFTER = 0.2
LONGEST_WAIT = 120.0  # seconds that pass before there is that much work


def wait_for_work(computed: Callable[[], float], seconds: float) -> None:
    """Wait until so many seconds were computed."""
    end = time.monotonic() + LONGEST_WAIT
    while computed() < seconds and time.monotonic() < end:
        time.sleep(0.01)


@cache
def typed_pair(seed: int = 0, n: int = 10_000) -> tuple[ss.Segmentation, ss.Segmentation]:
    """10,000 boundaries of three types on each side: minutes with n_t = 10,000."""
    rng = np.random.default_rng(seed)
    return tuple(  # type: ignore[return-value]
        ss.Segmentation.from_boundaries(
            np.sort(rng.choice(np.arange(1, 30_000), n, replace=False)),
            30_000,
            types=rng.integers(1, 4, n).tolist(),
        )
        for _ in range(2)
    )


def interrupted_after(task: Callable[[], Any], seconds: float = AFTER) -> float:
    """How long the task went on computing after SIGINT."""
    sent: list[float] = []
    start = time.process_time()

    def send() -> None:
        wait_for_work(lambda: time.process_time() - start, seconds)
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            task()
        return time.process_time() - sent[0]
    finally:
        sender.join()


many = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


@many
@pytest.mark.parametrize("method", ["optimal", "greedy"])
@pytest.mark.parametrize("threads", [1, 2])
def test_typed_edits_stop(method: Any, threads: int) -> None:
    copies = 2 if method == "optimal" else 3000
    pairs = ss.Pairs.from_segmentations(*zip(*[typed_pair(seed) for seed in (0, 1)], strict=True))
    metric = ss.BoundarySimilarity(10_000, method=method)
    again = [pairs] * copies
    assert interrupted_after(lambda: [metric.rows(copy, threads) for copy in again]) < PATIENCE


@many
@pytest.mark.parametrize("threads", [1, 2])
def test_label_edits_stop(threads: int) -> None:
    """60,000 segments on each side, without a label in common: twelve seconds."""
    sides = [
        ss.Segmentation.from_masses([1] * 60_000, segment_labels=[f"{side}{i % 7}" for i in range(60_000)])
        for side in "ab"
    ]  # fmt: skip
    pairs = ss.Pairs.from_segmentations(*[[coding] * threads for coding in sides])
    metric = ss.metric("label-edit")
    assert interrupted_after(lambda: metric.rows(pairs, threads)) < PATIENCE
