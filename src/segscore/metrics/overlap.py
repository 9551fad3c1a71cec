"""Measures that compare segments as sets of units.

Each unit lies in one reference segment and one hypothesis segment. What neighbouring fields call
purity and coverage (speaker diarisation), covering (image segmentation, change points), the Rand
index (clustering) and the misplaced units of text segmentation all follow from the sizes of these
segments and of their overlaps. All are found in one walk over the boundaries.

Sources: Bredin (2017), purity and coverage; Arbeláez et al. (2011), covering; Ocampo Diaz & Ouyang
(2022), alignment index; Rand (1971) and Hubert & Arabie (1985), Rand index; Franz et al. (2007),
misplaced units.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from segscore._kernels import overlap
from segscore.basics.arguments import Floats, check_choice, truth
from segscore.metrics.base import Metric
from segscore.metrics.ratios import check_beta, plain_numbers, ratio
from segscore.pairing.pairs import Pairs

_COLUMNS = 10
# Columns of the kernel's rows.
(_PURE, _COVERED, _COVERING, _TOGETHER, _REF_ONLY, _HYP_ONLY, _MISSED, _ADDED, _UNITS, _APART) = (
    range(_COLUMNS)
)
_BELOW_ONE = float(np.nextafter(1, 0))  # the best that is not perfect


def _rows(pairs: Pairs, columns: list[int], threads: int | None) -> Floats:
    """The columns of the kernel that a metric builds on."""
    return np.ascontiguousarray(
        pairs.rows(overlap.overlap, _COLUMNS, threads=threads)[:, columns], np.float64
    )


@dataclass(frozen=True)
class PurityCoverage(Metric):
    """F_β of segment purity and segment coverage.

    Purity: the share of units that lie in the reference segment which fills most of their
    hypothesis segment; too few boundaries lower it. Coverage is purity with both sides swapped; too
    many boundaries lower it. Bredin (2017), as in pyannote.metrics on units.
    F_β = (1+β²)PC/(β²P+C). Parts: `purity`, `coverage`, `f`. Higher is better.

    Parameters
    ----------
    beta: weight of coverage in F_β: 1 weighs coverage and purity the same, 2 coverage more.

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([5, 6])
    >>> score = PurityCoverage()(ref, hyp)
    >>> round(score, 4), round(score.purity, 4), score.coverage
    (0.9, 0.8182, 1.0)
    """

    name = "purity-coverage"
    reading = "purity falls with missed boundaries, coverage with extra ones"
    papers = ("bredin2017",)
    higher_is_better = True
    perfect = 1
    symmetric = False  # with β other than 1, purity and coverage weigh differently
    # Units in the best-fitting segment of ref, of hyp, and all units.
    statistic_names = ("pure", "covered", "units")

    beta: float = 1

    def __post_init__(self) -> None:
        plain_numbers(self)
        check_beta(self.beta)

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        return _rows(pairs, [_PURE, _COVERED, _UNITS], threads)

    def values(self, rows: Floats) -> Floats:
        """F_β of purity and coverage."""
        weight = float(self.beta) * float(self.beta)  # older NumPy makes objects of large numbers
        purity, coverage = ratio(rows[:, 0], rows[:, 2]), ratio(rows[:, 1], rows[:, 2])
        return ratio((1 + weight) * purity * coverage, weight * purity + coverage)

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Purity, coverage, F and the statistics."""
        rates = {
            "purity": ratio(rows[:, 0], rows[:, 2]),
            "coverage": ratio(rows[:, 1], rows[:, 2]),
            "f": self.values(rows),
        }
        return {**rates, **super().part_values(rows)}


@dataclass(frozen=True)
class Covering(Metric):
    """How well the hypothesis covers reference segments: the mean of their best Jaccard
    similarities.

    Each reference segment takes the hypothesis segment with the largest |both|/|either|, weighted
    by its own size: Arbeláez et al. (2011), used for change points by van den Burg & Williams
    (2020). Higher is better.

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([5, 6])
    >>> round(Covering()(ref, hyp), 4)  # (2·2/5 + 3·3/5 + 6·1) / 11
    0.7818
    """

    name = "covering"
    reading = "how well the best segment of the hypothesis covers each of the reference"
    papers = ("arbelaez2011",)
    higher_is_better = True
    perfect = 1
    # Similarity summed over the units of ref, and units.
    statistic_names = ("similarity", "units")

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        return _rows(pairs, [_COVERING, _UNITS], threads)


@dataclass(frozen=True)
class AlignmentIndex(Metric):
    """The alignment index A: the mean Jaccard similarity of segments that are aligned.

    Ocampo Diaz & Ouyang (2022). Each segment of either side points to the segment of the other side
    that holds most of its units; of several that hold as many, to the one with the largest Jaccard
    similarity |both|/|either|, or to all of them if these are equal, too (the authors' program
    takes the first, so that a text and its mirror image may differ). Pairs of which both point to
    each other count once. Over documents, similarities and pairs are added up. Higher is better.

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([5, 6])
    >>> score = AlignmentIndex()(ref, hyp)  # (2/5 + 3/5 + 6/6) / 3
    >>> round(score, 4), score.statistics["pairs"]
    (0.6667, 3.0)
    """

    name = "a"
    latex = "$A$"
    reading = "how similar segments are to those that hold most of them, both ways"
    papers = ("ocampodiaz2022",)
    higher_is_better = True
    perfect = 1
    symmetric = True
    statistic_names = ("similarity", "pairs")

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        return pairs.rows(overlap.alignment, 2, threads=threads)


@dataclass(frozen=True)
class RandIndex(Metric):
    """Share of pairs of units on which both sides agree: together in a segment, or apart.

    Rand (1971). A sum over documents counts pairs inside documents only. Higher is better.

    Parameters
    ----------
    adjusted: True corrects for chance (Hubert & Arabie 1985): 0 is what segments of these sizes
        reach if they are filled with units at random; two identical segmentations have 1.

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([5, 6])
    >>> round(RandIndex()(ref, hyp), 4), round(RandIndex(adjusted=True)(ref, hyp), 4)
    (0.8909, 0.7755)
    """

    name = "rand"
    reading = (
        "the share of pairs of units on which both sides agree, together or apart; adjusted, 0 "
        "is chance"
    )
    papers = ("rand1971", "hubert1985")
    higher_is_better = True
    perfect = 1
    symmetric = True

    adjusted: bool = False

    def __post_init__(self) -> None:
        truth(self.adjusted, "adjusted")

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """Pairs of units: in the same segment on both sides, in ref only, in hyp only, all pairs;
        and, for the adjusted index, pairs that are apart on both sides, because a difference of
        such large numbers would not be exact."""
        found = "together", "ref_only", "hyp_only", "unit_pairs", "apart"
        return found if self.adjusted else found[:4]

    @property
    def value_range(self) -> tuple[float, float]:
        """The range 0 to 1; below 0 for an adjusted index worse than chance."""
        return -1.0 if self.adjusted else 0.0, 1.0

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        columns = [_TOGETHER, _REF_ONLY, _HYP_ONLY, _UNITS, _APART]
        rows = _rows(pairs, columns[: len(self.statistic_names)], threads) / 2
        rows[:, 3] *= 2 * rows[:, 3] - 1  # half of N(N-1)
        rows[:, 3] = np.where(rows[:, 3] > 0, rows[:, 3], 0)
        return rows

    def values(self, rows: Floats) -> Floats:
        """The index, or the adjusted index."""
        differ, total = rows[:, 1] + rows[:, 2], rows[:, 3]
        loss = ratio(differ, total)
        if self.adjusted:
            # 1 - 2(ad - bc) / ((a+b)(b+d) + (a+c)(c+d)), brought to a form in which nothing is
            # subtracted; as shares of all pairs, so that products stay in range.
            a, b, c, d = (ratio(rows[:, i], total) for i in (0, 1, 2, 4))
            loss = np.where(differ == 0, loss, ratio(loss, (a + b) * (b + d) + (a + c) * (c + d)))
        return np.where(differ > 0, np.minimum(1 - loss, _BELOW_ONE), 1 - loss)


@dataclass(frozen=True)
class MisplacedUnits(Metric):
    """The number of units missing from a unit's segment (R_FN) or extra in it (R_FP), mean over
    units.

    For a unit w, FN(w) is the number of units in w's reference segment that are not in its
    hypothesis segment, FP(w) the reverse; after Franz et al. (2007), as Fournier & Inkpen (2012),
    eq. 2, cite it. Parts: `r_fn`, `r_fp`, `r_fn_relative`, `r_fp_relative`. Lower is better.

    Parameters
    ----------
    side: which number is the value, "fn" or "fp".
    relative: True divides FN(w) by the size of w's reference segment, FP(w) by the size of its
        hypothesis segment.

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([5, 6])
    >>> score = MisplacedUnits(side="fp")(ref, hyp)
    >>> round(score, 4), score.r_fn, round(score.r_fp_relative, 4)
    (1.0909, 0.0, 0.2182)
    """

    name = "misplaced-units"
    papers = ("franz2007",)
    higher_is_better = False
    perfect = 0
    # Σ FN(w), Σ FP(w), the same relative to segment size, and units.
    statistic_names = (
        "missed",
        "added",
        "missed_relative",
        "added_relative",
        "units",
    )
    quotients: ClassVar[Mapping[str, tuple[int, int]]] = {
        name: (column, 4)
        for column, name in enumerate(("r_fn", "r_fp", "r_fn_relative", "r_fp_relative"))
    }

    side: Literal["fn", "fp"] = "fn"
    relative: bool = False

    def __post_init__(self) -> None:
        check_choice(self.side, "side", ("fn", "fp"))
        truth(self.relative, "relative")

    @property
    def value_range(self) -> tuple[float, float]:
        """The range of units per unit, or of shares of segments."""
        return 0.0, 1.0 if self.relative else math.inf

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        return _rows(pairs, [_REF_ONLY, _HYP_ONLY, _MISSED, _ADDED, _UNITS], threads)

    def values(self, rows: Floats) -> Floats:
        """The mean that `side` and `relative` choose."""
        return ratio(rows[:, (self.side == "fp") + 2 * self.relative], rows[:, 4])
