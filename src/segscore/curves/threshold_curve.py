"""The result of `ss.curve`: its values, points with intervals, and average precision.

Intervals are expanded percentile bootstraps over documents. A threshold is fixed before documents
are resampled: it was chosen on other documents, or it is the threshold at which the hypotheses have
as many boundaries as the references.

The threshold that is best on some documents is unfair for them: their best value is too good. So a
curve does not choose a threshold for itself; `chosen` holds points whose thresholds come from
development documents.

A document's hypothesis changes only at its own distinct scores. So its statistics are computed for
each of these once, and kept as *changes*: what adding the boundaries of one score changes. The sum
over documents at any threshold is then a cumulative sum of changes in the order of scores, and the
sum over resampled documents is a weighted one. A document costs as much as one hypothesis for each
of its distinct scores; exact boundary matching is counted directly.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import ranking
from segscore.basics.arguments import Floats, Int64Array, number, shown
from segscore.basics.on_demand import cached_property
from segscore.checking.findings import Finding
from segscore.corpus.lists import starts_of
from segscore.corpus.provenance import Provenance
from segscore.errors import SegmentationError
from segscore.metrics import Metric, ScorePart
from segscore.metrics.base import OnUndefined
from segscore.metrics.matching import BoundaryMatch
from segscore.metrics.statistics import Average
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Failures, missing_notes, missing_warnings
from segscore.significance.drawing import Lots, resamples
from segscore.significance.resampling import (
    Bootstrap,
    Interval,
    Value,
    bootstrap_method,
    bootstraps,
    macro_rows,
    mean_of_defined,
)
from segscore.tables import Column, Table, Tabular, columns
from segscore.tables.tabular import picture
from segscore.tables.view import interval_cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    inner, rows, undefined = whole_metric(metric), [], []
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


def whole_metric(metric: Metric) -> Metric:
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


# ---- the curve ----

BAND_POINTS = 101  # thresholds that a band is computed for
_MOST_WEIGHTS = 16_000_000  # of documents, at a time


class MetricSteps(NamedTuple):
    """A metric's rows without a boundary, a row per document, and their changes at each step."""

    metric: Metric
    start: Floats
    changes: Floats
    value: Value


class AveragePrecision(NamedTuple):
    """The area below precision over recall, in steps, and its interval."""

    value: float
    interval: Interval


@dataclass(frozen=True)
class CurvePoint:
    """A threshold, and the values there.

    Attributes
    ----------
    name: how the threshold was found.
    threshold: there is a boundary where the score is at least this; infinity: no boundary.
    boundaries: number of boundaries of all hypotheses.
    values: by metric.
    intervals: by metric; bootstrap over documents.
    """

    name: str
    threshold: float
    boundaries: int
    values: Mapping[str, float]
    intervals: Mapping[str, Interval]


@dataclass(frozen=True, repr=False)
class Curve(Tabular):
    """Metrics of scored documents at every threshold; made by `ss.curve`.

    Its table shows the points that may be reported: thresholds that were chosen on development
    documents or given, and the threshold at which there are as many boundaries as in the
    references. `all_thresholds()` is the table of the whole curve, `plot()` its picture.

    Attributes
    ----------
    n_documents: number of documents.
    n_reference: number of boundaries of all references.
    average: how documents are averaged, micro or macro.
    chosen: points whose thresholds were chosen on development documents, or given.
    skipped: documents that only one side has.
    findings: what is probably wrong with the scores (see `ss.check`).
    failures: documents without scores, why, and how they count; None if there are none.
    """

    n_documents: int
    n_reference: int
    average: Average
    provenance: Provenance
    chosen: tuple[CurvePoint, ...]
    level: float
    n_resamples: int
    seed: int
    skipped: tuple[str, ...]
    _sweep: Sweep = field(repr=False)
    _steps: Mapping[str, MetricSteps] = field(repr=False)
    _matches: tuple[Floats, Floats, Floats] = field(repr=False)  # found, positives, own AP
    findings: tuple[Finding, ...] = ()
    failures: Failures | None = None

    # ---- the curve ----

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics, as given."""
        return list(self._steps)

    @cached_property
    def thresholds(self) -> Floats:
        """Infinity (no boundary), then every distinct score, from high to low."""
        return self._sweep.thresholds

    @cached_property
    def boundaries(self) -> Floats:
        """The number of boundaries of all hypotheses at each threshold."""
        zero = np.zeros((1, 1))
        return self._sweep.cumulated(zero, self._sweep.added[:, np.newaxis])[:, 0]

    def values(self, metric: str | Metric) -> Floats:
        """The metric at each threshold; NaN where it has no value."""
        steps = self._found(metric)
        return steps.value(self._sweep.cumulated(steps.start, steps.changes))

    def _found(self, metric: str | Metric) -> MetricSteps:
        steps = self._steps.get(str(metric))
        if steps is None:
            raise SegmentationError(
                f"metric is {shown(str(metric))}: expected one of {', '.join(self._steps)}"
            )
        return steps

    # ---- points on it ----

    def best_threshold(self, metric: str | Metric) -> float:
        """The threshold with the best value; the highest of equally good thresholds.

        Choose thresholds only on a curve of development documents: on the documents on which it was
        chosen, a threshold's value is too good.
        """
        values = self.values(metric)
        if np.isnan(values).all():
            raise SegmentationError(f"{metric} has no value at any threshold")
        better = self._found(metric).metric.higher_is_better
        best = np.nanargmax(values) if better else np.nanargmin(values)
        return float(self.thresholds[best])

    @cached_property
    def density_threshold(self) -> float:
        """The threshold at which the number of boundaries is nearest to that of the references; the
        higher of two equally near thresholds."""
        return float(self.thresholds[np.argmin(np.abs(self.boundaries - self.n_reference))])

    def at(self, threshold: float, name: str | None = None) -> CurvePoint:
        """The values at one threshold, with intervals."""
        return self.points({name or f"threshold {threshold}": threshold})[0]

    def points(self, thresholds: Mapping[str, float]) -> list[CurvePoint]:
        """The values at several thresholds, by their names."""
        for threshold in thresholds.values():
            if threshold != np.inf:
                number(threshold, "threshold", "a number")
        made = self._resampled(list(thresholds.values()))
        ends = {key: self._intervals(each) for key, each in made.items()}
        found = []
        for i, (name, threshold) in enumerate(thresholds.items()):
            at = int(np.searchsorted(-self.thresholds, -threshold, "right")) - 1
            values = {key: float(each.estimate[i]) for key, each in made.items()}
            intervals = {key: each[i] for key, each in ends.items()}
            boundaries = int(self.boundaries[at])
            found.append(CurvePoint(name, float(threshold), boundaries, values, intervals))
        return found

    @cached_property
    def density(self) -> CurvePoint:
        """The values at the references' density, with (nearly) as many boundaries as they have."""
        return self.at(self.density_threshold, "as many boundaries as the reference")

    def band(self, metric: str | Metric) -> tuple[Floats, Floats, Floats]:
        """A selection of thresholds, and the lower and upper ends of the metric's intervals
        there."""
        places = np.unique(np.linspace(0, len(self.thresholds) - 1, BAND_POINTS).round()).astype(
            int
        )
        chosen = self.thresholds[places]
        key = str(metric)
        self._found(key)
        low, high = self._resampled(chosen.tolist(), [key])[key].interval(self.level)
        return chosen, low, high

    def _resampled(
        self, thresholds: Sequence[float], metrics: Sequence[str] | None = None
    ) -> dict[str, Bootstrap]:
        """The values of resampled documents at thresholds."""
        keys = self.metrics if metrics is None else metrics
        samples = []
        for key in keys:
            steps = self._steps[key]
            at = [self._sweep.at(steps.start, steps.changes, threshold) for threshold in thresholds]
            samples.append((self._sweep.lots.sums(np.stack(at, axis=1)), steps.value))
        made = bootstraps(samples, n_resamples=self.n_resamples, seed=self.seed)
        return dict(zip(keys, made, strict=True))

    def _intervals(self, made: Bootstrap) -> list[Interval]:
        lots, ends = self._sweep.lots, zip(*made.interval(self.level), strict=True)
        method = bootstrap_method(len(lots), lots.words, self.n_resamples, self.seed)
        return [Interval(float(low), float(high), self.level, method) for low, high in ends]

    # ---- average precision ----

    @cached_property
    def average_precision(self) -> AveragePrecision:
        """Σ (R_n − R_{n−1}) · P_n over thresholds n from high to low, as scikit-learn defines it.

        Precision and recall are those of the first `f1` among the metrics (its tolerance counts, if
        it matches one to one without the ends of the text), or of exact positions. Micro: positions
        of all documents in one ranking. Macro: the mean over documents that have a reference
        boundary.
        """
        found, positives, own = self._matches
        if self.average == "macro":
            rows = self._sweep.lots.sums(macro_rows(own)[:, np.newaxis])
            settings = {"n_resamples": self.n_resamples, "seed": self.seed}
            (made,) = bootstraps([(rows, mean_of_defined)], **settings)
            return AveragePrecision(float(made.estimate[0]), self._intervals(made)[0])
        (estimate,) = self._areas(found, positives, np.ones((1, self.n_documents)))
        resampled = np.empty(self.n_resamples)
        lots, step = self._sweep.lots, max(1, _MOST_WEIGHTS // self.n_documents)
        for block, drawn in resamples(len(lots), self.n_resamples, self.seed):
            areas = [
                self._areas(found, positives, lots.of_rows(drawn[i : i + step]).astype(np.float64))
                for i in range(0, len(drawn), step)
            ]
            resampled[block] = np.concatenate(areas)
        bootstrap = Bootstrap(np.array([estimate]), resampled[:, np.newaxis], len(lots))
        return AveragePrecision(float(estimate), self._intervals(bootstrap)[0])

    def _areas(self, found: Floats, positives: Floats, weights: Floats) -> Floats:
        """The average precision of all documents together, with these weights."""
        out, sweep, order = np.empty(len(weights)), self._sweep, self._sweep.order
        documents, added = sweep.documents[order], sweep.added[order]
        last, weights = sweep.last.astype(np.uint8), np.ascontiguousarray(weights)
        ranking.average_precisions(documents, found[order], added, last, positives, weights, out)
        return out

    # ---- views ----

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw each metric against the threshold: `ss.plot.curve(self)`."""
        return picture("curve", self, ax=ax)

    @property
    def _value_columns(self) -> list[Column]:
        """A column per metric."""
        return [
            Column(key, digits=4, share=step.metric.perfect is not None)
            for key, step in self._steps.items()
        ]

    def all_thresholds(self) -> Table:
        """The whole curve: a row per threshold, from high to low, the first without a boundary."""
        values = [self.values(key) for key in self._steps]
        rows = [
            [None if np.isinf(threshold) else float(threshold), int(count), *map(float, cells)]
            for threshold, count, *cells in zip(
                self.thresholds, self.boundaries, *values, strict=True
            )
        ]
        shown = [Column("threshold", form=_short), *columns("boundaries"), *self._value_columns]
        return Table(shown, rows, self._notes())

    def to_table(self) -> Table:
        """A row per point: thresholds chosen or given, and the references' density."""
        points = [*self.chosen, self.density]
        area = self.average_precision
        failed = {} if self.failures is None else self.failures.fields
        shown = [*columns("threshold_is=point"), Column("threshold", form=_short)]
        shown += [*columns("boundaries"), *self._value_columns]
        machines = " ".join(["average_precision=average_precision", *failed])
        shown += columns(machines, audience="machines")
        rows = [
            [
                point.name,
                None if np.isinf(point.threshold) else point.threshold,
                point.boundaries,
                *(
                    interval_cell(point.values[key], *point.intervals[key][:2])
                    for key in self._steps
                ),
                interval_cell(area.value, *area.interval[:2]),
                *failed.values(),
            ]
            for point in points
        ]
        interval = area.interval
        known = not np.isnan(interval.low)
        ends = f" [{interval.low:.4f}, {interval.high:.4f}]" if known else ""
        notes = [
            f"average precision {area.value:.4f}{ends}",
            f"{self.n_documents} documents, {self.n_reference} reference boundaries",
            f"intervals: {interval.method}" if known else interval.method,
            *self._notes(),
            *missing_notes(self.skipped, self.failures),
        ]
        return Table(shown, rows, notes, warnings=missing_warnings(self.failures))

    def _notes(self) -> list[str]:
        signatures = {
            whole_metric(steps.metric).signature(self.average, self.provenance)
            for steps in self._steps.values()
        }
        return sorted(signatures)


def _short(value: Any) -> str:
    return f"{float(value):.6g}"
