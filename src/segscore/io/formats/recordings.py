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
SPEAKER are ignored. `ctm`: words with times (`segscore.io.formats.speech`).

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

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from segscore.basics.arguments import check_choice
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io.files import Source, expect, with_line_ends
from segscore.io.placing import Stretch, tier_records, timed_record
from segscore.io.read_options import microseconds
from segscore.io.safe_parsing import xml_root
from segscore.io.table_files import whole

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
    yield timed_record(source, source.document, source.coder, stretches)


def read_lab(source: Source) -> Iterator[Record]:
    """The record of a file."""
    lines = (line.partition("#")[0].rstrip() for line in source.read_lines())
    expected = "START END LABEL, in seconds"
    (found,) = _stretches(source, lines, _LAB, expected, lasting=False).values()
    yield timed_record(source, source.document, source.coder, found)


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
        yield timed_record(source, document, source.coder, joined)


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
        self._found = _VALUE.finditer(text)
        self._at = 0

    @contextmanager
    def locating(self) -> Iterator[None]:
        """Name the line in an error; only there, because to count lines takes a while."""
        try:
            yield
        except SegmentationError as error:
            raise self._source.fail(str(error), 1 + self._text.count("\n", 0, self._at)) from None

    def text(self, expected: str = 'a text in quotes, "…"', group: str = "text") -> str:
        """A text in quotes, or another value."""
        value = next(self._found, None)
        with self.locating():
            if value is None:
                raise SegmentationError(f"the file ends here: expected {expected}")
            self._at = value.start()
            expect(value[group] is not None, f"%s: expected {expected}", value[0])
        return value[group].replace('""', '"')

    def time(self) -> int:
        """A time, in microseconds."""
        value = self.text("a time in seconds", "plain")
        with self.locating():
            return microseconds(value)

    def count(self) -> int:
        """The number of items that follow."""
        value = self.text("a whole number", "plain")
        with self.locating():
            expect(re.fullmatch("[0-9]{1,9}", value), f"{value!r}: expected a whole number")
        return int(value)


def read_textgrid(source: Source) -> Iterator[Record]:
    """A record per tier."""
    with source.path.open("rb") as stream:
        wide = stream.read(2) in (b"\xff\xfe", b"\xfe\xff")  # which says that it is UTF-16
    encoding = "utf-16" if wide and source.encoding is None else source.encoding
    values = _Values(with_line_ends(replace(source, encoding=encoding).read_text()), source)
    fits = values.text() == "ooTextFile" and values.text() == "TextGrid"
    what = 'expected a TextGrid: File type = "ooTextFile", class "TextGrid"'
    source.expect(fits, what, line=1)
    start, end = values.time(), values.time()
    exist = values.text("<exists>", "plain") == "<exists>"
    source.expect(exist, "there is no tier: expected <exists>")
    tiers: dict[str, list[Stretch]] = {}
    for _ in range(values.count()):
        kind = values.text()
        with values.locating():
            check_choice(kind, "class", ("IntervalTier", "TextTier"))
            name = values.text()
            once = name and name not in tiers
            expect(once, f"a tier is called {name!r}: expected names, each once")
        values.time(), values.time()
        tiers[name] = _tier(values, kind, start, end)
    yield from tier_records(source, tiers, end)


def _tier(values: _Values, kind: str, start: int, end: int) -> list[Stretch]:
    if kind == "IntervalTier":
        found = [(values.time(), values.time(), values.text()) for _ in range(values.count())]
        with values.locating():
            fits = all(first < last for first, last, _ in found)
            expect(fits, "an interval ends before it starts")
        return [(first, last, text.strip()) for first, last, text in found if text.strip()]
    points = [(values.time(), values.text().strip()) for _ in range(values.count())]
    first = next((label for at, label in points if at <= start), "")
    inner = [(at, None, label) for at, label in points if start < at < end]
    return [(start, None, first), *inner] if start < end else []


# ---- elan ----

_EXPECTED = "ELAN's ANNOTATION_DOCUMENT"
_MILLI = 1000  # microseconds


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
        found[name] = None if value is None else _MILLI * whole(value, what, "milliseconds")
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
