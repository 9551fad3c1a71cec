"""Gap strings as NLTK takes them: N-1 symbols 0 or 1, a coding per line.

    ch1<TAB>ann<TAB>0100100000

Every line has as many cells as the first: document, coder and string; document and string; or the
string alone, in which case the line number names the document. In the first two forms an empty
string is a document of one unit. With `marks` the symbols are what it says (labels of units, or
gaps), perhaps with blanks, commas or bars between them, or as 0.0, 1.0, True and False; where each
line has a single symbol, all lines with the same names are one document. Files that are not called
.gaps need `marks`, unless the caller names the format.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TextIO

import numpy as np

from segscore.basics.arguments import check_name
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import spelled_out
from segscore.io.table_columns import coding_of

_LINE = re.compile(r"(?:[^\t]+\t){0,2}[01]*")
SYMBOL = re.compile(r"[01](?:\.0)?|true|false", re.IGNORECASE)  # as programs print 0 and 1
_SYMBOLS = re.compile(
    rf"(?:{SYMBOL.pattern})(?:[ ,;|\t]{{0,3}}(?:{SYMBOL.pattern}))*+", re.IGNORECASE
)


def matches_gaps(lines: list[str]) -> bool:
    """Whether all lines end with symbols 0 and 1 (the last may have been cut)."""
    whole = [line for line in (*lines[:1], *lines[1:-1]) if line.strip()]
    return (
        bool(whole)
        and bool(lines[0])
        and all(
            _LINE.fullmatch(line) is not None or _SYMBOLS.fullmatch(line.strip()) is not None
            for line in whole
        )
    )


def read_gaps(source: Source) -> Iterator[Record]:
    """The records of a file."""
    lines = source.read_lines(blank_at_end=True)
    if not lines:
        raise source.fail("the file is empty: expected a gap string per line")
    if source.choices.marks is not None:
        yield from _marked(source, lines)
        return
    width = min(lines[0].count("\t") + 1, 3)
    for number, line in enumerate(lines, start=1):
        with source.locating(number):
            record = _record(source, number, line.split("\t"), width)
        yield record


def check_gaps(source: Source) -> None:
    """Raise for symbols in a file that is not called .gaps, unless `marks` says what they are."""
    if source.suffix == ".gaps" or source.choices.marks is not None:
        return
    (names, symbols), *_ = _rows(source, source.read_lines(blank_at_end=True)).values()
    readings = []
    for marks in ("start", "end", "gaps"):
        with source.locating():
            masses = coding_of(symbols, marks).masses.tolist() if symbols else [1]
        shown = ", ".join(map(str, masses[:8])) + " …" * (len(masses) > 8)
        readings.append(f"{marks} gives masses {shown}")
    raise source.fail(
        f"document {names[0]!r}: {len(symbols)} symbols 0 and 1 may be labels of {len(symbols)} "
        f"units, or gaps between {len(symbols) + 1}: expected marks=; "
        f"{'; '.join(readings)}"
    )


_Rows = dict[tuple[str, ...], tuple[tuple[str, ...], str]]  # names, or the line → names, symbols


def _rows(source: Source, lines: list[str]) -> _Rows:
    """The symbols of each document and coder."""
    split: list[tuple[tuple[str, ...], str]] = []
    for line in lines:
        plain = _SYMBOLS.fullmatch(line.strip()) is not None
        if plain and "\t" in line:
            raise source.fail("cells of 0 and 1: expected a first line that names the columns")
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


def _marked(source: Source, lines: list[str]) -> Iterator[Record]:
    """The records of a file whose symbols are what `marks` says."""
    for names, symbols in _rows(source, lines).values():
        if len(names) > 2:
            raise source.fail(f"{len(names) + 1} cells: expected document, coder and symbols")
        document, coder = names[0], names[1] if len(names) > 1 else source.coder
        check_name(document, "document")
        with source.locating(), about(whereabouts(document, coder)):
            marks = source.choices.marks
            one_unit = not symbols and marks == "gaps"
            coding = Segmentation.from_masses([1]) if one_unit else coding_of(symbols, marks)
        yield Record(document, coder, coding, place=source.at())


def _record(source: Source, number: int, cells: list[str], width: int) -> Record:
    if len(cells) != width:
        raise SegmentationError(
            f"{len(cells)} cells: expected {width} on every line; document, coder and gap string "
            "are separated by tabs"
        )
    *names, gaps = cells
    document = names[0] if names else str(number)
    coder = names[1] if len(names) > 1 else source.coder
    check_name(document, "document")
    check_name(coder, f"document {document!r}: coder")
    with about(whereabouts(document, coder)):
        one_unit = names and not gaps
        coding = Segmentation.from_masses([1]) if one_unit else Segmentation.from_gaps(gaps)
    return Record(document, coder, coding, place=source.at(number))


def write_gaps(records: Iterable[Record], stream: TextIO) -> None:
    """Write a line per record, with document and coder."""
    for record in records:
        coding = spelled_out(record, "a gap string")
        for name in (record.document, record.coder or ""):
            if set(name) & set("\t\r\n\0\ufeff"):
                raise SegmentationError(
                    f"{record.where}: {name!r} cannot stand in a line: expected a name without "
                    "tabs and line ends"
                )
        flags = np.full(coding.n_units - 1, ord("0"), np.uint8)
        flags[coding.boundaries - 1] = ord("1")
        stream.write(f"{record.document}\t{record.coder}\t{flags.tobytes().decode()}\n")
