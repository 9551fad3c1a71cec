"""Texts in segments, a document per file: lines of `=`, ranked text, headings, blank lines.

Text in segments between lines of `=`, one document per file, which names it; a unit per line.

`choi` (Choi 2000): ten `=` before, between and after segments. UTF-8, or else latin-1, in which the
original corpus is written. The coder of a file `….ref` or `….dev` is called `reference`, unless the
caller names them. Blank lines and empty segments are errors, or left out and counted if the caller
is lenient.

    ==========
    First sentence of the first segment .
    ==========
    The second segment .
    ==========

`separated-text`: as the programs of Dial-START and CSM have it: eight or more `=` between segments,
none before the first or after the last one.

    check the weather for the 7 day forecast
    ================
    Yes, can you give me the information on the hotel?

Ranked text (Carroll 2010): the text itself with ranked boundaries, one document per file.

    ==== 1 ====
    First sentence .
    ==== 2 ====
    A section begins .
    ==== 3 ====
    A part of it begins .

A unit per line, including blank lines; UTF-8, or else latin-1. A line `==== 3 ====` (any number of
`=`) is a boundary of rank 3 before the next unit, without a number of rank 1; if there are several
in one place, the last counts, and marks before the first and after the last unit are ignored. A
file `Name.txt.eos.tok` is the document `Name`.

The author's program, EvalHDS, reads each line that only begins like a mark as a mark, and drops its
text; some of his files have such lines, because a program that splits sentences cut marks in two.
Here they are an error, or read in the same way and counted if the caller is lenient.

Text with headings (Markdown, Wiki-727K), and plain text in segments between blank lines.

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
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from segscore.basics.arguments import check_name
from segscore.coding.segmentation import Segmentation
from segscore.corpus import Codings, CodingsBuilder, Corpus, Record
from segscore.errors import about, number_of
from segscore.io.files import REFERENCE, Source, expect
from segscore.io.format import Format
from segscore.io.formats.corpora import refuse_dialogues
from segscore.io.formats.notations import SYMBOL
from segscore.text import unit_splitting
from segscore.text.located_units import LocatedUnits, SourceText, source_text
from segscore.text.markdown_blocks import Stretch, markdown_blocks
from segscore.text.unit_splitting import TEXT_RULES, Stretches, text_units

# ---- choi ----

SEPARATOR = "=========="
_SEPARATOR = re.compile("={8,}")


def matches_choi(lines: list[str]) -> bool:
    """Whether the first line is a separator of Choi's."""
    return bool(lines) and lines[0].strip() == SEPARATOR


def matches_separated_text(lines: list[str]) -> bool:
    """Whether there are equal lines of eight or more `=` between lines of text, none of them blank;
    a line as long as the title above it underlines that title, and separates nothing."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not all(line.strip() for line in lines):
        return False
    marks = [i for i, line in enumerate(lines) if _SEPARATOR.fullmatch(line)]
    if not marks or marks[0] == 0 or len({lines[i] for i in marks}) > 1:
        return False
    return any(len(lines[i]) != len(lines[i - 1].strip()) for i in marks)


def read_choi(source: Source) -> Iterator[Record]:
    """The record of a file in Choi's format."""
    where, lenient = f"document {source.document!r}", source.choices.lenient
    lines = list(enumerate(source.read_lines(latin=True), start=1))
    solid = [(number, text) for number, text in lines if text.strip() or not lenient]
    opened = solid and solid[0][1].strip() == SEPARATOR
    source.expect(opened, f"{where}: expected a line of ten '=' before the first segment", line=1)
    record, is_open, empty = _between(source, solid[1:], re.compile(SEPARATOR), lenient)
    what = f"{where}: the last line is not a separator: expected ten '='"
    source.expect(not is_open, what, line=solid[-1][0])
    blank = len(lines) - len(solid)
    if blank or empty:
        what = f"{number_of(blank, 'blank line')} and {number_of(empty, 'empty segment')}"
        source.remark(f"left out {what}")
    yield record


def read_separated_text(source: Source) -> Iterator[Record]:
    """The record of a file with separators between segments only."""
    lines = list(enumerate(source.read_lines(latin=True), start=1))
    record, is_open, _ = _between(source, lines, _SEPARATOR)
    what = f"document {source.document!r}: the last line is a separator"
    source.expect(is_open, f"{what}: expected them between segments only", line=lines[-1][0])
    yield record


def _between(
    source: Source, lines: list[tuple[int, str]], separator: re.Pattern[str], lenient: bool = False
) -> tuple[Record, bool, int]:
    """The record of lines with separators between segments, whether a segment comes last, and the
    number of empty segments, which are left out if that is allowed."""
    check_name(source.document, source.at())
    hint = "" if separator is _SEPARATOR else ", or lenient=True"
    units: list[str] = []
    masses, empty, wrong, where = [0], 0, "", f"document {source.document!r}"
    for number, text in lines:
        line = text.strip()
        if separator.fullmatch(line):
            if masses[-1]:
                masses.append(0)
            elif lenient:
                empty += 1
            else:
                wrong = "an empty segment: expected a unit first"
        elif not line or (hint and not line.strip("=")):
            wrong = f"{text!r}: expected a unit, or a line of '='"
        else:
            units.append(text)
            masses[-1] += 1
        if wrong:
            raise source.fail(f"{where}: {wrong}{hint}", number)
    if not units:
        raise source.fail(f"{where}: the file is empty: expected a unit per line")
    coding = Segmentation.from_masses(list(filter(None, masses)))
    record = Record(source.document, source.coder, coding, tuple(units), place=source.at())
    return record, masses[-1] > 0, empty


def files_choi(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """A file per document."""
    for document in corpus.values():
        with about(f"document {document.name!r}"):
            what = f"codings by {', '.join(map(repr, document))}: Choi's format holds one"
            alone = len(document) == 1 and (lossy or REFERENCE in document)
            expect(alone, f"{what}, by {REFERENCE!r}: expected one coder, or lossy=True for a name")
            expect(document.units, "no text: expected units, because Choi's format is the text")
            (coding,) = document.values()
            starts, lines = {0, *coding.boundaries.tolist()}, list[str]()
            for index, unit in enumerate(document.units or ()):
                fits = unit.strip().strip("=") and not set(unit) & set("\r\n\0")
                fits = fits and unit[0] != "\ufeff"
                expect(fits, f"units[{index}] is %s: expected one line of text", unit)
                lines.append((SEPARATOR + "\n" if index in starts else "") + unit + "\n")
            yield document.name, [*lines, SEPARATOR + "\n"]


# ---- ranked ----

_MARK = re.compile(r"=+ *([0-9]*) *=+ *")
_NUMBERED = re.compile(r"={2,} ?[0-9]+ ?={2,}")
_SIGNS = tuple(f"={space}{digit}" for space in ("", " ") for digit in "0123456789")
_MOST_DIGITS = 9  # of a rank
_ENDINGS = ".txt.eos"  # of Carroll's files, before .tok


def matches_ranked_text(lines: list[str]) -> bool:
    """Whether some line is a mark with a rank."""
    return any(_NUMBERED.fullmatch(line.strip()) for line in lines)


def read_ranked_text(source: Source) -> Iterator[Record]:
    """The record of a file."""
    document = source.document.removesuffix(_ENDINGS)
    check_name(document, source.at())
    units: list[str] = []
    ranks: dict[int, int] = {}  # by place
    broken: list[int] = []
    for number, text in enumerate(source.read_lines(latin=True, blank_at_end=True), start=1):
        line = text.strip()
        mark = _MARK.match(line)
        if mark is None:
            units.append(line)
            continue
        if mark.end() != len(line):
            broken.append(number)
        what = f"a rank of {len(mark[1])} digits: expected a small number"
        source.expect(len(mark[1]) <= _MOST_DIGITS, what, line=number)
        what = "%s begins like a mark and goes on: expected '==== 2 ====' alone, or lenient=True"
        source.expect(source.choices.lenient or not broken, what, line, line=number)
        ranks[len(units)] = int(mark[1] or 1)
    source.expect(units, f"document {document!r} has no unit: expected lines of text")
    if broken:
        what = f"{len(broken)} lines that begin like a mark and continue were read as marks"
        source.remark(f"{what}, and their text was left out", broken[0])
    inside = sorted(place for place in ranks if 0 < place < len(units))
    kept = [ranks[place] for place in inside]
    with source.locating(), about(f"document {document!r}"):
        coding = Segmentation.from_boundaries(inside, len(units), ranks=kept)
    yield Record(document, source.coder, coding, tuple(units), place=source.at())


# ---- headed ----

_TAG = re.compile(r"[BIOES]+|[BIES]-\S+")  # a label of a unit, or of all units of a line
_NUMBER = re.compile(rf"{SYMBOL.pattern}|-?[0-9]+(?:\.[0-9]+)?", re.IGNORECASE)
_WIKI_HEADING = re.compile(r"={8},([1-9][0-9]?),(.*)")


Headings = dict[int, tuple[int, str]]  # rank and title by the unit at which a segment starts


def _add_heading(headings: Headings, at: int, rank: int, title: str) -> None:
    """Add a heading before a unit. If several have no unit between them, the last gives the label,
    and the most prominent the rank."""
    headings[at] = (min(rank, headings.get(at, (rank, ""))[0]), title)


def _outlined(
    source: Source, units: tuple[str, ...], headings: Headings, *, ranked: bool = True
) -> Record:
    """The coding of a text by its headings; units before any heading are a segment without a
    label."""
    source.expect(units, "no text below any heading: expected at least one unit")
    starts = [at for at in sorted({0, *headings}) if at < len(units)]
    found = [headings.get(at, (1, "")) for at in starts]
    ranks = [rank for rank, _ in found[1:]] if ranked else None
    labels = tuple(title or None for _, title in found)
    with source.locating():
        coding = Segmentation.from_boundaries(starts[1:], len(units), ranks=ranks)
        known: Any = labels if any(labels) else None
        return Record(source.document, source.coder, coding, units, known, place=source.at())


def read_markdown(source: Source) -> Iterator[Record]:
    """The record of a file."""
    if source.choices.keep_headings:
        yield _with_headings(source)
        return
    what = "each_heading is given, and headings are not units: expected keep_headings=True, too"
    source.expect(not source.choices.each_heading, what)
    rule = _rule(source, "paragraphs")
    text = source.whole_text()
    blocks = markdown_blocks(text)
    unseen = blocks.unseen
    pieces: list[str] = []  # with blanks in place of what is unseen, so that offsets stay
    at = 0
    for start, end in unseen:
        pieces += [text[at:start], " " * (end - start)]
        at = end
    seen = "".join([*pieces, text[at:]])
    starts: Headings = {}
    parts: list[Stretches] = []
    lo = n_units = 0
    for heading in [*blocks.headings, None]:
        hi = len(seen.rstrip()) if heading is None else heading.start - 1
        part = _outside(text_units(seen, rule, lo, max(lo, hi)), unseen)
        parts.append(part)
        n_units += part.n
        if heading is not None:
            _add_heading(starts, n_units, heading.rank, heading.title)
            lo = heading.end
    yield _outlined(source, LocatedUnits.of(unit_splitting.put_together(parts), text), starts)


def _outside(units: Stretches, unseen: list[Stretch]) -> Stretches:
    """The units without those that only hold such blanks, which only characters do."""
    if not unseen or units.texts is None or " " not in units.texts:
        return units
    hidden = Stretches([start for start, _ in unseen], [end for _, end in unseen])
    rows = zip(units.starts, units.ends, units.texts, strict=True)
    kept = [row for row in rows if hidden.started_before(row[0] + 1) == hidden.ended_by(row[0])]
    starts, ends, texts = ([row[part] for row in kept] for part in range(3))
    return Stretches(starts, ends, tuple(texts))  # type: ignore[arg-type]


# ---- headings as text: what chunks of the file hold ----


def _with_headings(source: Source) -> Record:
    """The record of a file whose headings are units. Headings with nothing between them start a
    single segment, unless each of them shall."""
    text = source.whole_text()
    units = unit_splitting.chunk_units(text, _rule(source, "sentences"), source.choices.snap)
    source.expect(units.n, "no text: expected at least one unit")
    starts: Headings = {}
    reached, last = -1, 0  # the unit after the heading before, and where that started a segment
    for heading in markdown_blocks(text).headings:
        unit = units.ended_by(heading.start)
        at = last if unit == reached and not source.choices.each_heading else unit
        _add_heading(starts, at, heading.rank, heading.title)
        reached, last = units.ended_by(heading.end), at
    return _outlined(source, LocatedUnits.of(units, text), starts)


def read_text(source: Source) -> Iterator[Record]:
    """The record of a file."""
    rule = _rule(source, "lines")
    what = "units is 'paragraphs': expected others, because blank lines separate segments"
    source.expect(rule != "paragraphs", what)
    text = source.whole_text()
    words = re.findall(r"[^\s,;|/()[\]]+", text)
    single = len(set(words)) < len(words) and all(len(word) == 1 for word in words)
    tags = text[3:] and words and words[0][0] == "B" and all(map(_TAG.fullmatch, words))
    numbers = len(words) > 1 and all(map(_NUMBER.fullmatch, words))
    labels = single or tags or numbers or {word.lower() for word in words} == {"yes", "no"}
    what = "the file holds labels, such as %s, and no text: expected a text; or 1 where a segment"
    what += " starts and 0 elsewhere, as gaps, marks='start'"
    source.expect(not labels, what, words)
    refuse_dialogues(source, text)
    units = _of_text(source, text, rule)
    parts = [start for start, end in unit_splitting.text_parts(text) if text[start:end].strip()]
    starts = {units.ended_by(start): (1, "") for start in parts[1:]}
    yield _outlined(source, LocatedUnits.of(units, text), starts, ranked=False)


def _of_text(source: Source, text: str, rule: str) -> Stretches:
    """The units of a text; those on which chunks are placed, if it is read for chunks."""
    if source.choices.keep_headings:
        return unit_splitting.chunk_units(text, rule, source.choices.snap)
    return text_units(text, rule)


def _rule(source: Source, default: str) -> str:
    rule = source.choices.units or default
    source.expect(rule in TEXT_RULES, f"units is {rule!r}: expected one of {', '.join(TEXT_RULES)}")
    return rule


# ---- Wiki-727K ----


def matches_wiki_727k(lines: list[str]) -> bool:
    """Whether the first line is a heading."""
    return bool(lines) and _WIKI_HEADING.match(lines[0]) is not None


def read_wiki_727k(source: Source) -> Iterator[Record]:
    """The record of a file."""
    units: list[str] = []
    headings: Headings = {}
    for number, line in enumerate(source.read_lines(), start=1):
        if number == 1 or line.startswith("========"):
            what = "a heading, and one first, as in ========,1,preface."
            found = source.matched(_WIKI_HEADING, line.rstrip(), number, what)
            title = found[2].strip().removesuffix(".")
            _add_heading(headings, len(units), max(1, int(found[1]) - 1), title)
        elif line.strip():
            units.append(line)
    yield _outlined(source, tuple(units), headings)


# ---- the texts that chunks were cut from ----

WHOLE_TEXTS = {".md": "markdown", ".markdown": "markdown", ".txt": "text"}  # the text itself


def texts_of_files(
    found: list[tuple[Source, Format]], rule: str, counted: bool = False
) -> dict[str, SourceText]:
    """The text of each document of some files. counted: units may be empty, if only their number is
    known."""
    texts: dict[str, SourceText] = {}
    for source, kind in found:
        if kind.name in WHOLE_TEXTS.values():
            text = source.whole_text()
            texts[source.document] = SourceText(text, _of_text(source, text, rule), True)
            continue
        for record in kind.read(source):
            if record.units is not None:
                made = source_text(record.units)
                if source.choices.keep_headings:
                    units = unit_splitting.in_pieces(made.text, made.units, source.choices.snap)
                    made = made._replace(units=units)
                texts.setdefault(record.document, made)
            elif counted:
                n = record.n_units
                nothing = Stretches([0] * n, [0] * n, ("",) * n)
                texts.setdefault(record.document, SourceText("", nothing, exact=False))
    what = "it holds no text, and chunks are to be found in it: expected the text in text="
    found[0][0].expect(texts, what)
    return texts


# ---- codings whose texts came with them ----


def codings_in_pieces(codings: Codings, snap: int) -> Codings:
    """Codings with long units in pieces, on which chunks are placed. Readers of text files have
    done it already: their units know their offsets."""
    builder = CodingsBuilder()
    changed = False
    for document in Corpus.from_columns(codings, codings.scope, codings.provenance).values():
        records = document.records(local=codings.scope == "local")
        if document.units is None or isinstance(document.units, LocatedUnits):
            builder.add_all(records)
            continue
        whole = source_text(document.units)
        pieces = unit_splitting.in_pieces(whole.text, whole.units, snap)
        lengths = np.bincount(np.cumsum([at not in pieces.inner for at in range(pieces.n)]) - 1)
        changed = changed or bool(pieces.inner)
        for record in records:
            coding = record.segmentation
            if coding is not None:
                coding = coding.expand(lengths, candidates=coding.candidates is not None)
            units = None if record.units is None else pieces.texts
            builder.add(replace(record, segmentation=coding, units=units, labels=None))
    if not changed:
        return codings
    made = builder.codings(codings.scope, codings.source, codings.provenance)
    return replace(made, failures=codings.failures)
