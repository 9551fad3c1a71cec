"""Units as stretches of text or of time, and the rules that make them.

A unit is half-open, [start, end). Text is counted in code points and time in microseconds. Between
two units of text there may be space, which belongs to none; `characters` are all of them.

A sentence ends after `.`, `!`, `?` or `…` (or `。`, `！`, `？`), closing quotes and brackets
included, where space follows, and at a blank line. That is a rule, not a model: it cuts after
"Dr.", and always in the same way.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from segscore.errors import SegmentationError

_BREAK = r"(?>\r\n|\r|\n)"
_BLANK_LINES = re.compile(rf"{_BREAK}(?:[^\S\r\n]*{_BREAK})+")
_RULES = {
    "lines": re.compile(r"[^\r\n]+"),
    "words": re.compile(r"\S+"),
    "characters": re.compile(r".", re.DOTALL),
}
# a run of marks is looked at once, from its start: long runs take no longer than others
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。！？]++[”’」』）]*+")


class Units(Protocol):
    """Stretches in order, without overlap."""

    @property
    def n(self) -> int:
        """How many."""

    def edges(self, index: int) -> tuple[int, int]:
        """Start and end of one."""

    def ended_by(self, point: int) -> int:
        """How many end at or before the point."""

    def started_before(self, point: int) -> int:
        """How many start before the point."""


@dataclass(frozen=True)
class Stretches:
    """Units of which each has its own length."""

    starts: list[int]
    ends: list[int]
    texts: tuple[str, ...] | None = None

    @property
    def n(self) -> int:
        """How many."""
        return len(self.starts)

    def edges(self, index: int) -> tuple[int, int]:
        """Start and end of one."""
        return self.starts[index], self.ends[index]

    def ended_by(self, point: int) -> int:
        """How many end at or before the point."""
        return bisect_right(self.ends, point)

    def started_before(self, point: int) -> int:
        """How many start before the point."""
        return bisect_left(self.starts, point)


@dataclass(frozen=True)
class Ticks:
    """Units of one length, from 0; the last may be shorter."""

    step: int
    total: int

    @property
    def n(self) -> int:
        """How many."""
        return -(-self.total // self.step)

    def edges(self, index: int) -> tuple[int, int]:
        """Start and end of one."""
        return index * self.step, min((index + 1) * self.step, self.total)

    def ended_by(self, point: int) -> int:
        """How many end at or before the point."""
        return self.n if point >= self.total else max(point, 0) // self.step

    def started_before(self, point: int) -> int:
        """How many start before the point."""
        return min(max(-(-point // self.step), 0), self.n)


def text_units(text: str, rule: str, lo: int = 0, hi: int | None = None) -> Stretches:
    """The units of a text, or of a part of it, by a rule.

    >>> text_units("One two. Three!  Four", "sentences").texts
    ('One two.', 'Three!', 'Four')
    """
    hi = len(text) if hi is None else hi
    if rule == "paragraphs":
        found = _paragraphs(text, lo, hi)
    elif rule == "sentences":
        found = _sentences(text, lo, hi)
    else:
        found = (one.span() for one in _RULES[rule].finditer(text, lo, hi))
    trimmed = found if rule == "characters" else (_trimmed(text, *one) for one in found)
    return stretches([one for one in trimmed if one[0] < one[1]], text)


def stretches(edges: list[tuple[int, int]], text: str | None = None) -> Stretches:
    """Units from their edges; they must be in order, apart, and not empty."""
    before = 0
    for start, end in edges:
        if start < before or end <= start:
            raise SegmentationError(
                f"a unit from {start} to {end}: expected units in order, without overlap, and "
                "none empty"
            )
        before = end
    return Stretches(
        [start for start, _ in edges],
        [end for _, end in edges],
        None if text is None else tuple(text[start:end] for start, end in edges),
    )


def _paragraphs(text: str, lo: int, hi: int) -> Iterable[tuple[int, int]]:
    for blank in _BLANK_LINES.finditer(text, lo, hi):
        yield lo, blank.start()
        lo = blank.end()
    yield lo, hi


def _sentences(text: str, lo: int, hi: int) -> Iterable[tuple[int, int]]:
    for first, last in _paragraphs(text, lo, hi):
        ends = [one.end() for one in _SENTENCE_END.finditer(text, first, last)]
        yield from zip([first, *ends], [*ends, last], strict=True)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
