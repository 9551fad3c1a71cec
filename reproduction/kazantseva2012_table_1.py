"""Table 1 of Kazantseva & Szpakowicz (2012), and the numbers of the text that belong to it.

The table has κ .29 ± .15, Pk .33 ± .17 and WD .38 ± .09, the text κ .38 and WD .34.

One reading gives all numbers of the table, and that of κ in the text: its rows have changed places,
and Pk is .29 ± .15, WD .33 ± .17, κ .38 ± .09. The end of a chapter counts as a boundary on which
everyone agrees. For Pk and WD (N+1-k windows) k is half of the reference's mean segment, cut down,
mean and sd are over ordered pairs of people. κ of a group is the mean of its chapters, weighted by
their paragraphs; mean and sd are over the five groups.

WD of the text, for chapter 1 and for all, is what the author's program gives
(`kazantseva2012_program`): the end counted, half a segment cut down, N-k+1 windows divided by N-k,
each pair of people once, the earlier person the reference.

Two other readings are counted apart:

- The paper's own procedure: pairs of people in a group, the window half of the mean segment over
  all annotators of the chapter (cut down), the average over the five groups; κ by group. It gives
  the WD of the text, and no number of the table.
- As labelled: the plain measures, with halves rounded up in k and no slip, over ordered pairs of
  people. Both numbers of Pk and one each of WD and κ come out.
"""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import combinations, permutations

import numpy as np

from reproduction.corpora import (
    ByCoder,
    moonstone,
    moonstone_corpus,
    moonstone_repaired,
)
from reproduction.kazantseva2012_program import half_segment, window_diffs, with_end
from reproduction.published import PublishedNumber, Run, printed
from segscore.basics.arguments import Floats
from segscore.coders.decisions import fleiss_kappa
from segscore.coders.pairwise import pairwise
from segscore.datasets.loading import GROUPS
from segscore.metrics import Metric, Pk, WindowDiff

NEEDS = ("moonstone",)
SLIP = "the end of each chapter counts as a boundary on which everyone agrees"
MakeMetric = Callable[[int], Metric]  # with this k


# ---- κ ----


def _kappas(run: Run, part: str, count_end: bool = True) -> list[float]:
    corpus = moonstone_corpus(run.shared(moonstone))
    found = fleiss_kappa(corpus, count_end=count_end, n_resamples=1)
    return [float(kappa) for kappa in getattr(found, part).values()]


def kappa_of_first_chapter(run: Run, count_end: bool = True) -> float:
    """Fleiss's κ of chapter 1."""
    return _kappas(run, "documents", count_end)[0]


def mean_kappa(run: Run, part: str, count_end: bool = True) -> float:
    """The mean of κ over chapters ("documents"), or over groups of chapters, each pooled."""
    return float(np.mean(_kappas(run, part, count_end)))


def kappas_of_groups(run: Run) -> Floats:
    """κ of each group: the mean of its chapters, weighted by their paragraphs, ends counted."""
    chapters = run.shared(moonstone)
    found = dict(zip(chapters, _kappas(run, "documents"), strict=True))
    lengths = {name: next(iter(chapter.values())).n_units for name, chapter in chapters.items()}
    return np.array(
        [
            np.average(
                [found[chapter] for chapter in group],
                weights=[lengths[chapter] for chapter in group],
            )
            for group in GROUPS.values()
        ]
    )


def mean_weighted_kappa(run: Run) -> float:
    """The mean of `kappas_of_groups`."""
    return float(kappas_of_groups(run).mean())


def sd_of_weighted_kappa(run: Run) -> float:
    """The standard deviation (of a sample) of `kappas_of_groups`."""
    return float(kappas_of_groups(run).std(ddof=1))


def sd_of_kappa(run: Run, part: str, count_end: bool = True) -> float:
    """The standard deviation (of a sample) of the values that `mean_kappa` averages."""
    return float(np.std(_kappas(run, part, count_end), ddof=1))


# ---- another reading: the paper's own procedure ----


def half_of_pooled_mean(codings: ByCoder) -> int:
    """k: half of the mean of all segments of all coders, cut down."""
    segments = sum(coding.n_segments for coding in codings.values())
    return sum(coding.n_units for coding in codings.values()) // (2 * segments)


def half_of_mean_of_means(codings: ByCoder) -> int:
    """k: half of the mean over coders of their mean segments, cut down."""
    return int(np.mean([coding.n_units / coding.n_segments for coding in codings.values()]) / 2)


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
    """The mean, or the sd (of a sample), of a metric over the five groups."""
    means = means_of_groups(run, metric)
    return float(means.mean() if statistic == "mean" else means.std(ddof=1))


# ---- the author's program ----


def by_program(run: Run, chapters: Iterable[int]) -> float:
    """Mean WindowDiff over pairs of people, by the program; the earlier is the reference."""
    found = run.shared(moonstone)
    values = [
        window_diffs(first, [second], window=half_segment)[0]
        for chapter in chapters
        for first, second in combinations(found[chapter].values(), 2)
    ]
    return float(np.mean(values))


def window_diff_of_first_chapter(run: Run) -> float:
    """Mean WindowDiff, by the program, over the pairs of chapter 1."""
    return by_program(run, [1])


def window_diff_of_all(run: Run) -> float:
    """Mean WindowDiff, by the program, over the pairs of all chapters."""
    return by_program(run, run.shared(moonstone))


# ---- Pk and WD of the table: the end counted ----


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
    """The mean of `errors_with_end`."""
    return float(errors_with_end(run, metric, both_ways).mean())


def sd_with_end(run: Run, metric: MakeMetric, both_ways: bool = True) -> float:
    """The standard deviation of `errors_with_end`."""
    return float(errors_with_end(run, metric, both_ways).std())


# ---- another reading: as labelled ----


def plain(run: Run, metric: Metric, field: str) -> float:
    """The mean, or the sd, of a metric over ordered pairs of people, without any slip."""
    return float(getattr(pairwise(moonstone_corpus(run.shared(moonstone)), metric), field))


def pk(k: int) -> Metric:
    """Pk with this window."""
    return Pk(k=k)


def window_diff(k: int) -> Metric:
    """WindowDiff with this window."""
    return WindowDiff(k=k)


# ---- cells ----

MOVED = f"the rows have changed places, and {SLIP}"
PROGRAM = "by the author's program: each pair once, N-k+1 windows divided by N-k"
PROCEDURE = "by the paper's own procedure; another reading of table 1"
LABELLED = "as labelled, without a slip; another reading of table 1"

_cell = partial(PublishedNumber, tolerance=printed(2), needs=NEEDS)
_other = partial(_cell, source="other reading")

TEXT = [
    _cell("text, ch. 1, κ", 0.28, kappa_of_first_chapter, slip=SLIP),
    _cell("text, ch. 1, WD", 0.38, window_diff_of_first_chapter, note=PROGRAM, slip=SLIP),
    _cell(
        "text, κ", 0.38, mean_weighted_kappa,
        note="over groups, chapters weighted by their paragraphs", slip=SLIP,
    ),
    _cell("text, WD", 0.34, window_diff_of_all, note=PROGRAM, slip=SLIP),
]  # fmt: skip
TABLE_1 = [
    _cell(f"table 1, {name}", value, compute, note=f"ours is {what}", slip=MOVED)
    for name, value, compute, what in (
        ("κ, mean", 0.29, partial(mean_with_end, metric=pk), "Pk"),
        ("κ, sd", 0.15, partial(sd_with_end, metric=pk), "Pk"),
        ("Pk, mean", 0.33, partial(mean_with_end, metric=window_diff), "WD"),
        ("Pk, sd", 0.17, partial(sd_with_end, metric=window_diff), "WD"),
        ("WD, mean", 0.38, mean_weighted_kappa, "κ over groups"),
        ("WD, sd", 0.09, sd_of_weighted_kappa, "κ over groups"),
    )
]
BY_PROCEDURE = [
    _other(
        f"table 1, {name} as in the procedure, {statistic}", value, compute, note=PROCEDURE,
        slip=slip, holds=False,
    )
    for name, statistic, value, compute, slip in (
        ("κ", "mean", 0.29, partial(mean_kappa, part="groups"), SLIP),
        ("κ", "sd", 0.15, partial(sd_of_kappa, part="groups"), SLIP),
        ("Pk", "mean", 0.33, partial(over_groups, metric=pk), None),
        ("Pk", "sd", 0.17, partial(over_groups, metric=pk, statistic="sd"), None),
        ("WD", "mean", 0.38, partial(over_groups, metric=window_diff), None),
        ("WD", "sd", 0.09, partial(over_groups, metric=window_diff, statistic="sd"), None),
    )
]  # fmt: skip
AS_LABELLED = [
    _other(
        "table 1, κ as labelled, mean", 0.29,
        partial(mean_kappa, part="documents", count_end=False),
        note=f"contradicts the text; {LABELLED}", holds=False,
    ),
    _other(
        "table 1, κ as labelled, sd", 0.15,
        partial(sd_of_kappa, part="documents", count_end=False), note=LABELLED,
    ),
    *(
        _other(
            f"table 1, {name} as labelled, {field}", published,
            partial(plain, metric=metric, field=field), note=LABELLED, holds=holds,
        )
        for name, metric, field, published, holds in (
            ("Pk", Pk(rounding="half-up"), "mean", 0.33, True),
            ("Pk", Pk(rounding="half-up"), "sd", 0.17, True),
            ("WD", WindowDiff(rounding="half-up"), "mean", 0.38, True),
            ("WD", WindowDiff(rounding="half-up"), "sd", 0.09, False),
        )
    ),
]  # fmt: skip
CELLS = [*TEXT, *TABLE_1, *BY_PROCEDURE, *AS_LABELLED]
