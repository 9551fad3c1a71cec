"""What Fournier's own program, segeval, computes: agreement with its slip, and the numbers that its
tests hold with 28 digits.

Agreement as his papers have it counts segments where boundaries are due. In the expected agreement
each coding then has one boundary too many, so chance seems to explain more, and the coefficients
come out lower than they are. The public functions do not repeat this.

The tests are of the Moonstone codings, in the groups that they call 5 and 2 (our 1 and 2), and of a
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

import numpy as np

from reproduction.corpora import moonstone, moonstone_corpus
from reproduction.published import PrintTolerance, PublishedNumber, Run, printed_table
from segscore.basics.arguments import Floats
from segscore.coders.agreement_sums import AgreementRows, boundary_counts
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.coefficients import Agreement, agreement
from segscore.coders.pairwise import pairwise
from segscore.coders.sums import chance_corrected
from segscore.coding.segmentation import BoundaryType, Segmentation
from segscore.corpus.corpus import Corpus
from segscore.datasets.loading import GROUPS
from segscore.metrics import BoundarySimilarity, Metric, SegmentationSimilarity, WindowDiff

SLIP = "expected agreement counts segments instead of boundaries"
BIAS_SLIP = SLIP + ", once averaged over codings and once pooled by coder"
MEAN_SLIP = SLIP + ", and averages the proportions of codings instead of pooling them"


def segment_counts(pairs: CoderPairs, types: tuple[BoundaryType | None, ...]) -> Floats:
    """The number of boundaries of each coding, and one too many: the slip."""
    return boundary_counts(pairs, types) + 1


def slipped(corpus: Corpus, metric: Metric) -> AgreementRows:
    """The sums behind agreement, with the slip."""
    return AgreementRows.of(CoderPairs(corpus), metric, segment_counts)


def correct(corpus: Corpus, metric: Metric) -> Agreement:
    """Agreement without the slip, and without intervals."""
    return agreement(corpus, metric, draws=0, n_resamples=1)


def slipped_by_document(corpus: Corpus, metric: Metric) -> dict[str, dict[str, float]]:
    """π*, κ* and bias of each document by itself, as in table 2 of Fournier & Inkpen (2012)."""
    sums = slipped(corpus, metric).apart
    rows = sums.tally.rows
    columns = sums.pi(rows), sums.kappa(rows), sums.expected_pi(rows) - sums.expected_kappa(rows)
    names = ("π*", "κ*", "bias")
    values = np.column_stack(columns).tolist()
    return {
        document: dict(zip(names, row, strict=True))
        for document, row in zip(corpus, values, strict=True)
    }


def slipped_pi(corpus: Corpus, metric: Metric) -> float:
    """π* of a whole corpus, with the slip."""
    sums = slipped(corpus, metric).apart
    return float(sums.pi(sums.tally.rows.sum(axis=0, keepdims=True))[0])


def expected_of_mean_proportions(corpus: Corpus) -> float:
    """Chance agreement with P as the mean over codings of segments per potential boundary."""
    pairs = CoderPairs(corpus)
    return float(np.mean((pairs.boundaries + 1) / pairs.places) ** 2)


def pi_of_mean_proportions(corpus: Corpus, metric: Metric) -> float:
    """π* with chance agreement from `expected_of_mean_proportions`."""
    sums = slipped(corpus, metric).apart
    observed = sums.observed(sums.tally.rows.sum(axis=0, keepdims=True))
    expected = np.array([expected_of_mean_proportions(corpus)])
    return float(chance_corrected(observed, expected)[0])


def slipped_kappa(corpus: Corpus, metric: Metric) -> float:
    """κ* of a whole corpus, with the slip; coders are joined by their names."""
    sums = slipped(corpus, metric)
    return float(sums.kappa(sums.tally.rows.sum(axis=0, keepdims=True))[0])


def bias_of_mean_proportions(corpus: Corpus, metric: Metric) -> float:
    """Chance agreement of π*, from mean proportions, minus that of κ*, from pooled ones."""
    sums = slipped(corpus, metric)
    pooled = sums.expected_kappa(sums.tally.rows.sum(axis=0, keepdims=True))[0]
    return expected_of_mean_proportions(corpus) - float(pooled)


# ---- the numbers of its tests ----

NEEDS = ("moonstone",)
MANY_DIGITS = PrintTolerance(1e-12, "printed with 28 digits: only floats round")
WINDOW_DIFF = WindowDiff(rounding="half-up", k_offset=-1)  # as Fournier & Inkpen read k
S, B = SegmentationSimilarity(), BoundarySimilarity()
Column = Callable[[Corpus], float]

# ---- version 1.0 ----

EXAMPLES = {  # masses, n_t, S; eq. 3 of the paper prices a transposition over some distance
    "insertion and deletion": ((1, 2, 2, 4, 2, 1), (1, 2, 6, 2, 1), 2, 0.9090909090909090909),
    "many of them": ((1, 1, 3, 1, 2, 2, 1, 1), (2, 1, 4, 2, 1, 2), 2, 0.4545454545454545454),
    "scaled transposition": ((1, 4, 4), (1, 2, 6), 5, 0.8125),
}
COLUMNS_BY_S: dict[str, Column] = {
    "π*": lambda corpus: pi_of_mean_proportions(corpus, S),
    "κ*": lambda corpus: slipped_kappa(corpus, S),
    "bias": lambda corpus: bias_of_mean_proportions(corpus, S),
    "S, micro": lambda corpus: correct(corpus, S).observed,
    "S, mean": lambda corpus: pairwise(corpus, S).mean,
    "S, sd": lambda corpus: pairwise(corpus, S).sd,
    "WD, mean": lambda corpus: pairwise(corpus, WINDOW_DIFF).mean,
    "WD, sd": lambda corpus: pairwise(corpus, WINDOW_DIFF).sd,
}

# ---- version 2.0 ----

COLUMNS_BY_B: dict[str, Column] = {
    "π*": lambda corpus: pi_of_mean_proportions(corpus, B),
    "κ*": lambda corpus: slipped_kappa(corpus, B),
}
SLIPS = {"π*": MEAN_SLIP, "κ*": SLIP, "bias": BIAS_SLIP}


def similarity_of_example(name: str, _run: Run) -> float:
    """S of an example, with the cost of eq. 3."""
    first, second, n_t, _ = EXAMPLES[name]
    metric = SegmentationSimilarity(n_t=n_t, cost="halving")
    return float(metric(Segmentation.from_masses(first), Segmentation.from_masses(second)))


def of_chapter(chapter: int, column: str, metric: Metric, run: Run) -> float:
    """Agreement in a chapter, with the slip."""
    corpus = moonstone_corpus({chapter: run.shared(moonstone)[chapter]})
    (agreed,) = slipped_by_document(corpus, metric).values()
    return agreed[column]


def of_group(group: int, column: Column, run: Run) -> float:
    """A number about a group of chapters; people with the same name count as one person."""
    found = run.shared(moonstone)
    return column(Corpus.from_dict({str(chapter): found[chapter] for chapter in GROUPS[group]}))


def correct_bias(group: int, run: Run) -> float:
    """Bias in a group, boundaries counted as boundaries, and pooled for π* as for κ*."""
    return of_group(group, lambda corpus: correct(corpus, S).bias, run)


def segeval_1_cells() -> list[PublishedNumber]:
    """A cell for each number in the tests of version 1.0."""
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
        *_chapters(tests, printed_table("segeval_1_chapters"), S),
        *_groups(tests, printed_table("segeval_1_groups"), COLUMNS_BY_S),
    ]


def segeval_2_cells() -> list[PublishedNumber]:
    """A cell for each number in the tests of version 2.0."""
    tests = "tests of segeval 2.0"
    return [
        *_chapters(tests, printed_table("segeval_2_chapters"), B),
        *_groups(tests, printed_table("segeval_2_groups"), COLUMNS_BY_B),
    ]


def _chapters(
    tests: str, values: Mapping[str, Mapping[str, float]], metric: Metric
) -> list[PublishedNumber]:
    return [
        PublishedNumber(
            f"{tests}, ch. {chapter}, {column}",
            value,
            partial(of_chapter, int(chapter), column, metric),
            MANY_DIGITS,
            needs=NEEDS,
            slip=SLIP,
            source="test suite",
        )
        for chapter, columns in values.items()
        for column, value in columns.items()
    ]


def _groups(
    tests: str, values: Mapping[str, Mapping[str, float]], columns: Mapping[str, Column]
) -> list[PublishedNumber]:
    return [
        PublishedNumber(
            f"{tests}, group {group}, {name}",
            value,
            partial(of_group, int(group), columns[name]),
            MANY_DIGITS,
            needs=NEEDS,
            slip=SLIPS.get(name),
            source="test suite",
        )
        for name, by_group in values.items()
        for group, value in by_group.items()
    ]
