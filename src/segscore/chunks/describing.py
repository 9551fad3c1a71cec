"""Describe chunks without a reference: sizes, what cuts break, headings above chunks, cohesion.

A cut is a place inside the text at which some chunk starts or ends. White space does not count, so
that chunks that meet, or have only white space between them, make a single cut; chunks that overlap
make two. A cut breaks whatever it is inside. Items of lists, rows of tables and lines of code are
sentences and paragraphs of their own: a cut between two of them breaks the list, the table or the
code, but no sentence or paragraph. A chunk leaves a heading behind if it ends with it, or inside
it, while text follows.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal, NamedTuple, Unpack, get_args

import numpy as np

from segscore.basics.arguments import Int64Array, Seed, check_choice, seed_of, shown, whole_number
from segscore.basics.on_demand import cached_property
from segscore.basics.user_functions import function_name
from segscore.chunks.chunk_inputs import (
    ChunkOffsets,
    Missing,
    chunked_by_all,
    chunkers_of,
    source_texts,
)
from segscore.chunks.cohesion import (
    Cohesion,
    Encode,
    cohesion_of,
    sentence_boundaries,
    similarities,
)
from segscore.chunks.text_map import BLOCK_KINDS, BreakPlace, HeadingPath, TextMap
from segscore.chunks.token_functions import Tokens, n_tokens
from segscore.errors import SegmentationError, about, check_keywords, named, number_of
from segscore.io.read_options import TextKeywords
from segscore.significance.drawing import Lots, by_name
from segscore.significance.resampling import N_RESAMPLES
from segscore.tables import Cell, Column, Table, Tabular

SizeUnit = Literal["characters", "words", "sentences", "tokens"]
SIZE_UNITS: tuple[str, ...] = get_args(SizeUnit)
_PLURALS = {
    "word": "words", "sentence": "sentences", "paragraph": "paragraphs", "list": "lists",
    "table": "tables", "code": "code blocks", "link": "links", "heading": "headings",
}  # fmt: skip
_KINDS = ("word", *BLOCK_KINDS, "heading")
_BLOCKS = ("list", "table", "code", "link")


# ---- what is counted ----


@dataclass(frozen=True)
class ChunkSizes:
    """The sizes of all chunks in a unit.

    values: the size of each chunk. over, under: the number of chunks above the given largest size,
    or below the given smallest size; None if no limit was given.
    """

    unit: str
    values: Int64Array
    over: int | None = None
    under: int | None = None

    @property
    def quartiles(self) -> tuple[float, float, float, float, float]:
        """The smallest size, lower quartile, median, upper quartile and largest size, interpolated
        linearly; NaN without chunks."""
        sizes = self.values if len(self.values) else [np.nan]
        low, first, middle, third, high = np.quantile(sizes, [0, 0.25, 0.5, 0.75, 1]).tolist()
        return low, first, middle, third, high

    @property
    def mean(self) -> float:
        """The mean size; NaN without chunks."""
        return float(self.values.mean()) if len(self.values) else float("nan")

    @property
    def variation(self) -> float:
        """The coefficient of variation: the standard deviation over the mean; NaN without
        chunks."""
        return float(self.values.std() / self.values.mean()) if len(self.values) else float("nan")


@dataclass(frozen=True)
class Breaks:
    """The breaks of a kind: their number, the number of cuts (for headings: chunks), the number of
    blocks of the kind, the number of broken blocks, and the first places."""

    kind: str
    count: int
    out_of: int
    blocks: int | None
    broken: int | None
    places: tuple[BreakPlace, ...] = ()

    @property
    def share(self) -> float:
        """The share of cuts (for headings: of chunks) that break something of this kind."""
        return share(self.count, self.out_of)


class ChunkRow(NamedTuple):
    """A chunk: its document, its position there, its id if it has one, its offsets, and the
    headings above it."""

    document: str
    chunk: int
    id: str | None
    start: int
    end: int
    path: HeadingPath


@dataclass(frozen=True)
class ChunkerDescription:
    """The description of the chunks of a chunker.

    sizes: by unit. breaks: by kind. cohesion: None if not requested. overlap: the number of
    characters that chunks repeat. stored: the characters of all chunks. gaps: the number of
    characters, without white space, in no chunk; text: that of all texts. rows: each chunk.
    """

    name: str
    sizes: Mapping[str, ChunkSizes]
    breaks: Mapping[str, Breaks]
    cohesion: Cohesion | None
    overlap: int
    stored: int
    gaps: int
    text: int
    rows: tuple[ChunkRow, ...]
    remarks: tuple[str, ...] = ()

    @property
    def n_chunks(self) -> int:
        """The number of chunks."""
        return len(self.rows)

    @property
    def n_cuts(self) -> int:
        """The number of places inside texts at which chunks start or end."""
        return self.breaks["word"].out_of

    @property
    def overlap_share(self) -> float:
        """The share of the characters of all chunks that are repeated."""
        return share(self.overlap, self.stored)

    @property
    def gap_share(self) -> float:
        """The share of the text, without white space, that is in no chunk."""
        return share(self.gaps, self.text)

    @cached_property
    def context(self) -> dict[str, int]:
        """The number of chunks under a heading, with their whole path, and with its last
        heading."""
        paths = [row.path for row in self.rows if row.path.titles]
        return {
            "under": len(paths),
            "covered": sum(bool(path.covered) for path in paths),
            "nearest": sum(bool(path.nearest_covered) for path in paths),
        }


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
) -> "ChunkDescription":
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
    for what, function in (("tokens", tokens), ("encode", encode)):
        if function is not None and not callable(function):
            raise SegmentationError(f"{what} is {shown(function)}: expected a function")
    unit = size_in or ("tokens" if tokens is not None else "characters")
    check_choice(unit, "size_in", SIZE_UNITS)
    if unit == "tokens" and tokens is None:
        raise SegmentationError(
            "size_in is 'tokens': expected tokens= beside it, a function from a text to its tokens"
        )
    most, least = (
        None if limit is None else whole_number(limit, what, 0)
        for what, limit in (("max_size", max_size), ("min_size", min_size))
    )
    most_places = whole_number(places, "places", 0)
    check_choice(missing, "missing", get_args(Missing))
    large, seed = options.get("large", False), seed_of(rng)
    known = source_texts(texts, large, options.get("text_encoding"))
    chunkers = chunkers_of(chunks, texts, known, large, missing)
    whole = chunked_by_all(known, chunkers)
    maps = {name: TextMap(text) for name, text in whole.items()}
    alike = similarities(maps, encode) if cohesion else None
    described = []
    for name, offsets in chunkers.items():
        with about(f"chunker {name!r}"):
            held = None
            if alike is not None:
                # documents without a chunk or with a single sentence have no neighbours to compare
                names = [
                    document
                    for document, text in maps.items()
                    if text.sentences.n > 1 and len(offsets.documents[document].ends)
                ]
                names = [names[i] for i in by_name(names).tolist()]
                boundaries = [
                    sentence_boundaries(maps[document], offsets.documents[document].starts)
                    for document in names
                ]
                held = cohesion_of(
                    [alike[document] for document in names], boundaries, lots=Lots.of(names),
                    level=level, n_resamples=n_resamples, seed=seed,
                )  # fmt: skip
            sizes = {
                each: _sizes(
                    each, offsets, maps, tokens, *((most, least) if each == unit else (None, None))
                )
                for each in SIZE_UNITS
                if each != "tokens" or tokens is not None
            }
            described.append(_described(name, offsets, maps, sizes, held, most_places))
    by = "TF-IDF" if encode is None else f"vectors of {function_name(encode)}"
    left_out = tuple(name for name in known if name not in whole)
    return ChunkDescription(tuple(described), unit, by, most, least, left_out)


def _sizes(
    unit: str,
    chunks: ChunkOffsets,
    maps: Mapping[str, TextMap],
    tokens: Tokens | None,
    most: int | None,
    least: int | None,
) -> ChunkSizes:
    """The size of each chunk. A word or a sentence counts in each chunk that has a part of it."""
    sizes = []
    for name, text in maps.items():
        starts, ends, _ = chunks.documents[name]
        if unit == "characters":
            sizes.append(ends - starts)
        elif unit == "tokens" and tokens is not None:
            with about(f"document {name!r}"):
                stretches = enumerate(zip(starts.tolist(), ends.tolist(), strict=True))
                counts = [
                    n_tokens(tokens, text.text[start:end], f"chunks[{index}]")
                    for index, (start, end) in stretches
                ]
            sizes.append(np.array(counts, np.int64))
        else:
            blocks = text.words if unit == "words" else text.blocks["sentence"]
            sizes.append(blocks.shared(text.places(starts), text.places(ends)))
    values = np.concatenate(sizes)
    over = None if most is None else int((values > most).sum())
    under = None if least is None else int((values < least).sum())
    return ChunkSizes(unit, values, over, under)


def _described(
    chunker: str,
    chunks: ChunkOffsets,
    maps: Mapping[str, TextMap],
    sizes: dict[str, ChunkSizes],
    cohesion: Cohesion | None,
    most_places: int,
) -> ChunkerDescription:
    rows: list[ChunkRow] = []
    held = gaps = 0
    for name, text in maps.items():
        starts, ends, ids = chunks.documents[name]
        held += _length_of_union(starts, ends)
        gaps += text.n_places - _length_of_union(text.places(starts), text.places(ends))
        paths = text.heading_paths(starts, ends)
        edges = zip(starts.tolist(), ends.tolist(), paths, strict=True)
        rows += [
            ChunkRow(name, index, None if ids is None else ids[index], *edge)
            for index, edge in enumerate(edges)
        ]
    breaks = {kind: _breaks(kind, chunks, maps, most_places) for kind in _KINDS}
    stored = int(sizes["characters"].values.sum())
    size = sum(text.n_places for text in maps.values())
    return ChunkerDescription(
        chunker, sizes, breaks, cohesion, stored - held, stored, gaps, size, tuple(rows),
        chunks.remarks,
    )  # fmt: skip


def _length_of_union(starts: Int64Array, ends: Int64Array) -> int:
    """How much is in some stretch.

    >>> _length_of_union(np.array([5, 0]), np.array([9, 6]))
    9
    """
    order = np.argsort(starts, kind="stable")
    firsts, lasts = starts[order], np.maximum.accumulate(ends[order])
    reached = np.append(0, lasts)[: len(lasts)]
    return int(np.maximum(lasts - np.maximum(firsts, reached), 0).sum())


def _breaks(
    kind: str, chunks: ChunkOffsets, maps: Mapping[str, TextMap], most_places: int
) -> Breaks:
    """The breaks of a kind in all documents, with the first places."""
    count = out_of = n_blocks = n_broken = 0
    places: list[BreakPlace] = []
    for name, text in maps.items():
        starts, ends, _ = chunks.documents[name]
        if kind == "heading":
            cuts = text.places(ends)
            blocks, held = text.heading_places, text.headings_ended_with(cuts)
            held = np.where(cuts < text.n_places, held, -1)
        else:
            cuts = text.cuts(starts, ends)
            blocks = text.words if kind == "word" else text.blocks[kind]
            held = blocks.holding(cuts)
            if kind == "word":
                held = np.where(np.isin(cuts, text.inside_words(cuts)), 0, -1)
        broken = held >= 0
        count, out_of = count + int(broken.sum()), out_of + len(cuts)
        n_blocks += len(blocks.starts)
        n_broken += len(np.unique(held[broken]))
        first = np.unique(cuts[broken])[: most_places - len(places)]
        places += (text.break_place(name, cut) for cut in first.tolist())
    if kind == "word":
        return Breaks(kind, count, out_of, None, None, tuple(places))
    return Breaks(kind, count, out_of, n_blocks, n_broken, tuple(places))


# ---- the result ----


@dataclass(frozen=True, repr=False)
class ChunkDescription(Tabular):
    """The description of chunks without a reference; iterating over it gives the chunkers.

    size_in: the unit of sizes in the table. similarity: how sentences are compared. left_out: the
    texts without chunks.
    """

    chunkers: tuple[ChunkerDescription, ...]
    size_in: str
    similarity: str
    max_size: int | None = None
    min_size: int | None = None
    left_out: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[ChunkerDescription]:
        return iter(self.chunkers)

    def __getitem__(self, name: str) -> ChunkerDescription:
        return {chunker.name: chunker for chunker in self.chunkers}[name]

    def to_table(self) -> Table:
        """A row per chunker: sizes, breaks, and cohesion beside its chance."""
        limits = {"over": self.max_size, "under": self.min_size}
        wanted = [name for name, limit in limits.items() if limit is not None]
        rows = []
        for chunker in self.chunkers:
            sizes, found = chunker.sizes[self.size_in], chunker.cohesion
            low, _, middle, _, high = sizes.quartiles
            counts = {kind: breaks.count for kind, breaks in chunker.breaks.items()}
            rows.append([
                chunker.name, chunker.n_chunks, low, middle, high,
                *(getattr(sizes, name) for name in wanted), chunker.n_cuts, *counts.values(),
                sum(counts[kind] for kind in _BLOCKS),
                Cell(None) if found is None else Cell(found.value, note=found.said or None),
                None if found is None else found.chance,
            ])  # fmt: skip
        columns = [
            Column("chunker"), Column("chunks"), Column("min", audience="machines"),
            _size_column("median"), _size_column("max"), *map(Column, wanted),
            Column("cuts", drop_order=1),
            *(Column(_PLURALS[kind], key=f"in_{kind}",
                     audience="machines" if kind in _BLOCKS else "all") for kind in _KINDS),
            Column("blocks", audience="people"), Column("cohesion", digits=3),
            Column("chance", audience="machines"),
        ]  # fmt: skip
        words = (
            f"{self._size_note}; words, sentences, paragraphs, blocks (lists, tables, code, "
            "links): cuts inside them; headings: chunks that end with one"
        )
        return Table(columns, rows, [words, *self._notes], warnings=self.remarks)

    def table(self, name: str) -> Table:
        """A table by its name: sizes, breaks, places, context, cohesion or chunks."""
        made: Callable[[], Table] = getattr(self, f"{name}_table")
        return made()

    def sizes_table(self) -> Table:
        """A row per chunker and unit: smallest, quartiles, largest, spread."""
        limited = self.max_size is not None or self.min_size is not None
        rows: list[list[Any]] = []
        for chunker in self.chunkers:
            for sizes in chunker.sizes.values():
                rows.append([
                    chunker.name, sizes.unit, len(sizes.values), *sizes.quartiles, sizes.mean,
                    sizes.variation, *([sizes.over, sizes.under] if limited else []),
                    chunker.overlap_share, chunker.gap_share,
                ])  # fmt: skip
        columns = [
            Column("chunker"), Column("unit"), Column("chunks"),
            *map(_size_column, ("min", "q1", "median", "q3", "max")),
            Column("mean", digits=1), Column("cv", digits=2),
            *([Column("over"), Column("under")] if limited else []),
            Column("overlap", digits=3, share=True),
            Column("in no chunk", key="gaps", digits=3, share=True),
        ]  # fmt: skip
        notes = [
            "cv: standard deviation over mean; overlap: the share of the characters of all chunks "
            "that are there once more; in no chunk: white space aside",
            *([self._size_note] if limited else []),
        ]
        return Table(columns, rows, notes, "Sizes")

    def breaks_table(self) -> Table:
        """A row per chunker and kind: the number of cuts that break something, and the first of
        them. Text shows the kinds that occur in the texts; CSV and JSON have all."""
        rows: list[list[Any]] = []
        there: list[list[Any]] = []
        absent: dict[str, None] = {}
        for chunker in self.chunkers:
            for breaks in chunker.breaks.values():
                kind, first = _PLURALS[breaks.kind], next(iter(breaks.places), None)
                rows.append([
                    chunker.name, kind, breaks.count, breaks.out_of, breaks.share, breaks.broken,
                    breaks.blocks, first and f"{first.document}, line {first.line}",
                    first and first.around,
                ])  # fmt: skip
                if breaks.blocks == 0:
                    absent[kind] = None
                else:
                    there.append(rows[-1])
        columns = [
            Column("chunker"), Column("inside", key="kind"), Column("count"), Column("of"),
            Column("share", digits=3, share=True), Column("broken"),
            Column("there are", key="blocks"), Column("first"),
            Column("there", key="around", drop_order=1),
        ]  # fmt: skip
        words = [
            "count: cuts inside one, of all cuts; broken: how many of those that the texts have; "
            "headings: chunks that end with one, of all chunks"
        ]
        if absent:
            words.append(f"the texts have no {', '.join(absent)}")
        return Table(columns, there, words, "Breaks", for_machines=Table(columns, rows))

    def places_table(self) -> Table:
        """The first places of each kind of break."""
        rows = [
            [chunker.name, _PLURALS[breaks.kind], *place]
            for chunker in self.chunkers
            for breaks in chunker.breaks.values()
            for place in breaks.places
        ]
        columns = [
            Column("chunker"), Column("inside", key="kind"),
            *map(Column, ("document", "offset", "line", "around")),
        ]  # fmt: skip
        return Table(columns, rows, ["offset: of the first character after the cut"], "Places")

    def context_table(self) -> Table:
        """A row per chunker: the number of chunks that hold the headings above them."""
        rows = []
        for chunker in self.chunkers:
            found = chunker.context
            shares = [share(found[name], found["under"]) for name in ("covered", "nearest")]
            rows.append([chunker.name, chunker.n_chunks, *found.values(), *shares])
        columns = [
            Column("chunker"), Column("chunks"), Column("under a heading", key="under"),
            Column("hold all", key="covered"), Column("hold the last", key="nearest"),
            Column("share of all", key="covered_share", digits=3, share=True),
            Column("share of the last", key="nearest_share", digits=3, share=True),
        ]  # fmt: skip
        words = "all, the last: of the headings (# A > ## B) that a chunk stands under"
        return Table(columns, rows, [words], "Headings over chunks")

    def cohesion_table(self) -> Table:
        """A row per chunker: similarity inside chunks and across cuts, and the level of chance."""
        rows = []
        methods: dict[str, None] = {}
        for chunker in self.chunkers:
            found = chunker.cohesion
            if found is None:
                continue
            low, high = (None if np.isnan(end) else float(end) for end in found.ci[:2])
            rows.append([
                chunker.name, found.n_inside, found.inside, found.n_across, found.across,
                Cell(found.value, low=low, high=high, note=found.said or None),
                found.chance, found.p, found.above_chance,
            ])  # fmt: skip
            methods[f"interval: {found.ci.method}"] = None
        columns = [
            Column("chunker"), Column("pairs inside", key="n_inside"), Column("inside", digits=3),
            Column("pairs across", key="n_across"), Column("across", digits=3),
            Column("cohesion", digits=3), Column("chance", digits=3), Column("p", digits=3),
            Column("above chance", key="above_chance"),
        ]  # fmt: skip
        return Table(columns, rows, [*self._notes, *methods], "Cohesion")

    def chunks_table(self) -> Table:
        """A row per chunk."""
        units = list(self.chunkers[0].sizes)
        rows = [
            [chunker.name, *row[:-1],
             *(int(chunker.sizes[unit].values[index]) for unit in units), str(row.path),
             row.path.covered]
            for chunker in self.chunkers
            for index, row in enumerate(chunker.rows)
        ]  # fmt: skip
        columns = [
            Column("chunker"), Column("document"), Column("chunk"), Column("id", drop_order=1),
            Column("start"), Column("end"), *map(Column, units), Column("headings", key="path"),
            Column("holds them", key="covered"),
        ]  # fmt: skip
        return Table(columns, rows, (), "Chunks")

    @property
    def _size_note(self) -> str:
        limits = {"over": self.max_size, "under": self.min_size}
        counted = [f"{name} {limit}" for name, limit in limits.items() if limit is not None]
        return f"sizes in {self.size_in}" + (f"; counted: {', '.join(counted)}" if counted else "")

    @property
    def remarks(self) -> list[str]:
        """Remarks on how chunks were found, by chunker."""
        left = f"{number_of(len(self.left_out), 'document')} without chunks"
        return [
            *([f"left out: {left} ({named(self.left_out)})"] if self.left_out else []),
            *(f"{each.name}: {remark}" for each in self.chunkers for remark in each.remarks),
        ]

    @property
    def _notes(self) -> list[str]:
        """How cohesion is computed."""
        draws = [each.cohesion.draws for each in self.chunkers if each.cohesion is not None]
        if not draws:
            return []
        return [
            f"cohesion: similarity ({self.similarity}) of neighbouring sentences inside chunks "
            "minus across cuts; chance: the chunks in random order"
            + (f", {max(draws)} times" if any(draws) else "")
        ]


def share(part: float, whole: float) -> float:
    """The share of a part in a whole; NaN if the whole is 0."""
    return part / whole if whole else float("nan")


def _size_column(name: str) -> Column:
    return Column(name, form=lambda value: f"{value:.1f}".removesuffix(".0"))
