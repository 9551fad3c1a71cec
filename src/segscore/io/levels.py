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

from segscore.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.io.base import Format, spelled_out
from segscore.io.cells import check_numbered, header_of, row_text, rows
from segscore.io.files import Source
from segscore.records import Record, check_name
from segscore.segmentation import Segmentation

_LEVEL = re.compile(r"level([0-9]+)")


def matches(lines: list[str]) -> bool:
    """A header `…,level1,level2…`."""
    header = header_of(lines)
    return len(header) > 1 and all(map(_LEVEL.fullmatch, header[1:]))


def read(source: Source) -> Iterator[Record]:
    """The one record of a file."""
    document, coder = _names(source)
    try:
        check_name(document, "document")
        check_name(coder, "coder")
    except SegmentationError as error:
        raise source.fail(f"{error}; expected a file name DOCUMENT-CODER.csv") from None
    table = rows(source)
    line, header = next(table, (1, []))
    wanted = [f"level{level}" for level in range(1, len(header))]
    if len(header) < 2 or [name.strip().lower() for name in header[1:]] != wanted:
        raise source.fail(f"the header is {','.join(header)!r}: expected unit,level1,level2…", line)
    places: list[int] = []
    ranks: list[int] = []
    index, rank = 0, None
    for index, (line, cells) in enumerate(table, start=1):
        if len(cells) != len(header):
            raise source.fail(f"{len(cells)} cells: expected {len(header)}, as in the header", line)
        check_numbered(source, line, cells[0], index, header[0])
        marks = _marks(source, line, f"document {document!r}, coder {coder!r}", cells[1:])
        rank = marks.index(1) + 1 if 1 in marks else None
        if rank is not None:
            places.append(index)
            ranks.append(rank)
    if not index or 0 in marks:
        raise source.fail(
            f"document {document!r}, coder {coder!r}: the last unit has no 1 at every level: "
            "expected the end of the document, so the file may be cut off",
            line,
        )
    coding = Segmentation.from_boundaries(places[:-1], index, ranks=ranks[:-1])
    yield Record(document, coder, coding, place=source.at())


def _names(source: Source) -> tuple[str, str]:
    """(document, coder) of a file; a folder called like the document is not repeated."""
    folder, _, stem = source.document.rpartition("/")
    document, hyphen, coder = stem.rpartition("-")
    if not hyphen:
        document, coder = stem, source.coder
    if folder and folder.rpartition("/")[2] != document:
        return f"{folder}/{document}", coder
    return folder or document, coder


def _marks(source: Source, line: int, where: str, cells: list[str]) -> list[int]:
    for level, text in enumerate(cells, start=1):
        if text.strip() not in ("0", "1"):
            raise source.fail(f"{where}: level{level} is {text!r}: expected 0 or 1", line)
    return [int(text) for text in cells]


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
    if depth > 1000:
        raise SegmentationError(f"{record.where}: rank {depth}: expected at most 1000 levels")
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
)
