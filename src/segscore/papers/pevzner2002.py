"""Lev Pevzner & Marti A. Hearst (2002): A Critique and Improvement of an Evaluation Metric for Text
Segmentation. Computational Linguistics 28 (1).

Section 4: references of 1000 segments, their sizes uniform between two numbers with a mean of 25;
100 hypotheses of each that miss boundaries (FN), have some too many (FP), or both (FNP), each with
probability p; ten trials (here twenty). Pk, Pk′ (false positives twice) and WindowDiff, mean over
all.

- Table 1 (p = .5, four ranges of sizes) comes out if the upper end of a range is left out, so that
  the mean is 24.5 and k = 12.
- Table 2 has p = .05 and .25. Its numbers are not before us: `table_2` computes it, without cells.
- Table 3 (p = .5; sizes 15 to 35, for its FN, FP1 and FNP1 are those of table 1 for that range)
  has three kinds of false positives.
  - FP3, anywhere in the document: at each place with the same probability. Then FP3 comes out
    within .0003 in all three columns, which is why this reading was picked, of five. Drawn
    among the places without a boundary it would be .116 .232 .219; as so many places drawn with
    replacement, .111 .222 .209.
  - FP2, normal around boundaries with a standard deviation of a quarter of the segment: read as one
    for each boundary, on either side (offset 0 drawn again), WindowDiff is .239 for the .236
    printed, and .337 for .341. Read as one for each segment, inside it, near its start or its end,
    with quarter and distance in whole numbers (0 drawn again), it is .236 and .341, and Pk and Pk′
    are .092 .183 and .265 .356. The cells take this reading. It was picked among 19 (rounding,
    whose quarter, which side) because it fits these very numbers, so that their agreement is a fit
    and no evidence; several others, such as a quarter of the mean segment, fit nearly as well.
  - FNP2's Pk, .267, and Pk′, .354, do not go together: they differ by the false-positive windows,
    which do not depend on misses and are .091 (FP2's Pk). .354 - .091 = .263; ours is .265. The
    other rows keep this rule: FNP1 .431 - .308 = .123, FNP3 .416 - .304 = .112.
  - FNP3's WindowDiff, .363, is not met: .358. It exceeds Pk where a window holds boundaries on both
    sides, but not as many: half of what FP3 has, .211 - .112 = .099 (the boundary is there in half
    of the hypotheses), and .006 for missed boundaries with two false positives. So it should be
    .056 above Pk, .360 at most. (FNP1 keeps this rule: half of .118 and .002 make .061, and .370 -
    .308 = .062.) Were false positives kept from places where the reference has a boundary, it would
    be .361, and Pk and Pk′ .307 and .418 for .304 and .416.

How much of this is luck: with six other sets of seeds, FNP2's Pk misses in 6, FNP3's WindowDiff in
5, FNP2's Pk′ in 1 (where the tolerance is widened by the odd trial with another k, they come within
it), and none of the other 54 numbers in any. With ten trials instead of twenty the spread between
trials is known so badly that one to five numbers miss.
"""

from collections.abc import Callable
from functools import partial

from segscore.arguments import Floats
from segscore.metrics import Metric, Pk, WindowDiff
from segscore.papers.errata import Erratum
from segscore.papers.published import PublishedNumber, Run, Tolerance
from segscore.papers.simulations import Simulation, between_runs
from segscore.papers.unchecked import Unchecked
from segscore.simulate import Errors, UniformSizes
from segscore.tables import Column, Table

Range = tuple[int, int]

N_SEGMENTS, HYPOTHESES = 1000, 100
THEIR_TRIALS, TRIALS = 10, 20  # more of ours, to know the luck of theirs better
MEASURES: dict[str, Metric] = {"Pk": Pk(), "Pk′": Pk(fp_weight=2), "WD": WindowDiff()}
DECIMALS = 3

PRINTED_IN_TABLE_1: dict[Range, dict[str, tuple[float, float, float]]] = {
    (20, 30): {
        "FN": (0.245, 0.245, 0.245),
        "FP": (0.128, 0.256, 0.240),
        "FNP": (0.317, 0.446, 0.376),
    },
    (15, 35): {
        "FN": (0.245, 0.245, 0.245),
        "FP": (0.122, 0.245, 0.241),
        "FNP": (0.309, 0.432, 0.370),
    },
    (10, 40): {
        "FN": (0.240, 0.240, 0.242),
        "FP": (0.112, 0.225, 0.238),
        "FNP": (0.290, 0.403, 0.357),
    },
    (5, 45): {
        "FN": (0.223, 0.223, 0.237),
        "FP": (0.107, 0.213, 0.236),
        "FNP": (0.268, 0.375, 0.343),
    },
}
RANGE_OF_TABLE_3: Range = (15, 35)
PRINTED_IN_TABLE_3: dict[str, tuple[float, float, float]] = {
    "FN": (0.245, 0.245, 0.245),
    "FP1": (0.122, 0.244, 0.240),
    "FP2": (0.091, 0.182, 0.236),
    "FP3": (0.112, 0.224, 0.211),
    "FNP1": (0.308, 0.431, 0.370),
    "FNP2": (0.267, 0.354, 0.341),
    "FNP3": (0.304, 0.416, 0.363),
}
NOT_MET = {
    ("FNP2", "Pk"): "Pk′ less the false-positive windows, which FP2's Pk counts, is .263: perhaps "
    "a misprint",
    ("FNP2", "Pk′"): "by a little: with other seeds it mostly comes within the tolerance",
    ("FNP3", "WD"): "no reading of FP3 gives it: by the other numbers of the table it should be "
    "about .056 above Pk, and .360 at most",
}

ERRORS: dict[str, Callable[[float], Errors]] = {
    "FN": lambda p: Errors(misses=p),
    "FP": lambda p: Errors(false_positives=p),
    "FP1": lambda p: Errors(false_positives=p),
    "FP2": lambda p: Errors(false_positives=p, placement="ends"),
    "FP3": lambda p: Errors(false_positives=p, placement="document"),
    "FNP": lambda p: Errors(misses=p, false_positives=p),
    "FNP1": lambda p: Errors(misses=p, false_positives=p),
    "FNP2": lambda p: Errors(misses=p, false_positives=p, placement="ends"),
    "FNP3": lambda p: Errors(misses=p, false_positives=p, placement="document"),
}


def trial_means(sizes: Range, kind: str, p: float, seed: int) -> dict[str, Floats]:
    """The mean of each trial under each measure."""
    errors = ERRORS[kind](p)
    made = Simulation(UniformSizes(*sizes), N_SEGMENTS, errors, TRIALS, HYPOTHESES, seed)
    values = made.values(list(MEASURES.values()))
    return {name: values[metric].mean(axis=1) for name, metric in MEASURES.items()}


def table_2(p: float) -> dict[tuple[Range, str], dict[str, float]]:
    """Table 1 with another probability (the paper's table 2: .05 and .25)."""
    rows = [(sizes, kind) for sizes, kinds in PRINTED_IN_TABLE_1.items() for kind in kinds]
    return {
        row: {name: float(means.mean()) for name, means in trial_means(*row, p, seed).items()}
        for seed, row in enumerate(rows)
    }


# ---- cells ----

P = 0.5
Means = Callable[[Run], dict[str, Floats]]


def _made(sizes: Range, kind: str, seed: int) -> Means:
    """A function of its own for each row, so that a run computes the row once."""
    return lambda run: trial_means(sizes, kind, P, seed)  # noqa: ARG005


def _mean(means: Means, measure: str, run: Run) -> float:
    return float(run.shared(means)[measure].mean())


def _tolerance(means: Means, measure: str, published: float, run: Run) -> Tolerance:
    return between_runs(published, DECIMALS, run.shared(means)[measure], THEIR_TRIALS)


def _row(item: str, kind: str, means: Means, published: tuple[float, ...]) -> list[PublishedNumber]:
    return [
        PublishedNumber(
            item=f"{item}, {measure}",
            published=value,
            compute=partial(_mean, means, measure),
            tolerance=partial(_tolerance, means, measure, value),
            note=NOT_MET.get((kind, measure), ""),
            holds=(kind, measure) not in NOT_MET,
        )
        for measure, value in zip(MEASURES, published, strict=True)
    ]


def _cells() -> list[PublishedNumber]:
    cells: list[PublishedNumber] = []
    for sizes, kinds in PRINTED_IN_TABLE_1.items():
        for kind, published in kinds.items():
            means = _made(sizes, kind, seed=len(cells))
            cells += _row(f"table 1, ({sizes[0]}, {sizes[1]}), {kind}", kind, means, published)
    for kind, published in PRINTED_IN_TABLE_3.items():
        means = _made(RANGE_OF_TABLE_3, kind, seed=len(cells))
        cells += _row(f"table 3, {kind}", kind, means, published)
    return cells


CELLS = _cells()

ERRATA = [
    Erratum(
        "Section 4, the sizes of segments",
        "They are said to lie between two numbers, with a mean of 25. The tables come out if the "
        "upper one is left out, so that the mean is 24.5.",
        ("table 1, *", "table 3, *"),
    ),
    Erratum(
        "Table 3, FNP2",
        "Pk′ counts windows with a false positive twice, so that it exceeds Pk by the share of "
        "these windows, whatever is missed: by Pk of FP2, .091. The row has .354 and .267.",
        ("table 3, FNP2, *", "table 3, FP2, *"),
    ),
    Erratum(
        "Table 3, FNP3",
        "WindowDiff does not come out, under any reading of a false positive anywhere in the "
        "document under which the other numbers of the row and of FP3 do.",
        ("table 3, FNP3, *", "table 3, FP3, *"),
    ),
]


# ---- table 2, which is not before us ----


def table_2_shown(run: Run) -> Table:
    """All rows for both probabilities."""
    del run
    columns = [Column("p"), Column("sizes"), Column("errors")]
    columns += [Column(measure, digits=3) for measure in MEASURES]
    rows = [
        [p, f"({sizes[0]}, {sizes[1]})", kind, *means.values()]
        for p in (0.05, 0.25)
        for (sizes, kind), means in table_2(p).items()
    ]
    return Table(columns, rows)


UNCHECKED = [
    Unchecked("table 2", f"Means of {TRIALS} trials, as for table 1.", table_2_shown),
]
