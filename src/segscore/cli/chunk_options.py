"""What the commands about chunks share: texts, files of chunks, functions that make tokens."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from segscore.chunks.chunk_offsets import Missing
from segscore.cli.option_groups import Section, Written
from segscore.errors import SegmentationError

TextsArgument = Annotated[
    Path,
    typer.Argument(
        metavar="TEXTS",
        help="The text that was cut, a folder of texts, or JSON Lines with document and text.",
    ),
]
ChunksArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="CHUNKS…",
        help="Files of chunks, one for each chunker, or folders of its files; NAME=FILE gives a "
        "name.",
    ),
]
MissingOption = Annotated[
    Missing,
    typer.Option(
        "--missing",
        rich_help_panel=Section.COMPARED,
        help="Documents without a text or without chunks: an error, or skip, which leaves them "
        "out and says how many.",
    ),
]
TokensOption = Annotated[
    str | None,
    typer.Option(
        "--tokens",
        rich_help_panel=Section.CHUNKS,
        metavar="MODULE:FUNCTION",
        help="Count text in tokens: a function from a text to its tokens in order, or to their "
        "places (start, end); for sizes of chunks also to their number.",
    ),
]
ChunkReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report",
        rich_help_panel=Section.PAGES,
        metavar="FILE",
        help="Also write an HTML page with all tables.",
    ),
    Written("--report"),
]


def chunker_files(given: Sequence[str]) -> tuple[list[str], Any]:
    """The names of chunkers, and their files as the library takes them: by name if any has a
    name."""
    from segscore.comparison.system_files import system_files
    from segscore.io.compressed import stem_of

    files = system_files(given)
    names = [file.name or stem_of(file.path) for file in files]
    paths = [file.path for file in files]
    if not any(file.name for file in files):
        return names, paths
    if len(set(names)) < len(names):
        raise SegmentationError(
            "two files of chunks have the same name: expected NAME=FILE with different names"
        )
    return names, dict(zip(names, paths, strict=True))


def token_function(given: str | None) -> Any:
    """The function that --tokens names."""
    if given is None:
        return None
    from segscore.basics.user_functions import imported_function

    return imported_function(given, "--tokens")
