"""The options of `segscore compare`: cases and tests, baselines and chance, what is shown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from segscore.cli.option_groups import OptionGroup, Section, option
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

    view: Annotated[
        Literal["systems", "pairs"],
        option("--show", Section.OUTPUT, "systems (default), or pairs of systems.", "TABLE"),
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

    test: Annotated[
        Literal["auto", Test],
        option("--test", Section.STATISTICS, f"auto (default), {', '.join(WHEN)}.", "NAME"),
    ] = "auto"
    average: AverageOption = "micro"
    level: LevelOption = 0.95
    n_resamples: ResamplesOption = RESAMPLES
    seed: SeedOption = 0


NoScaleOption = Annotated[
    bool, option("--no-scale", Section.OWN, "No rows of baselines and people.")
]
