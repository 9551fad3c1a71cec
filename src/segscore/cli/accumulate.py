"""`segscore accumulate merge part*.arrow`: sums that several processes wrote, as one."""

from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.column_files import SumsOption
from segscore.cli.command import Command
from segscore.cli.look_options import with_look
from segscore.cli.options import FormOption, OutputOption
from segscore.cli.output import show
from segscore.cli.overwriting import guarded

app = typer.Typer(help="Merge sums that several processes wrote.", rich_markup_mode=None)


@app.callback()
def run() -> None:
    """Merge sums that `segscore score --sums` and `segscore compare --sums` wrote."""


def merge(
    parts: Annotated[list[Path], typer.Argument(metavar="SUMS…", help="Files of sums.")],
    compared: Annotated[
        bool, typer.Option("--compare", help="Compare the systems, with intervals and tests.")
    ] = False,
    group: Annotated[
        list[str] | None,
        typer.Option("--group", metavar="VALUE", help="The group to compare, a value per --by."),
    ] = None,
    sums: SumsOption = None,
    form: FormOption = None,
    output: OutputOption = None,
) -> None:
    """Merge files of sums, in any order, and show the averages or the comparison."""
    from segscore.comparison import compare
    from segscore.engines.parquet import read_sums, write_sums

    total = read_sums(parts[0])
    for path in parts[1:]:
        total += read_sums(path)
    table = (
        compare(total, group=tuple(group or ())).to_table()
        if compared
        else total.result().to_table()
    )
    if sums is not None:
        write_sums(total, sums)
    show(table, form, output)


app.command("merge", cls=Command)(with_look(guarded(merge)))
