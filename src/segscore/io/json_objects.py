"""The objects of JSON files with their places: one per line, in a list, a single one, or by name.

Checks raise plain errors about a key; `JsonEntry.locating` adds the file, the line or the place in
a list, the document and the coder.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.safe_parsing import json_lines, json_value

LINES = (".jsonl", ".ndjson")
_CALLED = {
    dict: "an object {…}", list: "a list", str: "a text", int: "a whole number",
    float: "a number",
}  # fmt: skip

Place = tuple[int | None, str]  # a line, or what stands where in a list


def json_objects(source: Source, expected: str) -> Iterator[tuple[Place, Any]]:
    """Each value of the file with its place."""
    if source.suffix in LINES:
        yield from (((number, ""), value) for number, value in json_lines(source, expected))
        return
    text = source.read_text()
    if is_lines(text):
        for number, line in enumerate(re.split("\r\n|\r|\n", text), start=1):
            if line.strip():
                yield (number, ""), json_value(source, line, expected, number)
        return
    data = json_value(source, text, expected)
    if isinstance(data, list):
        yield from (((None, f"[{index}]"), value) for index, value in enumerate(data))
    else:
        yield (None, ""), data


def is_lines(text: str) -> bool:
    """Whether each line is a JSON object of its own, whatever the name of the file."""
    filled = [line for line in text.split("\n", maxsplit=50)[:50] if line.strip()]
    if len(filled) < 2 or not all(line.lstrip().startswith("{") for line in filled[:2]):
        return False
    try:
        return isinstance(json.loads(filled[0]), dict)
    except (ValueError, RecursionError):
        return False


@contextmanager
def placed(source: Source, line: int | None, where: str) -> Iterator[None]:
    """Add the place to an error."""
    with source.locating(line), about(where) if where else nullcontext():
        yield


# ---- a document in each object ----


class JsonEntry(NamedTuple):
    """An object of a file: the document that it is about, its fields and its place."""

    source: Source
    document: str
    fields: Any
    place: Place = (None, "")

    @contextmanager
    def locating(self, coder: str | None = None) -> Iterator[None]:
        """Add the place, the document and the coder to an error."""
        who = whereabouts(self.document, coder or self.source.coder)
        with placed(self.source, *self.place), about(who):
            yield

    def record(
        self, coding: Segmentation, units: tuple[str, ...], group: str | None = None
    ) -> Record:
        """The coding of the document, by the coder of the file."""
        place = self.source.at(self.place[0])
        return Record(self.document, self.source.coder, coding, units, group=group, place=place)


def entries(
    source: Source,
    expected: str,
    names: Sequence[str],
    objects: Iterable[tuple[Place, Any]] | None = None,
) -> Iterator[JsonEntry]:
    """Each object of a file. names: the keys that may name the document; by default it is
    numbered."""
    number = 0
    for number, (place, fields) in enumerate(objects or json_objects(source, expected), start=1):
        with placed(source, *place):
            if not isinstance(fields, dict):
                raise SegmentationError(f"{shown(fields)}: expected {expected}")
            document = name_in(fields, names, str(number))
        yield JsonEntry(source, document, fields, place)
    if not number:
        raise source.fail(f"the file is empty: expected {expected}")


def entries_by_name(source: Source, expected: str, kind: type) -> Iterator[JsonEntry]:
    """The values of the single object of a file, by the names of their documents."""
    data = json_value(source, source.read_text(), expected)
    if not isinstance(data, dict) or not data:
        raise source.fail(f"{shown(data)}: expected {expected}")
    for document, value in data.items():
        entry = JsonEntry(source, document, value)
        with entry.locating():
            if not isinstance(value, kind) or not value:
                raise SegmentationError(f"{shown(value)}: expected {_CALLED[kind]} of {expected}")
        yield entry


def field(owner: Any, key: str, *kinds: type) -> Any:
    """The value of a key, which must have one of these types."""
    if not isinstance(owner, dict):
        raise SegmentationError(f"{shown(owner)}: expected an object with {key!r}")
    value = owner.get(key)
    if not isinstance(value, kinds) or isinstance(value, bool):
        wanted = " or ".join(_CALLED[kind] for kind in kinds if kind in _CALLED)
        raise SegmentationError(f"{key} is {shown(value)}: expected {wanted}")
    return value


def full_list(owner: Any, key: str, n: int | None = None) -> list[Any]:
    """A list that is not empty, or that has n values."""
    found: list[Any] = field(owner, key, list)
    if not found or n not in (None, len(found)):
        raise SegmentationError(f"{key} has {len(found)} values: expected {n or 'some'}")
    return found


def texts_in(owner: Any, key: str) -> tuple[str, ...]:
    """A list of texts, one per unit."""
    return all_texts(full_list(owner, key), key)


def all_texts(values: Sequence[Any], what: str) -> tuple[str, ...]:
    """The values, which must be texts."""
    for index, text in enumerate(values):
        if not isinstance(text, str):
            raise SegmentationError(f"{what}[{index}] is {shown(text)}: expected a text")
    return tuple(values)


def name_in(owner: dict[str, Any], keys: Sequence[str], default: str) -> str:
    """The name by the first of the given keys; a number is a name, too."""
    key = next((key for key in keys if owner.get(key) is not None), None)
    return default if key is None else as_name(owner[key], key)


def as_name(value: Any, what: str) -> str:
    """A text or a number as a name."""
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise SegmentationError(f"{what} is {shown(value)}: expected a name")
    return str(value)


def whole_in(owner: Any, key: str) -> int:
    """A whole number from 0, perhaps as a text."""
    value = owner.get(key) if isinstance(owner, dict) else None
    if isinstance(value, str) and re.fullmatch("[0-9]{1,15}", value):
        return int(value)
    if type(value) is not int or value < 0:
        raise SegmentationError(f"{key} is {shown(value)}: expected a whole number, from 0")
    return value


def document_named(source: Source, owner: Any) -> str | None:
    """The document's name at the path that the caller gives (`data.doc_id`), if any."""
    path = source.choices.document_name
    if path is None:
        return None
    parts = path.split(".")
    if parts[0] == "data" and isinstance(owner, dict) and "data" not in owner:
        parts = parts[1:]  # where a tool writes the data without a name around it
    value = owner
    for part in parts:
        value = value.get(part) if isinstance(value, dict) else None
    return as_name(value, f"document_name: {path}")
