"""Find several recordings that would be read as one, because nothing says which is which.

A table of chapters whose recordings stand in a column of an unknown name has starts that go back to
0 where the next recording begins. Rows may stand in any order, so that alone is no fault. It is one
if some column that is not read has another value there, and the starts of each of its values go
forward: such a column is probably the document.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from segscore.io.files import Source
from segscore.io.read_options import MICRO


@dataclass(frozen=True)
class TimedRow:
    """A stretch of time in a file: its line, its edges in microseconds, and the texts that are not
    read, by the name of their column or key."""

    line: int | None
    start: int
    end: int | None
    unread: Mapping[str, str]


def refuse_merged(source: Source, rows: Sequence[TimedRow], what: str, remedy: str) -> None:
    """Raise if the rows of one document look like those of several.

    what: what holds a value, `column` or `key`.
    remedy: how the caller says that it is the document, with {name} for its name.
    """
    back = next((i for i in range(1, len(rows)) if rows[i].start <= rows[i - 1].start), None)
    if back is None or _fit_together(rows):
        return
    name = next((name for name in rows[0].unread if _could_be_document(rows, name)), None)
    if name is None:
        return
    start = f"{rows[back].start / MICRO:.12g}"
    again = "is again" if rows[back].start == rows[back - 1].start else "goes back to"
    where = "" if rows[back].line is None else f" on line {rows[back].line}"
    raise source.fail(
        f"{what} {name!r} is not read, and start {again} {start}{where}: is {name!r} the document? "
        f"expected {remedy.format(name=name)}; if it is not, ignore_columns="
        f"{name}"
    )


def _fit_together(rows: Sequence[TimedRow]) -> bool:
    """Whether each row has an end, and none overlaps another: they are parts of one recording."""
    edges = sorted((row.start, row.end) for row in rows if row.end is not None)
    return len(edges) == len(rows) and all(
        before[1] <= after[0] for before, after in pairwise(edges)
    )


def _could_be_document(rows: Sequence[TimedRow], name: str) -> bool:
    """Whether a column has several values, some of them repeated, and the starts of each value go
    forward."""
    last: dict[str, int] = {}
    for row in rows:
        value = row.unread.get(name, "")
        if not value or row.start <= last.get(value, -1):
            return False
        last[value] = row.start
    return 1 < len(last) < len(rows)
