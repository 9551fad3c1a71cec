"""The sums of an Accumulator as an Arrow table, and back (with pyarrow).

A row per group, system and bucket in use. Columns: those of `by`; `system`; `bucket`;
`checksum_high` and `checksum_low`, the halves of the summed hashes of names (of a whole group and
system, in its first row); `documents`; for each metric a struct of its sums (statistics, `value`,
`defined`), and `… low`, what rounding left over. The table that an engine makes of
`engines.arrow.statistics` by GROUP BY and SUM has the same columns, without `… low`.
"""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import LARGEST_FLOAT, Floats, Int64Array, shown
from segscore.basics.arrow_validation import python_values, refusing, validate_columns
from segscore.corpus.provenance import PLAIN
from segscore.errors import SegmentationError, nearest, needing
from segscore.metrics import Metric
from segscore.metrics import metric as as_metric
from segscore.pairing.list_columns import HASH

if TYPE_CHECKING:
    import pyarrow

    from segscore.scoring.accumulator import Accumulator

_META = b"segscore"
_NULL = "(null)"


def to_arrow(sums: "Accumulator") -> "pyarrow.Table":
    """The table of an accumulator."""
    with needing("arrow", "a table of sums"):
        import pyarrow as pa

    if sums.provenance not in (None, PLAIN):
        raise SegmentationError(
            "the units of these documents are known (seconds, words), which a table cannot say: "
            "send the accumulator itself, by pickle"
        )
    if sums.keep == "statistics":
        raise SegmentationError(
            "the table has sums, and this accumulator keeps each document: send it by pickle"
        )
    if not sums.n_documents:
        raise SegmentationError("the accumulator has no document: expected some, by update")
    names = {str(key): metric for key, metric in sums.metrics.items()}
    for name, metric in names.items():
        if as_metric(name) != metric:
            raise SegmentationError(f"metric {name!r} cannot be written as a text")
    keys, parts = [], []
    for group in sums.groups:
        for system in sums.systems:
            if sums.has(group, system):
                cell = sums.cell(group, system)
                index, high, low = cell.folded(sums.buckets)
                used = np.flatnonzero(high[:, -1] > 0)
                keys += [(group, system)] * len(used)
                parts.append(
                    (index[used], high[used], low[used], _halves(cell.checksum, len(used)))
                )
    bucket, high, low, checks = (np.concatenate(part) for part in zip(*parts, strict=True))
    columns: dict[str, Any] = {
        **{name: [group[i] for group, _ in keys] for i, name in enumerate(sums.by)},
        "system": [system for _, system in keys],
        "bucket": pa.array(bucket, pa.int64()),
        "checksum_high": checks[:, 0],
        "checksum_low": checks[:, 1],
        "documents": high[:, -1].astype(np.int64),
    }
    for key, metric in sums.metrics.items():
        span = sums.span(key)
        columns[str(key)] = _struct(metric, high[:, span])
        columns[f"{key} low"] = _struct(metric, low[:, span])
    table = pa.table(columns)
    return table.replace_schema_metadata({_META: json.dumps(_settings(sums)).encode()})


def _halves(checksum: int, n_rows: int) -> Int64Array:
    halves = np.zeros((n_rows, 2), np.int64)
    halves[:1] = checksum >> 32, checksum % 2**32
    return halves


def _struct(metric: Metric, values: Floats) -> "pyarrow.StructArray":
    import pyarrow as pa

    names = [*metric.statistic_names, "value", "defined"]
    arrays = [pa.array(np.ascontiguousarray(values[:, i])) for i in range(len(names))]
    return pa.StructArray.from_arrays(arrays, names=names)


def _settings(sums: "Accumulator") -> dict[str, Any]:
    return {
        "metrics": [str(key) for key in sums.metrics],
        "by": list(sums.by),
        "systems": sums.systems,
        "buckets": sums.buckets,
        "first_buckets": sums.first_buckets,
        "seed": sums.seed,
        "hash": HASH,
        "parts": sorted(sums.parts),
        "tallies": [
            [list(group), list(tallies.systems), tallies.n_documents, tallies.counts.tolist(),
             tallies.differences.tolist()]
            for group in sums.groups
            if (tallies := sums.tallies(group)) is not None
        ],
    }  # fmt: skip


# ---- reading ----


def from_arrow(
    kind: type["Accumulator"],
    data: Any,
    metrics: Any,
    systems: Sequence[str] | None,
    by: str | Sequence[str],
    buckets: int | None,
    seed: int,
) -> "Accumulator":
    """An accumulator from a table of sums."""
    with needing("arrow", "a table of sums"):
        import pyarrow as pa

    if not hasattr(data, "__arrow_c_stream__"):
        raise SegmentationError(f"data is {shown(data)}: expected an Arrow table of sums")
    table = data if isinstance(data, pa.Table) else pa.table(data)
    with refusing(lambda reason: SegmentationError(f"the table of sums cannot be read: {reason}")):
        _check_table(table)
        meta = _read_settings((table.schema.metadata or {}).get(_META))
        if meta is not None:
            found = kind(meta["metrics"], None, meta["by"], meta["first_buckets"], meta["seed"])
            found.fold(meta["buckets"])
            _add_rows(found, table)
            found.add_tallies(meta["tallies"])
            found.parts = frozenset(meta["parts"])
            return found
        if metrics is None:
            raise SegmentationError(
                "the table does not say what it holds: give metrics, by, buckets and seed"
            )
        found = kind(metrics, systems, by, buckets, seed)
        _add_rows(found, table)
        return found


def _check_table(table: "pyarrow.Table") -> None:
    """Raise for damaged columns, and for rows that no buffer holds."""
    validate_columns(table)
    if table.num_rows > table.nbytes:
        raise SegmentationError(
            f"the table of sums says that it has {table.num_rows} rows, which its columns do not "
            "hold"
        )


def _add_rows(found: "Accumulator", table: "pyarrow.Table") -> None:
    """Add the rows of each group and system."""
    index = _buckets(table, found.buckets)
    high, low = _sums(table, found)
    high_halves, low_halves = _counts(table, "checksum_high"), _counts(table, "checksum_low")
    places: dict[tuple[str, ...], list[int]] = {}
    for row, key in enumerate(_keys(table, found.by)):
        places.setdefault(key, []).append(row)
    for (*group, system), rows in places.items():
        checksum = (int(high_halves[rows].sum()) << 32) + int(low_halves[rows].sum())
        count = int(high[rows, -1].sum())
        sums = index[rows], high[rows], low[rows]
        found.add_sums(tuple(group), system, sums, count, checksum)


def _read_settings(given: bytes | None) -> dict[str, Any] | None:
    if given is None:
        return None
    try:
        meta: dict[str, Any] = json.loads(given)
        if meta["hash"] != HASH:
            raise SegmentationError(
                f"the table's names were hashed by {meta['hash']!r}: expected {HASH!r}"
            )
        known = {name: meta[name] for name in (
            "metrics", "by", "buckets", "first_buckets", "seed", "tallies"
        )}  # fmt: skip
        return known | {"parts": [str(part) for part in meta.get("parts", ())]}
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, SegmentationError):
            raise
        raise SegmentationError(f"the table's settings cannot be read: {error}") from None


# ---- columns of sums, checked ----


def _column(table: "pyarrow.Table", name: str) -> Any:
    if table.column_names.count(name) != 1:
        raise SegmentationError(
            f"the table of sums has no column {name!r}{nearest(name, table.column_names)}"
        )
    return table.column(name)


def _keys(table: "pyarrow.Table", by: Sequence[str]) -> list[tuple[str, ...]]:
    """The group of each row, and its system, which may have no name."""
    names = [*by, "system"] if "system" in table.column_names else by
    columns = [
        [_NULL if value is None else str(value) for value in python_values(_column(table, name))]
        for name in names
    ]
    if len(names) == len(by):
        columns.append([""] * table.num_rows)
    return list(zip(*columns, strict=True))


def _buckets(table: "pyarrow.Table", buckets: int | None) -> Int64Array:
    """The number of each row's bucket; 0 if there are no buckets."""
    if buckets is None:
        return np.zeros(table.num_rows, np.int64)
    index = _whole(_column(table, "bucket"), "bucket")
    if index.size and not 0 <= index.min() <= index.max() < buckets:
        raise SegmentationError(f"column 'bucket' holds {index.max()}: there are {buckets}")
    return index


def _counts(table: "pyarrow.Table", name: str) -> Int64Array:
    """A column of whole numbers of at least 0; null, or a missing column, counts as 0."""
    if name not in table.column_names:
        return np.zeros(table.num_rows, np.int64)
    return _whole(_column(table, name), name)


def _sums(table: "pyarrow.Table", found: "Accumulator") -> tuple[Floats, Floats]:
    """The sums of all metrics, in two parts."""
    high = np.zeros((table.num_rows, found.width))
    low = np.zeros_like(high)
    high[:, -1] = _whole(_column(table, "documents"), "documents")
    for key, metric in found.metrics.items():
        span = found.span(key)
        high[:, span] = _sums_of(_column(table, str(key)), str(key), metric)
        defined = high[:, span][:, -1]
        if (defined % 1).any() or not ((defined >= 0) & (defined <= high[:, -1])).all():
            raise SegmentationError(
                f"column {str(key)!r} of the sums has numbers of defined documents that are no "
                "part of `documents`"
            )
        if f"{key} low" in table.column_names:
            low[:, span] = _sums_of(_column(table, f"{key} low"), f"{key} low", metric)
    return high, low


def _sums_of(column: Any, name: str, metric: Metric) -> Floats:
    import pyarrow as pa

    wanted = [*metric.statistic_names, "value", "defined"]
    if not pa.types.is_struct(column.type):
        raise SegmentationError(f"column {name!r} is {column.type}: expected a struct of sums")
    parts = dict(
        zip([field.name for field in column.type], column.combine_chunks().flatten(), strict=True)
    )
    if not set(wanted) <= set(parts):
        raise SegmentationError(f"column {name!r} lacks some of {', '.join(wanted)}")
    return np.column_stack([_floats(parts[statistic], name) for statistic in wanted])


def _whole(column: Any, name: str) -> Int64Array:
    values = _floats(column, name)
    if values.size and (values.min() < 0 or values.max() > 2**53 or (values % 1).any()):
        raise SegmentationError(f"column {name!r} of the sums holds no counts")
    return values.astype(np.int64)


def _floats(column: Any, name: str) -> Floats:
    import pyarrow as pa

    try:
        plain = column.cast(pa.float64()).fill_null(0.0)
        values: Floats = np.array(plain.to_pylist(), np.float64)
    except pa.ArrowInvalid as error:
        raise SegmentationError(f"column {name!r} of the sums holds no numbers: {error}") from None
    if not (abs(values) <= LARGEST_FLOAT).all():  # NaN is not, either
        raise SegmentationError(
            f"column {name!r} of the sums holds NaN, infinity, or more than {LARGEST_FLOAT:g}"
        )
    return values
