"""How long recordings are: a list beside the files, by document.

    document,duration
    talk1,3725.4
    talk2,1:02:45

CSV (commas, semicolons or tabs; a header names the columns), or JSON {document: seconds}. Seconds
may have a decimal comma; times may be written as hours, minutes and seconds.
"""

import re
from pathlib import Path

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError
from segscore.io.csv_cells import check_width, rows
from segscore.io.files import Source
from segscore.io.read_options import MICRO, microseconds
from segscore.io.safe_parsing import json_value
from segscore.io.zips import unpacked

_CLOCK = re.compile(r"(?:([0-9]{1,4}):)?([0-9]{1,2}):([0-5]?[0-9](?:[.,][0-9]{1,6})?)")
_DOCUMENT = ("document", "doc", "doc_id", "document_id", "file", "filename", "id", "name", "video")
_DURATION = ("duration", "seconds", "length", "duration_s", "length_s")


def read_durations(path: object) -> dict[str, float]:
    """Seconds of each document."""
    with unpacked(path) as kept:
        return durations_in(Source(kept, kept.stem, ""))


def durations_in(source: Source) -> dict[str, float]:
    """Seconds of each document in a file."""
    if source.suffix == ".json":
        data = json_value(source, source.read_text(), "{document: seconds}")
        if not isinstance(data, dict):
            raise source.fail(f"{shown(data)}: expected {{document: seconds}}")
        return {str(name): _seconds(source, str(value), name) for name, value in data.items()}
    table = rows(source)
    line, header = next(table)
    names = [name.strip().lower() for name in header]
    document = next((names.index(one) for one in _DOCUMENT if one in names), None)
    duration = next((names.index(one) for one in _DURATION if one in names), None)
    if document is None or duration is None:
        raise source.fail(f"the header is {','.join(header)!r}: expected document,duration", line)
    found: dict[str, float] = {}
    for line, cells in table:
        with source.locating(line):
            check_width(cells, header)
            name = cells[document].strip()
            if name in found:
                raise SegmentationError(f"document {name!r} is listed twice: expected it once")
            found[name] = _seconds(source, cells[duration].strip(), name, line)
    return found


def duration_of(durations: dict[str, float], path: Path) -> float | None:
    """The duration of a file's document, which is called like the file or without its suffix."""
    return next((durations[one] for one in (path.stem, path.name) if one in durations), None)


def _seconds(source: Source, text: str, name: str, line: int | None = None) -> float:
    clock = _CLOCK.fullmatch(text)
    try:
        if clock is not None:
            hours, minutes, seconds = (one or "0" for one in clock.groups())
            whole = microseconds(seconds.replace(",", "."))
            return ((int(hours) * 60 + int(minutes)) * 60) + whole / MICRO
        return microseconds(text.replace(",", ".", 1)) / MICRO
    except SegmentationError:
        raise source.fail(
            f"document {name!r}: duration is {shown(text)}: expected seconds, or 1:02:45", line
        ) from None
