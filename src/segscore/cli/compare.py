"""`segscore compare REF SYSTEM…`: systems side by side, with intervals and significance."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from segscore.cli.column_files import are_columns, compare_columns
from segscore.cli.column_options import ClusterOption, ColumnOptions
from segscore.cli.comparison_options import ComparisonView, ScaleOption, StatisticsOptions
from segscore.cli.gate import WorseOptions, with_more
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
    ReportOption,
    write_page,
)
from segscore.cli.reading_options import ReadingOptions
from segscore.errors import SegmentationError
from segscore.metrics import DEFAULT_METRICS, distinct_metrics

if TYPE_CHECKING:
    from segscore.corpus.corpus import Corpus

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
    scale: ScaleOption = True,
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
    asked = with_more(metrics or DEFAULT_METRICS, gate.worse or ())
    baselines = _BASELINES if scale else ()
    named = reading.chosen(cluster=cluster)
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
            baselines=baselines, human=None if scale else False, **pairing.rules_for(corpus),
            **vars(statistics), **vars(scoring),
        )  # fmt: skip
        compared = distinct_metrics(asked).values()
        for name in comparison.systems if output.checked else ():
            sample = comparison.sample_pairs(name)
            output.warn_of(sample, [reference.stem, *(coders or ())], [name], compared)
    view.show(comparison, output)
    write_page(comparison, report)
    gate.conclude(comparison)


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
