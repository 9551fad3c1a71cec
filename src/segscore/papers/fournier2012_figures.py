"""Figures 5 and 11 of Fournier & Inkpen (2012)."""

from matplotlib.axes import Axes

from segscore import plot
from segscore.coding.segmentation import Segmentation
from segscore.metrics import SegmentationSimilarity
from segscore.papers.corpora import moonstone_corpus, moonstone_repaired
from segscore.papers.figures import PaperFigure
from segscore.papers.fournier2012_examples import figure_5a as example_5a
from segscore.papers.fournier2012_examples import one_minus_window_diff
from segscore.papers.published import Run

MOST_FALSE_POSITIVES = 98
cut = Segmentation.from_masses


def figure_5a(_run: Run) -> Axes:
    """False positives beside one match."""
    x = range(MOST_FALSE_POSITIVES + 1)
    pairs = [example_5a(n) for n in x]
    s = SegmentationSimilarity()
    y = {
        "S": [float(s(*pair)) for pair in pairs],
        "1-WD": [one_minus_window_diff(*pair) for pair in pairs],
    }
    return plot.curve(x, y, xlabel="false positives", ylabel="value")


def figure_5b(_run: Run) -> Axes:
    """A near miss moved farther and farther."""
    ref = cut([25, 75])
    x = range(11)
    hyps = [cut([25 + d, 75 - d]) for d in x]
    metrics = {
        "S (n = 3)": SegmentationSimilarity(n_t=3),
        "S (n = 5, scaled)": SegmentationSimilarity(n_t=5, cost="halving"),
        "S (n = 5, w_trp = 0)": SegmentationSimilarity(n_t=5, w_trp=0),
    }
    y = {"1-WD": [one_minus_window_diff(ref, one) for one in hyps]}
    y |= {name: [float(one(ref, hyp)) for hyp in hyps] for name, one in metrics.items()}
    ax = plot.curve(x, y, xlabel="units that the boundary is off", ylabel="value")
    ax.set_ylim(0.7, 1.01)
    return ax


def figure_5c(_run: Run) -> Axes:
    """The same error in longer and longer documents."""
    x = range(4, 101, 4)
    pairs = [(cut([m // 4, m - m // 4]), cut([m // 4, m // 4, m // 2])) for m in x]
    s = SegmentationSimilarity()
    y = {
        "S": [float(s(*pair)) for pair in pairs],
        "1-WD": [one_minus_window_diff(*pair) for pair in pairs],
    }
    return plot.curve(x, y, xlabel="units (m)", ylabel="value")


def figure_11(run: Run) -> Axes:
    """Where coders see boundaries."""
    return plot.support(moonstone_corpus(run.shared(moonstone_repaired)))


FIGURES = [
    PaperFigure(
        "5a",
        "The paper: a mass of 100, k = 25, 0 to 98 false positives beside one match; 1-WD is at "
        "its worst from 7 false positives on, while S falls in proportion. Ours: where they stand "
        "is not said; with segments of equal size, the first boundary the match, 1-WD is at its "
        "worst from 7 on, too.",
        figure_5a,
    ),
    PaperFigure(
        "5b",
        "The paper: a boundary moved by 0 to 10 units out of a segment of 25, the axis from 0.7 to "
        "1. Ours: segments of 25 and 75, with which 1-WD stays on that axis.",
        figure_5b,
    ),
    PaperFigure(
        "5c",
        "The paper: m from 4 to 100, one boundary too many; 1-WD comes down to 0.68 at last, and S "
        "tends to 1. Ours: .684 at m = 100.",
        figure_5c,
    ),
    PaperFigure(
        "11",
        "The paper: a heat map of the share of coders, 0 to 1, for chapters 1-5 and 7-21 of The "
        "Moonstone.",
        figure_11,
        ("moonstone",),
    ),
]
