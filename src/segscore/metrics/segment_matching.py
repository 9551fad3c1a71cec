"""Segment precision, recall and F: segments matched by their overlap, and by their labels.

IoU of two segments r and h is |r ∩ h| / |r ∪ h|, lengths in units. A pair matches if its IoU
reaches a threshold. Programs differ in which pairs count:

- `optimal`: one to one, as many as possible.
- `argmax`: hypothesis segments in order take the reference segment with the largest IoU, if it is
  still free, as in the programs of temporal action segmentation (Lea et al. 2017: F1@10, F1@25,
  F1@50). From a threshold of .5 on, this equals `optimal`.
- `any`: many to many. Precision is the share of hypothesis segments that reach the threshold with
  any reference segment, recall the reverse, as in programs for video chapters.
- `soda`: no threshold. Σ IoU of the best one-to-one matching that keeps the order, after Fujita et
  al. (2020), takes the place of the number of matches.

With threshold 1 this is word F1 (word segmentation), with labels strict entity F1.
"""

import warnings
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import segment_matching
from segscore.basics.arguments import Floats, check_choice, shown, truth
from segscore.errors import MetricWarning, SegmentationError
from segscore.metrics import label_codes as coded
from segscore.metrics.base import PrecisionRecallMetric
from segscore.metrics.ratios import f_of_rates, plain_numbers, ratio
from segscore.pairing.pairs import Pairs

SegmentMatching = Literal["optimal", "argmax", "any", "soda"]

_MATCHINGS = ("optimal", "argmax", "any", "soda")  # in the order of the kernel's numbers
_COMPARED = {False: 0, True: 1, None: 2}
_LARGEST = 2**62
_FREE_LABELS = (
    "segment-f1 compares labels, because both sides have some, and they share none or hardly any: "
    "segments with other labels never match. If labels are titles in free words, use labels=no, as "
    "in segment-f1(labels=no); labels=yes compares them without this warning"
)


@dataclass(frozen=True)
class SegmentMatch(PrecisionRecallMetric):
    """F of segments that overlap enough, F1 = 2·tp / (segments of ref + segments of hyp).

    Two segments match if their IoU, the units they share over the units they cover together,
    reaches `iou`, and if they have the same label where labels are compared. `matching` says which
    pairs count (see the module's docstring). Parts: `precision`, `recall`, `f`, `tp`, `fp`, `fn`;
    with `soda` Σ IoU is `overlap` and there are no counts. The micro-average adds counts over
    documents (F1@k of action segmentation). A document without a segment on either side (after
    `ignore`) has no value; among other documents that is not an error. Higher is better.

    Parameters
    ----------
    iou: the threshold, above 0, 1 at most. It is taken as the decimal number written and compared
        in whole numbers, so that .3 means three tenths. `soda` does not use it.
    strict: True: IoU must be larger than the threshold.
    labels: whether segments must have the same label: True, False, or None: in documents where both
        sides have any. A segment without a label then matches nothing. There is a warning if both
        sides have labels but hardly any in common, as with titles of chapters: use False then.
    ignore: labels such as "background" whose segments are not counted, on either side; as text,
        "background/pause/".
    matching: "optimal", "argmax", "any" or "soda".

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([10, 4]), Segmentation.from_masses([3, 11])
    >>> SegmentMatch(iou=0.25)(ref, hyp), SegmentMatch(iou=0.25, matching="argmax")(ref, hyp)
    (1.0, 0.5)
    >>> ref = Segmentation.from_masses([4, 6], segment_labels=["pour", "stir"])
    >>> hyp = Segmentation.from_masses([5, 5], segment_labels=["pour", "drink"])
    >>> score = SegmentMatch()(ref, hyp)
    >>> score, score.tp, SegmentMatch(labels=False)(ref, hyp)
    (0.5, 1.0, 1.0)
    """

    name = "segment-f1"
    reading = "segments that overlap enough count as found"
    symmetric = False  # of an object: argmax only looks from the hypothesis
    uses_labels = True  # of an object: unless labels=False

    iou: float = 0.5
    strict: bool = False
    labels: bool | None = None
    ignore: tuple[str, ...] = ()
    matching: SegmentMatching = "optimal"

    def __post_init__(self) -> None:
        check_choice(self.matching, "matching", _MATCHINGS)
        truth(self.strict, "strict")
        if self.labels is not None and not isinstance(self.labels, bool):
            raise SegmentationError(f"labels is {shown(self.labels)}: expected True, False or None")
        plain_numbers(self)
        self._check_threshold()
        object.__setattr__(self, "ignore", coded.checked_ignore(self.ignore))
        object.__setattr__(self, "symmetric", self.matching != "argmax")
        object.__setattr__(self, "uses_labels", self.labels is not False or bool(self.ignore))

    def _check_threshold(self) -> None:
        iou = self.iou
        number = isinstance(iou, int | float) and not isinstance(iou, bool)
        if not number or not 0 <= iou <= 1 or iou == (1 if self.strict else 0):
            raise SegmentationError(
                f"iou is {shown(iou)}: expected a number above 0, 1 at most (with strict: 0 … 1, "
                "without 1)"
            )
        if self._fraction().denominator > _LARGEST:
            raise SegmentationError(f"iou is {iou}: expected at most 18 decimals")

    def _fraction(self) -> Fraction:
        """The threshold as written."""
        return Fraction(repr(float(self.iou)))

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The matches (of both sides if many may match), and the segments that count."""
        if self.matching == "any":
            return "ref_matched", "hyp_matched", "ref_segments", "hyp_segments"
        return "overlap" if self.matching == "soda" else "tp", "ref_segments", "hyp_segments"

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        iou = self._fraction()
        ref, hyp = self._codes(pairs, "ref"), self._codes(pairs, "hyp")
        if self.labels is None and coded.share_hardly_any(pairs, ref, hyp):
            warnings.warn(_FREE_LABELS, MetricWarning, stacklevel=2)
        return pairs.rows(
            segment_matching.segment_match,
            len(self.statistic_names),
            ref,
            hyp,
            _COMPARED[self.labels],
            iou.numerator,
            iou.denominator,
            self.strict,
            _MATCHINGS.index(self.matching),
            threads=threads,
        )

    def _codes(self, pairs: Pairs, side: str) -> coded.Codes:
        """The labels of a side; none if labels do not matter, so that several labels are not an
        error."""
        if self.labels is False and not self.ignore:
            return np.empty(0, np.int32)
        return coded.label_codes(pairs, side, self.name, self.ignore)

    def worst_rows(self, pairs: Pairs, rows: Floats) -> Floats:
        """The rows in which nothing is found: the hypothesis has no segments, the reference all of
        its own."""
        if self.labels:  # documents of which one side has no label have rows of zeros
            rows = replace(self, labels=False).rows(pairs)
        found = np.zeros_like(rows)
        found[:, -2] = rows[:, -2]
        return found

    def rates(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Precision, recall and F."""
        n_ref, n_hyp = rows[:, -2], rows[:, -1]
        if self.matching == "any":
            precision, recall = ratio(rows[:, 1], n_hyp), ratio(rows[:, 0], n_ref)
            return precision, recall, f_of_rates(precision, recall)
        found = rows[:, 0]
        return ratio(found, n_hyp), ratio(found, n_ref), ratio(2 * found, n_ref + n_hyp)

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Precision, recall, F and the counts."""
        parts = super().part_values(rows)
        if self.matching not in ("optimal", "argmax"):
            return parts
        tp, n_ref, n_hyp = rows.T
        rates = {name: parts[name] for name in ("precision", "recall", "f")}
        return {**rates, "tp": tp, "fp": n_hyp - tp, "fn": n_ref - tp, **parts}

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Whether one side of each document lacks the labels to compare."""
        if not self.labels:
            return np.zeros(len(values), np.bool_)
        return coded.unlabelled(pairs, self.name)

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """The reason: no labels, or no segment that counts."""
        reason = coded.without_labels(pairs, row) if self.labels else ""
        return reason or "neither side has a segment that counts"

    def signature_fields(self) -> dict[str, Any]:
        """All fields, without those that `soda` does not use."""
        given = super().signature_fields()
        unused = ("iou", "strict") if self.matching == "soda" else ()
        return {name: value for name, value in given.items() if name not in unused}
