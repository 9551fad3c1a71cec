"""Units as stretches of text or of time, and the rules that form them.

A unit is half-open, [start, end). Text is counted in code points and time in microseconds. Space
between two units of text belongs to neither; with `characters`, every character is a unit.

The rules of text: `sentences` (segscore.text.sentences says where they end), `paragraphs`
(separated by blank lines), `lines`, `words` (separated by space), `characters`. The names in the
singular are accepted, too. Readers and segmenters use the same rules, so that the same text has the
same units.
Sentences and paragraphs may run over several lines: in their texts each run of space is one blank.
A heading of Markdown and a fenced block of code are a unit each in both.

Chunks are placed on finer units (`chunk_units`): rows of tables, lines of code and items of lists
(each sentence of an item) are units of their own, and a unit of more than 2 · snap characters is
cut into pieces. Positions between its pieces are `inner`: no reference has a boundary there, so
that a cut far from both ends of a long unit has a position of its own, and is never a match.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

from segscore.basics.arguments import cached_property, shown
from segscore.errors import SegmentationError

if TYPE_CHECKING:
    from segscore.text.markdown_blocks import Stretch

TextRule = Literal["lines", "paragraphs", "sentences", "words", "characters"]
TEXT_RULES: tuple[str, ...] = get_args(TextRule)
_OF_BLOCKS = ("sentences", "paragraphs")  # rules to which headings and code are separate
Overlap = Literal["start", "middle", "end"]
OVERLAPS: tuple[str, ...] = get_args(Overlap)
Gaps = Literal["text", "before", "after"]  # whose text in no chunk is
GAPS: tuple[str, ...] = get_args(Gaps)
SNAP = 100  # characters that a cut of chunks may move, where nobody says it
_PIECE = 200  # characters of a piece of a long unit at most, or 2 · snap if that is more
_NEAR = 50  # of them, by which a piece may be longer so that the next begins with a word

_BREAK = r"(?>\r\n|\r|\n)"
_BLANK_LINES = re.compile(rf"{_BREAK}(?:[^\S\r\n]*{_BREAK})+")
_WORD_START = re.compile(r"(?<=\s)\S")
_RULES = {
    "lines": re.compile(r"[^\r\n]+"),
    "words": re.compile(r"\S+"),
    "characters": re.compile(r".", re.DOTALL),
}


@dataclass(frozen=True)
class Stretches:
    """Units, each with its own length.

    inner: the positions (numbers of units before them) between the pieces of a long unit.
    """

    starts: list[int]
    ends: list[int]
    texts: tuple[str, ...] | None = None
    inner: frozenset[int] = frozenset()

    @property
    def n(self) -> int:
        """The number of units."""
        return len(self.starts)

    def edges(self, index: int) -> tuple[int, int]:
        """The start and end of a unit."""
        return self.starts[index], self.ends[index]

    def whole(self, index: int) -> tuple[int, int]:
        """The positions before and after the unit that a piece belongs to."""
        after = bisect_right(self._outer, index)
        return self._outer[after - 1], self._outer[after]

    @cached_property
    def _outer(self) -> list[int]:
        return [at for at in range(self.n + 1) if at not in self.inner]

    def ended_by(self, point: int) -> int:
        """The number of units that end at or before the point."""
        return bisect_right(self.ends, point)

    def started_before(self, point: int) -> int:
        """The number of units that start before the point."""
        return bisect_left(self.starts, point)


@dataclass(frozen=True)
class Ticks:
    """Units of equal length, from 0. The last may be shorter, or longer by less than half of the
    length, because a small remainder is not a unit of its own."""

    step: int
    total: int

    @property
    def n(self) -> int:
        """The number of units."""
        whole, rest = divmod(self.total, self.step)
        return whole + (not whole or 2 * rest >= self.step)

    def edges(self, index: int) -> tuple[int, int]:
        """The start and end of a unit."""
        last = index == self.n - 1
        return index * self.step, self.total if last else (index + 1) * self.step

    def ended_by(self, point: int) -> int:
        """The number of units that end at or before the point."""
        return self.n if point >= self.total else min(max(point, 0) // self.step, self.n - 1)

    def started_before(self, point: int) -> int:
        """The number of units that start before the point."""
        return min(max(-(-point // self.step), 0), self.n)


Units = Stretches | Ticks  # in order, without overlap


def text_rule(name: Any) -> str:
    """The rule with this name, in the plural or the singular.

    >>> text_rule("sentence")
    'sentences'
    """
    rule = f"{name}s" if f"{name}s" in TEXT_RULES else name
    if rule not in TEXT_RULES:
        raise SegmentationError(f"units is {shown(name)}: expected one of {', '.join(TEXT_RULES)}")
    return str(rule)


def units_of(text: str, rule: Any = "sentences") -> list[str]:
    """The texts of the units of a text.

    >>> units_of('Dr. Smith came. "Where from?" No. 5, he said! Really')
    ['Dr. Smith came.', '"Where from?"', 'No. 5, he said!', 'Really']
    """
    return list(text_units(text, rule).texts or ())


def text_units(text: str, rule: str, lo: int = 0, hi: int | None = None) -> Stretches:
    r"""The units of a text, or of a part of it, by a rule.

    >>> text_units("One two. Three!  Four", "sentences").texts
    ('One two.', 'Three!', 'Four')
    >>> text_units("### 2. Use. How?\nSo:\n```\na = 1\n\nb = 2\n```", "sentences").texts
    ('### 2. Use. How?', 'So:', '``` a = 1 b = 2 ```')
    """
    hi = len(text) if hi is None else hi
    rule = text_rule(rule)
    if rule in _OF_BLOCKS:
        return _without_breaks(text, _in_blocks(text, rule, lo, hi))
    found = (match.span() for match in _RULES[rule].finditer(text, lo, hi))
    edges = found if rule == "characters" else (trimmed(text, *stretch) for stretch in found)
    return stretches([stretch for stretch in edges if stretch[0] < stretch[1]], text)


def chunk_units(text: str, rule: str, snap: int = SNAP) -> Stretches:
    r"""The units of a text on which its chunks are placed, in pieces if they are long.

    >>> chunk_units("So:\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |", "sentences").texts
    ('So:', '- one', '- two', '| a | b |', '|---|---|', '| 1 | 2 |')
    >>> long = chunk_units("One, two, three. Four.", "sentences", snap=5)
    >>> long.texts, long.inner
    (('One, two,', 'three.', 'Four.'), frozenset({1}))
    """
    return in_pieces(text, lined_units(text, rule), snap)


def lined_units(text: str, rule: str) -> Stretches:
    """The units of a text by a rule; rows of tables, lines of code and items of lists are units of
    their own."""
    rule = text_rule(rule)
    if rule not in _OF_BLOCKS:
        return text_units(text, rule)
    return _without_breaks(text, _line_by_line(text, rule))


def in_pieces(text: str, units: Stretches, snap: int) -> Stretches:
    """The units, those of more than 2 · snap characters in pieces, which begin with a word if one
    begins nearby."""
    starts: list[int] = []
    ends: list[int] = []
    texts: list[str] = []
    inner: list[int] = []
    for index, (first, last) in enumerate(zip(units.starts, units.ends, strict=True)):
        edges = [first, *_cut_up(text, first, last, snap), last]
        inner += range(len(starts) + 1, len(starts) + len(edges) - 1)
        for start, end in pairwise(edges):
            starts.append(start)
            ends.append(trimmed(text, start, end)[1] if end < last else last)
            texts.append(" ".join(text[start:end].split()))
        if len(edges) == 2 and units.texts is not None:
            texts[-1] = units.texts[index]
    return Stretches(starts, ends, tuple(texts), frozenset(inner))


def _cut_up(text: str, start: int, end: int, snap: int) -> list[int]:
    """Where the pieces of a unit begin, but the first."""
    if end - start <= 2 * snap or end - start < 2:
        return []
    n_pieces = max(2, -(-(end - start) // (max(2 * snap, _PIECE) - _NEAR)))
    found = set()
    for piece in range(1, n_pieces):
        at = start + (end - start) * piece // n_pieces
        word = _WORD_START.search(text, at, min(at + _NEAR, end))
        if word is not None:
            found.add(word.start())
        elif not text[at].isspace():
            found.add(at)
    return sorted(found) or [end - 1]  # if there is next to nothing but white space


def stretches(edges: list[tuple[int, int]], text: str | None = None) -> Stretches:
    """Units from their edges; they must be in order, apart, and not empty."""
    before = 0
    for start, end in edges:
        if start < before or end <= start:
            raise SegmentationError(
                f"a unit from {shown(start)} to {shown(end)}: expected units in order, without "
                "overlap, and none empty"
            )
        before = end
    return Stretches(
        [start for start, _ in edges],
        [end for _, end in edges],
        None if text is None else tuple(text[start:end] for start, end in edges),
    )


def put_together(parts: "Sequence[Stretches]") -> Stretches:
    """The units of several parts of a text, with their texts."""
    return Stretches(
        [start for part in parts for start in part.starts],
        [end for part in parts for end in part.ends],
        tuple(words for part in parts for words in part.texts or ()),
    )


def text_parts(text: str) -> "Iterator[Stretch]":
    """The parts of a text between blank lines; a fenced block of code may contain blank lines."""
    from segscore.text.markdown_blocks import whole_blocks

    code = [stretch for stretch, what in whole_blocks(text, 0, len(text)) if what == "code"]
    starts = [start for start, _ in code]
    lo = 0
    for blank in _BLANK_LINES.finditer(text):
        before = bisect_right(starts, blank.start()) - 1
        if before < 0 or blank.end() >= code[before][1]:
            yield lo, blank.start()
            lo = blank.end()
    yield lo, len(text)


def _in_blocks(
    text: str, rule: str, lo: int, hi: int, lists: "Sequence[Stretch]" = ()
) -> "Iterator[Stretch]":
    """The sentences or paragraphs; headings, code, and items of these lists are separate."""
    from segscore.text.markdown_blocks import whole_blocks

    for (start, end), what in whole_blocks(text, lo, hi):
        if what != "text":
            yield start, end
        else:
            within = _items(text, _paragraphs(text, start, end), lists)
            yield from within if rule == "paragraphs" else _sentences(text, within)


def _line_by_line(text: str, rule: str) -> "Iterator[Stretch]":
    """The sentences or paragraphs, and each line of tables and code."""
    from segscore.text.markdown_blocks import line_blocks

    blocks = line_blocks(text)
    lo = 0
    for start, end in sorted([*blocks.tables, *blocks.code]):
        if lo < start:
            yield from _in_blocks(text, rule, lo, start, blocks.lists)
        yield from (match.span() for match in _RULES["lines"].finditer(text, max(lo, start), end))
        lo = max(lo, end)
    if lo < len(text):
        yield from _in_blocks(text, rule, lo, len(text), blocks.lists)


def _items(
    text: str, paragraphs: "Iterable[Stretch]", lists: "Sequence[Stretch]"
) -> "Iterator[Stretch]":
    """The paragraphs, cut before each item of a list."""
    if not lists:
        yield from paragraphs
        return
    from segscore.text.markdown_blocks import begins_item

    starts = [start for start, _ in lists]
    for first, last in paragraphs:
        lo = first
        for line in _RULES["lines"].finditer(text, first, last):
            at = trimmed(text, *line.span())[0]
            held = bisect_right(starts, at) - 1
            if lo < at < last and held >= 0 and at < lists[held][1] and begins_item(text, at):
                yield lo, at
                lo = at
        yield lo, last


def _without_breaks(text: str, found: "Iterable[Stretch]") -> Stretches:
    """Units without the space at their ends; in their texts each run of space is one blank."""
    edges = (trimmed(text, *stretch) for stretch in found)
    units = stretches([stretch for stretch in edges if stretch[0] < stretch[1]], text)
    texts = tuple(" ".join(unit.split()) for unit in units.texts or ())
    return Stretches(units.starts, units.ends, texts)


def _paragraphs(text: str, lo: int, hi: int) -> "Iterator[Stretch]":
    for blank in _BLANK_LINES.finditer(text, lo, hi):
        yield lo, blank.start()
        lo = blank.end()
    yield lo, hi


def _sentences(text: str, paragraphs: "Iterable[Stretch]") -> "Iterator[Stretch]":
    from segscore.text.sentences import sentence_ends

    for first, last in paragraphs:
        ends = list(sentence_ends(text, first, last))
        yield from zip([first, *ends], [*ends, last], strict=True)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without the space at its ends; a byte order mark is space, too."""
    while start < end and (text[start].isspace() or text[start] == "\ufeff"):
        start += 1
    while start < end and (text[end - 1].isspace() or text[end - 1] == "\ufeff"):
        end -= 1
    return start, end
