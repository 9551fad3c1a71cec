"""Figures of papers drawn again, each with what the paper says about its own.

Curves in print cannot be read off, so a figure is held against what is written about it: the
function that draws ours quotes that in its docstring, and says what ours is where the paper does
not say what it drew. The pictures of Pevzner & Hearst and of Scaiano & Inkpen are not before us:
those segmentations are ours, after what the text says.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from reproduction import corpora, fournier2012, fournier2013_simulation, scaiano2012
from reproduction.carroll2010 import errors
from reproduction.carroll2010_wikipedia import SETTINGS, errors_on_articles, output_of
from reproduction.cells import paper_title
from reproduction.corpora import moonstone_corpus, moonstone_repaired, moonstone_texts
from reproduction.fournier2013_simulation import CODERS, P_MISS, curves
from reproduction.fournier2013poetry import labels, poem
from reproduction.fournier_program import WINDOW_DIFF, correct
from reproduction.kazantseva2012 import supports
from reproduction.moonstone_segmenters import systems
from reproduction.runs import NoDataError, Run
from reproduction.small_texts import cut
from segscore import plot
from segscore.coding.levels import from_nested_masses
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison, compare
from segscore.corpus.corpus import Corpus
from segscore.io.files import replacing
from segscore.metrics import SegmentationSimilarity, windows
from segscore.simulate import baselines
from segscore.tables.markup import markdown_text

Draw = Callable[[Run], Axes]
FIGURES: dict[tuple[str, str], Draw] = {}  # by the paper and the number


def figure(paper: str, number: str) -> Callable[[Draw], Draw]:
    """Name the figure that a function draws."""

    def named(draw: Draw) -> Draw:
        FIGURES[paper, number] = draw
        return draw

    return named


def write_figures(papers: Iterable[str], folder: Path, run: Run) -> Iterator[str]:
    """Draw the figures of these papers into a folder, as PDF and PNG: a line for each.

    When all are drawn, a page (figures.md) shows each beside what the paper says: the docstring of
    its function without the first line.
    """
    folder.mkdir(parents=True, exist_ok=True)
    parts = ["# Figures of papers, drawn again\n"]
    for paper in papers:
        own = {number: draw for (of, number), draw in FIGURES.items() if of == paper}
        parts += [f"## {markdown_text(paper_title(paper))}\n"] * bool(own)
        for number, draw in own.items():
            says = " ".join((draw.__doc__ or "").partition("\n\n")[2].split())
            parts.append(f"### Figure {number}\n\n{says}\n")
            stem = f"{paper}-fig-{number}"
            try:
                ax = draw(run)
            except NoDataError as missing:
                parts.append(f"Skipped: {missing}.\n")
                yield f"{paper}, fig. {number}: skipped, {missing}"
                continue
            plot.save(ax, folder / f"{stem}.pdf")
            plot.save(ax, folder / f"{stem}.png", dpi=150)
            parts.append(f"![figure {number}]({stem}.png)\n")
            yield f"{paper}, fig. {number}: {stem}.pdf, {stem}.png"
    with replacing(folder / "figures.md") as file:
        file.write("\n".join(parts))


# ---- carroll2010 ----

SYSTEMS = ("HC99", "BIN", "NONE")
ON_ARTICLES = ("HC99", "HCWM", "HBT", "GBEM", "BIN", "NONE")
PANELS = {
    "(a) E_Pk": ("E_Pk", "drop"),
    "(b) E_Pk, wrap": ("E_Pk", "wrap"),
    "(c) E_WD": ("E_WD", "drop"),
    "(d) E_WD, wrap": ("E_WD", "wrap"),
}


@figure("carroll2010", "1")
def carroll_1(_run: Run) -> Axes:
    """A hierarchical segmentation.

    The paper: a hierarchical segmentation as nested parts. Ours: an example of our own.
    """
    return plot.levels(from_nested_masses([[2, [1, 2]], [4, 3], 5, [[1, 2], 2]]))


@figure("carroll2010", "2")
def carroll_2(run: Run) -> Axes:
    """The errors of systems and baselines, document by document.

    The paper, in per cent, (a) to (d): HC99 12.5 12.1 13.8 13.3, BIN 43.9 42.1 45.0 43.1, NONE
    46.1 45.5 49.9 49.1, with 95 % intervals of means. Ours: box plots over all 400 documents,
    of which the paper seems to have used the 300 of set 3; the diamond is the mean. HCWM needs
    a space that is not ours to give.
    """
    several = plot.panels(len(PANELS), 4.4, 9, columns=2)
    for ax, (title, (measure, edges)) in zip(several, PANELS.items(), strict=True):
        plot.distribution({name: errors(run, name, measure, edges) for name in SYSTEMS}, ax=ax)
        ax.set_title(title, loc="left")
        ax.set_xlabel("error in per cent")
        ax.set_xlim(0, 70)
    return several[0]


@figure("carroll2010", "3")
def carroll_3(run: Run) -> Axes:
    """The errors of systems and baselines on articles of Wikipedia, article by article.

    The paper, in per cent, E_WD with levels, with a linear reference, and with a linear hypothesis:
    HC99 45.1 42.5 49.0, HCWM 43.9 42.1 49.0, HBT 41.0 41.9 42.3, GBEM 40.6 38.4 41.2, BIN 51.4 50.0
    50.0, NONE 49.8 50.0 49.9, with 95 % intervals of means. Ours: the same outputs, as box plots;
    the diamond is the mean.
    """
    several = plot.panels(len(SETTINGS), 4.4, 9, columns=1)
    for ax, setting in zip(several, SETTINGS, strict=True):
        found = {name: errors_on_articles(run, name, setting) for name in ON_ARTICLES}
        plot.distribution(found, ax=ax)
        ax.set_title(setting, loc="left")
        ax.set_xlabel("error in per cent")
        ax.set_xlim(20, 70)
    return several[0]


@figure("carroll2010", "4")
def carroll_4(run: Run) -> Axes:
    """How long segments are, over their mean.

    The paper: histograms of segment length over mean, the axis from 0 to 7, on articles of
    Wikipedia. Ours: on the same articles, the reference and the two systems that find the number of
    segments themselves.
    """
    names = ("reference", "HBT", "GBEM")
    ax = plot.lengths({name: list(output_of(run, name).values()) for name in names})
    ax.set_xlim(0, 7)
    return ax


# ---- fournier2012 ----


def _curves(x: range, pairs: Iterable[tuple[Segmentation, Segmentation]], xlabel: str) -> Axes:
    """S and 1-WD of a pair for each x."""
    s = SegmentationSimilarity()
    values = [(float(s(*pair)), 1 - float(WINDOW_DIFF(*pair))) for pair in pairs]
    y = dict(zip(("S", "1-WD"), zip(*values, strict=True), strict=True))
    return plot.curve(x, y, xlabel=xlabel, ylabel="value")


@figure("fournier2012", "5a")
def inkpen_5a(_run: Run) -> Axes:
    """False positives beside one match.

    The paper: a mass of 100, k = 25, 0 to 98 false positives beside one match; 1-WD is at its
    worst from 7 false positives on, while S falls in proportion. Ours: where they stand is not
    said; with segments of equal size, the first boundary the match, 1-WD is at its worst from 7
    on, too.
    """
    x = range(99)
    return _curves(x, map(fournier2012.figure_5a, x), "false positives")


@figure("fournier2012", "5b")
def inkpen_5b(_run: Run) -> Axes:
    """A near miss moved farther and farther.

    The paper: a boundary moved by 0 to 10 units out of a segment of 25, the axis from 0.7 to 1.
    Ours: segments of 25 and 75, with which 1-WD stays on that axis.
    """
    ref = cut("25 75")
    x = range(11)
    hyps = [cut(f"{25 + d} {75 - d}") for d in x]
    metrics = {
        "S (n = 3)": SegmentationSimilarity(n_t=3),
        "S (n = 5, scaled)": SegmentationSimilarity(n_t=5, cost="halving"),
        "S (n = 5, w_trp = 0)": SegmentationSimilarity(n_t=5, w_trp=0),
    }
    y = {"1-WD": [1 - float(WINDOW_DIFF(ref, hyp)) for hyp in hyps]}
    y |= {name: [float(metric(ref, hyp)) for hyp in hyps] for name, metric in metrics.items()}
    ax = plot.curve(x, y, xlabel="units that the boundary is off", ylabel="value")
    ax.set_ylim(0.7, 1.01)
    return ax


@figure("fournier2012", "5c")
def inkpen_5c(_run: Run) -> Axes:
    """One error in longer and longer documents.

    The paper: m from 4 to 100, one boundary too many; 1-WD comes down to 0.68 at last, and S
    tends to 1. Ours: .684 at m = 100.
    """
    x = range(4, 101, 4)
    return _curves(x, map(fournier2012.figure_5c, x), "units (m)")


@figure("fournier2012", "11")
def inkpen_11(run: Run) -> Axes:
    """Where coders see boundaries.

    The paper: a heat map of the share of coders, 0 to 1, for chapters 1-5 and 7-21 of The
    Moonstone.
    """
    return plot.support(moonstone_corpus(moonstone_repaired(run)))


# ---- fournier2013 ----


@figure("fournier2013", "1")
def fournier_1(_run: Run) -> Axes:
    """Boundary edits.

    The paper: segments of 2 4 4 4 and 3 3 6 2 units, n_t = 2: one transposition, one match, two
    additions or deletions. Ours: the same.
    """
    return plot.edits(cut("2 4 4 4"), cut("3 3 6 2"), names=("s1", "s2"))


def _figure_9(metric: str, run: Run) -> Axes:
    """π* against P(miss), a curve for each number of coders."""
    made = curves(run, metric)
    y = {f"{n} coders": curve for n, curve in zip(CODERS, made, strict=True)}
    return plot.curve(P_MISS, y, xlabel="P(miss)", ylabel=f"π* by {metric}")


@figure("fournier2013", "9a")
def fournier_9a(run: Run) -> Axes:
    """By S.

    The paper: P(near) = 0.0921, P(miss) from 0 to 0.8, 2 to 10 coders; π* by S is drawn in 0.75
    to 1 and said to rise with misses, which are extra or omitted boundaries. Ours: it falls,
    inside that axis.
    """
    return _figure_9("S", run)


@figure("fournier2013", "9b")
def fournier_9b(run: Run) -> Axes:
    """By B.

    The paper: π* by B falls as misses become more. Ours: so it does.
    """
    return _figure_9("B", run)


@figure("fournier2013", "9c")
def fournier_9c(_run: Run) -> Axes:
    """Coders who place their boundaries at random.

    The paper: coders who segment at random; π* by S is high, by B low. Ours: so it is.
    """
    chance = np.random.default_rng(9)
    texts = []
    for n in CODERS:  # 54 segments of 500 units are about as long as in The Moonstone
        drawn = [baselines.random(500, n_segments=54, rng=chance) for _ in range(n)]
        texts.append(Corpus.from_dict({"d": dict(zip(map(str, range(n)), drawn, strict=True))}))
    y = {
        f"by {name}": [correct(text, metric).pi for text in texts]
        for name, metric in fournier2013_simulation.METRICS.items()
    }
    ax = plot.curve(CODERS, y, xlabel="coders", ylabel="π* of random coders")
    ax.set_ylim(-0.05, 1)
    return ax


@cache
def compared(run: Run) -> Comparison:
    """Our segmenters on the sixteen chapters that the paper tests on."""
    chapters, runs = systems(run)
    refs = {name: list(document.values()) for name, document in chapters.items()}
    several = {name: list(outputs) for name, outputs in runs.items()}
    metrics = ["s", "windowdiff", "b"]
    return compare(refs, systems=several, metrics=metrics, baselines=(), n_resamples=2000)


@figure("fournier2013", "10")
def fournier_10(run: Run) -> Axes:
    """Three metrics side by side.

    The paper: means with 95 % intervals of S, 1-WD and B for Random, Human, BayesSeg, APS and
    MinCutSeg; axes 0.80 to 0.94, 0.35 to 0.75, 0.2 to 0.6. Ours: runs of our own segmenters,
    for the paper's outputs are not available; intervals are a bootstrap over chapters, and
    WindowDiff is drawn as it is, not as 1-WD.
    """
    made = compared(run)
    several = plot.panels(3, 2.6, 12)
    for ax, metric in zip(several, made.metrics, strict=True):
        plot.intervals(made, metric, ax=ax)
    return several[0]


@figure("fournier2013", "11")
def fournier_11(run: Run) -> Axes:
    """Boundaries per coder.

    The paper: boundaries per place of 27 coders, the axis from 0 to 0.25; coder 7 lies beyond 2
    standard deviations. Ours: one coder does, at 0.250, and nobody else.
    """
    return plot.habits(corpora.people(moonstone_texts(run)))


@figure("fournier2013", "12")
def fournier_12(run: Run) -> Axes:
    """Precision and recall by B.

    The paper: precision and recall by B. Ours: runs of our own segmenters, for the paper's
    outputs are not available.
    """
    return plot.precision_recall(compared(run), "b")


# ---- fournier2013poetry ----


@figure("fournier2013poetry", "1a")
def poetry_1a(run: Run) -> Axes:
    """Boundaries per coder.

    The paper: 20 26 18 10 26 16 9 23 11 boundaries for coders 0 to 8. Ours: the same numbers,
    beside the marks.
    """
    return plot.habits(poem(run))


@figure("fournier2013poetry", "1b")
def poetry_1b(run: Run) -> Axes:
    """Clusters of coders.

    The paper: leaves 1 0 2 4 7 3 5 6 8, the axis to 0.7. Ours: the same order, and the last two
    branches meet at 0.73.
    """
    return plot.clusters(poem(run))


@figure("fournier2013poetry", "1c")
def poetry_1c(run: Run) -> Axes:
    """Similarity of labels, line by line.

    The paper: mean similarity of labels .5330, line by line. Ours: the same mean.
    """
    return plot.per_unit(labels(run, "everyone"))


# ---- kazantseva2012 ----


@figure("kazantseva2012", "1")
def kazantseva_1(run: Run) -> Axes:
    """How many segments people make of each chapter.

    The paper: how many segments each chapter has; 5.80 on average, sd 2.45. Ours: 5.81 over
    codings; the sd is 3.95 over codings and 2.43 over people.
    """
    counts = {
        f"chapter {name}": [float(coding.n_segments) for coding in document.values()]
        for name, document in moonstone_texts(run).items()
    }
    ax = plot.distribution(counts)
    ax.set_xlabel("segments of each person")
    return ax


@figure("kazantseva2012", "2")
def kazantseva_2(run: Run) -> Axes:
    """Chapter 1 as four people cut it.

    The paper: annotators 1 to 4 make 2, 5, 2 and 4 segments of chapter 1. Ours: the same.
    """
    return plot.boundaries(moonstone_texts(run)["1"])


@figure("kazantseva2012", "3")
def kazantseva_3(run: Run) -> Axes:
    """The share of peers who support a boundary: exactly, within half a window, and within one.

    The paper: exactly, at least half of the boundaries have less than 25 % of annotators and a
    quarter at most has more than 50 %; within half a window the middle half has 35 to 80 %;
    within a window half have more than 70 %. Ours: quartiles 0 0 .333, .333 .60 .80, and a
    median of .667.
    """
    shares = supports(run)
    reaches = {"exactly": "exact", "half a window": "half a window", "a window": "a window"}
    ax = plot.distribution({name: shares[reach] for name, reach in reaches.items()})
    ax.set_xlabel("share of peers who have a boundary there")
    return ax


# ---- pevzner2002 ----


FIGURE_5 = {
    "A-0, missed": [60],
    "A-1, extra, near": [28, 30, 60],
    "A-2, extra, far": [15, 30, 60],
    "A-3, near miss": [28, 60],
    "A-4, missed and extra": [15, 60],
}


@figure("pevzner2002", "2")
def pevzner_2(_run: Run) -> Axes:
    """A false negative.

    The paper: k = 4; a false negative is penalised in k windows. Ours: in 4.
    """
    return plot.windows(cut("8 8"), cut("16"), "pk", k=4)


@figure("pevzner2002", "3")
def pevzner_3(_run: Run) -> Axes:
    """Two false positives, one close to a boundary and one far from any.

    The paper: a false positive is penalised by Pk in as many windows as hold no boundary of the
    reference, fewer the nearer it is to one. Ours: 2 windows for one that is 2 units from a
    boundary, 4 for one that is far from any.
    """
    return plot.windows(cut("8 16"), cut("6 2 8 8"), "pk", k=4)


@figure("pevzner2002", "4")
def pevzner_4(_run: Run) -> Axes:
    """A near miss, penalised twice.

    The paper: Pk penalises a near miss on both sides. Ours: by 2 units, 2 windows where it is
    missed and 2 where it is extra. (Which example the paper draws is not before us.)
    """
    return plot.windows(cut("8 8"), cut("6 10"), "pk", k=4)


@figure("pevzner2002", "5")
def pevzner_5(_run: Run) -> Axes:
    """A reference and five hypotheses, each with its penalties.

    The paper: WindowDiff penalises A-0, A-1 and A-2 by about k, A-3 by 2e, A-4 by about 2k.
    Ours, with k = 5 and e = 2: 5 5 5 4 10; Pk 5 2 5 4 10.
    """
    ref = Segmentation.from_boundaries([30, 60], 90)
    rows = {"reference": ref}
    for name, positions in FIGURE_5.items():
        hyp = Segmentation.from_boundaries(positions, 90)
        pk, wd = (windows(ref, hyp, f"{metric}(k=5)").penalty for metric in ("pk", "wd"))
        rows[f"{name}: Pk {pk:g}, WD {wd:g}"] = hyp
    ax = plot.boundaries(rows, majority=False)
    ax.set_ylabel("")
    return ax


# ---- scaiano2012 ----


@figure("scaiano2012", "1")
def scaiano_1(_run: Run) -> Axes:
    """A near miss under WindowDiff, windows that stay inside the text.

    The paper: a near miss, a window of 5 units, 8 windows in all of which 3 hold a boundary.
    Ours: windows of 4 positions between 5 units, 8 in all; 3 hold the reference's boundary, and
    one is penalised.
    """
    return plot.windows(cut("3 9"), cut("2 10"), "windowdiff", k=4)


@figure("scaiano2012", "3")
def scaiano_3(_run: Run) -> Axes:
    """A near miss under WinPR, whose windows begin before the text and end behind it.

    The paper: windows that begin before the text and end behind it count every boundary equally
    often. Ours: example C of table 2, 14 windows of 4 positions: 1 false positive, 1 false
    negative, 3 true positives.
    """
    sides = (sorted(scaiano2012.REFERENCE), sorted(scaiano2012.BOUNDARIES["C"]))
    ref, hyp = (Segmentation.from_boundaries(side, scaiano2012.N_UNITS) for side in sides)
    return plot.windows(ref, hyp, "winpr")
