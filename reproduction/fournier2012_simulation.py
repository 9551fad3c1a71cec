"""Table 1 of Fournier & Inkpen (2012): how steady WindowDiff and S are, by simulation.

The simulation of Pevzner & Hearst (2002): references of 1000 segments of four ranges of sizes,
hypotheses that miss boundaries (FN, scenario 1), have some too many (FP, 2), or both (FNP, 3), each
with probability .5; ten trials of 100 hypotheses, mean and standard deviation over all of them.

- The first three ranges are closed, with a mean of 25: S is then .9800 for FN and FP, as printed.
  The rows of (5, 45) fit a half-open range, with a mean of 24.5, which gives .9796 as printed: a
  reading picked because it fits, so that its numbers are slips.
- Half of 25 is 12.5, so that the paper's k (half-up, minus one) is 11 in about half of the trials
  and 12 in the others, and WindowDiff jumps with it: FN .220 or .240, FP .217 or .236, FNP .348 or
  .370 for (20, 30). That makes most of its standard deviation, which the paper reads as instability
  of the metric, and means and deviations depend on how many of the ten trials had k = 12. So the
  standard error of each number is that of ten trials drawn from ours, k and all.
- The last place inside a segment is never a false positive, in any row. S of FNP, printed as .9605,
  .9603, .9606 and .9598, is then .9605 .9605 .9606 .9599; with the last place it is .9608 .9609
  .9609 .9604, because a miss and a false positive right beside it are one near miss. This reading
  was picked because it fits, too; only rows without false positives do not need it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import numpy as np

from reproduction.published import PrintTolerance, PublishedNumber, Run, of_draws, printed_table
from reproduction.simulations import simulated_values
from segscore.basics.arguments import Floats, Int64Array
from segscore.coding.segmentation import Segmentation
from segscore.metrics import Metric, SegmentationSimilarity, WindowDiff
from segscore.pairing.pairs import Pairs
from segscore.simulate import Errors, UniformSizes
from segscore.simulate.generators import Marking

Range = tuple[int, int]
Key = tuple[Range, str, str]  # sizes, errors, measure

N_SEGMENTS, HYPOTHESES = 1000, 100
THEIR_TRIALS, TRIALS = 10, 100  # more of ours, because k changes from trial to trial
DRAWS = 2000  # of ten trials from ours, for the standard errors
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

NOT_MET = {
    ((5, 45), "FNP", "WD", "mean"): "1 % higher: more than two standard errors of ten trials off",
}
UPPER_END = "the upper end of this range, and of no other, is left out"
LAST_PLACE = "the last place inside a segment is never a false positive"


def _slip(sizes: Range, kind: str) -> str | None:
    picked = [UPPER_END] * (sizes == HALF_OPEN) + [LAST_PLACE] * (kind != "FN")
    return f"a reading picked because it fits: {', and '.join(picked)}" if picked else None


class WithoutLastPlace(Marking):
    """Hypotheses in which the last place inside a segment is never a false positive."""

    def inside_segments(self) -> Int64Array:
        """A false positive at any place inside each chosen segment but the last."""
        rows, which = self.chosen_with_inside()
        inside = self.chance.integers(1, self.sizes[which] - 1)
        return rows * self.n_units + self.edges[which] + inside


def hypotheses_without_last_place(
    refs: Sequence[Segmentation], errors: Errors, n: int, chance: np.random.Generator
) -> Pairs:
    """`n` hypotheses of each reference, made by `WithoutLastPlace`."""
    made = [WithoutLastPlace(ref, n, errors, chance).boundaries() for ref in refs]
    in_refs = np.repeat([len(ref.boundaries) for ref in refs], n)
    return Pairs(
        np.repeat([ref.n_units for ref in refs], n),
        np.concatenate([[0], in_refs.cumsum()]),
        np.concatenate([np.tile(ref.boundaries, n) for ref in refs]),
        np.concatenate([[0], *(counts for counts, _ in made)]).cumsum(),
        np.concatenate([places for _, places in made]),
    )


def _simulated(sizes: Range, kind: str, seed: int) -> Callable[[Run], dict[str, Floats]]:
    """A function of its own for each row, so that a run computes the row once."""

    def values(_run: Run) -> dict[str, Floats]:
        drawn = UniformSizes(*sizes, closed=sizes != HALF_OPEN)
        metrics = list(MEASURES.values())
        found = simulated_values(
            metrics, drawn, N_SEGMENTS, ERRORS[kind], TRIALS, HYPOTHESES, seed,
            hypotheses_without_last_place,
        )  # fmt: skip
        return {name: found[metric] for name, metric in MEASURES.items()}

    return values


ROWS = {
    (sizes, kind): _simulated(sizes, kind, seed)
    for seed, (sizes, kind) in enumerate(product(RANGES, ERRORS))
}


def _value(key: Key, statistic: str, run: Run) -> float:
    """The mean, or the sd, of WD or S over all hypotheses."""
    sizes, kind, measure = key
    values = run.shared(ROWS[sizes, kind])[measure]
    return float(values.mean() if statistic == "mean" else values.std())


def standard_error(values: Floats, statistic: str) -> float:
    """By how much the mean, or the sd, of all hypotheses of ten trials differs from draw to draw.

    Ten trials are drawn from ours again and again: the sd depends on how many of them have which k,
    so that no formula for independent hypotheses would do.
    """
    chosen = np.random.default_rng(0).integers(0, len(values), (DRAWS, THEIR_TRIALS))
    mean, square = (numbers.mean(axis=1)[chosen].mean(axis=1) for numbers in (values, values**2))
    found = mean if statistic == "mean" else np.sqrt(np.maximum(0, square - mean**2))
    return float(found.std())


def _tolerance(key: Key, statistic: str, run: Run) -> PrintTolerance:
    sizes, kind, measure = key
    values = run.shared(ROWS[sizes, kind])[measure]
    error = standard_error(values, statistic)
    return of_draws(DECIMALS, error, f"their {THEIR_TRIALS} trials")


def simulated_sd(kind: str, within_trials: bool, run: Run) -> float:
    """The sd of WindowDiff for (20, 30): of all hypotheses, or of those that share a k."""
    values = run.shared(ROWS[(20, 30), kind])["WD"]
    return float(values.std(axis=1).mean() if within_trials else values.std())


CELLS = [
    PublishedNumber(
        item=f"table 1, ({sizes[0]}, {sizes[1]}), {kind}, {measure}, {statistic}",
        published=value,
        compute=partial(_value, (sizes, kind, measure), statistic),
        tolerance=partial(_tolerance, (sizes, kind, measure), statistic),
        note=NOT_MET.get((sizes, kind, measure, statistic), ""),
        slip=_slip(sizes, kind),
        holds=(sizes, kind, measure, statistic) not in NOT_MET,
    )
    for sizes, measure in product(RANGES, MEASURES)
    for kind, statistic in product(ERRORS, ("mean", "sd"))
    for value in [PRINTED_IN_TABLE_1[f"{sizes} {measure}"][f"{kind} {statistic}"]]
]
