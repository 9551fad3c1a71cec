"""`ss.score_frame`: a frame with columns of values, or of statistics that an engine adds up."""

from collections.abc import Iterable
from typing import Any

from segscore.basics.arrow_validation import is_made_by
from segscore.engines.row_scores import RowScores, check_written, with_columns
from segscore.metrics import DEFAULT_METRICS, Metric, addable_metrics, distinct_metrics
from segscore.pairing.arrow_reading import Layout
from segscore.pairing.list_columns import Encoding, OnError
from segscore.scoring.sum_tables import readable_frame


def score_frame(
    frame: Any,
    reference: str,
    hypothesis: str,
    n_units: str | None = None,
    document: str | None = None,
    *,
    encoding: Encoding = "boundaries",
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    statistics: bool = False,
    cluster: str | None = None,
    on_error: OnError = "raise",
    ref_labels: str | None = None,
    hyp_labels: str | None = None,
    threads: int | None = None,
) -> Any:
    """Score the rows of a frame: Polars (lazy, too), pandas, pyarrow, Spark, or what exports Arrow.

    Returns the frame with an additional column per metric; for other frames a pyarrow Table. With
    `statistics` the columns are `documents` and all that adds up, `METRIC.STATISTIC`, without the
    columns of lists: `Result.from_sums` and `compare` read the rows, or what an engine made of them
    by GROUP BY and SUM.

    Parameters
    ----------
    frame
        The frame.
    reference, hypothesis
        Its columns of lists.
    encoding
        What the lists hold: `boundaries` (ascending positions, with `n_units`), `masses`,
        `labels-end`, `labels-start` or `gaps`.
    n_units
        The column with the number of units.
    document
        The column of document names, for messages and, with `statistics`, for a column `bucket`:
        the bucket of each document, by which `compare` wants the sums.
    metrics
        Metrics, or their names.
    statistics
        Whether to give statistics instead of values.
    cluster
        The column that says which documents belong together (such as the book of a chapter): it
        chooses the bucket, so they are drawn together.
    on_error
        A bad row raises, or with `"null"` its columns are null and a column `error` says why.
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
    layout = Layout(
        reference, hypothesis, n_units, document, encoding, ref_labels=ref_labels,
        hyp_labels=hyp_labels,
    )  # fmt: skip
    in_parts = is_made_by("pyspark", frame) or type(frame).__name__ == "LazyFrame"
    chosen = (addable_metrics if statistics or in_parts else distinct_metrics)(metrics)
    if statistics:
        check_written(chosen)
    rows = RowScores(layout, chosen, statistics, cluster, on_error, threads=threads)
    if is_made_by("pyspark", frame):
        from segscore.engines.spark import with_scores as on_spark

        return on_spark(frame, rows)
    if is_made_by("polars", frame) and hasattr(frame, "collect_schema") and hasattr(frame, "lazy"):
        from segscore.engines.polars import with_scores

        return with_scores(frame, rows)
    return with_columns(readable_frame(frame), rows)
