"""Other implementations of F1: of boundaries within a tolerance, and of segments that overlap.

Each convention counts how many boundaries or segments of either side are found (`f_counting.py`).

Those that can be installed (ruptures, mir_eval, pyannote.metrics, chunkseg) are compared in
tests/peers, crashes included; the others follow the rule that their code states.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from segscore.conventions.f_counting import (
    Count,
    Counts,
    Printed,
    any_below,
    as_computed,
    chunks,
    collar,
    exact,
    matched,
    nearest_first,
    nearest_in_turn,
    one_of_nothing,
    optimal,
    ruptures,
    ruptures_prints,
    zero,
)
from segscore.metrics.segment_matching import SegmentMatch

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
    far-fetched it is (`all_conventions.py`).
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
