"""Sums over pairs and codings, per document, with what changes when a coder is left out.

A coefficient of agreement is a value of sums: of statistics of pairs of coders (how far they agree)
and of counts of codings (what they would agree on by chance). A `Tally` keeps these sums as one row
per document, so that documents, groups and the whole corpus are sums of rows and the bootstrap over
documents needs nothing else; and, for the jackknife, the change of a document's row when one coding
is taken away.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from segscore.arguments import Floats, Int64Array
from segscore.coders.pairing import CoderPairs
from segscore.significance.resampling import (
    Interval,
    Value,
    bootstrap_interval,
    checked_level,
    credible,
    jackknife_interval,
)

FEWEST_DOCUMENTS = 5  # below, documents say too little about documents, and coders are left out
_WIDEST = 2000  # columns that the bootstrap sums 10 000 times over


@dataclass(frozen=True)
class Sampling:
    """How intervals are made."""

    level: float = 0.95
    n_resamples: int = 10_000
    seed: int = 0


@dataclass(frozen=True)
class Tally:
    """A row per document, and, made when first asked for, a row per coding: how the row of its
    document changes without it."""

    pairs: CoderPairs
    rows: Floats
    make_changes: Callable[[], Floats]

    @cached_property
    def changes(self) -> Floats:
        """One row per coding."""
        return self.make_changes()

    def total(self, documents: Int64Array) -> Floats:
        """The sum over these documents, as a table of one row."""
        return np.asarray(self.rows[documents].sum(axis=0, keepdims=True))

    def without_each_coder(self, documents: Int64Array) -> Floats:
        """The sum over these documents without the first coder, without the second …"""
        chosen = self.pairs.codings_of(documents)
        coders, place = np.unique(self.pairs.coder[chosen], return_inverse=True)
        sums = np.repeat(self.total(documents), len(coders), axis=0)
        np.add.at(sums, place, self.changes[chosen])
        return sums

    def interval(
        self, value: Value, expected: Value, documents: Int64Array, how: Sampling
    ) -> Interval:
        """A confidence interval: bootstrap over documents, or jackknife over coders of a few.

        `expected` is the A_e behind the value, (A_o - A_e) / (1 - A_e), which cannot lie below
        -A_e / (1 - A_e), nor above 1. An interval that does is none, nor is one wider than 1.
        """
        if len(documents) < FEWEST_DOCUMENTS:
            return self._jackknife(value, expected, documents, how)
        if self.rows.shape[1] > _WIDEST:
            why = f"no interval: so many pairs of coders need more than {_WIDEST} sums"
            return Interval(np.nan, np.nan, checked_level(how.level), why)
        found = bootstrap_interval(
            self.rows[documents], value, level=how.level, n_resamples=how.n_resamples, seed=how.seed
        )
        return credible(found)

    def _jackknife(
        self, value: Value, expected: Value, documents: Int64Array, how: Sampling
    ) -> Interval:
        total = self.total(documents)
        estimate, chance = float(value(total)[0]), float(expected(total)[0])
        left_out = value(self.without_each_coder(documents))
        found = jackknife_interval(estimate, left_out, level=how.level, unit="coders")
        why = f"{found.method}, because there are fewer than {FEWEST_DOCUMENTS} documents"
        lowest = -chance / (1 - chance) if chance < 1 else -np.inf
        return credible(found._replace(method=why), lowest, 1.0)


def _as_they_are(sums: Floats) -> Floats:
    return sums


def tally_of(
    pairs: CoderPairs,
    pair_rows: Any,
    coding_rows: Any,
    finish: Callable[[Floats], Floats] = _as_they_are,
) -> Tally:
    """Add up rows of pairs and rows of codings (arrays, or SciPy's sparse ones) by document.

    Both have the same columns. `finish` turns the sums of a document, with or without one of its
    codings, into the row that adds up over documents.
    """
    n = len(pairs.documents)
    sums = sum_by(pairs.pair_document, pair_rows, n) + sum_by(pairs.document, coding_rows, n)
    rows = finish(sums)

    def changes() -> Floats:
        n = len(pairs.segmentations)
        gone = sum_by(pairs.left, pair_rows, n) + sum_by(pairs.right, pair_rows, n)
        gone += sum_by(np.arange(n), coding_rows, n)
        return finish(sums[pairs.document] - gone) - rows[pairs.document]

    return Tally(pairs, rows, changes)


def sum_by(index: Int64Array, rows: Any, n: int) -> Floats:
    """Sums of the rows that have the same index; `n` rows in all."""
    ones = np.ones(len(index))
    sums = _sparse((ones, (index, np.arange(len(index)))), (n, len(index))) @ rows
    return np.asarray(sums if isinstance(sums, np.ndarray) else sums.toarray())


def one_hot(columns: Sequence[Int64Array], values: Sequence[Floats], width: int) -> Any:
    """A sparse table whose row i holds `values[j][i]` in column `columns[j][i]`."""
    n = len(columns[0])
    rows = np.tile(np.arange(n), len(columns))
    return _sparse((np.concatenate(values), (rows, np.concatenate(columns))), (n, width))


def _sparse(cells: Any, shape: tuple[int, int]) -> Any:
    from scipy import sparse

    build: Any = sparse.csr_array  # has no types
    return build(cells, shape=shape)
