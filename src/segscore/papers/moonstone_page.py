"""The part of docs/reproduction.md on segmenters: our runs on The Moonstone beside what is printed.

Printed numbers are those of Kazantseva & Szpakowicz (2012), table 2, and Fournier (2013), table 2;
they are shown here and take part in nothing.
"""

from collections.abc import Callable, Mapping

from segscore.coders.consensus import AtLeast
from segscore.comparison import compare
from segscore.papers.fournier2013_table_2 import EXTRA
from segscore.papers.moonstone_segmenters import (
    METHODS,
    NEEDS,
    Systems,
    boundaries,
    mult_window_diff,
    systems,
    systems_otherwise,
    tuned,
    window_diff,
)
from segscore.papers.published import Run
from segscore.tables import Column, Table

RUNS_COMPARED = 10  # of Random, in the table with intervals
METRICS = ("multwindowdiff", "windowdiff", "s", "b")

PRINTED_B = {
    "Human": 0.5285, "BayesSeg": 0.3745, "APS": 0.2873, "Random": 0.264, "MinCutSeg": 0.2468,
}  # fmt: skip
CORRECTED_B = {  # without two matches in each coding
    "Human": 0.400, "BayesSeg": 0.231, "Random": 0.113, "APS": 0.057, "MinCutSeg": 0.051,
}  # fmt: skip
PRINTED_RATES = {  # precision, recall, F1
    "BayesSeg": (0.5247, 0.6224, 0.5694),
    "APS": (0.6773, 0.3403, 0.4530),
    "MinCutSeg": (None, None, 0.4041),
    "Random": (0.3991, None, None),
}
PRINTED_MULT = {"APS": 0.23, "BayesSeg": 0.28, "MinCutSeg": 0.31}
PRINTED_WD = {"APS": ".60 to .66", "MinCutSeg": ".63 to .74"}
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
    """The whole part, or a word that the data is missing."""
    if not all(map(run.has, NEEDS)):
        return "The data is not at hand.\n"
    settings = ", ".join(f"`{one.spec}`" for one in run.shared(tuned).values())
    return "\n".join(
        [
            _HEAD.format(settings=settings),
            "Against each coder, with intervals and tests (human: a coder against the others):\n",
            _comparison(run),
            f"Boundary similarity, over all codings, plain and with the {EXTRA} matches too many "
            "in each coding that table 2 of Fournier (2013) has; there Human meets his own coding, "
            "too:\n",
            _boundary_table(run),
            "multWinDiff, and WindowDiff against references made of what so many coders mark (mean "
            "over chapters; Kazantseva & Szpakowicz 2012, table 2):\n",
            _window_table(run),
            *_orders(run),
            "",
        ]
    )


def _comparison(run: Run) -> str:
    chapters, runs = run.shared(systems)
    made = compare(
        chapters,
        systems={name: list(one[:RUNS_COMPARED]) for name, one in runs.items()},
        metrics=METRICS,
        baselines=(),
        human=True,
    )
    table = made.to_table()
    return Table(table.columns, table.rows, table.footnotes).render("markdown")


def _boundary_table(run: Run) -> str:
    columns = ["system", "B", "printed, corrected", f"B with {EXTRA} more", "printed"]
    for rate in ("precision", "recall", "F1"):
        columns += [f"{rate} with {EXTRA} more", "printed"]
    rows = []
    for name, printed in PRINTED_B.items():
        plain, more = boundaries(run, name), boundaries(run, name, EXTRA)
        row = [name, plain.b, CORRECTED_B[name], more.b, printed]
        for ours, theirs in zip(more[1:], PRINTED_RATES.get(name, (None,) * 3), strict=True):
            row += [ours, theirs]
        rows.append(row)
    keys = [f"{index}" for index in range(len(columns))]
    made = [Column(name, key=key) for name, key in zip(columns, keys, strict=True)]
    return Table(made, rows).render("markdown")


def _window_table(run: Run) -> str:
    columns = [Column("system"), Column("multWinDiff", digits=3), Column("printed", digits=2)]
    columns += [Column(f"WD, {name}", digits=3) for name in CONSTRUCTED]
    columns.append(Column("WD, printed"))
    rows = [
        [
            name,
            mult_window_diff(run, name),
            PRINTED_MULT.get(name),
            *(window_diff(run, name, at_least) for at_least in CONSTRUCTED.values()),
            PRINTED_WD.get(name),
        ]
        for name in (*METHODS, "Random")
    ]
    return Table(columns, rows).render("markdown")


def _orders(run: Run) -> list[str]:
    """From best to worst, ours and in print, and whether they are the same."""

    def b(extra: int, of: Callable[[Run], Systems] = systems) -> dict[str, float]:
        return {name: boundaries(run, name, extra, of).b for name in PRINTED_B}

    ours = {name: -mult_window_diff(run, name) for name in METHODS}
    theirs = {name: -value for name, value in PRINTED_MULT.items()}
    return [
        _order("B", b(0), CORRECTED_B, "in print, corrected"),
        _order(f"B with {EXTRA} more", b(EXTRA), PRINTED_B, "in print"),
        _order("multWinDiff", ours, theirs, "in print"),
        _order(
            "B, parameters tuned by multWinDiff",
            b(0, systems_otherwise),
            CORRECTED_B,
            "in print, corrected",
        ),
    ]


def _order(what: str, ours: Mapping[str, float], theirs: Mapping[str, float], where: str) -> str:
    first, second = (", ".join(sorted(one, key=lambda name: -one[name])) for one in (ours, theirs))
    verdict = "the same" if first == second else f"**not the same** {where}: {second}"
    return f"- Order by {what}: {first}; {verdict}{f' {where}' if first == second else ''}."
