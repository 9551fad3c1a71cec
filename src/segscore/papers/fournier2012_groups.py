"""Section 4.4 of Fournier & Inkpen (2012): groups of coders, sums over pairs of coders, and which
chapters stand out. Chapter 20 with the paragraph that the data does not have."""

from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np

from segscore.coders.coefficients import agreement
from segscore.coders.pairwise import pairwise
from segscore.corpus.corpus import Corpus
from segscore.datasets.loading import GROUPS
from segscore.metrics import SegmentationSimilarity
from segscore.metrics.edit_distance import BoundaryEdits, boundary_edits
from segscore.papers.agreement_slips import (
    BIAS_SLIP,
    MEAN_SLIP,
    SLIP,
    bias_of_mean_proportions,
    pi_of_mean_proportions,
    slipped_by_document,
)
from segscore.papers.corpora import moonstone_corpus, moonstone_repaired
from segscore.papers.fournier2012_examples import WINDOW_DIFF
from segscore.papers.published import COUNT, PublishedNumber, Run, printed

NEEDS = ("moonstone",)
S = SegmentationSimilarity()
OfGroup = Callable[[Corpus], float]


def over_groups(run: Run, of_group: OfGroup, statistic: Callable[[list[float]], float]) -> float:
    """A statistic over the five groups, people of one name in a group taken for one person."""
    found = run.shared(moonstone_repaired)
    corpora = (
        Corpus.from_dict({str(chapter): found[chapter] for chapter in chapters})
        for chapters in GROUPS.values()
    )
    return statistic([of_group(corpus) for corpus in corpora])


def _mean(values: list[float]) -> float:
    return float(np.mean(values))


def _sd(values: list[float]) -> float:
    return float(np.std(values))


def _pi(corpus: Corpus) -> float:
    return pi_of_mean_proportions(corpus, S)


def _bias(corpus: Corpus) -> float:
    return bias_of_mean_proportions(corpus, S)


def _pooled_pi(corpus: Corpus) -> float:
    return agreement(corpus, S, draws=0, n_resamples=1).pi


def _pooled_bias(corpus: Corpus) -> float:
    return agreement(corpus, S, draws=0, n_resamples=1).bias


POOLED = {
    "mean of π*": partial(over_groups, of_group=_pooled_pi, statistic=_mean),
    "mean of bias": partial(over_groups, of_group=_pooled_bias, statistic=_mean),
}


# ---- edits between all pairs of coders ----


def all_edits(run: Run) -> list[BoundaryEdits]:
    """The edits between any two coders of a chapter."""
    return [
        boundary_edits(first, second)
        for codings in run.shared(moonstone_repaired).values()
        for first, second in combinations(codings.values(), 2)
    ]


def count_edits(kind: str, run: Run) -> float:
    """How many edits of one kind there are in all."""
    return sum(len(getattr(one, kind)) for one in run.shared(all_edits))


# ---- which chapters stand out ----


def by_chapter(run: Run) -> dict[str, dict[int, float]]:
    """π*, bias and 1-WD of each chapter."""
    corpus = moonstone_corpus(run.shared(moonstone_repaired))
    agreed = slipped_by_document(corpus, S)
    windows = pairwise(corpus, WINDOW_DIFF).documents
    return {
        "π*": {int(name): one.pi for name, one in agreed.items()},
        "bias": {int(name): one.bias for name, one in agreed.items()},
        "1-WD": {int(name): 1 - windows[name].mean for name in agreed},
    }


def chapter_with(highest: bool, column: str, run: Run) -> float:
    """The chapter with the highest or lowest value of a column."""
    values = run.shared(by_chapter)[column]
    return (max if highest else min)(values, key=lambda chapter: values[chapter])


CELLS = [
    *(
        PublishedNumber(
            f"section 4.4, {name} of groups, {statistic}",
            published,
            partial(over_groups, of_group=of_group, statistic=compute),
            printed(4),
            needs=NEEDS,
            slip=slip,
        )
        for name, of_group, slip, values in (
            ("π*", _pi, MEAN_SLIP, (0.8904, 0.0392)),
            ("bias", _bias, BIAS_SLIP, (0.0061, 0.0035)),
        )
        for (statistic, compute), published in zip(
            (("mean", _mean), ("sd", _sd)), values, strict=True
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
            f"section 4.4, chapter with the {'highest' if highest else 'lowest'} {column}",
            chapter,
            partial(chapter_with, highest, column),
            COUNT,
            needs=NEEDS,
            slip=None if column == "1-WD" else SLIP,
        )
        for highest, column, chapter in (
            (False, "π*", 1),
            (True, "bias", 1),
            (True, "π*", 17),
            (False, "1-WD", 19),
            (True, "1-WD", 16),
        )
    ),
]
