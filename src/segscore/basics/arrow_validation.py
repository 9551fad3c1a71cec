"""Validation of pyarrow tables before anything is read from them.

The C interface of Arrow does not give the lengths of buffers, so that offsets from a damaged file
may point anywhere. pyarrow knows the lengths: the used columns of its tables and batches are fully
validated, batch by batch. Tables of other libraries are trusted.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from segscore.errors import SegmentationError


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


def _damaged(table: Any, place: int, message: str) -> SegmentationError:
    """The error about a column, the name of which may be damaged, too."""
    try:
        called = f"column {table.schema.field(place).name!r}"
    except UnicodeDecodeError:
        called = f"column {place + 1}"
    return SegmentationError(f"{called} is damaged: {message}")
