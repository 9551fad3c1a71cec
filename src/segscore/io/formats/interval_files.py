"""Lines of start, end and label, in seconds: Audacity's labels and mir_eval's `.lab`.

    0.000000	12.500000	intro

`audacity`: cells separated by tabs; lines that begin with a backslash (the range of frequencies)
are ignored; a label whose start is its end is a point, and all of them must be points, or none. A
segment goes from point to point; the last continues to the end, which the units (`seconds:6:3600`)
or a list of durations must give.

`lab`: cells separated by spaces or tabs, the label the rest of the line; `#` begins a comment.
"""

import re
from collections.abc import Iterable, Iterator

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.io.files import Source
from segscore.io.format import TIMED, told_by_suffix, tool_format
from segscore.io.placing import Stretch, timed_record
from segscore.io.read_options import microseconds

_NUMBER = r"([0-9]{1,9}(?:\.[0-9]*)?)"
_AUDACITY = re.compile(rf"{_NUMBER}\t{_NUMBER}(?:\t(.*))?")
_LAB = re.compile(rf"\s*{_NUMBER}[ \t]+{_NUMBER}(?:[ \t]+(.*))?")


def matches_audacity(lines: list[str]) -> bool:
    """Whether the first line is a label with tabs and a decimal point."""
    return bool(lines) and "." in lines[0] and _AUDACITY.fullmatch(lines[0]) is not None


def read_audacity(source: Source) -> Iterator[Record]:
    """The record of a file."""
    lines = (line if not line.startswith("\\") else "" for line in source.read_lines())
    found = list(_stretches(source, lines, _AUDACITY, "START<TAB>END<TAB>LABEL"))
    points = [start for start, end, _ in found if start == end]
    if points and len(points) < len(found):
        raise source.fail("some labels are points and some are not: expected points only, or none")
    if points:
        found = [(start, None, label) for start, _, label in found]
        if min(points):
            found.append((0, None, ""))
    yield timed_record(source, source.document, source.coder, found)


def read_lab(source: Source) -> Iterator[Record]:
    """The record of a file."""
    lines = (line.partition("#")[0].rstrip() for line in source.read_lines())
    found = list(_stretches(source, lines, _LAB, "START END LABEL"))
    yield timed_record(source, source.document, source.coder, found)


def _stretches(
    source: Source, lines: Iterable[str], pattern: re.Pattern[str], expected: str
) -> Iterator[Stretch]:
    empty = True
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        empty, found = False, pattern.fullmatch(line)
        if found is None:
            raise source.fail(f"{shown(line)}: expected {expected}, in seconds", number)
        start, end = microseconds(found[1]), microseconds(found[2])
        if end < start:
            raise source.fail(f"{shown(line)}: expected an end after the start", number)
        yield start, end, (found[3] or "").strip()
    if empty:
        raise source.fail("the file is empty: expected a segment per line")


AUDACITY = tool_format(
    "audacity", "Audacity's labels", ".txt", "labels", matches_audacity, read_audacity,
    "\t", alone=True, keys=TIMED,
)  # fmt: skip
LAB = tool_format(
    "lab", "mir_eval's intervals", ".lab", "labels", told_by_suffix, read_lab, keys=TIMED
)
