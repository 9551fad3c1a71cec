"""Praat TextGrid, in its long and its short form.

Each tier is a coding, and its name the coder; `layer` chooses one. Intervals without a text are
gaps. A tier of points has a segment from each point to the next, the first from the start, and a
point's mark labels the segment that it starts. UTF-8, or UTF-16 with its mark. A text may hold line
ends; a quote in it is doubled.

The two forms differ only in the words between the values, so both are read as the row of their
values: texts in quotes, numbers and flags.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.format import tool_format
from segscore.io.placing import Stretch, tier_records
from segscore.io.read_options import microseconds

# a number or a flag stands by itself: not inside "[1]", and not as part of a word
_VALUE = re.compile(
    r'"(?P<text>(?:[^"]|"")*+)"|(?:(?<=\s)|\A)(?P<plain>-?[0-9][0-9.eE+-]*|<[a-z]+>)(?=\s|\Z)'
)


def matches(lines: list[str]) -> bool:
    """Whether the first lines are those of a TextGrid."""
    head = " ".join(lines[:3])
    return "ooTextFile" in head and "TextGrid" in head


def read(source: Source) -> Iterator[Record]:
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


FORMAT = tool_format(
    "textgrid",
    "Praat TextGrid",
    ".textgrid",
    "units labels",
    matches,
    read,
    "ooTextFile",
    keys="durations layer policy word-times",
)
