"""The statistics of scored documents at every threshold: one sweep over their distinct scores.

A document's hypothesis changes only at its own distinct scores. So its statistics are computed for
each of these once, and kept as *changes*: what adding the boundaries of one score changes. The sum
over documents at any threshold is then a cumulative sum of changes in the order of scores, and the
sum over resampled documents is a weighted one.

A document costs as much as one hypothesis for each of its distinct scores; exact boundary matching
is counted directly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array
from segscore.corpus.provenance import Provenance
from segscore.metrics import Metric, ScorePart
from segscore.metrics.base import OnUndefined
from segscore.metrics.matching import BoundaryMatch
from segscore.pairing.pairs import Pairs
from segscore.significance.drawing import Lots

_BLOCK = 4_000_000  # cells of hypotheses that are in memory at once


class ScoredDocument(NamedTuple):
    """A reference and scored positions; equal scores have the same place in `groups`, 0 highest."""

    name: str | None
    n_units: int
    reference: Int64Array
    positions: Int64Array
    groups: Int64Array
    thresholds: Floats  # distinct scores, from high to low

    @property
    def steps(self) -> int:
        """The number of distinct scores."""
        return len(self.thresholds)


@dataclass(frozen=True)
class Sweep:
    """All steps of all documents, document after document, and their order by score.

    scores, documents: the score and the document of each step; added: the number of boundaries that
        it adds to the hypothesis.
    order: steps from high to low score; last: whether a step (in that order) is the last of its
    score. lots: what is drawn of the documents.
    """

    n_documents: int
    lots: Lots
    scores: Floats
    documents: Int64Array
    added: Floats
    order: Int64Array
    last: NDArray[np.bool_]

    @classmethod
    def of(cls, documents: Sequence[ScoredDocument], lots: Lots) -> "Sweep":
        """The steps of these documents."""
        scores = np.concatenate([document.thresholds for document in documents])
        owner = np.repeat(np.arange(len(documents)), [document.steps for document in documents])
        added = [np.bincount(document.groups, minlength=document.steps) for document in documents]
        order = np.argsort(-scores, kind="stable")
        ranked = scores[order]
        last = np.ones(len(ranked), np.bool_)
        last[:-1] = ranked[1:] != ranked[:-1]
        return cls(
            len(documents), lots, scores, owner, np.concatenate(added).astype(np.float64), order,
            last,
        )  # fmt: skip

    @property
    def thresholds(self) -> Floats:
        """Infinity (no boundary), then all distinct scores, from high to low."""
        return np.concatenate(([np.inf], self.scores[self.order][self.last]))

    def cumulated(self, start: Floats, changes: Floats) -> Floats:
        """Sums over documents at each threshold."""
        sums = np.cumsum(changes[self.order], axis=0)[self.last]
        return np.concatenate((start.sum(axis=0, keepdims=True), start.sum(axis=0) + sums))

    def at(self, start: Floats, changes: Floats, threshold: float) -> Floats:
        """The rows of each document at one threshold."""
        taken = self.scores >= threshold
        owner = self.documents[taken]
        columns = [np.bincount(owner, column, self.n_documents) for column in changes[taken].T]
        return start + np.stack(columns, axis=1)


def statistics_of(
    metric: Metric,
    documents: Sequence[ScoredDocument],
    provenance: Provenance,
    threads: int | None,
    on_undefined: OnUndefined,
) -> list[Floats]:
    """The statistics of each document without a boundary, and after each of its steps."""
    inner = metric.metric if isinstance(metric, ScorePart) else metric
    rows, undefined = [], []
    for pairs in _hypotheses(documents, provenance):
        found = inner.rows(pairs, threads)
        rows.append(found)
        undefined.append(np.asarray(inner.undefined(pairs, inner.values(found))))
    ends = np.cumsum([document.steps + 1 for document in documents])[:-1]
    if on_undefined == "raise":
        for document, never in zip(
            documents, np.split(np.concatenate(undefined), ends), strict=True
        ):
            if never.all():
                inner.check_defined(_first(document, provenance), np.array([np.nan]))
    return np.split(np.concatenate(rows), ends)


def exact_matches(documents: Sequence[ScoredDocument]) -> list[Floats]:
    """The statistics (tp, fp, fn) of `BoundaryMatch()`, counted without making each hypothesis."""
    found = []
    for document in documents:
        found_there = np.isin(document.positions, document.reference).astype(np.float64)
        hits = np.bincount(document.groups, found_there, document.steps).astype(np.float64)
        added = np.bincount(document.groups, minlength=document.steps)
        tp = np.concatenate(([0], np.cumsum(hits)))
        fp = np.concatenate(([0], np.cumsum(added))) - tp
        found.append(np.stack((tp, fp, len(document.reference) - tp), axis=1))
    return found


def is_exact_match(metric: Metric) -> bool:
    """Whether `exact_matches` gives the statistics of the metric."""
    return (
        type(metric) is BoundaryMatch
        and metric.tolerance == 0
        and metric.ends == "none"
        and metric.matching == "optimal"
    )


def _first(document: ScoredDocument, provenance: Provenance) -> Pairs:
    """The document without a boundary in its hypothesis."""
    return Pairs(
        [document.n_units], [0, len(document.reference)], document.reference, [0, 0],
        np.empty(0, np.int64), None if document.name is None else [document.name],
        provenance=provenance,
    )  # fmt: skip


# ---- hypotheses, some at a time ----


class _Piece(NamedTuple):
    """Some hypotheses of a document, one per step."""

    document: ScoredDocument
    sizes: Int64Array
    positions: Int64Array


def _hypotheses(documents: Sequence[ScoredDocument], provenance: Provenance) -> Iterator[Pairs]:
    """Each document without a boundary, then with those of its first score, of its first two, and
    so on."""
    held: list[_Piece] = []
    cells = 0
    for document in documents:
        width = len(document.positions) + len(document.reference) + 1
        rows = max(1, _BLOCK // width)
        for start in range(0, document.steps + 1, rows):
            stop = min(start + rows, document.steps + 1)
            held.append(_piece(document, start, stop))
            cells += width * (stop - start)
            if cells >= _BLOCK:
                yield _pairs(held, provenance)
                held, cells = [], 0
    if held:
        yield _pairs(held, provenance)


def _piece(document: ScoredDocument, start: int, stop: int) -> _Piece:
    taken = document.groups < np.arange(start, stop)[:, np.newaxis]
    places = np.broadcast_to(document.positions, taken.shape)[taken]
    return _Piece(document, taken.sum(axis=1), places)


def _pairs(pieces: list[_Piece], provenance: Provenance) -> Pairs:
    counts = [len(piece.sizes) for piece in pieces]
    refs = [piece.document.reference for piece in pieces]
    ref_sizes = np.repeat([len(ref) for ref in refs], counts)
    sizes = np.concatenate([piece.sizes for piece in pieces])
    return Pairs(
        np.repeat([piece.document.n_units for piece in pieces], counts),
        np.concatenate(([0], np.cumsum(ref_sizes))),
        np.concatenate([np.tile(ref, n) for ref, n in zip(refs, counts, strict=True)]),
        np.concatenate(([0], np.cumsum(sizes))),
        np.concatenate([piece.positions for piece in pieces]),
        provenance=provenance,
    )
