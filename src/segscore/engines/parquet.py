"""Files of columns (Parquet, Arrow) as streams that fit in memory, and their sums (with pyarrow).

Rows are read in batches of 16,384. `ParquetFile.iter_batches` is used and not a dataset's scanner,
the memory of which grows.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from segscore.basics.arrow_validation import refusing, validate_columns
from segscore.corpus.lists import starts_of
from segscore.engines.score_frame import RowScores, arrow_columns
from segscore.errors import SegmentationError, nearest, needing
from segscore.io.files import Source
from segscore.io.read_options import ReadOptions
from segscore.io.table_files import open_stream, parquet_size
from segscore.pairing.pairs import Pairs
from segscore.significance.drawing import MANY
from segscore.simulate.baselines import random, random_columns, uniform_columns

with needing("arrow", "a file of columns"):
    import pyarrow as pa
    from pyarrow import parquet

_ROWS = 16_384
_OF_GROUP = 1_000  # buckets of a group; it divides the number of all


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Report in our words what pyarrow or the system says about a file."""
    with refusing(lambda message: SegmentationError(f"{path}: cannot be read: {message}")):
        yield


def open_batches(
    path: str | os.PathLike[str], columns: Sequence[str], *, large: bool = False
) -> pa.RecordBatchReader:
    """Some columns of a file, as a stream of batches.

    large: read the file even if a batch unpacks to more than 2 GB.
    """
    place = Path(path)
    source = Source(place, place.stem, "", choices=ReadOptions(large=large))
    if not place.is_file():
        raise SegmentationError(f"there is no file {os.fspath(path)!r}")
    with _explained(place):
        if place.suffix.lower() in (".parquet", ".pq"):
            file: Any = parquet.ParquetFile(place)
            source.afford(parquet_size(file.metadata))
            schema = _chosen(file.schema_arrow, columns, place)
            batches = (
                batch
                for group in range(file.num_row_groups)  # of all groups at once it keeps buffers
                for batch in file.iter_batches(_ROWS, [group], list(columns))
            )
        else:
            stream = open_stream(source, pa.memory_map(str(place)).read_buffer())
            schema = _chosen(stream.schema, columns, place)
            batches = stream

    def explained() -> Iterator[Any]:
        with _explained(place):
            yield from (batch.select(schema.names) for batch in batches)

    return pa.RecordBatchReader.from_batches(schema, explained())


def _chosen(schema: Any, columns: Sequence[str], place: Path) -> Any:
    for name in columns:
        if name not in schema.names:
            raise SegmentationError(
                f"{place}: there is no column {name!r}{nearest(name, schema.names)}"
            )
    return pa.schema([schema.field(name) for name in columns])


# ---- their sums ----


def summed_files(
    paths: Iterable[Path],
    scores: Mapping[str, RowScores],
    by: Sequence[str] = (),
    baselines: Sequence[str] = (),
    seed: int = 0,
    *,
    buckets: bool = False,
    large: bool = False,
) -> tuple[pa.Table, dict[Path, int]]:
    """The sums of all rows of files, by pyarrow's own GROUP BY, and the number of bad rows of each
    file, which are left out for all systems.

    scores: how the rows of each system are scored; by: columns that define groups; baselines: rows
    that give the scale; buckets: whether to sum by bucket (of groups, too): up to 20,000 rows
    without groups then stay one by one.
    """
    first = next(iter(scores.values()))
    named = any(scores)  # a single system without a name leaves this column to groups
    keys = [*by, *(["system"] if named else []), *(["bucket"] if buckets else [])]
    first.check(by)
    document = first.layout.document if buckets and not by and first.cluster is None else None
    wanted = [column for each in scores.values() for column in each.columns_read]
    parts: list[Any] = []
    n_rows = n_batches = 0
    n_bad: dict[Path, int] = {}
    for path in paths:
        with Source(path, path.stem, "").locating():
            for batch in open_batches(path, list(dict.fromkeys([*wanted, *by])), large=large):
                n_batches += 1
                chance = int(np.random.SeedSequence([seed, n_batches]).generate_state(1)[0])
                others = dict(zip(by, by, strict=True)) | (
                    {"document": document} if document else {}
                )
                found, bad = _rows(batch, scores, baselines, chance, others, bool(by))
                parts, n_rows = [*parts, *found], n_rows + len(batch)
                n_bad[path] = n_bad.get(path, 0) + bad
                if n_rows > MANY:
                    document = None
                if document is None:
                    parts = [_grouped(parts, keys)]
    if not parts:
        raise SegmentationError("there is no document to score: the files have no rows")
    return pa.concat_tables(parts), n_bad


def _rows(
    batch: Any,
    scores: Mapping[str, RowScores],
    baselines: Sequence[str],
    seed: int,
    others: Mapping[str, str],
    grouped: bool,
) -> tuple[list[Any], int]:
    """A table per system and baseline, with the rows that are good for all, and other columns of
    names, by what they are called afterwards; and the number of bad rows."""
    found: dict[str, dict[str, Any]] = {}
    for name, each in scores.items():
        for read in each.batches(batch):
            found[name] = each.of_batch(read)
            if name == next(iter(scores)):
                for row in baselines:
                    found[row] = each.of_batch(read, _baseline(row, read.pairs, seed))
    good = np.logical_and.reduce([~np.isnan(rows["documents"]) for rows in found.values()])
    names = {key: _names(batch, column) for key, column in others.items()}
    tables = []
    for name, rows in found.items():
        system = {"system": pa.array([name] * len(batch))} if name else {}
        if grouped and "bucket" in rows:  # groups have fewer buckets each
            rows["bucket"] %= _OF_GROUP
        own = {**names, **system, **arrow_columns(rows)}
        tables.append(pa.table(own).filter(pa.array(good)))
    return tables, int(len(good) - good.sum())


def _names(batch: Any, column: str) -> Any:
    """A column of names as texts."""
    validate_columns(batch, [column])
    with refusing(lambda why: SegmentationError(f"column {column!r} has no names: {why}")):
        return batch.column(column).cast("string")


def _baseline(name: str, pairs: Pairs, seed: int) -> Pairs:
    """The pairs of a baseline, drawn once, with as many segments as the reference."""
    units, segments = pairs.n_units, np.diff(pairs.ref_offsets) + 1
    columns: Any = np.zeros(len(pairs) + 1, np.int64), np.empty(0, np.int64)
    if name == "uniform":
        columns = uniform_columns(units, segments)
    elif name != "none":
        segments = np.minimum(segments, units - 1) + 1 if name == "random-ks12" else segments
        columns = random_columns(units, segments, seed)
    if columns is None:  # very long documents, which are drawn in another way
        rng = np.random.default_rng(seed)
        sizes = zip(units.tolist(), segments.tolist(), strict=True)
        each = [random(n, n_segments=k, rng=rng).boundaries for n, k in sizes]
        columns = starts_of(np.array(list(map(len, each)))), np.concatenate(each)
    return Pairs(units, pairs.ref_offsets, pairs.ref_positions, *columns)


def _grouped(parts: Sequence[Any], keys: Sequence[str]) -> Any:
    """SELECT keys, SUM(everything else) GROUP BY keys."""
    sums = [field.name for field in parts[0].schema if pa.types.is_float64(field.type)]
    table = pa.concat_tables([part.select([*keys, *sums]) for part in parts])
    grouped = table.group_by(list(keys), use_threads=False)
    return grouped.aggregate([(name, "sum") for name in sums]).rename_columns([*keys, *sums])
