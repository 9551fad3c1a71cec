"""Chapters of videos and podcasts: lists of times, the JSON of tools, and data sets of chapters.

`youtube`: a line that begins with a time starts a chapter; a bullet or a bracket around the time,
and a dash after it, are ignored, and so are all other lines. As YouTube has it, the first
chapter starts at 0:00, there are three or more, in order, each of 10 s or more. The list does not
give the duration of the video, so something else must: the units (`seconds:6:3600`), a list of
durations, `durations.csv` in the same folder, or yt-dlp's JSON (`talk.info.json`)
beside `talk.txt`.

    0:00 Intro
    1:02:45 - The proof

`yt-dlp`: the `chapters` of a `.info.json`, with `start_time`, `end_time` and `title`; the video
lasts for its `duration`, or else until the last chapter ends. If `chapters` is null or empty, the
video is one segment, and a remark says so.

`chapters`: lists of stretches of time, Podcasting 2.0, and rows of JSON Lines.

    [{"start": 0, "end": 70, "title": "Intro"}, {"start": 70, "end": 245, "title": "The problem"}]
    {"version": "1.2.0", "chapters": [{"startTime": 0, "title": "Intro"}, {"startTime": 70.5}]}
    {"document": "talk", "start": 0, "end": 70, "title": "Intro"}

Times are seconds, or texts such as "1:02:45.5". `start` may be called `startTime` or `start_time`,
`end` `endTime` or `end_time`, and `title` `label`; what else an object has is ignored. A chapter
without an end continues to the next; the duration of the recording then comes from the same places
as for YouTube lists, or from `duration` beside `chapters`. Chapters that Podcasting 2.0 keeps out
of the table of contents (`"toc": false`) are no boundaries. Each object may name its `document` and
`coder`, as columns of tables do; in rows, `video`, `recording` or `episode` is the document, too.
`docs/chapters.schema.json` has the forms as a JSON Schema.

`vidchapters` (Yang et al. 2023; ActivityNet Captions have the same form) and `chapter-llama`
(Ventura et al. 2025): many videos in one file, by id. Titles are labels.

    {"id": {"duration": 300, "timestamps": [[0, 70], [70, 300]], "sentences": ["Intro", "End"]}}
    {"id": {"duration": 300, "chapters": {"0:00:00": "Intro", "0:01:10": "End"}}}

`chunkseg`: samples of chunkseg (Retkowski & Waibel), a recording per line, reference and hypothesis
in it: the seconds at which a segment ends and the next one starts; 0 among them has no effect.
Titles come with the start of their segment. chunkseg itself rounds times down to chunks of 6 s;
here an edge inside a unit is treated by the caller's policy.

    {"hypothesis": [24.2, 33.9], "reference": [11, 23, 34], "duration": 50,
     "reference_titles": [["Intro", 0], ["Middle", 11]], "hyp_titles": [["A", 0]]}

Durations are a table, or JSON {document: seconds}. Seconds may have a decimal comma; times may be
written as hours, minutes and seconds.

    document,duration
    talk1,3725.4
    talk2,1:02:45
"""

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from segscore.corpus.record import Record
from segscore.errors import about, number_of
from segscore.io import safe_parsing as objects
from segscore.io.files import REFERENCE, Source, expect
from segscore.io.placing import Stretch, TimedRow, time_of, timed_record, timed_records
from segscore.io.read_options import MICRO, microseconds
from segscore.io.safe_parsing import field, full_list, name_in
from segscore.io.table_columns import NAMES, RECORDINGS
from segscore.io.table_files import check_width, column_of, rows


def _time_in(owner: dict[str, Any], *keys: str) -> int:
    """The time by the first of the keys."""
    value = next((owner[key] for key in keys if owner.get(key) is not None), None)
    return time_of(value, keys[-1])


def _check_end(what: str, time: int, length: int) -> None:
    """Raise for a time after the end of a recording."""
    late = f"{what} {time / 1e6:g} s: expected it before the end, {length / 1e6:g} s"
    expect(time <= length, late)


# ---- lists of YouTube ----

_LINE = re.compile(
    r"\s*(?:[-*•–—▶►]\s*)?[\[(]?((?:[0-9]{1,3}:)?[0-9]{1,2}:[0-5][0-9])[\])]?"
    r"(?:\s*[-–—:|]\s+|\s+|\Z)(.*)"
)
_LEAST = 10 * MICRO
_EXPECTED = "expected three chapters or more, in order, the first at 0:00, each of 10 s or more"


def matches_youtube(lines: list[str]) -> bool:
    """Whether three lines or more begin with a time, the first of them with 0:00."""
    found = [match for match in map(_LINE.fullmatch, lines) if match is not None]
    return len(found) >= 3 and time_of(found[0][1]) == 0


def read_youtube(source: Source) -> Iterator[Record]:
    chapters: list[Stretch] = []
    for number, line in source.numbered_lines():
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        start = time_of(found[1])
        fits = start >= chapters[-1][0] + _LEAST if chapters else not start
        source.expect(fits, f"%s: {_EXPECTED}", line, line=number)
        chapters.append((start, None, found[2].strip()))
    source.expect(len(chapters) >= 3, f"chapters: {len(chapters)}: {_EXPECTED}")
    yield timed_record(source, chapters, _recording_length(source, source.document))


def _recording_length(source: Source, document: str) -> int | None:
    """The duration of a recording in microseconds, from the caller or from a file beside the
    list: JSON of yt-dlp, or a table of durations."""
    rule, path = source.choices.seconds, source.path
    with source.locating():
        length = (rule[1] if rule is not None else None) or source.choices.duration(document)
    if length:
        return length
    own = document == source.document  # called like the file
    for name in (f"{path.stem}.info.json", f"{path.stem}.json") if own else ():
        beside = replace(source, path=path.with_name(name), called=None)
        if beside.path.is_file():
            data = objects.json_value(beside, beside.read_text(), "yt-dlp's JSON")
            if isinstance(data, dict) and data.get("duration") is not None:
                with beside.locating():
                    return microseconds(data["duration"])
    beside = replace(source, path=path.with_name("durations.csv"), called=None)
    durations = durations_in(beside) if beside.path.is_file() else {}
    names = (path.stem, path.name) if own else (document,)
    return next((microseconds(durations[name]) for name in names if name in durations), None)


# ---- yt-dlp ----

_CHAPTERS = re.compile(r'"chapters"\s*:\s*(?:null|\[\s*\]|\[\s*\{[^{}]*"start_time")')


def _by_tool(text: str) -> bool:
    """Whether a text is of yt-dlp; its chapters may stand far below."""
    return '"extractor"' in text and '"webpage_url"' in text


def matches_yt_dlp(lines: list[str]) -> bool:
    text = "\n".join(lines).lstrip()
    return text.startswith("{") and (_by_tool(text) or _CHAPTERS.search(text) is not None)


def read_yt_dlp(source: Source) -> Iterator[Record]:
    data = objects.json_value(source, source.read_text(), "yt-dlp's JSON with chapters")
    source.expect(isinstance(data, dict), "%s: expected yt-dlp's JSON with chapters", data)
    name = data.get("id")
    document = name if isinstance(name, str) and name else source.document
    stretches: list[Stretch] = []
    with source.locating():
        length = None if data.get("duration") is None else microseconds(data["duration"])
        chapters = field({"chapters": [], **data}, "chapters", list, type(None)) or ()
        for index, chapter in enumerate(chapters):
            with about(f"chapters[{index}]"):
                keys = ("start_time", "end_time")
                start, end = (microseconds(field(chapter, key, int, float)) for key in keys)
                title = chapter.get("title")
                stretches.append((start, end, title if isinstance(title, str) else ""))
    if stretches:  # yt-dlp rounds the duration of some sites to seconds, and chapters to less
        length = max([length or 0, *(end or 0 for _, end, _ in stretches)])
    else:
        what = f"document {document!r}: no chapters and no duration: expected one"
        source.expect(length is not None, what)
        source.remark(f"document {document!r} has no chapters: one segment")
        stretches = [(0, length, "")]  # with a length, as is checked
    yield timed_record(source.of(document), stretches, length)


# ---- lists of stretches ----

_LISTS = 'chapters, as in [{"start": 0, "end": 70, "title": "Intro"}, …]'
_HELD = re.compile(r'\s*\{.*?"chapters"\s*:\s*(?=\[\s*\{)', re.DOTALL)
_START = ("startTime", "start_time", "start")
_END = ("endTime", "end_time", "end")
_KNOWN = frozenset((*NAMES["document"], *NAMES["coder"], *_START, *_END, "title", "label"))


def matches_chapters(lines: list[str]) -> bool:
    """Whether the first object is a chapter, or holds chapters other than those of yt-dlp."""
    text = "\n".join(lines)
    held = _HELD.match(text)
    if held is None:
        return objects.is_chapter(objects.opening_keys(lines))
    keys = objects.first_keys(text[held.end() :]) | {"end"}
    return not _by_tool(text) and objects.is_chapter(keys)


def read_chapters(source: Source) -> Iterator[Record]:
    """A record per document and coder."""
    found: dict[tuple[str, str], list[TimedRow]] = {}
    lengths: dict[str, int] = {}
    silent = 0
    for place, owner in objects.json_objects(source, _LISTS):
        with objects.placed(source, *place):
            expect(isinstance(owner, dict), f"%s: expected {_LISTS}", owner)
            names, unread = _names_and_unread(source, owner)
            inside = "chapters" in owner
            if inside and owner.get("duration") is not None:
                lengths[names[0]] = _time_in(owner, "duration")
            for index, chapter in enumerate(field(owner, "chapters", list) if inside else [owner]):
                with about(f"chapters[{index}]") if inside else nullcontext():
                    expect(isinstance(chapter, dict), "%s: expected an object", chapter)
                    if chapter.get("toc") is False:
                        silent += 1
                        continue
                    start, end, title = _stretch(chapter)
                    row = TimedRow(place[0], start, end, title, unread)
                    found.setdefault(names, []).append(row)
    source.expect(found, f"no chapter: expected {_LISTS}")
    if silent:
        silenced = number_of(silent, "chapter")
        source.remark(f"left out {silenced} outside of the table of contents (toc)")
    named_by = "key", "its name in the key 'document'"
    yield from timed_records(
        source, found, lambda name: lengths.get(name) or _recording_length(source, name), named_by
    )


def _names_and_unread(
    source: Source, owner: dict[str, Any]
) -> tuple[tuple[str, str], dict[str, str]]:
    """The document (a row may name its recording instead) and the coder that an object names, and
    its texts and numbers that mean nothing to this reader."""
    ignored = source.choices.ignore_columns
    called = [key for key in RECORDINGS if key in owner and "chapters" not in owner]
    known = called if len(called) == 1 and called[0] not in ignored else ()
    document = name_in(owner, (*NAMES["document"], *known), source.document)
    source.choices.notes.met |= {("column", key) for key in owner if key in ignored}
    unread = {
        key: str(value)
        for key, value in owner.items()
        if key not in _KNOWN and key not in ignored and isinstance(value, str | int)
    }
    return (document, name_in(owner, NAMES["coder"], source.coder)), unread


def _stretch(chapter: dict[str, Any]) -> Stretch:
    start, end = _time_in(chapter, *_START), None
    if any(chapter.get(key) is not None for key in _END):
        end = _time_in(chapter, *_END)
        expect(end > start, f"end is {end / 1e6:g} s: expected it after {start / 1e6:g} s")
    title = next((chapter[key] for key in ("title", "label") if chapter.get(key) is not None), "")
    expect(isinstance(title, str), "title is %s: expected a text", title)
    return start, end, title.strip()


# ---- data sets ----

_VIDEO = r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{'
_CHAPTERS_BY_START = re.compile(rf'{_VIDEO}.*?"chapters"\s*:\s*\{{\s*(?:"[0-9]|\}})', re.DOTALL)
Reader = Callable[[Source], Iterator[Record]]


def _videos(expected: str) -> Callable[[Callable[[Any, int], list[Stretch]]], Reader]:
    """The reader of a data set of videos by id, made from a function that finds the chapters of
    one, which has a duration."""

    def declared(chapters: Callable[[Any, int], list[Stretch]]) -> Reader:
        def read(source: Source) -> Iterator[Record]:
            for entry in objects.entries_by_name(source, expected, dict):
                with entry.locating():
                    length = _time_in(entry.fields, "duration")
                    stretches = chapters(entry.fields, length)
                yield timed_record(entry.source, stretches, length)

        return read

    return declared


def matches_vidchapters(lines: list[str]) -> bool:
    text = "\n".join(lines)
    keys = ('"timestamps"', '"sentences"', '"duration"')
    return all(key in text for key in keys) and re.match(_VIDEO, text) is not None


@_videos('videos, as in {"id": {"duration": 300, "timestamps": [[0, 70]], "sentences": ["Intro"]}}')
def read_vidchapters(video: Any, length: int) -> list[Stretch]:
    times = full_list(video, "timestamps")
    stretches: list[Stretch] = []
    titles = full_list(video, "sentences", len(times))
    for index, (edges, title) in enumerate(zip(times, titles, strict=True)):
        with about(f"timestamps[{index}]"):
            pair = edges if isinstance(edges, list) and len(edges) == 2 else (None, None)
            start, end, label = _stretch({"start": pair[0], "end": pair[1], "title": title})
            # durations are rounded to seconds, chapters to less
            _check_end("a chapter ends at", end or 0, length + MICRO)
            stretches.append((start, end, label))
    return stretches


def matches_chapter_llama(lines: list[str]) -> bool:
    return _CHAPTERS_BY_START.match("\n".join(lines)) is not None


@_videos('videos, as in {"id": {"duration": 300, "chapters": {"0:00:00": "Intro"}}}')
def read_chapter_llama(video: Any, length: int) -> list[Stretch]:
    chapters = field(video, "chapters", dict)
    stretches = [_stretch({"start": start, "title": title}) for start, title in chapters.items()]
    starts = [start for start, _, _ in stretches]
    fits = starts and len({*starts}) == len(starts)
    expect(fits, 'chapters: expected {"0:00:00": …}, each start once')
    _check_end("a chapter starts at", max(starts) + 1, length)
    return stretches


_SAMPLES = 'samples, as in {"hypothesis": [24.2], "reference": [11, 23.5], "duration": 50}'


def read_chunkseg(source: Source) -> Iterator[Record]:
    """Two records per sample."""
    for entry in objects.entries(source, _SAMPLES, ("id", "document", "video_id")):
        for coder, titled in (
            (REFERENCE, ("reference_titles",)),
            ("hypothesis", ("hyp_titles", "hypothesis_titles")),
        ):
            with entry.locating(coder):
                length = _time_in(entry.fields, "duration")
                titles = next((key for key in titled if entry.fields.get(key)), titled[0])
                labels = _labels_by_start(entry.fields, coder, titles, length)
            stretches: list[Stretch] = [(start, None, label) for start, label in labels.items()]
            record = timed_record(entry.source.of(coder=coder), stretches, length)
            yield replace(record, kind=None if coder == REFERENCE else "system")


def _labels_by_start(sample: dict[str, Any], side: str, key: str, length: int) -> dict[int, str]:
    """The title of each segment, by its start in microseconds, 0 first."""
    times = [time_of(time, f"{side}[{i}]") for i, time in enumerate(field(sample, side, list))]
    inside = sorted(time for time in times if time)
    expect(len({*inside}) == len(inside), f"{side} has a time twice: expected each once")
    _check_end(f"{side} has", max(inside, default=-1) + 1, length)
    labels = dict.fromkeys([0, *inside], "")
    titled = set()
    for index, title in enumerate(field(sample, key, list, type(None)) or ()):
        with about(f"{key}[{index}]"):
            pair = title if isinstance(title, list) and len(title) == 2 else ("-", None)
            start = time_of(pair[1], "its start")
            fits = start in labels and start not in titled
            expect(fits, "%s: expected a title and the start of a segment, each once", title)
            titled.add(start)
            labels[start] = objects.as_name(pair[0], "title").strip()
    return labels


# ---- how long recordings are ----

_RECORDING = ("document", "doc", "doc_id", "document_id", "file", "filename", "id", "name", "video")
_DURATION = ("duration", "seconds", "length", "duration_s", "length_s")


def durations_in(source: Source) -> dict[str, float]:
    """The seconds of each document in a file."""
    found: dict[str, float] = {}
    for line, name, value in _duration_rows(source):
        with source.locating(line), about(f"document {name!r}"):
            expect(name not in found, "it is listed twice: expected it once")
            found[name] = time_of(value, "duration") / MICRO
    return found


def _duration_rows(source: Source) -> Iterator[tuple[int | None, str, Any]]:
    """The line, the document and the duration of each row."""
    if source.suffix == ".json":
        data = objects.json_value(source, source.read_text(), "{document: seconds}")
        source.expect(isinstance(data, dict), "%s: expected {document: seconds}", data)
        yield from ((None, name, str(value)) for name, value in data.items())
        return
    table = rows(source)
    line, header = next(table)
    document, duration = (column_of(header, known) for known in (_RECORDING, _DURATION))
    if document is None or duration is None:
        raise source.fail(f"the header is {','.join(header)!r}: expected document,duration", line)
    for line, cells in table:
        with source.locating(line):
            check_width(cells, header)
        yield line, cells[document].strip(), cells[duration]
