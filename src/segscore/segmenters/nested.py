"""The best segmentation into segments within segments, by dynamic programming (Eisenstein 2009).

B_l(u, v) is what the segment u … v gains at level l (0 = finest). The most that u … v can gain at
level l and all levels below is

    A_l(u, v) = max over u ≤ t < v of A_l(u, t) + B_l(t, v) + A_{l−1}(t, v),   A_l(u, u) = 0

where the last term is absent at level 0. Of the coarsest level only A(0, v) is needed. Time grows
with the cube of the number of units, memory with its square.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from segscore._kernels import levels as kernel
from segscore.basics.arguments import Floats

BYTES_PER_PAIR_AND_LEVEL = 16  # what one segment gains, and the most in segments


class Level:
    """One level: what segments gain, and the most that stretches can gain in such segments."""

    _gains: Floats  # by end, then by start
    _best: Floats  # by start, then by end

    def __init__(self, rows: Iterable[Floats], n_units: int, below: "Level | None", top: bool):
        self._gains = np.zeros((n_units + 1, n_units + 1))
        for end, row in enumerate(rows, 1):
            self._gains[end, :end] = row
            if below is not None:
                self._gains[end, :end] += below._best[:end, end]
        n_starts = 1 if top else n_units + 1
        self._best = np.zeros((n_starts, n_units + 1))
        kernel.best_totals(self._gains, n_starts, self._best)

    def boundaries(self, start: int, end: int) -> list[int]:
        """The best inside start … end; if equal, the segment that starts first."""
        found: list[int] = []
        while True:
            totals = self._best[start, start:end] + self._gains[end, start:end]
            end = start + int(np.argmax(totals))
            if end == start:
                return found[::-1]
            found.append(end)


def best_nested(levels: Sequence[Iterable[Floats]], n_units: int) -> list[list[int]]:
    """The boundaries of each level, finest first; each holds those of the level above it.

    levels: for each, finest first, what the segments start … end gain, for each end 1 … N in turn.
    """
    computed: list[Level] = []
    for number, rows in enumerate(levels, 1):
        below = computed[-1] if computed else None
        computed.append(Level(rows, n_units, below, number == len(levels)))
    found: list[list[int]] = [[]]
    for level in reversed(computed):
        above = found[-1]
        inside = [level.boundaries(a, b) for a, b in pairwise((0, *above, n_units))]
        found.append(sorted(above + [place for places in inside for place in places]))
    return found[:0:-1]
