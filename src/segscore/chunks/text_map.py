"""What a cut may break in a text: words, sentences, paragraphs, blocks and headings.

White space does not count: a place is the number of characters before it that are not white space.
So two chunks with only white space between them meet at the same place, and stripping white space
does not change whether a place is inside a sentence.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.basics.cached import cached_property
from segscore.text.chunk_placing import cuts_inside_words, cuts_of
from segscore.text.folding import Folded
from segscore.text.markdown_blocks import MarkdownHeading, Stretch
from segscore.text.markdown_structure import MarkdownStructure, markdown_structure
from segscore.text.unit_splitting import Stretches, lined_units

_LINE_END = re.compile(r"\r\n?|\n")
_WORD = re.compile(r"\S+")
BLOCK_KINDS = ("sentence", "paragraph", "list", "table", "code", "link")


class TextPlaces(NamedTuple):
    """Stretches in order, without overlap, as places."""

    starts: Int64Array
    ends: Int64Array

    def holding(self, places: Int64Array) -> Int64Array:
        """The index of the stretch that contains each place, not at an edge; -1 for none."""
        index = np.searchsorted(self.starts, places, "left") - 1
        ends = np.append(self.ends, 0)  # that of none, at -1
        return np.where(places < ends[index], index, -1)

    def shared(self, starts: Int64Array, ends: Int64Array) -> Int64Array:
        """For each of the given stretches, how many of these share a character with it; a stretch
        of white space alone has none to share."""
        before = np.searchsorted(self.ends, starts, "right")
        found: Int64Array = np.searchsorted(self.starts, ends, "left") - before
        return np.where(starts < ends, np.maximum(found, 0), 0)


class TextMap:
    """A text, and where everything is in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._at = Folded(text).at  # the characters that are no white space
        self.n_places = len(self._at)

    def places(self, offsets: Sequence[int] | Int64Array) -> Int64Array:
        """The number of characters, without white space, before each offset."""
        return np.searchsorted(self._at, np.asarray(offsets, np.int64), "left").astype(np.int64)

    def offset(self, place: int) -> int:
        """The offset of the first character after a place."""
        return int(self._at[place]) if place < self.n_places else len(self.text)

    def cuts(self, starts: Int64Array, ends: Int64Array) -> Int64Array:
        """The places inside the text at which a chunk starts or ends, each once."""
        return cuts_of(self._at, [starts, ends])

    def inside_words(self, cuts: Int64Array) -> Int64Array:
        """The cuts without white space on either side."""
        return cuts_inside_words(self.text, self._at, cuts)

    def line(self, offset: int) -> int:
        """The number of the line that contains an offset."""
        return bisect_right(self._line_starts, offset)

    @cached_property
    def _line_starts(self) -> list[int]:
        """The starts of lines, after a line feed, a carriage return, or both."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    @cached_property
    def sentences(self) -> Stretches:
        """The sentences, with their texts, as chunks are placed on them: each heading, row of a
        table and line of code counts as one."""
        return lined_units(self.text, "sentences")

    @cached_property
    def words(self) -> TextPlaces:
        """The words, separated by white space."""
        return self._as_places(match.span() for match in _WORD.finditer(self.text))

    @cached_property
    def blocks(self) -> dict[str, TextPlaces]:
        """The stretches that a cut should not break, by kind."""
        paragraphs = lined_units(self.text, "paragraphs")
        found: dict[str, Iterable[Stretch]] = {
            "sentence": zip(self.sentences.starts, self.sentences.ends, strict=True),
            "paragraph": zip(paragraphs.starts, paragraphs.ends, strict=True),
            "list": self._structure.lists,
            "table": self._structure.tables,
            "code": self._structure.code,
            "link": self._structure.links,
        }
        return {kind: self._as_places(found[kind]) for kind in BLOCK_KINDS}

    @cached_property
    def heading_places(self) -> TextPlaces:
        """The places of the headings."""
        return self._as_places((heading.start, heading.end) for heading in self.headings)

    @property
    def headings(self) -> list[MarkdownHeading]:
        """The headings."""
        return self._structure.headings

    @cached_property
    def _structure(self) -> MarkdownStructure:
        return markdown_structure(self.text)

    def _as_places(self, stretches: Iterable[Stretch]) -> TextPlaces:
        edges = np.array(list(stretches), np.int64).reshape(-1, 2)
        return TextPlaces(self.places(edges[:, 0]), self.places(edges[:, 1]))
