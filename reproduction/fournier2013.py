"""Chris Fournier (2013): Evaluating Text Segmentation using Boundary Edit Distance. ACL 2013.

Figs. 4-8: one manual segmentation of eleven units (fig. 4) against four automatic segmentations,
each with another kind of error. WindowDiff is printed as 1-WD, with k = 2 = round(11 / 6). n_t is
2; the S column prices a transposition at 1 (eq. 2), the B column at d / n_t. With d / (n_t-1), as
eq. 5 is printed, B would be 0.5 in fig. 6.

Section 5: agreement on Hearst's article and on the groups of The Moonstone. Table 2 and fig. 9 have
modules of their own.
"""

from functools import partial

import numpy as np

from reproduction import fournier2013_table_2 as table_2
from reproduction import moonstone_segmenters
from reproduction.corpora import moonstone, moonstone_corpus
from reproduction.fournier2012_examples import full_misses, transpositions
from reproduction.fournier2013_simulation import CELLS as SIMULATED
from reproduction.fournier2013_simulation import FINDINGS
from reproduction.fournier_program import (
    MEAN_SLIP,
    SLIP,
    correct,
    pi_of_mean_proportions,
    segeval_2_cells,
    slipped_pi,
)
from reproduction.published import (
    COUNT,
    FRACTION,
    Erratum,
    Measure,
    OwnNumber,
    PublishedNumber,
    Run,
    figure_cells,
    printed,
    unavailable,
)
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.datasets.loading import GROUPS
from segscore.metrics import BoundarySimilarity, SegmentationSimilarity, WindowDiff
from segscore.metrics.edit_distance import boundary_edits
from segscore.simulate.sample_codings import STARGAZER

MANUAL = (2, 3, 6)  # fig. 4
FIGURES = {
    "fig. 1": ((2, 4, 4, 4), (3, 3, 6, 2)),
    "fig. 5": (MANUAL, (5, 6)),  # a boundary missing
    "fig. 6": (MANUAL, (2, 2, 7)),  # a near miss
    "fig. 7": (MANUAL, (2, 3, 3, 3)),  # a boundary too many
    "fig. 8": (MANUAL, (1, 1, 3, 1, 5)),  # several boundaries around those of fig. 4
}


def one_minus_window_diff(manual: Segmentation, automatic: Segmentation) -> float:
    """The share of windows that agree."""
    return 1 - WindowDiff()(manual, automatic)


def matches(first: Segmentation, second: Segmentation) -> float:
    """The number of boundaries that both segmentations have."""
    return len(boundary_edits(first, second).matches)


MEASURES = {
    "transpositions": Measure(transpositions, {"fig. 1": 1}, COUNT),
    "matches": Measure(matches, {"fig. 1": 1}, COUNT),
    "additions and deletions": Measure(full_misses, {"fig. 1": 2}, COUNT),
    "1-WD": Measure(
        one_minus_window_diff,
        {"fig. 5": 7 / 9, "fig. 6": 7 / 9, "fig. 7": 7 / 9, "fig. 8": 6 / 9},
        FRACTION,
    ),
    "S": Measure(
        SegmentationSimilarity(cost="unit"),
        {"fig. 5": 0.9, "fig. 6": 0.9, "fig. 7": 0.9, "fig. 8": 0.8},
        FRACTION,
        note="cost unit",
    ),
    "B": Measure(
        BoundarySimilarity(cost="span"),
        {"fig. 5": 0.5, "fig. 6": 0.75, "fig. 7": 2 / 3, "fig. 8": 0.5},
        FRACTION,
        note="cost span",
    ),
}


# ---- section 5: agreement ----


def stargazer() -> Corpus:
    """Hearst's article, seven people."""
    codings = {name: Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    return Corpus.from_dict({"stargazer": codings})


AGREEMENT = {  # both with the cost of a transposition d / n_t
    "S": SegmentationSimilarity(cost="span"),
    "B": BoundarySimilarity(cost="span"),
}
ON_STARGAZER = {"S": 0.7562, "B": 0.4405}
MOONSTONE_GROUPS = (3, 5, 2, 4, 1)  # in the order in which the section names their values
ON_MOONSTONE = {"S": (0.91, 0.92, 0.90, 0.94, 0.83), "B": (0.20, 0.18, 0.40, 0.38, 0.23)}


def _stargazer_pi(metric: str, _run: Run) -> float:
    return slipped_pi(stargazer(), AGREEMENT[metric])


def _moonstone_pi(group: int, metric: str, run: Run) -> float:
    return pi_of_mean_proportions(_group(group, run), AGREEMENT[metric])


def _group(group: int, run: Run) -> Corpus:
    return moonstone_corpus(run.shared(moonstone)).select(groups=[str(group)])


AGREEMENT_CELLS = [
    *(
        PublishedNumber(
            item=f"section 5, Stargazer, π* by {metric}",
            published=published,
            compute=partial(_stargazer_pi, metric),
            tolerance=printed(4),
            note="cost span",
            slip=SLIP,
        )
        for metric, published in ON_STARGAZER.items()
    ),
    *(
        PublishedNumber(
            item=f"section 5, Moonstone, group {group}, π* by {metric}",
            published=published,
            compute=partial(_moonstone_pi, group, metric),
            tolerance=printed(2),
            note="cost span",
            needs=("moonstone",),
            slip=MEAN_SLIP,
        )
        for metric, values in ON_MOONSTONE.items()
        for group, published in zip(MOONSTONE_GROUPS, values, strict=True)
    ),
]


# ---- the data, and fig. 11 ----


def _coders(run: Run) -> list[int]:
    """The number of people who coded each chapter."""
    return [len(codings) for codings in run.shared(moonstone).values()]


def densities(run: Run) -> list[float]:
    """Boundaries per position of each person; people with the same name in a group count as one."""
    found = run.shared(moonstone)
    people: dict[tuple[int, str], list[Segmentation]] = {}
    for group, chapters in GROUPS.items():
        for chapter in chapters:
            for coder, coding in found[chapter].items():
                people.setdefault((group, coder), []).append(coding)
    return [
        sum(coding.n_segments - 1 for coding in own) / sum(coding.n_units - 1 for coding in own)
        for own in people.values()
    ]


def beyond_two_deviations(run: Run) -> float:
    """People whose density is more than two standard deviations from the mean."""
    values = np.array(densities(run))
    return int((abs(values - values.mean()) > 2 * values.std()).sum())


PILOT = "the chapters of the pilot study"
DATA = [
    PublishedNumber(
        "section 5, Stargazer, coders", 7, lambda _: len(stargazer()["stargazer"]), COUNT
    ),
    unavailable("section 5, Moonstone, chapters", 23, PILOT),
    unavailable("section 5, Moonstone, chapters of the pilot study", 2, PILOT),
    *(
        PublishedNumber(f"section 5, Moonstone, {what}", number, compute, COUNT, "", ("moonstone",))
        for what, number, compute in (
            ("chapters coded", 20, lambda run: len(_coders(run))),
            ("fewest coders", 4, lambda run: min(_coders(run))),
            ("most coders", 6, lambda run: max(_coders(run))),
            ("groups", 5, lambda run: len(moonstone_corpus(run.shared(moonstone)).groups)),
            ("people", 27, lambda run: len(densities(run))),
        )
    ),
    PublishedNumber(
        "fig. 11, people beyond 2 standard deviations", 1, beyond_two_deviations, COUNT, "",
        ("moonstone",), source="derived claim",
    ),
]  # fmt: skip

CELLS = [
    *figure_cells(FIGURES, MEASURES),
    *AGREEMENT_CELLS,
    *DATA,
    *SIMULATED,
    *segeval_2_cells(),
    *table_2.CELLS,
    *moonstone_segmenters.FOURNIER_2013,
]
SECTIONS = moonstone_segmenters.SECTIONS
MISSING = [
    "Fig. 9, the curves, and the points of fig. 10: they cannot be read off the drawings.",
    "Section 6, the tests (α = 0.05) of which systems differ: the outputs are not available.",
    "n_t = 2, w_t = 0, w_s = 0, and the majorities in the literature (4/7, 3/7, more than half): "
    "given, not results.",
]


# ---- errata ----


def _with_eq_5(_run: Run) -> float:
    """B of fig. 6 with the cost as eq. 5 is printed."""
    metric = BoundarySimilarity(cost="span-1")
    return float(metric(*map(Segmentation.from_masses, FIGURES["fig. 6"])))


def _correct_stargazer(metric: str, _run: Run) -> float:
    return correct(stargazer(), AGREEMENT[metric]).pi


def _correct_moonstone(group: int, metric: str, run: Run) -> float:
    return correct(_group(group, run), AGREEMENT[metric]).pi


ERRATA = [
    Erratum(
        "Eq. 5",
        "A transposition over d positions costs d / (n_t-1) as printed. The sentence before it, "
        "the B column of figs. 5-8, table 2 and section 5 have d / n_t.",
        cells=("fig. *, B",),
        findings=(OwnNumber("B of fig. 6 with eq. 5 as printed", _with_eq_5),),
    ),
    Erratum(
        "Eq. 2 and section 5",
        "Figs. 5-8 price a transposition at 1 in S, as eq. 2 does; section 5 has d / n_t there.",
        cells=("fig. *, S", "section 5, Stargazer, π? by S", "section 5, Moonstone, *, π? by S"),
    ),
    Erratum(
        "Section 5",
        "All values come out if, as in Fournier & Inkpen (2012), chance agreement is computed from "
        "segments in place of boundaries, and for groups of chapters from the mean of the codings' "
        "proportions, so that a short chapter weighs as much as a long one.",
        "The program counted segments.",
        (
            "section 5, Stargazer, π? by *",
            "section 5, Moonstone, group *",
            "tests of segeval 2.0, *",
        ),
        (
            *(
                OwnNumber(
                    f"Stargazer with boundaries, π* by {metric}",
                    partial(_correct_stargazer, metric),
                )
                for metric in ON_STARGAZER
            ),
            *(
                OwnNumber(
                    f"Moonstone, group {group}, with boundaries, π* by B",
                    partial(_correct_moonstone, group, "B"),
                    ("moonstone",),
                )
                for group in MOONSTONE_GROUPS
            ),
        ),
    ),
    Erratum(
        "Fig. 9",
        "π* by S is said to rise with P(miss), and a full miss to be an extra or an omitted "
        "boundary. With such misses π* by S falls with "
        "P(miss), as π* by B does; the axes of the figure fit. Only if coders do nothing but omit "
        "boundaries does π* by S rise, from P(miss) = ½ on.",
        cells=("fig. 9, *",),
        findings=FINDINGS,
    ),
    *table_2.ERRATA,
    Erratum(
        "Table 2, the order of segmenters",
        "The fewer boundaries a segmenter places, the larger the share of its B that comes from "
        "the two matches in each coding. Without them Random comes before APS, in the paper's own "
        "counts and in runs of our own segmenters (not if those are tuned by multWinDiff in place "
        "of WindowDiff).",
        cells=("own runs, rank of *",),
        findings=moonstone_segmenters.WITHOUT_EXTRA,
    ),
]
