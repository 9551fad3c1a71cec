"""The options of `segscore agree`: what is measured, for which coders, and which tables are
shown."""

from typing import Annotated

import typer

from segscore.cli.option_groups import Section
from segscore.coders.agreement_choices import Coefficient
from segscore.coders.agreement_tables import (
    Part,
    Rows,
)
from segscore.coders.places import USUAL_NUMBER
from segscore.coders.random_codings import Null

JUDGED = ("people", "documents", "places")  # the tables of people beside a reference

MetricOption = Annotated[
    str,
    typer.Option(
        "--metric",
        "-m",
        rich_help_panel=Section.METRICS,
        metavar="METRIC",
        help='A symmetric similarity: b, s, "b(n_t=3)" …; any other metric is averaged over '
        "pairs of coders.",
    ),
]
PersonOption = Annotated[
    str | None,
    typer.Option(
        "--person",
        rich_help_panel=Section.COMPARED,
        metavar="CODER",
        help="Show where this person differs from --reference: near misses, missed and extra "
        "boundaries. -o page.html writes a page for the person.",
    ),
]
JudgedByOption = Annotated[
    str | None,
    typer.Option(
        "--reference",
        rich_help_panel=Section.COMPARED,
        metavar="CODER",
        help="Show where each person, or --person, differs from this coder; consensus:0.5 is what "
        "half of them mark. By default the consensus that CODINGS hold.",
    ),
]
SystemOption = Annotated[
    str | None,
    typer.Option(
        "--system",
        rich_help_panel=Section.COMPARED,
        metavar="CODER",
        help="A coder of CODINGS that is a system: it is compared with the people.",
    ),
]
ShowOption = Annotated[
    list[str] | None,
    typer.Option(
        "--show",
        rich_help_panel=Section.OUTPUT,
        metavar="TABLE",
        help="A table to show, such as coders, matrix or support. May be repeated; there are "
        f"{', '.join(Part)}; with --person or --reference {', '.join(JUDGED)}.",
    ),
]
ChanceOption = Annotated[
    Null,
    typer.Option(
        "--chance",
        rich_help_panel=Section.STATISTICS,
        help="What chance is: random coders with as many boundaries as each coder (positions), or "
        "with the same segments in random order (lengths).",
    ),
]
CoefficientOption = Annotated[
    Coefficient | None,
    typer.Option(
        "--coefficient",
        rich_help_panel=Section.STATISTICS,
        help="The coefficient of --show deviation and system: corrected for chance (the default), "
        "or as papers print it (pi, kappa).",
    ),
]
RowsOption = Annotated[
    Rows,
    typer.Option(
        "--rows",
        rich_help_panel=Section.OUTPUT,
        help="Rows of the tables agreement, coefficients, decisions, labels and misses: each "
        "document and all of them, or all (and groups) alone.",
    ),
]
PerDocumentOption = Annotated[
    bool,
    typer.Option(
        "--per-document",
        rich_help_panel=Section.OUTPUT,
        help="Also show a row per document and group. It is the table agreement.",
    ),
]
PlanWidthOption = Annotated[
    float | None,
    typer.Option(
        "--plan-width",
        rich_help_panel=Section.STATISTICS,
        metavar="HALF-WIDTH",
        help="Show how many documents give corrected agreement an interval of ± this number, such "
        "as 0.03.",
    ),
]
RoundsOption = Annotated[
    bool,
    typer.Option(
        "--rounds",
        rich_help_panel=Section.COMPARED,
        help="Two CODINGS are two rounds: has agreement changed? Each is a file, a folder, or "
        "a folder with a folder for each person. Documents in common are paired.",
    ),
]
DocumentOption = Annotated[
    str | None,
    typer.Option(
        "--document",
        rich_help_panel=Section.PEOPLE,
        metavar="NAME",
        help="The document to show: everyone's boundaries, by unit.",
    ),
]
ContestedOption = Annotated[
    str | None,
    typer.Option(
        "--contested",
        rich_help_panel=Section.PEOPLE,
        metavar="NUMBER|all",
        help="Show this number of the most contested places, or all, with each coder's marks and "
        f"the text. By default {USUAL_NUMBER}, with --show contested.",
    ),
]
