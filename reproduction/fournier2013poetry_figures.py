"""Figure 1 of Fournier (2013, poetry)."""

from matplotlib.axes import Axes

from reproduction.corpora import kubla_khan
from reproduction.figures import PaperFigure
from reproduction.published import Run
from segscore import plot
from segscore.coders.differences import label_similarity
from segscore.corpus.corpus import Document

NEEDS = ("kubla_khan",)


def _poem(run: Run) -> Document:
    (document,) = run.shared(kubla_khan).values()
    return document


def figure_1a(run: Run) -> Axes:
    """Boundaries per coder.

    The paper: 20 26 18 10 26 16 9 23 11 boundaries for coders 0 to 8. Ours: the same numbers,
    beside the marks.
    """
    return plot.habits(_poem(run))


def figure_1b(run: Run) -> Axes:
    """Clusters of coders.

    The paper: leaves 1 0 2 4 7 3 5 6 8, the axis to 0.7. Ours: the same order, and the last two
    branches meet at 0.73.
    """
    return plot.clusters(_poem(run))


def figure_1c(run: Run) -> Axes:
    """Similarity of labels, line by line.

    The paper: mean similarity of labels .5330, line by line. Ours: the same mean.
    """
    return plot.per_unit(label_similarity(_poem(run)))


FIGURES = [
    PaperFigure("1a", figure_1a, NEEDS),
    PaperFigure("1b", figure_1b, NEEDS),
    PaperFigure("1c", figure_1c, NEEDS),
]
