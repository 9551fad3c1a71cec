"""Rows, values and sums that threads compute slice by slice are those of one thread, bit for bit."""

from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore.pairing import pairs as pairs_module


@pytest.fixture(scope="module")
def several() -> ss.Pairs:
    rng = np.random.default_rng(5)

    def coding(n: int) -> ss.Segmentation:
        return ss.Segmentation.from_boundaries(np.flatnonzero(rng.random(n - 1) < 0.1) + 1, n)

    sizes = rng.integers(2, 90, 700).tolist()
    return ss.Pairs.from_segmentations([coding(n) for n in sizes], [coding(n) for n in sizes])


def test_a_thread_starts_where_it_pays(several: ss.Pairs, monkeypatch: pytest.MonkeyPatch) -> None:
    def started(threads: int, tasks: Any) -> Any:
        raise AssertionError(f"{threads} threads for {len(several)} documents")

    monkeypatch.setattr(pairs_module, "run_in_threads", started)
    ss.score(several, metrics=["pk", "windowdiff", "b"], threads=2)
    ss.score(several, metrics=["pk", "windowdiff", "b"], threads=None)
    monkeypatch.setattr(pairs_module, "_WORTH_A_THREAD", 1)
    with pytest.raises(AssertionError, match="2 threads for 700"):
        ss.score(several, metrics=["pk", "windowdiff", "b"], threads=2)
