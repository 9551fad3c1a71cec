"""The options of `segscore compare`: cases and tests, baselines and chance, what is shown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from segscore.cli.option_groups import OptionGroup, Section
from segscore.cli.options import (
    RESAMPLES,
    AverageOption,
    LevelOption,
    ResamplesOption,
    SeedOption,
)
from segscore.cli.output import WITHOUT_NOTES, Output
from segscore.comparison.advice import WHEN, Test

if TYPE_CHECKING:
    from segscore.comparison import Comparison


@dataclass(frozen=True, kw_only=True)
class ComparisonView(OptionGroup):
    """What is shown of a comparison."""

    section = Section.OUTPUT

    view: Annotated[
        Literal["systems", "pairs"],
        typer.Option(
            "--show", metavar="TABLE", show_default=False, help="systems, or pairs of systems."
        ),
    ] = "systems"

    def show(self, comparison: "Comparison", output: Output) -> None:
        """Show the requested table, and remarks about it."""
        pairs = self.view == "pairs"
        output.show(comparison.pairs_table() if pairs else comparison.to_table())
        if output.chosen_form in WITHOUT_NOTES:
            output.remark_notes(comparison.warnings)


@dataclass(frozen=True, kw_only=True)
class StatisticsOptions(OptionGroup):
    """What is compared, and by which test; named as in the library."""

    section = Section.STATISTICS

    test: Annotated[
        Literal["auto", Test],
        typer.Option(
            "--test",
            metavar="NAME",
            show_default=False,
            help=f"auto (by default), {', '.join(WHEN)}.",
        ),
    ] = "auto"
    average: AverageOption = "micro"
    level: LevelOption = 0.95
    n_resamples: ResamplesOption = RESAMPLES
    rng: SeedOption = 0


ScaleOption = Annotated[
    bool,
    typer.Option(
        "--scale/--no-scale",
        rich_help_panel=Section.COMPARED,
        show_default=False,
        help="Rows of baselines and people.",
    ),
]
