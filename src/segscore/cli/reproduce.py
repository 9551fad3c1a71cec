"""`segscore reproduce [PAPER…]`: what papers print, recomputed."""

from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.manners import FormOption, OutputOption, show, with_progress


def run(
    papers: Annotated[
        list[str] | None, typer.Argument(metavar="[PAPER…]", help="Such as fournier2013.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", help="The folder of codings; or set SEGSCORE_DATA.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Also what takes long, with all trials.")
    ] = False,
    form: FormOption = None,
    output: OutputOption = None,
) -> None:
    """Recompute the numbers that papers print, and show both.

    The exit code is 1 if a number that should come out does not.
    """
    from segscore import papers as room

    chosen = papers or None
    total = len(room.cells_of(chosen, full))
    outcomes = list(with_progress(room.outcomes(chosen, data, full), "recomputing", total))
    show(room.to_table(outcomes), form, output)
    raise typer.Exit(room.exit_code(outcomes))
