"""`segscore score REF HYP…`: hypotheses against references."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from segscore.cli import options as opts
from segscore.cli.column_files import ColumnOptions, score_columns
from segscore.cli.commands import OUTPUT, STATISTICS, argument, option
from segscore.cli.output import CheckedOutput, Output, remark
from segscore.errors import SegmentationError
from segscore.metrics import DEFAULT_METRICS, Average, OnUndefined, Pk, WindowDiff, WinPR, metric
from segscore.pairing.inputs import name_with_file
from segscore.pairing.pairs import read_pairs
from segscore.pairing.rules import PairingRules
from segscore.scoring.result_tables import score_parts_table, scores_table
from segscore.scoring.scoring import Result, score
from segscore.tables.table import Table

View = Literal["scores", "parts", "windows"]


def run_score(
    *,
    reference: Path = opts.REFERENCE,
    hypotheses: list[Path] | None = argument("HYP…", "Files or folders, one per system.", None),
    metrics: list[str] | None = opts.METRICS,
    coder: str | None = opts.REFERENCE_CODER,
    per_document: bool = option("--per-document", OUTPUT, "A row per document, not averages."),
    average: Literal["both", Average] = option(
        "--average", STATISTICS, "micro (all together), macro, both.", "WHICH", "both"
    ),
    view: View = option("--show", OUTPUT, "scores, their parts, or windows.", "TABLE", "scores"),
    gate: opts.LimitOptions,
    pairing: opts.PairingOptions,
    on_undefined: OnUndefined = opts.UNDEFINED,
    output: CheckedOutput,
    reading: ColumnOptions,
) -> None:
    """Score segmentations against a reference.

    REF and HYP are files or folders in any known format; documents are paired by name. With a
    single file, --reference names the coder to score the others against. For a Parquet or Arrow
    file, name the columns: --read reference=COLUMN --read hypothesis=COLUMN.
    """
    if per_document and view != "scores":
        raise SegmentationError("--per-document and --show are both given: expected one")
    limits = gate.limits()
    asked = list(metrics or DEFAULT_METRICS)
    if limits:
        asked = opts.with_more(asked, [limit.metric for limit in limits])
    paths = hypotheses or []
    results: Mapping[str, Result]
    if reading.are_columns(reference, paths or coder, pairing):
        if per_document or view != "scores":
            raise SegmentationError(
                "--per-document and --show are not for Parquet files, which give averages: "
                "ss.score_frame gives a row per document"
            )
        files = [reference, *paths]
        results = score_columns(files, reading, asked, average, on_undefined, output)
    else:
        if not paths and coder is None:
            raise SegmentationError("HYP is missing: give a second file, or --reference CODER")
        rules = PairingRules(coder, None, pairing.missing, pairing.ignore_text, pairing.align)
        if per_document:
            reading.options.notes.receipt = "answers"
        results, wanted = {}, list(map(metric, asked))
        for path in paths or (None,):
            reader = reading.reader(ignore_text=pairing.ignore_text)
            found = read_pairs(reference, path, rules, reader)
            for system, pairs in found.items():
                name = system
                if path is not None and len(paths) > 1:
                    name = name_with_file(system, path, paths, results)
                names = [name, system, *([path.stem] if path else [])]
                output.warn_of(pairs, [coder or reference.stem], names, wanted)
                results[name] = score(
                    pairs,
                    metrics=asked,
                    mask=opts.mask_of(pairing.mask, pairs) if pairing.mask else None,
                    on_undefined=on_undefined,
                )
        reading.finish()
        _show(results, asked, average, per_document, view, output)
    if limits:
        shown: Average = "macro" if average == "macro" else "micro"

        def value(system: str, name: str) -> float:
            scores = next(s for s in results[system].values() if s.metric == metric(name))
            return float(getattr(scores, shown))

        gate.hold(limits, results, value, shown)


def _show(
    results: Mapping[str, Result],
    metrics: Sequence[str],
    average: Literal["both", Average],
    per_document: bool,
    view: View,
    output: Output,
) -> None:
    """Show the requested table; if there is only one number (one system, one metric, and one
    average or document), it stands alone with what it is."""
    if view == "windows":
        output.show(_windows(results, metrics))
        return
    table = scores_table(results, average, per_document)
    scores = [averaged for result in results.values() for averaged in result.averages]
    alone: tuple[str, ...] = ()
    only = scores[0]
    if (
        len(scores) == 1
        and view == "scores"
        and not per_document
        and (average != "both" or only.n_documents == 1)
    ):
        field = "micro" if average == "both" else average
        n, better = only.n_documents, "higher" if only.metric.higher_is_better else "lower"
        of = "1 document" if n == 1 else f"{field}-average of {n} documents"
        alone = field, f"{of}, {better} is better", only.signature
    output.show(score_parts_table(results) if view == "parts" else table, alone)
    if not output.has_notes:
        for note in (*table.footnotes, *table.warnings):
            remark(note)


def _windows(results: Mapping[str, Result], metrics: Sequence[str]) -> dict[str, Table]:
    """The penalised windows of each system, metric and document."""
    from segscore.metrics.window_runs import windows

    chosen = [name for name in metrics if isinstance(metric(name), Pk | WindowDiff | WinPR)]
    if not chosen:
        raise SegmentationError("--show windows needs a window metric: -m pk, windowdiff or winpr")
    tables = {}
    for system, result in results.items():
        for name in chosen:
            scores = next(scores for scores in result.values() if scores.metric == metric(name))
            for document in scores.documents:
                both: Any = scores[document].pair
                inner = scores.metric.in_units(scores.provenance)
                found = windows(both[0], both[1], inner).to_table()
                title = f"{system}, {document}: windows that {name} penalises"
                tables[f"{system} {document} {name}"] = replace(found, title=title)
    return tables
