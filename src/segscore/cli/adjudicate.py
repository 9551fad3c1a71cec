"""`segscore adjudicate CODINGS`: decide where coders differ, place by place, and write gold."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.option_groups import Section, Written
from segscore.cli.options import CodersOption, CodingsArgument, FormatOption
from segscore.cli.output import remark
from segscore.cli.reading_options import ReadingOptions
from segscore.errors import SegmentationError, number_of

if TYPE_CHECKING:
    from segscore.coders.adjudication import AdjudicationCase

PAGES = (".html", ".htm")


def run(
    *,
    codings: CodingsArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            rich_help_panel=Section.OUTPUT,
            metavar="FILE",
            help="The page (.html).",
        ),
        Written("-o"),
    ] = Path("adjudicate.html"),
    within: Annotated[
        int,
        typer.Option(
            "--within",
            rich_help_panel=Section.PEOPLE,
            min=0,
            help="How far apart, in units, the marks of one place may be.",
        ),
    ] = 1,
    accept: Annotated[
        float,
        typer.Option(
            "--accept",
            rich_help_panel=Section.PEOPLE,
            metavar="SHARE",
            help="Accept a place without asking where this share of coders mark the same unit.",
        ),
    ] = 1.0,
    reject: Annotated[
        float,
        typer.Option(
            "--reject",
            rich_help_panel=Section.PEOPLE,
            metavar="SHARE",
            help="Drop a place without asking if less than this share of coders mark it.",
        ),
    ] = 0.0,
    blind: Annotated[
        bool,
        typer.Option(
            "--blind",
            rich_help_panel=Section.PAGES,
            help="Hide the names of coders: the page holds no names, and numbers change from "
            "document to document.",
        ),
    ] = False,
    coder: Annotated[
        str,
        typer.Option(
            "--coder",
            rich_help_panel=Section.PEOPLE,
            metavar="NAME",
            help="The name of the gold coder.",
        ),
    ] = "gold",
    title: Annotated[
        str | None,
        typer.Option("--title", rich_help_panel=Section.PAGES, help="The heading of the page."),
    ] = None,
    source: FormatOption = None,
    coders: CodersOption = None,
    reading: ReadingOptions,
) -> None:
    """Write a page that turns the codings of several people into gold.

    The page needs no network. It shows the text, everyone's marks beside it, and the places that
    wait for you. It exports gold (JSON Lines of the kind `consensus`, which `agree` never counts as
    a person), and every decision as a table to read (CSV).

    Boundaries keep levels (ranks) if all people gave some: the median level of the people who mark
    the unit, unless you choose another. --text names transcripts: the page shows their speakers and
    times.
    Types and labels of segments are not adjudicated. Systems have no vote.
    """
    from segscore.coders.adjudication import AdjudicationRule, adjudication_cases, not_adjudicated
    from segscore.io.texts_beside import read_with_texts
    from segscore.pages.adjudicate_page import adjudication_page

    corpus = read_with_texts(codings, source, choices=replace(reading.options, coders=coders))
    reading.check()
    cases = adjudication_cases(corpus, AdjudicationRule(within, accept, reject))
    if output.suffix.lower() not in PAGES:
        raise SegmentationError(
            f"-o is {str(output)!r}: expected a page (.html); gold is written by the page"
        )
    text = reading.options.text
    adjudication_page(
        corpus, output, within=within, accept=accept, reject=reject, blind=blind, coder=coder,
        title=title, texts=text if isinstance(text, str | Path) else None, remark=remark,
    )  # fmt: skip
    for line in not_adjudicated(cases):
        remark(line)
    _tell_levels(cases)
    remark(f"wrote {output}: {_how_many(cases)}", one_line=True)


def _tell_levels(cases: "list[AdjudicationCase]") -> None:
    """Remark how levels are decided, if people gave some."""
    from segscore.coders.adjudication import (
        LEVELS_BY_DEFAULT,
        places_of_different_levels,
        with_levels,
    )

    if with_levels(cases):
        n = places_of_different_levels(cases)
        differ = f"; people gave different levels at {number_of(n, 'place')}"
        choice = "the page lets you choose another"
        remark(f"levels: {LEVELS_BY_DEFAULT}; {choice}{differ if n else ''}")


def _how_many(cases: "list[AdjudicationCase]") -> str:
    places = sum(len(case.places) for case in cases)
    waiting = sum(case.n_open for case in cases)
    if not waiting:
        return f"the rule decides all {places:,} places in {_documents(len(cases))}"
    wait = "waits" if waiting == 1 else "wait"
    return (
        f"{waiting:,} of {places:,} places in {_documents(len(cases))} {wait} for a person; the "
        "rule decides the others"
    )


def _documents(number: int) -> str:
    return "1 document" if number == 1 else f"{number:,} documents"
