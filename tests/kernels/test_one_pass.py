"""Several metrics in one pass: the same rows, bit for bit, as each metric alone, with and without
rows of bits, in one batch and document by document."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

import numpy as np
import pytest

import segscore as ss
from segscore._kernels import one_pass
from segscore.basics.arguments import Floats
from segscore.metrics import Metric, metric, rows_of_metrics

WINDOWS = ["pk", "windowdiff", "windowdiff(weighted=yes)"]
EDGES = ["drop", "pad", "wrap", "wrap-seam"]
SPECS = [
    *(f"{name[:-1]},edges={edges})" if name.endswith(")") else f"{name}(edges={edges})"
      for name in WINDOWS for edges in EDGES),
    *(f"{name}(k={k},edges={edges})"
      for name in ("pk", "windowdiff") for k in (1, 2, 7, 62, 63, 64) for edges in ("drop", "pad")),
    "windowdiff(k=63,edges=pad,weighted=yes)", "windowdiff(k=1,weighted=yes)",
    "winpr", "winpr(k=1)", "winpr(k=63)", "winpr(k=64)", "winpr(min_k=9)", "winpr(rounding=ceil)",
    "f1", "b", "b(n_t=1)", "b(cost=unit)", "b(w_ad=0.5,w_t=0.125)", "b.precision", "s", "s(n_t=1)",
    "cseg", "f1(tolerance=1)", "b(n_t=3)",
]  # fmt: skip
METRICS: list[Metric] = [metric(spec) for spec in SPECS]
has_bits = pytest.mark.skipif(not one_pass.bits_in_use(), reason="needs AVX2 or NEON")


@contextmanager
def bits(on: bool) -> Iterator[None]:
    """Rows of bits, or portable code only."""
    before = one_pass.bits_in_use()
    one_pass.bits_in_use(on)
    try:
        yield
    finally:
        one_pass.bits_in_use(before)


def rows_both_ways(pairs: ss.Pairs, metrics: list[Metric] = METRICS) -> tuple[list[Floats], ...]:
    found = []
    for on in (False, True):
        with bits(on):
            found.append(rows_of_metrics(metrics, pairs))
    return tuple(found)


def side(rng: np.random.Generator, n: int, density: float) -> np.ndarray:
    """Boundaries anywhere, or crowded at an end."""
    places = np.flatnonzero(rng.random(n - 1) < density) + 1 if n > 1 else np.zeros(0, np.int64)
    if rng.random() < 0.3 and places.size:
        crowd = np.arange(1, min(n, int(rng.integers(2, 90))))
        places = np.unique(np.concatenate([places, n - crowd if rng.random() < 0.5 else crowd]))
    return places


def batch(seed: int, sizes: list[int], dtype: Any) -> ss.Pairs:
    """Documents whose hypothesis is random, or the reference with a few boundaries moved."""
    rng = np.random.default_rng(seed)
    refs = [side(rng, n, float(rng.choice([0, 0.02, 0.1, 0.5, 0.95]))) for n in sizes]
    hyps = []
    for n, ref in zip(sizes, refs, strict=True):
        moved = np.clip(ref + rng.integers(-1, 2, ref.size), 1, max(n - 1, 1))
        hyps.append(np.unique(moved) if rng.random() < 0.6 else side(rng, n, 0.3))
    columns = []
    for positions in (refs, hyps):
        columns += [np.cumsum([0, *map(len, positions)]), np.concatenate(positions).astype(dtype)]
    return ss.Pairs(np.array(sizes), *columns)


SIZES = {
    "short": [*range(1, 67)] * 6,
    "word ends": [63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 511, 512, 513] * 8,
    "mixed": [5, 300, 64, 65, 1, 2, 2000, 60, 61, 62, 700, 3] * 10,
}


@has_bits
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("kind", SIZES)
def test_rows_of_bits_and_portable_code_agree(kind: str, dtype: Any) -> None:
    for seed in range(4):
        pairs = batch(seed, SIZES[kind], dtype)
        for measure, plain, wide in zip(METRICS, *rows_both_ways(pairs), strict=True):
            assert np.array_equal(plain, wide), (str(measure), seed)


@pytest.mark.parametrize("on", [False, True])
def test_together_and_alone_agree(on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segscore.pairing.pairs._WORTH_A_THREAD", 1)
    pairs = batch(7, SIZES["mixed"], np.int32)
    with bits(on):
        for measure, rows in zip(METRICS, rows_of_metrics(METRICS, pairs, threads=3), strict=True):
            assert np.array_equal(rows, measure.rows(pairs)), str(measure)


@pytest.mark.parametrize("on", [False, True])
def test_batches_and_single_pairs_agree(on: bool) -> None:
    """One pair has kernels of its own, which share no code with rows of bits."""
    pairs = batch(3, [5, 60, 63, 64, 65, 130, 700] * 4, np.int32)
    singles = [
        measure
        for measure in METRICS
        if measure.name in ("pk", "windowdiff", "s", "b", "f1") and not measure.many_references
    ]
    with bits(on):
        for measure, rows in zip(singles, rows_of_metrics(singles, pairs), strict=True):
            for i, row in enumerate(rows):
                assert measure.score_pair(pairs.reference(i), pairs.hypothesis(i))[0] == tuple(row)


@has_bits
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("units", [-(2**62), -1, 0, 1, 2, 63, 64, 65])
def test_malformed_batches_touch_no_other_memory(units: int, dtype: Any) -> None:
    """Units that no document has, and lists of boundaries that are longer than their document."""
    places = np.array([-(2**31), -1, 0, 1, 63, 64, 65, 2**31 - 1] * 40, dtype)
    for count in (1, 3, 4, 7):
        sizes = np.full(count, units)
        ends = np.linspace(0, len(places), count + 1).astype(np.int64)
        steps = (
            ("match",), ("pk", (0, 0, 1, 0, 0)), ("window_diff", (0, 0, 1, 0, 1), True),
            ("winpr", (0, 3, 1, 1, 1)), ("boundary_similarity", True, 0.5, 1.0),
        )  # fmt: skip
        outs = tuple(np.zeros((count, width)) for width in (3, 3, 3, 8, 7))
        one_pass.rows(0, count, sizes, ends, places, ends, places[::-1].copy(), steps, outs)


@has_bits
@pytest.mark.parametrize("bad", [[0, 2, 1, 3, 4, 5], [0, 1, 2, 3, 4, 9], [-1, 1, 2, 3, 4, 5]])
def test_offsets_that_fall_or_lead_outside(bad: list[int]) -> None:
    """Four short documents at once are checked as one by one."""
    good, places = np.arange(6), np.arange(1, 6)
    for sides in ((bad, good), (good, bad)):
        ref, hyp = (np.array(side, np.int64) for side in sides)
        columns = (np.full(5, 9), ref, places, hyp, places)
        for on in (False, True):
            with bits(on), pytest.raises(IndexError, match="fall, or lead outside"):
                one_pass.rows(0, 5, *columns, (("match",),), (np.zeros((5, 3)),))


@has_bits
@pytest.mark.parametrize("rounding", ["half-even", "half-up", "floor", "ceil"])
def test_every_quotient_is_rounded_as_in_whole_numbers(rounding: str) -> None:
    """All short documents: N / (2 segments) for every N and number of segments."""
    sizes = [n for n in range(2, 65) for _ in range(n)]
    refs = [range(1, segments) for n in range(2, 65) for segments in range(1, n + 1)]
    hyps = [range(1, n) for n in sizes]
    columns: list[Any] = []
    for positions in (refs, hyps):
        columns += [
            np.cumsum([0, *map(len, positions)]),
            np.array(list(chain(*positions)), np.int32),
        ]
    pairs = ss.Pairs(np.array(sizes), *columns)
    ways = [
        metric(f"{name}(rounding={rounding},k_offset={offset},min_k={least})")
        for name in ("pk", "winpr")
        for offset, least in [(0, 1), (-3, 2), (5, 1)]
    ]
    for way, plain, wide in zip(ways, *rows_both_ways(pairs, ways), strict=True):
        assert np.array_equal(plain, wide), str(way)


@pytest.mark.parametrize(
    ("steps", "shapes"),
    [
        ((("match",),), ()),
        ((("match",),), ((2, 2),)),
        ((("match",), ("pk", (0, 0, 1, 0, 0))), ((2, 3), (2, 2))),
    ],
)
def test_tables_of_a_wrong_size(steps: Any, shapes: Any) -> None:
    offsets, positions = np.array([0, 1, 2]), np.array([2, 3])
    columns = (np.array([9, 9]), offsets, positions, offsets, positions)
    with pytest.raises(IndexError):
        one_pass.rows(0, 2, *columns, steps, tuple(np.zeros(shape) for shape in shapes))
