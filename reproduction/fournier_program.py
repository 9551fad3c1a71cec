"""What Fournier's own program, segeval, computes: agreement with its slip, and the numbers that its
tests hold with 28 digits.

Agreement as his papers have it counts segments where boundaries are due. In the expected agreement
each coding then has one boundary too many, so chance seems to explain more, and the coefficients
come out lower than they are. The public functions do not repeat this.

The tests are of the Moonstone codings, in the groups that they call 5 and 2 (our 1 and 2), and of a
few small examples; public in the repository cfournie/segmentation.evaluation.

- Version 1.0, of the year of Fournier & Inkpen (2012): src/python/main/segeval, agreement/PiTest,
  KappaTest and BiasTest, window/WindowDiffTest, similarity/SegmentationSimilarityTest. Agreement is
  by S.
- Version 2.0, of the year of Fournier (2013): segeval/agreement, pi_test and kappa_test. By B.

With more digits than any table they tell the paper's readings and slips apart. A group's κ* comes
out if people of the same name in the chapters of a group are the same, as the tests have it; the
data itself does not say so, and everywhere else names are local to a chapter.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from reproduction.cells import Formulas
from reproduction.corpora import moonstone, moonstone_corpus
from reproduction.runs import Run
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.coefficients import Agreement, agreement
from segscore.coders.estimators import (
    Estimator,
    boundary_counts,
    chance_corrected,
    kappa_sums,
    observed_sums,
    pi_sums,
)
from segscore.coders.pairwise_values import pairwise
from segscore.corpus.corpus import Corpus
from segscore.datasets.loading import GROUPS
from segscore.metrics import Metric, metric

WINDOW_DIFF = metric("windowdiff(rounding=half-up,k_offset=-1)")  # as Fournier & Inkpen read k


def slipped(corpus: Corpus, by: Metric) -> tuple[Estimator, Estimator]:
    """π* and κ* with the slip: segments are counted, one too many, in place of boundaries."""
    pairs = CoderPairs(corpus)
    counts = boundary_counts(pairs) + 1
    coders = pairs.slot if pairs.local else pairs.coder
    return pi_sums(pairs, by, counts), kappa_sums(pairs, by, coders, counts)


def correct(corpus: Corpus, by: Metric) -> Agreement:
    """Agreement without the slip, and without intervals."""
    return agreement(corpus, by, draws=0, n_resamples=1)


def slipped_by_document(corpus: Corpus, by: Metric) -> dict[str, dict[str, float]]:
    """π*, κ* and bias of each document by itself, as in table 2 of Fournier & Inkpen (2012)."""
    pairs = CoderPairs(corpus)
    counts = boundary_counts(pairs) + 1
    pi, kappa = pi_sums(pairs, by, counts), kappa_sums(pairs, by, pairs.slot, counts)
    bias = pi.expected(pi.rows) - kappa.expected(kappa.rows)
    columns = pi.value(pi.rows), kappa.value(kappa.rows), bias
    names = ("π*", "κ*", "bias")
    values = np.column_stack(columns).tolist()
    return {
        document: dict(zip(names, row, strict=True))
        for document, row in zip(corpus, values, strict=True)
    }


def slipped_pi(corpus: Corpus, by: Metric) -> float:
    """π* of a whole corpus, with the slip."""
    return slipped(corpus, by)[0].whole


def expected_of_mean_proportions(corpus: Corpus) -> float:
    """Chance agreement with P as the mean over codings of segments per potential boundary."""
    pairs = CoderPairs(corpus)
    return float(np.mean((pairs.boundaries + 1) / pairs.places) ** 2)


def pi_of_mean_proportions(corpus: Corpus, by: Metric) -> float:
    """π* with chance agreement from `expected_of_mean_proportions`."""
    pairs = CoderPairs(corpus)
    columns, value = observed_sums(pairs, by)
    observed = value(columns.sum(axis=1)[np.newaxis])
    expected = np.array([expected_of_mean_proportions(corpus)])
    return float(chance_corrected(observed, expected)[0])


def slipped_kappa(corpus: Corpus, by: Metric) -> float:
    """κ* of a whole corpus, with the slip; coders are joined by their names."""
    return slipped(corpus, by)[1].whole


def bias_of_mean_proportions(corpus: Corpus, by: Metric) -> float:
    """Chance agreement of π*, from mean proportions, minus that of κ*, from pooled ones."""
    kappa = slipped(corpus, by)[1]
    pooled = kappa.expected(kappa.rows.sum(axis=0, keepdims=True))[0]
    return expected_of_mean_proportions(corpus) - float(pooled)


COLUMNS: dict[str, Callable[[Corpus, Metric], float]] = {
    "π*": pi_of_mean_proportions,
    "κ*": slipped_kappa,
    "bias": bias_of_mean_proportions,
    "bias, pooled": lambda corpus, by: correct(corpus, by).bias,
    "π*, pooled": lambda corpus, by: correct(corpus, by).pi,
    "observed": lambda corpus, by: correct(corpus, by).observed,
    "mean": lambda corpus, by: pairwise(corpus, by).mean,
    "sd": lambda corpus, by: pairwise(corpus, by).sd,
}


@cache
def in_chapter(run: Run, chapter: int, by: str) -> dict[str, float]:
    """Agreement in a chapter, with the slip."""
    corpus = moonstone_corpus({chapter: moonstone(run)[chapter]})
    return slipped_by_document(corpus, metric(by))[str(chapter)]


def in_group(run: Run, group: int, column: str, by: str) -> float:
    """A number about a group of chapters; people with the same name count as one person."""
    found = moonstone(run)
    corpus = Corpus.from_dict({str(chapter): found[chapter] for chapter in GROUPS[group]})
    return COLUMNS[column](corpus, metric(by))


FORMULAS: Formulas = {
    "in chapter": lambda run, chapter, column, by: in_chapter(run, chapter, by)[column],
    "in group": in_group,
}
