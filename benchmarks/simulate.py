"""Simulations: 1000 hypotheses of a reference of 1000 segments, against a loop over hypotheses."""

from functools import partial

import numpy as np

import segscore as ss
from benchmarks.timing import best_of, print_table, times
from segscore.simulate import Errors, NormalOffsets, UniformSizes

SEGMENTS, HYPOTHESES = 1000, 1000
LIMIT = 1.0  # seconds for all hypotheses
LOOPED = 20  # hypotheses that the loop really generates; the time of the rest is estimated
CASES = {
    "misses": Errors(misses=0.5),
    "near misses, normal": Errors(near_misses=0.5, offsets=NormalOffsets(3)),
    "false positives in segments": Errors(false_positives=0.5),
    "false positives around boundaries": Errors(false_positives=0.5, placement="boundary"),
    "false positives near ends": Errors(false_positives=0.5, placement="ends"),
    "false positives anywhere": Errors(false_positives=0.5, placement="document"),
    "all three kinds": Errors(misses=0.3, near_misses=0.3, false_positives=0.3),
}


def one_by_one(ref: ss.Segmentation) -> None:
    """Misses and false positives, hypothesis by hypothesis, with a decision per boundary."""
    chance = np.random.default_rng(0)
    for _ in range(LOOPED):
        places, start = [], 0
        for mass in ref.masses.tolist():
            if chance.random() < 0.5:
                places.append(start + int(chance.integers(1, mass)))
            start += mass
            if start < ref.n_units and chance.random() < 0.5:
                places.append(start)
        ss.Segmentation.from_boundaries(places, ref.n_units)


def run() -> None:
    """Each kind of error, and the time of the loop for misses and false positives."""
    ref = ss.simulate.references(UniformSizes(20, 30), SEGMENTS, rng=0)[0]
    both = Errors(misses=0.5, false_positives=0.5)
    cases = {**CASES, "misses and false positives": both}
    *seconds, loop = best_of(
        3,
        *(
            partial(ss.simulate.hypotheses, ref, errors, HYPOTHESES, rng=0)
            for errors in cases.values()
        ),
        partial(one_by_one, ref),
    )
    rows = [[name, f"{time:.3f} s", ""] for name, time in zip(cases, seconds, strict=True)]
    rows[-1][-1] = times(loop * HYPOTHESES / LOOPED / seconds[-1])
    title = f"{HYPOTHESES:,} hypotheses of a reference of {SEGMENTS:,} segments, into Pairs"
    print_table(title, ["errors", "time", "loop over hypotheses / segscore"], rows)
    assert max(seconds) < LIMIT, f"{max(seconds):.3f} s for {HYPOTHESES} hypotheses"
