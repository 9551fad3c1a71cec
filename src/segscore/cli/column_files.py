"""Files of columns (Parquet, Arrow) on the command line: which columns, scoring and comparing.

They are read and added up batch by batch, so their size does not matter.
"""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, get_args

from segscore.basics.arguments import check_choice
from segscore.cli.output import Output, remark, with_progress
from segscore.cli.reading_options import ReadingOptions, names_in
from segscore.errors import SegmentationError
from segscore.io.compressed import ARROW
from segscore.io.read_options import OnError
from segscore.metrics.base import OnUndefined
from segscore.pairing.list_columns import Encoding
from segscore.scoring.results import Result

if TYPE_CHECKING:
    from segscore.cli.options import PairingOptions
    from segscore.comparison import Comparison


class ColumnNames(NamedTuple):
    """Which column is which, as the options say, and what else only files of columns have."""

    reference: str | None
    hypothesis: str | None
    n_units: str | None
    document: str | None
    encoding: Encoding | None
    on_error: OnError
    by: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    cluster: str | None = None
    reference_labels: str | None = None
    hypothesis_labels: tuple[str, ...] = ()  # of the hypothesis, or of each of the systems
    large: bool = False
    others: tuple[str, ...] = ()  # keys that are about other files


@dataclass(frozen=True, kw_only=True)
class ColumnOptions(ReadingOptions):
    """How files are read, and the columns of both sides where one file holds them."""

    sides: ClassVar[tuple[str, ...]] = (
        "reference", "hypothesis", "systems", "encoding", "reference_labels", "hypothesis_labels",
        "system_labels", "by", "cluster",
    )  # fmt: skip

    def chosen(self) -> ColumnNames:
        """The columns that are named."""
        sides, options = self.keys, self.options
        check_choice(sides.get("encoding", "boundaries"), "encoding", get_args(Encoding))
        labels = sides.get("hypothesis_labels")
        return ColumnNames(
            sides.get("reference"),
            sides.get("hypothesis"),
            options.columns.get("n_units"),
            options.columns.get("document"),
            sides.get("encoding"),
            options.on_error,
            names_in(sides.get("by")),
            names_in(sides.get("systems")),
            sides.get("cluster"),
            sides.get("reference_labels"),
            (labels,) if labels else names_in(sides.get("system_labels")),
            large=options.large,
            others=tuple(
                key for key in self.keys if key not in (*self.sides, "columns", "on_error", "large")
            ),
        )


def are_columns(
    path: Path, columns: ColumnNames, others: object, pairing: "PairingOptions"
) -> bool:
    """Whether both sides are columns of one file: the columns that options name, or all columns if
    there are no `others`. Options that do not fit the kind of file are refused."""
    others_too = ("on_error", "large", "n_units", "document", "others")  # tables have them, too
    given = [name for name, value in columns._asdict().items() if value and name not in others_too]
    if path.suffix.lower() in ARROW and (given or not others):
        if pairing.given or columns.others:
            raise SegmentationError(
                f"{', '.join((*pairing.given, *columns.others))}: for files of codings, not for "
                "columns of Parquet and Arrow files"
            )
        return True
    if given:
        raise SegmentationError(
            f"{', '.join(given)}: {path} is no Parquet or Arrow file: expected one that holds both "
            "sides in columns"
        )
    return False


def summed(
    paths: list[Path],
    columns: ColumnNames,
    metrics: list[str],
    *,
    buckets: bool,
    on_undefined: OnUndefined = "nan",
    baselines: Sequence[str] = (),
    seed: int = 0,
) -> Any:
    """All rows of the files, added up; a remark counts the bad rows that were left out."""
    # before pyarrow is imported: its other allocators keep what batches leave
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    from segscore.engines.parquet import summed_files
    from segscore.engines.row_scores import RowScores
    from segscore.metrics import addable_metrics
    from segscore.pairing.arrow_reading import Layout

    if columns.reference is None:
        raise SegmentationError("reference=COLUMN is missing: which column is the reference?")
    if columns.hypothesis is None and not columns.systems:
        raise SegmentationError("hypothesis=COLUMN is missing: which column is the hypothesis?")
    labels = columns.hypothesis_labels
    if columns.systems and labels and len(labels) != len(columns.systems):
        raise SegmentationError(
            f"system-labels has {len(labels)} columns: expected {len(columns.systems)}, one for "
            "each of the systems"
        )
    systems = {name: name for name in columns.systems} or {"": columns.hypothesis or ""}
    scores = {
        system: RowScores(
            Layout(
                columns.reference, column, columns.n_units, columns.document,
                columns.encoding or "boundaries", ref_labels=columns.reference_labels,
                hyp_labels=own_labels,
            ),
            addable_metrics(metrics), statistics=True, cluster=columns.cluster,
            on_error="null" if columns.on_error == "skip" else "raise",
            on_undefined=on_undefined,
        )
        for (system, column), own_labels in zip_longest(systems.items(), labels)
    }  # fmt: skip
    total, n_bad = summed_files(
        with_progress(paths, "Reading", len(paths)), scores, columns.by, baselines, seed,
        buckets=buckets, large=columns.large,
    )  # fmt: skip
    for path, n in n_bad.items():
        if n:
            remark(f"{path}: {n} rows could not be read and were left out")
    return total


def score_columns(
    paths: list[Path],
    columns: ColumnNames,
    metrics: list[str],
    *,
    per_document: bool,
    average: str,
    on_undefined: OnUndefined,
    output: Output,
) -> "dict[str, Result[Any]]":
    """`segscore score data.parquet`: averages, by group if there are groups.

    They are shown, and returned by the name of the hypothesis and its group.
    """
    if columns.cluster is not None:
        raise SegmentationError("cluster=COLUMN is for comparisons: expected none")
    if per_document:
        raise SegmentationError(
            "--per-document and --show are not for Parquet files, which give averages: "
            "ss.score_frame gives a row per document"
        )
    buckets = bool(columns.by) and columns.document is not None
    total = summed(paths, columns, metrics, buckets=buckets, on_undefined=on_undefined)
    found = Result.from_sums(total, columns.by)
    lost = [scores for scores in found.averages if math.isnan(scores.micro)]
    if lost and on_undefined == "raise":
        group = f"group {'/'.join(lost[0].group)}: " if lost[0].group else ""
        raise SegmentationError(
            f"{group}{lost[0].key} is undefined for all {lost[0].n_documents} documents together; "
            "--on-undefined nan gives NaN instead of this error"
        )
    if buckets:
        found = _with_intervals(total, found)
    output.show(found.to_table(average=average))
    name = str(columns.hypothesis)
    return {", ".join([name, *group]): found.group(*group) for group in found.groups}


def _with_intervals(total: Any, found: "Result[Any]") -> "Result[Any]":
    """The averages with an interval for the micro-average of each group, drawn over buckets."""
    from segscore.scoring.sum_tables import read_sums, spans_of
    from segscore.significance import resampling as sig
    from segscore.significance.drawing import by_name

    table = read_sums(total, [*found.by, "bucket"])
    ends = []
    for rows in table.places(*found.by).values():
        drawn = table.rows[rows[by_name([table.columns["bucket"][row] for row in rows])]]
        for metric, span in zip(table.metrics.values(), spans_of(table.metrics), strict=True):
            sample = drawn[:, span.start : span.stop - 2]
            interval = sig.bootstrap_interval(sample, metric.values, n_resamples=1_000, seed=0)
            ends.append((interval.low, interval.high))
    words = (
        f"low, high: 95 % interval of the micro-average, {sig.METHOD} over buckets of documents, "
        f"1000 resamples, seed 0; too narrow for fewer than {sig.TOO_FEW_DOCUMENTS} documents"
    )
    return found.with_intervals(ends, words)


def compare_columns(
    paths: list[Path],
    columns: ColumnNames,
    metrics: list[str],
    *,
    baselines: Sequence[str],
    test: Any,
    rng: int,
    **settings: Any,
) -> "Comparison":
    """`segscore compare data.parquet --read systems=a,b,c`."""
    from segscore.comparison.cases import checked_baselines, no_baselines
    from segscore.comparison.comparison_entries import ComparisonSettings
    from segscore.comparison.from_sums import compare_sums
    from segscore.metrics import metric

    if columns.by:
        raise SegmentationError("by=COLUMN is for scores: expected none")
    if len(columns.systems) < 1:
        raise SegmentationError("systems=a,b,c is missing: which columns are the systems?")
    if columns.document is None:
        raise SegmentationError(
            "document=COLUMN is missing: a comparison needs to tell documents apart"
        )
    rows, said = checked_baselines(baselines), []
    if rows and columns.reference_labels and any(metric(name).uses_labels for name in metrics):
        rows, said = [], [no_baselines("segment labels")]
    chosen = ComparisonSettings(test="randomisation", correction="holm", seed=rng, **settings)
    total = summed(paths, columns, metrics, buckets=True, baselines=rows, seed=rng)
    return compare_sums(total, chosen, test, columns.systems, metrics, rows, said=said)
