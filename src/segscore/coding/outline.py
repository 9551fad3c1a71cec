"""Ranked segmentations as plain text: an indented outline, and boundaries as bars.

Both show ranks counted without gaps, as the hierarchical metrics see them; a segmentation without
ranks has one. Units are counted from 1, as positions are.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import whole_number
from segscore.coding.ranks import dense_ranks
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError


class OutlineSection(NamedTuple):
    """Units first … last, set off by boundaries of rank `depth`; depth 0 is the whole document."""

    depth: int
    first: int
    last: int


def sections(segmentation: Segmentation) -> Iterator[OutlineSection]:
    """Every section of the hierarchy, parents before their children, in reading order.

    A section that a rank does not split is not repeated one step deeper.
    """
    ranks = dense_ranks(segmentation)
    edges = np.concatenate(([0], segmentation.boundaries, [segmentation.n_units]))
    waiting = [(0, 0, len(edges) - 1)]  # depth, and the edges between which the section lies
    while waiting:
        depth, start, end = waiting.pop()
        yield OutlineSection(depth, int(edges[start]) + 1, int(edges[end]))
        inside = ranks[start : end - 1]
        if inside.size:
            rank = int(inside.min())
            cuts = [start, *(start + 1 + np.flatnonzero(inside == rank)).tolist(), end]
            waiting += [(rank, *part) for part in reversed(list(pairwise(cuts)))]


def outline(segmentation: Segmentation, units: Sequence[str] | None = None, width: int = 80) -> str:
    """Show the hierarchy as indented lines: the units of each section, and how it begins.

    `units` are the texts of the units; lines are cut at `width` characters.

    >>> from segscore.coding.ranks import from_nested_masses
    >>> print(outline(from_nested_masses([[1, 2], 2]), ["Snow.", "Wind.", "Ice.", "Sun.", "Sea."]))
    1-5  Snow.
      1-3  Snow.
        1  Snow.
        2-3  Wind.
      4-5  Sun.
    """
    if units is not None and len(units) != segmentation.n_units:
        raise SegmentationError(
            f"units has {len(units)} texts: expected {segmentation.n_units}, one per unit"
        )
    width = whole_number(width, "width", 10)
    lines = []
    for depth, first, last in sections(segmentation):
        line = "  " * depth + (f"{first}-{last}" if first < last else f"{first}")
        if units is not None:
            line += "  " + " ".join(units[first - 1].split())
        lines.append(line if len(line) <= width else line[: width - 1] + "…")
    return "\n".join(lines)


def rank_bars(segmentation: Segmentation, width: int = 80) -> str:
    """Show the boundaries as bars over a line of units, the taller the more prominent.

    There is a column per position; where there are more positions than `width`, neighbours share a
    column, which shows the most prominent of them.

    >>> from segscore.coding.ranks import from_nested_masses
    >>> print(rank_bars(from_nested_masses([[2, 3], 6, [1, [1, 2]]])))
        |     |
     |  |     ||
     |  |     |||
    ··············
    1           15
    """
    width = whole_number(width, "width", 10)
    ranks = dense_ranks(segmentation)
    positions = segmentation.n_units - 1
    if not positions:
        return "1"
    per_column = -(-positions // width)
    columns = -(-positions // per_column)
    lowest = int(ranks.max(initial=0))
    tallest = np.zeros(columns, np.int64)
    np.maximum.at(tallest, (segmentation.boundaries - 1) // per_column, lowest + 1 - ranks)
    lines = [
        "".join("|" if bar >= height else " " for bar in tallest.tolist()).rstrip()
        for height in range(lowest, 0, -1)
    ]
    last = str(segmentation.n_units)
    ruler = "1" + last.rjust(max(columns - 1, len(last) + 1))
    shared = [f"{per_column} positions per column"] if per_column > 1 else []
    return "\n".join([*lines, "·" * columns, ruler, *shared])
