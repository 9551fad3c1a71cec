"""Bootstrap intervals of accumulated averages, group by group."""

from segscore.scoring.accumulated import Accumulated
from segscore.scoring.accumulator import Accumulator
from segscore.significance import resampling as sig


def with_intervals(
    accumulator: Accumulator,
    result: Accumulated | None = None,
    *,
    level: float = 0.95,
    n_resamples: int = 1_000,
    seed: int = 0,
) -> Accumulated:
    """The averages, with an interval of each micro-average, drawn over documents or buckets."""
    found = accumulator.result() if result is None else result
    ends = []
    for one in found.averages:
        _, rows = accumulator.cell(one.group, one.system).units()
        span = accumulator.span(one.key)
        drawn = sig.bootstrap_interval(
            rows[:, span.start : span.stop - 2],
            one.metric.values,
            level=level,
            n_resamples=n_resamples,
            seed=seed,
        )
        ends.append((drawn.low, drawn.high))
    return found.with_intervals(ends)
