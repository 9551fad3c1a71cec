"""What cuts break: words, sentences, paragraphs, lists, tables, code, links; and headings at the
ends of chunks.

A cut is a place inside the text at which some chunk starts or ends. White space does not count, so
that chunks that meet, or have only white space between them, make a single cut; chunks that overlap
make two. A cut breaks whatever it is inside. Items of lists, rows of tables and lines of code are
sentences and paragraphs of their own: a cut between two of them breaks the list, the table or the
code, but no sentence or paragraph. A chunk leaves a heading behind if it ends with
it, or inside it, while text follows.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.chunks.text_map import BLOCK_KINDS, TextMap

KINDS = ("word", *BLOCK_KINDS, "heading")
CUT = "‖"  # shows where a cut is; a bar would end a cell in Markdown
_AROUND = 25  # characters on each side of a cut that are shown


class BreakPlace(NamedTuple):
    """The place of a break: the offset of the first character after the cut, its line from 1, and
    the text around it, with `‖` at the cut."""

    document: str
    offset: int
    line: int
    around: str


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
        return self.count / self.out_of if self.out_of else float("nan")

    def added(self, other: "Breaks", most_places: int) -> "Breaks":
        """The sum of both."""
        return Breaks(
            self.kind,
            self.count + other.count,
            self.out_of + other.out_of,
            None if self.blocks is None or other.blocks is None else self.blocks + other.blocks,
            None if self.broken is None or other.broken is None else self.broken + other.broken,
            (*self.places, *other.places)[:most_places],
        )


def breaks_of(
    document: str, text: TextMap, starts: Int64Array, ends: Int64Array, most_places: int
) -> dict[str, Breaks]:
    """The breaks by the chunks of a document, by kind.

    most_places: the number of places of each kind to keep.
    """
    cuts = text.cuts(starts, ends)
    inside = text.inside_words(cuts)
    first = _shown(document, text, inside[:most_places])
    found = {"word": Breaks("word", len(inside), len(cuts), None, None, first)}
    for kind, blocks in text.blocks.items():
        held = blocks.holding(cuts)
        broken = np.flatnonzero(held >= 0)
        first = _shown(document, text, cuts[broken[:most_places]])
        n_broken = len(np.unique(held[broken]))
        n_blocks = len(blocks.starts)
        found[kind] = Breaks(kind, len(broken), len(cuts), n_blocks, n_broken, first)
    found["heading"] = _headings_left(document, text, ends, most_places)
    return found


def _headings_left(document: str, text: TextMap, ends: Int64Array, most_places: int) -> Breaks:
    """The chunks that end with a heading while text follows."""
    places = text.places(ends)
    held = headings_ended_with(text, places)
    left = np.flatnonzero((held >= 0) & (places < text.n_places))
    first = _shown(document, text, np.unique(places[left])[:most_places])
    n_headings, n_left = len(text.headings), len(np.unique(held[left]))
    return Breaks("heading", len(left), len(ends), n_headings, n_left, first)


def headings_ended_with(text: TextMap, ends: Int64Array) -> Int64Array:
    """The index of the heading that each place is in or at the end of; -1 for none."""
    headings = text.heading_places
    index = np.searchsorted(headings.starts, ends, "left") - 1
    return np.where(ends <= np.append(headings.ends, -1)[index], index, -1)


def _shown(document: str, text: TextMap, cuts: Int64Array) -> tuple[BreakPlace, ...]:
    found = []
    for cut in cuts.tolist():
        offset = text.offset(cut)
        before = text.text[max(0, offset - _AROUND) : offset]
        after = text.text[offset : offset + _AROUND]
        gap = " " if before[-1:].isspace() else ""
        around = f"{' '.join(before.split())}{gap}{CUT}{gap}{' '.join(after.split())}"
        found.append(BreakPlace(document, offset, text.line(offset), around))
    return tuple(found)
