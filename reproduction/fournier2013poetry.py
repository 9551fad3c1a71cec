"""Chris Fournier (2013): An Initial Study of Topical Poetry Segmentation. CLfL 2013.

Nine people segment Kubla Khan and label their segments. Table 1: clusters of coders (complete
linkage on 1-B), the agreement within each, and mean and population sd of Jaccard's similarity of
labels over units and pairs of coders, with three decimals.

The notebook that the author published with the study prints more: mean and sd of B over pairs of
coders, and a fourth decimal of the similarity of labels. These numbers are not in the paper and are
counted apart; its fourth decimals show that the third ones are rounded.
"""

from functools import cache

import numpy as np

from reproduction import corpora
from reproduction.cells import Formulas
from reproduction.fournier_program import correct, slipped_pi
from reproduction.runs import Run
from segscore.coders.nominal import LabelSimilarity, label_similarity
from segscore.coders.pairwise_values import CoderClusters, PairwiseMean, coder_clusters, pairwise
from segscore.corpus.corpus import Corpus, Document
from segscore.metrics import BoundarySimilarity

# The seconds that the nine coders took, in order of size, and what each was paid: from the records
# that the author published with the codings (github.com/cfournie/segmentation.corpora, the folder
# kubla_khan_fournier_2013/raw). Nothing else of them is kept: they name the people.
SECONDS = np.array((677, 1006, 1175, 1312, 1841, 2257, 3510, 3533, 3673))
DOLLARS = 8.0  # each


def members(run: Run, cluster: str) -> Corpus:
    """The poem as some coders have it, or everyone."""
    poem = corpora.kubla_khan(run)
    return poem if cluster == "everyone" else poem.select(coders=cluster.split())


@cache
def by_b(run: Run, cluster: str) -> PairwiseMean:
    """B over pairs of coders."""
    return pairwise(members(run, cluster), BoundarySimilarity())


def poem(run: Run, cluster: str = "everyone") -> Document:
    """The document."""
    (document,) = members(run, cluster).values()
    return document


@cache
def labels(run: Run, cluster: str) -> LabelSimilarity:
    """Jaccard's similarity of labels."""
    return label_similarity(poem(run, cluster))


@cache
def clusters(run: Run) -> CoderClusters:
    """All clusters, by complete linkage on 1-B."""
    return coder_clusters(corpora.kubla_khan(run), BoundarySimilarity(), draws=0)


def boundaries(run: Run) -> list[int]:
    """The number of boundaries of each coder."""
    document = poem(run)
    return [len(document[str(coder)].boundaries) for coder in range(len(document))]


def leaves_in_order(run: Run, printed: str) -> float:
    """How many leaves of our tree stand where fig. 1b has them, the tree drawn either way round.

    Which of two branches is drawn first is free: a tree is the same if each of its clusters is one
    stretch of the printed order.
    """
    order = printed.split()
    stretches = {
        frozenset(order[start:stop])
        for start in range(len(order))
        for stop in range(start + 1, len(order) + 1)
    }
    fits = all(frozenset(cluster.members) in stretches for cluster in clusters(run))
    return len(order) if fits else 0


FORMULAS: Formulas = {
    "π*": lambda run, cluster: slipped_pi(members(run, cluster), BoundarySimilarity()),
    "correct π*": lambda run, cluster: correct(members(run, cluster), BoundarySimilarity()).pi,
    "mean of B": lambda run, cluster: by_b(run, cluster).mean,
    "mean of 1-B": lambda run, cluster: 1 - by_b(run, cluster).mean,
    "sd of B": lambda run, cluster: by_b(run, cluster).sd,
    "mean of J": lambda run, cluster: labels(run, cluster).mean,
    "sd of J": lambda run, cluster: labels(run, cluster).sd,
    "is a cluster": lambda run, cluster: any(
        set(found.members) == set(cluster.split()) for found in clusters(run)
    ),
    "boundaries": lambda run, coder: boundaries(run)[coder],
    "mean boundaries": lambda run: np.mean(boundaries(run)),
    "sd of boundaries": lambda run: np.std(boundaries(run)),
    "leaves in order": leaves_in_order,
    "coders at": lambda run, place: sum(
        place in coding.boundaries for coding in poem(run).values()
    ),
    "mean minutes": lambda _: (SECONDS / 60).mean(),
    "sd of minutes": lambda _: (SECONDS / 60).std(),
    "dollars": lambda _: DOLLARS,
    "mean dollars per hour": lambda _: (DOLLARS / SECONDS * 3600).mean(),
    "sd of dollars per hour": lambda _: (DOLLARS / SECONDS * 3600).std(),
}
