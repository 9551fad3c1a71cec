"""Anna Kazantseva & Stan Szpakowicz (2012): Topical Segmentation: a Study of Human Performance and
a New Measure of Quality. NAACL 2012.

Twenty chapters of The Moonstone, cut by groups of four to six people. Fleiss's κ counts the end of
a chapter as a boundary on which everyone agrees; without it κ of chapter 1 is .043, and the mean
over chapters .243. Table 1 has three readings, none of which is claimed (see
`kazantseva2012_table_1`); the corpus and fig. 3 have a module of their own, too.
"""

from functools import partial

from segscore.metrics import PD, MultiWindowDiff
from segscore.metrics.statistics import Score
from segscore.papers import kazantseva2012_corpus as corpus
from segscore.papers import kazantseva2012_table_1 as table_1
from segscore.papers import moonstone_segmenters, pevzner2002
from segscore.papers.corpora import moonstone
from segscore.papers.errata import Erratum, Finding
from segscore.papers.published import COUNT, PublishedNumber, Run, printed
from segscore.scoring.scoring import score

NEEDS = ("moonstone",)


# ---- multWinDiff ----


def window_of_first_chapter(run: Run) -> float:
    """The k of multWinDiff for chapter 1, everyone a reference; no hypothesis changes it."""
    codings = list(run.shared(moonstone)[1].values())
    return float(MultiWindowDiff()(codings, codings[0]).k)


def mean_segment_of_first_chapter(run: Run) -> float:
    """Paragraphs per segment in chapter 1, over all people."""
    codings = run.shared(moonstone)[1].values()
    return sum(one.n_units for one in codings) / sum(one.n_segments for one in codings)


def multiple_window_diff(run: Run) -> Score:
    """Over all chapters, each person's segmentation a reference. The bounds do not depend on the
    hypothesis; it is the first person's."""
    chapters = run.shared(moonstone).values()
    refs = [list(codings.values()) for codings in chapters]
    scores = score(refs, [codings[0] for codings in refs], "multwindowdiff", on_undefined="nan")
    return scores["multwindowdiff"].micro


CELLS = [
    PublishedNumber(
        "text, ch. 1, mean segment", 4, mean_segment_of_first_chapter, COUNT, "", NEEDS
    ),
    PublishedNumber("text, ch. 1, k", 2, window_of_first_chapter, COUNT, "", NEEDS),
    *(
        PublishedNumber(
            f"{bound} possible multWinDiff",
            value,
            lambda run, bound=bound: float(getattr(multiple_window_diff(run), bound)),  # type: ignore[misc]
            printed(2),
            "",
            NEEDS,
        )
        for bound, value in (("best", 0.21), ("worst", 1.0))
    ),
    *corpus.CELLS,
    *table_1.CELLS,
    *moonstone_segmenters.KAZANTSEVA_2012,
]

MISSING = ["Figs. 1 and 3, the drawings: only what the text says about them can be read."]


# ---- errata ----


def _simulated_pk(kind: str, run: Run) -> float:
    """Pk of hypotheses that only miss boundaries, or only have some too many."""
    return float(run.shared(pevzner2002.TABLE_1[(20, 30), kind])["Pk"].mean())


def _eq_4_of_identical(run: Run) -> float:
    """Eq. 4 as printed, for a coding of chapter 1 and itself."""
    coding = next(iter(run.shared(moonstone)[1].values()))
    return 1 - PD()(coding, coding)


def _with_mean_of_means(run: Run, kind: str) -> float:
    """A metric with k half of the mean of people's mean segments, over groups."""
    metric = table_1.window_diff if kind == "WD" else table_1.pk
    return float(table_1.means_of_groups(run, metric, table_1.half_of_mean_of_means).mean())


ERRATA = [
    Erratum(
        "κ",
        "κ of chapter 1 comes out only if the end of each chapter, where nobody decides anything, "
        "counts as a boundary on which all agree. The shorter the chapter, the more this adds.",
        cells=("text, ch. 1, κ", "text, κ", "table 1, row WD as κ of groups, *"),
        findings=(
            Finding(
                "κ of chapter 1 without it",
                partial(table_1.kappa_of_first_chapter, count_end=False),
                NEEDS,
            ),
            Finding(
                "mean over chapters without it",
                partial(table_1.mean_kappa, part="documents", count_end=False),
                NEEDS,
            ),
            Finding(
                "mean over chapters with it", partial(table_1.mean_kappa, part="documents"), NEEDS
            ),
            Finding(
                "with it, chapters weighted by their paragraphs",
                table_1.mean_kappa_by_length,
                NEEDS,
            ),
        ),
    ),
    Erratum(
        "Table 1",
        "It gives κ .29 ± .15, Pk .33 ± .17 and WD .38 ± .09, the text κ .38 and WD .34. By the "
        "paper's own procedure (one window per chapter from all annotators, the average over five "
        "groups) the WD of the text comes out, and no number of the table.",
        "Two readings fit parts, and neither is claimed. With the rows moved (Pk .29 ± .15, WD .33 "
        "± .17, κ .38 ± .09) the numbers agree with the text, and all but the mean of κ come out "
        "to the digit if the end of a chapter counts as a boundary for Pk and WD as it does for "
        "κ. With the labels as printed, four of six come out with no slip at all, but not the mean "
        "of κ, and not the sd of WD, which is twice as large over pairs of people. If all digits "
        "were cut off instead of rounded, the mean of κ would come out, too, and Pk and WD with "
        "every pair taken once.",
        (
            "text, WD",
            "table 1, κ, *",
            "table 1, Pk, *",
            "table 1, WD, *",
            "table 1, row *",
            "table 1, * as labelled, *",
        ),
        (
            *(
                Finding(
                    f"{name} of {what}, every pair once, the end counted",
                    partial(compute, metric=metric, both_ways=False),
                    NEEDS,
                )
                for what, metric in (("Pk", table_1.pk), ("WD", table_1.window_diff))
                for name, compute in (
                    ("mean", table_1.mean_with_end),
                    ("sd", table_1.sd_with_end),
                )
            ),
            *(
                Finding(
                    f"mean {kind} over groups, k half of the mean of people's mean segments",
                    partial(_with_mean_of_means, kind=kind),
                    NEEDS,
                )
                for kind in ("WD", "Pk")
            ),
        ),
    ),
    Erratum(
        "Pk, false negatives and positives",
        "It is said to penalise false negatives less. Pevzner & Hearst (2002) show the opposite, "
        "and so does their simulation, run again here.",
        findings=tuple(
            Finding(f"mean Pk of hypotheses with {name} (p = .5)", partial(_simulated_pk, kind))
            for name, kind in (("false negatives only", "FN"), ("false positives only", "FP"))
        ),
    ),
    Erratum(
        "Eq. 4",
        "Its XNOR counts the pairs of units on which both sides agree; as an error it would be "
        "highest for identical segmentations.",
        "XOR is meant.",
        findings=(Finding("eq. 4 of a coding and itself", _eq_4_of_identical, NEEDS),),
    ),
    Erratum(
        "Fig. 2, the annotators",
        "The text names annotator 3 twice, with 2 and with 4 segments. In the data annotator 3 has "
        "2, and annotator 4 has 4.",
        cells=("fig. 2, segments of annotator *",),
    ),
    Erratum(
        "Eq. 8-10 (multWinDiff)",
        "They mix a sum, a mean per window and a mean per annotator. The bounds that the paper "
        "reports are those of sums over windows and annotators, each divided by both numbers.",
        cells=("best possible multWinDiff", "worst possible multWinDiff"),
    ),
]
