"""Lines of start, end and label, in seconds: Audacity's labels and mir_eval's `.lab`.

    0.000000	12.500000	intro

`audacity`: cells separated by tabs; lines that begin with a backslash (the range of frequencies)
are ignored; a label whose start is its end is a point, and all of them must be points, or none. A
segment goes from point to point; the last continues to the end, which the units (`seconds:6:3600`)
or a list of durations must give.

`lab`: cells separated by spaces or tabs, the label the rest of the line; `#` begins a comment.
"""

import re
from collections.abc import Iterator

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.io.files import Source
from segscore.io.format import TIMED, told_by_suffix, tool_format
from segscore.io.placing import Span, timed_record, up_to_next
from segscore.io.read_options import microseconds

_NUMBER = r"([0-9]{1,9}(?:\.[0-9]*)?)"
_AUDACITY = re.compile(rf"{_NUMBER}\t{_NUMBER}(?:\t(.*))?")
_LAB = re.compile(rf"\s*{_NUMBER}[ \t]+{_NUMBER}(?:[ \t]+(.*))?")


def matches_audacity(lines: list[str]) -> bool:
    """Whether the first line is a label with tabs and a decimal point."""
    return bool(lines) and "." in lines[0] and _AUDACITY.fullmatch(lines[0]) is not None


def read_audacity(source: Source) -> Iterator[Record]:
    """The record of a file."""
    lines = [(number, line) for number, line in enumerate(source.read_lines(), start=1)
             if line.strip() and not line.startswith("\\")]  # fmt: skip
    expected = "START<TAB>END<TAB>LABEL, in seconds"
    spans = [_span(source, _AUDACITY, line, number, expected) for number, line in lines]
    points = [span for span in spans if span.start == span.end]
    if not points:
        yield _record(source, spans)
        return
    if len(points) < len(spans):
        raise source.fail("some labels are points and some are not: expected points only, or none")
    rule = source.choices.seconds
    duration = source.choices.duration(source.document)
    last = (rule[1] if rule is not None else None) or duration or 0
    ordered = sorted(points)
    segments = up_to_next(((point.start, point.labels) for point in ordered), last)
    if ordered[0].start:
        segments.insert(0, Span(0, ordered[0].start, timed=True))
    yield timed_record(source, source.document, source.coder, segments, None)


def read_lab(source: Source) -> Iterator[Record]:
    """The record of a file."""
    lines = [(number, line.partition("#")[0].rstrip()) for number, line
             in enumerate(source.read_lines(), start=1)]  # fmt: skip
    expected = "START END LABEL, in seconds"
    spans = [_span(source, _LAB, line, number, expected) for number, line in lines if line]
    yield _record(source, spans)


def _span(
    source: Source, pattern: re.Pattern[str], line: str, number: int, expected: str
) -> Span:  # fmt: skip
    found = pattern.fullmatch(line)
    if found is None:
        raise source.fail(f"{shown(line)}: expected {expected}", number)
    with source.locating(number):
        start, end = microseconds(found[1]), microseconds(found[2])
    if end < start:
        raise source.fail(f"{shown(line)}: expected an end after the start", number)
    return Span(start, end, frozenset({(found[3] or "").strip()} - {""}), timed=True)


def _record(source: Source, spans: list[Span]) -> Record:
    if not spans:
        raise source.fail("the file is empty: expected a segment per line")
    total = max(span.end for span in spans)
    return timed_record(source, source.document, source.coder, spans, total)


AUDACITY = tool_format(
    "audacity", "Audacity's labels", ".txt", "labels", matches_audacity, read_audacity,
    "\t", alone=True, keys=TIMED,
)  # fmt: skip
LAB = tool_format(
    "lab", "mir_eval's intervals", ".lab", "labels", told_by_suffix, read_lab, keys=TIMED
)
