"""`segscore compare REF SYSTEM…`: systems side by side, with intervals and significance."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from segscore.cli.check import warn_of
from segscore.cli.column_files import (
    ClusterColumn,
    Columns,
    DocumentColumn,
    EncodingOption,
    ReferenceColumn,
    ReferenceLabels,
    SumsOption,
    SystemColumns,
    SystemLabels,
    UnitsColumn,
    compare_columns,
    row_errors,
    system_names,
)
from segscore.cli.gate import (
    AllowSmallOption,
    AlphaOption,
    FailIfWorseOption,
    GithubOption,
    JunitOption,
    MarginOption,
    checked_systems,
    conclude,
    numbers,
    with_more,
)
from segscore.cli.masking import MaskOption, UemOption, corpus_mask, refuse_for_columns
from segscore.cli.options import (
    AlignOption,
    CheckOption,
    DrawsOption,
    FormatOption,
    FormOption,
    IgnoreTextOption,
    MaxErrorOption,
    MetricsOption,
    MissingOption,
    OutputOption,
    ResamplesOption,
    SeedOption,
    SystemOption,
    SystemsArgument,
    ThreadsOption,
    UndefinedOption,
)
from segscore.cli.output import chosen_form, remark, show
from segscore.cli.page_option import ReportOption, write_page
from segscore.cli.reading_options import HypFormatOption, RefFormatOption
from segscore.coders.random_codings import Null
from segscore.coding.word_alignment import MAX_ERROR
from segscore.comparison.advice import WHEN, Test
from segscore.comparison.inputs import Case
from segscore.comparison.results import Correction
from segscore.errors import SegmentationError, visible
from segscore.metrics.score import Average
from segscore.tables.table import Format

if TYPE_CHECKING:
    from segscore.comparison import Comparison
    from segscore.io import ReadOptions

_TESTS = "When each fits. " + " ".join(f"{name}: {when}." for name, when in WHEN.items())


class Baseline(StrEnum):
    """Rows that give the scale."""

    NONE = "none"
    RANDOM = "random"
    RANDOM_KS12 = "random-ks12"
    UNIFORM = "uniform"


def run(
    reference: Annotated[Path, typer.Argument(metavar="REF", help="A file or a folder.")],
    systems: SystemsArgument = None,
    metrics: MetricsOption = None,
    coders: Annotated[
        list[str] | None,
        typer.Option(
            "--reference",
            metavar="CODER",
            help="A coder of REF to compare with; by default all. consensus:0.5 is what half of "
            "them mark, consensus:majority:1 what most mark within one unit.",
        ),
    ] = None,
    chosen: SystemOption = None,
    view: Annotated[
        Literal["systems", "pairs"],
        typer.Option("--show", help="The table of systems, or of pairs of systems."),
    ] = "systems",
    between: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--between",
            metavar="SYSTEM SYSTEM",
            help="Show the documents on which two systems differ most.",
        ),
    ] = None,
    documents: Annotated[
        int, typer.Option("--documents", min=1, help="Number of documents that --between shows.")
    ] = 5,
    test: Annotated[Literal["auto", Test], typer.Option("--test", help=_TESTS)] = "auto",
    correction: Annotated[
        Correction, typer.Option("--correction", help="Correction of p for many pairs of systems.")
    ] = "holm",
    average: Annotated[
        Average, typer.Option("--average", help="Which average to compare.")
    ] = "micro",
    level: Annotated[float, typer.Option("--level", help="Confidence level of intervals.")] = 0.95,
    resamples: ResamplesOption = 10_000,
    seed: SeedOption = 0,
    scale: Annotated[
        bool, typer.Option("--scale/--no-scale", help="Show rows of baselines and people.")
    ] = True,
    baseline: Annotated[
        list[Baseline] | None,
        typer.Option(
            "--baseline",
            help="Which baselines. May be repeated. random has as many segments as the references, "
            "random-ks12 as many boundaries as they have segments.",
        ),
    ] = None,
    chance: Annotated[
        Null | None,
        typer.Option(
            "--chance",
            help="Show what each system would reach by chance, with its own number of boundaries "
            "(positions) or its own segments (lengths), and how far it got from there.",
        ),
    ] = None,
    draws: DrawsOption = None,
    plan: Annotated[
        float | None,
        typer.Option(
            "--plan", help="Show how many documents would find a difference of this size."
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="METRIC=NUMBER",
            help="Test each system against a number, say a published mean. May be repeated.",
        ),
    ] = None,
    unit: Annotated[
        Case,
        typer.Option("--unit", help="What counts as a case: a document, or each reference coding."),
    ] = "document",
    worse: FailIfWorseOption = None,
    margin: MarginOption = None,
    alpha: AlphaOption = 0.05,
    allow_small: AllowSmallOption = False,
    junit: JunitOption = None,
    github: GithubOption = False,
    source: FormatOption = None,
    ref_from: RefFormatOption = None,
    hyp_from: HypFormatOption = None,
    missing: MissingOption = "error",
    ignore_text: IgnoreTextOption = False,
    align: AlignOption = None,
    max_error: MaxErrorOption = MAX_ERROR,
    mask: MaskOption = None,
    uem: UemOption = None,
    undefined: UndefinedOption = "raise",
    threads: ThreadsOption = None,
    checked: CheckOption = True,
    report: ReportOption = None,
    reference_column: ReferenceColumn = None,
    system_columns: SystemColumns = None,
    reference_labels: ReferenceLabels = None,
    system_labels: SystemLabels = None,
    n_units: UnitsColumn = None,
    document_column: DocumentColumn = None,
    encoding: EncodingOption = "boundaries",
    cluster: ClusterColumn = None,
    sums: SumsOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    *,
    reading: "ReadOptions",
) -> None:
    """Compare systems on the same documents.

    Values with bootstrap intervals, ranks, and letters for what differs significantly; baselines
    and people give the scale. Without SYSTEM, systems are coders of REF: those named by --system,
    or all but the --reference, or those that the file calls systems. In a Parquet or Arrow file,
    which may be larger than memory, --systems names the columns of systems.
    """
    from segscore.comparison import compare
    from segscore.comparison.system_files import system_path, system_runs
    from segscore.engines.parquet import is_columnar
    from segscore.io.reading import for_chunks, read
    from segscore.scoring.scoring import DEFAULT_METRICS

    columns = Columns(
        reference_column, None, n_units, document_column, encoding, row_errors(reading), (),
        system_names(system_columns), cluster, reference_labels, system_names(system_labels),
    )  # fmt: skip
    if is_columnar(reference) and (columns.given or not (systems or chosen or coders)):
        refuse_for_columns(align, mask, uem)
        summed = compare_columns(
            [reference, *map(Path, systems or ())], columns, metrics or list(DEFAULT_METRICS),
            threads=threads, sums=sums, average=average, test=test, correction=correction,
            level=level, n_resamples=resamples, seed=seed,
        )  # fmt: skip
        if plan is not None or between is not None or against:
            raise SegmentationError(
                "--plan, --between and --against need the documents one by one: not for Parquet"
            )
        _show(summed, view, test, form, output)
        write_page(summed, report)
        if worse:
            conclude(checked_systems(summed, worse, margin, alpha, allow_small), junit, github)
        return
    columns.check_unused()
    constants = numbers(against or (), "--against")
    formats = ref_from or source, hyp_from or source
    reading = for_chunks(reference, list(map(system_path, systems or ())), formats, reading)
    corpus = read(reference, ref_from or source, **vars(reading))
    given: Any = system_runs(systems, hyp_from or source, reading) if systems else chosen
    if systems and chosen:
        raise SegmentationError("SYSTEM and --system are both given: expected one of them")
    comparison = compare(
        corpus,
        reference=reference_of(coders),
        systems=given,
        metrics=with_more(metrics or DEFAULT_METRICS, [*constants, *(worse or ())]),
        baselines=_baselines(baseline, scale),
        human=None if scale else False,
        missing=missing,
        ignore_text=ignore_text,
        align=align,
        max_error=max_error,
        mask=corpus_mask(mask, uem, corpus),
        unit=unit,
        average=average,
        test=test,
        correction=correction,
        chance=chance,
        draws=draws,
        level=level,
        n_resamples=resamples,
        seed=seed,
        threads=threads,
        on_undefined=undefined,
    )
    for name in comparison.systems if checked else ():
        warn_of(comparison.sample_pairs(name), [reference.stem, *(coders or ())], [name])
    if plan is not None:
        show(comparison.plan(plan).to_table(), form, output)
    elif constants:
        show(comparison.against_table(constants), form, output)
    elif between is not None:
        _show_documents(comparison, between, documents, form, output)
    else:
        _show(comparison, view, test, form, output)
    write_page(comparison, report)
    if worse:
        conclude(checked_systems(comparison, worse, margin, alpha, allow_small), junit, github)


def _show(
    comparison: "Comparison", view: str, test: str, form: Format | None, output: Path | None
) -> None:
    table = comparison.to_table() if view == "systems" else comparison.pairs_table()
    show(table, form, output)
    unsaid = chosen_form(form, output) in ("csv", "json") or view == "pairs"
    _remark_on(comparison, test == "auto", unsaid)


def reference_of(coders: list[str] | None) -> str | list[str] | None:
    """The coders who are references, or the rule for their consensus."""
    from segscore.coders.consensus_coding import consensus_rule

    rules = [one for one in coders or () if consensus_rule(one) is not None]
    if rules and len(coders or ()) > 1:
        raise SegmentationError(
            f"--reference is {rules[0]!r} and more: expected a consensus alone, or coders"
        )
    return rules[0] if rules else coders


def _baselines(chosen: list[Baseline] | None, scale: bool) -> tuple[str, ...]:
    """The baselines to show: those named, or the usual ones."""
    if chosen and not scale:
        raise SegmentationError("--baseline and --no-scale are both given: expected one of them")
    usual = (Baseline.NONE, Baseline.RANDOM, Baseline.UNIFORM)
    return tuple(one.value for one in chosen or usual) if scale else ()


def _show_documents(
    comparison: "Comparison",
    between: tuple[str, str],
    documents: int,
    form: Format | None,
    output: Path | None,
) -> None:
    show(comparison.documents_table(*between, n=documents), form, output)
    if form in (None, "text") and output is None:
        for one in comparison.most_different(*between, n=documents):
            typer.echo("\n" + "\n".join(map(visible, str(one).split("\n"))))


def _remark_on(comparison: "Comparison", chosen: bool, unsaid: bool) -> None:
    """The choice of the test, and the warnings where the table does not carry them."""
    if chosen and len(comparison.systems) > 1 and len(comparison.documents) > 1:
        remark(comparison.advice)
    for warning in comparison.warnings if unsaid else ():
        remark(warning)
