"""The sums behind agreement as `Estimator`s; `coefficients` says what they are.

The columns of π* and κ* are the metric's statistics of pairs, the potential boundaries that pairs
share, and boundaries and potential boundaries of codings, by coder for κ*. The coefficient whose
zero is chance is

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

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.random_codings import Null, RandomCodings, RandomPairs
from segscore.coders.sums import Cells, Estimator, chance_corrected, sum_by, summed
from segscore.coding.segmentation import BoundaryType, type_order
from segscore.errors import SegmentationError
from segscore.metrics import LMeasure, Metric, TMeasure
from segscore.metrics.ratios import ratio
from segscore.significance.resampling import Value

BATCHES = 20  # groups of draws: enough to know the error by, few enough to keep for each document
_CELLS = 1_000_000  # that are multiplied at a time, whatever the number of draws


def boundary_counts(pairs: CoderPairs) -> Floats:
    """The number of boundaries of each type in each coding; of all, if boundaries have no types."""
    typed = {row: one.types for row, one in pairs.table.details.items() if one.types}
    found = {name for types in typed.values() for kinds in types for name in kinds}
    if not found:
        return pairs.boundaries[:, np.newaxis].astype(np.float64)
    names: list[BoundaryType] = sorted(found, key=type_order)
    counts = np.zeros((len(pairs.coder), len(names)))
    for row, types in typed.items():
        for kinds in types:
            counts[row, [names.index(name) for name in kinds]] += 1
    return counts


# ---- π* and κ* ----


def observed_sums(pairs: CoderPairs, metric: Metric) -> tuple[Floats, Value]:
    """The columns that each coefficient begins with, for all pairs: the metric's statistics, and
    the potential boundaries; and A_a of their sums, NaN where there is no pair."""
    shared = pairs.places[pairs.left]
    columns = np.vstack([pairs.statistics(metric).T, shared])
    last = len(columns) - 1

    def observed(rows: Floats) -> Floats:
        return np.where(rows[:, last] > 0, metric.values(rows[:, :last]), np.nan)

    return columns, observed


def pi_sums(pairs: CoderPairs, metric: Metric, counts: Floats | None = None) -> Estimator:
    """Scott's π or Fleiss's π*; `counts` are counted per coding, by default its boundaries of each
    type."""
    of_pairs, observed = observed_sums(pairs, metric)
    counts = boundary_counts(pairs) if counts is None else counts
    start = len(of_pairs)
    of_codings = np.vstack([counts.T, pairs.places])
    width = start + len(of_codings)

    def expected(rows: Floats) -> Floats:
        """Σ_t P(t)²."""
        shares = ratio(rows[:, start:-1], rows[:, -1:])
        return np.asarray((shares**2).sum(axis=1))

    def value(rows: Floats) -> Floats:
        return chance_corrected(observed(rows), expected(rows))

    cells = (
        Cells.side_by_side(of_pairs, 0, width), Cells.side_by_side(of_codings, start, width)
    )  # fmt: skip
    return summed(pairs, *cells, value, expected)


def kappa_sums(
    pairs: CoderPairs, metric: Metric, coders: Int64Array, counts: Floats | None = None
) -> Estimator:
    """Cohen's κ, or κ* for more than two coders; `coders` is the number of the coder of each
    coding: over all documents, or within each document, which is enough for single documents."""
    of_pairs, observed = observed_sums(pairs, metric)
    counts = boundary_counts(pairs) if counts is None else counts
    start, block, n = len(of_pairs), counts.shape[1] + 1, int(coders.max()) + 1
    lower, higher = np.sort([coders[pairs.left], coders[pairs.right]], axis=0)
    keys, place = np.unique(lower * n + higher, return_inverse=True)
    first, second = divmod(keys, n)
    after = start + n * block
    width = after + len(keys)
    common = np.broadcast_to(np.arange(start)[:, np.newaxis], of_pairs.shape)
    pair_cells = Cells(
        np.vstack([common, after + place.reshape(-1)]), np.vstack([of_pairs, of_pairs[-1]]), width
    )
    own = start + coders * block + np.arange(block)[:, np.newaxis]
    coding_cells = Cells(own, np.vstack([counts.T, pairs.places]), width)

    def some_expected(rows: Floats) -> Floats:
        """Σ_t mean over pairs of coders of P(t|m) · P(t|n)."""
        of_coders = rows[:, start:after].reshape(len(rows), n, block)
        shares = np.nan_to_num(ratio(of_coders[:, :, :-1], of_coders[:, :, -1:]))
        both, weights = (shares[:, first] * shares[:, second]).sum(axis=2), rows[:, after:]
        return ratio((weights * both).sum(axis=1), weights.sum(axis=1))

    def expected(rows: Floats) -> Floats:
        step = max(1, _CELLS // max(1, len(keys) * (block - 1)))
        ends = [*range(0, len(rows), step), len(rows)] if len(rows) else [0, 0]
        return np.concatenate([some_expected(rows[i:j]) for i, j in pairwise(ends)])

    def value(rows: Floats) -> Floats:
        return chance_corrected(observed(rows), expected(rows))

    return summed(pairs, pair_cells, coding_cells, value, expected)


# ---- chance ----


@dataclass(frozen=True)
class Chance:
    """Corrected agreement, and how well its chance is known.

    Columns of its sums: the metric's statistics as observed and the potential boundaries; the
    statistics as expected; the pairs in which a coder's boundaries can move at all. `by_pair` are
    the expected statistics of each pair, `batches` those of each document (groups of draws,
    documents, statistics).
    """

    corrected: Estimator
    metric: Metric
    null: Null
    by_pair: Floats
    batches: Floats

    def errors(self, batches: Floats) -> Floats:
        """The standard error of A_e that comes from drawing: a jackknife over the groups of draws.

        Groups differ by one draw at most; if a metric is a mean of rows, groups are weighted by
        their number of draws.
        """
        total = batches.sum(axis=0)
        left_out = np.stack([self.metric.values(total - batch) for batch in batches])
        n = len(left_out)
        squares = ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
        return np.asarray(np.sqrt((n - 1) / n * squares))

    def why_none(self, sums: Floats, chance: float) -> str:
        """The reason why sums have no corrected value."""
        if not sums[self.by_pair.shape[1]]:
            return "no two coders share a place for a boundary"
        if chance == 1:
            return (
                "coders who place as many boundaries at random agree completely: every place is a "
                "boundary, or none"
            )
        if self.null == "positions":
            return "no coder has a boundary that could be elsewhere"
        return (
            "each coder's segments are equally long, or there is only one: another order changes "
            "nothing"
        )


def chance_sums(pairs: CoderPairs, metric: Metric, null: Null, draws: int, seed: int) -> Chance:
    """Draw random codings of all coders `draws` times, and score all pairs each time."""
    if has_own_levels(pairs, metric):
        raise SegmentationError(
            f"random coders cannot have levels of their own, which {metric.name} compares: "
            "expected codings with ranks (ss.ranked); or, for π* alone, draws=0, or, if there is a "
            "choice, coefficient='pi'"
        )
    codings = RandomCodings(pairs.table, null, seed, order=pairs.coding_order)
    random = RandomPairs(pairs.batch, codings, hyp=pairs.right, ref=pairs.left)
    seen, observed = observed_sums(pairs, metric)
    shared = len(seen) - 1
    by_pair = np.zeros((len(pairs.left), shared))
    n = len(pairs.documents)
    batches = np.zeros((min(BATCHES, draws), n, shared))
    for first, count, batch in random.batches(draws):
        rows = metric.rows(batch, threads=None).reshape(count, *by_pair.shape)
        by_pair += rows.sum(axis=0)
        which = np.arange(first, first + count) * len(batches) // draws
        for group in np.unique(which):
            batches[group] += sum_by(pairs.pair_document, rows[which == group].sum(axis=0), n)
    by_pair /= draws
    moving = (seen[-1] > 0) & (codings.can_move[pairs.left] | codings.can_move[pairs.right])
    table = np.vstack([seen, by_pair.T, moving])

    def expected(sums: Floats) -> Floats:
        values = metric.values(sums[:, shared + 1 : -1])
        return np.where(sums[:, shared] > 0, values, np.nan)

    def value(sums: Floats) -> Floats:
        """(A_o - A_e) / (1 - A_e); NaN where nothing can move."""
        values = chance_corrected(observed(sums), expected(sums))
        return np.where(sums[:, -1] > 0, values, np.nan)

    of_pairs = Cells.side_by_side(table, 0, len(table))
    none = Cells.side_by_side(np.empty((0, len(pairs.coder))), 0, len(table))
    return Chance(summed(pairs, of_pairs, none, value, expected), metric, null, by_pair, batches)


def has_own_levels(pairs: CoderPairs, metric: Metric) -> bool:
    """Whether the metric compares levels that are not ranks; such levels cannot be drawn."""
    batch = pairs.batch
    if metric.name not in (LMeasure.name, TMeasure.name):
        return False
    return batch.ref_levels is not None or batch.hyp_levels is not None
