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
from functools import cache
from itertools import combinations, permutations

import numpy as np

from reproduction.cells import Formulas
from reproduction.corpora import ByCoder, moonstone, moonstone_corpus, moonstone_repaired
from reproduction.kazantseva2012_program import half_segment, window_diffs, with_end
from reproduction.runs import Run
from segscore.basics.arguments import Floats
from segscore.coders.nominal import fleiss_kappa
from segscore.coders.pairwise_values import PairwiseMean, pairwise
from segscore.datasets.loading import GROUPS
from segscore.metrics import Pk, WindowDiff

METRICS = {"Pk": Pk, "WD": WindowDiff}

# ---- κ ----


@cache
def kappas(run: Run, part: str, end: str = "with the end") -> list[float]:
    """Fleiss's κ of each chapter ("documents"), or of each group of chapters, pooled ("groups")."""
    corpus = moonstone_corpus(moonstone(run))
    found = fleiss_kappa(corpus, count_end=end == "with the end", n_resamples=1)
    return [float(kappa) for kappa in getattr(found, part).values()]


def kappas_of_groups(run: Run) -> Floats:
    """κ of each group: the mean of its chapters, weighted by their paragraphs, ends counted."""
    chapters = moonstone(run)
    found = dict(zip(chapters, kappas(run, "documents"), strict=True))
    lengths = {name: next(iter(chapter.values())).n_units for name, chapter in chapters.items()}
    return np.array(
        [
            np.average([found[n] for n in group], weights=[lengths[n] for n in group])
            for group in GROUPS.values()
        ]
    )


# ---- another reading: the paper's own procedure ----


def half_of_pooled_mean(codings: ByCoder) -> int:
    """k: half of the mean of all segments of all coders, cut down."""
    segments = sum(coding.n_segments for coding in codings.values())
    return sum(coding.n_units for coding in codings.values()) // (2 * segments)


def half_of_mean_of_means(codings: ByCoder) -> int:
    """k: half of the mean over coders of their mean segments, cut down."""
    return int(np.mean([coding.n_units / coding.n_segments for coding in codings.values()]) / 2)


def means_of_groups(
    run: Run, by: str, size: Callable[[ByCoder], int] = half_of_pooled_mean
) -> Floats:
    """The mean over ordered pairs of people of each group, with one k per chapter."""
    chapters, means = moonstone_repaired(run), []
    for group in GROUPS.values():
        values = [
            float(METRICS[by](k=max(1, size(chapters[chapter])))(ref, hyp))
            for chapter in group
            for ref, hyp in permutations(chapters[chapter].values(), 2)
        ]
        means.append(np.mean(values))
    return np.array(means)


# ---- the author's program ----


def by_program(run: Run, chapters: Iterable[int]) -> float:
    """Mean WindowDiff over pairs of people, by the program; the earlier is the reference."""
    found = moonstone(run)
    values = [
        window_diffs(first, [second], window=half_segment)[0]
        for chapter in chapters
        for first, second in combinations(found[chapter].values(), 2)
    ]
    return float(np.mean(values))


# ---- Pk and WD of the table: the end counted ----


@cache
def errors_with_end(run: Run, by: str, pairs: str = "ordered pairs") -> Floats:
    """The error of pairs of people, k being half of the reference's mean segment, cut down.

    Every ordered pair or, for "pairs", every pair once, the later person the reference.
    """
    found = [
        (ref, hyp)
        for codings in moonstone(run).values()
        for (i, hyp), (j, ref) in permutations(enumerate(codings.values()), 2)
        if pairs == "ordered pairs" or i < j
    ]
    return np.array(
        [
            float(METRICS[by](k=half_segment(ref))(with_end(ref), with_end(hyp)))
            for ref, hyp in found
        ]
    )


# ---- another reading: as labelled ----


@cache
def plain(run: Run, by: str) -> PairwiseMean:
    """A metric over ordered pairs of people, without any slip."""
    return pairwise(moonstone_corpus(moonstone(run)), METRICS[by](rounding="half-up"))


FORMULAS: Formulas = {
    "κ of chapter 1": lambda run, *end: kappas(run, "documents", *end)[0],
    "mean of κ": lambda run, *of: np.mean(kappas(run, *of)),
    "sd of κ": lambda run, *of: np.std(kappas(run, *of), ddof=1),
    "mean of weighted κ": lambda run: kappas_of_groups(run).mean(),
    "sd of weighted κ": lambda run: kappas_of_groups(run).std(ddof=1),
    "mean of groups": lambda run, by: means_of_groups(run, by).mean(),
    "sd of groups": lambda run, by: means_of_groups(run, by).std(ddof=1),
    "mean of groups, k by mean of means": lambda run, by: means_of_groups(
        run, by, half_of_mean_of_means
    ).mean(),
    "WD by the program": lambda run, *chapters: by_program(run, chapters or moonstone(run)),
    "mean with the end": lambda run, *of: errors_with_end(run, *of).mean(),
    "sd with the end": lambda run, *of: errors_with_end(run, *of).std(),
    "mean, plain": lambda run, by: plain(run, by).mean,
    "sd, plain": lambda run, by: plain(run, by).sd,
}
