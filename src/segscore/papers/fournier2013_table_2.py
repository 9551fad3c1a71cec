"""Table 2 of Fournier (2013): does it agree with itself, and with the codings it rests on?

Segmenters on sixteen chapters of The Moonstone (all but the first four), against each of the 90
codings. Every row implies 637 boundaries of references, and the codings hold 457: two more in each,
which always match, explain the difference. Perhaps these are the start and the end of a chapter.

- A near miss is half a true positive, and the other half is neither a false positive nor a false
  negative. So the pairs of a row are the boundaries of the references and the false positives, and
  B = TP / (references + FP). That makes the row with 279 true and 420 false positives the one of
  Random, B .264.
- Human is one coder per chapter, drawn by chance, against all codings of it, his own included. Here
  it is the expectation over such draws.

Numbers that follow from others in print (of Random) are findings and no cells: they show that the
table agrees with itself, not that we reproduce it. What the segmenters themselves reach is another
matter: their outputs are not available.
"""

from collections.abc import Mapping
from functools import partial

from segscore.metrics import BoundarySimilarity
from segscore.metrics.ratios import precision_recall_f
from segscore.papers.corpora import Codings, longer_by_one, moonstone
from segscore.papers.errata import Erratum, Finding
from segscore.papers.published import COUNT, PublishedNumber, Run, drawn
from segscore.scoring import score

NEEDS = ("moonstone",)
ENDS = "two boundaries in each coding that always match, as if its start and end were such"
NOT_TESTED = (1, 2, 3, 4)
REPAIRED_CHAPTER = 20
TRUE_POSITIVES, FALSE_POSITIVES = 279, 420  # of Random, as printed
EXTRA = 2  # matches in each coding


def tested(run: Run) -> Mapping[int, Codings]:
    """The chapters that segmenters were tested on, the 20th with the paragraph the data lacks."""
    found = run.shared(moonstone)
    return {
        chapter: longer_by_one(codings) if chapter == REPAIRED_CHAPTER else codings
        for chapter, codings in found.items()
        if chapter not in NOT_TESTED
    }


def n_codings(run: Run) -> int:
    """Codings of these chapters."""
    return sum(map(len, tested(run).values()))


def places(run: Run) -> float:
    """Potential boundaries, once for each coding."""
    return sum(one.n_units - 1 for codings in tested(run).values() for one in codings.values())


def references(run: Run, extra: int = EXTRA) -> float:
    """Boundaries of all codings, with so many more in each."""
    boundaries = (
        one.n_segments - 1 for codings in tested(run).values() for one in codings.values()
    )
    return sum(boundaries) + extra * n_codings(run)


def precision_of_random(run: Run) -> float:
    """From the printed true and false positives."""
    misses = references(run) - TRUE_POSITIVES
    return float(precision_recall_f(TRUE_POSITIVES, FALSE_POSITIVES, misses)[0])


def b_of_random(run: Run, extra: int = EXTRA) -> float:
    """From the printed true and false positives, and the codings."""
    true = TRUE_POSITIVES - (EXTRA - extra) * n_codings(run)
    return true / (references(run, extra) + FALSE_POSITIVES)


def b_of_human(run: Run, extra: int = EXTRA) -> float:
    """One coder of each chapter, any of them with the same chance, against everyone."""
    metric = BoundarySimilarity()
    correctness, pairs = 0.0, 0.0
    for codings in tested(run).values():
        everyone = list(codings.values())
        both = [(ref, hyp) for hyp in everyone for ref in everyone]
        refs, hyps = zip(*both, strict=True)
        statistics = score(refs, hyps, metric)[metric].statistics.sum()
        always = extra * len(everyone)
        correctness += float(statistics["correctness"]) / len(everyone) + always
        pairs += float(statistics["pairs"]) / len(everyone) + always
    return correctness / pairs


# 0.014: sd of B over 2000 draws of one coder per chapter.
HUMAN = drawn(0.529, 4 * 0.014, "four standard errors of the draw of coders")

CELLS = [
    PublishedNumber("table 2, boundaries of references", 637, references, COUNT, "", NEEDS, ENDS),
    PublishedNumber("table 2, potential boundaries", 5253, places, COUNT, "", NEEDS),
    PublishedNumber(
        "table 2, Human, B", 0.529, b_of_human, HUMAN, "expected over draws of coders", NEEDS, ENDS
    ),
]

ERRATA = [
    Erratum(
        "Table 2",
        "All rows count two boundaries too many in each of the 90 codings of the references, and "
        "two matches with them, so that B is too high in all of them, and the worse the segmenter, "
        "the more so.",
        ("table 2, *",),
        (
            Finding("boundaries that the codings hold", partial(references, extra=0), NEEDS),
            Finding(
                "B of Random (printed .264), from its true and false positives", b_of_random, NEEDS
            ),
            Finding("B of Random without the two", partial(b_of_random, extra=0), NEEDS),
            Finding("B of Human without the two, expected", partial(b_of_human, extra=0), NEEDS),
        ),
    ),
    Erratum(
        "Eq. 7",
        "As printed it adds the cost of a near miss to the true positives; with n_t above 2 a miss "
        "that is farther off would then earn more. The correctness, one less the cost, is meant: "
        "with n_t = 2, as in table 2, both are one half.",
        findings=(
            Finding(
                "precision of Random (printed .3991), from its true and false positives",
                precision_of_random,
                NEEDS,
            ),
        ),
    ),
]
