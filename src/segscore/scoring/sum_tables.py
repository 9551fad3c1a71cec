"""Statistics that are added up, as columns: a row per document, or their sums.

A row has for each metric its statistics, then `value` (0 if the document has none) and `defined`
(1 if it has one); the last column, `documents`, is 1. Columns are called `windowdiff.errors`,
`windowdiff.value`, …, `documents`. Whatever adds them up (an `Accumulator`, an engine's GROUP BY)
keeps the names, so `read_sums` reads tables of rows, of sums, and of sums of sums.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics import arrow_validation as arrow
from segscore.basics.arguments import LARGEST_FLOAT, Floats, shown
from segscore.errors import SegmentationError
from segscore.metrics import Metric, OnUndefined, distinct_metrics, rows_of_metrics
from segscore.pairing.pairs import Pairs

Metrics = Mapping[str | Metric, Metric]
_MOST = 2**53  # documents: beyond it, doubles do not count


def sum_names(metrics: Metrics) -> list[str]:
    """The names of the columns of a row."""
    names = [
        f"{key}.{name}"
        for key, metric in metrics.items()
        for name in (*metric.statistic_names, "value", "defined")
    ]
    return [*names, "documents"]


def spans_of(metrics: Metrics) -> list[slice]:
    """The columns of each metric in a row: statistics, value, defined."""
    widths = [len(metric.statistic_names) + 2 for metric in metrics.values()]
    return [slice(end - width, end) for end, width in zip(accumulate(widths), widths, strict=True)]


def document_rows(
    metrics: Metrics,
    pairs: Pairs,
    threads: int | None = 1,
    on_undefined: OnUndefined = "nan",
    called: Callable[[int], str] | None = None,
) -> Floats:
    """A row per document; on_undefined="raise" refuses one that cannot be scored.

    called: makes the name of a row in messages; by default the pairs name it.
    """
    spans = spans_of(metrics)
    table = np.ones((len(pairs), len(sum_names(metrics))))
    tables = rows_of_metrics(list(metrics.values()), pairs, threads)
    for metric, span, rows in zip(metrics.values(), spans, tables, strict=True):
        values = metric.values(rows)
        if on_undefined == "raise":
            metric.check_defined(pairs, values, called)
        defined = ~np.isnan(values)
        table[:, span] = np.column_stack([rows, np.where(defined, values, 0.0), defined])
    return table


# ---- tables of sums ----


class SumTable(NamedTuple):
    """A table of rows or sums: `rows` as above, and other columns as texts."""

    metrics: dict[str | Metric, Metric]
    rows: Floats
    columns: dict[str, list[str]]

    def places(self, *names: str) -> dict[tuple[str, ...], NDArray[np.intp]]:
        """The rows that agree in some columns, by what these hold, sorted."""
        found: dict[tuple[str, ...], list[int]] = {}
        for row, key in enumerate(zip(*(self.columns[name] for name in names), strict=True)):
            found.setdefault(key, []).append(row)
        return {key: np.array(found[key]) for key in sorted(found)}


def read_sums(data: Any, columns: Sequence[str] = (), optional: Sequence[str] = ()) -> SumTable:
    """A table of rows or sums in memory: Polars, pandas, pyarrow, or what exports Arrow.

    columns, optional: the other columns to read; a null is `(null)`. A system without a name is "".
    """
    frame = readable_frame(data)
    names = arrow.column_names(frame)
    if arrow.is_made_by("pyarrow", frame):
        arrow.validate_columns(frame)
        if frame.num_rows > frame.nbytes:
            raise SegmentationError(
                f"the table says that it has {frame.num_rows} rows, which its columns do not hold"
            )
    keys = [name.removesuffix(".defined") for name in names if name.endswith(".defined")]
    if not keys or "documents" not in names:
        raise SegmentationError(
            "the table has no sums: expected columns documents and METRIC.STATISTIC, as "
            "ss.score_frame(…, statistics=True) makes them"
        )
    metrics = distinct_metrics(keys)
    rows = np.column_stack([_numbers(frame, name) for name in sum_names(metrics)])
    most = np.minimum(rows[:, -1], _MOST)
    for name, counts in reversed(list(zip(sum_names(metrics), rows.T, strict=True))):
        if name == "documents" or name.endswith(".defined"):
            wrong = (counts % 1 != 0) | (counts < 0) | (counts > most)
            _check(counts, name, "a number of documents", wrong)
    wanted = [*columns, *(name for name in optional if name in names)]
    texts = {
        name: ["(null)" if cell is None else str(cell) for cell in arrow.cells_of(frame, name)]
        for name in wanted
    }
    texts.setdefault("system", [""] * len(rows))
    return SumTable(metrics, rows, texts)


def _numbers(frame: Any, name: str) -> Floats:
    """A column of sums; SQL's null, the sum of nothing, is 0."""
    cells = arrow.cells_of(frame, name)
    for kind in {type(cell) for cell in cells}:
        if not issubclass(kind, int | float | Decimal | None.__class__) or kind is bool:
            wrong = [type(cell) is kind for cell in cells]
            _check(cells, name, "a number", np.array(wrong))
    try:
        values = np.array([0.0 if cell is None else float(cell) for cell in cells])
    except OverflowError:
        raise SegmentationError(f"column {name!r} holds a number beyond all sums") from None
    _check(values, name, f"a number up to {LARGEST_FLOAT:g}", ~(np.abs(values) <= LARGEST_FLOAT))
    return values


def _check(cells: Any, name: str, expected: str, wrong: NDArray[np.bool_]) -> None:
    if wrong.any():
        row = int(np.argmax(wrong))
        raise SegmentationError(
            f"row {row} of the sums: column {name!r} holds {shown(cells[row])}: expected {expected}"
        )


# ---- frames in memory ----


def readable_frame(data: Any) -> Any:
    """A frame of Polars, pandas or pyarrow as it is; whatever else exports Arrow as a table of
    pyarrow."""
    if any(
        arrow.is_made_by(kind, data) and hasattr(data, "columns") for kind in ("polars", "pandas")
    ):
        return data
    stream = arrow.arrow_stream(data)
    import pyarrow as pa

    with arrow.streaming():
        return stream if isinstance(stream, pa.Table) else pa.table(stream)
