"""`segscore chunks TEXTS CHUNKS…`: describe chunks without a reference."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from segscore.chunks.chunk_sizes import SizeUnit
from segscore.cli.chunk_options import (
    ChunkReportOption,
    ChunksArgument,
    MissingOption,
    TextsArgument,
    TokensOption,
    chunker_files,
    token_function,
)
from segscore.cli.option_groups import Section
from segscore.cli.options import RESAMPLES, LevelOption, ResamplesOption, SeedOption
from segscore.cli.output import WITHOUT_NOTES, Output, remark, write_page
from segscore.cli.reading_options import LargeOption, TextEncodingOption

if TYPE_CHECKING:
    from segscore.chunks.chunk_description import ChunkDescription

SizeInOption = Annotated[
    SizeUnit | None,
    typer.Option(
        "--size-in",
        rich_help_panel=Section.CHUNKS,
        help="The unit of sizes in the main table, of --max-size and of --min-size; by default "
        "tokens with --tokens, otherwise characters.",
    ),
]
MaxSizeOption = Annotated[
    int | None,
    typer.Option(
        "--max-size",
        rich_help_panel=Section.CHUNKS,
        min=0,
        help="Count the chunks that are larger.",
    ),
]
MinSizeOption = Annotated[
    int | None,
    typer.Option(
        "--min-size",
        rich_help_panel=Section.CHUNKS,
        min=0,
        help="Count the chunks that are smaller.",
    ),
]
EncoderOption = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        rich_help_panel=Section.CHUNKS,
        metavar="ENCODER",
        help="What turns sentences into vectors for cohesion, instead of TF-IDF: MODULE:FUNCTION, "
        "or vectors of the sentences of each document in a folder of .npy files, or in an .npz or "
        ".safetensors file.",
    ),
]
View = Literal[
    "main", "sizes", "breaks", "places", "context", "cohesion", "chunks", "all"
]  # fmt: skip
ShowOption = Annotated[
    View,
    typer.Option(
        "--show",
        rich_help_panel=Section.OUTPUT,
        help="The table to show. sizes are in all units; breaks of each kind; places are the first "
        "of each kind of break; context is the headings over chunks; chunks are one by one. all: "
        "sizes, breaks, context and cohesion.",
    ),
]
PlacesOption = Annotated[
    int,
    typer.Option(
        "--places",
        rich_help_panel=Section.OUTPUT,
        min=0,
        help="Number of places to show for each kind of break.",
    ),
]
NoCohesionOption = Annotated[
    bool,
    typer.Option(
        "--no-cohesion",
        rich_help_panel=Section.CHUNKS,
        help="Leave cohesion out, which takes the most time.",
    ),
]


def run(
    *,
    texts: TextsArgument,
    chunks: ChunksArgument,
    tokens: TokensOption = None,
    size_in: SizeInOption = None,
    max_size: MaxSizeOption = None,
    min_size: MinSizeOption = None,
    encoder: EncoderOption = None,
    no_cohesion: NoCohesionOption = False,
    view: ShowOption = "main",
    places: PlacesOption = 5,
    level: LevelOption = 0.95,
    resamples: ResamplesOption = RESAMPLES,
    seed: SeedOption = 0,
    page: ChunkReportOption = None,
    missing: MissingOption = "error",
    text_encoding: TextEncodingOption = None,
    large: LargeOption = False,
    output: Output,
) -> None:
    """Describe chunks that have no reference: sizes, breaks, cohesion.

    Counts cuts inside words, sentences, paragraphs, lists, tables, code and links, and chunks that
    end with a heading. Cohesion is the mean similarity of neighbouring sentences inside chunks
    minus that across cuts, shown beside the value for the same chunks in random order. No threshold
    judges the chunks.
    """
    from segscore.chunks.describing import describe_chunks
    from segscore.chunks.source_texts import source_texts

    _, given = chunker_files(chunks)
    known = source_texts(texts, large, text_encoding)
    found = describe_chunks(
        given, known, tokens=token_function(tokens), size_in=size_in, max_size=max_size,
        min_size=min_size, encode=_encode(encoder, known), cohesion=not no_cohesion, places=places,
        level=level, n_resamples=resamples, seed=seed, missing=missing, large=large,
    )  # fmt: skip
    _show(found, view, output)
    if view != "main" or output.chosen_form in WITHOUT_NOTES:  # otherwise below the table
        for sentence in found.remarks:
            remark(sentence)
    write_page(found, page)


def _encode(spec: str | None, texts: dict[str, str]) -> Any:
    """The encoder; files of vectors are read for the sentences of the texts."""
    if spec is None:
        return None
    from segscore.segmenters.encoders import encoder
    from segscore.text.unit_splitting import lined_units

    sentences = {name: lined_units(text, "sentences").texts or () for name, text in texts.items()}
    return encoder(spec, {name: list(units) for name, units in sentences.items()})


def _show(found: "ChunkDescription", view: View, output: Output) -> None:
    if view == "main":
        output.show(found.to_table())
    elif view == "all":
        names = ("sizes", "breaks", "context", "cohesion")
        output.show({name: found.table(name) for name in names})
    else:
        output.show(found.table(view))
