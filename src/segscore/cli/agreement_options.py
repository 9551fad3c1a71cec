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
from segscore.coders.pairwise_values import KFrom
from segscore.coders.places import USUAL_NUMBER
from segscore.coders.random_codings import Null

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
SystemOption = Annotated[
    str | None,
    typer.Option(
        "--system",
        rich_help_panel=Section.COMPARED,
        metavar="CODER",
        help="A coder of CODINGS that is a system: it is compared with the people.",
    ),
]
KFromOption = Annotated[
    KFrom,
    typer.Option(
        "--k-from",
        rich_help_panel=Section.METRICS,
        help="Window of pk, windowdiff, winpr in --show pairwise: from the reference of each "
        "pair, or from all coders of a document.",
    ),
]
CountEndOption = Annotated[
    bool,
    typer.Option(
        "--count-end",
        rich_help_panel=Section.METRICS,
        help="Count the end of each document as a boundary that all agree on.",
    ),
]
ShowOption = Annotated[
    list[Part] | None,
    typer.Option(
        "--show",
        rich_help_panel=Section.OUTPUT,
        metavar="TABLE",
        help="A table to show, such as coders, matrix or support. May be repeated; there are "
        f"{', '.join(Part)}.",
    ),
]
ChanceOption = Annotated[
    Null,
    typer.Option(
        "--chance",
        "--null",
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
DocumentGroupsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--document-group",
        "--group",
        rich_help_panel=Section.PEOPLE,
        metavar="NAME=DOCUMENT,DOCUMENT…",
        help="A group of documents. May be repeated.",
    ),
]
CoderGroupsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--coder-group",
        rich_help_panel=Section.PEOPLE,
        metavar="NAME=CODER,…",
        help="A group of coders. May be repeated.",
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

WithinOption = Annotated[
    int,
    typer.Option(
        "--within",
        rich_help_panel=Section.PEOPLE,
        metavar="UNITS",
        min=0,
        help="How far apart neighbouring boundaries of one contested place may be; by default 1.",
    ),
]
