"""Codings without texts: gap strings, labels per unit in JSON, segeval's JSON and TSV.

`gaps`: gap strings as NLTK takes them, N-1 symbols 0 or 1, a coding per line.

    ch1<TAB>ann<TAB>0100100000

Every line has as many cells as the first: document, coder and string; document and string; or the
string alone, in which case the line number names the document. In the first two forms an empty
string is a document of one unit. With `marks` the symbols are what it says (labels of units, or
gaps), perhaps with blanks, commas or bars between them, or as 0.0, 1.0, True and False; where each
line has a single symbol, all lines with the same names are one document. Files that are not called
.gaps need `marks`, unless the caller names the format.

`labels`: labels in JSON: 0 or 1 per unit (or per gap), or the segment of each unit.

    {"ch1": [0, 1, 0, 0, 1], "ch2": [1, 0, 0]}
    {"ch1": {"ann": [0, 1, 0, 0, 1], "bob": [0, 0, 0, 0, 1]}}
    [0, 1, 0, 0, 1]

or objects, in a list or one per line (JSON Lines):

    {"doc_id": "ch1", "annotator": "ann", "sentences": ["…", "…"], "labels": [0, 1]}

`marks` must say what 0 and 1 mean (`io.table_columns`): nothing is guessed. In
objects, `columns` names the keys. Without a name the document has the name of the file, or
a number, and the coder the name of the file.

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
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TextIO

import numpy as np

from segscore.basics.arguments import check_choice, check_name
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import Record, ascending_names, whereabouts
from segscore.errors import about, named
from segscore.io import safe_parsing as objects
from segscore.io.files import Source, expect
from segscore.io.format import spelled_out
from segscore.io.table_columns import CODED, coding_of, find_columns
from segscore.io.table_files import header_of, row_text, rows, whole
from segscore.io.table_shapes import CodingTable, per_coding
from segscore.tables.table import text_of_cell


def _record(
    source: Source,
    document: str,
    coder: str,
    make: Callable[[], Segmentation],
    line: int | None = None,
) -> Record:
    """A coding, made where an error names its place."""
    with source.locating(line):
        check_name(document, "document")
        check_name(coder, f"document {document!r}: coder")
        with about(whereabouts(document, coder)):
            coding = make()
        return Record(document, coder, coding, place=source.at(line))


# ---- gap strings ----

_GAP_LINE = re.compile(r"(?:[^\t]+\t){0,2}[01]*")
SYMBOL = re.compile(r"[01](?:\.0)?|true|false", re.IGNORECASE)  # as programs print 0 and 1
_SYMBOLS = re.compile(
    rf"(?:{SYMBOL.pattern})(?:[ ,;|/\t]{{0,3}}(?:{SYMBOL.pattern}))*+", re.IGNORECASE
)


def matches_gaps(lines: list[str]) -> bool:
    """Whether all lines end with symbols 0 and 1 (the last may have been cut)."""
    whole = [line for line in (*lines[:1], *lines[1:-1]) if line.strip()]
    if not whole or not lines[0]:
        return False
    return all(_GAP_LINE.fullmatch(line) or _SYMBOLS.fullmatch(line.strip()) for line in whole)


_ONE_UNIT = partial(Segmentation.from_masses, [1])


def read_gaps(source: Source) -> Iterator[Record]:
    """The records of a file."""
    lines = source.read_lines(blank_at_end=True)
    source.expect(lines, "the file is empty: expected a gap string per line")
    marks = source.choices.marks
    if marks is not None:
        for names, symbols in _symbol_rows(source, lines).values():
            what = f"{len(names) + 1} cells: expected document, coder and symbols"
            source.expect(len(names) <= 2, what)
            coder = names[1] if len(names) > 1 else source.coder
            alone = not symbols and marks == "gaps"
            make = _ONE_UNIT if alone else partial(coding_of, symbols, marks)
            yield _record(source, names[0], coder, make)
        return
    width = min(lines[0].count("\t") + 1, 3)
    for number, line in enumerate(lines, start=1):
        *given, gaps = line.split("\t")
        what = f"{len(given) + 1} cells: expected {width} on every line, separated by tabs"
        source.expect(len(given) + 1 == width, what, line=number)
        document, coder = [*given, source.coder][:2] if given else (str(number), source.coder)
        make = _ONE_UNIT if given and not gaps else partial(Segmentation.from_gaps, gaps)
        yield _record(source, document, coder, make, number)


def check_gaps(source: Source) -> None:
    """Raise for symbols in a file that is not called .gaps, unless `marks` says what they are."""
    if source.suffix == ".gaps" or source.choices.marks is not None:
        return
    (names, symbols), *_ = _symbol_rows(source, source.read_lines(blank_at_end=True)).values()
    readings = []
    for marks in ("start", "end", "gaps"):
        with source.locating():
            masses = coding_of(symbols, marks).masses.tolist() if symbols else [1]
        shown = ", ".join(map(str, masses[:8])) + " …" * (len(masses) > 8)
        readings.append(f"{marks} gives masses {shown}")
    what = f"document {names[0]!r}: {len(symbols)} symbols 0 and 1 may be labels of units, or gaps"
    raise source.fail(f"{what}: expected marks=; {'; '.join(readings)}")


# names, or the line → names, symbols
_SymbolRows = dict[tuple[str, ...], tuple[tuple[str, ...], str]]


def _symbol_rows(source: Source, lines: list[str]) -> _SymbolRows:
    """The symbols of each document and coder."""
    split: list[tuple[tuple[str, ...], str]] = []
    for line in lines:
        plain = _SYMBOLS.fullmatch(line.strip()) is not None
        what = "cells of 0 and 1: expected a first line that names the columns"
        source.expect(not plain or "\t" not in line, what)
        *names, symbols = [line] if plain else line.split("\t")
        if _SYMBOLS.fullmatch(symbols.strip()):
            flags = (symbol[0] in "1tT" for symbol in SYMBOL.findall(symbols))
            symbols = "".join("1" if flag else "0" for flag in flags)
        split.append((tuple(names), symbols))
    if len(split) > 1 and all(len(symbols) == 1 for _, symbols in split):
        joined: dict[tuple[str, ...], list[str]] = {}
        for key, symbols in split:
            joined.setdefault(key or (source.document,), []).append(symbols)
        return {names: (names, "".join(parts)) for names, parts in joined.items()}
    return {(str(at),): (row[0] or (str(at),), row[1]) for at, row in enumerate(split, start=1)}


def write_gaps(records: Iterable[Record], stream: TextIO) -> None:
    """Write a line per record, with document and coder."""
    for record in records:
        coding = spelled_out(record, "a gap string")
        for name in (record.document, record.coder or ""):
            what = f"{name!r} cannot stand in a line: expected a name without tabs and line ends"
            expect(not set(name) & set("\t\r\n\0\ufeff"), f"{record.where}: {what}")
        flags = np.full(coding.n_units - 1, ord("0"), np.uint8)
        flags[coding.boundaries - 1] = ord("1")
        stream.write(f"{record.document}\t{record.coder}\t{flags.tobytes().decode()}\n")


# ---- labels ----

_EXPECTED_LABELS = "labels per unit, as in {document: [0, 1, …]} or {document: {coder: [0, 1, …]}}"
_SCALAR = r'(?:-?[0-9]|true\b|false\b|")'
_BY_NAME = re.compile(
    r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:\{\s*"(?:[^"\\]|\\.)*"\s*:\s*)?'
    rf'(?:\[\s*{_SCALAR}|"[01]{{2,}}")'
)
_LABEL_LIST = re.compile(rf"\s*\[\s*(?:\[\s*)?{_SCALAR}")


def matches_labels(lines: list[str]) -> bool:
    """Whether there are names with lists of labels; or objects that have labels and no other
    coding."""
    first = next((line for line in lines if line.strip()), "")
    if re.match(r'\s*\[?\s*\{\s*"', first) and objects.holds_labels(first):
        return True
    text = "\n".join(lines)
    if objects.holds_labels(text) and re.match(r"\s*\[\s*\{", text):
        return True
    if _LABEL_LIST.match(text):
        return True
    key = re.match(r'\s*\{\s*"((?:[^"\\]|\\.)*)"', text)
    if not _BY_NAME.match(text) or (key and _OTHER_KEYS.fullmatch(key[1])):
        return False
    return not ('"hypothesis"' in text and objects.are_two_sides(objects.first_keys(text)))


_OTHER_KEYS = re.compile(
    "segmentation_type|items|boundary_format|document|coder|masses|boundaries|gaps|segment_ids|"
    "spans|n_units|units|sentences|text|id|labels"
)


def read_labels(source: Source) -> Iterator[Record]:
    """The records of a file."""
    entries = [*objects.json_objects(source, _EXPECTED_LABELS)]
    values = [value for _, value in entries]
    source.expect(values, f"nothing: expected {_EXPECTED_LABELS}")
    listed = entries[0][0] != (None, "")
    data: Any = {source.document: values} if listed else values[0]
    columns = source.choices.columns
    source.expect(data and isinstance(data, dict), f"%s: expected {_EXPECTED_LABELS}", data)
    if not listed and columns and all(column in data for column in columns.values()):
        yield _object_record(source, data, source.document, None)
        return
    if listed and all(isinstance(value, dict) for value in values):
        for number, ((line, _), fields) in enumerate(entries, start=1):
            yield _object_record(source, fields, str(line or number), line)
        return
    pairs: Iterable[tuple[str, Any]] = data.items()  # of one document, or by name, or by number
    if listed and all(isinstance(value, list | str) for value in values):
        pairs = ((str(number), labels) for number, labels in enumerate(values, start=1))
    for document, value in pairs:
        by_coder = value if isinstance(value, dict) else {source.coder: value}
        source.expect(by_coder, f"document {document!r} is empty: expected {{coder: [0, 1, …]}}")
        for coder, labels in by_coder.items():
            make = partial(coding_of, labels, source.choices.marks)
            yield _record(source, document, coder, make)


def _object_record(
    source: Source, fields: Mapping[str, Any], number: str, line: int | None
) -> Record:
    """The coding in an object, which is a row of a table: its keys are the columns."""
    keys = list(fields)
    with source.locating(line):
        found = find_columns(keys, source.choices.columns)
        coded = [part for part in CODED if part in found]
        what = f"{len(coded)} keys hold a coding: there is {named(keys)}"
        expect(len(coded) == 1, f"{what}: expected one, named in columns=, as in labels=NAME")
        if "document" not in found and fields.get("id") is not None:
            found["document"] = keys.index("id")  # a name if nothing else is
        for part in ("document", "coder"):  # null is none
            if part in found and fields[keys[found[part]]] is None:
                del found[part]
        row = source.at(line), list(fields.values())
        table = CodingTable(keys, [row], replace(source, document=number), found)
        return next(per_coding(table, coded[0]))


# ---- segeval's JSON ----

_SEGMENTATION_TYPE = re.compile(r'"segmentation_type"\s*:\s*"')
_SEGEVAL_KEY = re.compile(r'\s*\{\s*"(segmentation_type|items|boundary_format)"\s*:')


def matches_segeval_json(lines: list[str]) -> bool:
    """Whether it is an object whose first key is one of segeval's, or that gives its type of
    segmentation."""
    text = "\n".join(lines)
    typed = re.match(r"\s*\{", text) and _SEGMENTATION_TYPE.search(text)
    return _SEGEVAL_KEY.match(text) is not None or bool(typed)


def read_segeval_json(source: Source) -> Iterator[Record]:
    """The records of a file."""
    data = objects.json_value(source, source.read_text(), "segeval's JSON")
    source.expect(isinstance(data, dict), '%s: expected an object with "items"', data)
    kind = data.get("segmentation_type")
    linear = '"linear", if "items" are masses; of 0 and 1 per unit expected format labels'
    source.expect(kind == "linear", f"segmentation_type is %s: expected {linear}", kind)
    with source.locating():
        items = objects.field(data, "items", dict)
        for document in items:
            for coder, coding in objects.field(items, document, dict).items():
                make = partial(_segmentation, coding, data.get("boundary_format"))
                yield _record(source, document, coder, make)


def _segmentation(coding: Any, written: Any) -> Segmentation:
    if written is not None:
        check_choice(written, "boundary_format", ("mass", "sets", "position", "nltk"))
    if written == "nltk":
        return Segmentation.from_gaps(coding)
    expect(isinstance(coding, list), "the coding is %s: expected a list of masses", coding)
    if written == "position":
        return Segmentation.from_segment_ids(coding)
    lists = [isinstance(entry, list) for entry in coding]
    if written != "sets" and (written is not None or not any(lists)):
        return Segmentation.from_masses(coding)
    for index, kinds in enumerate(coding):
        what = f"[{index}] is %s: expected a list of types for each of N-1 positions"
        expect(isinstance(kinds, list), what, kinds)
    places = [index + 1 for index, kinds in enumerate(coding) if kinds]
    types = [kinds for kinds in coding if kinds]
    return Segmentation.from_boundaries(places, len(coding) + 1, types=types)


def write_segeval_json(records: Iterable[Record], stream: TextIO) -> None:
    """Write all records, grouped by document: a line per coding."""
    as_json = partial(json.dumps, ensure_ascii=False)
    documents = []
    for document in Corpus.from_rows(records).values():
        codings = (
            f"\n      {as_json(record.coder)}: {as_json(_masses_or_sets(record))}"
            for record in document.records()
        )
        documents.append(f"\n    {as_json(document.name)}: {{{','.join(codings)}\n    }}")
    stream.write('{\n  "segmentation_type": "linear",\n  "items": {')
    stream.write(",".join(documents) + "\n  }\n}\n")


def _masses_or_sets(record: Record) -> list[Any]:
    """The coding as masses; as sets if boundaries have types."""
    coding = record.segmentation
    assert coding is not None  # noqa: S101  # the format does not hold documents without one
    if coding.types is None:
        return list(coding.masses.tolist())
    coding = spelled_out(record, "a typed coding in segeval's JSON")
    what = f"{record.where}: one unit with types: in segeval's JSON that is [], which says nothing"
    expect(coding.n_units > 1, what)
    sets: list[Any] = [[] for _ in range(coding.n_units - 1)]
    for place, kinds in zip(coding.boundaries.tolist(), coding.types or (), strict=True):
        sets[place - 1] = ascending_names(kinds)
    return sets


# ---- segeval's TSV ----


def matches_segeval_tsv(lines: list[str]) -> bool:
    """Whether there is a header `Coder Masses` or `Coder Positions`."""
    header = header_of(lines)
    return header[:1] == ["coder"] and header[1:2] in (["masses"], ["positions"])


def read_segeval_tsv(source: Source) -> Iterator[Record]:
    """The records of a file."""
    table = rows(source)
    line, header = next(table)
    names = [cell.strip().lower() for cell in header[:2]]
    # segeval skips this row whatever it holds: a coding there would be lost
    fits = names in (["coder", "masses"], ["coder", "positions"])
    forms = "Coder<TAB>Masses or Coder<TAB>Positions"
    source.expect(fits, f"the header is {', '.join(header[:5])!r}: expected {forms}", line=line)

    def coded(texts: list[str]) -> Segmentation:
        expected = "a whole number from 1 on"
        numbers = [whole(text, f"cell {at}", expected) for at, text in enumerate(texts, start=2)]
        by_unit = names[1] == "positions"
        return (Segmentation.from_segment_ids if by_unit else Segmentation.from_masses)(numbers)

    for line, cells in table:
        coder, *texts = cells
        while texts and not texts[-1].strip():  # rows that a spreadsheet filled up
            texts.pop()
        yield _record(source, source.document, text_of_cell(coder), partial(coded, texts), line)


def files_segeval_tsv(corpus: Corpus, lossy: bool) -> Iterator[tuple[str, Iterable[str]]]:
    """A file per document."""
    del lossy
    for document in corpus.values():
        lines = [
            row_text((coder, *coding.masses.tolist()), "\t") for coder, coding in document.items()
        ]
        yield document.name, ["Coder\tMasses\n", *lines]
