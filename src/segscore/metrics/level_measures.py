"""L- and T-measure: do two hierarchies order the similarity of units in the same way?

McFee & Bello (2015), T-measure; McFee, Nieto, Farbood & Bello (2017), L-measure. M(q, i) is the
deepest level at which the units q and i share a label (L) or lie in the same segment (T); 0 if they
do at none. Recall is the mean, over units q, of the share of pairs (i, j) with M_ref(q, i) <
M_ref(q, j) for which M_hyp(q, i) < M_hyp(q, j), too; q itself is left out. Precision swaps the
sides.

Levels come from `Levels`; a ranked segmentation has a level per rank, any other has one level. All
units between two boundaries (of either side) are alike, so that L, and T without a window, cost
regions², not units². Equal to mir_eval.hierarchy, except where no unit q has a pair: that is
undefined here, and 0 there.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import nested_ranking
from segscore.basics.arguments import Floats, Int64Array, truth
from segscore.corpus import Lists, Provenance
from segscore.errors import SegmentationError
from segscore.metrics import base
from segscore.metrics.base import Keys, Metric
from segscore.metrics.hierarchy import ranked
from segscore.metrics.label_agreement import NO_LABEL, label_codes, segment_starts
from segscore.pairing.pairs import Pairs

_SIDES = {"ref": "reference", "hyp": "hypothesis"}


class _OrderedPairs(base.PrecisionRecallMetric):
    """What L- and T-measure share."""

    nothing_counts = "on both sides each unit is as near to any unit as to any other"
    symmetric = True
    # Well-ordered shares of ref's pairs, summed over units; such units; the same for hyp's.
    statistic_names: ClassVar[Keys] = ("ref_ordered", "ref_units", "hyp_ordered", "hyp_units")

    def rates(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Precision, recall and F."""
        recall, precision = base.ratio(rows[:, 0], rows[:, 1]), base.ratio(rows[:, 2], rows[:, 3])
        return precision, recall, base.f_of_rates(precision, recall)

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Whether each document has no value."""
        return Metric.undefined(self, pairs, values)


@dataclass(frozen=True)
class LMeasure(_OrderedPairs):
    """Agreement of two hierarchies of labelled segments: F of how they order pairs of units.

    Units that share a label at a deeper level are nearer to each other; a segment without a label
    shares no label. A segmentation without levels (`Levels`) has one, its segment labels.
    Parts: `precision`, `recall`, `f`. Over documents, the mean over units (micro) or over documents
    (macro). Undefined if a level has no labels at all, or if neither side distinguishes any units.
    Higher is better.

    >>> from segscore import Levels, Segmentation
    >>> def piece(*labels):
    ...     masses = [30, 30], [15, 15, 15, 15]
    ...     levels = zip(masses, map(list, labels), strict=True)
    ...     return Levels([Segmentation.from_masses(m, segment_labels=l) for m, l in levels])
    >>> score = LMeasure()(piece("AB", "abac"), piece("AA", "aabb"))
    >>> round(score, 4), round(score.precision, 4), round(score.recall, 4)
    (0.6675, 0.75, 0.6014)
    """

    name = "l-measure"
    latex: ClassVar[str | None] = "L-measure"

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        codes = [_labels(pairs, side) for side in _SIDES]
        flat = [column for code in codes for column in code]
        rows = pairs.rows(nested_ranking.ordered_pairs, 4, *flat, -1, False, threads=threads)
        for side, code in zip(_SIDES, codes, strict=True):
            rows[_bare_levels(pairs, side, code) > 0] = 0
        return rows

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """The reason: no labels, one unit, or nothing to order."""
        for side, side_name in _SIDES.items():
            bare = int(_bare_levels(pairs, side, _labels(pairs, side))[row])
            if bare:
                several = getattr(pairs, f"{side}_levels") is not None
                level = f"level {bare} of " if several else ""
                return f"{level}the {side_name} has no segment labels (segment_labels=[…])"
        return super().why_undefined(pairs, row)


@dataclass(frozen=True)
class TMeasure(_OrderedPairs):
    """Agreement of two hierarchies of segments, without labels: F of how they order pairs of units.

    Units that lie in the same segment at a deeper level are nearer to each other. Parts:
    `precision`, `recall`, `f`. Over documents, the mean over units (micro) or over documents
    (macro). Undefined if neither side has a boundary. Higher is better.

    Parameters
    ----------
    window: the range of units compared with unit q: q − window … q + window − 1; a number of units,
        or a time such as "15s" if units have a duration. None: the whole text. With a window the
        cost grows with the number of units.
    reduced: True: only pairs whose levels are next to each other; False: all pairs.

    >>> from segscore import Levels, Segmentation
    >>> coarse, other, fine = map(Segmentation.from_masses, ([30, 30], [45, 15], [15] * 4))
    >>> ref, hyp = Levels([coarse, fine]), Levels([other, fine])
    >>> round(TMeasure()(ref, hyp), 4), round(TMeasure(window=20, reduced=True)(ref, hyp), 4)
    (0.7359, 0.7966)
    """

    name = "t-measure"
    latex: ClassVar[str | None] = "T-measure"
    in_time: ClassVar[tuple[str, ...]] = ("window",)

    window: int | str | None = None
    reduced: bool = False

    def __post_init__(self) -> None:
        if self.window is not None:
            object.__setattr__(self, "window", base.units_or_time(self.window, "window", 1))
        truth(self.reduced, "reduced")

    def units_of(self, name: str, duration: str, provenance: Provenance) -> int:
        """The number of units that fit into the time, at least one."""
        units = super().units_of(name, duration, provenance)
        if not units:
            raise SegmentationError(
                f"{name} is {duration!r}, shorter than a unit: expected one unit or more"
            )
        return units

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        window: Any = self.in_units(pairs.provenance).window
        codes = [column for side in _SIDES for column in _segments(pairs, side)]
        reach = -1 if window is None else window
        return pairs.rows(
            nested_ranking.ordered_pairs, 4, *codes, reach, self.reduced, threads=threads
        )


# ---- columns of codes ----


def _segments(pairs: Pairs, side: str) -> Lists:
    """The number of the segment of each region at each level."""
    own: Lists | None = getattr(pairs, f"{side}_levels")
    if own is not None:
        return own
    offsets: Int64Array = getattr(pairs, f"{side}_offsets")
    regions = np.diff(offsets) + 1
    levels = ranked(offsets, getattr(pairs, f"{side}_ranks"))
    depths = np.maximum(np.diff(levels.offsets), 1)
    starts = np.concatenate(([0], np.cumsum(regions * depths)))
    codes = np.empty(int(starts[-1]), np.int64)
    row = np.repeat(np.arange(len(regions)), regions)
    first = np.cumsum(regions) - regions  # the first region of each row
    inside = np.arange(len(row)) - first[row]
    after = np.ones(len(row), np.bool_)  # whether a region follows a boundary
    after[first] = False
    for level in range(1, int(depths.max(initial=1)) + 1):
        opens = np.zeros(len(row), np.int64)
        opens[after] = levels.ranks <= level
        number = np.cumsum(opens)
        number -= number[first][row]
        deep = depths[row] >= level
        places = starts[row] + inside * depths[row] + level - 1
        codes[places[deep]] = number[deep]
    return Lists(starts, codes)


def _labels(pairs: Pairs, side: str) -> Lists:
    """The label of each region at each level; without levels, the labels of the segments."""
    own: Lists | None = getattr(pairs, f"{side}_level_labels")
    if own is not None:
        return own
    starts = segment_starts(pairs, side)
    codes = label_codes(pairs, side, LMeasure.name)
    if not codes.size:
        return Lists(starts, np.full(int(starts[-1]), NO_LABEL, np.int64))
    return Lists(starts, codes.astype(np.int64))


def _bare_levels(pairs: Pairs, side: str, labels: Lists) -> Int64Array:
    """The first level of each row that has no label, counted from 1; 0 if each has some."""
    regions = np.diff(getattr(pairs, f"{side}_offsets")) + 1
    depths = np.diff(labels.offsets) // regions
    row = np.repeat(np.arange(len(regions)), np.diff(labels.offsets))
    level = (np.arange(len(row)) - labels.offsets[row]) % depths[row]
    first = np.cumsum(depths) - depths  # the first level of each row
    named = np.bincount(first[row] + level, labels.values >= 0, int(depths.sum()))
    found = np.zeros(len(regions), np.int64)
    bare = np.flatnonzero(named == 0)[::-1]  # the first one is written last
    owner = np.searchsorted(first, bare, side="right") - 1
    found[owner] = bare - first[owner] + 1
    return found
