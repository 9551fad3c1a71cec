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

from functools import partial

import numpy as np

from segscore.coders.coefficients import agreement
from segscore.corpus import Corpus
from segscore.metrics import BoundarySimilarity, Metric, SegmentationSimilarity
from segscore.papers.published import COUNT, PublishedNumber, Run
from segscore.simulate import Errors, UniformSizes, coders, references

P_NEAR = 0.0921
P_MISS = (0.0, 0.25, 0.5, 0.7, 0.9)
LOWER, UPPER, ALL = slice(0, 3), slice(2, 5), slice(0, 5)  # of P_MISS
CODERS = range(2, 11)
SIZES, N_SEGMENTS = UniformSizes(1, 10), 200
METRICS: dict[str, Metric] = {
    "S": SegmentationSimilarity(cost="span"),
    "B": BoundarySimilarity(cost="span"),
}
RISES, FALLS = 1, -1
LEVEL = 1e-9  # a slope below it is none


def pseudo_coders(n_coders: int, seed: int) -> Corpus:
    """A document for each P(miss), all coders of all of them derived from one segmentation."""
    chance = np.random.default_rng(seed)
    origin = references(SIZES, N_SEGMENTS, seed=chance)
    return Corpus.from_dict(
        {str(p): coders(origin, Errors(p, P_NEAR), n_coders, seed=chance)["1"] for p in P_MISS}
    )


def curves(run: Run) -> dict[str, list[list[float]]]:
    """π* at each P(miss): by metric, and then by the number of coders."""
    del run
    corpora = [pseudo_coders(n, seed=n) for n in CODERS]
    made = {
        name: [agreement(corpus, metric, draws=0, n_resamples=100).documents for corpus in corpora]
        for name, metric in METRICS.items()
    }
    return {
        name: [[documents[str(p)].pi for p in P_MISS] for documents in several]
        for name, several in made.items()
    }


def curves_that(way: int, metric: str, part: slice, run: Run) -> float:
    """How many of the nine curves rise (or fall) over a part of P(miss), by their regression."""
    slopes = (np.polyfit(P_MISS[part], one[part], 1)[0] for one in run.shared(curves)[metric])
    return sum(bool(slope * way > LEVEL) for slope in slopes)


CELLS = [
    PublishedNumber(
        item=f"fig. 9, curves of π* by {metric} that {'rise' if way == RISES else 'fall'}, {where}",
        published=9,
        compute=partial(curves_that, way, metric, part),
        tolerance=COUNT,
        note=note,
        holds=not note,
    )
    for metric, way, part, where, note in (
        ("S", RISES, UPPER, "P(miss) ≥ ½", ""),
        ("S", RISES, LOWER, "P(miss) ≤ ½", "they fall there, unless every place is a boundary"),
        ("B", FALLS, ALL, "P(miss) < 1", ""),
    )
]
