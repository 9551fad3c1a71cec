"""Chris Fournier & Diana Inkpen (2012): Segmentation Similarity and Agreement. NAACL 2012.

WindowDiff is printed as 1-WD. The paper's window of k units holds k-1 potential boundaries; in our
terms `rounding="half-up", k_offset=-1`. Only so do figs. 4, 7 and 8 and table 2 come out.

Table 2: the Moonstone corpus of Kazantseva & Szpakowicz (2012), chapter by chapter; 1-WD is the
mean and the population standard deviation over all ordered pairs of coders.

The tests of the first author's program hold some of the same quantities with 28 digits, and confirm
κ* and bias, which our copy of table 2 lacks, and the reading of k (see `segeval_tests`).
"""

from collections.abc import Mapping
from functools import partial

from segscore.coders.coefficients import agreement
from segscore.coders.pairwise import pairwise
from segscore.metrics import SegmentationSimilarity, WindowDiff
from segscore.metrics.edit_distance import boundary_edits
from segscore.papers.agreement_slips import SLIP, slipped_by_document
from segscore.papers.corpora import Codings, longer_by_one, moonstone, moonstone_corpus
from segscore.papers.errata import Erratum, Finding
from segscore.papers.figure_cells import Measure, figure_cells
from segscore.papers.fournier2012_simulation import CELLS as SIMULATED
from segscore.papers.published import COUNT, FRACTION, PublishedNumber, Run, printed
from segscore.papers.segeval_tests import correct_bias, segeval_1_cells
from segscore.papers.unchecked import Unchecked
from segscore.segmentation import Segmentation
from segscore.tables import Column, Table

WINDOW_DIFF = WindowDiff(rounding="half-up", k_offset=-1)


# ---- figures 4, 6, 7, 8 ----

FIGURES = {
    "fig. 4": ((1, 2, 2, 3, 3, 1, 2), (1, 2, 1, 2, 6, 2)),
    "fig. 6": ((14,), (1,) * 14),
    "fig. 7": ((1, 2, 2, 2, 4, 2, 1), (1, 2, 8, 2, 1)),
    "fig. 8": ((6, 8), (7, 7)),
}


def one_minus_window_diff(first: Segmentation, second: Segmentation) -> float:
    """The share of windows that agree, with the paper's window."""
    return 1 - WINDOW_DIFF(first, second)


def transpositions(first: Segmentation, second: Segmentation) -> float:
    """Near misses between two segmentations."""
    return len(boundary_edits(first, second).transpositions)


def full_misses(first: Segmentation, second: Segmentation) -> float:
    """Boundaries that only one of two segmentations has."""
    return len(boundary_edits(first, second).additions)


MEASURES = {
    "transpositions": Measure(transpositions, {"fig. 4": 1}, COUNT),
    "full misses": Measure(full_misses, {"fig. 4": 3}, COUNT),
    "S": Measure(
        SegmentationSimilarity(cost="unit"),
        {"fig. 4": 9 / 13, "fig. 6": 0, "fig. 7": 11 / 13, "fig. 8": 12 / 13},
        FRACTION,
        note="n_t = 2",
    ),
    "1-WD": Measure(
        one_minus_window_diff,
        {"fig. 4": 8 / 13, "fig. 6": 0, "fig. 7": 11 / 13, "fig. 8": 9 / 11},
        FRACTION,
        note="the paper's window of k units read as k-1 potential boundaries",
    ),
}


# ---- table 2 ----


# The numbers of the table that we have in print before us; its other columns (κ*, bias, and 1-WD of
# the other chapters) are computed by `table_2`, too, and wait for somebody with the page.
PRINTED_IN_TABLE_2: dict[int, dict[str, float]] = {
    1: {"π*": 0.7452, "1-WD, mean": 0.6641, "1-WD, sd": 0.1307},
    2: {"π*": 0.8839, "1-WD, mean": 0.7619, "1-WD, sd": 0.1743},
    3: {"π*": 0.8338, "1-WD, mean": 0.6732, "1-WD, sd": 0.1559},
    4: {"π*": 0.8414, "1-WD, mean": 0.6019, "1-WD, sd": 0.2245},
    5: {"π*": 0.8773, "1-WD, mean": 0.6965, "1-WD, sd": 0.1106},
    7: {"π*": 0.8132, "1-WD, mean": 0.6945, "1-WD, sd": 0.1822},
    8: {"π*": 0.8495},
    9: {"π*": 0.8104},
    10: {"π*": 0.9077},
    11: {"π*": 0.8130},
    12: {"π*": 0.9178},
    13: {"π*": 0.9354},
    14: {"π*": 0.9367},
    15: {"π*": 0.9344},
    16: {"π*": 0.9356},
    17: {"π*": 0.9447},
    18: {"π*": 0.8921},
    19: {"π*": 0.9021},
    20: {"π*": 0.8590, "1-WD, mean": 0.6657, "1-WD, sd": 0.1221},
    21: {"π*": 0.9286},
}
REPAIRED_CHAPTER = 20


def chapters(run: Run) -> dict[int, Codings]:
    """The codings as the paper had them: our file of chapter 20 lacks the last paragraph."""
    found = moonstone(run)
    return {**found, REPAIRED_CHAPTER: longer_by_one(found[REPAIRED_CHAPTER])}


def table_2(run: Run) -> dict[int, dict[str, float]]:
    """All columns for all chapters, computed."""
    return agreement_columns(run.shared(chapters))


def agreement_columns(found: Mapping[int, Codings]) -> dict[int, dict[str, float]]:
    """The columns of table 2: agreement by S, with the paper's slip, and 1-WD over coder pairs."""
    corpus = moonstone_corpus(found)
    agreed = slipped_by_document(corpus, SegmentationSimilarity())
    windows = pairwise(corpus, WINDOW_DIFF).documents
    return {
        int(name): {
            "π*": one.pi,
            "κ*": one.kappa,
            "bias": one.bias,
            "1-WD, mean": 1 - windows[name].mean,
            "1-WD, sd": windows[name].sd,
        }
        for name, one in agreed.items()
    }


def _table_2(chapter: int, column: str, published: float) -> PublishedNumber:
    window = column.startswith("1-WD")
    notes = ["over ordered pairs of coders"] if window else []
    if chapter == REPAIRED_CHAPTER:
        notes.append("the 21st paragraph, which the data lacks, added to every last segment")
    return PublishedNumber(
        item=f"table 2, ch. {chapter}, {column}",
        published=published,
        compute=lambda run: run.shared(table_2)[chapter][column],
        tolerance=printed(4),
        note="; ".join(notes),
        needs=("moonstone",),
        slip=None if window else SLIP,
    )


CELLS = [
    *figure_cells(FIGURES, MEASURES),
    *SIMULATED,
    *(
        _table_2(chapter, column, published)
        for chapter, columns in PRINTED_IN_TABLE_2.items()
        for column, published in columns.items()
    ),
    *segeval_1_cells(),
]
MISSING = [
    "Figs. 3, 5, 9 and 10, and the rows of table 1 for other ranges of sizes: their numbers are "
    "not before us.",
]


# ---- errata ----


def correct_pi(chapter: int, run: Run) -> float:
    """π* by S of a chapter, boundaries counted as boundaries."""
    corpus = moonstone_corpus({chapter: run.shared(chapters)[chapter]})
    return agreement(corpus, SegmentationSimilarity(), draws=0, n_resamples=1).pi


def mean_pi(run: Run, slip: bool) -> float:
    """The mean of π* over chapters."""
    found = run.shared(chapters)
    if slip:
        values = [row["π*"] for row in run.shared(table_2).values()]
    else:
        values = [correct_pi(chapter, run) for chapter in found]
    return sum(values) / len(found)


def with_unit_windows(chapter: int, run: Run) -> float:
    """Mean 1-WD of a chapter, a window of k holding k potential boundaries."""
    corpus = moonstone_corpus({chapter: run.shared(chapters)[chapter]})
    return 1 - pairwise(corpus, WindowDiff()).mean


_NEEDS = ("moonstone",)
ERRATA = [
    Erratum(
        "Table 2, π*, κ* and bias",
        "Chance is computed from the number of segments in place of the number of boundaries, one "
        "too many in each coding, so that all coefficients come out too low.",
        ("table 2, ch. *, π?", "tests of segeval 1.0, ch. *"),
        (
            Finding("π* of chapter 1 with boundaries", partial(correct_pi, 1), _NEEDS),
            Finding(
                "mean of π* over the chapters, as printed", partial(mean_pi, slip=True), _NEEDS
            ),
            Finding("the same with boundaries", partial(mean_pi, slip=False), _NEEDS),
        ),
    ),
    Erratum(
        "Bias of several chapters, in the program",
        "For π* proportions are averaged over codings, so that a short chapter weighs as much as a "
        "long one, and for κ* they are pooled by coder. Bias, their difference, is then mostly the "
        "difference between these two, and not between people.",
        ("tests of segeval 1.0, group *, bias", "tests of segeval 1.0, group *, κ?"),
        (Finding("bias in group 1 with boundaries, pooled", partial(correct_bias, 1), _NEEDS),),
    ),
    Erratum(
        "Eq. 12",
        "It divides a sum that is weighted by units by one that counts potential boundaries. The "
        "table, and the program's tests, have potential boundaries in both places.",
        ("table 2, ch. *, π?", "tests of segeval 1.0, group *, S, micro"),
    ),
    Erratum(
        "The window of 1-WD",
        "A window of k units is counted as k-1 potential boundaries, k being rounded half up: one "
        "less than in the definition of WindowDiff.",
        ("table 2, ch. *, 1-WD, *", "fig. *, 1-WD", "tests of segeval 1.0, group *, WD, *"),
        (Finding("mean 1-WD of chapter 1 with k of them", partial(with_unit_windows, 1), _NEEDS),),
    ),
    Erratum(
        "Table 1",
        "That WindowDiff is less steady than S from trial to trial is mostly a matter of k: half "
        "of a mean segment of 25 is 12.5, and k is one less or more from trial to trial.",
        ("table 1, *",),
    ),
    Erratum(
        "The data of chapter 20",
        "Not the paper's error: the file that is handed down lacks the 21st paragraph. With it at "
        "the end of everyone's last segment the row of table 2 is exact.",
        ("table 2, ch. 20, *",),
    ),
]


# ---- columns that are not before us ----


def table_2_whole(run: Run) -> Table:
    """Every column of every chapter, and the means over chapters."""
    rows = run.shared(table_2)
    names = list(next(iter(rows.values())))
    means = [sum(row[name] for row in rows.values()) / len(rows) for name in names]
    columns = [Column("chapter"), *(Column(name, digits=4) for name in names)]
    shown = [[str(chapter), *(row[name] for name in names)] for chapter, row in rows.items()]
    return Table(columns, [*shown, ["mean", *means]])


UNCHECKED = [
    Unchecked(
        "table 2, all columns",
        "Coefficients with the paper's slip, under which the π* that are before us come out.",
        table_2_whole,
        _NEEDS,
    )
]
