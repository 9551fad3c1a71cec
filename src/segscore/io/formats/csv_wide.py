"""CSV in wide form, as the Moonstone codings: one document per file, which names it; a row per
unit, a column per coder, and in each cell the number of the segment that the unit belongs to.

    paragraph,an1,an2
    1,1,1
    2,1,2
    3,2,2

Units and segments count from 1. A column that is empty from top to bottom is a coder who did not
code this document. With `marks` the cells hold 0 or 1, or segments of any names
(`segscore.corpus.coding_tables`).
"""

import re
from collections.abc import Iterable, Iterator

import numpy as np

from segscore.coding.segmentation import Segmentation
from segscore.corpus.coding_tables import ASK_FOR_MARKS, NAMES, table_records
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError
from segscore.io.csv_cells import (
    DELIMITERS,
    check_names,
    check_numbered,
    check_width,
    header_of,
    next_segment,
    row_text,
    rows,
)
from segscore.io.files import Source
from segscore.io.format import Format, spelled_out

_LEVEL = re.compile(r"level[0-9]+", re.IGNORECASE)


def matches(lines: list[str]) -> bool:
    """A header of names, and a first row that begins with 1."""
    header, first = header_of(lines), header_of(lines[1:])
    named = len(header) > 1 and not all(map(_LEVEL.fullmatch, header[1:]))
    return named and not header[0].isdigit() and len(first) == len(header) and first[0] == "1"


def read(source: Source) -> Iterator[Record]:
    """The records of a file."""
    table = rows(source)
    line, header = next(table)
    coders = header[1:]
    columns: list[list[int]] = [[] for _ in coders]  # 0 where a cell is empty
    with source.locating(line):
        check_names(header)
        if not coders:
            raise SegmentationError("no coders: expected a header 'unit,coder,coder…'")
    if source.choices.marks is not None:
        yield from _marked(source, header, table)
        return
    for index, (line, cells) in enumerate(table, start=1):
        with source.locating(line):
            check_width(cells, header)
            check_numbered(cells[0], index, header[0])
            for coder, column, text in zip(coders, columns, cells[1:], strict=True):
                where = whereabouts(source.document, coder)
                column.append(_segment(text, column, where))
    if not columns[0]:
        raise source.fail("no rows below the header: expected one per unit", line)
    for coder, column in zip(coders, columns, strict=True):
        if column[0]:
            coding = Segmentation.from_segment_ids(column)
            yield Record(source.document, coder, coding, place=source.at())


def _marked(
    source: Source, header: list[str], table: Iterator[tuple[int, list[str]]]
) -> Iterator[Record]:
    """The records of a file whose cells mean what the caller says."""

    def placed() -> Iterator[tuple[str, list[str]]]:
        for line, cells in table:
            with source.locating(line):
                check_width(cells, header)
            yield source.at(line), cells

    with source.locating():
        yield from table_records(
            header,
            placed(),
            columns={"unit": header[0]},
            marks=source.choices.marks,
            document=source.document,
            coder=None,
        )


def _segment(text: str, column: list[int], where: str) -> int:
    """The segment number in a cell, or 0 in a column that is empty so far, and should stay so."""
    if column and not column[-1] and text.strip():
        raise SegmentationError(
            f"{where}: {text!r} below empty cells: expected a value in all rows, or in none"
        )
    if not text.strip() and (not column or not column[-1]):
        return 0
    if text.strip() == "0":
        raise SegmentationError(
            f"{where}: segment is 0: expected segments that count from 1; for 0 and 1, "
            f"{ASK_FOR_MARKS.removeprefix('expected ')}"
        )
    return next_segment(text, column[-1] if column else 0, where)


def files(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """One file per document."""
    del lossy
    for document in corpus.values():
        if all(map(_LEVEL.fullmatch, document)):
            raise SegmentationError(
                f"document {document.name!r}: coders called level1 … would be taken for levels: "
                "expected other names in wide CSV"
            )
        for coder in document:
            if any(coder.strip().lower() in NAMES[part] for part in ("boundary", "segment")):
                raise SegmentationError(
                    f"{whereabouts(document.name, coder)}: a column of that name would be taken "
                    "for boundaries: expected another name in wide CSV"
                )
            if not coder.strip():
                raise SegmentationError(f"{whereabouts(document.name, coder)}: a blank name")
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
    tabular=True,
    signs=tuple(DELIMITERS),
)
