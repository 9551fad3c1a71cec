"""Text with headings (Markdown, Wiki-727K), and plain text in segments between blank lines.

`markdown`: `# Title` … `###### Title`, or a title of one line or several underlined with `===`
(level 1) or `---` (level 2). The rank of a boundary is the level of the heading, the title is the
label. Headings are not units, and neither are front matter (between two lines `---` at the start),
HTML comments, and lines that draw a rule (`---`, `***`). Lines inside a fenced block of code are
text. Units are paragraphs, unless units= says otherwise.

If headings are kept (keep_headings=, and always where chunks are scored against them), everything
in the file is text: a heading is a unit of its own, front matter and comments are units like any
other. Units are then sentences, unless units= says otherwise, as chunks are placed on them: with
rows of tables, items of lists and lines of code apart, and long units in pieces (`chunk_units`).

If another heading follows a heading directly, with no text between them, both together start a
single segment. With each_heading= each of them starts a segment, if headings are kept.

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
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, named
from segscore.io import compressed
from segscore.io.file_texts import located, whole_text
from segscore.io.files import Source
from segscore.io.format import Format, told_by_suffix, tool_format
from segscore.io.formats.dialogue_texts import tell_counters
from segscore.io.formats.gaps import SYMBOL
from segscore.text.located_units import SourceText, source_text
from segscore.text.markdown_blocks import Stretch, markdown_blocks
from segscore.text.unit_splitting import (
    TEXT_RULES,
    Stretches,
    chunk_units,
    in_pieces,
    text_parts,
    text_units,
)

_TAG = re.compile(r"[BIOES]+|[BIES]-\S+")  # a label of a unit, or of all units of a line
_WIKI_HEADING = re.compile(r"={8},([1-9][0-9]?),(.*)")


class Outline:
    """Collects units and headings in the order of the file.

    A heading starts a segment at its first unit. If several headings have no unit between them, the
    last gives the label, and the most prominent the rank. Units before any heading are a segment
    without a label.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._units: list[str] = []
        self._starts: dict[int, tuple[int, str]] = {}

    def heading(self, rank: int, title: str) -> None:
        """Add a heading; its text follows."""
        at = len(self._units)
        before = self._starts.get(at, (rank, ""))[0]
        self._starts[at] = (min(rank, before), title)

    def units(self, texts: Iterable[str]) -> None:
        """Add the next units."""
        self._units += texts

    def record(self, units: tuple[str, ...] | None = None) -> Record:
        """The coding of the file; `units` are the collected units, with more known about them."""
        found = tuple(self._units) if units is None else units
        return _outlined(self._source, found, self._starts)


def _outlined(
    source: Source,
    units: tuple[str, ...],
    headings: Mapping[int, tuple[int, str]],
    *,
    ranked: bool = True,
) -> Record:
    """The coding of a text by its headings: rank and title by the unit at which a segment
    starts."""
    if not units:
        raise source.fail("no text below any heading: expected at least one unit")
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
    """The record of a file."""
    if source.choices.keep_headings:
        yield _with_headings(source)
        return
    if source.choices.each_heading:
        raise source.fail(
            "each_heading is given, and headings are not units: expected keep_headings=True, too"
        )
    rule = _rule(source, "paragraphs")
    text = whole_text(source)
    blocks = markdown_blocks(text)
    headings, unseen = blocks.headings, blocks.unseen
    seen = _blanked(text, unseen)
    outline = Outline(source)
    parts: list[Stretches] = []
    lo = 0
    for heading in [*headings, None]:
        hi = len(seen.rstrip()) if heading is None else heading.start - 1
        part = _outside(text_units(seen, rule, lo, max(lo, hi)), unseen)
        parts.append(part)
        outline.units(part.texts or ())
        if heading is not None:
            outline.heading(heading.rank, heading.title)
            lo = heading.end
    yield outline.record(located(source, text, _together(parts)))


def _blanked(text: str, unseen: Iterable[Stretch]) -> str:
    """The text with blanks in place of some stretches, so that everything else keeps its offset."""
    parts: list[str] = []
    at = 0
    for start, end in unseen:
        parts += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


def _outside(units: Stretches, unseen: list[Stretch]) -> Stretches:
    """The units without those that only hold such blanks, which only characters do."""
    if not unseen or units.texts is None or " " not in units.texts:
        return units
    hidden = Stretches([start for start, _ in unseen], [end for _, end in unseen])
    kept = [
        index
        for index, start in enumerate(units.starts)
        if hidden.started_before(start + 1) == hidden.ended_by(start)
    ]
    return Stretches(
        [units.starts[index] for index in kept],
        [units.ends[index] for index in kept],
        tuple(units.texts[index] for index in kept),
    )


def _together(parts: list[Stretches]) -> Stretches:
    return Stretches(
        [start for part in parts for start in part.starts],
        [end for part in parts for end in part.ends],
        tuple(words for part in parts for words in part.texts or ()),
    )


# ---- headings as text: what chunks of the file hold ----


def _with_headings(source: Source) -> Record:
    """The record of a file whose headings are units. Headings with nothing between them start a
    single segment, unless each of them shall."""
    text = whole_text(source)
    units = chunk_units(text, _rule(source, "sentences"), source.choices.snap)
    if not units.n:
        raise source.fail("no text: expected at least one unit")
    starts: dict[int, tuple[int, str]] = {}
    reached, last = -1, 0  # the unit after the heading before, and where that started a segment
    for heading in markdown_blocks(text).headings:
        unit = units.ended_by(heading.start)
        at = last if unit == reached and not source.choices.each_heading else unit
        rank = min(heading.rank, starts[at][0]) if at in starts else heading.rank
        starts[at] = (rank, heading.title)
        reached, last = units.ended_by(heading.end), at
    return _outlined(source, located(source, text, units), starts)


def read_text(source: Source) -> Iterator[Record]:
    """The record of a file."""
    rule = _rule(source, "lines")
    if rule == "paragraphs":
        raise source.fail(
            "units is 'paragraphs': expected lines, sentences, words or characters, because blank "
            "lines separate segments"
        )
    text = whole_text(source)
    words = re.findall(r"[^\s,;|]+", text)
    single = len(set(words)) < len(words) and all(len(word) == 1 for word in words)
    tags = text[3:] and words and words[0][0] == "B" and all(map(_TAG.fullmatch, words))
    flags = len(words) > 1 and all(map(SYMBOL.fullmatch, words))
    if single or tags or flags:
        raise source.fail(
            f"the file holds labels, such as {named(dict.fromkeys(words))}, and no text: expected "
            "a text; or, for labels of units, 1 in place of the letter that starts a segment and 0 "
            "in place of others, in a table, or in a file of format gaps, and marks='start'"
        )
    tell_counters(source, text)
    units = _of_text(source, text, rule)
    parts = [start for start, end in text_parts(text) if text[start:end].strip()]
    starts = {units.ended_by(start): (1, "") for start in parts[1:]}
    yield _outlined(source, located(source, text, units), starts, ranked=False)


def _of_text(source: Source, text: str, rule: str) -> Stretches:
    """The units of a text; those on which chunks are placed, if it is read for chunks."""
    choices = source.choices
    return (
        chunk_units(text, rule, choices.snap) if choices.keep_headings else text_units(text, rule)
    )


def _rule(source: Source, default: str) -> str:
    rule = source.choices.units or default
    if rule not in TEXT_RULES:
        raise source.fail(f"units is {rule!r}: expected one of {', '.join(TEXT_RULES)}")
    return rule


# ---- Wiki-727K ----


def matches_wiki(lines: list[str]) -> bool:
    """Whether the first line is a heading."""
    return bool(lines) and _WIKI_HEADING.match(lines[0]) is not None


def read_wiki(source: Source) -> Iterator[Record]:
    """The record of a file."""
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
    alone=True, keys="each-heading keep-headings policy snap",
)  # fmt: skip
TEXT = tool_format(
    "text",
    "plain text",
    ".txt",
    "units",
    told_by_suffix,
    read_text,
    alone=True,
    keys="keep-headings policy snap",
)
WIKI_727K = Format(
    "wiki-727k", "Wiki-727K", (".wiki",), frozenset({"units", "labels", "ranks"}),
    matches_wiki, read_wiki, signs=("========,",),
)  # fmt: skip
_WHOLE_TEXTS = (MARKDOWN, TEXT)  # formats whose files are the text itself


# ---- the texts that chunks were cut from ----


def text_format(path: Path) -> str | None:
    """The format of a text file, or of the text files in a folder; None if there are none."""
    files = path.rglob("*") if path.is_dir() else [path]
    suffixes = {compressed.suffix_of(file) for file in files}
    return next((kind.name for kind in _WHOLE_TEXTS if suffixes & {*kind.suffixes}), None)


def is_whole_text(kind: Format) -> bool:
    """Whether files of a format are the text itself."""
    return kind in _WHOLE_TEXTS


def source_texts(
    found: list[tuple[Source, Format]], rule: str, counted: bool = False
) -> dict[str, SourceText]:
    """The text of each document of some files. counted: units may be empty, if only their number is
    known."""
    texts: dict[str, SourceText] = {}
    for source, kind in found:
        if is_whole_text(kind):
            text = whole_text(source)
            texts[source.document] = SourceText(text, _of_text(source, text, rule), True)
            continue
        for record in kind.read(source):
            if record.units is not None:
                made = source_text(record.units)
                if source.choices.keep_headings:
                    units = in_pieces(made.text, made.units, source.choices.snap)
                    made = made._replace(units=units)
                texts.setdefault(record.document, made)
            elif counted:
                n = record.n_units
                nothing = Stretches([0] * n, [0] * n, ("",) * n)
                texts.setdefault(record.document, SourceText("", nothing, exact=False))
    if not texts:
        raise SegmentationError(
            f"{found[0][0].at()} holds no text, and chunks are to be found in it: expected a "
            "reference with the text of its units, or the text in text="
        )
    return texts
