"""Options about files of any kind: how large, in which encoding, how strictly they are read."""

from typing import Annotated

import typer

from segscore.cli.option_groups import Section

LargeOption = Annotated[
    bool,
    typer.Option(
        "--large",
        rich_help_panel=Section.READING,
        help="Read files that would take more than 2 GB of memory, and compressed files that grow "
        "more than 500-fold beyond 256 MB. Use it only for files that you trust.",
    ),
]
LenientOption = Annotated[
    bool,
    typer.Option(
        "--lenient",
        rich_help_panel=Section.READING,
        help="Leave out blank lines and empty segments in Choi's format, and the text of lines "
        "that begin like a mark in ranked text; say how many.",
    ),
]
TextEncodingOption = Annotated[
    str | None,
    typer.Option(
        "--text-encoding",
        rich_help_panel=Section.READING,
        metavar="NAME",
        help="Encoding of text files, such as cp1252 or utf-16; by default UTF-8.",
    ),
]
