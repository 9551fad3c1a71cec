"""B and S as segeval prints them, and F1 of its confusion matrix, for several n_t.

segeval finds edits greedily; it prices a transposition by d / n_t in S, too; its confusion matrix
credits a near miss with its cost instead of its correctness, and `precision` and `recall` of it,
without a class, are both tp / (tp + fp + fn). Without a boundary on either side it fails.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats
from segscore.conventions.audit_table import AuditRow, trouble_note
from segscore.conventions.symbols import chunks_as_gaps
from segscore.metrics.edits import BoundarySimilarity, EditMetric, SegmentationSimilarity
from segscore.metrics.ratios import ratio
from segscore.pairing.pairs import Pairs

SIZES = (2, 4, 10)  # of n_t: the default, and those of scripts
_FAILS = "fails: no boundary on either side"


class EditValues(NamedTuple):
    """The values of each document, and of all documents together."""

    values: Floats
    pooled: float
    empty: Any  # documents without a boundary on either side, a mask


class EditedPairs:
    """The documents, and the statistics of metrics, each computed once."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs
        self._rows: dict[EditMetric, Floats] = {}

    def rows(self, metric: EditMetric) -> Floats:
        """The statistics of each document."""
        if metric not in self._rows:
            self._rows[metric] = metric.rows(self.pairs)
        return self._rows[metric]

    @property
    def empty(self) -> Any:
        """Whether each document has no boundary on either side."""
        return (np.diff(self.pairs.ref_offsets) == 0) & (np.diff(self.pairs.hyp_offsets) == 0)


class EditConvention(NamedTuple):
    """B, S, or F1 of the confusion matrix, in one implementation.

    empty: what it prints for a document without any boundary; NaN: it fails.
    """

    name: str
    measure: str
    sentence: str
    source: str
    at: str
    score: Callable[[EditedPairs], EditValues]
    empty: float = math.nan
    cost: float = 1.0


def _of_metric(metric: EditMetric) -> Callable[[EditedPairs], EditValues]:
    def score(edited: EditedPairs) -> EditValues:
        rows = edited.rows(metric)
        pooled = float(metric.values(rows.sum(axis=0)[None])[0])
        return EditValues(metric.values(rows), pooled, edited.empty)

    return score


def _of_chunks(edited: EditedPairs) -> EditValues:
    """The labels of chunkseg, read as gaps."""
    seen = chunks_as_gaps(edited.pairs)
    chunks = EditedPairs(Pairs(seen.length, *seen.ref, *seen.hyp))
    return _of_metric(BoundarySimilarity(method="greedy"))(chunks)


def _of_matrix(n_t: int, micro: bool) -> Callable[[EditedPairs], EditValues]:
    """The F1 of segeval's confusion matrix, or what it calls precision and recall (micro)."""
    metric = BoundarySimilarity(n_t, method="greedy")

    def score(edited: EditedPairs) -> EditValues:
        _, _, n_pairs, credit, extra, missed, _ = edited.rows(metric).T
        matches = edited.rows(BoundarySimilarity(1))[:, 3]
        tp = matches + (n_pairs - extra - missed) - credit
        counts = np.stack([tp, extra, missed])
        pooled = _rate(counts.sum(axis=1)[:, None], micro)
        return EditValues(_rate(counts, micro), float(pooled[0]), edited.empty)

    return score


def _rate(counts: Floats, micro: bool) -> Floats:
    tp, extra, missed = counts
    above, below = (tp, tp + extra + missed) if micro else (2 * tp, 2 * tp + extra + missed)
    return ratio(above, below)


_SEGEVAL = "segeval/similarity"

EDIT_CONVENTIONS: tuple[EditConvention, ...] = (
    EditConvention(
        "segscore", "b", "segscore's b: Fournier 2013, with the fewest edits.", "the paper",
        "n_t 2", _of_metric(BoundarySimilarity()), 1.0, 0,
    ),
    *(
        EditConvention(
            "segeval", "b", "segeval's boundary_similarity: edits found greedily.", _SEGEVAL,
            f"n_t {n_t}", _of_metric(BoundarySimilarity(n_t, method="greedy")),
            cost=0.5 if n_t == 2 else 1.0,
        )
        for n_t in SIZES
    ),
    EditConvention(
        "chunkseg", "b", "chunkseg: segeval's B on chunk labels, taken for gaps; 1 for two equal "
        "sides where segeval fails.", "chunkseg/metrics.py", "n_t 2", _of_chunks, 1.0,
    ),
    EditConvention(
        "segscore", "s", "segscore's s: Fournier & Inkpen 2012, with the fewest edits.",
        "the paper", "n_t 2", _of_metric(SegmentationSimilarity()), 1.0, 0,
    ),
    *(
        EditConvention(
            "segeval", "s", "segeval's segmentation_similarity: edits found greedily, a "
            "transposition costs d / n_t.", _SEGEVAL, f"n_t {n_t}",
            _of_metric(SegmentationSimilarity(n_t, cost="span", method="greedy")),
            cost=0.5 if n_t == 2 else 1.0,
        )
        for n_t in SIZES
    ),
    *(
        EditConvention(
            "segeval-fmeasure", "b-f1", "segeval's fmeasure of boundary_confusion_matrix, which "
            "credits a near miss with its cost, so that farther ones count more.",
            "segeval/ml", f"n_t {n_t}", _of_matrix(n_t, micro=False),
        )
        for n_t in SIZES
    ),
    *(
        EditConvention(
            "segeval-precision", "b-f1", "segeval's precision and recall of "
            "boundary_confusion_matrix, without a class: both are tp / (tp + fp + fn).",
            "segeval/ml", f"n_t {n_t}", _of_matrix(n_t, micro=True), cost=1.5,
        )
        for n_t in SIZES
    ),
)  # fmt: skip
EDIT_MEASURES = ("b", "s", "b-f1")


def edit_rows(pairs: Pairs, measures: tuple[str, ...]) -> Iterator[AuditRow]:
    """A number for a document; the mean and the pooled number for a corpus."""
    edited = EditedPairs(pairs)
    for convention in EDIT_CONVENTIONS:
        if convention.measure in measures:
            yield from _rows(convention, convention.score(edited), pairs)


def _rows(convention: EditConvention, found: EditValues, pairs: Pairs) -> Iterator[AuditRow]:
    fails = math.isnan(convention.empty)
    printed = np.where(found.empty, convention.empty, found.values)
    defined = found.values[~(np.isnan(found.values) | (found.empty & fails))]
    undefined = len(pairs) - len(defined)
    value = float(defined.mean()) if len(defined) else math.nan
    note = trouble_note([_FAILS if fails else "undefined: no place for a boundary"] * undefined)

    def row(average: str, value: float, prints: float) -> AuditRow:
        return AuditRow(
            convention.name, convention.measure, average, None, None, value, prints, len(pairs),
            undefined, note, convention.at,
        )  # fmt: skip

    if len(pairs) == 1:
        yield row("document", value, float(printed[0]))
        return
    yield row("mean", value, float(printed.mean()))
    yield row("pooled", found.pooled, found.pooled)
