"""Chapters of many videos in one JSON file, with the times of each: VidChapters and Chapter-Llama.

`vidchapters` (Yang et al. 2023; ActivityNet Captions have the same form): times in seconds.

    {"id": {"duration": 300, "timestamps": [[0, 70], [70, 300]], "sentences": ["Intro", "End"]}}

`chapter-llama` (Ventura et al. 2025): the start of each chapter and its title; a chapter continues
to the next, the last chapter to the end.

    {"id": {"duration": 300, "chapters": {"0:00:00": "Intro", "0:01:10": "End"}}}

The document is the video's id, the label of a segment the title. Units are time (`seconds:6`).
Stretches of VidChapters that leave gaps or overlap are treated by the caller's policy.
"""

import re
from collections.abc import Iterator
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import TIMED, tool_format
from segscore.io.formats.chapters import named_time
from segscore.io.json_objects import objects_by_name
from segscore.io.placing import Stretch, stretch_record

_TIMED = 'videos, as in {"id": {"duration": 300, "timestamps": [[0, 70]], "sentences": ["Intro"]}}'
_STARTS = 'videos, as in {"id": {"duration": 300, "chapters": {"0:00:00": "Intro"}}}'
_ROUNDED = 10**6  # microseconds: durations of videos are rounded to seconds, chapters to less
_VIDEO = r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{'
_FIRST = re.compile(_VIDEO)
_CHAPTERS = re.compile(rf'{_VIDEO}.*?"chapters"\s*:\s*\{{\s*(?:"[0-9]|\}})', re.DOTALL)


def matches_timed(lines: list[str]) -> bool:
    """Whether there are objects by name with times and sentences."""
    text = "\n".join(lines)
    both = '"timestamps"' in text and '"sentences"' in text
    return both and '"duration"' in text and _FIRST.match(text) is not None


def matches_starts(lines: list[str]) -> bool:
    """Whether there are objects by name with chapters by their start."""
    return _CHAPTERS.match("\n".join(lines)) is not None


def read_timed(source: Source) -> Iterator[Record]:
    """A record per video."""
    for document, video in objects_by_name(source, _TIMED):
        with source.locating(), about(whereabouts(document, source.coder)):
            owner = _video(video, _TIMED)
            times, titles = owner.get("timestamps"), owner.get("sentences")
            if not isinstance(times, list) or not times:
                raise SegmentationError(f"timestamps is {shown(times)}: expected [[start, end], …]")
            if not isinstance(titles, list) or len(titles) != len(times):
                had = f"has {len(titles)}" if isinstance(titles, list) else f"is {shown(titles)}"
                raise SegmentationError(
                    f"sentences {had}: expected a list of {len(times)}, as timestamps"
                )
            stretches = [
                _stretch(edges, title, index)
                for index, (edges, title) in enumerate(zip(times, titles, strict=True))
            ]
            length = _duration(owner)
            late = max(end or 0 for _, end, _ in stretches)
            if late > length + _ROUNDED:
                raise SegmentationError(
                    f"a chapter ends at {late / 1e6:g} s: expected it at the end at most, "
                    f"{length / 1e6:g} s"
                )
        yield stretch_record(source, document, source.coder, stretches, length)


def read_starts(source: Source) -> Iterator[Record]:
    """A record per video."""
    for document, video in objects_by_name(source, _STARTS):
        with source.locating(), about(whereabouts(document, source.coder)):
            owner = _video(video, _STARTS)
            chapters = owner.get("chapters")
            if not isinstance(chapters, dict) or not chapters:
                raise SegmentationError(f'chapters is {shown(chapters)}: expected {{"0:00:00": …}}')
            starts = {named_time(start, "a chapter's start"): _title(title, start)
                      for start, title in chapters.items()}  # fmt: skip
            if len(starts) != len(chapters):
                raise SegmentationError("two chapters start at one time: expected one")
            length = _duration(owner)
            late = max(starts)
            if late >= length:
                raise SegmentationError(
                    f"a chapter starts at {late / 1e6:g} s: expected it before the end, "
                    f"{length / 1e6:g} s"
                )
        stretches: list[Stretch] = [(start, None, title) for start, title in starts.items()]
        yield stretch_record(source, document, source.coder, stretches, length)


def _video(video: Any, expected: str) -> dict[str, Any]:
    if not isinstance(video, dict):
        raise SegmentationError(f"{shown(video)}: expected {expected}")
    return video


def _stretch(edges: Any, title: Any, index: int) -> Stretch:
    with about(f"timestamps[{index}]"):
        if not isinstance(edges, list) or len(edges) != 2:
            raise SegmentationError(f"{shown(edges)}: expected [start, end]")
        start, end = (named_time(edge, "a time") for edge in edges)
        if end <= start:
            raise SegmentationError(f"end is {end / 1e6:g} s: expected it after {start / 1e6:g} s")
        return start, end, _title(title, index)


def _title(title: Any, which: Any) -> str:
    if title is not None and not isinstance(title, str):
        raise SegmentationError(f"the title at {which} is {shown(title)}: expected a text")
    return (title or "").strip()


def _duration(owner: dict[str, Any]) -> int:
    length = named_time(owner.get("duration"), "duration")
    if not length:
        raise SegmentationError("duration is 0: expected seconds")
    return length


VIDCHAPTERS = tool_format(
    "vidchapters", "VidChapters' JSON", ".json", "labels", matches_timed, read_timed,
    '"timestamps"', keys=TIMED,
)  # fmt: skip
CHAPTER_LLAMA = tool_format(
    "chapter-llama", "Chapter-Llama's JSON", ".json", "labels", matches_starts, read_starts,
    '"chapters"', keys=TIMED,
)  # fmt: skip
