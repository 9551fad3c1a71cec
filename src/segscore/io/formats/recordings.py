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
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io.files import Source
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
        row = pattern.fullmatch(line)
        if row is None:
            raise source.fail(f"{shown(line)}: expected {expected}", number)
        with source.locating(number):
            start, end = microseconds(row[2]), microseconds(row[3])
            end += start * lasting
            if end < start:
                raise SegmentationError(f"{shown(line)}: expected an end after the start")
        found.setdefault(row[1], []).append((start, end, (row[4] or "").strip()))
    if not found:
        raise source.fail(f"the file is empty: expected lines {expected}")
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
    if points and len(points) < len(found):
        raise source.fail("some labels are points and some are not: expected points only, or none")
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


def read_textgrid(source: Source) -> Iterator[Record]:
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


# ---- elan ----

_EXPECTED = "ELAN's ANNOTATION_DOCUMENT"
_MILLI = 1000  # microseconds


def matches_elan(lines: list[str]) -> bool:
    """Whether the root element is ELAN's."""
    return "<ANNOTATION_DOCUMENT" in "\n".join(lines)


def read_elan(source: Source) -> Iterator[Record]:
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
