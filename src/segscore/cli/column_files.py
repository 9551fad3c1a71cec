"""Files of columns (Parquet, Arrow) on the command line: which columns, scoring and comparing.

They are read batch by batch into an Accumulator, so their size does not matter.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from segscore.cli.output import Output, remark, with_progress
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.read_options import OnError
from segscore.io.table_suffixes import ARROW
from segscore.metrics.base import OnUndefined
from segscore.pairing.list_columns import Encoding

if TYPE_CHECKING:
    from segscore.cli.options import PairingOptions
    from segscore.comparison import Comparison
    from segscore.comparison.scale_sums import ScaleSums
    from segscore.scoring.accumulator import Accumulator
    from segscore.scoring.results import Result


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
    sums: Path | None = None


def are_columns(
    path: Path, columns: ColumnNames, others: object, pairing: "PairingOptions"
) -> bool:
    """Whether both sides are columns of one file: the columns that options name, or all columns if
    there are no `others`. Options that do not fit the kind of file are refused."""
    unnamed = ("on_error", "large")
    any_given = any(value for name, value in columns._asdict().items() if name not in unnamed)
    if path.suffix.lower() in ARROW and (any_given or not others):
        if pairing.given:
            raise SegmentationError(
                f"{' and '.join(pairing.given)} {'is' if len(pairing.given) == 1 else 'are'} for "
                "files of codings, not for columns of Parquet and Arrow files"
            )
        return True
    if any_given:
        raise SegmentationError(
            "--reference-column, --hypothesis-column, --n-units, --document-column, --by, "
            "--system-columns, --cluster-column, --column-encoding, --sums and those of labels are "
            "for Parquet and Arrow files"
        )
    return False


def accumulated(
    paths: list[Path],
    columns: ColumnNames,
    metrics: list[str],
    buckets: int | None,
    threads: int | None,
    scale: "ScaleSums | None" = None,
    on_undefined: OnUndefined = "nan",
) -> "Accumulator":
    """All rows of the files, added up; a remark counts the bad rows that were left out."""
    from segscore.engines.arrow import Layout, accumulate
    from segscore.engines.parquet import open_batches
    from segscore.scoring.accumulator import Accumulator

    if columns.reference is None:
        raise SegmentationError("--reference-column is missing: which column is the reference?")
    if columns.hypothesis is None and not columns.systems:
        raise SegmentationError("--hypothesis-column is missing: which column is the hypothesis?")
    systems = {name: name for name in columns.systems} or None
    labels = _system_labels(columns)
    layout = Layout(
        columns.reference,
        columns.hypothesis or columns.systems[0],
        columns.n_units,
        columns.document,
        columns.encoding or "boundaries",
        ref_labels=columns.reference_labels,
        hyp_labels=columns.hypothesis_labels[0] if columns.hypothesis_labels else None,
    )
    total = Accumulator(metrics, by=columns.by, buckets=buckets)
    wanted = [*layout.columns, *columns.systems, *columns.by]
    wanted += [] if columns.cluster is None else [columns.cluster]
    wanted += columns.hypothesis_labels
    for path in with_progress(paths, "Reading", len(paths)):
        with Source(path, path.stem, "").locating():
            n_bad = accumulate(
                total,
                open_batches(path, list(dict.fromkeys(wanted)), large=columns.large),
                layout,
                systems=systems,
                labels=labels,
                cluster=columns.cluster,
                on_error="null" if columns.on_error == "skip" else "raise",
                threads=threads,
                scale=scale,
                on_undefined=on_undefined,
            )
        if n_bad:
            remark(f"{path}: {n_bad} rows could not be read and were left out")
    return total


def _system_labels(columns: ColumnNames) -> dict[str, str] | None:
    """The column of labels of each system."""
    if not columns.systems or not columns.hypothesis_labels:
        return None
    if len(columns.hypothesis_labels) != len(columns.systems):
        raise SegmentationError(
            f"--system-labels has {len(columns.hypothesis_labels)} columns: expected "
            f"{len(columns.systems)}, one for each of --system-columns"
        )
    return dict(zip(columns.systems, columns.hypothesis_labels, strict=True))


def score_columns(
    paths: list[Path],
    columns: ColumnNames,
    metrics: list[str],
    *,
    per_document: bool,
    average: str,
    on_undefined: OnUndefined,
    threads: int | None,
    sums: Path | None,
    output: Output,
) -> "dict[str, Result[Any]]":
    """`segscore score data.parquet`: averages, by group if there are groups.

    They are shown, and returned by the name of the hypothesis and its group.
    """
    from segscore.engines.score_frame import with_intervals
    from segscore.scoring.accumulator import BUCKETS

    if per_document:
        raise SegmentationError(
            "--per-document, --show and --parts are not for Parquet files, which give averages: "
            "ss.score_frame gives a row per document"
        )
    buckets = None if columns.document is None else BUCKETS
    total = accumulated(paths, columns, metrics, buckets, threads, on_undefined=on_undefined)
    found = total.result()
    lost = [scores for scores in found.averages if math.isnan(scores.micro)]
    if lost and on_undefined == "raise":
        group = f"group {'/'.join(lost[0].group)}: " if lost[0].group else ""
        raise SegmentationError(
            f"{group}{lost[0].key} is undefined for all {lost[0].n_documents} documents together; "
            "--on-undefined nan gives NaN instead of this error"
        )
    if columns.by and buckets is not None:
        found = with_intervals(total, found)
    if sums is not None:
        from segscore.engines.parquet import write_sums

        write_sums(total, sums)
    output.show(found.to_table(average=average))
    name = str(columns.hypothesis)
    return {", ".join([name, *group]): found.group(*group) for group in found.groups}


def compare_columns(
    paths: list[Path],
    columns: ColumnNames,
    metrics: list[str],
    *,
    baselines: Sequence[str],
    test: Any,
    threads: int | None,
    sums: Path | None,
    **settings: Any,
) -> "Comparison":
    """`segscore compare data.parquet --system-columns a,b,c`."""
    from segscore.comparison.comparison_entries import ComparisonSettings
    from segscore.comparison.from_sums import compare_sums
    from segscore.comparison.scale_sums import ScaleSums
    from segscore.scoring.accumulator import BUCKETS

    if len(columns.systems) < 1:
        raise SegmentationError("--system-columns is missing: which columns are the systems? a,b,c")
    if columns.document is None:
        raise SegmentationError(
            "--document-column is missing: a comparison needs to tell documents apart"
        )
    scale = ScaleSums(metrics, baselines, seed=settings["seed"]) if baselines else None
    total = accumulated(paths, columns, metrics, BUCKETS, threads, scale)
    if sums is not None:
        from segscore.engines.parquet import write_sums

        write_sums(total, sums)
    chosen = ComparisonSettings(test="randomisation", **settings)
    return compare_sums(total, (), chosen, test, scale, threads=threads)
