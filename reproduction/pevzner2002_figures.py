"""Figures 2 to 5 of Pevzner & Hearst (2002): what Pk and WindowDiff penalise.

The pictures themselves are not before us: the segmentations are ours, after what the text says.
"""

from matplotlib.axes import Axes

from reproduction.figures import PaperFigure
from reproduction.published import Run
from segscore import plot
from segscore.coding.segmentation import Segmentation
from segscore.metrics.window_runs import windows

K = 4  # of figs. 2 to 4
K_5, E = 5, 2  # of fig. 5: the window, and how far a near miss is off
cut = Segmentation.from_masses
FIGURE_5 = {
    "A-0, missed": [60],
    "A-1, extra, near": [28, 30, 60],
    "A-2, extra, far": [15, 30, 60],
    "A-3, near miss": [28, 60],
    "A-4, missed and extra": [15, 60],
}
REFERENCE_5, N_UNITS_5 = [30, 60], 90


def figure_2(_run: Run) -> Axes:
    """A false negative.

    The paper: k = 4; a false negative is penalised in k windows. Ours: in 4.
    """
    return plot.windows(cut([8, 8]), cut([16]), "pk", k=K)


def figure_3(_run: Run) -> Axes:
    """Two false positives, one close to a boundary and one far from any.

    The paper: a false positive is penalised by Pk in as many windows as hold no boundary of the
    reference, fewer the nearer it is to one. Ours: 2 windows for one that is 2 units from a
    boundary, 4 for one that is far from any.
    """
    return plot.windows(cut([8, 16]), cut([6, 2, 8, 8]), "pk", k=K)


def figure_4(_run: Run) -> Axes:
    """A near miss, penalised twice.

    The paper: Pk penalises a near miss on both sides. Ours: by 2 units, 2 windows where it is
    missed and 2 where it is extra. (Which example the paper draws is not before us.)
    """
    return plot.windows(cut([8, 8]), cut([6, 10]), "pk", k=K)


def figure_5(_run: Run) -> Axes:
    """A reference and five hypotheses, each with its penalties.

    The paper: WindowDiff penalises A-0, A-1 and A-2 by about k, A-3 by 2e, A-4 by about 2k.
    Ours, with k = 5 and e = 2: 5 5 5 4 10; Pk 5 2 5 4 10.
    """
    ref = Segmentation.from_boundaries(REFERENCE_5, N_UNITS_5)
    rows = {"reference": ref}
    for name, positions in FIGURE_5.items():
        hyp = Segmentation.from_boundaries(positions, N_UNITS_5)
        pk, wd = (windows(ref, hyp, f"{metric}(k={K_5})").penalty for metric in ("pk", "wd"))
        rows[f"{name}: Pk {pk:g}, WD {wd:g}"] = hyp
    ax = plot.boundaries(rows, majority=False)
    ax.set_ylabel("")
    return ax


FIGURES = [
    PaperFigure("2", figure_2),
    PaperFigure("3", figure_3),
    PaperFigure("4", figure_4),
    PaperFigure("5", figure_5),
]
