"""Exemplars of contiguous segments: by messages among units, or exactly for a known number.

Each segment has an exemplar, one of its units. We look for the segmentation with the largest net
similarity: the sum over units of their similarity with the exemplar of their segment, plus the
preference p for each exemplar, in place of its similarity with itself. Units further apart than
`reach` cannot be unit and exemplar.

Affinity propagation for segmentation (Kazantseva & Szpakowicz 2011) passes messages between units i
and candidates j until they agree; λ damps them (new = λ·old + (1−λ)·update):

    R_ij = s_ij − max_{k≠j}(s_ik + A_ik)     how much better j is for i than any other candidate
    A_ij: how much better the best contiguous segment around j is with i than without it

With r_k = R_kj, P_i the most that a run of units ending just before i can add, Q_i the same for a
run that begins just after i (0 for no run):

    A_jj = P_j + Q_j
    i < j:  A_ij = P_i + min(r_{i+1} + … + r_j + Q_j, m_i),  m_i = least r_{i+1} + … + r_k, k < j
    i > j:  A_ij = Q_i + min(r_j + … + r_{i−1} + P_j, n_i),  n_i = least r_k + … + r_{i−1}, k > j

where the minima m_i and n_i include the empty sum, 0.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore._kernels.affinity import exchange
from segscore.basics.arguments import Floats
from segscore.segmenters.cheapest_cuts import Plans

BYTES_PER_PAIR = 32  # similarities, the same with preferences, and two kinds of messages


class Clusters(NamedTuple):
    """Boundaries, the exemplar of each segment (a unit, from 0), and how they were found."""

    boundaries: list[int]
    exemplars: list[int]
    converged: bool
    iterations: int


def propagate(
    similarities: Floats,
    preference: float,
    reach: int,
    damping: float = 0.9,
    patience: int = 100,
    max_iterations: int = 1000,
) -> Clusters:
    """Pass messages until the set of exemplars stays the same for `patience` rounds.

    >>> table = np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]])
    >>> propagate(table, 0.1, reach=2)[:3]
    ([2], [1, 2], True)
    """
    n_units = len(similarities)
    table = _told_apart(similarities, preference)
    responsibilities = np.zeros_like(table)
    availabilities = np.zeros_like(table)
    before = np.zeros(n_units, bool)
    stayed = iterations = 0
    while stayed < patience and iterations < max_iterations:
        exchange(table, reach, damping, responsibilities, availabilities)
        iterations += 1
        evidence = responsibilities.diagonal() + availabilities.diagonal()
        chosen = evidence > 0
        # If there is no exemplar yet, the messages have only begun: do not count that as stable.
        stayed = stayed + 1 if chosen.any() and np.array_equal(chosen, before) else 0
        before = chosen
    exemplars = np.flatnonzero(chosen) if chosen.any() else np.array([np.argmax(evidence)])
    responsibilities += availabilities
    choices = confined(responsibilities, reach).argmax(axis=1)
    boundaries = decode(exemplars.tolist(), choices, confined(table, reach))
    return Clusters(boundaries, exemplars.tolist(), stayed >= patience, iterations)


def _told_apart(similarities: Floats, preference: float) -> Floats:
    """The table with the preference on its diagonal, slightly different for each candidate.

    Without the difference, messages would alternate for ever between equally good candidates.
    """
    table = np.ascontiguousarray(similarities, np.float64).copy()
    places = np.arange(len(table))
    hair = 1e-6 * max(_largest(similarities), abs(preference))
    table[places, places] = preference + hair * (places * np.sqrt(2) % 1)
    return table


def _largest(table: Floats) -> float:
    """The largest absolute value."""
    return max(float(table.max()), -float(table.min()))


def confined(table: Floats, reach: int, out_of_reach: float = -np.inf) -> Floats:
    """The table with another value further than `reach` from the diagonal; changed in place."""
    for unit, row in enumerate(table):
        row[: max(0, unit - reach)] = out_of_reach
        row[unit + reach + 1 :] = out_of_reach
    return table


def decode(exemplars: list[int], choices: NDArray[np.int64], similarities: Floats) -> list[int]:
    """Boundaries: one between two exemplars, after the last unit that belongs to the left one.

    A unit between them belongs to the one that it chose; if it chose neither, to the more similar
    one, or to the nearer one if both are out of reach. So each segment is contiguous and has one
    exemplar for any choices.
    """
    boundaries = []
    for left, right in pairwise(exemplars):
        between = np.arange(left + 1, right)
        to_left, to_right = similarities[between, left], similarities[between, right]
        nearer = between - left <= right - between
        belongs = np.where(to_left == to_right, nearer, to_left > to_right)
        belongs |= choices[between] == left
        belongs &= choices[between] != right
        last = between[belongs][-1] if belongs.any() else left
        boundaries.append(int(last) + 1)
    return boundaries


# ---- a known number of segments ----


def exemplar_costs(similarities: Floats) -> Iterator[Floats]:
    """For each end 1 … N the costs of segments start … end: minus what their best exemplar gives.

    The exemplar's similarity with itself is part of the diagonal of the table.
    """
    n_units = len(similarities)
    # gains[start, j]: similarities of the units start … end-1 with j, from j = start on
    gains = np.full((n_units, n_units), -np.inf)
    for end in range(1, n_units + 1):
        gains[: end - 1] += similarities[end - 1]
        gains[end - 1, end - 1 :] = similarities[end - 1, end - 1 :]
        yield -gains[:end, :end].max(axis=1)


def best_exemplars(similarities: Floats, reach: int, n_segments: int) -> Clusters:
    """So many segments with the largest net similarity, exactly, by dynamic programming.

    Units out of reach count as very dissimilar, so that there are as few of them as possible.

    >>> table = np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]])
    >>> best_exemplars(table, 2, 2)[:2]
    ([2], [0, 2])
    """
    worse_than_any_sum = -1 - _largest(similarities) * (2 * len(similarities) + 1)
    table = confined(similarities.copy(), reach, worse_than_any_sum)
    np.fill_diagonal(table, 0)  # the preference: the same sum in all, because K is fixed
    boundaries = Plans(exemplar_costs(table), len(table), n_segments).boundaries(n_segments)
    exemplars = [
        start + int(table[start:end, start:end].sum(axis=0).argmax())
        for start, end in pairwise([0, *boundaries, len(table)])
    ]
    return Clusters(boundaries, exemplars, True, 0)
