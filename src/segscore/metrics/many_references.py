"""Metrics against many references at once: multWinDiff, and boundary F as for change points.

multWinDiff: Kazantseva & Szpakowicz (2012), eq. 7-10. In each window each of the h references has a
number of boundaries. Summed over windows,

- E counts the references whose number differs from that of the hypothesis,
- best counts the references whose number differs from the most frequent number,
- worst counts the references whose number differs from the least frequent number; a possible number
  that no reference has is less frequent than all others.

mean = E/(h·W), with W windows, and likewise best and worst; the score is (mean-best)/(worst-best):
0 is the best and 1 the worst that is possible with these references.
(Eq. 8-10 as printed mix a sum, a mean over windows and a mean over annotators; the bounds that the
paper reports are those of the form above.)

Boundary F: van den Burg & Williams (2020), TCPDBench. Precision asks whether a boundary of the
hypothesis is near a boundary of any annotator, recall is the mean over annotators of the share of
their boundaries that were found. A boundary that only one annotator marked costs nothing in
precision, and missing it costs no more than that annotator's share of recall.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from segscore._kernels import multiple, window
from segscore.basics.arguments import Floats, Int64Array, check_choice
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.metrics.base import ADDED_LATER
from segscore.metrics.matching import BoundaryMatch, BoundaryTolerance
from segscore.metrics.ratios import f_measure, f_of_rates, precision_recall_f, ratio
from segscore.metrics.window import EDGES, SlidingWindow, missed_and_extra
from segscore.pairing.pairs import Pairs


@dataclass(frozen=True)
class MultiWindowDiff(SlidingWindow):
    """WindowDiff against several references, scaled between the best and the worst possible value.

    Parts: `mean`, the mean WindowDiff over references; `best` and `worst`, its bounds; `missed` and
    `extra`, the means over references of the parts of WindowDiff, which add up to `mean`; `k` for a
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
        "wrap-seam": like "wrap", and the seam of end and start is a boundary of both sides.

    >>> refs = [Segmentation.from_masses(m) for m in ([4, 4, 4], [4, 8], [5, 7])]
    >>> score = MultiWindowDiff()(refs, Segmentation.from_masses([6, 6]))
    >>> round(score, 4), round(score.mean, 4), round(score.best, 4), score.worst, score.k
    (0.2727, 0.4074, 0.1852, 1.0, 3)
    >>> round(score.missed, 4), round(score.extra, 4)
    (0.2593, 0.1481)
    """

    name = "multwindowdiff"
    latex = "multWinDiff"
    reading = "between the best and the worst value that all references allow"
    papers = ("kazantseva2012",)
    many_references = True
    # Sums over windows and references: errors, fewest and most possible; h·W; and the errors in
    # which the reference has more boundaries.
    statistic_names = (
        "errors",
        "best_errors",
        "worst_errors",
        "windows",
        "missed_errors",
    )
    quotients: ClassVar[Mapping[str, tuple[int, int]]] = {
        name: (column, 3) for column, name in enumerate(("mean", "best", "worst"))
    }

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each document."""
        groups = _groups(pairs)
        return pairs.rows(
            multiple.multiple_window_diff,
            5,
            groups,
            self._sizes(pairs, groups),
            EDGES.index(self.edges),
            threads=threads,
        )

    def values(self, rows: Floats) -> Floats:
        """(errors − best) / (worst − best)."""
        return ratio(rows[:, 0] - rows[:, 1], rows[:, 2] - rows[:, 1])

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Mean, best and worst, the two kinds of errors in the mean, and the statistics."""
        return {**super().part_values(rows), **missed_and_extra(rows[:, 0], rows[:, 4], rows[:, 3])}

    def window_size(self, ref: Segmentation | Sequence[Segmentation]) -> int:
        """The k for a group of references: half their pooled mean segment.

        >>> MultiWindowDiff().window_size([Segmentation.from_masses([4, 8])] * 3)
        3
        """
        pairs = Pairs.of_one(ref, ref if isinstance(ref, Segmentation) else ref[0])
        return int(self._sizes(pairs, _groups(pairs))[0])

    def why_no_value(self, pairs: Pairs, row: int) -> str:
        """The reason: no window, or nothing between best and worst."""
        units = int(pairs.n_units[row])
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
    """The offsets of the references of each document; one reference each if Pairs has no groups."""
    return np.arange(len(pairs) + 1) if pairs.groups is None else pairs.groups


@dataclass(frozen=True)
class MultiBoundaryMatch(BoundaryTolerance):
    """F_β of boundaries against several annotators: precision by all of them, recall by each.

    Precision is TP / (boundaries of the hypothesis), where TP is the largest one-to-one matching
    with the union of all annotators' boundaries. Recall is the mean over annotators of the share of
    their own boundaries that the hypothesis matches; annotators without a boundary do not count.
    With one annotator the value of a document is that of `BoundaryMatch`. TCPDBench is
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
    rule: "all" as above; "best": the counts against the annotator with the largest F in each
        document, as event boundaries in videos are scored (Shou et al. 2021, Kinetics-GEBD, with
        tolerance="5%"); its parts are `precision`, `recall`, `f`, `tp`, `fp`, `fn`.

    >>> from segscore import Segmentation
    >>> ann, bob = (Segmentation.from_boundaries(b, 100) for b in ([20, 50], [22, 80]))
    >>> hyp = Segmentation.from_boundaries([21, 52], 100)
    >>> score = MultiBoundaryMatch(tolerance=5, ends="start")([ann, bob], hyp)
    >>> round(score, 4), score.precision, round(score.recall, 4)
    (0.9091, 1.0, 0.8333)
    """

    name = "multf1"
    latex = "mult$F_1$"
    reading = "precision by all references together, recall by each"
    papers = ("burg2020",)
    many_references = True
    nothing_counts = "no side has a boundary"

    rule: Literal["all", "best"] = field(default="all", metadata=ADDED_LATER)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.rule, "rule", ("all", "best"))

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """Matched with the union and left over, the recall, and 1 where there is one; or the counts
        against the best annotator."""
        return ("tp", "fp", "fn") if self.rule == "best" else ("tp", "fp", "recalls", "documents")

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each document."""
        units = self.in_units(pairs.provenance)
        inner = BoundaryMatch(units.tolerance, ends=self.ends, strict=self.strict)
        groups = _groups(pairs)
        if self.rule == "best":
            return _best(inner.rows(_each(pairs, groups), threads), groups, self.beta)
        all_together = inner.rows(_united(pairs, groups), threads)
        tp, _, fn = inner.rows(_each(pairs, groups), threads).T
        recalls = ratio(tp, tp + fn)
        document = np.repeat(np.arange(len(pairs)), np.diff(groups))
        sums = np.bincount(document, np.nan_to_num(recalls), len(pairs))
        counts = np.bincount(document, ~np.isnan(recalls), len(pairs))
        means = np.nan_to_num(ratio(sums, counts))
        return np.column_stack((all_together[:, :2], means, counts > 0)).astype(np.float64)

    def rates(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Precision, recall and F_β; NaN if no side has a boundary."""
        if self.rule == "best":
            return precision_recall_f(rows[:, 0], rows[:, 1], rows[:, 2], self.beta)
        tp, fp, recalls, documents = rows.T
        precision, recall = ratio(tp, tp + fp), ratio(recalls, documents)
        return precision, recall, f_of_rates(precision, recall, self.beta)

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Precision, recall, F and the counts."""
        unnamed = ("recalls", "documents")
        return {k: v for k, v in super().part_values(rows).items() if k not in unnamed}


def _best(rows: Floats, groups: Int64Array, beta: float) -> Floats:
    """The counts of each document's best row, the one with the largest F: nothing to find, and
    nothing found, is best of all; of equal ones the row with the most matches, then with the fewest
    misses."""
    f = np.nan_to_num(f_measure(rows[:, 0], rows[:, 1], rows[:, 2], beta), nan=2.0)
    document = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    return rows[np.lexsort((-rows[:, 2], rows[:, 0], f, document))[groups[1:] - 1]]


def _united(pairs: Pairs, groups: Int64Array) -> Pairs:
    """A single reference per document, with the boundaries of all its references."""
    counts = np.diff(pairs.ref_offsets[groups])
    document = np.repeat(np.arange(len(pairs)), counts)
    order = np.lexsort((pairs.ref_positions, document))
    document, positions = document[order], pairs.ref_positions[order]
    new = np.ones(len(positions), np.bool_)
    new[1:] = (document[1:] != document[:-1]) | (positions[1:] != positions[:-1])
    sizes = np.bincount(document[new], minlength=len(pairs))
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    return Pairs(pairs.n_units, offsets, positions[new], pairs.hyp_offsets, pairs.hyp_positions)


def _each(pairs: Pairs, groups: Int64Array) -> Pairs:
    """A row for each reference, with the hypothesis of its document."""
    document = np.repeat(np.arange(len(pairs)), np.diff(groups))
    sizes = np.diff(pairs.hyp_offsets)[document]
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    places = np.arange(offsets[-1]) + np.repeat(pairs.hyp_offsets[document] - offsets[:-1], sizes)
    return Pairs(
        pairs.n_units[document],
        pairs.ref_offsets,
        pairs.ref_positions,
        offsets,
        pairs.hyp_positions[places],
    )
