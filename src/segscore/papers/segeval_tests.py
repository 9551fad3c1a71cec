"""Numbers that the tests of Fournier's own program, segeval, hold with 28 digits.

They are of the Moonstone codings, in the groups that the tests call 5 and 2 (our 1 and 2), and of a
few small examples; public in the repository cfournie/segmentation.evaluation.

- Version 1.0, of the year of Fournier & Inkpen (2012): src/python/main/segeval, agreement/PiTest,
  KappaTest and BiasTest, window/WindowDiffTest, similarity/SegmentationSimilarityTest. Agreement is
  by S.
- Version 2.0, of the year of Fournier (2013): segeval/agreement, pi_test and kappa_test. By B.

With more digits than any table they tell the paper's readings and slips apart. A group's κ* comes
out if people of the same name in the chapters of a group are the same, as the tests have it; the
data itself does not say so, and everywhere else names are local to a chapter.
"""

from collections.abc import Callable, Mapping
from functools import partial

from segscore.coders.coefficients import agreement
from segscore.coders.pairwise import pairwise
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.datasets.loading import GROUPS
from segscore.metrics import BoundarySimilarity, Metric, SegmentationSimilarity, WindowDiff
from segscore.papers.agreement_slips import (
    BIAS_SLIP,
    MEAN_SLIP,
    SLIP,
    bias_of_mean_proportions,
    pi_of_mean_proportions,
    slipped_by_document,
    slipped_kappa,
)
from segscore.papers.corpora import moonstone, moonstone_corpus
from segscore.papers.published import PublishedNumber, Run, Tolerance

NEEDS = ("moonstone",)
MANY_DIGITS = Tolerance(1e-12, "printed with 28 digits: only floats round")
WINDOW_DIFF = WindowDiff(rounding="half-up", k_offset=-1)  # as Fournier & Inkpen read k
S, B = SegmentationSimilarity(), BoundarySimilarity()
Column = Callable[[Corpus], float]

# ---- version 1.0 ----

EXAMPLES = {  # masses, n_t, S; eq. 3 of the paper prices a transposition over some distance
    "insertion and deletion": ((1, 2, 2, 4, 2, 1), (1, 2, 6, 2, 1), 2, 0.9090909090909090909),
    "many of them": ((1, 1, 3, 1, 2, 2, 1, 1), (2, 1, 4, 2, 1, 2), 2, 0.4545454545454545454),
    "scaled transposition": ((1, 4, 4), (1, 2, 6), 5, 0.8125),
}
CHAPTERS_BY_S = {
    1: {"π*": 0.7451990632318501170, "κ*": 0.7462686567164179104, "bias": 0.00390625},
    2: {"π*": 0.8838942307692307692, "κ*": 0.8840057636887608069, "bias": 0.00090702947845804988},
}
GROUPS_BY_S = {
    "π*": {1: 0.8182766795508965420, 2: 0.8856338452498481859},
    "κ*": {1: 0.8198449828922561273, 2: 0.8865951832180913251},
    "bias": {1: 0.00841453429829254475, 2: 0.00821695210923559041},
    "S, micro": {1: 0.8243464052287581699, 2: 0.8891428571428571428},
    "S, mean": {1: 0.8160882473382473382, 2: 0.8838086068830613118},
    "S, sd": {1: 0.06720030843553828301, 2: 0.04672823593290891559},
    "WD, mean": {1: 0.3604506237259865251, 2: 0.2545512423455600226},
    "WD, sd": {1: 0.1674103189012695088, 2: 0.1227764444488944596},
}
COLUMNS_BY_S: dict[str, Column] = {
    "π*": lambda corpus: pi_of_mean_proportions(corpus, S),
    "κ*": lambda corpus: slipped_kappa(corpus, S),
    "bias": lambda corpus: bias_of_mean_proportions(corpus, S),
    "S, micro": lambda corpus: agreement(corpus, S, draws=0, n_resamples=1).observed,
    "S, mean": lambda corpus: pairwise(corpus, S).mean,
    "S, sd": lambda corpus: pairwise(corpus, S).sd,
    "WD, mean": lambda corpus: pairwise(corpus, WINDOW_DIFF).mean,
    "WD, sd": lambda corpus: pairwise(corpus, WINDOW_DIFF).sd,
}

# ---- version 2.0 ----

CHAPTERS_BY_B = {
    1: {"π*": 0.1906323185011709601, "κ*": 0.1940298507462686567},
    2: {"π*": 0.5192587209302325581, "κ*": 0.5197205281147376181},
}
GROUPS_BY_B = {
    "π*": {1: 0.2307643892167668335, 2: 0.4018239928733601859},
    "κ*": {1: 0.2374030241245084051, 2: 0.4068521352341765453},
}
COLUMNS_BY_B: dict[str, Column] = {
    "π*": lambda corpus: pi_of_mean_proportions(corpus, B),
    "κ*": lambda corpus: slipped_kappa(corpus, B),
}
SLIPS = {"π*": MEAN_SLIP, "κ*": SLIP, "bias": BIAS_SLIP}


def similarity_of_example(name: str, run: Run) -> float:
    """S of an example, with the cost of eq. 3."""
    del run
    first, second, n_t, _ = EXAMPLES[name]
    metric = SegmentationSimilarity(n_t=n_t, cost="halving")
    return float(metric(Segmentation.from_masses(first), Segmentation.from_masses(second)))


def of_chapter(chapter: int, column: str, metric: Metric, run: Run) -> float:
    """Agreement in a chapter, with the slip."""
    corpus = moonstone_corpus({chapter: run.shared(moonstone)[chapter]})
    (agreed,) = slipped_by_document(corpus, metric).values()
    return {"π*": agreed.pi, "κ*": agreed.kappa, "bias": agreed.bias}[column]


def of_group(group: int, column: Column, run: Run) -> float:
    """A number about a group of chapters, people of one name taken for one person."""
    found = run.shared(moonstone)
    return column(Corpus.from_dict({str(chapter): found[chapter] for chapter in GROUPS[group]}))


def correct_bias(group: int, run: Run) -> float:
    """Bias in a group, boundaries counted as boundaries, and pooled for π* as for κ*."""
    return of_group(group, lambda corpus: agreement(corpus, S, draws=0, n_resamples=1).bias, run)


def segeval_1_cells() -> list[PublishedNumber]:
    """What the tests of version 1.0 hold."""
    tests = "tests of segeval 1.0"
    return [
        *(
            PublishedNumber(
                f"{tests}, {name}, S",
                s,
                partial(similarity_of_example, name),
                MANY_DIGITS,
                source="test suite",
            )
            for name, (_, _, _, s) in EXAMPLES.items()
        ),
        *_chapters(tests, CHAPTERS_BY_S, S),
        *_groups(tests, GROUPS_BY_S, COLUMNS_BY_S),
    ]


def segeval_2_cells() -> list[PublishedNumber]:
    """What the tests of version 2.0 hold."""
    tests = "tests of segeval 2.0"
    return [
        *_chapters(tests, CHAPTERS_BY_B, B),
        *_groups(tests, GROUPS_BY_B, COLUMNS_BY_B),
    ]


def _chapters(
    tests: str, values: Mapping[int, Mapping[str, float]], metric: Metric
) -> list[PublishedNumber]:
    return [
        PublishedNumber(
            f"{tests}, ch. {chapter}, {column}",
            value,
            partial(of_chapter, chapter, column, metric),
            MANY_DIGITS,
            needs=NEEDS,
            slip=SLIP,
            source="test suite",
        )
        for chapter, columns in values.items()
        for column, value in columns.items()
    ]


def _groups(
    tests: str, values: Mapping[str, Mapping[int, float]], columns: Mapping[str, Column]
) -> list[PublishedNumber]:
    return [
        PublishedNumber(
            f"{tests}, group {group}, {name}",
            value,
            partial(of_group, group, columns[name]),
            MANY_DIGITS,
            needs=NEEDS,
            slip=SLIPS.get(name),
            source="test suite",
        )
        for name, by_group in values.items()
        for group, value in by_group.items()
    ]
