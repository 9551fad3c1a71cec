"""Scored boundaries that look inverted, or shifted by one position.

Scores are inverted if boundaries are where scores are low: the average precision is below that of
random scores, and clearly above it with the sign of scores changed. They are shifted if the score
next to most boundaries, always on the same side, is higher than at the boundary (a sign test).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.checking.findings import Finding, in_order
from segscore.checking.sides import Mask, surprise
from segscore.coding.scored import ScoredBoundaries
from segscore.coding.segmentation import Segmentation
from segscore.corpus.lists import spread_rows

_ENOUGH = 500  # documents that are looked at
_LOW = 0.4  # chance of a boundary to have a higher score than another place; random: 0.5
_CLEARLY = 1.5  # times the average precision of random scores
_SURE = 3  # -log10 of the chance that so many documents have such scores
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
    many = surprise(below / (below + above), 0.5, below + above) >= _SURE
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
