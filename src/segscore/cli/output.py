"""Where output goes: the result to stdout or a file, remarks and progress to stderr."""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import typer

from segscore.cli.look_options import table_options
from segscore.errors import SegmentationError, shortened, visible
from segscore.tables import Table
from segscore.tables.table import Format

Item = TypeVar("Item")

_WIDTH = 100  # of text that goes to no terminal and to no file
_LONGEST_REMARK = 2000  # characters: a list of names should not fill the terminal


_BY_SUFFIX: dict[str, Format] = {
    ".txt": "text",
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
}


def show(table: Table, form: Format | None, output: Path | None) -> None:
    """Print a table, or write it to a file."""
    show_several({"": table}, form, output)


def show_several(tables: Mapping[str, Table], form: Format | None, output: Path | None) -> None:
    """Tables one below the other; in JSON several are one object, by their names.

    Text is made to fit the terminal, or 100 columns without one; a file gets the full table.
    """
    form = chosen_form(form, output)
    tables = _as_wanted(tables)
    width = table_options().width
    if form == "text" and output is None and sys.stdout.isatty():
        from rich.console import Console

        console = Console(width=width)
        for index, table in enumerate(tables.values()):
            console.print(*[""] * bool(index), table, sep="\n")
        return
    if width is None and output is None:
        width = _WIDTH
    texts = {name: table.render(form, width).rstrip("\n") for name, table in tables.items()}
    whole = "\n\n".join(texts.values())
    if form == "json" and len(texts) > 1:
        cells = (f"{json.dumps(name)}: {text}" for name, text in texts.items())
        whole = "{" + ",\n".join(cells) + "}"
    if output is None:
        typer.echo(whole)
        return
    if form == "html":
        from segscore.tables.markup import html_page

        title = next((table.title for table in tables.values() if table.title), None)
        whole = html_page(list(texts.values()), title or "segscore").rstrip("\n")
    from segscore.io import replacing

    with replacing(output) as file:
        file.write(whole + "\n")


def _as_wanted(tables: Mapping[str, Table]) -> dict[str, Table]:
    """The tables as the options say; what explains the numbers stands once, below the last."""
    wanted = table_options()
    if len(tables) > 1 and wanted.look.for_one_table:
        raise SegmentationError(
            f"--show-columns, --caption and --label are for one table, and there are {len(tables)}:"
            f" choose one by --show, of {', '.join(tables)}"
        )
    found = {name: wanted.look.of(table) for name, table in tables.items()}
    if wanted.explain and found:
        words = dict.fromkeys(text for table in found.values() for text in table.explanations)
        last = list(found)[-1]
        found[last] = replace(found[last], footnotes=[*found[last].footnotes, *words])
    return found


def chosen_form(form: Format | None, output: Path | None) -> Format:
    """The format asked for, or that of the file's suffix, or text."""
    if form is not None or output is None:
        return form or "text"
    return _BY_SUFFIX.get(output.suffix.lower(), "text")


def remark(message: str, one_line: bool = False) -> None:
    """Say something that is not the result; names in it cannot recolour a terminal.

    On a terminal it is broken between words, as tables are, unless it is to stay `one_line`: errors
    and what another program reads. Elsewhere, in logs and pipes, each remark is a line.
    """
    text = shortened(message)
    if len(text) > _LONGEST_REMARK:
        text = text[:_LONGEST_REMARK] + "…"
    lines = [visible(line) for line in text.split("\n")]
    width = None if one_line else remark_width()
    if width is not None:
        from segscore.tables.wrapping import wrapped

        lines = [part for line in lines for part in wrapped(line, width)]
    typer.echo("\n".join(lines), err=True)


def remark_width() -> int | None:
    """How wide what goes to stderr may be; None if that is no terminal."""
    if not sys.stderr.isatty():
        return None
    from rich.console import Console

    return table_options().width or Console(stderr=True).width


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
