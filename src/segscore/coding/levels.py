"""Levels: several segmentations of one document, coarse to fine, each with labels of its own.

Music structure (sections A B A above phrases a a b …) and outlines with titles have this form. A
`Levels` is a segmentation, too: it has the boundaries of all levels, each ranked by the coarsest
level that has it. So every function that takes segmentations takes it, and metrics without a notion
of levels see these boundaries. `LMeasure` and `TMeasure` see the levels.

In columns (`Pairs`) a side has the boundaries of all levels together, and for each region between
them a code per level: the number of the segment, and the label.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, Self

import numpy as np

from segscore.basics.arguments import Int64Array, shown
from segscore.coding.constructor_checks import not_segmentation
from segscore.coding.ranks import ranked_by_level
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, shortened

NO_LABEL = -1


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
        for name in Segmentation.__slots__:
            object.__setattr__(self, name, getattr(whole, name))
        object.__setattr__(self, "unit_length", _unit_length(given))
        object.__setattr__(self, "_levels", given)

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
    if isinstance(levels, Segmentation | str | bytes | dict) or not isinstance(levels, Iterable):
        raise SegmentationError(f"levels is {shown(levels)}: expected a list of Segmentations")
    given = tuple(levels)
    if not given:
        raise SegmentationError("levels is empty: expected one Segmentation or more")
    for index, level in enumerate(given):
        if not isinstance(level, Segmentation) or isinstance(level, Levels):
            raise SegmentationError(f"levels[{index}] is {not_segmentation(level)}")
        if level.n_units != given[0].n_units:
            raise SegmentationError(
                f"levels[{index}] has {level.n_units} units: expected {given[0].n_units}, as many "
                "as the first"
            )
        for place, label in enumerate(level.segment_labels or ()):
            if isinstance(label, frozenset):
                raise SegmentationError(
                    f"levels[{index}]: segment {place + 1} has {len(label)} labels: expected one "
                    "per segment"
                )
    return given


def _unit_length(levels: tuple[Segmentation, ...]) -> int | None:
    """The length of a unit, if a level knows it."""
    known = {level.unit_length for level in levels if level.unit_length is not None}
    if len(known) > 1:
        raise SegmentationError(
            f"levels have units of {' and '.join(f'{size / 1e6:g} s' for size in sorted(known))}: "
            "expected one length"
        )
    return next(iter(known), None)


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
        for column, found in ((segments, _segment_codes), (labels, _label_codes)):
            column.append(
                np.stack([found(level, starts, code) for level in levels], axis=1).reshape(-1)
            )
        sizes.append(len(starts) * len(levels))
    offsets = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)
    empty = np.empty(0, np.int64)
    return offsets, np.concatenate([empty, *segments]), np.concatenate([empty, *labels])


def _segment_codes(level: Segmentation, starts: Int64Array, code: Mapping[str, int]) -> Int64Array:
    """The number of the segment that holds each region."""
    del code
    return np.searchsorted(level.boundaries, starts, side="right").astype(np.int64)


def _label_codes(level: Segmentation, starts: Int64Array, code: Mapping[str, int]) -> Int64Array:
    """The label of the segment that holds each region."""
    given = level.segment_labels or (None,) * level.n_segments
    codes = [code[label] if isinstance(label, str) else NO_LABEL for label in given]
    return np.array(codes, np.int64)[_segment_codes(level, starts, code)]


def levels_from_codes(
    boundaries: Int64Array,
    n_units: int,
    segments: Int64Array,
    labels: Int64Array,
    names: Sequence[str],
) -> Levels:
    """The segmentation that `level_columns` turned into codes."""
    found = []
    regions = len(boundaries) + 1
    for own, called in zip(
        segments.reshape(regions, -1).T, labels.reshape(regions, -1).T, strict=True
    ):
        first = np.concatenate(([True], own[1:] != own[:-1]))
        given = [None if code < 0 else names[code] for code in called[first].tolist()]
        found.append(
            Segmentation.from_boundaries(
                boundaries[first[1:]],
                n_units,
                segment_labels=given if any(label is not None for label in given) else None,
            )
        )
    return Levels(found)
