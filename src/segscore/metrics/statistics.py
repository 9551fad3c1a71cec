"""The results of a metric: statistics that add up, and the number computed from them.

- `Statistics`: the additive numbers of a metric, for one pair or for many.
- `Score`: a float with its metric, statistics and signature.
- `exact_sum`: sums that do not depend on the order, the batches or the threads
  (`_kernels/sums.pyx`): two arrays, `high`, the sum rounded to doubles, and `low`, what the
  rounding left over. Sums of whole numbers are exact; others are within one unit in the last place
  of the true sum.

Scores of many documents are in `segscore.scoring.scoring`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from segscore._kernels import sums
from segscore.basics.arguments import Floats
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.metrics.base import Average, Metric


class ExactSum(NamedTuple):
    """A sum in two parts; `high` alone is the sum rounded to doubles."""

    high: Floats
    low: Floats

    def plus(self, other: "ExactSum") -> "ExactSum":
        """The sum of both."""
        high, low = np.zeros_like(self.high), np.zeros_like(self.low)
        for part in (self.high, other.high, self.low, other.low):
            sums.column_sums(np.ascontiguousarray(part[np.newaxis]), high, low)
        return _rounded(high, low)


def exact_sum(rows: Floats) -> ExactSum:
    """The sum over the rows of each column.

    >>> rows = np.array([[1.0, 1e16], [2.0, 1.0], [3.0, -1e16]])
    >>> exact_sum(rows).high.tolist()
    [6.0, 1.0]
    """
    table = np.ascontiguousarray(rows, np.float64)
    high, low = np.zeros(table.shape[1]), np.zeros(table.shape[1])
    sums.column_sums(table, high, low)
    return _rounded(high, low) if low.any() else ExactSum(high, low)


def exact_mean(values: Floats) -> float:
    """The mean of some numbers; NaN if there are none."""
    if not values.size:
        return float("nan")
    return float(exact_sum(values[:, np.newaxis]).high[0] / values.size)


def _rounded(high: Floats, low: Floats) -> ExactSum:
    """The sum with as much as possible in `high`."""
    total = high + low
    with np.errstate(invalid="ignore"):  # infinite sums leave nothing over
        left = low - (total - high)
    return ExactSum(total, np.where(np.isfinite(left), left, 0.0))


@dataclass(eq=False, repr=False, slots=True)
class Statistics:
    """The additive statistics of a metric: a single row (of a pair, or a sum) or a row per
    document.

    Parameters
    ----------
    metric: the metric; `names` says what each of its statistics counts.
    rows: the numbers, a column per statistic.
    provenance: how the units were formed.
    low: what the rounding of a sum left over, so that later sums are exact.

    >>> import segscore as ss
    >>> a, b = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
    >>> counts = ss.WindowDiff()(a, b).statistics
    >>> counts
    Statistics(windowdiff, errors=2.0, windows=9.0, missed_errors=2.0)
    >>> (counts + counts)["errors"], (counts + counts).value
    (4.0, 0.2222222222222222)
    >>> many = ss.score([a, a, a], [a, b, b], "windowdiff")["windowdiff"].statistics
    >>> many + counts == sum([counts, counts, counts]) + ss.WindowDiff()(a, a).statistics
    True
    """

    metric: "Metric"
    rows: Floats
    provenance: Provenance = PLAIN
    low: Floats | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each column."""
        return self.metric.statistic_names

    def __getitem__(self, name: str) -> Any:
        """A statistic by its name: a number, or a column if there are several rows."""
        if name not in self.names:
            raise KeyError(f"{name!r} is not among {', '.join(self.names)}")
        column = self.rows[..., self.names.index(name)]
        return column if column.ndim else float(column)

    def __add__(self, other: "Statistics") -> "Statistics":
        """The total of both in a single row, however many rows each has.

        Both must come from the same metric with the same settings.
        """
        if not isinstance(other, Statistics):
            return NotImplemented
        if self.metric != other.metric:
            raise SegmentationError(
                f"cannot add statistics of {other.metric} to those of {self.metric}"
            )
        if self.metric.batch_bound:
            raise SegmentationError(
                f"statistics of {self.metric} are tables of the labels of their batch: expected "
                "all documents in one batch, or scope=document"
            )
        provenance = self.provenance.joined(other.provenance, "cannot add statistics")
        total = self._exact().plus(other._exact())
        return Statistics(self.metric, total.high, provenance, total.low)

    def __radd__(self, other: object) -> "Statistics":
        """Support `sum([…])`, which starts from 0."""
        if isinstance(other, int) and other == 0:
            return self.sum()
        return NotImplemented

    def sum(self) -> "Statistics":
        """All rows added up in one; neither the order of rows nor partial sums change the
        result."""
        total = self._exact()
        return Statistics(self.metric, total.high, self.provenance, total.low)

    def _exact(self) -> ExactSum:
        if self.rows.ndim > 1:
            return exact_sum(self.rows)
        low = np.zeros_like(self.rows) if self.low is None else self.low
        return ExactSum(self.rows, low)

    @property
    def value(self) -> float:
        """The value of all rows together (the micro-average)."""
        total = self.rows if self.rows.ndim == 1 else exact_sum(self.rows).high
        return float(self.metric.values(total[np.newaxis])[0])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statistics):
            return NotImplemented
        return self.metric == other.metric and np.array_equal(self.rows, other.rows)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # arrays inside

    def __repr__(self) -> str:
        if self.metric.batch_bound:
            return f"Statistics({self.metric}, tables of {self.rows.shape[-1]} cells)"
        if self.rows.ndim > 1:
            return f"Statistics({self.metric}, {len(self.rows)} rows of {', '.join(self.names)})"
        cells = zip(self.names, self.rows.tolist(), strict=True)
        return f"Statistics({self.metric}, {', '.join(f'{n}={v}' for n, v in cells)})"


class Score(float):
    """A float that also says how it was computed.

    Besides the number it has:

    metric: the metric; statistics: the additive numbers behind the value, None for a macro-average.
    signature: all that determines the number; cite it with the number.
    parts: further numbers of the metric; each part is also an attribute (`score.precision`).
    provenance: how the units were formed.

    >>> import segscore as ss
    >>> a, b = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
    >>> score = ss.WindowDiff()(a, b)
    >>> round(score, 4), score.k, score.signature
    (0.2222, 2, 'windowdiff|k:auto|rounding:half-even|min_k:1|k_offset:0|edges:drop|weighted:no|v:0.1.0')
    """  # noqa: E501

    __slots__ = ("_average", "_low", "_pair", "_row", "metric", "provenance")
    metric: "Metric"
    provenance: Provenance
    _row: Sequence[float] | Floats | None
    _average: "Average | None"
    _low: Floats | None
    _pair: tuple[Any, Any] | None

    def __new__(
        cls,
        value: float,
        metric: "Metric",
        row: Sequence[float] | Floats | None,
        pair: tuple[Any, Any] | None = None,
        average: "Average | None" = None,
        provenance: Provenance = PLAIN,
        low: Floats | None = None,
    ) -> "Score":
        score = float.__new__(cls, value)
        score.metric = metric
        score.provenance = provenance
        score._row = row
        score._pair = pair
        score._average = average
        score._low = low  # of a sum over documents, see Statistics
        return score

    @property
    def value(self) -> float:
        """The number as a plain float."""
        return float(self)

    @property
    def statistics(self) -> Statistics | None:
        """The additive statistics behind the value; None for a macro-average."""
        if self._row is None:
            return None
        return Statistics(self.metric, np.array(self._row, np.float64), self.provenance, self._low)

    @property
    def signature(self) -> str:
        """All that determines the number; cite it with the number."""
        return self.metric.signature(self._average, self.provenance)

    @property
    def pair(self) -> tuple[Any, Any] | None:
        """The reference (or references) and the hypothesis; None for an average."""
        return self._pair

    @property
    def parts(self) -> dict[str, Any]:
        """Further numbers of the metric for this pair or sum."""
        if self._row is None:
            return {}
        metric = self.metric if self._pair is None else self.metric.in_units(self.provenance)
        return metric.parts(np.asarray(self._row, np.float64), self._pair)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            parts = self.parts
            if name in parts:
                return parts[name]
        if name == "ci":
            raise AttributeError(no_interval(self.metric.name))
        raise AttributeError(f"a score of {self.metric.name} has no {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.parts]

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, (
            float(self),
            self.metric,
            self._row,
            self._pair,
            self._average,
            self.provenance,
            self._low,
        )


def no_interval(metric: str) -> str:
    """The error about a score without an interval, which one pair of segmentations never has."""
    return (
        f"a score of {metric} has no interval: ss.compare(refs, systems={{'name': hyps}}) has one "
        "over documents, in .entries[0].low and .high"
    )


def score_of_pair(
    value: float, metric: "Metric", row: Sequence[float], pair: tuple[Any, Any]
) -> Score:
    """`Score(value, metric, row, pair)` in two thirds of the time, because loops over pairs are
    common."""
    score = _new_float(Score, value)
    score.metric = metric
    score.provenance = PLAIN
    score._row = row
    score._pair = pair
    score._average = None
    score._low = None
    return score


_new_float: Callable[[type[Score], float], Score] = float.__new__


def micro_score(metric: "Metric", total: ExactSum, provenance: Provenance = PLAIN) -> Score:
    """The value of a sum over documents, as a score."""
    value = float(metric.values(total.high[np.newaxis])[0])
    return Score(value, metric, total.high, None, "micro", provenance, total.low)
