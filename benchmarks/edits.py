# mypy: disable-error-code="no-untyped-call, attr-defined, misc"
"""Boundary similarity: batches against segeval, wider reach, types, and the worst documents."""

from importlib.metadata import version
from time import thread_time

import numpy as np
import segeval

import segscore as ss
from benchmarks.batches import random_batch
from benchmarks.timing import best_of, print_table, times

CASES = [  # units, boundaries, documents, of which segeval scores so many
    (60, 6, 20_000, 300),
    (500, 20, 5_000, 40),
    (3000, 100, 1_000, 8),
]


def with_random_types(pairs: ss.Pairs, n_types: int) -> ss.Pairs:
    """The same boundaries, each with one of several types."""
    rng = np.random.default_rng(1)
    types = [
        (np.arange(len(side) + 1), rng.integers(0, n_types, len(side)))
        for side in (pairs.ref_positions, pairs.hyp_positions)
    ]
    return ss.Pairs(
        pairs.n_units, pairs.ref_offsets, pairs.ref_positions, pairs.hyp_offsets,
        pairs.hyp_positions, ref_types=types[0], hyp_types=types[1],
        type_names=tuple(range(1, n_types + 1)),
    )  # fmt: skip


def batches() -> None:
    """B with n_t = 2, 10 and 1000, and with three types, on one thread."""
    rows = []
    for n_units, boundaries, documents, sample in CASES:
        pairs = random_batch(documents, n_units, boundaries)
        typed = with_random_types(pairs, 3)
        masses = [
            tuple(
                tuple(segmentation.masses.tolist())
                for segmentation in (pairs.hypothesis(i), pairs.reference(i))
            )
            for i in range(sample)
            if pairs.reference(i).n_segments > 1  # without boundaries segeval fails
        ]
        peer, two, ten, thousand, types = best_of(
            25,
            lambda masses=masses: [segeval.boundary_similarity(*two) for two in masses],
            *(
                lambda metric=metric, batch=batch: ss.score(batch, metrics=metric, threads=1)
                for metric, batch in (
                    (ss.BoundarySimilarity(2), pairs),
                    (ss.BoundarySimilarity(10), pairs),
                    (ss.BoundarySimilarity(1000), pairs),
                    (ss.BoundarySimilarity(2, types=(1, 2, 3)), typed),
                )
            ),
            clock=thread_time,
        )
        rows.append(
            [
                f"N={n_units}, {boundaries} boundaries, {documents:,} documents",
                f"{two / documents * 1e9:.0f} ns",
                times(peer / len(masses) / (two / documents)),
                times(ten / two),
                times(thousand / ten),
                times(types / two),
            ]
        )
    print_table(
        "Boundary similarity in batch, one thread",
        ["case", "n_t=2, per document", f"segeval {version('segeval')} / segscore",
         "n_t=10 / n_t=2", "n_t=1000 / n_t=10", "three types / one"],
        rows,
    )  # fmt: skip


def vast() -> None:
    """The same number of boundaries in documents of different lengths."""
    rng = np.random.default_rng(2)
    tasks = []
    for n_units in (10**4, 10**9):
        sides = [
            [
                ss.Segmentation.from_boundaries(
                    np.unique(rng.integers(1, n_units, 110))[:100], n_units
                )
                for _ in range(1000)
            ]
            for _ in range(2)
        ]
        pairs = ss.Pairs.from_segmentations(sides[0], sides[1])
        tasks.append(lambda pairs=pairs: ss.score(pairs, metrics="b(n_t=10)", threads=1))
    seconds = best_of(15, *tasks, clock=thread_time)
    print_table(
        "100 boundaries in N units, B with n_t=10, per document",
        ["N=10⁴", "N=10⁹", "ratio"],
        [[f"{s / 1000 * 1e9:.0f} ns" for s in seconds] + [times(seconds[1] / seconds[0])]],
    )


def worst() -> None:
    """Documents that cannot be split into independent parts."""
    rng = np.random.default_rng(3)
    long = [np.arange(start, 10**6, 2) for start in (1, 2)]
    chain = [
        ss.Segmentation.from_boundaries(side[rng.random(side.size) > 0.1], 10**6) for side in long
    ]
    cluster = [
        ss.Segmentation.from_boundaries(
            np.arange(1, 5001), 5001, types=rng.integers(1, 4, 5000).tolist()
        )
        for _ in range(2)
    ]
    cycle = [
        ss.Segmentation.from_boundaries(
            np.arange(1, 5001), 5001, types=[(p + shift) % 3 for p in range(5000)]
        )
        for shift in (0, 1)
    ]
    cases = {
        "one type: odd against even positions, 10 % dropped, N=10⁶": chain,
        "three types at random, one cluster of 10⁴ boundaries": cluster,
        "three types in turn against the same shifted by one, 10⁴ boundaries": cycle,
    }
    rows = []
    for name, pair in cases.items():
        (seconds,) = best_of(
            2, lambda pair=pair: ss.BoundarySimilarity(8)(*pair), clock=thread_time
        )
        rows.append([name, f"{seconds:.3f} s"])
    print_table("The worst documents, n_t=8", ["document", "time"], rows)


def run() -> None:
    """All cases."""
    batches()
    vast()
    worst()
