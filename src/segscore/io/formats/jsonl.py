"""Our own codings in JSON, one per object: JSON Lines, which hold everything, and JSON.

`jsonl`: one object per line. UTF-8. Blank lines are ignored. Both ways are streamed: memory does
not grow with the file.

    {"document": "ch1", "coder": "ann", "masses": [2, 3, 6]}

The fields are those of `segscore.corpus.record`; docs/formats.md specifies them, with a
JSON Schema. A line may also say how units were formed, if a reader formed them; the writer puts it
on the first, and files that were concatenated have several:

    {"provenance": {"units": ["seconds:1:1200"], "policies": ["snap"]}, "document": "talk", …}

It keeps what `segscore.corpus.provenance` has, so that a corpus that was written and read again
gives the same signatures. It describes the whole file, and units of different sizes in one file are
refused; each line stays a coding. A corpus whose units are those of its files has no such field.

`json`: an object, or a list of objects, as scripts write it with `json.dump`; it is only read. A
file with a single coding does not have to name the document, which then has the name of the file.

    [{"document": "ch1", "coder": "ann", "masses": [2, 3, 6]}, {"document": "ch1", …}]
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from segscore.basics.arguments import check_unicode
from segscore.corpus.codings import CodingsBuilder
from segscore.corpus.provenance import CHOICES, PLAIN, Provenance
from segscore.corpus.record import FIELDS, Record, fields_from_record, record_from_fields
from segscore.io import files
from segscore.io import safe_parsing as objects
from segscore.io.files import Source, byte_lines, expect
from segscore.io.format import finished_records

_FIRST_KEY = re.compile(r'\s*\{\s*"(\w+)"\s*:')
_UNNAMED = 'document is missing: expected its name in each of several codings, as "document": "ch1"'
_LINE_END = re.compile(rb"\r\n|\n|\r|\Z")
_EXPECTED_LIST = 'codings, as in [{"document": "ch1", "coder": "ann", "masses": [2, 3]}, …]'
_FIRST_KEY_OF_ALL = re.compile(r'\s*\[?\s*\{\s*"(\w+)"\s*:')
_CODINGS = ("masses", "boundaries", "gaps", "segment_ids", "spans", "levels")
_CODING = re.compile(rf'"(?:{"|".join(_CODINGS)})"\s*:\s*["\[]')
KEY = "provenance"
_LISTS = ("units", "policies", "layers")
_EXPECTED_HEADER = '{"units": ["seconds:1"], …}'


def matches_jsonl(lines: list[str]) -> bool:
    """Whether the first line opens an object with one of our fields."""
    first = next((line for line in lines if line.strip()), "")
    found = _FIRST_KEY.match(first)
    if found is not None and found[1] == KEY:
        return True
    if found is None or found[1] not in FIELDS or objects.holds_labels(first):
        return False
    keys = objects.first_keys(first)  # those of two other formats may begin with a document, too
    return not objects.is_chunk(keys) and not objects.is_chapter(keys) and "chapters" not in keys


def read_jsonl(
    source: Source, headers: list[tuple[Source, Provenance]] | None = None
) -> Iterator[Record]:
    """The records of a file, line by line; how its units were formed is added to `headers`."""
    unnamed: list[int] = []
    provenance = PLAIN
    count = 0
    for number, line in byte_lines(source):
        if line.strip(b" \t"):  # what else bytes.strip takes for space is no space in JSON
            record, provenance = _read_line(source, number, line, unnamed, provenance)
            count += 1
            _refuse_unnamed(source, unnamed, count)
            yield record
    if headers is not None:
        headers.append((source, provenance))


def read_rows(source: Source, builder: CodingsBuilder) -> Provenance:
    """Add the codings and texts of a file to those of others, plain lines without an object for
    each, and return how its units were formed.

    Blocks of the file go through the scanner, which stops at each line that is not plain. A block
    begins where the last was left; one that must hold a long line grows as needed.
    """
    builder.begin_file(source.at, source.coder)
    provenance, unnamed = PLAIN, list[int]()
    number = left_out = 0  # lines passed, and those of them that are records and no rows
    first = len(builder)
    with source.open() as stream:
        block, more = stream.read(files.BLOCK), stream.read(files.BLOCK)
        source.check_mark(block, always_utf8=True)
        block = block.removeprefix(files.UTF8_MARK)
        while True:
            used, special = 0, True
            while special:
                used, lines, special = builder.rows.scan(block, used, not more, number)
                number += lines
                builder.take_texts()
                if unnamed:
                    _refuse_unnamed(source, unnamed, left_out + len(builder) - first)
                if not special:
                    break
                end = _LINE_END.search(block, used)
                assert end is not None  # noqa: S101  # the scanner stops at whole lines only
                number += 1
                line, rows = block[used : end.start()], len(builder)
                record, provenance = _read_line(source, number, line, unnamed, provenance)
                for kept in finished_records([record], source.choices):
                    builder.add(kept, number)
                left_out += len(builder) == rows
                used = end.end()
            if not more:
                return provenance
            block = block[used:] + more
            source.expect(used or len(block) <= files.LONGEST_LINE, files.LONG_LINE)
            more = stream.read(max(files.BLOCK, len(block)))


def _read_line(
    source: Source, number: int, line: bytes, unnamed: list[int], before: Provenance
) -> tuple[Record, Provenance]:
    """The record on a line; and how units were formed, as this line and those before it say. A
    record that names no document gets the name of the file, and `unnamed` takes its line number."""
    try:
        # a file that was put behind another may begin with a byte order mark
        text = line.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        what = f"byte 0x{line[error.start]:02x} is not UTF-8: expected JSON in UTF-8"
        raise source.fail(what, number) from None
    fields = objects.json_value(source, text, "one object per line", number)
    with source.locating(number):
        expect(isinstance(fields, dict), "%s: expected an object {…}", fields)
        if KEY in fields:
            noted = _provenance_of(fields.pop(KEY))
            before = before.joined(noted, "cannot be read with what is before")
        if "document" not in fields:
            unnamed.append(number)
            fields["document"] = source.document
        return record_from_fields(fields, source.at(number), source.coder), before


def _refuse_unnamed(source: Source, unnamed: list[int], count: int) -> None:
    """Raise if several records get the name of the file."""
    if unnamed and count > 1:
        raise source.fail(_UNNAMED, unnamed[0])


def write_jsonl(records: Iterable[Record], stream: TextIO, provenance: Provenance = PLAIN) -> None:
    """Write a line per record; the first line also says how units were formed."""
    more = header_fields(provenance)
    for record in records:
        stream.write(_ENCODER.encode({**more, **fields_from_record(record)}) + "\n")
        more = {}


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


# ---- how units were formed, on the first line ----


def header_fields(provenance: Provenance) -> dict[str, Any]:
    """The fields of the first line besides its coding; none if there is nothing to note."""
    fields: dict[str, Any] = {
        name: list(getattr(provenance, name)) for name in _LISTS if getattr(provenance, name)
    }
    if provenance.choices:
        fields["choices"] = [list(choice) for choice in provenance.choices]
    return {KEY: fields} if fields else {}


def _provenance_of(fields: Any) -> Provenance:
    """The provenance that a line holds."""
    fits = isinstance(fields, dict) and fields.keys() <= {*_LISTS, "choices"}
    expect(fits, f"provenance is %s: expected {_EXPECTED_HEADER}", fields)
    lists = {name: fields.get(name, []) for name in _LISTS}
    choices = fields.get("choices", [])
    for name, given in lists.items():
        expect(_are_texts(given), f"provenance: {name} is %s: expected a list of texts", given)
    fits = isinstance(choices, list) and all(
        _are_texts(pair) and len(pair) == 2 and pair[0] in CHOICES for pair in choices
    )
    expected = f"pairs [name, text], a name of {', '.join(CHOICES)}"
    expect(fits, f"provenance: choices is %s: expected {expected}", choices)
    check_unicode("".join(text for given in (*lists.values(), *choices) for text in given), KEY)
    rules = {name: tuple(given) for name, given in lists.items()}
    return Provenance(**rules, choices=tuple((name, text) for name, text in choices))


def _are_texts(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(text, str) and text for text in given)


# ---- the same objects in a JSON file ----


def matches_json(lines: list[str]) -> bool:
    """Whether it is an object over several lines, or a list of objects, with our fields and a
    coding."""
    if matches_jsonl(lines):
        return False
    text = "\n".join(lines)
    found = _FIRST_KEY_OF_ALL.match(text)
    return found is not None and found[1] in FIELDS and _CODING.search(text) is not None


def read_json(source: Source) -> Iterator[Record]:
    """The records of a file."""
    data = objects.json_value(source, source.read_text(), _EXPECTED_LIST)
    several = data if isinstance(data, list) else [data]
    source.expect(several, f"the list is empty: expected {_EXPECTED_LIST}")
    for number, fields in enumerate(several, start=1):
        with objects.placed(source, None, f"entry {number}" if len(several) > 1 else ""):
            expect(isinstance(fields, dict), "%s: expected an object {…}", fields)
            expect("document" in fields or len(several) == 1, _UNNAMED)
            named = {"document": source.document, **fields}
            record = record_from_fields(named, source.at(), source.coder)
        yield record
