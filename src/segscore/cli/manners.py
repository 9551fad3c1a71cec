"""What commands share: options, where output goes, progress."""

import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.tables import Table

Item = TypeVar("Item")


class Form(StrEnum):
    """Formats of output."""

    TEXT = "text"
    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"
    JSON = "json"
    HTML = "html"


_BY_SUFFIX = {
    ".txt": Form.TEXT,
    ".md": Form.MARKDOWN,
    ".tex": Form.LATEX,
    ".csv": Form.CSV,
    ".json": Form.JSON,
    ".html": Form.HTML,
}

FormOption = Annotated[
    Form | None,
    typer.Option(
        "--format", "-f", help="Format of the table; by default text, or by the suffix of -o."
    ),
]
OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
]
MetricsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metric", "-m", help='A metric, with parameters if need be: "wd(k=3)". May be repeated.'
    ),
]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", help="Threads to use; by default all cores.")
]


def show(table: "Table", form: Form | None, output: Path | None) -> None:
    """Print a table, or write it to a file."""
    if form is None:
        form = _BY_SUFFIX.get(output.suffix.lower(), Form.TEXT) if output else Form.TEXT
    if output is not None:
        from segscore.io import replacing

        text = table.render(form.value)
        with replacing(output) as file:
            file.write(text if text.endswith("\n") else text + "\n")
    elif form is Form.TEXT and sys.stdout.isatty():
        from rich.console import Console

        Console().print(table)
    else:
        text = table.render(form.value)
        typer.echo(text, nl=not text.endswith("\n"))


def remark(message: str) -> None:
    """Say something that is not the result."""
    typer.echo(message, err=True)


def with_progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterable[Item]:
    """The items, with a bar on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    bar = Console(stderr=True)
    return track(items, description=what, total=total, console=bar, transient=True)


def one_of(value: str, allowed: tuple[str, ...], option: str) -> str:
    """Refuse a value that an option does not know."""
    if value not in allowed:
        raise SegmentationError(f"{option} is {value!r}: expected one of {', '.join(allowed)}")
    return value
