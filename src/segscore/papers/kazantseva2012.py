"""Anna Kazantseva & Stan Szpakowicz (2012): Topical Segmentation: a Study of Human Performance and
a New Measure of Quality. NAACL 2012.

Twenty chapters of The Moonstone, cut by groups of four to six people. Fleiss's κ counts the end of
a chapter as a boundary on which everyone agrees; without it κ of chapter 1 is .043, and the mean
over chapters .243.

Table 1 (κ .29 ± .15, Pk .33 ± .17, WD .38 ± .09) contradicts the text (κ .38, WD .34). Two readings
fit parts of it, and neither is claimed here: (1) the rows are mixed up, so that the row of WD shows
κ by group, and WD, as in the text, has k = half of the pooled mean segment, cut down; (2) the
labels are right, and k = half of the mean of the coders' mean segments, cut down.
"""

from collections.abc import Callable

import numpy as np

from segscore.boundary_decisions import fleiss_kappa
from segscore.coder_pairs import pairwise
from segscore.metrics import Metric, Pk, WindowDiff
from segscore.papers.cells import Cell, Run, Tolerance, printed
from segscore.papers.corpora import Codings, longer_by_one, moonstone, moonstone_corpus
from segscore.scores import Score
from segscore.scoring import score

NEEDS = ("moonstone",)
SLIP = "the end of each chapter counts as a boundary on which everyone agrees"
CUT_OFF = Tolerance(0.01, "one in the last of 2 decimals, which may have been cut off")
REPAIRED_CHAPTER = 20


# ---- κ ----


def kappa_of_first_chapter(run: Run) -> float:
    """Fleiss's κ of chapter 1."""
    chapters = run.shared(moonstone)
    return float(fleiss_kappa(moonstone_corpus({1: chapters[1]}), count_end=True, n_resamples=1))


def _kappas(run: Run, part: str) -> list[float]:
    made = fleiss_kappa(moonstone_corpus(run.shared(moonstone)), count_end=True, n_resamples=1)
    return [float(one) for one in getattr(made, part).values()]


def mean_kappa_of_chapters(run: Run) -> float:
    """The mean over chapters."""
    return float(np.mean(_kappas(run, "documents")))


def mean_kappa_of_groups(run: Run) -> float:
    """The mean over groups of chapters, each pooled."""
    return float(np.mean(_kappas(run, "groups")))


def sd_of_kappa_of_groups(run: Run) -> float:
    """Their standard deviation (of a sample)."""
    return float(np.std(_kappas(run, "groups"), ddof=1))


# ---- Pk and WindowDiff over pairs of coders ----


def half_of_pooled_mean(codings: Codings) -> int:
    """k: half of the mean of all segments of all coders, cut down."""
    segments = sum(one.n_segments for one in codings.values())
    return sum(one.n_units for one in codings.values()) // (2 * segments)


def half_of_mean_of_means(codings: Codings) -> int:
    """k: half of the mean over coders of their mean segments, cut down."""
    return int(np.mean([one.n_units / one.n_segments for one in codings.values()]) / 2)


def mean_over_chapters(
    run: Run, metric: Callable[[int], Metric], size: Callable[[Codings], int], repaired: bool
) -> float:
    """The mean over chapters of the mean over pairs of coders, with one k per chapter."""
    chapters = dict(run.shared(moonstone))
    if repaired:
        chapters[REPAIRED_CHAPTER] = longer_by_one(chapters[REPAIRED_CHAPTER])
    means = [
        pairwise(moonstone_corpus({number: codings}), metric(max(1, size(codings)))).mean
        for number, codings in chapters.items()
    ]
    return float(np.mean(means))


# ---- the bounds of multWinDiff ----


def multiple_window_diff(run: Run) -> Score:
    """Over all chapters, each person's segmentation a reference. The bounds do not depend on the
    hypothesis; it is the first person's."""
    chapters = run.shared(moonstone).values()
    refs = [list(codings.values()) for codings in chapters]
    scores = score(refs, [codings[0] for codings in refs], "multwindowdiff", on_undefined="nan")
    return scores["multwindowdiff"].micro


def _cell(
    item: str,
    published: float,
    compute: Callable[[Run], float],
    note: str = "",
    tolerance: Tolerance | None = None,
    slip: str | None = None,
) -> Cell:
    return Cell(item, published, compute, tolerance or printed(2), note, NEEDS, slip)


FIRST = "reading 1 of table 1, not claimed"
SECOND = "reading 2 of table 1, not claimed"

CELLS = [
    _cell("text, ch. 1, κ", 0.28, kappa_of_first_chapter, slip=SLIP),
    _cell("text, κ, mean of chapters", 0.38, mean_kappa_of_chapters, "", CUT_OFF, SLIP),
    _cell(
        "text, WD",
        0.34,
        lambda run: mean_over_chapters(run, lambda k: WindowDiff(k=k), half_of_pooled_mean, True),
        f"{FIRST}; ch. 20 with the paragraph that the data lacks",
    ),
    _cell("table 1, row WD as κ of groups, mean", 0.38, mean_kappa_of_groups, FIRST, CUT_OFF, SLIP),
    _cell("table 1, row WD as κ of groups, sd", 0.09, sd_of_kappa_of_groups, FIRST, slip=SLIP),
    _cell(
        "table 1, Pk as labelled, mean",
        0.33,
        lambda run: mean_over_chapters(run, lambda k: Pk(k=k), half_of_mean_of_means, False),
        SECOND,
    ),
    _cell(
        "table 1, WD as labelled, mean",
        0.38,
        lambda run: mean_over_chapters(
            run, lambda k: WindowDiff(k=k), half_of_mean_of_means, False
        ),
        SECOND,
    ),
    _cell("best possible multWinDiff", 0.21, lambda run: float(multiple_window_diff(run).best)),
    _cell("worst possible multWinDiff", 1.0, lambda run: float(multiple_window_diff(run).worst)),
    Cell(
        "table 1, κ as labelled, mean",
        0.29,
        mean_kappa_of_chapters,
        printed(2),
        f"contradicts the text; {SECOND}",
        NEEDS,
        SLIP,
        holds=False,
    ),
]
