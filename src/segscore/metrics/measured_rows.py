"""The rows of metrics with their first results: the value of each row, and the sum.

The thread that makes the rows computes both; otherwise all other cores would wait for them.
"""

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Floats
from segscore.basics.exact_sums import ExactSum, exact_sum
from segscore.metrics.base import Metric, rows_as_worst, rows_of_metrics
from segscore.pairing.pairs import Pairs, Step


class MeasuredRows(NamedTuple):
    """The statistics and the value of each document, the number of documents without a value, and
    the sum of all statistics."""

    rows: Floats
    values: Floats
    n_undefined: int
    total: ExactSum

    @classmethod
    def of(cls, metric: Metric, rows: Floats) -> "MeasuredRows":
        """Measured rows from existing rows."""
        values = metric.values(rows)
        return cls(rows, values, _n_undefined(values), exact_sum(rows))


class _Slices:
    """The values and sums of steps that several threads fill, each its own slices."""

    def __init__(self, metrics: Sequence[Metric], steps: Sequence[Step], n_documents: int) -> None:
        self.metrics = metrics
        self.steps = steps
        self.shared = list(dict.fromkeys(steps))
        self.values = [np.empty(n_documents) for _ in metrics]
        self.n_undefined: list[list[int]] = [[] for _ in metrics]
        self.sums: dict[Step, list[tuple[int, ExactSum]]] = {step: [] for step in self.shared}

    def finish(self, start: int, stop: int, tables: Sequence[Floats]) -> None:
        """Compute values and sums of the rows start … stop of the shared steps' tables."""
        for step, table in zip(self.shared, tables, strict=True):
            self.sums[step].append((start, exact_sum(table[start:stop])))
        for i, (metric, step) in enumerate(zip(self.metrics, self.steps, strict=True)):
            values = metric.values(tables[self.shared.index(step)][start:stop])
            self.values[i][start:stop] = values
            self.n_undefined[i].append(_n_undefined(values))

    def totals(self) -> dict[Step, ExactSum]:
        """The sum of each step, independent of the order of threads."""
        return {
            step: reduce(
                ExactSum.plus, (subtotal for _, subtotal in sorted(parts, key=lambda part: part[0]))
            )
            for step, parts in self.sums.items()
        }


def measured_rows(
    metrics: Sequence[Metric], pairs: Pairs, threads: int | None = 1
) -> list[MeasuredRows]:
    """The rows, values and sums of each metric; metrics with a step share one pass."""
    steps = [metric.step(pairs) for metric in metrics]
    if not pairs.are_worth_threads(threads) or None in steps or rows_as_worst(pairs):
        tables = rows_of_metrics(metrics, pairs, threads)
        return [MeasuredRows.of(metric, rows) for metric, rows in zip(metrics, tables, strict=True)]
    slices = _Slices(metrics, [step for step in steps if step is not None], len(pairs))
    made = pairs.rows_of_steps(slices.shared, threads, slices.finish)
    rows, totals = dict(zip(slices.shared, made, strict=True)), slices.totals()
    return [
        MeasuredRows(rows[step], values, sum(undefined), totals[step])
        for step, values, undefined in zip(
            slices.steps, slices.values, slices.n_undefined, strict=True
        )
    ]


def _n_undefined(values: Floats) -> int:
    return int(np.count_nonzero(np.isnan(values)))
