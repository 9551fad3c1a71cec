"""segeval's two formats: the JSON that it writes, and the TSV that it reads.

`segeval-json`: documents ("items") × coders.

    {"segmentation_type": "linear", "items": {"doc": {"coder1": [2, 3, 6], "coder2": [5, 6]}}}

A coding is a list of masses. Where boundaries have types it is a boundary string instead (segeval's
`sets` format): one list of types per potential boundary, `[[], [1], [], [], ["a", 2]]`. A property
`boundary_format` (`mass`, `sets`, `position` or `nltk`, as segeval calls them) may say how all
codings are written; without it numbers are masses and lists are sets. Other properties, such as
`id`, are ignored: segeval keeps them, and they say nothing about boundaries.

`segeval-tsv`: one document per file, which names it; a header, then a coder per row.

    Coder   Masses
    1       2   3   6
    2       5   6

If the second cell of the header is `Positions`, the numbers of a row are the segment of each unit
(segeval's older form); any other header is refused, because its numbers may mean anything. Commas
instead of tabs are read, too.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from segscore.basics.arguments import check_name, shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import Record, in_order, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import spelled_out
from segscore.io.safe_parsing import field, json_value
from segscore.io.table_files import header_of, row_text, rows, whole
from segscore.tables.table import text_of_cell

_TYPE = re.compile(r'"segmentation_type"\s*:\s*"')
_FIRST_KEY = re.compile(r'\s*\{\s*"(segmentation_type|items|boundary_format)"\s*:')


def matches_segeval_json(lines: list[str]) -> bool:
    """Whether it is an object whose first key is one of segeval's, or that gives its type of
    segmentation."""
    text = "\n".join(lines)
    typed = re.match(r"\s*\{", text) and _TYPE.search(text)
    return _FIRST_KEY.match(text) is not None or bool(typed)


def read_segeval_json(source: Source) -> Iterator[Record]:
    """The records of a file."""
    data = json_value(
        source,
        source.read_text(),
        "segeval's JSON",
        nested="document: coder: masses",
        too_long="whole numbers up to 2**53",
    )
    if not isinstance(data, dict):
        raise source.fail(f'{shown(data)}: expected an object with "items"')
    if "segmentation_type" not in data:
        raise source.fail(
            "the file does not say what its lists hold: expected "
            '"segmentation_type": "linear" beside "items", if they are masses (segment lengths); '
            'for 0 and 1 per unit expected {document: {coder: [0, 1, …]}} without "items"'
        )
    if data.get("segmentation_type") != "linear":
        raise source.fail(
            f"segmentation_type is {shown(data.get('segmentation_type'))}: expected 'linear'"
        )
    with source.locating():
        items = field(data, "items", dict)
    for document, by_coder in items.items():
        if not isinstance(by_coder, dict):
            raise source.fail(f"document {document!r} is {shown(by_coder)}: expected coder: masses")
        for coder, coding in by_coder.items():
            yield _json_record(source, document, coder, coding, data.get("boundary_format"))


def _json_record(source: Source, document: str, coder: str, coding: Any, written: Any) -> Record:
    with source.locating(), about(f"document {document!r}, coder {coder!r}"):
        check_name(document, "document")
        check_name(coder, f"document {document!r}: coder")
        segmentation = _segmentation(coding, written)
    return Record(document, coder, segmentation, place=source.at())


def _segmentation(coding: Any, written: Any) -> Segmentation:
    if written not in (None, "mass", "sets", "position", "nltk"):
        raise SegmentationError(
            f"boundary_format is {shown(written)}: expected mass, sets, position or nltk"
        )
    if written == "nltk":
        return Segmentation.from_gaps(coding)
    if not isinstance(coding, list):
        raise SegmentationError(f"the coding is {shown(coding)}: expected a list of masses")
    if written == "position":
        return Segmentation.from_segment_ids(coding)
    if written == "sets" or (written is None and any(isinstance(entry, list) for entry in coding)):
        return _from_sets(coding)
    return Segmentation.from_masses(coding)


def _from_sets(coding: list[Any]) -> Segmentation:
    for index, kinds in enumerate(coding):
        if not isinstance(kinds, list):
            raise SegmentationError(
                f"[{index}] is {shown(kinds)}: expected a list of types for each of N-1 positions"
            )
    places = [index + 1 for index, kinds in enumerate(coding) if kinds]
    return Segmentation.from_boundaries(
        places, len(coding) + 1, types=[coding[place - 1] for place in places]
    )


def write_segeval_json(records: Iterable[Record], stream: TextIO) -> None:
    """Write all records, grouped by document: a line per coding."""
    stream.write('{\n  "segmentation_type": "linear",\n  "items": {')
    documents = Corpus.from_rows(records).values()
    for index, document in enumerate(documents):
        stream.write(("," if index else "") + f"\n    {_text(document.name)}: {{")
        for number, record in enumerate(document.records()):
            coding = _text(_plain(record))
            stream.write(("," if number else "") + f"\n      {_text(record.coder)}: {coding}")
        stream.write("\n    }")
    stream.write("\n  }\n}\n")


def _plain(record: Record) -> list[Any]:
    """The coding as masses; as sets if boundaries have types."""
    coding = record.segmentation
    assert coding is not None  # noqa: S101  # the format does not hold documents without one
    if coding.types is None:
        return list(coding.masses.tolist())
    coding = spelled_out(record, "a typed coding in segeval's JSON")
    if coding.n_units == 1:
        raise SegmentationError(
            f"{record.where}: one unit with types: in segeval's JSON that is [], which says nothing"
        )
    sets: list[Any] = [[] for _ in range(coding.n_units - 1)]
    for place, kinds in zip(coding.boundaries.tolist(), coding.types or (), strict=True):
        sets[place - 1] = in_order(kinds)
    return sets


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# ---- TSV ----


def matches_segeval_tsv(lines: list[str]) -> bool:
    """Whether there is a header `Coder Masses` or `Coder Positions`."""
    header = header_of(lines)
    return header[:1] == ["coder"] and header[1:2] in (["masses"], ["positions"])


def read_segeval_tsv(source: Source) -> Iterator[Record]:
    """The records of a file."""
    table = rows(source)
    line, header = next(table)
    with source.locating(line):
        _check_header(header)
    by_unit = header[1].strip().lower() == "positions"
    for line, cells in table:
        with source.locating(line):
            record = _tsv_record(source, line, cells, by_unit)
        yield record


def _check_header(header: list[str]) -> None:
    """Check the first row, which segeval skips whatever it holds: a coding there would be lost, and
    other numbers would be read as masses."""
    names = [cell.strip().lower() for cell in header[:2]]
    if len(names) < 2 or names[0] != "coder" or names[1] not in ("masses", "positions"):
        raise SegmentationError(
            f"{', '.join(header[:5])!r} is not a header of this format: expected "
            "'Coder<TAB>Masses' or 'Coder<TAB>Positions' (the segment of each unit), then a "
            "coder per row"
        )


def _tsv_record(source: Source, line: int, cells: list[str], by_unit: bool) -> Record:
    coder, *texts = cells
    coder = text_of_cell(coder)
    check_name(coder, "coder")
    where = whereabouts(source.document, coder)
    while texts and not texts[-1].strip():  # rows that a spreadsheet filled up
        texts.pop()
    expected = "a whole number from 1 on"
    numbers = [whole(text, f"{where}: cell {at}", expected) for at, text in enumerate(texts, 2)]
    make = Segmentation.from_segment_ids if by_unit else Segmentation.from_masses
    with about(where):
        coding = make(numbers)
    return Record(source.document, coder, coding, place=source.at(line))


def files_segeval_tsv(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """A file per document."""
    del lossy
    for document in corpus.values():
        lines = [
            row_text((coder, *coding.masses.tolist()), "\t") for coder, coding in document.items()
        ]
        yield document.name, ["Coder\tMasses\n", *lines]
