"""Largest one-to-one matching within a tolerance, by SciPy's general bipartite matching; and how
programs of neighbouring fields, which cannot be installed, count boundaries within a tolerance.
"""

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching


def matched(ref: set[int], hyp: set[int], tolerance: int) -> int:
    """Number of pairs."""
    if not ref or not hyp:
        return 0
    apart = np.abs(np.subtract.outer(sorted(ref), sorted(hyp)))
    found = maximum_bipartite_matching(csr_matrix(apart <= tolerance), perm_type="column")
    return int((found >= 0).sum())


def ends_of(n_units: int, ends: str) -> set[int]:
    """The positions that `ends` adds to each side."""
    return {"none": set(), "start": {0}, "end": {n_units}, "both": {0, n_units}}[ends]


def within(ref: set[int], hyp: set[int], reach: int) -> tuple[int, int]:
    """Boundaries of hyp near any of ref, and of ref near any of hyp, pair by pair.

    The "navigation" scores of VidChapters (every start counts, the one at 0, too) and Chapter-Llama
    (without 0) are these numbers over |hyp| and |ref|, with distances below the threshold.
    """
    found_hyp = {h for h in hyp if any(abs(h - r) <= reach for r in ref)}
    found_ref = {r for r in ref if any(abs(h - r) <= reach for h in hyp)}
    return len(found_hyp), len(found_ref)


def found_greedily(truth: set[int], guesses: set[int], margin: int) -> int:
    """TCPDBench: each true position in turn takes the nearest guess that is left."""
    left = set(guesses)
    found = 0
    for place in truth:  # in the order of the set, as theirs
        near = sorted((abs(place - guess), guess) for guess in left if abs(place - guess) <= margin)
        if near:
            left.remove(near[0][1])
            found += 1
    return found


def change_point_f(
    annotators: list[set[int]], guesses: set[int], margin: int, count: Callable[..., int]
) -> tuple[float, float, float]:
    """TCPDBench: P, R and F with 0 in every set; `count` says how they are matched."""
    sides = [positions | {0} for positions in annotators]
    hyp = guesses | {0}
    precision = count(set().union(*sides), hyp, margin) / len(hyp)
    recall = sum(count(positions, hyp, margin) / len(positions) for positions in sides) / len(sides)
    return precision, recall, 2 * precision * recall / (precision + recall)
