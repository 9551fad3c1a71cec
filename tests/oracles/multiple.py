"""multWinDiff by the letter: every window, every reference, every possible opinion."""

from collections import Counter

from oracles.window import windows


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
