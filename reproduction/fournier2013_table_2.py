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

from collections.abc import Iterator, Mapping
from functools import partial
from math import nan, sqrt

import numpy as np

from reproduction.corpora import REPAIRED, ByCoder, moonstone_repaired
from reproduction.published import (
    COUNT,
    Erratum,
    OwnNumber,
    PrintTolerance,
    PublishedNumber,
    Run,
    of_draws,
    printed,
    printed_table,
    unavailable,
)
from segscore.basics.arguments import Floats
from segscore.metrics import BoundarySimilarity
from segscore.metrics.ratios import precision_recall_f
from segscore.scoring.scoring import score

NEEDS = ("moonstone",)
_own = partial(OwnNumber, needs=NEEDS)
ENDS = "two boundaries in each coding that always match, as if its start and end were boundaries"
NOT_TESTED = (1, 2, 3, 4)
EXTRA = 2  # matches in each coding


COLUMNS = ("B", "±", "n", "B-P", "B-R", "B-F1", "TP", "FP", "FN", "TN")
COUNTED = ("TP", "FP", "FN")
DERIVED = tuple(column for column in COLUMNS if column not in COUNTED)  # from these, and codings
Row = dict[str, float]  # by column

PRINTED = printed_table("fournier2013_table_2")


def tested(run: Run) -> Mapping[int, ByCoder]:
    """The chapters that segmenters were tested on, chapter 20 with its last paragraph."""
    return {
        chapter: codings
        for chapter, codings in run.shared(moonstone_repaired).items()
        if chapter not in NOT_TESTED
    }


def n_codings(run: Run) -> int:
    """The number of codings of these chapters."""
    return sum(map(len, tested(run).values()))


def places(run: Run) -> float:
    """The number of potential boundaries, counted once for each coding."""
    return sum(
        coding.n_units - 1 for codings in tested(run).values() for coding in codings.values()
    )


def references(run: Run, extra: int = EXTRA) -> float:
    """The number of boundaries of all codings, with `extra` more in each."""
    boundaries = (
        coding.n_segments - 1 for codings in tested(run).values() for coding in codings.values()
    )
    return sum(boundaries) + extra * n_codings(run)


def row_from_print(name: str, run: Run, extra: int = EXTRA) -> Row:
    """A row from its printed TP, FP and FN and from the codings, with `extra` matches too many."""
    always = (EXTRA - extra) * n_codings(run)
    tp, fp, fn = (PRINTED[name][column] for column in COUNTED)
    tp -= always
    found = references(run, extra) - fn  # matches and near misses
    matches = 2 * tp - found
    n = references(run, extra) + fp
    b = tp / n
    squares = matches + (found - matches) / 4
    variance = (squares / n - b**2) / n
    error = sqrt(variance) if variance >= 0 else nan  # below 0 if the counts cannot be
    rates = map(float, precision_recall_f(tp, fp, fn))
    row = (b, error, round(n), *rates, tp, fp, fn, places(run) - tp - fp - fn)
    return dict(zip(COLUMNS, row, strict=True))


def _derived(name: str, column: str, run: Run) -> float:
    return float(row_from_print(name, run)[column])


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


def b_of_human(run: Run, extra: int = EXTRA) -> float:
    """Expected B of a coder of each chapter, each with the same chance, against everyone."""
    chapters = run.shared(sums_of_people)
    correctness, pairs = np.sum([c.mean(axis=0) + extra * len(c) for c in chapters], axis=0)
    return float(correctness / pairs)


def _draw_of_coders(run: Run) -> PrintTolerance:
    """From the sd of B over 2000 draws of one coder for each chapter."""
    chance, chapters = np.random.default_rng(0), run.shared(sums_of_people)
    drawn = [c[chance.integers(0, len(c), 2000)] + EXTRA * len(c) for c in chapters]
    correctness, pairs = np.sum(drawn, axis=0).T
    return of_draws(4, float((correctness / pairs).std()), "the draw of coders")


OUTPUTS = "the outputs of the segmenters"
DRAWN = "to know which coder was drawn in each chapter"
FOLLOWS = "follows from the printed TP, FP and FN, and from the codings"


def _row(name: str) -> Iterator[PublishedNumber]:
    for column in (*DERIVED, *COUNTED):
        item, published = f"table 2, {name}, {column}", PRINTED[name][column]
        if column in COUNTED:
            yield unavailable(item, published, DRAWN if name == "Human" else OUTPUTS)
        elif item == "table 2, Human, B":
            note = "expected over draws of coders"
            yield PublishedNumber(item, published, b_of_human, _draw_of_coders, note, NEEDS, ENDS)
        else:
            yield PublishedNumber(
                item, published, partial(_derived, name, column),
                COUNT if column in ("n", "TN") else printed(4), FOLLOWS, NEEDS, ENDS,
                from_print=True,
            )  # fmt: skip


CELLS = [
    PublishedNumber("table 2, boundaries of references", 637, references, COUNT, "", NEEDS, ENDS),
    PublishedNumber("table 2, potential boundaries", 5253, places, COUNT, "", NEEDS, REPAIRED),
    PublishedNumber("fig. 10, n of S and of 1-WD", 90, n_codings, COUNT, "", NEEDS),
    *(cell for name in PRINTED for cell in _row(name)),
]


def boundaries_from_print(name: str, run: Run) -> float:
    """Boundaries of a system over all codings, from the printed n and FN."""
    return PRINTED[name]["n"] - PRINTED[name]["FN"] - EXTRA * n_codings(run)


def rounded_segments(run: Run) -> float:
    """The boundaries over all codings if each has as many as people have segments on average."""
    return sum(
        len(codings) * round(sum(coding.n_segments for coding in codings.values()) / len(codings))
        for codings in tested(run).values()
    )


def _without(name: str, run: Run) -> float:
    return row_from_print(name, run, extra=0)["B"]


ERRATA = [
    Erratum(
        "Table 2",
        "Every row implies 637 boundaries of references; the 90 codings hold 457. The difference "
        "is two in each coding, and they always match, so that B is too high in all rows, and the "
        "fewer boundaries a segmenter finds, the more so.",
        "The start and the end of each chapter were counted as boundaries.",
        ("table 2, *",),
        (
            _own("boundaries that the codings hold", partial(references, extra=0)),
            *(
                _own(f"B of {name} without the two, from its counts", partial(_without, name))
                for name in PRINTED
            ),
            _own("B of Human without the two, expected", partial(b_of_human, extra=0)),
        ),
    ),
    Erratum(
        "Table 2, how many boundaries Random and BayesSeg place",
        "A row has n pairs of boundaries; without its FN and the two in each coding, what is left "
        "are the boundaries of the system, over all codings. Random and BayesSeg place clearly "
        "more than people.",
        "They were given the mean number of people's segments, rounded, as the number of "
        "boundaries: for Random that is exact.",
        ("table 2, *, n", "table 2, *, FN"),
        (
            *(
                _own(f"boundaries of {name}", partial(boundaries_from_print, name))
                for name in ("Random", "BayesSeg", "APS", "MinCut")
            ),
            _own("boundaries of people", partial(references, extra=0)),
            _own("the mean number of people's segments, rounded", rounded_segments),
        ),
    ),
    Erratum(
        "Section 6, APS and Random",
        "The text says that APS is significantly below Random by B. Table 2 prints .2873 for APS "
        "and .2640 for Random.",
        "The tests were run on counts without the two matches too many: without them APS is below "
        "Random.",
        ("table 2, APS, B", "table 2, Random, B"),
        tuple(
            _own(f"B of {name} without the two", partial(_without, name))
            for name in ("APS", "Random")
        ),
    ),
    Erratum(
        "Eq. 7",
        "As printed it adds the cost of a near miss to the true positives; with n_t above 2 a miss "
        "that is farther off would then earn more. With n_t = 2, as in table 2, cost and "
        "correctness, one minus the cost, are both one half.",
        "The correctness is meant.",
        ("table 2, *, B-P",),
    ),
]
