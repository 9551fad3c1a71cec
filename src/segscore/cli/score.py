"""`segscore score REF HYP…`: hypotheses against references."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from segscore.checking.coder_rules import same_file
from segscore.cli.column_files import ColumnOptions, are_columns, score_columns
from segscore.cli.gate import LimitOptions, with_more
from segscore.cli.option_groups import OptionGroup, Section, option
from segscore.cli.options import (
    FormatOptions,
    MetricsOption,
    PairingOptions,
    ReferenceArgument,
    ReferenceCoderOption,
    UndefinedOption,
    mask_of,
)
from segscore.cli.output import (
    WITHOUT_NOTES,
    CheckedOutput,
    Output,
    remark,
)
from segscore.cli.reading_options import ReadingOptions
from segscore.errors import SegmentationError
from segscore.metrics import DEFAULT_METRICS, Pk, WindowDiff, WinPR, metric
from segscore.metrics.statistics import Average
from segscore.pairing.inputs import Reader, name_with_file
from segscore.pairing.pairs import Pairs, read_pairs
from segscore.pairing.rules import PairingRules
from segscore.scoring.result_tables import parts_table, scores_table
from segscore.scoring.results import Result
from segscore.scoring.scoring import score
from segscore.tables.table import Table

HypothesesArgument = Annotated[
    list[Path] | None, typer.Argument(metavar="HYP…", help="Files or folders, one per system.")
]


@dataclass(frozen=True, kw_only=True)
class ScoreView(OptionGroup):
    """What is shown of scores."""

    per_document: Annotated[
        bool, option("--per-document", Section.OUTPUT, "A row per document, not averages.")
    ] = False
    average: Annotated[
        Literal["both", Average],
        option("--average", Section.STATISTICS, "micro (all together), macro, both.", "WHICH"),
    ] = "both"
    view: Annotated[
        Literal["scores", "parts", "windows"],
        option("--show", Section.OUTPUT, "scores, their parts, or windows.", "TABLE"),
    ] = "scores"

    @property
    def needs_documents(self) -> bool:
        """Whether documents are needed one by one."""
        return self.per_document or self.view != "scores"

    @property
    def shows_parts(self) -> bool:
        """Whether all parts of scores are shown."""
        return self.view == "parts"

    def check(self, has_limits: bool) -> None:
        """Refuse two tables at once, and an average that the table would not show."""
        if self.per_document and self.view != "scores":
            raise SegmentationError("--per-document and --show are both given: expected one")
        if self.shows_parts and self.average != "both" and not has_limits:
            raise SegmentationError("--average has no effect on --show parts: expected one of them")

    def show(
        self, results: Mapping[str, Result[Any]], metrics: Sequence[str], output: Output
    ) -> None:
        """Show the requested table; a single number is shown alone."""
        if self.view == "windows":
            output.show(_windows(results, metrics))
            return
        table = scores_table(results, self.average, self.per_document)
        alone = None if self.needs_documents else _only_number(results, self.average)
        if alone is not None:
            output.show_number(table, *alone)
        else:
            output.show(parts_table(results) if self.shows_parts else table)
        notes = (*table.footnotes, *table.warnings)
        for note in notes if output.chosen_form in WITHOUT_NOTES else ():
            remark(note)


def run(
    *,
    reference: ReferenceArgument,
    hypotheses: HypothesesArgument = None,
    metrics: MetricsOption = None,
    coder: ReferenceCoderOption = None,
    formats: FormatOptions,
    view: ScoreView,
    gate: LimitOptions,
    pairing: PairingOptions,
    on_undefined: UndefinedOption = "raise",
    output: CheckedOutput,
    reading: ColumnOptions,
) -> None:
    """Score segmentations against a reference.

    REF and HYP are files or folders in any known format; documents are paired by name. With a
    single file, --reference names the coder to score the others against. For a Parquet or Arrow
    file, name the columns: --read reference=COLUMN --read hypothesis=COLUMN.
    """
    asked = metrics or list(DEFAULT_METRICS)
    named = reading.chosen()
    more = view.needs_documents
    paths = hypotheses or []
    limits = gate.limits()
    view.check(bool(limits))
    asked = with_more(asked, [limit.metric for limit in limits])
    average: Average = "macro" if view.average == "macro" else "micro"
    if are_columns(reference, named, paths or coder, pairing):
        results = score_columns(
            [reference, *paths], named, asked, per_document=more,
            average=view.average, output=output, on_undefined=on_undefined,
        )  # fmt: skip
        gate.conclude(limits, results, average)
        return
    if not paths and coder is None:
        raise SegmentationError("HYP is missing: give a second file, or --reference CODER")
    results = {
        name: score(
            pairs, metrics=asked, mask=mask_of(pairing.mask, pairs), on_undefined=on_undefined
        )
        for name, pairs in _named_pairs(
            reference, paths, coder, formats, pairing, reading, asked, output
        )
    }
    view.show(results, asked, output)
    gate.conclude(limits, results, average)


def _named_pairs(
    reference: Path,
    hypotheses: list[Path],
    coder: str | None,
    formats: FormatOptions,
    pairing: PairingOptions,
    reading: ReadingOptions,
    metrics: Sequence[str],
    output: CheckedOutput,
) -> Iterator[tuple[str, Pairs]]:
    """The pairs to score, by the coder of the hypotheses; with the file if two share a name."""
    seen: set[str] = set()
    sides: list[Path | None] = [*hypotheses] or [None]
    for path in sides:
        if coder is None:
            output.warn(same_file(reference, path))
        for system, pairs in read_pairs(
            reference, path, PairingRules(coder, **pairing.rules),
            Reader(formats.both, reading.options_for(pairing.ignore_text)),
        ).items():  # fmt: skip
            name = system
            if path is not None:
                name = name_with_file(name, path, hypotheses, seen)
            seen.add(name)
            names = [name, system, *([path.stem] if path else [])]
            output.warn_of(pairs, [coder or reference.stem], names, map(metric, metrics))
            yield name, pairs
    reading.check()


def _only_number(results: Mapping[str, Result[Any]], average: str) -> tuple[str, str, str] | None:
    """The only number to show (one system, one metric, and one average or document), by its column,
    and what it is; None if there are several."""
    scores = [averaged for result in results.values() for averaged in result.averages]
    if len(scores) != 1 or (average == "both" and scores[0].n_documents != 1):
        return None
    (only,), field = scores, "micro" if average == "both" else average
    n, better = only.n_documents, "higher" if only.metric.higher_is_better else "lower"
    of = "1 document" if n == 1 else f"{field}-average of {n} documents"
    return field, f"{of}, {better} is better", only.signature


def _windows(results: Mapping[str, Result[Any]], metrics: Sequence[str]) -> dict[str, Table]:
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
