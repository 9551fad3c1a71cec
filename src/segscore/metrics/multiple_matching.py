"""Boundary precision, recall and F against several annotators at once, as for change points.

van den Burg & Williams (2020), TCPDBench: precision asks whether a boundary of the hypothesis is
near a boundary of any annotator, recall is the mean over annotators of the share of their
boundaries that were found. Nobody is punished for a boundary that one annotator alone marked, nor
for not finding it more than by that annotator's share.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.metrics.base import Metric
from segscore.metrics.matching import BoundaryMatch, Ends, Tolerance
from segscore.metrics.ratios import check_beta, f_of_rates, ratio
from segscore.pairing.pairs import Pairs


@dataclass(frozen=True)
class MultiBoundaryMatch(Tolerance, Metric):
    """F_β of boundaries against several annotators: precision by all of them, recall by each.

    Precision is TP / (boundaries of the hypothesis), where TP is the largest one-to-one matching
    with the union of all annotators' boundaries. Recall is the mean over annotators of the share of
    their own boundaries that the hypothesis matches; annotators without a boundary have none. With
    one annotator the value of a document is that of `BoundaryMatch`. TCPDBench is
    `MultiBoundaryMatch(tolerance=5, ends="start")`.

    Over documents, the sums of TP and of boundaries give precision, and recall is the mean over
    documents. Parts: `precision`, `recall`, `f`, `tp`, `fp`. Higher is better.

    Parameters
    ----------
    tolerance: how far apart two boundaries may be to match: a number of positions (0: the same
        position), or a time such as "30s" if units have a duration.
    beta: weight of recall in F_β: 1 weighs recall and precision the same, 2 recall more.
    ends: the ends of the text that count as boundaries of all sides, and so as found: "none",
        "start" (position 0), "end" (position N) or "both".
    strict: True: boundaries match if they are nearer than the tolerance; at the tolerance itself
        they do not.

    >>> from segscore import Segmentation
    >>> ann, bob = (Segmentation.from_boundaries(b, 100) for b in ([20, 50], [22, 80]))
    >>> hyp = Segmentation.from_boundaries([21, 52], 100)
    >>> score = MultiBoundaryMatch(tolerance=5, ends="start")([ann, bob], hyp)
    >>> round(score, 4), score.precision, round(score.recall, 4)
    (0.9091, 1.0, 0.8333)
    """

    name: ClassVar[str] = "multf1"
    latex: ClassVar[str | None] = "mult$F_1$"
    higher_is_better: ClassVar[bool] = True
    perfect: ClassVar[float | None] = 1
    symmetric: ClassVar[bool] = False
    many_references: ClassVar[bool] = True

    tolerance: int | str = 0
    beta: float = 1
    ends: Ends = "none"
    strict: bool = False

    def __post_init__(self) -> None:
        self.check_tolerance()
        check_beta(self.beta)

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """Matched with the union and left over; the recall, and 1 where there is one."""
        return "tp", "fp", "recalls", "documents"

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each document."""
        inner = BoundaryMatch(self.reach(pairs.provenance), ends=self.ends)
        one_each = np.arange(len(pairs) + 1, dtype=np.int64)
        groups = one_each if pairs.groups is None else pairs.groups
        all_together = inner.rows(_united(pairs, groups), threads)
        tp, _, fn = inner.rows(_each(pairs, groups), threads).T
        recalls = ratio(tp, tp + fn)
        document = np.repeat(one_each[:-1], np.diff(groups))
        sums = np.bincount(document, np.nan_to_num(recalls), len(pairs))
        counts = np.bincount(document, ~np.isnan(recalls), len(pairs))
        means = np.nan_to_num(ratio(sums, counts))
        return np.column_stack((all_together[:, :2], means, counts > 0)).astype(np.float64)

    def values(self, rows: Floats) -> Floats:
        """F_β; NaN if no side has a boundary."""
        return self._rates(rows)[2]

    def _rates(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        tp, fp, recalls, documents = rows.T
        precision, recall = ratio(tp, tp + fp), ratio(recalls, documents)
        return precision, recall, f_of_rates(precision, recall, self.beta)

    def undefined(self, pairs: Pairs, values: Floats) -> Any:
        """Documents of one unit; as `BoundaryMatch`."""
        del values
        return pairs.n_units < 2

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """One unit, or no boundary."""
        if pairs.n_units[row] < 2:
            return super().why_undefined(pairs, row)
        return "no side has a boundary"

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Precision, recall, F and the counts."""
        named = dict(zip(("precision", "recall", "f"), self._rates(rows), strict=True))
        return {**named, "tp": rows[:, 0], "fp": rows[:, 1]}


def _united(pairs: Pairs, groups: Int64Array) -> Pairs:
    """One reference per document: the boundaries that any of its references has."""
    counts = np.diff(pairs.ref_offsets[groups])
    document = np.repeat(np.arange(len(pairs)), counts)
    order = np.lexsort((pairs.ref_positions, document))
    document, positions = document[order], pairs.ref_positions[order]
    new = np.ones(len(positions), np.bool_)
    new[1:] = (document[1:] != document[:-1]) | (positions[1:] != positions[:-1])
    sizes = np.bincount(document[new], minlength=len(pairs))
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    return Pairs(
        pairs.n_units, offsets, positions[new], pairs.hyp_offsets, pairs.hyp_positions
    )  # fmt: skip


def _each(pairs: Pairs, groups: Int64Array) -> Pairs:
    """A row for each reference, with the hypothesis of its document."""
    document = np.repeat(np.arange(len(pairs)), np.diff(groups))
    sizes = np.diff(pairs.hyp_offsets)[document]
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    places = np.arange(offsets[-1]) + np.repeat(pairs.hyp_offsets[document] - offsets[:-1], sizes)
    return Pairs(
        pairs.n_units[document], pairs.ref_offsets, pairs.ref_positions, offsets,
        pairs.hyp_positions[places],
    )  # fmt: skip
