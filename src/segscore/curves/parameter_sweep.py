"""A metric at several values of a parameter: n_t, k, tolerance …

A sweep shows how much a number depends on the choice of a parameter: how far away a near miss may
be (Fournier & Inkpen 2012, §3.3: the numbers of operations show whether n is too generous), or how
long a window is (Scaiano & Inkpen 2012, §3.1). It scores the same documents at each value: the
micro-average with its interval, and the counts behind it. The intervals of all values share their
resamples.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Seed, seed_of, shown
from segscore.basics.specs import unknown_parameter
from segscore.curves.threshold_curve import whole_metric
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.metrics import metric as as_metric
from segscore.metrics.base import OnUndefined
from segscore.metrics.edit_distance import edits_of_pair
from segscore.metrics.edit_settings import EditSettings
from segscore.metrics.parts import ScorePart
from segscore.pairing.pairs import Pairs, pairs_of
from segscore.pairing.rules import Missing, PairingRules
from segscore.scoring.results import Scores
from segscore.scoring.scoring import Side, score
from segscore.significance.drawing import Lots
from segscore.significance.resampling import N_RESAMPLES, Interval, bootstrap_intervals
from segscore.tables import Cell, Column, Table, Tabular, columns
from segscore.tables.tabular import picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OPERATIONS = ("matches", "near_misses", "full_misses", "substitutions")
_EXAMPLE = "such as n_t=range(1, 11)"


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
    ci: Interval
    counts: dict[str, float]


@dataclass(frozen=True, repr=False)
class ParameterSweep(Tabular):
    """A metric at each value of a parameter; iterating over it gives the points."""

    metric: Metric
    parameter: str
    points: tuple[SweepPoint, ...]
    n_documents: int
    skipped: tuple[str, ...] = field(default=(), repr=False)

    def __iter__(self) -> Any:
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
        shown = [
            Column(self.parameter),
            Column(str(self.metric), key="micro", digits=4, share=self.metric.perfect is not None),
        ]
        for name in self.points[0].counts:  # whole numbers, unless a metric divides them
            counts = [float(point.counts[name]) for point in self.points]
            shown += columns(name, digits=0 if all(map(float.is_integer, counts)) else 2)
        shown += columns("signature", audience="machines")
        method = self.points[0].ci.method
        words = f"micro-averages over {self.n_documents} documents; intervals: {method}"
        return Table(shown, rows, [words], f"{self.metric} by {self.parameter}")

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the metric and the counts against the parameter: `segscore.plot.sweep`."""
        return picture("sweep", self, ax=ax)


def sweep(
    refs: Side | Pairs,
    hyps: Side | None = None,
    metric: str | Metric = "b",
    *,
    reference: str | Sequence[str] | None = None,
    hypothesis: str | None = None,
    missing: Missing = "error",
    ignore_text: bool = False,
    on_undefined: OnUndefined = "raise",
    threads: int | None = None,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: Seed = 0,
    **parameter: Iterable[Any],
) -> ParameterSweep:
    """Score the same documents by a metric at several values of a parameter.

    metric: a metric or its name; its other parameters stay the same.
    parameter: a keyword argument named as a field of the metric, with its values, such as
        `n_t=range(1, 11)`.
    All other parameters are those of `score` and of intervals.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> refs = [cut([4, 4, 4]), cut([6, 6]), cut([3, 9])]
    >>> hyps = [cut([5, 4, 3]), cut([6, 6]), cut([6, 6])]
    >>> made = ss.curves.sweep(refs, hyps, "b", n_t=range(1, 5))
    >>> [(point.value, round(point.micro, 3), point.counts["near_misses"]) for point in made]
    [(1, 0.143, 0), (2, 0.4, 2), (3, 0.467, 2), (4, 0.688, 3)]
    """
    if len(parameter) != 1:
        raise SegmentationError(
            f"{len(parameter)} parameters to sweep: expected one and its values, {_EXAMPLE}"
        )
    ((name, values),) = parameter.items()
    rules = PairingRules(reference, hypothesis, missing, ignore_text)
    pairs = pairs_of(refs, hyps, rules)
    return sweep_of_pairs(
        pairs, metric, name, values, on_undefined=on_undefined, threads=threads, level=level,
        n_resamples=n_resamples, seed=seed_of(rng),
    )  # fmt: skip


def sweep_of_pairs(
    pairs: Pairs,
    metric: str | Metric,
    name: str,
    given: Iterable[Any],
    *,
    on_undefined: OnUndefined = "raise",
    threads: int | None = None,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
) -> ParameterSweep:
    """Run `sweep` on documents that are already paired; the parameter may have any name."""
    base = as_metric(metric)
    values = _checked(base, name, given)
    metrics = [_with(base, name, value) for value in values]
    found = score(pairs, metrics=metrics, threads=threads, on_undefined=on_undefined)
    samples = [(found[variant].statistics.rows, variant.values) for variant in metrics]
    lots = Lots.of(pairs.documents)
    intervals = bootstrap_intervals(
        samples, level=level, n_resamples=n_resamples, seed=seed, lots=lots
    )
    points = tuple(
        SweepPoint(
            value, variant, float(found[variant].micro), ci, _counts(variant, found[variant], pairs)
        )
        for value, variant, ci in zip(values, metrics, intervals, strict=True)
    )
    return ParameterSweep(base, name, points, len(pairs), tuple(pairs.skipped))


def _checked(metric: Metric, name: str, given: Any) -> list[Any]:
    """The values of the parameter to change."""
    known = [parameter.name for parameter in fields(whole_metric(metric))]  # type: ignore[arg-type]
    if name not in known:
        raise unknown_parameter("metric", str(metric), name, known)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SegmentationError(f"{name} is {shown(given)}: expected several values, {_EXAMPLE}")
    values = list(given)
    twice = [value for i, value in enumerate(values) if value in values[:i]]
    if not values or twice:
        problem = f"{twice[0]!r} twice" if twice else "no value"
        raise SegmentationError(f"{name} has {problem}: expected distinct values, one or more")
    return values


def _with(metric: Metric, name: str, value: Any) -> Metric:
    if isinstance(metric, ScorePart):
        return replace(metric, metric=_with(metric.metric, name, value))
    return replace(metric, **{name: value})  # type: ignore[type-var]


def _counts(metric: Metric, scores: Scores, pairs: Pairs) -> dict[str, float]:
    """The operations of S and B over all documents; for other metrics the sums of their
    statistics."""
    inner = whole_metric(metric).in_units(pairs.provenance)
    if not isinstance(inner, EditSettings):
        sums = np.nansum(scores.statistics.rows, axis=0)
        return dict(zip(inner.statistic_names, sums.tolist(), strict=True))
    total = np.zeros(len(_OPERATIONS), np.int64)
    for row in range(len(pairs)):
        edits = edits_of_pair(pairs.reference(row), pairs.hypothesis(row), inner)
        kinds = edits.matches, edits.transpositions, edits.additions, edits.substitutions
        total += [len(kind) for kind in kinds]
    counts: dict[str, float] = dict(zip(_OPERATIONS, total.tolist(), strict=True))
    if pairs.ref_types is None and pairs.hyp_types is None:
        del counts["substitutions"]
    return counts
