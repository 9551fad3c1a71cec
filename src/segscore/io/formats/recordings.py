"""Stretches of time that people and programs mark: Audacity, mir_eval, RTTM, CTM, Praat, ELAN.

Lines of start, end and label, in seconds: Audacity's labels and mir_eval's `.lab`; and of start and
duration: RTTM and CTM of NIST.

    0.000000	12.500000	intro

    SPEAKER talk 1 0.00 12.50 <NA> <NA> ann <NA> <NA>       (RTTM: start, duration, speaker)
    talk 1 0.00 0.35 hello 0.98                             (CTM: start, duration, word)

`audacity`: cells separated by tabs; lines that begin with a backslash (the range of frequencies)
are ignored; a label whose start is its end is a point, and all of them must be points, or none. A
segment goes from point to point; the last continues to the end, which the units (`seconds:6:3600`)
or a list of durations must give.

`lab`: cells separated by spaces or tabs, the label the rest of the line; `#` begins a comment.

`rttm`: each turn is a segment and its speaker the label; turns of the same speaker without a pause
between them are one segment. The recording that a line names is the document. Lines other than
SPEAKER are ignored. `ctm`: words with times.

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

Speech with times: subtitles, CTM, and the JSON of speech recognisers.

WebVTT and SRT: cues with start, end and text; each cue is a segment, its text the label.

    WEBVTT

    intro
    00:00:00.000 --> 00:00:12.500
    Introduction

Hours may be left out in WebVTT; blocks `NOTE`, `STYLE` and `REGION` are ignored, and so are
identifiers, settings and tags. An empty line ends a cue; a line of spaces does not. SRT writes
commas (points are read, too) and numbers its cues. The whole lasts until the last cue ends, unless
the units (`seconds:6:3600`) say otherwise.

`transcript`: Whisper, WhisperX, AWS Transcribe, Deepgram and the like: segments with `start`, `end`
and `text`, or words with times. `ctm`: words with times.

The units are words, and segments start where those of the transcript start; with `seconds:6` units
are stretches of time. If there are words but no segments, or segments but no words, the units have
no coding: they are read as a text, which `segscore segment` can cut.
"""

import html
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import check_choice
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, about
from segscore.io.files import Source, expect, with_line_ends
from segscore.io.format import Format
from segscore.io.placing import Stretch, tier_records, time_of, timed_record
from segscore.io.read_options import microseconds
from segscore.io.safe_parsing import first_keys, is_chapter, json_value, xml_root
from segscore.io.table_files import whole
from segscore.text.unit_splitting import Stretches

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


# ---- a stretch per line ----

_NUMBER = r"([0-9]{1,9}(?:\.[0-9]*)?)"
_AUDACITY = re.compile(rf"(){_NUMBER}\t{_NUMBER}(?:\t(.*))?")
_LAB = re.compile(rf"()\s*{_NUMBER}[ \t]+{_NUMBER}(?:[ \t]+(.*))?")
_RTTM = re.compile(r"SPEAKER\s+(\S+)\s+\S+\s+(\S+)\s+(\S+)\s+\S+\s+\S+\s+(\S+)(?:\s.*)?")
_RTTM_ASIDE = re.compile(
    r"(?:SPKR-INFO|LEXEME|NON-LEX|NON-SPEECH|SEGMENT|NOSCORE|NO_RT_METADATA|FILLER|EDIT|SU|IP|CB"
    r"|A/P)\s+\S+\s+\S+\s.*"
)
_CTM = re.compile(r"(\S+)\s+\S+\s+([0-9]*\.?[0-9]+)\s+([0-9]*\.?[0-9]+)\s+(\S+)(?:\s.*)?")

Spoken = tuple[int, int, str]  # start and end in microseconds, and the word, text or speaker


def _stretches(
    source: Source, lines: Iterable[str], pattern: re.Pattern[str], expected: str, *, lasting: bool
) -> dict[str, list[Spoken]]:
    """The stretches of each recording that lines name; of none, the name is empty.

    pattern: its groups are recording, start, end (or, if `lasting`, duration) and label.
    """
    found: dict[str, list[Spoken]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = source.matched(pattern, line, number, expected)
        with source.locating(number):
            start, end = microseconds(row[2]), microseconds(row[3])
            end += start * lasting
            expect(start <= end, "%s: expected an end after the start", line)
        found.setdefault(row[1], []).append((start, end, (row[4] or "").strip()))
    source.expect(found, f"the file is empty: expected lines {expected}")
    return found


def matches_audacity(lines: list[str]) -> bool:
    """Whether the first line is a label with tabs and a decimal point."""
    return bool(lines) and "." in lines[0] and _AUDACITY.fullmatch(lines[0]) is not None


def read_audacity(source: Source) -> Iterator[Record]:
    """The record of a file."""
    lines = (line if not line.startswith("\\") else "" for line in source.read_lines())
    expected = "START<TAB>END<TAB>LABEL, in seconds"
    (found,) = _stretches(source, lines, _AUDACITY, expected, lasting=False).values()
    stretches: list[Stretch] = [*found]
    points = [start for start, end, _ in found if start == end]
    what = "some labels are points and some are not: expected points only, or none"
    source.expect(len(points) in (0, len(found)), what)
    if points:
        stretches = [(start, None, label) for start, _, label in found]
        if min(points):
            stretches.append((0, None, ""))
    yield timed_record(source, stretches)


def read_lab(source: Source) -> Iterator[Record]:
    """The record of a file."""
    lines = (line.partition("#")[0].rstrip() for line in source.read_lines())
    expected = "START END LABEL, in seconds"
    (found,) = _stretches(source, lines, _LAB, expected, lasting=False).values()
    yield timed_record(source, found)


def _nist_lines(source: Source, aside: re.Pattern[str] | None = None) -> Iterator[str]:
    """The lines of a file of NIST, blank where they say something else."""
    for line in map(str.strip, source.read_lines()):
        other = line.startswith((";;", "#")) or (aside is not None and aside.match(line))
        yield "" if other else line


def matches_rttm(lines: list[str]) -> bool:
    """Whether the first line has a type of RTTM."""
    first = next((line for line in lines if line.strip() and not line.startswith(";;")), "")
    return re.match(r"SPEAKER\s+\S+\s+\S+\s", first) is not None or bool(_RTTM_ASIDE.match(first))


def read_rttm(source: Source) -> Iterator[Record]:
    """A record per recording; adjacent turns of the same speaker are one segment."""
    lines = _nist_lines(source, _RTTM_ASIDE)
    found = _stretches(source, lines, _RTTM, "SPEAKER FILE 1 START DURATION …", lasting=True)
    for document, turns in found.items():
        joined: list[Spoken] = []
        for start, end, speaker in sorted(turns):
            before, reached, name = joined[-1] if joined else (0, -1, "")
            if name == speaker and start <= reached:
                joined[-1] = (before, max(end, reached), speaker)
            else:
                joined.append((start, end, speaker))
        yield timed_record(source.of(document), joined)


def ctm_words(source: Source) -> dict[str, list[Spoken]]:
    """The words of each recording of a CTM, in order."""
    expected = "FILE CHANNEL START DURATION WORD"
    found = _stretches(source, _nist_lines(source), _CTM, expected, lasting=True)
    return {name: sorted(words, key=lambda word: word[:2]) for name, words in found.items()}


# ---- textgrid ----

# a number or a flag stands by itself: not inside "[1]", and not as part of a word
_VALUE = re.compile(
    r'"(?P<text>(?:[^"]|"")*+)"|(?:(?<=\s)|\A)(?P<plain>-?[0-9][0-9.eE+-]*|<[a-z]+>)(?=\s|\Z)'
)


def matches_textgrid(lines: list[str]) -> bool:
    """Whether the first lines are those of a TextGrid."""
    head = " ".join(lines[:3])
    return "ooTextFile" in head and "TextGrid" in head


class _Values:
    """The values of a TextGrid, one after the other."""

    def __init__(self, text: str, source: Source) -> None:
        self._text, self._source = text, source
        self._found, self._at = _VALUE.finditer(text), 0

    @contextmanager
    def locating(self) -> Iterator[None]:
        """Name the line in an error; only there, because to count lines takes a while."""
        try:
            yield
        except SegmentationError as error:
            raise self._source.fail(str(error), 1 + self._text.count("\n", 0, self._at)) from None

    def take(self, convert: Callable[[str], Any] | None = None) -> Any:
        """The next value: a text in quotes; or a number or a flag, which is converted."""
        value = next(self._found, None)
        expected = 'a text in quotes, "…"' if convert is None else "a number or <exists>"
        with self.locating():
            if value is None:
                raise SegmentationError(f"the file ends here: expected {expected}")
            self._at = value.start()
            found = value["text" if convert is None else "plain"]
            expect(found is not None, f"%s: expected {expected}", value[0])
            return found.replace('""', '"') if convert is None else convert(found)


_count = partial(whole, what="the number of items", expected="a whole number")


def read_textgrid(source: Source) -> Iterator[Record]:
    """A record per tier."""
    with source.path.open("rb") as stream:
        wide = stream.read(2) in (b"\xff\xfe", b"\xfe\xff")  # which says that it is UTF-16
    encoding = "utf-16" if wide and source.encoding is None else source.encoding
    values = _Values(with_line_ends(replace(source, encoding=encoding).read_text()), source)
    fits = values.take() == "ooTextFile" and values.take() == "TextGrid"
    source.expect(fits, 'expected a TextGrid: File type = "ooTextFile", class "TextGrid"', line=1)
    start, end = values.take(microseconds), values.take(microseconds)
    source.expect(values.take(str) == "<exists>", "there is no tier: expected <exists>")
    tiers: dict[str, list[Stretch]] = {}
    for _ in range(values.take(_count)):
        kind = values.take()
        with values.locating():
            check_choice(kind, "class", ("IntervalTier", "TextTier"))
            name = values.take()
            once = name and name not in tiers
            expect(once, f"a tier is called {name!r}: expected names, each once")
        values.take(microseconds), values.take(microseconds)
        tiers[name] = _tier(values, kind, start, end)
    yield from tier_records(source, tiers, end)


def _tier(values: _Values, kind: str, start: int, end: int) -> list[Stretch]:
    if kind == "IntervalTier":
        found = [
            (values.take(microseconds), values.take(microseconds), values.take())
            for _ in range(values.take(_count))
        ]
        with values.locating():
            expect(all(row[0] < row[1] for row in found), "an interval ends before it starts")
        return [(first, last, text.strip()) for first, last, text in found if text.strip()]
    points = [
        (values.take(microseconds), values.take().strip()) for _ in range(values.take(_count))
    ]
    first = next((label for at, label in points if at <= start), "")
    inner = [(at, None, label) for at, label in points if start < at < end]
    return [(start, None, first), *inner] if start < end else []


# ---- elan ----

_EXPECTED = "ELAN's ANNOTATION_DOCUMENT"


def matches_elan(lines: list[str]) -> bool:
    """Whether the root element is ELAN's."""
    return "<ANNOTATION_DOCUMENT" in "\n".join(lines)


def read_elan(source: Source) -> Iterator[Record]:
    """A record per tier."""
    root = xml_root(source, _EXPECTED)
    is_elan = root.tag == "ANNOTATION_DOCUMENT"
    source.expect(is_elan, f"the root is <{root.tag}>: expected {_EXPECTED}")
    with source.locating():
        slots = _slots(root)
        times = _times(root, slots)
        tiers: dict[str, list[Stretch]] = {}
        for tier in root.iter("TIER"):
            name = tier.get("TIER_ID") or ""
            once = name and name not in tiers
            expect(once, f"a tier is called {name!r}: expected names, each once")
            found: list[Stretch] = []
            for each in tier.iterfind("ANNOTATION/*"):
                label = (each.findtext("ANNOTATION_VALUE") or "").strip()
                found.append((*times[each.get("ANNOTATION_ID") or ""], label))
            if found:
                tiers[name] = found
    yield from tier_records(source, tiers, max(slots.values(), default=0))


def _slots(root: "Element") -> dict[str, int]:
    """The time of each slot, in microseconds."""
    found: dict[str, int | None] = {}
    for slot in root.iterfind("TIME_ORDER/TIME_SLOT"):
        name, value = slot.get("TIME_SLOT_ID") or "", slot.get("TIME_VALUE")
        what = f"TIME_VALUE of {name!r}"
        found[name] = None if value is None else 1000 * whole(value, what, "milliseconds")
    known = [(at, time) for at, time in enumerate(found.values()) if time is not None]
    expect(known, "no time slot has a value: expected TIME_VALUE in some")
    places, values = zip(*known, strict=True)
    times = np.interp(np.arange(len(found)), places, values)
    return {name: round(time) for name, time in zip(found, times.tolist(), strict=True)}


def _times(root: "Element", slots: dict[str, int]) -> dict[str, tuple[int, int]]:
    """The start and end of each annotation, by its id, in microseconds."""
    times: dict[str, tuple[int, int]] = {}
    referring: dict[str, dict[str, list[str]]] = {}  # by what they refer to, and by tier
    names: dict[str, str | None] = {}  # and what each refers to
    for tier in root.iter("TIER"):
        for annotation in tier.iterfind("ANNOTATION/*"):
            name, parent = annotation.get("ANNOTATION_ID") or "", annotation.get("ANNOTATION_REF")
            expect(name not in names, f"annotation {name!r} is listed twice: expected it once")
            names[name] = parent
            if parent is not None:
                of_parent = referring.setdefault(parent, {})
                of_parent.setdefault(tier.get("TIER_ID") or "", []).append(name)
                continue
            edges = [annotation.get(f"TIME_SLOT_REF{number}") or "" for number in (1, 2)]
            for slot in edges:
                what = f"annotation {name!r}: no time slot is called {slot!r}"
                expect(slot in slots, f"{what}: expected one of TIME_ORDER")
            times[name] = slots[edges[0]], slots[edges[1]]
    open_ = list(times)  # what has a time gives it to what refers to it
    while open_:
        parent = open_.pop()
        start, end = times[parent]
        for children in referring.get(parent, {}).values():
            n = len(children)
            for index, child in enumerate(children):
                first, last = (start + (end - start) * at // n for at in (index, index + 1))
                times[child] = first, last
            open_ += children
    for name, above in names.items():
        what = f"annotation {name!r} refers to %s: expected one that has a time"
        expect(name in times, what, above)
        expect(times[name][0] < times[name][1], f"annotation {name!r} ends before it starts")
    return times


# ---- what was said, and by whom ----

Heard = tuple[int, str, str | None]  # start in microseconds, text, and the speaker, if known


def spoken_texts(source: Source, kind: Format) -> list[Heard]:
    """The cues of subtitles, or the segments of a transcript, that have a text, in the order of
    time."""
    if kind.name == "transcript":
        cues = _timed_in(source, _parts(source)[0], "segments")
    else:
        cues = _cues(source, is_vtt=kind.name == "webvtt")
    heard = [(start, text, speaker) for start, _, text, speaker in cues if text]
    return sorted(heard, key=lambda each: each[0])


# ---- subtitles ----

_TIME = r"((?:[0-9]{1,6}:)?[0-5]?[0-9]:[0-5]?[0-9][.,][0-9]{1,3})"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
_TAG = re.compile(r"<[^<>]*>")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]+([^<>]+)>")
_ASIDE = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|\Z)")
_CUE_TIMES = "expected times, as in 00:00:00.000 --> 00:00:12.500"

Cue = tuple[int, int, str, str | None]  # times in microseconds, text, and the speaker (`<v Ann>`)


def matches_webvtt(lines: list[str]) -> bool:
    """Whether the first line is the header of WebVTT."""
    return bool(lines) and re.match(r"WEBVTT(?:\s|\Z)", lines[0]) is not None


def matches_srt(lines: list[str]) -> bool:
    """Whether the file begins with a number, then times."""
    filled = [line for line in lines if line.strip()][:2]
    return len(filled) == 2 and filled[0].strip().isdigit() and bool(_TIMES.match(filled[1]))


def read_webvtt(source: Source, is_vtt: bool = True) -> Iterator[Record]:
    """The record of a file."""
    yield timed_record(source, [cue[:3] for cue in _cues(source, is_vtt)])


def read_srt(source: Source) -> Iterator[Record]:
    """The record of a file."""
    return read_webvtt(source, is_vtt=False)


def _cues(source: Source, is_vtt: bool) -> list[Cue]:
    lines = source.read_lines()
    blocks = _blocks(lines)
    if is_vtt:
        what = "%s: expected WEBVTT, and a blank line after it"
        source.expect(matches_webvtt(lines), what, (lines or [""])[0], line=1)
        head = next(blocks)  # WEBVTT, and what may follow it up to a blank line
        cue = next((line for line in head[1] if "-->" in line), None)
        source.expect(cue is None, what, cue, line=1)
        blocks = (block for block in blocks if not _ASIDE.match(block[1][0]))
    cues = [_cue(source, number, block) for number, block in blocks]
    source.expect(cues, f"no cue: {_CUE_TIMES}")
    return cues


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The (number of the first line, lines) of each block; an empty line ends it.

    A line of spaces belongs to the block, as in YouTube's captions, unless a cue starts after it.
    """
    block: list[str] = []
    for number, line in enumerate([*lines, ""], start=1):
        times = [_TIMES.fullmatch(after) is not None for after in lines[number : number + 2]]
        starts = any(times[:1]) or (any(times) and bool(lines[number].strip()))  # a cue after it
        if line.strip() or (block and line and not starts):
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []


def _cue(source: Source, number: int, block: list[str]) -> Cue:
    at = min(0 if "-->" in block[0] else 1, len(block) - 1)
    found = _TIMES.fullmatch(block[at])
    start, end = (time_of(found[1]), time_of(found[2])) if found else (0, 0)
    what = f"%s: {_CUE_TIMES}, the end after the start"
    source.expect(end > start, what, block[at], line=number + at)
    for line, text in enumerate(block[at + 1 :], start=number + at + 1):
        what = "%s is in the text of a cue: expected a blank line before each cue"
        source.expect(not _TIMES.fullmatch(text), what, text, line=line)
    written = " ".join(block[at + 1 :])
    voice = _VOICE.search(written)
    text = " ".join(html.unescape(_TAG.sub("", written)).split())
    return start, end, text, html.unescape(voice[1]).strip() if voice else None


# ---- words with times ----


def words_with_times(source: Source, kind: Format) -> dict[str, Stretches]:
    """The words of each recording of a file, with their times in microseconds."""
    what = f"it is {kind.title}: expected words with times, a CTM or a transcript"
    source.expect(kind.name in ("ctm", "transcript"), what)
    is_ctm = kind.name == "ctm"
    found = ctm_words(source) if is_ctm else {source.document: _parts_of_transcript(source)[1]}
    return {name: _apart(source, name, words) for name, words in found.items()}


def _apart(source: Source, document: str, words: list[Spoken]) -> Stretches:
    """Words that do not overlap: a word that continues into the next ends where that starts."""
    starts = [start for start, _, _ in words]
    later = [*starts[1:], 10**18]
    fits = words and starts == sorted({*starts})
    what = f"document {document!r}: {len(words)}: expected words with times, one after the other"
    source.expect(fits, what)
    ends = [min(max(word[1], word[0] + 1), next_) for word, next_ in zip(words, later, strict=True)]
    return Stretches(starts, ends, tuple(text for _, _, text in words))


def read_ctm(source: Source) -> Iterator[Record]:
    """A record per recording."""
    for document, words in ctm_words(source).items():
        yield _record(source, document, [], words, None)


# ---- transcripts ----

_WORD_KEYS = ("word", "punctuated_word", "text", "content")
_TRANSCRIPT = "a transcript: segments or words with start and end"


def matches_transcript(lines: list[str]) -> bool:
    """Whether it has the keys of a speech recogniser's JSON."""
    text = "\n".join(lines)
    if not text.lstrip().startswith(("{", "[")):
        return False
    whisper = '"segments"' in text and re.search(r'"start"\s*:\s*[0-9]', text) is not None
    aws = '"results"' in text and '"transcripts"' in text
    deepgram = '"channels"' in text and '"alternatives"' in text
    words = re.match(
        r'\s*(?:\[|\{\s*"(?:words|word_segments)"\s*:\s*\[)\s*\{[^{}]*"start"\s*:\s*[0-9"]', text
    )
    others = any(f'"{key}"' in text for key in ("chapters", "annotations", "labels"))
    found = whisper or aws or deepgram or words is not None
    return found and not others and not is_chapter(first_keys(text))


def read_transcript(source: Source) -> Iterator[Record]:
    """The record of a file."""
    yield _record(source, source.document, *_parts_of_transcript(source))


def _parts_of_transcript(source: Source) -> tuple[list[Spoken], list[Spoken], int | None]:
    """Segments, words, and the duration of the recording, if it is known."""
    segments, words, total = _parts(source)
    words = [word for word in words if isinstance(word, dict) and _edge(word, "start") != ""]
    spoken = [word for word in words if word.get("type") != "punctuation"]
    timed = _timed_in(source, segments, "segments"), _timed_in(source, spoken, "words")
    found = [[each[:3] for each in several] for several in timed]
    source.expect(any(found), f"no segments and no words with times: expected {_TRANSCRIPT}")
    with source.locating():
        return found[0], found[1], None if total is None else microseconds(total)


def _parts(source: Source) -> tuple[list[Any], list[Any], Any]:
    """(segments, words, duration), wherever a recogniser keeps them."""
    data = json_value(source, source.read_text(), _TRANSCRIPT)
    if not isinstance(data, dict):
        return [], data if isinstance(data, list) else [], None
    segments, results = _listed(data, "segments"), data.get("results")
    words = _listed(data, "words") or _listed(data, "word_segments")
    words = words or [word for segment in segments for word in _listed(segment, "words")]
    total = data.get("duration")
    if isinstance(results, dict):  # AWS: items; Deepgram: channels, each with alternatives
        channel = next(iter(_listed(results, "channels")), None)
        best = next(iter(_listed(channel, "alternatives")), None)
        words = words or _listed(results, "items") or _listed(best, "words")
        segments = segments or _listed(results, "audio_segments") or _listed(results, "utterances")
        about_it = data.get("metadata")
        if total is None and isinstance(about_it, dict):
            total = about_it.get("duration")
    return segments, words, total


def _listed(owner: Any, name: str) -> list[Any]:
    value = owner.get(name) if isinstance(owner, dict) else None
    return value if isinstance(value, list) else []


def _first(owner: dict[str, Any], keys: tuple[str, ...], *kinds: type) -> Any:
    """The first value of one of the types."""
    return next((owner[key] for key in keys if isinstance(owner.get(key), kinds)), None)


def _edge(owner: dict[str, Any], name: str) -> Any:
    """Start or end, as a number or a text; empty where a word has none (WhisperX leaves it out)."""
    return owner.get(name, owner.get(f"{name}_time", ""))


def _timed_in(source: Source, owners: list[Any], what: str) -> list[Cue]:
    found = []
    for index, owner in enumerate(owners):
        with source.locating(), about(f"{what}[{index}]"):
            expect(isinstance(owner, dict), "%s: expected an object with start and end", owner)
            start, end = (microseconds(_edge(owner, name)) for name in ("start", "end"))
            expect(start <= end, f"end {end / 1e6:g} s: expected it after {start / 1e6:g} s")
        text = _first(owner, _WORD_KEYS, str)
        if text is None:
            best: Any = next(iter(_listed(owner, "alternatives")), {})
            text = best.get("content") if isinstance(best, dict) else ""
        voice = _first(owner, ("speaker", "speaker_label", "speaker_id"), str, int)
        found.append((start, end, str(text or "").strip(), None if voice is None else str(voice)))
    return found


def _record(
    source: Source, document: str, segments: list[Spoken], words: list[Spoken], length: int | None
) -> Record:
    rule, in_seconds = source.choices.units, source.choices.seconds is not None
    others = source.choices.word_times is not None  # words of another file are the units
    if not others and (rule is None or (rule == "words" and words)):
        return _in_words(source, document, words or segments, segments if words else [])
    if (not in_seconds and not others) or not segments:
        lacking = "has words and no segments, and " if in_seconds and words else ""
        what = f"document {document!r}: it {lacking}units is {rule!r}: expected none or words"
        raise source.fail(f"{what}; or, if there are segments, seconds, as in 'seconds:6'")
    end = max(length or 0, *(stretch[1] for stretch in (*segments, *words)))
    starts = [0, *sorted(start for start, _, _ in segments)[1:]]
    return timed_record(source.of(document), [(start, None, "") for start in starts], end)


def _in_words(source: Source, document: str, words: list[Spoken], segments: list[Spoken]) -> Record:
    """Words as units; a segment starts at the first word that does not start before it. Without
    segments there is no coding, only the text."""
    texts, place = tuple(text for _, _, text in words), source.at()
    with source.locating():
        if not segments:
            return Record(document, None, None, texts, place=place)
        starts = [start for start, _, _ in words]
        with about(source.of(document).where):
            expect(starts == sorted(starts), "words are not in order of time: expected that")
            later = [start for start, _, _ in sorted(segments)[1:]]
            places = {bisect_left(starts, start) for start in later} - {0, len(starts)}
            coding = Segmentation.from_boundaries(sorted(places), len(words))
        return Record(document, source.coder, coding, texts, place=place)
