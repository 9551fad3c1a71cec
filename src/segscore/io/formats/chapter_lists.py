"""Chapters as JSON: lists of stretches of time, Podcasting 2.0, and rows of JSON Lines.

    [{"start": 0, "end": 70, "title": "Intro"}, {"start": 70, "end": 245, "title": "The problem"}]
    {"version": "1.2.0", "chapters": [{"startTime": 0, "title": "Intro"}, {"startTime": 70.5}]}
    {"document": "talk", "start": 0, "end": 70, "title": "Intro"}

Times are seconds, or texts such as "1:02:45.5". `start` may be called `startTime` or `start_time`,
`end` `endTime` or `end_time`, and `title` `label`; what else an object has is ignored. A chapter
without an end continues to the next; the duration of the recording then comes from the same places
as for YouTube lists (`segscore.io.formats.chapters`), or from `duration` beside `chapters`.
Chapters that Podcasting 2.0 keeps out of the table of contents (`"toc": false`) are no boundaries.

Each object may name its `document` and `coder`, as columns of tables do; in rows, `video`,
`recording` or `episode` is the document, too. The others belong to the document with the name of
the file. `docs/chapters.schema.json` has the forms as a JSON Schema.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.format import TIMED, tool_format
from segscore.io.formats.chapters import named_time, recording_length
from segscore.io.json_objects import Place, json_objects, placed
from segscore.io.placing import Stretch, TimedRow, refuse_merged, stretch_record
from segscore.io.safe_parsing import field, first_keys, is_chapter
from segscore.io.table_columns import NAMES, RECORDINGS

_EXPECTED = 'chapters, as in [{"start": 0, "end": 70, "title": "Intro"}, …]'
_CHAPTERS = re.compile(r'\s*\{.*?"chapters"\s*:\s*(?=\[\s*\{)', re.DOTALL)
_START = ("startTime", "start_time", "start")
_END = ("endTime", "end_time", "end")
_TITLE = ("title", "label")

_KNOWN = frozenset((*NAMES["document"], *NAMES["coder"], *_START, *_END, *_TITLE))

Chaptered = tuple[str, str]  # document, coder


def matches(lines: list[str]) -> bool:
    """Whether the first object is a chapter, or holds chapters other than those of yt-dlp."""
    text = "\n".join(lines)
    held = _CHAPTERS.match(text)
    if held is None:
        return text.lstrip()[:1] in ("{", "[") and is_chapter(first_keys(text))
    by_tool = '"extractor"' in text and '"webpage_url"' in text
    return not by_tool and is_chapter(first_keys(text[held.end() :]) | {"end"})


def read(source: Source) -> Iterator[Record]:
    """A record per document and coder."""
    found: dict[Chaptered, list[tuple[TimedRow, str]]] = {}
    lengths: dict[str, int] = {}
    silent = 0
    for place, owner, chapter in _chapters(source, lengths):
        if chapter.get("toc") is False:
            silent += 1
            continue
        with placed(source, *place):
            start, end, title = _stretch(chapter)
            row = TimedRow(place[0], start, end, _unread(source, owner))
            found.setdefault(_names(source, owner), []).append((row, title))
    if not found:
        raise source.fail(f"no chapter: expected {_EXPECTED}")
    if silent:
        what = "chapter that is" if silent == 1 else "chapters that are"
        source.choices.remark(
            f"{source.at()}: left out {silent} {what} not in the table of contents (toc)"
        )
    for (document, coder), rows in found.items():
        if document == source.document:
            merged = [row for row, _ in rows]
            refuse_merged(source, merged, "key", "its name in the key 'document'")
        length = lengths.get(document) or recording_length(source, document)
        stretches: list[Stretch] = [(row.start, row.end, title) for row, title in rows]
        yield stretch_record(source, document, coder, stretches, length)


def _chapters(
    source: Source, lengths: dict[str, int]
) -> Iterator[tuple[Place, dict[str, Any], dict[str, Any]]]:
    """The place of each chapter, the object that names its document, and the chapter; given
    durations are added to `lengths`."""
    for (line, where), owner in json_objects(source, _EXPECTED):
        with placed(source, line, where):
            if not isinstance(owner, dict):
                raise SegmentationError(f"{shown(owner)}: expected {_EXPECTED}")
            document, _ = _names(source, owner)
            if owner.get("duration") is not None and "chapters" in owner:
                lengths[document] = _time(owner, ("duration",))
        if "chapters" not in owner:
            yield (line, where), owner, owner
            continue
        for index, chapter in enumerate(
            field(source, owner, "chapters", list, where or "the file")
        ):
            inside = f"{where}: chapters[{index}]" if where else f"chapters[{index}]"
            with placed(source, line, inside):
                if not isinstance(chapter, dict):
                    raise SegmentationError(f"{shown(chapter)}: expected a chapter, an object")
            yield (line, inside), owner, chapter


def _names(source: Source, owner: dict[str, Any]) -> Chaptered:
    """The document and the coder that an object names; a row may name its recording instead."""
    called = [key for key in RECORDINGS if key in owner and "chapters" not in owner]
    known = called if len(called) == 1 and called[0] not in source.choices.ignore_columns else ()
    return _name(owner, "document", source.document, known), _name(owner, "coder", source.coder)


def _unread(source: Source, owner: dict[str, Any]) -> dict[str, str]:
    """The texts and numbers of an object that mean nothing to this reader."""
    ignored = source.choices.ignore_columns
    source.choices.notes.met |= {("column", key) for key in owner if key in ignored}
    return {
        key: str(value)
        for key, value in owner.items()
        if key not in _KNOWN and key not in ignored and isinstance(value, str | int)
    }


def _name(owner: dict[str, Any], part: str, default: str, more: Iterable[str] = ()) -> str:
    """The document or coder that an object names, by one of the names that columns may have, or by
    one of `more`."""
    keys = (*NAMES[part], *more)
    value = next((owner[key] for key in keys if owner.get(key) is not None), default)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise SegmentationError(f"{part} is {shown(value)}: expected a name")
    return str(value)


def _stretch(chapter: dict[str, Any]) -> Stretch:
    start, end = _time(chapter, _START), None
    if any(chapter.get(key) is not None for key in _END):
        end = _time(chapter, _END)
        if end <= start:
            raise SegmentationError(f"end is {end / 1e6:g} s: expected it after {start / 1e6:g} s")
    title = next((chapter[key] for key in _TITLE if chapter.get(key) is not None), "")
    if not isinstance(title, str):
        raise SegmentationError(f"title is {shown(title)}: expected a text")
    return start, end, title.strip()


def _time(owner: dict[str, Any], names: tuple[str, ...]) -> int:
    """The time with one of these names, in microseconds."""
    value = next((owner[key] for key in names if owner.get(key) is not None), None)
    return named_time(value, names[-1])


FORMAT = tool_format(
    "chapters", "chapters in JSON", ".json .jsonl .ndjson", "labels", matches, read,
    '"start"', '"startTime"', '"chapters"', keys=TIMED,
)  # fmt: skip
