"""The level of chance in a comparison: each system with its boundaries at random positions.

For each system, document and run a random hypothesis is drawn (as `coders.random_codings` says:
with its own number of boundaries, or its own segments in another order) and scored against the same
references. The statistics, averaged over draws, are rows like any others, so that averages and the
bootstrap work as for systems. The share of the way is

    (value - chance) / (perfect - chance)

with all three from the same documents drawn, and `perfect` 1 or 0 as the metric has it. Metrics
without a perfect value (distances) have no such share.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, whole_number
from segscore.coders.random_codings import Null, RandomCodings, RandomPairs, usual_draws
from segscore.coders.sums import sum_by
from segscore.comparison.cases import Cases, Contestant
from segscore.comparison.comparison_entries import ComparisonSettings
from segscore.comparison.estimates import Standings, standings
from segscore.comparison.measuring import Measured, Trials
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.metrics.base import Metric, rows_of_metrics
from segscore.metrics.ratios import ratio
from segscore.metrics.statistics import Average
from segscore.significance import resampling as sig
from segscore.significance.drawing import Lots, by_name

KEPT = {
    "positions": ("own count", "its own number of boundaries, at random positions"),
    "lengths": ("own lengths", "its own segments, in random order"),
}
"""For each null model the title of the column, and what a system keeps."""


class ChanceEntry(NamedTuple):
    """The chance and the share of the way of a system under a metric, as in `Entry`."""

    chance: float
    share: float
    share_low: float
    share_high: float


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
        """What the columns mean, in one sentence."""
        return (
            f"chance ({self.title}): each system with {KEPT[self.null][1]}; {self.draws} draws, "
            f"seed {self.seed}, Monte-Carlo error at most {self.error:.4f}. Of the way: "
            f"(value - chance) / (perfect - chance).{self._unmoved()}"
        )

    def _unmoved(self) -> str:
        """The systems without a chance value, in words."""
        fixed = [name for name, moves in self.moving.items() if not moves]
        what = {"positions": "boundaries", "lengths": "segments"}[self.null]
        return f" None for {', '.join(fixed)}: none of its {what} can move." if fixed else ""

    def entries(self, metric: str, estimated: Standings, level: float) -> list[ChanceEntry | None]:
        """The chance and the share of the way of each system under a metric."""
        if metric not in self.found:
            return [None] * len(self.moving)
        by_chance = self.found[metric]
        n = len(by_chance.estimates)
        perfect = estimated.metric.perfect or 0  # metrics without one are not among those found
        drawn = sig.Bootstrap(
            _share(perfect, estimated.estimates[:n], by_chance.estimates),
            _share(perfect, estimated.drawn[:, :n], by_chance.drawn),
            estimated.n_drawn,
        )
        low, high = drawn.interval(level)
        vague = high - low > 1
        low, high = np.where(vague, np.nan, low), np.where(vague, np.nan, high)
        columns = by_chance.estimates, drawn.estimate, low, high
        return [
            ChanceEntry(*(float(column[i]) for column in columns)) if moves else None
            for i, moves in enumerate(self.moving.values())
        ]


def _share(perfect: float, values: Floats, chance: Floats) -> Floats:
    return ratio(values - chance, perfect - chance)


def chance_scale(
    metrics: Mapping[str, Metric],
    cases: Cases,
    systems: Sequence[Contestant],
    null: Null,
    draws: int | None,
    settings: ComparisonSettings,
    lots: Lots,
    threads: int | None,
    provenance: Provenance = PLAIN,
) -> ChanceScale:
    """Draw random hypotheses of all systems under all metrics that have a perfect value."""
    seed = whole_number(settings.seed, "seed", 0)
    runs = [(system, run) for system in systems for run in system.runs]
    wanted = {key: metric for key, metric in metrics.items() if metric.perfect is not None}
    ways = {metric.many_references for metric in wanted.values()} or {False}
    batches = [Trials(many, cases, runs, provenance) for many in ways]
    trials = batches[0]
    order = by_name(
        np.argsort(cases.order)[trials.cases],
        (trials.contestants[column].name for column in trials.columns.tolist()),
        (crc32(trials.codings.segmentation(row).boundaries.data) for row in trials.rows.tolist()),
    )  # runs have no names
    codings = RandomCodings(trials.codings, null, seed, trials.rows, order)
    n_pairs = max(len(batch.pairs) for batch in batches)
    n_draws = usual_draws(n_pairs) if draws is None else whole_number(draws, "draws", 2)
    drawn: dict[str, _Drawn] = {}
    for batch in batches:
        random = RandomPairs(batch.pairs, codings, hyp=batch.trial)
        drawn |= _drawn(wanted, batch, random, n_draws, (len(cases), len(runs)), threads)
    error = max((sums.error(settings.average) for sums in drawn.values()), default=0.0)
    found = _standings(drawn, systems, lots, settings)
    moving = _can_move(trials, codings.can_move)
    return ChanceScale(null, n_draws, seed, error, found, moving)


def _can_move(trials: Trials, moving: Any) -> dict[str, bool]:
    """Whether chance can move a boundary of each contestant, given whether it can in each trial."""
    found = dict.fromkeys((contestant.name for contestant in trials.contestants), False)
    for column in np.unique(trials.columns[np.asarray(moving)]).tolist():
        found[trials.contestants[column].name] = True
    return found


def _standings(
    drawn: "Mapping[str, _Drawn]",
    systems: Sequence[Contestant],
    lots: Lots,
    settings: ComparisonSettings,
) -> dict[str, Standings]:
    """The standings of systems by chance, under each metric that was drawn."""
    if not drawn:
        return {}
    measured = [sums.measured(lots) for sums in drawn.values()]
    runs = {system.name: len(system.runs) for system in systems}
    found = standings(measured, runs, settings.average, settings.n_resamples, settings.seed, lots)
    return dict(zip(drawn, found, strict=True))


@dataclass
class _Drawn:
    """The sums over the draws of one metric."""

    metric: Metric
    covered: NDArray[np.bool_]
    rows: Floats  # (documents, runs, statistics), summed over draws
    values: Floats  # (documents, runs), the same of values, and how many draws have one
    defined: Floats
    micro: list[Floats] = field(default_factory=list)  # of each draw, by run
    macro: list[Floats] = field(default_factory=list)

    def add(self, rows: Floats) -> None:
        """Add some draws: (draws, documents, runs, statistics)."""
        values = sig.value_of(self.metric.values, rows)
        there = ~np.isnan(values) & self.covered
        values = np.where(there, values, 0.0)
        self.rows += rows.sum(axis=0)
        self.values += values.sum(axis=0)
        self.defined += there.sum(axis=0)
        self.micro.append(sig.value_of(self.metric.values, rows.sum(axis=1)))
        self.macro.append(ratio(values.sum(axis=1), there.sum(axis=1)))

    def measured(self, lots: Lots) -> Measured:
        """The mean over draws."""
        n_draws = sum(len(averages) for averages in self.micro)
        values = np.where(self.covered, ratio(self.values, self.defined), np.nan)
        return Measured(self.metric, lots.sums(self.rows / n_draws), self.covered, values)

    def error(self, average: Average) -> float:
        """The largest standard error of a run's average."""
        drawn = np.concatenate(self.micro if average == "micro" else self.macro)
        spread = drawn.std(axis=0, ddof=1) / np.sqrt(len(drawn))
        return float(np.nanmax(np.append(spread, 0.0)))


def _drawn(
    metrics: Mapping[str, Metric],
    batch: Trials,
    random: RandomPairs,
    draws: int,
    shape: tuple[int, int],
    threads: int | None,
) -> dict[str, _Drawn]:
    """All draws under the metrics that take references as the batch has them; each draw is made
    once for all of these metrics."""
    metrics = {
        key: metric for key, metric in metrics.items() if metric.many_references == batch.many
    }
    n_documents, n_runs = shape
    covered = np.zeros(shape, np.bool_)
    covered[batch.place] = True
    where = np.asarray(batch.place[0] * n_runs + batch.place[1], np.int64)
    by_key: dict[str, _Drawn] = {}
    for _, count, pairs in random.batches(draws):
        tables = rows_of_metrics(list(metrics.values()), pairs, threads)
        for (key, metric), table in zip(metrics.items(), tables, strict=True):
            rows = table.reshape(count, len(where), -1)
            width = rows.shape[2]
            by_pair = np.moveaxis(rows * batch.scale[:, np.newaxis], 1, 0).reshape(len(where), -1)
            sums = sum_by(where, by_pair, n_documents * n_runs)
            each = sums.reshape(n_documents, n_runs, count, width)
            if key not in by_key:
                by_key[key] = _Drawn(
                    metric, covered, np.zeros((*shape, width)), np.zeros(shape), np.zeros(shape)
                )
            by_key[key].add(np.moveaxis(each, 2, 0))
    return by_key
