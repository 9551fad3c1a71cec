"""Labels in JSON: 0 or 1 per unit (or per gap), or the segment of each unit.

    {"ch1": [0, 1, 0, 0, 1], "ch2": [1, 0, 0]}
    {"ch1": {"ann": [0, 1, 0, 0, 1], "bob": [0, 0, 0, 0, 1]}}
    [0, 1, 0, 0, 1]

or objects, in a list or one per line (JSON Lines):

    {"doc_id": "ch1", "annotator": "ann", "sentences": ["…", "…"], "labels": [0, 1]}

`marks` must say what 0 and 1 mean (`io.table_columns`): nothing is guessed. In
objects, `columns` names the keys. Without a name the document has the name of the file, or
a number, and the coder the name of the file.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from segscore.basics.arguments import check_name, shown
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about, named
from segscore.io.files import Source
from segscore.io.safe_parsing import are_two_sides, first_keys, holds_labels, json_objects
from segscore.io.table_columns import CODED, coding_of, find_columns
from segscore.io.table_shapes import CodingTable, per_coding

_EXPECTED = "labels per unit, as in {document: [0, 1, …]} or {document: {coder: [0, 1, …]}}"
_SCALAR = r'(?:-?[0-9]|true\b|false\b|")'
_BY_NAME = re.compile(
    r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:\{\s*"(?:[^"\\]|\\.)*"\s*:\s*)?'
    rf'(?:\[\s*{_SCALAR}|"[01]{{2,}}")'
)
_LIST = re.compile(rf"\s*\[\s*(?:\[\s*)?{_SCALAR}")


def matches_labels(lines: list[str]) -> bool:
    """Whether there are names with lists of labels; or objects that have labels and no other
    coding."""
    first = next((line for line in lines if line.strip()), "")
    if re.match(r'\s*\[?\s*\{\s*"', first) and holds_labels(first):
        return True
    text = "\n".join(lines)
    if holds_labels(text) and re.match(r"\s*\[\s*\{", text):
        return True
    return bool(_BY_NAME.match(text) and not _other(text)) or _LIST.match(text) is not None


def _other(text: str) -> bool:
    """Whether the first key, or all keys together, belong to another format."""
    if '"hypothesis"' in text and are_two_sides(first_keys(text)):
        return True
    key = re.match(r'\s*\{\s*"((?:[^"\\]|\\.)*)"', text)
    return key is not None and key[1] in _OTHERS


_OTHERS = frozenset(
    ("segmentation_type", "items", "boundary_format", "document", "coder", "masses", "boundaries",
     "gaps", "segment_ids", "spans", "n_units", "units", "sentences", "text", "id", "labels")
)  # fmt: skip


def read_labels(source: Source) -> Iterator[Record]:
    """The records of a file."""
    entries = [*json_objects(source, _EXPECTED)]
    values = [value for _, value in entries]
    if not values:
        raise source.fail(f"nothing: expected {_EXPECTED}")
    if entries[0][0] == (None, ""):
        yield from _by_name(source, values[0])
    elif all(isinstance(value, dict) for value in values):
        for number, ((line, _), fields) in enumerate(entries, start=1):
            yield _object_record(source, fields, str(line or number), line)
    elif all(isinstance(value, list | str) for value in values):
        for number, labels in enumerate(values, start=1):
            yield _record(source, str(number), source.coder, labels)
    else:
        yield _record(source, source.document, source.coder, values)


def _by_name(source: Source, data: Any) -> Iterator[Record]:
    """The records of an object: of one document, or of documents by name, perhaps by coder."""
    if not isinstance(data, dict) or not data:
        raise source.fail(f"{shown(data)}: expected {_EXPECTED}")
    columns = source.choices.columns
    if columns and all(column in data for column in columns.values()):
        yield _object_record(source, data, source.document, None)
        return
    for document, value in data.items():
        by_coder = value if isinstance(value, dict) else {source.coder: value}
        if not by_coder:
            raise source.fail(f"document {document!r} is empty: expected {{coder: [0, 1, …]}}")
        for coder, labels in by_coder.items():
            yield _record(source, document, coder, labels)


def _record(source: Source, document: str, coder: str, labels: Any) -> Record:
    with source.locating():
        check_name(document, "document")
        check_name(coder, f"document {document!r}: coder")
        with about(whereabouts(document, coder)):
            coding = coding_of(labels, source.choices.marks)
        return Record(document, coder, coding, place=source.at())


def _object_record(
    source: Source, fields: Mapping[str, Any], number: str, line: int | None
) -> Record:
    """The coding in an object, which is a row of a table: its keys are the columns."""
    keys = list(fields)
    with source.locating(line):
        found = find_columns(keys, source.choices.columns)
        coded = [part for part in CODED if part in found]
        if len(coded) != 1:
            raise SegmentationError(
                f"{len(coded)} keys hold a coding: there is {named(keys)}: expected one, named in "
                "columns=, as in labels=NAME"
            )
        if "document" not in found and fields.get("id") is not None:
            found["document"] = keys.index("id")  # a name if nothing else is
        for part in ("document", "coder"):  # null is none
            if part in found and fields[keys[found[part]]] is None:
                del found[part]
        row = source.at(line), list(fields.values())
        table = CodingTable(keys, [row], replace(source, document=number), found)
        return next(per_coding(table, coded[0]))
