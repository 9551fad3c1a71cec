"""What commands share: options, where output goes, progress."""

import json
import sys
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.io import Choices
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


class Coders(StrEnum):
    """What a coder's name means."""

    GLOBAL = "global"
    LOCAL = "local"


class Missing(StrEnum):
    """What to do about documents that one side lacks."""

    ERROR = "error"
    SKIP = "skip"


class Undefined(StrEnum):
    """What to do about documents that cannot be scored."""

    RAISE = "raise"
    NAN = "nan"


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
UnitsOption = Annotated[
    str | None,
    typer.Option(
        "--units",
        help="What a unit is, in files of spans or times: lines, paragraphs, sentences, words, "
        "characters, seconds:6, seconds:6:3600 (of 3600 s in all), tier:NAME.",
    ),
]
PolicyOption = Annotated[
    str,
    typer.Option("--policy", help="Spans that do not fit the units: error, snap or keep-start."),
]
LayerOption = Annotated[
    str | None, typer.Option("--layer", help="The tier, layer or label that holds the segments.")
]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", help="Threads to use; by default all cores.")
]

# ---- where segmenters run ----

StopWordsOption = Annotated[
    Path | None, typer.Option("--stop-words", help="A file with a word per line.")
]
StemmerOption = Annotated[
    str | None, typer.Option("--stemmer", help="A Snowball language, or none.")
]
ReferenceOption = Annotated[
    str | None, typer.Option("--reference", help="The coder to score against; default: all.")
]
FormatOption = Annotated[
    str | None, typer.Option("--from", help="Format of the input, if it is not recognised.")
]
MissingOption = Annotated[Missing, typer.Option("--missing", help="Documents that one side lacks.")]
UndefinedOption = Annotated[
    Undefined, typer.Option("--on-undefined", help="Documents that cannot be scored.")
]
DataFormatOption = Annotated[
    str | None, typer.Option("--from", help="Format of DATA, if it is not recognised.")
]
WordsOption = Annotated[
    bool, typer.Option("--words", help="Score in words, with boundaries at ends of units.")
]


def show(table: "Table", form: Form | None, output: Path | None) -> None:
    """Print a table, or write it to a file."""
    show_several({"": table}, form, output)


def show_several(tables: "Mapping[str, Table]", form: Form | None, output: Path | None) -> None:
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


def choices(units: str | None, policy: str, layer: str | None) -> "Choices":
    """What the options for files of annotation tools say; what a reader does goes to stderr."""
    from segscore.io import Choices

    return Choices(units, policy, layer, remark)  # type: ignore[arg-type]  # it checks


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
