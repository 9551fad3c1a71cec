"""chunkseg's samples (Retkowski & Waibel): a recording per line, reference and hypothesis in it.

    {"hypothesis": [24.2, 33.9], "reference": [11, 23, 34], "duration": 50,
     "reference_titles": [["Intro", 0], ["Middle", 11]], "hyp_titles": [["A", 0]]}

The lists hold the seconds at which a segment ends and the next one starts; 0 among them has no
effect. Titles come with the start of their segment, and are its label. The coders are `reference`
and `hypothesis`, the second of which is a system. Documents are named by `id`, or numbered.

Units are time (`seconds:6`). chunkseg itself rounds times down to chunks of 6 s; here an edge
inside a unit is treated by the caller's policy. A hypothesis that is a transcript has no times to
read.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Kind, Record, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import REFERENCE, Source
from segscore.io.format import TIMED, tool_format
from segscore.io.formats.chapters import named_time
from segscore.io.json_objects import name_in, objects_only, placed
from segscore.io.placing import Stretch, stretch_record
from segscore.io.safe_parsing import are_two_sides, opening_keys

HYPOTHESIS = "hypothesis"
_EXPECTED = 'samples, as in {"hypothesis": [24.2], "reference": [11, 23.5], "duration": 50}'
_NAMES = ("id", "document", "video_id")
_SIDES: tuple[tuple[str, tuple[str, ...], Kind | None], ...] = (
    (REFERENCE, ("reference_titles",), None),
    (HYPOTHESIS, ("hyp_titles", "hypothesis_titles"), "system"),
)


def matches(lines: list[str]) -> bool:
    """Whether the first object has both sides and a duration."""
    return are_two_sides(opening_keys(lines))


def read(source: Source) -> Iterator[Record]:
    """Two records per sample."""
    for number, (place, sample) in enumerate(objects_only(source, _EXPECTED), start=1):
        with placed(source, *place):
            document = name_in(sample, _NAMES, str(number))
        for coder, titled, kind in _SIDES:
            with placed(source, *place), about(whereabouts(document, coder)):
                length = named_time(sample.get("duration"), "duration")
                starts = _starts(sample.get(coder), coder, length)
                titles = next((sample[key] for key in titled if sample.get(key)), None)
                labels = _labels(titles, titled[0], starts)
            stretches: list[Stretch] = [(start, None, labels.get(start, "")) for start in starts]
            record = stretch_record(source, document, coder, stretches, length)
            yield replace(record, kind=kind)


def _starts(times: Any, what: str, length: int) -> list[int]:
    """The starts of segments in microseconds, 0 first."""
    if isinstance(times, str):
        raise SegmentationError(
            f"{what} is a transcript, {shown(times[:40])}: expected times in seconds; let chunkseg "
            "find them, or read the text's own chapters"
        )
    if not isinstance(times, list):
        raise SegmentationError(f"{what} is {shown(times)}: expected a list of times in seconds")
    found = [named_time(time, f"{what}[{index}]") for index, time in enumerate(times)]
    inside = [time for time in found if time]
    late = next((time for time in inside if time >= length), None)
    if late is not None:
        raise SegmentationError(
            f"{what} has {late / 1e6:g} s: expected times before the end, {length / 1e6:g} s"
        )
    if len(set(inside)) != len(inside):
        raise SegmentationError(f"{what} has a time twice: expected each once")
    return [0, *sorted(inside)]


def _labels(titles: Any, what: str, starts: list[int]) -> dict[int, str]:
    """The title of each segment, by its start."""
    found: dict[int, str] = {}
    known = frozenset(starts)
    if titles is None:
        return found
    if not isinstance(titles, list):
        raise SegmentationError(f"{what} is {shown(titles)}: expected [[title, seconds], …]")
    for index, title in enumerate(titles):
        with about(f"{what}[{index}]"):
            if not isinstance(title, list) or len(title) != 2 or not isinstance(title[0], str):
                raise SegmentationError(f"{shown(title)}: expected [title, seconds]")
            start = named_time(title[1], "its start")
            if start not in known or start in found:
                raise SegmentationError(
                    f"{shown(title)}: expected the start of a segment, one title for each"
                )
            found[start] = title[0].strip()
    return found


FORMAT = tool_format(
    "chunkseg", "chunkseg's samples", ".jsonl .ndjson .json", "labels kind", matches, read,
    '"hypothesis"', keys=TIMED,
)  # fmt: skip
