"""Documents around 2**31 and 2**32 units, where calculations leave 32-bit lanes; and where the units
of several references together leave 64 bits."""

from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import segscore as ss
from segscore._kernels.hierarchy import hypergeometric

SIZES = [2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**33 + 5]


def stretches(
    ref: list[int], hyp: list[int], n: int, k: int, edges: str
) -> Iterator[tuple[int, int, int]]:
    """(windows, ref boundaries, hyp boundaries): runs of windows with the same contents, in whole
    numbers. Window x holds the positions x+1 … x+k."""
    shift = k - 1 if edges == "pad" else 0
    windows = {"drop": n - k, "pad": n + k - 2, "wrap": n}[edges]
    sides = []
    for side in (ref, hyp):
        moved = [p + shift for p in side]
        if edges == "wrap":
            moved += [p + n for p in side if p < k]
        sides.append(moved)
    changes = {c for side in sides for p in side for c in (p - k, p)}
    cuts = sorted({0, windows, *(c for c in changes if 0 < c < windows)})
    for start, end in pairwise(cuts):
        inside = [bisect_right(side, start + k) - bisect_right(side, start) for side in sides]
        yield end - start, inside[0], inside[1]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("edges", ["drop", "pad", "wrap"])
@pytest.mark.parametrize("k", [None, 3, 2**30, 2**31 - 5])
def test_windows_of_vast_documents(n: int, edges: Any, k: int | None) -> None:
    ref = [1, 7, 2**29 + 3, 2**30 - 40, n // 2, n - 9, n - 2]
    hyp = [2, 7, 2**29, 2**30 - 38, n // 2 + 1, n - 9, n - 1]
    pair = [ss.Segmentation.from_boundaries(side, n_units=n) for side in (ref, hyp)]
    size = k or ss.Pk().window_size(pair[0])
    runs = list(stretches(ref, hyp, n, size, edges))
    total = sum(length for length, _, _ in runs)
    missed = sum(length for length, r, h in runs if r and not h)
    added = sum(length for length, r, h in runs if h and not r)
    differ = sum(length for length, r, h in runs if r != h)
    absolute = sum(length * abs(r - h) for length, r, h in runs)
    fewer = sum(length for length, r, h in runs if r > h)
    lacking = sum(length * (r - h) for length, r, h in runs if r > h)
    narrow: Any = None
    if n < 2**31:
        narrow = ss.Pairs([n], [0, 7], np.array(ref, np.int32), [0, 7], np.array(hyp, np.int32))
    expected = {
        ss.Pk(k, edges=edges): [missed, added, total],
        ss.WindowDiff(k, edges=edges): [differ, total, fewer],
        ss.WindowDiff(k, edges=edges, weighted=True): [absolute, total, lacking],
    }
    for metric, row in expected.items():
        assert list(metric.score_pair(*pair)[0]) == row
        batch = ss.Pairs.from_segmentations([pair[0]], [pair[1]])
        assert metric.rows(batch)[0].tolist() == row
        if narrow is not None:
            assert metric.rows(narrow)[0].tolist() == row


def references(n_references: int) -> ss.Pairs:
    """So many references of 2**53 units, each with one boundary, and a hypothesis without."""
    return ss.Pairs(
        [2**53],
        np.arange(n_references + 1),
        np.full(n_references, 2**52),
        [0, 0],
        np.zeros(0, np.int64),
        groups=[0, n_references],
    )


@pytest.mark.parametrize("n_references", [1024, 2048, 3000])
def test_units_times_references_beyond_64_bits(n_references: int) -> None:
    with pytest.raises(ss.SegmentationError, match="expected units × references below"):
        ss.MultiWindowDiff(edges="wrap").rows(references(n_references))


# ---- hypergeometric probabilities ----


def probability(total: int, chosen: int, given_: int, x: int) -> Fraction:
    """P(X = x) in whole numbers."""
    if not (0 <= x <= given_ and 0 <= chosen - x <= total - given_):
        return Fraction(0)
    return Fraction(comb(given_, x) * comb(total - given_, chosen - x), comb(total, chosen))


@st.composite
def tables(draw: st.DrawFn, largest: int) -> tuple[int, int, int, int]:
    """Places, chosen, given, and a count that is often likely."""
    total = draw(st.integers(1, largest))
    chosen, given_ = draw(st.integers(0, total)), draw(st.integers(0, total))
    likely = chosen * given_ // total
    return total, chosen, given_, max(0, likely + draw(st.integers(-30, 30)))


@given(tables(largest=3000))
def test_probabilities_are_right_to_the_last_digits(table: tuple[int, int, int, int]) -> None:
    expected = probability(*table)
    assume(expected == 0 or expected > Fraction(1, 10**280))
    assert hypergeometric(*table)[0] == pytest.approx(float(expected), rel=1e-13, abs=0)


@pytest.mark.parametrize(
    ("total", "chosen", "given_", "x"),
    [
        (10**6, 12, 500_000, 6),
        (10**6, 2000, 300_000, 600),
        (10**9, 40, 10**8, 3),
        (10**12, 40, 10**11, 3),
        (10**12, 40, 10**11, 39),
        (2**53 - 1, 7, 2**52, 3),
    ],
)
def test_vast_tables(total: int, chosen: int, given_: int, x: int) -> None:
    """The binomials of the few chosen are small enough for exact arithmetic."""
    ways = Fraction(comb(chosen, x))
    for i in range(x):
        ways *= Fraction(given_ - i, total - i)
    for i in range(chosen - x):
        ways *= Fraction(total - given_ - i, total - x - i)
    assert hypergeometric(total, chosen, given_, x)[0] == pytest.approx(float(ways), rel=1e-13)
