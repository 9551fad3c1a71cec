"""The description of chunks without any reference, as results with tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.cached import cached_property
from segscore.chunks.chunk_breaks import KINDS, Breaks
from segscore.chunks.chunk_sizes import ChunkSizes, share
from segscore.chunks.cohesion import Cohesion
from segscore.chunks.heading_paths import HeadingPath
from segscore.errors import named
from segscore.tables import Cell, Column, Table, Tabular

TABLES = ("sizes", "breaks", "places", "context", "cohesion", "chunks")
_PLURALS = {
    "word": "words", "sentence": "sentences", "paragraph": "paragraphs", "list": "lists",
    "table": "tables", "code": "code blocks", "link": "links", "heading": "headings",
}  # fmt: skip
_BLOCKS = ("list", "table", "code", "link")


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

    def __iter__(self) -> Any:
        return iter(self.chunkers)

    def __getitem__(self, name: str) -> ChunkerDescription:
        return {chunker.name: chunker for chunker in self.chunkers}[name]

    def to_table(self) -> Table:
        """A row per chunker: sizes, breaks, and cohesion beside its chance."""
        limits = [("over", self.max_size), ("under", self.min_size)]
        wanted = [name for name, limit in limits if limit is not None]
        rows = []
        for chunker in self.chunkers:
            sizes = chunker.sizes[self.size_in]
            low, _, middle, _, high = sizes.quartiles
            found = chunker.cohesion
            rows.append(
                [chunker.name, chunker.n_chunks, low, middle, high,
                 *(getattr(sizes, name) for name in wanted), chunker.n_cuts,
                 *(chunker.breaks[kind].count for kind in KINDS),
                 sum(chunker.breaks[kind].count for kind in _BLOCKS),
                 Cell(None) if found is None else Cell(found.value, note=found.said or None),
                 None if found is None else found.chance]
            )  # fmt: skip
        columns = [
            Column("chunker"),
            Column("chunks"),
            Column("min", audience="machines"),
            _whole_column("median"),
            _whole_column("max"),
            *map(Column, wanted),
            Column("cuts", drop_order=1),
            *(_count_column(kind) for kind in KINDS),
            Column("blocks", audience="people"),
            Column("cohesion", digits=3),
            Column("chance", audience="machines"),
        ]
        words = (
            f"{self._size_note}; words, sentences, paragraphs, blocks (lists, tables, code, "
            "links): cuts inside them; headings: chunks that end with one"
        )
        return Table(columns, rows, [words, *self._notes], warnings=self.remarks)

    def table(self, name: str) -> Table:
        """A table by its name: sizes, breaks, places, context, cohesion or chunks."""
        made: Table = getattr(self, f"{name}_table")()
        return made

    def sizes_table(self) -> Table:
        """A row per chunker and unit: smallest, quartiles, largest, spread."""
        rows: list[list[Any]] = []
        for chunker in self.chunkers:
            for sizes in chunker.sizes.values():
                rows.append(
                    [chunker.name, sizes.unit, len(sizes.values), *sizes.quartiles, sizes.mean,
                     sizes.variation, sizes.over, sizes.under, chunker.overlap_share,
                     chunker.gap_share]
                )  # fmt: skip
        columns = [
            Column("chunker"), Column("unit"), Column("chunks"),
            *(_whole_column(name) for name in ("min", "q1", "median", "q3", "max")),
            Column("mean", digits=1), Column("cv", digits=2), Column("over"), Column("under"),
            Column("overlap", digits=3, share=True),
            Column("in no chunk", key="gaps", digits=3, share=True),
        ]  # fmt: skip
        if self.max_size is None and self.min_size is None:
            rows = [[*row[:10], *row[12:]] for row in rows]
            columns = [*columns[:10], *columns[12:]]
        notes = [
            "cv: standard deviation over mean; overlap: the share of the characters of all chunks "
            "that are there once more; in no chunk: white space aside",
            *([self._size_note] if self._limits else []),
        ]
        return Table(columns, rows, notes, "Sizes")

    def breaks_table(self) -> Table:
        """A row per chunker and kind: the number of cuts that break something, and the first of
        them. Text shows the kinds that occur in the texts; CSV and JSON have all."""
        every = [
            (chunker, breaks) for chunker in self.chunkers for breaks in chunker.breaks.values()
        ]
        there = [(chunker, breaks) for chunker, breaks in every if breaks.blocks != 0]
        none = dict.fromkeys(_PLURALS[breaks.kind] for _, breaks in every if breaks.blocks == 0)
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
        if none:
            words.append(f"the texts have no {', '.join(none)}")
        machines = Table(columns, [_break_row(*pair) for pair in every])
        rows = [_break_row(*pair) for pair in there]
        return Table(columns, rows, words, "Breaks", for_machines=machines)

    def places_table(self) -> Table:
        """The first places of each kind of break."""
        rows = [
            [chunker.name, _PLURALS[breaks.kind], *place]
            for chunker in self.chunkers
            for breaks in chunker.breaks.values()
            for place in breaks.places
        ]
        columns = [
            Column("chunker"), Column("inside", key="kind"), Column("document"), Column("offset"),
            Column("line"), Column("around"),
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
        for chunker in self.chunkers:
            found = chunker.cohesion
            if found is None:
                continue
            rows.append(
                [chunker.name, found.n_inside, found.inside, found.n_across, found.across,
                 _cohesion(chunker), found.chance, found.p, found.above_chance]
            )  # fmt: skip
        columns = [
            Column("chunker"), Column("pairs inside", key="n_inside"), Column("inside", digits=3),
            Column("pairs across", key="n_across"), Column("across", digits=3),
            Column("cohesion", digits=3), Column("chance", digits=3), Column("p", digits=3),
            Column("above chance", key="above_chance"),
        ]  # fmt: skip
        methods = dict.fromkeys(
            f"interval: {chunker.cohesion.ci.method}"
            for chunker in self.chunkers
            if chunker.cohesion
        )
        return Table(columns, rows, [*self._notes, *methods], "Cohesion")

    def chunks_table(self) -> Table:
        """A row per chunk."""
        units = list(self.chunkers[0].sizes)
        rows = [
            [chunker.name, row.document, row.chunk, row.id, row.start, row.end,
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
    def _limits(self) -> bool:
        return self.max_size is not None or self.min_size is not None

    @property
    def _size_note(self) -> str:
        limits = {"over": self.max_size, "under": self.min_size}
        counted = [f"{name} {limit}" for name, limit in limits.items() if limit is not None]
        return f"sizes in {self.size_in}" + (f"; counted: {', '.join(counted)}" if counted else "")

    @property
    def remarks(self) -> list[str]:
        """Remarks on how chunks were found, by chunker."""
        n_left = len(self.left_out)
        what = "document" if n_left == 1 else "documents"
        left = [f"left out: {n_left} {what} without chunks ({named(self.left_out)})"]
        remarks = [
            f"{chunker.name}: {remark}" for chunker in self.chunkers for remark in chunker.remarks
        ]
        return [*(left if n_left else ()), *remarks]

    @property
    def _notes(self) -> list[str]:
        """How cohesion is computed."""
        known = [chunker.cohesion for chunker in self.chunkers if chunker.cohesion is not None]
        if not known:
            return []
        draws = max(cohesion.draws for cohesion in known)
        return [
            f"cohesion: similarity ({self.similarity}) of neighbouring sentences inside chunks "
            "minus across cuts; chance: the chunks in random order"
            + (f", {draws} times" if draws else "")
        ]


def _break_row(chunker: ChunkerDescription, breaks: Breaks) -> list[Any]:
    first = breaks.places[0] if breaks.places else None
    return [
        chunker.name, _PLURALS[breaks.kind], breaks.count, breaks.out_of, breaks.share,
        breaks.broken, breaks.blocks,
        None if first is None else f"{first.document}, line {first.line}",
        None if first is None else first.around,
    ]  # fmt: skip


def _count_column(kind: str) -> Column:
    """A column of counts; several kinds of blocks share a column for people."""
    if kind in _BLOCKS:
        return Column(_PLURALS[kind], key=f"in_{kind}", audience="machines")
    return Column(_PLURALS[kind], key=f"in_{kind}")


def _whole_column(name: str) -> Column:
    return Column(name, form=lambda value: f"{value:.1f}".removesuffix(".0"))


def _cohesion(chunker: ChunkerDescription) -> Cell:
    found = chunker.cohesion
    if found is None:
        return Cell(None)
    low, high = (None if np.isnan(end) else float(end) for end in (found.ci.low, found.ci.high))
    return Cell(found.value, low=low, high=high, note=found.said or None)
