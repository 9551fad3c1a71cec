"""`segscore score REF HYP…`: hypotheses against references."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.options import (
    FormatOption,
    FormOption,
    LayerOption,
    MetricsOption,
    Missing,
    MissingOption,
    OutputOption,
    PolicyOption,
    ThreadsOption,
    Undefined,
    UndefinedOption,
    UnitsOption,
    choices,
)
from segscore.cli.output import remark, show
from segscore.errors import SegmentationError


class Averages(StrEnum):
    """Which averages to show."""

    BOTH = "both"
    MICRO = "micro"
    MACRO = "macro"


def run(
    reference: Annotated[Path, typer.Argument(metavar="REF", help="A file or a folder.")],
    hypotheses: Annotated[
        list[Path] | None, typer.Argument(metavar="HYP…", help="Files or folders, one per system.")
    ] = None,
    metrics: MetricsOption = None,
    coder: Annotated[
        str | None,
        typer.Option("--reference", help="The coder of REF that is the reference."),
    ] = None,
    source: FormatOption = None,
    per_document: Annotated[
        bool, typer.Option("--per-document", help="A row per document instead of averages.")
    ] = False,
    average: Annotated[
        Averages, typer.Option("--average", help="Which averages to show.")
    ] = Averages.BOTH,
    missing: MissingOption = Missing.ERROR,
    undefined: UndefinedOption = Undefined.RAISE,
    units: UnitsOption = None,
    policy: PolicyOption = "error",
    layer: LayerOption = None,
    threads: ThreadsOption = None,
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
            missing=missing.value,
            choices=choices(units, policy, layer),
        ):
            left_out = [*pairing.without_hypothesis, *pairing.without_reference]
            if left_out:
                remark(f"left out, for one side lacks them: {', '.join(left_out)}")
            name = pairing.hypothesis
            if name in results:
                name = f"{name} ({hypothesis})"
            results[name] = score(
                pairing.pairs,
                metrics=metrics or DEFAULT_METRICS,
                threads=threads,
                on_undefined=undefined.value,
            )
    show(scores_table(results, average.value, per_document), form, output)
