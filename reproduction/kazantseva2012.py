"""Anna Kazantseva & Stan Szpakowicz (2012): Topical Segmentation: a Study of Human Performance and
a New Measure of Quality. NAACL 2012.

Twenty chapters of The Moonstone, cut by groups of four to six people. Fleiss's κ counts the end of
a chapter as a boundary on which everyone agrees; without it κ of chapter 1 is .043, and the mean
over chapters .243. Table 1 is read with its rows moved (`kazantseva2012_table_1`), table 2 with the
windows of the author's program (`kazantseva2012_program`).

The corpus: chapter 20 with the paragraph that the data does not have; only so are there 53.85
paragraphs per chapter, as printed. Fig. 3 shows the share of an annotator's peers who support each
marked position, exactly or within half a window, or a window; the annotator who marked it does not
count. Cells are what the text says about it, in fives of per cent. One reading: the window is half
of the mean segment, and half a window is rounded up.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np

from reproduction import kazantseva2012_table_1, moonstone_segmenters, pevzner2002
from reproduction.cells import Formulas
from reproduction.corpora import moonstone, moonstone_corpus, moonstone_repaired
from reproduction.kazantseva2012_program import mult_sums
from reproduction.runs import Run
from segscore.basics.arguments import Floats
from segscore.coders.gold import support
from segscore.metrics import PD, MultiWindowDiff

# Numbers in the list of annotators of the corpus (github.com/contours/textseg, annot_to_group.csv)
# that have no group.
WITHOUT_GROUP = (4, 6, 28)


def group_sizes(run: Run) -> list[int]:
    """The number of people in each group, most first: as many as coded the chapter with the most
    coders."""
    corpus = moonstone_corpus(moonstone(run))
    sizes = (max(len(corpus[name]) for name in names) for names in corpus.groups.values())
    return sorted(sizes, reverse=True)


def counted(run: Run, what: str) -> Floats:
    """Paragraphs of each chapter, paragraphs of each segment of each person, or episodes
    (segments) of each coding."""
    chapters = list(moonstone_repaired(run).values())
    codings = [coding for chapter in chapters for coding in chapter.values()]
    if what == "paragraphs per chapter":
        return np.array([next(iter(chapter.values())).n_units for chapter in chapters])
    if what == "paragraphs per segment":
        return np.concatenate([coding.masses for coding in codings])
    return np.array([coding.n_segments for coding in codings])


# ---- support ----


@cache
def supports(run: Run) -> Mapping[str, Floats]:
    """The share of peers who support each marked position, by how near they have to be.

    The person who marked the position does not count: of h people, the others are h-1.
    """
    shares: dict[str, list[float]] = {"exact": [], "half a window": [], "a window": []}
    for codings in moonstone_repaired(run).values():
        k = MultiWindowDiff(rounding="half-up").window_size(list(codings.values()))
        for name, within in zip(shares, (0, (k + 1) // 2, k), strict=True):
            counts = support(codings.values(), within=within).counts
            shares[name] += ((counts - 1) / (len(codings) - 1)).tolist()
    return {name: np.array(found) for name, found in shares.items()}


def quantile(run: Run, near: str, share: float) -> float:
    """A quantile of support over positions, in per cent."""
    return float(100 * np.quantile(supports(run)[near], share))


# ---- multWinDiff, and chapter 1 ----


def bound_of(run: Run, bound: str) -> float:
    """The best or worst possible multWinDiff over the sixteen chapters for the test.

    With the windows of the author's program, each person's coding a reference. The bounds do not
    depend on the hypothesis; it is the first person's.
    """
    found = [list(codings.values()) for codings in moonstone_segmenters.tested(run).values()]
    sums = [mult_sums(people, people[:1]) for people in found]
    total = sum(chapter.people * chapter.windows for chapter in sums)
    return float(sum(getattr(chapter, bound) for chapter in sums) / total)


def k_of_first_chapter(run: Run) -> float:
    """The k of multWinDiff for chapter 1, everyone a reference; no hypothesis changes it."""
    codings = list(moonstone(run)[1].values())
    return float(MultiWindowDiff()(codings, codings[0]).k)


def mean_segment_of_first_chapter(run: Run) -> float:
    """Paragraphs per segment in chapter 1, over all people."""
    codings = moonstone(run)[1].values()
    return sum(coding.n_units for coding in codings) / sum(coding.n_segments for coding in codings)


def eq_4_of_identical(run: Run) -> float:
    """Eq. 4 as printed, for a coding of chapter 1 and itself."""
    coding = next(iter(moonstone(run)[1].values()))
    return 1 - PD()(coding, coding)


FORMULAS: Formulas = {
    **kazantseva2012_table_1.FORMULAS,
    **moonstone_segmenters.FORMULAS,
    "chapters": lambda run: len(moonstone(run)),
    "annotators": lambda run: sum(group_sizes(run)),
    "hired": lambda run: sum(group_sizes(run)) + len(WITHOUT_GROUP),
    "people in group": lambda run, number: group_sizes(run)[number - 1],
    "mean": lambda run, what: counted(run, what).mean(),
    "sd": lambda run, what: counted(run, what).std(ddof=1),
    "segments in chapter 1": lambda run, number: (
        list(moonstone(run)[1].values())[number - 1].n_segments
    ),
    "people who mark": lambda run, place: sum(
        place in coding.boundaries for coding in moonstone(run)[1].values()
    ),
    "supported by": lambda run, share: 100 * (supports(run)["half a window"] >= share).mean(),
    "supported by less than": lambda run, share: (
        100 * (supports(run)["half a window"] < share).mean()
    ),
    "quantile": quantile,
    "quantile lies in": lambda run, near, share, least, most: (
        least <= quantile(run, near, share) <= most
    ),
    "k in chapter 1": k_of_first_chapter,
    "mean segment in chapter 1": mean_segment_of_first_chapter,
    "bound": bound_of,
    "simulated": pevzner2002.simulated,
    "eq. 4 of identical": eq_4_of_identical,
}
