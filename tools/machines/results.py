"""Results of kernels on random documents, as one hash per kernel. It runs natively and in Pyodide.

It needs no NumPy, which Pyodide's own network alone has: kernels take any buffer, so that arrays of
the standard library and `bytes` do. Hashes are of all bits, but where a kernel calls the C library
(`exp` of P_D), whose last bit differs from system to system: there, of 12 digits.
"""

import hashlib
import random
import sys
from array import array
from collections.abc import Iterable
from typing import Any

from segscore._kernels import distance, edits, matching, one_pass, overlap, sums, window

N_PAIRS = 9000
N_DOCUMENTS = 3000
RULE = (0, 0, 1, 0, 0)  # k = half the mean length of segments, whole windows only

# As the metrics give them: kind, number of statistics, parameters.
STEPS: list[tuple[str, int, tuple[Any, ...]]] = [
    ("pk", 3, (RULE,)),
    ("window_diff", 3, (RULE, False)),
    ("window_diff", 3, ((0, 0, 1, 0, 1), False)),
    ("winpr", 8, ((0, 0, 1, 1, 1),)),
    ("match", 3, ()),
    ("segmentation_similarity", 2, (True, 1.0, 1.0)),
    ("boundary_similarity", 7, (True, 0.5, 1.0)),
]


def places(rng: random.Random, n: int) -> list[int]:
    """Boundaries of a document of n units, few or many."""
    return sorted(rng.sample(range(1, n), min(n - 1, rng.choice((0, 1, 3, n // 10, n // 3)))))


def matrix(rows: int, columns: int) -> memoryview:
    """Room for the statistics of all documents."""
    return memoryview(array("d", bytes(8 * rows * columns))).cast("B").cast("d", (rows, columns))


def hashed(values: Iterable[float] | memoryview) -> str:
    """The bits of floating-point numbers, as a hash."""
    held = values.tobytes() if isinstance(values, memoryview) else array("d", values).tobytes()
    return hashlib.sha256(held).hexdigest()[:16]


def hashed_digits(values: memoryview) -> str:
    """The first 12 digits of floating-point numbers, as a hash."""
    digits = " ".join(f"{value:.11e}" for value in values.cast("B").cast("d"))
    return hashlib.sha256(digits.encode()).hexdigest()[:16]


def single_pairs(rng: random.Random) -> dict[str, str]:
    """Pk, WindowDiff and B of one pair after the other."""
    found: dict[str, list[float]] = {"pk_of_pair": [], "window_diff_of_pair": [], "b_of_pair": []}
    table = array("d", [1.0, 0.5])
    for _ in range(N_PAIRS):
        n = rng.choice((2, 7, 60, 64, 65, 500, 3000))
        ref, hyp = (array("i", places(rng, n)).tobytes() for _ in range(2))
        found["pk_of_pair"] += window.pk_of_pair(n, ref, hyp, RULE)
        found["window_diff_of_pair"] += window.window_diff_of_pair(n, ref, hyp, RULE, False)
        similar = edits.boundary_similarity_of_pair(n, ref, hyp, 3, table, 1.0, 0.5, 1.0)
        found["b_of_pair"] += similar
    return {name: hashed(values) for name, values in found.items()}


def columns(rng: random.Random) -> tuple[Any, ...]:
    """Documents as kernels read them: sizes, then offsets and positions of both sides."""
    sizes = array("q", (rng.choice((1, 2, 30, 60, 64, 65, 400)) for _ in range(N_DOCUMENTS)))
    sides: list[array[int]] = []
    for _ in range(2):
        offsets, positions = array("q", [0]), array("i")
        for n in sizes:
            positions.extend(places(rng, n))
            offsets.append(len(positions))
        sides += [offsets, positions]
    return 0, N_DOCUMENTS, sizes, *sides


def batches(rng: random.Random) -> dict[str, str]:
    """Many documents in one call of each kernel."""
    documents = columns(rng)
    outs = [matrix(N_DOCUMENTS, count) for _, count, _ in STEPS]
    steps = tuple((kind, *parameters) for kind, _, parameters in STEPS)
    one_pass.rows(*documents, steps, tuple(outs), None)
    names = [f"one_pass.{kind} {parameters}" for kind, _, parameters in STEPS]
    kernels: list[tuple[str, Any, int, tuple[Any, ...]]] = [
        ("distance.nearest_boundaries", distance.nearest_boundaries, 4, ()),
        ("distance.ghd", distance.ghd, 2, (1.0, 1.0, 0.5)),
        ("matching.boundary_match", matching.boundary_match, 3, (2,)),
        ("overlap.overlap", overlap.overlap, 10, ()),
    ]
    for name, kernel, count, parameters in kernels:
        names.append(f"{name} {parameters}")
        outs.append(matrix(N_DOCUMENTS, count))
        kernel(*documents, *parameters, outs[-1], None)
    found = {name: hashed(out) for name, out in zip(names, outs, strict=True)}
    decayed = matrix(N_DOCUMENTS, 2)
    overlap.pd(*documents, 0.1, decayed, None)
    return {**found, "overlap.pd": hashed_digits(decayed), "sums.column_sums": added_up(outs)}


def added_up(outs: list[memoryview]) -> str:
    """The exact sums of each table's columns, pairs of numbers (high and low), as a hash."""
    found: list[float] = []
    for out in outs:
        count = out.shape[1] if out.shape else 0
        high, low = array("d", bytes(8 * count)), array("d", bytes(8 * count))
        sums.column_sums(out, high, low)
        found += [*high, *low]
    return hashed(found)


def main() -> None:
    """A line per kernel: its name and the hash of its results."""
    rng = random.Random(2013)
    bits = sys.maxsize.bit_length() + 1
    print(f"# Python {sys.version.split()[0]} on {sys.platform}, {bits} bits")
    for name, value in {**single_pairs(rng), **batches(rng)}.items():
        print(name, value)


main()
