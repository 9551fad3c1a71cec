"""A segmentation on other units: chunks on the units of their text, and boundaries on the units of
a reference whose words differ.

Reference and hypothesis may be split differently, or come from a recogniser: their units are not
the same. Both are split into words (`segscore.text.folding`: case and punctuation do not count),
and a minimal alignment of the words (Levenshtein: a word replaced, left out or added costs 1) says
which words belong together. A boundary between two words of the hypothesis goes between the words
of the reference that belong to them:

- where words of the reference were left out just there, to the middle of these words;
- inside words that were added, to the place where they were added.

Both count as `inside`. A boundary inside a unit of the reference goes to its nearer edge (its start
if both are equally near) and counts as `moved`. Boundaries that move to the same position, or to an
end of the document, count as `merged`. The word error rate is the number of errors over the number
of words of the reference; above a limit the alignment says nothing about boundaries, and that is an
error.

The alignment is RapidFuzz's (`pip install 'segscore[align]'`).
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Int64Array, number, shown
from segscore.coding.constructor_checks import in_rows
from segscore.coding.levels import Levels
from segscore.coding.segmentation import BoundaryType, Segmentation
from segscore.errors import SegmentationError, needing
from segscore.tables.tabular import Tabular
from segscore.text.folding import spoken_words

if TYPE_CHECKING:
    from segscore.tables.table import Table


def remapped(
    coding: Segmentation,
    positions: Int64Array,
    n_units: int,
    candidates: Iterable[int] | None = None,
) -> Segmentation:
    """The segmentation with each boundary at its new position, from 0 to `n_units`, ascending.

    >>> coding = Segmentation.from_masses([2, 3, 1, 4], segment_labels=["a", "b", "c", "d"])
    >>> remapped(coding, np.array([1, 3, 3]), 5)
    Segmentation(masses=[1, 2, 2], segment_labels=['a', 'b', 'd'])
    """
    if isinstance(coding, Levels):
        places = (np.searchsorted(coding.boundaries, level.boundaries) for level in coding.levels)
        pairs_of_levels = zip(coding.levels, places, strict=True)
        return Levels([remapped(level, positions[at], n_units) for level, at in pairs_of_levels])
    kept = np.unique(positions[(positions > 0) & (positions < n_units)])
    labels = ranks = types = None
    if coding.segment_labels is not None:
        lengths = np.diff(positions, prepend=0, append=n_units)
        pairs = zip(coding.segment_labels, lengths.tolist(), strict=True)
        labels = [label for label, length in pairs if length]
    inside = np.flatnonzero(np.isin(positions, kept))
    goes_to = np.searchsorted(kept, positions[inside])
    if coding.ranks is not None:
        ranks = np.full(len(kept), np.iinfo(np.int64).max)
        np.minimum.at(ranks, goes_to, coding.ranks[inside])
    if coding.types is not None:
        types = [set[BoundaryType]() for _ in kept]
        for place, index in zip(goes_to.tolist(), inside.tolist(), strict=True):
            types[place] |= coding.types[index]
    return Segmentation.from_boundaries(
        kept, n_units, types=types, ranks=ranks, candidates=candidates, segment_labels=labels
    )


MAX_ERROR = 0.3


@dataclass(frozen=True, repr=False)
class Alignment(Tabular):
    """A hypothesis, moved onto the units of its reference.

    segmentation: the boundaries in units of the reference. error_rate: the word error rate.
    n_words: the number of words of the reference. substitutions, deletions, insertions: the numbers
    of errors. inside: the number of boundaries that fell inside an insertion or deletion. moved:
    the number that fell inside a unit of the reference. merged: the number that give no boundary of
    their own.
    """

    segmentation: Segmentation
    n_words: int
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0
    inside: int = 0
    moved: int = 0
    merged: int = 0

    @property
    def errors(self) -> int:
        """The number of words replaced, left out and added."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def error_rate(self) -> float:
        """The word error rate."""
        return self.errors / self.n_words

    def to_table(self) -> "Table":
        """A row per number."""
        from segscore.tables import Table

        rows: list[list[Any]] = [
            ["words of the reference", self.n_words],
            ["word error rate", self.error_rate],
            ["words replaced", self.substitutions],
            ["words left out", self.deletions],
            ["words added", self.insertions],
            ["boundaries", len(self.segmentation.boundaries)],
            ["boundaries inside words left out or added", self.inside],
            ["boundaries inside a unit, moved", self.moved],
            ["boundaries that merged with another", self.merged],
        ]
        return Table.of(rows, "what count")


def align(
    ref_units: Sequence[str],
    hyp_units: Sequence[str],
    hyp: Segmentation,
    *,
    max_error: float = MAX_ERROR,
) -> Alignment:
    """Move the boundaries of a hypothesis onto the units of a reference, by aligning their words.

    Parameters
    ----------
    ref_units, hyp_units
        The units of each side: words, sentences or turns; the two sides may differ.
    hyp
        The segmentation of `hyp_units`.
    max_error
        The highest word error rate that is accepted; above it, `align` raises an error.

    >>> ref = ["so it rains.", "It pours,", "and then it stops."]
    >>> hyp = ["So", "it", "rained", "it", "pours", "then", "it", "stops"]
    >>> alignment = align(ref, hyp, Segmentation.from_masses([3, 5]))
    >>> alignment.segmentation, round(alignment.error_rate, 3)
    (Segmentation(masses=[1, 2]), 0.222)
    """
    limit = number(max_error, "max_error", "a number of at least 0")
    ref_texts, hyp_texts = _texts(ref_units, "ref_units"), _texts(hyp_units, "hyp_units")
    if len(hyp_texts) != hyp.n_units:
        raise SegmentationError(
            f"hyp has {hyp.n_units} units, and hyp_units {len(hyp_texts)}: expected the same number"
        )
    ref_words, ref_ends = spoken_words(ref_texts)
    if not ref_words:
        raise SegmentationError("ref_units has no words: expected at least one")
    if ref_texts == hyp_texts:
        return Alignment(hyp, len(ref_words))
    hyp_words, hyp_ends = spoken_words(hyp_texts)
    blocks = word_blocks(ref_words, hyp_words)
    errors: Counter[str] = Counter()
    for block in blocks:
        if block.tag != "equal":
            errors[block.tag] += max(
                block.src_end - block.src_start, block.dest_end - block.dest_start
            )
    rate = errors.total() / len(ref_words)
    if rate > limit:
        raise SegmentationError(
            f"the word error rate is {rate:.3f}: expected at most {limit:g} (max_error=), "
            "because boundaries are carried over by the words that both sides share"
        )
    found = reference_places([hyp_ends[at - 1] for at in hyp.boundaries.tolist()], blocks)
    units = [_unit_edge(place, ref_ends) for place, _ in found]
    positions = np.array([position for position, _ in units], np.int64)
    coding = remapped(hyp, positions, len(ref_ends))
    return Alignment(
        coding,
        len(ref_words),
        errors["replace"],
        errors["delete"],
        errors["insert"],
        sum(inside for _, inside in found),
        sum(moved for _, moved in units),
        len(positions) - len(coding.boundaries),
    )


def _texts(units: Any, what: str) -> list[str]:
    listed = list(in_rows(units, what, "a list of texts, one per unit"))
    for index, unit in enumerate(listed):
        if not isinstance(unit, str):
            raise SegmentationError(f"{what}[{index}] is {shown(unit)}: expected a text")
    return listed


def word_blocks(ref_words: list[str], hyp_words: list[str]) -> list[Any]:
    """A minimal alignment of words, block by block: words src_start … src_end of the reference
    (half-open) and those of the hypothesis (dest); `tag` is equal, replace, delete or insert."""
    return list(levenshtein().opcodes(ref_words, hyp_words))


def levenshtein() -> Any:
    """The module of RapidFuzz that aligns sequences."""
    with needing("align", "an alignment of words"):
        from rapidfuzz.distance import Levenshtein
    return Levenshtein


def reference_places(cuts: Iterable[int], blocks: Sequence[Any]) -> list[tuple[int, bool]]:
    """The number of reference words before each cut of the hypothesis, which has `cut` words before
    it; and whether the cut is inside words left out or added."""
    starts = [block.dest_start for block in blocks]

    def place(cut: int) -> tuple[int, bool]:
        if cut in (0, blocks[-1].dest_end):
            return (blocks[-1].src_end if cut else 0), False
        last = bisect_right(starts, cut) - 1  # the last block that starts at the cut, or before it
        for block in blocks[bisect_left(starts, cut) : last + 1]:
            if block.tag == "delete":  # words left out where the cut is
                return (block.src_start + block.src_end) // 2, True
        block = blocks[last]
        if block.tag == "insert":
            return block.src_start, block.dest_start < cut < block.dest_end
        return min(block.src_start + cut - block.dest_start, block.src_end), False

    return [place(cut) for cut in cuts]


def _unit_edge(place: int, ends: list[int]) -> tuple[int, bool]:
    """The number of units before a position among words, and whether it was inside a unit."""
    unit = bisect_left(ends, place)
    if place == 0 or ends[unit] == place:  # units without a word stay with what is before them
        return (bisect_right(ends, place) if place else 0), False
    start = ends[unit - 1] if unit else 0
    return (unit if place - start <= ends[unit] - place else unit + 1), True
