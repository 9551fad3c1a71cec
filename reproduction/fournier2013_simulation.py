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

from functools import partial

import numpy as np

from reproduction.corpora import moonstone_repaired
from reproduction.fournier_program import correct
from reproduction.published import COUNT, OwnNumber, PublishedNumber, Run
from segscore.coders.coefficients import agreement
from segscore.corpus.corpus import Corpus
from segscore.metrics import BoundarySimilarity, Metric, SegmentationSimilarity
from segscore.simulate import Errors, UniformSizes, baselines, coders, references

P_NEAR = 0.0921
P_MISS = (0.0, 0.2, 0.4, 0.6, 0.8)
CODERS = range(2, 11)
SIZES, N_SEGMENTS = UniformSizes(1, 10), 200
METRICS: dict[str, Metric] = {
    "S": SegmentationSimilarity(cost="span"),
    "B": BoundarySimilarity(cost="span"),
}
AXES = {"S": (0.75, 1.0), "B": (0.2, 1.0)}
RISES, FALLS = 1, -1
LEVEL = 1e-9  # a slope below it is none
Curves = dict[str, list[list[float]]]  # by metric, by the number of coders, by P(miss)


def extra_or_omitted(p: float) -> Errors:
    """Full misses with probability p, one half of them extra boundaries."""
    return Errors(misses=p / 2, near_misses=P_NEAR, false_positives=p / 2)


def only_omitted(p: float) -> Errors:
    """Full misses with probability p, all of them omitted boundaries."""
    return Errors(misses=p, near_misses=P_NEAR)


def pseudo_coders(n_coders: int, seed: int, only_omit: bool) -> Corpus:
    """A document for each P(miss), all coders of all of them derived from one segmentation."""
    errors = only_omitted if only_omit else extra_or_omitted
    chance = np.random.default_rng(seed)
    origin = references(SIZES, N_SEGMENTS, seed=chance)
    return Corpus.from_dict(
        {str(p): coders(origin, errors(p), n_coders, seed=chance)["1"] for p in P_MISS}
    )


def curves(_run: Run) -> Curves:
    """π* at each P(miss), full misses being extra or omitted boundaries."""
    return _curves(only_omit=False)


def curves_of_omissions(_run: Run) -> Curves:
    """π* at each P(miss) if coders only omit boundaries."""
    return _curves(only_omit=True)


def _curves(only_omit: bool) -> Curves:
    corpora = [pseudo_coders(n, n, only_omit) for n in CODERS]
    documents = {
        name: [agreement(corpus, metric, draws=0, n_resamples=100).documents for corpus in corpora]
        for name, metric in METRICS.items()
    }
    return {
        name: [[found[str(p)].pi for p in P_MISS] for found in several]
        for name, several in documents.items()
    }


def curves_that(way: int, metric: str, run: Run, first: float = 0.0, omit: bool = False) -> float:
    """The number of the nine curves that rise (or fall) from a P(miss) on, by their regression."""
    start = P_MISS.index(first)
    found = run.shared(curves_of_omissions if omit else curves)[metric]
    slopes = (np.polyfit(P_MISS[start:], curve[start:], 1)[0] for curve in found)
    return sum(bool(slope * way > LEVEL) for slope in slopes)


def curves_inside(metric: str, run: Run) -> float:
    """The number of the nine curves that lie inside the axis of the figure."""
    low, high = AXES[metric]
    return sum(all(low <= pi <= high for pi in curve) for curve in run.shared(curves)[metric])


# ---- fig. 9c: fully random segmentations ----


def random_agreement(run: Run) -> dict[str, list[float]]:
    """π* of random codings of The Moonstone's chapters, as long and as dense, by metric."""
    chance = np.random.default_rng(9)
    found = {name: [] for name in METRICS}  # type: dict[str, list[float]]
    for n_coders in CODERS:
        documents = {}
        for chapter, codings in run.shared(moonstone_repaired).items():
            first, *_ = codings.values()
            segments = round(np.mean([coding.n_segments for coding in codings.values()]))
            documents[str(chapter)] = {
                str(coder): baselines.random(first.n_units, n_segments=segments, seed=chance)
                for coder in range(n_coders)
            }
        corpus = Corpus.from_dict(documents)
        for name, metric in METRICS.items():
            found[name].append(correct(corpus, metric).pi)
    return found


def random_high_and_low(run: Run) -> float:
    """Numbers of coders for which π* by S is above one half, and π* by B below it."""
    found = run.shared(random_agreement)
    return sum(s > 0.5 > b for s, b in zip(found["S"], found["B"], strict=True))


NOT_RISING = (
    "they fall if a full miss is an extra or an omitted boundary; with omissions only they rise "
    "from P(miss) = ½ on"
)
CELLS = [
    *(
        PublishedNumber(
            f"fig. 9, curves of π* by {metric} that {'rise' if way == RISES else 'fall'}",
            9,
            partial(curves_that, way, metric),
            COUNT,
            note=note,
            holds=not note,
            source="derived claim",
        )
        for metric, way, note in (("S", RISES, NOT_RISING), ("B", FALLS, ""))
    ),
    *(
        PublishedNumber(
            f"fig. 9, curves of π* by {metric} between {low:g} and {high:g}",
            9,
            partial(curves_inside, metric),
            COUNT,
            note="the axis of the figure",
            source="derived claim",
        )
        for metric, (low, high) in AXES.items()
    ),
    PublishedNumber(
        "fig. 9c, random coders: π* high by S and low by B",
        9,
        random_high_and_low,
        COUNT,
        note="for 2 to 10 coders, above and below one half",
        needs=("moonstone",),
        source="derived claim",
    ),
]
FINDINGS = (
    OwnNumber(
        "curves of π* by S that rise from P(miss) = 0.4 on, coders only omitting boundaries",
        lambda run: curves_that(RISES, "S", run, first=0.4, omit=True),
    ),
    OwnNumber(
        "the same, extra or omitted boundaries",
        lambda run: curves_that(RISES, "S", run, first=0.4),
    ),
)
