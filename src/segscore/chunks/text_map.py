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
from segscore.basics.on_demand import cached_property
from segscore.text.chunk_placing import cuts_inside_words, cuts_of
from segscore.text.folding import Folded
from segscore.text.markdown_blocks import MarkdownStructure, Stretch, markdown_structure
from segscore.text.unit_splitting import Stretches, lined_units

_LINE_END = re.compile(r"\r\n?|\n")
_WORD = re.compile(r"\S+")
BLOCK_KINDS = ("sentence", "paragraph", "list", "table", "code", "link")
CUT = "‖"  # shows where a cut is; a bar would end a cell in Markdown
_AROUND = 25  # characters on each side of a cut that are shown


class BreakPlace(NamedTuple):
    """The place of a break: the offset of the first character after the cut, its line from 1, and
    the text around it, with `‖` at the cut."""

    document: str
    offset: int
    line: int
    around: str


class HeadingPath(NamedTuple):
    """The headings above a chunk, outermost first, and which of them it holds.

    They are those above its first text, including those at the start of the chunk. The path is
    covered if the chunk holds all of them: then the chunk itself says what it is about.
    """

    titles: tuple[str, ...] = ()
    held: tuple[bool, ...] = ()

    def __str__(self) -> str:
        return " > ".join(self.titles)

    @property
    def covered(self) -> bool | None:
        """Whether the chunk holds all headings; None if there are none."""
        return all(self.held) if self.titles else None

    @property
    def nearest_covered(self) -> bool | None:
        """Whether the chunk holds the innermost heading; None if there are none."""
        return self.held[-1] if self.titles else None


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
        return self._as_places((heading.start, heading.end) for heading in self._structure.headings)

    def headings_ended_with(self, ends: Int64Array) -> Int64Array:
        """The index of the heading that each place is in or at the end of; -1 for none."""
        headings = self.heading_places
        index = np.searchsorted(headings.starts, ends, "left") - 1
        return np.where(ends <= np.append(headings.ends, -1)[index], index, -1)

    def heading_paths(self, starts: Int64Array, ends: Int64Array) -> list[HeadingPath]:
        r"""The path of each chunk.

        >>> text = TextMap("# A\n\n## B\nText. More.")
        >>> paths = text.heading_paths(np.array([0, 16]), np.array([16, 21]))
        >>> [(str(path), path.held) for path in paths]
        [('# A > ## B', (True, True)), ('# A > ## B', (False, False))]
        """
        headings, places = self._structure.headings, self.heading_places
        above: list[list[int]] = []  # for each heading: those above it, and itself
        for index, heading in enumerate(headings):
            outer = above[-1] if above else []
            above.append([i for i in outer if headings[i].rank < heading.rank] + [index])
        paths = []
        edges = zip(self.places(starts).tolist(), self.places(ends).tolist(), strict=True)
        for first, last in edges:
            index = int(np.searchsorted(places.starts, first, "right")) - 1
            place = first
            while index >= 0 and places.starts[index] <= place < places.ends[index]:
                place = int(places.ends[index])  # a heading at the start of the chunk
                follows = index + 1 < len(headings) and places.starts[index + 1] <= place < last
                index += follows
            path = above[index] if index >= 0 else []
            paths.append(HeadingPath(
                tuple(f"{'#' * headings[i].rank} {headings[i].title}" for i in path),
                tuple(bool(first <= places.starts[i] and places.ends[i] <= last) for i in path),
            ))  # fmt: skip
        return paths

    def break_place(self, document: str, cut: int) -> BreakPlace:
        """Where a cut is, in words."""
        offset = self.offset(cut)
        before = self.text[max(0, offset - _AROUND) : offset]
        after = self.text[offset : offset + _AROUND]
        gap = " " if before[-1:].isspace() else ""
        around = f"{' '.join(before.split())}{gap}{CUT}{gap}{' '.join(after.split())}"
        return BreakPlace(document, offset, self.line(offset), around)

    @cached_property
    def _structure(self) -> MarkdownStructure:
        return markdown_structure(self.text)

    def _as_places(self, stretches: Iterable[Stretch]) -> TextPlaces:
        edges = np.array(list(stretches), np.int64).reshape(-1, 2)
        return TextPlaces(self.places(edges[:, 0]), self.places(edges[:, 1]))
