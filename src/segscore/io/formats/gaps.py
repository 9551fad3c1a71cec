"""Gap strings as NLTK takes them: N-1 symbols 0 or 1, a coding per line.

    ch1<TAB>ann<TAB>0100100000

Every line has as many cells as the first: document, coder and string; document and string; or the
string alone, in which case the line number names the document. In the first two forms an empty
string is a document of one unit.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TextIO

import numpy as np

from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record, whereabouts
from segscore.corpus.text_checks import check_name
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import Format, spelled_out

_LINE = re.compile(r"(?:[^\t]+\t){0,2}[01]*")


def matches(lines: list[str]) -> bool:
    """Whether the first line ends with a gap string (as far as it was read)."""
    return bool(lines) and bool(lines[0]) and _LINE.fullmatch(lines[0]) is not None


def read(source: Source) -> Iterator[Record]:
    """The records of a file."""
    lines = source.read_lines(blank_at_end=True)
    if not lines:
        raise source.fail("the file is empty: expected a gap string per line")
    width = min(lines[0].count("\t") + 1, 3)
    for number, line in enumerate(lines, start=1):
        with source.locating(number):
            record = _record(source, number, line.split("\t"), width)
        yield record


def _record(source: Source, number: int, cells: list[str], width: int) -> Record:
    if len(cells) != width:
        raise SegmentationError(
            f"{len(cells)} cells: expected {width} on every line; document, coder and gap string "
            "are separated by tabs"
        )
    *names, gaps = cells
    document = names[0] if names else str(number)
    coder = names[1] if len(names) > 1 else source.coder
    check_name(document, "document")
    check_name(coder, f"document {document!r}: coder")
    with about(whereabouts(document, coder)):
        one_unit = names and not gaps
        coding = Segmentation.from_masses([1]) if one_unit else Segmentation.from_gaps(gaps)
    return Record(document, coder, coding, place=source.at(number))


def write(records: Iterable[Record], stream: TextIO) -> None:
    """Write a line per record, with document and coder."""
    for record in records:
        coding = spelled_out(record, "a gap string")
        for name in (record.document, record.coder or ""):
            if set(name) & set("\t\r\n\0\ufeff"):
                raise SegmentationError(
                    f"{record.where}: {name!r} cannot stand in a line: expected a name without "
                    "tabs and line ends"
                )
        flags = np.full(coding.n_units - 1, ord("0"), np.uint8)
        flags[coding.boundaries - 1] = ord("1")
        stream.write(f"{record.document}\t{record.coder}\t{flags.tobytes().decode()}\n")


FORMAT = Format(
    "gaps", "gap strings", (".gaps",), frozenset(),
    matches, read, write=write,
)  # fmt: skip
