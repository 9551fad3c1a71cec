"""The options that commands share."""

from pathlib import Path
from typing import Annotated

import typer

from segscore.corpus.corpus import Scope
from segscore.errors import SegmentationError
from segscore.io.read_options import OnError
from segscore.metrics.base import OnUndefined
from segscore.pairing.rules import Align, Missing
from segscore.tables.table import Format

FormOption = Annotated[
    Format | None,
    typer.Option(
        "--format", "-f", help="Format of the table; by default text, or by the suffix of -o."
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write to this file instead of stdout."),
]
MetricsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        "-m",
        metavar="METRIC",
        help='A metric, parameters in brackets: "wd(k=3)"; "b.recall" is a part. May be repeated.',
    ),
]
SystemsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SYSTEM…",
        help="Files or folders, or NAME=FILE. The same NAME again is another run of it.",
    ),
]
SystemOption = Annotated[
    list[str] | None,
    typer.Option(
        "--system", metavar="CODER", help="A coder of REF that is a system. May be repeated."
    ),
]
ResamplesOption = Annotated[int, typer.Option("--resamples", help="Number of resamples.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Random seed.")]
UnitsOption = Annotated[
    str | None,
    typer.Option(
        "--units",
        metavar="RULE",
        help="What a unit is, in files of spans or times: lines, paragraphs, sentences, words, "
        "characters, seconds:6, seconds:6:3600 (of 3600 s in all), tier:NAME.",
    ),
]
PolicyOption = Annotated[
    str,
    typer.Option(
        "--policy",
        metavar="POLICY",
        help="Spans that do not fit the units: error, snap or keep-start.",
    ),
]
LayerOption = Annotated[
    str | None,
    typer.Option(
        "--layer", metavar="NAME", help="The tier, layer or label that holds the segments."
    ),
]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", help="Threads to use; by default all cores.")
]
DrawsOption = Annotated[
    int | None,
    typer.Option("--draws", help="Number of random draws of coders or systems, 2 or more."),
]

# ---- where segmenters run ----

StopWordsOption = Annotated[
    Path | None, typer.Option("--stop-words", help="A file with a word per line.")
]
StemmerOption = Annotated[
    str | None,
    typer.Option("--stemmer", metavar="NAME", help="A Snowball language, martin, choi, or none."),
]
PresetOption = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME",
        help="Words as in the original programs: choi2000 (C99) or mit (BayesSeg, MinCutSeg); "
        "Choi's stop list is read from --stop-words, or from SEGSCORE_DATA.",
    ),
]
EncoderOption = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        metavar="ENCODER",
        help="What turns texts into vectors for the method embedding: MODULE:FUNCTION, or vectors "
        "of each document in a folder of .npy files, or in an .npz or .safetensors file.",
    ),
]
LenientOption = Annotated[
    bool,
    typer.Option(
        "--lenient", help="Leave out blank lines and empty segments in Choi's format; say how many."
    ),
]
SkipOption = Annotated[
    OnError,
    typer.Option(
        "--on-error",
        help="A file that cannot be read: stop there (raise), or skip it, list it at the end and "
        "exit with 3.",
    ),
]
ReferenceOption = Annotated[
    str | None,
    typer.Option("--reference", metavar="CODER", help="The coder to score against; default: all."),
]
FormatOption = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="Format of the input, if it is not recognised."),
]
MissingOption = Annotated[
    Missing,
    typer.Option("--missing", help="Documents that only one side has: an error, or skip them."),
]
CodersOption = Annotated[
    Scope | None,
    typer.Option(
        "--coders",
        help="Whether a coder's name means the same person in all documents (global) or not "
        "(local); by default as the file says, or else global.",
    ),
]
IgnoreTextOption = Annotated[
    bool,
    typer.Option("--ignore-text", help="Continue even if the texts of the two sides differ."),
]
AlignOption = Annotated[
    Align | None,
    typer.Option(
        "--align",
        help="If the words of the sides differ (a recogniser's): bring the boundaries of the other "
        "side onto the units of REF by an alignment of their words.",
    ),
]
MaxErrorOption = Annotated[
    float,
    typer.Option("--max-error", help="The highest word error rate at which words are aligned."),
]
UndefinedOption = Annotated[
    OnUndefined,
    typer.Option("--on-undefined", help="Documents that cannot be scored: an error, or NaN."),
]
DataFormatOption = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="Format of DATA, if it is not recognised."),
]
CheckOption = Annotated[
    bool,
    typer.Option("--check/--no-check", help="Warn if something is probably wrong with the input."),
]
WordsOption = Annotated[
    bool, typer.Option("--words", help="Score in words, with boundaries at ends of units.")
]


def one_of(value: str, allowed: tuple[str, ...], option: str) -> str:
    """Refuse a value that an option does not know."""
    if value not in allowed:
        raise SegmentationError(f"{option} is {value!r}: expected one of {', '.join(allowed)}")
    return value
