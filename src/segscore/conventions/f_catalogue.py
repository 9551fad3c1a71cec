"""Other implementations of F1: of boundaries within a tolerance, and of segments that overlap.

Each convention counts how many boundaries or segments of either side are found (`f_counting.py`).

Those that can be installed (ruptures, mir_eval, pyannote.metrics, chunkseg) are compared in
tests/peers, crashes included; the others follow the rule that their code states.

The F1 rows of an audit: each convention's number for a document, or its averages.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from segscore.basics.arguments import Floats
from segscore.conventions.audit_table import AuditRow, trouble_note
from segscore.conventions.f_counting import (
    Count,
    Counts,
    Printed,
    Reach,
    any_below,
    as_computed,
    chunks,
    collar,
    exact,
    f_of,
    has_labels,
    matched,
    nearest_first,
    nearest_in_turn,
    one_of_nothing,
    optimal,
    ruptures,
    ruptures_prints,
    segment_codes,
    zero,
)
from segscore.metrics.segment_matching import SegmentMatch
from segscore.pairing.pairs import Pairs

FMeasure = Literal["f1", "segment-f1"]
FAverage = Literal["mean", "pooled", "mean-rates"]

BACKGROUND, OUTSIDE = "background", "O"


@dataclass(frozen=True)
class FConvention:
    """F1 in one program: how it counts, at which thresholds, and what it prints if there is nothing
    to count.

    `average` is how the program itself averages documents. `at` names thresholds; None: the given
    tolerance. `labels` are needed on both sides; `only_with` is a label that must occur.
    `positive`: with a tolerance of 0 nothing would match, or it fails. `nothing`: the precision or
    recall if there is nothing to count, in averages; None: it is left out. `exact`: it has no
    tolerance, and is left out if one is given. `source`: the program or file; `cost`: how
    far-fetched it is (`auditing.py`).
    """

    name: str
    sentence: str
    measure: FMeasure
    count: Count
    average: FAverage
    prints: Callable[[Counts], Printed] = as_computed
    at: str | None = None
    labels: bool = False
    only_with: str | None = None
    positive: bool = False
    nothing: float | None = None
    exact: bool = False
    source: str | None = None
    cost: float = 1.0


VIDCHAPTERS = tuple(
    SegmentMatch(iou, strict=True, labels=False, matching="any") for iou in (0.3, 0.5, 0.7, 0.9)
)
CHAPTER_LLAMA = tuple(
    SegmentMatch(percent / 100, labels=False, matching="any") for percent in range(50, 100, 5)
)


def _action(percent: int, ignore: tuple[str, ...]) -> FConvention:
    without = f", without segments labelled {BACKGROUND!r}" if ignore else ""
    return FConvention(
        f"f1@{percent}" + ("-no-background" if ignore else ""),
        "Action segmentation (MS-TCN and its successors): runs of one label; each hypothesis "
        f"segment takes the reference segment of the largest IoU{without}; counts pooled.",
        "segment-f1",
        matched(
            [SegmentMatch(percent / 100, labels=True, ignore=ignore, matching="argmax")], runs=True
        ),
        "pooled",
        at=f"IoU ≥ {percent / 100:g}",
        labels=True,
        only_with=BACKGROUND if ignore else None,
    )


F_CONVENTIONS: tuple[FConvention, ...] = (
    FConvention(
        "segscore",
        "segscore's f1: as many pairs as possible, at most the tolerance apart; the ends of the "
        "text do not count.",
        "f1",
        optimal(ends=0),
        "pooled",
        cost=0,
    ),
    FConvention(
        "superdialseg",
        "F1 of the label 1 among N labels, the last being 0; 0 where there is nothing to find.",
        "f1",
        exact(ends=0),
        "mean",
        zero,
        at="the same place",
        exact=True,
        nothing=0.0,
        source="SuperDialseg metrics/classification.py; sklearn's f1_score on gaps or labels",
        cost=0.5,
    ),
    FConvention(
        "labels-last-1",
        "F1 of the label 1 among N labels, the last being 1 on both sides, and found.",
        "f1",
        exact(ends=1),
        "mean",
        at="the same place",
        exact=True,
        nothing=0.0,
        source="sklearn's f1_score on a label per unit",
        cost=0.5,
    ),
    FConvention(
        "chunkseg",
        "chunkseg: chunks of 6 s (or units) with a boundary inside; F of the mean precision and "
        "the mean recall, each 0 of nothing.",
        "f1",
        chunks,
        "mean-rates",
        zero,
        at="the same chunk",
        exact=True,
        nothing=0.0,
        source="chunkseg/metrics.py",
        cost=0.5,
    ),
    FConvention(
        "chunkseg-collar",
        "chunkseg's collar F1: the nearest two first; 1 if no side has a boundary, 0 if one has "
        "none.",
        "f1",
        nearest_first,
        "mean",
        collar,
        source="chunkseg/metrics.py",
    ),
    FConvention(
        "mir_eval-trimmed",
        "mir_eval.segment.detection with trim=True: the same; 0 if a side has no boundary.",
        "f1",
        optimal(ends=0),
        "mean",
        zero,
    ),
    FConvention(
        "mir_eval",
        "mir_eval.segment.detection as it comes: both ends of the text count, and are found.",
        "f1",
        optimal(ends=2),
        "mean",
    ),
    FConvention(
        "pyannote",
        "pyannote.metrics.segmentation: the nearest two first, which can lose a pair; a side "
        "without a boundary has 1.",
        "f1",
        nearest_first,
        "pooled",
        one_of_nothing,
    ),
    FConvention(
        "ruptures",
        "ruptures.metrics.precision_recall: nearer than the margin, not at it; a reference "
        "boundary takes all hypothesis boundaries that are near.",
        "f1",
        ruptures,
        "mean",
        ruptures_prints,
        positive=True,
    ),
    FConvention(
        "tcpdbench",
        "TCPDBench: the start of the text counts, and is found; each reference boundary in turn "
        "takes the nearest that is free.",
        "f1",
        nearest_in_turn,
        "mean",
    ),
    FConvention(
        "vidchapters",
        "VidChapters: starts of chapters, including the first, nearer than the tolerance; a "
        "boundary may match several; F of the mean precision and the mean recall.",
        "f1",
        any_below(start=True),
        "mean-rates",
        positive=True,
    ),
    FConvention(
        "chapter-llama",
        "Chapter-Llama: starts of chapters without the first, nearer than the tolerance; a "
        "boundary may match several.",
        "f1",
        any_below(start=False),
        "mean",
        positive=True,
    ),
    FConvention(
        "vidchapters-iou",
        "VidChapters: chapters that reach an IoU with any chapter of the other side, mean over "
        "thresholds; F of the mean precision and the mean recall.",
        "segment-f1",
        matched(VIDCHAPTERS),
        "mean-rates",
        at="IoU > 0.3, 0.5, 0.7, 0.9",
    ),
    FConvention(
        "chapter-llama-iou",
        "Chapter-Llama: the same with ≥ and ten thresholds, mean of the videos' F1.",
        "segment-f1",
        matched(CHAPTER_LLAMA),
        "mean",
        at="IoU ≥ 0.5, 0.55 … 0.95",
    ),
    FConvention(
        "soda",
        "SODA without captions: the sum of IoU of the best matching that keeps the order, over "
        "segments.",
        "segment-f1",
        matched([SegmentMatch(labels=False, matching="soda")]),
        "mean",
    ),
    *(_action(percent, ignore) for ignore in ((), (BACKGROUND,)) for percent in (10, 25, 50)),
    FConvention(
        "seqeval",
        "seqeval: entities whose label and both ends are right; segments labelled 'O' are not "
        "entities.",
        "segment-f1",
        matched([SegmentMatch(1, labels=True, ignore=(OUTSIDE,))]),
        "pooled",
        at="IoU = 1",
        labels=True,
    ),
)


_AVERAGES: tuple[FAverage, ...] = ("mean", "pooled", "mean-rates")
_SIDES = ("ref", "hyp")
_NO_PLACE = "undefined: one unit has no place for a boundary"

Rates = tuple[float, float]  # precision, recall
NO_RATES = math.nan, math.nan

Thresholds = Sequence[Counts]  # what was counted at each threshold


def f_rows(pairs: Pairs, reach: Reach, measures: Sequence[str]) -> Iterator[AuditRow]:
    """The numbers of all conventions of these measures that the documents allow."""
    labelled = has_labels(pairs)
    used = set()
    if labelled:
        codes = np.unique(np.concatenate([segment_codes(pairs, side) for side in _SIDES]))
        used = {pairs.label_names[code] for code in codes.tolist() if code >= 0}
    for convention in F_CONVENTIONS:
        if convention.measure not in measures or (convention.labels and not labelled):
            continue
        if convention.only_with is None or convention.only_with in used:
            yield from _audited(convention, pairs, reach)


def _audited(convention: FConvention, pairs: Pairs, reach: Reach) -> Iterator[AuditRow]:
    """A number for a document, three numbers for a corpus."""
    at = convention.at or (reach.text if convention.measure == "f1" else None)
    seen = convention.count(pairs, reach)
    no_place = pairs.n_units == 1
    counts = [count.without(no_place) for count in seen] if convention.measure == "f1" else seen
    each = [count.f for count in counts]
    undefined = int(np.isnan(each[0]).sum())

    def row(
        average: str, value: float, prints: float, note: str | None, rates: Rates = NO_RATES
    ) -> AuditRow:
        return AuditRow(
            convention.name, convention.measure, average, None, None, value, prints, len(pairs),
            undefined, note, at, precision=rates[0], recall=rates[1],
        )  # fmt: skip

    if convention.positive and reach.within == 0:
        average = "document" if len(pairs) == 1 else convention.average
        yield row(average, math.nan, math.nan, "needs a tolerance above 0 (tolerance=)")
        return
    prints, note = _printed(convention, seen, pairs)
    if len(pairs) == 1:
        rates = _rates(counts, "mean", None)
        yield row("document", float(_over_thresholds(each)[0]), prints, note, rates)
        return
    for average in _AVERAGES:
        value = _mean_of(each) if average == "mean" else _together(counts, average, None)
        trouble = note if average == "mean" else None
        own = "how it averages documents itself" if average == convention.average else None
        remark = "; ".join(filter(None, (own, trouble))) or None
        printed = prints if average == "mean" else value
        if convention.nothing is not None and average == "mean-rates":
            printed = _together(counts, average, convention.nothing)
        yield row(average, value, printed, remark, _rates(counts, average, convention.nothing))


def _printed(convention: FConvention, seen: Thresholds, pairs: Pairs) -> tuple[float, str | None]:
    """The mean of what the implementation prints, and notes about it."""
    printed = [convention.prints(count) for count in seen]
    notes = dict(printed[0].notes)
    if convention.measure == "f1":
        for row in np.flatnonzero(pairs.n_units == 1).tolist():
            notes.setdefault(row, _NO_PLACE)
    values = _over_thresholds([prints.values for prints in printed])
    return float(values.sum()) / len(values), trouble_note([notes[row] for row in sorted(notes)])


def _mean_of(thresholds: Sequence[Floats]) -> float:
    """The mean of documents' F, without undefined values."""
    values = _over_thresholds(thresholds)
    defined = values[~np.isnan(values)]
    return float(defined.sum()) / len(defined) if len(defined) else math.nan


def _together(counts: Thresholds, average: FAverage, nothing: float | None) -> float:
    """F of all documents together, as the mean over thresholds."""
    together = (_rates([count], average, nothing) for count in counts)
    return _mean([float(f_of(*(np.array([rate]) for rate in both))[0]) for both in together])


def _rates(counts: Thresholds, average: FAverage, nothing: float | None) -> Rates:
    """Precision and recall of all documents together, as means over thresholds."""
    found = [count.added_up() if average == "pooled" else count for count in counts]
    precision, recall = zip(*(count.rates for count in found), strict=True)
    return _rate(precision, nothing), _rate(recall, nothing)


def _rate(thresholds: Sequence[Floats], nothing: float | None) -> float:
    """The mean over thresholds of means over documents."""
    means = []
    for threshold in thresholds:
        none = np.isnan(threshold)
        kept = threshold[~none] if nothing is None else np.where(none, nothing, threshold)
        means.append(float(kept.sum()) / len(kept) if len(kept) else math.nan)
    return _mean(means)


def _over_thresholds(columns: Sequence[Floats]) -> Floats:
    """The mean of each row."""
    return columns[0] if len(columns) == 1 else np.stack(columns).sum(axis=0) / len(columns)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
