"""Figures 1 to 4 of Carroll (2010)."""

from matplotlib.axes import Axes

from reproduction.carroll2010 import Edges, errors
from reproduction.carroll2010_wikipedia import (
    ERRORS,
    PRINTED_IN_FIGURE_3,
    SETTINGS,
    output_of,
)
from reproduction.carroll2010_wikipedia import NEEDS as ON_WIKIPEDIA
from reproduction.figures import PaperFigure
from reproduction.published import Run
from segscore import plot
from segscore.coding.ranks import from_nested_masses

NEEDS = ("choi",)
SYSTEMS = ("HC99", "BIN", "NONE")
PANELS: dict[str, tuple[str, Edges]] = {
    "(a) E_Pk": ("E_Pk", "drop"),
    "(b) E_Pk, wrap": ("E_Pk", "wrap"),
    "(c) E_WD": ("E_WD", "drop"),
    "(d) E_WD, wrap": ("E_WD", "wrap"),
}


def figure_1(_run: Run) -> Axes:
    """A hierarchical segmentation.

    The paper: a hierarchical segmentation as nested parts. Ours: an example of our own.
    """
    return plot.levels(from_nested_masses([[2, [1, 2]], [4, 3], 5, [[1, 2], 2]]))


def figure_2(run: Run) -> Axes:
    """The errors of systems and baselines, document by document.

    The paper, in per cent, (a) to (d): HC99 12.5 12.1 13.8 13.3, BIN 43.9 42.1 45.0 43.1, NONE
    46.1 45.5 49.9 49.1, with 95 % intervals of means. Ours: box plots over all 400 documents,
    of which the paper seems to have used the 300 of set 3; the diamond is the mean. HCWM needs
    a space that is not ours to give.
    """
    several = plot.panels(len(PANELS), 4.4, 9, columns=2)
    for ax, (name, (measure, edges)) in zip(several, PANELS.items(), strict=True):
        plot.distribution(
            {system: errors(system, measure, edges, run) for system in SYSTEMS}, ax=ax
        )
        ax.set_title(name, loc="left")
        ax.set_xlabel("error in per cent")
        ax.set_xlim(0, 70)
    return several[0]


def figure_3(run: Run) -> Axes:
    """The errors of systems and baselines on articles of Wikipedia, article by article.

    The paper, in per cent, E_WD with levels, with a linear reference, and with a linear hypothesis:
    HC99 45.1 42.5 49.0, HCWM 43.9 42.1 49.0, HBT 41.0 41.9 42.3, GBEM 40.6 38.4 41.2, BIN 51.4 50.0
    50.0, NONE 49.8 50.0 49.9, with 95 % intervals of means. Ours: the same outputs, as box plots;
    the diamond is the mean.
    """
    several = plot.panels(len(SETTINGS), 4.4, 9, columns=1)
    for ax, setting in zip(several, SETTINGS, strict=True):
        errors_by_system = {
            system: run.shared(ERRORS[system, setting]) for system in PRINTED_IN_FIGURE_3
        }
        plot.distribution(errors_by_system, ax=ax)
        ax.set_title(setting, loc="left")
        ax.set_xlabel("error in per cent")
        ax.set_xlim(20, 70)
    return several[0]


def figure_4(run: Run) -> Axes:
    """How long segments are, over their mean.

    The paper: histograms of segment length over mean, the axis from 0 to 7, on articles of
    Wikipedia. Ours: on the same articles, the reference and the two systems that find the number of
    segments themselves.
    """
    names = ("reference", "HBT", "GBEM")
    ax = plot.lengths({name: list(output_of(name, run).values()) for name in names})
    ax.set_xlim(0, 7)
    return ax


FIGURES = [
    PaperFigure("1", figure_1),
    PaperFigure("2", figure_2, NEEDS),
    PaperFigure("3", figure_3, ON_WIKIPEDIA),
    PaperFigure("4", figure_4, ON_WIKIPEDIA),
]
