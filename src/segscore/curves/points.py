"""Metrics at points: at thresholds of scored boundaries (`Curve`), at values of a parameter
(`ParameterSweep`); each point has values with intervals.

Intervals are expanded percentile bootstraps over documents; all points share their resamples. A
threshold is fixed before documents are resampled: it was chosen on other documents, or it is the
threshold at which the hypotheses have as many boundaries as the references.

The threshold that is best on some documents is unfair for them: their best value is too good. So a
curve does not choose a threshold for itself; `chosen` holds points whose thresholds come from
development documents.

A document's hypothesis changes only at its own distinct scores. So its statistics are computed
once without a boundary, and for each of these. The sum over documents at any threshold is then a
cumulative sum of what changes in the order of scores, and the sum over resampled documents is a
weighted one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from segscore._kernels import ranking
from segscore.basics.arguments import Floats, Int64Array, cached_property, number, shown
from segscore.checking.findings import Finding
from segscore.corpus.provenance import Provenance
from segscore.errors import SegmentationError
from segscore.metrics import Average, Metric, ScorePart
from segscore.pairing.rules import Failures, missing_notes
from segscore.significance import resampling as sig
from segscore.significance.drawing import Lots, resamples
from segscore.tables import Cell, Column, Table, Tabular, columns
from segscore.tables.tabular import picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAND_POINTS = 101  # thresholds that a band is computed for
_MOST_WEIGHTS = 16_000_000  # of documents, at a time


def whole_metric(metric: Metric) -> Metric:
    """The metric; for a part, the metric that has the part."""
    return metric.metric if isinstance(metric, ScorePart) else metric


def _metric_column(name: str, metric: Metric, **more: Any) -> Column:
    return Column(name, digits=4, share=metric.perfect is not None, **more)


# ---- thresholds ----


class Steps:
    """The distinct scores of each document, from high to low, document after document.

    firsts: where the statistics of each document begin, which have a row without a boundary and one
    for each step; scores, owners: the score and the document of each step; added: the number of
    boundaries that it adds; order: the steps from high to low score; last: whether a step, in that
    order, is the last of its score.
    """

    def __init__(self, scores: Sequence[Floats], added: Sequence[Floats], lots: Lots) -> None:
        counts = np.array(list(map(len, scores)))
        self.lots = lots
        self.firsts: Int64Array = np.cumsum(counts + 1) - counts - 1
        self.scores, self.added = np.concatenate(scores), np.concatenate(added)
        self.owners: Int64Array = np.repeat(np.arange(len(counts)), counts)
        self.order: Int64Array = np.argsort(-self.scores, kind="stable")
        ranked = self.scores[self.order]
        self.last: Any = np.append(ranked[1:] != ranked[:-1], True)[: len(ranked)]
        self.thresholds: Floats = np.concatenate(([np.inf], ranked[self.last]))

    def changes(self, rows: Floats) -> Floats:
        """What each step changes of the statistics of its document."""
        return np.delete(np.diff(rows, axis=0), self.firsts[1:] - 1, axis=0)

    def cumulated(self, start: Floats, changes: Floats) -> Floats:
        """Sums over documents at each threshold."""
        sums = np.cumsum(changes[self.order], axis=0)[self.last]
        return np.concatenate((start[np.newaxis], start + sums))

    def at(self, rows: Floats, threshold: float) -> Floats:
        """The statistics of each lot at one threshold."""
        owners = self.owners[self.scores >= threshold]
        taken = self.firsts + np.bincount(owners, minlength=len(self.firsts))
        return self.lots.sums(rows[taken])


class AveragePrecision(NamedTuple):
    """The area below precision over recall, in steps, and its interval."""

    value: float
    interval: sig.Interval


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
    intervals: Mapping[str, sig.Interval]


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
    _sweep: Steps = field(repr=False)
    _steps: Mapping[str, tuple[Metric, Floats]] = field(repr=False)  # that add up
    _matches: tuple[Floats, Floats] = field(repr=False)  # of each step; reference boundaries
    findings: tuple[Finding, ...] = ()
    failures: Failures | None = None

    # ---- the curve ----

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics, as given."""
        return list(self._steps)

    @property
    def thresholds(self) -> Floats:
        """Infinity (no boundary), then every distinct score, from high to low."""
        return self._sweep.thresholds

    @cached_property
    def boundaries(self) -> Floats:
        """The number of boundaries of all hypotheses at each threshold."""
        return self._sweep.cumulated(np.zeros(()), self._sweep.added)

    def values(self, metric: str | Metric) -> Floats:
        """The metric at each threshold; NaN where it has no value."""
        found, rows = self._found(metric)
        start = rows[self._sweep.firsts].sum(axis=0)
        return self._value(found)(self._sweep.cumulated(start, self._sweep.changes(rows)))

    def _value(self, metric: Metric) -> sig.Value:
        return metric.values if self.average == "micro" else sig.mean_of_defined

    def _found(self, metric: str | Metric) -> tuple[Metric, Floats]:
        if str(metric) not in self._steps:
            raise SegmentationError(
                f"metric is {shown(str(metric))}: expected one of {', '.join(self._steps)}"
            )
        return self._steps[str(metric)]

    # ---- points on it ----

    def best_threshold(self, metric: str | Metric) -> float:
        """The threshold with the best value; the highest of equally good thresholds.

        Choose thresholds only on a curve of development documents: on the documents on which it was
        chosen, a threshold's value is too good.
        """
        values = self.values(metric)
        if np.isnan(values).all():
            raise SegmentationError(f"{metric} has no value at any threshold")
        better = self._found(metric)[0].higher_is_better
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
        known = self._resampled(self.metrics, list(thresholds.values()))
        found = []
        for i, (name, threshold) in enumerate(thresholds.items()):
            at = int(np.searchsorted(-self.thresholds, -threshold, "right")) - 1
            values = {key: float(made.estimate[i]) for key, made in known.items()}
            intervals = {key: self._intervals(made)[i] for key, made in known.items()}
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
        places = np.linspace(0, len(self.thresholds) - 1, BAND_POINTS).round()
        chosen = self.thresholds[np.unique(places).astype(int)]
        (made,) = self._resampled([metric], chosen.tolist()).values()
        return chosen, *made.interval(self.level)

    def _resampled(
        self, metrics: Sequence[str | Metric], thresholds: Sequence[float]
    ) -> dict[str, sig.Bootstrap]:
        """The metrics at thresholds, for resampled documents."""
        samples = []
        for metric, rows in map(self._found, metrics):
            at = np.stack([self._sweep.at(rows, each) for each in thresholds], axis=1)
            samples.append((at, self._value(metric)))
        return dict(zip(map(str, metrics), self._bootstraps(samples), strict=True))

    def _bootstraps(self, samples: Sequence[tuple[Floats, sig.Value]]) -> list[sig.Bootstrap]:
        return sig.bootstraps(samples, n_resamples=self.n_resamples, seed=self.seed)

    def _intervals(self, made: sig.Bootstrap) -> list[sig.Interval]:
        lots, ends = self._sweep.lots, np.stack(made.interval(self.level), axis=-1).tolist()
        method = sig.bootstrap_method(len(lots), lots.words, self.n_resamples, self.seed)
        return [sig.Interval(low, high, self.level, method) for low, high in ends]

    # ---- average precision ----

    @cached_property
    def average_precision(self) -> AveragePrecision:
        """Σ (R_n − R_{n−1}) · P_n over thresholds n from high to low, as scikit-learn defines it.

        Precision and recall are those of the first `f1` among the metrics (its tolerance counts, if
        it matches one to one without the ends of the text), or of exact positions. Micro: positions
        of all documents in one ranking. Macro: the mean over documents that have a reference
        boundary.
        """
        (found, positives), steps, lots = self._matches, self._sweep, self._sweep.lots

        def areas(owners: Any, some: Any, last: Any, positives: Floats, weights: Any) -> Floats:
            out, weights = np.empty(len(weights)), np.ascontiguousarray(weights, np.float64)
            changes = found[some], steps.added[some], last.astype(np.uint8)
            ranking.average_precisions(owners, *changes, positives, weights, out)
            return out

        if self.average == "macro":
            own, one = np.empty(self.n_documents), np.ones((1, 1))
            ends = [*(steps.firsts - np.arange(self.n_documents)).tolist(), len(found)]
            for i, (start, stop) in enumerate(pairwise(ends)):
                some, none = slice(start, stop), np.zeros(stop - start, np.int64)
                own[i : i + 1] = areas(none, some, none == 0, positives[i : i + 1], one)
            rows = lots.sums(sig.macro_rows(own)[:, np.newaxis])
            (made,) = self._bootstraps([(rows, sig.mean_of_defined)])
        else:
            ranking_of_all = steps.owners[steps.order], steps.order, steps.last, positives
            resampled = np.empty((self.n_resamples, 1))
            step = max(1, _MOST_WEIGHTS // self.n_documents)
            for block, drawn in resamples(len(lots), self.n_resamples, self.seed):
                for i in range(0, len(drawn), step):
                    some = slice(block.start + i, min(block.start + i + step, block.stop))
                    weights = lots.of_rows(drawn[i : i + step])
                    resampled[some, 0] = areas(*ranking_of_all, weights)
            estimate = areas(*ranking_of_all, np.ones((1, self.n_documents)))
            made = sig.Bootstrap(estimate, resampled, len(lots))
        return AveragePrecision(float(made.estimate[0]), self._intervals(made)[0])

    # ---- views ----

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw each metric against the threshold: `ss.plot.curve(self)`."""
        return picture("curve", self, ax=ax)

    def all_thresholds(self) -> Table:
        """The whole curve: a row per threshold, from high to low, the first without a boundary."""
        values = [self.values(key).tolist() for key in self._steps]
        counts = self.boundaries.astype(int).tolist()
        rows = zip(map(_finite, self.thresholds.tolist()), counts, *values, strict=True)
        return Table(self._columns(), list(map(list, rows)), self._notes())

    def to_table(self) -> Table:
        """A row per point: thresholds chosen or given, and the references' density."""
        area, interval = self.average_precision
        failed = {} if self.failures is None else self.failures.fields
        machines = " ".join(["average_precision=average_precision", *failed])
        rows: list[list[Any]] = []
        for point in (*self.chosen, self.density):
            cells = [Cell(value, *point.intervals[key][:2]) for key, value in point.values.items()]
            rows.append([point.name, _finite(point.threshold), point.boundaries, *cells])
            rows[-1] += [Cell(area, *interval[:2]), *failed.values()]
        left_out, warnings = missing_notes(self.skipped, self.failures)
        known = not np.isnan(interval.low)
        ends = f" [{interval.low:.4f}, {interval.high:.4f}]" if known else ""
        notes = [
            f"average precision {area:.4f}{ends}",
            f"{self.n_documents} documents, {self.n_reference} reference boundaries",
            f"intervals: {interval.method}" if known else interval.method,
            *self._notes(),
            *left_out,
        ]
        shown = [*columns("threshold_is=point"), *self._columns()]
        shown += columns(machines, audience="machines")
        return Table(shown, rows, notes, warnings=warnings)

    def _columns(self) -> list[Column]:
        shown = [Column("threshold", form="{:.6g}".format), *columns("boundaries")]
        return shown + [_metric_column(key, metric) for key, (metric, _) in self._steps.items()]

    def _notes(self) -> list[str]:
        metrics = [whole_metric(metric) for metric, _ in self._steps.values()]
        return sorted({metric.signature(self.average, self.provenance) for metric in metrics})


def _finite(threshold: float) -> float | None:
    return None if np.isinf(threshold) else threshold


# ---- values of a parameter ----


@dataclass(frozen=True)
class SweepPoint:
    """The metric at one value of the parameter: its micro-average, the interval, and the total
    counts.

    `counts`: for S and B the operations (matches, near misses, full misses and, with boundary
    types, substitutions), for other metrics the sums of their statistics.
    """

    value: Any
    metric: Metric
    micro: float
    ci: sig.Interval
    counts: dict[str, float]


@dataclass(frozen=True, repr=False)
class ParameterSweep(Tabular):
    """A metric at each value of a parameter; iterating over it gives the points."""

    metric: Metric
    parameter: str
    points: tuple[SweepPoint, ...]
    n_documents: int
    skipped: tuple[str, ...] = field(default=(), repr=False)

    def __iter__(self) -> Iterator[SweepPoint]:
        return iter(self.points)

    @property
    def values(self) -> tuple[Any, ...]:
        """The values of the parameter, as given."""
        return tuple(point.value for point in self.points)

    def to_table(self) -> Table:
        """A row per value."""
        rows = [
            [
                "auto" if point.value is None else point.value,
                Cell(point.micro, low=point.ci.low, high=point.ci.high),
                *point.counts.values(),
                point.metric.signature("micro"),
            ]
            for point in self.points
        ]
        shown = [Column(self.parameter), _metric_column(str(self.metric), self.metric, key="micro")]
        for name in self.points[0].counts:  # whole numbers, unless a metric divides them
            whole = all(float(point.counts[name]).is_integer() for point in self.points)
            shown += columns(name, digits=0 if whole else 2)
        shown += columns("signature", audience="machines")
        method = self.points[0].ci.method
        words = f"micro-averages over {self.n_documents} documents; intervals: {method}"
        return Table(shown, rows, [words], f"{self.metric} by {self.parameter}")

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the metric and the counts against the parameter: `segscore.plot.sweep`."""
        return picture("sweep", self, ax=ax)
