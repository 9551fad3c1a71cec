"""The options that commands share."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from segscore.cli.output import Form, remark
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.io import ReadOptions


class Coders(StrEnum):
    """What a coder's name means."""

    GLOBAL = "global"
    LOCAL = "local"


class Missing(StrEnum):
    """What to do about documents that only one side has."""

    ERROR = "error"
    SKIP = "skip"


class Undefined(StrEnum):
    """What to do about documents that cannot be scored."""

    RAISE = "raise"
    NAN = "nan"


class Null(StrEnum):
    """What random coders keep."""

    POSITIONS = "positions"
    LENGTHS = "lengths"


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
DrawsOption = Annotated[
    int | None,
    typer.Option("--draws", help="How often to draw random coders or systems: 2 or more."),
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
MissingOption = Annotated[
    Missing,
    typer.Option("--missing", help="Documents that only one side has: an error, or skip them."),
]
IgnoreTextOption = Annotated[
    bool,
    typer.Option("--ignore-text", help="Go on even if the texts of the two sides differ."),
]
UndefinedOption = Annotated[
    Undefined, typer.Option("--on-undefined", help="Documents that cannot be scored.")
]
DataFormatOption = Annotated[
    str | None, typer.Option("--from", help="Format of DATA, if it is not recognised.")
]
CheckOption = Annotated[
    bool,
    typer.Option("--check/--no-check", help="Warn of what is probably wrong with the input."),
]
WordsOption = Annotated[
    bool, typer.Option("--words", help="Score in words, with boundaries at ends of units.")
]


def choices(units: str | None, policy: str, layer: str | None) -> "ReadOptions":
    """What the options for files of annotation tools say; what a reader does goes to stderr."""
    from segscore.io import ReadOptions

    return ReadOptions(units, policy, layer, remark)  # type: ignore[arg-type]  # it checks


def one_of(value: str, allowed: tuple[str, ...], option: str) -> str:
    """Refuse a value that an option does not know."""
    if value not in allowed:
        raise SegmentationError(f"{option} is {value!r}: expected one of {', '.join(allowed)}")
    return value
