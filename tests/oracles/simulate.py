"""Simulated errors, read literally: one hypothesis, one boundary, one place at a time."""

import numpy as np

import segscore as ss
from segscore.simulate import Errors


def rooms(ref: ss.Segmentation) -> list[range]:
    """The places to which each boundary may move: those nearer to it than to any other boundary."""
    places = ref.boundaries.tolist()
    return [
        range(
            min(p for p in range(1, ref.n_units) if _is_nearest(p, own, places)),
            max(p for p in range(1, ref.n_units) if _is_nearest(p, own, places)) + 1,
        )
        for own in places
    ]


def _is_nearest(place: int, own: int, places: list[int]) -> bool:
    return all(abs(place - own) < abs(place - other) for other in places if other != own)


def expected_marks(ref: ss.Segmentation, errors: Errors) -> np.ndarray:
    """The probability that each place 1 … N-1 holds a boundary, for FP1, FP3 and none, and without
    near misses."""
    present = np.zeros(ref.n_units)
    present[ref.boundaries] = 1 - errors.misses
    added = np.zeros(ref.n_units)
    start = 0
    for size in ref.masses.tolist():
        for place in range(start + 1, start + size):
            added[place] = errors.false_positives / (size - 1)
        start += size
    if errors.placement == "document":
        added[:] = min(1, errors.false_positives * ref.n_segments / (ref.n_units - 1))
    return (1 - (1 - present) * (1 - added))[1:]
