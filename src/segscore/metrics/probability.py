"""Measures that are probabilities, or expected costs, of errors: P_D and C_seg.

Sources: Beeferman, Berger & Lafferty (1997), P_D; Doddington (1998), C_seg of the TDT evaluations.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from segscore._kernels import overlap, window
from segscore.basics.arguments import Floats, Int64Array
from segscore.coding.segmentation import Segmentation
from segscore.metrics.base import Metric
from segscore.metrics.ratios import check_weight, plain_numbers, ratio
from segscore.metrics.window import SlidingWindow
from segscore.pairing.pairs import Pairs, Step


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
    latex = "$P_D$"
    reading = "how often two units share a segment on one side only"
    papers = ("beeferman1997",)
    higher_is_better = False
    perfect = 0
    # Weight of the pairs of units on which both sides disagree, and of all pairs.
    statistic_names = ("disagreement", "weight")

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
    latex = r"$C_{\mathit{seg}}$"
    reading = "the expected cost of misses and false alarms"
    papers = ("doddington1998",)
    # Windows: missed, with a ref boundary, false alarms, without a ref boundary.
    statistic_names = (
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
        held = nothing.rows_of_steps([step], threads)[0][:, 0]
        if self.edges == "wrap-seam":  # a boundary of the empty hypothesis, too: nothing is missed
            held += self._seam_windows(pairs) * (errors[:, 2] > 0)
        return np.column_stack([errors[:, 0], held, errors[:, 1], errors[:, 2] - held])

    @property
    def value_range(self) -> tuple[float, float]:
        """The range up to both costs, weighted by their probabilities."""
        return 0.0, self.c_miss * self.p_seg + self.c_fa * (1 - self.p_seg)

    def _seam_windows(self, pairs: Pairs) -> Int64Array:
        """The number of windows with the seam: k of each document."""
        k = np.empty(len(pairs), np.int64)
        window.sizes(pairs.n_units, np.diff(pairs.ref_offsets) + 1, self.rule_for(pairs), k)
        return k

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
