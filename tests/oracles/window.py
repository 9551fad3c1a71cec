"""Window metrics by the letter: every window is visited, every position in it is looked at."""

from collections import Counter
from fractions import Fraction
from math import ceil, floor


def window_size(
    n_units: int, n_segments: int, rounding: str, min_k: int = 1, k_offset: int = 0
) -> int:
    """docs/definitions.md §3.1: half the mean reference segment, in exact fractions."""
    half = Fraction(n_units, 2 * n_segments)
    rounded = {
        "half-even": round(half),
        "half-up": floor(half + Fraction(1, 2)),
        "floor": floor(half),
        "ceil": ceil(half),
    }[rounding]
    return max(min_k, rounded + k_offset)


def windows(n_units: int, k: int, edges: str) -> list[list[int]]:
    """The positions in each window (docs/definitions.md §3.2); no window at all where the metric is undefined."""
    inside = range(1, n_units)
    if n_units < 2:
        return []
    if edges == "pad":
        starts = range(1 - (k - 1), n_units)
        return [[p for p in range(i, i + k) if p in inside] for i in starts]
    if k >= n_units:
        return []
    if edges in ("wrap", "wrap-seam"):
        rounds = [[(i + j - 1) % n_units + 1 for j in range(k)] for i in range(1, n_units + 1)]
        seam = {n_units} if edges == "wrap-seam" else set()
        return [[p for p in window if p in inside or p in seam] for window in rounds]
    return [list(range(i, i + k)) for i in range(1, n_units - k + 1)]


def counts(ref: set[int], hyp: set[int], n_units: int, k: int, edges: str) -> list[tuple[int, int]]:
    """Boundaries of ref and of hyp in each window; under wrap-seam both have one at the seam."""
    if edges == "wrap-seam":
        ref, hyp = ref | {n_units}, hyp | {n_units}
    return [
        (sum(p in ref for p in window), sum(p in hyp for p in window))
        for window in windows(n_units, k, edges)
    ]


def pk(ref: set[int], hyp: set[int], n_units: int, k: int, edges: str) -> tuple[int, int, int]:
    """Windows with a boundary in ref only, in hyp only, and all windows (BBL99; PH02)."""
    seen = counts(ref, hyp, n_units, k, edges)
    missed = sum(r > 0 and h == 0 for r, h in seen)
    invented = sum(h > 0 and r == 0 for r, h in seen)
    return missed, invented, len(seen)


def window_diff(
    ref: set[int], hyp: set[int], n_units: int, k: int, edges: str, weighted: bool
) -> tuple[int, int, int]:
    """Windows whose counts differ, or by how much they differ in all, and all windows (PH02); the
    first again where the hypothesis has too few."""
    seen = counts(ref, hyp, n_units, k, edges)
    errors = sum(abs(r - h) if weighted else r != h for r, h in seen)
    missed = sum(r - h if weighted else 1 for r, h in seen if r > h)
    return errors, len(seen), missed


def winpr(ref: set[int], hyp: set[int], n_units: int, k: int) -> tuple[int, int, int, int]:
    """TP, FP, FN, TN of SI12 eq. 4-7, not divided."""
    seen = counts(ref, hyp, n_units, k, "pad")
    tp = sum(min(r, h) for r, h in seen)
    fp = sum(max(0, h - r) for r, h in seen)
    fn = sum(max(0, r - h) for r, h in seen)
    return tp, fp, fn, k * (n_units - 1) - sum(max(r, h) for r, h in seen)


# ---- multWinDiff by the letter ----


def multiple_window_diff(
    refs: list[set[int]], hyp: set[int], n_units: int, k: int, edges: str
) -> tuple[int, int, int, int, int]:
    """Errors, the fewest and the most that an opinion per window could make, h·W (KS12); and the
    errors in which the hypothesis has fewer boundaries than the reference."""
    errors = best = worst = missed = 0
    always = {n_units} if edges == "wrap-seam" else set()  # the seam, a boundary of everyone
    refs, hyp = [ref | always for ref in refs], hyp | always
    seen = windows(n_units, k, edges)
    for window in seen:
        opinions = Counter(sum(p in ref for p in window) for ref in refs)
        own = sum(p in hyp for p in window)
        possible = range(sum(p in always for p in window), len(window) + 1)
        missed += sum(opinions[count] for count in opinions if count > own)
        errors += len(refs) - opinions[own]
        best += min(len(refs) - opinions[count] for count in possible)
        worst += max(len(refs) - opinions[count] for count in possible)
    return errors, best, worst, len(refs) * len(seen), missed
