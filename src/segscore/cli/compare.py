"""`segscore compare REF SYSTEM…`: systems side by side, with intervals and significance."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from segscore.cli.column_files import are_columns, compare_columns
from segscore.cli.column_options import ColumnOptions
from segscore.cli.comparison_options import ComparisonView, NoScaleOption, StatisticsOptions
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
from segscore.cli.output import CheckedOutput
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
    no_scale: NoScaleOption = False,
    gate: WorseOptions,
    formats: FormatOptions,
    pairing: PairingOptions,
    scoring: ScoringOptions,
    output: CheckedOutput,
    reading: ColumnOptions,
) -> None:
    """Compare systems on the same documents.

    Values with bootstrap intervals, ranks, and letters that show significant differences. Without
    SYSTEM, systems are coders of REF: those of --system, or all but the --reference. Of a Parquet
    or Arrow file, --read reference=COLUMN and --read systems=a,b name columns.
    """
    asked = with_more(metrics or DEFAULT_METRICS, gate.margins)
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
            **vars(statistics), **vars(scoring),
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
