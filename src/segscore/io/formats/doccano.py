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
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.format import tool_format
from segscore.io.json_objects import document_named, field, name_in
from segscore.io.placing import CodePoints, Span, text_record
from segscore.io.safe_parsing import json_value

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
        if not line.strip():
            continue
        empty = False
        data = json_value(source, line, _EXPECTED, number)
        with source.locating(number):
            text = field(data, "text" if isinstance(data, dict) and "text" in data else "data", str)
            document = document_named(source, data) or name_in(data, ("id",), str(number))
            with about(whereabouts(document, coder)):
                spans = _spans(data, source.choices.layer, CodePoints(text))
        yield text_record(source, document, coder, text, spans)
    if empty:
        raise source.fail(f"the file is empty: expected {_EXPECTED}")


def _spans(data: dict[str, Any], layer: str | None, convert: CodePoints) -> list[Span]:
    key = next((key for key in _KEYS if key in data), "entities")
    spans = []
    for index, entry in enumerate(field(data, key, list)):
        found = entry
        if isinstance(entry, dict):
            found = [entry.get(part) for part in ("start_offset", "end_offset", "label")]
        with about(f"{key}[{index}] is {shown(entry)}"):
            if not isinstance(found, list) or [type(part) for part in found] != [int, int, str]:
                raise SegmentationError("expected start, end and label")
            start, end, label = found
            if layer in (None, label):
                spans.append(Span(convert(start), convert(end), frozenset({label})))
    return spans


FORMAT = tool_format(
    "doccano", "doccano's JSON Lines", ".jsonl .json1", "units labels", matches, read,
    '"text"', '"data"', keys="document-name layer policy",
)  # fmt: skip
