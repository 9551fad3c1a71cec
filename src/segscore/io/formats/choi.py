"""Text in segments between lines of `=`, one document per file, which names it; a unit per line.

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
"""

import re
from collections.abc import Iterable, Iterator

from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.record import Record
from segscore.corpus.text_checks import check_name
from segscore.errors import SegmentationError, number_of
from segscore.io.files import REFERENCE, Source
from segscore.io.format import Format

SEPARATOR = "=========="
_SEPARATOR = re.compile("={8,}")


def matches(lines: list[str]) -> bool:
    """Whether the first line is a separator of Choi's."""
    return bool(lines) and lines[0].strip() == SEPARATOR


def matches_separated(lines: list[str]) -> bool:
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


def read(source: Source) -> Iterator[Record]:
    """The record of a file in Choi's format."""
    lines = _numbered_lines(source)
    if not lines or lines[0][1].strip() != SEPARATOR:
        where = f"document {source.document!r}"
        raise source.fail(f"{where}: expected a line of ten '=' before the first segment", 1)
    record, is_open = _between(source, lines[1:], re.compile(SEPARATOR), ", or lenient=True")
    if is_open:
        raise source.fail(
            f"document {source.document!r}: the last line is not a separator: expected ten '=', so "
            "the file may be cut off",
            lines[-1][0],
        )
    yield record


def read_separated(source: Source) -> Iterator[Record]:
    """The record of a file with separators between segments only."""
    lines = list(enumerate(source.read_lines(latin=True), start=1))
    record, is_open = _between(source, lines, _SEPARATOR)
    if not is_open:
        raise source.fail(
            f"document {source.document!r}: the last line is a separator: expected them between "
            "segments only; for ten '=' at both ends, format='choi'",
            lines[-1][0],
        )
    yield record


def _between(
    source: Source, lines: list[tuple[int, str]], separator: re.Pattern[str], hint: str = ""
) -> tuple[Record, bool]:
    """The record of lines with separators between segments, and whether a segment comes last."""
    check_name(source.document, source.at())
    units: list[str] = []
    masses = [0]
    for number, text in lines:
        line, where = text.strip(), f"document {source.document!r}"
        if separator.fullmatch(line):
            if not masses[-1]:
                raise source.fail(f"{where}: an empty segment: expected a unit first{hint}", number)
            masses.append(0)
        elif not line or (separator is not _SEPARATOR and not line.strip("=")):
            raise source.fail(f"{where}: {text!r}: expected a unit, or a line of '='{hint}", number)
        else:
            units.append(text)
            masses[-1] += 1
    if not units:
        raise source.fail(
            f"document {source.document!r}: the file is empty: expected a unit per line"
        )
    coding = Segmentation.from_masses(list(filter(None, masses)))
    record = Record(source.document, source.coder, coding, tuple(units), place=source.at())
    return record, masses[-1] > 0


def _numbered_lines(source: Source) -> list[tuple[int, str]]:
    """The lines with their numbers; without blank lines and empty segments, if that is allowed."""
    numbered = list(enumerate(source.read_lines(latin=True), start=1))
    if not source.choices.lenient:
        return numbered
    solid = [(number, text) for number, text in numbered if text.strip()]
    kept = [
        line
        for line, (_, before) in zip(solid, [(0, ""), *solid[:-1]], strict=True)
        if not line[1].strip() == before.strip() == SEPARATOR
    ]
    blank, empty = len(numbered) - len(solid), len(solid) - len(kept)
    if blank or empty:
        source.choices.remark(
            f"{source.at()}: left out {number_of(blank, 'blank line')} and "
            f"{number_of(empty, 'empty segment')}"
        )
    return kept


def files(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """A file per document."""
    for document in corpus.values():
        others = [coder for coder in document if coder != REFERENCE]
        if len(document) != 1 or (others and not lossy):
            raise SegmentationError(
                f"document {document.name!r} has codings by {', '.join(map(repr, document))}: "
                f"Choi's format holds one, by {REFERENCE!r}: select one coder, and with "
                "lossy=True its name is left out"
            )
        yield document.name, _lines(document)


def _lines(document: Document) -> Iterator[str]:
    (coding,) = document.values()
    if document.units is None:
        raise SegmentationError(
            f"document {document.name!r} has no text: expected units, because Choi's format is "
            "the text"
        )
    starts = {0, *coding.boundaries.tolist()}
    for index, unit in enumerate(document.units):
        if not unit.strip().strip("=") or set(unit) & set("\r\n\0") or unit.startswith("\ufeff"):
            raise SegmentationError(
                f"document {document.name!r}: units[{index}] is {unit!r}: expected one line of text"
            )
        yield (SEPARATOR + "\n" if index in starts else "") + unit + "\n"
    yield SEPARATOR + "\n"


FORMAT = Format(
    "choi", "Choi's format", (".ref",), frozenset({"units"}),
    matches, read, files=files, signs=(SEPARATOR,), keys="lenient",
)  # fmt: skip
SEPARATED = Format(
    "separated-text", "text in segments between lines of '='", (".txt",), frozenset({"units"}),
    matches_separated, read_separated, alone=True, signs=("\n========\n", "\n========="),
)  # fmt: skip
