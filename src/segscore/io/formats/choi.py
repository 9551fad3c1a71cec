"""Choi's format (Choi 2000): the text itself, one document per file, which names it.

    ==========
    First sentence of the first segment .
    ==========
    The second segment .
    ==========

A unit per line; a line of ten `=` before, between and after segments. UTF-8, or else latin-1, in
which the original corpus is written. The coder of a file `….ref` is called `reference`, unless the
caller names them.
"""

from collections.abc import Iterable, Iterator

from segscore.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.io.base import Format
from segscore.io.files import REFERENCE, Source
from segscore.records import Record, check_name
from segscore.segmentation import Segmentation

SEPARATOR = "=========="


def matches(lines: list[str]) -> bool:
    """The first line is a separator."""
    return bool(lines) and lines[0].strip() == SEPARATOR


def read(source: Source) -> Iterator[Record]:
    """The one record of a file."""
    units: list[str] = []
    masses: list[int] = []
    where = f"document {source.document!r}"
    check_name(source.document, source.at())
    lines = source.read_lines(latin=True)
    if not lines or lines[0].strip() != SEPARATOR:
        raise source.fail(f"{where}: expected a line of ten '=' before the first segment", 1)
    for number, text in enumerate(lines, start=1):
        line = text.strip()
        if line == SEPARATOR:
            if masses and not masses[-1]:
                raise source.fail(f"{where}: an empty segment: expected a unit first", number)
            masses.append(0)
        elif not line or not line.strip("="):
            raise source.fail(f"{where}: {text!r}: expected a unit, or ten '='", number)
        else:
            units.append(text)
            masses[-1] += 1
    if not units or masses.pop():
        raise source.fail(
            f"{where}: the last line is no separator: expected ten '=', so the file may be cut off",
            len(lines),
        )
    coding = Segmentation.from_masses(masses)
    yield Record(source.document, source.coder, coding, tuple(units), place=source.at())


def files(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """One file per document."""
    for document in corpus.values():
        others = [coder for coder in document if coder != REFERENCE]
        if len(document) != 1 or (others and not lossy):
            raise SegmentationError(
                f"document {document.name!r} has codings by {', '.join(map(repr, document))}: "
                f"Choi's format holds one, by {REFERENCE!r}: select one coder, and with "
                "lossy=True (--lossy) its name is left out"
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
    name="choi",
    title="Choi's format",
    suffixes=(".ref",),
    holds=frozenset({"units"}),
    matches=matches,
    read=read,
    files=files,
)
