"""Labels in the wrong frame: a spurious match at an end of every document.

A label per unit read as one per gap, labels of starts read as labels of ends, padding read as
units: each puts a boundary at the same position on both sides of every document, which is a
spurious match. If only one side is in the wrong frame, it equals the other side, shifted: see
`shifts`.

In fewer than five documents that proves nothing, but labels of 0 and 1 show more than boundaries
whether `marks` is right: a list that marks starts has a 1 at its first unit, and mostly a 0 at its
last; a list that marks ends has the opposite. Both readings of a file together show every label:
read by ends, a label of the first unit is a boundary; read by starts, a label of the last unit is.

Scored boundaries that look inverted, or shifted by one position.

Scores are inverted if boundaries are where scores are low: the average precision is below that of
random scores, and clearly above it with the sign of scores changed. They are shifted if the score
next to most boundaries, always on the same side, is higher than at the boundary (a sign test).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.checking.findings import Finding, in_order
from segscore.checking.sides import BothSides, CheckedSide, Mask, f_of, surprise
from segscore.coding.scored import ScoredBoundaries
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.corpus.lists import spread_rows

_ENOUGH = 500  # documents that are looked at
_LOW = 0.4  # chance of a boundary to have a higher score than another place; random: 0.5
_CLEARLY = 1.5  # times the average precision of random scores
_SURE_OF_SCORES = 3  # -log10 of the chance that so many documents have such scores
_DEVIATIONS = 5  # standard deviations below random scores, where documents are few
_FEW = 5  # documents
_MOVED = 4  # -log10 of the chance that so many boundaries have a higher score next to them
_GAIN = 0.1  # in average precision, from moving the scores

Scored = Sequence[tuple[Segmentation, ScoredBoundaries]]


def check_scores(documents: Scored, names: Sequence[str]) -> list[Finding]:
    """What is probably wrong with scores, from at most 500 documents, evenly spread."""
    rows = spread_rows(len(documents), _ENOUGH).tolist()
    taken = [_ScoredPlaces(names[row], *documents[row]) for row in rows]
    able = [
        document for document in taken if 0 < int(document.marked().sum()) < len(document.scores)
    ]
    return in_order([*_inverted(able), *_moved(able)]) if able else []


@dataclass(frozen=True)
class _ScoredPlaces:
    """A document: the boundaries of the reference, and the scores of positions."""

    name: str
    ref: Segmentation
    scored: ScoredBoundaries

    @property
    def scores(self) -> Floats:
        """The score of each position that has one."""
        return self.scored.scores

    def marked(self, shift: int = 0) -> Mask:
        """Whether each of these positions has a boundary, if the scores are moved by `shift`
        positions."""
        return np.isin(self.scored.positions + shift, self.ref.boundaries)

    def scores_at(self, places: Int64Array) -> Floats:
        """The scores of any positions; NaN where there is none."""
        known = self.scored.positions
        at = np.minimum(np.searchsorted(known, places), len(known) - 1)
        return np.where(known[at] == places, self.scores[at], np.nan)

    def above(self) -> tuple[float, float]:
        """How often a boundary has a higher score than another position (Mann-Whitney), and the
        variance of that among random scores."""
        marked = self.marked()
        n_marked = int(marked.sum())
        others = len(marked) - n_marked
        _, index, counts = np.unique(self.scores, return_inverse=True, return_counts=True)
        ranks = (np.cumsum(counts) - (counts - 1) / 2)[index.reshape(-1)]
        share = (ranks[marked].sum() - n_marked * (n_marked + 1) / 2) / (n_marked * others)
        return float(share), (len(marked) + 1) / (12 * n_marked * others)


def _average_precision(documents: Sequence[_ScoredPlaces], sign: int = 1, shift: int = 0) -> float:
    """The average precision of all documents together; equal scores count together."""
    scores = sign * np.concatenate([document.scores for document in documents])
    marked = np.concatenate([document.marked(shift) for document in documents])
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.flatnonzero(np.diff(scores[order]) != 0), len(scores) - 1)
    found = np.cumsum(marked[order])[last]
    gained = np.diff(found, prepend=0)
    return float((gained * found / (last + 1)).sum()) / _n_boundaries(documents)


def _n_boundaries(documents: Sequence[_ScoredPlaces]) -> int:
    return sum(len(document.ref.boundaries) for document in documents)


def _inverted(documents: Sequence[_ScoredPlaces]) -> Iterator[Finding]:
    shares, variances = np.array([document.above() for document in documents]).T
    deviations = (0.5 - shares).sum() / np.sqrt(variances.sum())
    below, above = int((shares < 0.5).sum()), int((shares > 0.5).sum())
    if shares.mean() > _LOW or not below:
        return
    many = surprise(below / (below + above), 0.5, below + above) >= _SURE_OF_SCORES
    if not (many if len(documents) >= 2 * _FEW else deviations >= _DEVIATIONS):
        return
    now, then = _average_precision(documents), _average_precision(documents, sign=-1)
    n_places = sum(len(document.scores) for document in documents)
    scored = sum(
        int(document.marked().sum()) for document in documents
    )  # boundaries that have a score
    chance = scored / n_places * scored / _n_boundaries(documents)
    if now < chance and then >= _CLEARLY * chance:
        yield Finding(
            "inverted-scores",
            "note",
            f"Average precision is {now:.3f}, random scores have {chance:.3f}, and the scores with "
            f"their sign changed {then:.3f}.",
            {"average_precision": now, "random": chance, "inverted": then, "below": below},
            tuple(document.name for document in documents),
            "The scores probably say how well units belong together (similarity), or how unlikely "
            "a boundary is: give their negative, or 1 − score.",
        )


def _moved(documents: Sequence[_ScoredPlaces]) -> Iterator[Finding]:
    for shift in (-1, 1):
        better, worse = np.sum(
            [_neighbours(document, shift) for document in documents], axis=0
        ).tolist()
        if not better or surprise(better / (better + worse), 0.5, better + worse) < _MOVED:
            continue
        now, then = _average_precision(documents), _average_precision(documents, shift=shift)
        if then < now + _GAIN:
            continue
        way = "back" if shift < 0 else "on"
        yield Finding(
            "shifted-scores",
            "note",
            f"Moved one position {way}, the scores have average precision {then:.3f}; as they are, "
            f"{now:.3f}.",
            {"shift": shift, "average_precision": now, "moved": then, "better": better},
            tuple(document.name for document in documents),
            "The scores probably belong to other positions: one per unit is read by marks='end' or "
            "marks='start'; one per position starts with the gap after unit 1.",
        )


def _neighbours(document: _ScoredPlaces, shift: int) -> tuple[int, int]:
    """The number of boundaries whose neighbour on one side has a higher score than they and their
    other neighbour, and the number of the rest."""
    places = document.ref.boundaries
    there, own, beyond = (document.scores_at(places + way) for way in (-shift, 0, shift))
    others = np.maximum(own, beyond)  # NaN, and so neither, if one of them has no score
    return int((there > others).sum()), int((there < others).sum())


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


def doubtful_marks(marks: str, read: list[Corpus], otherwise: list[Corpus]) -> Iterator[Finding]:
    """A note if all labels of a few documents suggest another value of `marks`.

    `read` are the corpora as read with `marks`, `otherwise` as read with OTHER_MARKS.
    """
    lists = [
        (document, _is_doubtful(marks, coding, other[document][coder]))
        for corpus, other in zip(read, otherwise, strict=True)
        for document, codings in corpus.items()
        for coder, coding in codings.items()
        if coding != other[document][coder] and coding.n_units > 1  # equal: it has no labels
    ]
    documents = tuple(dict.fromkeys(document for document, _ in lists))
    if not 0 < len(documents) < FEWEST or not all(doubtful for _, doubtful in lists):
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


def _is_doubtful(marks: str, coding: Segmentation, other: Segmentation) -> bool:
    """Whether the ends of a list of labels suggest another value of marks."""
    by_end, by_start = (coding, other) if marks == "end" else (other, coding)
    last = by_start.n_units - 1  # of gaps: the place before the last unit that they let expect
    at_first, at_last = 1 in by_end.boundaries, last in by_start.boundaries
    if marks == "end":
        return at_first and not at_last
    return at_last and (marks == "gaps" or not at_first)
