"""`segscore score REF HYP…`: hypotheses against references."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from segscore.cli.check import warn_of_pairing, warn_of_same_file
from segscore.cli.column_files import (
    ByOption,
    Columns,
    DocumentColumn,
    EncodingOption,
    HypothesisColumn,
    HypothesisLabels,
    ReferenceColumn,
    ReferenceLabels,
    SumsOption,
    UnitsColumn,
    row_errors,
    score_columns,
)
from segscore.cli.gate import (
    FailOverOption,
    FailUnderOption,
    GithubOption,
    JunitOption,
    checked_limits,
    conclude,
    limits,
    with_more,
)
from segscore.cli.masking import MaskOption, UemOption, pairs_mask, refuse_for_columns
from segscore.cli.options import (
    AlignOption,
    CheckOption,
    FormatOption,
    FormOption,
    IgnoreTextOption,
    MaxErrorOption,
    MetricsOption,
    MissingOption,
    OutputOption,
    ThreadsOption,
    UndefinedOption,
)
from segscore.cli.output import chosen_form, remark, show, show_several
from segscore.cli.reading_options import HypFormatOption, RefFormatOption
from segscore.coding.word_alignment import MAX_ERROR
from segscore.errors import SegmentationError
from segscore.metrics.statistics import Average

if TYPE_CHECKING:
    from segscore.io import ReadOptions
    from segscore.pairing.pairing import Pairing
    from segscore.scoring.results import Result
    from segscore.tables import Table


def run(
    reference: Annotated[Path, typer.Argument(metavar="REF", help="A file or a folder.")],
    hypotheses: Annotated[
        list[Path] | None, typer.Argument(metavar="HYP…", help="Files or folders, one per system.")
    ] = None,
    metrics: MetricsOption = None,
    coder: Annotated[
        str | None,
        typer.Option(
            "--reference",
            metavar="CODER",
            help="The coder of REF that is the reference; consensus:0.5 is what half of them mark.",
        ),
    ] = None,
    source: FormatOption = None,
    ref_from: RefFormatOption = None,
    hyp_from: HypFormatOption = None,
    per_document: Annotated[
        bool, typer.Option("--per-document", help="A row per document instead of averages.")
    ] = False,
    average: Annotated[
        Literal["both", Average], typer.Option("--average", help="Which averages to show.")
    ] = "both",
    view: Annotated[
        Literal["scores", "parts", "windows"],
        typer.Option(
            "--show",
            help="Scores; all parts of them; or which windows are penalised, and why.",
        ),
    ] = "scores",
    parts: Annotated[bool, typer.Option("--parts", help="The same as --show parts.")] = False,
    under: FailUnderOption = None,
    over: FailOverOption = None,
    junit: JunitOption = None,
    github: GithubOption = False,
    missing: MissingOption = "error",
    ignore_text: IgnoreTextOption = False,
    align: AlignOption = None,
    max_error: MaxErrorOption = MAX_ERROR,
    mask: MaskOption = None,
    uem: UemOption = None,
    undefined: UndefinedOption = "raise",
    threads: ThreadsOption = None,
    checked: CheckOption = True,
    reference_column: ReferenceColumn = None,
    hypothesis_column: HypothesisColumn = None,
    n_units: UnitsColumn = None,
    document_column: DocumentColumn = None,
    encoding: EncodingOption = "boundaries",
    reference_labels: ReferenceLabels = None,
    hypothesis_labels: HypothesisLabels = None,
    by: ByOption = None,
    sums: SumsOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    *,
    reading: "ReadOptions",
) -> None:
    """Score segmentations against a reference.

    REF and HYP are files or folders in any format that `segscore convert` knows. Documents are
    paired by name. With one file alone, --reference names the coder to score the others against.
    A Parquet or Arrow file holds both sides in its columns, a row per document; it may be larger
    than memory, and there may be several.
    """
    from segscore.engines.parquet import is_columnar
    from segscore.pairing.streams import is_large
    from segscore.scoring.scoring import DEFAULT_METRICS, score

    columns = Columns(
        reference_column, hypothesis_column, n_units, document_column, encoding,
        row_errors(reading), tuple(by or ()), reference_labels=reference_labels,
        hypothesis_labels=tuple(filter(None, [hypothesis_labels])),
    )  # fmt: skip
    more = bool(per_document or parts or view != "scores" or under or over)  # than averages
    if is_columnar(reference) and (columns.given or not (hypotheses or coder)):
        refuse_for_columns(align, mask, uem)
        score_columns(
            [reference, *(hypotheses or ())],
            columns,
            metrics or list(DEFAULT_METRICS),
            per_document=more,
            average=average,
            undefined=undefined,
            threads=threads,
            sums=sums,
            form=form,
            output=output,
        )
        return
    columns.check_unused()
    if not hypotheses and coder is None:
        raise SegmentationError("HYP is missing: give a second file, or --reference CODER")
    wanted = limits(under or (), over or ())
    asked = with_more(metrics or DEFAULT_METRICS, [limit.metric for limit in wanted])
    formats = ref_from or source, hyp_from or source
    sides: list[Path | None] = [*hypotheses] if hypotheses else [None]
    told = (
        coder, *formats, reading.units, reading.marks, reading.columns or None, reading.text, align,
        mask, uem,
    )  # fmt: skip
    plain = not any(told) and reading.on_error == "raise" and not more
    if plain and hypotheses and is_large(reference, hypotheses):
        found = _averages_of_large(
            reference, hypotheses, asked, checked, missing=missing, ignore_text=ignore_text,
            on_undefined=undefined, threads=threads,
        )  # fmt: skip
        _show(found, asked, average, False, "scores", form, output)
        return
    results: dict[str, Result] = {}
    for hypothesis in sides:
        if checked:
            warn_of_same_file(reference, hypothesis, coder)
        for pairing in _pairings(
            reference, hypothesis, coder, formats, reading,
            missing=missing, ignore_text=ignore_text, align=align, max_error=max_error,
        ):  # fmt: skip
            name = pairing.hypothesis
            name = f"{name} ({hypothesis})" if name in results else name
            if checked:
                warn_of_pairing(pairing, coder or reference.stem, hypothesis)
            pairs = pairing.pairs
            results[name] = score(
                pairs, metrics=asked, mask=pairs_mask(mask, uem, pairs),
                threads=threads, on_undefined=undefined,
            )  # fmt: skip
    _show(results, asked, average, per_document, view if not parts else "parts", form, output)
    checked_average: Average = "macro" if average == "macro" else "micro"
    if wanted:
        conclude(checked_limits(wanted, results, checked_average), junit, github)


def _show(
    results: "dict[str, Result]",
    asked: Any,
    average: str,
    per_document: bool,
    view: str,
    form: Any,
    output: Path | None,
) -> None:
    from segscore.scoring.result_tables import parts_table, scores_table

    if view == "windows":
        show_several(_windows(results, asked), form, output)
        return
    table = scores_table(results, average, per_document)
    show(parts_table(results) if view == "parts" else table, form, output)
    if chosen_form(form, output) in ("csv", "json"):  # they have no place for it
        for note in table.footnotes:
            remark(note)


def _averages_of_large(
    reference: Path, hypotheses: list[Path], metrics: list[str], checked: bool, **how: Any
) -> "dict[str, Result]":
    """The averages of files that are too large to hold; warnings rest on their first documents."""
    from segscore.scoring.large_files import score_large

    def look(pairing: "Pairing", path: Path) -> None:
        warn_of_pairing(pairing, reference.stem, path)

    for path in hypotheses if checked else ():
        warn_of_same_file(reference, path, None)
    return score_large(reference, hypotheses, metrics, look=look if checked else None, **how)


def _pairings(
    reference: Path,
    hypothesis: Path | None,
    coder: str | None,
    formats: tuple[str | None, str | None],
    reading: "ReadOptions",
    **how: Any,
) -> "list[Pairing]":
    """Both sides paired by document; the reference may be a consensus of coders."""
    from segscore.pairing import read_pairs

    return read_pairs(
        reference,
        hypothesis,
        format=formats[0],
        hypothesis_format=formats[1],
        reference_coder=coder,
        choices=reading,
        **how,
    )


def _windows(results: "dict[str, Result]", metrics: list[str]) -> "dict[str, Table]":
    """The penalised windows of each system, metric and document."""
    from dataclasses import replace

    from segscore.metrics import Pk, WindowDiff, WinPR, metric
    from segscore.metrics.window_runs import windows

    chosen = [name for name in metrics if isinstance(metric(name), Pk | WindowDiff | WinPR)]
    if not chosen:
        raise SegmentationError("--show windows needs a window metric: -m pk, windowdiff or winpr")
    tables = {}
    for system, result in results.items():
        for name in chosen:
            scores = next(one for one in result.values() if one.metric == metric(name))
            for document in scores.documents:
                both: Any = scores[document].pair
                inner = scores.metric.in_units(scores.provenance)
                found = windows(both[0], both[1], inner).to_table()
                title = f"{system}, {document}: windows that {name} penalises"
                tables[f"{system} {document} {name}"] = replace(found, title=title)
    return tables
