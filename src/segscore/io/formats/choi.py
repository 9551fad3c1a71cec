"""Choi's format (Choi 2000): the text itself, one document per file, which names it.

    ==========
    First sentence of the first segment .
    ==========
    The second segment .
    ==========

A unit per line; a line of ten `=` before, between and after segments. UTF-8, or else latin-1, in
which the original corpus is written. The coder of a file `….ref` or `….dev` is called `reference`,
unless the caller names them. Blank lines and empty segments are errors, or left out and counted if
the caller is lenient.
"""

from collections.abc import Iterable, Iterator

from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.record import Record
from segscore.corpus.text_checks import check_name
from segscore.errors import SegmentationError
from segscore.io.files import REFERENCE, Source
from segscore.io.format import Format

SEPARATOR = "=========="


def matches(lines: list[str]) -> bool:
    """Whether the first line is a separator."""
    return bool(lines) and lines[0].strip() == SEPARATOR


def read(source: Source) -> Iterator[Record]:
    """The record of a file."""
    units: list[str] = []
    masses: list[int] = []
    where = f"document {source.document!r}"
    check_name(source.document, source.at())
    lines = _numbered_lines(source)
    if not lines or lines[0][1].strip() != SEPARATOR:
        raise source.fail(f"{where}: expected a line of ten '=' before the first segment", 1)
    for number, text in lines:
        line = text.strip()
        if line == SEPARATOR:
            if masses and not masses[-1]:
                raise source.fail(
                    f"{where}: an empty segment: expected a unit first, or lenient=True",
                    number,
                )
            masses.append(0)
        elif not line or not line.strip("="):
            more = "" if line else ", or lenient=True"
            raise source.fail(f"{where}: {text!r}: expected a unit, or ten '='{more}", number)
        else:
            units.append(text)
            masses[-1] += 1
    if not units or masses.pop():
        raise source.fail(
            f"{where}: the last line is not a separator: expected ten '=', so the file may be cut "
            "off",
            lines[-1][0],
        )
    coding = Segmentation.from_masses(masses)
    yield Record(source.document, source.coder, coding, tuple(units), place=source.at())


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
            f"{source.at()}: left out {blank} blank {'line' if blank == 1 else 'lines'} and "
            f"{empty} empty {'segment' if empty == 1 else 'segments'}"
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
