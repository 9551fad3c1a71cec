"""Files of columns (Parquet, Arrow) on the command line: which columns, scoring and comparing.

They are read and added up batch by batch, so their size does not matter.
"""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from segscore.basics.arguments import check_choice
from segscore.cli.options import PairedReading, PairingOptions, names_in
from segscore.cli.output import Output, remark, with_progress
from segscore.errors import SegmentationError
from segscore.io.files import ARROW
from segscore.metrics.base import OnUndefined
from segscore.pairing.rules import Encoding
from segscore.scoring.scoring import Result

if TYPE_CHECKING:
    from segscore.comparison import Comparison


@dataclass(kw_only=True)
class ColumnOptions(PairedReading):
    """How files are read, and the columns of both sides where one file holds them."""

    sides: ClassVar[tuple[str, ...]] = (
        *("reference", "hypothesis", "systems", "encoding", "by", "cluster"),
        *("reference_labels", "hypothesis_labels", "system_labels"),
    )

    def are_columns(self, path: Path, others: object, pairing: PairingOptions) -> bool:
        """Whether both sides are columns of one file: the columns that options name, or all columns
        if there are no `others`. Options that do not fit the kind of file are refused."""
        given = [name for name in self.keys if name in self.sides]
        if path.suffix.lower() not in ARROW:
            if given:
                raise SegmentationError(
                    f"{', '.join(given)}: {path} is no Parquet or Arrow file: expected one that "
                    "holds both sides in columns"
                )
            return False
        if others and not given:
            return False
        known = (*self.sides, "columns", "on_error", "large")
        unfit = [*pairing.given, *(key for key in self.keys if key not in known)]
        if unfit:
            raise SegmentationError(
                f"{', '.join(unfit)}: for files of codings, not for columns of Parquet and Arrow "
                "files"
            )
        check_choice(self.keys.get("encoding", "boundaries"), "encoding", get_args(Encoding))
        return True


def sum_columns(
    paths: list[Path],
    reading: ColumnOptions,
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
    from segscore.engines.score_frame import RowScores
    from segscore.metrics import addable_metrics
    from segscore.pairing.arrow_reading import Layout

    keys, options = reading.keys, reading.options
    if "reference" not in keys:
        raise SegmentationError("reference=COLUMN is missing: which column is the reference?")
    systems = {name: name for name in names_in(reading.keys.get("systems"))}
    if not systems and "hypothesis" not in keys:
        raise SegmentationError("hypothesis=COLUMN is missing: which column is the hypothesis?")
    systems = systems or {"": keys["hypothesis"]}
    labels = names_in(reading.keys.get("system_labels"))
    if "hypothesis_labels" in keys:
        labels = (keys["hypothesis_labels"],)
    if labels and len(labels) != len(systems):
        raise SegmentationError(
            f"system-labels has {len(labels)} columns: expected {len(systems)}, one for each of "
            "the systems"
        )
    scores = {
        system: RowScores(
            Layout(
                keys["reference"],
                column,
                options.columns.get("n_units"),
                options.columns.get("document"),
                keys.get("encoding", "boundaries"),
                ref_labels=keys.get("reference_labels"),
                hyp_labels=own_labels,
            ),
            addable_metrics(metrics),
            statistics=True,
            cluster=keys.get("cluster"),
            on_error="null" if options.on_error == "skip" else "raise",
            on_undefined=on_undefined,
        )
        for (system, column), own_labels in zip_longest(systems.items(), labels)
    }
    files = with_progress(paths, "Reading", len(paths))
    total, n_bad = summed_files(
        files,
        scores,
        names_in(reading.keys.get("by")),
        baselines,
        seed,
        buckets=buckets,
        large=options.large,
    )
    for path, n in n_bad.items():
        if n:
            remark(f"{path}: {n} rows could not be read and were left out")
    return total


def score_columns(
    paths: list[Path],
    reading: ColumnOptions,
    metrics: list[str],
    average: str,
    on_undefined: OnUndefined,
    output: Output,
) -> "dict[str, Result]":
    """`segscore score data.parquet`: averages, by group if there are groups.

    They are shown, and returned by the name of the hypothesis and its group.
    """
    if "cluster" in reading.keys:
        raise SegmentationError("cluster=COLUMN is for comparisons: expected none")
    by = names_in(reading.keys.get("by"))
    buckets = bool(by) and "document" in reading.options.columns
    total = sum_columns(paths, reading, metrics, buckets=buckets, on_undefined=on_undefined)
    found = Result.from_sums(total, by)
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
    name = str(reading.keys.get("hypothesis"))
    return {", ".join([name, *group]): found.group(*group) for group in found.groups}


def _with_intervals(total: Any, found: "Result") -> "Result":
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
    reading: ColumnOptions,
    metrics: list[str],
    baselines: Sequence[str],
    *,
    test: Any,
    rng: int,
    **settings: Any,
) -> "Comparison":
    """`segscore compare data.parquet --read systems=a,b,c`."""
    from segscore.comparison.estimates import ComparisonSettings
    from segscore.comparison.measuring import checked_baselines, no_baselines
    from segscore.comparison.summed_documents import compare_sums
    from segscore.metrics import metric

    if names_in(reading.keys.get("by")):
        raise SegmentationError("by=COLUMN is for scores: expected none")
    systems = names_in(reading.keys.get("systems"))
    if not systems:
        raise SegmentationError("systems=a,b,c is missing: which columns are the systems?")
    if "document" not in reading.options.columns:
        raise SegmentationError(
            "document=COLUMN is missing: a comparison needs to tell documents apart"
        )
    rows, said = checked_baselines(baselines), []
    if (
        rows
        and "reference_labels" in reading.keys
        and any(metric(name).uses_labels for name in metrics)
    ):
        rows, said = [], [no_baselines("segment labels")]
    chosen = ComparisonSettings(test="randomisation", correction="holm", seed=rng, **settings)
    total = sum_columns(paths, reading, metrics, buckets=True, baselines=rows, seed=rng)
    return compare_sums(total, chosen, test, systems, metrics, rows, said=said)
