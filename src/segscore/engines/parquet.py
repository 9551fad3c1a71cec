"""Files of columns (Parquet, Arrow) as streams that fit in memory, and files of sums (pyarrow).

Rows are read in batches of 65,536. `ParquetFile.iter_batches` is used and not a dataset's scanner,
the memory of which grows.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from segscore.basics.arrow_validation import refusing
from segscore.errors import SegmentationError, about, nearest, needing
from segscore.io.arrow_files import open_stream, parquet_size
from segscore.io.files import Source
from segscore.io.read_options import ReadOptions
from segscore.scoring.accumulator import Accumulator

if TYPE_CHECKING:
    import pyarrow

_ROWS = 65_536


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Report in our words what pyarrow or the system says about a file."""
    with needing("arrow", f"{path}: a file of columns"):
        import pyarrow  # noqa: F401  # whether it is there
    with refusing(lambda message: SegmentationError(f"{path}: cannot be read: {message}")):
        yield


def open_batches(
    path: str | os.PathLike[str], columns: Sequence[str], *, large: bool = False
) -> "pyarrow.RecordBatchReader":
    """Some columns of a file, as a stream of batches.

    large: read the file even if a batch unpacks to more than 2 GB.
    """
    place = Path(path)
    source = Source(place, place.stem, "", choices=ReadOptions(large=large))
    if not place.is_file():
        raise SegmentationError(f"there is no file {os.fspath(path)!r}")
    with _explained(place):
        import pyarrow as pa

        if place.suffix.lower() in (".parquet", ".pq"):
            from pyarrow import parquet

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
            batches = (batch.select(list(columns)) for batch in stream)
        return pa.RecordBatchReader.from_batches(schema, _told(batches, place, schema))


def _chosen(schema: Any, columns: Sequence[str], place: Path) -> Any:
    import pyarrow as pa

    for name in columns:
        if name not in schema.names:
            raise SegmentationError(
                f"{place}: there is no column {name!r}{nearest(name, schema.names)}"
            )
    return pa.schema([schema.field(name) for name in columns])


def _told(batches: Any, place: Path, schema: Any) -> Iterator[Any]:
    with _explained(place):
        for batch in batches:
            yield batch.select(schema.names)


def write_sums(sums: Accumulator, path: str | os.PathLike[str]) -> None:
    """Write the sums of an accumulator to an Arrow file."""
    from segscore.io import replacing

    with _explained(Path(path)):
        import pyarrow as pa

        table = sums.to_arrow()
        memory = pa.BufferOutputStream()
        with pa.ipc.new_file(memory, table.schema) as writer:
            writer.write_table(table)
        with replacing(path) as file:
            file.buffer.write(memory.getvalue().to_pybytes())


def read_sums(path: str | os.PathLike[str], *, large: bool = False) -> Accumulator:
    """The accumulator in a file of sums.

    large: read the file whatever memory it takes.
    """
    place = Path(path)
    if not place.is_file():
        raise SegmentationError(f"there is no file {os.fspath(path)!r}")
    source = Source(place, place.stem, "", choices=ReadOptions(large=large))
    with _explained(place):
        import pyarrow as pa

        table = open_stream(source, pa.py_buffer(source.read_bytes())).read_all()
    with about(str(place)):
        return Accumulator.from_arrow(table)
