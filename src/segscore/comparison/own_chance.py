"""The level of chance in a comparison: each system with its boundaries at random positions.

For each system, document and run a random hypothesis is drawn (as `coders.coder_pairs` says:
with its own number of boundaries, or its own segments in another order) and scored against the same
references. The statistics, averaged over draws, are rows like any others, so that averages and the
bootstrap work as for systems. The share of the way is

    (value - chance) / (perfect - chance)

with all three from the same documents drawn, and `perfect` 1 or 0 as the metric has it. Metrics
without a perfect value (distances) have no such share.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from segscore.basics.arguments import Floats, whole_number
from segscore.coders.coder_pairs import Null, RandomCodings, random_pairs, usual_draws
from segscore.coders.estimators import sum_by
from segscore.comparison.estimates import ComparisonSettings, Standings, standings
from segscore.comparison.measuring import Cases, Measured, trials_of
from segscore.metrics.base import Metric, ratio, rows_of_metrics
from segscore.significance import resampling as sig
from segscore.significance.drawing import Lots, by_name

KEPT = {
    "positions": ("own count", "its own number of boundaries, at random positions"),
    "lengths": ("own lengths", "its own segments, in random order"),
}
"""For each null model the title of the column, and what a system keeps."""


@dataclass(frozen=True)
class ChanceScale:
    """The standings of systems by chance, by metric; `error` is the largest standard error from
    drawing, `moving` says for which systems random boundaries can differ from their own."""

    null: Null
    draws: int
    seed: int
    error: float
    found: Mapping[str, Standings]
    moving: Mapping[str, bool]

    @property
    def title(self) -> str:
        """What a random system keeps, in the words of the column's heading."""
        return KEPT[self.null][0]

    @property
    def signature(self) -> str:
        """How chance was drawn; it follows the signature of a metric."""
        return f"null:{self.null}|draws:{self.draws}|seed:{self.seed}"

    def describe(self) -> str:
        """What the columns mean, and the systems without a chance value, in words."""
        fixed = ", ".join(name for name, moves in self.moving.items() if not moves)
        what = {"positions": "boundaries", "lengths": "segments"}[self.null]
        unmoved = f" None for {fixed}: none of its {what} can move." if fixed else ""
        return (
            f"chance ({self.title}): each system with {KEPT[self.null][1]}; {self.draws} draws, "
            f"seed {self.seed}, Monte-Carlo error at most {self.error:.4f}. Of the way: "
            f"(value - chance) / (perfect - chance).{unmoved}"
        )

    def entries(self, metric: str, estimated: Standings, level: float) -> list[dict[str, float]]:
        """The chance and the share of the way of each system under a metric, as in `Entry`."""
        if metric not in self.found:
            return []
        by_chance = self.found[metric]
        n = len(by_chance.estimates)
        perfect = estimated.metric.perfect or 0  # metrics without one are not among those found
        drawn = sig.Bootstrap(
            ratio(estimated.estimates[:n] - by_chance.estimates, perfect - by_chance.estimates),
            ratio(estimated.drawn[:, :n] - by_chance.drawn, perfect - by_chance.drawn),
            len(estimated.rows),
        )
        low, high = drawn.interval(level)
        vague = high - low > 1
        low, high = np.where(vague, np.nan, low), np.where(vague, np.nan, high)
        columns = np.stack([by_chance.estimates, drawn.estimate, low, high], axis=1).tolist()
        names = "chance", "share", "share_low", "share_high"
        return [
            dict(zip(names, row, strict=True)) if moves else {}
            for row, moves in zip(columns, self.moving.values(), strict=True)
        ]


def chance_scale(
    metrics: Mapping[str, Metric],
    cases: Cases,
    null: Null,
    draws: int | None,
    settings: ComparisonSettings,
    lots: Lots,
    threads: int | None,
) -> ChanceScale:
    """Draw random hypotheses of all systems under all metrics that have a perfect value; each draw
    is made once for all of them."""
    systems = cases.systems
    runs = [run for system in systems for run in system]
    wanted = {key: metric for key, metric in metrics.items() if metric.perfect is not None}
    ways = {metric.many_references for metric in wanted.values()} or {False}
    batches = {many: trials_of(many, cases, runs) for many in ways}
    trials = next(iter(batches.values()))
    names = [runs[column].name for column in trials.columns.tolist()]
    order = by_name(
        np.argsort(cases.order)[trials.cases],
        names,
        (crc32(trials.codings.segmentation(row).boundaries.data) for row in trials.rows.tolist()),
    )  # runs have no names
    codings = RandomCodings(trials.codings, null, settings.seed, trials.rows, order)
    n_pairs = max(len(batch.pairs) for batch in batches.values())
    n_draws = usual_draws(n_pairs) if draws is None else whole_number(draws, "draws", 2)
    covered = np.zeros((len(cases.names), len(runs)), np.bool_)
    covered[trials.place] = True
    sums: dict[str, list[Any]] = {}
    drawn: dict[str, list[Floats]] = {}
    for many, batch in batches.items():
        alike = {key: each for key, each in wanted.items() if each.many_references == many}
        where = np.asarray(batch.place[0] * len(runs) + batch.place[1], np.int64)
        for _, count, pairs in random_pairs(batch.pairs, codings, n_draws, batch.trial):
            tables = rows_of_metrics(list(alike.values()), pairs, threads)
            for (key, metric), table in zip(alike.items(), tables, strict=True):
                scaled = table.reshape(count, len(where), -1) * batch.scale[:, np.newaxis]
                by_pair = np.moveaxis(scaled, 1, 0).reshape(len(where), -1)
                each = sum_by(where, by_pair, covered.size).reshape(*covered.shape, count, -1)
                rows = np.moveaxis(each, 2, 0)  # (draws, documents, runs, statistics)
                values = sig.value_of(metric.values, rows)
                there = ~np.isnan(values) & covered
                values = np.where(there, values, 0.0)
                if settings.average == "micro":
                    averages = sig.value_of(metric.values, rows.sum(axis=1))
                else:
                    averages = ratio(values.sum(axis=1), there.sum(axis=1))
                drawn.setdefault(key, []).append(averages)
                added = [part.sum(axis=0) for part in (rows, values, there)]
                known = sums.get(key, [0.0, 0.0, 0.0])
                sums[key] = [total + part for total, part in zip(known, added, strict=True)]
    found, error, measured = list[Standings](), 0.0, list[Measured]()
    for key, (total, valued, defined) in sums.items():
        averages = np.concatenate(drawn[key])  # of each draw and run
        spread = averages.std(axis=0, ddof=1) / np.sqrt(len(averages))
        error = max(error, float(np.nanmax(np.append(spread, 0.0))))
        mean = np.where(covered, ratio(valued, defined), np.nan)
        measured.append((wanted[key], lots.sums(total / n_draws), mean, None))
    if sums:
        n_runs = {system[0].name: len(system) for system in systems}
        found = standings(measured, covered, n_runs, settings, lots)
    movable = {name for name, moves in zip(names, codings.can_move, strict=True) if moves}
    moving = {system[0].name: system[0].name in movable for system in systems}
    by_metric = dict(zip(sums, found, strict=True))
    return ChanceScale(null, n_draws, settings.seed, error, by_metric, moving)
