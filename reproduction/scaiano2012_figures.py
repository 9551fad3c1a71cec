"""Figures 1 and 3 of Scaiano & Inkpen (2012).

The pictures themselves are not before us: the segmentations are ours, after what the text says.
"""

from matplotlib.axes import Axes

from reproduction.figures import PaperFigure
from reproduction.published import Run
from reproduction.scaiano2012 import BOUNDARIES, N_UNITS, REFERENCE
from segscore import plot
from segscore.coding.segmentation import Segmentation


def figure_1(_run: Run) -> Axes:
    """A near miss under WindowDiff, windows that stay inside the text.

    The paper: a near miss, a window of 5 units, 8 windows in all of which 3 hold a boundary.
    Ours: windows of 4 positions between 5 units, 8 in all; 3 hold the reference's boundary, and
    one is penalised.
    """
    ref, hyp = Segmentation.from_masses([3, 9]), Segmentation.from_masses([2, 10])
    return plot.windows(ref, hyp, "windowdiff", k=4)


def figure_3(_run: Run) -> Axes:
    """A near miss under WinPR, whose windows begin before the text and end behind it.

    The paper: windows that begin before the text and end behind it count every boundary equally
    often. Ours: example C of table 2, 14 windows of 4 positions: 1 false positive, 1 false
    negative, 3 true positives.
    """
    sides = (sorted(REFERENCE), sorted(BOUNDARIES["C"]))
    ref, hyp = (Segmentation.from_boundaries(side, N_UNITS) for side in sides)
    return plot.windows(ref, hyp, "winpr")


FIGURES = [
    PaperFigure("1", figure_1),
    PaperFigure("3", figure_3),
]
