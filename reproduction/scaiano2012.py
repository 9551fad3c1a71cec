"""Martin Scaiano & Diana Inkpen (2012): Getting More from Segmentation Evaluation. NAACL 2012.

Tables 1 and 2: five hypotheses A-E for a text of two segments of six units, with "window size 3":
its edges are inclusive, so that a window holds four potential boundaries.

The boundaries of E are those by which the tests of segeval 1.0 transcribe it.

- Table 1 slides WindowDiff over all 13 edges of the twelve units, the start and the end of the text
  among them, and D has a boundary on the start. That is no segmentation, so this table is
  recomputed on bare lists of edges.
- Table 2 is WinPR; D's extra boundary stands behind the first unit (any place gives the same). The
  paper's eq. 5 would count two more windows, 52 places in all; the table has the right 44.

Sections 3.2 and 3.3: 40 segments with a mean of 40 units and a standard deviation of 10 to 120;
hypotheses with 20 boundaries more, or 18 fewer. With the windows of WinPR every boundary counts k
times, so that the places where they stand do not matter; here they are random. WindowDiff depends
on them: both numbers of section 3.3 come out if the sizes of segments have a standard deviation of
20 to 25 (ours 22, mean over random references and hypotheses). With segments of equal size 18
removed boundaries would give .228, with a deviation of 40 .203.
"""

from collections.abc import Callable, Collection
from functools import partial

import numpy as np

from reproduction.published import (
    COUNT,
    FRACTION,
    Erratum,
    OwnNumber,
    PublishedNumber,
    Run,
    printed,
    printed_table,
)
from segscore.coding.segmentation import Segmentation
from segscore.metrics import WinPR
from segscore.metrics.statistics import Score
from segscore.scoring.scoring import score
from segscore.simulate import baselines

# ---- table 1: bare edges 0 … 12 ----

N_EDGES = 13
WINDOW = 4  # edges
REFERENCE = {6}
EDGES = {"A": {6}, "B": set[int](), "C": {5}, "D": {0, 6}, "E": {5, 6, 7}}
PRINTED_IN_TABLE_1 = printed_table("scaiano2012_table_1")


def window_diff_on_edges(
    ref: Collection[int], hyp: Collection[int], n_edges: int, window: int
) -> float:
    """The share of windows of `window` edges in which the numbers of boundaries differ."""
    starts = range(n_edges - window + 1)
    spans = [range(start, start + window) for start in starts]
    differ = [sum(e in span for e in ref) != sum(e in span for e in hyp) for span in spans]
    return sum(differ) / len(spans)


def windows_on_edges(example: str, correct: bool, _run: Run) -> float:
    """The number of windows of an example that are correct, or not."""
    wrong = window_diff_on_edges(REFERENCE, EDGES[example], N_EDGES, WINDOW)
    windows = N_EDGES - WINDOW + 1
    return windows - windows * wrong if correct else windows * wrong


ON_EDGES = "windows slide over the start and the end of the text, where no boundary can be"
WINDOWS = [
    PublishedNumber(
        f"table 1, {example}, {windows}",
        row[windows],
        partial(windows_on_edges, example, windows == "windows correct"),
        FRACTION,
        slip=ON_EDGES,
    )
    for example, row in PRINTED_IN_TABLE_1.items()
    for windows in ("windows correct", "windows incorrect")
]


def _table_1(example: str) -> PublishedNumber:
    return PublishedNumber(
        item=f"table 1, {example}, WindowDiff",
        published=PRINTED_IN_TABLE_1[example]["WindowDiff"],
        compute=lambda _: window_diff_on_edges(REFERENCE, EDGES[example], N_EDGES, WINDOW),
        tolerance=FRACTION,
        slip=ON_EDGES,
    )


# ---- table 2: WinPR ----

N_UNITS = 12
BOUNDARIES = {**EDGES, "D": {1, 6}}
# B has no hypothesis boundary, and so no precision (WinP)
PRINTED_IN_TABLE_2 = printed_table("scaiano2012_table_2")
MISPRINT = ("C", "TN")


def winpr(example: str, n_units: int = N_UNITS, k: int | None = None) -> Score:
    """WinPR of an example, in a text of `n_units` units."""
    both = (REFERENCE, BOUNDARIES[example])
    ref, hyp = (Segmentation.from_boundaries(sorted(boundaries), n_units) for boundaries in both)
    return WinPR(k=k)(ref, hyp)


def winpr_count(example: str, count: str) -> float:
    """A cell of the confusion matrix of an example, in raw counts."""
    return float(winpr(example).raw[count])


def _table_2(example: str, count: str) -> PublishedNumber:
    misprint = (example, count) == MISPRINT
    return PublishedNumber(
        item=f"table 2, {example}, {count}",
        published=PRINTED_IN_TABLE_2[example][count],
        compute=lambda _: winpr_count(example, count.lower()),
        tolerance=COUNT,
        note="a misprint: the four numbers of a row must add up to 44" if misprint else "",
        holds=not misprint,
    )


def winpr_rate(example: str, rate: str, _run: Run) -> float:
    """Precision or recall of an example."""
    return float(winpr(example).parts[rate])


RATES = [
    PublishedNumber(
        f"table 2, {example}, {name}", row[name], partial(winpr_rate, example, rate), printed(2)
    )
    for example, row in PRINTED_IN_TABLE_2.items()
    for name, rate in (("WinP", "precision"), ("WinR", "recall"))
    if name in row
]

# ---- sections 3.2 and 3.3 ----

N_SEGMENTS = 40
MEAN_SIZE = 40
DEVIATIONS = (10, 40, 120)
DRAWS = 500  # of references and hypotheses, for WindowDiff
EXTRA, REMOVED = 20, 18
PRINTED_IN_3_3 = {
    "20 extra": {"precision": 0.66, "recall": 1.0},
    "18 removed": {"precision": 1.0, "recall": 0.54},
}


def with_extra(ref: Segmentation, chance: np.random.Generator) -> Segmentation:
    """The reference and `EXTRA` more boundaries, anywhere."""
    free = np.setdiff1d(np.arange(1, ref.n_units), ref.boundaries)
    more = chance.choice(free, EXTRA, replace=False)
    return Segmentation.from_boundaries([*ref.boundaries, *more], ref.n_units)


def with_removed(ref: Segmentation, chance: np.random.Generator) -> Segmentation:
    """The reference without `REMOVED` of its boundaries."""
    kept = chance.choice(ref.boundaries, len(ref.boundaries) - REMOVED, replace=False)
    return Segmentation.from_boundaries(kept, ref.n_units)


HYPOTHESES: dict[str, Callable[[Segmentation, np.random.Generator], Segmentation]] = {
    "20 extra": with_extra,
    "18 removed": with_removed,
}


def simulated(name: str, seed: int = 0) -> Score:
    """WinPR of a hypothesis against a random reference."""
    chance = np.random.default_rng(seed)
    ref = baselines.random(N_SEGMENTS * MEAN_SIZE, n_segments=N_SEGMENTS, seed=chance)
    return WinPR()(ref, HYPOTHESES[name](ref, chance))


def _part(name: str, part: str, _run: Run) -> float:
    return float(simulated(name).parts[part])


def with_deviation(deviation: float, chance: np.random.Generator) -> Segmentation:
    """Segments whose sizes have this standard deviation: gamma-distributed, one unit at least."""
    shape = (MEAN_SIZE / deviation) ** 2
    sizes = chance.gamma(shape, MEAN_SIZE / shape, N_SEGMENTS)
    return Segmentation.from_masses(np.maximum(1, sizes.round()).astype(int).tolist())


def times_counted(name: str, deviation: float, _run: Run) -> float:
    """Errors in the windows of WinPR, divided by k: the number of boundaries behind them."""
    chance = np.random.default_rng(DEVIATIONS.index(deviation))
    ref = with_deviation(deviation, chance)
    found = WinPR()(ref, HYPOTHESES[name](ref, chance))
    return float((found.raw["fp"] + found.raw["fn"]) / found.k)


def window_diff(name: str, deviation: float, _run: Run) -> float:
    """WindowDiff with sizes of this deviation, mean over references and hypotheses."""
    chance = np.random.default_rng(0)
    refs = [with_deviation(deviation, chance) for _ in range(DRAWS)]
    hyps = [HYPOTHESES[name](ref, chance) for ref in refs]
    return float(score(refs, hyps, "windowdiff")["windowdiff"].macro)


PRINTED_WINDOW_DIFF = {"20 extra": 0.22, "18 removed": 0.22}
IN_3_3 = 22  # sd of sizes
SECTION_3 = [
    *(
        PublishedNumber(
            f"section 3.2, sd {deviation}, {name}: errors counted",
            number,
            partial(times_counted, name, deviation),
            FRACTION,
            note="in units of k: every false positive or negative counts k times",
            source="derived claim",
        )
        for deviation in DEVIATIONS
        for name, number in (("20 extra", EXTRA), ("18 removed", REMOVED))
    ),
    *(
        PublishedNumber(
            f"section 3.3, {name}, WindowDiff",
            value,
            partial(window_diff, name, IN_3_3),
            printed(2),
            slip=f"a reading picked because it fits: sizes with a standard deviation of {IN_3_3}; "
            "the paper has 10 to 120",
        )
        for name, value in PRINTED_WINDOW_DIFF.items()
    ),
]

CELLS = [
    *map(_table_1, EDGES),
    *WINDOWS,
    *(
        _table_2(example, count)
        for example in PRINTED_IN_TABLE_2
        for count in ("TP", "TN", "FP", "FN")
    ),
    *RATES,
    *SECTION_3,
    *(
        PublishedNumber(
            f"section 3.3, {name}, {part}",
            value,
            partial(_part, name, part),
            printed(2),
            "boundaries at random places, on which the number does not depend",
        )
        for name, row in PRINTED_IN_3_3.items()
        for part, value in row.items()
    ),
]


# ---- errata ----


def _total(example: str, n_units: int, _run: Run) -> float:
    """The sum of the matrix of an example, in a text of `n_units` units."""
    return float(sum(winpr(example, n_units, k=WINDOW).raw.values()))


def _with_window_of_three(_run: Run) -> float:
    return float(winpr("A", k=3).raw["tp"])


def _divided_by(windows: int, run: Run) -> float:
    """WindowDiff of example C if its errors are divided by another number of windows."""
    return windows_on_edges("C", False, run) / windows


MISSING = [
    "Fig. 1 (window 5, 8 windows, 3 of which hold a boundary): where its boundaries lie cannot be "
    "read.",
]

ERRATA = [
    Erratum(
        "Eq. 2 and 3",
        "The sums have N-k+1 terms and are divided by N-k. Table 1 divides by N-k+1 = 10.",
        cells=("table 1, *, windows *",),
        findings=(
            OwnNumber("WindowDiff of C, divided by N-k+1", partial(_divided_by, 10)),
            OwnNumber("divided by N-k, as eq. 3 is printed", partial(_divided_by, 9)),
        ),
    ),
    Erratum(
        "The window of tables 1 and 2",
        "The text has a window of 3. All counts of table 2 that one boundary makes are 4.",
        "The window's edges are inclusive: it holds 4 potential boundaries.",
        ("table 2, *",),
        (OwnNumber("true positives of A with a window of 3", _with_window_of_three),),
    ),
    Erratum(
        "Table 2, example C",
        "It prints 40 true negatives. Each row must add up to the same number of places, and C has "
        "one false positive and one false negative: 39.",
        cells=("table 2, C, *",),
        findings=(OwnNumber("places that a row adds up to", partial(_total, "C", N_UNITS)),),
    ),
    Erratum(
        "Eq. 5",
        "Its bounds count N+1 edges in place of the N-1 between units: two windows too many on "
        "either side together, and true negatives that no row of table 2 has.",
        cells=("table 2, *, TN",),
        findings=(OwnNumber("places by eq. 5", partial(_total, "A", N_UNITS + 2)),),
    ),
    Erratum(
        "Table 1",
        "WindowDiff slides over the start and the end of the text as if boundaries could be there, "
        "and the extra boundary of D is there. Between units no such segmentation exists.",
        cells=("table 1, *",),
    ),
]
