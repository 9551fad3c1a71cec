"""What scoring gives: statistics that add up, and the numbers computed from them.

- `Statistics`: the additive numbers of a metric, for one pair or for many.
- `Score`: a float that knows its metric, statistics and signature.
- `Scores`: one metric over many documents: values, micro and macro average.
- `Result`: several metrics over the same documents.

Micro-average = value of the summed statistics. Macro-average = mean of the values that are defined.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from segscore.arguments import Floats
from segscore.errors import SegmentationError, nearest
from segscore.pairs import Pairs
from segscore.provenance import PLAIN, Provenance
from segscore.summing import ExactSum, exact_mean, exact_sum
from segscore.tables import Tabular

if TYPE_CHECKING:  # the metrics import this module
    import pandas
    import polars

    from segscore.metrics.base import Metric
    from segscore.tables import Table

Average = Literal["micro", "macro"]


class Statistics:
    """The additive statistics of one metric: one row (of a pair, or a sum) or a row per document.

    metric: the metric; rows: the numbers, a column per statistic; names: what each column counts.
    provenance: how the units were formed.

    >>> import segscore as ss
    >>> a, b = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
    >>> one = ss.WindowDiff()(a, b).statistics
    >>> one
    Statistics(windowdiff, errors=2.0, windows=9.0)
    >>> (one + one)["errors"], (one + one).value
    (4.0, 0.2222222222222222)
    >>> many = ss.score([a, a, a], [a, b, b], "windowdiff")["windowdiff"].statistics
    >>> many + one == sum([one, one, one]) + ss.WindowDiff()(a, a).statistics
    True
    """

    __slots__ = ("_low", "metric", "provenance", "rows")

    def __init__(
        self,
        metric: "Metric",
        rows: Floats,
        provenance: Provenance = PLAIN,
        low: Floats | None = None,
    ) -> None:
        self.metric = metric
        self.rows = rows
        self.provenance = provenance
        self._low = low  # what the rounding of a sum left over, so that later sums are exact

    @property
    def names(self) -> tuple[str, ...]:
        """What each column counts."""
        return self.metric.statistic_names

    def __getitem__(self, name: str) -> Any:
        """One statistic: a number, or a column where there are many rows."""
        if name not in self.names:
            raise KeyError(f"{name!r} is not among {', '.join(self.names)}")
        column = self.rows[..., self.names.index(name)]
        return column if column.ndim else float(column)

    def __add__(self, other: "Statistics") -> "Statistics":
        """The total of both, in one row, however many rows each has.

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
        """So that `sum([…])`, which starts from 0, gives the total."""
        if isinstance(other, int) and other == 0:
            return self.sum()
        return NotImplemented

    def sum(self) -> "Statistics":
        """All rows in one; neither the order of rows nor partial sums change it."""
        total = self._exact()
        return Statistics(self.metric, total.high, self.provenance, total.low)

    def _exact(self) -> ExactSum:
        if self.rows.ndim > 1:
            return exact_sum(self.rows)
        low = np.zeros_like(self.rows) if self._low is None else self._low
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

    __hash__ = None  # type: ignore[assignment]  # arrays inside

    def __repr__(self) -> str:
        if self.metric.batch_bound:
            return f"Statistics({self.metric}, tables of {self.rows.shape[-1]} cells)"
        if self.rows.ndim > 1:
            return f"Statistics({self.metric}, {len(self.rows)} rows of {', '.join(self.names)})"
        cells = zip(self.names, self.rows.tolist(), strict=True)
        return f"Statistics({self.metric}, {', '.join(f'{n}={v}' for n, v in cells)})"


class Score(float):
    """A number that knows how it was computed.

    It is a float. It also has:

    metric: the metric; statistics: the additive numbers behind the value, None for a macro-average.
    signature: all that determines the number, to be cited with it.
    parts: what else the metric knows; each part is an attribute, too (`score.precision`).
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
    _average: Average | None
    _low: Floats | None
    _pair: tuple[Any, Any] | None

    def __new__(
        cls,
        value: float,
        metric: "Metric",
        row: Sequence[float] | Floats | None,
        pair: tuple[Any, Any] | None = None,
        average: Average | None = None,
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
        """Everything that determines the number, to be cited with it."""
        return self.metric.signature(self._average, self.provenance)

    @property
    def pair(self) -> tuple[Any, Any] | None:
        """The reference (or references) and the hypothesis; None for an average."""
        return self._pair

    @property
    def parts(self) -> dict[str, Any]:
        """What else the metric knows about this pair or sum."""
        if self._row is None:
            return {}
        metric = self.metric if self._pair is None else self.metric.in_units(self.provenance)
        return metric.parts(np.asarray(self._row, np.float64), self._pair)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            parts = self.parts
            if name in parts:
                return parts[name]
        raise AttributeError(f"a score of {self.metric.name} has no {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.parts]

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, (
            float(self), self.metric, self._row, self._pair, self._average, self.provenance,
            self._low,
        )  # fmt: skip


def score_of_pair(
    value: float, metric: "Metric", row: Sequence[float], pair: tuple[Any, Any]
) -> Score:
    """`Score(value, metric, row, pair)` in two thirds of the time: loops over pairs are common."""
    score = _new_float(Score, value)
    score.metric = metric
    score.provenance = PLAIN
    score._row = row
    score._pair = pair
    score._average = None
    score._low = None
    return score


_new_float: Callable[[type[Score], float], Score] = float.__new__


def micro_score(statistics: Statistics) -> Score:
    """The value of all rows together, as a score."""
    total = statistics.sum()
    return Score(
        total.value,
        total.metric,
        total.rows,
        average="micro",
        provenance=total.provenance,
        low=total._low,
    )


class Scores:
    """One metric over many documents.

    metric: the metric; values: the value of each document, NaN if it is undefined.
    statistics: the additive statistics, a row per document; documents: their names.
    micro: the value of the summed statistics; macro: the mean of the defined values.
    n_undefined: how many documents have no value.
    """

    def __init__(self, metric: "Metric", pairs: Pairs, rows: Floats) -> None:
        self.metric = metric
        self._pairs = pairs
        self._rows = rows

    @cached_property
    def values(self) -> Floats:
        """The value of each document; NaN where it is undefined."""
        return self.metric.values(self._rows)

    @property
    def statistics(self) -> Statistics:
        """The additive statistics, a row per document."""
        return Statistics(self.metric, self._rows, self.provenance)

    @property
    def provenance(self) -> Provenance:
        """How the units of these documents were formed."""
        return self._pairs.provenance

    @property
    def signature(self) -> str:
        """Everything that determines the documents' values, to be cited with them."""
        return self.metric.signature(provenance=self.provenance)

    @property
    def documents(self) -> Sequence[str]:
        """Names of the documents."""
        return self._pairs.documents

    @property
    def n_undefined(self) -> int:
        """Documents without a value; they count in no average."""
        return int(np.isnan(self.values).sum())

    @cached_property
    def micro(self) -> Score:
        """The value of all documents' statistics added up."""
        return micro_score(self.statistics)

    @cached_property
    def macro(self) -> Score:
        """The mean of the documents' values, over those that are defined."""
        value = exact_mean(self.values[~np.isnan(self.values)])
        return Score(value, self.metric, None, average="macro", provenance=self.provenance)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, document: int | str) -> Score:
        """The score of one document, by its name or its index."""
        if isinstance(document, str):
            row = list(self.documents).index(document) if document in self.documents else None
            if row is None:
                raise KeyError(f"no document {document!r}")
        else:
            row = range(len(self))[document]
        pairs = self._pairs
        refs: Any = pairs.references(row) if self.metric.many_references else pairs.reference(row)
        pair = (refs, pairs.hypothesis(row))
        value, provenance = float(self.values[row]), self.provenance
        return Score(value, self.metric, self._rows[row], pair, provenance=provenance)

    def __iter__(self) -> Iterator[Score]:
        return (self[row] for row in range(len(self)))

    def _repr_html_(self) -> str:
        return Result({self.metric: self}, self._pairs)._repr_html_()

    def __repr__(self) -> str:
        undefined = f", {self.n_undefined} undefined" if self.n_undefined else ""
        return (
            f"Scores({self.metric}: micro {self.micro:.4f}, macro {self.macro:.4f}, "
            f"{len(self)} documents{undefined})"
        )


class Result(Tabular, Mapping["str | Metric", Scores]):
    """Several metrics over the same documents: a mapping from each metric, as given, to its Scores.

    documents: their names; skipped: documents that were left out because one side does not have
    them; provenance: how the units were formed.

    It prints as the averages of each metric; frames and `to_dicts` have a row per document.
    """

    def __init__(self, scores: Mapping["str | Metric", Scores], pairs: Pairs) -> None:
        self._scores = dict(scores)
        self._pairs = pairs

    @property
    def documents(self) -> Sequence[str]:
        """Names of the documents."""
        return self._pairs.documents

    @property
    def skipped(self) -> tuple[str, ...]:
        """Documents that were skipped because one side does not have them."""
        return self._pairs.skipped

    @property
    def provenance(self) -> Provenance:
        """How the units of these documents were formed."""
        return self._pairs.provenance

    def __getitem__(self, metric: "str | Metric") -> Scores:
        if metric not in self._scores:
            known = list(map(str, self._scores))
            raise KeyError(f"no metric {str(metric)!r} here{nearest(str(metric), known)}")
        return self._scores[metric]

    def __iter__(self) -> Iterator["str | Metric"]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row per document: its name and its value under each metric."""
        columns = {str(key): scores.values.tolist() for key, scores in self._scores.items()}
        rows = zip(self.documents, *columns.values(), strict=True)
        return [dict(zip(("document", *columns), row, strict=True)) for row in rows]

    def summary(self) -> list[dict[str, Any]]:
        """A row per metric: its averages, what it rests on, and its signature."""
        return [
            {
                "metric": str(key),
                "micro": float(scores.micro),
                "macro": float(scores.macro),
                "documents": len(scores),
                "undefined": scores.n_undefined,
                "higher_is_better": scores.metric.higher_is_better,
                "signature": scores.signature,
            }
            for key, scores in self._scores.items()
        ]

    def to_metrics(self, prefix: str = "", *, parts: bool = False) -> dict[str, float]:
        """One flat dict of floats, as experiment trackers log them: `f1.tolerance_1/micro`.

        prefix: put before each name, such as `test/`; parts: also the parts of each
        micro-average (precision, recall and so on). What is undefined is NaN.

        >>> import segscore as ss
        >>> a, b = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
        >>> ss.score([a, a], [a, b], metrics=["f1(tolerance=1)"]).to_metrics("test/")
        ... # doctest: +NORMALIZE_WHITESPACE
        {'test/f1.tolerance_1/micro': 0.8571428571428571,
         'test/f1.tolerance_1/macro': 0.8333333333333333,
         'test/f1.tolerance_1/undefined': 0.0, 'test/documents': 2.0}
        """
        from segscore.score_tables import numbers_of_parts
        from segscore.tables.flat_names import flat_numbers

        numbers: list[tuple[tuple[str, ...], float]] = []
        for key, one in self._scores.items():
            numbers += [((str(key), "micro"), one.micro), ((str(key), "macro"), one.macro)]
            numbers.append(((str(key), "undefined"), one.n_undefined))
            if parts:
                listed = numbers_of_parts(one.micro.parts)
                numbers += [((str(key), "parts", name), value) for name, value in listed]
        return flat_numbers([*numbers, (("documents",), len(self.documents))], prefix)

    def to_pandas(self) -> "pandas.DataFrame":
        """`to_dicts` as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self._columns())

    def to_polars(self) -> "polars.DataFrame":
        """`to_dicts` as a Polars DataFrame."""
        import polars

        return polars.DataFrame(self._columns())

    def _columns(self) -> dict[str, Any]:
        values = {str(key): scores.values for key, scores in self._scores.items()}
        return {"document": list(self.documents), **values}

    def to_table(self, per_document: bool = False) -> "Table":
        """The averages of each metric, or each document's values, to be shown in any format.

        >>> import segscore as ss
        >>> a, b = ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([5, 6])
        >>> print(ss.score([a, a], [a, b], metrics=["windowdiff"]).to_table(per_document=True))
        document  windowdiff¹
        ─────────────────────
        0              0.0000
        1              0.2222
        ─────────────────────
        ¹ windowdiff|k:auto|rounding:half-even|min_k:1|k_offset:0|edges:drop|weighted:no|v:0.1.0
        """
        from segscore.score_tables import scores_table

        return scores_table({"": self}, per_document=per_document)
