"""Chris Fournier & Diana Inkpen (2012): Segmentation Similarity and Agreement. NAACL 2012.

WindowDiff is printed as 1-WD. The paper's window of k units holds k-1 potential boundaries; in our
terms `rounding="half-up", k_offset=-1`. Only so do figs. 4, 7 and 8 and table 2 come out.

Table 2: the Moonstone corpus of Kazantseva & Szpakowicz (2012), chapter by chapter; 1-WD is the
mean and the population standard deviation over all ordered pairs of coders.
"""

from functools import partial
from itertools import permutations
from typing import NamedTuple

import numpy as np

from segscore.edit_distance import boundary_edits
from segscore.metrics import SegmentationSimilarity, WindowDiff
from segscore.papers.cells import COUNT, FRACTION, Cell, Run, printed
from segscore.papers.corpora import Codings, longer_by_one, moonstone
from segscore.papers.examples import Measure, figure_cells
from segscore.segmentation import Segmentation

WINDOW_DIFF = WindowDiff(rounding="half-up", k_offset=-1)


# ---- figures 4, 6, 7, 8 ----

FIGURES = {
    "fig. 4": ((1, 2, 2, 3, 3, 1, 2), (1, 2, 1, 2, 6, 2)),
    "fig. 6": ((14,), (1,) * 14),
    "fig. 7": ((1, 2, 2, 2, 4, 2, 1), (1, 2, 8, 2, 1)),
    "fig. 8": ((6, 8), (7, 7)),
}


def one_minus_window_diff(first: Segmentation, second: Segmentation) -> float:
    """The share of windows that agree, with the paper's window."""
    return 1 - WINDOW_DIFF(first, second)


def transpositions(first: Segmentation, second: Segmentation) -> float:
    """Near misses between two segmentations."""
    return len(boundary_edits(first, second).transpositions)


def full_misses(first: Segmentation, second: Segmentation) -> float:
    """Boundaries that only one of two segmentations has."""
    return len(boundary_edits(first, second).additions)


MEASURES = {
    "transpositions": Measure(transpositions, {"fig. 4": 1}, COUNT),
    "full misses": Measure(full_misses, {"fig. 4": 3}, COUNT),
    "S": Measure(
        SegmentationSimilarity(cost="unit"),
        {"fig. 4": 9 / 13, "fig. 6": 0, "fig. 7": 11 / 13, "fig. 8": 12 / 13},
        FRACTION,
        note="n_t = 2",
    ),
    "1-WD": Measure(
        one_minus_window_diff,
        {"fig. 4": 8 / 13, "fig. 6": 0, "fig. 7": 11 / 13, "fig. 8": 9 / 11},
        FRACTION,
        note="the paper's window of k units read as k-1 potential boundaries",
    ),
}


# ---- table 2 ----


class MeanAndSd(NamedTuple):
    """The mean over pairs of coders, and the standard deviation (population)."""

    mean: float
    sd: float


PRINTED_IN_TABLE_2 = {  # 1-WD, by chapter
    1: MeanAndSd(0.6641, 0.1307),
    2: MeanAndSd(0.7619, 0.1743),
    3: MeanAndSd(0.6732, 0.1559),
    4: MeanAndSd(0.6019, 0.2245),
    5: MeanAndSd(0.6965, 0.1106),
    7: MeanAndSd(0.6945, 0.1822),
    20: MeanAndSd(0.6657, 0.1221),
}
REPAIRED_CHAPTER = 20


def chapters(run: Run) -> dict[int, Codings]:
    """The codings as the paper had them: our file of chapter 20 lacks the last paragraph."""
    found = moonstone(run)
    return {**found, REPAIRED_CHAPTER: longer_by_one(found[REPAIRED_CHAPTER])}


def pairwise_window_diff(codings: Codings) -> MeanAndSd:
    """1-WD over all ordered pairs of coders."""
    values = [one_minus_window_diff(*pair) for pair in permutations(codings.values(), 2)]
    return MeanAndSd(float(np.mean(values)), float(np.std(values)))


def _pairwise(chapter: int, field: str, run: Run) -> float:
    return float(getattr(pairwise_window_diff(run.shared(chapters)[chapter]), field))


def _table_2(chapter: int) -> list[Cell]:
    note = "over ordered pairs of coders"
    if chapter == REPAIRED_CHAPTER:
        note += "; the 21st paragraph, which the data lacks, added to every last segment"
    return [
        Cell(
            item=f"table 2, ch. {chapter}, 1-WD, {field}",
            published=value,
            compute=partial(_pairwise, chapter, field),
            tolerance=printed(4),
            note=note,
            needs=("moonstone",),
        )
        for field, value in PRINTED_IN_TABLE_2[chapter]._asdict().items()
    ]


CELLS = [
    *figure_cells(FIGURES, MEASURES),
    *(cell for chapter in PRINTED_IN_TABLE_2 for cell in _table_2(chapter)),
]
