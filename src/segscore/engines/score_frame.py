"""`ss.score_frame`: a frame with a column per metric, or averages by group, with intervals."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from segscore.basics.arguments import Floats, check_choice
from segscore.engines.arrow import Layout, PairBatch, accumulate, pair_batches
from segscore.errors import SegmentationError, needing
from segscore.metrics import DEFAULT_METRICS, Metric, distinct_metrics
from segscore.metrics.base import rows_of_metrics
from segscore.pairing.list_columns import Encoding, OnError
from segscore.scoring.accumulator import BUCKETS, Accumulator
from segscore.scoring.accumulator_sums import FEW
from segscore.scoring.results import Result
from segscore.significance import resampling as sig


def score_frame(
    df: Any,
    reference: str,
    hypothesis: str,
    n_units: str | None = None,
    document: str | None = None,
    by: str | Sequence[str] = (),
    *,
    encoding: Encoding = "boundaries",
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    on_error: OnError = "raise",
    on_undefined: Literal["null", "raise"] = "null",
    ref_labels: str | None = None,
    hyp_labels: str | None = None,
    threads: int | None = None,
) -> Any:
    """Score the rows of a frame: Polars, pandas, pyarrow, or anything that exports Arrow.

    Returns the frame with an additional column per metric; for frames other than those of Polars
    and pandas, a pyarrow Table. With `by` it returns the averages of each group instead.

    Parameters
    ----------
    df
        The frame.
    reference, hypothesis
        Its columns of lists.
    encoding
        What the lists hold: `boundaries` (ascending positions, with `n_units`), `masses`,
        `labels-end`, `labels-start` or `gaps`.
    n_units
        The column with the number of units.
    document
        The column of document names; used in messages, and with `by` for intervals.
    by
        Columns that define groups. The result has averages for each group; with `document` also
        intervals.
    metrics
        Metrics, or their names.
    on_error
        A bad row raises, or with `"null"` its values are null and a column `error` says why.
    on_undefined
        A document that cannot be scored has a null value, or raises.
    ref_labels, hyp_labels
        The columns with labels of segments, for metrics that compare them: a list of texts, one
        per segment (null: none). Lists of lists in all these columns are the levels of a document.
    threads
        None uses the cores that the process may use, or $SEGSCORE_THREADS.

    >>> import polars as pl
    >>> import segscore as ss
    >>> df = pl.DataFrame({"ref": [[2, 5], [4]], "hyp": [[5], [4]], "n": [11, 8]})
    >>> ss.score_frame(df, "ref", "hyp", "n", metrics="windowdiff")["windowdiff"].round(4).to_list()
    [0.2222, 0.0]
    """
    check_choice(on_undefined, "on_undefined", ("null", "raise"))
    layout = Layout(
        reference, hypothesis, n_units, document, encoding, ref_labels=ref_labels,
        hyp_labels=hyp_labels,
    )  # fmt: skip
    chosen = distinct_metrics(metrics)
    if by:
        buckets = None if document is None else BUCKETS
        groups = Accumulator(list(chosen), by=by, buckets=buckets)
        n_bad = accumulate(groups, df, layout, on_error=on_error, threads=threads)
        found = _defined(groups.result(n_bad), on_undefined)
        return found if buckets is None else with_intervals(groups, found)
    frame = _readable(df)
    taken = [str(key) for key in chosen if str(key) in _names(frame)]
    if taken:
        raise SegmentationError(f"the frame has a column {taken[0]!r} already: rename it")
    columns: dict[str, list[Any]] = {str(key): [] for key in chosen}
    errors: list[str | None] = []
    for batch in pair_batches(frame, layout, on_error):
        tables = rows_of_metrics(list(chosen.values()), batch.pairs, threads)
        for (key, metric), rows in zip(chosen.items(), tables, strict=True):
            columns[str(key)].append(_values(batch, metric, rows, on_undefined))
        errors += batch.errors if on_error == "null" else []
    values = {key: np.concatenate([np.empty(0), *parts]) for key, parts in columns.items()}
    return _with_columns(frame, values, errors if on_error == "null" else None)


def _values(batch: PairBatch, metric: Metric, rows: Floats, on_undefined: str) -> Floats:
    values = metric.values(rows)
    undefined = np.flatnonzero(np.isnan(values))
    if on_undefined == "raise" and undefined.size:
        row = int(undefined[0])
        why = metric.why_undefined(batch.pairs, row)
        raise SegmentationError(f"{batch.good_name(row)}: {metric.name} is undefined: {why}")
    return batch.spread(values)


def _defined(result: Result[Any], on_undefined: str) -> Result[Any]:
    for average in result.averages:
        if on_undefined == "raise" and average.n_undefined:
            raise SegmentationError(
                f"group {'/'.join(average.group)}: {average.key} is undefined for "
                f"{average.n_undefined} documents"
            )
    return result


def with_intervals(
    accumulator: Accumulator,
    result: Result[Any],
    *,
    level: float = 0.95,
    n_resamples: int = 1_000,
    seed: int = 0,
) -> Result[Any]:
    """The averages with an interval for each micro-average, drawn over documents or buckets."""
    ends = []
    for average in result.averages:
        _, rows = accumulator.cell(average.group, average.system or "").units()
        span = accumulator.span(average.key)
        drawn = sig.bootstrap_interval(
            rows[:, span.start : span.stop - 2],
            average.metric.values,
            level=level,
            n_resamples=n_resamples,
            seed=seed,
        )
        ends.append((drawn.low, drawn.high))
    words = (
        f"low, high: {100 * level:.4g} % interval of the micro-average, {sig.METHOD} over "
        f"documents (from {FEW:,} on buckets of them), {n_resamples} resamples, seed {seed}; too "
        f"narrow for fewer than {sig.TOO_FEW_DOCUMENTS} documents"
    )
    return result.with_intervals(ends, words)


# ---- frames ----


def _kind(frame: Any) -> str:
    return type(frame).__module__.partition(".")[0]


def _readable(df: Any) -> Any:
    """The frame; a stream or a query is read into a pyarrow Table, so that it can be scored and
    returned."""
    if _kind(df) in ("polars", "pandas") and hasattr(df, "columns"):
        return df
    if not hasattr(df, "__arrow_c_stream__"):
        return df  # refused when it is opened
    with needing("arrow", "a frame other than of pandas or Polars"):
        import pyarrow as pa

    return df if isinstance(df, pa.Table) else pa.table(df)


def _names(frame: Any) -> list[str]:
    names = getattr(frame, "column_names", None)  # pyarrow
    return list(getattr(frame, "columns", ()) if names is None else names)


def _with_columns(frame: Any, values: dict[str, Floats], errors: list[str | None] | None) -> Any:
    """The frame with new columns; NaN becomes null."""
    if _kind(frame) == "polars":
        import polars as pl

        added = [pl.Series(name, value, nan_to_null=True) for name, value in values.items()]
        added += [] if errors is None else [pl.Series("error", errors, pl.String)]
        return frame.with_columns(added)
    if _kind(frame) == "pandas":
        given = values if errors is None else {**values, "error": errors}
        return frame.assign(**given)
    import pyarrow as pa

    for name, column in values.items():
        frame = frame.append_column(name, pa.array(column, mask=np.isnan(column)))
    return frame if errors is None else frame.append_column("error", pa.array(errors, pa.string()))
