"""Agreement as Fournier's papers compute it: segments counted where boundaries are due.

In the expected agreement each coding then has one boundary too many, so chance seems to explain
more, and the coefficients come out lower than they are. The public functions do not repeat this.
"""

from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Floats
from segscore.coders.agreement_sums import AgreementRows, boundary_counts
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.sums import chance_corrected
from segscore.coding.segmentation import BoundaryType
from segscore.corpus.corpus import Corpus
from segscore.metrics import Metric

SLIP = "expected agreement counts segments instead of boundaries"
BIAS_SLIP = SLIP + ", once averaged over codings and once pooled by coder"
MEAN_SLIP = SLIP + ", and averages the proportions of codings instead of pooling them"


def segment_counts(pairs: CoderPairs, types: tuple[BoundaryType | None, ...]) -> Floats:
    """One boundary too many in each coding."""
    return boundary_counts(pairs, types) + 1


def slipped(corpus: Corpus, metric: Metric) -> AgreementRows:
    """The sums behind agreement, with the slip."""
    return AgreementRows.of(CoderPairs(corpus), metric, segment_counts)


class SlippedAgreement(NamedTuple):
    """What table 2 of Fournier & Inkpen (2012) prints of one document."""

    pi: float
    kappa: float
    bias: float


def slipped_by_document(corpus: Corpus, metric: Metric) -> dict[str, SlippedAgreement]:
    """Each document by itself."""
    sums = slipped(corpus, metric).apart
    rows = sums.tally.rows
    columns = sums.pi(rows), sums.kappa(rows), sums.expected_pi(rows) - sums.expected_kappa(rows)
    values = np.column_stack(columns).tolist()
    return {name: SlippedAgreement(*row) for name, row in zip(corpus, values, strict=True)}


def slipped_pi(corpus: Corpus, metric: Metric) -> float:
    """π* of a whole corpus."""
    sums = slipped(corpus, metric).apart
    return float(sums.pi(sums.tally.rows.sum(axis=0, keepdims=True))[0])


def expected_of_mean_proportions(corpus: Corpus) -> float:
    """Chance agreement with P as the mean over codings of segments per potential boundary."""
    pairs = CoderPairs(corpus)
    return float(np.mean((pairs.boundaries + 1) / pairs.places) ** 2)


def pi_of_mean_proportions(corpus: Corpus, metric: Metric) -> float:
    """π* with this chance agreement."""
    sums = slipped(corpus, metric).apart
    observed = sums.observed(sums.tally.rows.sum(axis=0, keepdims=True))
    expected = np.array([expected_of_mean_proportions(corpus)])
    return float(chance_corrected(observed, expected)[0])


def slipped_kappa(corpus: Corpus, metric: Metric) -> float:
    """κ* of a whole corpus, coders joined by their names."""
    sums = slipped(corpus, metric)
    return float(sums.kappa(sums.tally.rows.sum(axis=0, keepdims=True))[0])


def bias_of_mean_proportions(corpus: Corpus, metric: Metric) -> float:
    """Chance agreement of π*, from mean proportions, minus that of κ*, from pooled ones."""
    sums = slipped(corpus, metric)
    pooled = sums.expected_kappa(sums.tally.rows.sum(axis=0, keepdims=True))[0]
    return expected_of_mean_proportions(corpus) - float(pooled)
