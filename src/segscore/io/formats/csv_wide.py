"""CSV in wide form, as the Moonstone codings: a row per unit, a column per coder or per level.

`wide`: one document per file, which names it; a column per coder, and in each cell the number of
the segment that the unit belongs to.

    paragraph,an1,an2
    1,1,1
    2,1,2
    3,2,2

Units and segments count from 1. A column that is empty from top to bottom is a coder who did not
code this document. With `marks` the cells hold marks (x, 1, yes …; blank, 0, no … for none), or
segments of any names (`segscore.corpus.unit_rows`).

`levels`, as the hierarchical codings: one coding per file, a column per level.

    par,level1,level2
    1,0,1
    2,1,0
    3,1,1

1 marks a boundary after that unit at that level. Levels do not repeat one another: the segmentation
at depth i is the union of levels 1 … i, so the rank of a boundary is the first level that marks it.
The last unit ends the document and has 1 throughout; a file that ends otherwise was cut off. The
name of the file is DOCUMENT-CODER.csv (the last hyphen counts), by custom in a folder DOCUMENT.
"""

import re
from collections.abc import Iterable, Iterator

import numpy as np

from segscore.basics.spreadsheet_cells import text_of_cell
from segscore.coding.segmentation import Segmentation
from segscore.corpus.coding_tables import ASK_FOR_MARKS, NAMES, TableChoices, table_records
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.marked_lists import ASK_FOR_SIDE, mark_in
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.format import Format, spelled_out
from segscore.io.table_files import (
    DELIMITERS,
    check_names,
    check_numbered,
    check_width,
    header_of,
    next_segment,
    placed_rows,
    row_text,
    rows,
)

MOST_LEVELS = 100

_LEVEL = re.compile(r"level[0-9]+", re.IGNORECASE)


def matches_wide(lines: list[str]) -> bool:
    """Whether there is a header of names, and a first row that begins with 1."""
    header, first = header_of(lines), header_of(lines[1:])
    named = len(header) > 1 and not all(map(_LEVEL.fullmatch, header[1:]))
    return named and not header[0].isdigit() and _counts_from_1(header, first)


def _counts_from_1(header: list[str], first: list[str]) -> bool:
    return len(first) == len(header) and _without_zeros(first[0]) == "1"


def read_wide(source: Source) -> Iterator[Record]:
    """The records of a file."""
    table = rows(source)
    line, header = next(table)
    header[1:] = [text_of_cell(cell) for cell in header[1:]]
    choices = source.choices.for_table(source.document, None, columns={"unit": header[0]})
    with source.locating(line):
        check_names(header)
        if len(header) < 2:
            raise SegmentationError("no coders: expected a header 'unit,coder,coder…'")
    below = list(table)
    if choices.marks is not None or any(_is_mark(cell) for _, cells in below for cell in cells[1:]):
        with source.locating():
            yield from table_records(header, placed_rows(source, header, below), choices)
        return
    yield from _segment_numbers(source, header, below, choices)


def _is_mark(text: str) -> bool:
    """Whether a cell holds a mark that is not a number: x, yes …"""
    return not _without_zeros(text).strip().isdigit() and mark_in(text) is True


def _segment_numbers(
    source: Source, header: list[str], table: list[tuple[int, list[str]]], choices: TableChoices
) -> Iterator[Record]:
    """The columns with the number of each unit's segment."""
    choices.find(header)  # which notes the columns that are nobody's
    read = {i: name for i, name in enumerate(header) if i and choices.is_read(name)}
    columns: dict[int, list[int]] = {index: [] for index in read}  # 0 where a cell is empty
    for index, (line, cells) in enumerate(table, start=1):
        with source.locating(line):
            check_width(cells, header)
            check_numbered(_without_zeros(cells[0]), index, header[0])
            for place, coder in read.items():
                where = whereabouts(source.document, coder)
                column = columns[place]
                column.append(_segment(_without_zeros(cells[place]), column, where))
    if not table:
        raise source.fail("no rows below the header: expected one per unit", 1)
    for place, coder in read.items():
        if columns[place][0]:
            coding = Segmentation.from_segment_ids(columns[place])
        elif choices.empty == "none":
            choices.notes.emptied.append((source.document, coder))
            coding = Segmentation.from_masses([len(table)])
        else:
            continue
        yield Record(source.document, coder, coding, place=source.at())


_ZEROS = re.compile(r"([0-9]+)[.,]0+")


def _without_zeros(text: str) -> str:
    """The number without the zeros of 1.0 and 1,0, which spreadsheets write for 1."""
    found = _ZEROS.fullmatch(text.strip())
    return found[1] if found else text


def _segment(text: str, column: list[int], where: str) -> int:
    """The segment number in a cell, or 0 in a column that is empty so far and should stay empty."""
    if column and not column[-1] and text.strip():
        raise SegmentationError(
            f"{where}: {text!r} below empty cells: expected a value in all rows, or in none; if 1 "
            f"is a mark, {ASK_FOR_SIDE.removeprefix('expected ')}"
        )
    if not text.strip() and (not column or not column[-1]):
        return 0
    if text.strip() == "0":
        raise SegmentationError(
            f"{where}: segment is 0: expected segments that count from 1; for 0 and 1, "
            f"{ASK_FOR_MARKS.removeprefix('expected ')}"
        )
    try:
        return next_segment(text, column[-1] if column else 0, where)
    except SegmentationError as error:
        if text.strip().isdigit():
            raise
        raise SegmentationError(
            f"{error}; a column that belongs to no coder is left out by ignore_columns="
        ) from None


def files_wide(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """A file per document."""
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
        yield document.name, _wide_lines(document)


def _wide_lines(document: Document) -> Iterator[str]:
    codings = [spelled_out(record, "wide CSV") for record in document.records()]
    columns = [
        np.repeat(np.arange(1, coding.n_segments + 1), coding.masses).tolist() for coding in codings
    ]
    yield row_text(("unit", *document))
    for index, cells in enumerate(zip(*columns, strict=True), start=1):
        yield row_text((index, *cells))


# ---- a column per level ----


def matches_levels(lines: list[str]) -> bool:
    """Whether the header is `…,level1,level2…`."""
    header = header_of(lines)
    return len(header) > 1 and all(map(_LEVEL.fullmatch, header[1:]))


def read_levels(source: Source) -> Iterator[Record]:
    """The record of a file."""
    document, coder = _names(source)
    where = whereabouts(document, coder)
    table = rows(source)
    line, header = next(table)
    with source.locating(line):
        _check_levels(header)
    ranks: list[int] = []  # of each unit; 0 where no level marks it
    complete = False
    for index, (line, cells) in enumerate(table, start=1):
        with source.locating(line):
            check_width(cells, header)
            check_numbered(cells[0], index, header[0])
            marks = [_mark(text, f"{where}: level{n}") for n, text in enumerate(cells[1:], start=1)]
        ranks.append(marks.index(True) + 1 if True in marks else 0)
        complete = all(marks)
    if not complete:
        raise source.fail(
            f"{where}: the last unit has no 1 at every level: expected the end of the document, so "
            "the file may be cut off",
            line,
        )
    places = [place for place, rank in enumerate(ranks[:-1], start=1) if rank]
    coding = Segmentation.from_boundaries(
        places, len(ranks), ranks=[ranks[place - 1] for place in places]
    )
    yield Record(document, coder, coding, place=source.at())


def _check_levels(header: list[str]) -> None:
    wanted = [f"level{level}" for level in range(1, len(header))]
    if not wanted or [name.strip().lower() for name in header[1:]] != wanted:
        raise SegmentationError(f"the header is {','.join(header)!r}: expected unit,level1,level2…")


def _names(source: Source) -> tuple[str, str]:
    """The (document, coder) of a file; a folder with the name of the document is not repeated."""
    folder, _, stem = source.document.rpartition("/")
    document, _, coder = stem.rpartition("-")
    if not (document and coder):
        document, coder = stem, source.coder
    if folder and folder.rpartition("/")[2] != document:
        return f"{folder}/{document}", coder
    return folder or document, coder


def _mark(text: str, what: str) -> bool:
    if text.strip() not in ("0", "1"):
        raise SegmentationError(f"{what} is {text!r}: expected 0 or 1")
    return text.strip() == "1"


def files_levels(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """A file per coding, in a folder per document."""
    for record in corpus.records():
        coder, name = record.coder or "", record.document.rpartition("/")[2]
        if "-" in coder or "/" in coder:
            raise SegmentationError(
                f"{record.where}: the file name is to end in -CODER: expected a coder without "
                "hyphen or slash"
            )
        if not lossy and record.segmentation is not None and record.segmentation.ranks is None:
            raise SegmentationError(
                f"{record.where}: boundaries have no ranks, and a column per level gives them "
                "some: expected ranks, or lossy=True for rank 1"
            )
        yield f"{record.document}/{name}-{coder}", _levels_lines(record)


def _levels_lines(record: Record) -> Iterator[str]:
    coding = spelled_out(record, "CSV with a column per level")
    ranks = np.ones(coding.n_segments - 1, np.int64) if coding.ranks is None else coding.ranks
    depth = int(ranks.max(initial=1))
    if depth > MOST_LEVELS:
        raise SegmentationError(f"{record.where}: rank {depth}: expected {MOST_LEVELS} at most")
    rank_at = dict(zip(coding.boundaries.tolist(), ranks.tolist(), strict=True))
    yield row_text(("unit", *(f"level{level}" for level in range(1, depth + 1))))
    for unit in range(1, coding.n_units):
        marks = ["0"] * depth
        if unit in rank_at:
            marks[rank_at[unit] - 1] = "1"
        yield row_text((unit, *marks))
    yield row_text((coding.n_units, *["1"] * depth))


WIDE = Format(
    "wide", "wide CSV", (".csv",), frozenset(),
    matches_wide, read_wide, files=files_wide, tabular=True, signs=tuple(DELIMITERS),
    keys="columns layer marks",
)  # fmt: skip
LEVELS = Format(
    "levels", "CSV with a column per level", (".csv",), frozenset({"ranks"}),
    matches_levels, read_levels, files=files_levels, tabular=True, signs=("level",),
    keys="layer",
)  # fmt: skip
