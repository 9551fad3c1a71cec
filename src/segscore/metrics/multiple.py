"""WindowDiff against many references at once: multWinDiff.

Kazantseva & Szpakowicz (2012), eq. 7-10. In each window each of the h references has a number
of boundaries. Summed over windows,

- E counts the references that have another number than the hypothesis,
- best counts those that have another number than the most frequent one,
- worst counts those that have another number than the least frequent one; a possible number that no
  reference has is less frequent than all others.

mean = E/(h·W), with W windows, and likewise best and worst; the score is (mean-best)/(worst-best):
0 is the best and 1 the worst that is possible with these references.
(Eq. 8-10 as printed mix a sum, a mean over windows and a mean over annotators; the bounds that the
paper reports are those of the form above.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from segscore._kernels import multiple, window
from segscore.basics.arguments import Floats, Int64Array
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric
from segscore.metrics.ratios import ratio
from segscore.metrics.window import EDGES, SlidingWindow
from segscore.pairing.pairs import Pairs


@dataclass(frozen=True)
class MultiWindowDiff(SlidingWindow, Metric):
    """WindowDiff against several references, between the best and the worst possible.

    Parts: `mean`, the mean WindowDiff over references; `best` and `worst`, its bounds; `k` for a
    single document. With one reference it is WindowDiff (except under `wrap` and `wrap-seam` with
    k = 1, where one window holds only the seam). Undefined if best and worst are the same. Lower is
    better.

    Parameters
    ----------
    k: size of the window: a number of units, or a time such as "60s" if units have a duration.
        None: max(min_k, round(N / (2 · segments)) + k_offset), half the mean segment of all
        references together.
    rounding: how that rule rounds: "half-even", "half-up", "floor" or "ceil".
    min_k: the smallest k that the rule may give.
    k_offset: number that the rule adds to k.
    edges: windows at the ends of the text. "drop": only windows inside it. "pad": also windows that
        reach beyond it, where no boundary is. "wrap": windows continue at the start of the text.
        "wrap-seam": the same, and the place where end and start meet is a boundary of both sides.

    >>> refs = [Segmentation.from_masses(m) for m in ([4, 4, 4], [4, 8], [5, 7])]
    >>> score = MultiWindowDiff()(refs, Segmentation.from_masses([6, 6]))
    >>> round(score, 4), round(score.mean, 4), round(score.best, 4), score.worst, score.k
    (0.2727, 0.4074, 0.1852, 1.0, 3)
    """

    name: ClassVar[str] = "multwindowdiff"
    latex: ClassVar[str | None] = "multWinDiff"
    higher_is_better: ClassVar[bool] = False
    perfect: ClassVar[float | None] = 0
    symmetric: ClassVar[bool] = False
    many_references: ClassVar[bool] = True

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """Sums over windows and references: errors, fewest and most possible; and h·W."""
        return "errors", "best_errors", "worst_errors", "windows"

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each document."""
        groups = _groups(pairs)
        return pairs.rows(
            multiple.multiple_window_diff,
            4,
            groups,
            self._sizes(pairs, groups),
            EDGES.index(self.edges),
            threads=threads,
        )

    def values(self, rows: Floats) -> Floats:
        """(errors − best) / (worst − best)."""
        return ratio(rows[:, 0] - rows[:, 1], rows[:, 2] - rows[:, 1])

    def parts(self, row: Floats, pair: tuple[Any, Segmentation] | None) -> dict[str, Any]:
        """Mean over references, its bounds, the statistics, and k for a single document."""
        parts = super().parts(row, pair)
        return {**parts, "k": self.window_size(pair[0])} if pair else parts

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Mean over references, its bounds, and the statistics."""
        shares = {
            name: ratio(rows[:, i], rows[:, 3]) for i, name in enumerate(("mean", "best", "worst"))
        }
        return {**shares, **super().part_values(rows)}

    def window_size(self, ref: Segmentation | Sequence[Segmentation]) -> int:
        """The k for a group of references: half their pooled mean segment.

        >>> MultiWindowDiff().window_size([Segmentation.from_masses([4, 8])] * 3)
        3
        """
        pairs = Pairs.from_segmentations([ref], [ref if isinstance(ref, Segmentation) else ref[0]])
        return int(self._sizes(pairs, _groups(pairs))[0])

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """No window, or nothing between best and worst."""
        units = int(pairs.n_units[row])
        if units < 2:
            return Metric.why_undefined(self, pairs, row)
        k = self.in_units(pairs.provenance).window_size(pairs.references(row))
        if k >= units and self.edges != "pad":
            return f"k = {k} needs more than {k} units, but the document has {units}"
        return "the references differ so much that every hypothesis is as good as any other"

    def _sizes(self, pairs: Pairs, groups: Int64Array) -> Int64Array:
        """The k of each document."""
        references = np.diff(groups)
        if (pairs.n_units > np.iinfo(np.int64).max // references).any():
            raise SegmentationError(
                "a document has too many units or references: expected units × references below "
                "2**63"
            )
        segments = np.diff(pairs.ref_offsets[groups]) + references
        sizes = np.empty(len(pairs), np.int64)
        window.sizes(pairs.n_units * references, segments, self.rule_for(pairs), sizes)
        return sizes


def _groups(pairs: Pairs) -> Int64Array:
    """Offsets of the references of each document; one each if Pairs has no groups."""
    return np.arange(len(pairs) + 1) if pairs.groups is None else pairs.groups
