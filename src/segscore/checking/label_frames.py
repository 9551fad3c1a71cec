"""Labels in the wrong frame: a spurious match at an end of every document.

A label per unit read as one per gap, labels of starts read as labels of ends, padding read as
units: each puts a boundary at the same position on both sides of every document, which is a
spurious match. If only one side is in the wrong frame, it equals the other side, shifted: see
`shifts`.

In fewer than five documents that proves nothing, but labels of 0 and 1 show more than boundaries
whether `marks` is right: a list that marks starts has a 1 at its first unit, and mostly a 0 at its
last; a list that marks ends has the opposite. Both readings of a file together show every label:
read by ends, a label of the first unit is a boundary; read by starts, a label of the last unit is.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.checking.findings import Finding
from segscore.checking.sides import BothSides, CheckedSide, Mask, f_of, surprise
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus

OTHER_MARKS = {"end": "start", "start": "end", "gaps": "end"}
_NEARLY_ALL = 0.95
_SURE = 5  # -log10 of the chance that a finding is honest
FEWEST = 5  # documents
_NEAR_AN_END = (1, 2, 3)  # places from the end where padding or a last label puts a boundary
_OTHER_PLACES = range(1, 25)
_AS_GOOD_ELSEWHERE = 0.8
_HONEST_MATCHES = 0.6  # where others match more often, a match at the end is no surprise

FIRST_PLACE = "the first place (after the first unit)"
_AT_START = "Labels that mark the starts of segments were probably read as ends: use marks='start'."
_AT_END = (
    "Labels, one per unit, were probably read as gaps, or the label of the last unit counted as a "
    "boundary: use marks='end', not from_gaps."
)
_PADDING = (
    "Padding was probably read as units: cut it off, or name it by ignore_index= in from_labels "
    "and from_segment_ids."
)


def free_matches(sides: BothSides) -> Iterator[Finding]:
    """A boundary at the first or last position, or the same last boundary, in nearly all
    documents."""
    two = sides.comparable
    places = list(constant_places(two))
    for there, where, remedy in places:
        yield _finding(two, there, where, remedy)
    if any(where != FIRST_PLACE for _, where, _ in places) or two.n_independent < FEWEST:
        return
    held = (two.ref.counts > 0) & (two.hyp.counts > 0)
    same = held & (two.ref.last == two.hyp.last)
    if held.any() and _is_unearned(two, same):
        yield _finding(two, same, "the same last place", _PADDING)


def constant_places(two: BothSides) -> Iterator[tuple[Mask, str, str]]:
    """The first place, and one near the end, if nearly all documents have a boundary there: the
    documents, the place in words, and what to do."""
    held = (two.ref.counts > 0) & (two.hyp.counts > 0)
    if two.n_independent < FEWEST or not held.any():
        return
    start = (two.ref.first == 1) & (two.hyp.first == 1)
    if _is_constant(two, start, from_start=True, distance=1):
        yield start, FIRST_PLACE, _AT_START
    for distance in _NEAR_AN_END:
        end = held & (_from_end(two.ref) == distance) & (_from_end(two.hyp) == distance)
        if _is_constant(two, end, from_start=False, distance=distance):
            where = "the last place" if distance == 1 else f"{distance} units before the end"
            yield end, where, _AT_END if distance == 1 else _PADDING
            return


def _from_end(side: CheckedSide) -> Int64Array:
    return side.n_units - side.last


def _is_constant(two: BothSides, there: Mask, from_start: bool, distance: int) -> bool:
    """Whether nearly all documents have this boundary, which neither chance nor regular segments
    explain."""
    share = float(there.mean())
    if share < _NEARLY_ALL:
        return False
    expected = float(np.minimum(two.ref.density, two.hyp.density).mean())
    if surprise(share, expected, two.n_independent) < _SURE:
        return False
    return not any(
        _share_at(two, other, from_start) >= _AS_GOOD_ELSEWHERE
        for other in _OTHER_PLACES
        if other != distance
    )


def _share_at(two: BothSides, distance: int, from_start: bool) -> float:
    """The share of documents with a boundary there on both sides."""
    held = []
    for side in (two.ref, two.hyp):
        places = side.positions if from_start else side.n_units[side.row_of] - side.positions
        has = np.zeros(len(two), np.bool_)
        has[side.row_of[places == distance]] = True
        held.append(has)
    return float((held[0] & held[1]).mean())


def _is_unearned(two: BothSides, same: Mask) -> bool:
    """Whether the last boundaries match nearly always, and the others far less often."""
    count = int(same.sum())
    others = min(len(two.ref.positions), len(two.hyp.positions)) - count
    share = float(same.mean())
    if share < _NEARLY_ALL or others < 2 * FEWEST:
        return False
    elsewhere = (two.matches() - count) / others
    if elsewhere > _HONEST_MATCHES:
        return False
    return surprise(share, elsewhere + 0.1, two.n_independent) >= _SURE


def _finding(two: BothSides, there: Mask, where: str, remedy: str) -> Finding:
    count = int(there.sum())
    matched, total = two.matches(), two.total
    now, without = f_of(matched, total), f_of(matched - count, total - 2 * count)
    return Finding(
        "free-match",
        "warning",
        f"In {count} of {len(two)} documents both sides have a boundary at {where}: a "
        f"spurious match (F1 {now:.3f}, without it {without:.3f}).",
        {"share": count / len(two), "f1": now, "f1_without": without},
        two.names(there),
        remedy,
    )


# ---- labels of few documents ----


class _Labels(NamedTuple):
    """The ends of a list of labels, and how it was read."""

    document: str
    first: bool
    last: bool


def doubtful_marks(marks: str, read: list[Corpus], otherwise: list[Corpus]) -> Iterator[Finding]:
    """A note if all labels of a few documents suggest another value of `marks`.

    `read` are the corpora as read with `marks`, `otherwise` as read with OTHER_MARKS.
    """
    lists = [
        _ends(document, marks, coding, other[document][coder])
        for corpus, other in zip(read, otherwise, strict=True)
        for document, codings in corpus.items()
        for coder, coding in codings.items()
        if coding != other[document][coder] and coding.n_units > 1  # equal: it has no labels
    ]
    documents = tuple(dict.fromkeys(labels.document for labels in lists))
    if not 0 < len(documents) < FEWEST or not all(_is_doubtful(marks, labels) for labels in lists):
        return
    many = "a list of labels has" if len(lists) == 1 else f"all {len(lists)} lists of labels have"
    seen, meant = {
        "end": ("1 at the first unit and 0 at the last", "mark starts have them: marks='start'?"),
        "start": ("0 at the first unit and 1 at the last", "mark ends have them: marks='end'?"),
        "gaps": ("1 at the end", "have a label per unit, not per gap, have it: marks='end'?"),
    }[marks]
    yield Finding(
        "doubtful-marks",
        "note",
        f"Read by marks={marks!r}, {many} {seen}.",
        {"lists": len(lists)},
        documents,
        f"Lists that {meant} So few documents cannot tell; what wrote the labels can.",
    )


def _ends(document: str, marks: str, coding: Segmentation, other: Segmentation) -> _Labels:
    by_end, by_start = (coding, other) if marks == "end" else (other, coding)
    last = by_start.n_units - 1  # of gaps: the place before the last unit that they let expect
    return _Labels(document, 1 in by_end.boundaries, last in by_start.boundaries)


def _is_doubtful(marks: str, labels: _Labels) -> bool:
    if marks == "end":
        return labels.first and not labels.last
    return labels.last and (marks == "gaps" or not labels.first)
