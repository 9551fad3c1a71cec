"""Tools that mark stretches of time: subtitles, Audacity, mir_eval, Praat, ELAN.

WebVTT and SRT: cues with start, end and text; each cue is a segment, its text the label.

    WEBVTT

    intro
    00:00:00.000 --> 00:00:12.500
    Introduction

Hours may be left out in WebVTT; blocks `NOTE`, `STYLE` and `REGION` are ignored, and so are
identifiers, settings and tags. An empty line ends a cue; a line of spaces does not. SRT writes
commas (points are read, too) and numbers its cues. The whole lasts until the last cue ends, unless
the units (`seconds:6:3600`) say otherwise.

Lines of start, end and label, in seconds: Audacity's labels and mir_eval's `.lab`.

    0.000000	12.500000	intro

`audacity`: cells separated by tabs; lines that begin with a backslash (the range of frequencies)
are ignored; a label whose start is its end is a point, and all of them must be points, or none. A
segment goes from point to point; the last continues to the end, which the units (`seconds:6:3600`)
or a list of durations must give.

`lab`: cells separated by spaces or tabs, the label the rest of the line; `#` begins a comment.

Praat TextGrid, in its long and its short form.

Each tier is a coding, and its name the coder; `layer` chooses one. Intervals without a text are
gaps. A tier of points has a segment from each point to the next, the first from the start, and a
point's mark labels the segment that it starts. UTF-8, or UTF-16 with its mark. A text may hold line
ends; a quote in it is doubled.

The two forms differ only in the words between the values, so both are read as the row of their
values: texts in quotes, numbers and flags.

ELAN's .eaf: tiers of annotations between time slots, in milliseconds.

Each tier with annotations is a coding, and its name the coder; `layer` chooses one. A time slot
without a value lies between its neighbours, as ELAN shows it: slots in a row without a value are
spread evenly. An annotation that refers to another (REF_ANNOTATION) has the time of the other;
several that refer to the same share its time evenly, in the order of the file. The whole lasts
until the last time slot.
"""

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.format import TIERS, TIMED, Format, told_by_suffix, tool_format
from segscore.io.placing import Stretch, tier_records, timed_record
from segscore.io.read_options import MICRO, microseconds
from segscore.io.safe_parsing import xml_root
from segscore.io.table_files import whole

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


# ---- subtitles ----

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


# ---- intervals ----

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


# ---- textgrid ----

# a number or a flag stands by itself: not inside "[1]", and not as part of a word
_VALUE = re.compile(
    r'"(?P<text>(?:[^"]|"")*+)"|(?:(?<=\s)|\A)(?P<plain>-?[0-9][0-9.eE+-]*|<[a-z]+>)(?=\s|\Z)'
)


def _matches_textgrid(lines: list[str]) -> bool:
    """Whether the first lines are those of a TextGrid."""
    head = " ".join(lines[:3])
    return "ooTextFile" in head and "TextGrid" in head


def _read_textgrid(source: Source) -> Iterator[Record]:
    """A record per tier."""
    values = _Values(source)
    if values.text() != "ooTextFile" or values.text() != "TextGrid":
        raise source.fail('expected a TextGrid: File type = "ooTextFile", class "TextGrid"', 1)
    start, end = values.time(), values.time()
    if values.plain() != "<exists>":
        raise source.fail("there is no tier: expected <exists>")
    tiers: dict[str, list[Stretch]] = {}
    for _ in range(values.count()):
        kind = values.text()
        if kind not in ("IntervalTier", "TextTier"):
            raise source.fail(
                f"a tier is a {shown(kind)}: expected 'IntervalTier' or 'TextTier'", values.line
            )
        name = values.text()
        if name in tiers or not name:
            raise source.fail(f"a tier is called {name!r}: expected names, each once", values.line)
        values.time(), values.time()
        if kind == "IntervalTier":
            found = [values.interval() for _ in range(values.count())]
            tiers[name] = [interval for interval in found if interval[2]]
        else:
            points = [(values.time(), values.label()) for _ in range(values.count())]
            first = next((label for at, label in points if at <= start), "")
            inner = [(at, None, label) for at, label in points if start < at < end]
            tiers[name] = [(start, None, first), *inner] if start < end else []
    yield from tier_records(source, tiers, end)


class _Values:
    """The values of a TextGrid, one after the other."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._all = _text(source)
        self._found = _VALUE.finditer(self._all)
        self._at = 0

    @property
    def line(self) -> int:
        """The line of the last value."""
        return 1 + self._all.count("\n", 0, self._at)

    def _next(self, group: str, expected: str) -> str:
        found = next(self._found, None)
        if found is None:
            raise self._source.fail(f"the file ends here: expected {expected}", self.line)
        self._at = found.start()
        value = found[group]
        if value is None:
            raise self._source.fail(f"{shown(found[0])}: expected {expected}", self.line)
        return str(value)

    def text(self) -> str:
        """A text in quotes."""
        return self._next("text", 'a text in quotes, "…"').replace('""', '"')

    def plain(self) -> str:
        """A number or a flag."""
        return self._next("plain", "a number or <exists>")

    def time(self) -> int:
        """A time, in microseconds."""
        value = self._next("plain", "a time in seconds")
        try:
            return microseconds(value)
        except SegmentationError as error:  # only now: to count lines takes a while
            raise self._source.fail(str(error), self.line) from None

    def count(self) -> int:
        """The number of items that follow."""
        value = self._next("plain", "a whole number")
        if not re.fullmatch("[0-9]{1,9}", value):
            raise self._source.fail(f"{value!r}: expected a whole number", self.line)
        return int(value)

    def label(self) -> str:
        """A text without the space around it."""
        return self.text().strip()

    def interval(self) -> Stretch:
        """Start, end and text."""
        start, end, label = self.time(), self.time(), self.label()
        if end <= start:
            raise self._source.fail("an interval ends before it starts", self.line)
        return start, end, label


def _text(source: Source) -> str:
    """The text of the file; a TextGrid in UTF-16 is known by its first bytes."""
    with source.path.open("rb") as stream:
        head = stream.read(2)
    if source.encoding is None and head in (b"\xff\xfe", b"\xfe\xff"):
        source = replace(source, encoding="utf-16")
    return source.read_text().replace("\r\n", "\n").replace("\r", "\n")


TEXTGRID = tool_format(
    "textgrid",
    "Praat TextGrid",
    ".textgrid",
    "units labels",
    _matches_textgrid,
    _read_textgrid,
    "ooTextFile",
    keys="durations layer policy word-times",
)


# ---- elan ----

_EXPECTED = "ELAN's ANNOTATION_DOCUMENT"
_MILLI = 1000  # microseconds


def _matches_elan(lines: list[str]) -> bool:
    """Whether the root element is ELAN's."""
    return "<ANNOTATION_DOCUMENT" in "\n".join(lines)


def _read_elan(source: Source) -> Iterator[Record]:
    """A record per tier."""
    root = xml_root(source, _EXPECTED)
    if root.tag != "ANNOTATION_DOCUMENT":
        raise source.fail(f"the root is <{root.tag}>: expected {_EXPECTED}")
    with source.locating():
        slots = _slots(root)
        times = _Times(slots, root)
        tiers: dict[str, list[Stretch]] = {}
        for tier in root.iter("TIER"):
            name = tier.get("TIER_ID") or ""
            if not name or name in tiers:
                raise SegmentationError(f"a tier is called {name!r}: expected names, each once")
            found = [_stretch(each, times) for each in tier.iterfind("ANNOTATION/*")]
            if found:
                tiers[name] = found
    yield from tier_records(source, tiers, max(slots.values(), default=0))


def _slots(root: "Element") -> dict[str, int]:
    """The time of each slot, in microseconds."""
    found: dict[str, int | None] = {}
    for slot in root.iterfind("TIME_ORDER/TIME_SLOT"):
        name, value = slot.get("TIME_SLOT_ID") or "", slot.get("TIME_VALUE")
        what = f"TIME_VALUE of {name!r}"
        found[name] = None if value is None else _MILLI * whole(value, what, "milliseconds")
    known = [(at, time) for at, time in enumerate(found.values()) if time is not None]
    if not known:
        raise SegmentationError("no time slot has a value: expected TIME_VALUE in some")
    places, values = zip(*known, strict=True)
    times = np.interp(np.arange(len(found)), places, values)
    return {name: round(time) for name, time in zip(found, times.tolist(), strict=True)}


class _Times:
    """The start and end of each annotation, by its id, in microseconds."""

    def __init__(self, slots: dict[str, int], root: "Element") -> None:
        self._slots = slots
        self._known: dict[str, tuple[int, int]] = {}
        self._parent: dict[str, str] = {}
        self._place: dict[str, tuple[str, int]] = {}  # tier, and which child of its parent there
        self._children: Counter[tuple[str, str]] = Counter()  # by tier and parent
        for tier in root.iter("TIER"):
            for annotation in tier.iterfind("ANNOTATION/*"):
                self._add(annotation, tier.get("TIER_ID") or "")

    def _add(self, annotation: "Element", tier: str) -> None:
        name = annotation.get("ANNOTATION_ID") or ""
        parent = annotation.get("ANNOTATION_REF")
        if name in self._known or name in self._parent:
            raise SegmentationError(f"annotation {name!r} is listed twice: expected it once")
        if parent is None:
            first, last = (
                annotation.get("TIME_SLOT_REF1") or "",
                annotation.get("TIME_SLOT_REF2") or "",
            )
            for slot in (first, last):
                if slot not in self._slots:
                    raise SegmentationError(
                        f"annotation {name!r}: no time slot is called {slot!r}: expected one of "
                        "TIME_ORDER"
                    )
            self._known[name] = self._slots[first], self._slots[last]
        else:
            self._parent[name] = parent
            self._place[name] = tier, self._children[tier, parent]
            self._children[tier, parent] += 1

    def __call__(self, name: str) -> tuple[int, int]:
        """The start and end; what they depend on is computed first, and once."""
        chain: dict[str, None] = {}  # from the annotation up to one that has a time
        at: str | None = name
        while at not in self._known:
            above = self._parent.get(at) if at is not None else None
            if at is None or above is None or above in chain:
                raise SegmentationError(
                    f"annotation {name!r} refers to {shown(at if above is None else above)}: "
                    "expected one that has a time"
                )
            chain[at] = None
            at = above
        for child in reversed(chain):
            parent = self._parent[child]
            (tier, index), (start, end) = self._place[child], self._known[parent]
            parts = self._children[tier, parent]
            self._known[child] = (
                start + (end - start) * index // parts,
                start + (end - start) * (index + 1) // parts,
            )
        return self._known[name]


def _stretch(annotation: "Element", times: _Times) -> Stretch:
    name = annotation.get("ANNOTATION_ID") or ""
    start, end = times(name)
    if end <= start:
        raise SegmentationError(f"annotation {name!r} ends before it starts")
    return start, end, (annotation.findtext("ANNOTATION_VALUE") or "").strip()


ELAN = tool_format(
    "elan",
    "ELAN",
    ".eaf",
    "units labels",
    _matches_elan,
    _read_elan,
    "<ANNOTATION_DOCUMENT",
    keys=TIERS,
)
