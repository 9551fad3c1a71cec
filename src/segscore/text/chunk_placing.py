"""Map chunks of a text onto its units: which boundaries they give, and what was changed to make
them fit.

A chunk that starts at the start of a unit (or in the white space before it) gives a boundary there.
A cut inside a unit moves to its nearer end (its start if both are equally near), but by no more
than `snap` characters: so by no more than half of the unit. A cut further from both ends stays
`inside`: it gives a boundary at the nearest position between the pieces of the unit
(`segscore.text.unit_splitting`), where no reference has one. If units were given that are not in
pieces, it cannot be a boundary, and is an error.

Other misfits are counted, too: cuts that give no boundary of their own, because another cut is at
the same position or because they moved to the edge of the text; text of units in no chunk; text in
several chunks. Starts and ends of chunks inside sentences and inside words are counted whatever the
units are, each place once, white space aside, as `describe_chunks` counts them.

Text in no chunk, a gap, belongs to the chunk before it or after it (`gaps`). With `text`, the text
decides: if the gap begins with a heading or another block of the text, such as a paragraph, it
belongs to the chunk after it, because splitters that leave out headings cut before them; otherwise
to the chunk before it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Int64Array, check_choice, is_whole, shown, whole_number
from segscore.errors import SegmentationError, named
from segscore.tables.tabular import Tabular
from segscore.text import unit_splitting as splitting
from segscore.text.chunk_finding import as_chunks, find_chunks
from segscore.text.folding import Folded, count_visible, cut_inside_word, is_white
from segscore.text.markdown_blocks import Stretch, markdown_blocks
from segscore.text.unit_splitting import SNAP, Gaps, Overlap, Stretches, trimmed

if TYPE_CHECKING:
    from segscore.coding.segmentation import Segmentation
    from segscore.tables.table import Table

# a rule, (start, end) of each unit, or a document or a corpus, which know the units of a text
UnitRule = str | Sequence[Stretch] | Stretches | Mapping[str, Any]

_COUNTED = {  # what is worth knowing: singular, plural
    "moved": ("cut inside a unit", "cuts inside units"),
    "inside": ("cut too far inside a unit to move", "cuts too far inside units to move"),
    "merged": ("cut without a boundary of its own", "cuts without a boundary of their own"),
    "inside_sentences": ("cut inside a sentence", "cuts inside sentences"),
    "inside_words": ("cut inside a word", "cuts inside words"),
    "uncovered": ("character in no chunk", "characters in no chunk"),
    "doubled": ("character in several chunks", "characters in several chunks"),
    "changed": ("change of white space or marks", "changes of white space or marks"),
    "ambiguous": ("chunk that fits elsewhere, too", "chunks that fit elsewhere, too"),
    "wrong_offsets": ("offset that was wrong", "offsets that were wrong"),
}


class PlacementWarning(UserWarning):
    """What was done to make chunks fit the units."""


@dataclass(frozen=True, repr=False)
class Placement(Tabular):
    """Where chunks cut a text, and what was changed to make them fit its units.

    n_units, boundaries, segmentation: what the chunks make of the text. stretches: (start, end) of
    each chunk in the text, in characters. moved: (chunk, offset, by) of each cut inside a unit that
    moved to its nearer end: the chunk that starts there, and by how many characters the cut moved,
    below 0 to the left. inside: the offsets of cuts that would have to move further than `snap`:
    extra boundaries inside a long unit.
    merged: the number of cuts that give no boundary of their own. uncovered: (start, end) of the
    text in no chunk, white space aside, if it holds text of units; doubled: of text in several
    chunks. coverage: the share of the text, white space aside, that is in some chunk.
    lost_headings: the Markdown headings that are in no chunk. changed: the number of places where
    white space, quote marks or dashes of the chunks differ from the text. ambiguous: the number of
    chunks that also fit elsewhere, because their text is repeated. inside_sentences, inside_words:
    the numbers of cuts inside sentences and inside words. wrong_offsets: the number of chunks that
    are not where their own offsets say.
    """

    n_units: int
    boundaries: tuple[int, ...]
    stretches: tuple[Stretch, ...]
    moved: tuple[tuple[int, int, int], ...] = ()
    inside: tuple[int, ...] = ()
    merged: int = 0
    uncovered: tuple[Stretch, ...] = ()
    doubled: tuple[Stretch, ...] = ()
    coverage: float = 1.0
    changed: int = 0
    ambiguous: int = 0
    inside_sentences: int = 0
    inside_words: int = 0
    wrong_offsets: int = 0
    lost_headings: tuple[str, ...] = ()
    excerpt: str = field(default="", compare=False)

    @property
    def segmentation(self) -> "Segmentation":
        """The boundaries that the chunks make."""
        made: Segmentation = import_module("segscore").Segmentation.from_boundaries(
            self.boundaries, self.n_units
        )
        return made

    @property
    def n_chunks(self) -> int:
        """The number of chunks."""
        return len(self.stretches)

    def report(self, kinds: Iterable[str] = _COUNTED) -> str:
        """What was changed, and what else is worth knowing, in words; empty if everything fits.

        kinds: the kinds of misfits to report, by the names of attributes.

        >>> place_chunks("One. Two now.", ["One.", "Two", "now."]).report()
        '1 cut inside a unit moved by up to 4 characters, 1 cut without a boundary of its own,
        1 cut inside a sentence'
        """
        lost = name_headings(self.lost_headings, "; ")
        more = {
            "moved": f" moved by up to {_count(self.farthest, 'character', 'characters')}",
            "inside": ", extra boundaries",
            "uncovered": f" (coverage {self.coverage:.3f}{lost})",
        }
        counts = self.counts()
        return ", ".join(
            _count(counts[name], singular, plural) + more.get(name, "")
            for name, (singular, plural) in _COUNTED.items()
            if counts[name] and name in kinds
        )

    @property
    def farthest(self) -> int:
        """The largest number of characters by which a cut moved."""
        return max((abs(by) for _, _, by in self.moved), default=0)

    def counts(self) -> dict[str, int]:
        """The number of misfits of each kind; for stretches, the number of characters."""
        counts = {}
        for name in _COUNTED:
            found = getattr(self, name)
            if name in ("uncovered", "doubled"):
                found = sum(end - start for start, end in found)
            counts[name] = found if isinstance(found, int) else len(found)
        return counts

    def to_table(self) -> "Table":
        """What was counted, a row per number."""
        from segscore.tables import Table

        rows: list[list[Any]] = [
            ["chunks", self.n_chunks],
            ["units", self.n_units],
            ["boundaries", len(self.boundaries)],
            *([plural, self.counts()[name]] for name, (_, plural) in _COUNTED.items()),
            ["characters that a cut moved at most", self.farthest],
            ["coverage", self.coverage],
        ]
        return Table.of(rows, "what count")


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
    if not isinstance(text, str):
        raise SegmentationError(f"text is {shown(text)}: expected a str")
    check_choice(overlap, "overlap", splitting.OVERLAPS)
    check_choice(gaps, "gaps", splitting.GAPS)
    snap = whole_number(snap, "snap", 0)
    there = units_in(text, units, snap)
    found = find_chunks(text, as_chunks(chunks))
    cuts, doubled, left_out = _cuts(text, found.stretches, overlap, gaps)
    moves = [_move(index, cut, there, snap) for index, cut in enumerate(cuts, start=1)]
    positions = {position for position, _ in moves if 0 < position < there.n}
    at = Folded(text).at
    edges = cuts_of(at, found.stretches)
    sentences = splitting.lined_units(text, "sentences")
    solid = (trimmed(text, *gap) for gap in left_out if not is_white(text[slice(*gap)]))
    uncovered = [(a, b) for a, b in solid if there.started_before(b) > there.ended_by(a)]
    lost = sum(count_visible(text[slice(*gap)]) for gap in uncovered)
    headings = _headings_in(text, uncovered)
    coverage = 1 - lost / count_visible(text) if lost else 1.0
    if uncovered and not allow_gaps:
        start, end = uncovered[0]
        excerpt = " ".join(text[start:end].split())[:40]
        keep = "; some splitters have an option that keeps headings" if headings else ""
        raise SegmentationError(
            f"the chunks cover {coverage:.1%} of the text: characters {start} … {end} are in no "
            f"chunk ({excerpt!r}){name_headings(headings, ', and ')}: expected all of the text, or "
            f"allow_gaps=True, which ss.read takes, too{keep}"
        )
    return Placement(
        there.n,
        tuple(sorted(positions)),
        tuple(found.stretches),
        tuple(move for _, move in moves if move is not None),
        tuple(cut for cut, (at, _) in zip(cuts, moves, strict=True) if at in there.inner),
        len(cuts) - len(positions),
        tuple(uncovered),
        tuple(stretch for stretch in doubled if not is_white(text[slice(*stretch)])),
        coverage,
        found.changed,
        found.ambiguous,
        int((~np.isin(edges, np.searchsorted(at, sentences.starts))).sum()),
        len(cuts_inside_words(text, at, edges)),
        found.wrong_offsets,
        headings,
    )


def placing_fields(
    overlap: Overlap, allow_gaps: bool, gaps: Gaps, snap: int
) -> dict[str, str | None]:
    """The fields of a signature about how chunks are placed; None for a default.

    >>> placing_fields("middle", True, "text", 100)
    {'overlap': 'middle', 'gaps': 'allowed', 'snap': '100'}
    """
    accepted = "allowed" if gaps == "text" else gaps
    return {
        "overlap": None if overlap == "start" else overlap,
        "gaps": accepted if allow_gaps else None,
        "snap": str(snap),
    }


def name_headings(headings: Sequence[str], before: str) -> str:
    """The headings that are in no chunk, in words; empty if there are none."""
    return f"{before}no chunk has the headings {named(headings)}" if headings else ""


def units_in(text: str, units: Any, snap: int) -> Stretches:
    """The units of a text: by a rule, as a document has them, or as (start, end) of each; at least
    one."""
    if isinstance(units, Stretches):
        found = units
    elif isinstance(units, str):
        found = splitting.chunk_units(text, units, snap)
    elif hasattr(units, "units_in"):
        found = units.units_in(text)
    else:
        is_list = isinstance(units, Iterable) and not isinstance(units, bytes)
        listed = list(units) if is_list else [units]
        pairs = [
            tuple(unit) if isinstance(unit, Iterable) and not isinstance(unit, str) else ()
            for unit in listed
        ]
        for pair, unit in zip(pairs, listed, strict=True):
            if len(pair) != 2 or not all(map(is_whole, pair)) or pair[0] < 0:
                raise SegmentationError(
                    f"units has {shown(unit)}: expected a rule such as 'sentences', a document or "
                    "a corpus with its text, or a list of pairs (start, end) of characters"
                )
        found = splitting.stretches([(int(start), int(end)) for start, end in pairs])
    if not found.n:
        raise SegmentationError("the text has no unit: expected some text")
    if found.ends[-1] > len(text):
        raise SegmentationError(
            f"the last unit ends at {shown(found.ends[-1])}: expected at most {len(text)}, the "
            "length of the text"
        )
    return found


def _headings_in(text: str, uncovered: list[Stretch]) -> tuple[str, ...]:
    """The headings in stretches of a text, in their order."""
    if not uncovered:
        return ()
    there = Stretches([start for start, _ in uncovered], [end for _, end in uncovered])
    heads = (
        (heading, trimmed(text, heading.start, heading.end))
        for heading in markdown_blocks(text).headings
    )
    return tuple(
        heading.title or text[start:end]
        for heading, (start, end) in heads
        if there.started_before(start + 1) > there.ended_by(end - 1)
    )


def _cuts(
    text: str, found: Sequence[Stretch], overlap: Overlap, gaps: Gaps
) -> tuple[list[int], list[Stretch], list[Stretch]]:
    """Where the text is cut before each chunk but the first; text in several chunks; in none."""

    @cache
    def block_starts() -> frozenset[int]:
        return frozenset(splitting.text_units(text, "paragraphs").starts)

    reached = found[0][1]
    cuts: list[int] = []
    doubled: list[Stretch] = []
    left_out: list[Stretch] = [(0, found[0][0])]
    for start, end in found[1:]:
        shared = min(reached, end)  # to where text is in both
        if start < shared:
            doubled.append((start, shared))
        late = max(start, shared)
        cut = {"start": start, "middle": (start + late) // 2, "end": late}[overlap]
        if reached < start:
            left_out.append((reached, start))
            first, last = trimmed(text, reached, start)
            after = gaps == "after" or (gaps == "text" and first in block_starts())
            cut = first if first < last and after else start
        cuts.append(cut)
        reached = max(reached, end)
    left_out.append((reached, len(text)))
    return cuts, _joined(doubled), [gap for gap in left_out if gap[0] < gap[1]]


def _joined(found: list[Stretch]) -> list[Stretch]:
    """Stretches, sorted by their starts, with those that touch or overlap joined."""
    joined: list[Stretch] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _move(
    chunk: int, cut: int, units: Stretches, snap: int
) -> tuple[int, tuple[int, int, int] | None]:
    """The number of units before the boundary of a cut, and how the cut moved if it moved to the
    end of a unit that it is inside."""
    piece = units.ended_by(cut)
    if piece >= units.n or (cut <= units.starts[piece] and piece not in units.inner):
        return piece, None
    first, last = units.whole(piece)
    start, end = units.starts[first], units.ends[last - 1]
    if min(cut - start, end - cut) > snap:
        near = range(max(first + 1, piece), min(last, piece + 2))  # the ends of its piece
        if not near:
            raise SegmentationError(
                f"chunks[{chunk}] starts at {cut}, inside the unit {start} … {end} and more than "
                f"snap={snap} characters from its ends: expected smaller units (units='words'), "
                f"units in pieces (ss.read with keep_headings=True and this snap), or snap of at "
                f"least {min(cut - start, end - cut)}"
            )
        return min(near, key=lambda position: abs(units.starts[position] - cut)), None
    if cut - start <= end - cut:
        return first, (chunk, cut, start - cut)
    return last, (chunk, cut, end - cut)


def cuts_of(at: Int64Array, edges: Any) -> Int64Array:
    """The places inside a text at which chunks start or end, each once.

    at: the offsets of characters that are not white space; a place is the number of them before it.
    """
    found: Int64Array = np.unique(np.searchsorted(at, np.asarray(edges, np.int64).ravel()))
    return found[(found > 0) & (found < len(at))]


def cuts_inside_words(text: str, at: Int64Array, cuts: Int64Array) -> Int64Array:
    """The cuts without white space on either side."""
    touching: Int64Array = cuts[at[cuts] - at[cuts - 1] == 1]
    inside = [cut_inside_word(text, offset) for offset in at[touching].tolist()]
    found: Int64Array = touching[np.array(inside, bool)]
    return found


def _count(n: int, singular: str, plural: str) -> str:
    return f"{n} {singular if n == 1 else plural}"
