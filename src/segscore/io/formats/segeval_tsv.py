"""TSV as segeval reads it: one document per file, which names it; a header, then a coder per row.

    Coder   Masses
    1       2   3   6
    2       5   6

If the second cell of the header is `Positions`, the numbers of a row are the segment of each unit
(segeval's older form); any other header is refused, because its numbers may mean anything. Commas
instead of tabs are read, too.
"""

from collections.abc import Iterable, Iterator

from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import Record, check_name, whereabouts
from segscore.errors import SegmentationError
from segscore.io.csv_cells import header_of, row_text, rows, whole
from segscore.io.files import Source
from segscore.io.format import Format


def matches(lines: list[str]) -> bool:
    """A header `Coder  Masses` or `Coder  Positions`."""
    header = header_of(lines)
    return header[:1] == ["coder"] and header[1:2] in (["masses"], ["positions"])


def read(source: Source) -> Iterator[Record]:
    """The records of a file."""
    table = rows(source)
    line, header = next(table)
    with source.locating(line):
        _check_header(header)
    by_unit = header[1].strip().lower() == "positions"
    for line, cells in table:
        with source.locating(line):
            record = _record(source, line, cells, by_unit)
        yield record


def _check_header(header: list[str]) -> None:
    """Segeval skips the first row whatever it holds; a coding there would be lost, and numbers
    that are something else would be read as masses."""
    names = [cell.strip().lower() for cell in header[:2]]
    if len(names) < 2 or names[0] != "coder" or names[1] not in ("masses", "positions"):
        raise SegmentationError(
            f"{', '.join(header[:5])!r} is no header of this format: expected 'Coder<TAB>Masses' "
            "or 'Coder<TAB>Positions' (the segment of each unit), then a coder per row"
        )


def _record(source: Source, line: int, cells: list[str], by_unit: bool) -> Record:
    coder, *texts = cells
    check_name(coder, "coder")
    where = whereabouts(source.document, coder)
    while texts and not texts[-1].strip():  # rows that a spreadsheet filled up
        texts.pop()
    numbers = [whole(text, f"{where}: cell {column}", "a whole number from 1 on")
               for column, text in enumerate(texts, start=2)]  # fmt: skip
    make = Segmentation.from_segment_ids if by_unit else Segmentation.from_masses
    try:
        coding = make(numbers)
    except SegmentationError as error:
        raise SegmentationError(f"{where}: {error}") from None
    return Record(source.document, coder, coding, place=source.at(line))


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
    tabular=True,
    signs=("coder",),
)
