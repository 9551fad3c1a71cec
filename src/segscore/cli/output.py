"""Where output goes: the result to stdout or a file, remarks and progress to stderr."""

import json
import sys
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

import typer

from segscore.errors import shortened, visible
from segscore.tables import Table

Item = TypeVar("Item")

_LONGEST_REMARK = 2000  # characters: a list of names should not fill the terminal


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


def show(table: Table, form: Form | None, output: Path | None) -> None:
    """Print a table, or write it to a file."""
    show_several({"": table}, form, output)


def show_several(tables: Mapping[str, Table], form: Form | None, output: Path | None) -> None:
    """Tables one below the other; in JSON several are one object, by their names."""
    form = chosen_form(form, output)
    if form is Form.TEXT and output is None and sys.stdout.isatty():
        from rich.console import Console

        console = Console()
        for index, table in enumerate(tables.values()):
            console.print(*[""] * bool(index), table, sep="\n")
        return
    texts = {name: table.render(form.value).rstrip("\n") for name, table in tables.items()}
    whole = "\n\n".join(texts.values())
    if form is Form.JSON and len(texts) > 1:
        cells = (f"{json.dumps(name)}: {text}" for name, text in texts.items())
        whole = "{" + ",\n".join(cells) + "}"
    if output is None:
        typer.echo(whole)
        return
    from segscore.io import replacing

    with replacing(output) as file:
        file.write(whole + "\n")


def chosen_form(form: Form | None, output: Path | None) -> Form:
    """The format asked for, or that of the file's suffix, or text."""
    if form is not None or output is None:
        return form or Form.TEXT
    return _BY_SUFFIX.get(output.suffix.lower(), Form.TEXT)


def remark(message: str) -> None:
    """Say something that is not the result; names in it cannot recolour a terminal."""
    text = shortened(message)
    if len(text) > _LONGEST_REMARK:
        text = text[:_LONGEST_REMARK] + "…"
    typer.echo("\n".join(map(visible, text.split("\n"))), err=True)


def with_progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterable[Item]:
    """The items, with a bar on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import track

    bar = Console(stderr=True)
    description = escape(visible(what))
    return track(items, description=description, total=total, console=bar, transient=True)
