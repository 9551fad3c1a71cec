"""`segscore convert SOURCE… TARGET`: from one file format to another."""

from pathlib import Path
from typing import Annotated

import typer

from segscore.cli.option_groups import Section, Written
from segscore.cli.options import CodersOption, FormatOption, LossyOption, ToOption
from segscore.cli.reading_options import CleaningOptions
from segscore.cli.streams import reader_may_leave


def run(
    *,
    sources: Annotated[
        list[Path], typer.Argument(metavar="SOURCE…", help="Files or folders, read as one.")
    ],
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="The file to write."), Written("TARGET")
    ],
    from_format: FormatOption = None,
    to_format: ToOption = None,
    coder: Annotated[
        str | None,
        typer.Option(
            "--coder",
            rich_help_panel=Section.READING,
            metavar="CODER",
            help="The coder of SOURCE, if the file does not name one.",
        ),
    ] = None,
    coders: CodersOption = None,
    lossy: LossyOption = False,
    reading: CleaningOptions,
) -> None:
    """Convert segmentations from one format to another.

    An error names what TARGET's format cannot hold (ranks, types, texts …); with --lossy it is left
    out. Formats: jsonl, segeval-json, segeval-tsv, csv, sheet (a spreadsheet with the text), wide,
    levels, choi, gaps; and SOURCE may be a file of an annotation tool (docs/readers.md).
    """
    from segscore.io import convert
    from segscore.io.files import is_stream

    if not is_stream(target):  # a pipe is part of something that says what it does
        reading.options.notes.receipt = "always"
    with reader_may_leave():  # TARGET may be /dev/stdout
        convert(
            sources,
            target,
            from_format=from_format,
            to_format=to_format,
            coders=coders,
            coder=coder,
            choices=reading.options,
            lossy=lossy,
        )
    reading.check()
