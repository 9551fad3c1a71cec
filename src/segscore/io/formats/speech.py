"""Speech with times: subtitles, CTM, and the JSON of speech recognisers.

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
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record, whereabouts
from segscore.errors import about
from segscore.io.files import Source, expect
from segscore.io.format import Format
from segscore.io.formats.recordings import Spoken, ctm_words
from segscore.io.placing import Stretch, time_of, timed_record
from segscore.io.read_options import microseconds
from segscore.io.safe_parsing import first_keys, is_chapter, json_value
from segscore.text.unit_splitting import Stretches

Heard = tuple[int, str, str | None]  # start in microseconds, text, and the speaker, if known


def spoken_texts(source: Source, kind: Format) -> list[Heard]:
    """The cues of subtitles, or the segments of a transcript, that have a text, in the order of
    time."""
    if kind.name == "transcript":
        segments, _, _ = _parts(source)
        stretches = _stretches(source, segments, "segments")
        heard = [
            (start, text, None if speaker is None else str(speaker))
            for (start, _, text), segment in zip(stretches, segments, strict=True)
            for speaker in [_first(segment, _WHO_KEYS, str, int)]
        ]
    else:
        cues = _cues(source, is_vtt=kind.name == "webvtt")
        heard = [(start, text, speaker) for start, _, text, speaker in cues]
    return sorted((each for each in heard if each[1]), key=lambda each: each[0])


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
    stretches = [cue[:3] for cue in _cues(source, is_vtt)]
    yield timed_record(source, source.document, source.coder, stretches)


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
    at = min(0 if "-->" in block[0] else 1, len(block) - 1)
    found = _TIMES.fullmatch(block[at])
    start, end = (time_of(found[1]), time_of(found[2])) if found else (0, 0)
    what = f"%s: {_CUE_TIMES}, the end after the start"
    source.expect(end > start, what, block[at], line=number + at)
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
    found = ctm_words(source) if is_ctm else {source.document: _transcript(source)[1]}
    return {name: _apart(source, name, words) for name, words in found.items()}


def _apart(source: Source, document: str, words: list[Spoken]) -> Stretches:
    """Words that do not overlap: a word that continues into the next ends where that starts."""
    starts = [start for start, _, _ in words]
    later = [*starts[1:], 10**18]
    fits = words and all(early < late for early, late in pairwise(starts))
    what = (
        f"document {document!r}: {len(words)} words: expected words with times, one after the other"
    )
    source.expect(fits, what)
    ends = [min(max(word[1], word[0] + 1), next_) for word, next_ in zip(words, later, strict=True)]
    return Stretches(starts, ends, tuple(text for _, _, text in words))


def read_ctm(source: Source) -> Iterator[Record]:
    """A record per recording."""
    for document, words in ctm_words(source).items():
        yield _record(source, document, [], words, None)


# ---- transcripts ----

_WHO_KEYS = ("speaker", "speaker_label", "speaker_id")
_WORD_KEYS = ("word", "punctuated_word", "text", "content")
_EXPECTED = "a transcript: segments or words with start and end"


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
    yield _record(source, source.document, *_transcript(source))


def _transcript(source: Source) -> tuple[list[Spoken], list[Spoken], int | None]:
    """Segments, words, and the duration of the recording, if it is known."""
    segments, words, total = _parts(source)
    words = [word for word in words if isinstance(word, dict) and _edge(word, "start") != ""]
    spoken = [word for word in words if word.get("type") != "punctuation"]
    found = _stretches(source, segments, "segments"), _stretches(source, spoken, "words")
    source.expect(any(found), f"no segments and no words with times: expected {_EXPECTED}")
    with source.locating():
        return *found, None if total is None else microseconds(total)


def _parts(source: Source) -> tuple[list[Any], list[Any], Any]:
    """(segments, words, duration), wherever a recogniser keeps them."""
    data = json_value(source, source.read_text(), _EXPECTED)
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


def _stretches(source: Source, owners: list[Any], what: str) -> list[Spoken]:
    found = []
    for index, owner in enumerate(owners):
        with source.locating(), about(f"{what}[{index}]"):
            fits = isinstance(owner, dict)
            expect(fits, "%s: expected an object with start and end", owner)
            start, end = microseconds(_edge(owner, "start")), microseconds(_edge(owner, "end"))
            expect(start <= end, f"end {end / 1e6:g} s: expected it after {start / 1e6:g} s")
        text = _first(owner, _WORD_KEYS, str)
        if text is None:
            best: Any = next(iter(_listed(owner, "alternatives")), {})
            text = best.get("content") if isinstance(best, dict) else ""
        found.append((start, end, str(text or "").strip()))
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
    rows: list[Stretch] = [(start, None, "") for start in starts]
    return timed_record(source, document, source.coder, rows, end)


def _in_words(source: Source, document: str, words: list[Spoken], segments: list[Spoken]) -> Record:
    """Words as units; a segment starts at the first word that does not start before it. Without
    segments there is no coding, only the text."""
    texts, place = tuple(text for _, _, text in words), source.at()
    with source.locating():
        if not segments:
            return Record(document, None, None, texts, place=place)
        starts = [start for start, _, _ in words]
        with about(whereabouts(document, source.coder)):
            expect(starts == sorted(starts), "words are not in order of time: expected that")
            later = [start for start, _, _ in sorted(segments)[1:]]
            places = {bisect_left(starts, start) for start in later} - {0, len(starts)}
            coding = Segmentation.from_boundaries(sorted(places), len(words))
        return Record(document, source.coder, coding, texts, place=place)
