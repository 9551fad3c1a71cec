"""Ranked segmentations: the ways in which hierarchies are written down, and their levels.

A rank says how prominent a boundary is, 1 most. Hierarchies come as depths of headings, as trees of
segment lengths, as the order in which a segmenter split, or as one column of marks per level; each
has a constructor here that gives a `Segmentation` with ranks. `at_level` goes the other way.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import numpy as np

from segscore.basics.arguments import Int64Array, packed, shown, unpacked, whole_number
from segscore.coding.constructor_checks import in_order, whole_numbers
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError

_DEEPEST = 1000  # levels of a tree of lists; a list that contains itself would never end


def from_heading_depths(depths: Iterable[int]) -> Segmentation:
    """Build a ranked segmentation from the depth of the heading that opens at each unit (1 = top),
    0 where no heading does.

    There is a boundary before each heading, ranked by its depth, except before the first unit.

    depths: a whole number of at least 0 per unit.

    >>> from_heading_depths([1, 0, 0, 2, 0, 1, 0])
    Segmentation(masses=[3, 2, 2], ranks=[2, 1])
    """
    expected = "one depth of at least 0 per unit"
    given = whole_numbers(depths, "depths", expected, 0)
    if not given.size:
        raise SegmentationError(f"depths is empty: expected {expected}")
    places = np.flatnonzero(given[1:]) + 1
    return Segmentation.from_boundaries(places, len(given), ranks=given[places])


def from_nested_masses(tree: Sequence[Any]) -> Segmentation:
    """Build a ranked segmentation from a tree of lists whose leaves are segment lengths; depth is
    rank.

    The items of the outermost list are set off by boundaries of rank 1, the items of a list in it
    by boundaries of rank 2, and so on.

    tree: lists in lists, whose items are whole numbers of at least 1.

    >>> from_nested_masses([[2, 3], 6, [1, [1, 2]]])
    Segmentation(masses=[2, 3, 6, 1, 1, 2], ranks=[2, 1, 1, 2, 3])
    """
    ends: list[int] = []
    ranks: list[int] = []
    end = 0
    for mass, rank, path in _leaves(tree):
        end += whole_number(mass, f"masses{path}", 1)
        ends.append(end)
        ranks.append(rank)
    return Segmentation.from_boundaries(ends[:-1], end, ranks=ranks[1:])


def _leaves(tree: Any) -> Iterator[tuple[Any, int, str]]:
    """Each leaf, the depth of the list at which it parts from the leaf before it, and its path."""
    open_lists = [_items(tree, "")]
    indices = [-1]
    parted = 1
    while open_lists:
        indices[-1] += 1
        if indices[-1] == len(open_lists[-1]):
            open_lists.pop()
            indices.pop()
            continue
        parted = min(parted, len(open_lists))
        path = "".join(f"[{index}]" for index in indices)
        item = open_lists[-1][indices[-1]]
        if isinstance(item, list | tuple):
            open_lists.append(_items(item, path))
            indices.append(-1)
        else:
            yield item, parted, path
            parted = _DEEPEST


def _items(item: Any, path: str) -> Sequence[Any]:
    """A list of the tree; raise if it is empty or the tree never ends."""
    if not isinstance(item, list | tuple) or not item:
        raise SegmentationError(
            f"masses{path} is {shown(item)}: expected a list of segment lengths and such lists"
        )
    if path.count("[") >= _DEEPEST:
        raise SegmentationError(
            f"masses is nested more than {_DEEPEST} lists deep: expected a tree of lists"
        )
    return item


def from_split_order(positions: Iterable[int], n_units: int) -> Segmentation:
    """Build a ranked segmentation from positions in the order in which a segmenter split there.

    positions: the most prominent first, each once.

    >>> from_split_order([5, 2, 8], n_units=11)
    Segmentation(masses=[2, 3, 3, 3], ranks=[2, 1, 3])
    """
    n = whole_number(n_units, "n_units", 1)
    expected = f"positions 1 … {n - 1}"
    given = unpacked(packed(in_order(positions, "positions"), "positions", expected))
    return Segmentation.from_boundaries(given, n, ranks=np.arange(1, len(given) + 1))


def from_level_columns(
    columns: Iterable[str | Iterable[int]], marks: Literal["end", "start"] = "end"
) -> Segmentation:
    """Build a ranked segmentation from a column of 0 and 1 per level, the most prominent level
    first.

    Each column has a symbol per unit: 1 marks the `end` or the `start` of a segment of that level.
    A boundary has the rank of the first column that marks it, whether or not the columns below
    repeat it.

    columns: lists or texts of 0 and 1, all of the same length.
    marks: what a 1 marks.

    >>> from_level_columns(["000100", "010001"])
    Segmentation(masses=[2, 2, 2], ranks=[2, 1])
    """
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise SegmentationError(f"columns is {shown(columns)}: expected a list of columns")
    levels = [Segmentation.from_labels(column, marks) for column in columns]
    if not levels:
        raise SegmentationError("columns is empty: expected one column of 0 and 1 per level")
    for index, level in enumerate(levels):
        if level.n_units != levels[0].n_units:
            raise SegmentationError(
                f"columns[{index}] has {level.n_units} symbols: expected {levels[0].n_units}, as "
                "many as the first"
            )
    return ranked_by_level(levels)


def ranked_by_level(levels: Sequence[Segmentation]) -> Segmentation:
    """The boundaries of all levels, each with the rank of the first level that has it."""
    ranks: dict[int, int] = {}
    for rank, level in enumerate(levels, 1):
        for position in level.boundaries.tolist():
            ranks.setdefault(position, rank)
    return Segmentation.from_boundaries(list(ranks), levels[0].n_units, ranks=list(ranks.values()))


def dense_ranks(segmentation: Segmentation) -> Int64Array:
    """The rank of each boundary, counted without gaps; all 1 if there are no ranks.

    >>> dense_ranks(Segmentation.from_boundaries([2, 5, 8], n_units=11, ranks=[4, 1, 4]))
    array([2, 1, 2])
    """
    if segmentation.ranks is None:
        return np.ones(segmentation.n_segments - 1, np.int64)
    return np.unique(segmentation.ranks, return_inverse=True)[1] + 1


def at_level(segmentation: Segmentation, level: int) -> Segmentation:
    """The boundaries of the first `level` ranks, without ranks; beyond the last rank, all
    boundaries.

    >>> tree = from_nested_masses([[2, 3], 6, [1, [1, 2]]])
    >>> at_level(tree, 1).masses, at_level(tree, 2).masses
    (array([5, 6, 4]), array([2, 3, 6, 1, 3]))
    """
    kept = dense_ranks(segmentation) <= whole_number(level, "level", 1)
    types = segmentation.types
    return Segmentation.from_boundaries(
        segmentation.boundaries[kept],
        segmentation.n_units,
        types=None if types is None else [types[i] for i in np.flatnonzero(kept)],
        candidates=segmentation.candidates,
    )
