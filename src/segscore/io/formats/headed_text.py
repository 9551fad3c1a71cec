"""Text with headings (Markdown, Wiki-727K), and plain text in segments between blank lines.

`markdown`: `# Title` … `###### Title`, or a title of one line or several underlined with `===`
(level 1) or `---` (level 2). The rank of a boundary is the level of the heading, the title is the
label. Headings are no units, and neither are front matter (between two lines `---` at the start),
HTML comments, and lines that draw a rule (`---`, `***`). Lines inside a fenced block of code are
text. Units are paragraphs, unless units= says otherwise.

If headings are kept (keep_headings=, and always where chunks are scored against them), everything
in the file is text: a heading is a unit of its own, front matter and comments are units like any
other. Units are then sentences, unless units= says otherwise.

`text`: a blank line, or several, between segments; units are lines, unless units= says otherwise.
No ranks and no labels.

`wiki-727k` (Koshorek et al. 2018): articles with their headings, one per file, which names it.

    ========,1,preface.
    First sentence.
    ========,2,History, in short.
    Another sentence.

A unit per line; before each segment a line of eight `=`, the level of its heading and its title,
which may hold commas. The rank of a boundary is the level less one, because only the preface has
level 1; the title is the label of the segment, the full stop at its end left out. Headings with no
text of their own are ignored: the next segment keeps the most prominent of their ranks, and its own
title. Placeholders (`***LIST***.`) are units like others.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io import compressed
from segscore.io.files import Source
from segscore.io.format import Format, told_by_suffix, tool_format
from segscore.io.read_options import SourceText
from segscore.text.unit_splitting import TEXT_RULES, Stretches, text_units

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_ITEM = re.compile(r" {0,3}(?:[-*+](?:[ \t]|\Z)|[0-9]{1,9}[.)](?:[ \t]|\Z)|>|\|)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_WIKI_HEADING = re.compile(r"={8},([1-9][0-9]?),(.*)")


class MarkdownHeading(NamedTuple):
    """A heading: its level, its title, and its lines, half-open, from 0."""

    rank: int
    title: str
    first: int
    end: int


class Outline:
    """Collects units and headings in the order of the file.

    A heading starts a segment where its first unit comes. Of headings without a unit between them
    the last one gives the label, and the most prominent the rank. Units before any heading are a
    segment without a label.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._units: list[str] = []
        self._starts: dict[int, tuple[int, str]] = {}

    def heading(self, rank: int, title: str) -> None:
        """A heading; its text follows."""
        at = len(self._units)
        before = self._starts.get(at, (rank, ""))[0]
        self._starts[at] = (min(rank, before), title)

    def units(self, texts: Iterable[str]) -> None:
        """Units, next in order."""
        self._units += texts

    def record(self, *, ranked: bool = True) -> Record:
        """The one coding of the file."""
        if not self._units:
            raise self._source.fail("no text below any heading: expected at least one unit")
        return _outlined(self._source, tuple(self._units), self._starts, ranked=ranked)


def _outlined(
    source: Source,
    units: tuple[str, ...],
    headings: Mapping[int, tuple[int, str]],
    *,
    ranked: bool = True,
) -> Record:
    """The coding of a text by its headings: rank and title by the unit where a segment starts."""
    starts = [at for at in sorted({0, *headings}) if at < len(units)]
    found = [headings.get(at, (1, "")) for at in starts]
    ranks = [rank for rank, _ in found[1:]] if ranked else None
    labels = tuple(title or None for _, title in found)
    with source.locating():
        coding = Segmentation.from_boundaries(starts[1:], len(units), ranks=ranks)
        return Record(
            source.document,
            source.coder,
            coding,
            units,
            labels if any(labels) else None,  # type: ignore[arg-type]
            place=source.at(),
        )


def read_markdown(source: Source) -> Iterator[Record]:
    """The one record of a file."""
    if source.choices.keep_headings:
        yield _with_headings(source)
        return
    rule = _rule(source, "paragraphs")
    outline = Outline(source)
    for block, heading in _parts(source.read_lines()):
        outline.units(text_units("\n".join(block), rule).texts or ())
        if heading is not None:
            outline.heading(heading.rank, heading.title)
    yield outline.record()


def _parts(lines: list[str]) -> Iterator[tuple[list[str], MarkdownHeading | None]]:
    """The text before each heading, and the heading; what is left at the end has none."""
    block: list[str] = []
    numbers: list[int] = []
    fence = ""
    for number, line in _without_comments(_without_front_matter(lines)):
        fence = _fence_after(line, fence)
        found = None if fence else _heading(line, number, block, numbers)
        if found is not None:
            # without the lines of a title that stand over its underline
            yield block[: bisect_left(numbers, found.first)], found
            block, numbers = [], []
        else:  # a rule stands between two paragraphs, and is none
            block.append("" if not fence and _RULE.fullmatch(line) else line)
            numbers.append(number)
    yield block, None


def _heading(
    line: str, number: int, block: list[str], numbers: list[int]
) -> MarkdownHeading | None:
    """The heading that a line is, or that it underlines in the block above it."""
    marked = _HEADING.match(line)
    if marked is not None:
        return MarkdownHeading(len(marked[1]), _title(line[marked.end() :]), number, number + 1)
    underline = _UNDERLINE.fullmatch(line)
    count = _title_lines(block) if underline is not None else 0
    if underline is None or not count:
        return None
    words = " ".join(one.strip() for one in block[-count:])
    return MarkdownHeading(1 if "=" in underline[1] else 2, words, numbers[-count], number + 1)


def _fence_after(line: str, fence: str) -> str:
    """The marks of the block of code that is open after a line; empty if none is."""
    marked = _FENCE.match(line)
    if marked is None or (fence and not marked[1].startswith(fence)):
        return fence
    return "" if fence else marked[1]


Numbered = Iterator[tuple[int, str]]  # lines with their numbers, from 0


def _without_front_matter(lines: list[str]) -> list[tuple[int, str]]:
    """The lines after front matter, which stands between two lines --- at the start."""
    numbered = list(enumerate(lines))
    if not lines or lines[0].rstrip() != "---":
        return numbered
    end = next((i for i, one in numbered[1:] if one.rstrip() in ("---", "...")), None)
    return numbered if end is None else numbered[end + 1 :]


def _without_comments(lines: list[tuple[int, str]]) -> Numbered:
    """The lines without HTML comments, which may go over several; in code they are text."""
    inside, fence = False, ""
    for number, line in lines:
        fence = fence if inside else _fence_after(line, fence)
        if fence or (not inside and "<!--" not in line):
            yield number, line
            continue
        kept, rest = "", line
        while rest:
            before, mark, rest = rest.partition("-->" if inside else "<!--")
            kept += "" if inside else before
            inside = inside != bool(mark)
        if kept.strip():
            yield number, kept


# ---- headings as text: what chunks of the file hold ----


def whole_text(source: Source) -> tuple[str, list[MarkdownHeading]]:
    """The text of a file, nothing left out, with its headings where it is Markdown."""
    text = source.read_text().replace("\r\n", "\n").replace("\r", "\n")
    if source.suffix not in MARKDOWN.suffixes:
        return text, []
    parts = _parts(text.split("\n"))
    return text, [heading for _, heading in parts if heading is not None]


def whole_units(text: str, headings: list[MarkdownHeading], rule: str) -> Stretches:
    """The units of a text; a heading shares no unit with what stands around it."""
    parts = [text_units(text, rule, *edges) for edges in pairwise(_edges(text, headings))]
    return Stretches(
        [start for one in parts for start in one.starts],
        [end for one in parts for end in one.ends],
        tuple(words for one in parts for words in one.texts or ()),
    )


def _edges(text: str, headings: list[MarkdownHeading]) -> list[int]:
    """Where headings start and end, and the text itself."""
    starts = _line_starts(text)
    inner = {starts[line] for one in headings for line in (one.first, one.end)}
    return sorted({0, len(text)} | inner)


def _line_starts(text: str) -> list[int]:
    """Where each line of a text starts, and where the text ends."""
    return [0, *(found.end() for found in re.finditer("\n", text)), len(text)]


def _with_headings(source: Source) -> Record:
    """The one record of a file whose headings are units. Headings that nothing stands between
    start one segment."""
    text, headings = whole_text(source)
    rule = _rule(source, "sentences")
    units = whole_units(text, headings, rule)
    if not units.n:
        raise source.fail("no text: expected at least one unit")
    lines = _line_starts(text)
    starts: dict[int, tuple[int, str]] = {}
    reached, last = -1, 0  # the unit after the heading before, and where that started a segment
    for heading in headings:
        unit = units.ended_by(lines[heading.first])
        at = last if unit == reached else unit
        rank = min(heading.rank, starts[at][0]) if at in starts else heading.rank
        starts[at] = (rank, heading.title)
        reached, last = units.ended_by(lines[heading.end]), at
    return _outlined(source, units.texts or (), starts)


def _title_lines(block: list[str]) -> int:
    """How many lines before an underline are its title: a paragraph that is no item of a list, no
    quotation and no code; 0 if there is none."""
    count = 0
    while count < len(block) and block[-1 - count].strip():
        count += 1
    if not count:
        return 0
    paragraph = block[-count:]
    plain = _ITEM.match(paragraph[0]) is None and not paragraph[0].startswith(("    ", "\t"))
    return count if plain and not any(map(_FENCE.match, paragraph)) else 0


def _title(rest: str) -> str:
    """The title after the marks, without marks that may stand at its end."""
    title = rest.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else title


def read_text(source: Source) -> Iterator[Record]:
    """The one record of a file."""
    rule = _rule(source, "lines")
    if rule == "paragraphs":
        raise source.fail(
            "units is 'paragraphs': expected lines, sentences, words or characters, because blank "
            "lines separate segments"
        )
    outline = Outline(source)
    text = "\n".join(source.read_lines())
    segments = text_units(text, "paragraphs")
    for start, end in zip(segments.starts, segments.ends, strict=True):
        outline.heading(1, "")
        outline.units(text_units(text, rule, start, end).texts or ())
    yield outline.record(ranked=False)


def _rule(source: Source, default: str) -> str:
    rule = source.choices.units or default
    if rule not in TEXT_RULES:
        raise source.fail(f"units is {rule!r}: expected one of {', '.join(TEXT_RULES)}")
    return rule


# ---- Wiki-727K ----


def matches_wiki(lines: list[str]) -> bool:
    """The first line is a heading."""
    return bool(lines) and _WIKI_HEADING.match(lines[0]) is not None


def read_wiki(source: Source) -> Iterator[Record]:
    """The one record of a file."""
    outline = Outline(source)
    for number, line in enumerate(source.read_lines(), start=1):
        found = _WIKI_HEADING.fullmatch(line.rstrip())
        if found is not None:
            title = found[2].strip()
            outline.heading(max(1, int(found[1]) - 1), title.removesuffix("."))
        elif line.startswith("========"):
            raise source.fail(f"{line!r}: expected ========,LEVEL,TITLE", number)
        elif number == 1:
            raise source.fail(f"{line!r}: expected a heading first, as in ========,1,preface.", 1)
        elif line.strip():
            outline.units([line])
    yield outline.record()


MARKDOWN = tool_format(
    "markdown", "Markdown", ".md .markdown", "units labels ranks", told_by_suffix, read_markdown,
    alone=True,
)  # fmt: skip
TEXT = tool_format("text", "plain text", ".txt", "units", told_by_suffix, read_text, alone=True)
WIKI_727K = Format(
    "wiki-727k", "Wiki-727K", (".wiki",), frozenset({"units", "labels", "ranks"}),
    matches_wiki, read_wiki, signs=("========,",),
)  # fmt: skip
_WHOLE_TEXTS = (MARKDOWN, TEXT)  # formats whose files are the text itself


# ---- the texts that chunks were cut from ----


def text_format(path: Path) -> str | None:
    """The format of a file of text, or of the files of text in a folder; None if neither."""
    files = path.rglob("*") if path.is_dir() else [path]
    suffixes = {compressed.suffix_of(one) for one in files}
    return next((kind.name for kind in _WHOLE_TEXTS if suffixes & {*kind.suffixes}), None)


def is_whole_text(kind: Format) -> bool:
    """Whether files of a format are the text itself."""
    return kind in _WHOLE_TEXTS


def source_texts(found: list[tuple[Source, Format]], rule: str) -> dict[str, SourceText]:
    """The text of each document of some files."""
    texts: dict[str, SourceText] = {}
    for source, kind in found:
        if is_whole_text(kind):
            text, headings = whole_text(source)
            units = whole_units(text, headings, rule)
            sentences = whole_units(text, headings, "sentences")
            texts[source.document] = SourceText(text, units, True, sentences)
            continue
        for record in kind.read(source):
            if record.units is not None:
                texts.setdefault(record.document, _joined(record.units))
    if not texts:
        raise SegmentationError(
            f"{found[0][0].at()} holds no text, and chunks are to be found in it: expected a "
            "reference with the text of its units, or the text in text= (--text)"
        )
    return texts


def _joined(units: tuple[str, ...]) -> SourceText:
    """Units with a space between them: where chunks are found, white space does not count."""
    ends = list(accumulate((len(unit) + 1 for unit in units), initial=0))[1:]
    edges = [(end - 1 - len(unit), end - 1) for unit, end in zip(units, ends, strict=True)]
    starts, stops = [start for start, _ in edges], [end for _, end in edges]
    return SourceText(" ".join(units), Stretches(starts, stops, units), exact=False)
