"""`describe_chunks`: describe chunks without a reference."""

from collections.abc import Mapping
from os import PathLike
from typing import Any, Unpack, get_args

import numpy as np

from segscore.basics.arguments import Seed, check_choice, seed_of, shown, whole_number
from segscore.basics.user_functions import function_name
from segscore.chunks.chunk_breaks import KINDS, Breaks, breaks_of
from segscore.chunks.chunk_description import ChunkDescription, ChunkerDescription, ChunkRow
from segscore.chunks.chunk_offsets import ChunkOffsets, Missing
from segscore.chunks.chunk_sizes import (
    SIZE_UNITS,
    ChunkSizes,
    SizeUnit,
    characters_held,
    places_held,
    sizes_in,
)
from segscore.chunks.chunkers import chunked_by_all, chunkers_of
from segscore.chunks.cohesion import (
    Cohesion,
    Encode,
    cohesion_of,
    sentence_boundaries,
    similarities,
)
from segscore.chunks.heading_paths import heading_paths
from segscore.chunks.source_texts import source_texts
from segscore.chunks.text_map import TextMap
from segscore.chunks.token_functions import Tokens
from segscore.errors import SegmentationError, about, check_keywords
from segscore.io.read_options import TextKeywords
from segscore.significance.drawing import Lots, by_name
from segscore.significance.resampling import N_RESAMPLES


def describe_chunks(
    chunks: Any,
    texts: str | PathLike[str] | Mapping[str, str],
    *,
    tokens: Tokens | None = None,
    size_in: SizeUnit | None = None,
    max_size: int | None = None,
    min_size: int | None = None,
    encode: Encode | None = None,
    cohesion: bool = True,
    places: int = 5,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: Seed = 0,
    missing: Missing = "error",
    **options: Unpack[TextKeywords],
) -> ChunkDescription:
    r"""Describe chunks without any reference: sizes, breaks, headings, cohesion.

    No threshold judges the chunks: sizes are counted, and so are the cuts inside words, sentences,
    paragraphs, lists, tables, blocks of code and links, and the chunks that end with a heading.
    Cohesion is the mean similarity of neighbouring sentences inside chunks minus that across cuts,
    shown beside the value for random chunks of the same sizes.

    Parameters
    ----------
    chunks
        The chunks of a chunker: a list if there is a single text, a mapping from documents to
        lists, or a list in which each chunk names its document. They are texts, pairs (start, end),
        or what LangChain, LlamaIndex, Chonkie, semantic-text-splitter and semchunk return. Or the
        path of a file (JSON Lines, Parquet), or a list of paths. Several chunkers: a mapping from
        their names to any of these; with several texts, to mappings or paths.
    texts
        The text that was cut; a mapping from documents to texts; or the Path of a file or a folder.
    tokens
        A function from a text to its tokens, or to their number; sizes are then also given in
        tokens.
    size_in
        The unit of sizes in the main table, and of max_size and min_size: `characters`, `words`,
        `sentences` or `tokens`; by default tokens if there is a function for them, otherwise
        characters.
    max_size, min_size
        Count the chunks that are larger, or smaller.
    encode
        A function from a list of texts to an array with a vector per text, by which sentences are
        compared; by default they are compared by their words (TF-IDF), without a model.
    cohesion
        Whether to compute cohesion.
    places
        The number of places of each kind of break to keep.
    level, n_resamples, rng
        The confidence level, number of resamples and random seed for cohesion and its chance.
    missing
        What to do about texts without chunks, and chunks of documents without a text: "error", or
        "skip", which leaves them out and says how many.
    text_encoding
        The encoding of files of text that are not UTF-8.
    large
        Lift the limits on memory and growth for trusted files.

    >>> text = "# Cats\n\nCats purr. Cats sleep.\n\n# Rain\n\nIt rains a lot. Rain is wet."
    >>> found = describe_chunks({"a": [text[:40], text[40:]], "b": [text[:32], text[32:]]}, text)
    >>> [
    ...     (chunker.name, chunker.breaks["word"].count, chunker.breaks["sentence"].count)
    ...     for chunker in found
    ... ]
    [('a', 0, 0), ('b', 0, 0)]
    >>> [chunker.breaks["heading"].count for chunker in found]
    [1, 0]
    """
    check_keywords(describe_chunks, options, ("text_encoding", "large"))
    large, seed = options.get("large", False), seed_of(rng)
    known = source_texts(texts, large, options.get("text_encoding"))
    _check(tokens, size_in, encode)
    unit = size_in or ("tokens" if tokens is not None else "characters")
    limits = [
        None if limit is None else whole_number(limit, what, 0)
        for what, limit in (("max_size", max_size), ("min_size", min_size))
    ]
    most_places = whole_number(places, "places", 0)
    check_choice(missing, "missing", get_args(Missing))
    chunkers = chunkers_of(chunks, texts, known, large, missing)
    whole = known.only(chunked_by_all(known, chunkers))
    chunkers = {name: chunker.only(whole) for name, chunker in chunkers.items()}
    maps = {name: TextMap(text) for name, text in whole.items()}
    alike = similarities(maps, encode) if cohesion else None
    units = [chunker for chunker in SIZE_UNITS if chunker != "tokens" or tokens is not None]
    described = []
    for name, chunker in chunkers.items():
        with about(f"chunker {name!r}"):
            held = None
            if alike is not None:
                held = _cohesion(
                    chunker, maps, alike, level=level, n_resamples=n_resamples, seed=seed
                )
            sizes = {
                each: _sizes(chunker, maps, each, tokens, limits if each == unit else [None, None])
                for each in units
            }
            described.append(_described(chunker, maps, sizes, held, most_places))
    by = "TF-IDF" if encode is None else f"vectors of {function_name(encode)}"
    left_out = [name for name in known if name not in whole]
    most, least = limits
    return ChunkDescription(tuple(described), unit, by, most, least, tuple(left_out))


def _check(tokens: Any, size_in: Any, encode: Any) -> None:
    for what, function in (("tokens", tokens), ("encode", encode)):
        if function is not None and not callable(function):
            raise SegmentationError(f"{what} is {shown(function)}: expected a function")
    if size_in is not None:
        check_choice(size_in, "size_in", SIZE_UNITS)
        if size_in == "tokens" and tokens is None:
            raise SegmentationError(
                "size_in is 'tokens': expected tokens= beside it, a function from a text to its "
                "tokens"
            )


def _sizes(
    chunks: ChunkOffsets,
    maps: Mapping[str, TextMap],
    unit: str,
    tokens: Tokens | None,
    limits: list[int | None],
) -> ChunkSizes:
    found = []
    for name, text in maps.items():
        with about(f"document {name!r}"):
            found.append(sizes_in(unit, text, chunks[name].starts, chunks[name].ends, tokens))
    values = np.concatenate(found)
    most, least = limits
    over = None if most is None else int((values > most).sum())
    under = None if least is None else int((values < least).sum())
    return ChunkSizes(unit, values, over, under)


def _described(
    chunks: ChunkOffsets,
    maps: Mapping[str, TextMap],
    sizes: dict[str, ChunkSizes],
    cohesion: Cohesion | None,
    most_places: int,
) -> ChunkerDescription:
    breaks: dict[str, Breaks] = {}
    rows: list[ChunkRow] = []
    held = gaps = 0
    for name, text in maps.items():
        starts, ends, ids = chunks[name]
        found = breaks_of(name, text, starts, ends, most_places)
        breaks = {
            kind: breaks[kind].added(found[kind], most_places) if breaks else found[kind]
            for kind in KINDS
        }
        held += characters_held(starts, ends)
        gaps += text.n_places - places_held(text, starts, ends)
        paths = heading_paths(text, starts, ends)
        edges = zip(starts.tolist(), ends.tolist(), paths, strict=True)
        rows += [
            ChunkRow(name, index, None if ids is None else ids[index], *edge)
            for index, edge in enumerate(edges)
        ]
    stored = int(sizes["characters"].values.sum())
    size = sum(text.n_places for text in maps.values())
    return ChunkerDescription(
        chunks.name, sizes, breaks, cohesion, stored - held, stored, gaps, size, tuple(rows),
        chunks.remarks,
    )  # fmt: skip


def _cohesion(
    chunks: ChunkOffsets,
    maps: Mapping[str, TextMap],
    alike: Mapping[str, Any],
    **options: Any,
) -> Cohesion:
    """The cohesion; documents without a chunk or with a single sentence have no neighbours to
    compare."""
    names = [name for name, text in maps.items() if text.sentences.n > 1 and len(chunks[name].ends)]
    names = [names[i] for i in by_name(names).tolist()]
    cuts = [sentence_boundaries(maps[name], chunks[name].starts) for name in names]
    return cohesion_of([alike[name] for name in names], cuts, lots=Lots.of(names), **options)
