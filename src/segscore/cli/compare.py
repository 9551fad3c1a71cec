"""`segscore compare REF SYSTEM…`: systems side by side, with intervals and significance."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from segscore.cli.column_files import are_columns, compare_columns
from segscore.cli.gate import WorseOptions, check_numbers, numbers, with_more
from segscore.cli.help_sections import Section, short_help
from segscore.cli.option_groups import OptionGroup, refuse_alone
from segscore.cli.options import (
    RESAMPLES,
    CheckOption,
    DrawsOption,
    FormatOptions,
    MetricsOption,
    PairingOptions,
    ReferenceArgument,
    ResamplesOption,
    ScoringOptions,
    SeedOption,
    SystemColumnOptions,
    SystemOption,
    SystemsArgument,
    read_as_they_are,
    reference_of,
)
from segscore.cli.output import (
    WITHOUT_NOTES,
    OutputOptions,
    ReportOption,
    remark,
    warn_of,
    with_findings,
    write_page,
)
from segscore.cli.reading_options import ReadingOptions
from segscore.cli.streams import print_out
from segscore.coders.random_codings import Null
from segscore.comparison.advice import WHEN, Test
from segscore.comparison.compared import Case
from segscore.comparison.comparison_entries import Correction
from segscore.errors import SegmentationError, visible
from segscore.metrics import DEFAULT_METRICS, distinct_metrics
from segscore.metrics.statistics import Average
from segscore.pairing.rules import PairingRules

if TYPE_CHECKING:
    from segscore.comparison import Comparison
    from segscore.corpus.corpus import Corpus
    from segscore.pairing.pairs import Pairs

_DOCUMENTS = 5  # that --between shows
_TESTS = "The test of differences; auto chooses. " + " ".join(
    f"{name}: {when}." for name, when in WHEN.items()
)

CodersOption = Annotated[
    list[str] | None,
    typer.Option(
        "--reference",
        rich_help_panel=Section.COMPARED,
        metavar="CODER",
        help="A coder of REF to compare with; by default all. consensus:0.5 is what half of "
        "them mark, consensus:majority:1 what most mark within one unit.",
    ),
]
UnitOption = Annotated[
    Case,
    typer.Option(
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
        help="Show how many documents would find a difference of this size.",
    ),
]
AgainstOption = Annotated[
    list[str] | None,
    typer.Option(
        "--against",
        rich_help_panel=Section.STATISTICS,
        metavar="METRIC=NUMBER",
        help="Test each system against a number, say a published mean. May be repeated.",
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
        """Refuse what would have no effect."""
        refuse_alone({"--documents": self.documents}, self.between, "--between")
        return nullcontext()

    def show(self, comparison: "Comparison", test: str, output: OutputOptions) -> None:
        """The table that is asked for, and what there is to say about it."""
        if self.between is not None:
            self._show_documents(comparison, self.between, output)
            return
        pairs = self.view == "pairs"
        output.show(comparison.pairs_table() if pairs else comparison.to_table())
        several = len(comparison.systems) > 1 and len(comparison.documents) > 1
        if test == "auto" and several:
            remark(comparison.advice)
        for warning in comparison.warnings if pairs or output.chosen_form in WITHOUT_NOTES else ():
            remark(warning)

    def _show_documents(
        self, comparison: "Comparison", between: tuple[str, str], output: OutputOptions
    ) -> None:
        n = self.documents or _DOCUMENTS
        output.show(comparison.documents_table(*between, n=n))
        if output.form in (None, "text") and output.file is None:
            for one in comparison.most_different(*between, n=n):
                print_out("\n" + "\n".join(map(visible, str(one).split("\n"))))


@dataclass(frozen=True, kw_only=True)
class StatisticsOptions(OptionGroup):
    """What is compared, and by which test; named as in the library."""

    section = Section.STATISTICS

    test: Annotated[Literal["auto", Test], typer.Option("--test", help=_TESTS)] = "auto"
    correction: Annotated[
        Correction, typer.Option("--correction", help="Correction of p for many pairs of systems.")
    ] = "holm"
    average: Annotated[Average, typer.Option("--average", help="Which average to compare.")] = (
        "micro"
    )
    level: Annotated[float, typer.Option("--level", help="Confidence level of intervals.")] = 0.95
    n_resamples: ResamplesOption = RESAMPLES
    seed: SeedOption = 0


@dataclass(frozen=True, kw_only=True)
class ScaleOptions(OptionGroup):
    """What gives the scale: baselines, people and chance."""

    section = Section.COMPARED

    scale: Annotated[
        bool, typer.Option("--scale/--no-scale", help="Show rows of baselines and people.")
    ] = True
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
            "(positions) or its own segments (lengths), and how far it got from there.",
        ),
    ] = None
    draws: DrawsOption = None

    def around(self) -> AbstractContextManager[None]:
        """Refuse what would have no effect."""
        refuse_alone({"--draws": self.draws}, self.chance, "--chance")
        return nullcontext()

    @property
    def settings(self) -> dict[str, Any]:
        """As the library takes them."""
        return {
            "baselines": self._baselines(),
            "human": None if self.scale else False,
            "chance": self.chance,
            "draws": self.draws,
        }

    def _baselines(self) -> tuple[str, ...]:
        """The baselines to show: those named, or the usual ones."""
        if self.baseline and not self.scale:
            raise SegmentationError(
                "--baseline and --no-scale are both given: expected one of them"
            )
        usual = (Baseline.NONE, Baseline.RANDOM, Baseline.UNIFORM)
        return tuple(one.value for one in self.baseline or usual) if self.scale else ()


@short_help(
    "--metric --reference --system --show --between --test --level --fail-if-worse --units "
    "--format --output --no-intervals",
    "segscore compare reference.jsonl ours.jsonl baseline.jsonl -o table.tex",
    "segscore compare people.jsonl --reference ann --reference bob --system eve",
)
@with_findings
def run(
    *,
    reference: ReferenceArgument,
    systems: SystemsArgument = None,
    metrics: MetricsOption = None,
    coders: CodersOption = None,
    chosen: SystemOption = None,
    view: ComparisonView,
    statistics: StatisticsOptions,
    scale: ScaleOptions,
    plan: PlanOption = None,
    against: AgainstOption = None,
    unit: UnitOption = "document",
    gate: WorseOptions,
    formats: FormatOptions,
    pairing: PairingOptions,
    scoring: ScoringOptions,
    checked: CheckOption = True,
    report: ReportOption = None,
    columns: SystemColumnOptions,
    output: OutputOptions,
    reading: ReadingOptions,
) -> None:
    """Compare systems on the same documents.

    Values with bootstrap intervals, ranks, and letters for what differs significantly; baselines
    and people give the scale. Without SYSTEM, systems are coders of REF: those named by --system,
    or all but the --reference, or those that the file calls systems. In a Parquet or Arrow file,
    which may be larger than memory, --systems names the columns of systems.
    """
    constants = numbers(against or (), "--against")
    check_numbers(constants, "--against")
    asked = with_more(metrics or DEFAULT_METRICS, [*constants, *(gate.worse or ())])
    named = columns.chosen(reading.options)
    one_by_one = _needs_documents(plan, view.between, against, scale, unit)
    if are_columns(reference, named, systems or chosen or coders, pairing):
        _refuse_for_columns(one_by_one)
        comparison = compare_columns(
            [reference, *map(Path, systems or ())], named, asked,
            baselines=scale.settings["baselines"], threads=scoring.threads, sums=columns.sums,
            **vars(statistics),
        )  # fmt: skip
    else:
        large = None
        plain = not (chosen or coders or one_by_one)
        if plain and read_as_they_are(formats, reading, pairing):
            large = _compare_large(
                reference, systems or [], asked, statistics, scale, pairing, scoring, checked
            )
        comparison = large if large is not None else _compare_whole(
            reference, systems, asked, coders, chosen, statistics, scale, unit, formats, pairing,
            scoring, checked, reading,
        )  # fmt: skip
    _show(comparison, plan, constants, view, statistics.test, output)
    write_page(comparison, report)
    gate.conclude(comparison)


def _needs_documents(
    plan: float | None,
    between: tuple[str, str] | None,
    against: list[str] | None,
    scale: ScaleOptions,
    unit: Case,
) -> list[str]:
    """The options given that need documents one by one."""
    given = {
        "--plan": plan is not None,
        "--between": between is not None,
        "--against": bool(against),
        "--chance": scale.chance is not None,
        "--unit coding": unit == "coding",
    }
    return [name for name, is_given in given.items() if is_given]


def _refuse_for_columns(given: list[str]) -> None:
    """Sums do not tell what stands in single documents."""
    if given:
        verb = "needs" if len(given) == 1 else "need"
        raise SegmentationError(
            f"{' and '.join(given)} {verb} the documents one by one: not for Parquet and Arrow "
            "files, which are added up"
        )


def _compare_large(
    reference: Path,
    systems: list[str],
    metrics: list[str],
    statistics: StatisticsOptions,
    scale: ScaleOptions,
    pairing: PairingOptions,
    scoring: ScoringOptions,
    checked: bool,
) -> "Comparison | None":
    """The comparison of files that are too large to hold; None if they are not."""
    from segscore.comparison.comparison_entries import ComparisonSettings
    from segscore.comparison.streaming import compare_large
    from segscore.comparison.system_files import system_files

    def look(pairs: "Pairs", system: str) -> None:
        warn_of(pairs, [reference.stem], [system], asked.values())

    asked = distinct_metrics(metrics)
    given = {**vars(statistics), "test": "randomisation"}
    rows = scale.settings
    return compare_large(
        reference, system_files(systems), asked,
        PairingRules(missing=pairing.missing, ignore_text=pairing.ignore_text),
        baselines=rows["baselines"], human=rows["human"], settings=ComparisonSettings(**given),
        test=statistics.test, look=look if checked else None, **vars(scoring),
    )  # fmt: skip


def _compare_whole(
    reference: Path,
    systems: list[str] | None,
    metrics: list[str],
    coders: list[str] | None,
    chosen: list[str] | None,
    statistics: StatisticsOptions,
    scale: ScaleOptions,
    unit: Case,
    formats: FormatOptions,
    pairing: PairingOptions,
    scoring: ScoringOptions,
    checked: bool,
    reading: ReadingOptions,
) -> "Comparison":
    """The comparison of files that are read at once."""
    from segscore.comparison import compare

    corpus, given = _read(reference, systems, chosen, formats, reading)
    comparison = compare(
        corpus, reference=reference_of(coders), systems=given, unit=unit, metrics=metrics,
        **scale.settings, **pairing.rules_for(corpus), **vars(statistics), **vars(scoring),
    )  # fmt: skip
    asked = distinct_metrics(metrics).values()
    for name in comparison.systems if checked else ():
        sample = comparison.sample_pairs(name)
        warn_of(sample, [reference.stem, *(coders or ())], [name], asked)
    return comparison


def _show(
    comparison: "Comparison",
    plan: float | None,
    constants: dict[str, float],
    view: ComparisonView,
    test: str,
    output: OutputOptions,
) -> None:
    """The answer to the question that was asked."""
    if plan is not None:
        output.show(comparison.plan(plan).to_table())
    elif constants:
        output.show(comparison.against_table(constants))
    else:
        view.show(comparison, test, output)


def _read(
    reference: Path,
    systems: list[str] | None,
    chosen: list[str] | None,
    formats: FormatOptions,
    reading: ReadingOptions,
) -> "tuple[Corpus, Any]":
    """The references, and the systems: runs from files, or names of coders."""
    from segscore.comparison.system_files import system_path, system_runs
    from segscore.io.reading import read_chosen
    from segscore.io.source_files import for_chunks

    paths = list(map(system_path, systems or ()))
    options = for_chunks(reference, paths, formats.both, reading.options)
    corpus = read_chosen(reference, formats.both[0], options)
    runs = system_runs(systems, formats.both[1], options) if systems else chosen
    if systems and chosen:
        raise SegmentationError("SYSTEM and --system are both given: expected one of them")
    reading.check()
    return corpus, runs
