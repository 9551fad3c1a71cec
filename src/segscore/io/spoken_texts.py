"""The text of recordings and dialogues with speakers and times, for pages that show them.

Subtitles have times, and WebVTT may have voices (`<v Ann>`); transcripts of recognisers (Whisper,
WhisperX, AWS, Deepgram) have segments with times and perhaps speakers; dialogues (QMSum,
SuperDialseg) have turns with speakers. A unit is a cue, a segment, or a turn.
"""

from collections.abc import Iterable
from dataclasses import replace

from segscore.coding.segment_labels import label_sets
from segscore.corpus.record import Record
from segscore.io.files import Source
from segscore.io.format import Format
from segscore.io.formats.dialogues import SPEAKERS
from segscore.io.formats.speech import TRANSCRIPT, spoken_segments
from segscore.io.formats.subtitles import SRT, VTT, spoken_cues
from segscore.io.read_options import MICRO

_DIALOGUES = ("qmsum", "superdialseg")


class SpokenUnits(list[str]):
    """The texts of units, with the speaker of each, and its start in seconds: lists of the same
    length, or None if unknown.

    >>> units = SpokenUnits(["Hello."], speakers=["Ann"], starts=[1.5])
    >>> units, units.speakers, units.starts
    (['Hello.'], ['Ann'], [1.5])
    """

    def __init__(
        self,
        units: Iterable[str],
        speakers: Iterable[str | None] = (),
        starts: Iterable[float | None] = (),
    ) -> None:
        super().__init__(units)
        names, times = list(speakers), list(starts)
        self.speakers = names if any(names) else None
        self.starts = times if any(start is not None for start in times) else None


def spoken_documents(source: Source, kind: Format) -> dict[str, SpokenUnits] | None:
    """The documents of a file, if its format names speakers or times."""
    if kind.name in (VTT.name, SRT.name):
        cues = spoken_cues(source, kind)
        texts, voices = [cue.text for cue in cues], [cue.voice for cue in cues]
        return {source.document: SpokenUnits(texts, voices, [cue.start / MICRO for cue in cues])}
    if kind.name == TRANSCRIPT.name:
        segments = spoken_segments(source)
        if not segments:  # words alone
            return None
        starts, spoken, speakers = zip(*segments, strict=True)
        return {source.document: SpokenUnits(spoken, speakers, [start / MICRO for start in starts])}
    if kind.name in _DIALOGUES:
        turns = replace(source, choices=replace(source.choices, layer=SPEAKERS))
        return {record.document: _turns(record) for record in kind.read(turns)}
    return None


def _turns(record: Record) -> SpokenUnits:
    """The turns, whose speakers label the segments of the record."""
    coding = record.segmentation
    if coding is None or coding.segment_labels is None:
        return SpokenUnits(record.units or ())
    speakers: list[str | None] = []
    for size, labels in zip(coding.masses.tolist(), label_sets(coding.segment_labels), strict=True):
        speakers += size * [next(iter(labels), None)]
    return SpokenUnits(record.units or (), speakers)
