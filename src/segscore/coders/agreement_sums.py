"""The sums behind agreement, and the values of such sums; `coefficients` says what they are.

`AgreementRows` are those of π, κ and bias, `ChanceRows` those of the coefficient whose zero is
chance, the agreement of coders who place their boundaries at random:

    corrected = (A_o - A_e) / (1 - A_e)

A_o is the observed agreement, a similarity micro-averaged over all pairs of coders. A_e is the same
similarity of the same coders if only chance decides where their boundaries are (`random_codings`
explains what they keep): the statistics of each pair are averaged over draws, and the value of
their sum is A_e, as the value of the observed sum is A_o. Both add up over documents, so groups,
the bootstrap over documents and the jackknife over coders need nothing but rows (observed,
expected).

The published π* and κ* take P² for A_e, the chance of two exact matches. B and S also give credit
for near misses, and S for each place that both leave empty, so their 0 is not chance; this one is.

Draws are grouped into `BATCHES`; the Monte-Carlo error of A_e is a jackknife over these groups.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.basics.cached import cached_property
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.random_codings import Null, RandomCodings, RandomPairs
from segscore.coders.sums import Cells, DocumentSums, Estimator, chance_corrected, sum_by, summed
from segscore.coding.segmentation import BoundaryType, type_order
from segscore.errors import SegmentationError
from segscore.metrics import LMeasure, Metric, TMeasure
from segscore.metrics.ratios import ratio

BATCHES = 20  # groups of draws: enough to know the error by, few enough to keep for each document
_CELLS = 1_000_000  # that are multiplied at a time, whatever the number of draws


CodingCounts = Callable[[CoderPairs, tuple[BoundaryType | None, ...]], Floats]


def boundary_types(pairs: CoderPairs) -> tuple[BoundaryType | None, ...]:
    """The types of boundary that occur; None alone if boundaries have no types."""
    typed = [detail.types for detail in pairs.table.details.values() if detail.types]
    found = {name for types in typed for kinds in types for name in kinds}
    return tuple(sorted(found, key=type_order)) or (None,)


def boundary_counts(pairs: CoderPairs, types: tuple[BoundaryType | None, ...]) -> Floats:
    """The number of boundaries of each type in each coding."""
    if types == (None,):
        return pairs.boundaries[:, np.newaxis].astype(np.float64)
    counts = np.zeros((len(pairs.coder), len(types)))
    column = {name: index for index, name in enumerate(types)}
    for row, detail in pairs.table.details.items():
        for kinds in detail.types or ():
            for name in kinds:
                counts[row, column[name]] += 1
    return counts


@dataclass(frozen=True)
class AgreementRows:
    """The sums behind agreement, and the values of such sums.

    Columns: the metric's statistics over pairs; for each coder the boundaries of each type and the
    potential boundaries; for each pair of coders that occurs, the potential boundaries they share.
    """

    metric: Metric
    tally: DocumentSums
    pair_rows: Cells
    coding_rows: Cells
    pair_statistics: Floats
    counts: CodingCounts
    types: tuple[BoundaryType | None, ...]
    coders: Int64Array  # of the codings
    first: Int64Array  # of the pairs of coders
    second: Int64Array

    @classmethod
    def of(
        cls,
        pairs: CoderPairs,
        metric: Metric,
        counts: CodingCounts = boundary_counts,
        coders: Int64Array | None = None,
    ) -> "AgreementRows":
        """Score all pairs.

        counts: what is counted per coding; coders: the number of the coder of each coding (default:
            numbered within each document if names are local, else over all documents).
        """
        if coders is None:
            coders = pairs.slot if pairs.local else pairs.coder
        statistics = pairs.statistics(metric)
        types = boundary_types(pairs)
        n_coders = int(coders.max()) + 1
        left, right = coders[pairs.left], coders[pairs.right]
        joined = np.minimum(left, right) * n_coders + np.maximum(left, right)
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
        tally = summed(pairs, of_pairs, of_codings)
        return cls(
            metric, tally, of_pairs, of_codings, statistics, counts, types, coders,
            *divmod(found, n_coders),
        )  # fmt: skip

    @cached_property
    def apart(self) -> "AgreementRows":
        """A copy of these sums with coders numbered within each document.

        That is enough for single documents, and for π, which does not distinguish coders. It takes
        far fewer columns than all coders of a large corpus.
        """
        pairs = self.tally.pairs
        if np.array_equal(self.coders, pairs.slot):
            return self
        return AgreementRows.of(pairs, self.metric, self.counts, pairs.slot)

    @property
    def n_coders(self) -> int:
        """The number of distinct coders."""
        return int(self.coders.max()) + 1

    def among(self, coders: Collection[int]) -> Floats:
        """The sum over all documents of the pairs among these coders, as a table of one row."""
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

    def total(self, documents: Int64Array) -> dict[str, Any]:
        """All values for these documents together, by their names in `Agreement`."""
        return _numbers_at(0, self._numbers(self.tally.total(documents)))

    def document(self, index: int) -> dict[str, Any]:
        """All values for one document."""
        return _numbers_at(index, self._of_documents)

    @cached_property
    def _of_documents(self) -> dict[str, Floats]:
        return self._numbers(self.tally.rows)

    def _numbers(self, rows: Floats) -> dict[str, Floats]:
        return {
            "observed": self.observed(rows),
            "expected_pi": self.expected_pi(rows),
            "pi": self.pi(rows),
            "expected_kappa": self.expected_kappa(rows),
            "kappa": self.kappa(rows),
        }

    @cached_property
    def estimated_pi(self) -> Estimator:
        """The estimator of π, for its interval; π does not distinguish coders."""
        return Estimator(self.apart.tally, self.apart.pi, self.apart.expected_pi)

    @cached_property
    def estimated_kappa(self) -> Estimator:
        """The estimator of κ, for its interval."""
        return Estimator(self.tally, self.kappa, self.expected_kappa)


@dataclass(frozen=True)
class ChanceRows:
    """The sums behind chance, and the values of such sums.

    Columns: the metric's statistics as observed; the same, expected; the pairs that share a place
    for a boundary; and those of them in which a coder's boundaries can move at all.
    """

    metric: Metric
    null: Null
    tally: DocumentSums
    pair_rows: Cells
    coding_rows: Cells  # none: chance is about pairs
    batches: Floats  # (groups of draws, documents, statistics)

    @classmethod
    def of(
        cls, pairs: CoderPairs, metric: Metric, null: Null, draws: int, seed: int
    ) -> "ChanceRows":
        """Draw random codings of all coders `draws` times, and score all pairs each time."""
        _check_levels(pairs, metric)
        codings = RandomCodings(pairs.table, null, seed, order=pairs.coding_order)
        random = RandomPairs(pairs.batch, codings, hyp=pairs.right, ref=pairs.left)
        observed = pairs.statistics(metric)
        total = np.zeros_like(observed)
        n = len(pairs.documents)
        batches = np.zeros((min(BATCHES, draws), n, observed.shape[1]))
        for first, count, batch in random.batches(draws):
            rows = metric.rows(batch, threads=None).reshape(count, *observed.shape)
            total += rows.sum(axis=0)
            which = np.arange(first, first + count) * len(batches) // draws
            for group in np.unique(which):
                batches[group] += sum_by(pairs.pair_document, rows[which == group].sum(axis=0), n)
        places = pairs.places[pairs.left] > 0
        moving = places & (codings.can_move[pairs.left] | codings.can_move[pairs.right])
        columns = np.vstack([observed.T, (total / draws).T, places, moving])
        of_pairs = Cells.side_by_side(columns, 0, len(columns))
        of_codings = Cells.side_by_side(np.empty((0, len(pairs.coder))), 0, len(columns))
        tally = summed(pairs, of_pairs, of_codings)
        return cls(metric, null, tally, of_pairs, of_codings, batches)

    # ---- values ----

    def observed(self, rows: Floats) -> Floats:
        """The observed agreement A_o."""
        values = self.metric.values(rows[:, : self._width])
        return np.where(rows[:, -2] > 0, values, np.nan)

    def expected(self, rows: Floats) -> Floats:
        """The agreement expected by chance, A_e."""
        values = self.metric.values(rows[:, self._width : 2 * self._width])
        return np.where(rows[:, -2] > 0, values, np.nan)

    def corrected(self, rows: Floats) -> Floats:
        """(A_o - A_e) / (1 - A_e); NaN where nothing can move."""
        values = chance_corrected(self.observed(rows), self.expected(rows))
        return np.where(rows[:, -1] > 0, values, np.nan)

    @property
    def _width(self) -> int:
        return int(self.batches.shape[2])

    # ---- results ----

    @cached_property
    def estimated(self) -> Estimator:
        """The estimator of corrected agreement, for its interval."""
        return Estimator(self.tally, self.corrected, self.expected)

    def total(self, documents: Int64Array) -> tuple[dict[str, Any], str | None]:
        """All values for these documents together, by their names in `Agreement`; and the reason if
        there is no corrected value."""
        sums, batches = self.tally.total(documents), self.batches[:, documents]
        numbers = self._numbers(sums, batches.sum(axis=1, keepdims=True))
        return self._explained(_numbers_at(0, numbers), sums[0])

    def document(self, index: int) -> tuple[dict[str, Any], str | None]:
        """The values for one document; and the reason if there is no corrected value."""
        return self._explained(_numbers_at(index, self._of_documents), self.tally.rows[index])

    @cached_property
    def _of_documents(self) -> dict[str, Floats]:
        return self._numbers(self.tally.rows, self.batches)

    def _numbers(self, rows: Floats, batches: Floats) -> dict[str, Floats]:
        return {
            "chance": self.expected(rows),
            "chance_error": self._errors(batches),
            "corrected": self.corrected(rows),
        }

    def _explained(
        self, numbers: dict[str, Any], sums: Floats
    ) -> tuple[dict[str, Any], str | None]:
        """The values of these sums, and the reason if there is no corrected value."""
        if not np.isnan(numbers["corrected"]):
            return numbers, None
        if not sums[-2]:
            return numbers, "no two coders share a place for a boundary"
        if numbers["chance"] == 1:
            return numbers, (
                "coders who place as many boundaries at random agree completely: every place is a "
                "boundary, or none"
            )
        if self.null == "positions":
            return numbers, "no coder has a boundary that could be elsewhere"
        return numbers, (
            "each coder's segments are equally long, or there is only one: another order changes "
            "nothing"
        )

    def _errors(self, batches: Floats) -> Floats:
        """The standard error of A_e that comes from drawing: a jackknife over the groups of draws.

        Groups differ by one draw at most; if a metric is a mean of rows, groups are weighted by
        their number of draws.
        """
        total = batches.sum(axis=0)
        left_out = np.stack([self.metric.values(total - batch) for batch in batches])
        n = len(left_out)
        squares = ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
        return np.asarray(np.sqrt((n - 1) / n * squares))


def has_own_levels(pairs: CoderPairs, metric: Metric) -> bool:
    """Whether the metric compares levels that are not ranks; such levels cannot be drawn."""
    batch = pairs.batch
    if metric.name not in (LMeasure.name, TMeasure.name):
        return False
    return batch.ref_levels is not None or batch.hyp_levels is not None


def _check_levels(pairs: CoderPairs, metric: Metric) -> None:
    """Raise if the metric compares levels that cannot be drawn."""
    if has_own_levels(pairs, metric):
        raise SegmentationError(
            f"random coders cannot have levels of their own, which {metric.name} compares: "
            "expected codings with ranks (ss.ranked); or, for π* alone, draws=0, or, if there is a "
            "choice, coefficient='pi'"
        )


def _numbers_at(row: int, columns: dict[str, Floats]) -> dict[str, Any]:
    """One row of these columns, as plain numbers."""
    return {key: float(column[row]) for key, column in columns.items()}
