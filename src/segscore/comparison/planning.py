"""How many documents it takes to show a difference between two systems.

A plan estimates the spread from the documents of a pilot, which give it only roughly. So it has two
numbers: one for the spread as estimated, which is too small about as often as too large, and one
for the upper limit of the spread at 80 % confidence (`significance.resampling.spread_limit`). In
simulated systems the second number was large enough in 78 to 93 % of pilots of 5 to 100 documents.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import number
from segscore.comparison import estimates
from segscore.errors import SegmentationError
from segscore.significance.resampling import FEW_DOCUMENTS, spread_limit
from segscore.tables import Column, Table, Tabular

CONFIDENCE = 0.8  # in the upper limit of a spread
_LEAST_KURTOSIS = 3.0  # of differences of simulated systems it was 1 to 4.5


class PlannedPair(NamedTuple):
    """Two systems under one metric: how many documents there are, and how many are needed.

    `n_needed` assumes the spread of these documents; `n_safe` is enough with 80 % confidence,
    because a sample gives the spread only roughly. Both are None where no number of documents
    is enough, because the test has too few resamples.
    """

    metric: str
    a: str
    b: str
    n_documents: int
    n_needed: int | None
    n_safe: int | None


@dataclass(frozen=True, repr=False)
class Plan(Tabular):
    """How many documents are needed to detect a difference of this size, for each pair of
    systems."""

    difference: float
    pairs: tuple[PlannedPair, ...]

    def __iter__(self) -> Iterator[PlannedPair]:
        return iter(self.pairs)

    def to_table(self) -> Table:
        """A row per pair of systems and metric."""
        machines = Column("difference", audience="machines", of=lambda _: self.difference)
        shown = "metric a b", machines, "documents=n_documents needed=n_needed to_be_safe=n_safe"
        words = (
            f"The number of documents of this kind that could detect a difference of "
            f"{self.difference:g} with 80 % power, by the same test and correction. needed: if "
            "documents differ as much as these do, which is an estimate: about half of the time "
            "it takes more. to be safe: enough with 80 % confidence, given how many documents the "
            "estimate comes from."
        )
        return Table.of(self.pairs, shown, [words])


def planned(
    difference: float,
    tests: Sequence[estimates.PairTest],
    known: Sequence[estimates.Evidence],
    n_documents: int,
    settings: estimates.ComparisonSettings,
    alpha: float,
) -> Plan:
    """The plan for every test, given what the documents say about it."""
    size = number(difference, "difference", "a number above 0")
    if size <= 0:
        raise SegmentationError(f"difference is {difference}: expected a number above 0")
    if not tests:
        raise SegmentationError("there is one system: a plan needs at least 2 to compare")
    if n_documents < 2:
        raise SegmentationError("there is one document: a plan needs at least 2 to know a spread")
    pairs = []
    for test, each in zip(tests, known, strict=True):
        needed, safe = (n_needed(each, size, settings, alpha, safe=safe) for safe in (False, True))
        pairs.append(PlannedPair(test.metric, test.a, test.b, n_documents, needed, safe))
    return Plan(size, tuple(pairs))


def n_needed(
    known: estimates.Evidence,
    difference: float,
    settings: estimates.ComparisonSettings,
    alpha: float,
    *,
    safe: bool = False,
) -> int | None:
    """The number of documents that detect a difference with 80 % power; None if none does. Safe:
    also if the spread is at its upper limit."""
    parts, spread = known
    if len(parts) < 2 or np.isnan(spread):
        return None
    times = spread_limit(parts, CONFIDENCE, _LEAST_KURTOSIS) if safe else 1.0
    n = ceil((estimates.n_errors(FEW_DOCUMENTS, alpha) * times * spread / difference) ** 2)
    for few in range(max(2, n // 2), FEW_DOCUMENTS if n < FEW_DOCUMENTS else 0):
        if estimates.detectable(known, settings, alpha, few, times) <= difference:
            return few  # the normal law is only a guide here
    n = max(FEW_DOCUMENTS, n)
    return None if estimates.smallest_p(settings.test, n, settings.n_resamples) > alpha else n
