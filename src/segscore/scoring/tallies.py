"""Wins, ties and losses of systems that did the same documents, in one row of the data."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.metrics import Metric

SAME = 1e-12  # values closer than this are a tie, as in `significance.classical`


class Tallies(NamedTuple):
    """Wins, ties and losses of each pair of systems, with sums of differences and their squares.

    counts: (metrics, pairs, 3); differences: (metrics, pairs, 2).
    """

    systems: tuple[str, ...]
    n_documents: int
    counts: Int64Array
    differences: Floats

    @classmethod
    def of(
        cls, systems: tuple[str, ...], values: Sequence[Floats], metrics: Sequence[Metric]
    ) -> "Tallies":
        """Of values (documents, metrics) of each system."""
        pairs = list(combinations(range(len(systems)), 2))
        counts = np.zeros((len(metrics), len(pairs), 3), np.int64)
        sums = np.zeros((len(metrics), len(pairs), 2))
        for column, metric in enumerate(metrics):
            for place, (a, b) in enumerate(pairs):
                gap = values[a][:, column] - values[b][:, column]
                gap = gap[~np.isnan(gap)]
                better = gap if metric.higher_is_better else -gap
                wins, losses = (better > SAME).sum(), (better < -SAME).sum()
                counts[column, place] = wins, len(gap) - wins - losses, losses
                sums[column, place] = gap.sum(), (gap * gap).sum()
        return cls(systems, len(values[0]), counts, sums)

    def plus(self, other: "Tallies") -> "Tallies":
        """Both together; of other systems nothing is known any more."""
        if self.systems != other.systems:
            return Tallies((), 0, self.counts[:, :0], self.differences[:, :0])
        return Tallies(
            self.systems,
            self.n_documents + other.n_documents,
            self.counts + other.counts,
            self.differences + other.differences,
        )
