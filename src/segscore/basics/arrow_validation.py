"""Frames of other libraries: what they hold as Python has it, and nothing damaged.

Offsets from a damaged file may point anywhere: the columns of pyarrow's tables and batches that are
used are validated in full before anything is read from them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError, nearest, needing


def is_made_by(package: str, data: Any) -> bool:
    """Whether the class of an object is one of a package's."""
    return type(data).__module__.partition(".")[0] == package


@contextmanager
def refusing(fail: Callable[[str], SegmentationError]) -> Iterator[None]:
    """Turn errors of pyarrow or the system about a table or a file into errors of ours.

    Python's own UnicodeDecodeError comes from names of columns that are not UTF-8, OverflowError
    from dates beyond its calendar.
    """
    import pyarrow

    try:
        yield
    except UnicodeDecodeError:
        raise fail("a name or a text is damaged: it is not UTF-8") from None
    except (pyarrow.ArrowException, OSError, OverflowError) as error:
        lines = str(error).strip().splitlines()
        raise fail(lines[0] if lines else type(error).__name__) from error


def arrow_stream(data: Any) -> Any:
    """Whatever exports Arrow as a table, a batch or a stream of batches of pyarrow."""
    if not hasattr(data, "__arrow_c_stream__") or isinstance(data, type):
        raise SegmentationError(
            f"data is {shown(data)} ({type(data).__name__}): expected a frame in memory of Polars, "
            "pandas or pyarrow, or what exports Arrow (__arrow_c_stream__)"
        )
    with needing("arrow", "a frame"):
        import pyarrow as pa

    # what pyarrow has made is not exported: then it would no longer know how long buffers are
    if is_made_by("pyarrow", data) and hasattr(data, "schema"):
        return data
    with streaming():
        return pa.RecordBatchReader.from_stream(data)


@contextmanager
def streaming() -> Iterator[None]:
    """An error of a producer of batches, whatever it is, becomes an error of ours."""
    try:
        yield
    except SegmentationError:
        raise
    except Exception as error:
        reason = ", ".join(map(str, error.args))
        raise SegmentationError(f"the Arrow stream failed: {reason}") from error


def validate_columns(table: Any, names: Iterable[str] | None = None) -> None:
    """Raise for a pyarrow table or batch with a damaged column among those used (None: all
    columns)."""
    places = list(range(len(table.schema)))
    if names is not None:
        places = [index for name in names for index in table.schema.get_all_field_indices(name)]
    for place in places:
        with refusing(partial(_damaged, table, place)):
            table.column(place).validate(full=True)


def python_values(column: Any) -> list[Any]:
    """The values of a column of pyarrow as Python has them, where it can have them."""
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        raise SegmentationError("a text is damaged: it is not UTF-8") from None
    except ValueError as error:  # a struct with two fields of one name
        raise SegmentationError(f"a column of type {column.type}: {error}") from None


def column_number(name: str, names: Sequence[str]) -> int:
    """The place of the column with this name among those of a frame."""
    if names.count(name) == 1:
        return names.index(name)
    if name in names:
        raise SegmentationError(f"there is column {name!r} twice: expected each once")
    raise SegmentationError(f"there is no column {name!r}{nearest(name, names)}")


def column_names(frame: Any) -> list[str]:
    """The names of the columns of a frame of Polars, pandas or pyarrow."""
    return [*map(str, frame.column_names if is_made_by("pyarrow", frame) else frame.columns)]


def cells_of(frame: Any, name: str) -> list[Any]:
    """A column of Polars, pandas or pyarrow as Python has it; None for null."""
    place = column_number(name, column_names(frame))
    if is_made_by("pyarrow", frame):
        return python_values(frame.column(place))
    if is_made_by("polars", frame):
        return list(frame.to_series(place).to_list())
    column = frame.iloc[:, place].astype(object)
    return list(column.where(column.notna(), None).tolist())


def _damaged(table: Any, place: int, message: str) -> SegmentationError:
    """The error about a column, the name of which may be damaged, too."""
    try:
        called = f"column {table.schema.field(place).name!r}"
    except UnicodeDecodeError:
        called = f"column {place + 1}"
    return SegmentationError(f"{called} is damaged: {message}")
