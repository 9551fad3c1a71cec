"""Chris Fournier & Diana Inkpen (2012): Segmentation Similarity and Agreement. NAACL 2012.

WindowDiff is printed as 1-WD. The paper's window of k units holds k-1 potential boundaries; in our
terms `rounding="half-up", k_offset=-1`. Only so do figs. 4, 5, 7 and 8 and table 2 come out.

Table 2: the Moonstone corpus of Kazantseva & Szpakowicz (2012), chapter by chapter; 1-WD is the
mean and the population standard deviation over all ordered pairs of coders. Section 4.4: groups of
coders, sums over pairs of coders, and which chapters stand out. Chapter 20 has the paragraph that
the data does not have. Table 1 has a module of its own, and so have the small examples.

The tests of the first author's program hold some of the same quantities with 28 digits, and confirm
the reading of k (see `fournier_program`); they are counted apart.
"""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from reproduction import fournier2012_examples as examples
from reproduction.corpora import (
    REPAIRED,
    REPAIRED_CHAPTER,
    ByCoder,
    moonstone_corpus,
    moonstone_repaired,
)
from reproduction.fournier2012_examples import FIGURES, MEASURES, WINDOW_DIFF
from reproduction.fournier2012_simulation import CELLS as SIMULATED
from reproduction.fournier2012_simulation import simulated_sd
from reproduction.fournier_program import (
    BIAS_SLIP,
    MEAN_SLIP,
    SLIP,
    bias_of_mean_proportions,
    correct,
    correct_bias,
    pi_of_mean_proportions,
    segeval_1_cells,
    slipped_by_document,
)
from reproduction.published import (
    COUNT,
    Erratum,
    OwnNumber,
    PublishedNumber,
    Run,
    figure_cells,
    printed,
    printed_table,
)
from segscore.coders.decisions import fleiss_kappa
from segscore.coders.pairwise import pairwise
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.datasets.loading import GROUPS
from segscore.metrics import SegmentationSimilarity, WindowDiff
from segscore.metrics.edit_distance import BoundaryEdits, boundary_edits

NEEDS = ("moonstone",)
_own = partial(OwnNumber, needs=NEEDS)

S = SegmentationSimilarity()

# ---- table 2 ----

PRINTED_IN_TABLE_2 = {
    int(chapter): row for chapter, row in printed_table("fournier2012_table_2").items()
}
SEGMENTS = "the column said to count boundaries counts segments"
SLIPS = {"π*": SLIP, "κ*": SLIP, "bias": SLIP, "boundaries": SEGMENTS}


def table_2(run: Run) -> dict[int, dict[str, float]]:
    """All columns for all chapters, computed."""
    return agreement_columns(run.shared(moonstone_repaired))


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


def _table_2(chapter: int, column: str, published: float) -> PublishedNumber:
    slips = [SLIPS[column]] if column in SLIPS else []
    if chapter == REPAIRED_CHAPTER and column not in ("coders", "boundaries"):
        slips.append(REPAIRED)
    whole = column in ("coders", "boundaries", "mass")
    return PublishedNumber(
        item=f"table 2, ch. {chapter}, {column}",
        published=published,
        compute=lambda run: run.shared(table_2)[chapter][column],
        tolerance=COUNT if whole else printed(4),
        note="over ordered pairs of coders" if column.startswith("1-WD") else "",
        needs=NEEDS,
        slip="; ".join(slips) or None,
    )


# ---- section 4.4 ----


def of_groups(run: Run) -> dict[str, list[float]]:
    """π* and bias of the five groups; people with the same name in a group count as one person."""
    found = run.shared(moonstone_repaired)
    groups = [
        Corpus.from_dict({str(chapter): found[chapter] for chapter in chapters})
        for chapters in GROUPS.values()
    ]
    pooled = [correct(group, S) for group in groups]
    return {
        "π*": [pi_of_mean_proportions(group, S) for group in groups],
        "bias": [bias_of_mean_proportions(group, S) for group in groups],
        "π*, pooled": [agreement.pi for agreement in pooled],
        "bias, pooled": [agreement.bias for agreement in pooled],
    }


def over_groups(column: str, statistic: Callable[[list[float]], Any], run: Run) -> float:
    """A statistic over the five groups."""
    return float(statistic(run.shared(of_groups)[column]))


# ---- edits between all pairs of coders ----


def all_edits(run: Run) -> list[BoundaryEdits]:
    """The edits between any two coders of a chapter."""
    return [
        boundary_edits(first, second)
        for codings in run.shared(moonstone_repaired).values()
        for first, second in combinations(codings.values(), 2)
    ]


def count_edits(kind: str, run: Run) -> float:
    """The number of edits of a kind in all chapters."""
    return sum(len(getattr(edits, kind)) for edits in run.shared(all_edits))


# ---- which chapters stand out ----


def chapter_with(which: str, column: str, run: Run) -> float:
    """The chapter with the highest or lowest value of a column."""
    rows = run.shared(table_2)
    pick = max if which == "highest" else min
    return pick(rows, key=lambda chapter: rows[chapter][column])


SECTION_4_4 = [
    *(
        PublishedNumber(
            f"section 4.4, {name} of groups, {statistic}",
            published,
            partial(over_groups, name, compute),
            printed(4),
            needs=NEEDS,
            slip=slip,
        )
        for name, statistic, compute, published, slip in (
            ("π*", "mean", np.mean, 0.8904, MEAN_SLIP),
            ("π*", "sd", np.std, 0.0392, MEAN_SLIP),
            ("bias", "mean", np.mean, 0.0061, BIAS_SLIP),
            ("bias", "sd", np.std, 0.0035, BIAS_SLIP),
        )
    ),
    *(
        PublishedNumber(
            f"section 4.4, {what}", number, partial(count_edits, kind), COUNT, "", NEEDS
        )
        for what, kind, number in (
            ("full misses", "additions", 1039),
            ("near misses", "transpositions", 212),
        )
    ),
    *(
        PublishedNumber(
            f"section 4.4, chapter with the {which} {column.removesuffix(', mean')}",
            chapter,
            partial(chapter_with, which, column),
            COUNT,
            needs=NEEDS,
            slip=SLIPS.get(column),
        )
        for which, column, chapter in (
            ("lowest", "π*", 1),
            ("highest", "bias", 1),
            ("highest", "π*", 17),
            ("lowest", "1-WD, mean", 19),
            ("highest", "1-WD, mean", 16),
        )
    ),
]


CELLS = [
    *figure_cells(FIGURES, MEASURES),
    *examples.CELLS,
    *SIMULATED,
    *(
        _table_2(chapter, column, published)
        for chapter, values in PRINTED_IN_TABLE_2.items()
        for column, published in values.items()
    ),
    *SECTION_4_4,
    *segeval_1_cells(),
]
MISSING = [
    "Fig. 2 (masses 1 3 2), figs. 9 and 10 (masses in quarters of m): examples without a result.",
    "Fig. 5b and the curves of figs. 5a and 5c: only what the text says about a curve can be read.",
    "Fig. 11: a map of shades, without numbers.",
]


# ---- errata ----


def correct_pi(chapter: int, run: Run) -> float:
    """π* by S of a chapter, boundaries counted as boundaries."""
    corpus = moonstone_corpus({chapter: run.shared(moonstone_repaired)[chapter]})
    return correct(corpus, S).pi


def mean_pi(run: Run, slip: bool) -> float:
    """The mean of π* over chapters."""
    found = run.shared(moonstone_repaired)
    if slip:
        values = [row["π*"] for row in run.shared(table_2).values()]
    else:
        values = [correct_pi(chapter, run) for chapter in found]
    return sum(values) / len(found)


def with_unit_windows(chapter: int, run: Run) -> float:
    """Mean 1-WD of a chapter, a window of k holding k potential boundaries."""
    corpus = moonstone_corpus({chapter: run.shared(moonstone_repaired)[chapter]})
    return 1 - pairwise(corpus, WindowDiff()).mean


def _chapters_with(count: str, run: Run) -> float:
    """Chapters in which the printed "boundaries" are the boundaries, or the segments."""
    found = run.shared(moonstone_repaired)
    totals = {
        chapter: sum(coding.n_segments - (count == "boundaries") for coding in codings.values())
        for chapter, codings in found.items()
    }
    return sum(totals[chapter] == row["boundaries"] for chapter, row in PRINTED_IN_TABLE_2.items())


def _pi_of_opposites(_run: Run) -> float:
    """Fleiss's π of two people, each of whom marks what the other does not."""
    codings = {"a": Segmentation.from_gaps("0101"), "b": Segmentation.from_gaps("1010")}
    return float(fleiss_kappa(Corpus.from_dict({"text": codings}), n_resamples=1))


ERRATA = [
    Erratum(
        "Table 2, number of boundaries",
        "The column is said to count boundaries. In all 20 chapters it is the number of segments.",
        cells=("table 2, ch. *, boundaries",),
        findings=tuple(
            _own(f"chapters in which it is the number of {count}", partial(_chapters_with, count))
            for count in ("segments", "boundaries")
        ),
    ),
    Erratum(
        "Table 2, π*, κ* and bias",
        "All coefficients come out to the fourth decimal if chance agreement is computed from the "
        "number of segments in place of the number of boundaries, one too many in each coding, and "
        "not with boundaries; they are then too low.",
        "The program counted segments in both places.",
        (
            "table 2, ch. *, π?",
            "table 2, ch. *, κ?",
            "table 2, ch. *, bias",
            "tests of segeval 1.0, ch. *",
        ),
        (
            _own("π* of chapter 1 with boundaries", partial(correct_pi, 1)),
            _own("mean of π* over the chapters, as printed", partial(mean_pi, slip=True)),
            _own("the same with boundaries", partial(mean_pi, slip=False)),
        ),
    ),
    Erratum(
        "Section 4.4, bias of the groups of coders",
        "The printed 0.0061 ± 0.0035 comes out if, for π*, proportions are averaged over codings, "
        "so that a short chapter weighs as much as a long one, and for κ* are pooled by coder. "
        "Bias, their difference, is then mostly the difference between these two ways, and not "
        "between people. Pooled in both places it is smaller.",
        "The tests of the author's program hold the same difference with 28 digits: it is what the "
        "program computes, and what is printed.",
        (
            "section 4.4, bias *",
            "section 4.4, π? *",
            "tests of segeval 1.0, group *, bias",
            "tests of segeval 1.0, group *, κ?",
        ),
        (
            _own("bias in group 1 with boundaries, pooled", partial(correct_bias, 1)),
            *(
                _own(
                    f"mean of {name} over groups, boundaries pooled",
                    partial(over_groups, f"{name}, pooled", np.mean),
                )
                for name in ("π*", "bias")
            ),
        ),
    ),
    Erratum(
        "Eq. 12",
        "It divides a sum that is weighted by units by one that counts potential boundaries. The "
        "table, and the program's tests, come out with potential boundaries in both places.",
        cells=("table 2, ch. *, π?", "tests of segeval 1.0, group *, S, micro"),
    ),
    Erratum(
        "The window of 1-WD",
        "Figures and table 2 come out if a window of k units holds k-1 potential boundaries, k "
        'being rounded half up: one less than in the definition of WindowDiff. Its N is "the '
        'number of sentences plus one", which is where the difference comes from.',
        cells=("table 2, ch. *, 1-WD, *", "fig. *, 1-WD*", "tests of segeval 1.0, group *, WD, *"),
        findings=(
            _own("mean 1-WD of chapter 1 with k of them", partial(with_unit_windows, 1)),
            *examples.WITH_K_PLACES,
        ),
    ),
    Erratum(
        "Table 1",
        "WindowDiff is said to be less steady than S. Half of a mean segment of 25 is 12.5, so "
        "that k is 11 in about half of the trials and 12 in the others, and WindowDiff jumps with "
        "it. S of both kinds of errors comes out only if the last place inside a segment is never "
        "a false positive. The first three ranges include their upper end, and (5, 45) does not.",
        "Most of the standard deviation of WindowDiff in this table is a matter of k, not of the "
        "metric.",
        ("table 1, *, WD, mean", "table 1, *, WD, sd", "table 1, *, S, *"),
        tuple(
            OwnNumber(
                f"sd of WD for (20, 30), {kind}, {where}", partial(simulated_sd, kind, inside)
            )
            for kind in ("FN", "FP", "FNP")
            for where, inside in (("over all hypotheses", False), ("within trials", True))
        ),
    ),
    Erratum(
        "Fig. 7",
        "1-WD and S are the same fraction, 11/13, and are printed as 0.8462 and 0.8461.",
        cells=("fig. 7, *",),
    ),
    Erratum(
        "Recall",
        'It is said to be the share "out of all boundaries in the reference and hypothesis"; it is '
        "out of those in the reference.",
    ),
    Erratum(
        "The range of the coefficients",
        "It has lost its minus sign: π and κ of coders who agree less than chance are below 0.",
        findings=(OwnNumber("π of two coders who never agree", _pi_of_opposites),),
    ),
    Erratum(
        "Eq. 4",
        "The distance in it is d(s_i1, s_i1), of a segmentation and itself, which is always 0.",
        "d(s_i1, s_i2) is meant.",
        ("fig. *, S",),
    ),
    Erratum(
        "The data of chapter 20",
        "Not an error of the paper: the file of chapter 20 that is public has 20 paragraphs, and "
        "table 2 prints 21. With one more at the end of everyone's last segment the row is exact.",
        "The last paragraph was lost when the file was written.",
        ("table 2, ch. 20, *",),
    ),
]
