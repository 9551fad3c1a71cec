"""What pyarrow knows about its tables, asked before anything is read from them.

The C interface of Arrow tells no buffer's length, so that offsets from a damaged file may point
anywhere. pyarrow knows the lengths: its tables and batches are validated in full, the columns that
are used, batch by batch. Tables of other libraries are trusted to be as they say.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from segscore.errors import SegmentationError


def is_pyarrow(data: Any) -> bool:
    """Whether an object is one of pyarrow's."""
    return type(data).__module__.partition(".")[0] == "pyarrow"


@contextmanager
def refusing(fail: Callable[[str], SegmentationError]) -> Iterator[None]:
    """What pyarrow or the system has against a table or a file, as our own error.

    Python's own UnicodeDecodeError comes from names of columns that are not UTF-8, OverflowError
    from dates beyond its calendar.
    """
    import pyarrow

    try:
        yield
    except UnicodeDecodeError:
        raise fail("a name or a text is damaged: it is not UTF-8") from None
    except (pyarrow.ArrowException, OSError, OverflowError) as error:
        said = str(error).strip().splitlines()
        raise fail(said[0] if said else type(error).__name__) from error


def validate_columns(table: Any, names: Iterable[str] | None = None) -> None:
    """Refuse a table or batch of pyarrow with a damaged column among those that are used (None:
    all of them)."""
    places = list(range(len(table.schema)))
    if names is not None:
        places = [one for name in names for one in table.schema.get_all_field_indices(name)]
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


def _damaged(table: Any, place: int, said: str) -> SegmentationError:
    """The error about a column, the name of which may be damaged, too."""
    try:
        called = f"column {table.schema.field(place).name!r}"
    except UnicodeDecodeError:
        called = f"column {place + 1}"
    return SegmentationError(f"{called} is damaged: {said}")
