"""Chris Fournier & Diana Inkpen (2012): Segmentation Similarity and Agreement. NAACL 2012.

WindowDiff is printed as 1-WD. The paper's window of k units holds k-1 potential boundaries; in our
terms `rounding="half-up", k_offset=-1`. Only so do figs. 4, 5, 7 and 8 and table 2 come out.

Table 2: the Moonstone corpus of Kazantseva & Szpakowicz (2012), chapter by chapter; 1-WD is the
mean and the population standard deviation over all ordered pairs of coders. Section 4.4: groups of
coders, sums over pairs of coders, and which chapters stand out. Chapter 20 has the paragraph that
the data does not have. Table 1 has a module of its own.

Fig. 5a: a text of 100 units, one boundary in the reference, found, and more and more false
positives beside it. How they lie is our reading: the hypothesis has segments of equal size, and the
reference has the first of its boundaries.

The tests of the first author's program hold some of the same quantities with 28 digits, and confirm
the reading of k (see `fournier_program`); they are counted apart.
"""

from collections.abc import Mapping
from functools import cache, partial
from itertools import combinations

import numpy as np

from reproduction import fournier2012_simulation, fournier_program, small_texts
from reproduction.cells import Formulas, printed_numbers
from reproduction.corpora import ByCoder, moonstone_corpus, moonstone_repaired
from reproduction.fournier_program import (
    COLUMNS,
    WINDOW_DIFF,
    correct,
    slipped_by_document,
)
from reproduction.runs import Run
from segscore.coders.nominal import fleiss_kappa
from segscore.coders.pairwise_values import pairwise
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.datasets.loading import GROUPS
from segscore.metrics import SegmentationSimilarity, WindowDiff, boundary_edits

S = SegmentationSimilarity()


# ---- eq. 3, figs. 5 and 7 ----


def transposition_cost(_run: Run, distance: int) -> float:
    """The cost of eq. 3 for a boundary that is `distance` off, b = 2."""
    n = 2 * distance + 2
    first, second = (Segmentation.from_boundaries([at], n) for at in (1, 1 + distance))
    return boundary_edits(first, second, n_t=distance + 1).cost("halving")


def figure_5a(extra: int) -> tuple[Segmentation, Segmentation]:
    """A text of 100 units: the reference, and `extra` false positives beside the match."""
    ends = [i * 100 // (extra + 2) for i in range(1, extra + 2)]
    return Segmentation.from_boundaries(ends[:1], 100), Segmentation.from_boundaries(ends, 100)


def false_positives_until_worst(_run: Run, k: int) -> float:
    """The fewest false positives that make every window of fig. 5a wrong, k places in each."""
    metric = WindowDiff(k=k)
    return next(extra for extra in range(99) if float(metric(*figure_5a(extra))) == 1)


def figure_5c(mass: int) -> tuple[Segmentation, Segmentation]:
    """The segmentations of fig. 10: a quarter and the rest; two quarters and a half."""
    quarter = mass // 4
    first = Segmentation.from_masses([quarter, mass - quarter])
    return first, Segmentation.from_masses([quarter, quarter, mass - 2 * quarter])


# ---- table 2 ----


@cache
def table_2(run: Run) -> dict[int, dict[str, float]]:
    """All columns for all chapters, computed."""
    return agreement_columns(moonstone_repaired(run))


def agreement_columns(found: Mapping[int, ByCoder]) -> dict[int, dict[str, float]]:
    """The columns of table 2: agreement by S and counts, with the paper's slips, and 1-WD over
    coder pairs."""
    corpus = moonstone_corpus(found)
    windows = pairwise(corpus, WINDOW_DIFF).documents
    return {
        int(name): {
            **agreed,
            "1-WD, mean": 1 - windows[name].mean,
            "1-WD, sd": windows[name].sd,
            "coders": len(corpus[name]),
            "boundaries": sum(coding.n_segments for coding in corpus[name].values()),
            "mass": corpus[name].n_units,
        }
        for name, agreed in slipped_by_document(corpus, S).items()
    }


def chapter(run: Run, number: int) -> Corpus:
    """A chapter as a corpus."""
    return moonstone_corpus({number: moonstone_repaired(run)[number]})


def pi_of_chapter(run: Run, number: int) -> float:
    """π* by S of a chapter, boundaries counted as boundaries."""
    return correct(chapter(run, number), S).pi


def chapters_with(run: Run, count: str) -> float:
    """Chapters in which the printed "boundaries" are the boundaries, or the segments."""
    numbers = printed_numbers("fournier2012")
    return sum(
        numbers[f"table 2, ch. {chapter}, boundaries"]
        == sum(coding.n_segments - (count == "boundaries") for coding in codings.values())
        for chapter, codings in moonstone_repaired(run).items()
    )


# ---- section 4.4 ----


@cache
def of_groups(run: Run, column: str) -> list[float]:
    """A number about each of the five groups; people with the same name in a group count as one
    person."""
    found = moonstone_repaired(run)
    groups = [
        Corpus.from_dict({str(chapter): found[chapter] for chapter in chapters})
        for chapters in GROUPS.values()
    ]
    return [COLUMNS[column](group, S) for group in groups]


def count_edits(run: Run, kind: str) -> float:
    """The number of edits of a kind between any two coders of a chapter, in all chapters."""
    return sum(
        len(getattr(boundary_edits(first, second), kind))
        for codings in moonstone_repaired(run).values()
        for first, second in combinations(codings.values(), 2)
    )


def chapter_with(run: Run, which: str, column: str) -> float:
    """The chapter with the highest or lowest value of a column."""
    rows = table_2(run)
    return (max if which == "highest" else min)(rows, key=lambda chapter: rows[chapter][column])


def pi_of_opposites(_run: Run) -> float:
    """Fleiss's π of two people, each of whom marks what the other does not."""
    codings = {"a": Segmentation.from_gaps("0101"), "b": Segmentation.from_gaps("1010")}
    return float(fleiss_kappa(Corpus.from_dict({"text": codings}), n_resamples=1))


FORMULAS: Formulas = {
    **small_texts.FORMULAS,
    **fournier_program.FORMULAS,
    **fournier2012_simulation.FORMULAS,
    "cut off": lambda _, ref, hyp: (
        int(float(S(small_texts.cut(ref), small_texts.cut(hyp))) * 10**4) / 10**4
    ),
    "boundary": lambda _, masses, number: small_texts.cut(masses).boundaries[number - 1],
    "places": lambda _, masses: small_texts.cut(masses).n_units - 1,
    "cost": transposition_cost,
    "fig. 5a": false_positives_until_worst,
    "fig. 5c, 1-WD": lambda _, k=None: 1 - (WindowDiff(k=k) if k else WINDOW_DIFF)(*figure_5c(100)),
    "fig. 5c, S": lambda _: S(*figure_5c(10**12)),
    "table 2": lambda run, number, column: table_2(run)[number][column],
    "mean of groups": lambda run, column: np.mean(of_groups(run, column)),
    "sd of groups": lambda run, column: np.std(of_groups(run, column)),
    "edits of chapters": count_edits,
    "chapter with": chapter_with,
    "chapters with": chapters_with,
    "π* of a chapter": pi_of_chapter,
    "mean of π*": lambda run: np.mean([row["π*"] for row in table_2(run).values()]),
    "mean of correct π*": lambda run: np.mean([*map(partial(pi_of_chapter, run), table_2(run))]),
    "1-WD of a chapter": lambda run, number: 1 - pairwise(chapter(run, number), "windowdiff").mean,
    "π of opposites": pi_of_opposites,
}
