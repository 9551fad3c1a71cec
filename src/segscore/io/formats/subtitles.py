"""WebVTT and SRT: cues with start, end and text; each cue is a segment, its text the label.

    WEBVTT

    intro
    00:00:00.000 --> 00:00:12.500
    Introduction

Hours may be left out in WebVTT; blocks `NOTE`, `STYLE` and `REGION` are ignored, and so are
identifiers, settings and tags. An empty line ends a cue; a line of spaces does not. SRT writes
commas (points are read, too) and numbers its cues. The whole lasts until the last cue ends, unless
the units (`seconds:6:3600`) say otherwise.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from segscore.corpus.record import Record
from segscore.io.files import Source
from segscore.io.format import TIMED, Format, tool_format
from segscore.io.placing import timed_record
from segscore.io.read_options import MICRO

_TIME = r"(?:([0-9]{1,6}):)?([0-5]?[0-9]):([0-5]?[0-9])[.,]([0-9]{1,3})"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
_TAG = re.compile(r"<[^<>]*>")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]+([^<>]+)>")
_ASIDE = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|\Z)")


class Cue(NamedTuple):
    """A cue: its times in microseconds, its text, and its speaker, if WebVTT names one (`<v
    Ann>`)."""

    start: int
    end: int
    text: str
    voice: str | None


def matches_vtt(lines: list[str]) -> bool:
    """Whether the first line is the header of WebVTT."""
    return bool(lines) and re.match(r"WEBVTT(?:\s|\Z)", lines[0]) is not None


def matches_srt(lines: list[str]) -> bool:
    """Whether the file begins with a number, then times."""
    filled = [line for line in lines if line.strip()][:2]
    return len(filled) == 2 and filled[0].strip().isdigit() and bool(_TIMES.match(filled[1]))


def read_vtt(source: Source) -> Iterator[Record]:
    """The record of a file."""
    yield _record(source, _cues(source, is_vtt=True))


def read_srt(source: Source) -> Iterator[Record]:
    """The record of a file."""
    yield _record(source, _cues(source, is_vtt=False))


def _record(source: Source, cues: list[Cue]) -> Record:
    stretches = [(cue.start, cue.end, cue.text) for cue in cues]
    return timed_record(source, source.document, source.coder, stretches)


def spoken_cues(source: Source, kind: Format) -> list[Cue]:
    """The cues that have a text, in the order of time."""
    cues = (cue for cue in _cues(source, is_vtt=kind.name == VTT.name) if cue.text)
    return sorted(cues, key=lambda cue: cue.start)


def _cues(source: Source, is_vtt: bool) -> list[Cue]:
    lines = source.read_lines()
    blocks = _blocks(lines)
    if is_vtt:
        if not matches_vtt(lines):
            raise source.fail(f"{(lines or [''])[0]!r}: expected WEBVTT", 1)
        head = next(blocks)  # WEBVTT, and what may follow it up to a blank line
        if any("-->" in line for line in head[1]):
            raise source.fail("a cue in the first block: expected a blank line after WEBVTT", 1)
        blocks = (block for block in blocks if not _ASIDE.match(block[1][0]))
    cues = [_cue(source, number, block) for number, block in blocks]
    if not cues:
        raise source.fail("no cue: expected times, as in 00:00:00.000 --> 00:00:12.500")
    return cues


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The (number of the first line, lines) of each block; an empty line ends it.

    A line of spaces belongs to the block, as in YouTube's captions, unless a cue starts after it.
    """
    block: list[str] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip() or (block and line and not _starts_cue(lines[number : number + 2])):
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []


def _starts_cue(lines: list[str]) -> bool:
    """Whether these two lines are times, or an identifier and times."""
    times = [_TIMES.fullmatch(line) is not None for line in lines]
    return any(times[:1]) or (any(times) and bool(lines[0].strip()))


def _cue(source: Source, number: int, block: list[str]) -> Cue:
    at = 0 if "-->" in block[0] else 1
    found = _TIMES.fullmatch(block[at]) if at < len(block) else None
    if found is None:
        line = block[min(at, len(block) - 1)]
        raise source.fail(
            f"{line!r}: expected times, as in 00:00:00.000 --> 00:00:12.500",
            number + min(at, len(block) - 1),
        )
    start, end = _time(found.groups()[:4]), _time(found.groups()[4:])
    if end <= start:
        raise source.fail(f"{block[at]!r}: expected an end after the start", number + at)
    written = " ".join(block[at + 1 :])
    words = html.unescape(_TAG.sub("", written)).split()
    voice = _VOICE.search(written)
    return Cue(start, end, " ".join(words), html.unescape(voice[1]).strip() if voice else None)


def _time(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds, fraction = (part or "0" for part in parts)
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * MICRO + int(fraction.ljust(6, "0"))


VTT = tool_format("webvtt", "WebVTT", ".vtt", "labels", matches_vtt, read_vtt, "WEBVTT", keys=TIMED)
SRT = tool_format("srt", "SubRip", ".srt", "labels", matches_srt, read_srt, "-->", keys=TIMED)
