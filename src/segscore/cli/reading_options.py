"""The options that say how files are read: the same for every command that reads codings.

A command that takes a parameter `reading` gets them all from the wrapper `with_reading`, which also
tells at the end which files were skipped: a table on stderr, a file if --errors names one, and exit
code 3.
"""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from segscore.cli.options import LayerOption, PolicyOption, UnitsOption
from segscore.cli.output import chosen_form, remark, remark_width
from segscore.corpus.coding_tables import PARTS, Marks
from segscore.errors import SegmentationError, nearest
from segscore.text.chunk_placing import Overlap

if TYPE_CHECKING:
    from segscore.io import ReadOptions
    from segscore.tables import Table

SKIPPED = 3  # exit code: done, but some files were skipped

MarksOption = Annotated[
    Marks | None,
    typer.Option(
        "--marks",
        help="What labels of 0 and 1 mean: 1 is the last unit of a segment (end) or the first "
        "(start), or stands for a gap between units (gaps); or numbers are segments (ids) or "
        "lengths (masses). Asked for where the file does not say.",
    ),
]
MapOption = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="PART=COLUMN,…",
        help="Which column of a table, or key of a JSON object, holds what: "
        "document=doc_id,coder=annotator,unit=sentence_id,boundary=label.",
    ),
]
DocumentNameOption = Annotated[
    str | None,
    typer.Option(
        "--document-name",
        metavar="PATH",
        help="Where Label Studio and doccano keep a document's name: data.doc_id.",
    ),
]
DurationsOption = Annotated[
    Path | None,
    typer.Option(
        "--durations",
        metavar="FILE",
        help="How long each recording is: CSV with columns document and duration (seconds, or "
        "1:02:45), or a JSON object with the seconds of each.",
    ),
]
OnErrorOption = Annotated[
    str,
    typer.Option(
        "--on-error",
        metavar="raise|skip",
        help="A file of a folder that cannot be read: stop there (raise), or skip it, list it at "
        "the end and exit with 3. Rows of Parquet and Arrow files: stop, or leave them out.",
    ),
]
ErrorsOption = Annotated[
    Path | None,
    typer.Option(
        "--errors",
        metavar="FILE",
        help="Write the list of skipped files, by its suffix as CSV, JSON or text.",
    ),
]
RefFormatOption = Annotated[
    str | None,
    typer.Option("--ref-from", metavar="FORMAT", help="Format of REF alone; otherwise as --from."),
]
HypFormatOption = Annotated[
    str | None,
    typer.Option(
        "--hyp-from", metavar="FORMAT", help="Format of the other files; otherwise as --from."
    ),
]

TextOption = Annotated[
    Path | None,
    typer.Option(
        "--text",
        metavar="FILE",
        help="The file or folder that chunks were cut from; by default REF.",
    ),
]
OverlapOption = Annotated[
    Overlap,
    typer.Option(
        "--overlap",
        help="Boundary of chunks that overlap: at the start of the later one, in the middle of "
        "what they share, or at the end of the earlier one.",
    ),
]
AllowGapsOption = Annotated[
    bool, typer.Option("--allow-gaps", help="Accept chunks that leave out some of the text.")
]
KeepHeadingsOption = Annotated[
    bool,
    typer.Option(
        "--keep-headings", help="Headings of Markdown are units, as they are in chunks of it."
    ),
]
WordTimesOption = Annotated[
    Path | None,
    typer.Option(
        "--word-times",
        metavar="FILE",
        help="Words with times (CTM, or a transcript in JSON) that are the units of files of "
        "times: chapters, turns, labels.",
    ),
]

_OPTIONS: dict[str, tuple[Any, Any]] = {  # of each parameter: annotation and default
    "units": (UnitsOption, None),
    "policy": (PolicyOption, "error"),
    "layer": (LayerOption, None),
    "marks": (MarksOption, None),
    "columns": (MapOption, None),
    "document_name": (DocumentNameOption, None),
    "durations": (DurationsOption, None),
    "on_error": (OnErrorOption, "raise"),
    "errors": (ErrorsOption, None),
    "text": (TextOption, None),
    "overlap": (OverlapOption, "start"),
    "allow_gaps": (AllowGapsOption, False),
    "keep_headings": (KeepHeadingsOption, False),
    "word_times": (WordTimesOption, None),
}


def with_reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, with the options of reading in place of its parameter `reading`."""
    signature = inspect.signature(command)
    if "reading" not in signature.parameters:
        return command

    @wraps(command)
    def run(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in _OPTIONS}
        errors = chosen.pop("errors")
        reading = _options(**chosen)
        if errors is not None and reading.on_error != "skip":
            raise SegmentationError("--errors is given: expected --on-error skip beside it")
        try:
            result = command(**given, reading=reading)
        finally:
            if reading.on_error == "skip":
                tell_skipped(reading, errors)
        if reading.skipped:
            raise typer.Exit(SKIPPED)
        return result

    kept = [one for name, one in signature.parameters.items() if name != "reading"]
    added = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
        )
        for name, (annotation, default) in _OPTIONS.items()
    ]
    run.__signature__ = signature.replace(parameters=[*kept, *added])  # type: ignore[attr-defined]
    run.__annotations__ = {
        **{name: one for name, one in command.__annotations__.items() if name != "reading"},
        **{name: annotation for name, (annotation, _) in _OPTIONS.items()},
    }
    return run


def _options(
    *, columns: list[str] | None, durations: Path | None, **plain: Any
) -> "ReadOptions":  # fmt: skip
    """What the options say; what a reader does goes to stderr."""
    from segscore.io import ReadOptions, read_durations

    return ReadOptions(
        **plain,
        columns=_columns(columns or []),
        durations=read_durations(durations) if durations is not None else {},
        remark=remark,
    )


def _columns(given: list[str]) -> dict[str, str]:
    """{part: column} of `part=column,part=column`."""
    found: dict[str, str] = {}
    for one in (part for text in given for part in text.split(",")):
        part, mark, name = one.partition("=")
        if not mark or not name.strip():
            raise SegmentationError(
                f"--map has {one!r}: expected PART=COLUMN, PART one of {', '.join(PARTS)}"
            )
        if part.strip() not in PARTS:
            raise SegmentationError(
                f"--map has {one!r}, and no part is called {part.strip()!r}"
                f"{nearest(part.strip(), PARTS)}"
            )
        if part.strip() in found:
            raise SegmentationError(f"--map: {part.strip()} is listed twice: expected it once")
        found[part.strip()] = name.strip()
    return found


def tell_skipped(reading: "ReadOptions", errors: Path | None = None) -> None:
    """Say which files were skipped: a table on stderr, and in a file if one is named."""
    table = _skipped_table(reading)
    if reading.skipped:
        remark(f"{len(reading.skipped)} files skipped:")
        typer.echo(table.render("text", remark_width()), err=True)
    if errors is not None:  # as it is: the options for tables are for the result
        from segscore.io import replacing

        with replacing(errors) as file:
            file.write(table.render(chosen_form(None, errors)).rstrip("\n") + "\n")


def _skipped_table(reading: "ReadOptions") -> "Table":
    from segscore.tables import Column, Table

    seen = dict.fromkeys(reading.skipped)  # a reference is read once for each hypothesis
    reading.skipped[:] = list(seen)
    return Table([Column("file"), Column("reason")], [list(one) for one in seen])
