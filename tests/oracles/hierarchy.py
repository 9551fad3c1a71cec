"""Carroll's (2010) hierarchical error by the letter: each tied choice is made, each window visited.

Boundaries are `{position: rank}`, candidates a set of positions or None for every position.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from oracles import window

Ranked = dict[int, int]
Error = Callable[[set[int]], Fraction]  # of one choice


@dataclass(frozen=True)
class Measure:
    """What is measured at each level; `k` gives the window for a number of reference segments."""

    kind: str  # pk, windowdiff or weighted
    edges: str
    k: Callable[[int], int]
    k_from: str = "level"
    fn_weight: int = 1
    fp_weight: int = 1

    def error(self, n_units: int, ref: set[int], hyp: set[int], k: int) -> Fraction:
        """Pk or WindowDiff of two sets of positions."""
        if self.kind == "pk":
            missed, invented, total = window.pk(ref, hyp, n_units, k, self.edges)
            return Fraction(self.fn_weight * missed + self.fp_weight * invented, total)
        weighted = self.kind == "weighted"
        errors, windows, _ = window.window_diff(ref, hyp, n_units, k, self.edges, weighted)
        return Fraction(errors, windows)


@dataclass(frozen=True)
class Level:
    """One level: boundaries of its rank in the reference, its window, its expected error."""

    boundaries: int
    k: int
    error: Fraction


def tied_choice(
    n_units: int, hyp: Ranked, candidates: set[int] | None, wanted: int
) -> tuple[set[int], list[int], int]:
    """The boundaries surely among the `wanted` most prominent; those tied for the places that
    are left; and how many places these are.
    """
    everywhere = set(range(1, n_units)) if candidates is None else candidates
    chosen: set[int] = set()
    for rank in [*sorted(set(hyp.values())), math.inf]:
        group = sorted(p for p in everywhere if hyp.get(p, math.inf) == rank)
        if len(chosen) + len(group) > wanted:
            return chosen, group, wanted - len(chosen)
        chosen |= set(group)
    return chosen, [], 0


def levels(
    n_units: int,
    ref: Ranked,
    hyp: Ranked,
    candidates: set[int] | None,
    measure: Measure,
) -> list[Level]:
    """Every level of the reference, the most prominent first."""
    found = []
    for rank in sorted(set(ref.values())):
        upto = {p for p in ref if ref[p] <= rank}
        segments = 1 + len(upto if measure.k_from == "level" else ref)
        k = measure.k(segments)

        def error(chosen: set[int], upto: set[int] = upto, k: int = k) -> Fraction:
            return measure.error(n_units, upto, chosen, k)

        expected = over_all(*tied_choice(n_units, hyp, candidates, len(upto)), error)
        found.append(Level(list(ref.values()).count(rank), k, expected))
    return found


def over_all(chosen: set[int], tied: list[int], wanted: int, error: Error) -> Fraction:
    """The mean over all choices."""
    errors = [error(chosen | set(more)) for more in combinations(tied, wanted)]
    return sum(errors, Fraction(0)) / len(errors)


def total(levels_found: list[Level]) -> Fraction:
    """Σ c_i·M_i / |R|."""
    weighted = sum((level.boundaries * level.error for level in levels_found), Fraction(0))
    return weighted / sum(level.boundaries for level in levels_found)
