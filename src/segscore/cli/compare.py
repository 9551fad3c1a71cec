"""`segscore compare REF SYSTEM…`: systems side by side, with intervals and significance."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from segscore.cli.column_files import are_columns, compare_columns
from segscore.cli.column_options import ClusterOption, ColumnOptions
from segscore.cli.comparison_options import (
    AgainstOption,
    CaseOption,
    ComparisonView,
    PlanOption,
    ScaleOptions,
    StatisticsOptions,
)
from segscore.cli.gate import WorseOptions, check_numbers, numbers, with_more
from segscore.cli.options import (
    FormatOptions,
    MetricsOption,
    PairingOptions,
    ReferenceArgument,
    ReferenceCodersOption,
    ScoringOptions,
    SystemOption,
    SystemsArgument,
    reference_of,
)
from segscore.cli.output import (
    CheckedOutput,
    Output,
    ReportOption,
    write_page,
)
from segscore.cli.reading_options import ReadingOptions
from segscore.comparison.compared import Case
from segscore.errors import SegmentationError
from segscore.metrics import DEFAULT_METRICS, distinct_metrics

if TYPE_CHECKING:
    from segscore.comparison import Comparison
    from segscore.corpus.corpus import Corpus


def run(
    *,
    reference: ReferenceArgument,
    systems: SystemsArgument = None,
    metrics: MetricsOption = None,
    coders: ReferenceCodersOption = None,
    chosen: SystemOption = None,
    view: ComparisonView,
    statistics: StatisticsOptions,
    scale: ScaleOptions,
    plan: PlanOption = None,
    against: AgainstOption = None,
    unit: CaseOption = "document",
    gate: WorseOptions,
    formats: FormatOptions,
    pairing: PairingOptions,
    scoring: ScoringOptions,
    report: ReportOption = None,
    cluster: ClusterOption = None,
    output: CheckedOutput,
    reading: ColumnOptions,
) -> None:
    """Compare systems on the same documents.

    The table has values with bootstrap intervals, ranks, and letters that show significant
    differences; baselines and people give the scale. Without SYSTEM, systems are coders of REF:
    those named by --system, or all but the --reference, or those that the file calls systems. In a
    Parquet or Arrow file, --read reference=COLUMN and --read systems=a,b name the columns.
    """
    constants = numbers(against or (), "--against")
    check_numbers(constants, "--against")
    asked = with_more(metrics or DEFAULT_METRICS, [*constants, *(gate.worse or ())])
    named = reading.chosen(cluster=cluster)
    one_by_one = _needs_documents(plan, view.between, against, scale, unit)
    _check_answer(plan, constants, view, statistics)
    if are_columns(reference, named, systems or chosen or coders, pairing):
        _refuse_for_columns(one_by_one)
        comparison = compare_columns(
            [reference, *map(Path, systems or ())], named, asked,
            baselines=scale.settings["baselines"], threads=scoring.threads,
            **vars(statistics),
        )  # fmt: skip
    else:
        from segscore.comparison import compare

        corpus, given = _read(reference, systems, chosen, formats, reading)
        comparison = compare(
            corpus, reference=reference_of(coders), systems=given, unit=unit, metrics=asked,
            **scale.settings, **pairing.rules_for(corpus), **vars(statistics), **vars(scoring),
        )  # fmt: skip
        compared = distinct_metrics(asked).values()
        for name in comparison.systems if output.checked else ():
            sample = comparison.sample_pairs(name)
            output.warn_of(sample, [reference.stem, *(coders or ())], [name], compared)
    _show(comparison, plan, constants, view, output)
    write_page(comparison, report)
    gate.conclude(comparison)


def _check_answer(
    plan: float | None,
    constants: dict[str, float],
    view: ComparisonView,
    statistics: StatisticsOptions,
) -> None:
    """Refuse two options that each ask for a table of their own, and an average that the table
    would not show."""
    asked = {
        "--plan": plan is not None,
        "--against": bool(constants),
        "--between": view.between is not None,
        "--show pairs": view.view == "pairs",
    }
    given = [name for name, is_given in asked.items() if is_given]
    if len(given) > 1:
        raise SegmentationError(
            f"{given[0]} and {given[1]} are both given: expected one of them in a command"
        )
    if statistics.average != "micro" and given in (["--against"], ["--between"]):
        raise SegmentationError(f"--average has no effect on {given[0]}: expected one of them")


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
        "--case coding": unit == "coding",
    }
    return [name for name, is_given in given.items() if is_given]


def _refuse_for_columns(given: list[str]) -> None:
    """Refuse options that need single documents, which sums do not have."""
    if given:
        verb = "needs" if len(given) == 1 else "need"
        raise SegmentationError(
            f"{' and '.join(given)} {verb} the documents one by one: not for Parquet and Arrow "
            "files, which are added up"
        )


def _show(
    comparison: "Comparison",
    plan: float | None,
    constants: dict[str, float],
    view: ComparisonView,
    output: Output,
) -> None:
    """Show the table that the options ask for."""
    if plan is not None:
        output.show(comparison.plan(plan).to_table())
    elif constants:
        output.show(comparison.against_table(constants))
    else:
        view.show(comparison, output)


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
