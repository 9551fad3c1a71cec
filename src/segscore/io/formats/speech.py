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
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.errors import about
from segscore.io.files import Source
from segscore.io.format import TIMED, Format, told_by_suffix, tool_format
from segscore.io.placing import Span, timed_record, up_to_next
from segscore.io.read_options import microseconds
from segscore.io.safe_parsing import first_keys, is_chapter, json_value
from segscore.text.unit_splitting import Stretches

_RTTM = re.compile(r"SPEAKER\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+\S+\s+\S+\s+(\S+)(?:\s.*)?")
_RTTM_TYPES = (
    "SPEAKER", "SPKR-INFO", "LEXEME", "NON-LEX", "NON-SPEECH", "SEGMENT", "NOSCORE",
    "NO_RT_METADATA", "FILLER", "EDIT", "SU", "IP", "CB", "A/P",
)  # fmt: skip
_RTTM_LINE = re.compile(rf"(?:{'|'.join(_RTTM_TYPES)})\s+\S+\s+\S+\s")
_CTM = re.compile(r"(\S+)\s+(\S+)\s+([0-9]*\.?[0-9]+)\s+([0-9]*\.?[0-9]+)\s+(\S+)(?:\s.*)?")
_WHO_KEYS = ("speaker", "speaker_label", "speaker_id")
_EXPECTED = "a transcript: segments or words with start and end"
_WORD_KEYS = ("word", "punctuated_word", "text", "content")


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.read_lines(), start=1):
        if line.strip() and not line.lstrip().startswith((";;", "#")):
            yield number, line.strip()


# ---- RTTM ----


def matches_rttm(lines: list[str]) -> bool:
    """Whether the first line has a type of RTTM."""
    first = next((line for line in lines if line.strip() and not line.startswith(";;")), "")
    return _RTTM_LINE.match(first) is not None


def read_rttm(source: Source) -> Iterator[Record]:
    """A record per recording."""
    turns: dict[str, list[tuple[int, int, str]]] = {}
    for number, line in _lines(source):
        if not line.startswith("SPEAKER"):
            if _RTTM_LINE.match(line) is None:
                raise source.fail(
                    f"{shown(line)}: expected SPEAKER FILE 1 START DURATION …", number
                )
            continue
        found = _RTTM.fullmatch(line)
        if found is None:
            raise source.fail(f"{shown(line)}: expected SPEAKER FILE 1 START DURATION …", number)
        with source.locating(number):
            start, length = microseconds(found[3]), microseconds(found[4])
        turns.setdefault(found[1], []).append((start, start + length, found[5]))
    if not turns:
        raise source.fail("no SPEAKER line: expected turns with start and duration")
    for document, found_turns in turns.items():
        spans = _joined(sorted(found_turns))
        total = max(span.end for span in spans)
        yield timed_record(source, document, source.coder, spans, total)


def _joined(turns: list[tuple[int, int, str]]) -> list[Span]:
    """The turns; adjacent turns of the same speaker are joined."""
    joined: list[tuple[int, int, str]] = []
    for start, end, speaker in turns:
        if joined and joined[-1][2] == speaker and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]), speaker)
        else:
            joined.append((start, end, speaker))
    return [Span(start, end, frozenset({speaker}), timed=True) for start, end, speaker in joined]


# ---- words ----


def read_ctm(source: Source) -> Iterator[Record]:
    """A record per recording."""
    for document, words in _ctm_words(source).items():
        yield _record(source, document, [], words, None)


def _ctm_words(source: Source) -> dict[str, list[tuple[int, int, str]]]:
    words: dict[str, list[tuple[int, int, str]]] = {}
    for number, line in _lines(source):
        found = _CTM.fullmatch(line)
        if found is None:
            raise source.fail(f"{shown(line)}: expected FILE CHANNEL START DURATION WORD", number)
        with source.locating(number):
            start, length = microseconds(found[3]), microseconds(found[4])
        words.setdefault(found[1], []).append((start, start + length, found[5]))
    if not words:
        raise source.fail("the file is empty: expected a word per line")
    return {
        document: sorted(found_words, key=lambda word: word[:2])
        for document, found_words in words.items()
    }


def words_with_times(source: Source, kind: Format) -> dict[str, Stretches]:
    """The words of each recording of a file, with their times in microseconds."""
    if kind.name == CTM.name:
        found = _ctm_words(source)
    elif kind.name == TRANSCRIPT.name:
        _, words, _ = _transcript(source)
        found = {source.document: words}
    else:
        raise source.fail(f"it is {kind.title}: expected words with times, a CTM or a transcript")
    return {name: _apart(source, name, words) for name, words in found.items()}


def _apart(source: Source, document: str, words: list[tuple[int, int, str]]) -> Stretches:
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
    ours = '"chapters"' in text or '"annotations"' in text or '"labels"' in text
    ours = ours or is_chapter(first_keys(text))
    return (whisper or aws or deepgram or words is not None) and not ours


def read_transcript(source: Source) -> Iterator[Record]:
    """The record of a file."""
    segments, words, total = _transcript(source)
    length = None
    if total is not None:
        with source.locating():
            length = microseconds(total)
    yield _record(source, source.document, segments, words, length)


def spoken_segments(source: Source) -> list[tuple[int, str, str | None]]:
    """The segments of a transcript that have a text, in the order of time: start in microseconds,
    text, and the speaker, if it names one."""
    segments, _, _ = _parts(json_value(source, source.read_text(), _EXPECTED))
    found = []
    for index, segment in enumerate(segments):
        start, _, text = _stretch(source, segment, f"segments[{index}]")
        speaker = next(
            (segment[key] for key in _WHO_KEYS if isinstance(segment.get(key), str | int)), None
        )
        if text:
            found.append((start, text, None if speaker is None else str(speaker)))
    return sorted(found, key=lambda segment: segment[0])


def _transcript(
    source: Source,
) -> tuple[list[tuple[int, int, str]], list[tuple[int, int, str]], Any]:
    """The segments, the words, and the duration of the recording, if it is given."""
    data = json_value(source, source.read_text(), _EXPECTED)
    segments, words, total = _parts(data)
    found_segments = [
        _stretch(source, segment, f"segments[{i}]") for i, segment in enumerate(segments)
    ]
    found_words = [
        _stretch(source, word, f"words[{i}]")
        for i, word in enumerate(words)
        if isinstance(word, dict)
        and word.get("type") != "punctuation"
        and _time(word, "start") != ""
    ]
    if not found_segments and not found_words:
        raise source.fail(f"no segments and no words with times: expected {_EXPECTED}")
    return found_segments, found_words, total


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
        about = data.get("metadata")
        total = total if total is not None or not isinstance(about, dict) else about.get("duration")
    return segments, words, total


def _listed(owner: Any, name: str) -> list[Any]:
    value = owner.get(name) if isinstance(owner, dict) else None
    return value if isinstance(value, list) else []


def _time(owner: dict[str, Any], name: str) -> Any:
    """Start or end, as a number or a text; empty where a word has none (WhisperX leaves it out)."""
    return owner.get(name, owner.get(f"{name}_time", ""))


def _stretch(source: Source, owner: Any, where: str) -> tuple[int, int, str]:
    if not isinstance(owner, dict):
        raise source.fail(f"{where} is {shown(owner)}: expected an object with start and end")
    with source.locating(), about(where):
        start, end = microseconds(_time(owner, "start")), microseconds(_time(owner, "end"))
    if end < start:
        raise source.fail(f"{where} ends at {end / 1e6:g} s: expected it after {start / 1e6:g} s")
    text = next((owner[key] for key in _WORD_KEYS if isinstance(owner.get(key), str)), None)
    if text is None:
        best: Any = next(iter(_listed(owner, "alternatives")), {})
        text = best.get("content") if isinstance(best, dict) else ""
    return start, end, str(text or "").strip()


def _record(
    source: Source,
    document: str,
    segments: list[tuple[int, int, str]],
    words: list[tuple[int, int, str]],
    total: int | None,
) -> Record:
    rule = source.choices.units
    others = source.choices.word_times is not None  # words of another file are the units
    if rule in (None, "words") and words and not others:
        return _words(source, document, segments, words)
    if rule is None and not others:
        return _uncut(source, document, segments)
    if (source.choices.seconds is None and not others) or not segments:
        lacking = "has words and no segments, and " if source.choices.seconds and words else ""
        raise source.fail(
            f"document {document!r}: it {lacking}units is {rule!r}: expected none, words, or, if "
            "there are segments, seconds, as in 'seconds:6'"
        )
    starts = [0, *(start for start, _, _ in sorted(segments)[1:])]
    end = max(stretch[1] for stretch in (*segments, *words))
    end = max(end, total or 0)
    spans = up_to_next(((start, frozenset()) for start in starts), end)
    return timed_record(source, document, source.coder, spans, end)


def _uncut(source: Source, document: str, stretches: list[tuple[int, int, str]]) -> Record:
    """A transcript without segments: the text alone."""
    with source.locating():
        return Record(document, units=tuple(text for _, _, text in stretches), place=source.at())


def _words(
    source: Source,
    document: str,
    segments: list[tuple[int, int, str]],
    words: list[tuple[int, int, str]],
) -> Record:
    """Words as units; a segment starts at the first word that does not start before it."""
    if not segments:
        return _uncut(source, document, words)
    starts = [start for start, _, _ in words]
    if any(late < early for early, late in pairwise(starts)):
        raise source.fail(f"document {document!r}: words are not in order of time: expected that")
    places = set()
    index = 0
    for start, _, _ in sorted(segments)[1:]:
        while index < len(starts) and starts[index] < start:
            index += 1
        if 0 < index < len(starts):
            places.add(index)
    with source.locating():
        coding = Segmentation.from_boundaries(sorted(places), len(words))
        texts = tuple(text for _, _, text in words)
        return Record(document, source.coder, coding, texts, place=source.at())


RTTM = tool_format(
    "rttm", "RTTM", ".rttm", "labels", matches_rttm, read_rttm, *_RTTM_TYPES, keys=TIMED
)
CTM = tool_format("ctm", "CTM", ".ctm", "units", told_by_suffix, read_ctm, keys=TIMED)
TRANSCRIPT = tool_format(
    "transcript", "a transcript with times in JSON", ".json", "units", matches_transcript,
    read_transcript, '"segments"', '"results"', '"channels"', '"start"',
    keys=TIMED,
)  # fmt: skip
