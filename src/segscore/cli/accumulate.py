"""`segscore accumulate merge part*.arrow`: sums that several processes wrote, merged."""

import warnings
from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.column_options import SumsOption
from segscore.cli.command import Command, Group
from segscore.cli.option_groups import Section, with_groups
from segscore.cli.output import Output, remark
from segscore.cli.reading_options import LargeOption


def run() -> None:
    """Merge sums that several processes wrote.

    `segscore score --sums` and `segscore compare --sums` write them.
    """


def merge(
    *,
    parts: Annotated[list[Path], typer.Argument(metavar="SUMS…", help="Files of sums.")],
    compared: Annotated[
        bool,
        typer.Option(
            "--compare",
            rich_help_panel=Section.COMPARED,
            help="Compare the systems, with intervals and tests.",
        ),
    ] = False,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            rich_help_panel=Section.COMPARED,
            metavar="VALUE",
            help="The group to compare: a value for each column that `segscore score --by` named.",
        ),
    ] = None,
    sums: SumsOption = None,
    large: LargeOption = False,
    output: Output,
) -> None:
    """Merge files of sums, in any order, and show the averages or the comparison."""
    from segscore.comparison import compare
    from segscore.engines.parquet import read_sums, write_sums

    total = read_sums(parts[0], large=large)
    for path in parts[1:]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            total += read_sums(path, large=large)
        for warning in caught:
            remark(f"warning: {path}: {warning.message}")
    table = (
        compare(total, group=tuple(group or ())).to_table()
        if compared
        else total.result().to_table()
    )
    if sums is not None:
        write_sums(total, sums)
    output.show(table)


app = typer.Typer(rich_markup_mode="markdown", add_completion=False)
app.callback(cls=Group)(with_groups(run))
app.command("merge", cls=Command)(with_groups(merge))
