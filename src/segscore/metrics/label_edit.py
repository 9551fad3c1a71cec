"""How far two sequences of segment labels agree, wherever the boundaries are."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import segment_labels
from segscore.basics.arguments import Floats
from segscore.metrics.base import Metric
from segscore.metrics.label_codes import checked_ignore, label_codes, unlabelled, without_labels
from segscore.metrics.ratios import ratio
from segscore.pairing.pairs import Pairs


@dataclass(frozen=True)
class LabelEdit(Metric):
    """1 − Levenshtein distance of the labels of both sides' segments / the larger number of them.

    The "edit score" of temporal action segmentation (Lea et al. 2016), which looks at the order of
    labels and not at where they stand. A segment without a label is like no other. Neighbouring
    segments with the same label stay two segments. The statistics are the value and 1, so that the
    micro-average is the macro-average. Undefined if one side has no labels. Higher is better.

    Parameters
    ----------
    ignore: labels such as "background" whose segments are left out, on either side.

    >>> from segscore import Segmentation
    >>> ref = Segmentation.from_masses([4, 6, 2], segment_labels=["pour", "stir", "drink"])
    >>> hyp = Segmentation.from_masses([5, 7], segment_labels=["pour", "drink"])
    >>> round(LabelEdit()(ref, hyp), 4), LabelEdit(ignore=("stir",))(ref, hyp)
    (0.6667, 1.0)
    """

    name: ClassVar[str] = "label-edit"
    higher_is_better: ClassVar[bool] = True
    perfect: ClassVar[float | None] = 1
    symmetric: ClassVar[bool] = True
    uses_labels: ClassVar[bool] = True

    ignore: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "ignore", checked_ignore(self.ignore))

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The value of a document, and 1 if it has one."""
        return "similarity", "documents"

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        rows = np.zeros((len(pairs), 2))
        codes = [label_codes(pairs, side, self.name, self.ignore) for side in ("ref", "hyp")]
        if not (codes[0].size and codes[1].size):
            return rows
        edits, n_ref, n_hyp = pairs.rows(segment_labels.label_edit, 3, *codes, threads=threads).T
        values = 1 - ratio(edits, np.maximum(n_ref, n_hyp))
        values[unlabelled(pairs, self.name)] = np.nan
        defined = ~np.isnan(values)
        rows[defined, 0] = values[defined]
        rows[:, 1] = defined
        return rows

    def values(self, rows: Floats) -> Floats:
        """The mean of the documents' values."""
        return ratio(rows[:, 0], rows[:, 1])

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Documents in which one side has no labels."""
        del values
        return unlabelled(pairs, self.name)

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """No labels, or no segment that counts."""
        return without_labels(pairs, row) or "neither side has a segment that counts"
