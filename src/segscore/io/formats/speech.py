"""Speech with times: RTTM and CTM of NIST, and the JSON of speech recognisers.

    SPEAKER talk 1 0.00 12.50 <NA> <NA> ann <NA> <NA>       (RTTM: start, duration, speaker)
    talk 1 0.00 0.35 hello 0.98                             (CTM: start, duration, word)

`rttm`: each turn is a segment and its speaker the label; turns of the same speaker without a pause
between them are one segment. The recording that a line names is the document. Lines other than
SPEAKER are ignored.

`ctm`: words with times. `transcript`: Whisper, WhisperX, AWS Transcribe, Deepgram and the like:
segments with `start`, `end` and `text`, or words with times.

The units are words, and segments start where those of the transcript start; with `seconds:6` units
are stretches of time. If there are words but no segments, or segments but no words, the units have
no coding: they are read as a text, which `segscore segment` can cut.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import TIMED, Format, told_by_suffix, tool_format
from segscore.io.placing import Stretch, timed_record
from segscore.io.read_options import microseconds
from segscore.io.safe_parsing import first_keys, is_chapter, json_value
from segscore.text.unit_splitting import Stretches

_RTTM = re.compile(r"SPEAKER\s+(\S+)\s+\S+\s+(\S+)\s+(\S+)\s+\S+\s+\S+\s+(\S+)(?:\s.*)?")
_RTTM_TYPES = (
    "SPEAKER", "SPKR-INFO", "LEXEME", "NON-LEX", "NON-SPEECH", "SEGMENT", "NOSCORE",
    "NO_RT_METADATA", "FILLER", "EDIT", "SU", "IP", "CB", "A/P",
)  # fmt: skip
_RTTM_LINE = re.compile(rf"(?:{'|'.join(_RTTM_TYPES)})\s+\S+\s+\S+\s")
_RTTM_ASIDE = re.compile(rf"(?!SPEAKER)(?:{'|'.join(_RTTM_TYPES)})\s+\S+\s+\S+\s")
_CTM = re.compile(r"(\S+)\s+\S+\s+([0-9]*\.?[0-9]+)\s+([0-9]*\.?[0-9]+)\s+(\S+)(?:\s.*)?")
_WHO_KEYS = ("speaker", "speaker_label", "speaker_id")
_EXPECTED = "a transcript: segments or words with start and end"
_WORD_KEYS = ("word", "punctuated_word", "text", "content")

Spoken = tuple[int, int, str]  # start and end in microseconds, and the word, text or speaker


def _rows(source: Source, pattern: re.Pattern[str], expected: str) -> dict[str, list[Spoken]]:
    """The rows of each recording in a file of FILE … START DURATION … WORD."""
    found: dict[str, list[Spoken]] = {}
    for number, line in enumerate(source.read_lines(), start=1):
        if not line.strip() or line.lstrip().startswith((";;", "#")):
            continue
        if pattern is _RTTM and _RTTM_ASIDE.match(line.lstrip()):
            continue
        row = pattern.fullmatch(line.strip())
        if row is None:
            raise source.fail(f"{shown(line.strip())}: expected {expected}", number)
        with source.locating(number):
            start, length = microseconds(row[2]), microseconds(row[3])
        found.setdefault(row[1], []).append((start, start + length, row[4]))
    if not found:
        raise source.fail(f"the file is empty: expected lines {expected}")
    return found


# ---- RTTM ----


def matches_rttm(lines: list[str]) -> bool:
    """Whether the first line has a type of RTTM."""
    first = next((line for line in lines if line.strip() and not line.startswith(";;")), "")
    return _RTTM_LINE.match(first) is not None


def read_rttm(source: Source) -> Iterator[Record]:
    """A record per recording; adjacent turns of the same speaker are one segment."""
    for document, turns in _rows(source, _RTTM, "SPEAKER FILE 1 START DURATION …").items():
        joined: list[Stretch] = []
        for start, end, speaker in sorted(turns):
            before, reached, name = joined[-1] if joined else (0, None, "")
            if reached is not None and name == speaker and start <= reached:
                joined[-1] = (before, max(end, reached), speaker)
            else:
                joined.append((start, end, speaker))
        yield timed_record(source, document, source.coder, joined)


# ---- words ----


def _ctm_words(source: Source) -> dict[str, list[Spoken]]:
    found = _rows(source, _CTM, "FILE CHANNEL START DURATION WORD")
    return {name: sorted(words, key=lambda word: word[:2]) for name, words in found.items()}


def read_ctm(source: Source) -> Iterator[Record]:
    """A record per recording."""
    for document, words in _ctm_words(source).items():
        yield _record(source, document, Transcript([], words, None))


def words_with_times(source: Source, kind: Format) -> dict[str, Stretches]:
    """The words of each recording of a file, with their times in microseconds."""
    if kind.name == CTM.name:
        found = _ctm_words(source)
    elif kind.name == TRANSCRIPT.name:
        found = {source.document: _transcript(source).words}
    else:
        raise source.fail(f"it is {kind.title}: expected words with times, a CTM or a transcript")
    return {name: _apart(source, name, words) for name, words in found.items()}


def _apart(source: Source, document: str, words: list[Spoken]) -> Stretches:
    """Words that do not overlap: a word that continues into the next ends where that starts."""
    if not words:
        raise source.fail(f"document {document!r}: no words with times: expected some")
    starts = [start for start, _, _ in words]
    ends = [
        min(max(end, start + 1), following)
        for (start, end, _), following in zip(words, [*starts[1:], 10**18], strict=True)
    ]
    if any(end <= start for start, end in zip(starts, ends, strict=True)):
        raise source.fail(
            f"document {document!r}: two words start at the same time, or out of order: expected "
            "words one after the other"
        )
    return Stretches(starts, ends, tuple(text for _, _, text in words))


# ---- transcripts ----


class Transcript(NamedTuple):
    """What a recogniser heard: segments, words, and the duration of the recording, if given."""

    segments: list[Spoken]
    words: list[Spoken]
    length: int | None


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
    yield _record(source, source.document, _transcript(source))


def spoken_segments(source: Source) -> list[tuple[int, str, str | None]]:
    """The segments of a transcript that have a text, in the order of time: start in microseconds,
    text, and the speaker, if it names one."""
    segments, _, _ = _parts(json_value(source, source.read_text(), _EXPECTED))
    found = []
    for (start, _, text), segment in zip(
        _stretches(source, segments, "segments"), segments, strict=True
    ):
        names = (segment[key] for key in _WHO_KEYS if isinstance(segment.get(key), str | int))
        speaker = next(names, None)
        if text:
            found.append((start, text, None if speaker is None else str(speaker)))
    return sorted(found, key=lambda segment: segment[0])


def _transcript(source: Source) -> Transcript:
    segments, words, total = _parts(json_value(source, source.read_text(), _EXPECTED))
    spoken = [
        word
        for word in words
        if isinstance(word, dict)
        and word.get("type") != "punctuation"
        and _time(word, "start") != ""
    ]
    found = _stretches(source, segments, "segments"), _stretches(source, spoken, "words")
    if not any(found):
        raise source.fail(f"no segments and no words with times: expected {_EXPECTED}")
    with source.locating():
        return Transcript(*found, None if total is None else microseconds(total))


def _parts(data: Any) -> tuple[list[Any], list[Any], Any]:
    """(segments, words, duration), wherever a recogniser keeps them."""
    if isinstance(data, list):
        return [], data, None
    if not isinstance(data, dict):
        return [], [], None
    segments, words = _listed(data, "segments"), _listed(data, "words")
    words = words or _listed(data, "word_segments")
    words = words or [word for segment in segments for word in _listed(segment, "words")]
    total = data.get("duration")
    results = data.get("results")
    if isinstance(results, dict):  # AWS: items; Deepgram: channels, each with alternatives
        words = words or _listed(results, "items")
        segments = segments or _listed(results, "audio_segments")
        channel = next(iter(_listed(results, "channels")), None)
        best = next(iter(_listed(channel, "alternatives")), None)
        words = words or _listed(best, "words")
        segments = segments or _listed(results, "utterances")
        about_it = data.get("metadata")
        if total is None and isinstance(about_it, dict):
            total = about_it.get("duration")
    return segments, words, total


def _listed(owner: Any, name: str) -> list[Any]:
    value = owner.get(name) if isinstance(owner, dict) else None
    return value if isinstance(value, list) else []


def _time(owner: dict[str, Any], name: str) -> Any:
    """Start or end, as a number or a text; empty where a word has none (WhisperX leaves it out)."""
    return owner.get(name, owner.get(f"{name}_time", ""))


def _stretches(source: Source, owners: list[Any], what: str) -> list[Spoken]:
    found = []
    for index, owner in enumerate(owners):
        with source.locating(), about(f"{what}[{index}]"):
            if not isinstance(owner, dict):
                raise SegmentationError(f"{shown(owner)}: expected an object with start and end")
            start, end = microseconds(_time(owner, "start")), microseconds(_time(owner, "end"))
            if end < start:
                raise SegmentationError(
                    f"it ends at {end / 1e6:g} s: expected it after {start / 1e6:g} s"
                )
        texts = (owner[key] for key in _WORD_KEYS if isinstance(owner.get(key), str))
        best: Any = next(iter(_listed(owner, "alternatives")), {})
        text = next(texts, best.get("content") if isinstance(best, dict) else "")
        found.append((start, end, str(text or "").strip()))
    return found


def _record(source: Source, document: str, heard: Transcript) -> Record:
    segments, words, length = heard
    rule = source.choices.units
    others = source.choices.word_times is not None  # words of another file are the units
    if not others and (rule is None or (rule == "words" and words)):
        return _in_words(source, document, words or segments, segments if words else [])
    if (source.choices.seconds is None and not others) or not segments:
        lacking = "has words and no segments, and " if source.choices.seconds and words else ""
        raise source.fail(
            f"document {document!r}: it {lacking}units is {rule!r}: expected none, words, or, if "
            "there are segments, seconds, as in 'seconds:6'"
        )
    starts = [0, *sorted(start for start, _, _ in segments)[1:]]
    end = max(length or 0, *(stretch[1] for stretch in (*segments, *words)))
    rows: list[Stretch] = [(start, None, "") for start in starts]
    return timed_record(source, document, source.coder, rows, end)


def _in_words(source: Source, document: str, words: list[Spoken], segments: list[Spoken]) -> Record:
    """Words as units; a segment starts at the first word that does not start before it. Without
    segments there is no coding, only the text."""
    coding, texts = None, tuple(text for _, _, text in words)
    with source.locating(), about(whereabouts(document, source.coder)):
        if segments:
            starts = [start for start, _, _ in words]
            if any(late < early for early, late in pairwise(starts)):
                raise SegmentationError("words are not in order of time: expected that")
            later = [start for start, _, _ in sorted(segments)[1:]]
            places = {bisect_left(starts, start) for start in later} - {0, len(starts)}
            coding = Segmentation.from_boundaries(sorted(places), len(words))
    coder = None if coding is None else source.coder
    with source.locating():
        return Record(document, coder, coding, texts, place=source.at())


RTTM = tool_format(
    "rttm", "RTTM", ".rttm", "labels", matches_rttm, read_rttm, *_RTTM_TYPES, keys=TIMED
)
CTM = tool_format("ctm", "CTM", ".ctm", "units", told_by_suffix, read_ctm, keys=TIMED)
TRANSCRIPT = tool_format(
    "transcript", "a transcript with times in JSON", ".json", "units", matches_transcript,
    read_transcript, '"segments"', '"results"', '"channels"', '"start"',
    keys=TIMED,
)  # fmt: skip
