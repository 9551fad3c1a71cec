"""CSV with a column per level, as the hierarchical Moonstone codings: one coding per file.

    par,level1,level2
    1,0,1
    2,1,0
    3,1,1

1 marks a boundary after that unit at that level. Levels do not repeat one another: the segmentation
at depth i is the union of levels 1 … i, so the rank of a boundary is the first level that marks it.
The last unit ends the document and has 1 throughout; a file that ends otherwise was cut off.

The file is called DOCUMENT-CODER.csv (the last hyphen counts), by custom in a folder DOCUMENT.
"""

import re
from collections.abc import Iterable, Iterator

import numpy as np

from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError
from segscore.io.csv_cells import check_numbered, check_width, header_of, row_text, rows
from segscore.io.files import Source
from segscore.io.format import Format, spelled_out

MOST_LEVELS = 100

_LEVEL = re.compile(r"level([0-9]+)")


def matches(lines: list[str]) -> bool:
    """A header `…,level1,level2…`."""
    header = header_of(lines)
    return len(header) > 1 and all(map(_LEVEL.fullmatch, header[1:]))


def read(source: Source) -> Iterator[Record]:
    """The one record of a file."""
    document, coder = _names(source)
    where = whereabouts(document, coder)
    table = rows(source)
    line, header = next(table)
    with source.locating(line):
        _check_header(header)
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


def _check_header(header: list[str]) -> None:
    wanted = [f"level{level}" for level in range(1, len(header))]
    if not wanted or [name.strip().lower() for name in header[1:]] != wanted:
        raise SegmentationError(f"the header is {','.join(header)!r}: expected unit,level1,level2…")


def _names(source: Source) -> tuple[str, str]:
    """(document, coder) of a file; a folder called like the document is not repeated."""
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


def files(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """One file per coding, in a folder per document."""
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
                "some: expected ranks, or lossy=True (--lossy) for rank 1"
            )
        yield f"{record.document}/{name}-{coder}", _lines(record)


def _lines(record: Record) -> Iterator[str]:
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


FORMAT = Format(
    name="levels",
    title="CSV with a column per level",
    suffixes=(".csv",),
    holds=frozenset({"ranks"}),
    matches=matches,
    read=read,
    files=files,
    tabular=True,
    signs=("level",),
)
