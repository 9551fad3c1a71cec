"""`segscore score REF HYP…`: hypotheses against references."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from segscore.cli.check import warn_of
from segscore.cli.options import (
    CheckOption,
    FormatOption,
    FormOption,
    IgnoreTextOption,
    LayerOption,
    MetricsOption,
    MissingOption,
    OutputOption,
    PolicyOption,
    ThreadsOption,
    UndefinedOption,
    UnitsOption,
    choices,
)
from segscore.cli.output import chosen_form, remark, show
from segscore.errors import SegmentationError
from segscore.scores import Average


def run(
    reference: Annotated[Path, typer.Argument(metavar="REF", help="A file or a folder.")],
    hypotheses: Annotated[
        list[Path] | None, typer.Argument(metavar="HYP…", help="Files or folders, one per system.")
    ] = None,
    metrics: MetricsOption = None,
    coder: Annotated[
        str | None,
        typer.Option(
            "--reference", metavar="CODER", help="The coder of REF that is the reference."
        ),
    ] = None,
    source: FormatOption = None,
    per_document: Annotated[
        bool, typer.Option("--per-document", help="A row per document instead of averages.")
    ] = False,
    average: Annotated[
        Literal["both", Average], typer.Option("--average", help="Which averages to show.")
    ] = "both",
    missing: MissingOption = "error",
    ignore_text: IgnoreTextOption = False,
    undefined: UndefinedOption = "raise",
    units: UnitsOption = None,
    policy: PolicyOption = "error",
    layer: LayerOption = None,
    threads: ThreadsOption = None,
    checked: CheckOption = True,
    form: FormOption = None,
    output: OutputOption = None,
) -> None:
    """Score segmentations against a reference.

    REF and HYP are files or folders in any format that `segscore convert` knows. Documents are
    paired by name. With one file alone, --reference names the coder to score the others against.
    """
    from segscore.io import read_pairs
    from segscore.scores import scores_table
    from segscore.scoring import DEFAULT_METRICS, score

    if not hypotheses and coder is None:
        raise SegmentationError("HYP is missing: give a second file, or --reference CODER")
    results = {}
    sides: list[Path | None] = [*hypotheses] if hypotheses else [None]
    for hypothesis in sides:
        for pairing in read_pairs(
            reference,
            hypothesis,
            format=source,
            hypothesis_format=source,
            reference_coder=coder,
            missing=missing,
            ignore_text=ignore_text,
            choices=choices(units, policy, layer),
        ):
            name = pairing.hypothesis
            if name in results:
                name = f"{name} ({hypothesis})"
            if checked:
                warn_of(
                    pairing.pairs,
                    [coder or reference.stem],
                    [pairing.hypothesis, *([hypothesis.stem] if hypothesis else [])],
                )
            results[name] = score(
                pairing.pairs,
                metrics=metrics or DEFAULT_METRICS,
                threads=threads,
                on_undefined=undefined,
            )
    table = scores_table(results, average, per_document)
    show(table, form, output)
    if chosen_form(form, output) in ("csv", "json"):  # they have no place for it
        for note in table.footnotes:
            remark(note)
