"""Chapters of videos: a list of times as in a description on YouTube, or yt-dlp's JSON.

    0:00 Intro
    1:02:45 - The proof

`youtube`: a line that begins with a time starts a chapter; a bullet or a bracket around the time,
and a dash after it, are ignored, and so are all other lines. As YouTube has it, the first
chapter starts at 0:00, there are three or more, in order, each of 10 s or more. The list does not
give the duration of the video, so something else must: the units (`seconds:6:3600`), a list of
durations, `durations.csv` in the same folder, or yt-dlp's JSON (`talk.info.json`)
beside `talk.txt`.

`yt-dlp`: the `chapters` of a `.info.json`, with `start_time`, `end_time` and `title`; the video
lasts for its `duration`, or else until the last chapter ends. If `chapters` is null or empty, the
video is one segment, and a remark says so.

Durations are a table, or JSON {document: seconds}. Seconds may have a decimal comma; times may be
written as hours, minutes and seconds.

    document,duration
    talk1,3725.4
    talk2,1:02:45
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import TIMED, tool_format
from segscore.io.placing import Span, timed_record, up_to_next
from segscore.io.read_options import MICRO, microseconds
from segscore.io.safe_parsing import field, json_value
from segscore.io.table_files import check_width, column_of, rows

_CHAPTER = re.compile(
    r"\s*(?:[-*•–—▶►]\s*)?[\[(]?(?:([0-9]{1,3}):)?([0-9]{1,2}):([0-5][0-9])[\])]?"
    r"(?:\s*[-–—:|]\s+|\s+|\Z)(.*)"
)
_CHAPTERS = re.compile(r'"chapters"\s*:\s*(?:null|\[\s*\]|\[\s*\{[^{}]*"start_time")')
_LEAST = 10 * MICRO
_CLOCK = re.compile(r"(?:([0-9]{1,4}):)?([0-9]{1,2}):([0-5]?[0-9](?:[.,][0-9]{1,6})?)")
_RECORDING = ("document", "doc", "doc_id", "document_id", "file", "filename", "id", "name", "video")
_DURATION = ("duration", "seconds", "length", "duration_s", "length_s")
_EXPECTED = "expected chapters as YouTube has them"


def matches_youtube(lines: list[str]) -> bool:
    """Whether three lines or more begin with a time, the first of them with 0:00."""
    found = [match for match in map(_CHAPTER.fullmatch, lines) if match is not None]
    return len(found) >= 3 and _start(found[0]) == 0


def matches_yt_dlp(lines: list[str]) -> bool:
    """Whether it is an object with chapters."""
    text = "\n".join(lines)
    if not text.lstrip().startswith("{"):
        return False
    by_tool = '"extractor"' in text and '"webpage_url"' in text  # chapters may stand far below
    return by_tool or _CHAPTERS.search(text) is not None


def read_youtube(source: Source) -> Iterator[Record]:
    """The record of a file."""
    chapters: list[tuple[int, frozenset[str]]] = []
    for number, line in enumerate(source.read_lines(), start=1):
        found = _CHAPTER.fullmatch(line)
        if found is None:
            continue
        start = _start(found)
        if not chapters and start:
            raise source.fail(f"{line!r}: {_EXPECTED}: the first at 0:00", number)
        if chapters and start - chapters[-1][0] < _LEAST:
            raise source.fail(f"{line!r}: {_EXPECTED}: in order, each of 10 s or more", number)
        chapters.append((start, frozenset({found[4].strip()} - {""})))
    if len(chapters) < 3:
        raise source.fail(f"chapters: {len(chapters)}: {_EXPECTED}: three or more")
    total = recording_length(source, source.document)
    yield timed_record(
        source, source.document, source.coder, up_to_next(chapters, total or 0), total
    )


def recording_length(source: Source, document: str) -> int | None:
    """The duration of a recording in microseconds, from the caller or from a file beside the
    list."""
    rule = source.choices.seconds
    with source.locating():
        length = (rule[1] if rule is not None else None) or source.choices.duration(document)
    return length or _length_beside(source, document)


def _length_beside(source: Source, document: str) -> int | None:
    """The duration of a recording, from a file beside the list."""
    path = source.path
    own = document == source.document  # called like the file
    for name in (f"{path.stem}.info.json", f"{path.stem}.json") if own else ():  # of yt-dlp
        if path.with_name(name).is_file():
            beside = replace(source, path=path.with_name(name), called=None)
            data = json_value(beside, beside.read_text(), "yt-dlp's JSON")
            if isinstance(data, dict) and data.get("duration") is not None:
                with beside.locating():
                    return microseconds(data["duration"])
    if path.with_name("durations.csv").is_file():
        beside = replace(source, path=path.with_name("durations.csv"), called=None)
        durations = durations_in(beside)
        seconds = duration_of(durations, path) if own else durations.get(document)
        return None if seconds is None else microseconds(seconds)
    return None


def _start(found: re.Match[str]) -> int:
    hours, minutes, seconds = (int(digits or 0) for digits in found.groups()[:3])
    return ((hours * 60 + minutes) * 60 + seconds) * MICRO


def read_yt_dlp(source: Source) -> Iterator[Record]:
    """The record of a file."""
    expected = "yt-dlp's JSON with chapters"
    data = json_value(source, source.read_text(), expected)
    if isinstance(data, dict) and data.get("chapters") in (None, []):
        yield _without_chapters(source, data)
        return
    chapters = field(source, data, "chapters", list, expected)
    spans = []
    for index, chapter in enumerate(chapters):
        where = f"chapters[{index}]"
        start = field(source, chapter, "start_time", (int, float), where)
        end = field(source, chapter, "end_time", (int, float), where)
        title = chapter.get("title")
        labels = frozenset({title} if isinstance(title, str) and title else ())
        with source.locating(), about(where):
            spans.append(Span(microseconds(start), microseconds(end), labels, timed=True))
    total = max(span.end for span in spans)
    if data.get("duration") is not None:
        with source.locating():
            # yt-dlp rounds the duration of some sites to seconds, and chapters to less
            total = max(total, microseconds(data["duration"]))
    yield timed_record(source, _name(source, data), source.coder, spans, total)


def _name(source: Source, data: dict[str, Any]) -> str:
    name = data.get("id")
    return name if isinstance(name, str) and name else source.document


def _without_chapters(source: Source, data: dict[str, Any]) -> Record:
    """A video without chapters: one segment, and a remark."""
    document = _name(source, data)
    if data.get("duration") is None:
        raise source.fail(f"document {document!r}: no chapters and no duration: expected one")
    with source.locating():
        total = microseconds(data["duration"])
    source.choices.remark(f"{source.at()}: document {document!r} has no chapters: one segment")
    whole = Span(0, total, timed=True)
    return timed_record(source, document, source.coder, [whole], total)


# ---- how long recordings are ----


def durations_in(source: Source) -> dict[str, float]:
    """The seconds of each document in a file."""
    if source.suffix == ".json":
        data = json_value(source, source.read_text(), "{document: seconds}")
        if not isinstance(data, dict):
            raise source.fail(f"{shown(data)}: expected {{document: seconds}}")
        return {str(name): _seconds(source, str(value), name) for name, value in data.items()}
    table = rows(source)
    line, header = next(table)
    document, duration = (column_of(header, known) for known in (_RECORDING, _DURATION))
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
    """The duration of a file's document, which has the name of the file, with or without its
    suffix."""
    return next((durations[name] for name in (path.stem, path.name) if name in durations), None)


def time_of(value: Any) -> int:
    """A time in whole microseconds: seconds, as a number or a text, or hours, minutes and seconds.

    >>> time_of("1:02:45"), time_of("12,5"), time_of(0.25)
    (3765000000, 12500000, 250000)
    """
    clock = _CLOCK.fullmatch(value.strip()) if isinstance(value, str) else None
    if clock is not None:
        hours, minutes, seconds = (digits or "0" for digits in clock.groups())
        whole = microseconds(seconds.replace(",", "."))
        return (int(hours) * 60 + int(minutes)) * 60 * MICRO + whole
    return microseconds(value.strip().replace(",", ".", 1) if isinstance(value, str) else value)


def named_time(value: Any, what: str) -> int:
    """A time in whole microseconds, as in `time_of`; an error names it as `what`."""
    try:
        return time_of(value)
    except SegmentationError:
        raise SegmentationError(
            f"{what} is {shown(value)}: expected seconds from 0, or a text such as '1:02:45'"
        ) from None


def _seconds(source: Source, text: str, name: str, line: int | None = None) -> float:
    try:
        return time_of(text) / MICRO
    except SegmentationError:
        raise source.fail(
            f"document {name!r}: duration is {shown(text)}: expected seconds, or 1:02:45", line
        ) from None


YOUTUBE = tool_format(
    "youtube", "a list of YouTube chapters", ".txt", "labels", matches_youtube, read_youtube,
    "0:00", alone=True, keys=TIMED,
)  # fmt: skip
YT_DLP = tool_format(
    "yt-dlp", "yt-dlp's JSON", ".json", "labels", matches_yt_dlp, read_yt_dlp,
    '"chapters"', '"extractor"', keys=TIMED,
)  # fmt: skip
