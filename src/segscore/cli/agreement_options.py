"""The options of `segscore agree`: what is measured, for which coders, and which tables are
shown."""

from collections.abc import Iterable
from typing import Annotated

import typer

from segscore.cli import completion
from segscore.cli.given_options import refuse_unused
from segscore.cli.help_sections import Section
from segscore.coders.agreement_choices import Coefficient
from segscore.coders.agreement_tables import (
    USED_BY,
    AgreementSettings,
    Part,
    Rows,
    table_by_document,
)
from segscore.coders.pairwise import KFrom, has_windows
from segscore.coders.places import USUAL_NUMBER
from segscore.coders.random_codings import Null

MetricOption = Annotated[
    str,
    typer.Option(
        "--metric",
        "-m",
        rich_help_panel=Section.METRICS,
        metavar="METRIC",
        autocompletion=completion.metrics,
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


# ---- options on which nothing depends that is shown ----

_ON_THE_PAGE = ("metric", "null", "draws", "seed", "document_group")
_NAMES = {"null": "--chance"}
_WITH_INTERVALS = {
    Part.ANSWER, Part.AGREEMENT, Part.COEFFICIENTS, Part.DECISIONS, Part.SYSTEM, Part.DEVIATION,
    Part.LABELS, Part.GROUPS,
}  # fmt: skip


def refuse_without_effect(
    shown: Iterable[Part], settings: AgreementSettings, with_page: bool
) -> None:
    """Refuse options that change none of the tables that are shown, nor the page of --report."""
    parts = {*shown}
    if Part.SYSTEM not in parts:
        refuse_unused({"--system": False}, "--show system")
    of_pairs = table_by_document(settings.metric) is Part.PAIRWISE
    for setting, used in {**USED_BY, "no_intervals": _WITH_INTERVALS}.items():
        tables = used - _unused_in_the_answer(setting, of_pairs)
        has_effect = bool(tables & parts) or (with_page and setting in _ON_THE_PAGE)
        names = [part for part in Part if part in tables]
        expected = f"--show {' or '.join(filter(None, (', '.join(names[:-1]), names[-1])))}"
        refuse_unused({_NAMES.get(setting, f"--{setting.replace('_', '-')}"): has_effect}, expected)
    refuse_unused({"--k-from": has_windows(settings.metric)}, "-m pk, windowdiff or winpr")


def _unused_in_the_answer(setting: str, of_pairs: bool) -> set[Part]:
    """The answer, if this setting does not change it. Without coefficients the answer is only about
    pairs of coders; with coefficients it uses no windows."""
    of_both = ("metric", "document_group")
    changes = setting in (*of_both, "k_from") if of_pairs else setting != "k_from"
    return set() if changes else {Part.ANSWER}
