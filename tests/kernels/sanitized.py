"""What `make sanitize` runs: the tests of kernels, then random batches through every metric.

    python -m tests.kernels.sanitized [pytest's arguments]

Kernels are built with address and undefined-behaviour sanitizers then, and end the process at the
first finding. The environment says how many batches: SEGSCORE_BATCHES (default 300).
"""

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore.metrics import METRICS

SUITES = [
    "kernels",
    "metrics",
    "pairing/test_pairs.py",
    "coding/test_segmentation.py",
    "io/test_jsonl.py",
]
SETTINGS = [
    "windowdiff(edges=pad)", "windowdiff(edges=wrap,weighted=yes)", "pk(edges=wrap)",
    "pk(k=9007199254740992,edges=pad)", "winpr(min_k=9007199254740992)", "b(n_t=3)", "b(n_t=50)",
    "b(n_t=9007199254740992)", "b(n_t=5,method=greedy)", "s(n_t=4,method=greedy)",
    "s(n_t=9,cost=halving)", "f1(tolerance=9007199254740992)", "multwindowdiff(edges=wrap)",
    "multwindowdiff(edges=pad)", "e-wd(edges=pad,weighted=yes)", "e-wd(edges=drop)", "pd(mu=1)",
]  # fmt: skip
LONGEST = (2, 3, 64, 65, 200, 2**31, 2**53)


def segmentation(rng: np.random.Generator, n: int, kind: int) -> ss.Segmentation:
    """Boundaries anywhere, or crowded at an end; with types or ranks in some batches."""
    few = int(rng.integers(0, 40)) if n > 1 else 0
    room = min(n - 1, int(rng.choice([60, n])))
    places = np.unique(rng.integers(1, room + 1, few)) if few else np.zeros(0, np.int64)
    if rng.random() < 0.5:
        places = n - places[::-1]
    more: dict[str, Any] = {}
    if kind == 1:
        more["types"] = [set(rng.integers(1, 4, rng.integers(1, 3)).tolist()) for _ in places]
    if kind == 2:
        more["ranks"] = rng.integers(1, 5, len(places))
    return ss.Segmentation.from_boundaries(places, n, **more)


def score_batch(rng: np.random.Generator, kind: int) -> int:
    """One batch through every metric; how many documents."""
    sizes = [int(rng.integers(1, rng.choice(LONGEST) + 1)) for _ in range(60)]
    sides = [[segmentation(rng, n, kind) for n in sizes] for _ in range(2)]
    pairs = ss.Pairs.from_segmentations(*sides)
    for name in [*METRICS, *SETTINGS]:
        drawn = name.startswith("e-") and not name.startswith(("e-wd", "e-pk"))
        if drawn and rng.random() > 0.03:  # a thousand choices per level: slow
            continue
        try:
            ss.score(pairs, metrics=name, threads=int(rng.integers(1, 4)), on_undefined="nan")
        except ss.SegmentationError as error:
            if "exactly in 64 bits" not in str(error):
                raise
    return len(sizes)


def run(arguments: list[str]) -> int:
    """Tests, then batches."""
    folder = Path(__file__).parents[1]
    suites = arguments or [str(folder / name) for name in SUITES]
    # The sanitizer reserves terabytes of addresses: limits on them are not for this run.
    limited = f"--ignore={folder / 'metrics' / 'test_memory.py'}"
    failed = pytest.main(["-q", "-x", "-p", "no:cacheprovider", limited, *suites])
    if failed:
        return int(failed)
    print(f"kernels of {Path(ss.__file__).parent}")  # noqa: T201
    rng = np.random.default_rng(0)
    batches = int(os.environ.get("SEGSCORE_BATCHES", "300"))
    documents = sum(score_batch(rng, batch % 3) for batch in range(batches))
    print(f"{documents} documents × {len(METRICS) + len(SETTINGS)} metrics: clean")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
