"""doccano's JSON Lines: a text and its labelled spans per line; a file per annotator.

    {"id": 1, "text": "…", "label": [[0, 9, "TOPIC"]]}
    {"id": 1, "text": "…", "entities": [{"id": 5, "label": "TOPIC", "start_offset": 0,
     "end_offset": 9}], "relations": []}

The first form (`label` or `labels`) is that of old versions and of projects without relations. The
document is the line's id, or else its number, or what `document_name` names (`meta.doc_id`); the
coder is the name of the file. `layer` is the label of the spans to read. doccano counts UTF-16 code
units (doccano#2290), unless the project counts grapheme clusters, which cannot be seen in the
file.
"""

import re
from collections.abc import Iterator
from typing import Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.errors import about
from segscore.io.files import Source
from segscore.io.format import tool_format
from segscore.io.placing import CodePoints, Span, text_record
from segscore.io.safe_parsing import field, json_value, name_of

_EXPECTED = "doccano's JSON Lines, an object per line"
_KEYS = ("entities", "label", "labels")
_LINE = re.compile(r'\s*\{.*"(?:text|data)"\s*:')
_SPANS = re.compile(r'"(?:entities|labels?)"\s*:')


def matches(lines: list[str]) -> bool:
    """Whether the first line is an object with a text and spans, and none of our own."""
    first = next((line for line in lines if line.strip()), "")
    ours = re.match(r'\s*\{\s*"(?:document|coder)"', first)
    return bool(_LINE.match(first) and _SPANS.search(first)) and ours is None


def read(source: Source) -> Iterator[Record]:
    """A record per line."""
    coder = source.coder if source.told else source.document.rpartition("/")[2]
    empty = True
    for number, line in enumerate(source.read_lines(), start=1):
        if line.strip():
            empty = False
            data = json_value(source, line, _EXPECTED, number)
            yield _record(source, data, number, coder)
    if empty:
        raise source.fail(f"the file is empty: expected {_EXPECTED}")


def _record(source: Source, data: Any, number: int, coder: str) -> Record:
    if not isinstance(data, dict):
        raise source.fail(f"{shown(data)}: expected {_EXPECTED}", number)
    name = data.get("id", number)
    document = name_of(source, data, f"line {number}") or (
        str(name) if isinstance(name, (int, str)) else ""
    )
    where = f"line {number}: document {document!r}, coder {coder!r}"
    text = field(source, data, "text" if "text" in data else "data", str, where)
    key = next((key for key in _KEYS if key in data), "entities")
    convert = CodePoints(text)
    spans = []
    for index, entry in enumerate(field(source, data, key, list, where)):
        start, end, label = _entry(source, entry, f"{where}: {key}[{index}]")
        if source.choices.layer not in (None, label):
            continue
        with source.locating(), about(f"{where}: {key}[{index}]"):
            spans.append(Span(convert(start), convert(end), frozenset({label})))
    return text_record(source, document, coder, text, spans)


def _entry(source: Source, entry: Any, where: str) -> tuple[int, int, str]:
    found: list[Any]
    if isinstance(entry, dict):
        found = [entry.get(key) for key in ("start_offset", "end_offset", "label")]
    else:
        found = entry if isinstance(entry, list) else []
    if (
        len(found) != 3
        or not all(type(offset) is int and offset >= 0 for offset in found[:2])
        or not isinstance(found[2], str)
        or not found[2]
    ):
        raise source.fail(f"{where} is {shown(entry)}: expected start, end and label")
    return found[0], found[1], found[2]


FORMAT = tool_format(
    "doccano", "doccano's JSON Lines", ".jsonl .json1", "units labels", matches, read,
    '"text"', '"data"', keys="document-name layer policy",
)  # fmt: skip
