"""Chris Fournier (2013): Evaluating Text Segmentation using Boundary Edit Distance. ACL 2013.

Figs. 4-8: one manual segmentation of eleven units (fig. 4) against four automatic ones, each with
another kind of error. WindowDiff is printed as 1-WD, with k = 2 = round(11 / 6). n_t is 2; the S
column prices a transposition at 1 (eq. 2), the B column at d / n_t. With d / (n_t-1), as eq. 5 is
printed, B would be 0.5 in fig. 6.
"""

from segscore.metrics import BoundarySimilarity, SegmentationSimilarity, WindowDiff
from segscore.papers.cells import FRACTION
from segscore.papers.examples import Measure, figure_cells
from segscore.segmentation import Segmentation

MANUAL = (2, 3, 6)  # fig. 4
FIGURES = {
    "fig. 5": (MANUAL, (5, 6)),  # a boundary missing
    "fig. 6": (MANUAL, (2, 2, 7)),  # a near miss
    "fig. 7": (MANUAL, (2, 3, 3, 3)),  # a boundary too many
    "fig. 8": (MANUAL, (1, 1, 3, 1, 5)),  # several boundaries around those of fig. 4
}


def one_minus_window_diff(manual: Segmentation, automatic: Segmentation) -> float:
    """The share of windows that agree."""
    return 1 - WindowDiff()(manual, automatic)


MEASURES = {
    "1-WD": Measure(
        one_minus_window_diff,
        {"fig. 5": 7 / 9, "fig. 6": 7 / 9, "fig. 7": 7 / 9, "fig. 8": 6 / 9},
        FRACTION,
    ),
    "S": Measure(
        SegmentationSimilarity(cost="unit"),
        {"fig. 5": 0.9, "fig. 6": 0.9, "fig. 7": 0.9, "fig. 8": 0.8},
        FRACTION,
        note="cost unit",
    ),
    "B": Measure(
        BoundarySimilarity(cost="span"),
        {"fig. 5": 0.5, "fig. 6": 0.75, "fig. 7": 2 / 3, "fig. 8": 0.5},
        FRACTION,
        note="cost span",
    ),
}

CELLS = figure_cells(FIGURES, MEASURES)
