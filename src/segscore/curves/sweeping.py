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
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array
from segscore.corpus.lists import starts_of
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
        counts = np.concatenate(added).astype(np.float64)
        return cls(len(documents), lots, scores, owner, counts, order, last)

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
    inner, rows, undefined = whole(metric), [], []
    for pairs in _hypotheses(documents, provenance):
        rows.append(inner.rows(pairs, threads))
        undefined.append(np.asarray(inner.undefined(pairs, inner.values(rows[-1]))))
    ends = np.cumsum([document.steps + 1 for document in documents])[:-1]
    if on_undefined == "raise":
        never = [each.all() for each in np.split(np.concatenate(undefined), ends)]
        for document in compress(documents, never):
            nothing = np.zeros((1, len(document.positions)), np.bool_)
            names = None if document.name is None else [document.name]
            bare = _pairs([(document, nothing)], provenance, names)
            inner.check_defined(bare, np.array([np.nan]))
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


def whole(metric: Metric) -> Metric:
    """The metric; for a part, the metric that has the part."""
    return metric.metric if isinstance(metric, ScorePart) else metric


def is_exact_match(metric: Metric) -> bool:
    """Whether `exact_matches` gives the statistics of the metric."""
    return (
        type(metric) is BoundaryMatch
        and metric.tolerance == 0
        and metric.ends == "none"
        and metric.matching == "optimal"
    )


# ---- hypotheses, some at a time ----


def _hypotheses(documents: Sequence[ScoredDocument], provenance: Provenance) -> Iterator[Pairs]:
    """Each document without a boundary, then with those of its first score, of its first two, and
    so on."""
    held: list[tuple[ScoredDocument, NDArray[np.bool_]]] = []
    cells = 0
    for document in documents:
        width = len(document.positions) + len(document.reference) + 1
        rows = max(1, _BLOCK // width)
        for start in range(0, document.steps + 1, rows):
            stop = min(start + rows, document.steps + 1)
            held.append((document, document.groups < np.arange(start, stop)[:, np.newaxis]))
            cells += width * (stop - start)
            if cells >= _BLOCK:
                yield _pairs(held, provenance)
                held, cells = [], 0
    if held:
        yield _pairs(held, provenance)


def _pairs(
    held: Sequence[tuple[ScoredDocument, NDArray[np.bool_]]],
    provenance: Provenance,
    names: Sequence[str] | None = None,
) -> Pairs:
    """Documents with hypotheses, a row each, that have some of their scored positions."""
    counts = [len(taken) for _, taken in held]
    refs = [document.reference for document, _ in held]
    sizes = np.concatenate([taken.sum(axis=1) for _, taken in held])
    positions = [np.broadcast_to(of.positions, taken.shape)[taken] for of, taken in held]
    return Pairs(
        np.repeat([document.n_units for document, _ in held], counts),
        starts_of(np.repeat([len(ref) for ref in refs], counts)),
        np.concatenate([np.tile(ref, n) for ref, n in zip(refs, counts, strict=True)]),
        starts_of(sizes),
        np.concatenate(positions),
        names,
        provenance=provenance,
    )
