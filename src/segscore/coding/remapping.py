"""The boundaries of a segmentation moved to other positions: into other units of the same text, or
into a part of it.

Boundaries keep their order. Boundaries that move to the same position become one boundary, with the
most prominent of their ranks and all of their types; boundaries that move to either end of the
document are dropped. Segments without a unit are dropped, and so are their labels. Each of several
levels is treated separately.
"""

from collections.abc import Iterable

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.coding.levels import Levels
from segscore.coding.segmentation import BoundaryType, Segmentation


def remapped(
    coding: Segmentation,
    positions: Int64Array,
    n_units: int,
    candidates: Iterable[int] | None = None,
) -> Segmentation:
    """The segmentation with each boundary at its new position, from 0 to `n_units`, ascending.

    >>> coding = Segmentation.from_masses([2, 3, 1, 4], segment_labels=["a", "b", "c", "d"])
    >>> remapped(coding, np.array([1, 3, 3]), 5)
    Segmentation(masses=[1, 2, 2], segment_labels=['a', 'b', 'd'])
    """
    if isinstance(coding, Levels):
        places = (np.searchsorted(coding.boundaries, level.boundaries) for level in coding.levels)
        pairs_of_levels = zip(coding.levels, places, strict=True)
        return Levels([remapped(level, positions[at], n_units) for level, at in pairs_of_levels])
    kept = np.unique(positions[(positions > 0) & (positions < n_units)])
    labels = None
    if coding.segment_labels is not None:
        lengths = np.diff(positions, prepend=0, append=n_units)
        pairs = zip(coding.segment_labels, lengths.tolist(), strict=True)
        labels = [label for label, length in pairs if length]
    return Segmentation.from_boundaries(
        kept,
        n_units,
        types=_types(coding, positions, kept),
        ranks=_ranks(coding, positions, kept),
        candidates=candidates,
        segment_labels=labels,
    )


def _ranks(coding: Segmentation, positions: Int64Array, kept: Int64Array) -> Int64Array | None:
    if coding.ranks is None:
        return None
    ranks = np.full(len(kept), np.iinfo(np.int64).max)
    inside = np.isin(positions, kept)
    np.minimum.at(ranks, np.searchsorted(kept, positions[inside]), coding.ranks[inside])
    return ranks


def _types(
    coding: Segmentation, positions: Int64Array, kept: Int64Array
) -> list[set[BoundaryType]] | None:
    if coding.types is None:
        return None
    found: dict[int, set[BoundaryType]] = {position: set() for position in kept.tolist()}
    for position, types in zip(positions.tolist(), coding.types, strict=True):
        if position in found:
            found[position] |= types
    return list(found.values())
