"""Labels in JSON: 0 or 1 per unit (or per gap), or the segment of each unit.

    {"ch1": [0, 1, 0, 0, 1], "ch2": [1, 0, 0]}
    {"ch1": {"ann": [0, 1, 0, 0, 1], "bob": [0, 0, 0, 0, 1]}}
    [0, 1, 0, 0, 1]

or objects, in a list or one per line (JSON Lines):

    {"doc_id": "ch1", "annotator": "ann", "sentences": ["…", "…"], "labels": [0, 1]}

`marks` must say what 0 and 1 mean (`corpus.coding_tables`): nothing is guessed. In
objects, `columns` names the keys. Without a name the document has the name of the file, or
a number, and the coder the name of the file.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.coding_tables import (
    CODED,
    coding_of,
    find_columns,
    how_lists_are_read,
    list_coding,
)
from segscore.corpus.record import Record, record_from_fields, whereabouts
from segscore.corpus.text_checks import check_name
from segscore.errors import SegmentationError, about, named
from segscore.io.files import Source
from segscore.io.format import Format
from segscore.io.json_objects import LINES, is_lines
from segscore.io.safe_parsing import are_two_sides, first_keys, holds_labels, json_value

_EXPECTED = "labels per unit, as in {document: [0, 1, …]} or {document: {coder: [0, 1, …]}}"
_SCALAR = r'(?:-?[0-9]|true\b|false\b|")'
_BY_NAME = re.compile(
    r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:\{\s*"(?:[^"\\]|\\.)*"\s*:\s*)?'
    rf'(?:\[\s*{_SCALAR}|"[01]{{2,}}")'
)
_LIST = re.compile(rf"\s*\[\s*(?:\[\s*)?{_SCALAR}")


def matches(lines: list[str]) -> bool:
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


def read(source: Source) -> Iterator[Record]:
    """The records of a file."""
    text = source.read_text()
    if source.suffix in LINES or is_lines(text):
        yield from _by_line(source, text)
        return
    data = json_value(source, text, _EXPECTED)
    if isinstance(data, dict):
        yield from _by_name(source, data)
    elif isinstance(data, list) and data:
        yield from _by_number(source, data)
    else:
        raise source.fail(f"{shown(data)}: expected {_EXPECTED}")


def _by_line(source: Source, text: str) -> Iterator[Record]:
    """The records of a file with an object per line."""
    for number, line in enumerate(re.split("\r\n|\r|\n", text), start=1):
        if line.strip():
            data = json_value(source, line, _EXPECTED, number)
            if not isinstance(data, dict):
                raise source.fail(f"{shown(data)}: expected an object per line", number)
            yield _object_record(source, data, str(number), number)


def _by_number(source: Source, data: list[Any]) -> Iterator[Record]:
    """The records of a list of objects or of codings, which are numbered; or of a single coding."""
    if all(isinstance(entry, dict) for entry in data):
        for number, fields in enumerate(data, start=1):
            yield _object_record(source, fields, str(number), None)
    elif all(isinstance(entry, list | str) for entry in data):
        for number, labels in enumerate(data, start=1):
            yield _record(source, str(number), source.coder, labels)
    else:
        yield _record(source, source.document, source.coder, data)


def _by_name(source: Source, data: dict[str, Any]) -> Iterator[Record]:
    if not data:
        raise source.fail(f"the object is empty: expected {_EXPECTED}")
    columns = source.choices.columns
    if columns and all(
        column in data for column in columns.values()
    ):  # one object for one document
        yield _object_record(source, data, source.document, None)
        return
    for document, value in data.items():
        if not isinstance(value, dict):
            yield _record(source, document, source.coder, value)
            continue
        if not value:
            raise source.fail(f"document {document!r} is empty: expected {{coder: [0, 1, …]}}")
        for coder, labels in value.items():
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
    """The coding in an object."""
    with source.locating(line):
        keys = list(fields)
        found = find_columns(keys, source.choices.columns)
        parts = [part for part in CODED if part in found]
        if not parts:
            raise SegmentationError(
                f"no key holds labels: there is {named(keys)}: expected columns=, as in labels=NAME"
            )
        if len(parts) > 1:
            names = named(keys[found[part]] for part in parts)
            raise SegmentationError(f"{names} each hold a coding: expected one, named in columns=")

        def value(part: str) -> Any:
            return fields[keys[found[part]]] if part in found else None

        document = _name(value("document"), "document")
        if document is None:  # an id is a name if nothing else is
            document = _name(fields.get("id"), "id") or number
        coder = _name(value("coder"), "coder") or source.coder
        with about(whereabouts(document, coder)):
            coding = _coding(source, parts[0], value(parts[0]), value("n_units"))
        texts = value("text")
        units = tuple(texts) if isinstance(texts, list) else None
        return Record(
            document, coder, coding, units, kind=value("kind"), group=value("group"),
            place=source.at(line),
        )  # fmt: skip


def _coding(source: Source, part: str, values: Any, n_units: Any) -> Any:
    marks = source.choices.marks
    if part in ("labels", "boundary"):
        return coding_of(values, marks)
    if part in ("segment", "segment_ids"):
        return coding_of(values, "ids")
    meaning = how_lists_are_read(part, marks)
    if meaning:
        source.choices.notes.said[f"{part!r} is {meaning}"] = None
    if isinstance(values, list):
        part, values = list_coding(part, values, n_units, marks, "")
    fields = {"document": "x", "coder": "x", part: values, "n_units": n_units}
    return record_from_fields(fields).segmentation


def _name(value: Any, what: str) -> str | None:
    """A name; a number is a name, too."""
    if value is None or (isinstance(value, str) and value):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise SegmentationError(f"{what} is {shown(value)}: expected a name")


FORMAT = Format(
    "labels", "labels per unit in JSON", (".json", ".jsonl", ".ndjson"),
    frozenset({"units", "group", "kind"}),
    matches, read, keys="columns marks",
)  # fmt: skip
