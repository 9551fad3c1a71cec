"""Figures 5 and 11 of Fournier & Inkpen (2012)."""

from collections.abc import Iterable

from matplotlib.axes import Axes

from reproduction import fournier2012_examples as examples
from reproduction.corpora import moonstone_corpus, moonstone_repaired
from reproduction.figures import PaperFigure
from reproduction.fournier2012_examples import one_minus_window_diff
from reproduction.published import Run
from segscore import plot
from segscore.coding.segmentation import Segmentation
from segscore.metrics import SegmentationSimilarity

MOST_FALSE_POSITIVES = 98
cut = Segmentation.from_masses


def _curves(x: range, pairs: Iterable[tuple[Segmentation, Segmentation]], xlabel: str) -> Axes:
    """S and 1-WD of a pair for each x."""
    s = SegmentationSimilarity()
    values = [(float(s(*pair)), one_minus_window_diff(*pair)) for pair in pairs]
    y = dict(zip(("S", "1-WD"), zip(*values, strict=True), strict=True))
    return plot.curve(x, y, xlabel=xlabel, ylabel="value")


def figure_5a(_run: Run) -> Axes:
    """False positives beside one match.

    The paper: a mass of 100, k = 25, 0 to 98 false positives beside one match; 1-WD is at its
    worst from 7 false positives on, while S falls in proportion. Ours: where they stand is not
    said; with segments of equal size, the first boundary the match, 1-WD is at its worst from 7
    on, too.
    """
    x = range(MOST_FALSE_POSITIVES + 1)
    return _curves(x, map(examples.figure_5a, x), "false positives")


def figure_5b(_run: Run) -> Axes:
    """A near miss moved farther and farther.

    The paper: a boundary moved by 0 to 10 units out of a segment of 25, the axis from 0.7 to 1.
    Ours: segments of 25 and 75, with which 1-WD stays on that axis.
    """
    ref = cut([25, 75])
    x = range(11)
    hyps = [cut([25 + d, 75 - d]) for d in x]
    metrics = {
        "S (n = 3)": SegmentationSimilarity(n_t=3),
        "S (n = 5, scaled)": SegmentationSimilarity(n_t=5, cost="halving"),
        "S (n = 5, w_trp = 0)": SegmentationSimilarity(n_t=5, w_trp=0),
    }
    y = {"1-WD": [one_minus_window_diff(ref, hyp) for hyp in hyps]}
    y |= {name: [float(metric(ref, hyp)) for hyp in hyps] for name, metric in metrics.items()}
    ax = plot.curve(x, y, xlabel="units that the boundary is off", ylabel="value")
    ax.set_ylim(0.7, 1.01)
    return ax


def figure_5c(_run: Run) -> Axes:
    """One error in longer and longer documents.

    The paper: m from 4 to 100, one boundary too many; 1-WD comes down to 0.68 at last, and S
    tends to 1. Ours: .684 at m = 100.
    """
    x = range(4, 101, 4)
    return _curves(x, map(examples.figure_5c, x), "units (m)")


def figure_11(run: Run) -> Axes:
    """Where coders see boundaries.

    The paper: a heat map of the share of coders, 0 to 1, for chapters 1-5 and 7-21 of The
    Moonstone.
    """
    return plot.support(moonstone_corpus(run.shared(moonstone_repaired)))


FIGURES = [
    PaperFigure("5a", figure_5a),
    PaperFigure("5b", figure_5b),
    PaperFigure("5c", figure_5c),
    PaperFigure("11", figure_11, ("moonstone",)),
]
