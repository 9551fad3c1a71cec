"""Figures 1 to 3 of Kazantseva & Szpakowicz (2012)."""

from matplotlib.axes import Axes

from reproduction.corpora import moonstone, moonstone_corpus
from reproduction.figures import PaperFigure
from reproduction.kazantseva2012 import supports
from reproduction.published import Run
from segscore import plot
from segscore.corpus.corpus import Corpus

NEEDS = ("moonstone",)


def _corpus(run: Run) -> Corpus:
    return moonstone_corpus(run.shared(moonstone))


def figure_1(run: Run) -> Axes:
    """How many segments people make of each chapter.

    The paper: how many segments each chapter has; 5.80 on average, sd 2.45. Ours: 5.81 over
    codings; the sd is 3.95 over codings and 2.43 over people.
    """
    counts = {
        f"chapter {name}": [float(coding.n_segments) for coding in document.values()]
        for name, document in _corpus(run).items()
    }
    ax = plot.distribution(counts)
    ax.set_xlabel("segments of each person")
    return ax


def figure_2(run: Run) -> Axes:
    """Chapter 1 as four people cut it.

    The paper: annotators 1 to 4 make 2, 5, 2 and 4 segments of chapter 1. Ours: the same.
    """
    return plot.boundaries(_corpus(run)["1"])


def figure_3(run: Run) -> Axes:
    """The share of peers who support a boundary: exactly, within half a window, and within one.

    The paper: exactly, at least half of the boundaries have less than 25 % of annotators and a
    quarter at most has more than 50 %; within half a window the middle half has 35 to 80 %;
    within a window half have more than 70 %. Ours: quartiles 0 0 .333, .333 .60 .80, and a
    median of .667.
    """
    shares = run.shared(supports)
    reaches = {"exactly": "exact", "half a window": "half a window", "a window": "a window"}
    ax = plot.distribution({name: shares[reach] for name, reach in reaches.items()})
    ax.set_xlabel("share of peers who have a boundary there")
    return ax


FIGURES = [
    PaperFigure("1", figure_1, NEEDS),
    PaperFigure("2", figure_2, NEEDS),
    PaperFigure("3", figure_3, NEEDS),
]
