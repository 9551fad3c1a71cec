"""Figures 3 to 8 and eq. 3 of Fournier & Inkpen (2012): small segmentations under S and 1-WD.

Fig. 5a: a text of 100 units, one boundary in the reference, found, and more and more false
positives beside it. How they lie is our reading: the hypothesis has segments of equal size, and the
reference has the first of its boundaries.
"""

import math
from functools import partial

from reproduction.published import (
    COUNT,
    FRACTION,
    Measure,
    OwnNumber,
    PublishedNumber,
    Run,
    printed,
)
from segscore.coding.segmentation import Segmentation
from segscore.metrics import SegmentationSimilarity, WindowDiff
from segscore.metrics.edit_distance import boundary_edits

WINDOW_DIFF = WindowDiff(rounding="half-up", k_offset=-1)
SIMILARITY = SegmentationSimilarity(cost="unit")

FIGURES = {
    "fig. 4": ((1, 2, 2, 3, 3, 1, 2), (1, 2, 1, 2, 6, 2)),
    "fig. 6": ((14,), (1,) * 14),
    "fig. 6, identical": ((14,), (14,)),
    "fig. 7": ((1, 2, 2, 2, 4, 2, 1), (1, 2, 8, 2, 1)),
    "fig. 8": ((6, 8), (7, 7)),
}


def one_minus_window_diff(first: Segmentation, second: Segmentation) -> float:
    """The share of windows that agree, with the paper's window."""
    return 1 - WINDOW_DIFF(first, second)


def transpositions(first: Segmentation, second: Segmentation) -> float:
    """The number of near misses between two segmentations."""
    return len(boundary_edits(first, second).transpositions)


def full_misses(first: Segmentation, second: Segmentation) -> float:
    """The number of boundaries that only one of two segmentations has."""
    return len(boundary_edits(first, second).additions)


def edits(first: Segmentation, second: Segmentation) -> float:
    """The number of edits of both kinds."""
    return transpositions(first, second) + full_misses(first, second)


def before_transposing(first: Segmentation, second: Segmentation) -> float:
    """Boundaries that only one of two segmentations has, no near misses allowed."""
    return len(boundary_edits(first, second, n_t=1).additions)


MEASURES = {
    "substitutions before transposing": Measure(before_transposing, {"fig. 4": 5}, COUNT),
    "edits": Measure(edits, {"fig. 4": 4}, COUNT),
    "transpositions": Measure(transpositions, {"fig. 4": 1}, COUNT),
    "full misses": Measure(full_misses, {"fig. 4": 3}, COUNT),
    "S": Measure(
        SIMILARITY,
        {
            "fig. 4": 0.6923,
            "fig. 6": 0,
            "fig. 6, identical": 1,
            "fig. 8": 0.9231,
        },
        printed(4),
        note="n_t = 2",
    ),
    "1-WD": Measure(
        one_minus_window_diff,
        {
            "fig. 4": 0.6154,
            "fig. 6": 0,
            "fig. 6, identical": 1,
            "fig. 7": 0.8462,
            "fig. 8": 0.8182,
        },
        printed(4),
        note="the paper's window of k units read as k-1 potential boundaries",
    ),
}


def cut_off_similarity(_run: Run) -> float:
    """S of fig. 7 with the digits after the fourth cut off, as it is printed."""
    exact = float(SIMILARITY(*map(Segmentation.from_masses, FIGURES["fig. 7"])))
    return math.floor(exact * 10**4) / 10**4


# ---- fig. 3: boundary strings ----

PRINTED_IN_FIGURE_3 = {"s1": (1, 3, 5, 8, 11, 12), "s2": (1, 3, 4, 6, 12)}


def place(which: str, number: int, _run: Run) -> float:
    """The position of a boundary of fig. 3, from the masses."""
    masses = dict(zip(PRINTED_IN_FIGURE_3, FIGURES["fig. 4"], strict=True))[which]
    return float(Segmentation.from_masses(masses).boundaries[number])


def places_of_figure_3(_run: Run) -> float:
    """Potential boundaries of the text of fig. 3."""
    return Segmentation.from_masses(FIGURES["fig. 4"][0]).n_units - 1


# ---- eq. 3 ----


def transposition_cost(distance: int, _run: Run) -> float:
    """The cost of eq. 3 for a boundary that is `distance` off, b = 2."""
    n = 2 * distance + 2
    first, second = (Segmentation.from_boundaries([at], n) for at in (1, 1 + distance))
    return boundary_edits(first, second, n_t=distance + 1).cost("halving")


# ---- figs. 5a and 5c ----

MASS = 100


def false_positives_until_worst(k: int, _run: Run) -> float:
    """The fewest false positives that make every window of fig. 5a wrong, k places in each."""
    metric = WindowDiff(k=k)
    return next(extra for extra in range(MASS - 1) if float(metric(*figure_5a(extra))) == 1)


def figure_5a(extra: int) -> tuple[Segmentation, Segmentation]:
    """The reference, and a hypothesis with `extra` false positives beside the match."""
    ends = [i * MASS // (extra + 2) for i in range(1, extra + 2)]
    return Segmentation.from_boundaries(ends[:1], MASS), Segmentation.from_boundaries(ends, MASS)


def figure_5c(mass: int) -> tuple[Segmentation, Segmentation]:
    """The segmentations of fig. 10: a quarter and the rest; two quarters and a half."""
    quarter = mass // 4
    first = Segmentation.from_masses([quarter, mass - quarter])
    return first, Segmentation.from_masses([quarter, quarter, mass - 2 * quarter])


def _window_diff_of_5c(metric: WindowDiff, _run: Run) -> float:
    return 1 - metric(*figure_5c(MASS))


def _similarity_of_5c(_run: Run) -> float:
    return float(SIMILARITY(*figure_5c(10**12)))


WITH_K_PLACES = (
    OwnNumber("fig. 5a, false positives with 25 places", partial(false_positives_until_worst, 25)),
    OwnNumber("fig. 5c, 1-WD with 25 places", partial(_window_diff_of_5c, WindowDiff())),
)

CELLS = [
    PublishedNumber(
        "fig. 7, S", 0.8461, cut_off_similarity, FRACTION, note="n_t = 2",
        slip="cut off where all other numbers are rounded",
    ),
    *(
        PublishedNumber(
            f"fig. 3, {which}, boundary {number + 1}", at, partial(place, which, number), COUNT
        )
        for which, positions in PRINTED_IN_FIGURE_3.items()
        for number, at in enumerate(positions)
    ),
    PublishedNumber("fig. 3, potential boundaries", 13, places_of_figure_3, COUNT),
    PublishedNumber("eq. 3, cost of a neighbour", 1, partial(transposition_cost, 1), FRACTION),
    PublishedNumber(
        "eq. 3, limit of the cost", 2, partial(transposition_cost, 60), FRACTION,
        note="at a distance of 60 units",
    ),
    PublishedNumber(
        "fig. 5a, 1-WD, false positives at its worst", 7, partial(false_positives_until_worst, 24),
        COUNT, note="24 places in a window; the false positives at equal distances",
    ),
    PublishedNumber(
        "fig. 5c, 1-WD", 0.68, partial(_window_diff_of_5c, WINDOW_DIFF), printed(2),
        note="at a mass of 100",
    ),
    PublishedNumber(
        "fig. 5c, limit of S", 1, _similarity_of_5c, FRACTION, note="at a mass of 10¹²"
    ),
]  # fmt: skip
