"""Section 4 of Carroll (2010): the articles of Wikipedia, figure 3, and runs of our own segmenters.

The author published the 66 articles and the outputs of all systems (`carroll2010` in
`segscore.datasets`). E_WD in lines, windows that run on from the end to the start, k cut down; in
per cent, mean over articles, and the 95 % interval of it: with the levels of both sides, with a
linear reference, with a linear hypothesis. The paper draws ties at random and does not
say how often; ours are expectations, so that means may differ by a digit.

Our own segmenters take the place of the author's, with the defaults of this package: HC99 with
Choi's stop list and Porter's stemmer, 54 boundaries as in the paper; GBEM and HBT (`GreedyBayes`,
`HierBayes`) find the number themselves; HCWM has a space made from the articles' own lines, because
the paper's comes from a corpus that is not free.
"""

from functools import cache

import numpy as np

from reproduction.cells import Formulas
from reproduction.corpora import choi_preprocessing
from reproduction.runs import Run
from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.conventions.document_scores import program_scores
from segscore.corpus.corpus import Corpus
from segscore.datasets import loading
from segscore.io.files import REFERENCE
from segscore.metrics import Hierarchical, WindowDiff
from segscore.pairing.pairs import Pairs
from segscore.scoring.scoring import score
from segscore.segmenters import Segmenter
from segscore.segmenters.c99 import C99
from segscore.segmenters.embedding import CWM, LSASpace
from segscore.segmenters.hier_bayes import GreedyBayes, HierBayes
from segscore.significance.classical import one_sample_t, paired_t

Output = dict[str, Segmentation]  # by article

SETTINGS = ("hierarchical", "linear reference", "linear hypothesis")
N_BOUNDARIES = 54  # of HC99 and HCWM, set by the author
LSA_DIMENSIONS = 200
P_BOUNDS = (0.0001, 0.001, 0.01, 0.05, 1.0)


@cache
def articles(run: Run) -> Corpus:
    """The articles with the outputs of the paper's systems."""
    return loading.carroll2010(run.folder("carroll2010"))


@cache
def output_of(run: Run, coder: str) -> Output:
    """The segmentations of a system, or of the reference."""
    return {name: document[coder] for name, document in articles(run).items()}


@cache
def own_output_of(run: Run, system: str) -> Output:
    """The segmentations of our own segmenter."""
    documents, n_segments = articles(run), None
    segmenter: Segmenter
    if system == "HC99":
        segmenter, n_segments = C99(choi_preprocessing(run)), N_BOUNDARIES + 1
    elif system == "HCWM":
        texts = [unit for one in documents.values() for unit in one.units or () if unit]
        segmenter = CWM(LSASpace.train(texts, dimensions=LSA_DIMENSIONS))
        n_segments = N_BOUNDARIES + 1
    else:
        segmenter = {"GBEM": GreedyBayes, "HBT": HierBayes}[system]()
    return {name: segmenter(list(one.units or ()), n_segments) for name, one in documents.items()}


def half_width(values: Floats) -> float:
    """Half of the 95 % confidence interval of the mean, by the normal distribution."""
    return float(1.96 * values.std(ddof=1) / np.sqrt(len(values)))


@cache
def errors_on_articles(run: Run, system: str, setting: str, own: str = "") -> Floats:
    """The error of a system, or of `own` run of ours, on each article, in per cent."""
    metric = Hierarchical(
        WindowDiff(rounding="floor", edges="wrap"),
        linear_reference=setting == "linear reference",
        linear_hypothesis=setting == "linear hypothesis",
    )
    found = (own_output_of if own else output_of)(run, system)
    return 100 * score(output_of(run, REFERENCE), found, metrics=metric)[metric].values


# ---- section 4 ----


def depth(run: Run) -> float:
    """Levels of headings below the title, whose rank would be 1; the fewest of an article."""
    refs = output_of(run, REFERENCE).values()
    return float(min(ref.ranks.max() for ref in refs if ref.ranks is not None) - 1)


def boundaries_inside(run: Run, systems: str) -> float:
    """The mean number of boundaries inside an article."""
    outputs = [output_of(run, name).values() for name in systems.split()]
    return float(np.mean([len(coding.boundaries) for output in outputs for coding in output]))


def p_against(run: Run, system: str, other: str) -> float:
    """The p of the errors with levels against those of another setting, by a paired t-test; or
    against 50 %, by a one-sample t-test."""
    values = errors_on_articles(run, system, "hierarchical")
    if other == "50 %":
        return one_sample_t(values, 50).p
    return paired_t(values, errors_on_articles(run, system, other)).p


def bound(run: Run, systems: str, other: str) -> float:
    """The least usual bound that the p of all these systems are below."""
    highest = max(p_against(run, system, other) for system in systems.split())
    return min(bound for bound in P_BOUNDS if highest < bound or bound == P_BOUNDS[-1])


def by_program(run: Run, system: str, setting: str) -> float:
    """The mean by the program in the author's repository, whose windows are N-1."""
    refs = output_of(run, REFERENCE)
    if setting == "linear reference":
        refs = {
            name: Segmentation.from_boundaries(ref.boundaries, ref.n_units)
            for name, ref in refs.items()
        }
    pairs = Pairs.from_segmentations(refs, output_of(run, system))
    return 100 * float(program_scores(pairs, "windowdiff")[0].mean())


FORMULAS: Formulas = {
    "mean on articles": lambda run, *of: errors_on_articles(run, *of).mean(),
    "± on articles": lambda run, *of: half_width(errors_on_articles(run, *of)),
    "articles": lambda run: len(articles(run)),
    "depth": depth,
    "boundaries inside": boundaries_inside,
    "p": p_against,
    "bound of p": bound,
    "mean by the program": by_program,
}
