"""Figures 1 and 9 to 12 of Fournier (2013)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from reproduction.corpora import moonstone
from reproduction.figures import PaperFigure
from reproduction.fournier2013_simulation import CODERS, METRICS, P_MISS, curves
from reproduction.fournier_program import correct
from reproduction.moonstone_segmenters import systems
from reproduction.published import Run
from segscore import plot
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison, compare
from segscore.corpus.corpus import Corpus
from segscore.datasets.loading import GROUP_OF
from segscore.simulate import baselines

N_UNITS, N_SEGMENTS, SEED = 500, 54, 9  # of fig. 9c: segments about as long as in The Moonstone


def figure_1(_run: Run) -> Axes:
    """Boundary edits.

    The paper: segments of 2 4 4 4 and 3 3 6 2 units, n_t = 2: one transposition, one match, two
    additions or deletions. Ours: the same.
    """
    first, second = Segmentation.from_masses([2, 4, 4, 4]), Segmentation.from_masses([3, 3, 6, 2])
    return plot.edits(first, second, names=("s1", "s2"))


def _figure_9(metric: str, run: Run) -> Axes:
    """π* against P(miss), a curve for each number of coders."""
    made = run.shared(curves)[metric]
    y = {f"{n} coders": curve for n, curve in zip(CODERS, made, strict=True)}
    return plot.curve(P_MISS, y, xlabel="P(miss)", ylabel=f"π* by {metric}")


def figure_9a(run: Run) -> Axes:
    """By S.

    The paper: P(near) = 0.0921, P(miss) from 0 to 0.8, 2 to 10 coders; π* by S is drawn in 0.75
    to 1 and said to rise with misses, which are extra or omitted boundaries. Ours: it falls,
    inside that axis.
    """
    return _figure_9("S", run)


def figure_9b(run: Run) -> Axes:
    """By B.

    The paper: π* by B falls as misses become more. Ours: so it does.
    """
    return _figure_9("B", run)


def figure_9c(_run: Run) -> Axes:
    """Coders who place their boundaries at random.

    The paper: coders who segment at random; π* by S is high, by B low. Ours: so it is.
    """
    chance = np.random.default_rng(SEED)
    corpora = [
        Corpus.from_dict({
            "d": {
                str(i): baselines.random(N_UNITS, n_segments=N_SEGMENTS, seed=chance)
                for i in range(n)
            }
        })
        for n in CODERS
    ]  # fmt: skip
    y = {
        f"by {name}": [correct(corpus, metric).pi for corpus in corpora]
        for name, metric in METRICS.items()
    }
    ax = plot.curve(CODERS, y, xlabel="coders", ylabel="π* of random coders")
    ax.set_ylim(-0.05, 1)
    return ax


def compared(run: Run) -> Comparison:
    """Our segmenters on the sixteen chapters that the paper tests on, people among them."""
    chapters, runs = run.shared(systems)
    given: Mapping[str, Any] = {name: list(several) for name, several in runs.items()}
    refs = {name: list(document.values()) for name, document in chapters.items()}
    return compare(
        refs, systems=given, metrics=["s", "windowdiff", "b"], baselines=(), n_resamples=2000
    )


def figure_10(run: Run) -> Axes:
    """Three metrics side by side.

    The paper: means with 95 % intervals of S, 1-WD and B for Random, Human, BayesSeg, APS and
    MinCutSeg; axes 0.80 to 0.94, 0.35 to 0.75, 0.2 to 0.6. Ours: runs of our own segmenters,
    for the paper's outputs are not available; intervals are a bootstrap over chapters, and
    WindowDiff is drawn as it is, not as 1-WD.
    """
    made = run.shared(compared)
    several = plot.panels(3, 2.6, 12)
    for ax, metric in zip(several, made.metrics, strict=True):
        plot.intervals(made, metric, ax=ax)
    return several[0]


def people(run: Run) -> Corpus:
    """The Moonstone with one name for each person: those of a group coded all its chapters."""
    return Corpus.from_dict(
        {
            str(chapter): {
                f"{GROUP_OF[str(chapter)]}.{name}": coding for name, coding in codings.items()
            }
            for chapter, codings in run.shared(moonstone).items()
        }
    )


def figure_11(run: Run) -> Axes:
    """Boundaries per coder.

    The paper: boundaries per place of 27 coders, the axis from 0 to 0.25; coder 7 lies beyond 2
    standard deviations. Ours: one coder does, at 0.250, and nobody else.
    """
    return plot.habits(people(run))


def figure_12(run: Run) -> Axes:
    """Precision and recall by B.

    The paper: precision and recall by B. Ours: runs of our own segmenters, for the paper's
    outputs are not available.
    """
    return plot.precision_recall(run.shared(compared), "b")


TEXTS = ("moonstone", "moonstone/text")

FIGURES = [
    PaperFigure("1", figure_1),
    PaperFigure("9a", figure_9a),
    PaperFigure("9b", figure_9b),
    PaperFigure("9c", figure_9c),
    PaperFigure("10", figure_10, TEXTS),
    PaperFigure("11", figure_11, ("moonstone",)),
    PaperFigure("12", figure_12, TEXTS),
]
