"""Our own JSON Lines: one JSON object per line, one coding per object. Holds everything.

    {"document": "ch1", "coder": "ann", "masses": [2, 3, 6]}

The fields are those of `segscore.corpus.record`; docs/formats.md specifies them, with a
JSON Schema. The first line may also say how units were formed (`segscore.io.jsonl_header`).
UTF-8. Blank lines are ignored. Both ways are streamed: memory does not grow with the file.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, NoReturn, TextIO

from segscore.basics.arguments import shown
from segscore.corpus.builder import CodingsBuilder
from segscore.corpus.codings import Codings
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import FIELDS, Record, fields_from_record, record_from_fields
from segscore.errors import SegmentationError
from segscore.io.files import Blocks, Source, byte_lines
from segscore.io.format import FEATURES, Format
from segscore.io.jsonl_header import KEY, header_fields, header_of
from segscore.io.stream_checks import first_repeated

_FIRST_KEY = re.compile(r'\s*\{\s*"(\w+)"\s*:')
_CHUNKS = re.compile(r'"(?:chunks|offsets|page_content)"\s*:')  # another format (chunks.py)
UNNAMED = (
    'document is missing: expected its name, as in {"document": "ch1", …}, because the file has '
    "several codings; only a single one is called like the file"
)
_LINE_END = re.compile(rb"\r\n|\n|\r|\Z")


_CODINGS = ("masses", "boundaries", "gaps", "segment_ids", "spans")
_LABEL_KEYS = ("labels", "label", "boundary", "is_boundary", "segment_id", "segment")


def matches(lines: list[str]) -> bool:
    """The first line opens an object with one of our fields."""
    first = next((line for line in lines if line.strip()), "")
    found = _FIRST_KEY.match(first)
    if found is not None and found[1] == KEY:
        return True
    if found is None or found[1] not in FIELDS or _CHUNKS.search(first) is not None:
        return False
    return not holds_labels(first)


def holds_labels(text: str) -> bool:
    """Whether the object at the start of a text (cut off, perhaps) has labels of units, and no
    coding as our JSON Lines have it."""
    if not any(f'"{key}"' in text for key in _LABEL_KEYS):
        return False
    try:
        fields, _ = json.JSONDecoder().raw_decode(text.lstrip(" \t\r\n["))
    except (ValueError, RecursionError):
        return False
    if not isinstance(fields, dict) or any(key in fields for key in _CODINGS):
        return False
    return any(_are_labels(fields.get(key)) for key in _LABEL_KEYS)


def _are_labels(value: Any) -> bool:
    if isinstance(value, str):
        return re.fullmatch("[01]{2,}", value) is not None
    return isinstance(value, list) and bool(value) and isinstance(value[0], int | str)


def read(source: Source) -> Iterator[Record]:
    """The records of a file, line by line."""
    _refuse_encoding(source)
    unnamed: list[int] = []
    count = 0
    for number, line in byte_lines(source):
        if line.strip(b" \t"):  # what else bytes.strip takes for space is no space in JSON
            record = read_line(source, number, line, unnamed, first=not count)
            count += 1
            _refuse_unnamed(source, unnamed, count)
            yield record


def read_parts(source: Source, rows: int) -> Iterator[Codings]:
    """The codings of a file in parts of at least `rows` rows, the last one perhaps fewer."""
    builder, more = CodingsBuilder(), True
    with source.open() as stream:
        scanner = _Scanner(source, stream, builder)
        while more:
            more = scanner.take_block(builder)
            if not more or len(builder) >= rows:
                yield builder.codings(None, source.at(), scanner.provenance)
                builder = CodingsBuilder()
                builder.begin_file(source.at, source.coder)


def read_rows(source: Source, builder: CodingsBuilder) -> None:
    """Add the codings and texts of a file to those of others: plain lines without an object for
    each."""
    with source.open() as stream:
        scanner = _Scanner(source, stream, builder)
        while scanner.take_block(builder):
            pass


class _Scanner:
    """A file block by block: plain lines by the scanner, the others one by one."""

    def __init__(self, source: Source, stream: BinaryIO, builder: CodingsBuilder) -> None:
        _refuse_encoding(source)
        builder.begin_file(source.at, source.coder)
        self._source = source
        self._feed = Blocks(source, stream)
        self._number = self._count = 0  # lines and rows passed
        self._unnamed: list[int] = []
        self._in_front = True  # whether the first line may still come
        self.provenance = PLAIN

    def take_block(self, builder: CodingsBuilder) -> bool:
        """Add the lines of the next block; false if it was the last."""
        block, last = self._feed.block, self._feed.last
        used, special = 0, True
        before = self._count - len(builder)
        while special:
            used, lines, special = builder.rows.scan(block, used, last, self._number)
            self._number += lines
            builder.take_texts()
            self._count = before + len(builder)
            _refuse_unnamed(self._source, self._unnamed, self._count)
            if special:
                used = self._take_line(builder, block, used)
        self._in_front = self._in_front and not block[:used].strip()
        if not last:
            self._feed.advance(used)
        return not last

    def _take_line(self, builder: CodingsBuilder, block: bytes, start: int) -> int:
        """Add a line that is not plain, and say where the next one begins."""
        end = _LINE_END.search(block, start)
        assert end is not None  # noqa: S101  # the scanner stops at whole lines only
        self._number += 1
        line = block[start : end.start()]
        first = self._in_front and not block[:start].strip()
        self._in_front = False
        record = read_line(self._source, self._number, line, self._unnamed, first=first)
        builder.add(record, self._number)
        if first:
            self.provenance = header_of(line)
        return end.end()


def read_line(
    source: Source, number: int, line: bytes, unnamed: list[int], *, first: bool = False
) -> Record:
    """The record on one line; if it names no document, it is called like the file, and `unnamed`
    takes its number. The `first` one may say how units were formed, which is checked here."""
    try:
        fields = _DECODER.decode(line.decode())
        if not isinstance(fields, dict):
            raise SegmentationError(f"{shown(fields)}: expected an object {{…}}")
        if KEY in fields:
            if not first:
                raise SegmentationError(
                    "provenance: expected on the first line only, because it is about the whole "
                    "file; several files can be read together, or each converted by itself"
                )
            header_of(line)
            del fields[KEY]
        if "document" not in fields:
            unnamed.append(number)
            fields["document"] = source.document
        return record_from_fields(fields, source.at(number), source.coder)
    except UnicodeDecodeError as error:
        what = f"byte 0x{line[error.start]:02x} is not UTF-8: expected JSON in UTF-8"
    except json.JSONDecodeError as error:
        what = f"not JSON ({error.msg} at column {error.colno}): expected one object per line"
    except RecursionError:
        what = "lists nested too deeply: expected a flat object"
    except SegmentationError as error:
        what = str(error)
    except ValueError:  # a number of thousands of digits
        what = "a number is too long: expected whole numbers up to 2**53"
    raise source.fail(what, number)


def _refuse_unnamed(source: Source, unnamed: list[int], count: int) -> None:
    """The file's name can be that of one record only."""
    if unnamed and count > 1:
        raise source.fail(UNNAMED, unnamed[0])


def write(records: Iterable[Record], stream: TextIO, provenance: Provenance = PLAIN) -> None:
    """One line per record; the first one also says how units were formed."""
    more = header_fields(provenance)
    for record in records:
        stream.write(_ENCODER.encode({**more, **fields_from_record(record)}) + "\n")
        more = {}


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, if no key stands in it twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise SegmentationError(
            f"{shown(first_repeated(key for key, _ in pairs))} is given twice: expected each key "
            "once"
        )
    return found


def no_constant(name: str) -> NoReturn:
    """NaN and Infinity, which Python reads and JSON does not know."""
    raise SegmentationError(f"{name} is no JSON: expected whole numbers")


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_DECODER = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=no_constant)


def _refuse_encoding(source: Source) -> None:
    if source.encoding is not None and source.encoding.lower().replace("_", "-") != "utf-8":
        raise source.fail(f"encoding is {source.encoding!r}: expected none, JSON Lines is UTF-8")


FORMAT = Format(
    name="jsonl",
    title="JSON Lines",
    suffixes=(".jsonl", ".ndjson"),
    holds=frozenset(FEATURES),
    matches=matches,
    read=read,
    write=write,
)
