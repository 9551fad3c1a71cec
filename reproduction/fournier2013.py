"""Chris Fournier (2013): Evaluating Text Segmentation using Boundary Edit Distance. ACL 2013.

Figs. 4-8: one manual segmentation of eleven units (fig. 4) against four automatic segmentations,
each with another kind of error. WindowDiff is printed as 1-WD, with k = 2 = round(11 / 6). n_t is
2; the S column prices a transposition at 1 (eq. 2), the B column at d / n_t. With d / (n_t-1), as
eq. 5 is printed, B would be 0.5 in fig. 6.

Section 5: agreement on Hearst's article and on the groups of The Moonstone. Table 2 and fig. 9 have
modules of their own.
"""

from functools import cache

import numpy as np

from reproduction import (
    fournier2013_simulation,
    fournier2013_table_2,
    fournier_program,
    moonstone_segmenters,
    small_texts,
)
from reproduction.cells import Formulas
from reproduction.corpora import moonstone, moonstone_corpus, moonstone_texts, people
from reproduction.fournier_program import correct, pi_of_mean_proportions, slipped_pi
from reproduction.runs import Run
from segscore.coders.habits import boundaries_per_coder
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.metrics import metric
from segscore.simulate.sample_codings import STARGAZER


@cache
def stargazer(_run: Run) -> Corpus:
    """Hearst's article, seven people."""
    codings = {name: Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    return Corpus.from_dict({"stargazer": codings})


def group(run: Run, number: int) -> Corpus:
    """A group of chapters of The Moonstone."""
    return moonstone_corpus(moonstone(run)).select(groups=[str(number)])


def densities(run: Run) -> list[float]:
    """Boundaries per position of each person; people with the same name in a group count as one."""
    made = boundaries_per_coder(people(moonstone_texts(run)))
    return [coder.density for coder in made.coders]


def beyond_two_deviations(run: Run) -> float:
    """People whose density is more than two standard deviations from the mean."""
    values = np.array(densities(run))
    return int((abs(values - values.mean()) > 2 * values.std()).sum())


def coders(run: Run) -> list[int]:
    """The number of people who coded each chapter."""
    return [len(codings) for codings in moonstone(run).values()]


FORMULAS: Formulas = {
    **small_texts.FORMULAS,
    **fournier_program.FORMULAS,
    **fournier2013_simulation.FORMULAS,
    **fournier2013_table_2.FORMULAS,
    **moonstone_segmenters.FORMULAS,
    "coders of Stargazer": lambda run: len(stargazer(run)["stargazer"]),
    "π* of Stargazer": lambda run, by: slipped_pi(stargazer(run), metric(by)),
    "correct π* of Stargazer": lambda run, by: correct(stargazer(run), metric(by)).pi,
    "π* of a group": lambda run, number, by: pi_of_mean_proportions(group(run, number), metric(by)),
    "correct π* of a group": lambda run, number, by: correct(group(run, number), metric(by)).pi,
    "chapters": lambda run: len(coders(run)),
    "fewest coders": lambda run: min(coders(run)),
    "most coders": lambda run: max(coders(run)),
    "groups": lambda run: len(moonstone_corpus(moonstone(run)).groups),
    "people": lambda run: len(densities(run)),
    "people beyond two sd": beyond_two_deviations,
}
