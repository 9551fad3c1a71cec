"""The options of `segscore compare`: cases and tests, baselines and chance, what is shown."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from segscore.cli.option_groups import OptionGroup, Section
from segscore.cli.options import (
    RESAMPLES,
    AverageOption,
    DrawsOption,
    LevelOption,
    ResamplesOption,
    SeedOption,
)
from segscore.cli.output import WITHOUT_NOTES, Output
from segscore.cli.streams import print_out
from segscore.coders.random_codings import Null
from segscore.comparison.advice import WHEN, Test
from segscore.comparison.compared import Case
from segscore.comparison.comparison_entries import Correction
from segscore.errors import SegmentationError, visible

if TYPE_CHECKING:
    from segscore.comparison import Comparison

_DOCUMENTS = 5  # that --between shows
_TESTS = "The test of differences; auto chooses. " + " ".join(
    f"{name}: {when}." for name, when in WHEN.items()
)

CaseOption = Annotated[
    Case,
    typer.Option(
        "--case",
        "--unit",
        rich_help_panel=Section.STATISTICS,
        help="What counts as a case: a document, or each reference coding.",
    ),
]
PlanOption = Annotated[
    float | None,
    typer.Option(
        "--plan",
        rich_help_panel=Section.STATISTICS,
        help="Show how many documents are needed to detect a difference of this size.",
    ),
]
AgainstOption = Annotated[
    list[str] | None,
    typer.Option(
        "--against",
        rich_help_panel=Section.STATISTICS,
        metavar="METRIC=NUMBER",
        help="Test each system against a number, such as a published mean. May be repeated.",
    ),
]


class Baseline(StrEnum):
    """Rows that give the scale."""

    NONE = "none"
    RANDOM = "random"
    RANDOM_KS12 = "random-ks12"
    UNIFORM = "uniform"


@dataclass(frozen=True, kw_only=True)
class ComparisonView(OptionGroup):
    """What is shown of a comparison."""

    section = Section.OUTPUT

    view: Annotated[
        Literal["systems", "pairs"],
        typer.Option("--show", help="The table of systems, or of pairs of systems."),
    ] = "systems"
    between: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--between",
            metavar="SYSTEM SYSTEM",
            help="Show the documents on which two systems differ most.",
        ),
    ] = None
    documents: Annotated[
        int | None,
        typer.Option(
            "--documents", min=1, help="Number of documents that --between shows, by default 5."
        ),
    ] = None

    def around(self) -> AbstractContextManager[None]:
        """Check the options."""
        if self.between is not None and self.between[0] == self.between[1]:
            raise SegmentationError(
                f"--between has {self.between[0]!r} twice: expected two systems"
            )
        return nullcontext()

    def show(self, comparison: "Comparison", output: Output) -> None:
        """Show the requested table, and remarks about it."""
        if self.between is not None:
            self._show_documents(comparison, self.between, output)
            return
        pairs = self.view == "pairs"
        output.show(comparison.pairs_table() if pairs else comparison.to_table())
        if output.chosen_form in WITHOUT_NOTES:
            output.remark_notes(comparison.warnings)

    def _show_documents(
        self, comparison: "Comparison", between: tuple[str, str], output: Output
    ) -> None:
        n = self.documents or _DOCUMENTS
        output.show(comparison.documents_table(*between, n=n))
        if output.form in (None, "text") and output.file is None:
            for difference in comparison.most_different(*between, n=n):
                print_out("\n" + "\n".join(map(visible, str(difference).split("\n"))))


@dataclass(frozen=True, kw_only=True)
class StatisticsOptions(OptionGroup):
    """What is compared, and by which test; named as in the library."""

    section = Section.STATISTICS

    test: Annotated[Literal["auto", Test], typer.Option("--test", help=_TESTS)] = "auto"
    correction: Annotated[
        Correction, typer.Option("--correction", help="Correction of p for many pairs.")
    ] = "holm"
    average: AverageOption = "micro"
    level: LevelOption = 0.95
    n_resamples: ResamplesOption = RESAMPLES
    seed: SeedOption = 0


@dataclass(frozen=True, kw_only=True)
class ScaleOptions(OptionGroup):
    """What gives the scale: baselines, people and chance."""

    section = Section.COMPARED

    scale: Annotated[
        bool, typer.Option("--scale/--no-scale", help="Show rows of baselines and people.")
    ] = True
    no_baselines: Annotated[
        bool,
        typer.Option(
            "--no-baselines",
            help="Leave the rows of the baselines none, random and uniform out.",
        ),
    ] = False
    baseline: Annotated[
        list[Baseline] | None,
        typer.Option(
            "--baseline",
            help="Which baselines. May be repeated. random has as many segments as the references, "
            "random-ks12 as many boundaries as they have segments.",
        ),
    ] = None
    chance: Annotated[
        Null | None,
        typer.Option(
            "--chance",
            rich_help_panel=Section.STATISTICS,
            help="Show what each system would reach by chance, with its own number of boundaries "
            "(positions) or its own segments (lengths), and its share of the way from there to "
            "perfect.",
        ),
    ] = None
    draws: DrawsOption = None

    @property
    def settings(self) -> dict[str, Any]:
        """The settings as the library takes them."""
        return {
            "baselines": self._baselines(),
            "human": None if self.scale else False,
            "chance": self.chance,
            "draws": self.draws,
        }

    def _baselines(self) -> tuple[str, ...]:
        """The baselines to show: those named, or the usual ones."""
        given = {
            "--baseline": self.baseline,
            "--no-baselines": self.no_baselines,
            "--no-scale": not self.scale,
        }
        both = [name for name, is_given in given.items() if is_given]
        if len(both) > 1:
            raise SegmentationError(f"{both[0]} and {both[1]} are both given: expected one of them")
        usual = (Baseline.NONE, Baseline.RANDOM, Baseline.UNIFORM)
        shown = self.scale and not self.no_baselines
        return tuple(baseline.value for baseline in self.baseline or usual) if shown else ()
