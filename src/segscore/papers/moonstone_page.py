"""The part of docs/reproduction.md on segmenters: our runs on The Moonstone beside what is printed.

Printed numbers are those of Kazantseva & Szpakowicz (2012), table 2, and Fournier (2013), table 2;
they are shown here and take part in nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from segscore.comparison import compare
from segscore.pairing.consensus_rule import AtLeast
from segscore.papers.fournier2013_table_2 import EXTRA, row_from_print
from segscore.papers.fournier2013_table_2 import PRINTED as TABLE_2
from segscore.papers.kazantseva2012_corpus import PRINTED_IN_TABLE_2 as KAZANTSEVA
from segscore.papers.kazantseva2012_corpus import SYSTEMS
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

_ROWS = {"MinCut": "MinCutSeg"}  # table 2 of Fournier (2013) abbreviates
PRINTED_ROWS = {_ROWS.get(name, name): row for name, row in TABLE_2.items()}
PRINTED_B = {
    name: PRINTED_ROWS[name].b for name in ("Human", "BayesSeg", "APS", "Random", "MinCutSeg")
}
_OURS = {name: own for own, name in _ROWS.items()}
PRINTED_MULT = dict(zip(SYSTEMS, KAZANTSEVA["multWinDiff"], strict=True))
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


def corrected_b(run: Run) -> dict[str, float]:
    """The printed B without the matches too many, from the printed counts."""
    return {name: row_from_print(_OURS.get(name, name), run, extra=0).b for name in PRINTED_B}


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
    for name, printed in PRINTED_B.items():
        plain, more = boundaries(run, name), boundaries(run, name, EXTRA)
        theirs = PRINTED_ROWS[name]
        row: list[object] = [name, plain.b, corrected_b(run)[name], more.b, printed]
        rates = (theirs.precision, theirs.recall, theirs.f)
        for ours, in_print in zip(more[1:], rates, strict=True):
            row += [ours, in_print]
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
                row.append(KAZANTSEVA[WINDOW_ROWS[reference]][SYSTEMS.index(name)])
        rows.append(row)
    return Table(columns, rows).render("markdown")


def _orders(run: Run) -> list[str]:
    """From best to worst, ours and in print, and whether they are the same."""

    def b(extra: int, of: Callable[[Run], Systems] = systems) -> dict[str, float]:
        return {name: boundaries(run, name, extra, of).b for name in PRINTED_B}

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
