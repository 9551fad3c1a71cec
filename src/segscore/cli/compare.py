"""`segscore compare REF SYSTEM…`: systems side by side, with intervals and significance."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from segscore.cli.column_files import ColumnOptions, are_columns, compare_columns
from segscore.cli.gate import WorseOptions, with_more
from segscore.cli.option_groups import OptionGroup, Section, option
from segscore.cli.options import (
    RESAMPLES,
    AverageOption,
    FormatOptions,
    LevelOption,
    MetricsOption,
    PairingOptions,
    ReferenceArgument,
    ReferenceCodersOption,
    ResamplesOption,
    SeedOption,
    SystemOption,
    SystemsArgument,
    UndefinedOption,
    reference_of,
)
from segscore.cli.output import WITHOUT_NOTES, CheckedOutput, Output
from segscore.cli.reading_options import ReadingOptions
from segscore.comparison.advice import WHEN, Test
from segscore.errors import SegmentationError
from segscore.metrics import DEFAULT_METRICS, distinct_metrics

if TYPE_CHECKING:
    from segscore.comparison import Comparison
    from segscore.corpus.corpus import Corpus


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
    rng: SeedOption = 0


NoScaleOption = Annotated[
    bool, option("--no-scale", Section.OWN, "Leave out rows of baselines and people.")
]


_BASELINES = ("none", "random", "uniform")


def run(
    *,
    reference: ReferenceArgument,
    systems: SystemsArgument = None,
    metrics: MetricsOption = None,
    coders: ReferenceCodersOption = None,
    chosen: SystemOption = None,
    view: ComparisonView,
    statistics: StatisticsOptions,
    no_scale: NoScaleOption = False,
    gate: WorseOptions,
    formats: FormatOptions,
    pairing: PairingOptions,
    on_undefined: UndefinedOption = "raise",
    output: CheckedOutput,
    reading: ColumnOptions,
) -> None:
    """Compare systems on the same documents.

    Values with bootstrap intervals, ranks, and letters that show significant differences. Without
    SYSTEM, systems are coders of REF: those of --system, or all but the --reference. Of a Parquet
    or Arrow file, --read reference=COLUMN and --read systems=a,b name columns.
    """
    asked = with_more(metrics or DEFAULT_METRICS, (name for name, _ in gate.margins))
    baselines = () if no_scale else _BASELINES
    named = reading.chosen()
    if are_columns(reference, named, systems or chosen or coders, pairing):
        comparison = compare_columns(
            [reference, *map(Path, systems or ())], named, asked,
            baselines=baselines, **vars(statistics),
        )  # fmt: skip
    else:
        from segscore.comparison import compare

        corpus, given = _read(reference, systems, chosen, formats, reading)
        comparison = compare(
            corpus, reference=reference_of(coders), systems=given, metrics=asked,
            baselines=baselines, human=False if no_scale else None, **pairing.rules_for(corpus),
            on_undefined=on_undefined, **vars(statistics),
        )  # fmt: skip
        compared = distinct_metrics(asked).values()
        for name in comparison.systems if output.checked else ():
            sample = comparison.sample_pairs(name)
            output.warn_of(sample, [reference.stem, *(coders or ())], [name], compared)
    view.show(comparison, output)
    gate.conclude(comparison)


def _read(
    reference: Path,
    systems: list[str] | None,
    chosen: list[str] | None,
    formats: FormatOptions,
    reading: ReadingOptions,
) -> "tuple[Corpus, Any]":
    """The references, and the systems: runs from files, or names of coders."""
    from segscore.comparison.systems import system_path, system_runs
    from segscore.corpus.corpus import Corpus
    from segscore.pairing.inputs import Reader

    paths = list(map(system_path, systems or ()))
    reader = Reader(formats.both, reading.options).beside(reference, paths)
    codings = reader.codings(reference, "reference")
    corpus = Corpus.from_columns(codings, codings.scope, codings.provenance)
    runs = system_runs(systems, reader) if systems else chosen
    if systems and chosen:
        raise SegmentationError("SYSTEM and --system are both given: expected one of them")
    reading.check()
    return corpus, runs
