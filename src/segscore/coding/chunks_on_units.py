"""Chunks of a text as a segmentation: what text splitters for retrieval return."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from segscore.basics.cached import cached_property
from segscore.coding.segmentation import Segmentation
from segscore.text.chunk_placing import PlacedChunks, UnitRule, place
from segscore.text.unit_splitting import SNAP, Gaps, Overlap


@dataclass(frozen=True, repr=False)
class Placement(PlacedChunks):
    """Where chunks cut a text, and what was changed to make them fit its units.

    segmentation: the boundaries. moved: the cuts inside a unit that moved to its nearer end, each
    with its chunk, its offset and by how many characters it moved. inside: the offsets of cuts that
    would have to move further than `snap`: extra boundaries inside a long unit. merged: the number
    of cuts that give no boundary of their own. uncovered, doubled: (start, end) of each stretch of
    text that is in no chunk, or in several. coverage: the share of the text, white space aside,
    that is in some chunk. lost_headings: the Markdown headings that are in no chunk. changed: the
    number of places where white space, quote marks or dashes of the chunks differ from the text.
    ambiguous: the number of chunks that also fit elsewhere in the text. inside_sentences,
    inside_words: the numbers of cuts inside sentences and inside words. wrong_offsets: the number
    of chunks that are not where their own offsets say. stretches: (start, end) of each chunk.
    """

    @cached_property
    def segmentation(self) -> Segmentation:
        """The boundaries that the chunks make."""
        return Segmentation.from_boundaries(self.boundaries, self.n_units)


def place_chunks(
    text: str,
    chunks: Iterable[Any],
    units: UnitRule = "sentences",
    *,
    overlap: Overlap = "start",
    allow_gaps: bool = False,
    gaps: Gaps = "text",
    snap: int = SNAP,
) -> Placement:
    """Find where chunks are in their text, and the boundaries between them.

    Chunks may overlap, and white space, quote marks and dashes in them may differ from the text.
    Repeated text is found in order. Text that is lost or changed is an error.

    Parameters
    ----------
    text
        The whole text, exactly as the splitter received it.
    chunks
        Texts in order; or offsets in characters: pairs (start, end), or starts alone; or objects or
        mappings with a text (`page_content`, `text`) and, perhaps, a `start_index`, as LangChain,
        LlamaIndex and Chonkie return them. A start that is out of order, or leaves out text that
        the chunks hold, counts as wrong, and the chunk's text decides.
    units
        What a unit is: `sentences`, `paragraphs`, `lines`, `words`, `characters`; or a document
        with its text, or a corpus, as `segscore.read` returns it, whose units are used; or a list
        of pairs (start, end), such as a tokenizer's offsets. With sentences and paragraphs, rows
        of tables, lines of code and items of lists are units of their own. By any rule, a unit of
        more than 2 · snap characters is in pieces of at most 2 · snap (at least 200), so that N
        depends on the text and on `snap` alone.
    overlap
        Where the boundary is if two chunks overlap: at the `start` of the later chunk, in the
        `middle` of the shared text, or at the `end` of the earlier chunk.
    allow_gaps
        Accept text that is in no chunk.
    gaps
        To which chunk such text belongs: the chunk `before` it or `after` it; with `text`, to the
        chunk after it if it begins with a heading, a paragraph or a block of code, otherwise to the
        chunk before it.
    snap
        How many characters a cut inside a unit may move, to the nearer end of the unit. A cut
        further from both ends is a boundary between two pieces of the unit (`inside`), where no
        reference has one, so that it never counts as a match; in given units that are not in
        pieces it is an error.

    >>> text = "Cats purr. Dogs bark. It rains. It pours."
    >>> placement = place_chunks(text, ["Cats purr. Dogs bark.", "Dogs bark. It rains.", "It pours."])
    >>> placement.segmentation
    Segmentation(masses=[1, 2, 1])
    >>> placement.doubled, placement.report()
    (((11, 21),), '10 characters in several chunks')
    """  # noqa: E501
    return place(
        text,
        chunks,
        units,
        overlap=overlap,
        allow_gaps=allow_gaps,
        gaps=gaps,
        snap=snap,
        kind=Placement,
    )
