"""Table 1 of Kazantseva & Szpakowicz (2012), and the numbers of the text that belong to it.

The table has κ .29 ± .15, Pk .33 ± .17 and WD .38 ± .09, the text κ .38 and WD .34. Three readings:

- The paper's own procedure: pairs of people in a group, the window half of the mean segment over
  all annotators of the chapter (cut down), the average over the five groups; κ by group. It gives
  the WD of the text, and no number of the table.
- Reading 1: the rows have changed places, and Pk is .29 ± .15, WD .33 ± .17, κ .38 ± .09. Then all
  come from one program: the end counts as a boundary for Pk and WD, too (N+1-k windows), k is half
  of the reference's mean segment, cut down, mean and sd are over ordered pairs of people; and κ has
  mean and sd over the five groups.
- Reading 2: the labels are right, and the plain measures, with halves rounded up in k and no slip,
  over ordered pairs of people: both numbers of Pk and one each of WD and κ come out.

No reading is claimed. The verdict counts the first; the other two are counted apart.
"""

from collections.abc import Callable
from functools import partial
from itertools import permutations

import numpy as np

from segscore.basics.arguments import Floats
from segscore.coders.decisions import fleiss_kappa
from segscore.coders.pairwise import pairwise
from segscore.coding.segmentation import Segmentation
from segscore.datasets.loading import GROUPS
from segscore.metrics import Metric, Pk, WindowDiff
from segscore.papers.corpora import (
    ByCoder,
    moonstone,
    moonstone_corpus,
    moonstone_repaired,
)
from segscore.papers.published import PublishedNumber, Run, printed

NEEDS = ("moonstone",)
SLIP = "the end of each chapter counts as a boundary on which everyone agrees"
MakeMetric = Callable[[int], Metric]  # with this k


# ---- κ ----


def _kappas(run: Run, part: str, count_end: bool = True) -> list[float]:
    corpus = moonstone_corpus(run.shared(moonstone))
    found = fleiss_kappa(corpus, count_end=count_end, n_resamples=1)
    return [float(one) for one in getattr(found, part).values()]


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


# ---- the paper's own procedure ----


def half_of_pooled_mean(codings: ByCoder) -> int:
    """k: half of the mean of all segments of all coders, cut down."""
    segments = sum(one.n_segments for one in codings.values())
    return sum(one.n_units for one in codings.values()) // (2 * segments)


def half_of_mean_of_means(codings: ByCoder) -> int:
    """k: half of the mean over coders of their mean segments, cut down."""
    return int(np.mean([one.n_units / one.n_segments for one in codings.values()]) / 2)


def means_of_groups(
    run: Run, metric: MakeMetric, size: Callable[[ByCoder], int] = half_of_pooled_mean
) -> Floats:
    """The mean over ordered pairs of people of each group, with one k per chapter."""
    chapters = run.shared(moonstone_repaired)
    means = []
    for group in GROUPS.values():
        values = [
            float(metric(max(1, size(chapters[chapter])))(ref, hyp))
            for chapter in group
            for ref, hyp in permutations(chapters[chapter].values(), 2)
        ]
        means.append(np.mean(values))
    return np.array(means)


def over_groups(run: Run, metric: MakeMetric, statistic: str = "mean") -> float:
    """The average over the five groups, or the sd (of a sample)."""
    means = means_of_groups(run, metric)
    return float(means.mean() if statistic == "mean" else means.std(ddof=1))


def mean_of_first_chapter(run: Run, metric: Metric) -> float:
    """The mean over ordered pairs of people in chapter 1."""
    return pairwise(moonstone_corpus({1: run.shared(moonstone)[1]}), metric).mean


# ---- reading 1: the end counted ----


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


# ---- reading 2: as labelled ----


def plain(run: Run, metric: Metric, field: str) -> float:
    """Mean or sd over ordered pairs of people, without any slip."""
    return float(getattr(pairwise(moonstone_corpus(run.shared(moonstone)), metric), field))


def pk(k: int) -> Metric:
    """Pk with this window."""
    return Pk(k=k)


def window_diff(k: int) -> Metric:
    """WindowDiff with this window."""
    return WindowDiff(k=k)


# ---- cells ----

CUT = "cut off instead of rounded it would be the printed number"
OWN = "by the paper's own procedure; see the other readings"
FIRST = "reading 1 of table 1, not claimed"
SECOND = "reading 2 of table 1, not claimed"


_cell = partial(PublishedNumber, tolerance=printed(2), needs=NEEDS)
_other = partial(_cell, source="other reading")

TEXT = [
    _cell("text, ch. 1, κ", 0.28, kappa_of_first_chapter, slip=SLIP),
    _cell(
        "text, ch. 1, WD", 0.38, partial(mean_of_first_chapter, metric=WindowDiff(k=2)),
        note="k = 2, as the text has it; with the end counted .389", holds=False,
    ),
    _cell(
        "text, κ", 0.38, partial(mean_kappa, part="groups"), note=f"over groups; {CUT}", slip=SLIP,
        holds=False,
    ),
    _cell(
        "text, WD", 0.34, partial(over_groups, metric=window_diff),
        note="by the paper's own procedure, ch. 20 with its last paragraph",
    ),
]  # fmt: skip
TABLE_1 = [
    _cell(f"table 1, {name}", value, compute, note=OWN, slip=slip, holds=False)
    for name, value, compute, slip in (
        ("κ, mean", 0.29, partial(mean_kappa, part="groups"), SLIP),
        ("κ, sd", 0.15, partial(sd_of_kappa, part="groups"), SLIP),
        ("Pk, mean", 0.33, partial(over_groups, metric=pk), None),
        ("Pk, sd", 0.17, partial(over_groups, metric=pk, statistic="sd"), None),
        ("WD, mean", 0.38, partial(over_groups, metric=window_diff), None),
        ("WD, sd", 0.09, partial(over_groups, metric=window_diff, statistic="sd"), None),
    )
]
READING_1 = [
    _other(f"table 1, row {name}", value, compute, note=note, slip=SLIP, holds=note == FIRST)
    for name, value, compute, note in (
        ("κ as Pk, mean", 0.29, partial(mean_with_end, metric=pk), FIRST),
        ("κ as Pk, sd", 0.15, partial(sd_with_end, metric=pk), FIRST),
        ("Pk as WD, mean", 0.33, partial(mean_with_end, metric=window_diff), FIRST),
        ("Pk as WD, sd", 0.17, partial(sd_with_end, metric=window_diff), FIRST),
        ("WD as κ of groups, mean", 0.38, partial(mean_kappa, part="groups"), f"{FIRST}; {CUT}"),
        ("WD as κ of groups, sd", 0.09, partial(sd_of_kappa, part="groups"), FIRST),
    )
]
READING_2 = [
    _other(
        "table 1, κ as labelled, mean", 0.29,
        partial(mean_kappa, part="documents", count_end=False),
        note=f"contradicts the text; {SECOND}", holds=False,
    ),
    _other(
        "table 1, κ as labelled, sd", 0.15,
        partial(sd_of_kappa, part="documents", count_end=False), note=SECOND,
    ),
    *(
        _other(
            f"table 1, {name} as labelled, {field}", published,
            partial(plain, metric=metric, field=field), note=SECOND, holds=holds,
        )
        for name, metric, field, published, holds in (
            ("Pk", Pk(rounding="half-up"), "mean", 0.33, True),
            ("Pk", Pk(rounding="half-up"), "sd", 0.17, True),
            ("WD", WindowDiff(rounding="half-up"), "mean", 0.38, True),
            ("WD", WindowDiff(rounding="half-up"), "sd", 0.09, False),
        )
    ),
]  # fmt: skip
CELLS = [*TEXT, *TABLE_1, *READING_1, *READING_2]
