"""`segscore audit REF HYP`: the numbers that others would print, and why they differ."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.options import (
    FormatOption,
    FormOption,
    IgnoreTextOption,
    MissingOption,
    OutputOption,
)
from segscore.cli.output import show
from segscore.cli.reading import HypFormatOption, RefFormatOption
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
    source: FormatOption = None,
    ref_from: RefFormatOption = None,
    hyp_from: HypFormatOption = None,
    missing: MissingOption = "error",
    ignore_text: IgnoreTextOption = False,
    form: FormOption = None,
    output: OutputOption = None,
    *,
    reading: "ReadOptions",
) -> None:
    """Show Pk and WindowDiff under every known convention.

    For several documents each convention is averaged in four ways. --expect says which of them
    print a given number.
    """
    from segscore.conventions import audit
    from segscore.io import read_pairs

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
        choices=reading,
    )
    if len(found) > 1:
        names = named(one.hypothesis for one in found)
        raise SegmentationError(
            f"there are {len(found)} hypotheses: expected --hypothesis, one of {names}"
        )
    show(audit(found[0].pairs, expect=expect).to_table(), form, output)
