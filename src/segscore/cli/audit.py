"""`segscore audit REF HYP`: the numbers that others would print, and why they differ."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.masking import MaskOption, UemOption, pairs_mask
from segscore.cli.options import (
    AlignOption,
    FormatOption,
    FormOption,
    IgnoreTextOption,
    MaxErrorOption,
    MissingOption,
    OutputOption,
)
from segscore.cli.output import show
from segscore.cli.reading_options import HypFormatOption, RefFormatOption
from segscore.coding.word_alignment import MAX_ERROR
from segscore.errors import SegmentationError, named

if TYPE_CHECKING:
    from segscore.io import ReadOptions


def run(
    reference: Annotated[Path, typer.Argument(metavar="REF", help="A file or a folder.")],
    hypothesis: Annotated[
        Path | None, typer.Argument(metavar="HYP", help="A file or a folder.")
    ] = None,
    expect: Annotated[
        str | None,
        typer.Option(
            "--expect",
            metavar="NUMBER",
            help="A number from elsewhere, to be explained: 0.3667, 36.67%.",
        ),
    ] = None,
    coder: Annotated[
        str | None,
        typer.Option(
            "--reference", metavar="CODER", help="The coder of REF that is the reference."
        ),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            "--hypothesis", metavar="CODER", help="The coder to look at, if there are several."
        ),
    ] = None,
    tolerance: Annotated[
        str,
        typer.Option(
            "--tolerance",
            metavar="UNITS",
            help="Tolerance of boundary F1: a number of units, or a time such as 10s.",
        ),
    ] = "0",
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="Only pk, windowdiff, f1 (boundaries) or segment-f1 (segments that overlap); "
            "can be repeated. Default: all.",
        ),
    ] = None,
    source: FormatOption = None,
    ref_from: RefFormatOption = None,
    hyp_from: HypFormatOption = None,
    missing: MissingOption = "error",
    ignore_text: IgnoreTextOption = False,
    align: AlignOption = None,
    max_error: MaxErrorOption = MAX_ERROR,
    mask: MaskOption = None,
    uem: UemOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    *,
    reading: "ReadOptions",
) -> None:
    """Show Pk, WindowDiff and F1 under every known convention.

    For several documents each convention is averaged in several ways. --expect says which of them
    print a given number.
    """
    from segscore.conventions import audit
    from segscore.pairing import read_pairs

    if hypothesis is None and coder is None:
        raise SegmentationError("HYP is missing: give a second file, or --reference CODER")
    found = read_pairs(
        reference,
        hypothesis,
        format=ref_from or source,
        hypothesis_format=hyp_from or source,
        reference_coder=coder,
        hypothesis_coder=system,
        missing=missing,
        ignore_text=ignore_text,
        align=align,
        max_error=max_error,
        choices=reading,
    )
    if len(found) > 1:
        names = named(one.hypothesis for one in found)
        raise SegmentationError(
            f"there are {len(found)} hypotheses: expected --hypothesis, one of {names}"
        )
    audited = audit(
        found[0].pairs,
        expect=expect,
        tolerance=int(tolerance) if tolerance.isdecimal() else tolerance,
        measures=measures or None,  # type: ignore[arg-type]  # checked there
        mask=pairs_mask(mask, uem, found[0].pairs),
    )
    show(audited.to_table(), form, output)
