"""Pk and WindowDiff as the MIT programs (BayesSeg, MinCutSeg) print them, by the letter.

In cleaned words, with k = words // (2 · reference segments). A boundary stands at the number of
words before it; a window covers the places i … i+k, both included, for i = 0 … words-k-1.
"""

from collections.abc import Sequence
from itertools import accumulate


def mit_pk_and_windowdiff(
    ref: Sequence[int], hyp: Sequence[int], words: Sequence[int]
) -> tuple[float, float]:
    """Both errors of `hyp` against `ref` (masses in units); `words` of each unit."""
    n_words = sum(words)
    k = n_words // (2 * len(ref))
    before = [0, *accumulate(words)]
    places = [[before[unit] for unit in list(accumulate(masses))[:-1]] for masses in (ref, hyp)]
    unlike = miscounted = 0
    for i in range(n_words - k):
        in_ref, in_hyp = (sum(i <= place <= i + k for place in boundaries) for boundaries in places)
        unlike += (in_ref > 0) != (in_hyp > 0)
        miscounted += in_ref != in_hyp
    return unlike / (n_words - k), miscounted / (n_words - k)
