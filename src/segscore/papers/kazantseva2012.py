"""Anna Kazantseva & Stan Szpakowicz (2012): Topical Segmentation: a Study of Human Performance and
a New Measure of Quality. NAACL 2012.

Twenty chapters of The Moonstone, cut by groups of four to six people. Fleiss's κ counts the end of
a chapter as a boundary on which everyone agrees; without it κ of chapter 1 is .043, and the mean
over chapters .243.

Table 1 (κ .29 ± .15, Pk .33 ± .17, WD .38 ± .09) contradicts the text (κ .38, WD .34). Neither
reading of it is claimed here:

1. The rows have changed places, and Pk is .29 ± .15, WD .33 ± .17, κ .38 ± .09. Then all come from
   one program: the end counts as a boundary for Pk and WD, too (N+1-k windows), k is half of the
   reference's mean segment, cut down, mean and sd are over ordered pairs of people; and κ has mean
   and sd over the five groups.
2. The labels are right: then the plain measures, with halves rounded up in k and no slip, give both
   numbers of Pk and one each of WD and κ, and not the other two.
"""

from collections.abc import Callable
from functools import partial
from itertools import permutations

import numpy as np

from segscore.arguments import Floats
from segscore.coders.decisions import fleiss_kappa
from segscore.coders.pairwise import pairwise
from segscore.metrics import Metric, MultiWindowDiff, Pk, WindowDiff
from segscore.papers import moonstone_segmenters
from segscore.papers.corpora import Codings, longer_by_one, moonstone, moonstone_corpus
from segscore.papers.errata import Erratum, Finding
from segscore.papers.published import COUNT, PublishedNumber, Run, Tolerance, printed
from segscore.scores import Score
from segscore.scoring import score
from segscore.segmentation import Segmentation

NEEDS = ("moonstone",)
SLIP = "the end of each chapter counts as a boundary on which everyone agrees"
REPAIRED_CHAPTER = 20
MakeMetric = Callable[[int], Metric]  # with this k


# ---- the corpus ----


def n_chapters(run: Run) -> float:
    """How many chapters were coded."""
    return len(run.shared(moonstone))


def n_annotators(run: Run) -> float:
    """How many people coded: as many in each group as coded the chapter that most of it coded."""
    corpus = moonstone_corpus(run.shared(moonstone))
    return sum(max(len(corpus[name]) for name in names) for names in corpus.groups.values())


def window_of_first_chapter(run: Run) -> float:
    """The k of multWinDiff for chapter 1, everyone a reference; no hypothesis changes it."""
    codings = list(run.shared(moonstone)[1].values())
    return float(MultiWindowDiff()(codings, codings[0]).k)


def mean_segment_of_first_chapter(run: Run) -> float:
    """Paragraphs per segment in chapter 1, over all people."""
    codings = run.shared(moonstone)[1].values()
    return sum(one.n_units for one in codings) / sum(one.n_segments for one in codings)


# ---- κ ----


def _kappas(run: Run, part: str, count_end: bool = True) -> list[float]:
    corpus = moonstone_corpus(run.shared(moonstone))
    made = fleiss_kappa(corpus, count_end=count_end, n_resamples=1)
    return [float(one) for one in getattr(made, part).values()]


def kappa_of_first_chapter(run: Run, count_end: bool = True) -> float:
    """Fleiss's κ of chapter 1."""
    return _kappas(run, "documents", count_end)[0]


def mean_kappa(run: Run, part: str, count_end: bool = True) -> float:
    """The mean over chapters ("documents"), or over groups of chapters, each pooled."""
    return float(np.mean(_kappas(run, part, count_end)))


def mean_kappa_by_length(run: Run) -> float:
    """The mean over chapters, each weighted by its paragraphs."""
    lengths = [next(iter(one.values())).n_units for one in run.shared(moonstone).values()]
    return float(np.average(_kappas(run, "documents"), weights=lengths))


def sd_of_kappa(run: Run, part: str, count_end: bool = True) -> float:
    """Their standard deviation (of a sample)."""
    return float(np.std(_kappas(run, part, count_end), ddof=1))


# ---- Pk and WindowDiff over pairs of people ----


def with_end(coding: Segmentation) -> Segmentation:
    """The slip: a text with one unit more, so that its own end is a boundary that windows see."""
    return Segmentation.from_masses([*coding.masses.tolist(), 1])


def errors_with_end(run: Run, metric: MakeMetric, both_ways: bool = True) -> Floats:
    """The error of pairs of people, k being half of the reference's mean segment, cut down.

    Every ordered pair or, if not `both_ways`, every pair once, the later person the reference.
    """
    pairs = [
        (ref, hyp)
        for codings in run.shared(moonstone).values()
        for (i, hyp), (j, ref) in permutations(enumerate(codings.values()), 2)
        if both_ways or i < j
    ]
    sizes = [max(1, ref.n_units // (2 * ref.n_segments)) for ref, _ in pairs]
    return np.array(
        [
            float(metric(k)(with_end(ref), with_end(hyp)))
            for k, (ref, hyp) in zip(sizes, pairs, strict=True)
        ]
    )


def mean_with_end(run: Run, metric: MakeMetric, both_ways: bool = True) -> float:
    """The mean of these errors."""
    return float(errors_with_end(run, metric, both_ways).mean())


def sd_with_end(run: Run, metric: MakeMetric, both_ways: bool = True) -> float:
    """Their standard deviation."""
    return float(errors_with_end(run, metric, both_ways).std())


def plain(run: Run, metric: Metric, field: str) -> float:
    """Mean or sd over ordered pairs of people, without any slip."""
    return float(getattr(pairwise(moonstone_corpus(run.shared(moonstone)), metric), field))


def half_of_pooled_mean(codings: Codings) -> int:
    """k: half of the mean of all segments of all coders, cut down."""
    segments = sum(one.n_segments for one in codings.values())
    return sum(one.n_units for one in codings.values()) // (2 * segments)


def half_of_mean_of_means(codings: Codings) -> int:
    """k: half of the mean over coders of their mean segments, cut down."""
    return int(np.mean([one.n_units / one.n_segments for one in codings.values()]) / 2)


def mean_over_chapters(
    run: Run, metric: MakeMetric, size: Callable[[Codings], int], repaired: bool
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


def _pk(k: int) -> Metric:
    return Pk(k=k)


def _window_diff(k: int) -> Metric:
    return WindowDiff(k=k)


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
    slip: str | None = None,
    holds: bool = True,
    tolerance: Tolerance | None = None,
) -> PublishedNumber:
    return PublishedNumber(
        item, published, compute, tolerance or printed(2), note, NEEDS, slip, holds
    )


FIRST = "reading 1 of table 1, not claimed"
SECOND = "reading 2 of table 1, not claimed"
CUT = "cut off instead of rounded it would be the printed number"

CELLS = [
    _cell("abstract, chapters", 20, n_chapters, tolerance=COUNT),
    _cell("abstract, annotators", 27, n_annotators, tolerance=COUNT),
    _cell("text, ch. 1, mean segment", 4, mean_segment_of_first_chapter, tolerance=COUNT),
    _cell("text, ch. 1, k", 2, window_of_first_chapter, tolerance=COUNT),
    _cell("text, ch. 1, κ", 0.28, kappa_of_first_chapter, slip=SLIP),
    _cell(
        "text, κ, mean of chapters",
        0.38,
        partial(mean_kappa, part="documents"),
        CUT,
        SLIP,
        holds=False,
    ),
    _cell(
        "text, WD",
        0.34,
        partial(mean_over_chapters, metric=_window_diff, size=half_of_pooled_mean, repaired=True),
        "k = half of the pooled mean segment, cut down; ch. 20 with the paragraph that the data "
        "lacks",
    ),
    _cell("best possible multWinDiff", 0.21, lambda run: float(multiple_window_diff(run).best)),
    _cell("worst possible multWinDiff", 1.0, lambda run: float(multiple_window_diff(run).worst)),
    _cell("table 1, row κ as Pk, mean", 0.29, partial(mean_with_end, metric=_pk), FIRST, SLIP),
    _cell("table 1, row κ as Pk, sd", 0.15, partial(sd_with_end, metric=_pk), FIRST, SLIP),
    _cell(
        "table 1, row Pk as WD, mean",
        0.33,
        partial(mean_with_end, metric=_window_diff),
        FIRST,
        SLIP,
    ),
    _cell(
        "table 1, row Pk as WD, sd", 0.17, partial(sd_with_end, metric=_window_diff), FIRST, SLIP
    ),
    _cell(
        "table 1, row WD as κ of groups, mean",
        0.38,
        partial(mean_kappa, part="groups"),
        f"{FIRST}; {CUT}",
        SLIP,
        holds=False,
    ),
    _cell(
        "table 1, row WD as κ of groups, sd", 0.09, partial(sd_of_kappa, part="groups"), FIRST, SLIP
    ),
    _cell(
        "table 1, κ as labelled, mean",
        0.29,
        partial(mean_kappa, part="documents", count_end=False),
        f"contradicts the text; {SECOND}",
        holds=False,
    ),
    _cell(
        "table 1, κ as labelled, sd",
        0.15,
        partial(sd_of_kappa, part="documents", count_end=False),
        SECOND,
    ),
    *(
        _cell(
            f"table 1, {name} as labelled, {field}",
            published,
            partial(plain, metric=metric, field=field),
            SECOND,
            holds=holds,
        )
        for name, metric, field, published, holds in (
            ("Pk", Pk(rounding="half-up"), "mean", 0.33, True),
            ("Pk", Pk(rounding="half-up"), "sd", 0.17, True),
            ("WD", WindowDiff(rounding="half-up"), "mean", 0.38, True),
            ("WD", WindowDiff(rounding="half-up"), "sd", 0.09, False),
        )
    ),
    *moonstone_segmenters.KAZANTSEVA_2012,
]

MISSING = [
    "Table 2: the outputs that it scores are not available. Below is what our segmenters do, "
    "beside those of its numbers that are before us.",
    "Figs. 1 and 3: their numbers are not before us.",
]

ERRATA = [
    Erratum(
        "κ",
        "The end of each chapter, where nobody decides anything, counts as a boundary on which all "
        "agree. The shorter the chapter, the more this adds.",
        ("text, ch. 1, κ", "table 1, row WD as κ of groups, *"),
        (
            Finding(
                "κ of chapter 1 without it", partial(kappa_of_first_chapter, count_end=False), NEEDS
            ),
            Finding(
                "mean over chapters without it",
                partial(mean_kappa, part="documents", count_end=False),
                NEEDS,
            ),
            Finding("mean over chapters with it", partial(mean_kappa, part="documents"), NEEDS),
            Finding("with it, chapters weighted by their paragraphs", mean_kappa_by_length, NEEDS),
        ),
    ),
    Erratum(
        "Table 1",
        "It gives κ .29 ± .15, Pk .33 ± .17 and WD .38 ± .09, the text κ .38 and WD .34. With the "
        "rows moved (Pk .29 ± .15, WD .33 ± .17, κ .38 ± .09) the numbers agree with the text, and "
        "all but the mean of κ come out to the digit if the end of a chapter counts as a boundary "
        "for Pk and WD as it does for κ. With the labels as printed, four of six come out with no "
        "slip at all, but not the mean of κ, and not the sd of WD, which is twice as large over "
        "pairs of people. Were all digits cut off instead of rounded, the mean of κ would come "
        "out, too, and Pk and WD with every pair taken once. Neither reading is claimed.",
        ("table 1, row *", "table 1, * as labelled, *"),
        (
            *(
                Finding(
                    f"{name} of {what}, every pair once, the end counted",
                    partial(compute, metric=metric, both_ways=False),
                    NEEDS,
                )
                for what, metric in (("Pk", _pk), ("WD", _window_diff))
                for name, compute in (("mean", mean_with_end), ("sd", sd_with_end))
            ),
            Finding(
                "mean WD over chapters, k half of the mean of people's mean segments, cut down",
                partial(
                    mean_over_chapters,
                    metric=_window_diff,
                    size=half_of_mean_of_means,
                    repaired=False,
                ),
                NEEDS,
            ),
            Finding(
                "mean Pk, likewise",
                partial(mean_over_chapters, metric=_pk, size=half_of_mean_of_means, repaired=False),
                NEEDS,
            ),
        ),
    ),
    Erratum(
        "Eq. 8-10 (multWinDiff)",
        "They mix a sum, a mean per window and a mean per annotator. The bounds that the paper "
        "reports are those of sums over windows and annotators, each divided by both numbers.",
        ("best possible multWinDiff", "worst possible multWinDiff"),
    ),
]
