"""Segmenters on The Moonstone: what Kazantseva & Szpakowicz (2012) and Fournier (2013, table 2)
compare, run again; and the part of docs/reproduction.md on them.

Their outputs are not available. Ours are runs of our own segmenters, on paragraphs, with parameters
tuned by WindowDiff on chapters 1-4; the other sixteen are the test. BayesSeg and MinCutSeg are told
the mean number of segments of the coders, as is Random, whose boundaries lie anywhere; APS decides
for itself. So values need not be those in print, and only the order of systems is compared.

- Human, as in Fournier's table 2, is one coder of a chapter against all of its codings, also their
  own; the expectation over coders. Random is the mean over draws.
- Fournier's table counts two matches too many in each coding (`fournier2013_table_2`); `extra=2`
  repeats that. APS places the fewest boundaries, and gains most from it.

On the page our runs stand beside what both papers print in their tables 2; the printed numbers are
shown there and take part in nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from segscore.coders.support import consensus
from segscore.coding.segmentation import Segmentation
from segscore.comparison import compare
from segscore.corpus.corpus import Corpus
from segscore.metrics import BoundarySimilarity, MultiWindowDiff, WindowDiff
from segscore.metrics.ratios import precision_recall_f
from segscore.pairing.consensus_rule import AtLeast
from segscore.papers.corpora import moonstone, moonstone_paragraphs
from segscore.papers.fournier2013_table_2 import ENDS, EXTRA, NOT_TESTED, row_from_print
from segscore.papers.fournier2013_table_2 import PRINTED as TABLE_2
from segscore.papers.published import COUNT, OwnNumber, PublishedNumber, Run, printed_table
from segscore.scoring.scoring import score
from segscore.segmenters.benchmarking import Exam
from segscore.segmenters.tuning import Trial, tune
from segscore.segmenters.workers import Task, segment_all
from segscore.simulate import baselines
from segscore.tables import Column, Table

NEEDS = ("moonstone", "moonstone/text")
METHODS = {"BayesSeg": "bayesseg", "APS": "aps", "MinCutSeg": "mincutseg"}
N_DRAWS = 50  # of Random

Output = Mapping[str, Segmentation]  # by chapter


# The chapters for the test, and the output of each system: several runs of Random.
Systems = tuple[Corpus, Mapping[str, Sequence[Output]]]


def _corpus(run: Run, tested: bool) -> Corpus:
    texts = run.shared(moonstone_paragraphs)
    codings = {
        str(chapter): one
        for chapter, one in run.shared(moonstone).items()
        if (chapter not in NOT_TESTED) == tested
    }
    units = {chapter: texts[int(chapter)] for chapter in codings}
    return Corpus.from_dict(codings, coders="local", units=units)


def tuned(run: Run) -> dict[str, Trial]:
    """The best setting of each segmenter on the chapters for development, by WindowDiff."""
    return _tuned(run, "windowdiff")


def systems(run: Run) -> Systems:
    """All systems on the chapters for the test."""
    return _systems(run, run.shared(tuned))


def systems_otherwise(run: Run) -> Systems:
    """All systems with parameters tuned by multWinDiff, to see what depends on that."""
    return _systems(run, _tuned(run, "multwindowdiff"))


def _tuned(run: Run, metric: str) -> dict[str, Trial]:
    aside = _corpus(run, tested=False)
    return {
        name: tune(
            aside, method, metric, n_segments=None if method == "aps" else "reference", workers=1
        ).best
        for name, method in METHODS.items()
    }


def _systems(run: Run, settings: Mapping[str, Trial]) -> Systems:
    chapters = _corpus(run, tested=True)
    tasks = Exam.of(chapters, None, "reference", in_words=False).tasks
    alone = [Task(one.document, one.units, None) for one in tasks]
    runs: dict[str, list[Output]] = {}
    for name, trial in settings.items():
        done = segment_all(trial.segmenter, alone if name == "APS" else tasks, workers=1)
        runs[name] = [{one.document: one.segmentation for one in done}]
    seeds = np.random.default_rng(0).spawn(N_DRAWS)
    runs["Random"] = [
        {
            one.document: baselines.random(len(one.units), n_segments=one.n_segments, seed=seed)
            for one in tasks
        }
        for seed in seeds
    ]
    return chapters, runs


# ---- B, and precision and recall from its confusion matrix ----


def boundaries(
    run: Run, name: str, extra: int = 0, of: Callable[[Run], Systems] = systems
) -> dict[str, float]:
    """B and its rates over all codings of the chapters, with `extra` more matches in each.

    By the columns of Fournier's table 2.
    """
    chapters, runs = run.shared(of)
    metric = BoundarySimilarity()
    pairs: list[tuple[Segmentation, Segmentation]] = []
    weights: list[float] = []
    for chapter, codings in chapters.items():
        everyone = list(codings.values())
        found = everyone if name == "Human" else [one[chapter] for one in runs[name]]
        pairs += [(ref, hyp) for hyp in found for ref in everyone]
        weights += [1 / len(found)] * (len(found) * len(everyone))
    refs, hyps = zip(*pairs, strict=True)
    rows = score(refs, hyps, metric)[metric].statistics
    sums = dict(zip(rows.names, np.array(weights) @ rows.rows, strict=True))
    always = extra * sum(map(len, chapters.values()))
    rates = precision_recall_f(sums["tp"] + always, sums["fp"], sums["fn"])
    b = (sums["correctness"] + always) / (sums["pairs"] + always)
    return dict(zip(("B", "B-P", "B-R", "B-F1"), map(float, (b, *rates)), strict=True))


# ---- window metrics ----


def mult_window_diff(run: Run, name: str) -> float:
    """MultWinDiff over the chapters, each with all its codings; mean over runs."""
    chapters, runs = run.shared(systems)
    refs = {chapter: list(codings.values()) for chapter, codings in chapters.items()}
    metric = MultiWindowDiff()
    return float(np.mean([score(refs, one, metric)[metric].micro for one in runs[name]]))


def window_diff(run: Run, name: str, at_least: AtLeast) -> float:
    """WindowDiff against what at least this share of coders marks: mean over chapters and runs."""
    chapters, runs = run.shared(systems)
    refs = {chapter: consensus(codings, at_least) for chapter, codings in chapters.items()}
    metric = WindowDiff()
    return float(np.mean([score(refs, one, metric)[metric].macro for one in runs[name]]))


# ---- the order of systems ----


def rank_by_b(run: Run, name: str, extra: int) -> float:
    """Where a system stands among the five; the highest B is first."""
    everyone = ("Human", "Random", *METHODS)
    own = boundaries(run, name, extra)["B"]
    return 1 + sum(boundaries(run, other, extra)["B"] > own for other in everyone)


def rank_by_mult_window_diff(run: Run, name: str) -> float:
    """Where a segmenter stands among the three; the lowest multWinDiff is first."""
    own = mult_window_diff(run, name)
    return 1 + sum(mult_window_diff(run, other) < own for other in METHODS)


OURS = "runs of our own segmenters: the papers' outputs are not available"
CLOSE = f"{OURS}; our BayesSeg and APS differ by .01, and sixteen chapters cannot tell that apart"

KAZANTSEVA_2012 = [
    PublishedNumber(
        f"own runs, rank of {name} by multWinDiff",
        rank,
        partial(rank_by_mult_window_diff, name=name),
        COUNT,
        CLOSE if name in ("APS", "BayesSeg") else OURS,
        NEEDS,
        holds=name == "MinCutSeg",
        source="own runs",
    )
    for name, rank in {"APS": 1, "BayesSeg": 2, "MinCutSeg": 3}.items()
]
FOURNIER_2013 = [
    PublishedNumber(
        f"own runs, rank of {name} by B",
        rank,
        partial(rank_by_b, name=name, extra=EXTRA),
        COUNT,
        OURS,
        NEEDS,
        ENDS,
        source="own runs",
    )
    for name, rank in {"Human": 1, "BayesSeg": 2, "APS": 3, "Random": 4, "MinCutSeg": 5}.items()
]
WITHOUT_EXTRA = tuple(
    OwnNumber(
        f"rank of {name} by B without the two, in runs of our own",
        partial(rank_by_b, name=name, extra=0),
        NEEDS,
    )
    for name in ("APS", "Random")
)


# ---- docs/reproduction.md ----


PRINTED_BY_KAZANTSEVA = printed_table("kazantseva2012_table_2")
RUNS_COMPARED = 10  # of Random, in the table with intervals
METRICS = ("multwindowdiff", "windowdiff", "s", "b")

_AS_PRINTED = {"MinCutSeg": "MinCut"}  # table 2 of Fournier (2013) abbreviates
PRINTED_ROWS = {
    name: TABLE_2[_AS_PRINTED.get(name, name)]
    for name in ("Human", "BayesSeg", "APS", "Random", "MinCutSeg")
}
PRINTED_B = {name: row["B"] for name, row in PRINTED_ROWS.items()}
PRINTED_MULT = PRINTED_BY_KAZANTSEVA["multWinDiff"]
WINDOW_ROWS = {"≥ 50 %": "WD, at least 50 %", "≥ 30 %": "WD, at least 30 %", "anyone": "WD, union"}
CONSTRUCTED: dict[str, AtLeast] = {
    "≥ 50 %": 0.5, "≥ 30 %": 0.3, "anyone": "union", "majority": "majority",
}  # fmt: skip

_HEAD = """\
The outputs that the papers scored are not available. These are runs of our own segmenters on the
sixteen chapters, with parameters tuned by WindowDiff on chapters 1-4:
{settings}.
Units are paragraphs. BayesSeg, MinCutSeg and Random are told the mean number of segments of the
coders, APS decides for itself. Values need not be those in print; what can be compared is the
order.
"""


def section(run: Run) -> str:
    """The whole part, or a sentence that the data is missing."""
    if not all(map(run.has, NEEDS)):
        return "The data is not at hand.\n"
    settings = ", ".join(f"`{one.spec}`" for one in run.shared(tuned).values())
    return "\n".join(
        [
            _HEAD.format(settings=settings),
            "Against each coder, with intervals and tests (human: a coder against the others):\n",
            _comparison(run),
            f"Boundary similarity, over all codings, plain and with the {EXTRA} matches too many "
            "in each coding that table 2 of Fournier (2013) has; there Human is compared with "
            "their own coding, too:\n",
            _boundary_table(run),
            "multWinDiff, and WindowDiff against references of boundaries that so many coders mark "
            "(mean over chapters; Kazantseva & Szpakowicz 2012, table 2):\n",
            _window_table(run),
            *_orders(run),
            "",
        ]
    )


SECTIONS = {"Segmenters on The Moonstone": section}


def corrected_b(run: Run) -> dict[str, float]:
    """The printed B without the matches too many, from the printed counts."""
    return {
        name: row_from_print(_AS_PRINTED.get(name, name), run, extra=0)["B"] for name in PRINTED_B
    }


def _comparison(run: Run) -> str:
    chapters, runs = run.shared(systems)
    comparison = compare(
        chapters,
        systems={name: list(one[:RUNS_COMPARED]) for name, one in runs.items()},
        metrics=METRICS,
        baselines=(),
        human=True,
    )
    table = comparison.to_table()
    return replace(table, title=None).render("markdown")


def _boundary_table(run: Run) -> str:
    columns = ["system", "B", "printed, corrected", f"B with {EXTRA} more", "printed"]
    for rate in ("precision", "recall", "F1"):
        columns += [f"{rate} with {EXTRA} more", "printed"]
    rows = []
    for name in PRINTED_B:
        plain, more = boundaries(run, name)["B"], boundaries(run, name, EXTRA)
        row: list[object] = [name, plain, corrected_b(run)[name]]
        for column, ours in more.items():
            row += [ours, PRINTED_ROWS[name][column]]
        rows.append(row)
    keys = [f"{index}" for index in range(len(columns))]
    named = [Column(name, key=key) for name, key in zip(columns, keys, strict=True)]
    return Table(named, rows).render("markdown")


def _window_table(run: Run) -> str:
    columns = [Column("system"), Column("multWinDiff", digits=3), Column("printed", digits=2)]
    for name in CONSTRUCTED:
        columns.append(Column(f"WD, {name}", digits=3))
        if name in WINDOW_ROWS:
            columns.append(Column("printed", key=f"printed, {name}", digits=2))
    rows = []
    for name in (*METHODS, "Random"):
        row: list[object] = [name, mult_window_diff(run, name), PRINTED_MULT[name]]
        for reference, at_least in CONSTRUCTED.items():
            row.append(window_diff(run, name, at_least))
            if reference in WINDOW_ROWS:
                row.append(PRINTED_BY_KAZANTSEVA[WINDOW_ROWS[reference]][name])
        rows.append(row)
    return Table(columns, rows).render("markdown")


def _orders(run: Run) -> list[str]:
    """From best to worst, ours and in print, and whether they are the same."""

    def b(extra: int, of: Callable[[Run], Systems] = systems) -> dict[str, float]:
        return {name: boundaries(run, name, extra, of)["B"] for name in PRINTED_B}

    ours = {name: -mult_window_diff(run, name) for name in METHODS}
    theirs = {name: -PRINTED_MULT[name] for name in METHODS}
    corrected = corrected_b(run)
    return [
        _order("B", b(0), corrected, "in print, corrected"),
        _order(f"B with {EXTRA} more", b(EXTRA), PRINTED_B, "in print"),
        _order("multWinDiff", ours, theirs, "in print"),
        _order(
            "B, parameters tuned by multWinDiff",
            b(0, systems_otherwise),
            corrected,
            "in print, corrected",
        ),
    ]


def _order(what: str, ours: Mapping[str, float], theirs: Mapping[str, float], where: str) -> str:
    first, second = (", ".join(sorted(one, key=lambda name: -one[name])) for one in (ours, theirs))
    verdict = "the same" if first == second else f"**not the same** {where}: {second}"
    return f"- Order by {what}: {first}; {verdict}{f' {where}' if first == second else ''}."
