"""Table 2 of Fournier (2013): does it agree with itself, and with the codings it rests on?

Segmenters on sixteen chapters of The Moonstone (all but the first four), against each of the 90
codings. Every row implies 637 boundaries of references, and the codings hold 457: two more in each,
which always match, explain the difference.

- A near miss is half a true positive, and the other half is neither a false positive nor a false
  negative. So the pairs of a row are the boundaries of the references and the false positives, and
  B = TP / (references + FP).
- Human is one coder per chapter, drawn at random, against all codings of it, also their own. Which
  coders were drawn is not known; B here is the expectation over such draws.

The outputs of the segmenters, and the coders that were drawn, are not available, so that TP, FP and
FN cannot be computed. All other columns follow from these three and from the codings: they are
"consistent" if that gives what is printed, which shows that the table agrees with itself, not that
we reproduce it.
"""

from collections.abc import Mapping
from functools import cache
from math import nan, sqrt

import numpy as np

from reproduction.cells import Estimate, Formulas, printed_numbers
from reproduction.corpora import ByCoder, moonstone_repaired
from reproduction.runs import Run
from segscore.basics.arguments import Floats
from segscore.metrics import BoundarySimilarity
from segscore.metrics.base import precision_recall_f
from segscore.scoring.scoring import score

NOT_TESTED = (1, 2, 3, 4)
EXTRA = 2  # matches in each coding
DRAWS = 2000  # of coders


def tested(run: Run) -> Mapping[int, ByCoder]:
    """The chapters that segmenters were tested on, chapter 20 with its last paragraph."""
    return {n: codings for n, codings in moonstone_repaired(run).items() if n not in NOT_TESTED}


def n_codings(run: Run) -> int:
    """The number of codings of these chapters."""
    return sum(map(len, tested(run).values()))


def places(run: Run) -> float:
    """The number of potential boundaries, counted once for each coding."""
    chapters = tested(run).values()
    return sum(coding.n_units - 1 for codings in chapters for coding in codings.values())


def references(run: Run, extra: int = EXTRA) -> float:
    """The number of boundaries of all codings, with `extra` more in each."""
    chapters = tested(run).values()
    boundaries = (coding.n_segments - 1 for codings in chapters for coding in codings.values())
    return sum(boundaries) + extra * n_codings(run)


def row_from_print(run: Run, name: str, extra: int = EXTRA) -> dict[str, float]:
    """A row from its printed TP, FP and FN and from the codings, with `extra` matches too many."""
    printed = printed_numbers("fournier2013")
    tp, fp, fn = (printed[f"table 2, {name}, {column}"] for column in ("TP", "FP", "FN"))
    tp -= (EXTRA - extra) * n_codings(run)
    found = references(run, extra) - fn  # matches and near misses
    matches = 2 * tp - found
    n = references(run, extra) + fp
    b = tp / n
    squares = matches + (found - matches) / 4
    variance = (squares / n - b**2) / n
    error = sqrt(variance) if variance >= 0 else nan  # below 0 if the counts cannot be
    precision, recall, f1 = map(float, precision_recall_f(tp, fp, fn))
    rates = {"B-P": precision, "B-R": recall, "B-F1": f1}
    return {"B": b, "±": error, "n": round(n), **rates, "TN": places(run) - tp - fp - fn}


@cache
def sums_of_people(run: Run) -> list[Floats]:
    """For each chapter and each of its coders: the sums of correctness and of pairs by B, against
    everyone."""
    metric, found = BoundarySimilarity(), []
    for codings in tested(run).values():
        everyone = list(codings.values())
        both = [(ref, hyp) for hyp in everyone for ref in everyone]
        refs, hyps = zip(*both, strict=True)
        sums = score(refs, hyps, metric)[metric].statistics
        columns = [np.asarray(sums[name]) for name in ("correctness", "pairs")]
        found.append(np.stack(columns, axis=-1).reshape(len(everyone), -1, 2).sum(axis=1))
    return found


def b_of_human(run: Run, extra: int = EXTRA) -> Estimate:
    """Expected B of a coder of each chapter, each with the same chance, against everyone; the
    error is the sd over draws of one coder for each chapter."""
    chapters, chance = sums_of_people(run), np.random.default_rng(0)
    correctness, pairs = np.sum([c.mean(axis=0) + extra * len(c) for c in chapters], axis=0)
    drawn = [c[chance.integers(0, len(c), DRAWS)] + extra * len(c) for c in chapters]
    of_draws = np.divide(*np.sum(drawn, axis=0).T)
    return Estimate(float(correctness / pairs), float(of_draws.std()), "the draw of coders")


def boundaries_from_print(run: Run, name: str) -> float:
    """Boundaries of a system over all codings, from the printed n and FN."""
    printed = printed_numbers("fournier2013")
    n, fn = (printed[f"table 2, {name}, {column}"] for column in ("n", "FN"))
    return n - fn - EXTRA * n_codings(run)


def rounded_segments(run: Run) -> float:
    """The boundaries over all codings if each has as many as people have segments on average."""
    return sum(
        len(codings) * round(sum(coding.n_segments for coding in codings.values()) / len(codings))
        for codings in tested(run).values()
    )


FORMULAS: Formulas = {
    "references": references,
    "places": places,
    "codings": n_codings,
    "from print": lambda run, name, column, extra=EXTRA: row_from_print(run, name, extra)[column],
    "B of Human": b_of_human,
    "boundaries from print": boundaries_from_print,
    "rounded segments": rounded_segments,
}
