"""Find a side that equals the other moved by one position: counting from 0 or 1, inclusive ends.

The quality of the moved side does not matter, only how much better it is than unmoved, and than
moved the other way, and in how many documents (a sign test): a poor system that is shifted is
found, too. Near misses to both sides cancel each other out. If there are few documents, boundaries
are counted.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.checking.findings import Finding, Severity
from segscore.checking.sides import BothSides, Mask, f_of, surprise

_GAIN = 0.1  # in F, from moving one side
_SURE = 5  # -log10 of the chance that so many documents fit better if they are moved
_LIKELY = 2.5  # the same, for a note
_DEVIATIONS = 5  # standard deviations between the matches of two shifts
_FEW_DEVIATIONS, _LARGE_GAIN = 3, 0.25  # the same, for a note, and what it must bring
_ALL_MOVED = 5  # boundaries: if they match when moved, and hardly one as it is, it is a note
_MOST, _HARDLY = 0.8, 0.2  # F
_NEARLY_ALL, _SELDOM = 0.95, 0.5  # documents with a boundary at an end, on one side and the other
_UNLIKELY = 5  # -log10 of the chance that they have it


@dataclass(frozen=True)
class _Move:
    """The gain from moving the hypothesis by `shift` positions; None if there is none worth
    reporting."""

    shift: int
    now: float
    then: float
    severity: Severity | None


def shifted(sides: BothSides) -> Iterator[Finding]:
    """A side that equals the other, moved by one position. It is a note if there are too few
    documents to rule out that the hypothesis errs this way."""
    two = sides.comparable
    if not len(two):
        return
    matched = {shift: two.row_matches(shift) for shift in (-1, 0, 1)}
    for shift in (-1, 1):
        move = _move(two, matched, shift)
        if move.severity is None:
            continue
        share = _share_of_ends(two, shift)
        yield _moved(two, move) if share is None else _inclusive(two, move, share)


def _move(two: BothSides, matched: dict[int, Int64Array], shift: int) -> _Move:
    """How much better the documents fit if the hypothesis is moved, and how certain that is."""
    moved, still, back = matched[shift], matched[0], matched[-shift]
    now, then = (f_of(float(matches.sum()), two.total) for matches in (still, moved))
    others = max(int(still.sum()), int(back.sum()))
    more = int(moved.sum()) - others
    gain = f_of(more, two.total)
    apart = len(two) / max(1, two.n_independent)  # what is there again is no further evidence
    deviations = more / np.sqrt(max(1, int(moved.sum()) + others) * apart)
    certainty = _sign_test(moved, np.maximum(still, back)) / apart
    severity: Severity | None = None
    if gain >= _GAIN and (certainty >= _SURE or deviations >= _DEVIATIONS):
        severity = "warning"
    elif (
        (gain >= _GAIN and certainty >= _LIKELY)
        or (gain >= _LARGE_GAIN and deviations >= _FEW_DEVIATIONS)
        or (moved.sum() >= _ALL_MOVED and then >= _MOST and now <= _HARDLY)
    ):
        severity = "note"
    return _Move(shift, now, then, severity)


def _sign_test(moved: Int64Array, others: Int64Array) -> float:
    """-log10 of a bound on the chance that this many documents fit better."""
    better, worse = int((moved > others).sum()), int((moved < others).sum())
    count = better + worse
    return surprise(better / count, 0.5, count) if count else 0.0


def _moved(two: BothSides, move: _Move) -> Finding:
    sure = move.severity == "warning"
    return Finding(
        "shifted",
        "warning" if sure else "note",
        f"{_sentence(move)}.",
        {"shift": move.shift, "f1": move.now, "f1_shifted": move.then},
        two.names(_both_marked(two)),
        "One side probably counts from 0 and the other from 1, or labels mark starts on one side "
        "and ends on the other: read both in the same way."
        if sure
        else "If one side counts from 0 and the other from 1, or labels mark starts on one side "
        "and ends on the other, read both in the same way. So few boundaries cannot decide it.",
    )


def _inclusive(two: BothSides, move: _Move, share: float) -> Finding:
    assert move.severity is not None  # noqa: S101  # the caller has looked
    side = _earlier(move.shift)
    return Finding(
        "inclusive-ends",
        move.severity,
        f"{_sentence(move)}, and the {side} has a boundary at the last place of {share:.0%} of the "
        "documents.",
        {"shift": move.shift, "f1": move.now, "f1_shifted": move.then, "share": share},
        two.names(_both_marked(two)),
        f"The ends of segments in the {side} are probably inclusive (the last unit of a segment, "
        "counted from 0): add 1 to each end, and leave out the end that then equals the number of "
        "units.",
    )


def _sentence(move: _Move) -> str:
    way = "back" if move.shift < 0 else "on"
    moved = f"Moved one position {way}, the hypothesis has F1 {move.then:.3f}"
    return f"{moved}; as it is, {move.now:.3f}"


def _both_marked(two: BothSides) -> Mask:
    return (two.ref.counts > 0) & (two.hyp.counts > 0)


def _earlier(shift: int) -> str:
    """The side whose boundaries are too early."""
    return "hypothesis" if shift > 0 else "reference"


def _share_of_ends(two: BothSides, shift: int) -> float | None:
    """The share of documents in which the side that is too early has a boundary at the last
    position, where it marks the end of the document; None if this is just a habit of both sides."""
    at_end = {name: side.last == side.n_units - 1 for name, side in two.named_sides}
    sides = dict(two.named_sides)
    early = _earlier(shift)
    (late,) = sides.keys() - {early}
    share = float(at_end[early].mean())
    chance = float(sides[early].density.mean())
    is_odd = share >= _NEARLY_ALL and at_end[late].mean() <= _SELDOM
    return share if is_odd and surprise(share, chance, two.n_independent) >= _UNLIKELY else None
