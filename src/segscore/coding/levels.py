"""Hierarchies: segmentations with ranks, and several segmentations of one document, coarse to fine.

A rank says how prominent a boundary is, 1 most. Hierarchies come as depths of headings, as trees of
segment lengths, as the order in which a segmenter split, or as one column of marks per level; each
has a constructor here that gives a `Segmentation` with ranks. `at_level` goes the other way;
`outline` and `rank_bars` show ranks as plain text.

Music structure (sections A B A above phrases a a b …) and outlines with titles have labels of their
own on each level. A `Levels` is a segmentation, too: it has the boundaries of all levels, each
ranked by the coarsest level that has it. So every function that takes segmentations takes it, and
metrics without a notion of levels see these boundaries. `LMeasure` and `TMeasure` see the levels.

In columns (`Pairs`) a side has the boundaries of all levels together, and for each region between
them a code per level: the number of the segment, and the label.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, NoReturn, Self

import numpy as np

from segscore.basics.arguments import Int64Array, shown, whole_number
from segscore.coding.constructor_checks import in_rows, not_segmentation, whole_numbers
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, shortened

NO_LABEL = -1


_DEEPEST = 1000  # levels of a tree of lists; a list that contains itself would never end


def from_heading_depths(depths: Iterable[int]) -> Segmentation:
    """Build a ranked segmentation from the depth of the heading that opens at each unit (1 = top),
    0 where no heading does.

    There is a boundary before each heading, ranked by its depth, except before the first unit.

    depths: a whole number of at least 0 per unit.

    >>> from_heading_depths([1, 0, 0, 2, 0, 1, 0])
    Segmentation(masses=[3, 2, 2], ranks=[2, 1])
    """
    given = whole_numbers(depths, "depths", "one depth of at least 0 per unit", 0)
    if not given.size:
        raise SegmentationError("depths is empty: expected one per unit")
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
    waiting = [(tree, 0, "")]  # items, the depth at which each parts from what is before it, paths
    while waiting:
        item, parted, path = waiting.pop()
        depth = path.count("[") + 1
        if isinstance(item, list | tuple) and item and depth <= _DEEPEST:
            inside = [(each, depth, f"{path}[{i}]") for i, each in enumerate(item)]
            waiting += [*inside[:0:-1], (item[0], parted or depth, inside[0][2])]
        elif path and not isinstance(item, list | tuple):
            ends.append((ends[-1] if ends else 0) + whole_number(item, f"masses{path}", 1))
            ranks.append(parted)
        else:
            raise SegmentationError(
                f"masses{path} is {shown(item)}: expected a list of segment lengths and such "
                f"lists, nested at most {_DEEPEST} deep"
            )
    return Segmentation.from_boundaries(ends[:-1], ends[-1], ranks=ranks[1:])


def from_split_order(positions: Iterable[int], n_units: int) -> Segmentation:
    """Build a ranked segmentation from positions in the order in which a segmenter split there.

    positions: the most prominent first, each once.

    >>> from_split_order([5, 2, 8], n_units=11)
    Segmentation(masses=[2, 3, 3, 3], ranks=[2, 1, 3])
    """
    n = whole_number(n_units, "n_units", 1)
    expected = f"positions 1 … {n - 1}"
    given = whole_numbers(positions, "positions", expected, 1)
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
    columns = in_rows(columns, "columns", "a list of columns")
    levels = [Segmentation.from_labels(column, marks) for column in columns]
    _check_same_units(levels, "columns")
    return ranked_by_level(levels)


def _check_same_units(levels: Sequence[Segmentation], what: str) -> None:
    """Raise unless there are levels, all of the same number of units."""
    if not levels:
        raise SegmentationError(f"{what} is empty: expected at least one level")
    for index, level in enumerate(levels):
        if level.n_units != levels[0].n_units:
            raise SegmentationError(
                f"{what}[{index}] has {level.n_units} units: expected {levels[0].n_units}, as many "
                "as the first"
            )


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


def sections(segmentation: Segmentation) -> Iterator[tuple[int, int, int]]:
    """(depth, first, last) of every section of the hierarchy: units first … last, set off by
    boundaries of rank `depth` (0: the whole document); parents before their children.

    A section that a rank does not split is not repeated one step deeper.
    """
    ranks = dense_ranks(segmentation)
    edges = np.concatenate(([0], segmentation.boundaries, [segmentation.n_units]))
    waiting = [(0, 0, len(edges) - 1)]  # depth, and the edges between which the section lies
    while waiting:
        depth, start, end = waiting.pop()
        yield depth, int(edges[start]) + 1, int(edges[end])
        inside = ranks[start : end - 1]
        if inside.size:
            rank = int(inside.min())
            cuts = [start, *(start + 1 + np.flatnonzero(inside == rank)).tolist(), end]
            waiting += [(rank, *part) for part in reversed(list(pairwise(cuts)))]


def outline(segmentation: Segmentation, units: Sequence[str] | None = None, width: int = 80) -> str:
    """Show the hierarchy as indented lines: the units of each section, and how it begins.

    `units` are the texts of the units; lines are cut at `width` characters.

    >>> from segscore.coding.levels import from_nested_masses
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

    >>> from segscore.coding.levels import from_nested_masses
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


class Levels(Segmentation):
    """Several segmentations of one document, coarse to fine.

    Parameters
    ----------
    levels: segmentations of the same number of units, the coarsest first. Their `segment_labels`
        (one per segment, or none) are what the L-measure compares. A finer level usually repeats
        the boundaries of the coarser levels, but does not have to.

    >>> sections = Segmentation.from_masses([4, 4, 2], segment_labels=["A", "B", "A"])
    >>> phrases = Segmentation.from_masses([2, 2, 4, 2], segment_labels=["a", "b", "c", "a"])
    >>> piece = Levels([sections, phrases])
    >>> piece.boundaries, piece.ranks
    (array([2, 4, 8]), array([2, 1, 1]))
    >>> piece.levels[0].masses
    array([4, 4, 2])
    """

    __slots__ = ("_levels",)
    _levels: tuple[Segmentation, ...]

    def __init__(self, levels: Iterable[Segmentation]) -> None:
        given = _checked(levels)
        whole = ranked_by_level(given)
        lengths = {level.unit_length for level in given if level.unit_length is not None}
        if len(lengths) > 1:
            sizes = " and ".join(f"{size / 1e6:g} s" for size in sorted(lengths))
            raise SegmentationError(f"levels have units of {sizes}: expected one length")
        self._put(**{name: getattr(whole, name) for name in Segmentation.__slots__})
        self._put(unit_length=next(iter(lengths), None), _levels=given)

    @classmethod
    def _make(cls, *fields: Any) -> Self:
        """Other constructors give a segmentation without levels."""
        return Segmentation._make(*fields)  # type: ignore[return-value]

    @property
    def levels(self) -> tuple[Segmentation, ...]:
        """The segmentations, the coarsest first."""
        return self._levels

    def mirror(self) -> Self:
        """The levels of the document read backwards."""
        return type(self)([level.mirror() for level in self._levels])

    def expand(self, unit_lengths: Iterable[int], candidates: bool = False) -> Self:
        """The levels, counted in finer units; levels have no candidates."""
        if candidates:
            raise SegmentationError("candidates is True: expected False, levels have no candidates")
        lengths = list(unit_lengths)
        return type(self)([level.expand(lengths, candidates=False) for level in self._levels])

    def with_segment_labels(self, labels: Any) -> NoReturn:
        """Raise an error: each level has labels of its own."""
        del labels
        raise SegmentationError(
            "levels have labels of their own: expected segment_labels in each segmentation"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segmentation):
            return NotImplemented
        return isinstance(other, Levels) and self._levels == other._levels

    def __hash__(self) -> int:
        return hash(self._levels)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._levels,)

    def __repr__(self) -> str:
        return shortened(f"Levels([{', '.join(map(repr, self._levels))}])")


def _checked(levels: Any) -> tuple[Segmentation, ...]:
    """Segmentations of one document, with one label per segment at most."""
    given = tuple(in_rows(levels, "levels", "a list of Segmentations"))
    for index, level in enumerate(given):
        if not isinstance(level, Segmentation) or isinstance(level, Levels):
            raise SegmentationError(f"levels[{index}] is {not_segmentation(level)}")
        for place, label in enumerate(level.segment_labels or ()):
            if isinstance(label, frozenset):
                raise SegmentationError(
                    f"levels[{index}]: segment {place + 1} has {len(label)} labels: expected one "
                    "per segment"
                )
    _check_same_units(given, "levels")
    return given


# ---- columns ----


def has_levels(side: Sequence[Segmentation]) -> bool:
    """Whether any of the segmentations has levels."""
    return any(isinstance(coding, Levels) for coding in side)


def levels_of(coding: Segmentation) -> tuple[Segmentation, ...]:
    """The levels of a segmentation: its own levels, those of its ranks, or the segmentation
    itself."""
    if isinstance(coding, Levels):
        return coding.levels
    if coding.ranks is None:
        return (coding,)
    coarser = [
        Segmentation.from_boundaries(coding.boundaries[coding.ranks <= rank], coding.n_units)
        for rank in np.unique(coding.ranks)[:-1]
    ]
    return (*coarser, coding)


def level_labels(side: Iterable[Segmentation]) -> set[str]:
    """All labels of the levels of these segmentations."""
    return {
        str(label)
        for coding in side
        if isinstance(coding, Levels)
        for level in coding.levels
        for label in level.segment_labels or ()
        if label is not None
    }


def level_columns(
    side: Sequence[Segmentation], code: Mapping[str, int]
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """(offsets, segments, labels): codes of each row, region after region, a code per level."""
    sizes: list[int] = []
    segments: list[Int64Array] = []
    labels: list[Int64Array] = []
    for coding in side:
        starts = np.concatenate(([0], coding.boundaries))
        levels = levels_of(coding)
        holding = [np.searchsorted(level.boundaries, starts, "right") for level in levels]
        own: list[Int64Array] = []
        for level, segment in zip(levels, holding, strict=True):
            names = level.segment_labels or (None,) * level.n_segments
            codes = [code[name] if isinstance(name, str) else NO_LABEL for name in names]
            own.append(np.array(codes, np.int64)[segment])
        segments.append(np.stack(holding, axis=1, dtype=np.int64).reshape(-1))
        labels.append(np.stack(own, axis=1).reshape(-1))
        sizes.append(len(starts) * len(levels))
    offsets = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)
    empty = np.empty(0, np.int64)
    return offsets, np.concatenate([empty, *segments]), np.concatenate([empty, *labels])


def levels_from_codes(
    boundaries: Int64Array,
    n_units: int,
    segments: Int64Array,
    labels: Int64Array,
    names: Sequence[str],
) -> Levels:
    """The segmentation that `level_columns` turned into codes."""
    found = []
    shape = len(boundaries) + 1, -1
    for own, called in zip(segments.reshape(shape).T, labels.reshape(shape).T, strict=True):
        first = np.concatenate(([True], own[1:] != own[:-1]))
        given = [None if code < 0 else names[code] for code in called[first].tolist()]
        coding = Segmentation.from_boundaries(boundaries[first[1:]], n_units)
        found.append(coding.with_segment_labels(given) if any(given) else coding)
    return Levels(found)
