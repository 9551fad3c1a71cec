"""Our own sheets, filled in by people: CSV or Excel with `segscore:start` in the first cell.

A row per unit with document, number and text, and a column per coder, in which x marks the first
unit of a segment (`segscore.io.sheet_writing` says more). Known by its first cell, such a sheet is
read without an option. A column `speaker` before the text says who speaks; it is for people, and is
not read. Rows may not be left out, and `ignore_columns` names
columns that belong to no coder (added comments).
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from segscore.basics.spreadsheet_cells import text_of_cell
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import KINDS, Kind, Record
from segscore.corpus.table_columns import TableCells, is_blank
from segscore.corpus.unit_rows import column_records
from segscore.errors import SegmentationError
from segscore.io.compressed import is_table
from segscore.io.files import Source
from segscore.io.format import Format, spelled_out
from segscore.io.sheet_writing import SPEAKER_HEADER, SheetDocument, save_sheet
from segscore.io.table_files import (
    OWN_SHEET,
    cell_text,
    header_of,
    placed_rows,
    rows,
    table_rows,
)

_TITLE = "a sheet of segscore's"
_WITH_KIND = re.compile(r"(.+) \[(\w+)\]")


def matches(lines: list[str]) -> bool:
    """Whether the first cell is that of our sheets."""
    return header_of(lines)[:1] == [OWN_SHEET]


def read(source: Source) -> Iterator[Record]:
    """The records of a file; a document without a coding has a record with its text."""
    table: Iterator[tuple[int, list[Any]]]
    table = table_rows(source) if is_table(source.suffix) else rows(source)
    escaped = not is_table(source.suffix)
    line, first = next(table)
    header = [_text(cell, escaped).strip() for cell in first]
    with source.locating(line):
        found = _places(header)
    names, kinds = _coders(header)
    below = [
        (
            place,
            [_text(cell, escaped) if i in found.values() else cell for i, cell in enumerate(row)],
        )
        for place, row in placed_rows(source, header, table)
    ]
    choices = source.choices.for_table(source.document, None, columns={}, marks="start", own=True)
    first_coder = 4 if SPEAKER_HEADER in found else 3
    choices.find([name if i >= first_coder else "" for i, name in enumerate(names)])  # of nobody
    if source.choices.marks not in (None, "start"):
        reason = f"{OWN_SHEET} in the first cell says that marks are starts"
        choices.notes.said[f"marks={source.choices.marks!r} is not used: {reason}"] = None
    coded: set[str] = set()
    with source.locating():
        for record in column_records(
            TableCells(found, source.document, None), names, below, choices
        ):
            coded.add(record.document)
            yield replace(record, kind=kinds.get(record.coder or ""), units=_units(record.units))
    yield from _uncoded(source, found, below, coded)


def _text(value: Any, escaped: bool) -> str:
    """A cell as text; in CSV without the apostrophe that keeps it from being a formula."""
    text = cell_text(value)
    return text_of_cell(text) if escaped else text


def _places(header: list[str]) -> dict[str, int]:
    """The columns of documents, unit numbers, speakers and texts."""
    if header[:1] != [OWN_SHEET]:
        raise SegmentationError(f"the first cell is {header[:1]}: expected {OWN_SHEET}")
    found = {"document": 0}
    fixed = 3
    if header[2:3] == [SPEAKER_HEADER] and _is_called("text", "".join(header[3:4])):
        found[SPEAKER_HEADER] = 2  # so that nobody takes it for a coder
        fixed = 4
    for part in ("unit", "text"):
        place = next((i for i, name in enumerate(header[:fixed]) if _is_called(part, name)), 0)
        if place:
            found[part] = place
    return found


def _is_called(part: str, header: str) -> bool:
    return re.match(rf"{part}(?: \(|$)", header) is not None


def _coders(header: list[str]) -> tuple[list[str], dict[str, Kind]]:
    """The header with plain names of coders, and the kind of each coder whose header gives it."""
    names, kinds = list(header), {}
    for index, name in enumerate(header):
        match = _WITH_KIND.fullmatch(name)
        if match and match[2] in KINDS:
            names[index] = match[1]
            kinds[match[1]] = match[2]
    return names, kinds


def _units(units: Any) -> Any:
    """The texts of units; None if a document has no text."""
    return units if units is not None and any(units) else None


def _uncoded(
    source: Source, found: dict[str, int], below: list[tuple[str, list[Any]]], coded: set[str]
) -> Iterator[Record]:
    """The documents without a coding, with their texts."""
    texts: dict[str, list[str]] = {}
    name = source.document
    for _, row in below:
        if "text" not in found or all(map(is_blank, row)):
            continue
        name = row[0].strip() or name
        texts.setdefault(name, []).append(row[found["text"]])
    for document, units in texts.items():
        if document not in coded and any(units):
            yield Record(document, units=tuple(units), place=source.at())


# ---- writing ----


def save(corpus: Corpus, path: str | os.PathLike[str]) -> None:
    """Write all codings, with the known texts."""
    kinds: dict[str, str] = {}
    for record in corpus.records():
        if record.coder is None or record.kind is None:
            continue
        if kinds.setdefault(record.coder, record.kind) != record.kind:
            raise SegmentationError(
                f"coder {record.coder!r} is a {kinds[record.coder]} in one document, and a "
                f"{record.kind} in {record.document!r}: expected one kind in a sheet"
            )
    header = [f"{coder} [{kinds[coder]}]" if coder in kinds else coder for coder in corpus.coders]
    check_sheet_names(corpus.coders, {name: document.units for name, document in corpus.items()})
    called = dict(zip(corpus.coders, header, strict=True))
    documents = [
        SheetDocument(
            name,
            document.n_units if document.units is None else list(document.units),
            {
                called[record.coder]: spelled_out(record, _TITLE)
                for record in document.records()
                if record.coder is not None
            },
        )
        for name, document in corpus.items()
    ]
    save_sheet(documents, header, path)


def check_sheet_names(coders: Sequence[str], documents: Mapping[str, Sequence[str] | None]) -> None:
    """Raise for names that would be read back differently, and for documents without a word.

    documents: the units of each, where they are known.
    """
    blank = next((name for name, units in documents.items() if units and not any(units)), None)
    if blank is not None:
        raise SegmentationError(
            f"document {blank!r} has empty texts alone: expected some text, or none at all"
        )
    for names, what in ((coders, "coder"), (tuple(documents), "document")):
        for name in names:
            matched = _WITH_KIND.fullmatch(name)
            ours = what == "coder" and matched and matched[2] in KINDS
            if name != name.strip() or ours:
                raise SegmentationError(
                    f"{what} {name!r}: expected a name without blanks around it"
                    + (f", or without [{matched[2]}] behind it" if ours and matched else "")
                )


FORMAT = Format(
    "sheet", _TITLE, (".xlsx", ".csv"), frozenset({"units", "kind", "no coding"}),
    matches, read, tabular=True, signs=(OWN_SHEET,), save=save, keys="columns layer marks",
)  # fmt: skip
