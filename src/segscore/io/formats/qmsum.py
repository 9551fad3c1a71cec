"""QMSum (Zhong et al. 2021): a meeting per file, or per line, with its topics; turns are the units.

    {"topic_list": [{"topic": "Agenda", "relevant_text_span": [["0", "64"], ["70", "71"]]}],
     "meeting_transcripts": [{"speaker": "Project Manager", "content": "…"}, …]}

Spans are numbers of turns from 0, both included; a topic may have several, and each is a segment,
labelled with the topic. In most meetings some turns are in no topic, and in some two topics share
turns: what to do then is the caller's choice (`policy`), and is counted and reported. With the
layer `speakers` the segments are what one speaker says in a row, labelled with the name.

A file of one meeting names it; in JSON Lines meetings are numbered, unless they have an `id`.
"""

from collections.abc import Iterator
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import SPANS, tool_format
from segscore.io.formats.dialogues import check_own_units, of_turn, speaker_turns, speakers_asked
from segscore.io.json_objects import LINES, Place, name_in, objects_only, placed, text_list
from segscore.io.placing import Span, placed_record
from segscore.text.unit_splitting import Stretches

_EXPECTED = 'a meeting of QMSum, {"topic_list": […], "meeting_transcripts": […]}'
_NAMES = ("id", "meeting_id", "document")


def matches(lines: list[str]) -> bool:
    """Whether it is an object with topics and their spans, or a transcript; the other may come much
    later."""
    text = "\n".join(lines).lstrip()
    topics = '"topic_list"' in text and '"relevant_text_span"' in text
    return text.startswith("{") and (topics or '"meeting_transcripts"' in text)


def read(source: Source) -> Iterator[Record]:
    """A record per meeting."""
    check_own_units(source)
    for number, (place, meeting) in enumerate(objects_only(source, _EXPECTED), start=1):
        alone = source.suffix not in LINES and place == (None, "")
        with placed(source, *place):
            name = name_in(meeting, _NAMES, source.document if alone else str(number))
        yield _record(source, name, meeting, place)


def _record(source: Source, document: str, meeting: dict[str, Any], place: Place) -> Record:
    with placed(source, *place), about(whereabouts(document, source.coder)):
        turns = meeting.get("meeting_transcripts")
        if not isinstance(turns, list) or not turns:
            raise SegmentationError(f"meeting_transcripts is {shown(turns)}: expected turns")
        units = text_list([of_turn(turn, "content") for turn in turns], "meeting_transcripts")
        if speakers_asked(source):
            coding = speaker_turns([of_turn(turn, "speaker") for turn in turns])
            return Record(document, source.coder, coding, units, place=source.at())
        spans = list(_spans(meeting.get("topic_list"), len(units)))
    if source.choices.policy == "keep-start":
        _tell_misfits(source, document, spans, len(units))
    n = len(units)
    places = Stretches(list(range(n)), list(range(1, n + 1)), units)
    return placed_record(source, document, source.coder, spans, places, units)


def _tell_misfits(source: Source, document: str, spans: list[Span], n_turns: int) -> None:
    """A remark on what does not count if only starts do."""
    holes = overlaps = reached = 0
    for span in sorted(spans):
        holes += span.start > reached
        overlaps += span.start < reached
        reached = max(reached, span.end)
    holes += reached < n_turns
    if holes or overlaps:
        where = whereabouts(document, source.coder)
        source.choices.remark(
            f"{source.at()}: {where}: keep-start: {holes} × turns in no topic, left to the segment "
            f"before; {overlaps} × topics that overlap, of which only the starts count"
        )


def _spans(topics: Any, n_turns: int) -> Iterator[Span]:
    if not isinstance(topics, list) or not topics:
        raise SegmentationError(f"topic_list is {shown(topics)}: expected topics with their spans")
    for index, topic in enumerate(topics):
        with about(f"topic_list[{index}]"):
            name = topic.get("topic") if isinstance(topic, dict) else None
            if not isinstance(name, str):
                raise SegmentationError(f"{shown(topic)}: expected an object with a 'topic'")
            listed = topic.get("relevant_text_span")
            if not isinstance(listed, list):
                raise SegmentationError(f"relevant_text_span is {shown(listed)}: expected a list")
            for span in listed:
                first, last = _turns(span, n_turns)
                yield Span(first, last + 1, frozenset({name.strip()} - {""}))


def _turns(span: Any, n_turns: int) -> tuple[int, int]:
    """The first and the last turn of a span."""
    if isinstance(span, list) and len(span) == 2:
        first, last = (_whole(turn) for turn in span)
        if first is not None and last is not None and first <= last < n_turns:
            return first, last
    raise SegmentationError(
        f"a span is {shown(span)}: expected the first and the last turn, in order, of "
        f"0 … {n_turns - 1}"
    )


def _whole(value: Any) -> int | None:
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        return int(value) if len(value) < 16 else None
    return value if type(value) is int and value >= 0 else None


FORMAT = tool_format(
    "qmsum", "QMSum's JSON", ".json .jsonl .ndjson", "units labels", matches, read,
    '"topic_list"', '"meeting_transcripts"', keys=SPANS,
)  # fmt: skip
