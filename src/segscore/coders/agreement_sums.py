"""The sums behind π, κ and bias, and the values of such sums; `coefficients` says what they are."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.coders.chance import chance_corrected
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.sums import Cells, Estimator, Tally, tally_of
from segscore.coding.segmentation import BoundaryType, type_order
from segscore.metrics import Metric
from segscore.metrics.ratios import ratio

_CELLS = 1_000_000  # that are multiplied at a time, whatever the number of draws


class Numbers(NamedTuple):
    """π, κ and what they are made of."""

    observed: float
    expected_pi: float
    pi: float
    expected_kappa: float
    kappa: float


class NumberColumns(NamedTuple):
    """The same of many sums, a row each."""

    observed: Floats
    expected_pi: Floats
    pi: Floats
    expected_kappa: Floats
    kappa: Floats

    def row(self, row: int) -> Numbers:
        """One row."""
        return Numbers(*(float(column[row]) for column in self))


@dataclass(frozen=True)
class AgreementRows:
    """The sums behind agreement, and the values of such sums.

    Columns: the metric's statistics over pairs; for each coder the boundaries of each type and the
    potential boundaries; for each pair of coders that occurs, the potential boundaries they share.
    """

    metric: Metric
    tally: Tally
    pair_rows: Cells
    coding_rows: Cells
    pair_statistics: Floats
    counts: "CodingCounts"
    types: tuple[BoundaryType | None, ...]
    coders: Int64Array  # of the codings
    first: Int64Array  # of the pairs of coders
    second: Int64Array

    @classmethod
    def of(
        cls, pairs: CoderPairs, metric: Metric, counts: "CodingCounts | None" = None
    ) -> "AgreementRows":
        """Score all pairs; `counts` gives what is counted per coding (default: boundaries)."""
        coders = pairs.slot if pairs.local else pairs.coder
        statistics = pairs.statistics(metric)
        return cls._laid_out(pairs, metric, statistics, coders, counts or boundary_counts)

    @classmethod
    def _laid_out(
        cls,
        pairs: CoderPairs,
        metric: Metric,
        statistics: Floats,
        coders: Int64Array,
        counts: "CodingCounts",
    ) -> "AgreementRows":
        types = boundary_types(pairs)
        n_coders = int(coders.max()) + 1
        one, two = coders[pairs.left], coders[pairs.right]
        joined = np.minimum(one, two) * n_coders + np.maximum(one, two)
        found, place = np.unique(joined, return_inverse=True)
        block = len(types) + 1
        start = statistics.shape[1]
        width = start + n_coders * block + len(found)
        shared = start + n_coders * block + place.reshape(-1)
        of_pairs = Cells(
            np.vstack([np.broadcast_to(np.arange(start)[:, None], statistics.T.shape), shared]),
            np.vstack([statistics.T, pairs.places[pairs.left]]),
            width,
        )
        of_codings = Cells(
            start + coders * block + np.arange(block)[:, np.newaxis],
            np.vstack([counts(pairs, types).T, pairs.places]),
            width,
        )
        tally = tally_of(pairs, of_pairs, of_codings)
        return cls(
            metric, tally, of_pairs, of_codings, statistics, counts, types, coders,
            *divmod(found, n_coders),
        )  # fmt: skip

    @cached_property
    def apart(self) -> "AgreementRows":
        """The same with coders numbered within each document.

        That is all that documents by themselves need, and π, which does not tell coders apart; and
        it takes far fewer columns than all coders of a large corpus.
        """
        pairs = self.tally.pairs
        if np.array_equal(self.coders, pairs.slot):
            return self
        return self._laid_out(pairs, self.metric, self.pair_statistics, pairs.slot, self.counts)

    @property
    def n_coders(self) -> int:
        """How many coders are told apart."""
        return int(self.coders.max()) + 1

    def among(self, coders: Collection[int]) -> Floats:
        """The sum over all documents of what these coders did, as a table of one row."""
        pairs = self.tally.pairs
        chosen = np.isin(pairs.coder, list(coders))
        within = chosen[pairs.left] & chosen[pairs.right]
        return self.pair_rows.total(within) + self.coding_rows.total(chosen)

    # ---- values ----

    def observed(self, rows: Floats) -> Floats:
        """A_a: the micro-average over pairs; NaN where there is no pair."""
        values = self.metric.values(rows[:, : self.pair_statistics.shape[1]])
        return np.where(self._shared(rows).sum(axis=1) > 0, values, np.nan)

    def expected_pi(self, rows: Floats) -> Floats:
        """Σ_t P(t)²."""
        boundaries, places = self._counts(rows)
        shares = ratio(boundaries.sum(axis=1), places.sum(axis=1)[:, np.newaxis])
        return np.asarray((shares**2).sum(axis=1))

    def expected_kappa(self, rows: Floats) -> Floats:
        """Σ_t mean over pairs of coders of P(t|m) · P(t|n)."""
        step = max(1, _CELLS // max(1, len(self.first) * len(self.types)))
        parts = range(0, max(1, len(rows)), step)
        return np.concatenate([self._expected_kappa(rows[i : i + step]) for i in parts])

    def _expected_kappa(self, rows: Floats) -> Floats:
        boundaries, places = self._counts(rows)
        shares = np.nan_to_num(ratio(boundaries, places[:, :, np.newaxis]))
        both = (shares[:, self.first] * shares[:, self.second]).sum(axis=2)
        weights = self._shared(rows)
        return ratio((weights * both).sum(axis=1), weights.sum(axis=1))

    def pi(self, rows: Floats) -> Floats:
        """Scott's π or Fleiss's π*."""
        return chance_corrected(self.observed(rows), self.expected_pi(rows))

    def kappa(self, rows: Floats) -> Floats:
        """Cohen's κ, or κ* for more than two coders."""
        return chance_corrected(self.observed(rows), self.expected_kappa(rows))

    def _counts(self, rows: Floats) -> tuple[Floats, Floats]:
        """Boundaries (row, coder, type) and potential boundaries (row, coder)."""
        start, block = self.pair_statistics.shape[1], len(self.types) + 1
        cells = rows[:, start : start + self.n_coders * block]
        cells = cells.reshape(len(rows), self.n_coders, block)
        return cells[:, :, :-1], cells[:, :, -1]

    def _shared(self, rows: Floats) -> Floats:
        """Potential boundaries that pairs of coders share."""
        return rows[:, rows.shape[1] - len(self.first) :]

    def numbers(self, rows: Floats) -> NumberColumns:
        """All of them."""
        return NumberColumns(
            self.observed(rows),
            self.expected_pi(rows),
            self.pi(rows),
            self.expected_kappa(rows),
            self.kappa(rows),
        )

    def total_numbers(self, documents: Int64Array) -> NumberColumns:
        """Of these documents together: columns of one row."""
        return self.numbers(self.tally.total(documents))

    @cached_property
    def document_numbers(self) -> NumberColumns:
        """Of each document by itself."""
        return self.numbers(self.tally.rows)

    @cached_property
    def estimated_pi(self) -> Estimator:
        """π, for its interval; it does not tell coders apart."""
        return Estimator(self.apart.tally, self.apart.pi, self.apart.expected_pi)

    @cached_property
    def estimated_kappa(self) -> Estimator:
        """κ, for its interval."""
        return Estimator(self.tally, self.kappa, self.expected_kappa)


CodingCounts = Callable[[CoderPairs, tuple[BoundaryType | None, ...]], Floats]


def boundary_types(pairs: CoderPairs) -> tuple[BoundaryType | None, ...]:
    """The categories: the types that occur, or None alone for boundaries without types."""
    found = {
        name for one in pairs.segmentations if one.types for kinds in one.types for name in kinds
    }
    return tuple(sorted(found, key=type_order)) or (None,)


def boundary_counts(pairs: CoderPairs, types: tuple[BoundaryType | None, ...]) -> Floats:
    """Boundaries of each type in each coding."""
    if types == (None,):
        return pairs.boundaries[:, np.newaxis].astype(np.float64)
    counts = np.zeros((len(pairs.coder), len(types)))
    column = {name: index for index, name in enumerate(types)}
    for row, one in enumerate(pairs.segmentations):
        for kinds in one.types or ():
            for name in kinds:
                counts[row, column[name]] += 1
    return counts
