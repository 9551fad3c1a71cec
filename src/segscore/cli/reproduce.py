"""`segscore reproduce [PAPER…]`: what papers print, recomputed."""

from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.option_groups import Section, Written
from segscore.cli.output import WITHOUT_NOTES, Output, remark, with_progress


def run(
    *,
    papers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PAPER…",
            help="Papers, such as fournier2013; by default all.",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            rich_help_panel=Section.READING,
            metavar="FOLDER",
            help="The folder of codings; or set SEGSCORE_DATA.",
        ),
    ] = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            rich_help_panel=Section.COMPARED,
            help="Also compute the numbers that take long.",
        ),
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            rich_help_panel=Section.PAGES,
            help="Also write a page (Markdown) with tables and errata.",
        ),
        Written("--report"),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option(
            "--figures",
            rich_help_panel=Section.OUTPUT,
            metavar="FOLDER",
            help="Also draw figures of the papers into this folder, as PDF and PNG, with a page on "
            "what the papers say about their figures.",
        ),
    ] = None,
    output: Output,
) -> None:
    """Recompute the numbers that papers print, and show both.

    Prints a table per paper, and a summary. Papers: carroll2010, choi2000, fournier2012,
    fournier2013, fournier2013poetry, kazantseva2012, pevzner2002, scaiano2012, utiyama2001. CSV and
    JSON get one table with a row per number. The exit code is 1 if a number that should come out
    does not.
    """
    from segscore import papers as room
    from segscore.io import replacing

    chosen = papers or None
    total = len(room.cells_of(chosen, full))
    this = room.open_run(data, full)
    outcomes = list(with_progress(room.outcomes(chosen, this), "recomputing", total))
    if report is not None:
        text = room.page(outcomes, this)
        with replacing(report) as file:
            file.write(text)
    if figures is not None:
        for drawn in room.write_figures(chosen, figures, this):
            remark(drawn.line)
    if output.chosen_form in WITHOUT_NOTES:  # nor for several tables
        output.show(room.to_table(outcomes))
    else:
        tables = {**room.paper_tables(outcomes), "summary": room.summary_table(outcomes)}
        output.show(tables)
    raise typer.Exit(room.exit_code(outcomes))
