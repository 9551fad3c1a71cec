"""Table 1 of Fournier & Inkpen (2012): how steady WindowDiff and S are, by simulation.

The simulation of Pevzner & Hearst (2002): references of 1000 segments of four ranges of sizes,
hypotheses that miss boundaries (FN, scenario 1), have some too many (FP, 2), or both (FNP, 3), each
with probability .5; ten trials of 100 hypotheses, mean and standard deviation over all of them.

- The first three ranges are closed, with a mean of 25: S is then .9800 for FN and FP, as printed.
  The rows of (5, 45) fit a half-open range, with a mean of 24.5, which gives .9796 as printed.
- Half of 25 is 12.5, so that the paper's k (half-up, minus one) is 11 in about half of the trials
  and 12 in the others, and WindowDiff jumps with it: FN .220 or .240, FP .217 or .236, FNP .348 or
  .370 for (20, 30). That makes most of its standard deviation, which the paper reads as instability
  of the metric, and means and deviations depend on how many of the ten trials had k = 12. Ours are
  40 trials of 25 hypotheses, in which about half have it.
- S of FNP is printed as .9605, .9603, .9606 and .9598, and comes out .0003 to .0006 higher: a miss
  and a false positive right beside it are one near miss, which saves .0008. If the last place
  inside a segment never held a false positive, it would save .0005, and .9605 is what comes out for
  (20, 30). Nothing else says so.
"""

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np

from segscore.basics.arguments import Floats
from segscore.metrics import Metric, SegmentationSimilarity, WindowDiff
from segscore.papers.published import PrintTolerance, PublishedNumber, Run, printed_table
from segscore.papers.simulations import between_runs, simulated_values
from segscore.simulate import Errors, UniformSizes

Range = tuple[int, int]
Key = tuple[Range, str, str]  # sizes, errors, measure

N_SEGMENTS, HYPOTHESES, THEIR_HYPOTHESES = 1000, 25, 100
THEIR_TRIALS, TRIALS = 10, 40  # more of ours, because k changes from trial to trial
HALF_OPEN: Range = (5, 45)
ERRORS = {
    "FN": Errors(misses=0.5),
    "FP": Errors(false_positives=0.5),
    "FNP": Errors(misses=0.5, false_positives=0.5),
}
MEASURES: dict[str, Metric] = {
    "WD": WindowDiff(rounding="half-up", k_offset=-1),
    "S": SegmentationSimilarity(),
}
DECIMALS = 4
PRINTED_IN_TABLE_1 = printed_table("fournier2012_table_1")
RANGES: tuple[Range, ...] = ((20, 30), (15, 35), (10, 40), (5, 45))

OTHER_K = "depends on how many of the ten trials had k = 12 instead of 11"
NO_LAST_PLACE = "lower, as printed, if the last place inside a segment is never a false positive"
SMALL = "ours differs in the last digit printed, which is a tenth of the number"
NOT_MET: dict[tuple[Range, str, str, str], str] = {
    ((20, 30), "FN", "WD", "mean"): f"3 % lower: {OTHER_K}",
    ((10, 40), "FNP", "WD", "mean"): f"2.5 % lower: {OTHER_K}",
    ((15, 35), "FN", "WD", "sd"): OTHER_K,
    ((10, 40), "FN", "WD", "sd"): OTHER_K,
    ((5, 45), "FN", "WD", "sd"): OTHER_K,
    ((5, 45), "FP", "WD", "sd"): OTHER_K,
    ((5, 45), "FNP", "WD", "sd"): OTHER_K,
    ((15, 35), "FNP", "S", "mean"): NO_LAST_PLACE,
    ((15, 35), "FN", "S", "sd"): SMALL,
    ((15, 35), "FP", "S", "sd"): SMALL,
    ((10, 40), "FP", "S", "sd"): SMALL,
    ((5, 45), "FNP", "S", "sd"): SMALL,
}


def _simulated(sizes: Range, kind: str, seed: int) -> Callable[[Run], dict[str, Floats]]:
    """A function of its own for each row, so that a run computes the row once."""

    def values(_run: Run) -> dict[str, Floats]:
        drawn = UniformSizes(*sizes, closed=sizes != HALF_OPEN)
        metrics = list(MEASURES.values())
        found = simulated_values(metrics, drawn, N_SEGMENTS, ERRORS[kind], TRIALS, HYPOTHESES, seed)
        return {name: found[metric] for name, metric in MEASURES.items()}

    return values


ROWS = {
    (sizes, kind): _simulated(sizes, kind, seed)
    for seed, (sizes, kind) in enumerate(product(RANGES, ERRORS))
}


def _shares(key: Key, statistic: str, run: Run) -> Floats:
    """A number per hypothesis, in rows of trials; their mean is the mean, or the sd, of WD or S.

    For the sd a hypothesis counts with its linear share in it, sd + (d² - sd²) / 2 sd, d being its
    distance from the mean of all. The spread of these is the uncertainty of the sd.
    """
    sizes, kind, measure = key
    values = run.shared(ROWS[sizes, kind])[measure]
    if statistic == "mean":
        return values
    sd = values.std()
    return np.asarray(sd + ((values - values.mean()) ** 2 - sd**2) / (2 * sd or 1))


def _mean(key: Key, statistic: str, run: Run) -> float:
    return float(_shares(key, statistic, run).mean())


def _tolerance(key: Key, statistic: str, published: float, run: Run) -> PrintTolerance:
    """Between their trials of 100 hypotheses and ours of 25, which scatter more."""
    shares = _shares(key, statistic, run)
    trials, within = shares.mean(axis=1), float(shares.var(axis=1, ddof=1).mean())
    between = max(0.0, float(trials.var(ddof=1)) - within / shares.shape[1])
    theirs = between + within / THEIR_HYPOTHESES
    return between_runs(published, DECIMALS, trials, THEIR_TRIALS, theirs)


def simulated_sd(kind: str, within_trials: bool, run: Run) -> float:
    """The sd of WindowDiff for (20, 30): of all hypotheses, or of those that share a k."""
    values = run.shared(ROWS[(20, 30), kind])["WD"]
    return float(values.std(axis=1).mean() if within_trials else values.std())


CELLS = [
    PublishedNumber(
        item=f"table 1, ({sizes[0]}, {sizes[1]}), {kind}, {measure}, {statistic}",
        published=value,
        compute=partial(_mean, (sizes, kind, measure), statistic),
        tolerance=partial(_tolerance, (sizes, kind, measure), statistic, value),
        note=NOT_MET.get((sizes, kind, measure, statistic), ""),
        holds=(sizes, kind, measure, statistic) not in NOT_MET,
    )
    for sizes, measure in product(RANGES, MEASURES)
    for kind, statistic in product(ERRORS, ("mean", "sd"))
    for value in [PRINTED_IN_TABLE_1[f"{sizes} {measure}"][f"{kind} {statistic}"]]
]
