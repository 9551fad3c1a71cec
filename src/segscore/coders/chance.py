"""Agreement whose zero is chance: what coders would reach who place their boundaries at random.

    corrected = (A_o - A_e) / (1 - A_e)

A_o is the observed agreement, a similarity micro-averaged over all pairs of coders. A_e is what the
same similarity gives to the same coders when only chance decides where (`random_codings` says what
they keep): the statistics of each pair are averaged over draws, and the value of their sum is A_e,
as the value of the observed sum is A_o. Both add up over documents, so groups, the bootstrap over
documents and the jackknife over coders need nothing but rows (observed, expected).

The published π* and κ* take P² for A_e, the chance of two exact matches. B and S also give credit
for near misses, and S for each place that both leave empty, so their 0 is not chance; this one is.

Draws are grouped into `BATCHES`; the Monte-Carlo error of A_e is a jackknife over these groups.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.random_codings import Null, RandomCodings, RandomPairs
from segscore.coders.sums import Cells, Estimator, Tally, sum_by, tally_of
from segscore.metrics import Metric
from segscore.metrics.ratios import ratio

BATCHES = 20  # groups of draws: enough to know the error by, few enough to keep for each document


class Chance(NamedTuple):
    """What random coders reach, and the coefficient whose zero that is.

    `expected` is A_e, `error` its standard error from drawing; `corrected` is NaN where there is
    none, and `why` says so.
    """

    expected: float
    error: float
    corrected: float
    why: str | None = None


def chance_corrected(observed: Floats, expected: Floats) -> Floats:
    """(A_o - A_e) / (1 - A_e); NaN where chance alone would agree completely."""
    return ratio(observed - expected, 1 - expected)


@dataclass(frozen=True)
class ChanceRows:
    """The sums behind chance, and the values of such sums.

    Columns: the metric's statistics as observed; the same, expected; the pairs that share a place
    for a boundary; and those of them in which a coder's boundaries can move at all.
    """

    metric: Metric
    null: Null
    draws: int
    seed: int
    tally: Tally
    batches: Floats  # (groups of draws, documents, statistics)

    @classmethod
    def of(
        cls, pairs: CoderPairs, metric: Metric, null: Null, draws: int, seed: int
    ) -> "ChanceRows":
        """Draw all coders anew, `draws` times, and score all pairs each time."""
        codings = RandomCodings(pairs.segmentations, null, seed)
        random = RandomPairs(pairs.batch, codings, hyp=pairs.right, ref=pairs.left)
        observed = pairs.statistics(metric)
        total = np.zeros_like(observed)
        n = len(pairs.documents)
        batches = np.zeros((min(BATCHES, draws), n, observed.shape[1]))
        for first, count, batch in random.batches(draws):
            rows = metric.rows(batch, threads=None).reshape(count, *observed.shape)
            total += rows.sum(axis=0)
            which = np.arange(first, first + count) * len(batches) // draws
            for one in np.unique(which):
                batches[one] += sum_by(pairs.pair_document, rows[which == one].sum(axis=0), n)
        places = pairs.places[pairs.left] > 0
        moving = places & (codings.can_move[pairs.left] | codings.can_move[pairs.right])
        columns = np.vstack([observed.T, (total / draws).T, places, moving])
        of_pairs = Cells.side_by_side(columns, 0, len(columns))
        of_codings = Cells.side_by_side(np.empty((0, len(pairs.coder))), 0, len(columns))
        return cls(metric, null, draws, seed, tally_of(pairs, of_pairs, of_codings), batches)

    # ---- values ----

    def observed(self, rows: Floats) -> Floats:
        """A_o."""
        values = self.metric.values(rows[:, : self._width])
        return np.where(rows[:, -2] > 0, values, np.nan)

    def expected(self, rows: Floats) -> Floats:
        """A_e."""
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
        """The corrected coefficient, for its interval."""
        return Estimator(self.tally, self.corrected, self.expected)

    def chance(self, documents: Int64Array) -> Chance:
        """Of these documents together."""
        batches = self.batches[:, documents].sum(axis=1, keepdims=True)
        return self._columns(self.tally.total(documents), batches).row(0)

    @cached_property
    def of_documents(self) -> "ChanceColumns":
        """Of each document by itself."""
        return self._columns(self.tally.rows, self.batches)

    def _columns(self, rows: Floats, batches: Floats) -> "ChanceColumns":
        return ChanceColumns(
            self.null, self.expected(rows), self._errors(batches), self.corrected(rows), rows[:, -2]
        )

    def _errors(self, batches: Floats) -> Floats:
        """The standard error of A_e that comes from drawing: each group of draws left out in turn.

        Groups differ by one draw at most; where a metric is a mean of rows that is what they weigh.
        """
        total = batches.sum(axis=0)
        left_out = np.stack([self.metric.values(total - one) for one in batches])
        n = len(left_out)
        squares = ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
        return np.asarray(np.sqrt((n - 1) / n * squares))


class ChanceColumns(NamedTuple):
    """`Chance` of many sums, a row each, with the pairs that share a place for a boundary."""

    null: Null
    expected: Floats
    error: Floats
    corrected: Floats
    n_pairs: Floats

    def row(self, row: int) -> Chance:
        """One row; why there is no corrected value, if there is none."""
        value = float(self.corrected[row])
        why = self._why(row) if np.isnan(value) else None
        return Chance(float(self.expected[row]), float(self.error[row]), value, why)

    def _why(self, row: int) -> str:
        if not self.n_pairs[row]:
            return "no two coders share a place for a boundary"
        if self.expected[row] == 1:
            return (
                "coders who place as many boundaries at random agree completely: every place is a "
                "boundary, or none"
            )
        if self.null == "positions":
            return "no coder has a boundary that could stand elsewhere"
        return (
            "each coder's segments are equally long, or there is one only: in another order they "
            "are the same"
        )
