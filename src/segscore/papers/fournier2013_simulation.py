"""Figure 9 of Fournier (2013): agreement among two to ten pseudo-coders, by simulation.

All coders err from one random segmentation: each misses its boundaries with P(miss), and moves
those that it does not miss with P(near) = 0.0921, by one unit. As misses become more frequent, π*
that rests on S rises and π* that rests on B falls; the curves themselves are not before us, nor the
segmentation, so that the cells are facts about their shape.

What comes out: B falls all the way. S rises from P(miss) = ½ on, and *falls* before. It cannot be
otherwise: without near misses two coders differ at 2p(1-p) of the boundaries, so that with d
boundaries per place π* by S is 1 - 2p(1-p)d / (1 - (1-p)²d²), which at first falls for any d < 1,
and is least near p = ½ for the few boundaries that texts have. Only for d = 1, a boundary at every
place, it is p / (2-p) and rises all the way.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from segscore.coefficients import agreement
from segscore.metrics import BoundarySimilarity, Metric, SegmentationSimilarity
from segscore.papers.cells import COUNT, Cell, Run
from segscore.simulate import Errors, UniformSizes, coders, references

P_NEAR = 0.0921
CODERS = range(2, 11)
SIZES, N_SEGMENTS = UniformSizes(1, 10), 200
METRICS: dict[str, Metric] = {
    "S": SegmentationSimilarity(cost="span"),
    "B": BoundarySimilarity(cost="span"),
}
LOWER, UPPER, ALL = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5), (0.5, 0.6, 0.7, 0.8, 0.9), (0.0, 0.3, 0.6, 0.9)
RISES, FALLS = 1, -1


def curve(metric: Metric, n_coders: int, misses: Sequence[float], seed: int) -> list[float]:
    """π* among so many coders at each P(miss)."""
    chance = np.random.default_rng(seed)
    origin = references(SIZES, N_SEGMENTS, seed=chance)
    made = (Errors(misses=p, near_misses=P_NEAR) for p in misses)
    return [agreement(coders(origin, one, n_coders, seed=chance), metric).pi for one in made]


def curves_that(way: int, metric: str, misses: Sequence[float], run: Run) -> float:
    """How many of the nine curves rise (or fall) over these P(miss), by their regression line."""
    del run
    slopes = (np.polyfit(misses, curve(METRICS[metric], n, misses, seed=n), 1)[0] for n in CODERS)
    return sum(bool(np.sign(slope) == way) for slope in slopes)


CELLS = [
    Cell(
        item=f"fig. 9, curves of π* by {metric} that {'rise' if way == RISES else 'fall'}, {where}",
        published=len(CODERS),
        compute=partial(curves_that, way, metric, misses),
        tolerance=COUNT,
        note=note,
        holds=not note,
    )
    for metric, way, misses, where, note in (
        ("S", RISES, UPPER, "P(miss) ≥ ½", ""),
        ("S", RISES, LOWER, "P(miss) ≤ ½", "they fall there, unless every place is a boundary"),
        ("B", FALLS, ALL, "P(miss) < 1", ""),
    )
]
