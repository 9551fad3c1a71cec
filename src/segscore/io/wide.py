"""CSV in wide form, as the Moonstone codings: one document per file, which names it; a row per unit,
a column per coder, and in each cell the number of the segment that the unit belongs to.

    paragraph,an1,an2
    1,1,1
    2,1,2
    3,2,2

Units and segments count from 1. A column that is empty from top to bottom is a coder who did not
code this document.
"""

import re
from collections.abc import Iterable, Iterator

import numpy as np

from segscore.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.io.base import Format, spelled_out
from segscore.io.cells import (
    check_numbered,
    header_of,
    names_of_columns,
    next_segment,
    row_text,
    rows,
)
from segscore.io.files import Source
from segscore.records import Record
from segscore.segmentation import Segmentation

_LEVEL = re.compile(r"level[0-9]+", re.IGNORECASE)


def matches(lines: list[str]) -> bool:
    """A header of names, and a first row that begins with 1."""
    header, first = header_of(lines), header_of(lines[1:])
    return len(header) > 1 and len(first) == len(header) and first[0] == "1"


def read(source: Source) -> Iterator[Record]:
    """The records of a file."""
    table = rows(source)
    line, header = next(table, (1, []))
    coders = names_of_columns(source, line, header)
    if not coders:
        raise source.fail(
            "no coders: expected a header 'unit,coder,coder…' and a row per unit", line
        )
    segments: list[list[int | None]] = [[] for _ in coders]
    for index, (line, cells) in enumerate(table, start=1):
        if len(cells) != len(header):
            raise source.fail(
                f"{len(cells)} cells: expected {len(header)}, as many as the header has", line
            )
        check_numbered(source, line, cells[0], index, header[0])
        for coder, column, text in zip(coders, segments, cells[1:], strict=True):
            column.append(_segment(source, line, coder, column, text.strip()))
    if not segments[0]:
        raise source.fail("no rows: expected one per unit", line)
    for coder, column in zip(coders, segments, strict=True):
        if column[0] is not None:
            coding = Segmentation.from_segment_ids(column)  # type: ignore[arg-type]
            yield Record(source.document, coder, coding, place=source.at())


def _segment(
    source: Source, line: int, coder: str, column: list[int | None], text: str
) -> int | None:
    """The segment number in a cell: that of the cell above, or one more; empty if all are."""
    before = column[-1] if column else 0
    where = f"document {source.document!r}, coder {coder!r}"
    if before is None or (not column and not text):
        if text:
            raise source.fail(f"{where}: {text!r} below empty cells: expected all, or none", line)
        return None
    return next_segment(source, line, where, before, text)


def files(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """One file per document."""
    del lossy
    for document in corpus.values():
        if all(map(_LEVEL.fullmatch, document)):
            raise SegmentationError(
                f"document {document.name!r}: coders called level1 … would be taken for levels: "
                "expected other names in wide form"
            )
        yield document.name, _lines(document)


def _lines(document: Document) -> Iterator[str]:
    codings = [spelled_out(record, "wide CSV") for record in document.records()]
    columns = [
        np.repeat(np.arange(1, coding.n_segments + 1), coding.masses).tolist() for coding in codings
    ]
    yield row_text(("unit", *document))
    for index, cells in enumerate(zip(*columns, strict=True), start=1):
        yield row_text((index, *cells))


FORMAT = Format(
    name="wide",
    title="wide CSV",
    suffixes=(".csv",),
    holds=frozenset(),
    matches=matches,
    read=read,
    files=files,
)
