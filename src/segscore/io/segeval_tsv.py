"""TSV as segeval reads it: one document per file, which names it; a header, then a coder per row.

    Coder   Masses
    1       2   3   6
    2       5   6

If the second cell of the header is `Positions`, the numbers of a row are the segment of each unit
(segeval's older form). Commas instead of tabs are read, too.
"""

from collections.abc import Iterable, Iterator

from segscore.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.io.base import Format
from segscore.io.cells import header_of, row_text, rows, whole
from segscore.io.files import Source
from segscore.records import Record, check_name
from segscore.segmentation import Segmentation

_EXPECTED = "segment lengths, whole numbers of at least 1"


def matches(lines: list[str]) -> bool:
    """A header `Coder  Masses` or `Coder  Positions`."""
    return any(
        header[:1] == ["coder"] and header[1:2] in (["masses"], ["positions"])
        for header in (header_of(lines, "\t"), header_of(lines, ","))
    )


def read(source: Source) -> Iterator[Record]:
    """The records of a file."""
    lines = source.read_lines()
    delimiter = "\t" if lines and "\t" in lines[0] else ","
    table = rows(source, delimiter)
    line, header = next(table, (1, []))
    if len(header) < 2:
        raise source.fail(
            "no header: expected a row 'Coder<TAB>Masses', then a coder per row", line
        )
    if all(cell.strip().isdigit() for cell in header[1:]):
        raise source.fail(
            f"the header is {', '.join(header[:5])}…, all numbers: expected names; a coding there "
            "would be lost",
            line,
        )
    by_unit = header[1].strip().lower() == "positions"
    for line, cells in table:
        while len(cells) > 1 and not cells[-1].strip():  # rows that a spreadsheet filled up
            cells.pop()
        yield _record(source, line, cells, by_unit)


def _record(source: Source, line: int, cells: list[str], by_unit: bool) -> Record:
    coder, *texts = cells
    try:
        check_name(coder, "coder")
        what = f"document {source.document!r}, coder {coder!r}: "
        numbers = [
            whole(source, line, text.strip(), f"{what}cell {column}", _EXPECTED)
            for column, text in enumerate(texts, start=2)
        ]
    except SegmentationError as error:
        raise (
            error if str(error).startswith(source.at()) else source.fail(str(error), line)
        ) from None
    try:
        make = Segmentation.from_segment_ids if by_unit else Segmentation.from_masses
        return Record(source.document, coder, make(numbers), place=source.at(line))
    except SegmentationError as error:
        raise source.fail(f"{what}{error}", line) from None


def files(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """One file per document."""
    del lossy
    for document in corpus.values():
        lines = [row_text((coder, *one.masses.tolist()), "\t") for coder, one in document.items()]
        yield document.name, ["Coder\tMasses\n", *lines]


FORMAT = Format(
    name="segeval-tsv",
    title="segeval's TSV",
    suffixes=(".tsv", ".csv"),
    holds=frozenset(),
    matches=matches,
    read=read,
    files=files,
)
