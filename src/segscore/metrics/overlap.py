"""Measures of overlap, of probability and of distance: a family after the other.

Overlap compares segments as sets of units. Each unit lies in one reference segment and one
hypothesis segment. What neighbouring fields call purity and coverage (speaker diarisation),
covering (image segmentation, change points), the Rand index (clustering) and the misplaced units of
text segmentation all follow from the sizes of these segments and of their overlaps. All are found
in one walk over the boundaries.

Sources: Bredin (2017), purity and coverage; Arbeláez et al. (2011), covering; Ocampo Diaz & Ouyang
(2022), alignment index; Rand (1971) and Hubert & Arabie (1985), Rand index; Franz et al. (2007),
misplaced units.

Probabilities, or expected costs, of errors: Beeferman, Berger & Lafferty (1997), P_D; Doddington
(1998), C_seg of the TDT evaluations.

Distances, in units, between the boundaries of reference and hypothesis.

The start and the end of the document are not boundaries and do not count. A distance over several
documents is the mean over those documents; the statistics are its sum and their number.

Sources: Turnbull et al. (2007) and mir_eval, boundary deviation; Hausdorff distance as change-point
detection uses it (Truong et al. 2020, ruptures); Bookstein, Kulyukin & Raita (2002), GHD.

The number of segments: by how much the two sides differ, wherever the boundaries are.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from segscore._kernels import distance, overlap, window
from segscore.basics.arguments import Floats, check_choice, truth
from segscore.coding.segmentation import Segmentation
from segscore.metrics.base import Keys, Metric, check_beta, check_weight, plain_numbers, ratio
from segscore.metrics.window import SlidingWindow
from segscore.pairing.pairs import Pairs, Step

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
    papers: ClassVar[tuple[str, ...]] = ("bredin2017",)
    higher_is_better = True
    perfect: ClassVar[float | None] = 1
    symmetric = False  # with β other than 1, purity and coverage weigh differently
    # Units in the best-fitting segment of ref, of hyp, and all units.
    statistic_names: ClassVar[tuple[str, ...]] = ("pure", "covered", "units")

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
    papers: ClassVar[tuple[str, ...]] = ("arbelaez2011",)
    higher_is_better = True
    perfect: ClassVar[float | None] = 1
    # Similarity summed over the units of ref, and units.
    statistic_names: ClassVar[tuple[str, ...]] = ("similarity", "units")

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
    latex: ClassVar[str | None] = "$A$"
    reading = "how similar segments are to those that hold most of them, both ways"
    papers: ClassVar[tuple[str, ...]] = ("ocampodiaz2022",)
    higher_is_better = True
    perfect: ClassVar[float | None] = 1
    symmetric = True
    statistic_names: ClassVar[tuple[str, ...]] = ("similarity", "pairs")

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
    papers: ClassVar[tuple[str, ...]] = ("rand1971", "hubert1985")
    higher_is_better = True
    perfect: ClassVar[float | None] = 1
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
    papers: ClassVar[tuple[str, ...]] = ("franz2007",)
    higher_is_better = False
    perfect: ClassVar[float | None] = 0
    # Σ FN(w), Σ FP(w), the same relative to segment size, and units.
    statistic_names: ClassVar[tuple[str, ...]] = (
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


# ---- probabilities and expected costs ----


@dataclass(frozen=True)
class PD(Metric):
    """The probability that both sides disagree about whether two units share a segment.

    Beeferman, Berger & Lafferty (1997): the pair of units is drawn so that a distance d has the
    weight (1−1/μ)^(d−1). (Kazantseva & Szpakowicz 2012, eq. 4, print the opposite, 1 − P_D.) Part:
    `mu` for a single pair. Lower is better.

    Parameters
    ----------
    mu: the mean distance μ, at least 1: the larger, the more distant pairs count. None: the mean
        reference segment of each document.

    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([5, 6])
    >>> score = PD()(ref, hyp)
    >>> round(score, 4), round(score.mu, 4)
    (0.1428, 3.6667)
    """

    name = "pd"
    latex: ClassVar[str | None] = "$P_D$"
    reading = "how often two units share a segment on one side only"
    papers: ClassVar[tuple[str, ...]] = ("beeferman1997",)
    higher_is_better = False
    perfect: ClassVar[float | None] = 0
    # Weight of the pairs of units on which both sides disagree, and of all pairs.
    statistic_names: ClassVar[tuple[str, ...]] = ("disagreement", "weight")

    mu: float | None = None

    def __post_init__(self) -> None:
        plain_numbers(self)
        if self.mu is not None:
            check_weight(self.mu, "mu", 1)

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        return pairs.rows(overlap.pd, 2, self.mu or 0.0, threads=threads)

    def parts(self, row: Floats, pair: tuple[Any, Segmentation] | None) -> dict[str, Any]:
        """The statistics, and μ for a single pair."""
        parts = super().parts(row, pair)
        if pair:
            parts["mu"] = self.mu or pair[0].n_units / pair[0].n_segments
        return parts


@dataclass(frozen=True)
class CSeg(SlidingWindow):
    """Expected cost of segmentation errors, C_miss·P_miss·P_seg + C_fa·P_fa·(1−P_seg).

    Doddington (1998), for the TDT evaluations. P_miss is the share of windows with a reference
    boundary that have no hypothesis boundary; P_fa is the share of windows without a reference
    boundary that have a hypothesis boundary. Undefined if windows of either kind are missing.
    Parts: `p_miss`, `p_fa`, and `k` for a single pair. Lower is better.

    Parameters
    ----------
    k: size of the window: a number of units, or a time such as "60s" if units have a duration.
        None: max(min_k, round(N / (2 · segments)) + k_offset), half the mean segment of the
        reference.
    rounding: how that rule rounds: "half-even", "half-up", "floor" or "ceil".
    min_k: the smallest k that the rule may give.
    k_offset: number that the rule adds to k.
    edges: windows at the ends of the text. "drop": only windows inside it. "pad": also windows that
        reach beyond it, where no boundary is. "wrap": windows continue at the start of the text.
        "wrap-seam": like "wrap", and the seam of end and start is a boundary of both sides.
    c_miss: cost of a miss.
    c_fa: cost of a false alarm.
    p_seg: prior probability that a window holds a boundary, 0 … 1.

    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([5, 6])
    >>> score = CSeg()(ref, hyp)
    >>> round(score, 4), score.p_miss, score.p_fa, score.k
    (0.15, 0.5, 0.0, 2)
    """

    name = "cseg"
    latex: ClassVar[str | None] = r"$C_{\mathit{seg}}$"
    reading = "the expected cost of misses and false alarms"
    papers: ClassVar[tuple[str, ...]] = ("doddington1998",)
    # Windows: missed, with a ref boundary, false alarms, without a ref boundary.
    statistic_names: ClassVar[Keys] = (
        "missed",
        "with_boundary",
        "false_alarms",
        "without_boundary",
    )
    quotients: ClassVar[Mapping[str, tuple[int, int]]] = {"p_miss": (0, 1), "p_fa": (2, 3)}

    c_miss: float = 1
    c_fa: float = 0.3
    p_seg: float = 0.3

    def __post_init__(self) -> None:
        super().__post_init__()
        plain_numbers(self)
        check_weight(self.c_miss, "c_miss")
        check_weight(self.c_fa, "c_fa")
        check_weight(self.p_seg, "p_seg", 0, 1)

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        step = Step("pk", 3, (self.rule_for(pairs),))
        errors = pairs.rows_of_steps([step], threads)[0]
        # Against an empty hypothesis every window with a reference boundary is missed.
        nothing = Pairs(
            pairs.n_units,
            pairs.ref_offsets,
            pairs.ref_positions,
            np.zeros(len(pairs) + 1, np.int64),
            pairs.ref_positions[:0],
        )
        with_boundary = nothing.rows_of_steps([step], threads)[0][:, 0]
        if self.edges == "wrap-seam":  # a boundary of the empty hypothesis, too: nothing is missed
            k = np.empty(len(pairs), np.int64)
            window.sizes(pairs.n_units, np.diff(pairs.ref_offsets) + 1, self.rule_for(pairs), k)
            with_boundary += k * (errors[:, 2] > 0)
        return np.column_stack(
            [errors[:, 0], with_boundary, errors[:, 1], errors[:, 2] - with_boundary]
        )

    @property
    def value_range(self) -> tuple[float, float]:
        """The range up to both costs, weighted by their probabilities."""
        return 0.0, self.c_miss * self.p_seg + self.c_fa * (1 - self.p_seg)

    def values(self, rows: Floats) -> Floats:
        """The expected cost."""
        p_miss, p_fa = ratio(rows[:, 0], rows[:, 1]), ratio(rows[:, 2], rows[:, 3])
        return self.c_miss * p_miss * self.p_seg + self.c_fa * p_fa * (1 - self.p_seg)

    def why_no_value(self, pairs: Pairs, row: int) -> str:
        """The reason: no window at all, or none of one kind."""
        ref = pairs.reference(row)
        k = self.in_units(pairs.provenance).window_size(ref)
        if self.edges != "pad" and k >= ref.n_units:
            return super().why_no_value(pairs, row)
        which = "no window holds" if ref.n_segments == 1 else "every window holds"
        return f"{which} a reference boundary (k = {k})"


# ---- distances and numbers ----


@dataclass(frozen=True)
class CountMAE(Metric):
    """Mean absolute error of the number of segments: |segments of hyp - segments of ref|.

    It ignores where boundaries are. Beside F1, which a split at every unit can improve, it shows
    whether the number of segments is right. Statistics: `difference`, the sum over documents, and
    `documents`. Lower is better.

    >>> from segscore import Segmentation
    >>> CountMAE()(Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([11]))
    2.0
    """

    name = "count-mae"
    reading = "the mean difference in the number of segments, wherever they are"
    higher_is_better = False
    symmetric = True
    statistic_names: ClassVar[tuple[str, ...]] = ("difference", "documents")

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """The difference in each pair."""
        del threads
        difference = np.abs(np.diff(pairs.hyp_offsets) - np.diff(pairs.ref_offsets))
        return np.column_stack([difference, np.ones(len(pairs))]).astype(np.float64)


class _Nearest(Metric):
    """What metrics of distances to the nearest boundary share: both sides need a boundary."""

    higher_is_better = False
    symmetric = True
    columns: ClassVar[list[int]]  # of the kernel's rows: both medians, the largest, and documents

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        rows = pairs.rows(distance.nearest_boundaries, 4, threads=threads)
        return np.ascontiguousarray(rows[:, self.columns])

    def why_no_value(self, pairs: Pairs, row: int) -> str:
        """The reason: a side has no boundaries."""
        empty = pairs.ref_offsets[row] == pairs.ref_offsets[row + 1]
        side = "reference" if empty else "hypothesis"
        return f"the {side} has no boundary to measure a distance to"


@dataclass(frozen=True)
class BoundaryDeviation(_Nearest):
    """Distance from boundaries to the nearest boundary of the other side: the median, both ways.

    `ref_to_hyp` is the median distance from a reference boundary to the nearest hypothesis
    boundary, `hyp_to_ref` the reverse (Turnbull et al. 2007; mir_eval's `deviation` with
    trim=True); the value is their mean. Undefined if a side has no boundary. Lower is better.

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([4, 7])
    >>> score = BoundaryDeviation()(ref, hyp)
    >>> score, score.ref_to_hyp, score.hyp_to_ref
    (1.25, 1.5, 1.0)
    """

    name = "deviation"
    reading = "the median distance in units, both ways"
    papers: ClassVar[tuple[str, ...]] = ("turnbull2007",)
    columns: ClassVar[list[int]] = [0, 1, 3]
    # Both medians, summed over documents, and documents.
    statistic_names: ClassVar[tuple[str, ...]] = ("ref_to_hyp_sum", "hyp_to_ref_sum", "documents")
    quotients: ClassVar[Mapping[str, tuple[int, int]]] = {
        "ref_to_hyp": (0, 2),
        "hyp_to_ref": (1, 2),
    }

    def values(self, rows: Floats) -> Floats:
        """The mean of both medians."""
        return ratio((rows[:, 0] + rows[:, 1]) / 2, rows[:, 2])


@dataclass(frozen=True)
class Hausdorff(_Nearest):
    """The largest distance from any boundary to the nearest boundary of the other side.

    It equals `hausdorff` of ruptures. Undefined if a side has no boundary. Lower is better.

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([4, 7])
    >>> Hausdorff()(ref, hyp)
    2.0
    """

    name = "hausdorff"
    reading = "the largest distance from a boundary to the nearest one of the other side"
    papers: ClassVar[tuple[str, ...]] = ("truong2020",)
    columns: ClassVar[list[int]] = [2, 3]
    # Distance, summed over documents, and documents.
    statistic_names: ClassVar[tuple[str, ...]] = ("distance", "documents")


@dataclass(frozen=True)
class GHD(Metric):
    """Generalised Hamming distance: the least cost of turning the hypothesis into the reference.

    Bookstein, Kulyukin & Raita (2002); the defaults are those of NLTK's `ghd`. Time grows with the
    number of boundaries (NLTK: with the product of both numbers). Lower is better; there is no
    upper bound.

    Parameters
    ----------
    insertion: cost of a boundary that only the reference has.
    deletion: cost of a boundary that only the hypothesis has.
    shift: cost of moving a boundary by one position.

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([3, 8])
    >>> GHD()(ref, hyp)  # one shift by 1, one insertion
    3.0
    """

    name = "ghd"
    latex: ClassVar[str | None] = "GHD"
    reading = "the least cost of turning the hypothesis into the reference"
    papers: ClassVar[tuple[str, ...]] = ("bookstein2002",)
    higher_is_better = False
    symmetric = False  # insertion and deletion may cost differently
    # Cost, and documents.
    statistic_names: ClassVar[tuple[str, ...]] = ("cost", "documents")

    insertion: float = 2
    deletion: float = 2
    shift: float = 1

    def __post_init__(self) -> None:
        plain_numbers(self)
        check_weight(self.insertion, "insertion")
        check_weight(self.deletion, "deletion")
        check_weight(self.shift, "shift")

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        costs = (self.insertion, self.deletion, self.shift)
        return pairs.rows(distance.ghd, 2, *costs, threads=threads)
