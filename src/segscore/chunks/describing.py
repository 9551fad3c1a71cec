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

from segscore.basics import arguments
from segscore.basics.arguments import Floats, Int64Array, Seed
from segscore.basics.user_functions import function_name
from segscore.chunks import chunk_inputs, text_map
from segscore.chunks.text_map import BreakPlace, Cohesion, Encode, TextMap
from segscore.errors import SegmentationError, about, check_keywords, named, number_of
from segscore.io.read_options import TextKeywords
from segscore.significance.drawing import Lots, by_name
from segscore.significance.resampling import N_RESAMPLES
from segscore.tables import Cell, Column, Table, Tabular, columns

SizeUnit = Literal["characters", "words", "sentences", "tokens"]
SIZE_UNITS: tuple[str, ...] = get_args(SizeUnit)
_PLURALS = {
    "word": "words",
    "sentence": "sentences",
    "paragraph": "paragraphs",
    "list": "lists",
    "table": "tables",
    "code": "code blocks",
    "link": "links",
    "heading": "headings",
}
_BLOCKS = ("list", "table", "code", "link")
Chunks = Mapping[str, chunk_inputs.DocumentOffsets]  # of a chunker, by document


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
        return _share(self.count, self.out_of)


class ChunkRow(NamedTuple):
    """A chunk: its document, its position there, its id if it has one, its offsets, the headings
    above it, outermost first, and which of them it holds."""

    document: str
    chunk: int
    id: str | None
    start: int
    end: int
    titles: tuple[str, ...]
    held: tuple[bool, ...]

    @property
    def covered(self) -> bool | None:
        """Whether the chunk holds all headings above it, and so says itself what it is about; None
        if there are none."""
        return all(self.held) if self.titles else None


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
    def context(self) -> dict[str, int]:
        """The number of chunks under a heading, with their whole path, and with its last
        heading."""
        under = [row for row in self.rows if row.titles]
        return {
            "under": len(under),
            "covered": sum(bool(row.covered) for row in under),
            "nearest": sum(row.held[-1] for row in under),
        }


def describe_chunks(
    chunks: Any,
    texts: str | PathLike[str] | Mapping[str, str],
    *,
    tokens: chunk_inputs.Tokens | None = None,
    size_in: SizeUnit | None = None,
    max_size: int | None = None,
    min_size: int | None = None,
    encode: Encode | None = None,
    cohesion: bool = True,
    places: int = 5,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: Seed = 0,
    missing: chunk_inputs.Missing = "error",
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
    if encode is not None and not callable(encode):
        raise SegmentationError(
            f"encode is {arguments.shown(encode)}: expected a function of a list"
        )
    unit = size_in or ("tokens" if tokens is not None else "characters")
    arguments.check_choice(unit, "size_in", SIZE_UNITS)
    if unit == "tokens" and tokens is None:
        raise SegmentationError(
            "size_in is 'tokens': expected tokens= beside it, a function from a text to its tokens"
        )
    limits = [
        None if limit is None else arguments.whole_number(limit, what, 0)
        for what, limit in (("max_size", max_size), ("min_size", min_size))
    ]
    most_places = arguments.whole_number(places, "places", 0)
    large, encoding = options.get("large", False), options.get("text_encoding")
    known, chunkers, whole = chunk_inputs.chunks_in_texts(
        chunks, texts, tokens=tokens, missing=missing, text_encoding=encoding, large=large
    )
    maps = {name: TextMap(text) for name, text in whole.items()}
    alike = text_map.similarities(maps, encode) if cohesion else None
    drawn = {"level": level, "n_resamples": n_resamples, "seed": arguments.seed_of(rng)}
    described = []
    for name, (offsets, remarks) in chunkers.items():
        with about(f"chunker {name!r}"):
            found = None if alike is None else _cohesion(alike, maps, offsets, drawn)
            counted = [each for each in SIZE_UNITS if each != "tokens" or tokens is not None]
            sizes = {each: _sizes(each, offsets, maps, tokens) for each in counted}
            values, (most, least) = sizes[unit].values, limits
            over = None if most is None else int((values > most).sum())
            under = None if least is None else int((values < least).sum())
            sizes[unit] = ChunkSizes(unit, values, over, under)
            described.append(_described(name, offsets, maps, sizes, found, most_places, remarks))
    by = "TF-IDF" if encode is None else f"vectors of {function_name(encode)}"
    left_out = tuple(name for name in known if name not in whole)
    return ChunkDescription(tuple(described), unit, by, limits[0], limits[1], left_out)


def _sizes(
    unit: str,
    chunks: Chunks,
    maps: Mapping[str, TextMap],
    tokens: chunk_inputs.Tokens | None,
) -> ChunkSizes:
    """The size of each chunk. A word or a sentence counts in each chunk that has a part of it."""
    sizes = []
    for name, text in maps.items():
        starts, ends, _ = chunks[name]
        if unit == "characters":
            sizes.append(ends - starts)
        elif unit == "tokens" and tokens is not None:
            with about(f"document {name!r}"):
                stretches = enumerate(zip(starts.tolist(), ends.tolist(), strict=True))
                counts = [
                    chunk_inputs.n_tokens(tokens, text.text[start:end], f"chunks[{index}]")
                    for index, (start, end) in stretches
                ]
            sizes.append(np.array(counts, np.int64))
        else:
            sizes.append(text.n_shared(unit.removesuffix("s"), starts, ends))
    return ChunkSizes(unit, np.concatenate(sizes))


def _described(
    chunker: str,
    chunks: Chunks,
    maps: Mapping[str, TextMap],
    sizes: dict[str, ChunkSizes],
    cohesion: Cohesion | None,
    most_places: int,
    remarks: tuple[str, ...],
) -> ChunkerDescription:
    rows: list[ChunkRow] = []
    held = gaps = 0
    for name, text in maps.items():
        starts, ends, ids = chunks[name]
        held += _length_of_union(starts, ends)
        gaps += text.n_places - _length_of_union(text.places(starts), text.places(ends))
        paths = text.heading_paths(starts, ends)
        edges = zip(starts.tolist(), ends.tolist(), paths, strict=True)
        rows += [
            ChunkRow(name, index, None if ids is None else ids[index], start, end, *path)
            for index, (start, end, path) in enumerate(edges)
        ]
    breaks = {kind: _breaks(kind, chunks, maps, most_places) for kind in _PLURALS}
    stored = int(sizes["characters"].values.sum())
    size = sum(text.n_places for text in maps.values())
    counts = stored - held, stored, gaps, size
    return ChunkerDescription(chunker, sizes, breaks, cohesion, *counts, tuple(rows), remarks)


def _length_of_union(starts: Int64Array, ends: Int64Array) -> int:
    """How much is in some stretch.

    >>> _length_of_union(np.array([5, 0]), np.array([9, 6]))
    9
    """
    order = np.argsort(starts, kind="stable")
    firsts, lasts = starts[order], np.maximum.accumulate(ends[order])
    reached = np.append(0, lasts)[: len(lasts)]
    return int(np.maximum(lasts - np.maximum(firsts, reached), 0).sum())


def _breaks(kind: str, chunks: Chunks, maps: Mapping[str, TextMap], most_places: int) -> Breaks:
    """The breaks of a kind in all documents, with the first places."""
    count = out_of = n_blocks = n_broken = 0
    places: list[BreakPlace] = []
    for name, text in maps.items():
        starts, ends, _ = chunks[name]
        cuts, inside = text.breaks(kind, starts, ends)
        broken = inside >= 0
        count, out_of = count + int(broken.sum()), out_of + len(cuts)
        n_blocks += len(text.blocks[kind][0])
        n_broken += len(np.unique(inside[broken]))
        first = np.unique(cuts[broken])[: most_places - len(places)]
        places += (text.break_place(name, cut) for cut in first.tolist())
    blocks, broken_blocks = (None, None) if kind == "word" else (n_blocks, n_broken)
    return Breaks(kind, count, out_of, blocks, broken_blocks, tuple(places))


def _cohesion(
    alike: Mapping[str, Floats],
    maps: Mapping[str, TextMap],
    chunks: Chunks,
    drawn: Any,
) -> Cohesion:
    """The cohesion of the chunks of a chunker. Documents without a chunk, or with one sentence,
    have no neighbours to compare."""
    starts = {name: own.starts for name, own in chunks.items()}
    documents = [name for name, text in maps.items() if text.sentences.n > 1 and len(starts[name])]
    documents = [documents[i] for i in by_name(documents).tolist()]
    boundaries = [text_map.sentence_boundaries(maps[name], starts[name]) for name in documents]
    cosines = [alike[name] for name in documents]
    return text_map.cohesion_of(cosines, boundaries, lots=Lots.of(documents), **drawn)


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
        rows = []
        for chunker in self.chunkers:
            sizes, found = chunker.sizes[self.size_in], chunker.cohesion
            low, _, middle, _, high = sizes.quartiles
            counts = {kind: breaks.count for kind, breaks in chunker.breaks.items()}
            limited = [getattr(sizes, name) for name in self._limits]
            value = None if found is None else Cell(found.value, note=found.said or None)
            counted = [*limited, chunker.n_cuts, *counts.values()]
            blocks, chance = sum(counts[kind] for kind in _BLOCKS), found and found.chance
            row = [chunker.name, chunker.n_chunks, low, middle, high, *counted]
            rows.append([*row, blocks, value, chance])
        shown: list[str | Column] = [
            "chunker chunks min!",
            *columns("median max", form=_size),
            " ".join((*self._limits, "cuts<1")),
            *(
                Column(name, key=f"in_{kind}", audience="machines" if kind in _BLOCKS else "all")
                for kind, name in _PLURALS.items()
            ),
            Column("blocks", audience="people"),
            "cohesion:3 chance!",
        ]
        words = (
            f"{self._size_note}; words, sentences, paragraphs, blocks (lists, tables, code, "
            "links): cuts inside them; headings: chunks that end with one"
        )
        return Table.of(rows, shown, [words, *self._notes], warnings=self.remarks)

    def table(self, name: str) -> Table:
        """A table by its name: sizes, breaks, places, context, cohesion or chunks."""
        made: Callable[[], Table] = getattr(self, f"{name}_table")
        return made()

    def sizes_table(self) -> Table:
        """A row per chunker and unit: smallest, quartiles, largest, spread."""
        limited = ("over", "under") if self._limits else ()
        rows = [
            [
                *(chunker.name, sizes.unit, len(sizes.values), *sizes.quartiles, sizes.mean),
                *(sizes.variation, *(getattr(sizes, name) for name in limited)),
                *(_share(chunker.overlap, chunker.stored), _share(chunker.gaps, chunker.text)),
            ]
            for chunker in self.chunkers
            for sizes in chunker.sizes.values()
        ]
        shown: list[str | Column] = [
            "chunker unit chunks",
            *columns("min q1 median q3 max", form=_size),
            " ".join(("mean:1 cv:2", *limited, "overlap:3% in_no_chunk=gaps:3%")),
        ]
        notes = [
            "cv: standard deviation over mean; overlap: the share of the characters of all chunks "
            "that are there once more; in no chunk: white space aside",
            *([self._size_note] if limited else []),
        ]
        return Table.of(rows, shown, notes, "Sizes")

    def breaks_table(self) -> Table:
        """A row per chunker and kind: the number of cuts that break something, and the first of
        them. Text shows the kinds that occur in the texts; CSV and JSON have all."""
        rows: list[list[Any]] = []
        for chunker in self.chunkers:
            for breaks in chunker.breaks.values():
                kind, first = _PLURALS[breaks.kind], next(iter(breaks.places), None)
                line = first and f"{first.document}, line {first.line}"
                counts = breaks.count, breaks.out_of, breaks.share, breaks.broken, breaks.blocks
                rows.append([chunker.name, kind, *counts, line, first and first.around])
        absent = dict.fromkeys(kind for _, kind, *_, blocks, _, _ in rows if blocks == 0)
        in_texts = [row for row in rows if row[1] not in absent]
        shown = columns(
            "chunker inside=kind count of share:3% broken there_are=blocks first there=around<1"
        )
        words = [
            "count: cuts inside one, of all cuts; broken: how many of those that the texts have; "
            "headings: chunks that end with one, of all chunks"
        ]
        if absent:
            words.append(f"the texts have no {', '.join(absent)}")
        return Table(shown, in_texts, words, "Breaks", for_machines=Table(shown, rows))

    def places_table(self) -> Table:
        """The first places of each kind of break."""
        rows = [
            [chunker.name, _PLURALS[breaks.kind], *place]
            for chunker in self.chunkers
            for breaks in chunker.breaks.values()
            for place in breaks.places
        ]
        shown = "chunker inside=kind document offset line around"
        return Table.of(rows, shown, ["offset: of the first character after the cut"], "Places")

    def context_table(self) -> Table:
        """A row per chunker: the number of chunks that hold the headings above them."""
        rows = []
        for chunker in self.chunkers:
            found = chunker.context
            shares = [_share(found[name], found["under"]) for name in ("covered", "nearest")]
            rows.append([chunker.name, chunker.n_chunks, *found.values(), *shares])
        shown = (
            "chunker chunks under_a_heading=under hold_all=covered hold_the_last=nearest "
            "share_of_all=covered_share:3% share_of_the_last=nearest_share:3%"
        )
        words = "all, the last: of the headings (# A > ## B) that a chunk stands under"
        return Table.of(rows, shown, [words], "Headings over chunks")

    def cohesion_table(self) -> Table:
        """A row per chunker: similarity inside chunks and across cuts, and the level of chance."""
        rows = []
        methods: dict[str, None] = {}
        for chunker in self.chunkers:
            found = chunker.cohesion
            if found is not None:
                value = Cell(found.value, *found.ci[:2], note=found.said or None)
                counts = found.n_inside, found.inside, found.n_across, found.across
                chance = found.chance, found.p, found.above_chance
                rows.append([chunker.name, *counts, value, *chance])
                methods[f"interval: {found.ci.method}"] = None
        shown = (
            "chunker pairs_inside=n_inside inside:3 pairs_across=n_across across:3 cohesion:3 "
            "chance:3 p:3 above_chance"
        )
        return Table.of(rows, shown, [*self._notes, *methods], "Cohesion")

    def chunks_table(self) -> Table:
        """A row per chunk."""
        units = list(self.chunkers[0].sizes)
        rows: list[list[Any]] = []
        for chunker in self.chunkers:
            for index, row in enumerate(chunker.rows):
                sizes = (int(chunker.sizes[unit].values[index]) for unit in units)
                path = " > ".join(row.titles)
                rows.append([chunker.name, *row[:5], *sizes, path, row.covered])
        sizes_of = " ".join(units)
        shown = f"chunker document chunk id<1 start end {sizes_of} headings=path holds_them=covered"
        return Table.of(rows, shown, (), "Chunks")

    @property
    def _limits(self) -> dict[str, int]:
        limits = {"over": self.max_size, "under": self.min_size}
        return {name: limit for name, limit in limits.items() if limit is not None}

    @property
    def _size_note(self) -> str:
        counted = [f"{name} {limit}" for name, limit in self._limits.items()]
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


def _share(part: float, whole: float) -> float:
    """The share of a part in a whole; NaN if the whole is 0."""
    return part / whole if whole else float("nan")


def _size(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
