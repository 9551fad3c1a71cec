"""Figure 9 of Fournier (2013): agreement among two to ten pseudo-coders, by simulation.

All coders err from one random segmentation: each makes a full miss with P(miss), from 0 to 0.8, and
moves other boundaries by one unit with P(near) = 0.0921. A full miss is an extra *or* an omitted
boundary; here both are as likely. The curves cannot be read and the segmentation is not known, so
that the cells are facts about their shape: where the axes end, which way they go, and where
agreement of fully random segmentations lies (fig. 9c).

What comes out: both fall all the way, π* by S inside the 0.75 to 1.00 of its axis, π* by B inside
the 0.2 to 1.0 of its own. If coders could only omit boundaries, π* by S would fall until
P(miss) = ½ and rise from there on: without near misses two coders differ at 2p(1-p) of the
boundaries, so that with d boundaries per place π* by S is 1 - 2p(1-p)d / (1 - (1-p)²d²).
"""

from functools import cache

import numpy as np

from reproduction.cells import Formulas
from reproduction.corpora import moonstone_repaired
from reproduction.fournier_program import correct
from reproduction.runs import Run
from segscore.coders.coefficients import agreement
from segscore.corpus.corpus import Corpus
from segscore.metrics import Metric, metric
from segscore.simulate import Errors, UniformSizes, baselines, coders, references

P_NEAR = 0.0921
P_MISS = (0.0, 0.2, 0.4, 0.6, 0.8)
CODERS = range(2, 11)
SIZES, N_SEGMENTS = UniformSizes(1, 10), 200
METRICS: dict[str, Metric] = {name: metric(f"{name.lower()}(cost=span)") for name in "SB"}
LEVEL = 1e-9  # a slope below it is none


def pseudo_coders(n_coders: int, seed: int, full_misses: str) -> Corpus:
    """A document for each P(miss), all coders of all of them derived from one segmentation.

    One half of the full misses are extra boundaries, or all of them are `omitted`.
    """
    extra = 0.0 if full_misses == "omitted" else 0.5
    chance = np.random.default_rng(seed)
    origin = references(SIZES, N_SEGMENTS, rng=chance)
    return Corpus.from_dict(
        {
            str(p): coders(
                origin, Errors(p * (1 - extra), P_NEAR, p * extra), n_coders, rng=chance
            )["1"]
            for p in P_MISS
        }
    )


@cache
def curves(_run: Run, by: str, full_misses: str = "") -> list[list[float]]:
    """π* at each P(miss), for each number of coders."""
    found = [
        agreement(pseudo_coders(n, n, full_misses), METRICS[by], draws=0, n_resamples=100)
        for n in CODERS
    ]
    return [[one.documents[str(p)].pi for p in P_MISS] for one in found]


def curves_that(run: Run, way: str, by: str, first: float = 0.0, full_misses: str = "") -> float:
    """The number of the nine curves that rise (or fall) from a P(miss) on, by their regression."""
    start, sign = P_MISS.index(first), {"rise": 1, "fall": -1}[way]
    slopes = (
        np.polyfit(P_MISS[start:], curve[start:], 1)[0] for curve in curves(run, by, full_misses)
    )
    return sum(bool(slope * sign > LEVEL) for slope in slopes)


def curves_inside(run: Run, by: str, low: float, high: float) -> float:
    """The number of the nine curves that lie inside the axis of the figure."""
    return sum(all(low <= pi <= high for pi in curve) for curve in curves(run, by))


# ---- fig. 9c: fully random segmentations ----


def random_high_and_low(run: Run) -> float:
    """Numbers of coders for which π* by S is above one half, and π* by B below it, of random
    codings of The Moonstone's chapters, as long and as dense."""
    chance, found = np.random.default_rng(9), 0
    for n_coders in CODERS:
        documents = {}
        for chapter, codings in moonstone_repaired(run).items():
            first, *_ = codings.values()
            segments = round(np.mean([coding.n_segments for coding in codings.values()]))
            documents[str(chapter)] = {
                str(coder): baselines.random(first.n_units, n_segments=segments, rng=chance)
                for coder in range(n_coders)
            }
        corpus = Corpus.from_dict(documents)
        found += correct(corpus, METRICS["S"]).pi > 0.5 > correct(corpus, METRICS["B"]).pi
    return found


FORMULAS: Formulas = {
    "curves that": curves_that,
    "curves inside": curves_inside,
    "random coders": random_high_and_low,
}
